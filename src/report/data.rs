//! The data of all charts, collected in one pass over the games. Memory grows with players and
//! terminations, and by some bytes per game to find repeats.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::openings::{self, OpeningScores};
use super::times::TimeUse;
use super::trace::Sampled;
use super::tuning::Tuning;
use crate::record::{
    GameResult, GameRow, LatencyRow, LeftOut, Manifest, OncePerGame, PairingTally, RecordError,
    Repeats, RunTally, Standing, Standings, read_latencies, read_played, refuse_copies,
};
use crate::stats::{Estimate, PairResult, Pentanomial, PlayerResult, Race, Sprt, Summary, Wdl};

/// One run of a report.
#[derive(Clone, Debug)]
pub struct Source {
    /// The given path: a run directory, or a file of games.
    pub path: PathBuf,
    pub name: String,
    /// `None` for a file of games.
    pub manifest: Option<Manifest>,
}

impl Source {
    fn of(path: &Path) -> Result<Source, RecordError> {
        let manifest = path.is_dir().then(|| Manifest::read(path)).transpose()?;
        let named = manifest.as_ref().map(|manifest| manifest.name.clone());
        // The file's name, or that of the folder for a bare games.csv.
        let stem = || {
            let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
            let stem = path.file_stem()?.to_string_lossy().into_owned();
            Some(stem)
        };
        let name = named.or_else(stem).unwrap_or_else(|| "games".to_string());
        Ok(Source {
            path: path.to_path_buf(),
            name,
            manifest,
        })
    }

    /// The text of the config.
    pub fn config(&self) -> Option<String> {
        self.manifest.as_ref()?;
        std::fs::read_to_string(self.path.join("config.toml")).ok()
    }

    pub fn games(&self) -> PathBuf {
        self.file("games.csv")
    }

    /// Reads the games: of a run, of a CSV file, or of a PGN or PDN file.
    pub fn read_games(
        &self,
        seen: impl FnMut(GameRow) -> Result<(), RecordError>,
    ) -> Result<LeftOut, RecordError> {
        read_played(&self.path, seen)
    }

    /// A file of the run; for a file of games, that file itself.
    pub fn file(&self, name: &str) -> PathBuf {
        if self.path.is_dir() {
            self.path.join(name)
        } else {
            self.path.clone()
        }
    }
}

/// Games by result: white's wins, draws, black's wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByResult {
    pub white: u64,
    pub drawn: u64,
    pub black: u64,
}

impl ByResult {
    fn push(&mut self, result: GameResult) {
        match result {
            GameResult::WhiteWins => self.white += 1,
            GameResult::Draw => self.drawn += 1,
            GameResult::BlackWins => self.black += 1,
        }
    }

    pub fn total(&self) -> u64 {
        self.white + self.drawn + self.black
    }

    pub fn parts(&self) -> [u64; 3] {
        [self.white, self.drawn, self.black]
    }
}

/// Mean and spread of a figure over games, after Welford.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    pub count: u64,
    pub mean: f64,
    squares: f64,
}

impl Mean {
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// Standard error of the mean; unknown from a single value.
    pub fn standard_error(&self) -> Option<f64> {
        let count = self.count as f64;
        (self.count > 1).then(|| (self.squares / (count - 1.0) / count).sqrt())
    }
}

/// A player's results after some games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Snapshot {
    pub games: Wdl,
    pub pairs: Pentanomial,
}

