//! Move generation. Steps and single jumps are generated for all pieces at once, chains piece by
//! piece.

use super::bits::Bits;
use super::board::{Direction, Geometry};
use super::chains::{ChainWalk, MoveList, Trail};
use super::position::{BitsOf, Draughts, Move};
use super::rules::{Choice, Compass, FarRow, KingReach, Rules};
use crate::games::Side;

const fn side_of(white: bool) -> Side {
    if white { Side::White } else { Side::Black }
}

/// Called with the rank of a chain, its move, and the trail to its last square.
type WalkEnds<'e, R, T> = dyn FnMut(u32, Move<BitsOf<R>>, &T) + 'e;

/// Called with a move and the squares of its route.
type RouteSeen<'s, R> = dyn FnMut(Move<BitsOf<R>>, &[u8]) + 's;

/// Target squares by direction.
struct Reached<R: Rules> {
    squares: [BitsOf<R>; 8],
    /// The directions that may be non-empty.
    compass: Compass,
}

impl<R: Rules> Reached<R> {
    #[inline(always)]
    fn any(&self) -> bool {
        let mut all = BitsOf::<R>::EMPTY;
        for squares in self.squares {
            all |= squares;
        }
        all.any()
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        u64::from(BitsOf::<R>::count_all(&self.squares))
    }
}

/// The pieces of the side to generate moves for.
struct Movers<R: Rules> {
    men: BitsOf<R>,
    kings: BitsOf<R>,
}

/// Landing squares of jumps over a neighbour.
#[inline(always)]
fn jump<R: Rules>(
    pieces: BitsOf<R>,
    direction: Direction,
    prey: BitsOf<R>,
    empty: BitsOf<R>,
) -> BitsOf<R> {
    R::Board::step(R::Board::step(pieces, direction) & prey, direction) & empty
}

impl<R: Rules> Draughts<R> {
    const FLYING: bool = matches!(R::BOOK.king, KingReach::Flying);

    #[inline(always)]
    pub(super) fn prey_of_men(&self, side: Side) -> BitsOf<R> {
        if R::BOOK.man_takes_king {
            self.pieces(side.other())
        } else {
            self.men(side.other())
        }
    }

    #[inline(always)]
    fn movers(&self, side: Side) -> Movers<R> {
        Movers {
            men: self.men(side),
            kings: self.kings(side),
        }
    }

    /// Steps to a neighbouring square, ignoring forced captures; without flying kings.
    #[inline(always)]
    fn steps<const WHITE: bool>(&self) -> Reached<R> {
        self.steps_of::<WHITE>(&self.movers(side_of(WHITE)))
    }

    #[inline(always)]
    fn steps_of<const WHITE: bool>(&self, movers: &Movers<R>) -> Reached<R> {
        let side = side_of(WHITE);
        let (empty, men) = (self.empty(), movers.men);
        let compass = const { R::BOOK.man_steps(WHITE) };
        let mut reached = Reached {
            squares: [BitsOf::<R>::EMPTY; 8],
            compass,
        };
        for_directions!(direction in R::BOOK.man_steps(WHITE) => {
            reached.squares[direction] = R::Board::step(men, direction) & empty;
        });
        let kings = movers.kings & !self.resting(side);
        if !Self::FLYING && kings.any() {
            reached.compass |= const { R::BOOK.king_steps() };
            for_directions!(direction in R::BOOK.king_steps() => {
                reached.squares[direction] |= R::Board::step(kings, direction) & empty;
            });
        }
        reached
    }

    /// Jumps over a neighbour, by landing square; without flying kings.
    #[inline(always)]
    fn jumps<const WHITE: bool>(&self) -> Reached<R> {
        self.jumps_of::<WHITE>(&self.movers(side_of(WHITE)))
    }

    #[inline(always)]
    fn jumps_of<const WHITE: bool>(&self, movers: &Movers<R>) -> Reached<R> {
        let side = side_of(WHITE);
        let (empty, men, prey) = (self.empty(), movers.men, self.prey_of_men(side));
        let compass = const { R::BOOK.man_captures(WHITE) };
        let mut reached = Reached {
            squares: [BitsOf::<R>::EMPTY; 8],
            compass,
        };
        for_directions!(direction in R::BOOK.man_captures(WHITE) => {
            reached.squares[direction] = jump::<R>(men, direction, prey, empty);
        });
        let kings = movers.kings;
        if !Self::FLYING && kings.any() {
            reached.compass |= const { R::BOOK.king_captures() };
            let them = self.pieces(side.other());
            for_directions!(direction in R::BOOK.king_captures() => {
                reached.squares[direction] |= jump::<R>(kings, direction, them, empty);
            });
        }
        reached
    }

