//! A knockout: the bracket, byes, and who advances.

use super::schedule::Pairing;
use super::swiss::Meeting;

/// The players still in, in the order of the bracket; `None` is an empty place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket(Vec<Option<usize>>);

impl Bracket {
    /// The bracket in which the first and the second of the config can only meet in the final, the
    /// first four only in the semi-finals, and so on. The first ones have the byes.
    pub fn new(players: usize) -> Bracket {
        let mut places = vec![0];
        while places.len() < players {
            let last = 2 * places.len() - 1;
            places = places
                .iter()
                .flat_map(|seed| [*seed, last - seed])
                .collect();
        }
        let filled = places
            .into_iter()
            .map(|seed| Some(seed).filter(|seed| *seed < players));
        Bracket(filled.collect())
    }

    /// Those who have to play in this round.
    pub fn pairings(&self) -> Vec<Pairing> {
        let meetings = self.0.chunks(2).filter_map(|two| match *two {
            [Some(one), Some(other)] => Some(Pairing {
                first: one.min(other),
                second: one.max(other),
            }),
            _ => None,
        });
        meetings.collect()
    }

    /// The bracket of the next round. After equal points the one named first in the config advances.
    pub fn advance(&self, meetings: &[Meeting]) -> Bracket {
        let winner = |two: &[Option<usize>]| {
            let (one, other) = (two.first().copied()?, two.get(1).copied().flatten());
            let (Some(one), Some(other)) = (one, other) else {
                return one.or(other);
            };
            let met = meetings.iter().find(|meeting| {
                let pairing = meeting.pairing;
                (pairing.first, pairing.second) == (one.min(other), one.max(other))
            });
            Some(match met.map(|meeting| meeting.points) {
                Some([first, second]) if second > first => one.max(other),
                _ => one.min(other),
            })
        };
        Bracket(self.0.chunks(2).map(winner).collect())
    }

    /// The only player left.
    pub fn winner(&self) -> Option<usize> {
        match self.0[..] {
            [winner] => winner,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Plays a knockout in which the earlier player always wins; returns the pairings of each round.
    fn rounds(players: usize) -> Vec<Vec<(usize, usize)>> {
        let mut bracket = Bracket::new(players);
        let mut rounds = Vec::new();
        while bracket.winner().is_none() {
            let pairings = bracket.pairings();
            let meetings: Vec<Meeting> = pairings
                .iter()
                .map(|pairing| Meeting {
                    pairing: *pairing,
                    points: [3, 1],
                })
                .collect();
            rounds.push(pairings.iter().map(|it| (it.first, it.second)).collect());
            bracket = bracket.advance(&meetings);
        }
        assert_eq!(bracket.winner(), Some(0));
        rounds
    }

    #[test]
    fn the_bracket_of_eight_is_the_usual_one() {
        let expected = vec![
            vec![(0, 7), (3, 4), (1, 6), (2, 5)],
            vec![(0, 3), (1, 2)],
            vec![(0, 1)],
        ];
        assert_eq!(rounds(8), expected);
    }

    #[test]
    fn byes_go_to_the_first_and_every_player_but_one_loses_once() {
        for players in 2..=70 {
            let rounds = rounds(players);
            let size = players.next_power_of_two();
            assert_eq!(1 << rounds.len(), size, "{players} players");
            assert_eq!(rounds[0].len(), players - size / 2);
            let mut losses: HashMap<usize, u64> = HashMap::new();
            for (_, loser) in rounds.iter().flatten() {
                *losses.entry(*loser).or_default() += 1;
            }
            assert_eq!(losses.len(), players - 1);
            assert!(losses.values().all(|count| *count == 1) && !losses.contains_key(&0));
            let byes = size - players;
            let in_first = |player: usize| {
                let mut first = rounds[0].iter();
                first.any(|(one, other)| [*one, *other].contains(&player))
            };
            assert!((0..players).all(|player| in_first(player) == (player >= byes)));
        }
    }

    #[test]
    fn the_stronger_advances_and_a_tie_is_for_the_first() {
        let meeting = |second: usize, points: [u64; 2], first: usize| Meeting {
            pairing: Pairing { first, second },
            points,
        };
        let bracket = Bracket::new(4);
        let next = bracket.advance(&[meeting(3, [1, 3], 0), meeting(2, [2, 2], 1)]);
        assert_eq!(
            next.pairings(),
            [Pairing {
                first: 1,
                second: 3
            }]
        );
    }
}
