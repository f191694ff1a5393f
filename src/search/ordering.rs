//! Which move is tried next.
//!
//! Sorting is put off as long as it may turn out useless: an exchange is only counted when its
//! capture comes up, and quiet moves are only ranked when the captures did not refute.

use super::history::{Before, History, Known, Record, Refuters, mark};
use super::options::Ordering;
use super::table::Table;
use crate::games::{Game, MoveInfo, Side};

/// A move waiting to be tried.
#[derive(Clone, Copy)]
pub struct Candidate<M> {
    pub mv: M,
    pub info: MoveInfo,
    pub rank: i32,
}

/// Classes of ranks. Those of quiet moves lie around zero.
pub const HASH_MOVE: i32 = i32::MAX;
const NOISY: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
const COUNTER: i32 = KILLER - 2;
const LOSING: i32 = -(1 << 24);

/// What the order of one position's moves depends on.
pub struct Order<G: Game> {
    pub ordering: Ordering,
    pub hash_code: u16,
    pub refuters: Refuters<G::Move>,
    pub before: Before,
}

impl<G: Game> Order<G> {
    pub fn sorts_by_kind(&self) -> bool {
        matches!(self.ordering, Ordering::MvvLva | Ordering::See)
    }

    #[inline(always)]
    fn quiet_rank(&self, record: &Record<'_>, mv: G::Move, info: &MoveInfo) -> i32 {
        let [killer, second, counter] = &self.refuters;
        if killer.is(mv, info) {
            return KILLER;
        }
        if second.is(mv, info) {
            return KILLER - 1;
        }
        if counter.is(mv, info) {
            return COUNTER;
        }
        unknown_rank(record, info)
    }
}

/// The rank of a quiet move that is known from nowhere.
#[inline(always)]
fn unknown_rank(record: &Record<'_>, info: &MoveInfo) -> i32 {
    // A lesser promotion is hardly ever the best.
    let promotes = i32::from(info.promotion > 0);
    record.score(info) - promotes * (KILLER / 2)
}

pub(super) fn list_moves<G: Game>(position: &G, list: &mut Vec<Candidate<G::Move>>) {
    position.for_each_move_with_info(|mv, info| list.push(Candidate { mv, info, rank: 0 }));
}

/// Hands out the candidates `start..end` of a list, best first.
///
/// What was handed out stands first in the list, then the noisy moves, the quiet ones, and the
/// captures that turned out to lose: so each search for the best looks at its own kind alone.
/// Where a game can list its moves by kind, quiet ones are listed when their turn comes.
pub struct Picker<G: Game> {
    start: usize,
    next: usize,
    /// Where the quiet moves begin; orders that do not tell them apart have all moves before it.
    quiets: usize,
    /// Where the losing captures begin.
    losers: usize,
    end: usize,
    quiets_ranked: bool,
    /// The quiet moves are not in the list yet.
    quiets_to_come: bool,
    /// The best of the quiet moves that are left stands next already.
    ahead: bool,
    /// Captures that lose the exchange are handed out too, last.
    losers_wanted: bool,
    /// The move that was tried before the picker was asked.
    already: Known<G::Move>,
    order: Order<G>,
}

impl<G: Game> Picker<G> {
    /// Lists the moves of a position at the end of `list`. The move that was tried `already`
    /// counts as handed out. `None` if there is no move at all.
    pub fn list(
        position: &G,
        list: &mut Vec<Candidate<G::Move>>,
        order: Order<G>,
        already: Option<Candidate<G::Move>>,
    ) -> Option<Picker<G>> {
        let start = list.len();
        let by_kind = G::LISTS_BY_KIND && order.sorts_by_kind();
        if !by_kind {
            list_moves(position, list);
            return (list.len() > start).then(|| Picker::new(list, start, order, already));
        }
        let tried = known(already);
        list.extend(already);
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
        Some(Picker {
            start,
            next: start + usize::from(already.is_some()),
            quiets: end,
            losers: end,
            end,
            quiets_ranked: false,
            quiets_to_come: true,
            ahead: false,
            losers_wanted: true,
            already: tried,
            order,
        })
    }

    /// Lists the moves that take something or promote at the end of `list`, and no others.
    pub fn list_noisy(
        position: &G,
        list: &mut Vec<Candidate<G::Move>>,
        order: Order<G>,
    ) -> Picker<G> {
        let start = list.len();
        let hash_code = order.hash_code;
        position.for_each_noisy_move(|mv, info| {
            let rank = match hash_code != 0 && G::move_code(mv) == hash_code {
                true => HASH_MOVE,
                false => NOISY + noisy_rank(&info),
            };
            list.push(Candidate { mv, info, rank });
        });
        let end = list.len();
        Picker {
            start,
            next: start,
            quiets: end,
            losers: end,
            end,
            quiets_ranked: true,
            quiets_to_come: false,
            ahead: false,
            losers_wanted: true,
            already: Known::NONE,
            order,
        }
    }

