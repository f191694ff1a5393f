//! The rows of the `staged` preset, in centipawns.

use crate::eval::TermDefault::{List, Number};
use crate::eval::chess::rows::{PIECES, table};
use crate::eval::chess::tables;
use crate::eval::{Term, slot};

/// Factors of mobility by stage: opening, middlegame, ending.
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

/// One term per kind of move, in the order of `MoveKind`.
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

/// A row of the centre, with the same weight in all stages.
const fn centre(name: &'static str, by_stage: &'static [f64; 3], help: &'static str) -> Term {
    Term::linear(name, "centre", List(by_stage), (-50.0, 100.0), help)
}

#[rustfmt::skip]
const CENTRE: [Term; 3] = [
    centre("centre_reached_far", &[6.0; 3],
        "a move to a centre square of the enemy half, by stage: opening, middlegame, ending"),
    centre("centre_reached_near", &[2.5; 3], "a move to a centre square of the own half, by stage"),
    centre("centre_held", &[8.0; 3], "a piece on one of the four centre squares, by stage"),
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
        "a pawn without own pawns on the adjacent files"),
    number("pawn_island", "pawn structure", -10.0, (-200.0, 100.0),
        "a group of neighbouring files with pawns"),
    number("attacks", "attacks", 1.0, (-50.0, 100.0),
        "a capture of a piece worth at least as much as the capturing piece"),
    number("rooks_on_file", "rook structure", 15.0, (-100.0, 200.0),
        "exactly two rooks, on one file with nothing between them"),
    number("rooks_on_rank", "rook structure", 10.0, (-100.0, 200.0),
        "exactly two rooks, on one rank with nothing between them"),
    CENTRE[0], CENTRE[1], CENTRE[2],
    // The older program gives 20 for castling and plus or minus 30 for the shield. Written like
    // this, the two weights are independent.
    number("castled", "castling", -10.0, (-200.0, 200.0),
        "having castled in this game, not counting the pawns in front of the king"),
    number("shield", "castling", 60.0, (-200.0, 200.0),
        "own pawns in front of the castled king on all three files, at most one of them two ranks ahead"),
    number("king_moved", "castling", -10.0, (-200.0, 100.0),
        "castling rights lost without castling"),
    Term::parameter("tropism", "tropism", List(&[0.5, 1.6, 1.65, 2.5, 4.5]), (-50.0, 50.0),
        "penalty per square by which the enemy move landing nearest to the king is closer than the reach, by the moving piece: pawn, knight, bishop, rook, queen"),
    Term::parameter("tropism_reach", "tropism", Number(10.0), (0.0, 20.0),
        "the distance in king steps from which an enemy move is no threat"),
    Term::parameter("tropism_ties", "tropism", Number(0.0), (0.0, 1.0),
        "which of several nearest moves counts: 0 the first in the older program's order, which differs between the colours; 1 the least valuable piece"),
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
        "the stage is the opening above this much material, both sides, without kings"),
    Term::parameter("middlegame_above", "stage", Number(2800.0), (0.0, 20_000.0),
        "the stage is the middlegame above this much material, if not the opening"),
];

// Tables are indexed by piece, mobility terms by kind of move.
const _: () = {
    assert!(slot(TERMS, "king_table") == slot(TERMS, "pawn_table") + 5 * 64);
    assert!(slot(TERMS, "other_moves") == slot(TERMS, "rook_forward") + 7 * 3);
};
