//! Legal moves: steps in bulk, captures as a walk over chains of jumps.

use super::bits::Bits;
use super::board::{Board, Direction};
use super::position::{BitsOf, Draughts, Move};
use super::rules::{Choice, FarRow, KingReach, Removal, Rules};
use crate::games::Side;
use arrayvec::ArrayVec;

/// The squares a capture touches, kept only when somebody wants to read them.
pub(super) trait Trail: Clone {
    fn then(&self, square: usize) -> Self;
}

impl Trail for () {
    #[inline(always)]
    fn then(&self, _: usize) {}
}

impl Trail for Vec<u8> {
    fn then(&self, square: usize) -> Vec<u8> {
        let mut longer = self.clone();
        longer.push(square as u8);
        longer
    }
}

/// Whether `direction` is in the set and the loop body should run for it.
macro_rules! for_directions {
    ($direction:ident in $compass:expr => $body:block) => {
        for $direction in 0..8usize {
            if const { $compass } >> $direction & 1 == 1 $body
        }
    };
}

const fn side_of(white: bool) -> Side {
    if white { Side::White } else { Side::Black }
}

impl<R: Rules> Draughts<R> {
    #[inline(always)]
    fn prey_of_men(&self, side: Side) -> BitsOf<R> {
        if R::BOOK.man_takes_king {
            self.pieces(side.other())
        } else {
            self.men(side.other())
        }
    }

    /// Pieces that can capture something.
    #[inline(always)]
    fn capturers<const WHITE: bool>(&self) -> BitsOf<R> {
        let side = side_of(WHITE);
        let empty = self.empty();
        let men = self.men(side);
        let prey = self.prey_of_men(side);
        let mut found = BitsOf::<R>::EMPTY;
        for_directions!(direction in R::BOOK.man_captures(WHITE) => {
            let back = direction ^ 2;
            found |= men & R::Board::step(prey & R::Board::step(empty, back), back);
        });
        let kings = self.kings(side);
        if kings.any() {
            found |= self.capturing_kings(side, kings, empty);
        }
        found
    }

    #[inline(always)]
    fn capturing_kings(&self, side: Side, kings: BitsOf<R>, empty: BitsOf<R>) -> BitsOf<R> {
        let them = self.pieces(side.other());
        let mut found = BitsOf::<R>::EMPTY;
        for_directions!(direction in R::BOOK.king_captures() => {
            let back = direction ^ 2;
            // What stands before an empty square, seen from where the king comes.
            let targets = them & R::Board::step(empty, back);
            match R::BOOK.king {
                KingReach::Short => found |= kings & R::Board::step(targets, back),
                KingReach::Flying => {
                    for king in kings.squares() {
                        let (_, first) = R::Board::look(king, direction, !empty);
                        if (first & targets).any() {
                            found |= BitsOf::<R>::square(king);
                        }
                    }
                }
            }
        });
        found
    }

    /// Steps to empty squares, whether or not a capture is due.
    #[inline(always)]
    fn for_each_step<const WHITE: bool>(&self, f: &mut impl FnMut(Move<BitsOf<R>>)) {
        let side = side_of(WHITE);
        let empty = self.empty();
        let men = self.men(side);
        let far_row = Self::far_row(side);
        for_directions!(direction in R::BOOK.man_steps(WHITE) => {
            for to in (R::Board::step(men, direction) & empty).squares() {
                let from = R::Board::step(BitsOf::<R>::square(to), direction ^ 2).first();
                f(step(from, to, far_row.has(to)));
            }
        });
        let kings = self.kings(side) & !self.resting(side);
        if !kings.any() {
            return;
        }
        for_directions!(direction in R::BOOK.king_steps() => {
            match R::BOOK.king {
                KingReach::Short => {
                    for to in (R::Board::step(kings, direction) & empty).squares() {
                        let from = R::Board::step(BitsOf::<R>::square(to), direction ^ 2).first();
                        f(step(from, to, false));
                    }
                }
                KingReach::Flying => {
                    for from in kings.squares() {
                        let (open, _) = R::Board::look(from, direction, !empty);
                        for to in open.squares() {
                            f(step(from, to, false));
                        }
                    }
                }
            }
        });
    }

    #[inline(always)]
    pub(super) fn count_steps<const WHITE: bool>(&self) -> u64 {
        let side = side_of(WHITE);
        let empty = self.empty();
        let men = self.men(side);
        let mut steps = 0;
        for_directions!(direction in R::BOOK.man_steps(WHITE) => {
            steps += (R::Board::step(men, direction) & empty).count();
        });
        let kings = self.kings(side) & !self.resting(side);
        if kings.any() {
            for_directions!(direction in R::BOOK.king_steps() => {
                match R::BOOK.king {
                    KingReach::Short => {
                        steps += (R::Board::step(kings, direction) & empty).count();
                    }
                    KingReach::Flying => {
                        for from in kings.squares() {
                            steps += R::Board::look(from, direction, !empty).0.count();
                        }
                    }
                }
            });
        }
        u64::from(steps)
    }

