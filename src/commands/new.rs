//! `sparring new`: a commented config to start from.

use clap::Args;

use super::{Done, find_game, print};
use crate::config::starter;

#[derive(Args)]
pub struct NewArgs {
    /// The game, see `sparring list games`
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
}

pub fn run(args: &NewArgs) -> Done {
    let game = find_game(&args.game)?;
    print(&starter(game.name(), &game.evaluators().preset_names()));
    Ok(())
}
