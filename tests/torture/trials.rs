//! The kinds of trials. Each hurts a run, lets it be resumed, and compares what it ends with.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::disk;
use crate::lab::{Lab, Reference, copy, files, processes_with};
use crate::random::Random;
use crate::scenarios::{Sameness, Scenario, engines, exact, field};

/// Hurts a run; returns how often, or what went wrong.
type Trial = fn(&mut Lab, &mut Random) -> Result<u64, String>;

pub struct Kind {
    pub name: &'static str,
    pub run: Trial,
    /// Why it cannot run here.
    pub missing: fn() -> Option<&'static str>,
}

const fn kind(name: &'static str, run: Trial) -> Kind {
    Kind {
        name,
        run,
        missing: || None,
    }
}

const fn traced(name: &'static str, run: Trial) -> Kind {
    Kind {
        name,
        run,
        missing: no_strace,
    }
}

pub const KINDS: &[Kind] = &[
    kind("kill", kills),
    kind("flip", flip),
    kind("signal", signals),
    kind("early", early_interrupt),
    kind("second", second_process),
    kind("limit", file_size_limit),
    kind("engines", our_engines),
    kind("hostile", hostile_engine),
    kind("repair", repair),
    kind("memory", memory_limit),
    traced("io", io_error),
    traced("syscall", kill_at_a_call),
    traced("power", power_cut),
    Kind {
        name: "full",
        run: full_disk,
        missing: no_mount,
    },
    Kind {
        name: "real",
        run: real_engines,
        missing: no_engines,
    },
];

fn works(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

fn no_strace() -> Option<&'static str> {
    let works = works("strace", &["-f", "-o", "/dev/null", "true"]);
    (!works).then_some("strace is not installed, or may not trace")
}

fn no_mount() -> Option<&'static str> {
    let folder = tempfile::tempdir().ok()?;
    let disk = folder.path().to_string_lossy().into_owned();
    let works = works(
        "mount",
        &["-t", "tmpfs", "-o", "size=64k", "sparring-probe", &disk],
    );
    let _ = Command::new("umount").arg(&disk).output();
    (!works).then_some("mounting is not allowed here")
}

const STOCKFISH: &str = "/usr/games/stockfish";
const GNUCHESS: &str = "/usr/games/gnuchess";

fn no_engines() -> Option<&'static str> {
    let there = Path::new(STOCKFISH).exists() && Path::new(GNUCHESS).exists();
    (!there).then_some("stockfish and gnuchess are not in /usr/games")
}

fn one_run(lab: &mut Lab, index: usize) -> Result<&Reference, String> {
    let scenario = exact().swap_remove(index);
    lab.reference(scenario.name, || scenario)
}

/// A moment in the life of a run.
fn moment(random: &mut Random, reference: &Reference) -> Duration {
    let life = reference.took.as_micros() as u64;
    Duration::from_micros(random.below(life + life / 8 + 1))
}

/// Starts the run up to N times and kills it each time. Returns the kills.
fn kill_some(
    lab: &Lab,
    reference: &Reference,
    out: &Path,
    random: &mut Random,
    most: u64,
) -> Result<u64, String> {
    let mut killed = 0;
    for _ in 0..most {
        let mut run = lab.start(&mut lab.play(reference, out))?;
        if run.wait_for(moment(random, reference)) {
            run.finish()?.with_code(&[0], "a run between kills")?;
            break;
        }
        run.signal(Signal::SIGKILL);
        let ended = run.finish()?;
        ended.in_order("a killed run")?;
        killed += u64::from(ended.signal == Some(9));
        if random.one_in(3) && out.join("config.toml").exists() {
            lab.check(out, "after a kill")?;
        }
    }
    Ok(killed)
}

fn index_of_any(random: &mut Random) -> usize {
    random.below(exact().len() as u64) as usize
}

