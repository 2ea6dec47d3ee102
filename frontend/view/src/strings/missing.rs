//! What stands where an address names something that is not there.

pub const TO_RUNS: &str = "To all runs";
