//! A fixed set of positions per game. Their node counts reveal changed behaviour.

use super::bot::{Ask, bot};
use super::openings::{Openings, OpeningsError};
use super::runner::RunError;
use super::stream::{Purpose, Stream};
use crate::eval::Weights;
use crate::eval::catalog::GameId;
use crate::games::{AnyGame, AnyPosition};
use crate::search::{Limit, Options, Profile};

/// The profiles that are searched. `strong` searches deeper, so that its pruning applies.
const PROFILES: [(Profile, u32); 2] = [(Profile::AlphaBeta, 0), (Profile::Strong, 3)];

const POSITIONS: u64 = 8;
const RANDOM_PLIES: u32 = 16;
const SEED: u64 = 2026;

/// The start, and positions after a few random moves.
pub fn bench_positions(rules: &dyn AnyGame) -> Result<Vec<Box<dyn AnyPosition>>, OpeningsError> {
    let position = |number: u64| {
        let plies = if number == 0 { 0 } else { RANDOM_PLIES };
        let mut stream = Stream::new(SEED, number, Purpose::Opening);
        let openings = Openings::Random {
            plies,
            reject: None,
        };
        openings.draw(rules, 0, &mut stream, &mut |_| None)
    };
    (0..POSITIONS).map(position).collect()
}

/// Nodes of searching every position with every evaluator but `random`, with each profile.
pub fn bench_nodes(game: GameId, depth: u32) -> Result<u64, RunError> {
    let positions = bench_positions(game.rules())?;
    let mut nodes = 0;
    let presets = game.evaluators().presets().into_iter();
    for preset in presets.filter(|preset| !preset.terms().is_empty()) {
        let weights = Weights::defaults(preset.terms());
        for (profile, deeper) in PROFILES {
            let options = Options::for_game(game.facts(), [("profile", profile.name())]);
            // Both profiles exist in every game, and so do its own presets.
            let Ok(options) = options else { continue };
            let Some(mut bot) = bot(game, preset.name(), &weights, &options) else {
                continue;
            };
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
