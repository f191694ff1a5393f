//! `sparring tune`: finds better numbers for a player, and validates them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;

#[cfg(feature = "cluster")]
use super::cluster::{self, ClusterArgs};
use super::engines::logs_in;
use super::keep::Inputs;
use super::plan::print_forecast;
use super::play_args::PlayArgs;
use super::progress::Progress;
use super::run::{RunOptions, keep_aside, play_loaded};
use super::table::TextTable;
use super::validation::Validation;
use super::{Done, Failure, complain, print, stop_on_interrupt, trimmed};
#[cfg(feature = "cluster")]
use crate::cluster::{ClusterArena, SharedCrew};
use crate::config::{self, DataSource, LoadedTune, Proof, without_pairs, without_validation};
use crate::eval::Term;
use crate::play::{PlayerSpec, Runner};
use crate::record::figures::p_value;
use crate::record::{
    Identity, ParameterRow, RunFiles, RunLock, Slice, Timings, Trajectory, TrajectoryRow,
    ValidationRow, check_listed,
};
use crate::report;
use crate::stats::{holm, two_sided_z};
use crate::tune::positions::{DataReport, Dataset, Read, dataset, read_file};
use crate::tune::{Arena, Course, CourseEnd, Feed, Findings, GameArena, Tuner, TunerSetup};

#[derive(Args)]
pub struct TuneArgs {
    /// The config with a section `[tune]`, a TOML file, or - for standard input; see `sparring new`
    pub config: PathBuf,
    #[command(flatten)]
    pub play: PlayArgs,
    /// Play up to this many games (sets tune.budget); also extends a finished run
    #[arg(long, value_name = "GAMES")]
    pub budget: Option<u64>,
}

pub fn run(args: &TuneArgs) -> Done {
    let loaded = config::load_tune(&args.config, &args.play.set)?;
    if args.budget.is_some() && loaded.row.feed != Feed::Games {
        return Err(Failure::bad_input(
            "--budget counts games; for fit and train, set tune.budget (positions)",
        ));
    }
    run_loaded(loaded, &args.play, args.budget)
}

/// Tunes by a config that has been read.
pub(super) fn run_loaded(mut loaded: LoadedTune, play: &PlayArgs, budget: Option<u64>) -> Done {
    let directory = play.prepare(&loaded.name, &loaded.warnings)?;
    loaded.experiment.conduct.engine_logs = Some(logs_in(&directory, loaded.engine_log));
    let budget = budget.unwrap_or(loaded.budget);
    let threads = play.threads(match loaded.row.feed {
        Feed::Games => (budget / 2).max(loaded.validate_pairs),
        Feed::Positions | Feed::Net => u64::MAX,
    });
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::bad_input(format!("--threads {threads}: {error}")))?;
    let tune = Tune {
        loaded: &loaded,
        directory: &directory,
        threads,
        budget,
        quiet: play.quiet,
        #[cfg(feature = "cluster")]
        cluster: &play.cluster,
    };
    if !tune.quiet && loaded.validate_pairs > 0 {
        print_forecast(Some(&loaded.sprt), loaded.validate_pairs);
    }
    pool.install(|| tune.run())
}

pub(super) struct Tune<'a> {
    pub loaded: &'a LoadedTune,
    pub directory: &'a Path,
    pub threads: usize,
    pub budget: u64,
    pub quiet: bool,
    #[cfg(feature = "cluster")]
    pub cluster: &'a ClusterArgs,
}

/// What tuning has seen of the openings.
pub(super) struct Played {
    /// Opening pairs played.
    pub used: u64,
    /// Hashes of the positions of the data.
    pub taken: HashSet<u64>,
}

