//! Runs in stages: what is played next depends on earlier results. Swiss rounds, the rounds of a
//! knockout or a race, and round-robins that stop pairings which are decided. All other runs have one stage.

use super::knockout::Bracket;
use super::race;
use super::schedule::{Format, Pairing, Schedule};
use super::swiss::{Meeting, SwissScore, SwissTable};
use crate::stats::Race;

/// What a run plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Stages {
    pub format: Format,
    pub players: usize,
    /// Opening pairs of each meeting.
    pub pairs_each: u64,
    /// Round-robins and gauntlets whose decided pairings stop: pairs of each pairing between two looks.
    pub look: Option<u64>,
    /// Knockout: extra opening pairs of a meeting with equal points, one at a time.
    pub tiebreaks: u64,
    /// All pairings play the same openings; those of a later stage are new.
    pub common_openings: bool,
}

impl Stages {
    /// The pairings, as far as they are known before the first game.
    pub fn first(&self) -> Schedule {
        let director = Director::new(self.clone());
        let none = Schedule::of(Vec::new(), self.pairs_each);
        director.stage.unwrap_or(none)
    }

    /// The number of pairings if none is stopped early.
    pub fn pairing_count(&self) -> u64 {
        let players = self.players as u64;
        match self.format {
            Format::Swiss { rounds } => rounds * (players / 2),
            Format::Knockout => players.saturating_sub(1),
            // Those of its confirmation.
            Format::Race(_) => players.saturating_sub(1).min(2),
            other => Schedule::new(other, self.players, 1).pair_count(),
        }
    }

    /// The number of opening pairs if none is stopped early, without those that break ties.
    pub fn pair_count(&self) -> u64 {
        let before = match self.format {
            Format::Race(rules) => rules.budget,
            _ => 0,
        };
        before + self.pairing_count() * self.pairs_each
    }

    /// Whether what is played later depends on earlier results.
    pub fn depend_on_results(&self) -> bool {
        self.format.depends_on_results() || self.look.is_some()
    }

    /// Whether a run of `earlier` pairs per meeting can be extended to `self`: the first games are the same.
    pub fn extends(&self, earlier: u64) -> bool {
        match self.look {
            // The confirmation comes last.
            _ if matches!(self.format, Format::Race(_)) => earlier <= self.pairs_each,
            _ if self.format.depends_on_results() => earlier == self.pairs_each,
            Some(look) => earlier <= self.pairs_each && earlier.is_multiple_of(look),
            None => earlier <= self.pairs_each,
        }
    }
}

/// A stage that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closed {
    pub meetings: Vec<Meeting>,
    /// Who had no opponent.
    pub bye: Option<usize>,
}

/// Counts results in the order of the pairs, and says what to play next. The same results lead to the
/// same pairings.
pub struct Director {
    stages: Stages,
    stage: Option<Schedule>,
    /// The meetings of the stage so far.
    meetings: Vec<Meeting>,
    /// Pairs counted.
    seen: u64,
    /// Pairs that each pairing of all earlier stages played, added up: common openings used.
    openings: u64,
    kind: DirectorKind,
}

enum DirectorKind {
    Plain,
    /// All pairings, the numbers of those still open, and how many pairs each has played.
    Looks {
        all: Vec<Pairing>,
        open: Vec<usize>,
        played: u64,
    },
    Swiss {
        table: SwissTable,
        round: u64,
        bye: Option<usize>,
    },
    Knockout {
        bracket: Bracket,
        /// Meetings of the round that have ended.
        decided: Vec<Meeting>,
        /// Pairs that broke ties in this round.
        extra: u64,
    },
    Race(Box<Race>),
}

impl Director {
    pub fn new(stages: Stages) -> Director {
        let (players, pairs_each) = (stages.players, stages.pairs_each);
        let (kind, stage) = match stages.format {
            Format::Swiss { .. } => {
                let table = SwissTable::new(players);
                let first = table.next_round();
                let stage = Schedule::round(first.pairings, pairs_each, 1);
                let swiss = DirectorKind::Swiss {
                    table,
                    round: 1,
                    bye: first.bye,
                };
                (swiss, stage)
            }
            Format::Knockout => {
                let bracket = Bracket::new(players);
                let stage = Schedule::round(bracket.pairings(), pairs_each, 1);
                let knockout = DirectorKind::Knockout {
                    bracket,
                    decided: Vec::new(),
                    extra: 0,
                };
                (knockout, stage)
            }
            Format::Race(rules) => {
                let race = Race::new(players, rules);
                let stage = race::schedule(&race, 1);
                let none = Schedule::of(Vec::new(), pairs_each);
                (DirectorKind::Race(Box::new(race)), stage.unwrap_or(none))
            }
            format => {
                let all = Schedule::new(format, players, pairs_each);
                match stages.look {
                    None => (DirectorKind::Plain, all),
                    Some(look) => {
                        let open: Vec<usize> = (0..all.pairings.len()).collect();
                        let pairs = look.clamp(1, pairs_each.max(1));
                        let stage = Schedule::later(&all.pairings, &open, 0, pairs, 1);
                        let looks = DirectorKind::Looks {
                            all: all.pairings,
                            open,
                            played: 0,
                        };
                        (looks, stage)
                    }
                }
            }
        };
        let mut director = Director {
            stages,
            stage: None,
            meetings: Vec::new(),
            seen: 0,
            openings: 0,
            kind,
        };
        director.begin(stage);
        director
    }

