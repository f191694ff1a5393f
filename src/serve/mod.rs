//! The web page: play, watch, and follow runs in the browser. `sparring serve` starts it.
//!
//! A request passes these stations:
//!
//! 1. `server` accepts the connection; it limits their number and the time that a request may take.
//! 2. `guard` checks `Host`, `Origin` and the token, before anything is read.
//! 3. `routes` finds the row of the address and calls its handler: a plain function from a [`Request`] to a
//!    [`Reply`] or a [`Refusal`]. Handlers run on a small pool of threads and may read files, but they start long
//!    work elsewhere and return at once.
//! 4. What grows (a game, a run) is sent as server-sent events: [`Reply::events`] with a [`Source`].
//!
//! # How to add a route
//! 1. Write the handlers in `routes/NAME.rs`, with their rows: `pub const ROUTES: &[Route] = &[Route::get("/api/x/{id}", show), ...]`.
//! 2. Add `NAME::ROUTES` to `TABLES` in `routes/mod.rs`.
//! 3. State that lives longer than a request is a field of [`App`].
//!
//! # How to add a page
//! 1. Add a row to `PAGES` in `routes/pages.rs`: address, title, whether it is in the navigation.
//! 2. Write `page/NAME.js`, a module with `export function open(main)`, which fills the element `main`, and returns
//!    a function that ends what it started; `page/kit.js` has requests and elements. Add it to `ASSETS` in `routes/pages.rs` and to `PAGES` in `page/app.js`.
//! 3. Styles go to `page/NAME.css`, loaded by the shell `page/index.html`. Scripts, styles and pictures are files of
//!    this server: the content security policy refuses inline script, inline style and other hosts.

mod feed;
mod file;
mod guard;
pub mod play;
mod reply;
mod request;
mod routes;
pub mod runs;
mod server;

pub use feed::{Event, Source};
pub use file::OpenFile;
pub use guard::Guard;
pub use reply::{Policy, Refusal, Reply};
pub use request::Request;
pub use server::{ServeError, Server};

use std::net::IpAddr;
use std::path::PathBuf;

/// What `sparring serve` was told.
#[derive(Clone, Debug)]
pub struct Settings {
    pub listen: IpAddr,
    /// 0 chooses a free port.
    pub port: u16,
    /// Required beyond loopback; a random one if none is given there.
    pub token: Option<String>,
    /// The folder of the run directories.
    pub reports: PathBuf,
    /// The folder of configs and weights files.
    pub configs: PathBuf,
}

/// What the handlers share.
pub struct App {
    pub reports: PathBuf,
    pub configs: PathBuf,
    pub games: play::Games,
    pub runs: runs::Runs,
    compared: runs::Cache,
}

impl App {
    fn new(settings: &Settings) -> App {
        App {
            reports: settings.reports.clone(),
            configs: settings.configs.clone(),
            games: play::Games::start(),
            runs: runs::Runs::new(&settings.reports),
            compared: runs::Cache::default(),
        }
    }

    /// Ends what still runs, when the server ends.
    fn close(&self) {
        self.games.close();
    }
}
