//! The protocol of poker by hand: polled, looked at, answered.

mod decisions;
mod plans;
