//! What a race has shown, in words and as a table: for the terminal, Markdown and pages.

use super::data::ReportData;
use super::tables::{PageTable, TableCell};
use super::wording::{counted, elo_text, listed};
use crate::record::figures;
use crate::stats::{Estimate, Race, RaceEnd, RaceRow, Summary};

/// A race, and the names of its players.
pub struct RaceWords<'r> {
    pub race: &'r Race,
    pub names: Vec<&'r str>,
}

/// The race of a report, if its run is one.
pub fn race_words(data: &ReportData) -> Option<RaceWords<'_>> {
    let players = data.tally.players().iter();
    Some(RaceWords {
        race: data.race.as_ref()?,
        names: players.map(|player| player.name.as_str()).collect(),
    })
}

/// The last line of a player: of the round in which it went out, or of the present.
pub struct LastRow {
    pub row: RaceRow,
    /// From 1; `None` for those still in.
    pub out_in: Option<usize>,
}

/// Every player once: those still in first, then those who went out last.
pub fn last_rows(race: &Race) -> Vec<LastRow> {
    let mut rows: Vec<LastRow> = Vec::new();
    let is_over = race.end().is_some();
    for row in race.now() {
        let out_in = (is_over && !row.stays).then_some(race.rounds().len());
        rows.push(LastRow { row, out_in });
    }
    for (index, round) in race.rounds().iter().enumerate().rev() {
        for row in &round.rows {
            if rows.iter().all(|known| known.row.player != row.player) {
                rows.push(LastRow {
                    row: *row,
                    out_in: Some(index + 1),
                });
            }
        }
    }
    rows
}

impl RaceWords<'_> {
    fn name(&self, player: usize) -> &str {
        self.names.get(player).copied().unwrap_or_default()
    }

    /// The figures of the confirmation, by opponent.
    fn confirmed(&self) -> Vec<(usize, u64, Estimate)> {
        let matches = self.race.confirmation().iter();
        matches
            .map(|(opponent, pairs)| (*opponent, pairs.pairs(), Summary::of_pairs(pairs).elo))
            .collect()
    }

    /// Against the first player of the config; unknown before the confirmation, or if it won.
    pub fn gain(&self) -> Option<Estimate> {
        let matches = self.confirmed().into_iter();
        let mut against_first = matches.filter(|it| it.0 == 0);
        against_first.next().map(|it| it.2)
    }

    pub fn headline(&self) -> String {
        let race = self.race;
        let field = counted(race.players() as u64, "player");
        let Some(winner) = race.winner() else {
            let leader = race.now().first().map_or(0, |row| row.player);
            return format!(
                "{} of {field} are still in the race; {} leads.",
                race.survivors().len(),
                self.name(leader)
            );
        };
        let name = self.name(winner);
        let figures: Vec<String> = self
            .confirmed()
            .iter()
            .map(|(opponent, _, elo)| {
                let role = if *opponent == 0 {
                    "the start"
                } else {
                    "the runner-up"
                };
                format!(
                    "{} Elo against {role} {}",
                    elo_text(elo),
                    self.name(*opponent)
                )
            })
            .collect();
        let pairs = self.confirmed().first().map_or(0, |it| it.1);
        let role = if winner == 0 { ", the start," } else { "" };
        if figures.is_empty() {
            return format!("{name}{role} wins the race of {field}; not confirmed yet.");
        }
        format!(
            "{name}{role} wins the race of {field}. Confirmed on fresh openings: {} (95 % intervals, {} each).",
            listed(&figures),
            counted(pairs, "pair")
        )
    }

    /// What the figures mean.
    pub fn sentences(&self) -> Vec<String> {
        let race = self.race;
        let certainty = figures::percent(race.rules().certainty, 0);
        let mut sentences = Vec::new();
        if !race.rounds().is_empty() {
            let mut field: Vec<String> = race
                .rounds()
                .iter()
                .map(|it| it.rows.len().to_string())
                .collect();
            field.extend(race.rounds().last().map(|it| it.survivors().to_string()));
            field.dedup();
            sentences.push(format!(
                "The field: {}, in {} of shared openings.",
                field.join(" → "),
                counted(race.search_pairs(), "pair")
            ));
        }
        sentences.extend(race.end().map(|end| match (end, race.rules().within) {
            (RaceEnd::Shown, Some(within)) => format!(
                "Shown with {certainty} certainty: no player is more than {within} Elo stronger than the winner."
            ),
            (RaceEnd::Spent, Some(within)) => format!(
                "The budget was spent before the leader was shown to be within {within} Elo of the best: the \
                 winner is only the likeliest."
            ),
            _ => "Halving chooses the likeliest winner for its budget; it proves nothing by itself. How sure it \
                  is, the intervals say."
                .to_string(),
        }));
        sentences.push(format!(
            "The intervals of the race hold all together and at all times with {certainty} certainty: look and \
             stop whenever you like. They are wider than those of a match of fixed length."
        ));
        if race.end().is_some() {
            sentences.push(
                "Ratings in the standings contain the games that chose the winner, which flatters it; the \
                 confirmation does not."
                    .to_string(),
            );
        }
        sentences
    }

    pub fn table(&self) -> PageTable {
        let number = |value: f64, text: String| TableCell {
            text,
            sort: Some(value),
        };
        let word = |text: String| TableCell { text, sort: None };
        let winner = self.race.winner();
        let rows = last_rows(self.race).into_iter().enumerate();
        let rows = rows.map(|(place, LastRow { row, out_in })| {
            let state = match out_in {
                _ if winner == Some(row.player) => "winner".to_string(),
                Some(round) => format!("out in round {round}"),
                None => "in".to_string(),
            };
            let leads = row.to_leader == Estimate::UNKNOWN;
            vec![
                number(place as f64, (place + 1).to_string()),
                word(self.name(row.player).to_string()),
                word(state),
                number(row.pairs as f64, row.pairs.to_string()),
                match leads {
                    true => word(String::new()),
                    false => number(row.elo, figures::decimal(row.elo, 1)),
                },
                TableCell {
                    text: figures::interval(&row.to_leader),
                    sort: row.to_leader.low,
                },
            ]
        });
        PageTable {
            rows: rows.collect(),
            columns: vec![
                ("place", true),
                ("player", false),
                ("race", false),
                ("pairs", true),
                ("Elo to leader", true),
                ("interval", true),
            ],
        }
    }

    /// A round in a line.
    pub fn round(&self, index: usize) -> Option<String> {
        let round = self.race.rounds().get(index)?;
        let leader = round.rows.first()?;
        Some(format!(
            "round {} over after {}: {} of {} stay, {} leads",
            index + 1,
            counted(round.pairs, "pair"),
            round.survivors(),
            round.rows.len(),
            self.name(leader.player)
        ))
    }
}
