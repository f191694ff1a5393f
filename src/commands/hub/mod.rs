//! `sparring hub`: a draughts player as a Hub engine (version 2), for any GUI.

mod go;
mod session;
mod words;

use std::io::BufReader;
use std::path::PathBuf;

use clap::Args;

use super::uci::{UciArgs, settings_of};
use super::{Done, Failure, find_game};

#[derive(Args)]
pub struct HubArgs {
    /// Use a player of this config
    #[arg(long, value_name = "FILE", conflicts_with_all = ["evaluator", "profile", "game", "set"])]
    pub config: Option<PathBuf>,
    /// The player of the config [default: its only one]
    #[arg(long, value_name = "NAME", requires = "config")]
    pub player: Option<String>,
    /// Any draughts game; a GUI may change international to frisian and back by the parameter variant
    #[arg(long, value_name = "G", default_value = "international")]
    pub game: String,
    /// A preset, see `sparring list evaluators`, or a weights file [default: the game's strongest preset]
    #[arg(long, value_name = "E")]
    pub evaluator: Option<String>,
    /// A set of search options, see `sparring list search`
    #[arg(long, value_name = "P", default_value = "strong")]
    pub profile: String,
    /// Set a search option, for example search.table_mb=64
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

pub fn run(args: &HubArgs) -> Done {
    let evaluator = match &args.evaluator {
        Some(name) => name.clone(),
        None => find_game(&args.game)?.evaluators().strongest().to_string(),
    };
    let (game, settings) = settings_of(&UciArgs {
        config: args.config.clone(),
        player: args.player.clone(),
        game: args.game.clone(),
        evaluator,
        profile: args.profile.clone(),
        set: args.set.clone(),
        tunable: false,
    })?;
    if !game.facts().speaks_hub {
        let message = format!(
            "{}: Hub is a protocol of draughts; expected a draughts game, see `sparring list games`",
            game.name()
        );
        return Err(Failure::bad_input(message));
    }
    session::listen(game, settings, &mut BufReader::new(std::io::stdin()));
    Ok(())
}
