//! Move ordering: the staged move picker.
//!
//! Work is deferred until it is needed: SEE is computed when a capture is picked, and quiet moves
//! are generated and ranked only after the captures caused no cutoff.

use super::history::{History, HistoryScores, PreviousSlots, Refutations, SlotMove, filter_bit};
use super::options::Ordering;
use super::tt::TranspositionTable;
use crate::games::{Game, MoveInfo, Side};

/// A generated move with its rank.
#[derive(Clone, Copy)]
pub struct Candidate<M> {
    pub mv: M,
    pub info: MoveInfo,
    pub rank: i32,
}

/// Ranks by class. History scores of quiet moves lie around zero.
pub const HASH_MOVE: i32 = i32::MAX;
const NOISY: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
const COUNTERMOVE: i32 = KILLER - 2;
const BAD_CAPTURE: i32 = -(1 << 24);

/// The inputs of one node's move ordering.
pub struct MoveOrder<G: Game> {
    pub ordering: Ordering,
    pub hash_move_code: u16,
    pub refutations: Refutations<G::Move>,
    pub previous: PreviousSlots,
}

impl<G: Game> MoveOrder<G> {
    /// Whether noisy moves, quiets and bad captures are separate stages.
    pub fn is_staged(&self) -> bool {
        matches!(self.ordering, Ordering::MvvLva | Ordering::See)
    }

    #[inline(always)]
    fn quiet_rank(&self, scores: &HistoryScores<'_>, mv: G::Move, info: &MoveInfo) -> i32 {
        let [killer, second, countermove] = &self.refutations;
        if killer.is(mv, info) {
            return KILLER;
        }
        if second.is(mv, info) {
            return KILLER - 1;
        }
        if countermove.is(mv, info) {
            return COUNTERMOVE;
        }
        history_rank(scores, info)
    }
}

/// The rank of a quiet move that is neither killer nor countermove.
#[inline(always)]
fn history_rank(scores: &HistoryScores<'_>, info: &MoveInfo) -> i32 {
    // Underpromotions are rarely best.
    let promotes = i32::from(info.promotion > 0);
    scores.score(info) - promotes * (KILLER / 2)
}

pub(super) fn list_moves<G: Game>(position: &G, list: &mut Vec<Candidate<G::Move>>) {
    position.for_each_move_with_info(|mv, info| list.push(Candidate { mv, info, rank: 0 }));
}

/// The staged move picker: returns the candidates `start..end` of a list, best first.
///
/// The list holds the picked moves, then the noisy moves, the quiet moves and the bad captures, so
/// that each selection scans one stage only. If the game can generate moves by kind, quiet moves
/// are generated when their stage begins.
pub struct MovePicker<G: Game> {
    start: usize,
    next: usize,
    /// Start of the quiet moves. Orderings without stages have all moves before it.
    quiets: usize,
    /// Start of the bad captures.
    bad_captures: usize,
    end: usize,
    quiets_ranked: bool,
    /// The quiet moves are not generated yet.
    quiets_pending: bool,
    /// The best remaining quiet move is already at `next`, with its TT bucket prefetched.
    next_prefetched: bool,
    /// Bad captures (SEE < 0) are returned too, last.
    with_bad_captures: bool,
    /// The hash move, if it was searched before the picker was made.
    hash_move: SlotMove<G::Move>,
    order: MoveOrder<G>,
}

impl<G: Game> MovePicker<G> {
    /// Appends the moves of a position to `list`. The `hash_move` has been searched and counts as
    /// picked. `None` if there is no legal move.
    pub fn list(
        position: &G,
        list: &mut Vec<Candidate<G::Move>>,
        order: MoveOrder<G>,
        hash_move: Option<Candidate<G::Move>>,
    ) -> Option<MovePicker<G>> {
        let start = list.len();
        let by_kind = G::STAGED_GENERATION && order.is_staged();
        if !by_kind {
            list_moves(position, list);
            return (list.len() > start).then(|| MovePicker::new(list, start, order, hash_move));
        }
        let tried = slot_move(hash_move);
        list.extend(hash_move);
        position.for_each_noisy_move(|mv, info| {
            if !tried.is(mv, &info) {
                let rank = NOISY + noisy_rank(&info);
                list.push(Candidate { mv, info, rank });
            }
        });
        let end = list.len();
        if end == start && !position.has_moves() {
            return None;
        }
        Some(MovePicker {
            start,
            next: start + usize::from(hash_move.is_some()),
            quiets: end,
            bad_captures: end,
            end,
            quiets_ranked: false,
            quiets_pending: true,
            next_prefetched: false,
            with_bad_captures: true,
            hash_move: tried,
            order,
        })
    }

