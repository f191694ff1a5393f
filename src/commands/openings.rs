//! `sparring openings`: generates a suite of openings whose scores are within a window.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::progress::Progress;
use super::run::available_threads;
use super::{Done, Failure, complain, find_game, print, stop_on_interrupt, trimmed};
use crate::config;
use crate::eval::catalog::GameId;
use crate::eval::{STEPS, Score};
use crate::play::{Candidates, Runner, SearchSpec, Seen, SuiteRules, make_suite};
use crate::record::replace_file;
use crate::search::Limit;

#[derive(Args)]
pub struct OpeningsArgs {
    /// The game, see `sparring list games`
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
    /// Play this many moves from the start position
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=200))]
    pub plies: u32,
    /// Find this many openings
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "all",
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub count: u32,
    /// Use every position that this many moves can lead to, instead of random moves
    #[arg(long)]
    pub all: bool,
    /// Keep a position if its score is below this for either side, in the evaluator's unit
    #[arg(long, value_name = "N", default_value_t = 50.0)]
    pub bound: f64,
    /// And only if its score is at least this for one side: an unbalanced suite
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    pub at_least: f64,
    /// Score positions with this preset or weights file [default: the game's strongest preset]
    #[arg(long, value_name = "E")]
    pub evaluator: Option<String>,
    /// Search depth in plies for the scores
    #[arg(long, value_name = "D", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub depth: u32,
    /// Set a search option, for example search.quiescence=captures [default: search.profile=strong]
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Seed of the random moves
    #[arg(long, value_name = "S", default_value_t = 1, conflicts_with = "all")]
    pub seed: u64,
    /// Search on this many threads; does not change the suite [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
    /// Write the suite to this file, .epd for chess, .fen for other games [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

pub fn run(args: &OpeningsArgs) -> Done {
    let most = f64::from(Score::MAX / STEPS / 2);
    if !(args.bound > 0.0 && args.bound < most) {
        return Err(Failure::bad_input(format!(
            "--bound {}: expected more than 0, in the evaluator's unit, such as 50",
            args.bound
        )));
    }
    if !(0.0..args.bound).contains(&args.at_least) {
        return Err(Failure::bad_input(format!(
            "--at-least {}: expected 0 or more, and less than --bound {}",
            args.at_least, args.bound
        )));
    }
    make(find_game(&args.game)?, args)
}

fn make(game: GameId, args: &OpeningsArgs) -> Done {
    let extension = game.facts().suite;
    if let Some(path) = &args.out
        && path.extension().is_none_or(|given| given != extension)
    {
        return Err(Failure::bad_input(format!(
            "--out {}: openings of this game are read from .{extension}",
            path.display()
        )));
    }
    let name = match &args.evaluator {
        Some(name) => name,
        None => game.evaluators().strongest(),
    };
    let (preset, weights) = config::evaluator(game, name, None)?;
    let mut set = vec!["search.profile=strong".to_string()];
    set.extend_from_slice(&args.set);
    let judge = SearchSpec {
        evaluator: preset.name(),
        weights,
        options: config::search_options(game, &set)?,
    };
    let candidates = if args.all {
        Candidates::All { plies: args.plies }
    } else {
        Candidates::Random {
            plies: args.plies,
            count: args.count as usize,
            seed: args.seed,
        }
    };
    let rules = SuiteRules {
        candidates,
        least: (args.at_least * f64::from(STEPS)).round() as Score,
        bound: (args.bound * f64::from(STEPS)).round() as Score,
        judge: &judge,
        limit: Limit::depth(args.depth),
    };
    let (suite, looked_at) = find(game, args, &rules)?;
    report(args, suite.len(), looked_at)?;
    let text = suite_text(extension, &command(args, name), &suite);
    match &args.out {
        Some(path) => replace_file(path, text.as_bytes())?,
        None => print(&text),
    }
    Ok(())
}

fn find(
    game: GameId,
    args: &OpeningsArgs,
    rules: &SuiteRules<'_>,
) -> Result<(Vec<String>, u64), Failure> {
    let stop: &AtomicBool = stop_on_interrupt();
    let total = (!args.all).then_some(u64::from(args.count));
    let mut meter = Progress::of("openings", total, 0, args.quiet);
    let (mut suite, mut looked_at) = (Vec::new(), 0_u64);
    let threads = args.threads.map_or_else(available_threads, usize::from);
    let mut runner = Runner::new(game, threads)?;
    make_suite::<Failure>(rules, &mut runner, stop, |seen| {
        looked_at += 1;
        if let Seen::Kept(judged) = seen {
            suite.push(judged.position.fen());
        }
        meter.show(suite.len() as u64, || format!("of {looked_at} positions"));
    })?;
    meter.finish();
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(Failure::interrupted("interrupted: nothing was written"));
    }
    Ok((suite, looked_at))
}

/// Says how many there are, and what helps if there are not enough.
fn report(args: &OpeningsArgs, found: usize, looked_at: u64) -> Done {
    let advice = "raise --bound or change --plies";
    if found == 0 {
        return Err(Failure::bad_input(format!(
            "none of {looked_at} positions is within --bound {}; {advice}",
            args.bound
        )));
    }
    if !args.all && found < args.count as usize {
        complain(&format!(
            "warning: {found} openings instead of {}: the last {looked_at} positions brought no \
             others; {advice}",
            args.count
        ));
    } else if !args.quiet {
        complain(&format!("{found} openings of {looked_at} positions"));
    }
    Ok(())
}

/// The command that reproduces this suite, with everything its positions depend on.
fn command(args: &OpeningsArgs, evaluator: &str) -> String {
    let mut text = format!(
        "sparring openings --game {} --plies {}",
        args.game, args.plies
    );
    if args.all {
        text.push_str(" --all");
    } else {
        text.push_str(&format!(" --count {} --seed {}", args.count, args.seed));
    }
    text.push_str(&format!(
        " --bound {} --evaluator {evaluator} --depth {}",
        trimmed(args.bound),
        args.depth
    ));
    if args.at_least > 0.0 {
        text.push_str(&format!(" --at-least {}", trimmed(args.at_least)));
    }
    for set in &args.set {
        text.push_str(&format!(" --set {set}"));
    }
    text
}

/// The suite as a file. The command that made it is in the first line: in EPD as the comment of the
/// first position, which other programs skip, in FEN as a separate line.
fn suite_text(extension: &str, command: &str, suite: &[String]) -> String {
    let mut text = String::new();
    if extension == "fen" {
        text.push_str(&format!("# {command}\n"));
        for fen in suite {
            text.push_str(fen);
            text.push('\n');
        }
        return text;
    }
    for (index, fen) in suite.iter().enumerate() {
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        text.push_str(&fields.join(" "));
        if index == 0 {
            // EPD has no way to write a quote inside a comment.
            text.push_str(&format!(" c0 \"{}\";", command.replace('"', "'")));
        }
        text.push('\n');
    }
    text
}
