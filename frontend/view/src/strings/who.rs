//! Choosing who sits in a seat.

/// The choice of another model, which is then typed.
pub const OTHER_MODEL: &str = "another model …";
/// Label of the model.
pub const MODEL: &str = "Model";
/// How it is written.
pub const MODEL_NOTE: &str = "PROVIDER/MODEL, the provider as it stands under Connections";
