//! The standings and pairings of a run as numbers. Computed once, and rendered by the terminal, CSV
//! files, Markdown and pages.

use std::cmp::Reverse;
use std::path::Path;

use super::comparisons::{PairedStanding, paired};
use super::error::RecordError;
use super::figures::{decimal_or_blank, interval};
use super::manifest::{Manifest, PlayerEntry, Setting};
use super::run_files::RunFiles;
use super::sheet::table;
use super::tally::{PairingTally, PlayerTally, RunTally};
use crate::stats::{
    Estimate, Pentanomial, Ratings, Sample, Sprt, StoppedEstimate, Summary, Verdict, Wdl, Z95,
    holm, two_sided,
};

/// The standings of one or several runs.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// Best first; players without games at the end.
    pub players: Vec<Standing>,
    /// In the order in which they were first played.
    pub pairings: Vec<PairingStanding>,
    /// Among more than two players with common opponents in shared openings.
    pub paired: Vec<PairedStanding>,
    /// Of all players together; `None` without games.
    pub ratings: Option<Ratings>,
    /// Keys that players were swept over.
    pub swept_keys: Vec<String>,
    /// The player whose rating is 0; `None`: a weighted mean of the players.
    pub anchor: Option<String>,
    /// Elo and LOS allow for the stopping of a sequential test.
    pub stopped: bool,
}

/// One player's row.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// From 1.
    pub rank: usize,
    /// Index into the players of the tally.
    pub player: usize,
    pub name: String,
    pub games: Wdl,
    /// Score, 0 to 1, against all opponents.
    pub score: Estimate,
    pub elo: Estimate,
    /// Likelihood of superiority over the zero of the ratings, or over the only opponent. After a
    /// sequential test: its confidence, see [`crate::stats::StoppedEstimate`].
    pub los: Option<f64>,
    /// From 1: players of different groups have not met and cannot be compared. 0 without games.
    pub group: usize,
    /// Elo difference to the leader of the group, below 0; unknown for the leader.
    pub to_leader: Estimate,
    /// Elo difference to the next player of the group; unknown for the last.
    pub to_next: Estimate,
    /// The chance of each rank in the group, best first; empty if unknown.
    pub rank_chances: Vec<f64>,
    /// For each of [`Standings::swept_keys`]: this player's value.
    pub swept: Vec<Option<Setting>>,
}

/// Results between two players, from the first one's side.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingStanding {
    pub player: String,
    pub opponent: String,
    pub games: Wdl,
    pub pairs: Pentanomial,
    pub summary: Summary,
    /// Of the sequential test, where there is one.
    pub llr: Option<f64>,
    /// Of a test of several pairings, each stopping when it is decided.
    pub verdict: Option<Verdict>,
    /// What the ratings of all games miss; `None` for two players alone.
    pub residual: Option<Residual>,
    /// P-value of the difference, adjusted for the number of pairings (Holm).
    pub p_holm: Option<f64>,
}

/// How far a pairing is from what the ratings say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Score that the ratings expect, 0 to 1.
    pub expected: f64,
    /// Elo of the pairing less the difference of the ratings.
    pub elo: Option<f64>,
    /// Standard errors of the pairing's score between it and `expected`.
    pub z: Option<f64>,
}