    /// Whether each jump is a complete legal move: no chains, and no majority rule applies. True for
    /// most captures, which need not be walked. `false` may also mean unknown.
    #[inline(always)]
    fn are_final<const WHITE: bool>(&self, movers: &Movers<R>) -> bool {
        let side = side_of(WHITE);
        let kings = movers.kings;
        let all_rank_alike = match R::BOOK.choice {
            Choice::Optional | Choice::Free | Choice::Most => true,
            Choice::Italian | Choice::Spanish | Choice::KingFirst | Choice::Value => {
                !(kings | self.kings(side.other())).any()
            }
        };
        if !all_rank_alike || (Self::FLYING && kings.any()) {
            return false;
        }
        let (empty, men, prey) = (self.empty(), movers.men, self.prey_of_men(side));
        let far_row = Self::far_row(side);
        let mut second = BitsOf::<R>::EMPTY;
        // Jumping back over the victim does not continue a chain. The square that the first jump
        // left is not empty here, but no other second jump could land on it.
        for_directions!(direction in R::BOOK.man_captures(WHITE) => {
            let mut landed = jump::<R>(men, direction, prey, empty);
            match R::BOOK.far_row {
                FarRow::Ends => landed &= !far_row,
                FarRow::Passes => {}
                FarRow::Crowns => second |= landed & far_row,
            }
            for_directions!(next in R::BOOK.man_captures(WHITE) => {
                if next != direction ^ 2 {
                    second |= jump::<R>(landed, next, prey, empty);
                }
            });
        });
        if kings.any() {
            let them = self.pieces(side.other());
            for_directions!(direction in R::BOOK.king_captures() => {
                let landed = jump::<R>(kings, direction, them, empty);
                for_directions!(next in R::BOOK.king_captures() => {
                    if next != direction ^ 2 {
                        second |= jump::<R>(landed, next, them, empty);
                    }
                });
            });
        }
        !second.any()
    }

    /// Flying kings that can capture.
    #[inline(always)]
    fn flying_capturers<const WHITE: bool>(&self) -> BitsOf<R> {
        let side = side_of(WHITE);
        let mut found = BitsOf::<R>::EMPTY;
        if !Self::FLYING || !self.kings(side).any() {
            return found;
        }
        let (empty, them) = (self.empty(), self.pieces(side.other()));
        let occupied = !empty & R::Board::all();
        for_directions!(direction in R::BOOK.king_captures() => {
            let prey = them & R::Board::step(empty, direction ^ 2);
            for king in self.kings(side).squares() {
                if (R::Board::look(king, direction, occupied).1 & prey).any() {
                    found |= BitsOf::<R>::square(king);
                }
            }
        });
        found
    }

    /// Pieces that can capture something.
    fn capturers<const WHITE: bool>(&self) -> BitsOf<R> {
        let side = side_of(WHITE);
        let (empty, men, prey) = (self.empty(), self.men(side), self.prey_of_men(side));
        let mut found = self.flying_capturers::<WHITE>();
        for_directions!(direction in R::BOOK.man_captures(WHITE) => {
            let back = direction ^ 2;
            found |= men & R::Board::step(prey & R::Board::step(empty, back), back);
        });
        if !Self::FLYING {
            let (kings, them) = (self.kings(side), self.pieces(side.other()));
            for_directions!(direction in R::BOOK.king_captures() => {
                let back = direction ^ 2;
                found |= kings & R::Board::step(them & R::Board::step(empty, back), back);
            });
        }
        found
    }

    /// The legal captures, each once.
    #[inline(always)]
    fn find_captures<const WHITE: bool>(&self, list: &mut MoveList<BitsOf<R>>) {
        let capturers = self.capturers::<WHITE>();
        ChainWalk::<R, WHITE>::all(self, capturers, &(), &mut |rank, mv, &()| {
            list.add_capture(rank, mv)
        });
    }

    #[inline(always)]
    fn can_capture_as<const WHITE: bool>(&self) -> bool {
        self.jumps::<WHITE>().any() || self.flying_capturers::<WHITE>().any()
    }

