//! Evaluators of Connect Four: open lines, and discs by column only.

use super::TermDefault::Number;
use super::{Evaluated, Preset, Sink, Term, Terms, Weights, slot};
use crate::games::connect_four::{ConnectFour, DIRECTIONS, SQUARES};
use crate::games::{GameRules, Side};

/// Discs by their distance from the middle column.
pub struct ColumnDiscs;

const COLUMN_TERMS: &[Term] = &[
    row("centre", Number(3.0), "a disc in the middle column"),
    row("inner", Number(2.0), "a disc next to the middle column"),
    row("outer", Number(1.0), "a disc two columns from the middle"),
];

const fn row(name: &'static str, default: super::TermDefault, help: &'static str) -> Term {
    Term::linear(name, "placement", default, (-100.0, 100.0), help)
}

const COLUMN: u64 = 0b11_1111;

/// The squares at a distance from the middle column.
const fn at_distance(distance: usize) -> u64 {
    COLUMN << (7 * (3 - distance)) | COLUMN << (7 * (3 + distance))
}

fn count_columns(position: &ConnectFour, first: usize, sink: &mut impl Sink) {
    for distance in 0..3 {
        let count = |side| (position.discs(side) & at_distance(distance)).count_ones() as i32;
        sink.add(first + distance, count(Side::White), count(Side::Black));
    }
}

impl Terms<ConnectFour> for ColumnDiscs {
    const TERMS: &'static [Term] = COLUMN_TERMS;

    fn visit(position: &ConnectFour, _weights: &Weights, sink: &mut impl Sink) {
        count_columns(position, const { slot(COLUMN_TERMS, "centre") }, sink);
    }
}

/// ColumnDiscs, and lines of four that only one side has discs on.
pub struct OpenLines;

const LINE_TERMS: &[Term] = &[
    COLUMN_TERMS[0],
    COLUMN_TERMS[1],
    COLUMN_TERMS[2],
    line(
        "two",
        Number(4.0),
        "two discs and two empty squares on a line of four",
    ),
    line(
        "three",
        Number(15.0),
        "three discs and an empty square on a line of four",
    ),
    Term::linear(
        "tempo",
        "tempo",
        Number(2.0),
        (-100.0, 100.0),
        "the side to move",
    ),
];

const fn line(name: &'static str, default: super::TermDefault, help: &'static str) -> Term {
    Term::linear(name, "lines", default, (-1000.0, 1000.0), help)
}

/// OpenLines of four with exactly two and exactly three discs of `own`, the rest of them in `empty`.
fn open_lines(own: u64, empty: u64) -> [i32; 2] {
    let (mut twos, mut threes) = (0, 0);
    for step in DIRECTIONS {
        // Bit i refers to the line of four that starts at square i.
        let discs = [own, own >> step, own >> (2 * step), own >> (3 * step)];
        let free = [
            empty,
            empty >> step,
            empty >> (2 * step),
            empty >> (3 * step),
        ];
        let open = (0..4).fold(u64::MAX, |open, at| open & (discs[at] | free[at]));
        // A binary counter of two bits per line; four discs never come here.
        let (mut ones, mut tens) = (0_u64, 0_u64);
        for set in discs {
            tens |= ones & set;
            ones ^= set;
        }
        twos += (open & tens & !ones).count_ones() as i32;
        threes += (open & tens & ones).count_ones() as i32;
    }
    [twos, threes]
}

impl Terms<ConnectFour> for OpenLines {
    const TERMS: &'static [Term] = LINE_TERMS;

    fn visit(position: &ConnectFour, _weights: &Weights, sink: &mut impl Sink) {
        count_columns(position, const { slot(LINE_TERMS, "centre") }, sink);
        let (white, black) = (position.discs(Side::White), position.discs(Side::Black));
        let empty = SQUARES & !(white | black);
        let (white, black) = (open_lines(white, empty), open_lines(black, empty));
        sink.add(const { slot(LINE_TERMS, "two") }, white[0], black[0]);
        sink.add(const { slot(LINE_TERMS, "three") }, white[1], black[1]);
        let turn = |side| i32::from(position.side_to_move() == side);
        sink.add(
            const { slot(LINE_TERMS, "tempo") },
            turn(Side::White),
            turn(Side::Black),
        );
    }
}

impl Evaluated for ConnectFour {
    const UNIT: &'static str = "points";
    const STRONGEST: &'static str = "lines";

    fn presets() -> &'static [Preset<ConnectFour>] {
        const {
            &[
                Preset::of::<ColumnDiscs>("columns", "discs by column only"),
                Preset::of::<OpenLines>("lines", "columns, and lines of four that are still open"),
                Preset::random(),
            ]
        }
    }
}
