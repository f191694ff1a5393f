//! Trials that change bits of files.

use std::fs;
use std::path::{Path, PathBuf};

use super::stops::kill_some;
use super::{index_of_any, one_run};
use crate::lab::{Lab, Reference, copy, files};
use crate::random::Random;

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

pub(super) fn flip(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
    let index = index_of_any(random);
    one_run(lab, index)?;
    let lab = &*lab;
    let reference = lab.known(index);
    let out = lab.path("run");
    let is_finished = finished_or_killed(lab, reference, &out, random)?;
    let (name, _) = flip_a_bit(&out, random)?;
    let shown = name.display().to_string();
    lab.count(format!("a `{}` flipped", reference.scenario.command));
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
    // Resuming is slow, and charts and pages are written again in any case.
    let is_written_again = shown.ends_with("g") || shown.contains("report.");
    if !random.one_in(if is_written_again { 16 } else { 3 }) {
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

pub(super) fn repair(lab: &mut Lab, random: &mut Random) -> Result<u64, String> {
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
