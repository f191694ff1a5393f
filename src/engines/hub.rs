//! The words of the Hub protocol, which draughts engines speak, versions 1 and 2.

use std::time::Duration;

use super::info::{EngineScore, Info, number};
use super::offer::Offer;

/// The fields `name=value` of a line. A value with blanks is in double quotes; a word without a value has
/// an empty one. Anything is read, because programs write anything.
pub fn fields(text: &str) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    let mut letters = text.chars().peekable();
    loop {
        while letters.next_if(|letter| letter.is_whitespace()).is_some() {}
        if letters.peek().is_none() {
            return fields;
        }
        let mut name = String::new();
        while let Some(letter) = letters.next_if(|it| *it != '=' && !it.is_whitespace()) {
            name.push(letter);
        }
        let mut value = String::new();
        if letters.next_if_eq(&'=').is_some() {
            if letters.next_if_eq(&'"').is_some() {
                value.extend(letters.by_ref().take_while(|letter| *letter != '"'));
            } else {
                while let Some(letter) = letters.next_if(|letter| !letter.is_whitespace()) {
                    value.push(letter);
                }
            }
        }
        fields.push((name, value));
    }
}

/// A value as it stands behind `=`. There are no escapes, so a quote cannot be written.
pub fn quoted(value: &str) -> String {
    let plain: String = value.chars().filter(|letter| *letter != '"').collect();
    let needs =
        plain.is_empty() || plain.contains(|letter: char| letter.is_whitespace() || letter == '=');
    if needs { format!("\"{plain}\"") } else { plain }
}

/// The value of a field.
fn get<'f>(fields: &'f [(String, String)], name: &str) -> Option<&'f str> {
    let found = fields.iter().find(|(other, _)| other == name);
    found.map(|(_, value)| value.as_str())
}

/// What follows `param` on an engine's line, as an option.
pub fn read_param(text: &str) -> Option<Offer> {
    let fields = fields(text);
    let bound = |name: &str| get(&fields, name)?.parse::<i64>().ok();
    let values = get(&fields, "values").unwrap_or("");
    // In the words of UCI, whose checks apply.
    let kind = match get(&fields, "type").unwrap_or("string") {
        "bool" => "check",
        "int" => "spin",
        "enum" => "combo",
        _ => "string",
    };
    Some(Offer {
        name: get(&fields, "name")
            .filter(|name| !name.is_empty())?
            .to_string(),
        kind: kind.to_string(),
        default: get(&fields, "value").unwrap_or("").to_string(),
        range: bound("min").zip(bound("max")),
        choices: values.split_whitespace().map(str::to_string).collect(),
    })
}

/// The engine's name from what follows `id`.
pub fn read_id(text: &str) -> Option<String> {
    let fields = fields(text);
    let name = get(&fields, "name")?;
    Some(match get(&fields, "version") {
        Some(version) if !version.is_empty() => format!("{name} {version}"),
        _ => name.to_string(),
    })
}

/// The move of `done move=32-28 ponder=...`, and the reply that the engine expects.
pub fn read_done(text: &str) -> (String, Option<String>) {
    let fields = fields(text);
    let reply = get(&fields, "ponder").filter(|text| !text.is_empty());
    let best = get(&fields, "move").unwrap_or("");
    (best.to_string(), reply.map(str::to_string))
}

impl Info {
    /// Reads what follows `info`, version 2: `depth=9 score=0.15 nodes=4000 pv="32-28"`. A score is in
    /// men, a time in seconds, a speed in millions of nodes.
    pub(super) fn read_hub(&mut self, text: &str) {
        let fields = fields(text);
        let word = |name| get(&fields, name);
        self.depth = number(word("depth")).unwrap_or(self.depth);
        self.nodes = number(word("nodes")).unwrap_or(self.nodes);
        self.set_men(word("score"), 1.0);
        self.set_speed(word("time"), word("nps"));
        if let Some(pv) = word("pv") {
            self.set_pv(pv.split_whitespace());
        }
    }

