//! `--cluster`: pairs are played by the workers of a server. The run itself is that of one machine.

use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::keep::Inputs;
use super::rows::{RecordedPair, Recorder};
use super::{Done, Failure, Interrupts, complain};
use crate::cluster::{
    Address, ClusterError, Coordinator, Course, Link, Role, Say, SharedCrew, Spec, SpecKind, Terms,
    Work,
};
use crate::config::{Loaded, LoadedTune};
use crate::play::{Experiment, Schedule};

/// How to reach a server.
#[derive(Args, Clone, Default)]
pub struct ServerArgs {
    /// Credentials for the NATS server: a .creds file, or the seed of an nkey
    #[arg(long, value_name = "FILE")]
    pub creds: Option<PathBuf>,
    /// Certificates that sign the server's, if the system does not know them
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
}

impl ServerArgs {
    pub fn address(&self, url: &str) -> Address {
        Address {
            url: url.to_string(),
            credentials: self.creds.clone(),
            authority: self.ca.clone(),
        }
    }
}

#[derive(Args, Clone, Default)]
pub struct ClusterArgs {
    /// Let the workers of this NATS server play, see `sparring worker`: nats://HOST:4222
    #[arg(long, value_name = "URL")]
    pub cluster: Option<String>,
    #[command(flatten)]
    pub server: ServerArgs,
    /// Workers serve experiments of higher priority first: 0 to 9
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=9))]
    pub priority: u8,
    /// Seconds after which a job of a silent worker is given to another one
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub ack_wait: u64,
}

impl ClusterArgs {
    fn terms(&self) -> Terms {
        Terms {
            priority: self.priority,
            ack_wait: Duration::from_secs(self.ack_wait),
        }
    }

    fn open(
        &self,
        url: &str,
        named: (&str, &Path),
        spec: Spec,
        crew: SharedCrew,
    ) -> Result<Coordinator, Failure> {
        let say: Say = Arc::new(complain);
        let address = self.server.address(url);
        let link = Link::open(
            &address,
            Role::Coordinator,
            "sparring coordinator",
            say.clone(),
        )?;
        Ok(Coordinator::open(
            link,
            named,
            spec,
            self.terms(),
            crew,
            say,
        )?)
    }

    /// The coordinator of a tuning run; `None` without `--cluster`.
    pub fn for_tuning(
        &self,
        loaded: &LoadedTune,
        directory: &Path,
        inputs: &Inputs,
        crew: SharedCrew,
    ) -> Result<Option<Coordinator>, Failure> {
        let Some(url) = &self.cluster else {
            return Ok(None);
        };
        let spec = Spec::new(
            SpecKind::Tune,
            loaded.game,
            &loaded.resolved,
            inputs.files(),
        )?;
        self.open(url, (&loaded.name, directory), spec, crew)
            .map(Some)
    }
}

/// The workers of a server, as the supply of a run's pairs.
pub struct Remote {
    url: String,
    args: ClusterArgs,
    crew: SharedCrew,
    coordinator: Option<Coordinator>,
}

impl Remote {
    /// `None` without `--cluster`.
    pub fn new(args: &ClusterArgs) -> Option<Remote> {
        Some(Remote {
            url: args.cluster.clone()?,
            args: args.clone(),
            crew: SharedCrew::default(),
            coordinator: None,
        })
    }

    pub fn crew(&self) -> SharedCrew {
        self.crew.clone()
    }

    fn coordinator(
        &mut self,
        loaded: &Loaded,
        directory: &Path,
    ) -> Result<&mut Coordinator, Failure> {
        if self.coordinator.is_none() {
            let inputs = Inputs::read(loaded.openings_file.as_ref(), &loaded.experiment.players)?;
            let (config, files) = (&loaded.resolved, inputs.files());
            let spec = Spec::new(SpecKind::Run, loaded.game, config, files)?;
            let named = (loaded.name.as_str(), directory);
            let opened = self.args.open(&self.url, named, spec, self.crew.clone())?;
            self.coordinator = Some(opened);
        }
        self.coordinator
            .as_mut()
            .ok_or_else(|| Failure::bad_input("the cluster is closed"))
    }

    /// Delivers pairs of a stage in order until `consume` has enough, or the run is interrupted.
    pub fn deliver(
        &mut self,
        (loaded, directory): (&Loaded, &Path),
        stage: Schedule,
        range: RangeInclusive<u64>,
        interrupts: Interrupts,
        recorder: &Recorder<'_>,
        mut consume: impl FnMut(RecordedPair) -> Result<ControlFlow<()>, Failure>,
    ) -> Done {
        let coordinator = self.coordinator(loaded, directory)?;
        let work = match stage == loaded.experiment.schedule {
            true => Work::Run,
            false => Work::Stage(stage.clone()),
        };
        let experiment = Experiment {
            schedule: stage,
            ..loaded.experiment.clone()
        };
        let course = Course {
            experiment: &experiment,
            work,
            range,
        };
        coordinator.play(&course, &|| interrupts.any(), |pair| {
            consume(recorder.record(&pair))
        })
    }

    /// Ends the work of the cluster; what is not `done` can be resumed.
    pub fn close(&mut self, done: bool, quiet: bool) -> Done {
        let Some(coordinator) = self.coordinator.take() else {
            return Ok(());
        };
        close(coordinator, done, quiet)
    }
}

/// Ends the work of a coordinator, and says who played.
pub fn close(coordinator: Coordinator, done: bool, quiet: bool) -> Done {
    if !quiet {
        complain(&format!("played by {}", coordinator.crew().words()));
    }
    // The run is complete without it: the next one on this server starts afresh anyway.
    if let Err(error) = coordinator.close(done) {
        complain(&format!("warning: {error}"));
    }
    Ok(())
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Failure {
        Failure::bad_input(error)
    }
}
