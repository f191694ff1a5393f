//! The `sparring` program: reads the command line and hands over to the commands.

use std::process::ExitCode;

fn main() -> ExitCode {
    sparring::engines::guard::run_if_asked().unwrap_or_else(sparring::cli::main)
}
