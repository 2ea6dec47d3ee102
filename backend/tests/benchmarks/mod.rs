//! Tests of one benchmark each.

mod interactcomp;
mod math;
mod poker;
mod situation_puzzle;
