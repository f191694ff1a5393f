//! Counts of a tournament: games per pairing and colour, and which games were played as pairs.
//!
//! The counts do not depend on the number of games, so rating a hundred thousand games costs little more
//! than a hundred; pairs whose opening is known take 24 bytes each besides. Also finds which players can
//! be compared.

use super::score::{PlayerResult, Wdl};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Opening pairs by both results, from the first player's side: `[as white][as black]`, each in
/// the order loss, draw, win.
pub type PairTable = [[u64; 3]; 3];

/// All results between two players, from the side of the one with the lower number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meeting {
    pub pairs: PairTable,
    /// Games outside pairs.
    pub as_white: Wdl,
    pub as_black: Wdl,
}

impl Meeting {
    /// All games with white, all games with black.
    pub fn by_colour(&self) -> (Wdl, Wdl) {
        let (mut white, mut black) = (self.as_white, self.as_black);
        for (as_white, row) in PlayerResult::ALL.into_iter().zip(self.pairs) {
            for (as_black, count) in PlayerResult::ALL.into_iter().zip(row) {
                white += times(as_white, count);
                black += times(as_black, count);
            }
        }
        (white, black)
    }

    pub fn pair_count(&self) -> u64 {
        self.pairs
            .iter()
            .flatten()
            .fold(0, |a, &b| a.saturating_add(b))
    }
}

fn times(result: PlayerResult, count: u64) -> Wdl {
    match result {
        PlayerResult::Loss => Wdl::new(0, 0, count),
        PlayerResult::Draw => Wdl::new(0, count, 0),
        PlayerResult::Win => Wdl::new(count, 0, 0),
    }
}

/// One opening pair whose opening is known, from the side of the player with the lower number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenedPair {
    pub opening: u32,
    pub players: (usize, usize),
    pub as_white: PlayerResult,
    pub as_black: PlayerResult,
}

impl OpenedPair {
    /// The opponent and the score of the pair, 0 to 1; `None` if the player is not in it.
    pub fn seen_by(&self, player: usize) -> Option<(usize, f64)> {
        let halves = (self.as_white.half_points() + self.as_black.half_points()) as f64;
        match self.players {
            (a, b) if a == player => Some((b, halves / 4.0)),
            (a, b) if b == player => Some((a, 1.0 - halves / 4.0)),
            _ => None,
        }
    }
}

/// Results among players numbered from 0. Grows with the highest number named; games of a player
/// against itself carry no information and are omitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tournament {
    players: usize,
    meetings: BTreeMap<(usize, usize), Meeting>,
    opened: Vec<OpenedPair>,
}

impl Tournament {
    /// With this many players, also those that never play.
    pub fn new(players: usize) -> Tournament {
        Tournament {
            players,
            meetings: BTreeMap::new(),
            opened: Vec::new(),
        }
    }

    pub fn players(&self) -> usize {
        self.players
    }

    /// One opening pair, both results from the first player's side.
    pub fn push_pair(
        &mut self,
        first: usize,
        second: usize,
        as_white: PlayerResult,
        as_black: PlayerResult,
    ) {
        let mut table = PairTable::default();
        table[as_white as usize][as_black as usize] = 1;
        self.add_pairs(first, second, &table);
    }

    /// One opening pair from the opening of this number: pairs of the same opening are not independent,
    /// no matter who plays them.
    pub fn push_pair_from(
        &mut self,
        opening: u32,
        (first, second): (usize, usize),
        as_white: PlayerResult,
        as_black: PlayerResult,
    ) {
        self.push_pair(first, second, as_white, as_black);
        let pair = OpenedPair {
            opening,
            players: (first.min(second), first.max(second)),
            as_white,
            as_black,
        };
        let swapped = OpenedPair {
            as_white: as_black.swapped(),
            as_black: as_white.swapped(),
            ..pair
        };
        match first.cmp(&second) {
            Ordering::Less => self.opened.push(pair),
            Ordering::Greater => self.opened.push(swapped),
            Ordering::Equal => {}
        }
    }

    /// Whether an opening was played by more than one pairing.
    pub fn shares_openings(&self) -> bool {
        let mut seen = BTreeMap::new();
        let mut pairs = self.opened.iter();
        pairs.any(|pair| *seen.entry(pair.opening).or_insert(pair.players) != pair.players)
    }

    /// The pairs whose opening is known, as they were counted.
    pub(super) fn opened_pairs(&self) -> &[OpenedPair] {
        &self.opened
    }

    /// Many opening pairs, from the first player's side.
    pub fn add_pairs(&mut self, first: usize, second: usize, table: &PairTable) {
        self.update(first, second, |meeting, swapped| {
            for (white, row) in table.iter().enumerate() {
                for (black, &count) in row.iter().enumerate() {
                    let cell = if swapped {
                        // The other player's white game is this one's black game.
                        &mut meeting.pairs[2 - black][2 - white]
                    } else {
                        &mut meeting.pairs[white][black]
                    };
                    *cell = cell.saturating_add(count);
                }
            }
        });
    }

    /// Games that belong to no pair, from white's side.
    pub fn add_games(&mut self, white: usize, black: usize, results: Wdl) {
        self.update(white, black, |meeting, swapped| {
            if swapped {
                meeting.as_black += results.swapped();
            } else {
                meeting.as_white += results;
            }
        });
    }

