//! Ratings of many players from one tournament: Bradley-Terry strengths with Davidson's draws and a
//! first-move advantage, by maximum likelihood, with the uncertainty of each and of each difference.
//!
//! Pairs are treated as pairs: where there are enough of them the covariance is taken from how
//! whole pairs scatter, as in the pentanomial figures, and not from the model's claim that both
//! games of a pair are independent. Leaves counting to `tournament` and the maximum to `davidson`.

use super::davidson::{Layout, Record, add_information, maximise};
use super::estimate::{Basis, Estimate};
use super::linear::Matrix;
use super::normal::{Z95, cdf};
use super::ranking::rank_chances;
use super::scatter::Scatter;
use super::score::Wdl;
use super::tournament::{Tournament, membership};
use std::f64::consts::LN_10;
use std::fmt;

/// Whether moving first is worth something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstMove {
    /// Fit one advantage for white, the same for all players; below 0 if black has it.
    Fitted,
    /// Take it as nothing.
    Ignored,
}

/// What the ratings assume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingOptions {
    pub first_move: FirstMove,
    /// Virtual games added for each player, spread evenly over the opponents it can be compared
    /// with, both colours, and win, draw and loss alike. The weak prior that keeps the rating of a
    /// player who won everything finite. 0 is plain maximum likelihood.
    pub virtual_games: f64,
}

impl Default for RatingOptions {
    fn default() -> RatingOptions {
        RatingOptions {
            first_move: FirstMove::Fitted,
            virtual_games: 1.0,
        }
    }
}

/// Why there are no ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RatingError {
    /// The number of virtual games must be finite and not negative.
    VirtualGames(f64),
    /// The likelihood has no finite maximum: without virtual games, some players took every point
    /// from the rest, or white from black, or there were nothing but draws.
    NoMaximum,
}

impl fmt::Display for RatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RatingError::VirtualGames(value) => {
                write!(
                    f,
                    "virtual games = {value}: must be 0 or more, for example 1"
                )
            }
            RatingError::NoMaximum => f.write_str(
                "the results leave some rating without a finite value; allow virtual games, for \
                 example 1",
            ),
        }
    }
}

impl std::error::Error for RatingError {}

/// The rating of one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo above the zero of the player's group: the mean of its players, in which those with
    /// hopeless games count for little. The upper end is unknown for players who lost
    /// nothing to the rest, the lower end for those who took nothing; both then rest on the prior.
    pub elo: Estimate,
    /// Elo. `None` without games.
    pub standard_error: Option<f64>,
    /// Which of [`Ratings::groups`] the player is in; `None` without games.
    pub group: Option<usize>,
}

/// The ratings of a tournament.
#[derive(Clone, Debug)]
pub struct Ratings {
    players: Vec<Rating>,
    groups: Vec<Vec<usize>>,
    layout: Layout,
    parameters: Vec<f64>,
    covariance: Matrix,
    pairs_used: bool,
    openings_used: Option<u64>,
}

/// Elo of one unit of natural logarithmic strength.
const ELO_PER_NATURAL: f64 = 400.0 / LN_10;

