//! The covariance of fitted strengths, from how the results scatter around the fit.
//!
//! A sandwich: the information outside, and inside the scatter of the gradient with whole pairs as
//! observations (P. Huber, "The behavior of maximum likelihood estimates under nonstandard
//! conditions"). It needs no claim that both games of a pair are independent.

use super::davidson::{Chances, Layout, Record, add_information};
use super::linear::Matrix;
use super::tournament::{Meeting, OpenedPair, Tournament, membership};

/// A pairing's scatter is estimated from its pairs once both players have this many pairs; below
/// that the model's variance is more stable.
const ENOUGH_PAIRS: u64 = 30;

/// Openings that several pairs share are the observations if there are this many, counting unequal ones
/// by their effective number; with fewer, the scatter between them is too uncertain.
const ENOUGH_OPENINGS: f64 = 30.0;

/// How much the gradient of the likelihood scatters: the middle of the sandwich.
pub(super) struct Scatter {
    matrix: Matrix,
    pub pairs_used: bool,
    /// The number of openings, if the pairs of an opening were taken as one observation.
    pub openings_used: Option<u64>,
}

impl Scatter {
    pub fn of(
        tournament: &Tournament,
        strong: &[Vec<usize>],
        virtual_records: &[Record],
        layout: &Layout,
        parameters: &[f64],
    ) -> Scatter {
        let component = membership(strong, tournament.players());
        let mut pairs = vec![0u64; tournament.players()];
        for (a, b, meeting) in tournament.meetings() {
            for player in [a, b] {
                pairs[player] = pairs[player].saturating_add(meeting.pair_count());
            }
        }
        // Between components all pairs are identical, so their scatter is meaningless.
        let scatters = |a: usize, b: usize| {
            component[a] == component[b] && pairs[a].min(pairs[b]) >= ENOUGH_PAIRS
        };
        let total = pairs.iter().map(|&count| count as f64).sum::<f64>() / 2.0;
        let shared = SharedOpenings::of(tournament, total, scatters);
        // Pairs scatter a little less around a fit than around the truth.
        let mut correction = total / (total - layout.size() as f64).max(total / 2.0).max(1.0);
        if let Some(shared) = &shared {
            correction *= shared.openings / (shared.openings - 1.0);
        }
        let mut matrix = Matrix::zero(layout.size());
        let mut pairs_used = false;
        for (a, b, meeting) in tournament.meetings() {
            let chances = [
                layout.chances(parameters, a, b),
                layout.chances(parameters, b, a),
            ];
            let (white, black) = meeting.by_colour();
            let mut games = [white.games() as f64, black.games() as f64];
            if scatters(a, b) {
                add_pair_scatter(&mut matrix, layout, (a, b), meeting, &chances, correction);
                let paired = meeting.pair_count() as f64;
                games = games.map(|games| games - paired);
                pairs_used = true;
            }
            add_information(&mut matrix, layout, (a, b), &chances[0], games[0]);
            add_information(&mut matrix, layout, (b, a), &chances[1], games[1]);
        }
        for record in virtual_records {
            let players = (record.white, record.black);
            let chances = layout.chances(parameters, players.0, players.1);
            add_information(&mut matrix, layout, players, &chances, record.games());
        }
        if let Some(shared) = &shared {
            shared.add(&mut matrix, layout, parameters, correction);
        }
        Scatter {
            matrix,
            pairs_used,
            openings_used: shared.map(|shared| shared.openings as u64),
        }
    }

    /// Information^-1 scatter information^-1, with `pinned` players certain to be at 0. With the
    /// model's own scatter throughout, this is the inverse information.
    pub fn covariance(
        &self,
        records: &[Record],
        layout: &Layout,
        parameters: &[f64],
        pinned: &[usize],
    ) -> Option<Matrix> {
        let mut information = Matrix::zero(layout.size());
        for record in records {
            let players = (record.white, record.black);
            let chances = layout.chances(parameters, players.0, players.1);
            add_information(&mut information, layout, players, &chances, record.games());
        }
        pinned.iter().for_each(|&player| information.pin(player));
        let mut inverse = information.cholesky()?.inverse();
        pinned.iter().for_each(|&player| inverse.clear(player));
        Some(inverse.times(&self.matrix).times(&inverse))
    }
}

