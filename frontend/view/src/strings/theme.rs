//! The switch of colours.

/// As the system says.
pub const SYSTEM: &str = "Colours as the system says; switch to light";
/// Always light.
pub const LIGHT: &str = "Light colours; switch to dark";
/// Always dark.
pub const DARK: &str = "Dark colours; switch to the system's";