impl Standings {
    /// Between two players Elo is the difference, from pairs, and allows for the stop of a sequential
    /// test; among more it is the rating by all their games, above `anchor` if it has played. The
    /// manifests are those of the runs counted.
    pub fn of(
        tally: &RunTally,
        sprt: Option<&Sprt>,
        manifests: &[&Manifest],
        anchor: Option<&str>,
    ) -> Standings {
        let field = Field::of(tally, sprt, anchor);
        let mut swept_keys: Vec<String> = Vec::new();
        for key in manifests.iter().flat_map(|manifest| manifest.swept_keys()) {
            if !swept_keys.contains(&key) {
                swept_keys.push(key);
            }
        }
        let entry = |name: &str| manifests.iter().find_map(|manifest| manifest.player(name));
        let each = tally.players().iter().enumerate().map(|(index, player)| {
            let (elo, los) = field.elo_and_los(index, player);
            Standing {
                rank: 0,
                player: index,
                name: player.name.clone(),
                games: player.games,
                score: player.summary().score,
                elo,
                los,
                group: field.group(index),
                to_leader: Estimate::UNKNOWN,
                to_next: Estimate::UNKNOWN,
                rank_chances: field.rank_chances(index, los),
                swept: swept_values(&swept_keys, entry(&player.name)),
            }
        });
        let mut players: Vec<Standing> = each.collect();
        field.rank(&mut players);
        let mut pairings: Vec<PairingStanding> = tally
            .pairings()
            .iter()
            .map(|pairing| PairingStanding {
                player: tally.players()[pairing.first].name.clone(),
                opponent: tally.players()[pairing.second].name.clone(),
                games: pairing.games,
                pairs: pairing.pairs,
                summary: pairing.summary(),
                llr: sprt.map(|sprt| sprt.llr(&pairing.pairs)),
                verdict: None,
                residual: field.residual(pairing),
                p_holm: None,
            })
            .collect();
        let p_values: Vec<Option<f64>> = pairings
            .iter()
            .map(|pairing| pairing.summary.los.map(two_sided))
            .collect();
        for (pairing, p) in pairings.iter_mut().zip(holm(&p_values)) {
            pairing.p_holm = p;
        }
        if let Some(sprt) = sprt.filter(|_| pairings.len() > 1) {
            let family = manifests.iter().find_map(|manifest| manifest.family());
            let verdicts = tally.verdicts(sprt, family);
            for (pairing, verdict) in pairings.iter_mut().zip(verdicts) {
                pairing.verdict = Some(verdict);
            }
        }
        Standings {
            paired: match field.is_rated {
                true => paired(tally, &players),
                false => Vec::new(),
            },
            players,
            pairings,
            stopped: field.stopped.is_some(),
            anchor: field.anchor_name(tally),
            ratings: field.ratings,
            swept_keys,
        }
    }

    /// Players with games, best first.
    pub fn played(&self) -> &[Standing] {
        let count = self.players.iter().filter(|it| it.games.games() > 0);
        &self.players[..count.count()]
    }

    /// What Elo and LOS mean here, and what the ratings miss: sentences, each with a line end.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.stopped {
            notes.push(
                "Elo is the median-unbiased estimate after a sequential test; LOS is the test's \
                 confidence that the player is the stronger one.\n"
                    .to_string(),
            );
        }
        if self.played().len() > 2 {
            let zero = match &self.anchor {
                Some(anchor) => format!("{anchor} = 0; LOS: stronger than {anchor}"),
                None => {
                    "0 = mean of the players, hopeless ones weigh little; LOS: stronger than that"
                        .to_string()
                }
            };
            notes.push(format!(
                "Elo: rating from all games, {zero}. Read strength from the differences: each has its \
                 own 95 % interval.\n"
            ));
        }
        let openings = self.ratings.as_ref().and_then(Ratings::openings_used);
        if let Some(openings) = openings.filter(|_| self.played().len() > 2) {
            notes.push(format!(
                "Pairs share openings: errors take all games from one of the {openings} openings as one \
                 observation, so differences are paired.\n"
            ));
        }
        notes.extend(self.misfit());
        notes
    }

    /// Writes `standings.csv` and `pairings.csv`.
    pub fn write(&self, files: &mut RunFiles) -> Result<(), RecordError> {
        for (name, bytes) in self.tables(files.directory())? {
            files.replace(name, &bytes)?;
        }
        Ok(())
    }

    /// The names and contents of the tables of a run directory.
    pub fn tables(&self, directory: &Path) -> Result<[(&'static str, Vec<u8>); 2], RecordError> {
        let mut header = STANDING_COLUMNS.map(str::to_string).to_vec();
        header.extend(self.swept_keys.iter().map(|key| format!("sweep.{key}")));
        header.extend(FURTHER_COLUMNS.map(str::to_string));
        let rows = self.players.iter().map(Standing::cells);
        let standings = table(&directory.join(STANDINGS), &header, rows)?;
        let rows = self.pairings.iter().map(PairingStanding::cells);
        let header = PAIRING_COLUMNS.map(str::to_string);
        let pairings = table(&directory.join(PAIRINGS), &header, rows)?;
        Ok([(STANDINGS, standings), (PAIRINGS, pairings)])
    }
}

