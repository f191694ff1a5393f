//! Sparring: a self-play laboratory for board-game engines.
//!
//! The program is a thin layer over this library. Games and evaluators of other crates are played by
//! [`play::Runner`] without changes here; the folder `examples/` has complete ones.
//!
//! The modules read as the path an experiment takes, from a TOML file to a chart: [`games`],
//! [`eval`], [`search`], [`engines`], [`play`], [`stats`], [`record`], [`tune`], [`report`], [`config`],
//! `cluster` and `serve` (cargo features), [`commands`], [`cli`]. Each imports only from those before it; `tests/architecture.rs` holds them to it.

pub mod cli;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod commands;
pub mod config;
pub mod engines;
pub mod eval;
pub mod games;
pub mod play;
pub mod record;
pub mod report;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
pub mod stats;
pub mod tune;
