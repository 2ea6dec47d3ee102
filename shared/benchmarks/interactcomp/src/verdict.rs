//! What the grader's text says (specification 6.1).

use turnwise_core::parse::verdict::{self, Word};
use turnwise_core::prelude::*;
use turnwise_core::python;

/// The answer names the same thing as the truth.
pub const YES: &str = "yes";
pub const NO: &str = "no";

/// Reads a text.
///
/// `reference`: `yes` anywhere in it is a correct answer, everything else (also no text) a wrong one. `strict`: the word that is
/// said; `None` if it is neither, and the grader is asked again.
pub fn read(text: Option<&str>, profile: Profile) -> Option<&'static str> {
    const WORDS: [Word<&str>; 2] = [Word::of(YES, verdict::YES), Word::of(NO, verdict::NO)];
    let text = text.unwrap_or_default();
    match profile {
        Profile::Reference if python::lower(python::strip(text)).contains(YES) => Some(YES),
        Profile::Reference => Some(NO),
        Profile::Strict => verdict::read(text, &WORDS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(text: Option<&str>) -> Option<&'static str> {
        read(text, Profile::Reference)
    }

    fn strict(text: Option<&str>) -> Option<&'static str> {
        read(text, Profile::Strict)
    }

    /// The G vectors, and what `strict` makes of them: no verdict where neither word is said, or both.
    #[test]
    fn the_g_vectors_hold_in_both_profiles() {
        let rows = [
            ("G1", "yes", YES, Some(YES)),
            ("G1", "Yes.", YES, Some(YES)),
            ("G1", " \n yes", YES, Some(YES)),
            ("G2", "no", NO, Some(NO)),
            ("G2", "No", NO, Some(NO)),
            ("G2", "", NO, None),
            ("G2", "maybe", NO, None),
            ("G2", "known", NO, None),
            ("G2", "是", NO, Some(YES)),
            ("G3", "no, not yes", YES, None),
            ("G3", "NO YES", YES, None),
            ("G3", "eyes", YES, None),
        ];
        for (id, text, by_reference, by_strict) in rows {
            assert_eq!(reference(Some(text)), Some(by_reference), "{id} reference: {text:?}");
            assert_eq!(strict(Some(text)), by_strict, "{id} strict: {text:?}");
        }
        assert_eq!(reference(None), Some(NO));
        assert_eq!(strict(None), None);
    }

    #[test]
    fn strict_looks_through_markdown_and_reasoning() {
        let rows = [
            ("**Yes**", Some(YES)),
            ("\"no\"", Some(NO)),
            ("> _yes_, both name it", Some(YES)),
            ("No—another one", Some(NO)),
            ("<think>no</think>yes", Some(YES)),
            ("yes/no", None),
            ("yes|no", None),
            ("no-one", None),
            ("yes_no", None),
            ("yes’", Some(YES)),
            ("The answer is yes", Some(YES)),
            ("yesno", None),
        ];
        for (text, verdict) in rows {
            assert_eq!(strict(Some(text)), verdict, "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_read(text in "(?s)(yes|no|/|’|-|.){0,20}") {
            let _ = (strict(Some(&text)), reference(Some(&text)));
        }
    }
}
