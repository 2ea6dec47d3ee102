//! The Trust Game: a repeated Prisoner's Dilemma of unknown length (specification 5).

pub mod game;
pub mod lengths;
pub mod metrics;
pub mod reading;
pub mod seeds;
pub mod strategy;
