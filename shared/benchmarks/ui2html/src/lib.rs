//! UI2Html: a player writes a page that it has never seen, from a description that leaves things out and from answers to its
//! questions.

pub mod likeness;
pub mod reading;
pub mod settings;
pub mod tasks;

/// The pages of `samples/pages`, packed by `examples/pack.rs`.
pub const SAMPLES: &[u8] = include_bytes!("../samples/pages.zip");