    /// Appends only the captures and promotions to `list`.
    pub fn list_noisy(
        position: &G,
        list: &mut Vec<Candidate<G::Move>>,
        order: MoveOrder<G>,
    ) -> MovePicker<G> {
        let start = list.len();
        let hash_move_code = order.hash_move_code;
        position.for_each_noisy_move(|mv, info| {
            let rank = match hash_move_code != 0 && G::move_code(mv) == hash_move_code {
                true => HASH_MOVE,
                false => NOISY + noisy_rank(&info),
            };
            list.push(Candidate { mv, info, rank });
        });
        let end = list.len();
        MovePicker {
            start,
            next: start,
            quiets: end,
            bad_captures: end,
            end,
            quiets_ranked: true,
            quiets_pending: false,
            next_prefetched: false,
            with_bad_captures: true,
            hash_move: SlotMove::NONE,
            order,
        }
    }

    /// Omits the bad captures.
    pub fn without_bad_captures(mut self) -> MovePicker<G> {
        self.with_bad_captures = false;
        self
    }

    /// Picks from `list[start..]`, ranking what is cheap to rank. The `hash_move` has been searched
    /// and is not returned again.
    pub fn new(
        list: &mut [Candidate<G::Move>],
        start: usize,
        order: MoveOrder<G>,
        hash_move: Option<Candidate<G::Move>>,
    ) -> MovePicker<G> {
        let hash_move = slot_move(hash_move);
        let end = list.len();
        let mut next = start;
        let mut quiets = start;
        for at in start..end {
            let candidate = &mut list[at];
            let info = &candidate.info;
            let noisy = info.is_noisy();
            let is_hash_move =
                order.hash_move_code != 0 && G::move_code(candidate.mv) == order.hash_move_code;
            candidate.rank = match order.ordering {
                _ if is_hash_move => HASH_MOVE,
                Ordering::None => 0,
                Ordering::Legacy => legacy_rank::<G>(candidate.mv, info),
                Ordering::MvvLva | Ordering::See if noisy => NOISY + noisy_rank(info),
                Ordering::MvvLva | Ordering::See => 0,
            };
            if hash_move.is(candidate.mv, &candidate.info) {
                list.swap(at, quiets);
                list.swap(quiets, next);
                next += 1;
                quiets += 1;
            } else if noisy || is_hash_move {
                list.swap(at, quiets);
                quiets += 1;
            }
        }
        MovePicker {
            start,
            next,
            quiets: if order.is_staged() { quiets } else { end },
            bad_captures: end,
            end,
            quiets_ranked: false,
            quiets_pending: false,
            next_prefetched: false,
            with_bad_captures: true,
            hash_move,
            order,
        }
    }

    /// The next move. Prefetches the TT bucket of the position after it.
    pub fn pick(
        &mut self,
        position: &G,
        history: &History<G>,
        table: Option<&TranspositionTable>,
        list: &mut Vec<Candidate<G::Move>>,
    ) -> Option<Candidate<G::Move>> {
        let prefetch = |candidate: &Candidate<G::Move>| {
            if let (Some(table), Some(hash)) =
                (table, position.hash_after(candidate.mv, &candidate.info))
            {
                table.prefetch(hash);
            }
        };
        while self.next < self.quiets {
            let best = highest(list, self.next, self.quiets);
            let candidate = list[best];
            let needs_see = self.order.ordering == Ordering::See && candidate.rank != HASH_MOVE;
            if needs_see && !position.see_ge(candidate.mv, &candidate.info, 0) {
                self.defer_bad_capture(list, best);
                continue;
            }
            prefetch(&candidate);
            return Some(self.take(list, best));
        }
        if self.quiets_pending {
            self.list_quiets(position, history, list);
        }
        if self.next < self.bad_captures {
            if !self.quiets_ranked {
                self.rank_quiets(position.side_to_move(), history, list);
            }
            let best = match self.next_prefetched {
                true => self.next,
                false => highest(list, self.next, self.bad_captures),
            };
            if !self.next_prefetched {
                prefetch(&list[best]);
            }
            let chosen = self.take(list, best);
            // Select the next move too, so that its bucket is fetched while this one is searched.
            self.next_prefetched = table.is_some() && self.next < self.bad_captures;
            if self.next_prefetched {
                let best = highest(list, self.next, self.bad_captures);
                list.swap(best, self.next);
                prefetch(&list[self.next]);
            }
            return Some(chosen);
        }
        if self.next < self.end {
            let best = highest(list, self.next, self.end);
            prefetch(&list[best]);
            return Some(self.take(list, best));
        }
        None
    }

