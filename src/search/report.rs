//! Search results and statistics.

use std::time::Duration;

use super::{Score, mate_distance};

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    /// `None` when the mover has no move.
    pub best: Option<M>,
    /// From the mover's side, in score steps. The best move's, even if another was chosen at random.
    pub score: Score,
    /// Nodes, including the root.
    pub nodes: u64,
    /// The principal variation, `best` first.
    pub pv: Vec<M>,
    /// The last completed depth.
    pub depth: u32,
    pub tree: TreeStats,
}

/// Progress after one completed depth.
#[derive(Clone, Debug)]
pub struct DepthReport<'pv, M> {
    pub depth: u32,
    /// The longest line searched, quiescence included (UCI `seldepth`).
    pub selective_depth: u32,
    /// From the mover's side, in score steps.
    pub score: Score,
    /// Nodes so far.
    pub nodes: u64,
    /// Time since the search started: the only figure that differs between runs.
    pub elapsed: Duration,
    pub pv: &'pv [M],
    /// TT use per mille; `None` without a TT.
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

/// Statistics of a search tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeStats {
    /// Nodes, quiescence included.
    pub nodes: u64,
    pub quiescence_nodes: u64,
    /// Beta cutoffs.
    pub cutoffs: u64,
    /// Beta cutoffs by the first move.
    pub first_move_cutoffs: u64,
    pub table_probes: u64,
    pub table_hits: u64,
    /// Nodes whose score came from the TT.
    pub table_cutoffs: u64,
    pub selective_depth: u32,
    /// Nodes up to the end of each depth, starting at depth 1 (only the last one without iterative
    /// deepening).
    pub nodes_by_depth: Vec<u64>,
}

impl TreeStats {
    /// Nodes of the last depth divided by those of the depth before; `None` before the third
    /// depth.
    pub fn branching_factor(&self) -> Option<f64> {
        let [.., before, earlier, last] = self.nodes_by_depth[..] else {
            return None;
        };
        let (grown, base) = (last - earlier, earlier - before);
        (base > 0).then(|| grown as f64 / base as f64)
    }

    /// Share of cutoffs caused by the first move, from 0 to 1.
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
