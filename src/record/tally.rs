//! Counts results game by game. Memory grows with players and pairings, not with games.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::rows::GameRow;
use crate::stats::{
    PairResult, PairedComparison, Pentanomial, PlayerResult, RatingOptions, Ratings, Sprt, Summary,
    Tournament, Verdict, Wdl, family_verdicts,
};

/// One player's results against all opponents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerTally {
    pub name: String,
    pub games: Wdl,
    pub pairs: Pentanomial,
}

/// What two players did against each other, from the first one's side.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingTally {
    /// Indices into the players.
    pub first: usize,
    pub second: usize,
    pub games: Wdl,
    /// Complete pairs only.
    pub pairs: Pentanomial,
    /// Results of the games in which the first player had white, and black.
    pub as_white: Wdl,
    pub as_black: Wdl,
}

/// Figures from pairs if every game belongs to one, otherwise from single games.
fn summary(games: &Wdl, pairs: &Pentanomial) -> Summary {
    if pairs.games() == games.games() {
        Summary::of_pairs(pairs)
    } else {
        Summary::of_games(games)
    }
}

impl PlayerTally {
    /// Against all opponents.
    pub fn summary(&self) -> Summary {
        summary(&self.games, &self.pairs)
    }
}

impl PairingTally {
    /// From the first player's side.
    pub fn summary(&self) -> Summary {
        summary(&self.games, &self.pairs)
    }
}

/// The first game of an incomplete pair.
#[derive(Clone, Debug)]
struct FirstGame {
    pair: u64,
    pairing: usize,
    /// `None` if the file does not tell.
    opening: Option<u32>,
    /// Whether the pairing's first player had white.
    first_is_white: bool,
    for_first: PlayerResult,
}

/// All results of a run. Players are listed in the order they were given or first seen.
#[derive(Clone, Debug, Default)]
pub struct RunTally {
    players: Vec<PlayerTally>,
    by_name: HashMap<String, usize>,
    pairings: Vec<PairingTally>,
    by_players: HashMap<(usize, usize), usize>,
    open: Option<FirstGame>,
    tournament: Tournament,
    /// The openings by a hash of their text, numbered in order of appearance.
    openings: HashMap<u64, u32>,
}

