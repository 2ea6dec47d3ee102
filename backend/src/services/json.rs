//! JSON as services write it.

use std::borrow::Cow;

use serde_json::{Deserializer, Value};

/// The JSON values with which a text begins, one after the other, and what follows them. Of a key that stands twice the last one
/// counts; halves of surrogate pairs become U+FFFD, and numbers that are none `null`.
pub fn values(text: &str) -> (Vec<Value>, Cow<'_, str>) {
    let text = text.trim_start_matches('\u{feff}');
    let (values, end) = strict(text);
    if text[end..].trim().is_empty() {
        return (values, Cow::Borrowed(""));
    }
    let mended = mended(&text[end..]);
    let (more, then) = strict(&mended);
    let rest = mended[then..].trim().to_owned();
    (values.into_iter().chain(more).collect(), Cow::Owned(rest))
}

/// The values that can be read, and where they end.
fn strict(text: &str) -> (Vec<Value>, usize) {
    let mut values = Vec::new();
    let mut stream = Deserializer::from_str(text).into_iter();
    while let Some(Ok(value)) = stream.next() {
        values.push(value);
    }
    (values, stream.byte_offset())
}

/// JSON in the place of what many programs write for it.
fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_in_string = false;
    while let Some(character) = rest.chars().next() {
        let (length, instead) = match character {
            '"' => {
                is_in_string = !is_in_string;
                (1, None)
            }
            '\\' if is_in_string => escape(rest),
            ..' ' if is_in_string => (1, Some(format!("\\u{:04x}", u32::from(character)))),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '+' if !is_in_string => bare(rest),
            _ => (character.len_utf8(), None),
        };
        match instead {
            Some(instead) => out.push_str(&instead),
            None => out.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    out
}

/// How long an escape is, and what stands in its place: half of a surrogate pair is no character.
fn escape(text: &str) -> (usize, Option<String>) {
    let unit = |from: usize| {
        let digits = text.get(from..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    match (unit(0), unit(6)) {
        (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, None),
        (Some(0xd800..=0xdfff), _) => (6, Some("\\ufffd".to_owned())),
        (Some(_), _) => (6, None),
        (None, _) => (1 + text[1..].chars().next().map_or(0, char::len_utf8), None),
    }
}

/// How long a word or a number outside of strings is, and what stands in its place: JSON has no infinity.
fn bare(text: &str) -> (usize, Option<String>) {
    let goes_on = |character: char| {
        character.is_ascii_alphanumeric() || matches!(character, '+' | '-' | '.' | '_')
    };
    let length = text.find(|character| !goes_on(character)).unwrap_or(text.len());
    // Rust reads `NaN`, `inf` and `Infinity` in any case, and makes infinity of what is too large.
    let is_none = text[..length].parse::<f64>().is_ok_and(|number| !number.is_finite());
    (length, is_none.then(|| "null".to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_is_read_as_services_write_it() {
        let read = |text: &str| {
            let (values, rest) = values(text);
            (values, rest.into_owned())
        };
        for (text, wanted, rest) in [
            ("\u{feff}{\"a\": 1}", vec![json!({ "a": 1 })], ""),
            ("{\"a\": 1, \"a\": 2}", vec![json!({ "a": 2 })], ""),
            ("{\"a\": \"x \\ud83d\"}", vec![json!({ "a": "x \u{fffd}" })], ""),
            ("{\"a\": \"\\ude00 x\"}", vec![json!({ "a": "\u{fffd} x" })], ""),
            ("{\"a\": \"\\ud83d\\ud83d\\ude00\"}", vec![json!({ "a": "\u{fffd}😀" })], ""),
            (
                "{\"a\": \"\\\\ud83d \\\"NaN\\\" \\ud83d\"}",
                vec![json!({ "a": "\\ud83d \"NaN\" \u{fffd}" })],
                "",
            ),
            (
                "{\"NaN\": NaN, \"a\": [-Infinity, Infinity, nan, -inf, 1e999], \"b\": 1.5}",
                vec![json!({ "NaN": null, "a": [null, null, null, null, null], "b": 1.5 })],
                "",
            ),
            ("{\"a\": \"one\ntwo\ta\"}", vec![json!({ "a": "one\ntwo\ta" })], ""),
            ("{\"a\": 1} trailing words", vec![json!({ "a": 1 })], "trailing words"),
            (
                "{\"a\": 1}{\"b\": NaN}\n<!-- -->",
                vec![json!({ "a": 1 }), json!({ "b": null })],
                "<!-- -->",
            ),
            ("{\"a\": 1}\n[DONE]", vec![json!({ "a": 1 })], "[DONE]"),
            ("{\"a\": tru}", vec![], "{\"a\": tru}"),
            ("{\"a\": \"\\", vec![], "{\"a\": \"\\"),
            ("nonsense", vec![], "nonsense"),
            ("", vec![], ""),
        ] {
            assert_eq!(read(text), (wanted, rest.to_owned()), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(read(&deep).0.is_empty(), "a stack is not for services to use up");
    }
}