impl Tune<'_> {
    fn run(&self) -> Done {
        let loaded = self.loaded;
        let game = loaded.game;
        // Bad data leave no run directory behind.
        let given = self.given_positions()?;
        let lock = RunLock::take(self.directory)?;
        let inputs = Inputs::read(loaded.openings_file.as_ref(), &loaded.experiment.players)?;
        let identity = Identity {
            inputs: inputs.files(),
            ..self.identity()
        };
        identity.enter(self.directory, "trajectory.csv")?;
        let mut files = RunFiles::begin_all(self.directory, |name| inputs.has(name))?;
        let terms = self.terms()?;
        let has_begun = |name: &str| self.directory.join(name).exists();
        inputs.keep(
            self.directory,
            has_begun("trajectory.csv") || has_begun("games"),
        )?;
        let (positions, taken) = match (loaded.row.feed, given) {
            (Feed::Net, _) => return self.train(lock, files),
            (Feed::Games, _) => (None, HashSet::new()),
            (Feed::Positions, Some((data, taken))) => (Some(data), taken),
            (Feed::Positions, None) => {
                let (data, taken) = self.self_play_positions(&mut files)?;
                (Some(data), taken)
            }
        };
        let mut tuner = (loaded.row.build)(TunerSetup {
            space: loaded.space.clone(),
            settings: loaded.settings.clone(),
            positions,
        })
        .map_err(Failure::bad_input)?;
        if loaded.row.feed == Feed::Games {
            for doubt in tuner.doubts(self.budget) {
                complain(&format!("warning: {doubt}"));
            }
        }
        let mut runner = Runner::new(game, self.threads)?;
        let (games, lock) = self.play_course(lock, tuner.as_mut(), &mut runner, &inputs)?;
        let findings = tuner.findings(&loaded.space);
        for warning in &findings.warnings {
            complain(&format!("note: {warning}"));
        }
        let tuned = loaded.space.player_with(&tuner.estimate());
        let spent = match loaded.row.feed {
            Feed::Games => format!("{games} games"),
            Feed::Positions | Feed::Net => "labelled positions".to_string(),
        };
        self.write_findings(&mut files, &findings)?;
        let write = |files: &mut RunFiles, proofs: &[Proof], earlier: &[String]| {
            let text = loaded.weights_file(terms, &tuned, &spent, proofs, earlier);
            files.replace("weights.toml", text.as_bytes())
        };
        // Also written before the validation, in case that is interrupted.
        write(&mut files, &[], &[])?;
        let played = Played {
            used: games / 2,
            taken,
        };
        let (proofs, earlier) = self.prove(&mut files, &mut runner, terms, &tuned, played)?;
        write(&mut files, &proofs, &earlier)?;
        let data = report::read(&[self.directory.to_path_buf()])?;
        report::write_all(&data, &mut files, None)?;
        files.seal()?;
        lock.release();
        self.show(&findings, &proofs, &earlier);
        Ok(())
    }
}

