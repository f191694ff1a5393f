//! The TOML files of a tuning run: configs of its matches, and its weights.

use std::path::Path;

use super::keys::Section;
use super::read::resolve_section;
use super::resolved;
use super::source::{ConfigError, ConfigNode, ConfigTable, Place, Value, quoted, quoted_key};
use super::tune::LoadedTune;
use crate::eval::{Term, TermShape, Weights};
use crate::play::{PlayerKind, PlayerSpec};
use crate::record::ValidationRow;
use crate::record::figures::likelihood;
use crate::search::Options;
use crate::stats::{Estimate, Pentanomial, Sample, Sprt, StoppedEstimate, Summary, Verdict};

/// The result of a validation match, from the tuned player's side.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    pub opponent: String,
    /// Such as `depth 5`.
    pub limit: String,
    /// The name of the match's run directory.
    pub directory: String,
    pub pairs: Pentanomial,
    /// `None` for a match of fixed length.
    pub test: Option<Sprt>,
}

impl Proof {
    /// The rows of the tests in `validation.csv`.
    pub fn rows(proofs: &[Proof]) -> Vec<ValidationRow> {
        proofs.iter().filter_map(Proof::row).collect()
    }

    fn row(&self) -> Option<ValidationRow> {
        let test = self.test.as_ref()?;
        let llr = test.llr(&self.pairs);
        let stopped = StoppedEstimate::of(test, &self.pairs);
        Some(ValidationRow {
            opponent: self.opponent.clone(),
            limit: self.limit.clone(),
            directory: self.directory.clone(),
            pairs: self.pairs.pairs(),
            elo: match stopped.elo.value {
                Some(_) => stopped.elo,
                None => self.pairs.elo(),
            },
            los: stopped.confidence.or_else(|| self.pairs.los()),
            llr,
            verdict: test.verdict(llr),
        })
    }

    pub fn verdict(&self) -> Option<Verdict> {
        let test = self.test.as_ref()?;
        Some(test.verdict(test.llr(&self.pairs)))
    }

    /// One line of text.
    pub fn text(&self) -> String {
        let (opponent, limit) = (&self.opponent, &self.limit);
        let pairs = self.pairs.pairs();
        let pairs = format!("{pairs} pair{}", if pairs == 1 { "" } else { "s" });
        let chance = |name: &str, chance: Option<f64>| {
            chance.map_or(String::new(), |it| {
                format!(", {name} {}", likelihood(it, 2))
            })
        };
        let Some(test) = &self.test else {
            let summary = Summary::of_pairs(&self.pairs);
            return format!(
                "against {opponent} at {limit}, fixed length, further unused openings: Elo {}, {pairs}{}",
                elo_text(&summary.elo),
                chance("LOS", summary.los)
            );
        };
        let llr = test.llr(&self.pairs);
        let stopped = StoppedEstimate::of(test, &self.pairs);
        let elo = match stopped.elo.value {
            Some(_) => format!("{}, adjusted for the stop", elo_text(&stopped.elo)),
            // All pairs alike.
            None => elo_text(&self.pairs.elo()),
        };
        format!(
            "against {opponent} at {limit}: {}, Elo {elo}, {pairs}{}, LLR {llr:.2}",
            match test.verdict(llr) {
                Verdict::AcceptH1 => "proven (H1)",
                Verdict::AcceptH0 => "not better (H0)",
                Verdict::Continue => "undecided",
            },
            chance("confidence", stopped.confidence)
        )
    }
}

/// `+12.3 (95 %: +1.0 to +23.6)`, or the ends that are known.
fn elo_text(elo: &Estimate) -> String {
    match (elo.value, elo.low, elo.high) {
        (Some(value), Some(low), Some(high)) => {
            format!("{value:+.1} (95 %: {low:+.1} to {high:+.1})")
        }
        (_, Some(low), None) => format!("above {low:+.1} (95 %)"),
        (_, None, Some(high)) => format!("below {high:+.1} (95 %)"),
        _ => "unknown".to_string(),
    }
}

