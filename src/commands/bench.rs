//! `sparring bench`: a fixed set of searches for every game. The node count is a checksum of
//! behaviour: a change that should not alter play leaves it alone.

use std::time::Instant;

use clap::Args;

use super::{Done, Failure, print};
use crate::eval::Evaluated;
use crate::eval::catalog::GameId;
use crate::games::any::facts;
use crate::play::bench_positions;
use crate::search::{Limit, Options, Profile, Searcher};
use crate::with_game;

/// Plies that each profile is searched to. `strong` goes where its pruning has something to do.
const DEPTHS: [(Profile, u32); 2] = [(Profile::AlphaBeta, 5), (Profile::Strong, 8)];

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
        let nodes = with_game!(*game, G => bench::<G>(args.deeper))?;
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

/// Every evaluator but `random`, with each profile, on every position.
fn bench<G: Evaluated>(deeper: u32) -> Result<u64, Failure> {
    let positions = bench_positions::<G>().map_err(Failure::bad_input)?;
    let mut nodes = 0;
    for preset in G::presets()
        .iter()
        .filter(|preset| !preset.terms.is_empty())
    {
        let weights = crate::eval::Weights::defaults(preset.terms);
        let mut evaluator = (preset.build)(&weights, 0);
        for (profile, depth) in DEPTHS {
            let options = Options::for_game(facts::<G>(), [("profile", profile.name())])
                .map_err(Failure::bad_input)?;
            let mut searcher = Searcher::<G>::new(options);
            let limit = Limit::depth(depth + deeper);
            for position in &positions {
                searcher.clear();
                nodes += searcher
                    .search(position, &[], evaluator.as_mut(), limit)
                    .nodes;
            }
        }
    }
    Ok(nodes)
}