impl Tune<'_> {
    /// The terms of the player; none for an engine, whose options only it knows.
    pub fn terms(&self) -> Result<&'static [Term], Failure> {
        let Some(search) = self.loaded.space.player.search() else {
            return Ok(&[]);
        };
        let preset = self.loaded.game.evaluators().preset(search.evaluator);
        let preset =
            preset.ok_or_else(|| Failure::bad_input("the evaluator is not one of this game"))?;
        Ok(preset.terms())
    }

    /// The validation matches, and what earlier tries showed. Writes `validation.csv`.
    pub fn prove(
        &self,
        files: &mut RunFiles,
        runner: &mut Runner,
        terms: &[Term],
        tuned: &PlayerSpec,
        played: Played,
    ) -> Result<(Vec<Proof>, Vec<String>), Failure> {
        let validation = Validation {
            loaded: self.loaded,
            directory: self.directory,
            terms,
            tuned,
            used: played.used,
            taken: played.taken,
            quiet: self.quiet,
            play: &|files, name, config| self.play_match(files, name, config),
        };
        let proofs = validation.play(files, runner)?;
        ValidationRow::write_all(files, &Proof::rows(&proofs))?;
        Ok((proofs, validation.earlier()?))
    }

    pub fn identity(&self) -> Identity<'_> {
        Identity {
            essence: without_validation,
            ..Identity::new(&self.loaded.resolved, &self.loaded.manifest)
        }
    }

    /// Runs until the budget is used up, here or on a cluster. Returns the number of games.
    fn play_course(
        &self,
        lock: RunLock,
        tuner: &mut dyn Tuner,
        runner: &mut Runner,
        inputs: &Inputs,
    ) -> Result<(u64, RunLock), Failure> {
        let loaded = self.loaded;
        let (experiment, space) = (&loaded.experiment, &loaded.space);
        let stop = stop_on_interrupt();
        #[cfg(feature = "cluster")]
        if loaded.row.feed == Feed::Games {
            let crew = SharedCrew::default();
            let opened = self
                .cluster
                .for_tuning(loaded, self.directory, inputs, crew.clone())?;
            if let Some(mut coordinator) = opened {
                let mut arena = ClusterArena {
                    experiment,
                    space,
                    coordinator: &mut coordinator,
                    stop,
                };
                let others = || format!("; {}", crew.words());
                let done = self.follow_course(lock, tuner, &mut arena, &others);
                cluster::close(coordinator, done.is_ok(), self.quiet)?;
                return done;
            }
        }
        let _ = inputs;
        let mut arena: GameArena<'_> = GameArena {
            experiment,
            space,
            runner,
            stop,
        };
        self.follow_course(lock, tuner, &mut arena, &String::new)
    }

    /// Returns the number of games. `others` says something about those who play.
    fn follow_course(
        &self,
        lock: RunLock,
        tuner: &mut dyn Tuner,
        arena: &mut dyn Arena,
        others: &dyn Fn() -> String,
    ) -> Result<(u64, RunLock), Failure> {
        let loaded = self.loaded;
        let budget = (loaded.row.feed == Feed::Games).then_some(self.budget);
        let mut course = Course::new(tuner, &loaded.space, loaded.experiment.seed, budget);
        let (mut log, found) = Trajectory::open(lock, &self.identity(), &course.columns())?;
        let rows = found.rows;
        found.removed.iter().for_each(|removed| complain(removed));
        course.replay(log.path(), &rows)?;
        if !rows.is_empty() && !self.quiet {
            complain(&format!(
                "Resuming after {} iterations",
                course.iterations()
            ));
        }
        let before = course.games();
        let mut progress = Progress::new(self.budget.max(1), before, self.quiet);
        let watch = &mut |row: &TrajectoryRow, tuner: &dyn Tuner| match budget {
            Some(budget) => {
                progress.show(row.games.min(budget), || {
                    tuner.status(&loaded.space) + &others()
                });
            }
            None if !self.quiet => complain(&tuner.status(&loaded.space)),
            None => {}
        };
        let end = course
            .run(arena, &mut log, watch)
            .map_err(Failure::bad_input)?;
        progress.finish();
        let timings = Timings {
            threads: self.threads,
            seconds: progress.seconds(),
            games_per_second: None,
        };
        timings.write(self.directory)?;
        let lock = log.close()?;
        let games = course.games();
        match end {
            CourseEnd::Done => Ok((games, lock)),
            CourseEnd::Interrupted => {
                lock.release();
                Err(Failure::interrupted(format!(
                    "interrupted after {games} games; run the same command again to resume"
                )))
            }
        }
    }

    /// The positions of the data files that a fit learns from; `None` if it learns from its games.
    fn given_positions(&self) -> Result<Option<(Dataset, HashSet<u64>)>, Failure> {
        match (self.loaded.row.feed, &self.loaded.data) {
            (Feed::Positions, DataSource::Files(files)) => self.positions(files).map(Some),
            _ => Ok(None),
        }
    }

    /// Plays the config's match and returns its positions.
    fn self_play_positions(
        &self,
        files: &mut RunFiles,
    ) -> Result<(Dataset, HashSet<u64>), Failure> {
        let config = self.loaded.self_play_config()?;
        let own = self.play_match(files, "games", &config)?.join("games.csv");
        let further = match &self.loaded.data {
            DataSource::SelfPlay(files) | DataSource::Files(files) => files.clone(),
        };
        self.positions(&[vec![own], further].concat())
    }

    /// Reads labelled positions and reports their statistics. Also returns the hashes of all of them
    /// and of the openings of their games.
    fn positions(&self, files: &[PathBuf]) -> Result<(Dataset, HashSet<u64>), Failure> {
        let loaded = self.loaded;
        let game = loaded.game;
        let mut read = Read::default();
        for file in files {
            read_file(game, file, &mut read).map_err(Failure::bad_input)?;
        }
        let fit = &loaded.settings.fit;
        let seed = loaded.experiment.seed;
        let taken = read.hashes(game.rules());
        let data = dataset(game, read, &loaded.space, fit, loaded.budget, seed)
            .map_err(Failure::bad_input)?;
        if !self.quiet {
            complain(&report_text(&data.report));
        }
        Ok((data, taken))
    }

    /// Plays or resumes a match in a separate run directory. Returns the directory.
    pub fn play_match(
        &self,
        files: &mut RunFiles,
        name: &str,
        config: &str,
    ) -> Result<PathBuf, Failure> {
        let file = format!("{name}.toml");
        let path = self.directory.join(&file);
        let directory = self.directory.join(name);
        files.replace(&file, config.as_bytes())?;
        // One player may play itself for labelled games.
        let loaded = config::load(&path, &[])?;
        // Another config of the same name belongs to earlier weights.
        if let Ok(old) = std::fs::read(directory.join("config.toml")) {
            check_listed(&directory, "config.toml", &old)?;
            let old = String::from_utf8_lossy(&old);
            // More pairs also move the openings: then the match is another try.
            let has_other_openings = loaded.openings_file.as_ref().is_some_and(|openings| {
                let read = |path: &Path| std::fs::read(path).ok();
                let kept = read(&directory.join(&openings.name));
                kept.is_some_and(|kept| Some(kept) != read(&openings.path))
            });
            if without_pairs(&old) != without_pairs(&loaded.resolved) || has_other_openings {
                keep_aside(&directory)?;
            }
        }
        let options = RunOptions {
            play: PlayArgs {
                out: Some(directory.clone()),
                threads: u16::try_from(self.threads).ok(),
                quiet: self.quiet,
                #[cfg(feature = "cluster")]
                cluster: self.cluster.clone(),
                ..PlayArgs::default()
            },
            ..RunOptions::default()
        };
        play_loaded(loaded, &options)?;
        Ok(directory)
    }

    fn write_findings(&self, files: &mut RunFiles, findings: &Findings) -> Result<(), Failure> {
        let parameters = self.loaded.space.parameters.iter();
        let rows = parameters.zip(&findings.parameters).zip(p_values(findings));
        let rows = rows.map(|((parameter, found), p_holm)| ParameterRow {
            name: parameter.name.clone(),
            start: parameter.start,
            value: found.value,
            low: Some(parameter.range.0),
            high: Some(parameter.range.1),
            error: found.error,
            z: found.z,
            support: found.support,
            interval: found.interval,
            note: found.note.to_string(),
            p_holm,
        });
        ParameterRow::write_all(files, &rows.collect::<Vec<_>>())?;
        if let Some(correlations) = &findings.correlations {
            correlations.write(files)?;
        }
        if let Some(grid) = &findings.grid {
            grid.write(files)?;
        }
        if !findings.slices.is_empty() {
            Slice::write_all(files, &findings.slices)?;
        }
        Ok(())
    }

    fn show(&self, findings: &Findings, proofs: &[Proof], earlier: &[String]) {
        let mut text = weights_text(self.loaded, findings);
        for proof in proofs {
            text.push_str(&format!("{}\n", proof.text()));
        }
        for line in earlier {
            text.push_str(&format!("{line}\n"));
        }
        if self.loaded.validate {
            let rows = Proof::rows(proofs);
            text.push_str(&format!("{}\n", report::tuning_headline(&rows).text));
        }
        text.push_str(&format!("run: {}\n", self.directory.display()));
        print(&text);
    }
}

