//! Captures: walks all chains of jumps and lists the legal ones.

use super::bits::Bits;
use super::board::{Direction, Geometry};
use super::position::{BitsOf, Draughts, Move};
use super::rules::{Choice, FarRow, KingReach, Removal, Rules};
use crate::games::Side;
use arrayvec::ArrayVec;

/// The squares of a capture's route, recorded only on request.
pub(super) trait Trail {
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

/// Receives every end of a chain: its rank among captures, the move, and the squares before its
/// last.
pub(super) trait ChainEnds<B, T>: FnMut(u32, Move<B>, &T) {}

impl<B, T, F: FnMut(u32, Move<B>, &T)> ChainEnds<B, T> for F {}

/// No direction: the chain has not started.
const NOWHERE: u8 = 8;

/// The constants of one piece's captures.
pub(super) struct ChainWalk<R: Rules, const WHITE: bool> {
    from: u8,
    them: BitsOf<R>,
    prey_of_men: BitsOf<R>,
    enemy_kings: BitsOf<R>,
    empty: BitsOf<R>,
}

/// The state of a chain. Small enough to be passed in registers.
#[derive(Clone, Copy)]
struct Chain<B> {
    taken: B,
    rank: u32,
    heading: u8,
    promoted: bool,
}

impl<R: Rules, const WHITE: bool> ChainWalk<R, WHITE> {
    const SIDE: Side = if WHITE { Side::White } else { Side::Black };

    /// Walks every chain of the pieces in `capturers`, including those that are illegal under the
    /// majority rules.
    #[inline(always)]
    pub(super) fn all<T: Trail>(
        position: &Draughts<R>,
        capturers: BitsOf<R>,
        trail: &T,
        ends: &mut impl ChainEnds<BitsOf<R>, T>,
    ) {
        for from in capturers.squares() {
            let origin = BitsOf::<R>::square(from);
            let walk = ChainWalk::<R, WHITE> {
                from: from as u8,
                them: position.pieces(Self::SIDE.other()),
                prey_of_men: position.prey_of_men(Self::SIDE),
                enemy_kings: position.kings(Self::SIDE.other()),
                // The moving piece has left its square and may pass over it or return to it.
                empty: position.empty() | origin,
            };
            let is_king = (origin & position.kings(Self::SIDE)).any();
            let chain = Chain {
                taken: BitsOf::<R>::EMPTY,
                rank: R::BOOK.rank_of_capturer(is_king),
                heading: NOWHERE,
                promoted: false,
            };
            if is_king {
                walk.king(origin, chain, trail, ends);
            } else {
                walk.man(origin, chain, trail, ends);
            }
        }
    }

    /// Empty squares once the pieces in `taken` were captured.
    #[inline(always)]
    fn free(&self, taken: BitsOf<R>) -> BitsOf<R> {
        match R::BOOK.removal {
            Removal::AfterTurn => self.empty,
            Removal::AtOnce => self.empty | taken,
        }
    }

    /// The direction that would turn back. Needed if captured pieces leave the board at once.
    #[inline(always)]
    fn turns_back(chain: &Chain<BitsOf<R>>, direction: Direction) -> bool {
        R::BOOK.removal == Removal::AtOnce && usize::from(chain.heading) == direction ^ 2
    }

    #[inline(always)]
    fn after(
        &self,
        chain: &Chain<BitsOf<R>>,
        victim: BitsOf<R>,
        heading: Direction,
    ) -> Chain<BitsOf<R>> {
        let index = match R::BOOK.choice {
            Choice::Italian => chain.taken.count(),
            _ => 0,
        };
        let is_king = (victim & self.enemy_kings).any();
        Chain {
            taken: chain.taken | victim,
            rank: chain.rank + R::BOOK.rank_of_victim(index, is_king),
            heading: heading as u8,
            promoted: chain.promoted,
        }
    }

    #[inline(always)]
    fn end<T: Trail>(
        &self,
        to: BitsOf<R>,
        chain: &Chain<BitsOf<R>>,
        promotes: bool,
        trail: &T,
        ends: &mut impl ChainEnds<BitsOf<R>, T>,
    ) {
        let to = to.first() as u8;
        ends(
            chain.rank,
            Move {
                captured: chain.taken,
                from: self.from,
                to,
                promotes,
            },
            trail,
        );
    }

