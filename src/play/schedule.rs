//! The schedule: pairings and their order.

use crate::stats::RaceRules;

/// How players are paired.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// Round-robin: all pairings of players.
    RoundRobin,
    /// Gauntlet: each of the first players meets all others that are not among the first.
    Gauntlet { seeds: usize },
    /// Two players meet.
    Pair,
    /// Swiss: in every round, players of similar scores meet.
    Swiss { rounds: u64 },
    /// The loser of a meeting is out.
    Knockout,
    /// The weaker ones drop out, until the best is found.
    Race(RaceRules),
}

impl Format {
    pub const ALL: [Format; 6] = [
        Format::RoundRobin,
        Format::Gauntlet { seeds: 1 },
        Format::Pair,
        Format::Swiss { rounds: 0 },
        Format::Knockout,
        Format::Race(RaceRules {
            budget: 0,
            within: None,
            certainty: 0.95,
            look: 1,
            confirm: 1,
            seed: 0,
        }),
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Pair => "pair",
            Format::Swiss { .. } => "swiss",
            Format::Knockout => "knockout",
            Format::Race(_) => "race",
        }
    }

    /// Whether who meets depends on earlier results.
    pub const fn depends_on_results(self) -> bool {
        matches!(
            self,
            Format::Swiss { .. } | Format::Knockout | Format::Race(_)
        )
    }
}

/// Two players, by index in the experiment's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cluster", derive(serde::Serialize, serde::Deserialize))]
pub struct Pairing {
    pub first: usize,
    pub second: usize,
}

/// Opening pairs that can be played at the same time: those of a run, or of one [stage](super::Stages) of
/// it. Pairings alternate, so that an interrupted run has played all of them about equally often.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cluster", derive(serde::Serialize, serde::Deserialize))]
pub struct Schedule {
    pub pairings: Vec<Pairing>,
    /// Opening pairs of each pairing.
    pub pairs_each: u64,
    /// The number of the first pair; 1 in the first stage.
    first_pair: u64,
    share: OpeningShare,
}

/// Which of the listed openings a pairing plays.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cluster", derive(serde::Serialize, serde::Deserialize))]
enum OpeningShare {
    /// Every pairing goes through the list in order, from a different offset.
    Lanes {
        /// Of all pairings of the run.
        count: u64,
        /// The lane of each pairing of this schedule.
        of: Vec<u64>,
        /// Pairs that each has played in earlier stages.
        before: u64,
    },
    /// The openings follow the number of the pair.
    InTurn,
    /// Several pairs in a row play the same opening, after `before` that earlier stages played.
    Common { pairs: u64, before: u64 },
}

impl Schedule {
    pub fn new(format: Format, players: usize, pairs_each: u64) -> Schedule {
        let mut pairings = Vec::new();
        let firsts = match format {
            Format::RoundRobin => players,
            Format::Gauntlet { seeds } => players.min(seeds),
            Format::Pair => players.min(1),
            Format::Swiss { .. } | Format::Knockout | Format::Race(_) => 0,
        };
        for first in 0..firsts {
            let second = match format {
                Format::Gauntlet { .. } => firsts,
                _ => first + 1,
            };
            pairings.extend((second..players).map(|second| Pairing { first, second }));
        }
        Schedule::of(pairings, pairs_each)
    }

    /// A whole run of these pairings.
    pub fn of(pairings: Vec<Pairing>, pairs_each: u64) -> Schedule {
        let count = pairings.len() as u64;
        Schedule {
            share: OpeningShare::Lanes {
                count,
                of: (0..count).collect(),
                before: 0,
            },
            pairings,
            pairs_each,
            first_pair: 1,
        }
    }

    /// A stage in which pairings continue that have played `before` pairs each: those of `all` with these
    /// numbers.
    pub(super) fn later(
        all: &[Pairing],
        numbers: &[usize],
        before: u64,
        pairs_each: u64,
        first_pair: u64,
    ) -> Schedule {
        Schedule {
            pairings: numbers.iter().map(|number| all[*number]).collect(),
            pairs_each,
            first_pair,
            share: OpeningShare::Lanes {
                count: all.len() as u64,
                of: numbers.iter().map(|number| *number as u64).collect(),
                before,
            },
        }
    }

