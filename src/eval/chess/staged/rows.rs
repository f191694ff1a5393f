//! The rows of the `staged` preset, in centipawns.

use crate::eval::TermDefault::{List, Number};
use crate::eval::chess::rows::{PIECES, table};
use crate::eval::chess::tables;
use crate::eval::{Term, slot};

/// Mobility counts for less as the board empties: opening, middlegame, ending.
const STAGE_FACTORS: [f64; 3] = [1.0, 0.8, 0.4];

/// A row of mobility. `by_stage` is the weight in the three stages.
const fn moves(name: &'static str, by_stage: &'static [f64; 3], help: &'static str) -> Term {
    Term::linear(name, "mobility", List(by_stage), (-20.0, 20.0), help)
}

const fn staged(value: f64) -> [f64; 3] {
    [
        value * STAGE_FACTORS[0],
        value * STAGE_FACTORS[1],
        value * STAGE_FACTORS[2],
    ]
}

const fn number(
    name: &'static str,
    group: &'static str,
    value: f64,
    range: (f64, f64),
    help: &'static str,
) -> Term {
    Term::linear(name, group, Number(value), range, help)
}

/// One in the term list for each kind of move, in the order of `Kind`.
#[rustfmt::skip]
const MOBILITY: [Term; 8] = [
    moves("rook_forward", &const { staged(2.0) },
        "a rook's move towards the enemy, by stage: opening, middlegame, ending"),
    moves("rook_sideways", &const { staged(1.2) }, "a rook's move along its rank, by stage"),
    moves("rook_backward", &const { staged(0.7) }, "a rook's move back, by stage"),
    moves("bishop_forward", &const { staged(1.4) }, "a bishop's move towards the enemy, by stage"),
    moves("bishop_backward", &const { staged(0.9) }, "a bishop's move back, by stage"),
    moves("knight_forward", &const { staged(1.2) }, "a knight's move towards the enemy, by stage"),
    moves("knight_backward", &const { staged(0.5) }, "a knight's move back, by stage"),
    moves("other_moves", &const { staged(0.1) }, "a move of a pawn, queen or king, by stage"),
];

#[rustfmt::skip]
pub const TERMS: &[Term] = &[
    PIECES[0], PIECES[1], PIECES[2], PIECES[3], PIECES[4],
    number("bishop_pair", "material", 5.0, (-100.0, 200.0), "having exactly two bishops"),
    MOBILITY[0], MOBILITY[1], MOBILITY[2], MOBILITY[3],
    MOBILITY[4], MOBILITY[5], MOBILITY[6], MOBILITY[7],
    number("doubled_pawn", "pawn structure", -20.0, (-200.0, 100.0),
        "each pawn on a file beyond the first"),
    number("isolated_pawn", "pawn structure", -15.0, (-200.0, 100.0),
        "a pawn without own pawns on the files beside it"),
    number("pawn_island", "pawn structure", -10.0, (-200.0, 100.0),
        "a group of neighbouring files with pawns"),
    number("attacks", "attacks", 1.0, (-50.0, 100.0),
        "a capture whose mover is worth no more than what it takes"),
    number("rooks_on_file", "rook structure", 15.0, (-100.0, 200.0),
        "exactly two rooks, on one file with nothing between them"),
    number("rooks_on_rank", "rook structure", 10.0, (-100.0, 200.0),
        "exactly two rooks, on one rank with nothing between them"),
    number("centre_reached_far", "centre", 6.0, (-50.0, 100.0),
        "a move to a centre square of the enemy half"),
    number("centre_reached_near", "centre", 2.5, (-50.0, 100.0),
        "a move to a centre square of the own half"),
    number("centre_held", "centre", 8.0, (-50.0, 100.0),
        "a piece standing on one of the four centre squares"),
    // The program gives 20 for castling and 30 more or less for the shield. Said this way, each
    // of the two can change without the other.
    number("castled", "castling", -10.0, (-200.0, 200.0),
        "having castled in this game, the pawns before the king apart"),
    number("shield", "castling", 60.0, (-200.0, 200.0),
        "pawns before the castled king on every file, at most one of them a step further"),
    number("king_moved", "castling", -10.0, (-200.0, 100.0),
        "no right to castle any more, and not castled"),
    Term::parameter("tropism", "tropism", List(&[0.5, 1.6, 1.65, 2.5, 4.5]), (-50.0, 50.0),
        "lost for each square nearer than the reach that an enemy move can land to the king, by the piece that makes the nearest one: pawn, knight, bishop, rook, queen"),
    Term::parameter("tropism_reach", "tropism", Number(10.0), (0.0, 20.0),
        "the distance in king's steps from which on an enemy move would be no threat"),
    Term::parameter("tropism_ties", "tropism", Number(0.0), (0.0, 1.0),
        "which of several nearest moves counts: 0 the first in the older program's order, which is not the same for both colours; 1 the least piece"),
    table("pawn_table", "piece location", &tables::STAGED_PAWN, "a pawn on this square"),
    table("knight_table", "piece location", &tables::KNIGHT, "a knight on this square"),
    table("bishop_table", "piece location", &tables::BISHOP, "a bishop on this square"),
    table("rook_table", "piece location", &tables::STAGED_ROOK, "a rook on this square"),
    table("queen_table", "piece location", &tables::QUEEN, "a queen on this square"),
    table("king_table", "piece location", &tables::KING_MIDDLEGAME,
        "the king on this square before the ending"),
    table("king_ending_table", "piece location", &tables::KING_ENDING,
        "the king on this square in the ending"),
    number("checkmate", "checkmate", 1_000_000.0, (0.0, 2_000_000.0), "the enemy is checkmated"),
    Term::parameter("opening_above", "stage", Number(6000.0), (0.0, 20_000.0),
        "material on the board above which it is the opening, both sides, kings apart"),
    Term::parameter("middlegame_above", "stage", Number(2800.0), (0.0, 20_000.0),
        "material on the board above which it is the middlegame, if not the opening"),
];

// The tables are addressed by their piece, the kinds of moves by their order.
const _: () = {
    assert!(slot(TERMS, "king_table") == slot(TERMS, "pawn_table") + 5 * 64);
    assert!(slot(TERMS, "other_moves") == slot(TERMS, "rook_forward") + 7 * 3);
};
