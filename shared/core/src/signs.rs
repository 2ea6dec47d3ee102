//! Signs that nobody sees: they hide in a text, or turn the order of what is read around, so that a name passes for another.

/// The first sign of a text in one line that a reader does not see, or that reorders or breaks what they see: control signs,
/// marks of direction, breaks of lines and paragraphs, blanks without width, fillers, tags. `None` if every sign may stand.
///
/// What writing needs stays: joiners between signs of scripts that have them (and of emoji), and one selector of a variant after
/// what it selects.
///
/// ```
/// # use turnwise_shared::signs::unseen;
/// assert_eq!(unseen("gpt\u{202e}4"), Some('\u{202e}'));
/// assert_eq!(unseen("क्\u{200d}ष 👩\u{200d}🔬"), None);
/// ```
pub fn unseen(text: &str) -> Option<char> {
    let mut before = None;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        let may_stand = match kind(sign) {
            Kind::Seen => true,
            Kind::Hidden => false,
            Kind::Selector => before.is_some_and(|before| kind(before) == Kind::Seen),
            Kind::Joiner => {
                let after = signs.peek().copied();
                before.is_some_and(is_joined) && after.is_some_and(is_joined)
            }
        };
        if !may_stand {
            return Some(sign);
        }
        before = Some(sign);
    }
    None
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
