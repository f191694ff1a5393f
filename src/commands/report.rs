//! `sparring report`: rebuilds charts and pages from the files of runs.

use std::path::{Path, PathBuf};

use clap::Args;

use super::replay::replayer;
use super::{Done, Failure, complain, find_game, must_exist, print};
use crate::eval::catalog::GameId;
use crate::record::{RecordError, RunFiles, verify_run};
use crate::report;

#[derive(Args)]
pub struct ReportArgs {
    /// Run directories, CSV files with the columns of games.csv, or games played elsewhere: .pgn .pdn;
    /// several are joined
    #[arg(required = true, value_name = "DIR")]
    pub paths: Vec<PathBuf>,
    /// Write charts and pages here [default: the first run's directory, or a directory named after
    /// the file]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The game of files, for the viewer [default: the run's game; chess for PGN]
    #[arg(long, value_name = "G")]
    pub game: Option<String>,
}

pub fn run(args: &ReportArgs) -> Done {
    let named = args.game.as_deref().map(find_game).transpose()?;
    must_exist(&args.paths)?;
    for run in args.paths.iter().filter(|path| path.is_dir()) {
        verify_run(run)?.iter().for_each(|note| complain(note));
    }
    let data = report::read(&args.paths)?;
    if data.tally.game_count() == 0 && data.tuning.is_none() {
        let shown = args.paths[0].display();
        return Err(Failure::bad_input(format!(
            "{shown}: contains no games; run an experiment first"
        )));
    }
    let directory = match (&args.out, &args.paths[0]) {
        (Some(out), _) => out.clone(),
        (None, first) if first.is_dir() => first.clone(),
        (None, file) => file.with_extension(""),
    };
    std::fs::create_dir_all(&directory).map_err(|error| RecordError::io(&directory, &error))?;
    let game = named
        .or_else(|| data.game().and_then(GameId::from_name))
        .or_else(|| usual_game(&args.paths[0]));
    if game.is_none() {
        complain("the game is unknown: the page has no game viewer; see --game");
    }
    let rules = game.map(replayer);
    let mut files = RunFiles::begin(&directory, |name| !report::is_written(name))?;
    let page = report::write_all(&data, &mut files, rules.as_deref())?;
    files.seal()?;
    print(&format!("report: {}\n", page.display()));
    Ok(())
}

/// The game of a file by its extension: PGN is chess. PDN may be any kind of draughts.
pub fn usual_game(path: &Path) -> Option<GameId> {
    path.extension()
        .is_some_and(|extension| extension == "pgn")
        .then(|| GameId::from_name("chess"))
        .flatten()
}