    /// One pair of each pairing from number `first_pair` on, of which `width` in a row share an opening that
    /// no earlier pair had.
    pub fn sharing(pairings: Vec<Pairing>, width: u64, first_pair: u64) -> Schedule {
        Schedule::round(pairings, 1, first_pair).with_openings_of(width, first_pair - 1)
    }

    /// A stage of new pairings.
    pub(super) fn round(pairings: Vec<Pairing>, pairs_each: u64, first_pair: u64) -> Schedule {
        Schedule {
            pairings,
            pairs_each,
            first_pair,
            share: OpeningShare::InTurn,
        }
    }

    /// Lets all pairings play the same openings, after `before` that earlier stages played: differences
    /// between players who met the same opponents are then paired.
    pub fn with_common_openings(self, before: u64) -> Schedule {
        let pairs = self.pairings.len() as u64;
        self.with_openings_of(pairs, before)
    }

    /// Lets this many pairs in a row play the same opening.
    pub(super) fn with_openings_of(self, pairs: u64, before: u64) -> Schedule {
        let pairs = pairs.max(1);
        Schedule {
            share: OpeningShare::Common { pairs, before },
            ..self
        }
    }

    /// Whether all numbers are in range for this many players: a schedule may come from another machine.
    #[cfg(feature = "cluster")]
    pub fn is_sound(&self, players: usize) -> bool {
        const MOST: u64 = 1 << 40;
        let pairs = (self.pairings.len() as u64).checked_mul(self.pairs_each);
        let is_known = |pairing: &Pairing| pairing.first < players && pairing.second < players;
        let share = match &self.share {
            OpeningShare::InTurn => true,
            OpeningShare::Common { pairs, before } => (1..=MOST).contains(pairs) && *before <= MOST,
            OpeningShare::Lanes { count, of, before } => {
                of.len() == self.pairings.len()
                    && of.iter().all(|lane| lane < count)
                    && *before <= MOST
            }
        };
        share
            && (1..=MOST).contains(&self.first_pair)
            && pairs.is_some_and(|pairs| (1..=MOST).contains(&pairs))
            && self.pairings.iter().all(is_known)
    }

    /// Whether it has this pair.
    #[cfg(feature = "cluster")]
    pub fn has(&self, pair: u64) -> bool {
        (self.first_pair..=self.last_pair()).contains(&pair)
    }

    /// The number of the last pair.
    pub fn last_pair(&self) -> u64 {
        self.first_pair + self.pair_count() - 1
    }

    pub fn pair_count(&self) -> u64 {
        self.pairings.len() as u64 * self.pairs_each
    }

    /// The pairing of the pair number `pair`, and its index.
    pub fn pairing_of(&self, pair: u64) -> (usize, Pairing) {
        let index = ((pair - self.first_pair) % self.pairings.len() as u64) as usize;
        (index, self.pairings[index])
    }

    /// Which of `openings` listed positions pair number `pair` starts from. Every pairing
    /// goes through the list in order, from a different offset: if there are enough openings for all
    /// pairs, none is shared, and if there are enough for one pairing, none repeats within it; unless all
    /// pairings are to play [the same openings](Schedule::with_common_openings). Does not depend on the
    /// number of pairs, so that a run can be extended.
    pub fn opening_of(&self, pair: u64, openings: usize) -> usize {
        let openings = openings.max(1) as u64;
        let index = match &self.share {
            OpeningShare::InTurn => pair - 1,
            OpeningShare::Lanes { count, of, before } => {
                let (round, pairing) = self.round_of(pair);
                let lane = of.get(pairing as usize).copied().unwrap_or(0);
                lane * (openings / (*count).max(1)) + before + round
            }
            OpeningShare::Common { pairs, before } => before + (pair - self.first_pair) / pairs,
        };
        (index % openings) as usize
    }

    /// The number of the stream that draws the opening of a pair, where openings are drawn: that of the
    /// pair, or the number of the opening if all pairings play the same ones.
    pub fn opening_stream(&self, pair: u64) -> u64 {
        match self.share {
            OpeningShare::Common { pairs, before } => before + (pair - self.first_pair) / pairs + 1,
            OpeningShare::Lanes { .. } | OpeningShare::InTurn => pair,
        }
    }

