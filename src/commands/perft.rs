//! `sparring perft`: counts the leaves of the tree of legal moves.

use clap::Args;

use super::{Done, Failure, find_game, print};
use crate::eval::Evaluated;
use crate::games::{perft, perft_divide};
use crate::with_game;

#[derive(Args)]
pub struct PerftArgs {
    /// The game, see `sparring list games`
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
    /// Turns to look ahead
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    /// The position [default: the start position]
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Count every route of a capture by itself, not moves (draughts)
    #[arg(long, conflicts_with = "divide")]
    pub routes: bool,
    /// Show the count below each root move
    #[arg(long)]
    pub divide: bool,
}

pub fn run(args: &PerftArgs) -> Done {
    with_game!(find_game(&args.game)?, G => count::<G>(args))
}

fn count<G: Evaluated>(args: &PerftArgs) -> Done {
    let position = match &args.fen {
        Some(fen) => G::from_fen(fen)?,
        None => G::start(G::USUAL_START),
    };
    if args.routes {
        print(&format!("nodes {}\n", position.perft_routes(args.depth)));
        return Ok(());
    }
    if !args.divide {
        print(&format!("nodes {}\n", perft(&position, args.depth)));
        return Ok(());
    }
    if args.depth == 0 {
        return Err(Failure::bad_input("--divide needs a depth of 1 or more"));
    }
    let mut total = 0;
    for (mv, nodes) in perft_divide(&position, args.depth) {
        total += nodes;
        print(&format!("{} {nodes}\n", position.move_text(mv)));
    }
    print(&format!("nodes {total}\n"));
    Ok(())
}
