//! Draws by lack of progress: a table of rules with their sources.
//!
//! Rules count plies: "15 moves each" is 30. Positions read from text start at zero.

use super::bits::Bits;

/// Plies since the last progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DrawClocks {
    pub since_capture: u16,
    /// Since a capture or a move of a man; sideways moves of a man are no progress.
    pub since_progress: u16,
    /// Since a capture or a promotion.
    pub since_material: u16,
}

impl DrawClocks {
    #[inline(always)]
    pub(super) fn tick(&mut self, capture: bool, man_advanced: bool, promotion: bool) {
        // A mask instead of a branch: captures are unpredictable.
        let after =
            |clock: u16, reset: bool| clock.saturating_add(1) & (reset as u16).wrapping_sub(1);
        self.since_capture = after(self.since_capture, capture);
        self.since_progress = after(self.since_progress, capture | man_advanced);
        self.since_material = after(self.since_material, capture | promotion);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawClock {
    Capture,
    Progress,
    DrawMaterial,
}

/// The material for which a rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Always,
    /// Both sides have a king, and the board has this many pieces in total.
    Pieces {
        least: u32,
        most: u32,
    },
    /// One side has a single king, the other this many pieces, at least `kings` of them kings.
    LoneKing {
        least: u32,
        most: u32,
        kings: u32,
    },
    /// One piece each, man or king.
    OneEach,
}

/// A draw once `clock` shows `plies` while `when` holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawRule {
    pub clock: DrawClock,
    pub plies: u16,
    pub when: When,
    pub source: &'static str,
}

/// The numbers of pieces that draw rules use.
pub(super) struct DrawMaterial<B> {
    pub sides: [B; 2],
    pub kings: B,
}

impl<B: Bits> DrawMaterial<B> {
    fn shows(&self, when: When) -> bool {
        let count = |side: usize| self.sides[side].count();
        let kings = |side: usize| (self.sides[side] & self.kings).count();
        match when {
            When::Always => true,
            When::OneEach => (count(0), count(1)) == (1, 1),
            When::Pieces { least, most } => {
                let all = count(0) + count(1);
                kings(0) > 0 && kings(1) > 0 && all >= least && all <= most
            }
            When::LoneKing {
                least,
                most,
                kings: needed,
            } => [(0, 1), (1, 0)].iter().any(|&(a, b)| {
                (count(a), kings(a)) == (1, 1)
                    && (least..=most).contains(&count(b))
                    && kings(b) >= needed
            }),
        }
    }
}

/// Whether the position is a draw by one of `rules`.
#[inline]
pub(super) fn is_draw<B: Bits>(
    rules: &[DrawRule],
    clocks: DrawClocks,
    material: impl FnOnce() -> DrawMaterial<B>,
) -> bool {
    let due = |rule: &&DrawRule| {
        let clock = match rule.clock {
            DrawClock::Capture => clocks.since_capture,
            DrawClock::Progress => clocks.since_progress,
            DrawClock::DrawMaterial => clocks.since_material,
        };
        clock >= rule.plies
    };
    // Usually no limit is near, and the pieces need not be counted.
    if !rules.iter().any(|rule| due(&rule)) {
        return false;
    }
    let material = material();
    rules
        .iter()
        .filter(due)
        .any(|rule| material.shows(rule.when))
}

const fn rule(clock: DrawClock, plies: u16, when: When, source: &'static str) -> DrawRule {
    DrawRule {
        clock,
        plies,
        when,
        source,
    }
}

/// A side with this many pieces, including a king, against a single king.
const fn lone_king(least: u32, most: u32) -> When {
    When::LoneKing {
        least,
        most,
        kings: 1,
    }
}

/// At least three kings, and no men, against a single king.
const THREE_KINGS: When = When::LoneKing {
    least: 3,
    most: 64,
    kings: 3,
};

const fn pieces(least: u32, most: u32) -> When {
    When::Pieces { least, most }
}

const FMJD: &str = "FMJD annex 1, official rules for international draughts";
const FMJD_64: &str = "FMJD section 64, official rules for Russian and Brazilian draughts";
const LIDRAUGHTS: &str = "lidraughts.org and the pydraughts library, which end games this way";

pub(super) const CHECKERS: &[DrawRule] = &[rule(
    DrawClock::Capture,
    40,
    When::Always,
    "the older program: 40 turns in a row without a capture",
)];

pub(super) const ENGLISH: &[DrawRule] = &[rule(
    DrawClock::Progress,
    80,
    When::Always,
    "WCDF rules of draughts: 40 moves each without capture or advance of a man",
)];

pub(super) const RUSSIAN: &[DrawRule] = &[
    rule(DrawClock::Progress, 30, When::Always, FMJD_64),
    rule(DrawClock::DrawMaterial, 30, THREE_KINGS, FMJD_64),
    rule(DrawClock::DrawMaterial, 10, lone_king(1, 2), FMJD_64),
    rule(DrawClock::DrawMaterial, 60, pieces(4, 5), FMJD_64),
    rule(DrawClock::DrawMaterial, 120, pieces(6, 7), FMJD_64),
];

