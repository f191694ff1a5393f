//! Groups players that are one player at different swept values, from the manifests.

use super::data::ReportData;
use crate::record::{PlayerEntry, Setting};

/// A player with its values of the swept keys.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptPlayer {
    pub player: usize,
    /// In the order of the keys.
    pub values: Vec<Setting>,
}

/// The players expanded from one `[[player]]` with a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub base: String,
    pub keys: Vec<String>,
    pub players: Vec<SweptPlayer>,
}

/// All sweeps over `keys` keys, in the order of the players. Only those of two values or more.
pub fn sweeps(data: &ReportData, keys: usize) -> Vec<Sweep> {
    let manifests = || data.sources.iter().filter_map(|it| it.manifest.as_ref());
    let mut found: Vec<Sweep> = Vec::new();
    for (player, tally) in data.tally.players().iter().enumerate() {
        let entry = manifests().find_map(|manifest| manifest.player(&tally.name));
        let Some(PlayerEntry { base, swept, .. }) = entry else {
            continue;
        };
        if swept.len() != keys || tally.games.games() == 0 {
            continue;
        }
        let names: Vec<String> = swept.iter().map(|swept| swept.key.clone()).collect();
        let entry = SweptPlayer {
            player,
            values: swept.iter().map(|swept| swept.value.clone()).collect(),
        };
        match found
            .iter_mut()
            .find(|sweep| sweep.base == *base && sweep.keys == names)
        {
            Some(sweep) => sweep.players.push(entry),
            None => found.push(Sweep {
                base: base.clone(),
                keys: names,
                players: vec![entry],
            }),
        }
    }
    found.retain(|sweep| sweep.players.len() > 1);
    found
}

impl Sweep {
    /// The distinct values of a key: sorted if all are numbers, otherwise in order of occurrence.
    pub fn values(&self, key: usize) -> Vec<Setting> {
        let mut values: Vec<Setting> = Vec::new();
        for player in &self.players {
            if !values.contains(&player.values[key]) {
                values.push(player.values[key].clone());
            }
        }
        let numbers: Option<Vec<f64>> = values.iter().map(Setting::number).collect();
        if let Some(numbers) = numbers {
            let mut both: Vec<(f64, Setting)> = numbers.into_iter().zip(values).collect();
            both.sort_by(|a, b| a.0.total_cmp(&b.0));
            values = both.into_iter().map(|(_, value)| value).collect();
        }
        values
    }
}
