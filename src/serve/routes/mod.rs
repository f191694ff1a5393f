//! The addresses of the server: one table per topic.

mod pages;
mod play;
mod runs;

use axum::http::Method;

use super::{Refusal, Reply, Request};

/// A row: what an address does.
pub struct Route {
    pub method: Method,
    /// `{name}` stands for one part, see [`Request::param`].
    pub path: &'static str,
    pub run: fn(&Request) -> Result<Reply, Refusal>,
}

impl Route {
    pub const fn get(path: &'static str, run: fn(&Request) -> Result<Reply, Refusal>) -> Route {
        Route {
            method: Method::GET,
            path,
            run,
        }
    }

    pub const fn post(path: &'static str, run: fn(&Request) -> Result<Reply, Refusal>) -> Route {
        Route {
            method: Method::POST,
            path,
            run,
        }
    }
}

pub const TABLES: &[&[Route]] = &[pages::ROUTES, play::ROUTES, runs::ROUTES];
