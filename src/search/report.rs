//! What a search tells of itself.

use std::time::Duration;

use super::{Score, mate_distance};

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found<M> {
    /// `None` when the mover has no move.
    pub best: Option<M>,
    /// From the mover's side, in score steps. Of the best move, even where the lot chose another.
    pub score: Score,
    /// Positions visited, the root included.
    pub nodes: u64,
    /// The line both sides are expected to follow, `best` first.
    pub line: Vec<M>,
    /// The last depth that was searched to its end.
    pub depth: u32,
    pub tree: Tree,
}

/// What is known after one depth.
#[derive(Clone, Debug)]
pub struct DepthReport<'l, M> {
    pub depth: u32,
    /// The longest line that was looked at, quiescence included.
    pub selective_depth: u32,
    /// From the mover's side, in score steps.
    pub score: Score,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time since the search began: the one figure that differs from run to run.
    pub elapsed: Duration,
    pub line: &'l [M],
    /// Thousandths of the table in use; `None` without a table.
    pub table_permille: Option<u32>,
}

impl<M> DepthReport<'_, M> {
    /// Moves until mate, negative when the mover is mated.
    pub fn mate(&self) -> Option<i32> {
        mate_distance(self.score)
    }

    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
    }
}

/// Counts that describe the tree of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// Positions visited, quiescence included.
    pub nodes: u64,
    /// Positions visited after the depth was spent.
    pub quiescence_nodes: u64,
    /// Positions that were left because a move was too good for the other side to allow.
    pub cutoffs: u64,
    /// Those where the first move tried was it.
    pub first_move_cutoffs: u64,
    pub table_probes: u64,
    pub table_hits: u64,
    /// Positions whose score came from the table.
    pub table_cutoffs: u64,
    pub selective_depth: u32,
    /// Positions visited up to the end of each depth, from depth 1 on (only the last without
    /// iterative deepening).
    pub nodes_by_depth: Vec<u64>,
}

impl Tree {
    /// How many times more positions the last depth took than the one before; `None` before the
    /// third depth.
    pub fn branching_factor(&self) -> Option<f64> {
        let [.., before, earlier, last] = self.nodes_by_depth[..] else {
            return None;
        };
        let (grown, base) = (last - earlier, earlier - before);
        (base > 0).then(|| grown as f64 / base as f64)
    }

    /// The share of cutoffs that the first move made, from 0 to 1.
    pub fn first_move_rate(&self) -> Option<f64> {
        share(self.first_move_cutoffs, self.cutoffs)
    }

    pub fn table_hit_rate(&self) -> Option<f64> {
        share(self.table_hits, self.table_probes)
    }

    pub fn quiescence_share(&self) -> Option<f64> {
        share(self.quiescence_nodes, self.nodes)
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