    /// Every route of every capture, legal under the choice of captures or not, with its rank.
    #[inline(always)]
    fn walk_captures<const WHITE: bool, T: Trail>(
        &self,
        capturers: BitsOf<R>,
        trail: T,
        emit: &mut impl FnMut(u64, Move<BitsOf<R>>, &T),
    ) {
        let side = side_of(WHITE);
        let them = self.pieces(side.other());
        for from in capturers.squares() {
            let origin = BitsOf::<R>::square(from);
            let walk = Walk::<R, WHITE> {
                from: from as u8,
                them,
                prey_of_men: self.prey_of_men(side),
                enemy_kings: self.kings(side.other()),
                // The moving piece has left its square and may pass over it or return to it.
                empty: self.empty() | origin,
            };
            let is_king = (origin & self.kings(side)).any();
            let chain = Chain {
                at: origin,
                taken: BitsOf::<R>::EMPTY,
                rank: R::BOOK.rank_of_capturer(is_king),
                heading: None,
                promoted: false,
                trail: trail.clone(),
            };
            if is_king {
                walk.king(chain, emit);
            } else {
                walk.man(chain, emit);
            }
        }
    }

    /// The legal captures, each once.
    #[inline(always)]
    fn captures<const WHITE: bool>(&self, capturers: BitsOf<R>) -> Captures<BitsOf<R>> {
        let mut captures = Captures::new();
        self.walk_captures::<WHITE, ()>(capturers, (), &mut |rank, mv, ()| captures.add(rank, mv));
        captures
    }

    #[inline(always)]
    fn visit<const WHITE: bool>(&self, f: &mut impl FnMut(Move<BitsOf<R>>)) {
        let capturers = self.capturers::<WHITE>();
        if capturers.any() {
            self.captures::<WHITE>(capturers).for_each(f);
            if R::BOOK.captures_are_forced() {
                return;
            }
        }
        self.for_each_step::<WHITE>(f);
    }

    #[inline(always)]
    fn count<const WHITE: bool>(&self) -> u64 {
        let capturers = self.capturers::<WHITE>();
        if !capturers.any() {
            return self.count_steps::<WHITE>();
        }
        let captures = self.captures::<WHITE>(capturers).len() as u64;
        if R::BOOK.captures_are_forced() {
            captures
        } else {
            captures + self.count_steps::<WHITE>()
        }
    }

    #[inline(always)]
    pub(super) fn visit_moves(&self, f: &mut impl FnMut(Move<BitsOf<R>>)) {
        match self.turn() {
            Side::White => self.visit::<true>(f),
            Side::Black => self.visit::<false>(f),
        }
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
            Side::White => self.capturers::<true>().any(),
            Side::Black => self.capturers::<false>().any(),
        }
    }

    /// Whether `side` could move were it its turn.
    pub fn can_move(&self, side: Side) -> bool {
        match side {
            Side::White => self.count_steps::<true>() > 0 || self.capturers::<true>().any(),
            Side::Black => self.count_steps::<false>() > 0 || self.capturers::<false>().any(),
        }
    }

    fn walk<T: Trail>(&self, trail: T, emit: &mut impl FnMut(u64, Move<BitsOf<R>>, &T)) {
        match self.turn() {
            Side::White => self.walk_captures::<true, T>(self.capturers::<true>(), trail, emit),
            Side::Black => self.walk_captures::<false, T>(self.capturers::<false>(), trail, emit),
        }
    }

    /// Calls `f` with every legal capture once for each route that leads to it, and with the
    /// squares of the route; steps are visited too, with their two squares.
    pub fn for_each_route(&self, mut f: impl FnMut(Move<BitsOf<R>>, &[u8])) {
        let mut best = 0;
        self.walk((), &mut |rank, _, ()| best = best.max(rank));
        let mut captures = false;
        self.walk(Vec::new(), &mut |rank, mv, trail: &Vec<u8>| {
            captures = true;
            if rank == best {
                f(mv, trail);
            }
        });
        if !captures || !R::BOOK.captures_are_forced() {
            let mut step = |mv: Move<BitsOf<R>>| f(mv, &[mv.from, mv.to]);
            match self.turn() {
                Side::White => self.for_each_step::<true>(&mut step),
                Side::Black => self.for_each_step::<false>(&mut step),
            }
        }
    }

    /// The number of routes: the other way of counting moves, see [`perft_routes`].
    pub fn count_routes(&self) -> u64 {
        let (mut best, mut routes) = (0, 0);
        self.walk((), &mut |rank, _, ()| {
            if rank > best {
                (best, routes) = (rank, 1);
            } else if rank == best {
                routes += 1;
            }
        });
        if routes == 0 {
            return self.number_of_moves();
        }
        if R::BOOK.captures_are_forced() {
            return routes;
        }
        routes
            + match self.turn() {
                Side::White => self.count_steps::<true>(),
                Side::Black => self.count_steps::<false>(),
            }
    }
}

