//! The options that `run`, `match` and `tune` share.

#[cfg(not(feature = "cluster"))]
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use clap::Args;

use super::run::{available_threads, keep_aside};
use super::{Failure, complain};

#[derive(Args, Default)]
pub struct PlayArgs {
    /// Write the run directory here [default: reports/NAME]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Use at most N threads; the results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
    /// Set any key of the config, for example openings.plies=4 or player.NAME.depth=5
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Start over; an existing run directory is renamed
    #[arg(long)]
    pub fresh: bool,
    /// Do not show progress
    #[arg(long)]
    pub quiet: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub cluster: super::cluster::ClusterArgs,
    #[cfg(not(feature = "cluster"))]
    #[arg(long, hide = true, value_name = "URL", value_parser = without_cluster)]
    pub cluster: Option<Infallible>,
}

/// `sparring worker` in a build without the cluster.
#[cfg(not(feature = "cluster"))]
#[derive(Args)]
pub struct NoWorkerArgs {
    #[arg(value_name = "URL", value_parser = without_cluster)]
    pub url: Infallible,
}

/// Says which build plays on a cluster.
#[cfg(not(feature = "cluster"))]
fn without_cluster(_: &str) -> Result<Infallible, String> {
    let remedy = "build it with `cargo build --release --features cluster`";
    Err(format!("this build cannot play on a cluster; {remedy}"))
}

impl PlayArgs {
    /// The run directory, moved aside for --fresh. Prints the config's warnings.
    pub fn prepare(&self, name: &str, warnings: &[String]) -> Result<PathBuf, Failure> {
        for warning in warnings {
            complain(&format!("warning: {warning}"));
        }
        let usual = || Path::new("reports").join(name);
        let directory = self.out.clone().unwrap_or_else(usual);
        // Without a slash at the end, which would become part of the name of a renamed directory.
        let directory: PathBuf = directory.components().collect();
        if self.fresh {
            keep_aside(&directory)?;
        }
        Ok(directory)
    }

    /// At most one thread per pair, because one thread plays a pair.
    pub fn threads(&self, pairs: u64) -> usize {
        let wanted = self.threads.map_or_else(available_threads, usize::from);
        wanted.min(usize::try_from(pairs.max(1)).unwrap_or(usize::MAX))
    }
}
