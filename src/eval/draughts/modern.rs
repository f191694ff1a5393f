//! The modern evaluator of the draughts family: tapered terms for every rule set and board.
//!
//! Black's pieces are seen on the rotated board, so both sides use the same code and flipping
//! colours negates the score exactly.

use crate::eval::TermDefault::{Number, Tapered, TaperedList};
use crate::eval::{OPENING, STEPS, Score, Sink, Term, TermDefault, Terms, Weights, slot};
use crate::games::Side;
use crate::games::draughts::board::{DOWN_LEFT, DOWN_RIGHT, Geometry, UP_LEFT, UP_RIGHT};
use crate::games::draughts::rules::{KingReach, Rules};
use crate::games::draughts::{BitsOf, Draughts, bits::Bits};

pub struct Modern;

const fn row(
    name: &'static str,
    group: &'static str,
    default: TermDefault,
    help: &'static str,
) -> Term {
    Term::linear(name, group, default, (-1000.0, 1000.0), help)
}

/// The rows of a game whose kings are worth this much.
#[rustfmt::skip]
const fn rows(king: (f64, f64)) -> [Term; 16] {
    [
        row("man", "material", Tapered(100.0, 120.0), "a man"),
        row("king", "material", Tapered(king.0, king.1), "a king"),
        row("advance", "men", TaperedList(&[
            (0.0, 0.0), (0.0, 2.0), (1.0, 4.0), (3.0, 7.0), (4.0, 11.0), (6.0, 16.0),
            (10.0, 24.0), (14.0, 32.0), (20.0, 40.0), (0.0, 0.0),
        ]), "a man, by its distance from its own edge in rows"),
        row("back_rank", "men", Tapered(12.0, 2.0), "a man on the own back row"),
        row("bridge", "men", Tapered(10.0, 4.0),
            "men on both the second and the fourth square of the own back row"),
        row("backed", "men", Tapered(3.0, 2.0), "a man with an own piece right behind it"),
        row("runaway", "men", TaperedList(&[
            (0.0, 0.0), (40.0, 60.0), (30.0, 48.0), (22.0, 38.0), (16.0, 28.0), (10.0, 20.0),
            (6.0, 14.0), (4.0, 8.0), (2.0, 4.0), (0.0, 0.0),
        ]), "a man with no enemy in its way, by the number of rows to promotion"),
        row("dog_hole", "men", Tapered(-14.0, -20.0),
            "a man at the edge next to the enemy's back row whose only move is blocked by an enemy"),
        row("mobility", "mobility", Tapered(2.0, 3.0), "a step that a piece could make"),
        row("jump", "mobility", Tapered(6.0, 6.0), "a jump that a piece could begin"),
        row("trapped_king", "kings", Tapered(-40.0, -40.0), "a king that cannot step anywhere"),
        row("main_road", "kings", Tapered(8.0, 20.0),
            "holding the longest diagonal with a king, and no enemy king on it"),
        row("centre", "placement", Tapered(3.0, 4.0), "a piece in the middle of the board"),
        row("edge", "placement", Tapered(-2.0, -3.0),
            "a piece on the left or right edge, where nothing can jump over it"),
        row("tempo", "tempo", Tapered(4.0, 4.0), "the side to move"),
        Term::parameter("scale_few_kings", "scaling", Number(30.0), (0.0, 100.0),
            "percent of the score kept when up to three kings play against a flying king"),
    ]
}

const SHORT: &[Term] = &rows((140.0, 170.0));
const FLYING: &[Term] = &rows((280.0, 340.0));

const MAN: usize = slot(SHORT, "man");
const KING: usize = slot(SHORT, "king");
const ADVANCE: usize = slot(SHORT, "advance");
const BACK_RANK: usize = slot(SHORT, "back_rank");
const BRIDGE: usize = slot(SHORT, "bridge");
const BACKED: usize = slot(SHORT, "backed");
const RUNAWAY: usize = slot(SHORT, "runaway");
const DOG_HOLE: usize = slot(SHORT, "dog_hole");
const MOBILITY: usize = slot(SHORT, "mobility");
const JUMP: usize = slot(SHORT, "jump");
const TRAPPED_KING: usize = slot(SHORT, "trapped_king");
const MAIN_ROAD: usize = slot(SHORT, "main_road");
const CENTRE: usize = slot(SHORT, "centre");
const EDGE: usize = slot(SHORT, "edge");
const TEMPO: usize = slot(SHORT, "tempo");
const SCALE_FEW_KINGS: usize = slot(SHORT, "scale_few_kings");

