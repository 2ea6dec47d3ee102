//! Numbers over hands that were played: what is needed of each hand, and what is said about many of them.

pub mod spread;