/// The data of all charts.
#[derive(Clone, Debug, Default)]
pub struct ReportData {
    pub title: String,
    pub sources: Vec<Source>,
    pub tally: RunTally,
    pub standings: Standings,
    /// By termination; without games of unknown termination.
    pub endings: BTreeMap<String, ByResult>,
    /// By plies; without games of unknown length.
    pub lengths: BTreeMap<u64, ByResult>,
    /// White's results, over all players.
    pub white: Wdl,
    /// Complete pairs from white's side: both games of a pair count for white.
    pub white_pairs: Pentanomial,
    /// Nodes per move of every player, one value per game.
    pub nodes: Vec<Mean>,
    /// Use of time of every player.
    pub times: Vec<TimeUse>,
    /// Reactions of engines in the last session of a single run.
    pub latencies: Vec<LatencyRow>,
    /// Results of every player during the run, by its number of games.
    pub progress: Vec<Sampled<Snapshot>>,
    /// Pairs of a single pairing during the run, for the SPRT.
    pub pairs: Sampled<Pentanomial>,
    /// The leader's results by opening.
    pub openings: Vec<OpeningScores>,
    /// Of a tuning run.
    pub tuning: Option<Tuning>,
    /// Of a single run that is a race.
    pub race: Option<Race>,
    /// Games of collections that are not counted.
    pub left_out: LeftOut,
    /// Games dropped because an earlier source contains them.
    pub known: u64,
    /// How many games and openings differ.
    pub repeats: Repeats,
}

impl ReportData {
    /// Players with games, best first.
    pub fn ladder(&self) -> &[Standing] {
        self.standings.played()
    }

    /// The leader's lead over the next player.
    pub fn lead(&self) -> Option<Estimate> {
        let [first, second, rest @ ..] = self.ladder() else {
            return None;
        };
        Some(match &self.standings.ratings {
            Some(ratings) if !rest.is_empty() => ratings.difference(first.player, second.player),
            _ => first.elo,
        })
    }

    /// The p-value of equal strength of two players who met, adjusted for all pairings (Holm).
    pub fn p_holm(&self, player: usize, opponent: usize) -> Option<f64> {
        let names = [self.name(player), self.name(opponent)];
        let mut pairings = self.standings.pairings.iter();
        let found = pairings.find(|it| {
            let met = [it.player.as_str(), it.opponent.as_str()];
            met == names || met == [names[1], names[0]]
        });
        found?.p_holm
    }

    /// Number of groups of players without games between them; normally 1.
    pub fn group_count(&self) -> usize {
        let ratings = self.standings.ratings.as_ref();
        ratings.map_or(1, |ratings| ratings.groups().len())
    }

    pub fn name(&self, player: usize) -> &str {
        &self.tally.players()[player].name
    }

    /// The rank of a player in the standings, from 0.
    pub fn place(&self, player: usize) -> usize {
        let players = &self.standings.players;
        let found = players.iter().position(|row| row.player == player);
        found.unwrap_or(players.len())
    }

    /// The game of all runs, if known.
    pub fn game(&self) -> Option<&str> {
        self.sources
            .iter()
            .find_map(|source| Some(source.manifest.as_ref()?.game.as_str()))
    }

    /// The SPRT of a single run. Joined runs have none: a test must not continue after it could have
    /// stopped.
    pub fn sprt(&self) -> Option<Sprt> {
        match &self.sources[..] {
            [one] => one.manifest.as_ref()?.sprt(),
            _ => None,
        }
    }

    /// The same, if it tests one pairing: runs of more players test each by itself.
    pub fn only_sprt(&self) -> Option<Sprt> {
        self.sprt().filter(|_| self.tally.pairings().len() == 1)
    }

    /// Whether all games belong to complete pairs.
    pub fn paired(&self) -> bool {
        self.tally.pair_count() * 2 == self.tally.game_count()
    }

    /// White's figures, from pairs where every game belongs to one.
    pub fn white_summary(&self) -> Summary {
        if self.white_pairs.games() == self.white.games() {
            Summary::of_pairs(&self.white_pairs)
        } else {
            Summary::of_games(&self.white)
        }
    }

    /// A player's games with white and with black.
    pub fn by_colour(&self, player: usize) -> (Wdl, Wdl) {
        let mut sum = (Wdl::default(), Wdl::default());
        for pairing in self.tally.pairings() {
            if pairing.first == player {
                sum.0 += pairing.as_white;
                sum.1 += pairing.as_black;
            } else if pairing.second == player {
                sum.0 += pairing.as_black.swapped();
                sum.1 += pairing.as_white.swapped();
            }
        }
        sum
    }

