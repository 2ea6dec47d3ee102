//! Tests of one benchmark each.

mod paraworld;
mod poker;