pub(super) const BRAZILIAN: &[DrawRule] = &[
    rule(DrawClock::Progress, 40, When::Always, FMJD_64),
    rule(DrawClock::DrawMaterial, 10, lone_king(1, 2), FMJD_64),
];

pub(super) const POOL: &[DrawRule] = &[rule(
    DrawClock::DrawMaterial,
    26,
    THREE_KINGS,
    "American Pool Checker Association, tournament rules: 13 moves for three kings against one",
)];

pub(super) const ITALIAN: &[DrawRule] = &[rule(
    DrawClock::Progress,
    80,
    When::Always,
    "Federazione Italiana Dama, regolamento: 40 moves each without capture or move of a man",
)];

pub(super) const SPANISH: &[DrawRule] = &[rule(
    DrawClock::Progress,
    40,
    When::Always,
    "FMJD section 64 in Portugal, Spanish draughts: 20 king moves each without capture",
)];

pub(super) const CZECH: &[DrawRule] = &[rule(
    DrawClock::Progress,
    30,
    When::Always,
    "FMJD, brief rules of Czech draughts: 15 moves without capture or move of a man",
)];

pub(super) const INTERNATIONAL: &[DrawRule] = &[
    rule(DrawClock::Progress, 50, When::Always, FMJD),
    rule(DrawClock::DrawMaterial, 32, lone_king(3, 3), FMJD),
    rule(DrawClock::DrawMaterial, 10, lone_king(1, 2), FMJD),
];

pub(super) const FRISIAN: &[DrawRule] = &[
    rule(
        DrawClock::DrawMaterial,
        14,
        When::LoneKing {
            least: 2,
            most: 2,
            kings: 2,
        },
        "official rules for Frisian draughts: seven moves for two kings against one",
    ),
    rule(DrawClock::DrawMaterial, 4, lone_king(1, 1), LIDRAUGHTS),
];

pub(super) const TURKISH: &[DrawRule] =
    &[rule(DrawClock::DrawMaterial, 4, When::OneEach, LIDRAUGHTS)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::rules::Rules;
    use crate::games::draughts::{Draughts, rules};
    use crate::games::prelude::*;
    use crate::games::{EndReason, Outcome, Side};

    /// The lowest value of all clocks at which the position is drawn.
    fn plies_to_draw<R: Rules>(fen: &str) -> Option<u16> {
        let position = Draughts::<R>::from_fen(fen).unwrap();
        (0..500).find(|&plies| {
            let clocks = DrawClocks {
                since_capture: plies,
                since_progress: plies,
                since_material: plies,
            };
            position.with_clocks(clocks).end() == Some(Outcome::draw(EndReason::NO_CAPTURES))
        })
    }

    #[test]
    fn every_rule_set_counts_to_its_own_limit() {
        let kings_and_men = "W:WK20,K22,25:BK3,K4,9";
        assert_eq!(plies_to_draw::<rules::Checkers>(kings_and_men), Some(40));
        assert_eq!(plies_to_draw::<rules::English>(kings_and_men), Some(80));
        assert_eq!(plies_to_draw::<rules::Italian>(kings_and_men), Some(80));
        assert_eq!(plies_to_draw::<rules::Russian>(kings_and_men), Some(30));
        assert_eq!(plies_to_draw::<rules::Brazilian>(kings_and_men), Some(40));
        assert_eq!(plies_to_draw::<rules::Spanish>(kings_and_men), Some(40));
        assert_eq!(plies_to_draw::<rules::Czech>(kings_and_men), Some(30));
        assert_eq!(
            plies_to_draw::<rules::International>(kings_and_men),
            Some(50)
        );
        assert_eq!(
            plies_to_draw::<rules::Pool>(kings_and_men),
            None,
            "repetition alone"
        );
    }

    #[test]
    fn few_pieces_against_a_single_king_have_less_time() {
        assert_eq!(
            plies_to_draw::<rules::International>("W:WK46,K47,48:BK3"),
            Some(32)
        );
        assert_eq!(
            plies_to_draw::<rules::International>("B:WK46,47:BK3"),
            Some(10)
        );
        assert_eq!(
            plies_to_draw::<rules::International>("B:WK46,K47,K48,K49:BK3"),
            Some(50)
        );
        assert_eq!(
            plies_to_draw::<rules::International>("W:W46,47:BK3"),
            Some(50)
        );
        assert_eq!(plies_to_draw::<rules::Pool>("W:WK30,K31,K32:BK1"), Some(26));
        assert_eq!(plies_to_draw::<rules::Brazilian>("W:WK30,31:BK1"), Some(10));
        assert_eq!(plies_to_draw::<rules::Frisian>("W:WK46,K47:BK3"), Some(14));
        assert_eq!(plies_to_draw::<rules::Turkish>("W:WK60:B10"), Some(4));
    }

    #[test]
    fn a_side_that_cannot_move_loses_even_if_the_draw_clock_ran_out() {
        let position = Draughts::<rules::English>::from_fen("B:W17,22:B13").unwrap();
        let late = DrawClocks {
            since_capture: 99,
            since_progress: 99,
            since_material: 99,
        };
        let outcome = Outcome::win(Side::White, EndReason::NO_MOVES);
        assert_eq!(position.with_clocks(late).end(), Some(outcome));
    }
}
