//! A race: finds the best of many players with a fraction of the games of a round-robin.
//!
//! In every opening the players still in are paired at random, so that each meets an opponent drawn evenly
//! from the others. Differences between players are then paired by opening, need no model of strength, and
//! cost half of the games of meeting a common reference: there each difference has the noise of two games
//! against a third player. With a budget alone the better half advances after each of log2(N) rounds of equal
//! cost (sequential halving: Z. Karnin, T. Koren and O. Somekh, "Almost Optimal Exploration in Multi-Armed
//! Bandits", 2013). With a certainty, players shown to be weaker than another one are eliminated until the
//! leader is shown to be within the tolerance of all that are left. Then the winner meets the runner-up and
//! the first player in fresh openings: selecting the best of many biases its earlier results upwards.

use super::differences::Differences;
use super::estimate::{Basis, Estimate};
use super::pentanomial::{PairResult, Pentanomial};
use super::ranking::Noise;
use super::strengths::Strengths;

/// The goal and the budget of a race.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceRules {
    /// Opening pairs before the confirmation, at most.
    pub budget: u64,
    /// Stop when the leader is shown to be at most this much below the best, in Elo; `None` halves the
    /// field until the budget is spent.
    pub within: Option<f64>,
    /// Confidence level: the probability that all intervals of the race hold.
    pub certainty: f64,
    /// With `within`: openings between two looks.
    pub look: u64,
    /// Opening pairs of each match of the confirmation.
    pub confirm: u64,
    /// Of the pairings.
    pub seed: u64,
}

impl RaceRules {
    /// The pairings of a round are drawn before it.
    pub const MOST_PAIRS: u64 = 1_000_000;
}

/// The next stage: all pairings in order, repeated `times` times. Each group of `width` shares an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceStage {
    pub pairings: Vec<(usize, usize)>,
    pub times: u64,
    pub width: usize,
    /// Openings that earlier stages used.
    pub openings_before: u64,
    pub is_confirmation: bool,
}

impl RaceStage {
    fn pair_count(&self) -> u64 {
        self.pairings.len() as u64 * self.times
    }

    /// The index of pair number `number` of the stage, from 0.
    fn index(&self, number: u64) -> usize {
        (number % self.pairings.len().max(1) as u64) as usize
    }
}

/// Where a player stands at the end of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceRow {
    pub player: usize,
    /// Opening pairs so far.
    pub pairs: u64,
    /// Elo below the leader by all games so far, 0 for the leader.
    pub elo: f64,
    /// The difference to the leader in shared openings; valid at every time, for all players together.
    pub to_leader: Estimate,
    pub stays: bool,
}

/// A round that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceRound {
    /// Opening pairs of the run so far.
    pub pairs: u64,
    pub openings: u64,
    /// The players of the round, best first.
    pub rows: Vec<RaceRow>,
}

impl RaceRound {
    pub fn survivors(&self) -> usize {
        self.rows.iter().filter(|row| row.stays).count()
    }
}

/// Why the search for the best ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceEnd {
    /// The field was halved down to one.
    Halved,
    /// The leader was shown to be within the tolerance of all others.
    Shown,
    /// The budget was spent before that.
    Spent,
}

/// A race in progress. A pure function of the results in order.
#[derive(Clone, Debug)]
pub struct Race {
    rules: RaceRules,
    players: usize,
    survivors: Vec<usize>,
    strengths: Strengths,
    pairs_of: Vec<u64>,
    differences: Differences,
    rounds: Vec<RaceRound>,
    stage: Option<RaceStage>,
    /// Pairs of the stage so far.
    played: u64,
    /// Half points of the pairs of the opening so far.
    results: Vec<u64>,
    pairs: u64,
    openings: u64,
    end: Option<(RaceEnd, Vec<usize>)>,
    /// From the winner's side, in the order of the pairings of the last stage.
    confirmation: Vec<(usize, Pentanomial)>,
}

impl Race {
    pub fn new(players: usize, rules: RaceRules) -> Race {
        let mut race = Race {
            rules,
            players,
            survivors: (0..players).collect(),
            strengths: Strengths::new(players),
            pairs_of: vec![0; players],
            differences: Differences::default(),
            rounds: Vec::new(),
            stage: None,
            played: 0,
            results: Vec::new(),
            pairs: 0,
            openings: 0,
            end: None,
            confirmation: Vec::new(),
        };
        race.stage = match players {
            0 | 1 => None,
            _ => Some(race.next_round()),
        };
        race
    }

    pub fn rules(&self) -> &RaceRules {
        &self.rules
    }

    pub fn players(&self) -> usize {
        self.players
    }

    pub fn stage(&self) -> Option<&RaceStage> {
        self.stage.as_ref()
    }

