//! Tests about one benchmark alone, a folder each.

mod audit;
mod heard;
mod infodeepseek;
mod interactcomp;
mod math;
mod paraworld;
mod poker;
mod situation_puzzle;
mod trust;
mod ui2html;
