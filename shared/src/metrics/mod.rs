//! Numbers: transcript in, number with interval out. Nothing here can see a protocol.

pub mod calibration;
pub mod cost;
pub mod proportion;
pub mod report;
pub mod spread;
pub mod summary;
