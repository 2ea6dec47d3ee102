//! Values as programs in other languages write them: whole numbers as `1.0` or `"1"`, numbers with a comma, and the many words for
//! "nothing".

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_json::Value;

use crate::json::{self, Dialect, Json};
use crate::misfit;

/// The largest whole number that every program writes exactly.
const MOST: f64 = 9_007_199_254_740_992.0;

/// What Python, JavaScript and spreadsheets write where there is nothing.
pub fn is_nothing(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['-', '+']);
    ["", "nan", "inf", "infinity", "none", "null", "nil", "undefined", "n/a", "<na>", "#n/a"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

/// The text with a line feed for every line end, whichever program wrote it.
pub fn line_feeds(text: &str) -> Cow<'_, str> {
    match text.contains('\r') {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(text),
    }
}

/// A file without its mark of byte order. UTF-16, as spreadsheets and PowerShell save it, becomes UTF-8, without a mark where the
/// first character is one of ASCII; `None` if it is broken.
pub fn unmarked(file: &[u8]) -> Option<Cow<'_, [u8]>> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let units = pairs.iter().copied().map(unit);
        let text: Result<String, _> = char::decode_utf16(units).collect();
        let text = text.ok().filter(|_| rest.is_empty())?;
        Some(Cow::Owned(text.into_bytes()))
    };
    match file {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [1..=0x7f, 0, ..] => wide(file, u16::from_le_bytes),
        [0, 1..=0x7f, ..] => wide(file, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] | rest => Some(Cow::Borrowed(rest)),
    }
}

/// The text of a file, in UTF-8 or in UTF-16.
///
/// # Errors
/// If it is neither.
pub fn file_text(file: &[u8]) -> Result<Cow<'_, str>, String> {
    let text = match unmarked(file) {
        Some(Cow::Borrowed(bytes)) => str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Some(Cow::Owned(bytes)) => String::from_utf8(bytes).ok().map(Cow::Owned),
        None => None,
    };
    text.ok_or_else(|| "it is neither UTF-8 nor UTF-16".to_owned())
}

/// A JSON value as programs write it: Python writes NaN, infinities and halves of characters, which JSON does not have. The first two
/// become words, the last U+FFFD.
///
/// # Errors
/// If it is none, in words of `serde_json`.
pub fn json(file: &[u8]) -> Result<Value, String> {
    let text = file_text(file)?;
    serde_json::from_str(&text).or_else(|error| {
        // They are rare, and this reader is slower.
        let value = json::parse(&text, Dialect::Python).ok();
        let value = value.and_then(|value| serde_json::to_value(value).ok());
        value.ok_or_else(|| error.to_string())
    })
}

/// The text with the quotes of a keyboard for those of a printer, which spreadsheets and word processors put in their place.
pub fn plain_quotes(text: &str) -> String {
    text.replace(['‘', '’', '‚', '‛', '′', '＇'], "'")
        .replace(['“', '”', '„', '‟', '″', '＂'], "\"")
}

/// A word of a closed list as people write it: without white space, quotes and marks of emphasis around it.
pub fn word(text: &str) -> &str {
    text.trim_matches(|sign: char| sign.is_whitespace() || "'\"‘’“”„*_`.".contains(sign))
}

/// The rows of a file with one JSON value a line, without its mark of byte order, whichever program wrote the line ends. Within a
/// value JSON has none as it is.
pub fn rows(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let end = if text.contains(&b'\n') { b'\n' } else { b'\r' };
    text.split(move |byte| *byte == end)
}

/// A whole number that is not negative, from its text: `12`, `12.0`, `1.2e1`.
pub fn whole_text(text: &str) -> Option<u64> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let number: f64 = text.parse().ok()?;
        let is_whole = number.fract() == 0.0 && (0.0..=MOST).contains(&number);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is whole, and in range"
        )]
        is_whole.then_some(number as u64)
    })
}

/// A whole number that is not negative, from a value.
pub fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => whole_text(&number.to_string()),
        Value::String(text) => whole_text(text),
        _ => None,
    }
}

/// The same from a value that keeps the size of numbers.
pub fn whole_json(value: &Json) -> Option<u64> {
    match value {
        Json::Int(number) => whole_text(number.digits()),
        Json::Float(number) => whole_text(&number.to_string()),
        Json::Text(text) => whole_text(text),
        _ => None,
    }
}

/// An id from a text or a number; a whole number has one spelling.
pub fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() <= MOST => {
                Some(format!("{float:.0}"))
            }
            _ => Some(number.to_string()),
        },
        _ => None,
    }
}

/// Gives the members of these names their usual spelling, however deep they stand: counts become whole numbers, words lose what
/// stands around them. What is neither stays as it is.
pub fn spell(value: &mut Value, counts: &[&str], words: &[&str]) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| spell(item, counts, words)),
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if words.contains(&name.as_str()) => {
                        *text = word(text).to_owned();
                    }
                    Value::Number(_) | Value::String(_) if counts.contains(&name.as_str()) => {
                        if let Some(count) = whole(member) {
                            *member = count.into();
                        }
                    }
                    other => spell(other, counts, words),
                }
            }
        }
        _ => {}
    }
}

/// A finite number from its text, `true` and `false` included. `comma`: whether a comma may stand for the point.
pub fn number_text(text: &str, comma: bool) -> Option<f64> {
    let text = text.trim();
    let number: f64 = match text.to_lowercase().as_str() {
        "true" => 1.0,
        "false" => 0.0,
        _ if comma && !text.contains('.') => text.replacen(',', ".", 1).parse().ok()?,
        _ => text.parse().ok()?,
    };
    number.is_finite().then_some(number)
}

