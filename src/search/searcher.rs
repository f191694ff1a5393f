//! The searcher: its memory between moves, and the loop over depths.

use std::sync::Arc;
use std::time::Instant;

use super::history::{Before, History, NO_SLOT, PLIES_BACK};
use super::limit::Limit;
use super::options::{Algorithm, Ends, Options};
use super::ordering::Candidate;
use super::report::{DepthReport, Found, Tree};
use super::root::RootMove;
use super::signal::Signal;
use super::table::{NO_EVAL, Table};
use super::{INFINITY, MATE, MATE_BOUND, MAX_PLY};
use crate::eval::{Evaluator, STEPS, Score};
use crate::games::{Game, Outcome};

/// Searches positions of one game. What it learnt in earlier moves of a game it keeps until
/// [`Searcher::new_game`].
pub struct Searcher<G: Game> {
    pub(super) options: Options,
    pub(super) table: Option<Table>,
    pub(super) history: History<G>,
    pub(super) tree: Tree,
    /// Keys of the positions that led here: the game's, then the line's.
    pub(super) path: Vec<u64>,
    /// One for each ply of the current line.
    pub(super) frames: Vec<Frame<G>>,
    /// The best line found from each ply on.
    pub(super) lines: Vec<Vec<G::Move>>,
    /// Moves of all positions of the current line, those of the deepest last. One list for all:
    /// nothing is allocated at a node once it has grown.
    pub(super) moves: Vec<Candidate<G::Move>>,
    pub(super) root_moves: Vec<RootMove<G::Move>>,
    /// Plies taken off a late move, by depth and number of the move.
    pub(super) reductions: Box<[[u8; 64]; 64]>,
    /// Score steps in one hundredth of a pawn or man.
    pub(super) margin_steps: Score,
    pub(super) activity_left: i32,
    pub(super) root_depth: i32,
    pub(super) stopped: bool,
    node_limit: u64,
    clock: Option<Instant>,
    /// Words from another thread, and whether the clock waits for one of them.
    signal: Option<Arc<Signal>>,
    clock_waits: bool,
    /// The only root moves to look at; all of them if empty.
    pub(super) wanted: Vec<G::Move>,
    /// What the lot is drawn with.
    pub(super) key: u64,
    limit: Limit,
}

/// What is known of one ply of the current line.
pub(super) struct Frame<G: Game> {
    /// The static evaluation, [`NO_EVAL`] in check.
    pub eval: Score,
    /// The slot of the move that was made here, [`NO_SLOT`] for a pass.
    pub slot: usize,
    pub captures: bool,
    /// Moves that refuted here since the position two plies before was reached.
    pub cutoffs: i32,
    /// A move that a test leaves out.
    pub excluded: Option<G::Move>,
}

impl<G: Game> Frame<G> {
    fn new() -> Frame<G> {
        Frame {
            eval: NO_EVAL,
            slot: NO_SLOT,
            captures: false,
            cutoffs: 0,
            excluded: None,
        }
    }
}