    /// Captures that lose the exchange are not handed out.
    pub fn without_losers(mut self) -> Picker<G> {
        self.losers_wanted = false;
        self
    }

    /// Ranks what is cheap to rank in `list[start..]`. A move that was tried `already` is not
    /// handed out.
    pub fn new(
        list: &mut [Candidate<G::Move>],
        start: usize,
        order: Order<G>,
        already: Option<Candidate<G::Move>>,
    ) -> Picker<G> {
        let already = known(already);
        let end = list.len();
        let mut next = start;
        let mut quiets = start;
        for at in start..end {
            let candidate = &mut list[at];
            let info = &candidate.info;
            let noisy = info.is_noisy();
            let hash_move = order.hash_code != 0 && G::move_code(candidate.mv) == order.hash_code;
            candidate.rank = match order.ordering {
                _ if hash_move => HASH_MOVE,
                Ordering::None => 0,
                Ordering::Legacy => legacy_rank::<G>(candidate.mv, info),
                Ordering::MvvLva | Ordering::See if noisy => NOISY + noisy_rank(info),
                Ordering::MvvLva | Ordering::See => 0,
            };
            if already.is(candidate.mv, &candidate.info) {
                list.swap(at, quiets);
                list.swap(quiets, next);
                next += 1;
                quiets += 1;
            } else if noisy || hash_move {
                list.swap(at, quiets);
                quiets += 1;
            }
        }
        Picker {
            start,
            next,
            quiets: if order.sorts_by_kind() { quiets } else { end },
            losers: end,
            end,
            quiets_ranked: false,
            quiets_to_come: false,
            ahead: false,
            losers_wanted: true,
            already,
            order,
        }
    }

    /// The next move to try. The table, if there is one, is told early what will be wanted.
    pub fn pick(
        &mut self,
        position: &G,
        history: &History<G>,
        table: Option<&Table>,
        list: &mut Vec<Candidate<G::Move>>,
    ) -> Option<Candidate<G::Move>> {
        let announce = |candidate: &Candidate<G::Move>| {
            if let (Some(table), Some(hash)) =
                (table, position.hash_after(candidate.mv, &candidate.info))
            {
                table.announce(hash);
            }
        };
        while self.next < self.quiets {
            let best = highest(list, self.next, self.quiets);
            let candidate = list[best];
            let unproven = self.order.ordering == Ordering::See && candidate.rank != HASH_MOVE;
            if unproven && !position.exchange_gains(candidate.mv, &candidate.info, 0) {
                self.put_last(list, best);
                continue;
            }
            announce(&candidate);
            return Some(self.hand_out(list, best));
        }
        if self.quiets_to_come {
            self.list_quiets(position, history, list);
        }
        if self.next < self.losers {
            if !self.quiets_ranked {
                self.rank_quiets(position.side_to_move(), history, list);
            }
            let best = match self.ahead {
                true => self.next,
                false => highest(list, self.next, self.losers),
            };
            if !self.ahead {
                announce(&list[best]);
            }
            let chosen = self.hand_out(list, best);
            // One ahead, so that its memory comes while this one is searched.
            self.ahead = table.is_some() && self.next < self.losers;
            if self.ahead {
                let best = highest(list, self.next, self.losers);
                list.swap(best, self.next);
                announce(&list[self.next]);
            }
            return Some(chosen);
        }
        if self.next < self.end {
            let best = highest(list, self.next, self.end);
            announce(&list[best]);
            return Some(self.hand_out(list, best));
        }
        None
    }

    fn list_quiets(
        &mut self,
        position: &G,
        history: &History<G>,
        list: &mut Vec<Candidate<G::Move>>,
    ) {
        self.quiets_to_come = false;
        self.quiets_ranked = true;
        let record = history.record(position.side_to_move(), self.order.before);
        // One look at a set tells most moves from the four that are known.
        let [first, second, counter] = &self.order.refuters;
        let known = first.mark() | second.mark() | counter.mark() | self.already.mark();
        position.for_each_quiet_move(|mv, info| {
            let rank = if known & mark(info.slot) == 0 {
                unknown_rank(&record, &info)
            } else if self.already.is(mv, &info) {
                return;
            } else {
                self.order.quiet_rank(&record, mv, &info)
            };
            list.push(Candidate { mv, info, rank });
        });
        self.place_quiets(list);
    }

