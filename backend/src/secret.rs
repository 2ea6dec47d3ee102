//! A text that cannot be printed.

use std::fmt;

use serde::Deserialize;
use subtle::ConstantTimeEq as _;

/// A key or a token. It has no `Display` and no `Serialize`, its `Debug` shows nothing, and it is opened only in the
/// expression that sends it (house rule 9).
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// The text, to be sent and nothing else.
    pub fn open(&self) -> &str {
        &self.0
    }

    /// Whether `offered` is this secret. The time that it takes tells nothing but the length.
    pub fn is(&self, offered: &str) -> bool {
        self.0.as_bytes().ct_eq(offered.as_bytes()).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_compared_and_never_shown() {
        let secret = Secret::new("marked-key-1");
        assert!(secret.is("marked-key-1"));
        assert!(!secret.is("marked-key-2"));
        assert!(!secret.is("marked-key-"));
        let shown = format!("{secret:?} {:?} {:#?}", Some(&secret), vec![secret.clone()]);
        assert!(!shown.contains("marked"), "{shown}");
    }
}
