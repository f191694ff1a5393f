//! The program as a user runs it: commands, run directories, engines, reports. These tests start the
//! `sparring` binary and read what it wrote.
//!
//! One program for all of them, because every test program links the whole library. Run one group with
//! `cargo test --test cli GROUP::`, for example `cargo test --test cli faults::`.

mod common;
mod lab;
#[cfg(all(unix, feature = "serve"))]
mod web;
#[cfg_attr(not(feature = "serve"), allow(dead_code))]
mod webdriver;

mod again;
mod behaviour;
mod browser;
#[cfg(feature = "serve")]
mod browser_games;
mod browser_play;
#[cfg(all(unix, feature = "serve"))]
mod browser_runs;
#[cfg(unix)]
mod check;
mod collections;
mod commands;
mod determinism;
#[cfg(unix)]
mod engine_features;
#[cfg(target_os = "linux")]
mod engine_reports;
#[cfg(unix)]
mod engine_tuning;
mod faults;
#[cfg(unix)]
mod formats;
#[cfg(unix)]
mod hostile_engines;
mod hub;
mod interrupts;
mod nets;
mod openings;
#[cfg(unix)]
mod output;
mod packaging;
mod quick_match;
#[cfg(unix)]
mod race;
mod real_engines;
mod replay;
mod report;
#[cfg(all(unix, feature = "serve"))]
mod serve_hostile;
#[cfg(feature = "serve")]
mod serve_play;
#[cfg(all(unix, feature = "serve"))]
mod serve_runs;
mod serve_search;
#[cfg(feature = "serve")]
mod serving;
mod shards;
mod statistics;
mod syzygy;
mod times;
mod tuning;
mod uci;
