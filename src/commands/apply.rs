//! `sparring apply`: copies the weights of a tuning run, if validation proved them better.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{Done, Exit, Failure, complain, must_exist, print};
use crate::config;
use crate::record::{RecordError, check_listed, replace_file};

#[derive(Args)]
pub struct ApplyArgs {
    /// A tuning run's directory, or its weights.toml
    pub run: PathBuf,
    /// Write the weights here, a .toml file or for a net .safetensors, for `evaluator = "FILE"` in a config beside it
    #[arg(long, value_name = "FILE")]
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
    let read = |path: &Path| std::fs::read(path).map_err(|error| RecordError::io(path, &error));
    let mut text = read(&from)?;
    if args.run.is_dir() {
        check_listed(&args.run, "weights.toml", &text)?;
    }
    let net = config::net_of_weights(&from)?;
    let wanted = if net.is_some() { "safetensors" } else { "toml" };
    if args.to.extension().is_none_or(|given| given != wanted) {
        return Err(Failure::bad_input(format!(
            "--to {}: expected a file that ends in .{wanted}",
            args.to.display()
        )));
    }
    // Weights that are a net only name it.
    if let Some(net) = net {
        text = read(&net)?;
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
