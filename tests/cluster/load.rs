//! What a coordinator and a server can carry: workers that play one pair and send it for every other one.
//!
//! By hand: `SPARRING_LOAD=WORKERS,PAIRS cargo test --release --features cluster --test cluster load -- --ignored
//! --nocapture`. The figures are in docs/lab/cluster.md.

use std::fs;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use sparring::cluster::{
    Address, ClusterError, Flags, Hand, Job, Link, LocalEngines, Opened, Player, Role, Say, Worker,
    WorkerEvent,
};
use sparring::play::PlayedPair;

use crate::lab::Lab;

/// Limited by time, so that results are not compared: fake games are not those of the coordinator.
const FAKE: &str = r#"
name = "load"
game = "checkers"
[match]
pairs = PAIRS
[openings]
plies = 6
[[player]]
name = "one"
evaluator = "basic"
movetime = "1ms"
[[player]]
name = "two"
evaluator = "basic"
movetime = "1ms"
"#;

#[derive(Default)]
struct Faker {
    player: Player,
    played: Option<PlayedPair>,
}

impl Hand for Faker {
    fn play(
        &mut self,
        job: &Job,
        opened: &Opened,
        alive: &(dyn Fn() + Sync),
        stop: &AtomicBool,
    ) -> Result<Option<Vec<PlayedPair>>, ClusterError> {
        if self.played.is_none() {
            let one = Job {
                count: 1,
                ..job.clone()
            };
            let pairs = self.player.play(&one, opened, alive, stop)?;
            self.played = pairs.and_then(|pairs| pairs.into_iter().next());
        }
        let Some(played) = &self.played else {
            return Ok(None);
        };
        let pairs = (job.first..=job.last()).map(|pair| PlayedPair {
            pair,
            ..played.clone()
        });
        Ok(Some(pairs.collect()))
    }
}

/// Seconds of processor time and the largest memory in megabytes of a process.
fn usage(process: u32) -> Option<(f64, f64)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some((ticks / 100.0, kilobytes / 1024.0))
}

#[test]
#[ignore = "a measurement"]
fn load() {
    let given = std::env::var("SPARRING_LOAD").unwrap_or_else(|_| "4,20000".to_string());
    let (workers, pairs) = given.split_once(',').expect("WORKERS,PAIRS");
    let workers: u64 = workers.parse().expect("a number");
    let lab = Lab::new();
    let config = lab.write("load.toml", &FAKE.replace("PAIRS", pairs));
    let flag = || &*Box::leak(Box::new(AtomicBool::new(false)));
    let flags = Flags {
        finish: flag(),
        now: flag(),
    };
    let threads: Vec<_> = (0..workers)
        .map(|number| {
            let address = Address {
                url: lab.url(),
                ..Address::default()
            };
            let say: Say = Arc::new(|_: &str| {});
            let link = Link::open(&address, Role::Worker, "fake", say).expect("connected");
            let tell = Box::new(|event: WorkerEvent| {
                if let WorkerEvent::Note(text) = event {
                    eprintln!("{text}");
                }
            });
            let name = format!("fake-{number}");
            let worker = Worker::new(link, &name, 1, LocalEngines::default(), tell);
            std::thread::spawn(move || worker.run(flags, Faker::default))
        })
        .collect();
    let began = Instant::now();
    let mut run = lab.command("run", &config, "there", true);
    let mut run = run
        .arg("--quiet")
        .stderr(Stdio::inherit())
        .spawn()
        .expect("started");
    let mut last = (0.0, 0.0);
    let mut shown = 0;
    loop {
        if let Some(used) = usage(run.id()) {
            last = used;
        }
        if run.try_wait().expect("a child").is_some() {
            break;
        }
        let seconds = began.elapsed().as_secs();
        if seconds >= shown + 10 {
            shown = seconds;
            let server = lab.server_id().and_then(usage).unwrap_or_default();
            println!("{seconds} s: coordinator {last:?}, server {server:?} (CPU-s, MB)");
        }
        std::thread::park_timeout(std::time::Duration::from_millis(50));
    }
    let seconds = began.elapsed().as_secs_f64();
    let server = lab.server_id().and_then(usage).unwrap_or_default();
    flags.finish.store(true, Ordering::Relaxed);
    let played: u64 = threads
        .into_iter()
        .map(|it| it.join().expect("ended"))
        .sum();
    let games = 2.0 * pairs.parse::<f64>().expect("a number");
    println!(
        "{workers} workers, {pairs} pairs: {seconds:.1} s, {:.0} games/s, {played} pairs played, coordinator {:.2} \
         CPU-s per 1,000 games, {:.0} MB; server {:.2} CPU-s per 1,000 games, {:.0} MB",
        games / seconds,
        last.0 * 1000.0 / games,
        last.1,
        server.0 * 1000.0 / games,
        server.1
    );
}
