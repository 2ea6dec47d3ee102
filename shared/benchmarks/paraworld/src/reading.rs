//! What players, engines and judges said, in both profiles (specification 4.5, 5.3, 5.5 and 7). Pure functions of texts.
//!
//! `reference` reads bug for bug as the authors' code does. `strict` reads what was said after the last closed thought, and
//! a bad call is a refusal that costs a turn, never the end of an episode.

pub mod dispatch;
pub mod engine;
pub mod judge;
pub mod player;
mod spans;
pub mod syntax;
#[cfg(test)]
mod tests;
