//! Engines that are programs of their own, driven over pipes.

mod lines;

pub use lines::read_line;
