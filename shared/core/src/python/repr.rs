//! `repr` and `str` of values.

use std::fmt::Write as _;

use crate::json::Json;

/// `str(value)`: a text as it is, everything else as its [`repr`].
pub fn text(value: &Json) -> String {
    match value {
        Json::Text(text) => text.clone(),
        other => repr(other),
    }
}

pub fn repr(value: &Json) -> String {
    let mut out = String::new();
    write_repr(value, &mut out);
    out
}

fn write_repr(value: &Json, out: &mut String) {
    match value {
        Json::Null => out.push_str("None"),
        Json::Bool(true) => out.push_str("True"),
        Json::Bool(false) => out.push_str("False"),
        Json::Int(number) => out.push_str(number.digits()),
        Json::Float(number) => out.push_str(&float(*number)),
        Json::Text(text) => out.push_str(&repr_text(text)),
        Json::List(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                write_repr(item, out);
            }
            out.push(']');
        }
        Json::Object(object) => {
            out.push('{');
            for (position, (key, value)) in object.iter().enumerate() {
                if position > 0 {
                    out.push_str(", ");
                }
                out.push_str(&repr_text(key));
                out.push_str(": ");
                write_repr(value, out);
            }
            out.push('}');
        }
    }
}

/// `repr` of a float: the shortest digits that read back as the same number, with an exponent from 1e16 up and below
/// 1e-4.
pub fn float(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) =
        scientific.split_once('e').expect("a finite number in this format has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent of a float is a small whole number");
    if (-4..16).contains(&exponent) {
        // `{:?}` and `{}` print the same shortest digits without an exponent; Python always shows a fraction.
        let plain = format!("{number}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// `repr` of a text: in single quotes unless it has some and no double ones.
///
/// Code points that are not assigned yet are shown as they are; Python escapes those unknown to its own
/// version.
pub fn repr_text(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for character in text.chars() {
        let code = u32::from(character);
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(quote);
            }
            _ if is_printable(code) => out.push(character),
            _ => {
                match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                }
                .expect("a String takes every write");
            }
        }
    }
    out.push(quote);
    out
}

/// First and last of the control, format, private, line-break and space characters (categories Cc, Cf, Co, Zl, Zp, Zs)
/// but the plain space, in Unicode 14.
const UNPRINTABLE: [(u32, u32); 28] = [
    (0x0, 0x1f),
    (0x7f, 0xa0),
    (0xad, 0xad),
    (0x600, 0x605),
    (0x61c, 0x61c),
    (0x6dd, 0x6dd),
    (0x70f, 0x70f),
    (0x890, 0x891),
    (0x8e2, 0x8e2),
    (0x1680, 0x1680),
    (0x180e, 0x180e),
    (0x2000, 0x200f),
    (0x2028, 0x202f),
    (0x205f, 0x2064),
    (0x2066, 0x206f),
    (0x3000, 0x3000),
    (0xd800, 0xf8ff),
    (0xfeff, 0xfeff),
    (0xfff9, 0xfffb),
    (0x110bd, 0x110bd),
    (0x110cd, 0x110cd),
    (0x13430, 0x13438),
    (0x1bca0, 0x1bca3),
    (0x1d173, 0x1d17a),
    (0xe0001, 0xe0001),
    (0xe0020, 0xe007f),
    (0xf0000, 0xffffd),
    (0x100000, 0x10fffd),
];

fn is_printable(code: u32) -> bool {
    let never_a_character = code & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&code);
    let after = UNPRINTABLE.partition_point(|(first, _)| *first <= code);
    !never_a_character && (after == 0 || UNPRINTABLE[after - 1].1 < code)
}
