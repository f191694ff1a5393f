//! One experiment on many machines, through a NATS server with JetStream.
//!
//! The coordinator (`sparring run --cluster`) queues jobs of consecutive pairs, workers (`sparring worker`) play
//! them, and the coordinator takes the results in the order of the pairs, so that its run directory is that of
//! one machine. Queueing, delivery after a failure, storage and authentication are left to the server; what is
//! played and decided is left to `play` and `commands`. Prints nothing: messages go to the caller.

mod arena;
mod coordinator;
mod crew;
mod error;
mod games;
mod link;
mod names;
mod spec;
mod table;
mod wire;
mod worker;

pub use arena::ClusterArena;
pub use coordinator::{Coordinator, Course, Terms};
pub use crew::{Contribution, Crew, SharedCrew};
pub use error::ClusterError;
pub use link::{Address, Link, Role};
pub use names::ExperimentId;
pub use spec::{Code, LocalEngines, Opened, Spec, SpecKind};
pub use wire::{Announcement, Hello, Job, JobResult, WireError, Work, check_name, deflate, pack};
pub use worker::{Flags, Hand, Player, Worker, WorkerEvent};

/// Reports a message to the user during the run.
pub type Say = std::sync::Arc<dyn Fn(&str) + Send + Sync>;
