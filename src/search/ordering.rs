//! Which move is tried next.
//!
//! Sorting is put off as long as it may turn out useless: an exchange is only counted when its
//! capture comes up, and quiet moves are only ranked when the captures did not refute.

use super::history::{Before, History};
use super::options::Ordering;
use crate::games::{Game, MoveInfo};

/// A move waiting to be tried.
#[derive(Clone, Copy)]
pub struct Candidate<M> {
    pub mv: M,
    pub info: MoveInfo,
    pub rank: i32,
}

/// Classes of ranks. Those of quiet moves lie around zero.
const HASH_MOVE: i32 = i32::MAX;
const NOISY: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
const COUNTER: i32 = KILLER - 2;
const LOSING: i32 = -(1 << 24);

/// What the order of one position's moves depends on.
pub struct Order<G: Game> {
    pub ordering: Ordering,
    pub hash_code: u16,
    pub killers: [Option<G::Move>; 2],
    pub counter: Option<G::Move>,
    pub before: Before,
}

/// Hands out the candidates `next..end` of a list, best first.
pub struct Picker<G: Game> {
    start: usize,
    next: usize,
    end: usize,
    quiets_ranked: bool,
    order: Order<G>,
}

impl<G: Game> Picker<G> {
    /// Ranks what is cheap to rank in `list[start..]`.
    pub fn new(list: &mut [Candidate<G::Move>], start: usize, order: Order<G>) -> Picker<G> {
        for candidate in &mut list[start..] {
            let info = &candidate.info;
            candidate.rank = if order.hash_code != 0
                && G::move_code(candidate.mv) == order.hash_code
            {
                HASH_MOVE
            } else {
                match order.ordering {
                    Ordering::None => 0,
                    Ordering::Legacy => legacy_rank::<G>(candidate.mv, info),
                    Ordering::MvvLva | Ordering::See if info.is_noisy() => NOISY + noisy_rank(info),
                    Ordering::MvvLva | Ordering::See => 0,
                }
            };
        }
        Picker {
            start,
            next: start,
            end: list.len(),
            quiets_ranked: matches!(order.ordering, Ordering::None | Ordering::Legacy),
            order,
        }
    }

    /// The number of moves handed out.
    pub fn tried(&self) -> usize {
        self.next - self.start
    }

    /// The next move to try.
    pub fn pick(
        &mut self,
        position: &G,
        history: &History<G>,
        list: &mut [Candidate<G::Move>],
    ) -> Option<Candidate<G::Move>> {
        loop {
            let waiting = &list[self.next..self.end];
            let mut best = 0;
            let mut highest = waiting.first()?.rank;
            for (at, candidate) in waiting.iter().enumerate().skip(1) {
                if candidate.rank > highest {
                    highest = candidate.rank;
                    best = at;
                }
            }
            let best = self.next + best;
            let candidate = list[best];
            if candidate.rank < KILLER && !self.quiets_ranked {
                self.rank_quiets(history, list);
                continue;
            }
            let unproven = self.order.ordering == Ordering::See
                && candidate.rank >= NOISY
                && candidate.rank != HASH_MOVE;
            if unproven && !position.exchange_gains(candidate.mv, 0) {
                list[best].rank = LOSING + noisy_rank(&candidate.info);
                continue;
            }
            list.swap(best, self.next);
            self.next += 1;
            return Some(candidate);
        }
    }

    /// Drops all quiet moves that were not handed out yet.
    pub fn skip_quiets(&mut self, list: &mut [Candidate<G::Move>]) {
        let mut kept = self.next;
        for at in self.next..self.end {
            if list[at].info.is_noisy() {
                list[kept] = list[at];
                kept += 1;
            }
        }
        self.end = kept;
    }

    fn rank_quiets(&mut self, history: &History<G>, list: &mut [Candidate<G::Move>]) {
        self.quiets_ranked = true;
        for candidate in &mut list[self.next..self.end] {
            if candidate.info.is_noisy() {
                continue;
            }
            let mv = Some(candidate.mv);
            candidate.rank = if mv == self.order.killers[0] {
                KILLER
            } else if mv == self.order.killers[1] {
                KILLER - 1
            } else if mv == self.order.counter {
                COUNTER
            } else {
                // A lesser promotion is hardly ever the best.
                let promotes = i32::from(candidate.info.promotion > 0);
                history.score(candidate.info, self.order.before) - promotes * (KILLER / 2)
            };
        }
    }
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
        i32::from(info.castles)
    };
    (class * 2048 + i32::from(info.mover)) * 128 + G::destination(mv) as i32
}
