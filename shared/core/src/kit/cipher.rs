//! The obfuscation of task files that are encrypted under a canary. It keeps texts out of crawlers and protects nothing: the key stands
//! in the file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::hash::Digest;

/// Encrypts and decrypts single fields under a canary: base64 of the UTF-8 text XORed with the repeated SHA-256 of the
/// canary.
pub struct Cipher {
    key: [u8; 32],
}

/// Why a field cannot be decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadCipher {
    /// The field is not base64 of the standard alphabet with padding.
    #[error("it is not base64")]
    NotBase64,
    /// What comes out is not UTF-8: most likely the canary is another one.
    #[error("what comes out is not UTF-8")]
    NotUtf8,
}

impl Cipher {
    /// The cipher of a canary.
    pub fn new(canary: &str) -> Self {
        Cipher { key: *Digest::of(canary).bytes() }
    }

    /// The text behind a field.
    pub fn decrypt(&self, field: &str) -> Result<String, BadCipher> {
        let bytes = STANDARD.decode(field).map_err(|_| BadCipher::NotBase64)?;
        String::from_utf8(self.xor(bytes)).map_err(|_| BadCipher::NotUtf8)
    }

    /// The field that hides a text.
    pub fn encrypt(&self, text: &str) -> String {
        STANDARD.encode(self.xor(text.as_bytes().to_vec()))
    }

    fn xor(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        for (byte, key) in bytes.iter_mut().zip(self.key.iter().cycle()) {
            *byte ^= key;
        }
        bytes
    }
}

/// Whether a text could be a field of an encrypted file: no text that a person wrote is that long and valid base64.
pub fn looks_encrypted(text: &str) -> bool {
    text.len() >= 20 && STANDARD.decode(text).is_ok()
}