/// Whether a value stands for nothing.
pub fn is_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => is_nothing(text),
        _ => false,
    }
}

/// A field that is a whole number, or nothing.
pub fn count<'de, D: Deserializer<'de>, T: TryFrom<u64>>(from: D) -> Result<Option<T>, D::Error> {
    let value = Value::deserialize(from)?;
    if is_null(&value) {
        return Ok(None);
    }
    let count = whole(&value).and_then(|count| T::try_from(count).ok());
    let wanted = || D::Error::custom(format!("a whole number is wanted, not {value}"));
    count.ok_or_else(wanted).map(Some)
}

/// A field that is a finite number, or nothing that can be used.
pub fn number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => number_text(&text, false),
        _ => None,
    })
}

/// A field that may be null where it is empty.
pub fn nullable<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    from: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// A field that is not needed: what cannot be read of it is as if it were not there.
pub fn or_default<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    from: D,
) -> Result<T, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// A list of things of which each counts, whatever it looks like.
pub fn each<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    let values: Option<Vec<Value>> = Option::deserialize(from)?;
    let read = |value| serde_json::from_value(value).unwrap_or_default();
    Ok(values.into_iter().flatten().map(read).collect())
}

/// A text; other values as they are written in JSON, null as nothing.
pub fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(maybe_text(from)?.unwrap_or_default())
}

/// The same, where there may be none.
pub fn maybe_text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    })
}

/// A typed value; what does not fit is reported with its field, in words for people.
pub fn typed<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        match error.path().to_string().as_str() {
            "." => misfit::plain(&error.inner().to_string()),
            field => format!("{field}: {}", misfit::plain(&error.inner().to_string())),
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whole_numbers_in_every_spelling() {
        for value in
            [json!(12), json!(12.0), json!("12"), json!("12.0"), json!(" 1.2e1 "), json!(1.2e1)]
        {
            assert_eq!(whole(&value), Some(12), "{value}");
        }
        for value in [
            json!(-4),
            json!(0.5),
            json!("x"),
            json!(true),
            json!([]),
            json!(1e300),
            json!("-1"),
            json!("NaN"),
        ] {
            assert_eq!(whole(&value), None, "{value}");
        }
        assert_eq!(whole(&json!(u64::MAX)), Some(u64::MAX));
    }

    #[test]
    fn json_as_python_writes_it() {
        let file = r#"{"a": NaN, "b": -Infinity, "c": "x\ud83d", "d": null}"#;
        let wanted = json!({ "a": "NaN", "b": "-inf", "c": "x\u{fffd}", "d": null });
        let wide = |unit: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
            format!("{mark}{file}").encode_utf16().flat_map(unit).collect()
        };
        for file in [
            file.as_bytes().to_vec(),
            format!("\u{feff}{file}").into_bytes(),
            wide(u16::to_le_bytes, "\u{feff}"),
            wide(u16::to_be_bytes, "\u{feff}"),
            wide(u16::to_le_bytes, ""),
            wide(u16::to_be_bytes, ""),
        ] {
            assert_eq!(json(&file), Ok(wanted.clone()));
        }
        assert!(json(b"{\"a\": nan}").unwrap_err().contains("line 1"));
        assert!(json(b"\xff\xfea").unwrap_err().contains("UTF-16"));
        assert!(json(b"\"\xff\"").unwrap_err().contains("UTF-8"));
    }

    #[test]
    fn ids_counts_and_words_in_every_spelling() {
        for (value, wanted) in [
            (json!(1), "1"),
            (json!(1.0), "1"),
            (json!(-2.0), "-2"),
            (json!(1.5), "1.5"),
            (json!("1.0"), "1.0"),
            (json!(u64::MAX), "18446744073709551615"),
        ] {
            assert_eq!(id(&value).as_deref(), Some(wanted));
        }
        assert_eq!(id(&json!(true)), None);
        let mut value = json!({ "n": 2.0, "list": [{ "n": " 3 ", "kind": " “Correct” " }], "kind": "**no**.", "text": "1.0", "odd": { "n": "x" } });
        spell(&mut value, &["n"], &["kind"]);
        let wanted = json!({ "n": 2, "list": [{ "n": 3, "kind": "Correct" }], "kind": "no", "text": "1.0", "odd": { "n": "x" } });
        assert_eq!(value, wanted);
        assert_eq!(whole_json(&Json::Float(2.0)), Some(2));
        assert_eq!(whole_json(&Json::Text("2".to_owned())), Some(2));
        assert_eq!(whole_json(&Json::Float(2.5)), None);
    }

    #[test]
    fn files_of_spreadsheets_are_text() {
        for file in [
            b"\xef\xbb\xbfa\xc3\xa4".as_slice(),
            b"a\xc3\xa4",
            b"\xff\xfea\0\xe4\0",
            b"\xfe\xff\0a\0\xe4",
        ] {
            assert_eq!(unmarked(file).as_deref(), Some("aä".as_bytes()));
        }
        assert_eq!(unmarked(b"\xff\xfea"), None);
        assert_eq!(line_feeds("a\r\nb\rc\n\r\n"), "a\nb\nc\n\n");
    }

    #[test]
    fn words_for_nothing_and_numbers() {
        for word in
            ["", " ", "NaN", "nan", "None", "null", "undefined", "Infinity", "-inf", "N/A", "<NA>"]
        {
            assert!(is_nothing(word), "{word:?}");
        }
        assert!(!is_nothing("0") && !is_nothing("none of these"));
        assert_eq!(number_text("0,5", true), Some(0.5));
        assert_eq!(number_text("0,5", false), None);
        assert_eq!(number_text("True", false), Some(1.0));
        assert_eq!(number_text("1e999", false), None);
    }
}