    // A separate function: its list of moves would enlarge the caller's stack frame.
    #[inline(never)]
    fn count_chains<const WHITE: bool>(&self) -> u64 {
        let mut list = MoveList::new();
        self.find_captures::<WHITE>(&mut list);
        list.len() as u64
    }

    #[inline(always)]
    pub(super) fn count_steps<const WHITE: bool>(&self) -> u64 {
        self.steps::<WHITE>().count() + self.count_flying_steps::<WHITE>()
    }

    #[inline(always)]
    fn count_flying_steps<const WHITE: bool>(&self) -> u64 {
        let side = side_of(WHITE);
        let kings = self.kings(side) & !self.resting(side);
        let mut steps = 0;
        if Self::FLYING && kings.any() {
            let occupied = !self.empty() & R::Board::all();
            for from in kings.squares() {
                for_directions!(direction in R::BOOK.king_steps() => {
                    steps += R::Board::look(from, direction, occupied).0.count();
                });
            }
        }
        u64::from(steps)
    }

    #[inline(always)]
    fn count<const WHITE: bool>(&self) -> u64 {
        let side = side_of(WHITE);
        // Most positions have no king; then half the directions can be skipped.
        if Self::FLYING || self.kings(side).any() {
            self.count_for::<WHITE>(&self.movers(side))
        } else {
            self.count_for::<WHITE>(&Movers {
                men: self.pieces(side),
                kings: BitsOf::<R>::EMPTY,
            })
        }
    }

    #[inline(always)]
    fn count_for<const WHITE: bool>(&self, movers: &Movers<R>) -> u64 {
        let steps = || self.steps_of::<WHITE>(movers).count() + self.count_flying_steps::<WHITE>();
        let jumps = self.jumps_of::<WHITE>(movers);
        if !jumps.any() && !self.flying_capturers::<WHITE>().any() {
            return steps();
        }
        let captures = if self.are_final::<WHITE>(movers) {
            jumps.count()
        } else {
            self.count_chains::<WHITE>()
        };
        if R::BOOK.captures_are_forced() {
            captures
        } else {
            captures + steps()
        }
    }

    /// Calls `f` with the moves to the target squares, by a step or by a jump.
    // One loop for both, so that `f` is inlined once.
    #[inline(always)]
    fn visit_reached<const WHITE: bool>(
        &self,
        reached: &Reached<R>,
        by_jump: bool,
        f: &mut impl FnMut(Move<BitsOf<R>>),
    ) {
        let side = side_of(WHITE);
        let crowning = Self::far_row(side);
        let kings = self.kings(side);
        let mut compass = reached.compass;
        while compass != 0 {
            let direction = compass.trailing_zeros() as usize & 7;
            compass &= compass - 1;
            for to in reached.squares[direction].squares() {
                let behind = R::Board::neighbour(to, direction ^ 2);
                let (from, captured) = if by_jump {
                    let from = R::Board::neighbour(behind, direction ^ 2);
                    (from, BitsOf::<R>::square(behind))
                } else {
                    (behind, BitsOf::<R>::EMPTY)
                };
                let promotes = crowning.has(to) & !kings.has(from);
                f(Move {
                    captured,
                    from: from as u8,
                    to: to as u8,
                    promotes,
                });
            }
        }
    }

    #[inline(always)]
    fn visit_flying_steps<const WHITE: bool>(&self, f: &mut impl FnMut(Move<BitsOf<R>>)) {
        let side = side_of(WHITE);
        let kings = self.kings(side) & !self.resting(side);
        if !Self::FLYING || !kings.any() {
            return;
        }
        let occupied = !self.empty() & R::Board::all();
        for from in kings.squares() {
            let mut open = BitsOf::<R>::EMPTY;
            for_directions!(direction in R::BOOK.king_steps() => {
                open |= R::Board::look(from, direction, occupied).0;
            });
            for to in open.squares() {
                let captured = BitsOf::<R>::EMPTY;
                f(Move {
                    captured,
                    from: from as u8,
                    to: to as u8,
                    promotes: false,
                });
            }
        }
    }

    #[inline(always)]
    fn list<const WHITE: bool>(&self, list: &mut MoveList<BitsOf<R>>) {
        let jumps = self.jumps::<WHITE>();
        let captures = jumps.any() || self.flying_capturers::<WHITE>().any();
        if captures && !self.are_final::<WHITE>(&self.movers(side_of(WHITE))) {
            self.find_captures::<WHITE>(list);
        } else if captures {
            self.visit_reached::<WHITE>(&jumps, true, &mut |mv| list.push(mv));
        }
        if !captures || !R::BOOK.captures_are_forced() {
            let mut push = |mv| list.push(mv);
            self.visit_reached::<WHITE>(&self.steps::<WHITE>(), false, &mut push);
            self.visit_flying_steps::<WHITE>(&mut push);
        }
    }

