//! Comparisons of the players of a tournament, two by two: who is the stronger one, by the ratings of all
//! games, and by common opponents in shared openings. P-values are adjusted for how many there are.

use super::standings::{PairingStanding, Standing, Standings};
use super::tally::RunTally;
use crate::stats::{PairedComparison, Ratings, holm, two_sided, two_sided_z};

/// How sure it is who of two players is the stronger one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Likelihood that the first of them is, 0 to 1.
    pub los: f64,
    /// P-value of equal strength, adjusted for all comparisons of the list (Holm).
    pub p_holm: f64,
}

impl Comparison {
    /// The risk of one false difference or more in a list is 5 %.
    pub fn is_significant(&self) -> bool {
        self.p_holm < 0.05
    }
}

/// Every two of these players, by their places in the list; `None` where no games connect them.
pub fn comparisons(ratings: &Ratings, players: &[usize]) -> Vec<Vec<Option<Comparison>>> {
    let mut cells = vec![vec![None; players.len()]; players.len()];
    let mut places = Vec::new();
    let mut p_values = Vec::new();
    for (row, &player) in players.iter().enumerate() {
        for (column, &other) in players.iter().enumerate().skip(row + 1) {
            places.push((row, column));
            p_values.push(ratings.los(player, other).map(two_sided));
        }
    }
    for ((row, column), p) in places.into_iter().zip(holm(&p_values)) {
        let Some((los, p_holm)) = ratings.los(players[row], players[column]).zip(p) else {
            continue;
        };
        cells[row][column] = Some(Comparison { los, p_holm });
        let los = 1.0 - los;
        cells[column][row] = Some(Comparison { los, p_holm });
    }
    cells
}

impl Standings {
    /// The first player and all that it is not proven to be stronger than: a winner may be named only if
    /// it is alone. Between two players by the interval of their difference, among more by the likelihoods
    /// of superiority over each other player, adjusted for their number (Holm); who cannot be compared with
    /// the first is not proven weaker.
    pub fn leaders(&self) -> Vec<&Standing> {
        let Some((first, rest)) = self.played().split_first() else {
            return Vec::new();
        };
        let is_weaker: Vec<bool> = match (rest, &self.ratings) {
            ([_], _) => vec![first.to_next.low > Some(0.0)],
            (_, Some(ratings)) => {
                let each = rest.iter().map(|other| {
                    let los = ratings.los(first.player, other.player)?;
                    (los > 0.5).then(|| two_sided(los))
                });
                let adjusted = holm(&each.collect::<Vec<_>>());
                adjusted
                    .into_iter()
                    .map(|p| p < Some(0.05) && p.is_some())
                    .collect()
            }
            (_, None) => Vec::new(),
        };
        let level = rest.iter().zip(is_weaker);
        let level = level.filter_map(|(other, is_weaker)| (!is_weaker).then_some(other));
        std::iter::once(first).chain(level).collect()
    }

    /// Says so if pairings are further from the ratings than chance explains.
    pub(super) fn misfit(&self) -> Option<String> {
        let z = |it: &PairingStanding| it.residual.and_then(|residual| residual.z);
        let p_values: Vec<Option<f64>> = self
            .pairings
            .iter()
            .map(|it| z(it).map(two_sided_z))
            .collect();
        let adjusted = holm(&p_values);
        let missed: Vec<&PairingStanding> = self
            .pairings
            .iter()
            .zip(adjusted)
            .filter(|(_, p)| p.is_some_and(|p| p < 0.05))
            .map(|(pairing, _)| pairing)
            .collect();
        let size = |it: &PairingStanding| z(it).map_or(0.0, f64::abs);
        let worst = missed.iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
        let by = worst.residual.and_then(|it| it.elo);
        let by = by.map_or(String::new(), |elo| format!(" by {elo:+.0} Elo"));
        Some(format!(
            "The ratings miss {} of {} pairings by more than chance explains, most {} against {}{by}: \
             one number per player does not describe these results; see pairings.\n",
            missed.len(),
            self.pairings.len(),
            worst.player,
            worst.opponent
        ))
    }
}

/// A player and one ranked above it, through common opponents in the same openings.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedStanding {
    pub player: String,
    /// Ranked above `player`.
    pub other: String,
    /// From the side of `player`.
    pub result: PairedComparison,
    /// The p-value adjusted for all rows (Holm).
    pub p_holm: Option<f64>,
}

/// More players than this are not compared by opening.
const MOST_PLAYERS: usize = 40;

