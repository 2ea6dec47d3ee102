//! Tests of one benchmark each.

mod infodeepseek;
mod paraworld;
mod poker;
mod trust;
mod ui2html;
mod worlds;
