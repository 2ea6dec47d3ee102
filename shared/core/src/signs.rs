//! Invisible characters: they hide in a text, or turn the order of what is read around, so that a name passes for another.

use std::borrow::Cow;

/// The first sign of a text in one line that a reader does not see, or that reorders or breaks what they see: control signs,
/// marks of direction, breaks of lines and paragraphs, blanks without width, fillers, tags. `None` if every sign may stand.
///
/// What writing needs stays: joiners between signs of scripts that have them (and of emoji), and one selector of a variant after
/// what it selects.
///
/// ```
/// # use turnwise_core::signs::unseen;
/// assert_eq!(unseen("gpt\u{202e}4"), Some('\u{202e}'));
/// assert_eq!(unseen("क्\u{200d}ष 👩\u{200d}🔬"), None);
/// ```
pub fn unseen(text: &str) -> Option<char> {
    hidden(text).next().map(|(_, sign)| sign)
}

/// The text as a terminal or a log may show it: every sign that [`unseen`] would name is written as an escape such as `\u{1b}`.
/// Line feeds, with or without a carriage return before them, and tabs stay, so that texts of several lines remain readable.
///
/// ```
/// # use turnwise_core::signs::visible;
/// assert_eq!(visible("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\n");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |at, sign| match sign {
        '\n' | '\t' => true,
        '\r' => text[at..].starts_with("\r\n"),
        _ => false,
    })
}

/// The same for a text that has to stay within its line, such as the cell of a table: line feeds and tabs are escaped, too.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    escaped(text, |_, _| false)
}

/// A value in JSON for a terminal: the same value, its invisible characters written as JSON escapes any character,
/// `\u001b`. Outside of texts JSON has none but line feeds.
pub fn visible_json(json: &str) -> Cow<'_, str> {
    replaced(
        json,
        |_, sign| sign != '\n',
        |sign, out| {
            for unit in sign.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        },
    )
}

fn escaped(text: &str, may_stand: impl Fn(usize, char) -> bool) -> Cow<'_, str> {
    replaced(
        text,
        |at, sign| !may_stand(at, sign),
        |sign, out| {
            out.extend(sign.escape_unicode());
        },
    )
}

fn replaced(
    text: &str,
    is_wanted: impl Fn(usize, char) -> bool,
    write: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    // Most texts have no such sign, and this is the short way to know it.
    if text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut done = 0;
    for (at, sign) in hidden(text).filter(|(at, sign)| is_wanted(*at, *sign)) {
        out.push_str(&text[done..at]);
        write(sign, &mut out);
        done = at + sign.len_utf8();
    }
    match done {
        0 => Cow::Borrowed(text),
        _ => {
            out.push_str(&text[done..]);
            Cow::Owned(out)
        }
    }
}

/// Every such sign and where it begins.
fn hidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut before = None;
    let mut signs = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while let Some((at, sign)) = signs.next() {
            let may_stand = match kind(sign) {
                Kind::Seen => true,
                Kind::Hidden => false,
                Kind::Selector => before.is_some_and(|before| kind(before) == Kind::Seen),
                Kind::Joiner => {
                    let after = signs.peek().map(|(_, after)| *after);
                    before.is_some_and(is_joined) && after.is_some_and(is_joined)
                }
            };
            before = Some(sign);
            if !may_stand {
                return Some((at, sign));
            }
        }
        None
    })
}

#[derive(PartialEq)]
enum Kind {
    Seen,
    Hidden,
    /// Joins its neighbours, or keeps them apart.
    Joiner,
    /// Says which variant of the sign before it is meant.
    Selector,
}

fn kind(sign: char) -> Kind {
    match sign {
        _ if sign.is_control() => Kind::Hidden,
        '\u{200c}' | '\u{200d}' => Kind::Joiner,
        '\u{180b}'..='\u{180d}'
        | '\u{180f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}' => Kind::Selector,
        // A soft hyphen, a joiner of graphemes, a mark of direction, fillers, vowels without a shape, the Mongolian separator.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180e}' => Kind::Hidden,
        // Without width, marks of direction, breaks, invisible operators; a blank of Braille and one of Hangul.
        '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}' => Kind::Hidden,
        // Annotations, what steers shorthand and music, tags.
        '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Kind::Hidden,
        _ => Kind::Seen,
    }
}

