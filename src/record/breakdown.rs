//! Results grouped by colour, opening or termination. Memory grows with openings, not with games.

use std::collections::BTreeMap;

use super::rows::GameRow;
use crate::stats::{PlayerResult, Wdl};

/// How results are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    Colour,
    Opening,
    Termination,
}

impl Grouping {
    pub const ALL: [Grouping; 3] = [Grouping::Colour, Grouping::Opening, Grouping::Termination];

    pub const fn name(self) -> &'static str {
        match self {
            Grouping::Colour => "colour",
            Grouping::Opening => "opening",
            Grouping::Termination => "termination",
        }
    }
}

/// Results of games from white's side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakdown {
    players: BTreeMap<String, [Wdl; 2]>,
    openings: BTreeMap<String, Wdl>,
    terminations: BTreeMap<String, Wdl>,
}

/// One line of a breakdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Blank if unknown.
    pub name: String,
    /// From white's side; from the named player's side when grouped by colour.
    pub games: Wdl,
}

impl Breakdown {
    /// Counts a game.
    pub fn push(&mut self, row: &GameRow) {
        let for_white = row.result_for_white();
        for (name, colour, result) in [
            (&row.white, 0, for_white),
            (&row.black, 1, for_white.swapped()),
        ] {
            count(&mut self.players, name, |games| &mut games[colour], result);
        }
        count(&mut self.openings, &row.opening, |games| games, for_white);
        count(
            &mut self.terminations,
            &row.termination,
            |games| games,
            for_white,
        );
    }

    /// The groups, largest first, equals by name.
    pub fn groups(&self, by: Grouping) -> Vec<Group> {
        let plain = |map: &BTreeMap<String, Wdl>| -> Vec<Group> {
            let groups = map.iter().map(|(name, games)| Group {
                name: name.clone(),
                games: *games,
            });
            groups.collect()
        };
        let mut groups = match by {
            Grouping::Opening => plain(&self.openings),
            Grouping::Termination => plain(&self.terminations),
            Grouping::Colour => {
                let all = self
                    .players
                    .values()
                    .fold(Wdl::default(), |mut all, games| {
                        all += games[0];
                        all
                    });
                let mut groups = vec![Group {
                    name: "white, all games".to_string(),
                    games: all,
                }];
                for (name, games) in &self.players {
                    for (colour, games) in ["white", "black"].iter().zip(games) {
                        groups.push(Group {
                            name: format!("{name}, {colour}"),
                            games: *games,
                        });
                    }
                }
                // In the order of the players.
                return groups;
            }
        };
        groups.sort_by_key(|group| std::cmp::Reverse(group.games.games()));
        groups
    }
}

fn count<T: Default>(
    map: &mut BTreeMap<String, T>,
    name: &str,
    games: impl Fn(&mut T) -> &mut Wdl,
    result: PlayerResult,
) {
    match map.get_mut(name) {
        Some(found) => games(found).push(result),
        None => games(map.entry(name.to_string()).or_default()).push(result),
    }
}
