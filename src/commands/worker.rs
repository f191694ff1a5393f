//! `sparring worker`: plays jobs of a cluster until it is stopped.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::cluster::ServerArgs;
use super::run::available_threads;
use super::{Done, Failure, complain, finish_on_interrupt, print};
use crate::cluster::{
    Flags, Link, LocalEngines, Player, Role, Say, Worker, WorkerEvent, check_name,
};
use crate::report::counted;

#[derive(Args)]
pub struct WorkerArgs {
    /// The NATS server: nats://HOST:4222
    pub url: String,
    #[command(flatten)]
    pub server: ServerArgs,
    /// Play this many games at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
    /// The name under which others see this worker; each needs another one [default: HOST-PROCESS]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// A TOML file of the programs that experiments may use as engines: name = "/path/of/program"; without
    /// it, none
    #[arg(long, value_name = "FILE")]
    pub engines: Option<PathBuf>,
    /// Do not print a line per job
    #[arg(long)]
    pub quiet: bool,
}

pub fn run(args: &WorkerArgs) -> Done {
    let name = args.name.clone().unwrap_or_else(usual_name);
    check_name(&name).map_err(|error| Failure::bad_input(format!("--name {name}: {error}")))?;
    let engines = match &args.engines {
        Some(path) => LocalEngines::read(path)?,
        None => LocalEngines::default(),
    };
    let threads = args.threads.map_or_else(available_threads, usize::from) as u64;
    let interrupts = finish_on_interrupt();
    let say: Say = Arc::new(complain);
    let address = args.server.address(&args.url);
    let link = Link::open(
        &address,
        Role::Worker,
        &format!("sparring worker {name}"),
        say,
    )?;
    complain(&format!(
        "worker `{name}` with {threads} threads at {}; Ctrl-C ends it after its jobs",
        link.server
    ));
    let quiet = args.quiet;
    let tell = move |event: WorkerEvent| match event {
        WorkerEvent::Note(text) => complain(&text),
        WorkerEvent::Played { .. } if quiet => {}
        WorkerEvent::Played {
            experiment,
            first,
            pairs,
            milliseconds,
        } => print(&format!(
            "{experiment}: pairs {first} to {}, {:.1} s\n",
            first + pairs - 1,
            milliseconds as f64 / 1000.0
        )),
    };
    let worker = Worker::new(link, &name, threads, engines, Box::new(tell));
    let flags = Flags {
        finish: interrupts.finish,
        now: interrupts.now,
    };
    let pairs = worker.run(flags, Player::default);
    print(&format!("worker: {}\n", counted(pairs, "pair")));
    Ok(())
}

fn usual_name() -> String {
    let plain = |letter: char| match letter.is_ascii_alphanumeric() || letter == '-' {
        true => letter,
        false => '-',
    };
    let machine: String = crate::record::machine()
        .chars()
        .take(40)
        .map(plain)
        .collect();
    format!("{machine}-{}", std::process::id())
}
