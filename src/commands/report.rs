//! `sparring report`: rebuilds charts from the files of runs.

use std::path::PathBuf;

use clap::Args;

use super::{Done, Failure, print};
use crate::record::RecordError;
use crate::report;

#[derive(Args)]
pub struct ReportArgs {
    /// Run directories, or CSV files with the columns of games.csv
    #[arg(required = true, value_name = "DIR")]
    pub paths: Vec<PathBuf>,
    /// Write the charts here [default: the first run's directory]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

pub fn run(args: &ReportArgs) -> Done {
    let data = report::read(&args.paths)?;
    if data.tally.game_count() == 0 {
        let shown = args.paths[0].display();
        return Err(Failure::bad_input(format!(
            "{shown}: holds no games; run an experiment first"
        )));
    }
    let directory = match (&args.out, &args.paths[0]) {
        (Some(out), _) => out.clone(),
        (None, first) if first.is_dir() => first.clone(),
        (None, file) => file
            .parent()
            .map_or_else(|| PathBuf::from("."), |parent| parent.to_path_buf()),
    };
    std::fs::create_dir_all(&directory).map_err(|error| RecordError::io(&directory, &error))?;
    let paths = report::draw_all(&data, &directory)?;
    let shown = paths.first().unwrap_or(&directory);
    print(&format!("report: {}\n", shown.display()));
    Ok(())
}
