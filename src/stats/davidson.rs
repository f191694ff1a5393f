//! One game under the model of Bradley, Terry and Davidson, and the maximum of its likelihood over a
//! whole tournament. Strengths here are on the natural logarithmic scale; `ratings` turns them into
//! Elo with their uncertainty.

use super::linear::Matrix;
use super::score::Wdl;

/// Chances of white in one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chances {
    pub win: f64,
    pub draw: f64,
    pub loss: f64,
}

impl Chances {
    /// White is `x` stronger (first-move advantage included); a draw has `draw_weight` times the
    /// geometric mean of the weights of a win and a loss.
    pub fn at(x: f64, draw_weight: f64) -> Chances {
        // Divided by exp(|x| / 2), so that nothing overflows.
        let small = (-x.abs()).exp();
        let draw = draw_weight * (-x.abs() / 2.0).exp();
        let sum = 1.0 + small + draw;
        let (win, loss) = if x >= 0.0 { (1.0, small) } else { (small, 1.0) };
        Chances {
            win: win / sum,
            draw: draw / sum,
            loss: loss / sum,
        }
    }

    /// Expected score of white.
    pub fn score(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// Variance of half the margin (+1/2 win, -1/2 loss), its covariance with "is a draw", and the
    /// variance of that: the information of one game about (x, ln draw_weight).
    pub fn information(&self) -> [f64; 3] {
        let decisive = self.win + self.loss;
        [
            self.draw * decisive / 4.0 + self.win * self.loss,
            (self.loss - self.win) * self.draw / 2.0,
            self.draw * decisive,
        ]
    }
}

/// Weighted results of `white` with the white pieces against `black`; virtual games make the
/// weights fractional.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub white: usize,
    pub black: usize,
    pub wins: f64,
    pub draws: f64,
    pub losses: f64,
}

impl Record {
    pub fn new(white: usize, black: usize, results: Wdl, extra: f64) -> Record {
        Record {
            white,
            black,
            wins: results.wins as f64 + extra,
            draws: results.draws as f64 + extra,
            losses: results.losses as f64 + extra,
        }
    }

    pub fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }
}

/// The fitted quantities and their indices in the parameter vector: the players' strengths come
/// first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub players: usize,
    pub first_move: Option<usize>,
    pub draw: Option<usize>,
}

impl Layout {
    pub fn size(&self) -> usize {
        self.players + usize::from(self.first_move.is_some()) + usize::from(self.draw.is_some())
    }

    /// How x of a game depends on the parameters: a sparse row. Without a first-move advantage its
    /// last cell is an idle 0.
    pub fn difference(&self, white: usize, black: usize) -> [(usize, f64); 3] {
        let advantage = self.first_move.map_or((white, 0.0), |index| (index, 1.0));
        [(white, 1.0), (black, -1.0), advantage]
    }

    pub fn x(&self, parameters: &[f64], white: usize, black: usize) -> f64 {
        let first_move = self.first_move.map_or(0.0, |index| parameters[index]);
        parameters[white] - parameters[black] + first_move
    }

    /// 0 where draws are not part of the model.
    pub fn draw_weight(&self, parameters: &[f64]) -> f64 {
        self.draw.map_or(0.0, |index| parameters[index].exp())
    }

    pub fn chances(&self, parameters: &[f64], white: usize, black: usize) -> Chances {
        Chances::at(
            self.x(parameters, white, black),
            self.draw_weight(parameters),
        )
    }
}

/// Adds the information of `games` games at these chances.
pub(super) fn add_information(
    matrix: &mut Matrix,
    layout: &Layout,
    players: (usize, usize),
    chances: &Chances,
    games: f64,
) {
    let [margin, both, draw] = chances.information();
    let row = layout.difference(players.0, players.1);
    matrix.add_outer(&row, games * margin);
    if let Some(index) = layout.draw {
        for &(other, sign) in &row {
            matrix.add(other, index, games * sign * both);
            matrix.add(index, other, games * sign * both);
        }
        matrix.add(index, index, games * draw);
    }
}

/// The most likely parameters, or `None` if the likelihood has no finite maximum.
///
/// Adding a constant to the strengths of all players whom games connect changes nothing, so one of
/// them is `pinned` at 0. Newton's method; the likelihood is concave, so halving a step that
/// overshoots is enough.
pub(super) fn maximise(records: &[Record], layout: &Layout, pinned: &[usize]) -> Option<Vec<f64>> {
    let mut parameters = start(records, layout);
    let mut height = log_likelihood(records, layout, &parameters);
    for _ in 0..200 {
        let (mut gradient, mut information) = derivatives(records, layout, &parameters);
        for &player in pinned {
            gradient[player] = 0.0;
            information.pin(player);
        }
        let mut step = information.cholesky()?.solve(&gradient);
        let length = step.iter().fold(0f64, |a, b| a.max(b.abs()));
        if !length.is_finite() {
            return None;
        }
        // Squared distance to the maximum, in standard errors.
        let distance: f64 = gradient.iter().zip(&step).map(|(a, b)| a * b).sum();
        if distance < 1e-14 {
            return Some(parameters.iter().zip(&step).map(|(a, b)| a + b).collect());
        }
        // Far from the maximum the curvature vanishes and a full step would overshoot.
        let shrink = (4.0 / length).min(1.0);
        step.iter_mut().for_each(|part| *part *= shrink);
        let mut next_height = f64::NEG_INFINITY;
        let mut next = parameters.clone();
        for _ in 0..40 {
            for ((next, parameter), part) in next.iter_mut().zip(&parameters).zip(&step) {
                *next = parameter + part;
            }
            next_height = log_likelihood(records, layout, &next);
            // Near the maximum the likelihoods agree to rounding; that is not an overshoot.
            if next_height >= height - 1e-12 * height.abs() {
                break;
            }
            step.iter_mut().for_each(|part| *part /= 2.0);
        }
        parameters = next;
        height = next_height;
    }
    None
}