impl Ratings {
    pub fn of(tournament: &Tournament, options: RatingOptions) -> Result<Ratings, RatingError> {
        let virtual_games = options.virtual_games;
        if !virtual_games.is_finite() || virtual_games < 0.0 {
            return Err(RatingError::VirtualGames(virtual_games));
        }
        let groups = tournament.groups();
        let strong = tournament.strong_components();
        if virtual_games == 0.0 && strong.len() > groups.len() {
            return Err(RatingError::NoMaximum);
        }
        let virtual_records = virtual_records(&groups, virtual_games);
        let mut records = played(tournament);
        records.extend_from_slice(&virtual_records);
        let layout = layout(tournament.players(), &records, options.first_move);
        let pinned: Vec<usize> = groups.iter().map(|group| group[0]).collect();
        let mut parameters = maximise(&records, &layout, &pinned).ok_or(RatingError::NoMaximum)?;
        let scatter = Scatter::of(tournament, &strong, &virtual_records, &layout, &parameters);
        let mut covariance = scatter
            .covariance(&records, &layout, &parameters, &pinned)
            .ok_or(RatingError::NoMaximum)?;
        let evenness = evenness(tournament.players(), &records, &layout, &parameters);
        for group in &groups {
            let reference = reference(group, &strong);
            let zero = zero_weights(reference, &evenness);
            shift_origin(group, &zero, &mut parameters, &mut covariance);
        }
        let mut ratings = Ratings {
            players: vec![
                Rating {
                    elo: Estimate::UNKNOWN,
                    standard_error: None,
                    group: None,
                };
                tournament.players()
            ],
            groups: groups.into_iter().filter(|group| group.len() > 1).collect(),
            layout,
            parameters,
            covariance,
            pairs_used: scatter.pairs_used,
            openings_used: scatter.openings_used,
        };
        ratings.rate(tournament, &strong);
        Ok(ratings)
    }

    /// By player number.
    pub fn players(&self) -> &[Rating] {
        &self.players
    }

    /// Players whom games connect, directly or through others; each group has its own zero, and
    /// players of different groups cannot be compared. More than one group deserves a warning.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// Whether the scatter of whole pairs entered the uncertainty (enough pairs were played).
    pub fn pairs_used(&self) -> bool {
        self.pairs_used
    }

    /// The number of openings, if some of them are shared between pairs and the pairs of each are taken
    /// as one observation; differences between players who met the same opponents are then paired.
    pub fn openings_used(&self) -> Option<u64> {
        self.openings_used
    }

    /// Elo that white gains from its colour; negative where black moves first and gains by it.
    pub fn first_move(&self) -> Estimate {
        let Some(index) = self.layout.first_move.filter(|_| !self.groups.is_empty()) else {
            return Estimate::UNKNOWN;
        };
        self.contrast(&[(index, 1.0)])
    }

    /// Chance of a draw between equals, first-move advantage aside.
    pub fn draw_rate(&self) -> Option<f64> {
        let weight = self.layout.draw_weight(&self.parameters);
        (!self.groups.is_empty()).then(|| weight / (2.0 + weight))
    }

    /// Rating difference in Elo, positive if `player` is stronger than `opponent`.
    pub fn difference(&self, player: usize, opponent: usize) -> Estimate {
        if !self.comparable(player, opponent) {
            return Estimate::UNKNOWN;
        }
        self.contrast(&[(player, 1.0), (opponent, -1.0)])
    }

    /// Likelihood that `player` is stronger than `opponent`, 0 to 1; `None` for the same player
    /// and for players that no games connect.
    pub fn los(&self, player: usize, opponent: usize) -> Option<f64> {
        if player == opponent || !self.comparable(player, opponent) {
            return None;
        }
        self.likelihood_above_zero(&[(player, 1.0), (opponent, -1.0)])
    }

    /// Likelihood that a player is stronger than the zero of its group, 0 to 1.
    pub fn los_over_zero(&self, player: usize) -> Option<f64> {
        self.players.get(player)?.group?;
        self.likelihood_above_zero(&[(player, 1.0)])
    }

    /// `los` of every player (row) over every other (column).
    pub fn los_matrix(&self) -> Vec<Vec<Option<f64>>> {
        let players = 0..self.players.len();
        players
            .clone()
            .map(|row| {
                players
                    .clone()
                    .map(|column| self.los(row, column))
                    .collect()
            })
            .collect()
    }

    /// Score the model expects of `player` against `opponent`, colours shared evenly, 0 to 1.
    pub fn expected_score(&self, player: usize, opponent: usize) -> Option<f64> {
        if !self.comparable(player, opponent) {
            return None;
        }
        let as_white = self.layout.chances(&self.parameters, player, opponent);
        let as_black = self.layout.chances(&self.parameters, opponent, player);
        Some((as_white.score() + 1.0 - as_black.score()) / 2.0)
    }

