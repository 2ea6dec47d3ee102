//! The benchmarks, one folder each. `registry` has one line for each of them.

pub mod inspect;
pub mod interactcomp;
pub mod paraworld;
pub mod poker;
pub mod studio;
pub mod trust;
