//! The command line: what can be typed, with its help.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};

use crate::commands;

/// A self-play laboratory for board-game engines: thousands of games in parallel, reproducible
/// to the byte, with honest statistics and charts.
#[derive(Parser)]
#[command(name = "sparring", version = commands::packaging::VERSION.as_str(), about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play an experiment and write a run directory with charts; resumes an unfinished run
    Run(commands::run::RunArgs),
    /// Join the shards of a run, played by `run --shard K/N`, into its run directory
    Merge(commands::merge::MergeArgs),
    /// Play a match of players named on the command line, without a config file
    Match(commands::quick_match::MatchArgs),
    /// Tune the numbers of a player, validate them and write weights; resumes an unfinished run
    Tune(commands::tune::TuneArgs),
    /// Learn from scratch or from an evaluator, in generations of self-play, training and proof; resumes
    Learn(commands::learn::LearnArgs),
    /// Install the weights of a tuning run, if validation proved them better
    Apply(commands::apply::ApplyArgs),
    /// Convert played games to labelled positions for a fit
    Data(commands::data::DataArgs),
    /// Rebuild the charts of one or several runs from their files, without playing
    Report(commands::report::ReportArgs),
    /// Verify run directories byte by byte and game by game, and repair them
    Check(commands::check::CheckArgs),
    /// Explain the score of positions term by term
    Eval(commands::eval::EvalArgs),
    /// Search a position: best move, score, line, nodes
    Search(commands::search::SearchArgs),
    /// Count the leaf nodes of the tree of legal moves (perft)
    Perft(commands::perft::PerftArgs),
    /// Search a fixed set of positions per game: prints a node count as a checksum, then speed
    Bench(commands::bench::BenchArgs),
    /// Show what can be named in a config, with defaults and ranges
    List(commands::list::ListArgs),
    /// Print a commented config to start from
    New(commands::new::NewArgs),
    /// Generate a suite of balanced openings
    Openings(commands::openings::OpeningsArgs),
    /// Open the web page: play, watch, and follow runs
    #[cfg(feature = "serve")]
    Serve(commands::serve::ServeArgs),
    /// Play jobs of a cluster until stopped, see `run --cluster`
    #[cfg(feature = "cluster")]
    Worker(commands::worker::WorkerArgs),
    #[cfg(not(feature = "cluster"))]
    #[command(hide = true)]
    Worker(commands::NoWorkerArgs),
    /// Run a player as a UCI engine, for any chess GUI or match runner
    Uci(commands::uci::UciArgs),
    /// Run a player as a Hub engine, for any draughts GUI
    Hub(commands::hub::HubArgs),
    /// Check whether a program is an engine that can play matches
    Engine(commands::engine::EngineArgs),
    /// Compute the statistics of any result: Elo, intervals, SPRT, ratings
    Stats(commands::stats::StatsArgs),
    /// Look up positions in Syzygy endgame tables
    Tables(commands::tables::TablesArgs),
    /// Fit the chances of win, draw and loss to the scores of games
    WdlModel(commands::wdl_model::WdlModelArgs),
    /// Print a completion script for a shell
    Completions(commands::packaging::CompletionArgs),
    /// Print the manual page, or write the pages of all commands
    Man(commands::packaging::ManArgs),
    /// Plan a sequential test: expected pairs, error rates, power, smallest detectable difference
    Plan(commands::plan::PlanArgs),
}

/// Suggests the closest subcommand where clap finds none, for example for swapped letters.
fn with_suggestion(mut error: clap::Error) -> clap::Error {
    let given = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(given)) => given.clone(),
        _ => return error,
    };
    if error.get(ContextKind::SuggestedSubcommand).is_none() {
        let cli = Cli::command();
        let names = cli.get_subcommands().map(clap::Command::get_name);
        if let Some(name) = commands::closest(&given, names) {
            let names = ContextValue::Strings(vec![name.to_string()]);
            error.insert(ContextKind::SuggestedSubcommand, names);
        }
    }
    error
}

/// Parses the command line, runs the command and returns its exit code.
pub fn main() -> ExitCode {
    commands::report_file_size_limit();
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => with_suggestion(error).exit(),
    };
    let done = match command {
        Command::Run(args) => commands::run::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Match(args) => commands::quick_match::run(&args),
        Command::Tune(args) => commands::tune::run(&args),
        Command::Learn(args) => commands::learn::run(&args),
        Command::Apply(args) => commands::apply::run(&args),
        Command::Data(args) => commands::data::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Eval(args) => commands::eval::run(&args),
        Command::Search(args) => commands::search::run(&args),
        Command::Perft(args) => commands::perft::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::List(args) => commands::list::run(&args),
        Command::New(args) => commands::new::run(&args),
        Command::Openings(args) => commands::openings::run(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => commands::serve::run(&args),
        #[cfg(feature = "cluster")]
        Command::Worker(args) => commands::worker::run(&args),
        #[cfg(not(feature = "cluster"))]
        Command::Worker(args) => match args.url {},
        Command::Uci(args) => commands::uci::run(&args),
        Command::Engine(args) => commands::engine::run(&args),
        Command::Hub(args) => commands::hub::run(&args),
        Command::Stats(args) => commands::stats::run(&args),
        Command::Tables(args) => commands::tables::run(&args),
        Command::WdlModel(args) => commands::wdl_model::run(&args),
        Command::Completions(args) => commands::packaging::completions(&args, Cli::command()),
        Command::Man(args) => commands::packaging::man(&args, Cli::command()),
        Command::Plan(args) => commands::plan::run(&args),
    };
    commands::exit_code(done)
}
