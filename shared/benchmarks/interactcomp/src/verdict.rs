//! What the grader's text says (specification 6.1).

use serde::{Deserialize, Serialize};

use turnwise_core::parse::verdict::{self, NO, Word, YES};
use turnwise_core::python;

/// A grader's verdict on an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The answer names the same thing as the truth.
    Correct,
    /// It does not.
    Wrong,
}

impl Verdict {
    /// 1 for a correct answer, 0 for a wrong one.
    pub fn score(self) -> f64 {
        match self {
            Verdict::Correct => 1.0,
            Verdict::Wrong => 0.0,
        }
    }
}

/// Reads a text as the reference code does: `yes` anywhere in it is a correct answer, everything else (also no text) a
/// wrong one.
pub fn reference(text: Option<&str>) -> Verdict {
    if python::lower(python::strip(text.unwrap_or_default())).contains("yes") {
        Verdict::Correct
    } else {
        Verdict::Wrong
    }
}

/// Reads a text strictly. `None` if it says neither yes nor no: the grader is asked again.
pub fn strict(text: Option<&str>) -> Option<Verdict> {
    const VERDICTS: [Word<Verdict>; 2] =
        [Word::of(Verdict::Correct, YES), Word::of(Verdict::Wrong, NO)];
    verdict::read(text.unwrap_or_default(), &VERDICTS)
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Correct, Wrong};
    use super::*;

    /// The G vectors, and what `strict` makes of them: no verdict where neither word is said, or both.
    #[test]
    fn the_g_vectors_hold_in_both_profiles() {
        let rows = [
            ("G1", "yes", Correct, Some(Correct)),
            ("G1", "Yes.", Correct, Some(Correct)),
            ("G1", " \n yes", Correct, Some(Correct)),
            ("G2", "no", Wrong, Some(Wrong)),
            ("G2", "No", Wrong, Some(Wrong)),
            ("G2", "", Wrong, None),
            ("G2", "maybe", Wrong, None),
            ("G2", "known", Wrong, None),
            ("G2", "是", Wrong, Some(Correct)),
            ("G3", "no, not yes", Correct, None),
            ("G3", "NO YES", Correct, None),
            ("G3", "eyes", Correct, None),
        ];
        for (id, text, by_reference, by_strict) in rows {
            assert_eq!(reference(Some(text)), by_reference, "{id} reference: {text:?}");
            assert_eq!(strict(Some(text)), by_strict, "{id} strict: {text:?}");
        }
        assert_eq!(reference(None), Wrong);
        assert_eq!(strict(None), None);
    }

    #[test]
    fn strict_looks_through_markdown_and_reasoning() {
        let rows = [
            ("**Yes**", Some(Correct)),
            ("\"no\"", Some(Wrong)),
            ("> _yes_, both name it", Some(Correct)),
            ("No—another one", Some(Wrong)),
            ("<think>no</think>yes", Some(Correct)),
            ("yes/no", None),
            ("yes|no", None),
            ("no-one", None),
            ("yes_no", None),
            ("yes’", Some(Correct)),
            ("The answer is yes", Some(Correct)),
            ("yesno", None),
        ];
        for (text, verdict) in rows {
            assert_eq!(strict(Some(text)), verdict, "{text:?}");
        }
        assert_eq!((Correct.score(), Wrong.score()), (1.0, 0.0));
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_read(text in "(?s)(yes|no|/|’|-|.){0,20}") {
            let _ = (strict(Some(&text)), reference(Some(&text)));
        }
    }
}