/// P-values of all changes, adjusted for their number.
fn p_values(findings: &Findings) -> Vec<Option<f64>> {
    let each = findings.parameters.iter().map(|it| it.z.map(two_sided_z));
    holm(&each.collect::<Vec<_>>())
}

/// Rows of the table at the end; the rest is in parameters.csv.
const MOST_ROWS: usize = 40;

fn weights_text(loaded: &LoadedTune, findings: &Findings) -> String {
    let mut table = TextTable::new(
        1,
        &[
            "parameter",
            "start",
            "tuned",
            "error",
            "95 % interval",
            "z",
            "p (Holm)",
            "seen in",
            "",
        ],
    );
    let p_values = p_values(findings);
    let number = |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.2}"));
    let mut order: Vec<usize> = (0..findings.parameters.len()).collect();
    if order.len() > MOST_ROWS {
        // Clearest changes first, if not all fit.
        let z = |index: usize| findings.parameters[index].z.unwrap_or(0.0).abs();
        order.sort_by(|a, b| z(*b).total_cmp(&z(*a)).then(a.cmp(b)));
    }
    for &index in order.iter().take(MOST_ROWS) {
        let (parameter, found) = (&loaded.space.parameters[index], &findings.parameters[index]);
        table.row(vec![
            parameter.name.clone(),
            trimmed(parameter.start),
            trimmed(parameter.nearest(found.value)),
            number(found.error),
            found
                .interval
                .map_or_else(String::new, |(low, high)| format!("{low:.2} to {high:.2}")),
            number(found.z),
            p_value(p_values[index]),
            found
                .support
                .map_or(String::new(), |count| count.to_string()),
            found.note.to_string(),
        ]);
    }
    let mut text = table.text();
    if order.len() > MOST_ROWS {
        text.push_str(&format!(
            "... and {} more in parameters.csv\n",
            order.len() - MOST_ROWS
        ));
    }
    text
}

fn report_text(report: &DataReport) -> String {
    let mut text = format!(
        "data: {} positions of {} games read, {} duplicates, {} not quiet or finished, {} over the budget; {} for training, {} for validation, {:.1} coefficients each; white won {}, drew {}, lost {}",
        report.lines - report.bad_count,
        report.games,
        report.duplicates,
        report.not_quiet,
        report.left_out,
        report.train,
        report.validation,
        report.coefficients as f64 / (report.train + report.validation).max(1) as f64,
        report.balance.wins,
        report.balance.draws,
        report.balance.losses
    );
    if report.bad_count > 0 {
        text.push_str(&format!(
            "\n{} invalid lines, for example:",
            report.bad_count
        ));
        for bad in &report.bad {
            text.push_str(&format!("\n  {bad}"));
        }
    }
    text
}
