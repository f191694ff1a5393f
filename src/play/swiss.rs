//! The pairings of a Swiss round. Colours do not matter: in an opening pair both players have both.

use std::cmp::Reverse;

use super::matching::Matching;
use super::schedule::Pairing;

/// Two players met: the points of each, a win being 2 and a draw 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    pub pairing: Pairing,
    pub points: [u64; 2],
}

/// What a player has achieved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwissScore {
    /// A meeting won is 2, drawn 1; a bye counts as won.
    pub match_points: u64,
    /// Points of all games, a win being 2.
    pub game_points: u64,
    pub byes: u64,
}

/// The meetings and byes so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwissTable {
    pub scores: Vec<SwissScore>,
    /// How often two players met.
    met: Vec<Vec<u64>>,
}

/// The pairings of a round, and who has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwissRound {
    pub pairings: Vec<Pairing>,
    pub bye: Option<usize>,
}

impl SwissTable {
    pub fn new(players: usize) -> SwissTable {
        SwissTable {
            scores: vec![SwissScore::default(); players],
            met: vec![vec![0; players]; players],
        }
    }

    pub fn count(&mut self, meetings: &[Meeting], bye: Option<usize>) {
        for Meeting { pairing, points } in meetings {
            let (first, second) = (pairing.first, pairing.second);
            self.met[first][second] += 1;
            self.met[second][first] += 1;
            let sides = [
                (first, points[0], points[1]),
                (second, points[1], points[0]),
            ];
            for (player, own, other) in sides {
                self.scores[player].game_points += own;
                self.scores[player].match_points += match own.cmp(&other) {
                    std::cmp::Ordering::Greater => 2,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 0,
                };
            }
        }
        if let Some(player) = bye {
            self.scores[player].match_points += 2;
            self.scores[player].byes += 1;
        }
    }

    /// Players by match points, then game points, then their order in the config.
    pub fn ranking(&self) -> Vec<usize> {
        let mut players: Vec<usize> = (0..self.scores.len()).collect();
        players.sort_by_key(|player| {
            let score = &self.scores[*player];
            Reverse((score.match_points, score.game_points, Reverse(*player)))
        });
        players
    }

    /// Pairs the next round: no player meets an opponent again if that can be avoided, and players meet
    /// others of their score where possible, the top half of a score group against its bottom half.
    pub fn next_round(&self) -> SwissRound {
        let players = self.scores.len();
        let fresh: Vec<Vec<bool>> = (0..players)
            .map(|one| {
                (0..players)
                    .map(|other| one != other && self.met[one][other] == 0)
                    .collect()
            })
            .collect();
        let (bye, mut matching) = self.choose_bye(&fresh);
        let mut left = self.ranking();
        left.retain(|player| Some(*player) != bye);
        let mut pairings = Vec::new();
        while let [first, rest @ ..] = &left[..] {
            let first = *first;
            let Some((second, next)) = self.choose_opponent(first, rest, &matching, &fresh) else {
                break;
            };
            pairings.push(Pairing { first, second });
            left.retain(|player| ![first, second].contains(player));
            matching = next;
        }
        SwissRound { pairings, bye }
    }

