//! Trials in which something runs out or fails: file sizes, memory, disks, system calls.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::stops::kill_some;
use super::{index_of_any, one_run};
use crate::lab::Lab;
use crate::random::Random;

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

pub(super) fn file_size_limit(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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

pub(super) fn memory_limit(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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

pub(super) fn full_disk(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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
pub(super) fn injected(command: &Command, calls: &str, injection: &str, log: &Path) -> Command {
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

pub(super) const CALLS: &[&str] = &[
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
pub(super) fn when(random: &mut Random) -> u64 {
    let most = 1 << (1 + random.below(8));
    1 + random.below(most)
}

pub(super) fn io_error(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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