impl RunTally {
    /// Lists the players before the first game, so that the order does not depend on who plays
    /// first.
    pub fn with_players<'n>(names: impl IntoIterator<Item = &'n str>) -> RunTally {
        let mut tally = RunTally::default();
        for name in names {
            tally.player(name);
        }
        tally
    }

    pub fn players(&self) -> &[PlayerTally] {
        &self.players
    }

    pub fn pairings(&self) -> &[PairingTally] {
        &self.pairings
    }

    /// The results between two players, if they met.
    pub fn pairing_of(&self, one: &str, other: &str) -> Option<&PairingTally> {
        let (one, other) = (*self.by_name.get(one)?, *self.by_name.get(other)?);
        let index = self.by_players.get(&(one.min(other), one.max(other)))?;
        self.pairings.get(*index)
    }

    pub fn game_count(&self) -> u64 {
        self.pairings
            .iter()
            .map(|pairing| pairing.games.games())
            .sum()
    }

    pub fn pair_count(&self) -> u64 {
        self.pairings
            .iter()
            .map(|pairing| pairing.pairs.pairs())
            .sum()
    }

    /// Counts a game, and its pair when it completes one.
    pub fn push(&mut self, row: &GameRow) {
        let for_white = row.result_for_white();
        let white = self.player(&row.white);
        let black = self.player(&row.black);
        self.players[white].games.push(for_white);
        self.players[black].games.push(for_white.swapped());
        let pairing = self.pairing(white, black);
        let tally = &mut self.pairings[pairing];
        let for_first = if tally.first == white {
            tally.as_white.push(for_white);
            for_white
        } else {
            tally.as_black.push(for_white.swapped());
            for_white.swapped()
        };
        tally.games.push(for_first);
        let first_is_white = tally.first == white;
        let opening = self.opening(&row.opening);
        self.complete_pair(FirstGame {
            pair: row.pair,
            pairing,
            opening,
            first_is_white,
            for_first,
        });
    }

    /// The number of an opening.
    fn opening(&mut self, text: &str) -> Option<u32> {
        if text.is_empty() {
            return None;
        }
        let mut key = DefaultHasher::new();
        text.hash(&mut key);
        let next = u32::try_from(self.openings.len()).ok()?;
        Some(*self.openings.entry(key.finish()).or_insert(next))
    }

    /// Joins a game with the other game of its pair. Unpaired games count as single games.
    fn complete_pair(&mut self, half: FirstGame) {
        let Some(other) = self.open.take() else {
            self.open = Some(half);
            return;
        };
        let belongs = other.pair == half.pair
            && other.pairing == half.pairing
            && other.first_is_white != half.first_is_white;
        if !belongs {
            self.single_game(&other);
            self.open = Some(half);
            return;
        }
        let result = PairResult::of(other.for_first, half.for_first);
        let pairing = &mut self.pairings[half.pairing];
        pairing.pairs.push(result);
        let (first, second) = (pairing.first, pairing.second);
        self.players[first].pairs.push(result);
        self.players[second].pairs.push(result.swapped());
        let opening = half.opening.filter(|it| other.opening == Some(*it));
        let (white, black) = if half.first_is_white {
            (half, other)
        } else {
            (other, half)
        };
        let (white, black) = (white.for_first, black.for_first);
        match opening {
            Some(opening) => {
                let players = (first, second);
                self.tournament
                    .push_pair_from(opening, players, white, black);
            }
            None => self.tournament.push_pair(first, second, white, black),
        }
    }

    /// Starts another file: its games do not complete pairs of earlier files.
    pub fn end_of_file(&mut self) {
        if let Some(half) = self.open.take() {
            self.single_game(&half);
        }
    }

    fn single_game(&mut self, half: &FirstGame) {
        let pairing = &self.pairings[half.pairing];
        let (white, black, result) = if half.first_is_white {
            (pairing.first, pairing.second, half.for_first)
        } else {
            (pairing.second, pairing.first, half.for_first.swapped())
        };
        let mut results = Wdl::default();
        results.push(result);
        self.tournament.add_games(white, black, results);
    }

    /// The ratings of all players, in order; `None` without games.
    pub fn ratings(&self) -> Option<Ratings> {
        let mut complete = self.clone();
        if let Some(half) = complete.open.take() {
            complete.single_game(&half);
        }
        // The default prior keeps every rating finite, so this fails only without games.
        Ratings::of(&complete.tournament, RatingOptions::default()).ok()
    }

    /// Whether an opening was played by more than one pairing.
    pub fn shares_openings(&self) -> bool {
        self.tournament.shares_openings()
    }

    /// Two players through common opponents in the same openings; `None` without any.
    pub fn paired(&self, one: usize, other: usize) -> Option<PairedComparison> {
        PairedComparison::of(&self.tournament, one, other)
    }

    /// The verdict of every pairing; `family`: how many pairings keep the error rates together.
    pub fn verdicts(&self, sprt: &Sprt, family: Option<usize>) -> Vec<Verdict> {
        let llrs = self.pairings.iter().map(|it| sprt.llr(&it.pairs));
        let llrs: Vec<f64> = llrs.collect();
        match family {
            Some(tests) => family_verdicts(sprt, &llrs, tests),
            None => llrs.iter().map(|llr| sprt.verdict(*llr)).collect(),
        }
    }

    /// The index of a player.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    fn player(&mut self, name: &str) -> usize {
        if let Some(index) = self.by_name.get(name) {
            return *index;
        }
        let index = self.players.len();
        self.players.push(PlayerTally {
            name: name.to_string(),
            ..PlayerTally::default()
        });
        self.by_name.insert(name.to_string(), index);
        index
    }

    fn pairing(&mut self, one: usize, other: usize) -> usize {
        let key = (one.min(other), one.max(other));
        let next = self.pairings.len();
        let index = *self.by_players.entry(key).or_insert(next);
        if index == next {
            self.pairings.push(PairingTally {
                first: key.0,
                second: key.1,
                games: Wdl::default(),
                pairs: Pentanomial::default(),
                as_white: Wdl::default(),
                as_black: Wdl::default(),
            });
        }
        index
    }
}
