//! What stands in nearly every benchmark, done once.

pub mod records;
pub mod rows;