/// [`crate::games::perft`] where every route of a capture counts, even when start, end and victims
/// agree with another's.
pub fn perft_routes<R: Rules>(position: &Draughts<R>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_routes(),
        _ => {
            let mut leaves = 0;
            position.for_each_route(|mv, _| {
                let mut next = *position;
                next.make(mv);
                leaves += perft_routes(&next, depth - 1);
            });
            leaves
        }
    }
}

#[inline(always)]
fn step<B: Bits>(from: usize, to: usize, promotes: bool) -> Move<B> {
    Move {
        captured: B::EMPTY,
        from: from as u8,
        to: to as u8,
        promotes,
    }
}

/// More captures than any sensible position has; beyond them the list moves to the heap.
const ROOM: usize = 96;

/// The highest-ranking captures found so far, each once.
struct Captures<B> {
    rank: u64,
    moves: ArrayVec<Move<B>, ROOM>,
    overflow: Vec<Move<B>>,
}

impl<B: Bits> Captures<B> {
    #[inline(always)]
    fn new() -> Captures<B> {
        Captures {
            rank: 0,
            moves: ArrayVec::new(),
            overflow: Vec::new(),
        }
    }

    #[inline(always)]
    fn add(&mut self, rank: u64, mv: Move<B>) {
        if rank < self.rank {
            return;
        }
        if rank > self.rank {
            self.rank = rank;
            self.moves.clear();
            self.overflow.clear();
        }
        // Two routes to the same move run around a loop in opposite ways: that takes three
        // victims at least, whatever the rule set.
        if mv.captured.count() >= 3 && (self.moves.contains(&mv) || self.overflow.contains(&mv)) {
            return;
        }
        if let Err(full) = self.moves.try_push(mv) {
            self.overflow.push(full.element());
        }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.moves.len() + self.overflow.len()
    }

    #[inline(always)]
    fn for_each(&self, f: &mut impl FnMut(Move<B>)) {
        self.moves
            .iter()
            .chain(&self.overflow)
            .for_each(|mv| f(*mv));
    }
}

/// What stays the same while one piece captures.
struct Walk<R: Rules, const WHITE: bool> {
    from: u8,
    them: BitsOf<R>,
    prey_of_men: BitsOf<R>,
    enemy_kings: BitsOf<R>,
    empty: BitsOf<R>,
}

/// How far a capture has come.
struct Chain<B, T> {
    /// One square; for a flying king that captured, all squares it may have landed on.
    at: B,
    taken: B,
    rank: u64,
    heading: Option<Direction>,
    promoted: bool,
    trail: T,
}

impl<R: Rules, const WHITE: bool> Walk<R, WHITE> {
    /// Empty squares once the pieces in `taken` were captured.
    #[inline(always)]
    fn free(&self, taken: BitsOf<R>) -> BitsOf<R> {
        match R::BOOK.removal {
            Removal::AfterTurn => self.empty,
            Removal::AtOnce => self.empty | taken,
        }
    }

    #[inline(always)]
    fn rank<T>(&self, chain: &Chain<BitsOf<R>, T>, victim: BitsOf<R>) -> u64 {
        let index = match R::BOOK.choice {
            Choice::Italian => chain.taken.count(),
            _ => 0,
        };
        chain.rank + R::BOOK.rank_of_victim(index, (victim & self.enemy_kings).any())
    }

    #[inline(always)]
    fn emit<T: Trail>(
        &self,
        chain: &Chain<BitsOf<R>, T>,
        to: usize,
        promotes: bool,
        emit: &mut impl FnMut(u64, Move<BitsOf<R>>, &T),
    ) {
        let mv = Move {
            captured: chain.taken,
            from: self.from,
            to: to as u8,
            promotes,
        };
        emit(chain.rank, mv, &chain.trail.then(to));
    }

