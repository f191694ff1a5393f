//! Ends a game early when the players' scores agree on the result.

use crate::eval::Score;
use crate::games::Side;

/// Whose scores decide that a game is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResignSides {
    /// The winner's score is at least the bound, and the loser's at most its negative.
    #[default]
    Both,
    /// The loser's score is at most the negative of the bound: a resignation.
    Loser,
}

impl ResignSides {
    pub const ALL: [ResignSides; 2] = [ResignSides::Both, ResignSides::Loser];

    pub const fn name(self) -> &'static str {
        match self {
            ResignSides::Both => "both",
            ResignSides::Loser => "loser",
        }
    }
}

/// Adjudicates a win by the scores of `moves` consecutive moves of each player, or of the loser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resign {
    pub sides: ResignSides,
    /// In score steps, above 0.
    pub score: Score,
    /// Of each player, at least 1.
    pub moves: u32,
}

/// Adjudicates a draw if both players' scores stay within `score`, for `moves` consecutive moves of
/// each, after each has made `after` moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agree {
    /// In score steps, above 0.
    pub score: Score,
    /// Of each player, at least 1.
    pub moves: u32,
    /// Of each player, counted from the opening on.
    pub after: u32,
}

/// The adjudication rules of a match; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    pub resign: Option<Resign>,
    pub draw: Option<Agree>,
}

/// The decision of an adjudicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Win(Side),
    Draw,
}

/// Watches the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    plies: u64,
    /// Consecutive plies with scores that claim a white win, a black win, or a draw.
    winning: [u64; 2],
    level: u64,
    /// Consecutive own moves of each side whose score says that it is lost.
    lost: [u64; 2],
}

impl Adjudicator {
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator {
            rules,
            plies: 0,
            winning: [0; 2],
            level: 0,
            lost: [0; 2],
        }
    }

    /// Adds the score of a move by `mover`, in steps, from its own side. A missing score agrees with
    /// no result.
    pub fn see(&mut self, mover: Side, score: Option<Score>) {
        self.plies += 1;
        let Some(score) = score else {
            (self.winning, self.level) = ([0; 2], 0);
            self.lost[mover as usize] = 0;
            return;
        };
        // Players alternate, so 2 n consecutive plies are n moves of each.
        let count = |run: &mut u64, holds: bool| *run = if holds { *run + 1 } else { 0 };
        if let Some(rule) = self.rules.resign {
            let side = mover as usize;
            count(&mut self.winning[side], score >= rule.score);
            count(&mut self.winning[1 - side], score <= -rule.score);
            count(&mut self.lost[side], score <= -rule.score);
        }
        if let Some(rule) = self.rules.draw {
            count(&mut self.level, score.abs() < rule.score);
        }
    }

    pub fn decision(&self) -> Option<Decision> {
        if let Some(rule) = self.rules.resign {
            let moves = u64::from(rule.moves);
            let agreed = |side: &Side| match rule.sides {
                ResignSides::Both => self.winning[*side as usize] >= 2 * moves,
                ResignSides::Loser => self.lost[side.other() as usize] >= moves,
            };
            if let Some(side) = Side::BOTH.into_iter().find(agreed) {
                return Some(Decision::Win(side));
            }
        }
        let rule = self.rules.draw?;
        let agreed = self.level >= 2 * u64::from(rule.moves);
        (agreed && self.plies >= 2 * u64::from(rule.after)).then_some(Decision::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many plies white's and black's scores end the game, white moving first.
    fn decided(rules: Adjudication, scores: &[Score]) -> Option<(usize, Decision)> {
        let mut adjudicator = Adjudicator::new(rules);
        for (index, score) in scores.iter().enumerate() {
            adjudicator.see(Side::BOTH[index % 2], Some(*score));
            if let Some(decision) = adjudicator.decision() {
                return Some((index + 1, decision));
            }
        }
        None
    }

    const RESIGN: Adjudication = Adjudication {
        resign: Some(Resign {
            sides: ResignSides::Both,
            score: 500,
            moves: 2,
        }),
        draw: None,
    };

    const DRAW: Adjudication = Adjudication {
        resign: None,
        draw: Some(Agree {
            score: 10,
            moves: 2,
            after: 3,
        }),
    };

    #[test]
    fn a_win_needs_both_players_for_all_their_moves_in_a_row() {
        let white = Some((4, Decision::Win(Side::White)));
        assert_eq!(decided(RESIGN, &[500, -500, 900, -501]), white);
        let black = Some((5, Decision::Win(Side::Black)));
        assert_eq!(decided(RESIGN, &[0, 600, -600, 600, -600, 600]), black);
        // The loser disagrees, or gives no score once.
        assert_eq!(decided(RESIGN, &[900, -499, 900, -499, 900, -499]), None);
        assert_eq!(decided(RESIGN, &[900, -900, 900, 0, 900, -900, 900]), None);
        // Both claim to be winning.
        assert_eq!(decided(RESIGN, &[900, 900, 900, 900, 900, 900]), None);
    }

    #[test]
    fn a_resignation_needs_the_losers_scores_alone() {
        let resign = Adjudication {
            resign: RESIGN.resign.map(|rule| Resign {
                sides: ResignSides::Loser,
                ..rule
            }),
            draw: None,
        };
        let white = Some((4, Decision::Win(Side::White)));
        assert_eq!(decided(resign, &[0, -500, 0, -501]), white);
        // Once it hopes again, and the opponent's certainty does not count.
        assert_eq!(decided(resign, &[0, -500, 0, -499, 0, -500, 0, 0]), None);
        assert_eq!(decided(resign, &[900, 0, 900, 0, 900, 0]), None);
        let mut unscored = Adjudicator::new(resign);
        for (side, score) in [
            (Side::Black, Some(-600)),
            (Side::White, None),
            (Side::Black, None),
        ] {
            unscored.see(side, score);
        }
        unscored.see(Side::Black, Some(-600));
        assert_eq!(unscored.decision(), None);
        unscored.see(Side::White, None);
        unscored.see(Side::Black, Some(-600));
        assert_eq!(unscored.decision(), Some(Decision::Win(Side::White)));
    }

    #[test]
    fn a_draw_needs_level_scores_and_the_moves_before_it() {
        let sixth = Some((6, Decision::Draw));
        assert_eq!(decided(DRAW, &[0, 9, -9, 0, 0, 0, 0, 0]), sixth);
        let eighth = Some((8, Decision::Draw));
        assert_eq!(decided(DRAW, &[0, 0, 0, 10, 0, 0, 0, 0]), eighth);
        assert_eq!(decided(DRAW, &[0, 0, 0, 10, 0, 0, 0, -10, 0, 0, 0]), None);
    }

    #[test]
    fn nothing_is_decided_unless_it_was_asked_for() {
        assert_eq!(decided(Adjudication::default(), &[0; 400]), None);
        assert_eq!(decided(Adjudication::default(), &[9000, -9000]), None);
    }
}
