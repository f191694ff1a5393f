//! `sparring bench`: a fixed set of searches for every game. The node count is a checksum of the
//! search's behaviour: changes that do not affect play must not change it.

use std::time::Instant;

use clap::Args;

use super::{Done, Failure, print};
use crate::eval::Weights;
use crate::eval::catalog::GameId;
use crate::play::{Ask, bench_positions, bot};
use crate::search::{Limit, Options, Profile};

/// The search depth per profile. `strong` searches deeper, so that its pruning applies.
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
        let nodes = bench(*game, args.deeper)?;
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
fn bench(game: GameId, deeper: u32) -> Result<u64, Failure> {
    let positions = bench_positions(game.rules()).map_err(Failure::bad_input)?;
    let mut nodes = 0;
    let presets = game.evaluators().presets().into_iter();
    for preset in presets.filter(|preset| !preset.terms().is_empty()) {
        let weights = Weights::defaults(preset.terms());
        for (profile, depth) in DEPTHS {
            let options = Options::for_game(game.facts(), [("profile", profile.name())])
                .map_err(Failure::bad_input)?;
            let mut bot = bot(game, preset.name(), &weights, &options)
                .ok_or_else(|| Failure::bad_input("the evaluator is not one of this game"))?;
            let limit = Limit::depth(depth + deeper);
            for position in &positions {
                bot.clear();
                nodes += bot
                    .think(&Ask::new(position.as_ref(), limit), &mut |_| {})
                    .nodes;
            }
        }
    }
    Ok(nodes)
}
