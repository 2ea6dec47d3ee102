//! Choosing who sits in a seat.

pub const OTHER_MODEL: &str = "another model …";
pub const MODEL: &str = "Model";
pub const MODEL_NOTE: &str = "PROVIDER/MODEL, the provider as it stands under Connections";
