//! `sparring tune` with the method `train`: a net or patterns instead of better numbers.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::tune::{Played, Tune};
use super::{Done, Failure, complain, print, stop_on_interrupt};
use crate::config::{DataSource, Proof};
use crate::eval::net::NetShape;
use crate::eval::{Learnt, Weights};
use crate::play::{PlayerKind, PlayerSpec, Runner, SearchSpec};
use crate::record::{
    RecordError, RunFiles, RunLock, Trajectory, TrajectoryColumns, TrajectoryRow, replace_file,
};
use crate::report;
use crate::tune::positions::{Read, read_file};
use crate::tune::quiet::Judge;
use crate::tune::train::{
    FloatPatterns, Learner, Train, TrainData, TrainFigures, TrainSettings, train_data, usual_scale,
};

/// The state after the last step, in the run directory.
pub const CHECKPOINT: &str = "checkpoint.safetensors";

impl Tune<'_> {
    /// Trains, proves and reports. The run directory is entered.
    pub(super) fn train(&self, lock: RunLock, mut files: RunFiles) -> Done {
        let loaded = self.loaded;
        let player = &loaded.space.player;
        let Some(search) = player.search() else {
            return Err(Failure::bad_input(format!(
                "player `{}` is an engine: train needs a player with an evaluator",
                player.name
            )));
        };
        let learner = self.first_learner(search)?;
        let mut settings = loaded.train.clone();
        let (data, taken) = self.training_data(&mut files, search, &mut settings)?;
        self.say(&data_text(&data));
        let seed = loaded.experiment.seed;
        let mut train = Train::new(learner, settings, data, seed);
        let lock = self.follow_training(lock, &mut train)?;
        let learnt = train.learnt(loaded.game.name(), self.provenance(&train));
        let learnt = learnt.map_err(Failure::bad_input)?;
        let (mean, most) = train.quantisation_error(&learnt);
        let unit = loaded.game.evaluators().units().unit;
        let quantising =
            format!("quantising changes scores by {mean:.2} {unit} on average, {most:.2} at most");
        files.replace(&learnt.file_name(), &learnt.to_bytes())?;
        let tuned = PlayerSpec {
            kind: PlayerKind::Search(SearchSpec {
                evaluator: learnt.evaluator(),
                weights: Weights::of_learnt(learnt.clone()),
                options: search.options.clone(),
            }),
            ..player.clone()
        };
        let spent = format!("{} positions, {quantising}", train.data().train.len());
        let write = |files: &mut RunFiles, proofs: &[Proof], earlier: &[String]| {
            let text = loaded.weights_file(&[], &tuned, &spent, proofs, earlier);
            files.replace("weights.toml", text.as_bytes())
        };
        // Also written before the validation, in case that is interrupted.
        write(&mut files, &[], &[])?;
        let mut runner = Runner::new(loaded.game, self.threads)?;
        let played = Played { used: 0, taken };
        let (proofs, earlier) =
            self.prove(&mut files, &mut runner, self.terms()?, &tuned, played)?;
        write(&mut files, &proofs, &earlier)?;
        let data = report::read(&[self.directory.to_path_buf()])?;
        report::write_all(&data, &mut files, None)?;
        files.seal()?;
        lock.release();
        let last = train.last();
        let mut text = format!("{}\n{quantising}\n", figures_text(&last));
        text.push_str(LOSS_IS_NOT_STRENGTH);
        for proof in &proofs {
            text.push_str(&format!("{}\n", proof.text()));
        }
        for line in &earlier {
            text.push_str(&format!("{line}\n"));
        }
        let path = self.directory.join(learnt.file_name());
        text.push_str(&format!("{}: {}\n", learnt.evaluator(), path.display()));
        text.push_str(&format!("run: {}\n", self.directory.display()));
        print(&text);
        Ok(())
    }

    /// Where training starts: from the player's own numbers if they were learnt, otherwise from nothing.
    fn first_learner(&self, search: &SearchSpec) -> Result<Learner, Failure> {
        let settings = &self.loaded.train;
        let name = &self.loaded.space.player.name;
        let learner = match (search.weights.learnt(), &settings.patterns) {
            (Some(Learnt::Patterns(patterns)), Some(set)) if patterns.parts().set != *set => {
                return Err(Failure::bad_input(format!(
                    "player `{name}` has other patterns than tune.patterns; leave one of them out"
                )));
            }
            (Some(Learnt::Net(_)), Some(_)) => {
                return Err(Failure::bad_input(format!(
                    "player `{name}` is a net: it cannot be trained into patterns; name it as tune.teacher"
                )));
            }
            (Some(learnt), _) => Learner::of(learnt),
            (None, Some(set)) => Learner::Patterns(FloatPatterns::zero(set.clone())),
            (None, None) => {
                let layout = self.loaded.game.facts().layout;
                let shape = NetShape::of(&layout, settings.hidden, settings.buckets);
                Learner::random_net(shape, self.loaded.experiment.seed)
            }
        };
        if let Learner::Net(net) = &learner
            && !net.is_trainable()
        {
            return Err(Failure::bad_input(format!(
                "the net of player `{name}` has {} hidden units; train needs a multiple of 16",
                net.shape.hidden
            )));
        }
        Ok(learner)
    }

    fn training_data(
        &self,
        files: &mut RunFiles,
        search: &SearchSpec,
        settings: &mut TrainSettings,
    ) -> Result<(TrainData, HashSet<u64>), Failure> {
        let loaded = self.loaded;
        let paths = match &loaded.data {
            DataSource::Files(paths) => paths.clone(),
            DataSource::SelfPlay(further) => {
                let config = loaded.self_play_config()?;
                let own = self.play_match(files, "games", &config)?.join("games.csv");
                [vec![own], further.clone()].concat()
            }
        };
        let mut read = Read::default();
        for path in &paths {
            read_file(loaded.game, path, &mut read).map_err(Failure::bad_input)?;
        }
        let judge = Judge {
            game: loaded.game,
            preset: search.evaluator,
            weights: &search.weights,
        };
        let teacher = loaded.teacher.as_ref().map(|(preset, weights)| Judge {
            game: loaded.game,
            preset,
            weights,
        });
        if settings.scale == 0.0 {
            settings.scale = match search.weights.learnt() {
                Some(learnt) => learnt.scale(),
                None => usual_scale(loaded.game, &read.positions, teacher),
            };
        }
        let taken = read.hashes(loaded.game.rules());
        let numbers = (loaded.budget, loaded.experiment.seed);
        let data = train_data(read, settings, judge, teacher, numbers);
        Ok((data.map_err(Failure::bad_input)?, taken))
    }

    /// Trains to the end, with a checkpoint and a row of the log after each step.
    fn follow_training(&self, lock: RunLock, train: &mut Train) -> Result<RunLock, Failure> {
        let columns = TrajectoryColumns {
            figures: TrainFigures::NAMES.map(str::to_string).to_vec(),
            parameters: Vec::new(),
        };
        let (mut log, found) = Trajectory::open(lock, &self.identity(), &columns)?;
        found.removed.iter().for_each(|removed| complain(removed));
        let path = self.directory.join(CHECKPOINT);
        if path.exists() {
            let bytes = std::fs::read(&path).map_err(|error| RecordError::io(&path, &error))?;
            let wrong = |what| Failure::bad_input(format!("{}: {what}", path.display()));
            train.restore(&bytes).map_err(wrong)?;
        }
        let logged = found.rows.len() as u64;
        // A kill may come between the checkpoint and its row.
        if train.step() == logged + 1 {
            log.append(&row(train))?;
        } else if train.step() != logged {
            return Err(Failure::bad_input(format!(
                "{}: of step {}, but the log has {logged} steps; restore the files, or use --fresh",
                path.display(),
                train.step()
            )));
        }
        if train.step() > 0 {
            self.say(&format!(
                "Resuming after {} of {} steps",
                train.step(),
                train.steps()
            ));
        }
        while !train.is_done() {
            if stop_on_interrupt().load(Ordering::Relaxed) {
                log.close()?.release();
                return Err(Failure::interrupted(format!(
                    "interrupted after {} steps; run the same command again to resume",
                    train.step()
                )));
            }
            let began = Instant::now();
            let figures = train.advance();
            let speed = figures.positions as f64 / began.elapsed().as_secs_f64().max(1e-9);
            // A power cut must not leave a checkpoint that is more than one step ahead of the log.
            log.sync()?;
            replace_file(&path, &train.checkpoint())?;
            log.append(&row(train))?;
            self.say(&format!(
                "step {} of {}: {}; {:.0} positions/s",
                train.step(),
                train.steps(),
                figures_text(&figures),
                speed
            ));
        }
        Ok(log.close()?)
    }

    /// What the file of the net says of its making.
    fn provenance(&self, train: &Train) -> std::collections::BTreeMap<String, String> {
        let (loaded, settings) = (self.loaded, &self.loaded.train);
        let labels = match settings.teacher.is_empty() {
            true => format!("results, score_share {}", settings.score_share),
            false => format!("static scores of {}", settings.teacher),
        };
        let data = match &loaded.data {
            DataSource::SelfPlay(further) if further.is_empty() => "self-play".to_string(),
            DataSource::SelfPlay(further) => format!("self-play and {} files", further.len()),
            DataSource::Files(files) => {
                let name = |path: &std::path::PathBuf| {
                    path.file_name()
                        .unwrap_or_default()
                        .to_string_lossy()
                        .into_owned()
                };
                files.iter().map(name).collect::<Vec<_>>().join(", ")
            }
        };
        let entries = [
            (
                "made_by",
                format!("sparring {}, tune.method train", env!("CARGO_PKG_VERSION")),
            ),
            ("run", loaded.name.clone()),
            ("seed", loaded.experiment.seed.to_string()),
            ("labels", labels),
            ("data", data),
            ("positions", train.data().train.len().to_string()),
            ("epochs", train.epochs().to_string()),
            ("loss", settings.loss.name().to_string()),
        ];
        entries.map(|(key, value)| (key.to_string(), value)).into()
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            complain(text);
        }
    }
}

/// Printed with every net.
const LOSS_IS_NOT_STRENGTH: &str =
    "loss is not strength: the search visits positions that games never contain; matches decide\n";

fn row(train: &Train) -> TrajectoryRow {
    TrajectoryRow {
        iteration: train.step(),
        games: 0,
        figures: train.last().values(),
        results: Vec::new(),
        values: Vec::new(),
    }
}

fn figures_text(figures: &TrainFigures) -> String {
    let validation = match figures.validation_loss {
        Some(loss) => format!(", validation {loss:.6}"),
        None => String::new(),
    };
    format!(
        "loss {:.6}{validation}, rate {:.6}",
        figures.train_loss, figures.rate
    )
}

fn data_text(data: &TrainData) -> String {
    let report = &data.report;
    format!(
        "data: {} positions of {} games read, {} invalid lines, {} duplicates, {} not quiet or finished; {} rows for training, {} for validation",
        report.positions,
        report.games,
        report.bad,
        report.duplicates,
        report.not_quiet,
        data.train.len(),
        data.validation.len()
    )
}
