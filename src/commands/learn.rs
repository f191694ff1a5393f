//! `sparring learn`: trainings in a row, each from games of the best evaluator so far.
//!
//! Each generation is a separate tuning run in a subdirectory: self-play, training and
//! proof. What is better becomes the player of the next one. The log has a row per generation, so
//! that a run resumes at any point with the same bytes.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;

use super::keep::Inputs;
use super::play_args::PlayArgs;
use super::tune::{Tune, run_loaded};
use super::validation::pairs_of;
use super::{Done, Failure, complain, print, stop_on_interrupt};
use crate::config::{self, LearnSettings, LoadedTune, quoted};
use crate::play::PlayerSpec;
use crate::record::{
    Identity, RecordError, RunFiles, RunLock, Trajectory, TrajectoryColumns, TrajectoryRow,
    ValidationRow, keep_input, read_run_games,
};
use crate::report;
use crate::stats::{Estimate, Summary};
use crate::tune::Feed;

#[derive(Args)]
pub struct LearnArgs {
    /// The config with sections `[tune]` (method train) and `[learn]`; see `sparring new`
    pub config: PathBuf,
    #[command(flatten)]
    pub play: PlayArgs,
    /// Train up to this many generations (sets learn.generations); also extends a finished run
    #[arg(long, value_name = "N")]
    pub generations: Option<u64>,
}

/// Columns of the log: whether the generation was kept, and its Elo above the anchor.
const FIGURES: [&str; 4] = ["kept", "elo", "elo_low", "elo_high"];

pub fn run(args: &LearnArgs) -> Done {
    let mut set = args.play.set.clone();
    if let Some(generations) = args.generations {
        set.push(format!("learn.generations={generations}"));
    }
    let loaded = config::load_tune(&args.config, &set)?;
    let shown = args.config.display();
    if loaded.row.feed != Feed::Net {
        return Err(Failure::bad_input(format!(
            "{shown}: tune.method = \"{}\": learn repeats the method train",
            loaded.row.name
        )));
    }
    let Some(settings) = loaded.learn.clone() else {
        return Err(Failure::bad_input(format!(
            "{shown}: no [learn]; add one, for example `[learn]` with `generations = 10`"
        )));
    };
    let directory = args.play.prepare(&loaded.name, &loaded.warnings)?;
    // Nested configs name files from other directories.
    let directory = std::path::absolute(&directory).unwrap_or(directory);
    let learn = Learn {
        args,
        set,
        settings,
        threads: args.play.threads(u64::MAX),
        directory,
        base: loaded,
    };
    learn.follow()
}

struct Learn<'a> {
    args: &'a LearnArgs,
    /// Changes of the config.
    set: Vec<String>,
    settings: LearnSettings,
    threads: usize,
    /// Of all generations.
    directory: PathBuf,
    base: LoadedTune,
}

