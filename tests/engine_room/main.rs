//! Rules, evaluators, searches and tuners, called as a library.
//!
//! One program for all of them, because every test program compiles the searches it calls for itself. Run
//! one group with `cargo test --test engine_room GROUP::`, for example `cargo test --test engine_room search::`.

mod positions;

mod chess_properties;
mod chess_rules;
mod classical;
mod classical_terms;
mod draughts_evaluator;
mod draughts_properties;
mod evaluators;
mod fuzz_corpus;
mod golden;
mod golden_search;
mod nets;
mod older_programs;
mod patterns;
mod perft;
mod runner;
mod search;
mod tactics;
mod terms;
mod train;
mod tune_fit;
mod tune_simulation;