impl<R: Rules> Terms<Draughts<R>> for Modern {
    // Only the value of a king differs between rule sets, so the slots are the same.
    const TERMS: &'static [Term] = match R::BOOK.king {
        KingReach::Short => SHORT,
        KingReach::Flying => FLYING,
    };

    fn visit(position: &Draughts<R>, _weights: &Weights, sink: &mut impl Sink) {
        let sides = Side::BOTH.map(|side| SideView::<R>::new(position, side));
        let mut add = |slot: usize, count: fn(&SideView<R>) -> i32| {
            sink.add(slot, count(&sides[0]), count(&sides[1]));
        };
        add(MAN, |view| view.men.count() as i32);
        add(KING, |view| view.kings.count() as i32);
        add(BACK_RANK, |view| view.on(SquareSets::<R>::BACK_RANK));
        add(BRIDGE, |view| {
            i32::from(
                view.on(SquareSets::<R>::BRIDGE) == SquareSets::<R>::BRIDGE.count_ones() as i32,
            )
        });
        add(BACKED, SideView::backed);
        add(DOG_HOLE, SideView::dog_hole);
        add(TRAPPED_KING, SideView::trapped_kings);
        add(MAIN_ROAD, SideView::main_road);
        add(CENTRE, |view| view.pieces_on(SquareSets::<R>::CENTRE));
        add(EDGE, |view| view.pieces_on(SquareSets::<R>::EDGE));
        let [white, black] = Side::BOTH;
        let steps = |side| position.single_steps(side) as i32;
        sink.add(MOBILITY, steps(white), steps(black));
        let jumps = |side| position.single_jumps(side) as i32;
        sink.add(JUMP, jumps(white), jumps(black));
        let moves = |side| i32::from(position.turn() == side);
        sink.add(TEMPO, moves(white), moves(black));
        for (view, side) in sides.iter().zip(Side::BOTH) {
            view.visit_men(|slot| match side {
                Side::White => sink.add(slot, 1, 0),
                Side::Black => sink.add(slot, 0, 1),
            });
        }
    }

    /// The share of pieces left.
    fn phase(position: &Draughts<R>) -> i32 {
        let pieces = position.pieces(Side::White) | position.pieces(Side::Black);
        let most = 2 * SquareSets::<R>::MEN;
        (pieces.count() as i32 * OPENING / most).min(OPENING)
    }

    fn scaled(position: &Draughts<R>, weights: &Weights, sum: Score) -> Score {
        let strong = if sum > 0 { Side::White } else { Side::Black };
        let weak = strong.other();
        let flying = matches!(R::BOOK.king, KingReach::Flying);
        let hunted = position.kings(weak).any() && position.men(weak).count() == 0;
        let hunters = position.pieces(strong).count() <= 3 && !position.men(strong).any();
        if flying && hunted && hunters {
            let kept = i64::from(weights.get(SCALE_FEW_KINGS).opening);
            return (i64::from(sum) * kept / (100 * i64::from(STEPS))) as Score;
        }
        sum
    }
}

/// Sets of squares of a board, as the side at the bottom sees them.
struct SquareSets<R>(std::marker::PhantomData<R>);

impl<R: Rules> SquareSets<R> {
    const ROWS: usize = R::Board::ROWS;
    const WIDTH: usize = R::Board::WIDTH;
    /// Whether only the dark squares are played on.
    const DARK: bool = Self::ROWS != Self::WIDTH;
    /// Men of a side at the start.
    const MEN: i32 = if Self::DARK {
        ((Self::ROWS / 2 - 1) * Self::WIDTH) as i32
    } else {
        (2 * Self::WIDTH) as i32
    };
    const BACK_RANK: u64 = R::Board::BOTTOM_ROW;
    const BRIDGE: u64 = 0b1010 << ((Self::ROWS - 1) * Self::WIDTH);
    const EDGE: u64 = Self::within(0, Self::ROWS, true);
    const CENTRE: u64 = Self::within(Self::ROWS / 2 - 2, 4, false);
    /// The edge square next to the enemy's back row, with a single move forward.
    const DOG_HOLE: u64 = if Self::DARK { 1 << Self::WIDTH } else { 0 };
    /// From the bottom left corner to the top right one.
    const MAIN_ROAD: u64 = if Self::DARK {
        let corner = (Self::ROWS - 1) * Self::WIDTH;
        1 << corner | R::Board::RAYS[UP_RIGHT][corner]
    } else {
        0
    };