    /// The results between two players, from the first one's side.
    pub fn meeting(&self, player: usize, opponent: usize) -> Option<Summary> {
        let met = |pairing: &&PairingTally| {
            (pairing.first, pairing.second) == (player.min(opponent), player.max(opponent))
        };
        let pairing = self.tally.pairings().iter().find(met)?;
        let own = if pairing.first == player {
            pairing.clone()
        } else {
            PairingTally {
                games: pairing.games.swapped(),
                pairs: pairing.pairs.swapped(),
                ..pairing.clone()
            }
        };
        Some(own.summary())
    }
}

/// Reads the games of one or several run directories, or of files: CSV, PGN, PDN.
pub fn read(paths: &[PathBuf]) -> Result<ReportData, RecordError> {
    let sources: Result<Vec<Source>, RecordError> =
        paths.iter().map(|path| Source::of(path)).collect();
    let sources = sources?;
    refuse_what_does_not_belong_together(&sources)?;
    let mut data = ReportData::without_games(&sources);
    if let [one] = &sources[..] {
        data.tuning = Tuning::read(&one.path)?;
        data.latencies = read_latencies(&one.path);
    }
    refuse_copies(paths)?;
    let mut once = OncePerGame::default();
    for source in &sources {
        let path = source.games();
        // A tuning run has its games elsewhere, or none.
        if data.tuning.is_some() && !path.exists() {
            continue;
        }
        let mut half = None;
        let mut count = |row: GameRow| -> Result<(), RecordError> {
            data.push(&row, &mut half);
            Ok(())
        };
        let left_out = match sources.len() {
            1 => source.read_games(count)?,
            _ => {
                let left_out = source.read_games(|row| once.push(row, &mut count))?;
                let known = once.end(&mut count)?;
                data.known += known;
                left_out
            }
        };
        data.left_out.unfinished += left_out.unfinished;
        data.left_out.against_itself += left_out.against_itself;
        data.tally.end_of_file();
    }
    data.sources = sources;
    data.finish();
    // The leader is known only after counting all games.
    if let Some(leader) = data.ladder().first() {
        data.openings = openings::read(&data.sources, &leader.name)?;
    }
    Ok(data)
}

fn titles(sources: &[Source]) -> String {
    let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
    match names[..] {
        [_, _, _, _, ..] => format!(
            "{} and {} more runs",
            names[..2].join(", "),
            names.len() - 2
        ),
        _ => names.join(", "),
    }
}

/// Rejects runs of different games, and runs given twice.
fn refuse_what_does_not_belong_together(sources: &[Source]) -> Result<(), RecordError> {
    for (index, source) in sources.iter().enumerate() {
        let wrong = |message: String| RecordError::Io {
            path: source.path.clone(),
            message,
        };
        for earlier in &sources[..index] {
            let manifests = earlier.manifest.as_ref().zip(source.manifest.as_ref());
            if let Some((one, other)) = manifests
                && one.game != other.game
            {
                return Err(wrong(format!(
                    "a run of {}, but {} is a run of {}; make separate reports",
                    other.game,
                    earlier.path.display(),
                    one.game
                )));
            }
            let place = |source: &Source| source.path.canonicalize().ok();
            let same_file = place(source).is_some() && place(source) == place(earlier);
            if manifests.is_some_and(|(one, other)| one == other) || same_file {
                return Err(wrong(format!(
                    "contains the same games as {}; give each run once",
                    earlier.path.display()
                )));
            }
        }
    }
    Ok(())
}

/// The first game of an incomplete pair: pair, white and black, result for white.
type OpenPair = (u64, usize, usize, PlayerResult);

/// The data of one run while it is played. Games come in order, each once; what needs a second pass over
/// all games, such as the leader's openings, is left out.
pub struct Growing {
    data: ReportData,
    half: Option<OpenPair>,
}

impl Growing {
    /// Without games.
    pub fn of(directory: &Path) -> Result<Growing, RecordError> {
        let source = Source::of(directory)?;
        let mut data = ReportData::without_games(std::slice::from_ref(&source));
        data.sources.push(source);
        Ok(Growing { data, half: None })
    }

    pub fn push(&mut self, row: &GameRow) {
        self.data.push(row, &mut self.half);
    }

