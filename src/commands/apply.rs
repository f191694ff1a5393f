//! `sparring apply`: copies the weights of a tuning run, if validation proved them better.

use std::path::PathBuf;

use clap::Args;

use super::{Done, Exit, Failure, complain, must_exist, print};
use crate::config;
use crate::record::{RecordError, check_listed, replace_file};

#[derive(Args)]
pub struct ApplyArgs {
    /// A tuning run's directory, or its weights.toml
    pub run: PathBuf,
    /// Write the weights here, for `evaluator = "FILE"` in a config beside it
    #[arg(long, value_name = "FILE.toml")]
    pub to: PathBuf,
    /// Also accept weights that validation has not proven better
    #[arg(long)]
    pub force: bool,
}

pub fn run(args: &ApplyArgs) -> Done {
    must_exist([&args.run])?;
    let from = if args.run.is_dir() {
        args.run.join("weights.toml")
    } else {
        args.run.clone()
    };
    let proven = config::weights_are_proven(&from)?;
    if !proven && !args.force {
        return Err(Failure {
            exit: Exit::CheckFailed,
            message: format!(
                "{}: the weights are not proven better (see the first lines of the file); validate them, or use --force",
                from.display()
            ),
        });
    }
    let text = std::fs::read(&from).map_err(|error| RecordError::io(&from, &error))?;
    if args.run.is_dir() {
        check_listed(&args.run, "weights.toml", &text)?;
    }
    if args
        .to
        .extension()
        .is_none_or(|extension| extension != "toml")
    {
        return Err(Failure::bad_input(format!(
            "--to {}: expected a file that ends in .toml",
            args.to.display()
        )));
    }
    replace_file(&args.to, &text)?;
    if !proven {
        complain("warning: these weights are not proven better");
    }
    let name = args.to.file_name().unwrap_or_default().to_string_lossy();
    print(&format!(
        "applied: {}\nuse it in a config beside it: evaluator = \"{name}\"\n",
        args.to.display()
    ));
    Ok(())
}
