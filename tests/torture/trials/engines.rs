//! Trials with external engines: ours, those of others, and hostile ones.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use nix::sys::signal::Signal;

use super::stops::kill_some;
use crate::lab::{Lab, processes_with};
use crate::random::Random;
use crate::scenarios::{Sameness, Scenario, engines};

pub(super) const STOCKFISH: &str = "/usr/games/stockfish";
pub(super) const GNUCHESS: &str = "/usr/games/gnuchess";

/// A script in the trial's folder.
fn script(lab: &Lab, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = lab.path(name);
    fs::write(&path, text).map_err(|error| error.to_string())?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
        .map_err(|error| error.to_string())?;
    Ok(path)
}

/// Nothing that an engine started may be left.
fn nothing_is_left(marker: &str) -> Result<(), String> {
    for _ in 0..2000 {
        if processes_with(marker).is_empty() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Err(format!("left behind: {:?}", processes_with(marker)))
}

pub(super) fn our_engines(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let program = lab.program.display().to_string();
    lab.reference("our-engines", || {
        engines(
            &[&program, "uci"],
            &[&program, "uci", "--evaluator", "material"],
            Sameness::Games,
        )
    })?;
    let lab = &*lab;
    let reference = lab.known_as("our-engines");
    let out = lab.path("run");
    let most = 1 + random.below(4);
    let killed = kill_some(lab, reference, &out, random, most)?;
    lab.complete(reference, &out, "after kills with engines")?;
    Ok(killed)
}

pub(super) fn real_engines(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    lab.reference("real-engines", || {
        engines(&[STOCKFISH], &[GNUCHESS, "--uci"], Sameness::Rules)
    })?;
    let lab = &*lab;
    let reference = lab.known_as("real-engines");
    let out = lab.path("run");
    let mut killed = 0;
    let mut played = Vec::new();
    for _ in 0..1 + random.below(3) {
        killed += kill_some(lab, reference, &out, random, 1)?;
        let games = fs::read(out.join("games.csv")).unwrap_or_default();
        // Complete pairs stay what they were, whatever is played later.
        let rows = games
            .split_inclusive(|byte| *byte == b'\n')
            .filter(|row| row.ends_with(b"\n"));
        let rows: Vec<Vec<u8>> = rows.map(<[u8]>::to_vec).collect();
        let pairs = rows.len().saturating_sub(1) / 2;
        played = rows[..(1 + 2 * pairs).min(rows.len())].concat();
    }
    let ended = lab.complete(reference, &out, "after kills with real engines")?;
    let games = fs::read(out.join("games.csv")).map_err(|error| error.to_string())?;
    // A pair without its checksum was not complete.
    let is_kept = games.starts_with(&played) || ended.err.contains("was removed");
    match is_kept {
        true => Ok(killed),
        false => Err("a game was lost or changed".to_string()),
    }
}

pub(super) fn hostile_engine(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let deeds = [
        "exit 1",
        "kill -9 $$",
        "echo 'bestmove e9e9'",
        "echo bestmove",
        "sleep 1000",
        "yes 'info string noise' | head -c 3000000; echo 'bestmove a1a1'",
        "head -c 100000 /dev/urandom; echo; echo 'bestmove (none)'",
        "yes error >&2",
        "setsid sleep 1000 & echo 'bestmove e2e4'",
        "(trap '' TERM; sleep 1000) & exec sleep 1000",
        "printf 'bestmove e2e4'; exit",
        "while :; do echo 'info depth 1'; done",
    ];
    let deed = *random.of(&deeds);
    let when = *random.of(&["uci", "isready", "position*", "go*", "ucinewgame"]);
    let text = format!(
        "#!/bin/sh\nwhile read -r line; do\n case \"$line\" in\n  {when}) {deed};;\n  uci) echo 'id name x'; echo uciok;;\n  \
         isready) echo readyok;;\n  go*) echo 'bestmove e2e4';;\n  quit) exit;;\n esac\ndone\n"
    );
    let engine = script(lab, "hostile-engine", &text)?;
    let scenario: Scenario = engines(
        &[&engine.display().to_string()],
        &[&lab.program.display().to_string(), "uci"],
        Sameness::Rules,
    );
    let config = lab.path("hostile.toml");
    // The first player is the hostile one.
    let text = scenario
        .config
        .replacen("100s", "300ms", 2)
        .replace("pairs = 5", "pairs = 1");
    fs::write(&config, text).map_err(|error| error.to_string())?;
    let out = lab.path("run");
    let mut command = lab.command(&[
        "run".as_ref(),
        config.as_os_str(),
        "--out".as_ref(),
        out.as_os_str(),
    ]);
    let ended = if random.one_in(2) {
        let mut run = lab.start(&mut command)?;
        run.wait_for(Duration::from_millis(random.below(1500)));
        let signal = *random.of(&[Signal::SIGINT, Signal::SIGKILL]);
        run.signal(signal);
        run.finish()?
    } else {
        lab.finish(&mut command)?
    };
    let what = format!("`{deed}` at {when}");
    ended.in_order(&what)?;
    nothing_is_left(&engine.display().to_string()).map_err(|error| format!("{what}: {error}"))?;
    if out.join("config.toml").exists() {
        lab.check(&out, &what)?;
    }
    Ok(1)
}
