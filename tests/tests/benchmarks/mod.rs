//! Tests of one benchmark each.

mod poker;
