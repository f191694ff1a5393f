//! The statistics against known values, identities and simulations.

mod anytime;
mod known_values;
mod planted_ratings;
mod ratings;
mod shared_openings;
mod sprt_simulation;