/// Openings that several pairs of the same or of different pairings were played from.
struct SharedOpenings<'t> {
    /// The pairs of each such opening.
    clusters: Vec<Vec<&'t OpenedPair>>,
    /// All openings; pairs whose opening is unknown have one each.
    openings: f64,
}

impl<'t> SharedOpenings<'t> {
    /// `None` if no opening is shared, or there are too few. `total`: all pairs.
    fn of(
        tournament: &'t Tournament,
        total: f64,
        scatters: impl Fn(usize, usize) -> bool,
    ) -> Option<SharedOpenings<'t>> {
        let opened = tournament.opened_pairs().iter();
        let mut opened: Vec<&OpenedPair> = opened
            .filter(|pair| scatters(pair.players.0, pair.players.1))
            .collect();
        // Stable: the same sums for the same games.
        opened.sort_by_key(|pair| pair.opening);
        let clusters = opened.chunk_by(|a, b| a.opening == b.opening);
        let alone = (total - opened.len() as f64).max(0.0);
        let (mut openings, mut squares) = (alone, alone);
        let mut shared = Vec::new();
        for cluster in clusters {
            openings += 1.0;
            squares += (cluster.len() as f64).powi(2);
            if cluster.len() > 1 {
                shared.push(cluster.to_vec());
            }
        }
        let is_enough = total * total >= ENOUGH_OPENINGS * squares;
        (!shared.is_empty() && is_enough).then_some(SharedOpenings {
            clusters: shared,
            openings,
        })
    }

    /// Adds what the pairs of an opening have in common: the outer product of the sum of their gradients
    /// less the outer products of each, which are there already.
    fn add(&self, matrix: &mut Matrix, layout: &Layout, parameters: &[f64], weight: f64) {
        let mut sum = vec![0.0; layout.size()];
        for cluster in &self.clusters {
            let mut touched = Vec::new();
            for pair in cluster {
                let (a, b) = pair.players;
                let chances = [
                    layout.chances(parameters, a, b),
                    layout.chances(parameters, b, a),
                ];
                let margins = (pair.as_white as usize, pair.as_black as usize);
                let gradient = pair_gradient(layout, (a, b), margins, &chances);
                matrix.add_outer(&gradient, -weight);
                for (index, part) in gradient {
                    sum[index] += part;
                    touched.push(index);
                }
            }
            touched.sort_unstable();
            touched.dedup();
            let sums: Vec<(usize, f64)> = touched
                .into_iter()
                .map(|index| (index, std::mem::take(&mut sum[index])))
                .collect();
            matrix.add_outer(&sums, weight);
        }
    }
}

/// The gradient of the log likelihood of one pair. Results in the order loss, draw, win.
fn pair_gradient(
    layout: &Layout,
    (a, b): (usize, usize),
    (as_white, as_black): (usize, usize),
    chances: &[Chances; 2],
) -> Vec<(usize, f64)> {
    // Gradient of one game: half the margin and "is a draw", less what the chances expect.
    let pull = |margin: f64, chances: &Chances| {
        let draw = f64::from(u8::from(margin == 0.0));
        (
            (margin - chances.win + chances.loss) / 2.0,
            draw - chances.draw,
        )
    };
    let (first, first_draw) = pull(as_white as f64 - 1.0, &chances[0]);
    // In the second game b has white: its margin is the negative of a's.
    let (second, second_draw) = pull(1.0 - as_black as f64, &chances[1]);
    let mut gradient = vec![(a, first - second), (b, second - first)];
    gradient.extend(layout.first_move.map(|index| (index, first + second)));
    gradient.extend(layout.draw.map(|index| (index, first_draw + second_draw)));
    gradient
}

/// Adds the outer products of each pair's gradient: both games of a pair as one observation.
fn add_pair_scatter(
    matrix: &mut Matrix,
    layout: &Layout,
    players: (usize, usize),
    meeting: &Meeting,
    chances: &[Chances; 2],
    weight: f64,
) {
    for (as_white, row) in meeting.pairs.iter().enumerate() {
        for (as_black, &count) in row.iter().enumerate() {
            if count > 0 {
                let gradient = pair_gradient(layout, players, (as_white, as_black), chances);
                matrix.add_outer(&gradient, weight * count as f64);
            }
        }
    }
}
