//! Which players are one player at different values. A sweep names them so: `NAME KEY=VALUE`,
//! one `KEY=VALUE` for each swept key.

use super::data::ReportData;

/// A player at some values of its swept keys.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptPlayer {
    pub player: usize,
    /// In the order of the keys.
    pub values: Vec<String>,
}

/// The players that one `[[player]]` with a sweep became.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub base: String,
    pub keys: Vec<String>,
    pub players: Vec<SweptPlayer>,
}

/// A name without its swept values, and these.
fn split(name: &str) -> (String, Vec<(String, String)>) {
    let mut rest = name.trim_end();
    let mut swept = Vec::new();
    while let Some((before, word)) = rest.rsplit_once(' ') {
        let Some((key, value)) = word.split_once('=') else {
            break;
        };
        let is_key = !key.is_empty()
            && key
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter));
        if !is_key || value.is_empty() {
            break;
        }
        swept.insert(0, (key.to_string(), value.to_string()));
        rest = before.trim_end();
    }
    (rest.to_string(), swept)
}

/// All sweeps over `keys` keys, in the order of the players. Only those of two values or more.
pub fn sweeps(data: &ReportData, keys: usize) -> Vec<Sweep> {
    let mut found: Vec<Sweep> = Vec::new();
    for (player, tally) in data.tally.players().iter().enumerate() {
        let (base, swept) = split(&tally.name);
        if swept.len() != keys || tally.games.games() == 0 {
            continue;
        }
        let (names, values): (Vec<String>, Vec<String>) = swept.into_iter().unzip();
        let entry = SweptPlayer { player, values };
        match found
            .iter_mut()
            .find(|sweep| sweep.base == base && sweep.keys == names)
        {
            Some(sweep) => sweep.players.push(entry),
            None => found.push(Sweep {
                base,
                keys: names,
                players: vec![entry],
            }),
        }
    }
    found.retain(|sweep| sweep.players.len() > 1);
    found
}

impl Sweep {
    /// The values of a key, each once: by size if all are numbers, otherwise as they came.
    pub fn values(&self, key: usize) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        for player in &self.players {
            if !values.contains(&player.values[key]) {
                values.push(player.values[key].clone());
            }
        }
        let numbers: Option<Vec<f64>> = values.iter().map(|value| number(value)).collect();
        if let Some(numbers) = numbers {
            let mut both: Vec<(f64, String)> = numbers.into_iter().zip(values).collect();
            both.sort_by(|a, b| a.0.total_cmp(&b.0));
            values = both.into_iter().map(|(_, value)| value).collect();
        }
        values
    }
}

/// A value as a number, if it is one.
pub fn number(value: &str) -> Option<f64> {
    value.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn swept_values_are_told_from_names() {
        let (base, swept) = split("my player depth=3 weights.mobility=-0.5");
        assert_eq!(base, "my player");
        let swept: Vec<(&str, &str)> = swept
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        assert_eq!(swept, [("depth", "3"), ("weights.mobility", "-0.5")]);
        assert!(split("plain name").1.is_empty());
        assert!(split("a+b=c").1.is_empty());
        assert!(split("x <b>=1").1.is_empty());
    }
}