    /// Reads what follows `info`, version 1: depth, mean depth, score in hundredths of a man, nodes,
    /// seconds, millions of nodes per second, and the principal variation.
    pub(super) fn read_hub_1(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        self.depth = number(words.next()).unwrap_or(self.depth);
        self.set_men(words.nth(1), 100.0);
        self.nodes = number(words.next()).unwrap_or(self.nodes);
        self.set_speed(words.next(), words.next());
        self.set_pv(words);
    }

    fn set_speed(&mut self, seconds: Option<&str>, millions: Option<&str>) {
        let seconds = number(seconds).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        self.time = seconds.or(self.time);
        let millions: Option<f64> = number(millions).filter(|speed| *speed >= 0.0);
        let speed = millions.map(|millions| (millions * 1e6) as u64);
        self.nodes_per_second = speed.or(self.nodes_per_second);
    }

    fn set_men(&mut self, text: Option<&str>, units_in_man: f64) {
        let men = number::<f64>(text).map(|score| score / units_in_man);
        // Hundredths of a man: the conversion of a number out of range keeps the nearest one.
        let score = men.filter(|men| men.is_finite());
        let score = score.map(|men| EngineScore::Centipawns((men * 100.0).round() as i32));
        self.score = score.or(self.score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_with_quotes_and_without_values() {
        let pairs = |text: &str| -> Vec<String> {
            let fields = fields(text).into_iter();
            fields
                .map(|(name, value)| format!("{name}:{value}"))
                .collect()
        };
        assert_eq!(
            pairs("name=Scan version=3.1 author=\"Fabien Letouzey\" empty=\"\" infinite"),
            [
                "name:Scan",
                "version:3.1",
                "author:Fabien Letouzey",
                "empty:",
                "infinite:"
            ]
        );
        assert_eq!(
            pairs("pv=\"32-28 19x23x24\" x="),
            ["pv:32-28 19x23x24", "x:"]
        );
        assert_eq!(pairs("open=\"no end"), ["open:no end"]);
        assert_eq!(pairs("  "), Vec::<String>::new());
        for value in ["", "a b", "a=b", "plain", "with \" quote"] {
            let text = format!("x={}", quoted(value));
            assert_eq!(fields(&text)[0].1, value.replace('"', ""));
        }
    }

    #[test]
    fn params_ids_and_infos_are_read_and_garbage_is_passed_over() {
        let size = read_param("name=tt-size value=24 type=int min=16 max=30").unwrap();
        assert_eq!((size.range, size.default.as_str()), (Some((16, 30)), "24"));
        assert!(size.objection("31").is_some());
        let variant = read_param("name=variant value=normal type=enum values=\"normal killer bt\"");
        assert_eq!(variant.unwrap().choices, ["normal", "killer", "bt"]);
        assert_eq!(read_param("value=1 type=int"), None);
        assert_eq!(
            read_id("name=Scan version=3.1").as_deref(),
            Some("Scan 3.1")
        );
        let done = ("32-28".to_string(), Some("19-23".to_string()));
        assert_eq!(read_done("move=32-28 ponder=19-23"), done);
        assert_eq!(read_done(""), (String::new(), None));
        let mut info = Info::default();
        info.read_hub(
            "depth=9 mean-depth=12.5 score=-0.15 nodes=4000 time=0.10 nps=1.2 pv=\"32-28\"",
        );
        assert_eq!(info.score, Some(EngineScore::Centipawns(-15)));
        assert_eq!((info.depth, info.nodes), (9, 4000));
        info.read_hub("depth=x score=NaN nodes=-1");
        assert_eq!((info.depth, info.nodes), (9, 4000));
        assert_eq!(
            (info.nodes_per_second, info.pv.as_str()),
            (Some(1_200_000), "32-28")
        );
        // As Scan 2.0 writes it.
        let mut old = Info::default();
        old.read_hub_1("7 9.1 31 1234 0.25 1.2 32-28 19-23");
        assert_eq!(
            (old.time, old.pv.as_str()),
            (Some(Duration::from_millis(250)), "32-28 19-23")
        );
        assert_eq!(old.score, Some(EngineScore::Centipawns(31)));
        assert_eq!((old.depth, old.nodes), (7, 1234));
        old.read_hub_1("");
        assert_eq!(old.depth, 7);
    }
}