    fn list_quiets(
        &mut self,
        position: &G,
        history: &History<G>,
        list: &mut Vec<Candidate<G::Move>>,
    ) {
        self.quiets_pending = false;
        self.quiets_ranked = true;
        let scores = history.scores(position.side_to_move(), self.order.previous);
        // One bit test tells most moves from the killers, the countermove and the hash move.
        let [killer, second, countermove] = &self.order.refutations;
        let filter = killer.filter_bit()
            | second.filter_bit()
            | countermove.filter_bit()
            | self.hash_move.filter_bit();
        position.for_each_quiet_move(|mv, info| {
            let rank = if filter & filter_bit(info.slot) == 0 {
                history_rank(&scores, &info)
            } else if self.hash_move.is(mv, &info) {
                return;
            } else {
                self.order.quiet_rank(&scores, mv, &info)
            };
            list.push(Candidate { mv, info, rank });
        });
        self.place_quiets(list);
    }

    /// Moves appended quiets between the picked moves and the bad captures.
    fn place_quiets(&mut self, list: &mut [Candidate<G::Move>]) {
        let end = list.len();
        let quiets = end - self.end;
        // Swap the bad captures with the quiets at the end.
        for swapped in 0..quiets.min(self.end - self.bad_captures) {
            list.swap(self.bad_captures + swapped, end - 1 - swapped);
        }
        self.bad_captures += quiets;
        self.end = end;
    }

    /// The noisy moves are exhausted, and no quiet move has been generated.
    pub fn quiets_are_next(&self) -> bool {
        self.quiets_pending && self.next == self.quiets
    }

    fn take(&mut self, list: &mut [Candidate<G::Move>], best: usize) -> Candidate<G::Move> {
        list.swap(best, self.next);
        self.next += 1;
        list[self.next - 1]
    }

    /// Moves a bad capture behind the quiet moves.
    fn defer_bad_capture(&mut self, list: &mut [Candidate<G::Move>], at: usize) {
        self.quiets -= 1;
        self.bad_captures -= 1;
        let mut bad_capture = list[at];
        bad_capture.rank = BAD_CAPTURE + noisy_rank(&bad_capture.info);
        list[at] = list[self.quiets];
        list[self.quiets] = list[self.bad_captures];
        list[self.bad_captures] = bad_capture;
        self.end -= usize::from(!self.with_bad_captures);
    }

    /// Drops the remaining quiet moves, except those that give check.
    pub fn skip_quiets(&mut self, position: &G, list: &mut Vec<Candidate<G::Move>>) {
        let first = self.next.max(self.quiets);
        if !self.quiets_pending && first == self.bad_captures {
            return;
        }
        self.quiets_pending = false;
        self.next_prefetched = false;
        list.copy_within(self.bad_captures..self.end, first);
        self.end -= self.bad_captures - first;
        self.bad_captures = first;
        list.truncate(self.end);
        position.for_each_quiet_check(|mv, info| {
            let tried = &list[self.start..self.next];
            if !tried.iter().any(|candidate| candidate.mv == mv) {
                list.push(Candidate { mv, info, rank: 0 });
            }
        });
        self.place_quiets(list);
    }