fn node(value: Value) -> ConfigNode {
    ConfigNode {
        value,
        place: Place::Given {
            text: "tuning".to_string(),
        },
    }
}

fn text_node(text: impl Into<String>) -> ConfigNode {
    node(Value::Text(text.into()))
}

/// A weight's numbers as TOML: one, a list, or 8 rows of 8.
fn numbers(values: &[f64], shape: TermShape) -> Value {
    let list =
        |values: &[f64]| Value::List(values.iter().map(|v| node(Value::Float(*v))).collect());
    match shape {
        TermShape::Number => Value::Float(values[0]),
        TermShape::List(_) => list(values),
        TermShape::Squares => Value::List(values.chunks(8).map(|row| node(list(row))).collect()),
    }
}

/// Every weight of a preset as a table.
pub(super) fn weights_table(terms: &[Term], weights: &Weights) -> ConfigTable {
    let mut table = ConfigTable::default();
    for (term, value) in weights.values(terms) {
        let mut whole = numbers(&value.opening, term.shape());
        if term.is_tapered() {
            let mut both = ConfigTable::default();
            let _ = both.set(&["opening"], node(whole));
            let _ = both.set(&["ending"], node(numbers(&value.ending, term.shape())));
            whole = Value::Table(both);
        }
        let _ = table.set(&[term.name], node(whole));
    }
    table
}

/// The numbers of a search that differ from another's.
fn search_changes(player: &PlayerSpec, start: &PlayerSpec) -> ConfigTable {
    let mut table = ConfigTable::default();
    let (Some(player), Some(start)) = (player.search(), start.search()) else {
        return table;
    };
    for row in Options::rows() {
        if let (Some(value), Some(old)) = (row.number(&player.options), row.number(&start.options))
            && value != old
        {
            let _ = table.set(&[row.name], node(Value::Integer(value.into())));
        }
    }
    table
}

impl LoadedTune {
    /// The config of the games that a fit learns from: the match of this config.
    pub fn self_play_config(&self) -> Result<String, ConfigError> {
        let mut sections: Vec<(Section, ConfigTable)> = self.sections_without(&[Section::Sprt]);
        set(
            &mut sections,
            Section::Top,
            "name",
            text_node(format!("{} games", self.name)),
        )?;
        let mut players = self.parts.players.clone();
        if let [only] = &players[..] {
            let mut again = only.clone();
            let name = format!("{} again", self.experiment.players[0].name);
            again.set(&["name"], text_node(name))?;
            players.push(again);
        }
        Ok(self.written(&sections, &players))
    }

    /// The config of a match of this player's search with two evaluators, by name or file.
    pub fn measure_config(
        &self,
        evaluators: [&str; 2],
        names: [&str; 2],
        pairs: u64,
    ) -> Result<String, ConfigError> {
        let mut sections = self.sections_without(&[Section::Sprt]);
        let name = format!("{} {}", self.name, names.join(" against "));
        set(&mut sections, Section::Top, "name", text_node(name))?;
        set(&mut sections, Section::Match, "format", text_node("pair"))?;
        let pairs = node(Value::Integer(pairs as i64));
        set(&mut sections, Section::Match, "pairs", pairs)?;
        let player = |index: usize| {
            let mut table = self.parts.players[self.player].clone();
            table.set(&["name"], text_node(names[index]))?;
            table.set(&["evaluator"], text_node(evaluators[index]))?;
            table.set(&["weights"], node(Value::Table(ConfigTable::default())))?;
            Ok(table)
        };
        Ok(self.written(&sections, &[player(0)?, player(1)?]))
    }

