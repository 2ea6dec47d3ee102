//! The switch of colours.

pub const SYSTEM: &str = "Colours as the system says; switch to light";
pub const LIGHT: &str = "Light colours; switch to dark";
pub const DARK: &str = "Dark colours; switch to the system's";
