//! Gathers the results of one player against one opponent (or a field), by colour and by pair, and
//! sums them up in one set of figures.

use super::elo::{NormalFigures, Sample};
use super::estimate::Estimate;
use super::pentanomial::{PairResult, Pentanomial};
use super::score::{PlayerResult, Wdl};

/// All figures of one set of results, from the player's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub games: u64,
    /// Opening pairs the figures rest on; `None` when they rest on single games.
    pub pairs: Option<u64>,
    /// Mean score, 0 to 1.
    pub score: Estimate,
    /// Logistic Elo.
    pub elo: Estimate,
    /// Normalised Elo.
    pub nelo: Estimate,
    /// Likelihood of superiority: the probability that the player is stronger than the opponent,
    /// strictly between 0 and 1.
    pub los: Option<f64>,
    /// The plain normal approximation of the same figures.
    pub normal: NormalFigures,
    /// Level pairs as a share of pairs, or drawn games as a share of games, 0 to 1.
    pub draw_ratio: Option<f64>,
    /// Pairs won for each pair lost.
    pub pair_ratio: Option<f64>,
}

impl Summary {
    /// Figures whose uncertainty comes from pairs.
    pub fn of_pairs(pairs: &Pentanomial) -> Summary {
        Summary {
            games: pairs.games(),
            pairs: Some(pairs.pairs()),
            draw_ratio: pairs.draw_ratio(),
            pair_ratio: pairs.pair_ratio(),
            ..Summary::of(pairs)
        }
    }

    /// Figures whose uncertainty comes from games, taken as independent.
    pub fn of_games(games: &Wdl) -> Summary {
        Summary {
            games: games.games(),
            draw_ratio: games.draw_ratio(),
            ..Summary::of(games)
        }
    }

    fn of(sample: &impl Sample) -> Summary {
        Summary {
            games: 0,
            pairs: None,
            score: sample.score_estimate(),
            elo: sample.elo(),
            nelo: sample.nelo(),
            los: sample.los(),
            normal: sample.normal_figures(),
            draw_ratio: None,
            pair_ratio: None,
        }
    }
}

/// Results of one player, counted as they arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    white: Wdl,
    black: Wdl,
    pairs: Pentanomial,
    unpaired: u64,
}

impl Tally {
    /// Both games of an opening pair, each from the player's side.
    pub fn push_pair(&mut self, as_white: PlayerResult, as_black: PlayerResult) {
        self.white.push(as_white);
        self.black.push(as_black);
        self.pairs.push(PairResult::of(as_white, as_black));
    }

    /// A game with the white pieces that belongs to no complete pair.
    pub fn push_white(&mut self, result: PlayerResult) {
        self.white.push(result);
        self.unpaired += 1;
    }

    /// A game with the black pieces that belongs to no complete pair.
    pub fn push_black(&mut self, result: PlayerResult) {
        self.black.push(result);
        self.unpaired += 1;
    }

    /// Adds another tally of the same player, such as one against the next opponent.
    pub fn merge(&mut self, other: &Tally) {
        self.white += other.white;
        self.black += other.black;
        self.pairs += other.pairs;
        self.unpaired += other.unpaired;
    }

    /// The same games for the opponent.
    pub fn swapped(&self) -> Tally {
        Tally {
            white: self.black.swapped(),
            black: self.white.swapped(),
            pairs: self.pairs.swapped(),
            unpaired: self.unpaired,
        }
    }

    /// Games of both colours.
    pub fn wdl(&self) -> Wdl {
        self.white + self.black
    }

    /// Games with the white pieces.
    pub fn as_white(&self) -> Wdl {
        self.white
    }

    /// Games with the black pieces.
    pub fn as_black(&self) -> Wdl {
        self.black
    }

    /// Complete pairs.
    pub fn pairs(&self) -> Pentanomial {
        self.pairs
    }

    /// Games outside complete pairs.
    pub fn unpaired(&self) -> u64 {
        self.unpaired
    }

    /// From pairs when every game belongs to one, otherwise from single games: leaving the odd
    /// games out would lose results, and mixing both would count some twice.
    pub fn summary(&self) -> Summary {
        if self.unpaired == 0 {
            Summary::of_pairs(&self.pairs)
        } else {
            Summary::of_games(&self.wdl())
        }
    }
}