    /// Continues the chain of a man, or ends it.
    fn man<T: Trail>(
        &self,
        at: BitsOf<R>,
        chain: Chain<BitsOf<R>>,
        trail: &T,
        ends: &mut impl ChainEnds<BitsOf<R>, T>,
    ) {
        let free = self.free(chain.taken);
        let prey = self.prey_of_men & !chain.taken;
        let mut goes_on = false;
        for_directions!(direction in R::BOOK.man_captures(WHITE) => {
            let victim = R::Board::step(at, direction) & prey;
            let landing = R::Board::step(victim, direction) & free;
            if landing.any() && !Self::turns_back(&chain, direction) {
                goes_on = true;
                let next = self.after(&chain, victim, direction);
                self.land_man(landing, next, &trail.then(at.first()), ends);
            }
        });
        // If a chain may stop anywhere, its end was reported on landing.
        if !goes_on && chain.taken.any() && R::BOOK.captures_are_forced() {
            let promotes = (at & Draughts::<R>::far_row(Self::SIDE)).any();
            self.end(at, &chain, promotes, trail, ends);
        }
    }

    #[inline(always)]
    fn land_man<T: Trail>(
        &self,
        at: BitsOf<R>,
        mut chain: Chain<BitsOf<R>>,
        trail: &T,
        ends: &mut impl ChainEnds<BitsOf<R>, T>,
    ) {
        let crowned = (at & Draughts::<R>::far_row(Self::SIDE)).any();
        let stops = crowned && R::BOOK.far_row == FarRow::Ends;
        if stops || !R::BOOK.captures_are_forced() {
            self.end(at, &chain, crowned, trail, ends);
        }
        if stops {
            return;
        }
        if crowned && R::BOOK.far_row == FarRow::Crowns {
            chain.promoted = true;
            self.king(at, chain, trail, ends);
        } else {
            self.man(at, chain, trail, ends);
        }
    }

    /// Continues the chain of a king from any possible landing square, or ends it.
    fn king<T: Trail>(
        &self,
        at: BitsOf<R>,
        chain: Chain<BitsOf<R>>,
        trail: &T,
        ends: &mut impl ChainEnds<BitsOf<R>, T>,
    ) {
        let goes_on = match R::BOOK.king {
            KingReach::Short => self.jump_short(at, &chain, trail, ends),
            KingReach::Flying => self.jump_flying(at, &chain, trail, ends),
        };
        if !goes_on && chain.taken.any() && R::BOOK.captures_are_forced() {
            for to in at.squares() {
                self.end(BitsOf::<R>::square(to), &chain, chain.promoted, trail, ends);
            }
        }
    }

    #[inline(always)]
    fn jump_short<T: Trail>(
        &self,
        at: BitsOf<R>,
        chain: &Chain<BitsOf<R>>,
        trail: &T,
        ends: &mut impl ChainEnds<BitsOf<R>, T>,
    ) -> bool {
        let free = self.free(chain.taken);
        let prey = self.them & !chain.taken;
        let mut goes_on = false;
        for_directions!(direction in R::BOOK.king_captures() => {
            let victim = R::Board::step(at, direction) & prey;
            let landing = R::Board::step(victim, direction) & free;
            if landing.any() && !Self::turns_back(chain, direction) {
                goes_on = true;
                let next = self.after(chain, victim, direction);
                let trail = trail.then(at.first());
                if !R::BOOK.captures_are_forced() {
                    self.end(landing, &next, next.promoted, &trail, ends);
                }
                self.king(landing, next, &trail, ends);
            }
        });
        goes_on
    }

