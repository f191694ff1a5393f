//! The program as a user runs it: commands, run directories, engines, reports. These tests start the
//! `sparring` binary and read what it wrote.
//!
//! One program for all of them, because every test program links the whole library. Run one group with
//! `cargo test --test cli GROUP::`, for example `cargo test --test cli faults::`.

mod common;
#[cfg(unix)]
mod web;
mod webdriver;

mod again;
mod behaviour;
mod browser;
mod browser_play;
#[cfg(unix)]
mod browser_runs;
mod collections;
mod commands;
mod determinism;
#[cfg(unix)]
mod engine_tuning;
mod faults;
#[cfg(unix)]
mod hostile_engines;
#[cfg(unix)]
mod interrupts;
mod nets;
mod openings;
#[cfg(unix)]
mod output;
mod quick_match;
mod real_engines;
mod replay;
mod report;
#[cfg(unix)]
mod serve_hostile;
mod serve_play;
#[cfg(unix)]
mod serve_runs;
mod serving;
mod shards;
mod statistics;
mod times;
mod tuning;
mod uci;