/// What the standings of all players are made from.
struct Field {
    ratings: Option<Ratings>,
    /// More than two players have games: Elo is the rating.
    is_rated: bool,
    /// Among rated players: the one whose rating is 0.
    anchor: Option<usize>,
    /// Of the first player, after a sequential test of two.
    stopped: Option<StoppedEstimate>,
    rank_chances: Vec<Vec<f64>>,
}

impl Field {
    fn of(tally: &RunTally, sprt: Option<&Sprt>, anchor: Option<&str>) -> Field {
        let ratings = tally.ratings();
        let has_played = |player: &&PlayerTally| player.games.games() > 0;
        let is_rated = tally.players().iter().filter(has_played).count() > 2;
        let rated = ratings.as_ref().filter(|_| is_rated);
        let anchor = anchor.and_then(|name| tally.find(name)).filter(|index| {
            let player = rated.and_then(|ratings| ratings.players().get(*index));
            player.is_some_and(|rating| rating.group.is_some())
        });
        let stopped = match (sprt, tally.pairings()) {
            (Some(sprt), [pairing]) if !is_rated => {
                let pairs = &pairing.pairs;
                let whole = pairs.games() == pairing.games.games();
                let estimate = whole.then(|| StoppedEstimate::of(sprt, pairs));
                estimate.filter(|estimate| estimate.elo.value.is_some())
            }
            _ => None,
        };
        Field {
            rank_chances: rated.map_or_else(Vec::new, Ratings::rank_chances),
            ratings,
            is_rated,
            anchor,
            stopped,
        }
    }

    fn rated(&self) -> Option<&Ratings> {
        self.ratings.as_ref().filter(|_| self.is_rated)
    }

    fn anchor_name(&self, tally: &RunTally) -> Option<String> {
        Some(tally.players()[self.anchor?].name.clone())
    }

    fn elo_and_los(&self, index: usize, player: &PlayerTally) -> (Estimate, Option<f64>) {
        let Some(ratings) = self.rated() else {
            let summary = player.summary();
            return match &self.stopped {
                Some(stopped) if index == 0 => (stopped.elo, stopped.confidence),
                Some(stopped) if index == 1 => {
                    (stopped.elo.negated(), stopped.confidence.map(|it| 1.0 - it))
                }
                _ => (summary.elo, summary.los),
            };
        };
        // A player without games may be beyond those that are rated.
        let rating = ratings.players().get(index);
        let own = rating.map_or(Estimate::UNKNOWN, |rating| rating.elo);
        let Some(anchor) = self.anchor else {
            return (own, ratings.los_over_zero(index));
        };
        if index == anchor {
            let zero = Estimate {
                value: Some(0.0),
                low: None,
                high: None,
                basis: own.basis,
            };
            return (zero, None);
        }
        (
            ratings.difference(index, anchor),
            ratings.los(index, anchor),
        )
    }

    fn group(&self, index: usize) -> usize {
        let ratings = self.ratings.as_ref();
        let rating = ratings.and_then(|ratings| ratings.players().get(index));
        rating.and_then(|it| it.group).map_or(0, |group| group + 1)
    }

    fn rank_chances(&self, index: usize, los: Option<f64>) -> Vec<f64> {
        match (self.is_rated, los) {
            (true, _) => self.rank_chances.get(index).cloned().unwrap_or_default(),
            (false, Some(los)) => vec![los, 1.0 - los],
            (false, None) => Vec::new(),
        }
    }

    /// Sorts players by group and strength, and fills in ranks and differences.
    fn rank(&self, players: &mut [Standing]) {
        let strength = |standing: &Standing| {
            let rating = self
                .rated()
                .and_then(|it| it.players().get(standing.player));
            let score = || standing.games.score().unwrap_or(0.5);
            rating.and_then(|it| it.elo.value).unwrap_or_else(score)
        };
        // Equals keep the order of the config.
        players.sort_by(|a, b| {
            let last = |standing: &Standing| match standing.group {
                0 => usize::MAX,
                group => group,
            };
            let played = |standing: &Standing| Reverse(standing.games.games() > 0);
            let by_strength = strength(b).total_cmp(&strength(a));
            played(a)
                .cmp(&played(b))
                .then(last(a).cmp(&last(b)))
                .then(by_strength)
        });
        let order: Vec<(usize, usize)> = players.iter().map(|it| (it.group, it.player)).collect();
        for (index, standing) in players.iter_mut().enumerate() {
            standing.rank = index + 1;
            let same = |other: &&(usize, usize)| other.0 == standing.group && other.0 > 0;
            let leader = order.iter().find(same).map(|it| it.1);
            let next = order.get(index + 1).filter(same).map(|it| it.1);
            standing.to_leader = self.difference(standing, leader);
            standing.to_next = self.difference(standing, next);
        }
    }

