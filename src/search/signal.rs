//! Stop and ponder flags, set by another thread. The search reads them together with its clock,
//! every few hundred nodes: two loads without a lock.

use std::sync::atomic::{AtomicBool, Ordering};

/// Requests from another thread to a running search.
#[derive(Debug, Default)]
pub struct Signal {
    stop: AtomicBool,
    ponder: AtomicBool,
}

impl Signal {
    /// For pondering: the clock starts with [`Signal::end_ponder`].
    pub fn for_pondering() -> Signal {
        Signal {
            ponder: AtomicBool::new(true),
            ..Signal::default()
        }
    }

    /// Stops the search. It returns its best move so far.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Ponder hit: the expected move was played, so the clock starts.
    pub fn end_ponder(&self) {
        self.ponder.store(false, Ordering::Relaxed);
    }

    pub fn stop_requested(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn ponder_requested(&self) -> bool {
        self.ponder.load(Ordering::Relaxed)
    }
}