    /// The squares in the rows `first .. first + size` and either in the same columns or in the
    /// outermost ones.
    const fn within(first: usize, size: usize, outermost: bool) -> u64 {
        let mut set = 0;
        let mut square = 0;
        while square < Self::ROWS * Self::WIDTH {
            let row = square / Self::WIDTH;
            let column = if Self::DARK {
                2 * (square % Self::WIDTH) + 1 - row % 2
            } else {
                square % Self::WIDTH
            };
            let inside = if outermost {
                column == 0 || column == Self::ROWS - 1
            } else {
                first <= column && column < first + size
            };
            if first <= row && row < first + size && inside {
                set |= 1 << square;
            }
            square += 1;
        }
        set
    }
}

/// A position as one side sees it, its men going up.
struct SideView<R: Rules> {
    men: BitsOf<R>,
    kings: BitsOf<R>,
    enemies: BitsOf<R>,
    enemy_kings: BitsOf<R>,
    empty: BitsOf<R>,
}

impl<R: Rules> SideView<R> {
    fn new(position: &Draughts<R>, side: Side) -> SideView<R> {
        let unused = BitsOf::<R>::ROOM - R::Board::SQUARES as u32;
        let turned = |set: BitsOf<R>| match side {
            Side::White => set,
            Side::Black => set.reversed().down(unused),
        };
        SideView {
            men: turned(position.men(side)),
            kings: turned(position.kings(side)),
            enemies: turned(position.pieces(side.other())),
            enemy_kings: turned(position.kings(side.other())),
            empty: turned(position.empty()),
        }
    }

    /// Men on a set of squares.
    fn on(&self, squares: u64) -> i32 {
        (self.men & BitsOf::<R>::from_u64(squares)).count() as i32
    }

    fn pieces_on(&self, squares: u64) -> i32 {
        ((self.men | self.kings) & BitsOf::<R>::from_u64(squares)).count() as i32
    }

    fn backed(&self) -> i32 {
        let ours = self.men | self.kings;
        let covered = R::Board::step(ours, UP_LEFT) | R::Board::step(ours, UP_RIGHT);
        (self.men & covered).count() as i32
    }

    fn dog_hole(&self) -> i32 {
        let hole = self.men & BitsOf::<R>::from_u64(SquareSets::<R>::DOG_HOLE);
        (R::Board::step(hole, UP_RIGHT) & self.enemies).count() as i32
    }

    fn trapped_kings(&self) -> i32 {
        if !self.kings.any() {
            return 0;
        }
        let mut free = BitsOf::<R>::EMPTY;
        for direction in 0..8 {
            if R::BOOK.king_steps() >> direction & 1 == 1 {
                // From the empty squares back to the kings that could move there.
                free |= R::Board::step(self.empty, direction ^ 2);
            }
        }
        (self.kings & !free).count() as i32
    }

    fn main_road(&self) -> i32 {
        let road = BitsOf::<R>::from_u64(SquareSets::<R>::MAIN_ROAD);
        i32::from((self.kings & road).any() && !(self.enemy_kings & road).any())
    }

    /// Calls `add` with the slots of each man.
    fn visit_men(&self, mut add: impl FnMut(usize)) {
        for square in self.men.squares() {
            let to_go = R::Board::row(square);
            add(ADVANCE + SquareSets::<R>::ROWS - 1 - to_go);
            // An enemy king catches most runaways.
            let late = to_go < SquareSets::<R>::ROWS / 2;
            if late && !self.enemy_kings.any() && self.runs(square) {
                add(RUNAWAY + to_go);
            }
        }
    }

    /// Whether no enemy is on a square the man could cross, or next to one.
    fn runs(&self, square: usize) -> bool {
        let mut front = BitsOf::<R>::square(square);
        let mut reach = front;
        while front.any() {
            front = R::Board::step(front, UP_LEFT) | R::Board::step(front, UP_RIGHT);
            reach |= front;
        }
        let beside = R::Board::step(reach, DOWN_LEFT) | R::Board::step(reach, DOWN_RIGHT);
        let rows = R::Board::row(square) + 1;
        let level = BitsOf::<R>::from_u64(u64::MAX >> (64 - rows * SquareSets::<R>::WIDTH));
        !((reach | (beside & level)) & self.enemies).any()
    }
}