    fn difference(&self, standing: &Standing, other: Option<usize>) -> Estimate {
        let Some(other) = other.filter(|other| *other != standing.player) else {
            return Estimate::UNKNOWN;
        };
        match self.rated() {
            Some(ratings) => ratings.difference(standing.player, other),
            None => standing.elo,
        }
    }

    fn residual(&self, pairing: &PairingTally) -> Option<Residual> {
        let ratings = self.rated()?;
        let expected = ratings.expected_score(pairing.first, pairing.second)?;
        let summary = pairing.summary();
        let rated = ratings.difference(pairing.first, pairing.second);
        let error = summary.score.error().map(|error| error / Z95);
        let z = summary.score.value.zip(error.filter(|error| *error > 0.0));
        Some(Residual {
            expected,
            elo: summary
                .elo
                .value
                .zip(rated.value)
                .map(|(seen, rated)| seen - rated),
            z: z.map(|(score, error)| (score - expected) / error),
        })
    }
}

fn swept_values(keys: &[String], player: Option<&PlayerEntry>) -> Vec<Option<Setting>> {
    let value = |key: &String| player?.swept_value(key).cloned();
    keys.iter().map(value).collect()
}

const STANDINGS: &str = "standings.csv";
const PAIRINGS: &str = "pairings.csv";

const STANDING_COLUMNS: [&str; 11] = [
    "rank", "player", "games", "wins", "draws", "losses", "score", "elo", "elo_low", "elo_high",
    "los",
];

/// After the columns of swept values.
const FURTHER_COLUMNS: [&str; 10] = [
    "group",
    "to_leader",
    "to_leader_low",
    "to_leader_high",
    "to_next",
    "to_next_low",
    "to_next_high",
    "p_first",
    "rank_low",
    "rank_high",
];

const PAIRING_COLUMNS: [&str; 23] = [
    "player",
    "opponent",
    "games",
    "wins",
    "draws",
    "losses",
    "ll",
    "ld",
    "dd_wl",
    "wd",
    "ww",
    "score",
    "elo",
    "elo_low",
    "elo_high",
    "nelo",
    "los",
    "llr",
    "expected",
    "residual_elo",
    "residual_z",
    "p_holm",
    "verdict",
];

/// Games, wins, draws, losses.
fn counts(games: &Wdl) -> [String; 4] {
    [games.games(), games.wins, games.draws, games.losses].map(|count| count.to_string())
}

/// Value and ends of the interval.
fn parts(elo: &Estimate) -> [String; 3] {
    [elo.value, elo.low, elo.high].map(|value| decimal_or_blank(value, 1))
}

impl Standing {
    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.rank.to_string(), self.name.clone()];
        cells.extend(counts(&self.games));
        cells.push(decimal_or_blank(self.games.score(), 4));
        cells.extend(parts(&self.elo));
        cells.push(decimal_or_blank(self.los, 4));
        let values = self.swept.iter();
        cells.extend(values.map(|value| value.as_ref().map_or(String::new(), Setting::to_string)));
        cells.push(match self.group {
            0 => String::new(),
            group => group.to_string(),
        });
        cells.extend(parts(&self.to_leader));
        cells.extend(parts(&self.to_next));
        cells.push(decimal_or_blank(self.rank_chances.first().copied(), 4));
        let rank = |rank: Option<usize>| rank.map_or_else(String::new, |rank| rank.to_string());
        let (low, high) = self.rank_range().unzip();
        cells.extend([rank(low), rank(high)]);
        cells
    }

    /// The ranks in the group that hold the true one with at least 95 % probability, without the
    /// 2.5 % on each side.
    pub fn rank_range(&self) -> Option<(usize, usize)> {
        const TAIL: f64 = 0.025;
        fn beyond<'c>(mut chances: impl Iterator<Item = &'c f64>) -> Option<usize> {
            let mut sum = 0.0;
            chances.position(|chance| {
                sum += chance;
                sum > TAIL
            })
        }
        let low = beyond(self.rank_chances.iter())?;
        let high = beyond(self.rank_chances.iter().rev())?;
        Some((low + 1, self.rank_chances.len() - high))
    }

    /// The interval of Elo as text.
    pub fn interval(&self) -> String {
        interval(&self.elo)
    }
}