    /// Jumps on with a man, or ends where it stands.
    fn man<T: Trail>(
        &self,
        chain: Chain<BitsOf<R>, T>,
        emit: &mut impl FnMut(u64, Move<BitsOf<R>>, &T),
    ) {
        let free = self.free(chain.taken);
        let mut goes_on = false;
        for_directions!(direction in R::BOOK.man_captures(WHITE) => {
            let turns_back = chain.heading == Some(direction ^ 2);
            let victim =
                R::Board::step(chain.at, direction) & self.prey_of_men & !chain.taken;
            let landing = R::Board::step(victim, direction) & free;
            if landing.any() && !turns_back {
                goes_on = true;
                self.land_man(
                    Chain {
                        at: landing,
                        taken: chain.taken | victim,
                        rank: self.rank(&chain, victim),
                        heading: Some(direction),
                        promoted: false,
                        trail: self.extend(&chain),
                    },
                    emit,
                );
            }
        });
        // Where a chain may stop anywhere, its end was emitted on landing.
        if !goes_on && chain.taken.any() && R::BOOK.captures_are_forced() {
            let promotes = (chain.at & Draughts::<R>::far_row(side_of(WHITE))).any();
            self.emit(&chain, chain.at.first(), promotes, emit);
        }
    }

    /// The trail with the square that the piece leaves.
    #[inline(always)]
    fn extend<T: Trail>(&self, chain: &Chain<BitsOf<R>, T>) -> T {
        chain.trail.then(chain.at.first())
    }

    #[inline(always)]
    fn land_man<T: Trail>(
        &self,
        mut chain: Chain<BitsOf<R>, T>,
        emit: &mut impl FnMut(u64, Move<BitsOf<R>>, &T),
    ) {
        let crowned = (chain.at & Draughts::<R>::far_row(side_of(WHITE))).any();
        let stops = match R::BOOK.far_row {
            FarRow::Ends => crowned,
            _ => false,
        };
        if stops || !R::BOOK.captures_are_forced() {
            self.emit(&chain, chain.at.first(), crowned, emit);
        }
        if stops {
            return;
        }
        if crowned && R::BOOK.far_row == FarRow::Crowns {
            chain.promoted = true;
            self.king(chain, emit);
        } else {
            self.man(chain, emit);
        }
    }

    /// Jumps on with a king from any of the squares it may stand on, or ends there.
    fn king<T: Trail>(
        &self,
        chain: Chain<BitsOf<R>, T>,
        emit: &mut impl FnMut(u64, Move<BitsOf<R>>, &T),
    ) {
        let goes_on = match R::BOOK.king {
            KingReach::Short => self.jump_short(&chain, emit),
            KingReach::Flying => self.jump_flying(&chain, emit),
        };
        if !goes_on && chain.taken.any() && R::BOOK.captures_are_forced() {
            for to in chain.at.squares() {
                self.emit(&chain, to, chain.promoted, emit);
            }
        }
    }

    #[inline(always)]
    fn jump_short<T: Trail>(
        &self,
        chain: &Chain<BitsOf<R>, T>,
        emit: &mut impl FnMut(u64, Move<BitsOf<R>>, &T),
    ) -> bool {
        let free = self.free(chain.taken);
        let mut goes_on = false;
        for_directions!(direction in R::BOOK.king_captures() => {
            let victim = R::Board::step(chain.at, direction) & self.them & !chain.taken;
            let landing = R::Board::step(victim, direction) & free;
            if landing.any() {
                goes_on = true;
                let next = Chain {
                    at: landing,
                    taken: chain.taken | victim,
                    rank: self.rank(chain, victim),
                    heading: Some(direction),
                    promoted: chain.promoted,
                    trail: self.extend(chain),
                };
                if !R::BOOK.captures_are_forced() {
                    self.emit(&next, landing.first(), chain.promoted, emit);
                }
                self.king(next, emit);
            }
        });
        goes_on
    }

    /// A flying king must land where it can capture on, if there is such a square: all landing
    /// squares are tried before the chain may end.
    #[inline(always)]
    fn jump_flying<T: Trail>(
        &self,
        chain: &Chain<BitsOf<R>, T>,
        emit: &mut impl FnMut(u64, Move<BitsOf<R>>, &T),
    ) -> bool {
        let free = self.free(chain.taken);
        let prey = self.them & !chain.taken;
        let mut goes_on = false;
        for (number, at) in chain.at.squares().enumerate() {
            for_directions!(direction in R::BOOK.king_captures() => {
                // Straight on is the same jump from every landing square; back is barred.
                let tried = chain.heading == Some(direction) && number > 0;
                let turns_back = chain.heading == Some(direction ^ 2);
                let (_, first) = R::Board::look(at, direction, !free & R::Board::all());
                let victim = first & prey;
                if !tried
                    && !turns_back
                    && (R::Board::step(victim, direction) & free).any()
                {
                    goes_on = true;
                    let occupied = !self.free(chain.taken | victim) & R::Board::all();
                    let next = Chain {
                        at: R::Board::look(victim.first(), direction, occupied).0,
                        taken: chain.taken | victim,
                        rank: self.rank(chain, victim),
                        heading: Some(direction),
                        promoted: chain.promoted,
                        trail: chain.trail.then(at),
                    };
                    self.king(next, emit);
                }
            });
        }
        goes_on
    }
}