    /// Adds the legal moves to an empty list.
    // The one entry to the generator: inlined into every visitor, it was compiled 30 times for
    // each rule set.
    #[inline(never)]
    fn list_moves(&self, list: &mut MoveList<BitsOf<R>>) {
        match self.turn() {
            Side::White => self.list::<true>(list),
            Side::Black => self.list::<false>(list),
        }
    }

    #[inline(always)]
    pub(super) fn visit_moves(&self, f: &mut impl FnMut(Move<BitsOf<R>>)) {
        let mut list = MoveList::new();
        self.list_moves(&mut list);
        list.visit(f);
    }

    #[inline(always)]
    pub(super) fn number_of_moves(&self) -> u64 {
        match self.turn() {
            Side::White => self.count::<true>(),
            Side::Black => self.count::<false>(),
        }
    }

    /// Whether the mover can capture.
    pub fn can_capture(&self) -> bool {
        match self.turn() {
            Side::White => self.can_capture_as::<true>(),
            Side::Black => self.can_capture_as::<false>(),
        }
    }

    /// Whether `side` could move if it were its turn.
    pub fn can_move(&self, side: Side) -> bool {
        match side {
            Side::White => {
                self.steps::<true>().any()
                    || self.can_capture_as::<true>()
                    || self.count_flying_steps::<true>() > 0
            }
            Side::Black => {
                self.steps::<false>().any()
                    || self.can_capture_as::<false>()
                    || self.count_flying_steps::<false>() > 0
            }
        }
    }

    // Behind `dyn`, off the search path: the walk is compiled once per trail, not once per caller.
    fn walk<T: Trail>(&self, trail: &T, mut ends: &mut WalkEnds<'_, R, T>) {
        let ends = &mut ends;
        match self.turn() {
            Side::White => ChainWalk::<R, true>::all(self, self.capturers::<true>(), trail, ends),
            Side::Black => ChainWalk::<R, false>::all(self, self.capturers::<false>(), trail, ends),
        }
    }

    /// Calls `f` with every legal capture, once per route, and with the squares of the route. Steps
    /// are included, with their two squares.
    pub fn for_each_route(&self, f: &mut RouteSeen<'_, R>) {
        let mut best = 0;
        self.walk(&(), &mut |rank, _, &()| best = best.max(rank));
        self.walk(
            &Vec::new(),
            &mut |rank, mv: Move<BitsOf<R>>, trail: &Vec<u8>| {
                if rank == best {
                    f(mv, &trail.then(usize::from(mv.to)));
                }
            },
        );
        if !self.can_capture() || !R::BOOK.captures_are_forced() {
            let mut step = |mv: Move<BitsOf<R>>| f(mv, &[mv.from, mv.to]);
            match self.turn() {
                Side::White => {
                    self.visit_reached::<true>(&self.steps::<true>(), false, &mut step);
                    self.visit_flying_steps::<true>(&mut step);
                }
                Side::Black => {
                    self.visit_reached::<false>(&self.steps::<false>(), false, &mut step);
                    self.visit_flying_steps::<false>(&mut step);
                }
            }
        }
    }

    /// The number of routes, see [`perft_routes`].
    pub fn count_routes(&self) -> u64 {
        let (mut best, mut routes) = (0, 0);
        self.walk(&(), &mut |rank, _, &()| {
            if rank > best {
                (best, routes) = (rank, 1);
            } else if rank == best {
                routes += 1;
            }
        });
        if routes > 0 && R::BOOK.captures_are_forced() {
            return routes;
        }
        routes
            + match self.turn() {
                Side::White => self.count_steps::<true>(),
                Side::Black => self.count_steps::<false>(),
            }
    }
}

/// [`crate::games::perft`] that counts every route of a capture, even with the same start, end and
/// victims as another.
pub fn perft_routes<R: Rules>(position: &Draughts<R>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_routes(),
        _ => {
            let mut leaves = 0;
            position.for_each_route(&mut |mv, _| {
                let mut next = *position;
                next.make(mv);
                leaves += perft_routes(&next, depth - 1);
            });
            leaves
        }
    }
}
