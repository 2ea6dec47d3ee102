//! Numbers: transcript in, number with interval out. Nothing here can see a protocol.

pub mod report;
pub mod summary;
