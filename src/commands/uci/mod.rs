//! `sparring uci`: a player as a UCI engine, for any GUI or runner.

mod go;
pub(super) mod options;
mod session;
mod words;
pub(super) mod worker;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use clap::Args;

use self::session::{Leave, serve};
use super::{Done, Failure, find_game};
use crate::config;
use crate::eval::Weights;
use crate::eval::catalog::GameId;
use crate::search::{Limit, Options};

#[derive(Args)]
pub struct UciArgs {
    /// Use a player of this config
    #[arg(long, value_name = "FILE", conflicts_with_all = ["evaluator", "profile", "game", "set"])]
    pub config: Option<PathBuf>,
    /// The player of the config [default: its only one]
    #[arg(long, value_name = "NAME", requires = "config")]
    pub player: Option<String>,
    /// chess or chess960; a GUI may change it by UCI_Chess960
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
    /// A preset, see `sparring list evaluators`, or a weights file
    #[arg(long, value_name = "E", default_value = "classical")]
    pub evaluator: String,
    /// A set of search options, see `sparring list search`
    #[arg(long, value_name = "P", default_value = "strong")]
    pub profile: String,
    /// Set a search option, for example search.table_mb=64
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Offer every weight and search option to the GUI, for external tuners
    #[arg(long)]
    pub tunable: bool,
}

/// The settings that a GUI can change.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The name shown by the GUI.
    pub name: String,
    pub evaluator: &'static str,
    pub weights: Weights,
    pub options: Options,
    /// The limit of a `go` without one: the player's, or none.
    pub limit: Limit,
    /// Milliseconds reserved for communication with the GUI.
    pub overhead: u64,
    /// Offer weights and search options.
    pub tunable: bool,
}

/// The game and the settings that the arguments ask for.
pub(super) fn settings_of(args: &UciArgs) -> Result<(GameId, Settings), Failure> {
    match &args.config {
        Some(path) => of_config(args, path),
        None => {
            let game = find_game(&args.game)?;
            Ok((game, of_arguments(game, args)?))
        }
    }
}

pub fn run(args: &UciArgs) -> Done {
    let (game, settings) = settings_of(args)?;
    if !game.facts().speaks_uci {
        let message = format!(
            "{}: UCI is a protocol of chess; expected chess or chess960",
            game.name()
        );
        return Err(Failure::bad_input(message));
    }
    listen(game, settings, &mut BufReader::new(std::io::stdin()));
    Ok(())
}

/// Serves a GUI until it sends `quit` or closes the input.
fn listen(mut game: GameId, mut settings: Settings, input: &mut impl BufRead) {
    loop {
        match serve(game, settings, input) {
            Leave::Quit => return,
            Leave::Switch(other, kept) => (game, settings) = (other, *kept),
        }
    }
}

/// A session of the evaluator `material` with the given commands; prints to standard output.
pub fn session(input: &mut impl BufRead) -> Done {
    let args = UciArgs {
        config: None,
        player: None,
        game: GameId::Chess.name().to_string(),
        evaluator: "material".to_string(),
        profile: "alpha-beta".to_string(),
        set: Vec::new(),
        tunable: true,
    };
    listen(GameId::Chess, of_arguments(GameId::Chess, &args)?, input);
    Ok(())
}

fn of_config(args: &UciArgs, path: &std::path::Path) -> Result<(GameId, Settings), Failure> {
    let loaded = config::load(path, &[])?;
    let players = &loaded.experiment.players;
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    let wanted = match (&args.player, names.as_slice()) {
        (Some(name), _) => name.as_str(),
        (None, [only]) => only,
        (None, _) => {
            let message = format!(
                "{}: name one of its players by --player: {}",
                path.display(),
                names.join(", ")
            );
            return Err(Failure::bad_input(message));
        }
    };
    let Some(player) = players.iter().find(|player| player.name == wanted) else {
        let hint = config::did_you_mean(wanted, names);
        let message = format!("--player {wanted}: no such player; {hint}");
        return Err(Failure::bad_input(message));
    };
    let Some(search) = player.search() else {
        let message = format!("--player {wanted}: is an external engine; start it directly");
        return Err(Failure::bad_input(message));
    };
    let settings = Settings {
        name: format!("Sparring {} {}", env!("CARGO_PKG_VERSION"), player.name),
        evaluator: search.evaluator,
        weights: search.weights.clone(),
        options: search.options.clone(),
        // The GUI handles the clock.
        limit: Limit {
            clock: None,
            ..player.limit
        },
        overhead: OVERHEAD,
        tunable: args.tunable,
    };
    Ok((loaded.game, settings))
}

/// Milliseconds: the worst delay of a pipe on a busy machine.
const OVERHEAD: u64 = 10;

fn of_arguments(game: GameId, args: &UciArgs) -> Result<Settings, Failure> {
    let (preset, weights) = config::evaluator(game, &args.evaluator, None)?;
    let mut set = vec![format!("search.profile={}", args.profile)];
    set.extend(args.set.iter().cloned());
    Ok(Settings {
        name: format!("Sparring {}", env!("CARGO_PKG_VERSION")),
        evaluator: preset.name(),
        weights,
        options: config::search_options(game, &set)?,
        limit: Limit::NONE,
        overhead: OVERHEAD,
        tunable: args.tunable,
    })
}