    fn begin(&mut self, stage: Schedule) {
        let stage = match self.stages.common_openings {
            // A race shares its openings in any case.
            true if !matches!(self.kind, DirectorKind::Race(_)) => {
                stage.with_common_openings(self.openings)
            }
            _ => stage,
        };
        let meetings = stage.pairings.iter().map(|pairing| Meeting {
            pairing: *pairing,
            points: [0, 0],
        });
        self.meetings = meetings.collect();
        self.stage = (stage.pair_count() > 0).then_some(stage);
    }

    /// The pairs to play now; `None` if the run is over.
    pub fn stage(&self) -> Option<&Schedule> {
        self.stage.as_ref()
    }

    pub fn is_over(&self) -> bool {
        self.stage.is_none()
    }

    /// Counts the next pair by the points of its first player, from 0 to 4. After the last pair of a stage
    /// returns it, and continues with the next. `is_decided` is asked about pairings that may stop.
    pub fn see(&mut self, points: u64, is_decided: impl Fn(Pairing) -> bool) -> Option<Closed> {
        let stage = self.stage.as_ref()?;
        self.seen += 1;
        let (index, _) = stage.pairing_of(self.seen);
        self.meetings[index].points[0] += points;
        self.meetings[index].points[1] += 4 - points.min(4);
        if let DirectorKind::Race(race) = &mut self.kind {
            race.push(points);
        }
        if self.seen < stage.last_pair() {
            return None;
        }
        let pairs = stage.pairs_each;
        let meetings = std::mem::take(&mut self.meetings);
        Some(self.close(pairs, meetings, is_decided))
    }

    fn close(
        &mut self,
        pairs: u64,
        meetings: Vec<Meeting>,
        is_decided: impl Fn(Pairing) -> bool,
    ) -> Closed {
        let first_pair = self.seen + 1;
        let pairs_each = self.stages.pairs_each;
        self.openings += pairs;
        let mut closed = Closed {
            meetings,
            bye: None,
        };
        let next = match &mut self.kind {
            DirectorKind::Plain => None,
            DirectorKind::Race(race) => race::schedule(race, first_pair),
            DirectorKind::Looks { all, open, played } => {
                *played += pairs;
                open.retain(|number| !is_decided(all[*number]));
                let look = self.stages.look.unwrap_or(pairs_each);
                let left = pairs_each.saturating_sub(*played).min(look);
                Some(Schedule::later(all, open, *played, left, first_pair))
            }
            DirectorKind::Swiss { table, round, bye } => {
                closed.bye = bye.take();
                table.count(&closed.meetings, closed.bye);
                let rounds = match self.stages.format {
                    Format::Swiss { rounds } => rounds,
                    _ => 0,
                };
                (*round < rounds).then(|| {
                    *round += 1;
                    let next = table.next_round();
                    *bye = next.bye;
                    Schedule::round(next.pairings, pairs_each, first_pair)
                })
            }
            DirectorKind::Knockout {
                bracket,
                decided,
                extra,
            } => {
                for meeting in &closed.meetings {
                    match decided.iter_mut().find(|it| it.pairing == meeting.pairing) {
                        // Pairs that break a tie count with those before them.
                        Some(before) => {
                            before.points[0] += meeting.points[0];
                            before.points[1] += meeting.points[1];
                        }
                        None => decided.push(*meeting),
                    }
                }
                let tied = decided.iter().filter(|it| it.points[0] == it.points[1]);
                let tied: Vec<Pairing> = tied.map(|it| it.pairing).collect();
                if !tied.is_empty() && *extra < self.stages.tiebreaks {
                    *extra += 1;
                    Some(Schedule::round(tied, 1, first_pair))
                } else {
                    *extra = 0;
                    *bracket = bracket.advance(decided);
                    decided.clear();
                    let none_left = bracket.winner().is_some();
                    (!none_left)
                        .then(|| Schedule::round(bracket.pairings(), pairs_each, first_pair))
                }
            }
        };
        self.stage = None;
        if let Some(next) = next {
            self.begin(next);
        }
        closed
    }

    /// The winner of a knockout that is over.
    pub fn winner(&self) -> Option<usize> {
        match &self.kind {
            DirectorKind::Knockout { bracket, .. } => bracket.winner(),
            _ => None,
        }
    }

    /// A race, as far as it has come.
    pub fn race(&self) -> Option<&Race> {
        match &self.kind {
            DirectorKind::Race(race) => Some(race),
            _ => None,
        }
    }