    /// The players of the next pair.
    pub fn next_pairing(&self) -> Option<(usize, usize)> {
        let stage = self.stage.as_ref()?;
        stage.pairings.get(stage.index(self.played)).copied()
    }

    /// The players of the next pairs of the stage: as many whole openings as fit into `most` pairs, and at
    /// least one.
    pub fn upcoming(&self, most: usize) -> Vec<(usize, usize)> {
        let Some(stage) = &self.stage else {
            return Vec::new();
        };
        let begin = stage.index(self.played);
        let openings = (most / stage.width.max(1)).max(1);
        let end = (begin + openings * stage.width).min(stage.pairings.len());
        stage.pairings[begin..end].to_vec()
    }

    /// Rounds that have ended, without the confirmation.
    pub fn rounds(&self) -> &[RaceRound] {
        &self.rounds
    }

    /// Those still in.
    pub fn survivors(&self) -> &[usize] {
        &self.survivors
    }

    /// Why the search ended, if it has.
    pub fn end(&self) -> Option<RaceEnd> {
        Some(self.end.as_ref()?.0)
    }

    pub fn winner(&self) -> Option<usize> {
        self.end.as_ref()?.1.first().copied()
    }

    /// The winner's results in the confirmation, by opponent.
    pub fn confirmation(&self) -> &[(usize, Pentanomial)] {
        &self.confirmation
    }

    /// Pairs before the confirmation.
    pub fn search_pairs(&self) -> u64 {
        self.rounds.last().map_or(0, |round| round.pairs)
    }

    /// Counts the next pair by the points of its first player in half points, 0 to 4. Returns whether that
    /// ended a stage.
    pub fn push(&mut self, half_points: u64) -> bool {
        let Some(stage) = self.stage.take() else {
            return false;
        };
        let half_points = half_points.min(4);
        let index = stage.index(self.played);
        self.played += 1;
        self.pairs += 1;
        if stage.is_confirmation {
            self.confirm(stage.pairings[index].1, half_points);
        } else {
            self.results.push(half_points);
            if self.results.len() == stage.width {
                let begin = index + 1 - stage.width;
                self.count_opening(&stage.pairings[begin..=index]);
            }
        }
        let is_over = self.played == stage.pair_count();
        match is_over {
            false => self.stage = Some(stage),
            true => {
                self.played = 0;
                self.close(stage.is_confirmation);
            }
        }
        is_over
    }

    fn confirm(&mut self, opponent: usize, half_points: u64) {
        let result = PairResult::ALL[half_points as usize];
        let known = self.confirmation.iter_mut().find(|it| it.0 == opponent);
        match known {
            Some((_, pairs)) => pairs.push(result),
            None => self
                .confirmation
                .push((opponent, Pentanomial::from_iter([result]))),
        }
    }

    /// Counts the pairs of the opening that has just ended.
    fn count_opening(&mut self, pairings: &[(usize, usize)]) {
        let results = std::mem::take(&mut self.results);
        let mut points = vec![None; self.players];
        for (&(first, second), half) in pairings.iter().zip(results) {
            self.strengths.push(first, second, half as f64 / 4.0);
            self.pairs_of[first] += 1;
            self.pairs_of[second] += 1;
            points[first] = Some(half as i64);
            points[second] = Some(4 - half as i64);
        }
        self.openings += 1;
        let field = self.survivors.len();
        for (place, &one) in self.survivors.iter().enumerate() {
            for &other in &self.survivors[place + 1..] {
                if let (Some(own), Some(its)) = (points[one], points[other]) {
                    self.differences.push(one, other, field, own - its);
                }
            }
        }
    }

    fn close(&mut self, was_confirmation: bool) {
        if was_confirmation {
            return;
        }
        let ranking = self.ranking();
        let (stay, end) = match self.rules.within {
            None => self.halve(&ranking),
            Some(elo) => self.eliminate(&ranking, elo),
        };
        let rows = self.rows(&ranking, &stay);
        self.rounds.push(RaceRound {
            pairs: self.pairs,
            openings: self.openings,
            rows,
        });
        self.survivors.retain(|player| stay.contains(player));
        match end {
            None => self.stage = Some(self.next_round()),
            Some(end) => {
                let first = *stay.first().unwrap_or(&ranking[0]);
                let others = ranking.iter().copied().filter(|player| *player != first);
                let order = std::iter::once(first).chain(others).collect();
                self.end = Some((end, order));
                self.stage = self.confirmation_stage();
            }
        }
    }

    /// The survivors, best first by all games so far; equals in the order of the config.
    fn ranking(&self) -> Vec<usize> {
        let elo = self.strengths.elo();
        let mut ranking = self.survivors.clone();
        ranking.sort_by(|a, b| elo[*b].total_cmp(&elo[*a]).then(a.cmp(b)));
        ranking
    }

