//! `sparring run`: plays an experiment and writes its run directory.

use std::fs;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;

#[cfg(feature = "cluster")]
use super::cluster::Remote;
use super::engines::{Forfeits, logs_in, meet_engines};
use super::keep::Inputs;
use super::latency;
use super::live;
use super::output::printable_in_line;
use super::plan::print_forecast;
use super::play_args::PlayArgs;
use super::progress::Progress;
use super::replay::replayer;
use super::rows::{RecordedPair, Recorder};
use super::shard::ShardArg;
use super::stages;
use super::standings::standings_text;
use super::stats::expectation;
use super::threads_file::{ThreadsFile, cores_of};
use super::{Done, Failure, Interrupts, complain, finish_on_interrupt, print, tell};
use crate::config::{self, Loaded, without_pairs};
use crate::play::{Closed, Director, Experiment, Pairing, PlayerSpec, Runner, Schedule};
use crate::record::{
    GameRow, Identity, Journal, Latencies, PairingTally, RecordError, Resumed, RunFiles, RunLock,
    RunTally, ShardEntry, Shards, Side, Standings, Timings, player_result, refuse_foreign,
    write_race,
};
use crate::report::{self, ReportData, counted};
use crate::stats::{PlayerResult, Sprt, Verdict};

#[derive(Args, Default)]
pub struct RunArgs {
    /// The config, a TOML file, or - for standard input; see `sparring new`
    pub config: PathBuf,
    #[command(flatten)]
    pub options: RunOptions,
}

/// The options that `run` and `match` share.
#[derive(Args, Default)]
pub struct RunOptions {
    #[command(flatten)]
    pub play: PlayArgs,
    /// Play this many opening pairs per pairing (sets match.pairs); also extends a finished run
    #[arg(long, value_name = "N")]
    pub pairs: Option<u64>,
    /// Use this seed (sets seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// Exit with code 1 unless the SPRT ends with this verdict: h0 or h1
    #[arg(long, value_name = "V")]
    pub expect: Option<String>,
    /// Play only part K of N, for `sparring merge`; auto: the part of a SLURM array task; auto/N: also
    /// that of an indexed Kubernetes job
    #[arg(long, value_name = "K/N")]
    pub shard: Option<ShardArg>,
    /// Keep every thread, and the engines it starts, on cores of its own (Linux)
    #[arg(long)]
    pub pin: bool,
    /// Rest this long before each game of a thread, in milliseconds: for engines that need time to end
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    pub wait: Option<u64>,
    /// Exit with code 1 if a game was forfeited: an illegal move, a crash, a stall, a loss on time
    #[arg(long)]
    pub strict: bool,
    /// Print one JSON object per pair to standard output, in order, including pairs played before a
    /// resume; the results table goes to standard error
    #[arg(long)]
    pub json: bool,
}

impl RunOptions {
    /// The keys that options set, behind those of `--set`.
    pub fn overrides(&self) -> Vec<String> {
        let mut overrides = self.play.set.clone();
        overrides.extend(self.pairs.map(|pairs| format!("match.pairs={pairs}")));
        overrides.extend(self.seed.map(|seed| format!("seed={seed}")));
        overrides
    }
}

pub fn run(args: &RunArgs) -> Done {
    let loaded = config::load(&args.config, &args.options.overrides())?;
    warn_of_identical_players(&loaded);
    play_loaded(loaded, &args.options)
}

/// Warns of two players that differ in nothing but their names: their match shows only chance.
pub fn warn_of_identical_players(loaded: &Loaded) {
    let players = &loaded.experiment.players;
    for (index, player) in players.iter().enumerate() {
        let is_same =
            |other: &&PlayerSpec| (&other.kind, &other.limit) == (&player.kind, &player.limit);
        if let Some(other) = players[..index].iter().find(is_same) {
            complain(&format!(
                "warning: players `{}` and `{}` are identical: a match between them shows only chance",
                printable_in_line(&other.name),
                printable_in_line(&player.name)
            ));
            return;
        }
    }
}

