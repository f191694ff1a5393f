//! Trials that stop a run: kills, signals, several processes at once.

use std::fs;
use std::path::Path;
use std::time::Duration;

use nix::sys::signal::Signal;

use super::scarcity::{CALLS, injected, when};
use super::{index_of_any, one_run};
use crate::lab::{Lab, Reference, Started, bytes_below};
use crate::random::Random;
use crate::scenarios::field;

/// A moment in the life of a run.
pub(super) fn moment(random: &mut Random, reference: &Reference) -> Duration {
    let life = reference.took.as_micros() as u64;
    Duration::from_micros(random.below(life + life / 8 + 1))
}

/// Waits for a moment in the life of a run: by the clock, or by what it has written, which does not depend
/// on how busy the machine is. True if the run ends before.
fn wait_for_a_moment(
    run: &mut Started,
    reference: &Reference,
    out: &Path,
    random: &mut Random,
) -> bool {
    if random.one_in(4) {
        return run.wait_for(moment(random, reference));
    }
    // Often soon, so that one run can be killed often.
    let most = reference.bytes() >> random.below(6);
    let enough = bytes_below(out) + random.below(most + 1);
    run.wait_until(|| bytes_below(out) > enough)
}

/// Starts the run up to N times and kills it each time. Returns the kills.
pub(super) fn kill_some(
    lab: &Lab,
    reference: &Reference,
    out: &Path,
    random: &mut Random,
    most: u64,
) -> Result<u64, String> {
    let mut killed = 0;
    for _ in 0..most {
        let mut run = lab.start(&mut lab.play(reference, out))?;
        if wait_for_a_moment(&mut run, reference, out, random) {
            run.finish()?.with_code(&[0], "a run between kills")?;
            break;
        }
        run.signal(Signal::SIGKILL);
        let ended = run.finish()?;
        ended.in_order("a killed run")?;
        if ended.signal == Some(9) {
            killed += 1;
            lab.count(match is_in_validation(out) {
                true => format!("{}, validating", reference.scenario.name),
                false => reference.scenario.name.to_string(),
            });
        }
        if random.one_in(3) && out.join("config.toml").exists() {
            lab.check(out, "after a kill")?;
        }
    }
    Ok(killed)
}

/// Whether a process was killed in a match that validates the result of a tuning.
fn is_in_validation(out: &Path) -> bool {
    let entries = fs::read_dir(out).into_iter().flatten().flatten();
    let mut locks = entries.map(|entry| entry.path().join(".lock"));
    locks.any(|lock| lock.exists())
}

pub(super) fn kills(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let out = lab.path("run");
    let most = 1 + random.below(32);
    let lab = &*lab;
    let reference = lab.known(index);
    let killed = kill_some(lab, reference, &out, random, most)?;
    lab.complete(reference, &out, "after kills")?;
    Ok(killed)
}

pub(super) fn signals(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    let mut sent = 0;
    for _ in 0..1 + random.below(4) {
        let mut run = lab.start(&mut lab.play(reference, &out))?;
        if wait_for_a_moment(&mut run, reference, &out, random) {
            run.finish()?.with_code(&[0], "a run between signals")?;
            break;
        }
        let signal = *random.of(&[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
        run.signal(signal);
        let ended = run.finish()?;
        // Before the handler is there, the signal ends the process.
        if ended.signal != Some(signal as i32) {
            ended.with_code(&[0, 130], signal.as_str())?;
        }
        sent += 1;
        if out.join("config.toml").exists() {
            lab.check(&out, signal.as_str())?;
        }
    }
    lab.complete(reference, &out, "after signals")?;
    Ok(sent)
}

pub(super) fn early_interrupt(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    // Large fields are slow to draw.
    let players = *random.of(&[3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 13, 24, 40]);
    let key = format!("field-{players}");
    lab.reference(&key, || field(players))?;
    let lab = &*lab;
    let reference = lab.known_as(&key);
    let out = lab.path("run");
    let mut run = lab.start(&mut lab.play(reference, &out))?;
    // Before all have met, and often before anyone has.
    let is_over = match random.one_in(2) {
        true => run.wait_for(Duration::from_micros(random.below(60_000))),
        false => {
            let enough = random.below(4000);
            run.wait_until(|| bytes_below(&out) > enough)
        }
    };
    run.signal(Signal::SIGINT);
    let ended = run.finish()?;
    if ended.signal == Some(2) || is_over {
        return Ok(1);
    }
    ended.with_code(&[0, 130], "an interrupted field")?;
    let read = |name: &str| fs::read(out.join(name)).map_err(|error| format!("{name}: {error}"));
    let games = read("games.csv")?;
    if !reference.files[Path::new("games.csv")].starts_with(&games) {
        return Err("games.csv is no beginning of the undisturbed one".to_string());
    }
    let rows = String::from_utf8_lossy(&read("standings.csv")?)
        .lines()
        .count() as u64;
    if rows != players + 1 {
        return Err(format!(
            "standings.csv has {rows} lines for {players} players"
        ));
    }
    lab.count(format!("{key} interrupted"));
    // The interrupted run has drawn the same pages.
    if !random.one_in(4) {
        return lab.check(&out, "an interrupted field").map(|()| 1);
    }
    let has_games = games.iter().filter(|byte| **byte == b'\n').count() > 1;
    let report = lab.finish(&mut lab.on("report", &out))?;
    report.with_code(
        if has_games { &[0] } else { &[2] },
        "report of an interrupted field",
    )?;
    lab.check(&out, "an interrupted field")?;
    Ok(1)
}

pub(super) fn second_process(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    let mut runs = Vec::new();
    for _ in 0..2 + random.below(2) {
        runs.push(lab.start(&mut lab.play(reference, &out))?);
        if random.one_in(2) {
            std::thread::sleep(moment(random, reference) / 2);
        }
    }
    // Readers beside writers.
    if out.join("config.toml").exists() {
        let readers: &[&str] = match reference.scenario.command {
            "run" => &["check", "stats"],
            _ => &["check"],
        };
        let reader = *random.of(readers);
        let read = lab.finish(&mut lab.on(reader, &out))?;
        read.with_code(&[0, 2], reader)?;
        if read.err.contains("damaged") {
            return Err(format!("{reader} beside a run: {}", read.text()));
        }
    }
    let mut done = 0;
    let count = runs.len() as u64;
    for run in runs {
        let ended = run.finish()?;
        ended.with_code(&[0, 2], "one of several processes")?;
        done += u64::from(ended.code == Some(0));
        if ended.code == Some(2) && !ended.err.contains("in use by") {
            return Err(format!("refused for another reason: {}", ended.text()));
        }
    }
    if done == 0 {
        return Err("no process played the run".to_string());
    }
    lab.complete(reference, &out, "after several processes")?;
    Ok(count)
}

pub(super) fn kill_at_a_call(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    let mut killed = 0;
    for _ in 0..1 + random.below(3) {
        let call = *random.of(CALLS);
        let injection = format!("signal=KILL:when={}", when(random));
        let log = lab.path("strace");
        let ended = lab.finish(&mut injected(
            &lab.play(reference, &out),
            call,
            &injection,
            &log,
        ))?;
        ended.in_order(&format!("{call} {injection}"))?;
        killed += u64::from(ended.signal.is_some() || ended.code != Some(0));
    }
    lab.complete(reference, &out, "after kills at system calls")?;
    Ok(killed)
}
