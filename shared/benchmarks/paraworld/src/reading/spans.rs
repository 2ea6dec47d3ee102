//! Spans between tags, and JSON mended the way the authors' code mends it. Nothing here takes longer than a small multiple
//! of the text's length.

use std::ops::Range;

use turnwise_core::json;
use turnwise_core::prelude::*;
use turnwise_core::python::{is_space, strip};

/// The contents between an opening tag and the next closing one, from left to right: what `open(.*?)close` finds.
pub(super) fn between<'a>(
    text: &'a str,
    open: &'a str,
    close: &'a str,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(open)? + open.len();
        let end = start + text[start..].find(close)?;
        at = end + close.len();
        Some(start..end)
    })
}

/// The text without the spans between tags, tags included: what deleting `open.*?close` leaves.
pub(super) fn without(text: &str, open: &str, close: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for inner in between(text, open, close) {
        out.push_str(&text[at..inner.start - open.len()]);
        at = inner.end + close.len();
    }
    out.push_str(&text[at..]);
    out
}

/// The first balanced pair of braces, counted from the first opening one without regard to strings; `None` if it never
/// closes.
pub(super) fn first_balanced(text: &str) -> Option<&str> {
    let start = text.find('{')?;
    let mut open = 0_u32;
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            b'{' => open += 1,
            b'}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(&text[start..=at]);
        }
    }
    None
}

/// The text without commas (and the white space after them) before a closing bracket: `,\s*}` becomes `}`.
pub(super) fn without_commas(text: &str, bracket: char) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(comma) = rest.find(',') {
        let after = rest[comma + 1..].trim_start_matches(is_space);
        if after.starts_with(bracket) {
            out.push_str(&rest[..comma]);
            rest = after;
        } else {
            // White space that follows is copied as it is; a comma further on is looked at anew.
            out.push_str(&rest[..=comma]);
            rest = &rest[comma + 1..];
        }
    }
    out.push_str(rest);
    out
}

/// Decodes as `json.loads` does.
pub(super) fn loads(text: &str) -> Option<Json> {
    json::parse(text, Dialect::Python).ok()
}

/// Trims as `str.strip` does and gives the range that is left.
pub(super) fn stripped(text: &str, part: Range<usize>) -> Range<usize> {
    let whole = &text[part.clone()];
    let start = part.start + (whole.len() - whole.trim_start_matches(is_space).len());
    start..start + strip(whole).len()
}
