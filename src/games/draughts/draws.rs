//! Draws by lack of progress: one table, each rule with its source.
//!
//! Rules count in plies here: "15 moves each" is 30. Positions set up from text start counting
//! at zero.

use super::bits::Bits;

/// Plies since something last happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Clocks {
    pub since_capture: u16,
    /// Since a capture or a move of a man; a man that steps sideways made no progress.
    pub since_progress: u16,
    /// Since a capture or a promotion.
    pub since_material: u16,
}

impl Clocks {
    #[inline(always)]
    pub(super) fn tick(&mut self, capture: bool, man_advanced: bool, promotion: bool) {
        let after = |clock: u16, reset: bool| if reset { 0 } else { clock.saturating_add(1) };
        self.since_capture = after(self.since_capture, capture);
        self.since_progress = after(self.since_progress, capture | man_advanced);
        self.since_material = after(self.since_material, capture | promotion);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    Capture,
    Progress,
    Material,
}

/// What must be on the board for a rule to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Always,
    /// Both sides have a king, and the board so many pieces in all.
    Pieces {
        least: u32,
        most: u32,
    },
    /// One side has a single king, the other so many pieces, at least `kings` of them kings.
    LoneKing {
        least: u32,
        most: u32,
        kings: u32,
    },
}

/// A draw once `clock` shows `plies` while `when` holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawRule {
    pub clock: Clock,
    pub plies: u16,
    pub when: When,
    pub source: &'static str,
}

/// The pieces of a position, as far as draw rules look at them.
pub(super) struct Material<B> {
    pub sides: [B; 2],
    pub kings: B,
}

impl<B: Bits> Material<B> {
    fn shows(&self, when: When) -> bool {
        let count = |side: usize| self.sides[side].count();
        let kings = |side: usize| (self.sides[side] & self.kings).count();
        match when {
            When::Always => true,
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

/// Whether one of `rules` calls the position a draw.
#[inline]
pub(super) fn is_draw<B: Bits>(
    rules: &[DrawRule],
    clocks: Clocks,
    material: impl FnOnce() -> Material<B>,
) -> bool {
    let due = |rule: &&DrawRule| {
        let clock = match rule.clock {
            Clock::Capture => clocks.since_capture,
            Clock::Progress => clocks.since_progress,
            Clock::Material => clocks.since_material,
        };
        clock >= rule.plies
    };
    // Far from any limit, which is nearly always, the pieces need not be counted.
    if !rules.iter().any(|rule| due(&rule)) {
        return false;
    }
    let material = material();
    rules
        .iter()
        .filter(due)
        .any(|rule| material.shows(rule.when))
}

pub(super) const CHECKERS: &[DrawRule] = &[DrawRule {
    clock: Clock::Capture,
    plies: 40,
    when: When::Always,
    source: "the older program: 40 turns in a row without a capture",
}];

pub(super) const ENGLISH: &[DrawRule] = &[DrawRule {
    clock: Clock::Progress,
    plies: 80,
    when: When::Always,
    source: "WCDF rules of draughts: 40 moves each without capture or advance of a man",
}];

pub(super) const RUSSIAN: &[DrawRule] = &[];
pub(super) const BRAZILIAN: &[DrawRule] = &[];
pub(super) const POOL: &[DrawRule] = &[];
pub(super) const ITALIAN: &[DrawRule] = &[];
pub(super) const SPANISH: &[DrawRule] = &[];
pub(super) const CZECH: &[DrawRule] = &[];
pub(super) const INTERNATIONAL: &[DrawRule] = &[];
pub(super) const FRISIAN: &[DrawRule] = &[];
pub(super) const TURKISH: &[DrawRule] = &[];
