//! The `sparring` program: reads the command line and hands over to the commands.

use std::process::ExitCode;

fn main() -> ExitCode {
    sparring::cli::main()
}