    fn halve(&self, ranking: &[usize]) -> (Vec<usize>, Option<RaceEnd>) {
        let stay = ranking[..ranking.len().div_ceil(2)].to_vec();
        let end = (stay.len() == 1).then_some(RaceEnd::Halved);
        (stay, end)
    }

    /// Eliminates players shown to be weaker than another. All claims hold together with the certainty of the
    /// rules, since only comparisons with the best player can do harm: it would have to be eliminated, or to be more than
    /// the tolerance above the leader.
    fn eliminate(&self, ranking: &[usize], within: f64) -> (Vec<usize>, Option<RaceEnd>) {
        let enough = self.enough();
        let is_weaker = |player: usize| {
            let others = ranking.iter().filter(|other| **other != player);
            others
                .map(|other| self.differences.of(player, *other))
                .any(|difference| difference.evidence_below(0.0) >= enough)
        };
        let mut stay = ranking.to_vec();
        stay.retain(|player| !is_weaker(*player));
        if stay.is_empty() {
            stay = vec![ranking[0]];
        }
        let tolerance = score_of(within);
        let leader = stay[0];
        let is_within = |player: &usize| {
            let difference = self.differences.of(*player, leader);
            difference.evidence_below(tolerance) >= enough
        };
        let end = if stay[1..].iter().all(is_within) {
            Some(RaceEnd::Shown)
        } else if self.left(stay.len()) == 0 {
            Some(RaceEnd::Spent)
        } else {
            None
        };
        (stay, end)
    }

    /// Evidence that holds for all comparisons with one player together.
    fn enough(&self) -> f64 {
        -self.alpha_each().ln()
    }

    fn alpha_each(&self) -> f64 {
        let comparisons = self.players.saturating_sub(1).max(1) as f64;
        (1.0 - self.rules.certainty) / comparisons
    }

    fn rows(&self, ranking: &[usize], stay: &[usize]) -> Vec<RaceRow> {
        let elo = self.strengths.elo();
        let leader = ranking[0];
        let row = |&player: &usize| RaceRow {
            player,
            pairs: self.pairs_of[player],
            elo: elo[player] - elo[leader],
            to_leader: match player == leader {
                true => Estimate::UNKNOWN,
                false => self.to(player, leader),
            },
            stays: stay.contains(&player),
        };
        ranking.iter().map(row).collect()
    }

    /// The Elo difference of two players in the openings that both played.
    fn to(&self, player: usize, other: usize) -> Estimate {
        let scores = self.differences.of(player, other);
        let scores = scores.estimate(2.0 * self.alpha_each());
        let elo = |difference: Option<f64>| {
            let score = 0.5 + difference?;
            (score > 0.001 && score < 0.999).then(|| 400.0 * (score / (1.0 - score)).log10())
        };
        Estimate {
            value: elo(scores.value),
            low: elo(scores.low),
            high: elo(scores.high),
            basis: Basis::Anytime,
        }
    }

    /// Openings left in the budget.
    fn left(&self, field: usize) -> u64 {
        let pairs = self.rules.budget.saturating_sub(self.pairs);
        pairs / (field / 2).max(1) as u64
    }

    fn next_round(&self) -> RaceStage {
        let field = self.survivors.len();
        let width = field / 2;
        let left = self.left(field);
        let openings = match self.rules.within {
            // Rounds of equal cost: as many as halvings are left.
            None => left / u64::from(field.next_power_of_two().trailing_zeros()).max(1),
            Some(_) => left.min(self.rules.look),
        };
        let first = self.openings;
        let each = (first..first + openings.max(1)).flat_map(|opening| self.matching(opening));
        RaceStage {
            pairings: each.collect(),
            times: 1,
            width,
            openings_before: first,
            is_confirmation: false,
        }
    }

    /// Random pairs of the survivors; of an odd number one sits out.
    fn matching(&self, opening: u64) -> Vec<(usize, usize)> {
        let mut order = self.survivors.clone();
        let mut noise = Noise::of(self.rules.seed, opening);
        for place in (1..order.len()).rev() {
            order.swap(place, noise.below(place as u64 + 1) as usize);
        }
        let pairs = order.chunks_exact(2);
        pairs
            .map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1])))
            .collect()
    }

    /// The winner against the runner-up and against the first player.
    fn confirmation_stage(&self) -> Option<RaceStage> {
        let (_, order) = self.end.as_ref()?;
        let winner = *order.first()?;
        let mut opponents: Vec<usize> = self.runner_up(order).into_iter().collect();
        if winner != 0 && !opponents.contains(&0) {
            opponents.push(0);
        }
        let matches: Vec<(usize, usize)> = opponents.iter().map(|it| (winner, *it)).collect();
        (!matches.is_empty() && self.rules.confirm > 0).then_some(RaceStage {
            width: matches.len(),
            pairings: matches,
            times: self.rules.confirm,
            openings_before: self.openings,
            is_confirmation: true,
        })
    }

    /// The second of the last round; if the others had gone before, the strongest of those.
    fn runner_up(&self, order: &[usize]) -> Option<usize> {
        let winner = *order.first()?;
        if let Some(second) = order.get(1) {
            return Some(*second);
        }
        let elo = self.strengths.elo();
        let others = (0..self.players).filter(|player| *player != winner);
        others.max_by(|a, b| elo[*a].total_cmp(&elo[*b]).then(b.cmp(a)))
    }

    /// The standing now, best first: of the players still in, or of the last round.
    pub fn now(&self) -> Vec<RaceRow> {
        match (&self.end, self.rounds.last()) {
            (Some(_), Some(last)) => last.rows.clone(),
            _ => {
                let ranking = self.ranking();
                match ranking.is_empty() {
                    true => Vec::new(),
                    false => self.rows(&ranking, &ranking),
                }
            }
        }
    }
}