impl<G: Game> Searcher<G> {
    pub fn new(options: Options) -> Searcher<G> {
        Searcher {
            table: None,
            history: History::new(&options),
            tree: Tree::default(),
            path: Vec::with_capacity(1024),
            frames: (0..MAX_PLY + 2).map(|_| Frame::new()).collect(),
            lines: (0..MAX_PLY + 2)
                .map(|_| Vec::with_capacity(MAX_PLY))
                .collect(),
            moves: Vec::with_capacity(4096),
            root_moves: Vec::new(),
            reductions: reductions(&options),
            margin_steps: margin_steps(&options),
            activity_left: 0,
            root_depth: 0,
            stopped: false,
            node_limit: u64::MAX,
            clock: None,
            signal: None,
            clock_waits: false,
            wanted: Vec::new(),
            key: 0,
            limit: Limit::depth(1),
            options,
        }
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Megabytes of its transposition table.
    pub fn table_mb(&self) -> usize {
        self.table
            .as_ref()
            .map_or(0, |_| self.options.table_mb as usize)
    }

    /// Whether the tables of this searcher have the sizes that `options` ask for.
    pub fn has_tables_for(&self, options: &Options) -> bool {
        let table_mb = |options: &Options| options.table.then_some(options.table_mb);
        table_mb(&self.options) == table_mb(options)
            && History::<G>::is_same_shape(&self.options, options)
    }

    /// Takes other options for the next games. The tables must fit, see
    /// [`Searcher::has_tables_for`].
    pub fn set_options(&mut self, options: &Options) {
        debug_assert!(self.has_tables_for(options));
        if self.options == *options {
            return;
        }
        let shape = |options: &Options| (options.reduction_base, options.reduction_divisor);
        if shape(&self.options) != shape(options) {
            self.reductions = reductions(options);
        }
        self.margin_steps = margin_steps(options);
        self.options = options.clone();
    }

    /// Resets everything that a search depends on, as if newly made, and keeps the memory. The
    /// key seeds the random choice where the options ask for variety.
    pub fn new_game(&mut self, key: u64) {
        self.key = key;
        self.frames.fill_with(Frame::new);
        self.lines.iter_mut().for_each(Vec::clear);
        self.forget();
    }

    /// Forgets all that was learnt.
    pub fn forget(&mut self) {
        self.history.clear();
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    /// Listens to another thread during the searches to come.
    pub fn listen_to(&mut self, signal: Option<Arc<Signal>>) {
        self.signal = signal;
    }

    /// Looks only at these moves of the next roots; at all of them if none is given.
    pub fn look_only_at(&mut self, moves: &[G::Move]) {
        self.wanted = moves.to_vec();
    }

    /// Searches `root`. `history` holds the repetition keys of the game so far, oldest first,
    /// without the root's own.
    pub fn search(
        &mut self,
        root: &G,
        history: &[u64],
        evaluator: &mut dyn Evaluator<G>,
        limit: Limit,
    ) -> Found<G::Move> {
        self.search_with(root, history, evaluator, limit, &mut |_| {})
    }

    /// The same, telling of each depth that is done.
    pub fn search_with(
        &mut self,
        root: &G,
        history: &[u64],
        evaluator: &mut dyn Evaluator<G>,
        limit: Limit,
        on_depth: &mut dyn FnMut(&DepthReport<'_, G::Move>),
    ) -> Found<G::Move> {
        self.prepare(root, history, limit);
        let began = Instant::now();
        self.clock = limit.time.map(|_| began);
        self.clock_waits = self.is_pondering();
        self.visit();
        if self.root_moves.is_empty() {
            let score = self.finished(root, evaluator, root.end_without_moves(), 0, 0);
            return self.found_nothing(score);
        }
        let deepest = limit.depth.clamp(1, Limit::MAX_DEPTH) as i32;
        let steps = self.options.iterative_deepening || !limit.is_depth_alone() || limit.is_none();
        let mut depth = if steps { 1 } else { deepest };
        let mut done = 0;
        let mut score = 0;
        while depth <= deepest {
            self.root_depth = depth;
            let searched = self.search_depth(root, evaluator, depth, score);
            if self.stopped {
                break;
            }
            score = searched;
            done = depth as u32;
            self.tree.nodes_by_depth.push(self.tree.nodes);
            on_depth(&self.report(done, score, began));
            if self.is_enough(score, depth) {
                break;
            }
            depth += 1;
        }
        self.conclude(root, history.len(), done)
    }

    fn prepare(&mut self, root: &G, history: &[u64], limit: Limit) {
        self.limit = limit;
        self.tree = Tree::default();
        self.path.clear();
        self.path.extend_from_slice(history);
        self.moves.clear();
        self.stopped = false;
        self.node_limit = limit.nodes.unwrap_or(u64::MAX);
        self.activity_left = self.options.activity_budget;
        self.history.new_search();
        if self.options.table {
            let size = self.options.table_mb as usize;
            self.table
                .get_or_insert_with(|| Table::new(size))
                .new_search();
        }
        self.list_root_moves(root);
    }

    /// Whether going deeper is of no use, or there is no time for it.
    fn is_enough(&self, score: Score, depth: i32) -> bool {
        // A mate that the depth covers cannot be made shorter by more depth.
        let proven = score.abs() > MATE_BOUND && MATE - score.abs() <= depth;
        if proven && self.options.iterative_deepening && !self.wants_variety() {
            return true;
        }
        match (self.limit.time, self.clock) {
            (Some(time), Some(clock)) if !self.clock_waits => {
                let spent = clock.elapsed();
                spent >= time.soft || (self.root_moves.len() == 1 && time.soft < time.hard)
            }
            _ => false,
        }
    }

    /// Searches one depth, in a window around the score of the one before where that is asked.
    fn search_depth(
        &mut self,
        root: &G,
        evaluator: &mut dyn Evaluator<G>,
        depth: i32,
        before: Score,
    ) -> Score {
        const WORTHWHILE_DEPTH: i32 = 4;
        let narrow = self.options.aspiration
            && depth >= WORTHWHILE_DEPTH
            && before.abs() < MATE_BOUND
            && !self.wants_variety()
            && self.options.algorithm != Algorithm::Minimax;
        if !narrow {
            return self.root_node(root, evaluator, depth, -INFINITY, INFINITY);
        }
        let mut width = self.options.aspiration_window * self.margin_steps;
        let mut alpha = (before - width).max(-INFINITY);
        let mut beta = (before + width).min(INFINITY);
        let mut reduced = depth;
        loop {
            let score = self.root_node(root, evaluator, reduced, alpha, beta);
            if self.stopped {
                return score;
            }
            width = width.saturating_mul(2);
            if score <= alpha && alpha > -INFINITY {
                beta = alpha / 2 + beta / 2;
                alpha = score.saturating_sub(width).max(-INFINITY);
                reduced = depth;
            } else if score >= beta && beta < INFINITY {
                beta = score.saturating_add(width).min(INFINITY);
                // A ply less changes the score: only where other options do so anyway.
                if self.options.late_move_reductions {
                    reduced = (reduced - 1).max(depth - 3).max(1);
                }
            } else {
                return score;
            }
            if width > 2000 * self.margin_steps {
                (alpha, beta) = (-INFINITY, INFINITY);
            }
        }
    }

    fn report(&self, depth: u32, score: Score, began: Instant) -> DepthReport<'_, G::Move> {
        DepthReport {
            depth,
            selective_depth: self.tree.selective_depth,
            score,
            nodes: self.tree.nodes,
            elapsed: began.elapsed(),
            line: &self.root_moves[0].line,
            table_permille: self.table.as_ref().map(Table::permille_full),
        }
    }

    fn found_nothing(&mut self, score: Score) -> Found<G::Move> {
        Found {
            best: None,
            score,
            nodes: self.tree.nodes,
            line: Vec::new(),
            depth: 0,
            tree: std::mem::take(&mut self.tree),
        }
    }

    /// Counts a position; false when the limit does not allow it any more.
    #[inline]
    pub(super) fn visit(&mut self) -> bool {
        if self.tree.nodes >= self.node_limit {
            self.stopped = true;
        }
        const NODES_BETWEEN_LOOKS: u64 = 256;
        if (self.clock.is_some() || self.signal.is_some())
            && self.tree.nodes.is_multiple_of(NODES_BETWEEN_LOOKS)
            && self.tree.nodes > 0
            && self.is_over()
        {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        self.tree.nodes += 1;
        true
    }

    /// Whether the time is up or somebody said stop.
    #[cold]
    #[inline(never)]
    fn is_over(&mut self) -> bool {
        if self
            .signal
            .as_ref()
            .is_some_and(|signal| signal.says_stop())
        {
            return true;
        }
        if self.clock_waits && !self.is_pondering() {
            self.clock_waits = false;
            self.clock = Some(Instant::now());
        }
        match (self.limit.time, self.clock) {
            (Some(time), Some(clock)) => !self.clock_waits && clock.elapsed() >= time.hard,
            _ => false,
        }
    }

    fn is_pondering(&self) -> bool {
        self.signal
            .as_ref()
            .is_some_and(|signal| signal.says_ponder())
    }

    /// The worth of a position whose game goes on, from the mover's side.
    pub(super) fn judge(&self, evaluator: &mut dyn Evaluator<G>, position: &G) -> Score {
        evaluator
            .evaluate(position)
            .clamp(-MATE_BOUND + 1, MATE_BOUND - 1)
    }

    /// The worth of a finished game, from the mover's side. `depth` is what remained.
    // Few positions end a game: out of the way of the others.
    #[cold]
    #[inline(never)]
    pub(super) fn finished(
        &self,
        position: &G,
        evaluator: &mut dyn Evaluator<G>,
        outcome: Outcome,
        depth: i32,
        ply: usize,
    ) -> Score {
        if self.options.ends != Ends::Mate
            && let Some(score) = evaluator.finished(position, outcome)
        {
            return match self.options.ends {
                Ends::EvaluatorEarly => score.saturating_mul(depth.max(0) + 1),
                _ => score,
            };
        }
        match outcome.winner {
            None => self.draw(ply),
            Some(winner) if winner == position.side_to_move() => MATE - ply as Score,
            Some(_) => -(MATE - ply as Score),
        }
    }

    /// The worth of a draw, from the side that moves at `ply`: contempt is the searcher's own.
    pub(super) fn draw(&self, ply: usize) -> Score {
        let contempt = self.options.contempt * STEPS;
        if ply.is_multiple_of(2) {
            -contempt
        } else {
            contempt
        }
    }

    /// One earlier occurrence is enough: what can be repeated once can be repeated again.
    pub(super) fn repeats(&self, position: &G) -> bool {
        if G::REPETITIONS.is_none() || !self.options.repetition {
            return false;
        }
        let reach = position.reversible_plies();
        if reach < 4 {
            return false;
        }
        let key = position.repetition_key();
        // The same side moves every second ply.
        let reachable = &self.path[self.path.len().saturating_sub(reach)..];
        reachable.rchunks_exact(2).any(|pair| pair[0] == key)
    }

    /// The slots of the moves before `ply`.
    pub(super) fn before(&self, ply: usize) -> Before {
        PLIES_BACK.map(|back| match ply.checked_sub(back) {
            Some(at) => self.frames[at].slot,
            None => NO_SLOT,
        })
    }

    /// Puts `mv` before the line found one ply deeper.
    // Only positions on the expected line get here.
    #[inline(never)]
    pub(super) fn follow(&mut self, ply: usize, mv: G::Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut head[ply], &tail[0]);
        line.clear();
        line.push(mv);
        line.extend_from_slice(rest);
    }
}

/// Score steps in one hundredth of a pawn or man.
fn margin_steps(options: &Options) -> Score {
    (options.piece_unit * STEPS / 100).max(1)
}

/// Grows with the logarithms of depth and number: late moves at great depth are cut most.
fn reductions(options: &Options) -> Box<[[u8; 64]; 64]> {
    let mut table = Box::new([[0u8; 64]; 64]);
    let base = f64::from(options.reduction_base) / 100.0;
    let divisor = f64::from(options.reduction_divisor) / 100.0;
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, plies) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (number as f64).ln();
            *plies = (base + product / divisor) as u8;
        }
    }
    table
}
