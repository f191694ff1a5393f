//! `sparring bench`: a fixed set of searches for every game. The node count is a checksum of the
//! search's behaviour: changes that do not affect play must not change it.

use std::time::Instant;

use clap::Args;

use super::{Done, Failure, print};
use crate::eval::catalog::GameId;
use crate::play::bench_nodes;

/// The depth of the profile `alpha-beta`.
const DEPTH: u32 = 5;

#[derive(Args)]
pub struct BenchArgs {
    /// Search this many plies deeper than usual
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=20))]
    pub deeper: u32,
}

pub fn run(args: &BenchArgs) -> Done {
    let mut total = 0;
    let mut speeds = Vec::new();
    for game in GameId::ALL {
        let started = Instant::now();
        let nodes = bench_nodes(*game, DEPTH + args.deeper).map_err(Failure::bad_input)?;
        let seconds = started.elapsed().as_secs_f64();
        total += nodes;
        speeds.push(format!(
            "{} {nodes} nodes, {:.0} nodes/s\n",
            game.name(),
            nodes as f64 / seconds
        ));
    }
    print(&format!("bench {total} nodes\n{}", speeds.concat()));
    Ok(())
}
