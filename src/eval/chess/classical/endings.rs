//! Endgames: mating a lone king, and scaling down drawish endgames.
//!
//! Scaling is non-linear: its parameters are percentages of the total score.

use super::TERMS;
use super::bits::{FILE_A, FILE_H, LIGHT, count, distance, file_of};
use super::numbers::PieceCounts;
use super::view::Scene;
use crate::eval::TermDefault::{Number, Tapered};
use crate::eval::{STEPS, Score, Sink, Term, TermDefault, Weights, slot};
use crate::games::chess::{Color, Piece, Position, Square};

const fn row(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "endings", default, (-100.0, 100.0), help)
}

const fn percent(name: &'static str, default: f64, help: &'static str) -> Term {
    Term::parameter(name, "scaling", Number(default), (0.0, 100.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    row("lone_king_edge", Tapered(0.0, 10.0),
        "per step of distance of a bare enemy king from the centre"),
    row("lone_king_near", Tapered(0.0, 6.0),
        "per step of proximity of our king to a bare enemy king"),
    percent("scale_lone_minor", 2.0,
        "percent of the score kept when the stronger side has one minor piece and no pawn"),
    percent("scale_two_knights", 2.0, "percent kept with two knights and no pawn"),
    percent("scale_no_pawns", 10.0,
        "percent kept without pawns and with at most a minor piece more than the enemy"),
    percent("scale_one_pawn", 50.0,
        "percent kept with one pawn for which the enemy can sacrifice a minor piece"),
    percent("scale_opposite_bishops", 42.0,
        "percent kept when bishops of opposite colours are the only pieces"),
    percent("scale_opposite_bishops_more", 92.0,
        "percent kept when each side has one bishop, of opposite colours, among other pieces"),
    percent("scale_wrong_bishop", 5.0,
        "percent kept with rook pawns, the wrong bishop and the enemy king in the corner"),
];

const LONE_KING_EDGE: usize = slot(TERMS, "lone_king_edge");
const LONE_KING_NEAR: usize = slot(TERMS, "lone_king_near");
const LONE_MINOR: usize = slot(TERMS, "scale_lone_minor");
const TWO_KNIGHTS: usize = slot(TERMS, "scale_two_knights");
const NO_PAWNS: usize = slot(TERMS, "scale_no_pawns");
const ONE_PAWN: usize = slot(TERMS, "scale_one_pawn");
const OPPOSITE_BISHOPS: usize = slot(TERMS, "scale_opposite_bishops");
const OPPOSITE_BISHOPS_MORE: usize = slot(TERMS, "scale_opposite_bishops_more");
const WRONG_BISHOP: usize = slot(TERMS, "scale_wrong_bishop");

/// 100 percent, in steps.
const WHOLE: i64 = 100 * STEPS as i64;

/// Mating a bare king: one side's terms.
pub fn visit(at: &Scene<'_>, sink: &mut impl Sink) {
    let &Scene { us, them, .. } = at;
    if them.all != them.pieces(Piece::King) {
        return;
    }
    sink.count(LONE_KING_EDGE, from_centre(them.king));
    sink.count(LONE_KING_NEAR, 7 - distance(us.king, them.king) as i32);
}

/// Steps up and down, left and right, to the nearest of the four centre squares.
fn from_centre(square: Square) -> i32 {
    let out = |line: usize| 3 - line.min(7 - line) as i32;
    out(file_of(square)) + out(square as usize >> 3)
}

/// Whether a position with these numbers of pieces might be scaled with `us` as the stronger side:
/// a cheap filter.
pub fn scalable(us: &PieceCounts, them: &PieceCounts) -> bool {
    let bishop = Piece::Bishop as usize;
    let single_bishop = us[bishop] == 1;
    let single_pieces = us[Piece::Knight as usize..].iter().sum::<i32>() == 1;
    us[Piece::Pawn as usize] < 2 || single_bishop && (single_pieces || them[bishop] == 1)
}

/// The score, scaled down for drawish endgames.
pub fn scaled<const FRC: bool>(position: &Position<FRC>, weights: &Weights, sum: Score) -> Score {
    let strong = if sum > 0 { Color::White } else { Color::Black };
    match parameter(position, strong) {
        None => sum,
        Some(slot) => {
            let kept = i64::from(weights.get(slot).opening);
            (i64::from(sum) * kept / WHOLE) as Score
        }
    }
}

/// One side's forces, to classify endgames.
struct Forces {
    pawns: u64,
    knights: u64,
    bishops: u64,
    /// Knights and bishops 3, rooks 5, queens 9.
    points: i32,
}

impl Forces {
    #[inline(always)]
    fn new<const FRC: bool>(position: &Position<FRC>, color: Color) -> Forces {
        let of = |piece| position.board().colored_pieces(color, piece).0;
        let (knights, bishops) = (of(Piece::Knight), of(Piece::Bishop));
        Forces {
            pawns: of(Piece::Pawn),
            knights,
            bishops,
            points: 3 * count(knights | bishops)
                + 5 * count(of(Piece::Rook))
                + 9 * count(of(Piece::Queen)),
        }
    }
}

/// The slot of the percentage that applies, if any.
#[inline(always)]
fn parameter<const FRC: bool>(position: &Position<FRC>, strong: Color) -> Option<usize> {
    let board = position.board();
    let pawns = board.colored_pieces(strong, Piece::Pawn).0;
    let several_pawns = pawns & pawns.wrapping_sub(1) != 0;
    // Most positions return here: two or more pawns, not all on an edge, no opposite-coloured
    // bishops. See also [`scalable`].
    if several_pawns && !opposite_bishops(position) && !on_edges(pawns) {
        return None;
    }
    ending(position, strong, several_pawns)
}

/// One bishop each, on squares of different colours.
#[inline(always)]
fn opposite_bishops<const FRC: bool>(position: &Position<FRC>) -> bool {
    let board = position.board();
    let bishops = board.pieces(Piece::Bishop).0;
    let single = |set: u64| set != 0 && set & set.wrapping_sub(1) == 0;
    single(bishops & LIGHT)
        && single(bishops & !LIGHT)
        && single(bishops & board.colors(Color::White).0)
}

#[inline(always)]
fn on_edges(pawns: u64) -> bool {
    pawns & !FILE_A == 0 || pawns & !FILE_H == 0
}

fn ending<const FRC: bool>(
    position: &Position<FRC>,
    strong: Color,
    several_pawns: bool,
) -> Option<usize> {
    let us = Forces::new(position, strong);
    let them = Forces::new(position, !strong);
    if us.pawns == 0 {
        if us.points == 3 {
            return Some(LONE_MINOR);
        }
        if us.points == 6 && count(us.knights) == 2 && them.pawns == 0 {
            return Some(TWO_KNIGHTS);
        }
        return (us.points - them.points <= 3).then_some(NO_PAWNS);
    }
    if us.points == 3 && us.bishops != 0 && wrong_bishop(position, strong, &us) {
        return Some(WRONG_BISHOP);
    }
    if opposite_bishops(position) {
        let alone = us.points == 3 && them.points == 3;
        return Some(if alone {
            OPPOSITE_BISHOPS
        } else {
            OPPOSITE_BISHOPS_MORE
        });
    }
    let minor = them.knights | them.bishops != 0;
    (!several_pawns && minor && us.points <= them.points).then_some(ONE_PAWN)
}

/// Wrong bishop: all pawns on one edge, a bishop that does not control the promotion corner, and the
/// enemy king in that corner.
fn wrong_bishop<const FRC: bool>(position: &Position<FRC>, strong: Color, us: &Forces) -> bool {
    let corner = match (us.pawns & !FILE_A == 0, us.pawns & !FILE_H == 0) {
        (true, _) => Square::A8,
        (_, true) => Square::H8,
        _ => return false,
    };
    let corner = corner.relative_to(strong);
    let light_corner = corner.bitboard().0 & LIGHT != 0;
    let light_bishop = us.bishops & LIGHT != 0;
    let guard = position.board().king(!strong);
    light_corner != light_bishop && distance(guard, corner) <= 1
}
