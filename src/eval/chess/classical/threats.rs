//! Threats, and the tempo.

use super::TERMS;
use super::bits::count;
use super::view::{Army, Scene, View};
use crate::eval::TermDefault::{Tapered, TaperedList};
use crate::eval::{Sink, Term, TermDefault, slot};
use crate::games::chess::Piece;

const fn row(name: &'static str, default: TermDefault, help: &'static str) -> Term {
    Term::linear(name, "threats", default, (-300.0, 300.0), help)
}

#[rustfmt::skip]
pub const ROWS: &[Term] = &[
    row("threat_by_pawn", TaperedList(&[(55.0, 29.0), (49.0, 43.0), (42.0, 32.0), (32.0, 3.0)]),
        "an enemy knight, bishop, rook or queen that a pawn attacks"),
    row("threat_by_minor", TaperedList(&[(0.0, 21.0), (17.0, 47.0), (34.0, 24.0), (39.0, 6.0), (26.0, 17.0)]), "an enemy pawn to queen that a knight or bishop attacks; pawns only if no pawn defends them"),
    row("threat_by_rook", TaperedList(&[(1.0, 19.0), (24.0, 33.0), (26.0, 41.0), (-21.0, -3.0), (34.0, 20.0)]), "an enemy pawn to queen that a rook attacks; below a rook only if no pawn defends it"),
    row("threat_by_king", Tapered(13.0, 21.0), "an undefended enemy piece or pawn that the king attacks"),
    row("hanging", Tapered(4.0, 12.0), "an enemy piece or pawn that is attacked and not defended"),
    row("threat_by_push", Tapered(17.0, 18.0), "an enemy piece that a safe pawn push would attack"),
    row("restricted", Tapered(4.0, 1.0), "a square that the enemy attacks once and we attack too"),
    Term::linear("tempo", "tempo", Tapered(20.0, 16.0), (-100.0, 100.0), "the side to move"),
];

const BY_PAWN: usize = slot(TERMS, "threat_by_pawn");
const BY_MINOR: usize = slot(TERMS, "threat_by_minor");
const BY_ROOK: usize = slot(TERMS, "threat_by_rook");
const BY_KING: usize = slot(TERMS, "threat_by_king");
const HANGING: usize = slot(TERMS, "hanging");
const BY_PUSH: usize = slot(TERMS, "threat_by_push");
const RESTRICTED: usize = slot(TERMS, "restricted");
const TEMPO: usize = slot(TERMS, "tempo");

const TARGETS: [Piece; 5] = [
    Piece::Pawn,
    Piece::Knight,
    Piece::Bishop,
    Piece::Rook,
    Piece::Queen,
];

/// One side's threats.
#[inline(always)]
pub fn visit(at: &Scene<'_>, sink: &mut impl Sink) {
    let &Scene { way, us, them, .. } = at;
    let pawn_defended = them.attacks(Piece::Pawn);
    let pieces = them.all & !them.pieces(Piece::Pawn) & !them.pieces(Piece::King);

    by_target::<1>(them, us.attacks(Piece::Pawn), BY_PAWN, sink);
    let minors = us.attacks(Piece::Knight) | us.attacks(Piece::Bishop);
    let poor = them.pieces(Piece::Pawn) & pawn_defended;
    by_target::<0>(them, minors & !poor, BY_MINOR, sink);
    let majors = them.pieces(Piece::Rook) | them.pieces(Piece::Queen);
    let by_rooks = us.attacks(Piece::Rook) & (!pawn_defended | majors);
    by_target::<0>(them, by_rooks, BY_ROOK, sink);

    let loose = them.all & us.attacked & !them.attacked;
    sink.count(HANGING, count(loose));
    sink.count(BY_KING, count(loose & us.attacks(Piece::King)));

    let step = way.forward(us.pieces(Piece::Pawn)) & !at.occupied;
    let double = way.forward(step & way.ranks[2]) & !at.occupied;
    let safe = (step | double) & !pawn_defended & (us.attacked | !them.attacked);
    let (left, right) = way.pawn_attacks(safe);
    let pushed = (left | right) & pieces & !us.attacks(Piece::Pawn);
    sink.count(BY_PUSH, count(pushed));

    let contested = them.attacked & !them.attacked_twice & !pawn_defended & us.attacked;
    sink.count(RESTRICTED, count(contested));
}

/// Counts the enemy's pieces among `attacks` by their kind, in a list that starts with
/// `TARGETS[FIRST]`.
#[inline(always)]
fn by_target<const FIRST: usize>(them: &Army, attacks: u64, list: usize, sink: &mut impl Sink) {
    if attacks & them.all & !them.pieces(Piece::King) == 0 {
        return;
    }
    for (index, &target) in TARGETS[FIRST..].iter().enumerate() {
        // Branchless: a test for an empty set would often be mispredicted.
        sink.count(list + index, count(attacks & them.pieces(target)));
    }
}

#[inline(always)]
pub fn visit_tempo(view: &View, sink: &mut impl Sink) {
    sink.add(
        TEMPO,
        i32::from(view.white_to_move),
        i32::from(!view.white_to_move),
    );
}
