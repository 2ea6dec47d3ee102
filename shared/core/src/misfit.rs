//! What serde says of something that does not fit, in words for people.

/// How serde begins what it has to say; a place may stand before it.
const BEGINNINGS: [&str; 6] = [
    "invalid type: ",
    "invalid value: ",
    "missing field ",
    "unknown field ",
    "unknown variant ",
    "data did not match any variant",
];

/// The same problem in words for people. What serde did not say stays as it is; a place before it stays, too.
///
/// ```
/// # use turnwise_core::misfit::plain;
/// let said = plain("time.from: invalid type: string \"abc\", expected i64");
/// assert_eq!(said, "time.from: a whole number is wanted, not the text “abc”");
/// ```
pub fn plain(problem: &str) -> String {
    let begins = BEGINNINGS.into_iter().filter_map(|beginning| problem.find(beginning)).min();
    let Some(at) = begins else {
        return problem.to_owned();
    };
    let (place, said) = problem.split_at(at);
    format!("{place}{}", said_plainly(said))
}

/// The name of an unknown field, and those that there are, if that is what the problem is.
pub fn unknown_field(problem: &str) -> Option<(&str, Vec<&str>)> {
    let at = problem.find("unknown field ")?;
    let mut names = quoted(&problem[at..]);
    let unknown = names.next()?;
    Some((unknown, names.collect()))
}

fn said_plainly(said: &str) -> String {
    let mut names = quoted(said);
    if let Some((unknown, known)) = unknown_field(said) {
        return match known.is_empty() {
            true => format!("there is no {unknown}"),
            false => format!("there is no {unknown}, only {}", known.join(", ")),
        };
    }
    if said.starts_with("missing field ") {
        let name = names.next().unwrap_or_default();
        return format!("{name} is missing");
    }
    if said.starts_with("unknown variant ") {
        let name = names.next().unwrap_or_default();
        let known: Vec<&str> = names.collect();
        return format!("“{name}” is not known; write one of {}", known.join(", "));
    }
    let told = said.strip_prefix("invalid type: ").or_else(|| said.strip_prefix("invalid value: "));
    match told.and_then(|told| told.split_once(", expected ")) {
        Some((found, wanted)) => {
            let wanted = wanted.split(" at line ").next().unwrap_or(wanted);
            let wanted = match found.starts_with("integer ") {
                true => range(wanted),
                false => kind(wanted),
            };
            format!("{wanted} is wanted, not {}", value(found))
        }
        None => "a value is of a kind that is not taken here".to_owned(),
    }
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// What is wanted, by the name that serde has for it.
fn kind(wanted: &str) -> String {
    match wanted {
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on",
        "f32" | "f64" => "a number",
        "a string" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other => other,
    }
    .to_owned()
}

/// What is wanted where a whole number was found that is too large or too small.
fn range(wanted: &str) -> String {
    let (least, most) = match wanted {
        "u8" => (0, i64::from(u8::MAX)),
        "u16" => (0, i64::from(u16::MAX)),
        "u32" => (0, i64::from(u32::MAX)),
        "i32" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => return kind(wanted),
    };
    format!("a whole number from {least} to {most}")
}

/// What was found, by the words that serde has for it.
fn value(found: &str) -> String {
    if let Some(text) = found.strip_prefix("string ") {
        return format!("the text “{}”", text.trim_matches('"'));
    }
    match found {
        "null" => "nothing (null)".to_owned(),
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        other => quoted(other).next().unwrap_or(other).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::{Value, json};

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Window {
        #[serde(rename = "from")]
        _from: i64,
        #[serde(rename = "names")]
        _names: Vec<String>,
        #[serde(rename = "kind")]
        _kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Data,
        Rule,
    }

    fn said(value: Value) -> String {
        plain(&Window::deserialize(value).unwrap_err().to_string())
    }

    #[test]
    fn what_serde_says_is_said_to_people() {
        for (value, wanted) in [
            (json!({ "from": "abc", "names": [] }), "a whole number is wanted, not the text “abc”"),
            (json!({ "from": 1.5, "names": [] }), "a whole number is wanted, not 1.5"),
            (json!({ "from": 1, "names": null }), "a list is wanted, not nothing (null)"),
            (json!({ "from": 1, "names": [{}] }), "a text is wanted, not an object"),
            (json!({ "names": [] }), "from is missing"),
            (json!({ "from": 1, "names": [], "to": 2 }), "there is no to, only from, names, kind"),
            (
                json!({ "from": 1, "names": [], "kind": "x" }),
                "“x” is not known; write one of data, rule",
            ),
            (json!("a"), "an object is wanted, not the text “a”"),
        ] {
            assert_eq!(said(value.clone()), wanted, "{value}");
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_told_their_range() {
        let said = |value: Value| plain(&u32::deserialize(value).unwrap_err().to_string());
        let range = "a whole number from 0 to 4294967295 is wanted, not";
        assert_eq!(said(json!(-5)), format!("{range} -5"));
        assert_eq!(said(json!(99_999_999_999_u64)), format!("{range} 99999999999"));
        let text = "a whole number from 0 on is wanted, not the text “5”";
        assert_eq!(said(json!("5")), text);
    }

    #[test]
    fn a_place_stays_and_other_words_are_left_alone() {
        assert_eq!(plain("facts[0].key: missing field `key`"), "facts[0].key: key is missing");
        assert_eq!(plain("there is no fact"), "there is no fact");
        assert_eq!(
            unknown_field("unknown field `a.b`, expected `mode` or `rounds`"),
            Some(("a.b", vec!["mode", "rounds"]))
        );
        assert_eq!(unknown_field("missing field `mode`"), None);
    }
}
