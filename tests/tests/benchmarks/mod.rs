//! Tests of one benchmark each.

mod poker;
mod ui2html;