/// Equal strengths, and the observed share of draws.
fn start(records: &[Record], layout: &Layout) -> Vec<f64> {
    let mut parameters = vec![0.0; layout.size()];
    if let Some(index) = layout.draw {
        let draws: f64 = records.iter().map(|record| record.draws).sum();
        let decisive: f64 = records.iter().map(|r| r.wins + r.losses).sum();
        if draws > 0.0 && decisive > 0.0 {
            parameters[index] = (2.0 * draws / decisive).ln();
        }
    }
    parameters
}

fn log_likelihood(records: &[Record], layout: &Layout, parameters: &[f64]) -> f64 {
    let draw_weight = layout.draw_weight(parameters);
    let mut sum = 0.0;
    for record in records {
        let x = layout.x(parameters, record.white, record.black);
        let reach = x.abs();
        // Each chance from what the others weigh against it, so that one near 1 keeps its
        // distance from 1 and no large numbers cancel.
        let favourite = -((-reach).exp() + draw_weight * (-reach / 2.0).exp()).ln_1p();
        let (expected, upsets) = if x >= 0.0 {
            (record.wins, record.losses)
        } else {
            (record.losses, record.wins)
        };
        sum += expected * favourite + upsets * (favourite - reach);
        if draw_weight > 0.0 {
            sum -= record.draws * (2.0 * (reach / 2.0).cosh() / draw_weight).ln_1p();
        }
    }
    sum
}

/// Gradient of the log likelihood and the information (its negative curvature).
fn derivatives(records: &[Record], layout: &Layout, parameters: &[f64]) -> (Vec<f64>, Matrix) {
    let mut gradient = vec![0.0; layout.size()];
    let mut information = Matrix::zero(layout.size());
    for record in records {
        let players = (record.white, record.black);
        let chances = layout.chances(parameters, players.0, players.1);
        let games = record.games();
        // Observed minus expected, without subtracting two nearly equal counts.
        let pull = record.wins * (chances.draw / 2.0 + chances.loss)
            - record.losses * (chances.draw / 2.0 + chances.win)
            - record.draws * (chances.win - chances.loss) / 2.0;
        for (index, sign) in layout.difference(players.0, players.1) {
            gradient[index] += sign * pull;
        }
        if let Some(index) = layout.draw {
            gradient[index] += record.draws * (chances.win + chances.loss)
                - (record.wins + record.losses) * chances.draw;
        }
        add_information(&mut information, layout, players, &chances, games);
    }
    (gradient, information)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for x in [-800.0, -3.0, -0.1, 0.0, 0.7, 5.0, 1e4] {
            for draw_weight in [0.0, 0.3, 2.0, 50.0] {
                let (a, b) = (Chances::at(x, draw_weight), Chances::at(-x, draw_weight));
                assert!((a.win + a.draw + a.loss - 1.0).abs() < 1e-12);
                assert!((a.score() + b.score() - 1.0).abs() < 1e-12);
                assert!((a.draw - b.draw).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn gradient_is_the_slope_of_the_likelihood() {
        let layout = Layout {
            players: 3,
            first_move: Some(3),
            draw: Some(4),
        };
        let records = [
            Record::new(0, 1, Wdl::new(5, 3, 2), 0.1),
            Record::new(1, 2, Wdl::new(1, 4, 6), 0.1),
            Record::new(2, 0, Wdl::new(2, 2, 2), 0.1),
        ];
        let at = [0.3, -0.2, -0.1, 0.15, -0.4];
        let (gradient, information) = derivatives(&records, &layout, &at);
        for i in 0..5 {
            let shifted = |by: f64| {
                let mut moved = at;
                moved[i] += by;
                moved
            };
            let (up, down) = (shifted(1e-5), shifted(-1e-5));
            let slope = (log_likelihood(&records, &layout, &up)
                - log_likelihood(&records, &layout, &down))
                / 2e-5;
            assert!((slope - gradient[i]).abs() < 1e-6, "{i}");
            let (high, low) = (
                derivatives(&records, &layout, &up).0,
                derivatives(&records, &layout, &down).0,
            );
            for j in 0..5 {
                let curvature = (low[j] - high[j]) / 2e-5;
                assert!((curvature - information.at(i, j)).abs() < 1e-6, "{i} {j}");
            }
        }
    }
}
