//! Evaluators of Othello: disc count only, and one with corners and mobility.

use super::TermDefault::{Number, Tapered};
use super::{Evaluated, OPENING, Preset, Sink, Term, Terms, Weights, slot};
use crate::games::Side;
use crate::games::othello::{Othello, neighbours};

/// Disc count only, as beginners play.
pub struct Discs;

const DISC_TERMS: &[Term] = &[Term::linear(
    "disc",
    "material",
    Number(1.0),
    (-100.0, 100.0),
    "a disc on the board",
)];

impl Terms<Othello> for Discs {
    const TERMS: &'static [Term] = DISC_TERMS;

    fn visit(position: &Othello, _weights: &Weights, sink: &mut impl Sink) {
        count_set(position, const { slot(DISC_TERMS, "disc") }, u64::MAX, sink);
    }
}

/// Corners, the squares next to them, edges, mobility and frontier, by phase.
pub struct Positional;

const TERMS: &[Term] = &[
    row(
        "disc",
        "material",
        Tapered(-10.0, 60.0),
        "a disc on the board",
    ),
    row(
        "corner",
        "placement",
        Tapered(600.0, 500.0),
        "a disc in a corner",
    ),
    row(
        "x_square",
        "placement",
        Tapered(-250.0, -60.0),
        "a disc diagonally next to an empty corner",
    ),
    row(
        "c_square",
        "placement",
        Tapered(-120.0, -40.0),
        "a disc on the edge next to an empty corner",
    ),
    row(
        "edge",
        "placement",
        Tapered(30.0, 40.0),
        "a disc on the edge",
    ),
    row(
        "mobility",
        "mobility",
        Tapered(60.0, 40.0),
        "a square on which a disc could be placed",
    ),
    row(
        "potential",
        "mobility",
        Tapered(15.0, 5.0),
        "an empty square next to an enemy disc",
    ),
    row(
        "frontier",
        "mobility",
        Tapered(-25.0, -10.0),
        "a disc next to an empty square",
    ),
    row("tempo", "tempo", Tapered(20.0, 60.0), "the side to move"),
];

const fn row(
    name: &'static str,
    group: &'static str,
    default: super::TermDefault,
    help: &'static str,
) -> Term {
    Term::linear(name, group, default, (-2000.0, 2000.0), help)
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
const EDGES: u64 = 0xff81_8181_8181_81ff;

/// Each corner with its X-square and its two C-squares.
const NEAR_CORNERS: [(u64, u64, u64); 4] = [
    (1, 1 << 9, 1 << 1 | 1 << 8),
    (1 << 7, 1 << 14, 1 << 6 | 1 << 15),
    (1 << 56, 1 << 49, 1 << 57 | 1 << 48),
    (1 << 63, 1 << 54, 1 << 62 | 1 << 55),
];

/// Counts the discs of either side within a set of squares.
fn count_set(position: &Othello, slot: usize, set: u64, sink: &mut impl Sink) {
    let count = |side| (position.discs(side) & set).count_ones() as i32;
    sink.add(slot, count(Side::White), count(Side::Black));
}

impl Terms<Othello> for Positional {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Othello, _weights: &Weights, sink: &mut impl Sink) {
        use crate::games::GameRules;
        let empty = !(position.discs(Side::White) | position.discs(Side::Black));
        let (mut x_squares, mut c_squares) = (0, 0);
        for (corner, x, c) in NEAR_CORNERS {
            if empty & corner != 0 {
                x_squares |= x;
                c_squares |= c;
            }
        }
        count_set(position, const { slot(TERMS, "disc") }, u64::MAX, sink);
        count_set(position, const { slot(TERMS, "corner") }, CORNERS, sink);
        count_set(position, const { slot(TERMS, "x_square") }, x_squares, sink);
        count_set(position, const { slot(TERMS, "c_square") }, c_squares, sink);
        count_set(
            position,
            const { slot(TERMS, "edge") },
            EDGES & !CORNERS & !c_squares,
            sink,
        );
        count_set(
            position,
            const { slot(TERMS, "frontier") },
            neighbours(empty),
            sink,
        );
        let both = |of: &dyn Fn(Side) -> u64| {
            let count = |side| of(side).count_ones() as i32;
            (count(Side::White), count(Side::Black))
        };
        let (white, black) = both(&|side| position.placements(side));
        sink.add(const { slot(TERMS, "mobility") }, white, black);
        let (white, black) = both(&|side| empty & neighbours(position.discs(side.other())));
        sink.add(const { slot(TERMS, "potential") }, white, black);
        let turn = |side| i32::from(position.side_to_move() == side);
        sink.add(
            const { slot(TERMS, "tempo") },
            turn(Side::White),
            turn(Side::Black),
        );
    }

    fn phase(position: &Othello) -> i32 {
        let discs = position.discs(Side::White) | position.discs(Side::Black);
        OPENING * discs.count_zeros() as i32 / 64
    }
}

impl Evaluated for Othello {
    const UNIT: &'static str = "points";
    const STRONGEST: &'static str = "othello";

    fn presets() -> &'static [Preset<Othello>] {
        const {
            &[
                Preset::of::<Discs>("material", "disc count only"),
                Preset::of::<Positional>(
                    "othello",
                    "corners, the squares next to them, edges, mobility and frontier",
                ),
                Preset::random(),
            ]
        }
    }
}
