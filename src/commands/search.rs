//! `sparring search`: best move, score, line and nodes of a position.

use clap::Args;

use super::{Done, Failure, find_game, print, score_text};
use crate::config;
use crate::play::{Ask, bot};
use crate::search::{DepthReport, Limit, TreeStats};

#[derive(Args)]
pub struct SearchArgs {
    /// The game, see `sparring list games`
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
    /// A preset, see `sparring list evaluators`, a weights file or a net (.safetensors)
    #[arg(long, value_name = "E")]
    pub evaluator: String,
    /// Search depth in plies [default: 5; no limit with --nodes or --movetime]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=127))]
    pub depth: Option<u32>,
    /// Stop after this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Stop after this time, such as 500ms or 2s
    #[arg(long, value_name = "T")]
    pub movetime: Option<String>,
    /// Set a search option, for example search.quiescence=captures
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// The position [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
}

pub fn run(args: &SearchArgs) -> Done {
    let game = find_game(&args.game)?;
    let (preset, weights) = config::evaluator(game, &args.evaluator, None)?;
    let options = config::search_options(game, &args.set)?;
    let position = game.rules().position(args.fen.as_deref())?;
    if let Some(outcome) = position.end() {
        let message = format!(
            "`{}`: the game is over ({}); nothing to search",
            position.fen(),
            outcome.reason.name()
        );
        return Err(Failure::bad_input(message));
    }
    let limit = limit(args)?;
    let mut bot = bot(game, preset.name(), &weights, &options)
        .ok_or_else(|| Failure::bad_input("the evaluator is not one of this game"))?;
    bot.reserve()?;
    let unit = game.evaluators().units().unit;
    let mover = position.side_to_move();
    print(&format!(
        "{mover} to move; scores in {unit}, from {mover}'s side\n"
    ));
    let found = bot.think(&Ask::new(position.as_ref(), limit), &mut |report| {
        print(&depth_line(unit, report));
    });
    let Some(best) = found.best else {
        let message = format!("`{}`: no legal move", position.fen());
        return Err(Failure::bad_input(message));
    };
    print(&format!(
        "{}bestmove {} score {} nodes {}\n",
        tree_lines(&found.tree),
        best,
        score_text(found.score),
        found.nodes
    ));
    Ok(())
}

/// The depth of a search without any limit.
const USUAL_DEPTH: u32 = 5;

fn limit(args: &SearchArgs) -> Result<Limit, Failure> {
    let movetime = match &args.movetime {
        None => Limit::NONE,
        Some(text) => {
            let time = config::parse_time(text).filter(|time| !time.is_zero());
            Limit::movetime(time.ok_or_else(|| {
                Failure::bad_input(format!(
                    "--movetime {text}: expected a time such as 500ms or 2s"
                ))
            })?)
        }
    };
    let usual = match args.nodes.is_none() && args.movetime.is_none() {
        true => USUAL_DEPTH,
        false => Limit::MAX_DEPTH,
    };
    Ok(Limit {
        nodes: args.nodes,
        depth: args.depth.unwrap_or(usual),
        ..movetime
    })
}

/// One line per depth, in UCI format.
fn depth_line(unit: &str, report: &DepthReport<'_, String>) -> String {
    let mut line = format!(
        "depth {} seldepth {} score {} {} nodes {} nps {}",
        report.depth,
        report.selective_depth,
        score_text(report.score),
        unit,
        report.nodes,
        report.nodes_per_second()
    );
    if let Some(permille) = report.table_permille {
        line.push_str(&format!(" hashfull {permille}"));
    }
    line.push_str(" pv");
    for text in report.pv {
        line.push(' ');
        line.push_str(text);
    }
    line.push('\n');
    line
}

/// Statistics of the search tree.
fn tree_lines(tree: &TreeStats) -> String {
    let percent = |share: Option<f64>| share.map(|share| format!("{:.1} %", 100.0 * share));
    let rows = [
        (
            "branching factor",
            tree.branching_factor().map(|factor| format!("{factor:.2}")),
        ),
        ("first-move cutoffs", percent(tree.first_move_rate())),
        ("table hits", percent(tree.table_hit_rate())),
        ("quiescence nodes", percent(tree.quiescence_share())),
    ];
    let known = rows
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name} {}\n", value?)));
    known.collect()
}
