//! Counts results as the games come in. Memory grows with players and pairings, not with games.

use std::collections::HashMap;

use super::rows::GameRow;
use crate::stats::{GameResult, PairResult, Pentanomial, Wdl};

/// What one player did against everyone.
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

/// A game that waits for the other one of its pair.
#[derive(Clone, Debug)]
struct Half {
    pair: u64,
    pairing: usize,
    for_first: GameResult,
}

/// All results of a run. Players are listed in the order they were given or first seen.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    players: Vec<PlayerTally>,
    by_name: HashMap<String, usize>,
    pairings: Vec<PairingTally>,
    by_players: HashMap<(usize, usize), usize>,
    open: Option<Half>,
}

/// A result that is none of the three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownResult(pub String);

impl Tally {
    /// Lists the players before the first game, so that the order does not depend on who plays
    /// first.
    pub fn with_players<'n>(names: impl IntoIterator<Item = &'n str>) -> Tally {
        let mut tally = Tally::default();
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
    pub fn push(&mut self, row: &GameRow) -> Result<(), UnknownResult> {
        let for_white = match row.result.as_str() {
            "1-0" => GameResult::Win,
            "0-1" => GameResult::Loss,
            "1/2-1/2" => GameResult::Draw,
            other => return Err(UnknownResult(other.to_string())),
        };
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
        self.complete_pair(Half {
            pair: row.pair,
            pairing,
            for_first,
        });
        Ok(())
    }

    fn complete_pair(&mut self, half: Half) {
        match self.open.take() {
            Some(other) if other.pair == half.pair && other.pairing == half.pairing => {
                let result = PairResult::of(other.for_first, half.for_first);
                let pairing = &mut self.pairings[half.pairing];
                pairing.pairs.push(result);
                self.players[pairing.first].pairs.push(result);
                self.players[pairing.second].pairs.push(result.swapped());
            }
            _ => self.open = Some(half),
        }
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
