//! The kinds of trials. Each hurts a run, lets it be resumed, and compares what it ends with.

mod damage;
mod engines;
mod power;
mod scarcity;
mod stops;

use std::path::Path;
use std::process::Command;

use crate::lab::{Lab, Reference};
use crate::random::Random;
use crate::scenarios::exact;

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
    kind("kill", stops::kills),
    kind("flip", damage::flip),
    kind("signal", stops::signals),
    kind("early", stops::early_interrupt),
    kind("second", stops::second_process),
    kind("limit", scarcity::file_size_limit),
    kind("engines", engines::our_engines),
    kind("hostile", engines::hostile_engine),
    kind("repair", damage::repair),
    kind("memory", scarcity::memory_limit),
    traced("io", scarcity::io_error),
    traced("syscall", stops::kill_at_a_call),
    traced("power", power::power_cut),
    Kind {
        name: "full",
        run: scarcity::full_disk,
        missing: no_mount,
    },
    Kind {
        name: "real",
        run: engines::real_engines,
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

fn no_engines() -> Option<&'static str> {
    let there = Path::new(engines::STOCKFISH).exists() && Path::new(engines::GNUCHESS).exists();
    (!there).then_some("stockfish and gnuchess are not in /usr/games")
}

fn one_run(lab: &mut Lab, index: usize) -> Result<&Reference, String> {
    let scenario = exact().swap_remove(index);
    lab.reference(scenario.name, || scenario)
}

fn index_of_any(random: &mut Random) -> usize {
    random.below(exact().len() as u64) as usize
}