/// Plays a checked experiment into its run directory.
pub fn play_loaded(mut loaded: Loaded, args: &RunOptions) -> Done {
    let expected = args.expect.as_deref().map(expectation).transpose()?;
    if expected.is_some() && loaded.sprt.is_none() {
        return Err(Failure::bad_input(
            "--expect needs a verdict: add [sprt] to the config",
        ));
    }
    if expected.is_some() && loaded.stages.look.is_some() {
        return Err(Failure::bad_input(
            "--expect is about the verdict of two players, and this run has more",
        ));
    }
    if args.shard.is_some() && loaded.stages.depend_on_results() {
        return Err(Failure::bad_input(
            "--shard needs pairings that are known before the first game, and those of this run \
             depend on its results",
        ));
    }
    let pairs = loaded.experiment.schedule.pair_count();
    let shard = args.shard.map(|shard| shard.part(pairs)).transpose()?;
    if shard.is_some() && expected.is_some() {
        return Err(Failure::bad_input(
            "--expect needs all parts: give it to `sparring merge`",
        ));
    }
    loaded.manifest.shard = shard;
    let name = match shard {
        Some(ShardEntry { part, parts, .. }) => format!("{}-{part}-of-{parts}", loaded.name),
        None => loaded.name.clone(),
    };
    let directory = args.play.prepare(&name, &loaded.warnings)?;
    if shard.is_none() {
        stages::refuse_other_pairs(&directory, &loaded.stages)?;
    }
    loaded.experiment.conduct.engine_logs = Some(logs_in(&directory, loaded.log.engines));
    loaded.experiment.conduct.wait = Duration::from_millis(args.wait.unwrap_or(0));
    let threads = args.play.threads(pairs);
    let pins = match args.pin {
        true => cores_of(threads, &loaded.experiment.players)?,
        false => Vec::new(),
    };
    let run = Run {
        loaded: &loaded,
        directory: &directory,
        threads,
        pins,
        quiet: args.play.quiet,
        json: args.json,
        expected,
        strict: args.strict,
    };
    run.play(supply(args)?)
}

/// Threads of this machine, or the workers of a server.
fn supply(args: &RunOptions) -> Result<Supply<'static>, Failure> {
    #[cfg(feature = "cluster")]
    if let Some(remote) = Remote::new(&args.play.cluster) {
        if args.shard.is_some() {
            return Err(Failure::bad_input(
                "--shard and --cluster are two ways to divide a run: use one of them",
            ));
        }
        return Ok(Supply::Cluster(Box::new(remote)));
    }
    let _ = args;
    Ok(Supply::Play(None))
}

pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Renames an existing run directory to the first free name.
pub fn keep_aside(directory: &Path) -> Result<(), Failure> {
    if !directory.exists() {
        return Ok(());
    }
    RunLock::refuse_held(directory)?;
    match refuse_foreign(directory) {
        // Runs of older versions have no manifest.
        Ok(()) | Err(RecordError::NoManifest { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let Some(aside) = free_name(directory) else {
        return Ok(());
    };
    fs::rename(directory, &aside).map_err(|error| RecordError::io(directory, &error))?;
    complain(&format!("renamed the earlier run to {}", aside.display()));
    Ok(())
}

/// The first free name for a directory that makes room.
pub(super) fn free_name(directory: &Path) -> Option<PathBuf> {
    (1..)
        .map(|number| PathBuf::from(format!("{}.{number}", directory.display())))
        .find(|path| !path.exists())
}

/// Where the pairs of a run come from.
pub(super) enum Supply<'s> {
    /// They are played here, by threads that live as long as the run.
    Play(Option<Runner>),
    /// They were played as shards.
    Shards(&'s mut Shards),
    /// They are played by the workers of a server.
    #[cfg(feature = "cluster")]
    Cluster(Box<Remote>),
}

impl Supply<'_> {
    /// What is said about those who play, beside the progress.
    fn words(&self) -> Box<dyn Fn() -> String> {
        #[cfg(feature = "cluster")]
        if let Supply::Cluster(remote) = self {
            let crew = remote.crew();
            return Box::new(move || format!("; {}", crew.words()));
        }
        Box::new(String::new)
    }

    /// Ends work elsewhere. What is not `done` can be resumed.
    fn close(&mut self, done: bool, quiet: bool) -> Done {
        #[cfg(feature = "cluster")]
        if let Supply::Cluster(remote) = self {
            return remote.close(done, quiet);
        }
        let _ = (done, quiet);
        Ok(())
    }
}

pub(super) struct Run<'a> {
    pub loaded: &'a Loaded,
    pub directory: &'a Path,
    pub threads: usize,
    /// The cores of each thread; empty: any.
    pub pins: Vec<Vec<usize>>,
    pub quiet: bool,
    pub json: bool,
    pub expected: Option<Verdict>,
    pub strict: bool,
}

impl Run<'_> {
    pub fn play(&self, mut supply: Supply<'_>) -> Done {
        let experiment = &self.loaded.experiment;
        let players = &experiment.players;
        let interrupts = finish_on_interrupt();
        let lock = RunLock::take(self.directory)?;
        if let Supply::Play(_) = supply {
            meet_engines(self.loaded, self.quiet, &|| interrupts.any())?;
        }
        let recorder = Recorder::new(self.loaded);
        let names = players.iter().map(|player| player.name.as_str());
        let mut counts = Counts {
            tally: RunTally::with_players(names),
            director: Director::new(self.loaded.stages.clone()),
        };
        let mut forfeits = Forfeits::default();
        let mut latencies = Latencies::default();
        let sprt = self.sprt();
        let inputs = Inputs::read(self.loaded.openings_file.as_ref(), &experiment.players)?;
        let (mut journal, resumed) = Journal::open(
            lock,
            &Identity {
                inputs: inputs.files(),
                ..self.identity()
            },
            &recorder.companions,
            recorder.times,
            |rows| {
                rows.iter().for_each(|row| forfeits.see(row));
                self.count(&mut counts, rows);
                Ok(())
            },
        )?;
        inputs.keep(self.directory, resumed.pairs > 0)?;
        self.say_what_is_there(&resumed);
        let mut decided = self.is_decided(&counts.tally);
        let (first, last) = self.pairs();
        let all = last + 1 - first;
        if !decided && !self.quiet {
            print_forecast(sprt, self.loaded.stages.pairs_each);
        }
        let mut progress = Progress::new(all * 2, resumed.pairs * 2, self.quiet);
        let others = supply.words();
        while let Some(stage) = counts.director.stage().cloned().filter(|_| !decided) {
            let next = first + counts.tally.pair_count();
            let last = match self.loaded.manifest.shard {
                Some(_) => last,
                None => stage.last_pair(),
            };
            let consume = |pair: RecordedPair| {
                journal
                    .append(&pair.entry)
                    .map_err(|error| lost_or_unwritten(error, counts.tally.game_count()))?;
                let closed = self.count(&mut counts, pair.rows.each_ref());
                pair.rows.iter().for_each(|row| forfeits.see(row));
                let timings = pair.timings.iter();
                timings.for_each(|(player, timing)| latencies.push(player, timing));
                let tally = &counts.tally;
                decided = self.is_decided(tally);
                progress.show(tally.game_count(), || live::words(tally, sprt) + &others());
                if players.len() > 2 {
                    progress.table(|| live::table(tally));
                }
                if let Some(closed) = closed {
                    let director = &counts.director;
                    progress.say(|| stages::words(&closed, director, &self.loaded.stages, players));
                }
                Ok(if decided {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            };
            self.deliver(
                &mut supply,
                stage,
                next..=last,
                interrupts,
                &recorder,
                consume,
            )?;
            // A shard is a part of the only stage.
            if interrupts.any() || self.loaded.manifest.shard.is_some() {
                break;
            }
        }
        progress.finish();
        let Counts { tally, director } = counts;
        supply.close(decided || director.is_over(), self.quiet)?;
        let lock = journal
            .close()
            .map_err(|error| lost_or_unwritten(error, tally.game_count()))?;
        self.write_timings(&tally, &progress)?;
        latencies.write(self.directory)?;
        if self.loaded.manifest.shard.is_some() {
            lock.release();
            return self.finish_shard(&tally, all);
        }
        let data = write_tables(self.loaded, self.directory, &inputs)
            .map_err(|failure| unwritten(&failure.message, tally.game_count()))?;
        lock.release();
        self.show(&data.standings, &forfeits, &director);
        latency::warn(&latencies, self.loaded);
        if !decided && !director.is_over() {
            return Err(interrupted(&tally, all));
        }
        if self.strict && forfeits.games() > 0 {
            let message = format!("--strict: {} forfeited", counted(forfeits.games(), "game"));
            return Err(Failure::check_failed(message));
        }
        self.check_expectation(&tally)
    }
}

fn interrupted(tally: &RunTally, pairs: u64) -> Failure {
    Failure::interrupted(format!(
        "interrupted after {} of {} games; run the same command again to resume",
        tally.game_count(),
        pairs * 2
    ))
}

impl Run<'_> {
    /// The sequential test that ends the run; shards are decided when they are merged.
    fn sprt(&self) -> Option<&Sprt> {
        match self.loaded.manifest.shard {
            Some(_) => None,
            None => self.loaded.sprt.as_ref(),
        }
    }

    fn identity(&self) -> Identity<'_> {
        let identity = Identity::new(&self.loaded.resolved, &self.loaded.manifest);
        match self.loaded.manifest.shard {
            // Other parts with another number of pairs: a shard cannot be extended.
            Some(_) => identity,
            None => Identity {
                essence: without_pairs,
                ..identity
            },
        }
    }

    /// The first and the last pair.
    fn pairs(&self) -> (u64, u64) {
        match self.loaded.manifest.shard {
            Some(shard) => (shard.first, shard.last),
            None => (1, self.loaded.stages.pair_count()),
        }
    }

    /// Delivers pairs of a stage in order until `consume` has enough, or the run is interrupted.
    fn deliver(
        &self,
        supply: &mut Supply<'_>,
        stage: Schedule,
        range: RangeInclusive<u64>,
        interrupts: Interrupts,
        recorder: &Recorder<'_>,
        mut consume: impl FnMut(RecordedPair) -> Result<ControlFlow<()>, Failure>,
    ) -> Done {
        match supply {
            Supply::Play(runner) => {
                let runner = match runner {
                    Some(runner) => runner,
                    none => {
                        let mut new = self.runner()?;
                        new.finish_when(interrupts.finish);
                        none.insert(new)
                    }
                };
                let watched = ThreadsFile::watch(self.directory, runner.active(), runner.threads());
                let experiment = Experiment {
                    schedule: stage,
                    ..self.loaded.experiment.clone()
                };
                // Prepared by the workers: this thread only writes.
                let prepare = |pair| recorder.record(&pair);
                let played = runner.run(&experiment, range, interrupts.now, prepare, consume);
                drop(watched);
                played
            }
            Supply::Shards(shards) => {
                for number in range {
                    let Some(pair) = shards.read(number)? else {
                        let gaps = shards.gaps(number).unwrap_or_default();
                        return Err(Failure::bad_input(format!("{gaps}; then merge again")));
                    };
                    let pair = RecordedPair {
                        rows: pair.rows,
                        entry: pair.entry,
                        timings: Vec::new(),
                    };
                    if consume(pair)?.is_break() || interrupts.any() {
                        break;
                    }
                }
                Ok(())
            }
            #[cfg(feature = "cluster")]
            Supply::Cluster(remote) => {
                let run = (self.loaded, self.directory);
                remote.deliver(run, stage, range, interrupts, recorder, consume)
            }
        }
    }

    /// The threads, and idle ones that the file `threads` can wake.
    fn runner(&self) -> Result<Runner, Failure> {
        let most = match self.pins.len() {
            0 => self.threads.max(available_threads()),
            pinned => pinned,
        };
        let mut runner = Runner::new(self.loaded.game, most)?;
        runner.active().store(self.threads, Ordering::Relaxed);
        runner.pin(self.pins.clone());
        Ok(runner)
    }

    fn finish_shard(&self, tally: &RunTally, all: u64) -> Done {
        if tally.pair_count() < all {
            return Err(interrupted(tally, all));
        }
        let text = format!(
            "{} played; join all parts with `sparring merge`\nshard: {}\n",
            counted(tally.game_count(), "game"),
            self.directory.display()
        );
        if self.json {
            tell(&text);
        } else {
            print(&text);
        }
        Ok(())
    }

    fn write_timings(&self, tally: &RunTally, progress: &Progress) -> Done {
        let timings = Timings {
            threads: self.threads,
            seconds: progress.seconds(),
            games_per_second: Some(progress.per_second(tally.game_count())),
        };
        Ok(timings.write(self.directory)?)
    }
}

