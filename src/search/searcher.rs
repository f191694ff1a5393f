//! The searcher: its state between moves, and iterative deepening.

use std::sync::Arc;
use std::time::Instant;

use super::history::{CONTINUATION_PLIES, History, NO_SLOT, PreviousSlots};
use super::limit::Limit;
use super::options::{Algorithm, Ends, Options};
use super::ordering::Candidate;
use super::report::{DepthReport, SearchResult, TreeStats};
use super::root::RootMove;
use super::signal::Signal;
use super::tt::{NO_EVAL, NoMemory, TranspositionTable};
use super::{INFINITY, MATE, MATE_BOUND, MAX_PLY};
use crate::eval::{Evaluator, STEPS, Score};
use crate::games::{Game, Outcome};

/// Searches positions of one game. Keeps the TT and histories between moves, until
/// [`Searcher::new_game`].
///
/// ```
/// use sparring::eval::{Evaluated, Weights};
/// use sparring::games::chess::Chess;
/// use sparring::games::prelude::*;
/// use sparring::search::{Limit, Profile, Searcher, mate_distance};
///
/// let preset = Chess::preset("material").expect("a preset of chess");
/// let mut evaluator = (preset.build)(&Weights::defaults(preset.terms), 0);
/// let mut searcher = Searcher::new(Profile::Strong.options());
/// let position = Chess::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")?;
/// let found = searcher.search(&position, &[], evaluator.as_mut(), Limit::depth(3));
/// assert_eq!(found.best.map(|mv| position.record_text(mv)).as_deref(), Some("Ra8#"));
/// assert_eq!(mate_distance(found.score), Some(1));
/// # Ok::<(), sparring::games::NotationError>(())
/// ```
pub struct Searcher<G: Game> {
    pub(super) options: Options,
    pub(super) table: Option<TranspositionTable>,
    pub(super) history: History<G>,
    pub(super) tree: TreeStats,
    /// Repetition keys of the game so far, then of the current line.
    pub(super) path: Vec<u64>,
    /// The search stack: one entry per ply of the current line.
    pub(super) stack: Vec<StackEntry<G>>,
    /// The principal variation from each ply on.
    pub(super) pv_table: Vec<Vec<G::Move>>,
    /// Moves of all nodes of the current line, the deepest last. One shared list, so that nodes do
    /// not allocate.
    pub(super) moves: Vec<Candidate<G::Move>>,
    pub(super) root_moves: Vec<RootMove<G::Move>>,
    /// LMR: base reduction by depth and move number.
    pub(super) reductions: Box<[[u8; 64]; 64]>,
    /// Score steps in one hundredth of a pawn or man.
    pub(super) margin_steps: Score,
    pub(super) activity_left: i32,
    pub(super) root_depth: i32,
    pub(super) stopped: bool,
    node_limit: u64,
    clock: Option<Instant>,
    /// Stop and ponder flags of another thread. While pondering, the clock waits.
    signal: Option<Arc<Signal>>,
    clock_waits: bool,
    /// Restricts the root moves (UCI `searchmoves`); empty for all.
    pub(super) allowed_root_moves: Vec<G::Move>,
    /// Seeds the random choice of root moves.
    pub(super) key: u64,
    limit: Limit,
}

/// One ply of the search stack.
pub(super) struct StackEntry<G: Game> {
    /// The static eval, [`NO_EVAL`] in check.
    pub eval: Score,
    /// The slot of the move made here, [`NO_SLOT`] for a null move.
    pub slot: usize,
    pub captures: bool,
    /// Beta cutoffs at this ply since the node two plies up was entered.
    pub cutoffs: i32,
    /// The move excluded by a singular-extension search.
    pub excluded: Option<G::Move>,
}

