//! Several runs on one page: each by itself, and joined as `sparring report DIR...` joins them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::SystemTime;

use serde_json::{Value, json};

use super::view::{charts, summary};
use super::{READ_TIME, state};
use crate::record::{Manifest, PlayerEntry};
use crate::report;
use crate::serve::play::lock;
use crate::serve::{App, Refusal};

/// Runs on one page.
const MOST: usize = 8;

/// The charts that are shown run by run.
const BESIDE: &[&str] = &["elo", "scores", "results", "llr", "progress", "trajectory"];

/// The last answer, for pages that ask again while nothing has changed.
#[derive(Default)]
pub struct Cache(Mutex<Option<(Vec<Stamp>, Value)>>);

type Stamp = (PathBuf, Option<(u64, SystemTime)>);

pub fn compare(app: &App, ids: &[&str]) -> Result<Value, Refusal> {
    if ids.len() < 2 || ids.len() > MOST {
        return Err(Refusal::bad_request(format!(
            "expected 2 to {MOST} runs, as run=NAME&run=NAME"
        )));
    }
    let (mut runs, mut paths, mut manifests) = (Vec::new(), Vec::new(), Vec::new());
    for id in ids {
        let run = app.runs.find(id)?;
        let mut run = lock(&run);
        while !run.all_read() {
            run.refresh(READ_TIME);
        }
        run.refresh(READ_TIME);
        let entry = state::entry(&mut run, &app.runs.jobs);
        paths.push(run.path().to_path_buf());
        manifests.push(run.manifest().cloned());
        let mut value = json!({ "entry": entry });
        if let Some(data) = run.data() {
            value["summary"] = summary(data);
            let beside = charts(data)
                .into_iter()
                .filter(|(name, _)| BESIDE.contains(name));
            value["charts"] = beside.map(|(_, chart)| chart).collect();
        }
        runs.push(value);
    }
    let differences = differences(ids, &manifests);
    Ok(json!({ "runs": runs, "joined": joined(app, &paths), "differences": differences }))
}

/// The runs as one; the message if they do not belong together.
fn joined(app: &App, paths: &[PathBuf]) -> Value {
    let stamps: Vec<Stamp> = paths
        .iter()
        .map(|path| {
            let data = std::fs::metadata(path.join("games.csv"));
            let stamp = data
                .ok()
                .and_then(|it| Some((it.len(), it.modified().ok()?)));
            (path.clone(), stamp)
        })
        .collect();
    if let Some((of, value)) = &*lock(&app.compared.0)
        && *of == stamps
    {
        return value.clone();
    }
    let value = match report::read(paths) {
        Err(error) => json!({ "error": error.to_string() }),
        Ok(data) if data.tally.game_count() == 0 => {
            json!({ "error": "the runs have no games to count together" })
        }
        Ok(data) => {
            let charts: Value = charts(&data).into_iter().map(|(_, chart)| chart).collect();
            json!({ "summary": summary(&data), "charts": charts })
        }
    };
    *lock(&app.compared.0) = Some((stamps, value.clone()));
    value
}

/// The settings in which the runs differ: a row for each, with a value for each run.
fn differences(ids: &[&str], manifests: &[Option<Manifest>]) -> Value {
    let mut rows: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
    for (index, manifest) in manifests.iter().enumerate() {
        let Some(manifest) = manifest else { continue };
        let mut set = |key: String, value: String| {
            rows.entry(key).or_insert_with(|| vec![None; ids.len()])[index] = Some(value);
        };
        set("game".to_string(), manifest.game.clone());
        set("seed".to_string(), manifest.seed.to_string());
        set("program".to_string(), manifest.program.clone());
        for (key, value) in &manifest.settings {
            set(key.clone(), value.to_string());
        }
        for player in &manifest.players {
            for (key, value) in settings_of(player) {
                set(format!("player {}: {key}", player.name), value);
            }
        }
    }
    rows.retain(|_, values| values.windows(2).any(|pair| pair[0] != pair[1]));
    let rows = rows.into_iter();
    rows.map(|(key, values)| json!([key, values])).collect()
}

fn settings_of(player: &PlayerEntry) -> Vec<(String, String)> {
    let own = player.values.iter();
    let own = own.map(|(key, value)| (key.clone(), value.to_string()));
    let swept = player.swept.iter();
    let swept = swept.map(|swept| (swept.key.clone(), swept.value.to_string()));
    own.chain(swept).collect()
}