    /// For each player the chance of each rank in its group, best first; empty without games. From
    /// the joint distribution of the strengths.
    pub fn rank_chances(&self) -> Vec<Vec<f64>> {
        let mut chances = vec![Vec::new(); self.players.len()];
        for group in &self.groups {
            let means: Vec<f64> = group
                .iter()
                .map(|&player| self.parameters[player])
                .collect();
            let mut covariance = Matrix::zero(group.len());
            for (row, &a) in group.iter().enumerate() {
                for (column, &b) in group.iter().enumerate() {
                    covariance.add(row, column, self.covariance.at(a, b));
                }
            }
            let found = rank_chances(&means, &covariance);
            for (&player, row) in group.iter().zip(found) {
                chances[player] = row;
            }
        }
        chances
    }

    fn comparable(&self, player: usize, opponent: usize) -> bool {
        let group = |index: usize| self.players.get(index).and_then(|rating| rating.group);
        group(player).is_some() && group(player) == group(opponent)
    }

    /// Elo of one unit of fitted strength. Draws flatten the expected score: at equal strength its
    /// slope is 1/(2 (2 + draw weight)), against 1/4 for the logistic curve. Scaled by the ratio,
    /// a small difference in these ratings predicts the score that the same Elo does.
    fn scale(&self) -> f64 {
        2.0 / (2.0 + self.layout.draw_weight(&self.parameters))
    }

    fn value(&self, terms: &[(usize, f64)]) -> f64 {
        terms.iter().map(|&(i, w)| w * self.parameters[i]).sum()
    }

    fn covariance_of(&self, terms: &[(usize, f64)], others: &[(usize, f64)]) -> f64 {
        let mut sum = 0.0;
        for &(i, a) in terms {
            for &(j, b) in others {
                sum += a * b * self.covariance.at(i, j);
            }
        }
        sum
    }

    /// A weighted sum of strengths in Elo, with the uncertainty of the scale included.
    fn contrast(&self, terms: &[(usize, f64)]) -> Estimate {
        let (value, error) = self.value_and_error(terms);
        Estimate {
            value: Some(value),
            low: Some(value - Z95 * error),
            high: Some(value + Z95 * error),
            basis: Basis::Normal,
        }
    }

    fn value_and_error(&self, terms: &[(usize, f64)]) -> (f64, f64) {
        let scale = self.scale();
        let value = self.value(terms);
        let mut variance = self.covariance_of(terms, terms);
        if let Some(draw) = self.layout.draw {
            // d(scale value) = scale (d value - (1 - scale) value d ln(draw weight)).
            let draw = [(draw, 1.0)];
            let lever = (1.0 - scale) * value;
            variance += lever * lever * self.covariance_of(&draw, &draw)
                - 2.0 * lever * self.covariance_of(terms, &draw);
        }
        let unit = ELO_PER_NATURAL * scale;
        (unit * value, unit * variance.max(0.0).sqrt())
    }

    /// On the unscaled strengths: the scale is positive and cannot change a sign.
    fn likelihood_above_zero(&self, terms: &[(usize, f64)]) -> Option<f64> {
        let deviation = self.covariance_of(terms, terms).max(0.0).sqrt();
        (deviation > 0.0).then(|| cdf(self.value(terms) / deviation))
    }

