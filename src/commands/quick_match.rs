//! `sparring match`: an experiment without a config file.

use clap::Args;

use super::run::{RunOptions, play_loaded, warn_of_identical_players};
use super::{Done, Failure};
use crate::config::{self, PlayerSetting, QuickMatch, Value};

#[derive(Args)]
#[command(after_help = "\
A PLAYER is a preset (see `sparring list evaluators`), a weights file, or engine:PROGRAM. Settings
follow behind a colon, keys of a [[player]] section separated by commas:

  sparring match classical simplified --depth 3
  sparring match classical:depth=4,weights.tempo=20,name=mine classical:depth=4 --sprt 0,10
  sparring match classical:search.profile=strong engine:stockfish:options.UCI_Elo=2000 --nodes 20000

The run directory holds the config that the match stands for; the same command again resumes.")]
pub struct MatchArgs {
    /// Two players or more
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    pub players: Vec<String>,
    /// The game; see `sparring list games`
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
    /// round-robin, gauntlet, swiss, knockout or race [default: round-robin]
    #[arg(long, value_name = "F")]
    pub format: Option<String>,
    /// Search depth in plies, for players without a limit
    #[arg(long, value_name = "N", group = "limit")]
    pub depth: Option<u32>,
    /// Nodes per move, for players without a limit
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<u64>,
    /// Time per move, such as 50ms, for players without a limit
    #[arg(long, value_name = "T", group = "limit")]
    pub movetime: Option<String>,
    /// Time per game and increment, such as 10s+100ms, for players without a limit
    #[arg(long, value_name = "T", group = "limit")]
    pub clock: Option<String>,
    /// Stop when an SPRT of these two Elo bounds reaches a verdict
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Openings: random, start, or an EPD, FEN, PGN or PDN file
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,
    #[command(flatten)]
    pub run: RunOptions,
}

pub fn run(args: &MatchArgs) -> Done {
    let mut given = QuickMatch {
        players: &args.players,
        ..QuickMatch::default()
    };
    let text = |value: &String| Value::Text(value.clone());
    let whole = |value: u64| Value::Integer(i64::try_from(value).unwrap_or(i64::MAX));
    let limits = [
        ("depth", args.depth.map(|depth| whole(depth.into()))),
        ("nodes", args.nodes.map(whole)),
        ("movetime", args.movetime.as_ref().map(text)),
        ("clock", args.clock.as_ref().map(text)),
    ];
    given
        .limits
        .extend(limits.into_iter().filter_map(|(key, value)| {
            let setting = PlayerSetting::new(value?, format!("--{key}"));
            Some((key, setting))
        }));
    let game = PlayerSetting::new(text(&args.game), format!("--game {}", args.game));
    given.settings.push(("game", game));
    if let Some(bounds) = &args.sprt {
        let option = format!("--sprt {bounds}");
        let (elo0, elo1) = elo_bounds(bounds).ok_or_else(|| {
            Failure::bad_input(format!(
                "{option}: expected two numbers, for example --sprt 0,5"
            ))
        })?;
        for (key, elo) in [("sprt.elo0", elo0), ("sprt.elo1", elo1)] {
            let setting = PlayerSetting::new(Value::Float(elo), option.clone());
            given.settings.push((key, setting));
        }
    }
    if let Some(format) = &args.format {
        let setting = PlayerSetting::new(text(format), format!("--format {format}"));
        given.settings.push(("match.format", setting));
    }
    if let Some(source) = &args.openings {
        let setting = PlayerSetting::new(text(source), format!("--openings {source}"));
        given.settings.push(("openings.source", setting));
    }
    let loaded = config::load_match(&given, &args.run.overrides())?;
    warn_of_identical_players(&loaded);
    play_loaded(loaded, &args.run)
}

fn elo_bounds(text: &str) -> Option<(f64, f64)> {
    let (low, high) = text.split_once(',')?;
    Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
}
