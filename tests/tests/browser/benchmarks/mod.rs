//! Tests of one benchmark each.

mod paraworld;
mod poker;
mod trust;
mod ui2html;
mod worlds;
