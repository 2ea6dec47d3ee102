//! The protocol of poker by hand: polled, looked at, answered.

mod at_table;
mod decisions;
mod observations;
mod plans;
mod stacks;