    /// How many pairs of its pairing come before a pair in this schedule, and the index of the pairing.
    fn round_of(&self, pair: u64) -> (u64, u64) {
        let (number, pairings) = (pair - self.first_pair, self.pairings.len().max(1) as u64);
        (number / pairings, number % pairings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_robin_pairs_everyone_once_and_a_gauntlet_only_the_first() {
        let all = Schedule::new(Format::RoundRobin, 4, 10);
        assert_eq!(all.pairings.len(), 6);
        assert_eq!(all.pair_count(), 60);
        let one = Schedule::new(Format::Gauntlet { seeds: 1 }, 4, 10);
        assert!(one.pairings.iter().all(|pairing| pairing.first == 0));
        assert_eq!(one.pairings.len(), 3);
        let two = Schedule::new(Format::Gauntlet { seeds: 2 }, 5, 10);
        let met = two.pairings.iter().map(|pair| (pair.first, pair.second));
        let met: Vec<_> = met.collect();
        assert_eq!(met, [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]);
        assert_eq!(
            all.pairing_of(7),
            (
                0,
                Pairing {
                    first: 0,
                    second: 1
                }
            )
        );
    }

    /// The openings of each pairing in the order they are played.
    fn openings(schedule: &Schedule, openings: usize) -> Vec<Vec<usize>> {
        let mut taken = vec![Vec::new(); schedule.pairings.len()];
        for pair in 1..=schedule.pair_count() {
            let (pairing, _) = schedule.pairing_of(pair);
            taken[pairing].push(schedule.opening_of(pair, openings));
        }
        taken
    }

    #[test]
    fn no_opening_is_played_twice_while_there_are_enough() {
        let all = Schedule::new(Format::RoundRobin, 3, 4);
        let enough: Vec<usize> = openings(&all, 12).concat();
        assert_eq!(enough, (0..12).collect::<Vec<_>>());
        // Too few for all, enough for each pairing: shared, but no repeats within a pairing.
        for count in 4..12 {
            for mut taken in openings(&all, count) {
                taken.sort_unstable();
                taken.dedup();
                assert_eq!(taken.len(), 4, "{count} openings");
                assert!(taken.iter().all(|index| *index < count));
            }
        }
        // Too few for a pairing: starts again from the beginning.
        assert_eq!(openings(&all, 2)[0], [0, 1, 0, 1]);
        let pair = Schedule::new(Format::Pair, 2, 4);
        assert_eq!(openings(&pair, 3), [[0, 1, 2, 0]]);
    }

    #[test]
    fn common_openings_are_the_same_for_every_pairing_and_continue_in_later_stages() {
        let first = Schedule::new(Format::Gauntlet { seeds: 2 }, 5, 3).with_common_openings(0);
        assert_eq!(openings(&first, 10), vec![vec![0, 1, 2]; 6]);
        let streams = |schedule: &Schedule, pairs: std::ops::RangeInclusive<u64>| -> Vec<u64> {
            pairs.map(|pair| schedule.opening_stream(pair)).collect()
        };
        assert_eq!(streams(&first, 5..=8), [1, 1, 2, 2]);
        let later = Schedule::later(&first.pairings, &[1, 4], 3, 2, 19).with_common_openings(3);
        assert_eq!(streams(&later, 19..=22), [4, 4, 5, 5]);
        let places: Vec<usize> = (19..=22).map(|pair| later.opening_of(pair, 4)).collect();
        assert_eq!(places, [3, 3, 0, 0], "starts again after the last one");
        // Otherwise every pair draws its own.
        let own = Schedule::new(Format::RoundRobin, 3, 2);
        assert_eq!(streams(&own, 1..=6), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn more_pairs_leave_the_openings_of_the_first_ones_alone() {
        let short = Schedule::new(Format::RoundRobin, 3, 4);
        let long = Schedule::new(Format::RoundRobin, 3, 9);
        for count in 1..40 {
            for pair in 1..=short.pair_count() {
                let openings = [&short, &long].map(|schedule| schedule.opening_of(pair, count));
                assert_eq!(openings[0], openings[1], "pair {pair} of {count} openings");
            }
        }
    }
}