    /// Reads the log of a tuning run again.
    pub fn read_tuning(&mut self) -> Result<(), RecordError> {
        self.data.tuning = match self.data.sources.first() {
            Some(source) => Tuning::read(&source.path)?,
            None => None,
        };
        Ok(())
    }

    /// The manifest; `None` for games without one.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.data.sources.first()?.manifest.as_ref()
    }

    pub fn tally(&self) -> &RunTally {
        &self.data.tally
    }

    pub fn pairs(&self) -> Option<&Pentanomial> {
        self.data.pairs.last().map(|(_, pairs)| pairs)
    }

    /// Iterations and games of a tuning run.
    pub fn tuned(&self) -> Option<(u64, u64)> {
        let tuning = self.data.tuning.as_ref()?;
        Some((tuning.iterations(), tuning.games()))
    }

    /// All data so far, with standings.
    pub fn data(&mut self) -> &ReportData {
        self.data.finish();
        &self.data
    }
}

impl ReportData {
    fn without_games(sources: &[Source]) -> ReportData {
        let names = sources
            .iter()
            .filter_map(|source| source.manifest.as_ref())
            .filter(|manifest| manifest.tuning.is_none())
            .flat_map(|manifest| manifest.players.iter().map(|player| player.name.as_str()));
        let race = match sources {
            [one] => one.manifest.as_ref().and_then(Manifest::race),
            _ => None,
        };
        ReportData {
            race,
            title: titles(sources),
            tally: RunTally::with_players(names),
            ..ReportData::default()
        }
    }

    fn push(&mut self, row: &GameRow, half: &mut Option<OpenPair>) {
        self.tally.push(row);
        self.repeats.push(row);
        let for_white = row.result_for_white();
        let (Some(white), Some(black)) = (self.tally.find(&row.white), self.tally.find(&row.black))
        else {
            return;
        };
        self.white.push(for_white);
        if !row.termination.is_empty() {
            let ending = self.endings.entry(row.termination.clone()).or_default();
            ending.push(row.result);
        }
        if row.plies > 0 {
            self.lengths.entry(row.plies).or_default().push(row.result);
        }
        let count = self.tally.players().len();
        self.nodes.resize(count, Mean::default());
        self.progress.resize_with(count, Sampled::default);
        let (white_moves, black_moves) = row.moves_by_side().unwrap_or((0, 0));
        for (player, nodes, moves) in [
            (white, row.white_nodes, white_moves),
            (black, row.black_nodes, black_moves),
        ] {
            if nodes > 0 && moves > 0 {
                self.nodes[player].push(nodes as f64 / moves as f64);
            }
        }
        self.push_times(row, [white, black]);
        match half.take() {
            Some((pair, first, second, result))
                if pair == row.pair && (first, second) == (black, white) =>
            {
                self.white_pairs.push(PairResult::of(result, for_white));
                self.push_race(first, second, PairResult::of(result, for_white.swapped()));
                if let [pairing] = self.tally.pairings() {
                    let pairs = pairing.pairs;
                    self.pairs.push(pairs.pairs(), pairs);
                }
            }
            _ => *half = Some((row.pair, white, black, for_white)),
        }
        for player in [white, black] {
            let now = &self.tally.players()[player];
            let snapshot = Snapshot {
                games: now.games,
                pairs: now.pairs,
            };
            self.progress[player].push(now.games.games(), snapshot);
        }
    }

    /// Counts a pair of a race. Games that are not those of the race show nothing about it.
    fn push_race(&mut self, first: usize, second: usize, result: PairResult) {
        let Some(race) = &mut self.race else { return };
        if race.next_pairing() == Some((first, second)) {
            race.push(result.half_points());
        } else {
            self.race = None;
        }
    }

    fn finish(&mut self) {
        let manifests = self.sources.iter().filter_map(|it| it.manifest.as_ref());
        let manifests: Vec<&Manifest> = manifests.collect();
        let anchor = manifests.iter().find_map(|manifest| manifest.anchor());
        let sprt = self.sprt();
        self.standings = Standings::of(&self.tally, sprt.as_ref(), &manifests, anchor);
    }
}
