//! Games that a visitor plays or watches. Each has its own thread for searches, so that neither the page nor the
//! server ever waits for one; how many search at the same time is limited.

mod clock;
mod levels;
mod opponents;
mod permits;
mod session;
mod setup;
mod view;
mod why;
mod worker;

pub use opponents::{
    SeatRequest, confined, game_json, games_json, player_of, players_in, seat_of, settings_of,
    side_of,
};
pub use session::{Session, Start, State};
pub use setup::{fen_of, read_text};
pub use view::{board_json, events, export, game_state, letters};
pub use why::{MOST_DEPTH, WhyRequest};
pub use worker::strongest;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::Refusal;
use permits::Permits;

/// Games at the same time. Above it, the one without visitors that was left first makes room.
const MOST_GAMES: usize = 64;
/// How often the games are looked after.
const TICK: Duration = Duration::from_millis(250);

/// Locks; what a panicked thread left is still a game.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All games.
pub struct Games {
    table: Arc<Mutex<HashMap<String, Arc<Session>>>>,
    permits: Arc<Permits>,
    next: Mutex<u64>,
    closed: Arc<AtomicBool>,
}

impl Games {
    /// No games yet, and the thread that looks after them.
    pub fn start() -> Games {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let games = Games {
            table: Arc::default(),
            permits: Arc::new(Permits::new(cores)),
            next: Mutex::new(0),
            closed: Arc::default(),
        };
        games.look_after();
        games
    }

    /// Ends turns of searches, and searches that take too long or that no visitor waits for, until the server ends.
    fn look_after(&self) {
        let (table, closed) = (Arc::clone(&self.table), Arc::clone(&self.closed));
        let permits = Arc::clone(&self.permits);
        let watch = move || {
            while !closed.load(Ordering::Relaxed) {
                thread::sleep(TICK);
                permits.tick();
                lock(&table).retain(|_, session| session.tick());
            }
        };
        // Without it, only the limits on time are lost.
        let _ = thread::Builder::new()
            .name("games".to_string())
            .spawn(watch);
    }

    pub fn add(&self, start: Start) -> Result<Arc<Session>, Refusal> {
        let mut table = lock(&self.table);
        if table.len() >= MOST_GAMES {
            let idle = table.values().filter(|session| !session.has_visitors());
            let oldest = idle.min_by_key(|session| session.last_used());
            let Some(id) = oldest.map(|session| session.id.clone()) else {
                return Err(Refusal::busy(format!(
                    "{MOST_GAMES} games are open on other pages; close one of them"
                )));
            };
            if let Some(session) = table.remove(&id) {
                session.close();
            }
        }
        let id = {
            let mut next = lock(&self.next);
            *next += 1;
            next.to_string()
        };
        let session = Session::begin(id.clone(), start, Arc::clone(&self.permits))?;
        table.insert(id, Arc::clone(&session));
        Ok(session)
    }

    pub fn find(&self, id: &str) -> Result<Arc<Session>, Refusal> {
        let table = lock(&self.table);
        let session = table.get(id).cloned();
        session.ok_or_else(|| {
            Refusal::not_found("no such game; it was closed, or the server was started again")
        })
    }

    /// Ends all searches.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        for (_, session) in lock(&self.table).drain() {
            session.close();
        }
    }
}
