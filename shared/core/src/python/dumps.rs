//! `json.dumps(value, ensure_ascii=False)`.

use super::repr::float;
use crate::json::{Json, Object};

/// How a value is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One line, `, ` and `: ` between things, keys as they come.
    Line,
    /// One line with keys sorted by code point: `sort_keys=True`.
    Sorted,
    /// Two blanks a level, keys as they come: `indent=2`.
    Indented,
}

/// The value as text, characters beyond ASCII as they are. NaN and the infinities are written as Python writes them,
/// which is not JSON; whole numbers keep all their digits.
pub fn dumps(value: &Json, layout: Layout) -> String {
    let mut out = String::new();
    write_value(value, layout, 0, &mut out);
    out
}

fn write_value(value: &Json, layout: Layout, level: usize, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Int(number) => out.push_str(number.digits()),
        Json::Float(number) if number.is_nan() => out.push_str("NaN"),
        Json::Float(number) if number.is_infinite() => {
            out.push_str(if *number > 0.0 { "Infinity" } else { "-Infinity" });
        }
        Json::Float(number) => out.push_str(&float(*number)),
        Json::Text(text) => write_text(text, out),
        Json::List(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                separate(position, layout, level + 1, out);
                write_value(item, layout, level + 1, out);
            }
            close(items.len(), ']', layout, level, out);
        }
        Json::Object(object) => {
            out.push('{');
            for (position, (key, value)) in members(object, layout).into_iter().enumerate() {
                separate(position, layout, level + 1, out);
                write_text(key, out);
                out.push_str(": ");
                write_value(value, layout, level + 1, out);
            }
            close(object.len(), '}', layout, level, out);
        }
    }
}

fn members(object: &Object, layout: Layout) -> Vec<(&str, &Json)> {
    let mut members: Vec<_> = object.iter().collect();
    if layout == Layout::Sorted {
        members.sort_by_key(|(key, _)| *key);
    }
    members
}

fn separate(position: usize, layout: Layout, level: usize, out: &mut String) {
    match layout {
        Layout::Indented => {
            out.push_str(if position > 0 { ",\n" } else { "\n" });
            out.extend(std::iter::repeat_n("  ", level));
        }
        Layout::Line | Layout::Sorted if position > 0 => out.push_str(", "),
        Layout::Line | Layout::Sorted => {}
    }
}

fn close(count: usize, bracket: char, layout: Layout, level: usize, out: &mut String) {
    if layout == Layout::Indented && count > 0 {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", level));
    }
    out.push(bracket);
}

/// A text escapes alike in Python (`ensure_ascii=False`) and in `serde_json`.
fn write_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::to_string(text).expect("every text is JSON"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, parse};

    /// Written by Python 3.
    #[test]
    fn as_python_writes_it() {
        let text = r#"{"b":[1,2.50,1e16,-0.0,{}],"é":"\u0001\"\\\n\u007f/","a":{"z":[],"y":[null,true,NaN]}}"#;
        let value = parse(text, Dialect::Python).expect("Python wrote it");
        assert_eq!(
            dumps(&value, Layout::Line),
            "{\"b\": [1, 2.5, 1e+16, -0.0, {}], \"é\": \"\\u0001\\\"\\\\\\n\u{7f}/\", \
             \"a\": {\"z\": [], \"y\": [null, true, NaN]}}"
        );
        assert_eq!(
            dumps(&value, Layout::Sorted),
            "{\"a\": {\"y\": [null, true, NaN], \"z\": []}, \"b\": [1, 2.5, 1e+16, -0.0, {}], \
             \"é\": \"\\u0001\\\"\\\\\\n\u{7f}/\"}"
        );
        assert_eq!(
            dumps(&value, Layout::Indented),
            "{\n  \"b\": [\n    1,\n    2.5,\n    1e+16,\n    -0.0,\n    {}\n  ],\n  \
             \"é\": \"\\u0001\\\"\\\\\\n\u{7f}/\",\n  \"a\": {\n    \"z\": [],\n    \
             \"y\": [\n      null,\n      true,\n      NaN\n    ]\n  }\n}"
        );
    }
}