    /// Fills in `players` once strengths and covariance are final.
    fn rate(&mut self, tournament: &Tournament, strong: &[Vec<usize>]) {
        let component = membership(strong, self.players.len());
        let (mut gave, mut took) = (vec![false; strong.len()], vec![false; strong.len()]);
        let mut decisive = vec![false; self.players.len()];
        for (a, b, meeting) in tournament.meetings() {
            let (white, black) = meeting.by_colour();
            let all = white + black;
            // Between components all points went one way.
            if component[a] != component[b] && all.games() > 0 {
                let (up, down) = if all.wins > 0 { (a, b) } else { (b, a) };
                took[component[up]] = true;
                gave[component[down]] = true;
            }
            decisive[a] |= all.wins > 0 || all.losses > 0;
        }
        for (index, group) in self.groups.clone().iter().enumerate() {
            let main = component[reference(group, strong)[0]];
            let draws_only = !group.iter().any(|&player| decisive[player]);
            for &player in group {
                let (_, error) = self.value_and_error(&[(player, 1.0)]);
                let mut elo = self.contrast(&[(player, 1.0)]);
                let own = component[player];
                // Nothing bounds a rating above if its component gave no point away, unless that
                // component is the zero that the others are measured from.
                if own != main || strong[main].len() == 1 {
                    elo.basis = Basis::Prior;
                    elo.high = elo.high.filter(|_| gave[own]);
                    elo.low = elo.low.filter(|_| took[own]);
                } else if draws_only {
                    elo.basis = Basis::Prior;
                }
                self.players[player] = Rating {
                    elo,
                    standard_error: Some(error),
                    group: Some(index),
                };
            }
        }
    }
}

/// Games of each ordered pairing.
fn played(tournament: &Tournament) -> Vec<Record> {
    let mut records = Vec::new();
    for (a, b, meeting) in tournament.meetings() {
        let (white, black) = meeting.by_colour();
        records.push(Record::new(a, b, white, 0.0));
        records.push(Record::new(b, a, black.swapped(), 0.0));
    }
    records.retain(|record| record.games() > 0.0);
    records
}

/// The prior: virtual games of each two players of a group, both colours, all results alike.
fn virtual_records(groups: &[Vec<usize>], virtual_games: f64) -> Vec<Record> {
    let mut records = Vec::new();
    if virtual_games > 0.0 {
        for group in groups {
            for (i, &a) in group.iter().enumerate() {
                for &b in &group[i + 1..] {
                    // Six results share what one player has for each of its opponents.
                    let each = virtual_games / (group.len() - 1) as f64 / 6.0;
                    records.push(Record::new(a, b, Wdl::default(), each));
                    records.push(Record::new(b, a, Wdl::default(), each));
                }
            }
        }
    }
    records
}

fn layout(players: usize, records: &[Record], first_move: FirstMove) -> Layout {
    let mut next = players;
    let mut place = |wanted: bool| {
        wanted.then(|| {
            next += 1;
            next - 1
        })
    };
    Layout {
        players,
        first_move: place(first_move == FirstMove::Fitted && !records.is_empty()),
        // Without a single draw, its most likely weight is 0 and leaves the model.
        draw: place(records.iter().any(|record| record.draws > 0.0)),
    }
}

/// The players whose weighted mean is the group's zero: those that results bound on both sides, or the
/// whole group if there are not two such players.
fn reference<'a>(group: &'a [usize], strong: &'a [Vec<usize>]) -> &'a [usize] {
    let largest = strong
        .iter()
        .find(|component| group.contains(&component[0]));
    match largest {
        Some(component) if component.len() > 1 => component,
        _ => group,
    }
}

/// Information about each player's strength per game, from 0 for hopeless games to 1/4 for even ones.
fn evenness(players: usize, records: &[Record], layout: &Layout, parameters: &[f64]) -> Vec<f64> {
    let mut information = Matrix::zero(layout.size());
    let mut games = vec![0.0; players];
    for record in records {
        let pairing = (record.white, record.black);
        let chances = layout.chances(parameters, pairing.0, pairing.1);
        add_information(&mut information, layout, pairing, &chances, record.games());
        games[record.white] += record.games();
        games[record.black] += record.games();
    }
    let per_game = |(player, games): (usize, &f64)| match *games > 0.0 {
        true => information.at(player, player) / games,
        false => 0.0,
    };
    games.iter().enumerate().map(per_game).collect()
}