    /// The config of a match of the tuned player against an opponent.
    pub fn validation_config(
        &self,
        terms: &[Term],
        tuned: &PlayerSpec,
        ValidationMatch {
            opponent,
            deeper,
            openings,
            pairs,
            is_test,
        }: ValidationMatch<'_>,
    ) -> Result<String, ConfigError> {
        let mut sections = self.sections_without(&[Section::Sprt]);
        let kind = if is_test {
            "validation"
        } else {
            "confirmation"
        };
        let name = format!("{} {kind}", self.name);
        set(&mut sections, Section::Top, "name", text_node(name))?;
        set(&mut sections, Section::Match, "format", text_node("pair"))?;
        let pairs = Value::Integer(pairs as i64);
        set(&mut sections, Section::Match, "pairs", node(pairs))?;
        for (key, value) in [("skip", 0), ("count", 0)] {
            set(
                &mut sections,
                Section::Openings,
                key,
                node(Value::Integer(value)),
            )?;
        }
        set(
            &mut sections,
            Section::Openings,
            "order",
            text_node("sequential"),
        )?;
        let file = openings
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        set(&mut sections, Section::Openings, "source", text_node(file))?;
        if is_test {
            let at = sections.len().min(3);
            sections.insert(at, (Section::Sprt, self.test_table()?));
        }

        let mut first = self.player_table(terms, tuned)?;
        first.set(&["name"], text_node("tuned"))?;
        let mut second = match opponent {
            "start" => self.player_table(terms, &self.space.player)?,
            name => {
                let at = self
                    .experiment
                    .players
                    .iter()
                    .position(|player| player.name == name);
                self.parts.players[at.unwrap_or(self.player)].clone()
            }
        };
        let second_name = if opponent == "tuned" {
            "opponent"
        } else {
            opponent
        };
        second.set(&["name"], text_node(second_name))?;
        for table in [&mut first, &mut second] {
            if deeper {
                deepen(table)?;
            }
        }
        Ok(self.written(&sections, &[first, second]))
    }

    /// The section `[sprt]` of a validation match.
    fn test_table(&self) -> Result<ConfigTable, ConfigError> {
        let mut test = resolve_section(Section::Sprt, &ConfigTable::default())?;
        let numbers = [
            ("elo0", self.sprt.elo0()),
            ("elo1", self.sprt.elo1()),
            ("alpha", self.sprt.alpha()),
            ("beta", self.sprt.beta()),
        ];
        for (key, value) in numbers {
            test.set(&[key], node(Value::Float(value)))?;
        }
        test.set(&["model"], text_node(self.sprt.model().name()))?;
        Ok(test)
    }

    /// The weights of a run, with the validation results in the header. `earlier` are tries with
    /// other settings: a reader must know that there was more than one.
    pub fn weights_file(
        &self,
        terms: &[Term],
        tuned: &PlayerSpec,
        spent: &str,
        proofs: &[Proof],
        earlier: &[String],
    ) -> String {
        // A match of fixed length must not contradict the test.
        let mut fixed = proofs.iter().filter(|proof| proof.test.is_none());
        let proven = ValidationRow::prove_gain(&Proof::rows(proofs))
            && fixed.all(|proof| proof.pairs.elo().high.is_none_or(|high| high > 0.0));
        let mut text = format!(
            "# Tuned by sparring {} with {}, {spent}: run \"{}\", seed {}.\n",
            env!("CARGO_PKG_VERSION"),
            self.row.name,
            self.name,
            self.experiment.seed
        );
        if proofs.is_empty() {
            text.push_str("# Not validated.\n");
        }
        for proof in proofs {
            text.push_str(&format!("# {}\n", proof.text()));
        }
        for line in earlier {
            text.push_str(&format!("# {line}\n"));
        }
        let spec = match &tuned.kind {
            PlayerKind::Search(spec) => spec,
            PlayerKind::Engine(engine) => {
                text.push_str(&format!("proven = {proven}\n\n[options]\n"));
                for (name, value) in &engine.options {
                    text.push_str(&format!("{} = {}\n", quoted_key(name), quoted(value)));
                }
                return text;
            }
        };
        let file = spec.weights.learnt().map(|it| it.file_name());
        text.push_str(&format!(
            "evaluator = {}\nproven = {proven}\n",
            quoted(file.as_deref().unwrap_or(spec.evaluator))
        ));
        let search = search_changes(tuned, &self.space.player);
        text.push_str("\n[weights]\n");
        for entry in &weights_table(terms, &spec.weights).entries {
            text.push_str(&format!(
                "{} = {}\n",
                quoted_key(&entry.key),
                spread(&entry.node.value)
            ));
        }
        if !search.entries.is_empty() {
            text.push_str("\n[search]\n");
            for entry in &search.entries {
                text.push_str(&format!(
                    "{} = {}\n",
                    quoted_key(&entry.key),
                    entry.node.value
                ));
            }
        }
        text
    }