    /// A flying king must land on a square from which it can continue, if there is one: try all
    /// landing squares before ending the chain.
    #[inline(always)]
    fn jump_flying<T: Trail>(
        &self,
        landed: BitsOf<R>,
        chain: &Chain<BitsOf<R>>,
        trail: &T,
        ends: &mut impl ChainEnds<BitsOf<R>, T>,
    ) -> bool {
        let occupied = !self.free(chain.taken) & R::Board::all();
        let prey = self.them & !chain.taken;
        let mut goes_on = false;
        let mut heading_tried = false;
        for at in landed.squares() {
            for_directions!(direction in R::BOOK.king_captures() => {
                // Straight ahead, the jump is the same from every landing square.
                if direction == usize::from(chain.heading) && std::mem::replace(&mut heading_tried, true) {
                    continue;
                }
                let (_, victim) = R::Board::look(at, direction, occupied);
                let behind = R::Board::step(victim & prey, direction) & !occupied;
                if behind.any() && !Self::turns_back(chain, direction) {
                    goes_on = true;
                    let next = self.after(chain, victim, direction);
                    let blocked = !self.free(next.taken) & R::Board::all();
                    let (landings, _) = R::Board::look(victim.first(), direction, blocked);
                    self.king(landings, next, &trail.then(at), ends);
                }
            });
        }
        goes_on
    }
}

/// More moves than realistic positions have. A longer list moves to the heap.
const ROOM: usize = 96;

/// Legal moves. Of captures, the highest-ranking ones found so far, each once.
pub(super) struct MoveList<B> {
    rank: u32,
    moves: ArrayVec<Move<B>, ROOM>,
    /// All moves, once they are more than `moves` holds.
    overflow: Vec<Move<B>>,
}

impl<B: Bits> MoveList<B> {
    #[inline(always)]
    pub(super) fn new() -> MoveList<B> {
        MoveList {
            rank: 0,
            moves: ArrayVec::new(),
            overflow: Vec::new(),
        }
    }

    #[inline(always)]
    pub(super) fn add_capture(&mut self, rank: u32, mv: Move<B>) {
        if rank < self.rank {
            return;
        }
        if rank > self.rank {
            self.rank = rank;
            self.moves.clear();
            self.overflow.clear();
        }
        // Two routes of the same move go around a loop in opposite directions: this takes at least
        // three victims under any rules.
        if three_or_more(mv.captured) && self.as_slice().contains(&mv) {
            return;
        }
        self.push(mv);
    }

    /// Adds a move that the choice of captures does not concern.
    #[inline(always)]
    pub(super) fn push(&mut self, mv: Move<B>) {
        if let Err(full) = self.moves.try_push(mv) {
            self.spill(full.element());
        }
    }

    #[cold]
    fn spill(&mut self, mv: Move<B>) {
        if self.overflow.is_empty() {
            self.overflow.extend_from_slice(&self.moves);
        }
        self.overflow.push(mv);
    }

    #[inline(always)]
    fn as_slice(&self) -> &[Move<B>] {
        match self.overflow.is_empty() {
            true => &self.moves,
            false => &self.overflow,
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.as_slice().len()
    }

    #[inline(always)]
    pub(super) fn visit(&self, f: &mut impl FnMut(Move<B>)) {
        // One loop for both places, so that what the caller does with a move is compiled once.
        for mv in self.as_slice() {
            f(*mv);
        }
    }
}

#[inline(always)]
fn three_or_more<B: Bits>(set: B) -> bool {
    set.without_first().without_first().any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_longer_than_its_room_keeps_all_moves_in_order() {
        let numbered = |number: usize| Move {
            captured: 0_u64,
            from: (number / 200) as u8,
            to: (number % 200) as u8,
            promotes: false,
        };
        let numbers = |list: &MoveList<u64>| {
            let mut seen = Vec::new();
            list.visit(&mut |mv| seen.push(200 * usize::from(mv.from) + usize::from(mv.to)));
            seen
        };
        for count in [ROOM - 1, ROOM, ROOM + 1, 3 * ROOM] {
            let mut list = MoveList::new();
            (0..count).for_each(|number| list.add_capture(1, numbered(number)));
            assert_eq!(list.len(), count);
            assert!(numbers(&list).into_iter().eq(0..count));
            // A capture of a higher rank replaces them all.
            list.add_capture(2, numbered(7));
            assert_eq!(numbers(&list), [7]);
        }
    }
}
