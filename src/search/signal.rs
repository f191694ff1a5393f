//! Words to a running search from another thread. The search looks at them where it looks at its
//! clock, every few hundred positions: two loads without any lock.

use std::sync::atomic::{AtomicBool, Ordering};

/// What another thread wants of a search.
#[derive(Debug, Default)]
pub struct Signal {
    stop: AtomicBool,
    ponder: AtomicBool,
}

impl Signal {
    /// The search thinks in the opponent's time: its clock starts with [`Signal::end_ponder`].
    pub fn for_pondering() -> Signal {
        Signal {
            ponder: AtomicBool::new(true),
            ..Signal::default()
        }
    }

    /// Ends the search with what it has found.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The expected move was played: from now on the search is limited.
    pub fn end_ponder(&self) {
        self.ponder.store(false, Ordering::Relaxed);
    }

    pub fn says_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn says_ponder(&self) -> bool {
        self.ponder.load(Ordering::Relaxed)
    }
}
