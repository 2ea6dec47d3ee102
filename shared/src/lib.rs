//! Turnwise: the core.

pub mod json;
pub mod python;
