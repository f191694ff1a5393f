//! What packagers need: completion scripts, manual pages, and what `--version` shows.

use std::env::consts::{ARCH, OS};
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::Args;
use clap_complete::Shell;

use super::{Done, Failure, print};

/// The version with the system it was built for, and the commit if the build was told it by
/// `SPARRING_COMMIT`.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let (version, arch, os) = (env!("CARGO_PKG_VERSION"), ARCH, OS);
    match option_env!("SPARRING_COMMIT") {
        Some(commit) => format!("{version} ({commit}, {arch}-{os})"),
        None => format!("{version} ({arch}-{os})"),
    }
});

#[derive(Args)]
pub struct CompletionArgs {
    /// The shell
    pub shell: Shell,
}

pub fn completions(args: &CompletionArgs, mut cli: clap::Command) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "sparring", &mut script);
    print(&String::from_utf8_lossy(&script));
    Ok(())
}

#[derive(Args)]
pub struct ManArgs {
    /// Write one page per command into this directory, which must exist
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

pub fn man(args: &ManArgs, cli: clap::Command) -> Done {
    let Some(directory) = &args.out else {
        let mut page = Vec::new();
        let rendered = clap_mangen::Man::new(cli).render(&mut page);
        rendered.map_err(Failure::bad_input)?;
        print(&String::from_utf8_lossy(&page));
        return Ok(());
    };
    clap_mangen::generate_to(cli, directory)
        .map_err(|error| Failure::bad_input(format!("{}: {error}", directory.display())))
}
