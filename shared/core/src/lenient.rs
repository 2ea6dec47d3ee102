//! Values as programs in other languages write them: whole numbers as `1.0` or `"1"`, numbers with a comma, and the many words for
//! "nothing".

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_json::Value;

use crate::misfit;

/// The largest whole number that every program writes exactly.
const MOST: f64 = 9_007_199_254_740_992.0;

/// What Python, JavaScript and spreadsheets write where there is nothing.
pub fn is_nothing(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['-', '+']);
    [
        "",
        "nan",
        "inf",
        "infinity",
        "none",
        "null",
        "nil",
        "undefined",
        "n/a",
        "<na>",
        "#n/a",
    ]
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

/// A file without its mark of byte order. UTF-16, as spreadsheets save it, becomes UTF-8; `None` if it is broken.
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
        [0xef, 0xbb, 0xbf, rest @ ..] | rest => Some(Cow::Borrowed(rest)),
    }
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

/// A typed value; what does not fit is told with its field, in words for people.
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
        for value in [
            json!(12),
            json!(12.0),
            json!("12"),
            json!("12.0"),
            json!(" 1.2e1 "),
            json!(1.2e1),
        ] {
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
        for word in [
            "",
            " ",
            "NaN",
            "nan",
            "None",
            "null",
            "undefined",
            "Infinity",
            "-inf",
            "N/A",
            "<NA>",
        ] {
            assert!(is_nothing(word), "{word:?}");
        }
        assert!(!is_nothing("0") && !is_nothing("none of these"));
        assert_eq!(number_text("0,5", true), Some(0.5));
        assert_eq!(number_text("0,5", false), None);
        assert_eq!(number_text("True", false), Some(1.0));
        assert_eq!(number_text("1e999", false), None);
    }
}