/// The same for the journal, whose directory may be gone.
fn lost_or_unwritten(error: RecordError, games: u64) -> Failure {
    match error {
        RecordError::Lost { .. } => error.into(),
        other => unwritten(&other, games),
    }
}

/// An I/O error leaves earlier games intact.
fn unwritten(error: &dyn std::fmt::Display, games: u64) -> Failure {
    Failure::bad_input(format!(
        "{error}; the {games} earlier games are kept: fix this and run the same command again to \
         resume"
    ))
}

/// The results so far, and what is played next.
struct Counts {
    tally: RunTally,
    director: Director,
}

impl Run<'_> {
    /// Whether the SPRT of two players has reached a verdict. Checked after every pair, in schedule
    /// order, so that the deciding pair does not depend on threads.
    fn is_decided(&self, tally: &RunTally) -> bool {
        match tally.pairings() {
            [pairing] if self.loaded.stages.look.is_none() => self.has_verdict(pairing),
            _ => false,
        }
    }

    fn has_verdict(&self, pairing: &PairingTally) -> bool {
        let verdict = |sprt: &Sprt| sprt.verdict(sprt.llr(&pairing.pairs));
        let verdict = self.sprt().map(verdict);
        verdict.is_some_and(|verdict| verdict != Verdict::Continue)
    }

    /// The same, with the error rates of all pairings together.
    fn has_verdict_among(&self, pairing: &PairingTally, tally: &RunTally) -> bool {
        let Some(sprt) = self.sprt() else {
            return false;
        };
        let verdicts = tally.verdicts(sprt, self.loaded.manifest.family());
        let found = tally.pairings().iter().zip(verdicts);
        let mut own = found.filter(|(other, _)| *other == pairing);
        own.any(|(_, verdict)| verdict != Verdict::Continue)
    }

    /// Counts a pair, and prints it for --json. Returns the stage that it ended.
    fn count(&self, counts: &mut Counts, rows: [&GameRow; 2]) -> Option<Closed> {
        let Counts { tally, director } = counts;
        rows.into_iter().for_each(|row| tally.push(row));
        if self.json {
            print(&live::json(rows, tally, self.loaded.sprt.as_ref()));
        }
        // The pairing's first player has white in the first game.
        let results = [
            player_result(rows[0].result, Side::White),
            player_result(rows[1].result, Side::Black),
        ];
        let points = results.map(|result| match result {
            PlayerResult::Win => 2,
            PlayerResult::Draw => 1,
            PlayerResult::Loss => 0,
        });
        let players = &self.loaded.experiment.players;
        let is_decided = |pairing: Pairing| {
            let names = [pairing.first, pairing.second].map(|index| players[index].name.as_str());
            let found = tally.pairing_of(names[0], names[1]);
            found.is_some_and(|pairing| match self.loaded.manifest.family() {
                Some(_) => self.has_verdict_among(pairing, tally),
                None => self.has_verdict(pairing),
            })
        };
        director.see(points.iter().sum(), is_decided)
    }

    fn say_what_is_there(&self, resumed: &Resumed) {
        for removed in &resumed.removed {
            complain(removed);
        }
        if self.quiet {
            return;
        }
        if resumed.pairs > 0 {
            complain(&format!(
                "Resuming: {} of {} games already played",
                resumed.pairs * 2,
                (self.pairs().1 + 1 - self.pairs().0) * 2
            ));
        }
    }

    /// The check of `--expect`.
    fn check_expectation(&self, tally: &RunTally) -> Done {
        let (Some(wanted), Some(sprt)) = (self.expected, &self.loaded.sprt) else {
            return Ok(());
        };
        let pairs = tally.pairings().first().map(|pairing| pairing.pairs);
        let verdict = sprt.verdict(sprt.llr(&pairs.unwrap_or_default()));
        if verdict == wanted {
            return Ok(());
        }
        let message = format!(
            "expected {}, but the verdict is {}",
            wanted.name(),
            verdict.name()
        );
        Err(Failure::check_failed(message))
    }

    fn show(&self, standings: &Standings, forfeits: &Forfeits, director: &Director) {
        let mut text = standings_text(standings);
        text.push_str(&stages::result(director, &self.loaded.experiment.players));
        if self.loaded.stages.look.is_some() {
            text.push_str(&stages::decided(self.loaded, standings));
        }
        if let (Some(sprt), [pairing], None) = (
            &self.loaded.sprt,
            &standings.pairings[..],
            self.loaded.stages.look,
        ) {
            let llr = sprt.llr(&pairing.pairs);
            let (played, all) = (pairing.pairs.pairs(), self.loaded.stages.pairs_each);
            let verdict = sprt.verdict(llr);
            // All pairs are played: the test cannot end by itself any more.
            let spent = match verdict == Verdict::Continue && played >= all {
                true => format!(
                    ": no verdict within the {} allowed; run again with more --pairs",
                    counted(all, "pair")
                ),
                false => String::new(),
            };
            text.push_str(&format!(
                "SPRT {}: LLR {llr:.2} ({:.2}, {:.2}) after {}: {}{spent}\n",
                sprt.model().name(),
                sprt.lower_bound(),
                sprt.upper_bound(),
                counted(played, "pair"),
                verdict.name()
            ));
        }
        text.push_str(&forfeits.text(self.directory));
        text.push_str(&latency::text(self.directory));
        if !self.loaded.not_reproducible.is_empty() {
            let reasons = self.loaded.not_reproducible.join(", ");
            text.push_str(&format!("not reproducible: {reasons}\n"));
        }
        text.push_str(&format!("run: {}\n", self.directory.display()));
        if self.json {
            tell(&text);
        } else {
            print(&text);
        }
    }
}

/// Writes tables, charts and pages; returns the data they are made from.
pub(super) fn write_tables(
    loaded: &Loaded,
    directory: &Path,
    inputs: &Inputs,
) -> Result<ReportData, Failure> {
    let data = report::read(&[directory.to_path_buf()])?;
    let mut files = RunFiles::begin_all(directory, |name| inputs.has(name))?;
    data.standings.write(&mut files)?;
    if let Some(race) = &data.race {
        let players = loaded.experiment.players.iter();
        let names: Vec<&str> = players.map(|player| player.name.as_str()).collect();
        write_race(race, &names, &mut files)?;
    }
    let rules = replayer(loaded.game);
    report::write_all(&data, &mut files, Some(rules.as_ref()))?;
    files.seal()?;
    Ok(data)
}
