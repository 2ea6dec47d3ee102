//! A line of JSON as coloured pieces: every sign of the line is kept, in its order, so what is shown is what is stored.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The name of a member.
    Key,
    Text,
    Number,
    /// `true`, `false`, `null`.
    Literal,
    /// Everything else: brackets, commas, spaces, and what is no JSON.
    Plain,
}

impl Kind {
    /// The style class; none for plain pieces.
    pub fn class(self) -> &'static str {
        match self {
            Kind::Key => "j-key",
            Kind::Text => "j-str",
            Kind::Number => "j-num",
            Kind::Literal => "j-lit",
            Kind::Plain => "",
        }
    }
}

/// The pieces of a text. Their texts, one after another, are the text.
pub fn pieces(text: &str) -> Vec<(Kind, &str)> {
    let mut pieces: Vec<(Kind, &str)> = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let (kind, len) = match rest.as_bytes()[0] {
            b'"' => {
                let len = string_len(rest);
                let is_key = rest[len..].trim_start().starts_with(':');
                (if is_key { Kind::Key } else { Kind::Text }, len)
            }
            b'-' | b'0'..=b'9' => (
                Kind::Number,
                run(rest, |byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')),
            ),
            b't' | b'f' | b'n' => (Kind::Literal, run(rest, |byte| byte.is_ascii_lowercase())),
            _ => {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            }
        };
        if plain < at {
            pieces.push((Kind::Plain, &text[plain..at]));
        }
        pieces.push((kind, &rest[..len]));
        at += len;
        plain = at;
    }
    if plain < text.len() {
        pieces.push((Kind::Plain, &text[plain..]));
    }
    pieces
}

/// How many bytes a string has that begins here, quotes included; an unfinished one goes to the end.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    for (position, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return position + 1,
            _ => {}
        }
    }
    text.len()
}

fn run(text: &str, belongs: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| belongs(*byte)).count()
}

/// A line set out over several lines with indents. What is no JSON stays as it is.
pub fn set_out(line: &str) -> String {
    match serde_json::from_str::<serde_json::Value>(line) {
        Ok(value) => serde_json::to_string_pretty(&value).unwrap_or_else(|_| line.to_owned()),
        Err(_) => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_is_kept() {
        for text in [
            r#"{"a":[1,-2.5e3,"x\"y\\",true,null],"b":{}}"#,
            "",
            "no JSON at all, “quotes” and 题",
            r#"{"cut":"off"#,
            "\"\\",
            r#"{"escaped \" key" : "é"}"#,
        ] {
            let joined: String = pieces(text).iter().map(|(_, piece)| *piece).collect();
            assert_eq!(joined, text);
        }
    }

    #[test]
    fn pieces_know_what_they_are() {
        let text = r#"{"a" : "b","n":-1.5,"l":[true]}"#;
        let told: Vec<_> =
            pieces(text).into_iter().filter(|(kind, _)| *kind != Kind::Plain).collect();
        assert_eq!(
            told,
            [
                (Kind::Key, "\"a\""),
                (Kind::Text, "\"b\""),
                (Kind::Key, "\"n\""),
                (Kind::Number, "-1.5"),
                (Kind::Key, "\"l\""),
                (Kind::Literal, "true"),
            ]
        );
    }

    #[test]
    fn setting_out_keeps_what_is_no_json() {
        assert_eq!(set_out(r#"{"a":[1]}"#), "{\n  \"a\": [\n    1\n  ]\n}");
        assert_eq!(set_out("{oops"), "{oops");
    }
}
