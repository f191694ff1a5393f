//! The schedule: pairings and their order.

/// How players are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Round-robin: all pairings of players.
    RoundRobin,
    /// Gauntlet: each of the first players meets all others that are not among the first.
    Gauntlet { seeds: usize },
    /// Two players meet.
    Pair,
}

impl Format {
    pub const ALL: [Format; 3] = [
        Format::RoundRobin,
        Format::Gauntlet { seeds: 1 },
        Format::Pair,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Pair => "pair",
        }
    }
}

/// Two players, by index in the experiment's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    pub first: usize,
    pub second: usize,
}

/// All opening pairs of a run, numbered from 1. Pairings alternate, so that an interrupted run has
/// played all of them about equally often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub pairings: Vec<Pairing>,
    /// Opening pairs of each pairing.
    pub pairs_each: u64,
}

impl Schedule {
    pub fn new(format: Format, players: usize, pairs_each: u64) -> Schedule {
        let mut pairings = Vec::new();
        let firsts = match format {
            Format::RoundRobin => players,
            Format::Gauntlet { seeds } => players.min(seeds),
            Format::Pair => players.min(1),
        };
        for first in 0..firsts {
            let second = match format {
                Format::Gauntlet { .. } => firsts,
                _ => first + 1,
            };
            pairings.extend((second..players).map(|second| Pairing { first, second }));
        }
        Schedule {
            pairings,
            pairs_each,
        }
    }

    pub fn pair_count(&self) -> u64 {
        self.pairings.len() as u64 * self.pairs_each
    }

    /// The pairing of the pair number `pair`, from 1, and its index.
    pub fn pairing_of(&self, pair: u64) -> (usize, Pairing) {
        let index = ((pair - 1) % self.pairings.len() as u64) as usize;
        (index, self.pairings[index])
    }

    /// Which of `openings` listed positions pair number `pair`, from 1, starts from. Every pairing
    /// goes through the list in order, from a different offset: if there are enough openings for all
    /// pairs, none is shared, and if there are enough for one pairing, none repeats within it. Does not
    /// depend on the number of pairs, so that a run can be extended.
    pub fn opening_of(&self, pair: u64, openings: usize) -> usize {
        let (pairings, openings) = (self.pairings.len().max(1) as u64, openings.max(1) as u64);
        let (round, pairing) = ((pair - 1) / pairings, (pair - 1) % pairings);
        let apart = openings / pairings;
        ((pairing * apart + round) % openings) as usize
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
