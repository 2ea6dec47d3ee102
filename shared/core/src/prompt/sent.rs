//! Messages as they are sent.

use serde::{Deserialize, Serialize};

use super::Role;
use crate::picture::PictureRef;

/// A message as it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendered {
    pub role: Role,
    pub text: String,
    /// Pictures that follow the text. The sender of the message puts their bytes in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<PictureRef>,
}

impl Rendered {
    /// A message of nothing but text.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Rendered { role, text: text.into(), pictures: Vec::new() }
    }
}