    /// The players of a Swiss tournament, best first, with their scores.
    pub fn swiss(&self) -> Option<Vec<(usize, SwissScore)>> {
        match &self.kind {
            DirectorKind::Swiss { table, .. } => {
                let ranking = table.ranking().into_iter();
                Some(
                    ranking
                        .map(|player| (player, table.scores[player]))
                        .collect(),
                )
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stages(format: Format, players: usize, pairs_each: u64) -> Stages {
        Stages {
            format,
            players,
            pairs_each,
            look: None,
            tiebreaks: 2,
            common_openings: false,
        }
    }

    /// Plays everything with `points` for the first player of a pairing; returns the pairings in order.
    fn play(
        director: &mut Director,
        points: impl Fn(Pairing, u64) -> u64,
        is_decided: impl Fn(Pairing) -> bool,
    ) -> Vec<Pairing> {
        let mut played = Vec::new();
        while let Some(stage) = director.stage().cloned() {
            for pair in played.len() as u64 + 1..=stage.last_pair() {
                let (_, pairing) = stage.pairing_of(pair);
                played.push(pairing);
                director.see(points(pairing, pair), &is_decided);
            }
        }
        played
    }

    #[test]
    fn a_run_without_stages_is_its_schedule() {
        let plain = stages(Format::RoundRobin, 4, 3);
        let all = Schedule::new(Format::RoundRobin, 4, 3);
        assert_eq!(plain.first(), all);
        let played = play(&mut Director::new(plain), |_, _| 2, |_| true);
        let expected: Vec<Pairing> = (1..=18).map(|pair| all.pairing_of(pair).1).collect();
        assert_eq!(played, expected);
    }

    #[test]
    fn decided_pairings_stop_and_the_others_continue_with_their_openings() {
        let looks = Stages {
            look: Some(2),
            ..stages(Format::RoundRobin, 3, 5)
        };
        let mut director = Director::new(looks.clone());
        let all = Schedule::new(Format::RoundRobin, 3, 5);
        let mut openings: Vec<Vec<usize>> = vec![Vec::new(); 3];
        let mut played = 0;
        while let Some(stage) = director.stage().cloned() {
            for pair in played + 1..=stage.last_pair() {
                let (_, pairing) = stage.pairing_of(pair);
                let number = all.pairings.iter().position(|it| *it == pairing).unwrap();
                openings[number].push(stage.opening_of(pair, 15));
                // The meeting of 0 and 2 is decided at the first look.
                director.see(2, |pairing| (pairing.first, pairing.second) == (0, 2));
                played += 1;
            }
        }
        assert_eq!(
            openings,
            [vec![0, 1, 2, 3, 4], vec![5, 6], vec![10, 11, 12, 13, 14]]
        );
        assert_eq!((looks.pair_count(), played), (15, 12));
        let longer = Stages {
            pairs_each: 8,
            ..looks
        };
        assert!(longer.extends(4) && !longer.extends(5) && !longer.extends(10));
    }

    #[test]
    fn common_openings_belong_to_a_round_and_never_come_back() {
        for format in [
            Format::RoundRobin,
            Format::Swiss { rounds: 3 },
            Format::Knockout,
        ] {
            let common = Stages {
                common_openings: true,
                look: (format == Format::RoundRobin).then_some(2),
                ..stages(format, 4, 3)
            };
            let mut director = Director::new(common);
            let mut used = Vec::new();
            while let Some(stage) = director.stage().cloned() {
                let first = stage.last_pair() + 1 - stage.pair_count();
                let streams = (first..=stage.last_pair()).map(|pair| {
                    director.see(3, |_| false);
                    stage.opening_stream(pair)
                });
                let mut streams: Vec<u64> = streams.collect();
                assert_eq!(
                    streams.len(),
                    stage.pairings.len() * stage.pairs_each as usize
                );
                streams.dedup();
                used.extend(streams);
            }
            let expected: Vec<u64> = (1..=used.len() as u64).collect();
            assert_eq!(used, expected, "{}", format.name());
        }
    }

    #[test]
    fn a_knockout_plays_on_until_a_meeting_has_a_winner() {
        let mut director = Director::new(stages(Format::Knockout, 3, 2));
        // Player 0 has a bye; 1 and 2 are level after two pairs and after the first extra one.
        let points = |_: Pairing, pair: u64| if pair == 4 { 1 } else { 2 };
        let played = play(&mut director, points, |_| false);
        let of = |first, second| Pairing { first, second };
        let expected = [vec![of(1, 2); 4], vec![of(0, 2); 4]].concat();
        // The final stays level, and after two extra pairs the first of the config has won.
        assert_eq!((played, director.winner()), (expected, Some(0)));
    }

    #[test]
    fn a_swiss_tournament_has_its_rounds_byes_and_scores() {
        let swiss = stages(Format::Swiss { rounds: 4 }, 9, 2);
        assert_eq!(swiss.pair_count(), 32);
        let mut director = Director::new(swiss);
        let stronger =
            |pairing: Pairing, _: u64| if pairing.first < pairing.second { 3 } else { 1 };
        let played = play(&mut director, stronger, |_| false);
        assert_eq!(played.len(), 32);
        let table = director.swiss().unwrap();
        assert_eq!(table[0].0, 0);
        let byes: u64 = table.iter().map(|(_, score)| score.byes).sum();
        let points: u64 = table.iter().map(|(_, score)| score.match_points).sum();
        assert_eq!((byes, points), (4, 4 * 2 * 5));
    }
}