    fn update(&mut self, first: usize, second: usize, change: impl FnOnce(&mut Meeting, bool)) {
        self.players = self.players.max(first + 1).max(second + 1);
        if first != second {
            let key = (first.min(second), first.max(second));
            change(self.meetings.entry(key).or_default(), first > second);
        }
    }

    /// Each meeting with its two players, the lower number first.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (usize, usize, &Meeting)> {
        self.meetings
            .iter()
            .map(|(&(a, b), meeting)| (a, b, meeting))
    }

    /// Players that games connect, directly or through others. A player without games is alone.
    pub(super) fn groups(&self) -> Vec<Vec<usize>> {
        self.components(|_, _| true)
    }

    /// Players each of whom took points, directly or through others, from all the rest: only
    /// within such a set do the results bound the strengths on both sides (L. Ford, "Solution of
    /// a Ranking Problem from Binary Comparisons").
    pub(super) fn strong_components(&self) -> Vec<Vec<usize>> {
        self.components(|scorer, other| {
            let key = (scorer.min(other), scorer.max(other));
            self.meetings.get(&key).is_some_and(|meeting| {
                let (white, black) = meeting.by_colour();
                let all = white + black;
                let scored = if scorer < other { all.wins } else { all.losses };
                all.draws > 0 || scored > 0
            })
        })
    }

    /// Strongly connected components of the graph with an edge a -> b where `edge(a, b)` holds and
    /// a and b have met. Two searches, after Kosaraju; each component sorted, largest first.
    fn components(&self, edge: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
        let mut forward = vec![Vec::new(); self.players];
        let mut backward = vec![Vec::new(); self.players];
        for (&(a, b), meeting) in &self.meetings {
            let (white, black) = meeting.by_colour();
            if (white + black).games() == 0 {
                continue;
            }
            for (from, to) in [(a, b), (b, a)] {
                if edge(from, to) {
                    forward[from].push(to);
                    backward[to].push(from);
                }
            }
        }
        let mut seen = vec![false; self.players];
        let mut finished = Vec::with_capacity(self.players);
        for player in 0..self.players {
            search(player, &forward, &mut seen, &mut finished);
        }
        let mut seen = vec![false; self.players];
        let mut components = Vec::new();
        for &player in finished.iter().rev() {
            let mut component = Vec::new();
            search(player, &backward, &mut seen, &mut component);
            if !component.is_empty() {
                component.sort_unstable();
                components.push(component);
            }
        }
        components.sort_by_key(|component| (usize::MAX - component.len(), component[0]));
        components
    }
}

/// Depth-first from `start` over unseen players; pushes each when all beyond it is done.
fn search(start: usize, edges: &[Vec<usize>], seen: &mut [bool], finished: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((player, next)) = path.last_mut() {
        if let Some(&neighbour) = edges[*player].get(*next) {
            *next += 1;
            if !std::mem::replace(&mut seen[neighbour], true) {
                path.push((neighbour, 0));
            }
        } else {
            finished.push(*player);
            path.pop();
        }
    }
}

/// For each player the number of its component.
pub(super) fn membership(components: &[Vec<usize>], players: usize) -> Vec<usize> {
    let mut membership = vec![0; players];
    for (index, component) in components.iter().enumerate() {
        for &player in component {
            membership[player] = index;
        }
    }
    membership
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_naming_players_does_not_matter() {
        use PlayerResult::{Draw, Loss, Win};
        let mut one = Tournament::new(2);
        one.push_pair(0, 1, Win, Draw);
        one.push_pair(0, 1, Loss, Win);
        one.add_games(1, 0, Wdl::new(3, 1, 0));
        let mut other = Tournament::new(2);
        other.push_pair(1, 0, Draw, Loss);
        other.push_pair(1, 0, Loss, Win);
        other.add_games(1, 0, Wdl::new(3, 1, 0));
        assert_eq!(one, other);
        let (_, _, meeting) = one.meetings().next().unwrap();
        assert_eq!(meeting.by_colour(), (Wdl::new(1, 0, 1), Wdl::new(1, 2, 3)));
        assert_eq!(meeting.pair_count(), 2);
    }

    #[test]
    fn groups_and_strong_components_are_told_apart() {
        let mut tournament = Tournament::new(7);
        // 0, 1, 2 beat one another in a circle; all beat 3; 4 and 5 drew; 6 never played.
        for (winner, loser) in [(0, 1), (1, 2), (2, 0), (0, 3), (2, 3)] {
            tournament.add_games(winner, loser, Wdl::new(1, 0, 0));
        }
        tournament.add_games(4, 5, Wdl::new(0, 1, 0));
        assert_eq!(tournament.groups(), [vec![0, 1, 2, 3], vec![4, 5], vec![6]]);
        assert_eq!(
            tournament.strong_components(),
            [vec![0, 1, 2], vec![4, 5], vec![3], vec![6]]
        );
    }

    #[test]
    fn a_game_against_oneself_is_left_out() {
        let mut tournament = Tournament::new(0);
        tournament.add_games(4, 4, Wdl::new(1, 0, 0));
        assert_eq!(tournament.players(), 5);
        assert_eq!(tournament.meetings().count(), 0);
    }
}
