//! Digests, and the one way in which a value becomes bytes before it is hashed or written.
//!
//! Everything that is compared byte for byte (transcript lines, specs, requests) goes through [`canonical`]: compact JSON
//! with sorted keys, so that neither the order of fields nor a feature of a library can change a hash.

mod canonical;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest, written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Digest(Sha256::digest(bytes.as_ref()).into())
    }

    /// The digest of several pieces, one after the other, without separators.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        Digest(hasher.finalize().into())
    }

    /// The digest of a value's [`canonical`] form.
    pub fn of_value(value: &impl Serialize) -> Self {
        Digest::of(canonical(value))
    }

    /// The 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digits, written into a place for them.
    fn digits<'a>(&self, place: &'a mut [u8; 64]) -> &'a str {
        for (pair, byte) in place.chunks_exact_mut(2).zip(self.0) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        std::str::from_utf8(place).expect("digits are plain letters")
    }

    /// The first eight hexadecimal digits: enough to tell two digests apart on a screen, never to compare them.
    pub fn short(&self) -> String {
        hex(&self.0[..4])
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.digits(&mut [0; 64]))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// A text that is not 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a digest is 64 hexadecimal digits, not {0:?}")]
pub struct BadDigest(String);

impl FromStr for Digest {
    type Err = BadDigest;

    fn from_str(text: &str) -> Result<Self, BadDigest> {
        let bytes = unhex(text).ok_or_else(|| BadDigest(text.chars().take(80).collect()))?;
        let array = bytes.try_into().map_err(|_| BadDigest(text.chars().take(80).collect()))?;
        Ok(Digest(array))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.digits(&mut [0; 64]))
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]])
        .map(char::from)
        .collect()
}

/// The bytes behind hexadecimal digits; `None` if the text is anything else.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|value| u8::try_from(value).ok()))
        .collect();
    let digits = digits?;
    digits
        .len()
        .is_multiple_of(2)
        .then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Compact JSON with the keys of every object sorted: the form that is hashed and written.
///
/// # Panics
/// If the value cannot be JSON at all (a map whose keys are not text): an error of ours, not of the data.
pub fn canonical(value: &impl Serialize) -> String {
    canonical::write(value).expect("every type that is hashed serialises to JSON")
}