fn kills(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let out = lab.path("run");
    let most = 1 + random.below(8);
    let lab = &*lab;
    let reference = lab.known(index);
    let killed = kill_some(lab, reference, &out, random, most)?;
    lab.complete(reference, &out, "after kills")?;
    Ok(killed)
}

fn signals(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    let mut sent = 0;
    for _ in 0..1 + random.below(4) {
        let mut run = lab.start(&mut lab.play(reference, &out))?;
        if run.wait_for(moment(random, reference)) {
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

fn early_interrupt(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let players = *random.of(&[3, 4, 5, 8, 13, 24, 40]);
    let key = format!("field-{players}");
    lab.reference(&key, || field(players))?;
    let lab = &*lab;
    let reference = lab.known_as(&key);
    let out = lab.path("run");
    let mut run = lab.start(&mut lab.play(reference, &out))?;
    // Before all have met, and often before anyone has.
    let wait = Duration::from_micros(random.below(60_000));
    let is_over = run.wait_for(wait);
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
    let has_games = games.iter().filter(|byte| **byte == b'\n').count() > 1;
    let report = lab.finish(&mut lab.on("report", &out))?;
    report.with_code(
        if has_games { &[0] } else { &[2] },
        "report of an interrupted field",
    )?;
    lab.check(&out, "an interrupted field")?;
    Ok(1)
}

/// A finished run, or one as a kill leaves it.
fn finished_or_killed(
    lab: &Lab,
    reference: &Reference,
    out: &Path,
    random: &mut Random,
) -> Result<bool, String> {
    if random.one_in(4) {
        kill_some(lab, reference, out, random, 1)?;
        if out.join("config.toml").exists() {
            return Ok(!out.join(".lock").exists());
        }
        let _ = fs::remove_dir_all(out);
    }
    copy(&reference.out, out).map_err(|error| error.to_string())?;
    Ok(true)
}

/// Changes one bit of a file of the run. Returns the file's name and what was there.
fn flip_a_bit(out: &Path, random: &mut Random) -> Result<(PathBuf, Vec<u8>), String> {
    let mut names: Vec<PathBuf> = files(out)?.into_keys().collect();
    names.retain(|name| !name.ends_with(".lock"));
    names.extend(
        out.join("timings.csv")
            .exists()
            .then(|| "timings.csv".into()),
    );
    loop {
        let name = random.of(&names).clone();
        let good = fs::read(out.join(&name)).map_err(|error| error.to_string())?;
        if good.is_empty() {
            continue;
        }
        let mut bad = good.clone();
        let bit = random.below(8 * bad.len() as u64) as usize;
        bad[bit / 8] ^= 1 << (bit % 8);
        fs::write(out.join(&name), &bad).map_err(|error| error.to_string())?;
        return Ok((name, good));
    }
}

fn flip(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    let is_finished = finished_or_killed(lab, reference, &out, random)?;
    let (name, _) = flip_a_bit(&out, random)?;
    let shown = name.display().to_string();
    let checked = lab.finish(&mut lab.on("check", &out))?;
    checked.with_code(&[0, 1, 2], &format!("check after a flip in {shown}"))?;
    let file = name.file_name().unwrap_or_default().to_string_lossy();
    // The end of a last row looks torn, and is reported as that.
    let is_torn = checked.out.contains("was not completely written");
    let is_named = checked.text().contains(&*file) || checked.text().contains("checksum");
    let is_silent = checked.code == Some(0) && !is_torn || !is_named;
    if is_silent && is_finished {
        return Err(format!("a flip in {shown} passes: {}", checked.text()));
    }
    // Charts and pages are written again in any case.
    let is_written_again = shown.ends_with("g") || shown.contains("report.");
    if is_written_again && !random.one_in(8) {
        return Ok(1);
    }
    // A resumed run refuses, or it ends with the right bytes.
    let resumed = lab.finish(&mut lab.play(reference, &out))?;
    resumed.with_code(&[0, 2], &format!("resume after a flip in {shown}"))?;
    if resumed.code == Some(0) {
        let inner = name.components().count() > 1;
        let compared = lab.compare(reference, &out, &format!("resume after a flip in {shown}"));
        // The runs inside a finished tuning run are read, and their charts are not.
        if compared.is_err() && !(inner && checked.code == Some(1)) {
            compared?;
        }
    }
    Ok(1)
}

fn repair(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    copy(&reference.out, &out).map_err(|error| error.to_string())?;
    let damaged = 1 + random.below(4);
    let mut names = Vec::new();
    for _ in 0..damaged {
        names.push(flip_a_bit(&out, random)?.0.display().to_string());
    }
    let what = format!("repair of {}", names.join(", "));
    let mut command = lab.on("check", &out);
    command
        .arg("--repair")
        .arg("--config")
        .arg(&reference.config);
    let repaired = lab.finish(&mut command)?;
    repaired.with_code(&[0, 1, 2], &what)?;
    let resumed = lab.finish(&mut lab.play(reference, &out))?;
    // A run inside a tuning run may need its own repair.
    let is_inner = names
        .iter()
        .any(|name| name.contains('/') || name.starts_with("validation"));
    if is_inner && (repaired.code != Some(0) || resumed.code != Some(0)) {
        return Ok(damaged);
    }
    repaired.with_code(&[0], &what)?;
    resumed.with_code(&[0], &what)?;
    if !is_inner {
        lab.compare(reference, &out, &what)?;
    }
    Ok(damaged)
}

fn second_process(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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

/// Runs a command below a limit of the shell, such as `-f 100`.
fn limited(command: &Command, limit: &str) -> Command {
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("ulimit {limit} && exec \"$0\" \"$@\""))
        .arg(command.get_program())
        .args(command.get_args());
    shell
}

fn file_size_limit(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    let limit = format!("-f {}", random.below(160));
    let ended = lab.finish(&mut limited(&lab.play(reference, &out), &limit))?;
    ended.with_code(&[0, 2], &limit)?;
    lab.complete(reference, &out, &format!("after {limit}"))?;
    Ok(1)
}

fn memory_limit(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    let limit = format!("-v {}", 20_000 + random.below(400_000));
    // A small allocation that fails aborts the process, as everywhere; what was played stays.
    lab.finish(&mut limited(&lab.play(reference, &out), &limit))?;
    lab.complete(reference, &out, &format!("after {limit}"))?;
    Ok(1)
}

fn full_disk(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let disk = lab.path("disk");
    fs::create_dir_all(&disk).map_err(|error| error.to_string())?;
    let mount = |options: &str| {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "sparring-torture"])
            .arg(&disk)
            .output();
        match mounted {
            Ok(output) if output.status.success() => Ok(()),
            _ => Err(format!("cannot mount {options}")),
        }
    };
    mount(&format!("size={}k", 4 * (1 + random.below(250))))?;
    let out = disk.join("run");
    let tried = lab.finish(&mut lab.play(reference, &out));
    let ended = tried.and_then(|ended| ended.with_code(&[0, 2], "a full disk"));
    let roomy = mount("remount,size=64m");
    let resumed = lab.complete(reference, &out, "after a full disk");
    let unmounted = Command::new("umount").arg(&disk).output();
    ended.and(roomy)?;
    resumed?;
    match unmounted {
        Ok(output) if output.status.success() => Ok(1),
        _ => Err("cannot unmount".to_string()),
    }
}

/// The command below strace with an injection.
fn injected(command: &Command, calls: &str, injection: &str, log: &Path) -> Command {
    let mut traced = Command::new("strace");
    traced
        .args(["-f", "-qq", "-o"])
        .arg(log)
        .args(["-e", &format!("trace={calls}")])
        .args(["-e", &format!("inject={calls}:{injection}")])
        .arg(command.get_program())
        .args(command.get_args());
    traced
}

const CALLS: &[&str] = &[
    "write",
    "openat",
    "rename",
    "fdatasync",
    "fsync",
    "ftruncate",
    "unlink",
    "read",
    "mkdir",
    "statx",
    "lseek",
    "getdents64",
    "flock",
];

/// Most calls come early; the others are spread over the whole run.
fn when(random: &mut Random) -> u64 {
    let most = 1 << (1 + random.below(8));
    1 + random.below(most)
}

fn io_error(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    let call = *random.of(CALLS);
    let error = *random.of(&["EIO", "ENOSPC", "EACCES", "EMFILE"]);
    let first = when(random);
    // Once, or from then on.
    let more = if random.one_in(2) { "+" } else { "" };
    let injection = format!("error={error}:when={first}{more}");
    let what = format!("{call} {injection}");
    if random.one_in(2) {
        kill_some(lab, reference, &out, random, 1)?;
    }
    let before = fs::read(out.join("games.csv")).unwrap_or_default();
    let log = lab.path("strace");
    let ended = lab.finish(&mut injected(
        &lab.play(reference, &out),
        call,
        &injection,
        &log,
    ))?;
    ended.in_order(&what)?;
    if ended.code == Some(0) {
        // Either the error did not matter, or it was met by trying again.
        lab.compare(reference, &out, &what)?;
    }
    let after = fs::read(out.join("games.csv")).unwrap_or_default();
    let kept = fs::read(out.join("removed/games.csv")).unwrap_or_default();
    if after.len() + kept.len() < before.len() {
        return Err(format!("{what}: games.csv lost bytes: {}", ended.text()));
    }
    lab.complete(reference, &out, &what)?;
    Ok(1)
}

fn kill_at_a_call(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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

fn power_cut(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    let log = lab.path("strace");
    let command = lab.play(reference, &out);
    let ended = lab.finish(&mut crate::trace::traced(&command, &log))?;
    ended.with_code(&[0], "a traced run")?;
    let calls = crate::trace::read(&log)?;
    lab.compare(reference, &out, "a traced run")?;
    const CUTS: u64 = 4;
    for cut in 0..CUTS {
        let _ = fs::remove_dir_all(&out);
        let root = lab.path("");
        let at = random.below(calls.len() as u64 + 1) as usize;
        let synced = disk::cut(&root, &calls[..at], random)?;
        let what = format!("power cut {cut} before call {at} of {}", calls.len());
        if out.join("config.toml").exists() && out.join("manifest.json").exists() {
            lab.check(&out, &what)?;
        }
        let saved = lab.path(&format!("cut-{cut}"));
        if out.exists() {
            copy(&out, &saved).map_err(|error| error.to_string())?;
        }
        let resumed = lab.complete(reference, &out, &what)?;
        let kept = kept_units(&resumed.err);
        if synced.is_some_and(|synced| synced > 0 && kept.unwrap_or(0) < synced)
            && out_is_main(&out, reference)
        {
            return Err(format!(
                "{what}: {synced:?} were synced, {kept:?} are left\n{}",
                resumed.err
            ));
        }
        let _ = fs::remove_dir_all(&saved);
    }
    Ok(CUTS)
}

/// Whether the number of synced units is that of the run itself, not of a run inside.
fn out_is_main(_out: &Path, reference: &Reference) -> bool {
    reference.scenario.command == "run"
}

/// The pairs that a resumed run found.
fn kept_units(message: &str) -> Option<u64> {
    let (_, rest) = message.split_once("Resuming: ")?;
    let games: u64 = rest
        .split_whitespace()
        .next()?
        .replace(',', "")
        .parse()
        .ok()?;
    Some(games / 2)
}

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

fn our_engines(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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

fn real_engines(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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

fn hostile_engine(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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
    let keys = "start_timeout = \"300ms\"\nmove_timeout = \"300ms\"\ndepth = 1";
    let text = scenario
        .config
        .replacen("depth = 1", keys, 1)
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
