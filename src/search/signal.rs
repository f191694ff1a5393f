//! Stop, hold and ponder flags, set by another thread. The search reads them together with its clock,
//! every few hundred nodes: a few loads without a lock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often a held search looks whether it may resume.
const HELD_CHECK: Duration = Duration::from_millis(10);

/// Requests from another thread to a running search.
#[derive(Debug, Default)]
pub struct Signal {
    stop: AtomicBool,
    hold: AtomicBool,
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

    /// Suspends the search, or resumes it. A held search keeps what it has found, and can be stopped.
    /// Its time limit runs on.
    pub fn hold(&self, held: bool) {
        self.hold.store(held, Ordering::Relaxed);
    }

    /// Ponder hit: the expected move was played, so the clock starts.
    pub fn end_ponder(&self) {
        self.ponder.store(false, Ordering::Relaxed);
    }

    pub fn stop_requested(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sleeps while the search is held, then returns whether a stop was requested.
    pub(super) fn stop_requested_or_wait(&self) -> bool {
        while self.hold.load(Ordering::Relaxed) && !self.stop_requested() {
            thread::sleep(HELD_CHECK);
        }
        self.stop_requested()
    }

    pub fn ponder_requested(&self) -> bool {
        self.ponder.load(Ordering::Relaxed)
    }
}