/// The score above one half that belongs to an Elo difference.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0)) - 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(budget: u64) -> RaceRules {
        RaceRules {
            budget,
            within: None,
            certainty: 0.95,
            look: 10,
            confirm: 5,
            seed: 1,
        }
    }

    /// Runs to the end with fixed strengths: the stronger one scores three of four half points or more.
    fn run(race: &mut Race, points: impl Fn(usize, usize) -> u64) -> Vec<(usize, usize)> {
        let mut played = Vec::new();
        while let Some((one, other)) = race.next_pairing() {
            played.push((one, other));
            race.push(points(one, other));
        }
        played
    }

    #[test]
    fn the_field_halves_while_the_pairs_of_each_double() {
        let mut race = Race::new(8, rules(240));
        // The last is the best.
        let played = run(&mut race, |one, other| if one > other { 3 } else { 1 });
        assert_eq!(race.winner(), Some(7));
        assert_eq!(race.end(), Some(RaceEnd::Halved));
        let sizes: Vec<usize> = race.rounds().iter().map(|it| it.rows.len()).collect();
        assert_eq!(sizes, [8, 4, 2]);
        // 80 pairs each: 20 openings of 4 pairs, 40 of 2, 80 of one.
        let openings: Vec<u64> = race.rounds().iter().map(|it| it.openings).collect();
        assert_eq!((openings, race.search_pairs()), (vec![20, 60, 140], 240));
        let (confirmed, opponents) = (&played[240..], [6, 0]);
        assert_eq!(confirmed.len(), 10);
        assert!(confirmed.chunks(2).all(|it| it == [(7, 6), (7, 0)]));
        let found: Vec<usize> = race.confirmation().iter().map(|it| it.0).collect();
        assert_eq!(found, opponents);
        assert!(
            race.confirmation()
                .iter()
                .all(|it| it.1.to_array() == [0, 0, 0, 5, 0])
        );
    }

    #[test]
    fn everybody_plays_once_in_an_opening_and_of_an_odd_field_one_sits_out() {
        for players in [5, 6] {
            let race = Race::new(players, rules(600));
            let stage = race.stage().unwrap();
            assert_eq!(stage.width, players / 2);
            let mut met = std::collections::HashSet::new();
            for opening in stage.pairings.chunks(stage.width) {
                let mut seen: Vec<usize> = opening.iter().flat_map(|it| [it.0, it.1]).collect();
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), players / 2 * 2);
                met.extend(opening.iter().copied());
            }
            assert_eq!(met.len(), players * (players - 1) / 2, "all meet");
        }
    }

    #[test]
    fn with_a_tolerance_equals_stop_early_and_the_hopeless_go_first() {
        let within = RaceRules {
            within: Some(60.0),
            ..rules(20_000)
        };
        let mut race = Race::new(4, within);
        // Player 3 loses everything; the others are equal and draw.
        run(&mut race, |_, other| if other == 3 { 4 } else { 2 });
        assert_eq!(race.end(), Some(RaceEnd::Shown));
        let first = &race.rounds()[0];
        assert_eq!(first.rows[3].player, 3);
        assert!(race.search_pairs() < 2000, "{}", race.search_pairs());
        let last = race.rounds().last().unwrap();
        assert_eq!(last.survivors(), 3);
        assert!(last.rows.iter().all(|row| row.player != 3));
        let ends = last.rows[1..].iter().map(|row| row.to_leader.high);
        assert!(ends.into_iter().all(|high| high.unwrap() < 60.0));
    }

    #[test]
    fn a_spent_budget_says_so() {
        let within = RaceRules {
            within: Some(1.0),
            ..rules(100)
        };
        let mut race = Race::new(2, within);
        run(&mut race, |_, _| 2);
        assert_eq!(
            (race.end(), race.search_pairs()),
            (Some(RaceEnd::Spent), 100)
        );
    }
}
