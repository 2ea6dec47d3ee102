//! Percent encoding of a query, both ways. Signs that mean nothing in a query stay legible.

use std::fmt::Write as _;

/// `key=value` pairs joined by `&`.
pub fn encode(pairs: &[(String, String)]) -> String {
    pairs
        .iter()
        .map(|(key, value)| format!("{}={}", escape(key), escape(value)))
        .collect::<Vec<_>>()
        .join("&")
}

/// The pairs of a query, in order; a key without `=` has an empty value.
pub fn decode(query: &str) -> Vec<(String, String)> {
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (unescape(key), unescape(value))
        })
        .collect()
}

/// A text as it may stand in a query or in a segment of a path; signs that mean nothing there stay legible.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b':'
            | b'/'
            | b','
            | b'@' => out.push(char::from(byte)),
            other => write!(out, "%{other:02X}").expect("a string takes every text"),
        }
    }
    out
}

/// Broken escapes stay as they are; bytes that are not UTF-8 become the replacement sign.
fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes
            .get(at + 1..at + 3)
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (b'+', _) => {
                out.push(b' ');
                at += 1;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back() {
        for text in ["", "a b", "a&b=c", "100 %", "+", "题 é", "%41", "?#", "\u{0}\n"] {
            let pairs = vec![(text.to_owned(), text.to_owned())];
            assert_eq!(decode(&encode(&pairs)), pairs, "{text:?}");
        }
    }

    #[test]
    fn foreign_queries_are_read_as_far_as_they_make_sense() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            decode("&&a=1+2&b&c=%zz%4"),
            [pair("a", "1 2"), pair("b", ""), pair("c", "%zz%4")]
        );
        assert_eq!(decode("x=%FF"), [pair("x", "\u{fffd}")]);
    }
}