    /// The bye of a round with an odd number of players: for the last of those with the fewest byes
    /// whose absence costs no rematch. Also the largest set of new pairings of the others.
    fn choose_bye<'g>(&self, fresh: &'g [Vec<bool>]) -> (Option<usize>, Matching<'g>) {
        let players = self.scores.len();
        let all = vec![true; players];
        if players.is_multiple_of(2) {
            return (None, Matching::maximum(fresh, all));
        }
        let mut candidates = self.ranking();
        candidates.reverse();
        candidates.sort_by_key(|player| self.scores[*player].byes);
        let fewest = candidates
            .first()
            .map_or(0, |player| self.scores[*player].byes);
        let mut best: Option<(usize, Matching<'g>)> = None;
        for player in candidates {
            if self.scores[player].byes > fewest {
                break;
            }
            let mut present = all.clone();
            present[player] = false;
            let matching = Matching::maximum(fresh, present);
            if best
                .as_ref()
                .is_none_or(|(_, found)| matching.pairs() > found.pairs())
            {
                let is_complete = matching.pairs() == players / 2;
                best = Some((player, matching));
                if is_complete {
                    break;
                }
            }
        }
        match best {
            Some((player, matching)) => (Some(player), matching),
            None => (None, Matching::maximum(fresh, all)),
        }
    }

    /// The preferred opponent that leaves as many new pairings to the others as there can be.
    fn choose_opponent<'g>(
        &self,
        player: usize,
        rest: &[usize],
        matching: &Matching<'g>,
        fresh: &[Vec<bool>],
    ) -> Option<(usize, Matching<'g>)> {
        let points = |player: usize| self.scores[player].match_points;
        let group = rest
            .iter()
            .take_while(|other| points(**other) == points(player));
        // The player itself heads its group.
        let middle = group.clone().count().div_ceil(2);
        let mut group: Vec<(usize, usize)> = group
            .copied()
            .enumerate()
            .map(|(at, it)| (at + 1, it))
            .collect();
        let below = rest[group.len()..].iter().copied();
        group.sort_by_key(|(at, _)| (at.abs_diff(middle), Reverse(*at)));
        let mut candidates: Vec<usize> = group.into_iter().map(|(_, it)| it).chain(below).collect();
        candidates.sort_by_key(|other| self.met[player][*other]);
        candidates.into_iter().find_map(|other| {
            let next = matching.without(player, other);
            let needed = matching.pairs() - usize::from(fresh[player][other]).min(matching.pairs());
            (next.pairs() >= needed).then_some((other, next))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::play::{Purpose, Stream};

    /// The fewest rematches that any pairing of the players can have, and whether one without any
    /// exists, by trying everything. `used` marks players as bits.
    fn fewest_rematches(met: &HashSet<(usize, usize)>, count: usize, used: u32) -> usize {
        let Some(first) = (0..count).find(|player| used & (1 << player) == 0) else {
            return 0;
        };
        let others = (first + 1..count).filter(|other| used & (1 << other) == 0);
        let fewest = others.map(|other| {
            let again = usize::from(met.contains(&(first, other)));
            again + fewest_rematches(met, count, used | 1 << first | 1 << other)
        });
        fewest.min().unwrap_or(usize::MAX)
    }

    /// Plays rounds with random results, and checks each.
    fn check(players: usize, rounds: usize, seed: u64, exhaustive: bool) -> usize {
        let mut table = SwissTable::new(players);
        let mut met = HashSet::new();
        let mut byes = vec![0; players];
        let mut draws = Stream::new(seed, players as u64, Purpose::Players);
        let mut rematches = 0;
        for round in 1..=rounds {
            let next = table.next_round();
            let mut seated: Vec<usize> = next
                .pairings
                .iter()
                .flat_map(|it| [it.first, it.second])
                .collect();
            seated.extend(next.bye);
            seated.sort_unstable();
            assert_eq!(seated, (0..players).collect::<Vec<_>>(), "round {round}");
            assert_eq!(next.bye.is_some(), players % 2 == 1);
            if let Some(player) = next.bye {
                let fewest = byes.iter().min().copied();
                assert_eq!(Some(byes[player]), fewest, "a second bye in round {round}");
                byes[player] += 1;
            }
            let again = next
                .pairings
                .iter()
                .filter(|it| met.contains(&(it.first.min(it.second), it.first.max(it.second))));
            let again = again.count();
            if exhaustive {
                let used = next.bye.map_or(0, |player| 1 << player);
                let fewest = fewest_rematches(&met, players, used);
                assert_eq!(
                    again, fewest,
                    "{players} players, round {round}, seed {seed}"
                );
            }
            rematches += again;
            let meetings: Vec<Meeting> = next
                .pairings
                .iter()
                .map(|pairing| {
                    met.insert((
                        pairing.first.min(pairing.second),
                        pairing.first.max(pairing.second),
                    ));
                    let points = draws.draw() % 9;
                    Meeting {
                        pairing: *pairing,
                        points: [points, 8 - points],
                    }
                })
                .collect();
            table.count(&meetings, next.bye);
        }
        rematches
    }

    #[test]
    fn eight_and_nine_players_meet_again_only_where_it_cannot_be_avoided() {
        for seed in 0..40 {
            check(8, 12, seed, true);
            check(9, 12, seed, true);
        }
    }

    #[test]
    fn sixty_four_players_never_meet_again_in_half_as_many_rounds() {
        // A graph of 64 vertices whose degrees are at least 32 has a perfect matching (Dirac), so 32 rounds
        // are possible whatever was paired before.
        for seed in 0..3 {
            assert_eq!(check(64, 32, seed, false), 0);
        }
    }

    #[test]
    fn score_groups_are_folded_and_winners_meet_winners() {
        let mut table = SwissTable::new(8);
        let first = table.next_round();
        let pairs = |round: &SwissRound| -> Vec<(usize, usize)> {
            round
                .pairings
                .iter()
                .map(|it| (it.first, it.second))
                .collect()
        };
        assert_eq!(pairs(&first), [(0, 4), (1, 5), (2, 6), (3, 7)]);
        // The first of each pair wins, the later ones by more.
        let meetings: Vec<Meeting> = first
            .pairings
            .iter()
            .map(|pairing| Meeting {
                pairing: *pairing,
                points: [5 + pairing.first as u64, 3 - pairing.first as u64],
            })
            .collect();
        table.count(&meetings, None);
        assert_eq!(table.ranking(), [3, 2, 1, 0, 4, 5, 6, 7]);
        assert_eq!(pairs(&table.next_round()), [(3, 1), (2, 0), (4, 6), (5, 7)]);
    }
}
