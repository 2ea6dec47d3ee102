//! Messages as they are sent.

use serde::{Deserialize, Serialize};

use super::Role;

/// A message as it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendered {
    /// Who speaks.
    pub role: Role,
    /// The whole text.
    pub text: String,
    /// Pictures that follow the text. They travel with a call and never stand in a transcript.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
}

impl Rendered {
    /// A message of nothing but text.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Rendered { role, text: text.into(), pictures: Vec::new() }
    }
}

/// A picture as it is sent to a model. One request has at most 1 MB (ARCHITECTURE.md, rule 10), so pictures are small.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// How it is coded.
    pub media: Media,
    /// Its bytes in base64, with padding.
    pub base64: String,
}

/// How a picture is coded: what every service reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Media {
    /// PNG
    #[serde(rename = "image/png")]
    Png,
    /// JPEG
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// WebP
    #[serde(rename = "image/webp")]
    Webp,
}

impl Media {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Media::Png => "image/png",
            Media::Jpeg => "image/jpeg",
            Media::Webp => "image/webp",
        }
    }
}
