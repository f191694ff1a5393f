//! `sparring merge`: joins the shards of a run. The result is that of one machine, byte for byte.

use std::path::PathBuf;

use clap::Args;

use super::play_args::PlayArgs;
use super::run::{Run, Supply};
use super::stats::expectation;
use super::{Done, Failure};
use crate::config;
use crate::record::{Manifest, Shards};

#[derive(Args)]
pub struct MergeArgs {
    /// The directories that `sparring run --shard K/N` wrote, in any order
    #[arg(required = true, value_name = "SHARD")]
    pub shards: Vec<PathBuf>,
    /// Write the run directory here [default: reports/NAME]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Exit with code 1 unless the SPRT ends with this verdict: h0 or h1
    #[arg(long, value_name = "V")]
    pub expect: Option<String>,
    /// Start over; an existing run directory is renamed
    #[arg(long)]
    pub fresh: bool,
    /// Do not show progress
    #[arg(long)]
    pub quiet: bool,
}

pub fn run(args: &MergeArgs) -> Done {
    let expected = args.expect.as_deref().map(expectation).transpose()?;
    let mut shards = Shards::open(&args.shards)?;
    refuse_other_program(shards.manifest())?;
    let mut loaded = config::load(&shards.directory().join("config.toml"), &[])?;
    if expected.is_some() && loaded.sprt.is_none() {
        return Err(Failure::bad_input(
            "--expect needs a verdict, but the run has no [sprt]",
        ));
    }
    // What the shards say, to the letter.
    loaded.resolved = shards.config().to_string();
    loaded.manifest = shards.manifest().clone();
    let target = PlayArgs {
        out: args.out.clone(),
        fresh: args.fresh,
        ..PlayArgs::default()
    };
    let directory = target.prepare(&loaded.name, &loaded.warnings)?;
    let run = Run {
        loaded: &loaded,
        directory: &directory,
        threads: 1,
        pins: Vec::new(),
        quiet: args.quiet,
        json: false,
        expected,
        strict: false,
    };
    run.play(Supply::Shards(&mut shards))
}

/// Tables and pages of another version may differ.
fn refuse_other_program(manifest: &Manifest) -> Done {
    let (_, program) = Manifest::current();
    if manifest.program == program {
        return Ok(());
    }
    Err(Failure::bad_input(format!(
        "the shards were played by {}, this is {program}: merge them with the version that played them",
        manifest.program
    )))
}
