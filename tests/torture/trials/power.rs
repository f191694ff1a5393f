//! Trials that cut the power.

use std::fs;

use super::{index_of_any, one_run};
use crate::disk;
use crate::lab::{Lab, copy};
use crate::random::Random;

pub(super) fn power_cut(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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
            && reference.scenario.command == "run"
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