impl PairingStanding {
    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.player.clone(), self.opponent.clone()];
        cells.extend(counts(&self.games));
        cells.extend(self.pairs.to_array().map(|count| count.to_string()));
        cells.push(decimal_or_blank(self.games.score(), 4));
        cells.extend(parts(&self.summary.elo));
        cells.push(decimal_or_blank(self.summary.nelo.value, 1));
        cells.push(decimal_or_blank(self.summary.los, 4));
        cells.push(decimal_or_blank(self.llr, 2));
        let residual = self.residual;
        cells.push(decimal_or_blank(residual.map(|it| it.expected), 4));
        cells.push(decimal_or_blank(residual.and_then(|it| it.elo), 1));
        cells.push(decimal_or_blank(residual.and_then(|it| it.z), 2));
        cells.push(decimal_or_blank(self.p_holm, 4));
        let verdict = self.verdict.map_or("", Verdict::name);
        cells.push(verdict.to_string());
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameResult;
    use crate::record::GameRow;
    use crate::record::manifest::tests::sample;

    fn row(game: u64, white: &str, black: &str) -> GameRow {
        GameRow {
            times: None,
            game,
            pair: game.div_ceil(2),
            white: white.to_string(),
            black: black.to_string(),
            opening: String::new(),
            result: GameResult::WhiteWins,
            termination: String::new(),
            plies: 0,
            white_nodes: 0,
            black_nodes: 0,
            moves: String::new(),
            first_mover: None,
            scores: String::new(),
            origin: None,
        }
    }

    #[test]
    fn players_without_games_stand_at_the_end() {
        let names = ["a", "b", "c", "d", "e"];
        let games = [("b", "c"), ("c", "b"), ("b", "d"), ("d", "b")];
        for played in 0..=games.len() {
            let mut tally = RunTally::with_players(names);
            for (index, (white, black)) in games[..played].iter().enumerate() {
                tally.push(&row(index as u64 + 1, white, black));
            }
            let standings = Standings::of(&tally, None, &[], None);
            let ranks: Vec<usize> = standings.players.iter().map(|it| it.rank).collect();
            assert_eq!(ranks, [1, 2, 3, 4, 5]);
            let expected = [0, 2, 2, 3, 3][played];
            assert_eq!(standings.played().len(), expected, "{played} games");
            let rest = &standings.players[expected..];
            assert!(rest.iter().all(|it| it.elo == Estimate::UNKNOWN));
        }
    }

    #[test]
    fn swept_values_are_columns_and_absent_where_nothing_is_swept() {
        let manifest = sample();
        let names: Vec<&str> = manifest.players.iter().map(|it| it.name.as_str()).collect();
        let mut tally = RunTally::with_players(names.iter().copied());
        tally.push(&row(1, names[0], names[1]));
        let folder = tempfile::tempdir().unwrap();
        let written = |standings: Standings| {
            let mut files = RunFiles::begin_all(folder.path(), |_| false).unwrap();
            standings.write(&mut files).unwrap();
            std::fs::read_to_string(folder.path().join("standings.csv")).unwrap()
        };
        let text = written(Standings::of(&tally, None, &[&manifest], None));
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].contains("elo_high,los,sweep.depth,group,"),
            "{text}"
        );
        assert!(lines[1].starts_with("1,one,1,1,0,0,1.0000,"), "{text}");
        assert!(
            lines[1].contains(",,1,") && lines[2].contains(",3,1,"),
            "{text}"
        );
        let plain = written(Standings::of(&tally, None, &[], None));
        assert!(
            plain.lines().next().unwrap().contains(",los,group,"),
            "{plain}"
        );
    }
}
