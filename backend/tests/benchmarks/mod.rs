//! Tests of one benchmark each.

mod interactcomp;
mod poker;