/// Whether a sign is of a script that has joiners, or an emoji. Latin, Greek, Cyrillic and Hebrew have none.
fn is_joined(sign: char) -> bool {
    sign >= '\u{600}' && !sign.is_whitespace() && matches!(kind(sign), Kind::Seen | Kind::Selector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_or_reorders_is_found() {
        for sign in [
            '\0',
            '\n',
            '\u{85}',
            '\u{ad}',
            '\u{61c}',
            '\u{180e}',
            '\u{200b}',
            '\u{200e}',
            '\u{200f}',
            '\u{2028}',
            '\u{2029}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{2800}',
            '\u{3164}',
            '\u{feff}',
            '\u{fff9}',
            '\u{e0001}',
            '\u{e0041}',
        ] {
            let text = format!("a{sign}b");
            assert_eq!(unseen(&text), Some(sign), "{text:?}");
        }
        // A joiner or a selector with nothing to join or to select hides, too.
        for text in [
            "gpt\u{200d}4",
            "gpt\u{200c}",
            "\u{200d}क",
            "क\u{200d}",
            "क\u{200d}\u{200d}ष",
            "\u{fe0f}",
            "字\u{fe00}\u{fe01}",
        ] {
            assert!(unseen(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        for (text, shown) in [
            ("plain", "plain"),
            ("two\n\tlines", "two\n\tlines"),
            ("a,b\r\nc,d\r\n", "a,b\r\nc,d\r\n"),
            ("\u{1b}]0;title\u{7}x", "\\u{1b}]0;title\\u{7}x"),
            ("over\rwritten", "over\\u{d}written"),
            ("\u{9b}31mred", "\\u{9b}31mred"),
            ("a\u{8}\u{7f}b", "a\\u{8}\\u{7f}b"),
            ("invoice\u{202e}fdp.exe", "invoice\\u{202e}fdp.exe"),
            ("\u{2066}left\u{2069}", "\\u{2066}left\\u{2069}"),
            ("gpt\u{200b}-4", "gpt\\u{200b}-4"),
            ("می\u{200c}خواهم 👩\u{200d}🔬", "می\u{200c}خواهم 👩\u{200d}🔬"),
        ] {
            assert_eq!(visible(text), shown);
            assert!(unseen(&visible_line(text)).is_none(), "{text:?}");
            // In JSON the value stays what it was.
            let json = serde_json::to_string_pretty(&[text]).expect("texts are JSON");
            let line = visible_json(&json).replace('\n', "");
            assert_eq!(unseen(&line), None, "{text:?}");
            assert_eq!(serde_json::from_str::<[String; 1]>(&line).ok(), Some([text.to_owned()]));
        }
        assert_eq!(visible_line("a\nb"), "a\\u{a}b");
        assert_eq!(visible_json("\"\u{e0041}\""), "\"\\udb40\\udc41\"");
    }

    #[test]
    fn what_people_write_may_stand() {
        for text in [
            "",
            "GPT-5 (high), naïve — “quoted” …",
            "信任博弈：第一轮",
            "葛\u{e0100}飾区",
            "اختبار النموذج",
            "می\u{200c}خواهم",
            "क्\u{200d}ष हिन्दी",
            "ภาษาไทย 한국어 ᠮᠣᠩᠭᠣᠯ",
            "שָׁלוֹם",
            "👩🏽\u{200d}💻 ❤\u{fe0f}\u{200d}🔥 🏳\u{fe0f}\u{200d}🌈 1\u{fe0f}\u{20e3} 🇩🇪",
        ] {
            assert_eq!(unseen(text), None, "{text:?}");
        }
    }
}