impl<G: Game> StackEntry<G> {
    fn new() -> StackEntry<G> {
        StackEntry {
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
            tree: TreeStats::default(),
            path: Vec::with_capacity(1024),
            stack: (0..MAX_PLY + 2).map(|_| StackEntry::new()).collect(),
            pv_table: (0..MAX_PLY + 2)
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
            allowed_root_moves: Vec::new(),
            key: 0,
            limit: Limit::depth(1),
            options,
        }
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Size of the TT in megabytes; 0 if there is none.
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

    /// Sets the options for the next games. The tables must fit, see
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

    /// Resets everything that a search depends on, without reallocating. The key seeds the random
    /// choice of root moves, if the options enable it.
    pub fn new_game(&mut self, key: u64) {
        self.key = key;
        self.stack.fill_with(StackEntry::new);
        self.pv_table.iter_mut().for_each(Vec::clear);
        self.clear();
    }

    /// Clears the TT and histories.
    pub fn clear(&mut self) {
        self.history.clear();
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    /// Sets the stop and ponder flags that the next searches obey.
    pub fn set_signal(&mut self, signal: Option<Arc<Signal>>) {
        self.signal = signal;
    }

    /// Restricts the next searches to these root moves; an empty list allows all.
    pub fn restrict_root_moves(&mut self, moves: &[G::Move]) {
        self.allowed_root_moves = moves.to_vec();
    }

    /// Searches `root`. `history` holds the repetition keys of the game so far, oldest first,
    /// without the root's own.
    pub fn search(
        &mut self,
        root: &G,
        history: &[u64],
        evaluator: &mut dyn Evaluator<G>,
        limit: Limit,
    ) -> SearchResult<G::Move> {
        self.search_with(root, history, evaluator, limit, &mut |_| {})
    }

    /// The same, calling `on_depth` after each completed depth.
    pub fn search_with(
        &mut self,
        root: &G,
        history: &[u64],
        evaluator: &mut dyn Evaluator<G>,
        limit: Limit,
        on_depth: &mut dyn FnMut(&DepthReport<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        self.prepare(root, history, limit);
        let began = Instant::now();
        self.clock = limit.time.map(|_| began);
        self.clock_waits = self.is_pondering();
        self.count_node();
        if self.root_moves.is_empty() {
            let score = self.terminal_score(root, evaluator, root.end_without_moves(), 0, 0);
            return self.result_without_moves(score);
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
        self.take_result(root, history.len(), done)
    }

    /// Allocates the TT, if the options have one. The first search does it otherwise, and panics if
    /// there is no memory.
    pub fn reserve(&mut self) -> Result<(), NoMemory> {
        if self.options.table && self.table.is_none() {
            let size = self.options.table_mb as usize;
            self.table = Some(TranspositionTable::new(size)?);
        }
        Ok(())
    }

    fn prepare(&mut self, root: &G, history: &[u64], limit: Limit) {
        self.limit = limit;
        self.tree = TreeStats::default();
        self.path.clear();
        self.path.extend_from_slice(history);
        self.moves.clear();
        self.stopped = false;
        self.node_limit = limit.nodes.unwrap_or(u64::MAX);
        self.activity_left = self.options.activity_budget;
        self.history.new_search();
        if let Err(error) = self.reserve() {
            panic!("{error}");
        }
        if let Some(table) = self.table.as_mut().filter(|_| self.options.table) {
            table.new_search();
        }
        self.list_root_moves(root);
    }

    /// Whether to stop deepening: a proven mate, or the soft time limit.
    fn is_enough(&self, score: Score, depth: i32) -> bool {
        // A deeper search cannot shorten a mate that lies within the depth.
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

    /// Searches one depth, with an aspiration window around the previous score if enabled.
    fn search_depth(
        &mut self,
        root: &G,
        evaluator: &mut dyn Evaluator<G>,
        depth: i32,
        before: Score,
    ) -> Score {
        const MIN_DEPTH: i32 = 4;
        let narrow = self.options.aspiration
            && depth >= MIN_DEPTH
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
                // Reducing after a fail high changes scores: only if LMR does so anyway.
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
            pv: &self.root_moves[0].pv,
            table_permille: self.table.as_ref().map(TranspositionTable::permille_full),
        }
    }

    fn result_without_moves(&mut self, score: Score) -> SearchResult<G::Move> {
        SearchResult {
            best: None,
            score,
            nodes: self.tree.nodes,
            pv: Vec::new(),
            depth: 0,
            tree: std::mem::take(&mut self.tree),
        }
    }

    /// Counts a node. False if a limit is reached.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        if self.tree.nodes >= self.node_limit {
            self.stopped = true;
        }
        const NODES_PER_CHECK: u64 = 256;
        if (self.clock.is_some() || self.signal.is_some())
            && self.tree.nodes.is_multiple_of(NODES_PER_CHECK)
            && self.tree.nodes > 0
            && self.should_stop()
        {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        self.tree.nodes += 1;
        true
    }

    /// Whether the time is up or a stop was requested.
    #[cold]
    #[inline(never)]
    fn should_stop(&mut self) -> bool {
        if self
            .signal
            .as_ref()
            .is_some_and(|signal| signal.stop_requested_or_wait())
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
            .is_some_and(|signal| signal.ponder_requested())
    }

    /// The evaluator's score, from the mover's side, kept below the mate scores.
    pub(super) fn evaluate(&self, evaluator: &mut dyn Evaluator<G>, position: &G) -> Score {
        evaluator
            .evaluate(position)
            .clamp(-MATE_BOUND + 1, MATE_BOUND - 1)
    }

    /// The score of a finished game, from the mover's side. `depth` is the remaining depth.
    // Few nodes are terminal: kept out of the hot code.
    #[cold]
    #[inline(never)]
    pub(super) fn terminal_score(
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
            None => self.draw_score(ply),
            Some(winner) if winner == position.side_to_move() => MATE - ply as Score,
            Some(_) => -(MATE - ply as Score),
        }
    }

    /// The score of a draw, from the side that moves at `ply`. Contempt counts for the root side.
    pub(super) fn draw_score(&self, ply: usize) -> Score {
        let contempt = self.options.contempt * STEPS;
        if ply.is_multiple_of(2) {
            -contempt
        } else {
            contempt
        }
    }

    /// Whether the position occurred before, once: if it can be repeated, it can be repeated again.
    pub(super) fn is_repetition(&self, position: &G) -> bool {
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

    /// The slots of the moves before `ply`, for the continuation history.
    pub(super) fn previous_slots(&self, ply: usize) -> PreviousSlots {
        CONTINUATION_PLIES.map(|back| match ply.checked_sub(back) {
            Some(at) => self.stack[at].slot,
            None => NO_SLOT,
        })
    }

    /// Sets the PV at `ply` to `mv` and the PV of the next ply.
    // Only PV nodes get here.
    #[inline(never)]
    pub(super) fn update_pv(&mut self, ply: usize, mv: G::Move) {
        let (head, tail) = self.pv_table.split_at_mut(ply + 1);
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

/// The LMR table: reductions grow with the logarithms of depth and move number.
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