    fn sections_without(&self, left_out: &[Section]) -> Vec<(Section, ConfigTable)> {
        let sections = self.parts.sections.iter();
        sections
            .filter(|(section, _)| !left_out.contains(section))
            .cloned()
            .collect()
    }

    fn written(&self, sections: &[(Section, ConfigTable)], players: &[ConfigTable]) -> String {
        let sections: Vec<(Section, &ConfigTable)> = sections
            .iter()
            .map(|(section, table)| (*section, table))
            .collect();
        resolved::write(&sections, players, &self.parts.loaded.not_reproducible)
    }

    /// The tuned player's table with the numbers of `player` in it.
    fn player_table(
        &self,
        terms: &[Term],
        player: &PlayerSpec,
    ) -> Result<ConfigTable, ConfigError> {
        let mut table = self.parts.players[self.player].clone();
        match &player.kind {
            PlayerKind::Search(search) => {
                let weights = match search.weights.learnt() {
                    // In the run directory, like the configs that name it.
                    Some(learnt) => {
                        table.set(&["evaluator"], text_node(learnt.file_name()))?;
                        ConfigTable::default()
                    }
                    None => weights_table(terms, &search.weights),
                };
                table.set(&["weights"], node(Value::Table(weights)))?;
            }
            PlayerKind::Engine(engine) => {
                for (name, value) in &engine.options {
                    table.set(&["options", name], text_node(value.clone()))?;
                }
            }
        }
        let original = &self.experiment.players[self.player];
        for entry in search_changes(player, original).entries {
            table.set(&["search", &entry.key], entry.node)?;
        }
        Ok(table)
    }
}

/// A match that validates tuned numbers.
#[derive(Clone, Copy, Debug)]
pub struct ValidationMatch<'a> {
    pub opponent: &'a str,
    /// Deeper than the tuning limit.
    pub deeper: bool,
    /// A file in the run directory.
    pub openings: &'a Path,
    pub pairs: u64,
    /// A sequential test, otherwise of fixed length.
    pub is_test: bool,
}

fn set(
    sections: &mut [(Section, ConfigTable)],
    section: Section,
    key: &str,
    node: ConfigNode,
) -> Result<(), ConfigError> {
    match sections.iter_mut().find(|(of, _)| *of == section) {
        Some((_, table)) => table.set(&[key], node),
        None => Ok(()),
    }
}

/// One ply more, or four times the nodes or the time.
fn deepen(player: &mut ConfigTable) -> Result<(), ConfigError> {
    let whole = |table: &ConfigTable, key: &str| match table.get(key) {
        Some(ConfigNode {
            value: Value::Integer(value),
            ..
        }) => Some(*value),
        _ => None,
    };
    if let Some(depth) = whole(player, "depth") {
        player.set(&["depth"], node(Value::Integer(depth + 1)))?;
    }
    if let Some(nodes) = whole(player, "nodes") {
        player.set(&["nodes"], node(Value::Integer(nodes.saturating_mul(4))))?;
    }
    Ok(())
}

/// A table of squares is written on eight lines.
fn spread(value: &Value) -> String {
    match value {
        Value::List(rows) if rows.iter().all(|row| matches!(row.value, Value::List(_))) => {
            let rows: Vec<String> = rows.iter().map(|row| format!("  {}", row.value)).collect();
            format!("[\n{},\n]", rows.join(",\n"))
        }
        other => other.to_string(),
    }
}