    /// Puts quiet moves that were added to the list between what was handed out and the losing
    /// captures.
    fn place_quiets(&mut self, list: &mut [Candidate<G::Move>]) {
        let end = list.len();
        let quiets = end - self.end;
        // The losers go to the end, those quiet moves that stood there to their place.
        for swapped in 0..quiets.min(self.end - self.losers) {
            list.swap(self.losers + swapped, end - 1 - swapped);
        }
        self.losers += quiets;
        self.end = end;
    }

    /// No quiet move has been handed out yet, but the noisy ones all have: what comes next is a
    /// quiet move if there is any.
    pub fn turns_to_quiets(&self) -> bool {
        self.quiets_to_come && self.next == self.quiets
    }

    fn hand_out(&mut self, list: &mut [Candidate<G::Move>], best: usize) -> Candidate<G::Move> {
        list.swap(best, self.next);
        self.next += 1;
        list[self.next - 1]
    }

    /// Puts a noisy move behind the quiet ones.
    fn put_last(&mut self, list: &mut [Candidate<G::Move>], at: usize) {
        self.quiets -= 1;
        self.losers -= 1;
        let mut loser = list[at];
        loser.rank = LOSING + noisy_rank(&loser.info);
        list[at] = list[self.quiets];
        list[self.quiets] = list[self.losers];
        list[self.losers] = loser;
        self.end -= usize::from(!self.losers_wanted);
    }

    /// Drops the quiet moves that were not handed out yet, except those that give check.
    pub fn skip_quiets(&mut self, position: &G, list: &mut Vec<Candidate<G::Move>>) {
        let first = self.next.max(self.quiets);
        if !self.quiets_to_come && first == self.losers {
            return;
        }
        self.quiets_to_come = false;
        self.ahead = false;
        list.copy_within(self.losers..self.end, first);
        self.end -= self.losers - first;
        self.losers = first;
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
        let record = history.record(side, self.order.before);
        for candidate in &mut list[self.next..self.losers] {
            candidate.rank = self
                .order
                .quiet_rank(&record, candidate.mv, &candidate.info);
        }
    }
}

fn known<M: Copy + Eq>(candidate: Option<Candidate<M>>) -> Known<M> {
    candidate.map_or(Known::NONE, |it| Known::new(it.mv, &it.info))
}

/// The place of the highest rank in `list[from..to]`, the first of equals; not for none.
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
    pub fn loses_exchange(&self) -> bool {
        self.rank < LOSING / 2
    }

    pub fn is_special_quiet(&self) -> bool {
        (COUNTER..=KILLER).contains(&self.rank)
    }
}

/// The most valuable victim first, then the least valuable taker.
fn noisy_rank(info: &MoveInfo) -> i32 {
    (i32::from(info.victim) + i32::from(info.promotion)) * 16 - i32::from(info.mover)
}

/// The order of one of the older programs.
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
    use crate::search::history::{Known, NOTHING_BEFORE};

    const ALL: [Ordering; 4] = [
        Ordering::None,
        Ordering::Legacy,
        Ordering::MvvLva,
        Ordering::See,
    ];

    /// Leaves of the tree whose moves come from a picker.
    fn picked<G: Game>(position: &G, ordering: Ordering, history: &History<G>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut list = Vec::new();
        list_moves(position, &mut list);
        let last = list.last().copied();
        let order = Order {
            ordering,
            hash_code: last.map_or(0, |last| G::move_code(last.mv)),
            refuters: [known(list.first().copied()), Known::NONE, Known::NONE],
            before: NOTHING_BEFORE,
        };
        list.clear();
        let mut leaves = 0;
        let tried = last.filter(|_| depth.is_multiple_of(2));
        if let Some(last) = tried {
            let mut next = position.clone();
            next.play(last.mv);
            leaves += picked(&next, ordering, history, depth - 1);
        }
        let Some(mut picker) = Picker::list(position, &mut list, order, tried) else {
            return leaves;
        };
        while let Some(candidate) = picker.pick(position, history, None, &mut list) {
            let mut next = position.clone();
            next.play(candidate.mv);
            leaves += picked(&next, ordering, history, depth - 1);
        }
        leaves
    }

    fn check<G: Game>(fen: &str, depth: u32) {
        let position = G::from_fen(fen).unwrap();
        let history = History::new(&Options::default());
        for ordering in ALL {
            let leaves = picked(&position, ordering, &history, depth);
            assert_eq!(leaves, perft(&position, depth), "{fen}");
        }
    }

    #[test]
    fn the_picker_hands_out_every_legal_move_once() {
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