/// Each player against the best player above it, and against the next above it, with whom it shares
/// opponents and openings. Empty if pairings have openings of their own, and for very many players.
pub(super) fn paired(tally: &RunTally, players: &[Standing]) -> Vec<PairedStanding> {
    let mut rows: Vec<PairedStanding> = Vec::new();
    // The work grows with games times players squared.
    if players.len() > MOST_PLAYERS || !tally.shares_openings() {
        return rows;
    }
    for (place, below) in players.iter().enumerate() {
        let against = |above: &Standing| {
            let result = tally.paired(below.player, above.player)?;
            (result.openings > 1).then(|| PairedStanding {
                player: below.name.clone(),
                other: above.name.clone(),
                result,
                p_holm: None,
            })
        };
        let best = players[..place].iter().find_map(against);
        let next = players[..place].iter().rev().find_map(against);
        let next = next.filter(|next| best.as_ref().is_some_and(|it| it.other != next.other));
        rows.extend(best.into_iter().chain(next));
    }
    let p_values: Vec<Option<f64>> = rows.iter().map(|row| row.result.p).collect();
    for (row, p) in rows.iter_mut().zip(holm(&p_values)) {
        row.p_holm = p;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameResult;
    use crate::record::GameRow;

    /// Pairs of games from openings of their own; `wins` of them won twice by the first player, the rest
    /// shared.
    fn meet(tally: &mut RunTally, players: [&str; 2], pairs: u64, wins: u64, opening: &str) {
        for pair in 0..pairs {
            for (white, black) in [(players[0], players[1]), (players[1], players[0])] {
                let first_wins = pair < wins || white == players[0];
                let result = match first_wins == (white == players[0]) {
                    true => GameResult::WhiteWins,
                    false => GameResult::BlackWins,
                };
                tally.push(&GameRow {
                    game: 0,
                    pair,
                    white: white.to_string(),
                    black: black.to_string(),
                    opening: match opening {
                        "" => String::new(),
                        shared => format!("{shared} {pair}"),
                    },
                    result,
                    termination: String::new(),
                    plies: 0,
                    white_nodes: 0,
                    black_nodes: 0,
                    moves: String::new(),
                    first_mover: None,
                    scores: String::new(),
                    times: None,
                    origin: None,
                });
            }
        }
    }

    fn leaders(tally: &RunTally) -> Vec<String> {
        let standings = Standings::of(tally, None, &[], None);
        let leaders = standings.leaders();
        leaders.iter().map(|it| it.name.clone()).collect()
    }

    #[test]
    fn a_winner_stands_alone_only_if_it_is_proven_stronger_than_everyone() {
        let mut two = RunTally::with_players(["a", "b"]);
        assert!(leaders(&two).is_empty());
        meet(&mut two, ["a", "b"], 10, 1, "");
        assert_eq!(leaders(&two), ["a", "b"]);
        meet(&mut two, ["a", "b"], 60, 20, "");
        assert_eq!(leaders(&two), ["a"]);

        let mut three = RunTally::with_players(["a", "b", "c"]);
        meet(&mut three, ["a", "b"], 40, 2, "");
        meet(&mut three, ["b", "c"], 40, 20, "");
        meet(&mut three, ["a", "c"], 40, 22, "");
        assert_eq!(leaders(&three), ["a", "b"]);
        meet(&mut three, ["a", "b"], 80, 30, "");
        assert_eq!(leaders(&three), ["a"]);
        // Nothing connects another group, so nobody is proven stronger than its players.
        meet(&mut three, ["d", "e"], 40, 30, "");
        assert_eq!(leaders(&three), ["a", "d", "e"]);
    }

    #[test]
    fn players_are_paired_by_opening_with_those_above_them_that_they_share_opponents_with() {
        let mut tally = RunTally::with_players(["seed", "good", "fair", "poor"]);
        for (name, lost) in [("good", 4), ("fair", 12), ("poor", 20)] {
            meet(&mut tally, ["seed", name], 40, lost, "opening");
        }
        let standings = Standings::of(&tally, None, &[], None);
        let rows = standings.paired.iter();
        let rows: Vec<(&str, &str)> = rows
            .map(|row| (row.player.as_str(), row.other.as_str()))
            .collect();
        // The seed shares no opponent with them.
        assert_eq!(rows, [("fair", "good"), ("poor", "good"), ("poor", "fair")]);
        assert!(standings.paired.iter().all(|row| row.result.openings == 40));
        let adjusted = standings.paired.iter().map(|row| row.p_holm);
        assert!(
            adjusted
                .zip(&standings.paired)
                .all(|(p, row)| p >= row.result.p)
        );
        let notes = standings.notes().concat();
        assert!(notes.contains("one of the 40 openings"), "{notes}");

        let mut own = RunTally::with_players(["seed", "good", "fair"]);
        meet(&mut own, ["seed", "good"], 40, 4, "one");
        meet(&mut own, ["seed", "fair"], 40, 8, "another");
        assert!(Standings::of(&own, None, &[], None).paired.is_empty());
    }
}
