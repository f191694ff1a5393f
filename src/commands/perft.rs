//! `sparring perft`: counts the leaves of the tree of legal moves.

use clap::Args;

use super::{Done, Failure, find_game, print};

#[derive(Args)]
pub struct PerftArgs {
    /// The game, see `sparring list games`
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
    /// Depth in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    /// The position [default: the start position]
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Count every route of a capture separately (draughts)
    #[arg(long, conflicts_with = "divide")]
    pub routes: bool,
    /// Show the count below each root move
    #[arg(long)]
    pub divide: bool,
}

pub fn run(args: &PerftArgs) -> Done {
    let rules = find_game(&args.game)?.rules();
    let position = rules.position(args.fen.as_deref())?;
    if args.routes {
        print(&format!("nodes {}\n", position.perft_routes(args.depth)));
        return Ok(());
    }
    if !args.divide {
        print(&format!("nodes {}\n", position.perft(args.depth)));
        return Ok(());
    }
    if args.depth == 0 {
        return Err(Failure::bad_input("--divide needs a depth of 1 or more"));
    }
    let mut total = 0;
    for (text, nodes) in position.perft_divide(args.depth) {
        total += nodes;
        print(&format!("{text} {nodes}\n"));
    }
    print(&format!("nodes {total}\n"));
    Ok(())
}
