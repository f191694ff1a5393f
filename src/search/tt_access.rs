//! How nodes use the transposition table: probes, cutoffs, and stores. Mate scores count from the root in
//! the search and from the position in the TT.

use super::options::Algorithm;
use super::searcher::Searcher;
use super::tt::{Bound, TtEntry};
use super::{MATE_BOUND, Score};
use crate::games::Game;

/// The result of a TT probe.
pub(super) struct TtProbe {
    /// The zobrist key; `None` without a TT.
    pub hash: Option<u64>,
    pub entry: Option<TtEntry>,
    /// The code of the hash move, 0 for none.
    pub move_code: u16,
}

impl TtProbe {
    /// There is no TT, or it was not probed.
    pub const NONE: TtProbe = TtProbe {
        hash: None,
        entry: None,
        move_code: 0,
    };
}

/// What a searched node stores.
pub(super) struct NodeResult {
    pub move_code: u16,
    pub depth: i32,
    pub score: Score,
    pub eval: Score,
}

impl<G: Game> Searcher<G> {
    /// Prefetches the bucket of a child, in games that know its key only after the move is made.
    #[inline(always)]
    pub(super) fn prefetch_child(&self, next: &G) {
        if !G::PREDICTS_HASH {
            self.prefetch(Some(next.hash()));
        }
    }

    /// Probes the TT. Mate scores of the result count from the root.
    // Inlined, so that the code after it runs while the bucket is being fetched.
    #[inline(always)]
    pub(super) fn probe_tt(&mut self, position: &G, ply: usize) -> TtProbe {
        let Some(table) = &self.table else {
            return TtProbe::NONE;
        };
        let hash = position.hash();
        let mut entry = table.probe(hash);
        self.tree.table_probes += 1;
        self.tree.table_hits += u64::from(entry.is_some());
        if let Some(entry) = &mut entry {
            entry.score = from_tt(entry.score, ply);
        }
        TtProbe {
            hash: Some(hash),
            entry,
            move_code: entry.map_or(0, |entry| entry.move_code),
        }
    }

    /// Whether the TT entry is deep enough and its bound allows a cutoff.
    pub(super) fn is_tt_cutoff(
        &self,
        entry: &TtEntry,
        depth: i32,
        pv_node: bool,
        alpha: Score,
        beta: Score,
    ) -> bool {
        // No cutoffs in PV nodes: they would shorten the reported PV.
        if pv_node && self.options.algorithm == Algorithm::Pvs {
            return false;
        }
        let deep_enough = if self.options.table_same_depth {
            entry.depth == depth
        } else {
            entry.depth >= depth
        };
        deep_enough
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            }
    }

    /// Stores the result of a node in the TT. The bound follows from the window it was searched with.
    #[inline]
    pub(super) fn store_result(
        &mut self,
        tt: &TtProbe,
        ply: usize,
        result: NodeResult,
        alpha: Score,
        beta: Score,
    ) {
        let (Some(table), Some(hash)) = (&mut self.table, tt.hash) else {
            return;
        };
        let bound = match result.score {
            score if score >= beta => Bound::Lower,
            score if score > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        table.store(
            hash,
            TtEntry {
                move_code: result.move_code,
                depth: result.depth,
                bound,
                score: to_tt(result.score, ply),
                eval: result.eval,
            },
        );
    }

    /// Stores a stand-pat cutoff in the TT, so that a transposition needs no second evaluation.
    pub(super) fn store_stand_pat(&mut self, tt: &TtProbe, eval: Score, ply: usize) {
        let result = NodeResult {
            move_code: 0,
            depth: 0,
            score: eval,
            eval,
        };
        self.store_result(tt, ply, result, eval, eval);
    }
}

/// The static eval, replaced by the TT score where its bound is tighter.
pub(super) fn adjusted_eval(eval: Score, tt: &TtProbe) -> Score {
    match tt.entry {
        Some(entry) => match entry.bound {
            Bound::Exact => entry.score,
            Bound::Lower => eval.max(entry.score),
            Bound::Upper => eval.min(entry.score),
        },
        None => eval,
    }
}

/// Converts a score from the search to the TT, where mate scores count from the position instead
/// of from the root.
fn to_tt(score: Score, ply: usize) -> Score {
    match score {
        _ if score > MATE_BOUND => score + ply as Score,
        _ if score < -MATE_BOUND => score - ply as Score,
        _ => score,
    }
}

/// Converts a score from the TT to the search, where mate scores count from the root.
fn from_tt(score: Score, ply: usize) -> Score {
    match score {
        _ if score > MATE_BOUND => score - ply as Score,
        _ if score < -MATE_BOUND => score + ply as Score,
        _ => score,
    }
}