/// The weight of each player of `reference` in the group's zero; they add up to 1. All weigh alike but
/// those whose games are less than half as even as the median's: their weight falls faster than their
/// rating, so they cannot move the zero.
fn zero_weights(reference: &[usize], evenness: &[f64]) -> Vec<(usize, f64)> {
    let mut sorted: Vec<f64> = reference.iter().map(|&player| evenness[player]).collect();
    sorted.sort_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    let weight = |player: usize| match median > 0.0 {
        true => (2.0 * evenness[player] / median).powi(2).min(1.0),
        false => 1.0,
    };
    let sum: f64 = reference.iter().map(|&player| weight(player)).sum();
    reference
        .iter()
        .map(|&player| (player, weight(player) / sum))
        .collect()
}

/// Moves a group's zero to a weighted mean, in strengths and covariance.
fn shift_origin(
    group: &[usize],
    zero: &[(usize, f64)],
    parameters: &mut [f64],
    covariance: &mut Matrix,
) {
    let mean: f64 = zero.iter().map(|&(i, share)| share * parameters[i]).sum();
    for &player in group {
        parameters[player] -= mean;
    }
    // Subtract the mean row from the group's rows, then the mean column from its columns.
    for column in 0..covariance.size() {
        let mean: f64 = zero
            .iter()
            .map(|&(i, share)| share * covariance.at(i, column))
            .sum();
        group.iter().for_each(|&i| covariance.add(i, column, -mean));
    }
    for row in 0..covariance.size() {
        let mean: f64 = zero
            .iter()
            .map(|&(i, share)| share * covariance.at(row, i))
            .sum();
        group.iter().for_each(|&i| covariance.add(row, i, -mean));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R. Davidson, "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison
    /// Experiments" (1970), example 2: two brands of pudding, the first preferred, the second
    /// preferred, no preference. Fit and standard errors are those that the R package PlackettLuce
    /// prints in its introduction (`summary(mod, ref = NULL)`), after 7 rounds, near the maximum.
    #[test]
    fn davidsons_puddings_agree_with_plackettluce() {
        let mut tournament = Tournament::new(6);
        for (first, second, [wins, losses, ties]) in [
            (0, 1, [19, 22, 16]),
            (0, 2, [16, 19, 12]),
            (1, 2, [19, 19, 10]),
            (0, 3, [18, 23, 13]),
            (1, 3, [23, 19, 9]),
            (2, 3, [19, 20, 15]),
            (0, 4, [13, 19, 18]),
            (1, 4, [16, 20, 12]),
            (2, 4, [16, 15, 17]),
            (3, 4, [17, 14, 16]),
            (0, 5, [18, 21, 12]),
            (1, 5, [22, 20, 12]),
            (2, 5, [13, 18, 10]),
            (3, 5, [14, 19, 18]),
            (4, 5, [11, 21, 12]),
        ] {
            tournament.add_games(first, second, Wdl::new(wins, ties, losses));
        }
        let options = RatingOptions {
            first_move: FirstMove::Ignored,
            virtual_games: 0.0,
        };
        let ratings = Ratings::of(&tournament, options).unwrap();
        let draw = ratings.layout.draw.unwrap();
        let published = [
            (0, -0.176581, 0.121949),
            (1, 0.043664, 0.121818),
            (2, -0.023617, 0.126823),
            (3, -0.001295, 0.122003),
            (4, -0.042726, 0.127054),
            (5, 0.200555, 0.126594),
            (draw, -0.291938, 0.082499),
        ];
        for (index, estimate, error) in published {
            let found = ratings.parameters[index];
            assert!((found - estimate).abs() < 2e-4, "{index}: {found}");
            let found = ratings.covariance.at(index, index).sqrt();
            assert!((found - error).abs() < 1e-4, "{index}: {found}");
        }
        // The sixth over the first: 0.3771 with standard error 0.1924.
        let los = ratings.los(5, 0).unwrap();
        assert!((los - cdf(0.3771 / 0.1924)).abs() < 1e-4, "{los}");
        assert!((ratings.los(0, 5).unwrap() + los - 1.0).abs() < 1e-12);
    }
}
