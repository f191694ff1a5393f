//! `sparring tables`: what Syzygy endgame tables say about positions.

use std::path::PathBuf;

use clap::Args;

use super::{Done, Failure, find_game, print};
use crate::play::Tables;

#[derive(Args)]
#[command(after_help = "\
One line per position: 2 the side to move wins, 1 it would without the fifty-move rule, 0 a draw, -1 a loss
that the fifty-move rule saves, -2 a loss; ? more men than the tables have, or castling rights.

  sparring tables syzygy '8/8/8/4k3/8/8/3PK3/8 w - - 0 1'
  cut -d, -f2 positions.csv | sparring tables syzygy -")]
pub struct TablesArgs {
    /// The folder of .rtbw files; every table up to the largest must be there
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Positions, or - for one per line of standard input [default: none, count the tables]
    #[arg(value_name = "FEN")]
    pub positions: Vec<String>,
    /// chess or chess960
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
}

pub fn run(args: &TablesArgs) -> Done {
    let game = find_game(&args.game)?;
    if !game.facts().speaks_uci {
        return Err(Failure::bad_input(format!(
            "--game {}: the tables are for chess and chess960",
            args.game
        )));
    }
    let tables = Tables::open(&args.folder, None).map_err(Failure::bad_input)?;
    if args.positions.is_empty() {
        print(&format!(
            "{} tables of up to {} men\n",
            tables.count(),
            tables.most_men()
        ));
    }
    let answer = |fen: &str| -> Done {
        let position = game.rules().read_fen(fen)?;
        let wdl = tables
            .probe(position.as_ref())
            .map_err(Failure::bad_input)?;
        let value = wdl.map_or_else(|| "?".to_string(), |wdl| (wdl as i32).to_string());
        print(&format!("{value} {fen}\n"));
        Ok(())
    };
    for given in &args.positions {
        if given != "-" {
            answer(given)?;
            continue;
        }
        for line in std::io::stdin().lines() {
            let line =
                line.map_err(|error| Failure::bad_input(format!("standard input: {error}")))?;
            if !line.trim().is_empty() {
                answer(line.trim())?;
            }
        }
    }
    Ok(())
}