impl Learn<'_> {
    fn follow(&self) -> Done {
        let (base, directory) = (&self.base, &self.directory);
        let lock = RunLock::take(directory)?;
        let inputs = Inputs::read(base.openings_file.as_ref(), &base.experiment.players)?;
        let identity = Identity {
            essence: config::without_generations,
            inputs: inputs.files(),
            ..Identity::new(&base.resolved, &base.manifest)
        };
        identity.enter(directory, "trajectory.csv")?;
        let mut files = RunFiles::begin(directory, |name| !report::is_written(name))?;
        inputs.keep(directory, directory.join("trajectory.csv").exists())?;
        let columns = TrajectoryColumns {
            figures: FIGURES.map(str::to_string).to_vec(),
            parameters: Vec::new(),
        };
        let (mut log, found) = Trajectory::open(lock, &identity, &columns)?;
        found.removed.iter().for_each(|removed| complain(removed));
        let mut rows = found.rows;
        if !rows.is_empty() {
            let done = rows.len();
            self.say(&format!(
                "Resuming after {done} of {} generations",
                self.settings.generations
            ));
        }
        while (rows.len() as u64) < self.settings.generations {
            if stop_on_interrupt().load(Ordering::Relaxed) {
                log.close()?.release();
                return Err(Failure::interrupted(format!(
                    "interrupted after {} generations; run the same command again to resume",
                    rows.len()
                )));
            }
            let row = self.generation(&mut files, &rows)?;
            log.append(&row)?;
            self.say(&text_of(&row));
            rows.push(row);
        }
        let lock = log.close()?;
        let data = report::read(std::slice::from_ref(directory))?;
        report::write_all(&data, &mut files, None)?;
        files.seal()?;
        lock.release();
        let mut text: String = rows.iter().map(|row| text_of(row) + "\n").collect();
        if let Some(best) = self.best(&rows)? {
            text.push_str(&format!("best: {}\n", best.display()));
        }
        text.push_str(&format!("run: {}\n", directory.display()));
        print(&text);
        Ok(())
    }

    /// Plays, trains and proves the next generation.
    fn generation(
        &self,
        files: &mut RunFiles,
        rows: &[TrajectoryRow],
    ) -> Result<TrajectoryRow, Failure> {
        let number = rows.len() as u64 + 1;
        let best = self.best(rows)?;
        let loaded = config::load_tune(&self.args.config, &self.changes(number, best.as_deref()))?;
        let directory = self.directory_of(number);
        let play = PlayArgs {
            out: Some(directory.clone()),
            threads: u16::try_from(self.threads).ok(),
            quiet: self.args.play.quiet,
            ..PlayArgs::default()
        };
        self.say(&format!(
            "generation {number} of {}",
            self.settings.generations
        ));
        run_loaded(loaded, &play, None)?;
        let proofs = ValidationRow::read_all(&directory)?;
        let kept = ValidationRow::prove_gain(&proofs);
        let elo = match kept && self.settings.measure_pairs > 0 {
            true => Some(self.measure(files, number)?.elo),
            false => None,
        };
        let of = |pick: fn(&Estimate) -> Option<f64>| elo.as_ref().and_then(pick);
        let mut games = rows.last().map_or(0, |row| row.games);
        read_run_games(&directory.join("games"), |_, _| {
            games += 1;
            Ok(())
        })?;
        Ok(TrajectoryRow {
            iteration: number,
            games,
            figures: vec![
                Some(f64::from(u8::from(kept))),
                of(|elo| elo.value),
                of(|elo| elo.low),
                of(|elo| elo.high),
            ],
            results: Vec::new(),
            values: Vec::new(),
        })
    }

    /// A match of fixed length of a generation against the anchor.
    fn measure(&self, files: &mut RunFiles, number: u64) -> Result<Summary, Failure> {
        let file = self.file_of(number)?;
        let bytes = std::fs::read(&file).map_err(|error| RecordError::io(&file, &error))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        keep_input(&self.directory, &name, &bytes)?;
        let base = &self.base;
        let anchor = self.anchor()?;
        let names = [format!("generation {number}"), "anchor".to_string()];
        let config = base.measure_config(
            [&name, &anchor],
            names.each_ref().map(String::as_str),
            self.settings.measure_pairs,
        )?;
        let tune = Tune {
            loaded: base,
            directory: &self.directory,
            threads: self.threads,
            budget: 0,
            quiet: self.args.play.quiet,
            #[cfg(feature = "cluster")]
            cluster: &self.args.play.cluster,
        };
        let directory = tune.play_match(files, &format!("measure-{number:03}"), &config)?;
        Ok(Summary::of_pairs(&pairs_of(&directory, &names[0])?))
    }

    /// The anchor's evaluator as a config beside the log names it; a file is copied there.
    fn anchor(&self) -> Result<String, Failure> {
        let base = &self.base;
        let named = match self.settings.anchor.as_str() {
            "" => None,
            name => Some(config::evaluator(base.game, name, None)?),
        };
        let start = base.space.player.search();
        let found = match (&named, start) {
            (Some((preset, weights)), _) => Some((preset.name(), weights)),
            (None, Some(search)) => Some((search.evaluator, &search.weights)),
            (None, None) => None,
        };
        let (preset, weights) =
            found.ok_or_else(|| Failure::bad_input("the player is an engine: it cannot learn"))?;
        let Some(learnt) = weights.learnt() else {
            return Ok(preset.to_string());
        };
        keep_input(&self.directory, &learnt.file_name(), &learnt.to_bytes())?;
        Ok(learnt.file_name())
    }

    /// What a generation's config changes: name, seed, data, and the evaluator of all players that
    /// have that of the learner.
    fn changes(&self, number: u64, best: Option<&Path>) -> Vec<String> {
        let base = &self.base;
        let first = (number + 1).saturating_sub(self.settings.window).max(1);
        let mut data = vec![quoted("self-play")];
        data.extend((first..number).map(|earlier| {
            let games = self.directory_of(earlier).join("games").join("games.csv");
            quoted(&games.display().to_string())
        }));
        let mut set = self.set.clone();
        let name = format!("{} generation {number}", base.name);
        set.push(format!("name={}", quoted(&name)));
        set.push(format!(
            "seed={}",
            base.experiment.seed.wrapping_add(number)
        ));
        set.push(format!("tune.data=[{}]", data.join(", ")));
        let learns = |player: &&PlayerSpec| {
            let own = base.space.player.search();
            let theirs = player.search();
            theirs
                .zip(own)
                .is_some_and(|(a, b)| (a.evaluator, &a.weights) == (b.evaluator, &b.weights))
        };
        if let Some(best) = best {
            let file = quoted(&best.display().to_string());
            for player in base.experiment.players.iter().filter(learns) {
                set.push(format!("player.{}.evaluator={file}", player.name));
            }
        }
        set
    }

    fn directory_of(&self, number: u64) -> PathBuf {
        self.directory.join(format!("generation-{number:03}"))
    }

    /// The file of the last generation that was kept.
    fn best(&self, rows: &[TrajectoryRow]) -> Result<Option<PathBuf>, Failure> {
        let kept = rows.iter().rev().find(|row| row.figures[0] == Some(1.0));
        kept.map(|row| self.file_of(row.iteration)).transpose()
    }

    /// The evaluator that a generation made.
    fn file_of(&self, number: u64) -> Result<PathBuf, Failure> {
        let weights = self.directory_of(number).join("weights.toml");
        let file = config::net_of_weights(&weights)?;
        file.ok_or_else(|| {
            Failure::bad_input(format!(
                "{}: names no file of an evaluator",
                weights.display()
            ))
        })
    }

    fn say(&self, text: &str) {
        if !self.args.play.quiet {
            complain(text);
        }
    }
}

fn text_of(row: &TrajectoryRow) -> String {
    let verdict = match row.figures[0] {
        Some(1.0) => "kept",
        _ => "dropped: not proven better",
    };
    let elo = match row.figures[1..] {
        [Some(elo), Some(low), Some(high)] => {
            format!(", Elo {elo:+.1} (95 %: {low:+.1} to {high:+.1}) above the anchor")
        }
        [_, Some(low), None] => format!(", Elo above the anchor: more than {low:+.1} (95 %)"),
        [_, None, Some(high)] => format!(", Elo above the anchor: less than {high:+.1} (95 %)"),
        _ => String::new(),
    };
    format!("generation {}: {verdict}{elo}", row.iteration)
}