    fn rank_quiets(&mut self, side: Side, history: &History<G>, list: &mut [Candidate<G::Move>]) {
        self.quiets_ranked = true;
        let scores = history.scores(side, self.order.previous);
        for candidate in &mut list[self.next..self.bad_captures] {
            candidate.rank = self
                .order
                .quiet_rank(&scores, candidate.mv, &candidate.info);
        }
    }
}

fn slot_move<M: Copy + Eq>(candidate: Option<Candidate<M>>) -> SlotMove<M> {
    candidate.map_or(SlotMove::NONE, |it| SlotMove::new(it.mv, &it.info))
}

/// The index of the highest rank in the non-empty `list[from..to]`; the first of equals.
#[inline(always)]
fn highest<M>(list: &[Candidate<M>], from: usize, to: usize) -> usize {
    let mut best = from;
    let mut rank = list[from].rank;
    for (at, candidate) in list[..to].iter().enumerate().skip(from + 1) {
        if candidate.rank > rank {
            rank = candidate.rank;
            best = at;
        }
    }
    best
}

impl<M> Candidate<M> {
    pub fn is_bad_capture(&self) -> bool {
        self.rank < BAD_CAPTURE / 2
    }

    pub fn is_refutation(&self) -> bool {
        (COUNTERMOVE..=KILLER).contains(&self.rank)
    }
}

/// MVV-LVA: the most valuable victim first, then the least valuable attacker.
fn noisy_rank(info: &MoveInfo) -> i32 {
    (i32::from(info.victim) + i32::from(info.promotion)) * 16 - i32::from(info.mover)
}

/// The move order of the older chess program in Java.
fn legacy_rank<G: Game>(mv: G::Move, info: &MoveInfo) -> i32 {
    let class = if info.promotion > 0 {
        3
    } else if info.victim > 0 {
        2
    } else {
        i32::from(info.castles())
    };
    (class * 2048 + i32::from(info.mover)) * 128 + G::destination(mv) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::{Chess, Chess960};
    use crate::games::draughts::{Draughts, rules};
    use crate::games::perft;
    use crate::search::Options;
    use crate::search::history::{NO_PREVIOUS, SlotMove};

    const ALL: [Ordering; 4] = [
        Ordering::None,
        Ordering::Legacy,
        Ordering::MvvLva,
        Ordering::See,
    ];

    /// Leaves of the tree when the moves come from a picker.
    fn picker_perft<G: Game>(
        position: &G,
        ordering: Ordering,
        history: &History<G>,
        depth: u32,
    ) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut list = Vec::new();
        list_moves(position, &mut list);
        let last = list.last().copied();
        let order = MoveOrder {
            ordering,
            hash_move_code: last.map_or(0, |last| G::move_code(last.mv)),
            refutations: [
                slot_move(list.first().copied()),
                SlotMove::NONE,
                SlotMove::NONE,
            ],
            previous: NO_PREVIOUS,
        };
        list.clear();
        let mut leaves = 0;
        let tried = last.filter(|_| depth.is_multiple_of(2));
        if let Some(last) = tried {
            let mut next = position.clone();
            next.play(last.mv);
            leaves += picker_perft(&next, ordering, history, depth - 1);
        }
        let Some(mut picker) = MovePicker::list(position, &mut list, order, tried) else {
            return leaves;
        };
        while let Some(candidate) = picker.pick(position, history, None, &mut list) {
            let mut next = position.clone();
            next.play(candidate.mv);
            leaves += picker_perft(&next, ordering, history, depth - 1);
        }
        leaves
    }

    fn check<G: Game>(fen: &str, depth: u32) {
        let position = G::from_fen(fen).unwrap();
        let history = History::new(&Options::default());
        for ordering in ALL {
            let leaves = picker_perft(&position, ordering, &history, depth);
            assert_eq!(leaves, perft(&position, depth), "{fen}");
        }
    }

    #[test]
    fn the_picker_returns_every_legal_move_once() {
        check::<Chess>(
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            3,
        );
        check::<Chess>("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3);
        check::<Chess960>(
            "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
            3,
        );
        check::<Draughts<rules::English>>("W:W21,22,K30:B1,2,K5,18", 5);
        check::<Draughts<rules::International>>(
            "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46",
            4,
        );
    }
}
