//! Reading a move (specification 5.b): what the reference code takes for one, and what we do.

use turnwise_core::parse;
use turnwise_core::prelude::*;

use super::game::Action;

/// A move that was read, with what had to be put right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    pub action: Action,
    /// The word as it stood there.
    pub extracted: String,
    /// What was put right, in a few words.
    pub repairs: Vec<String>,
}

/// The first whole word that is COOPERATE or DEFECT, letter case aside; any other word or refusal around it is not looked
/// at.
///
/// # Errors
/// If there is none.
pub fn reference(text: Option<&str>) -> Result<Read, Fault> {
    let text = text.filter(|text| !text.is_empty()).ok_or_else(no_text)?;
    let (action, word) = words(text).next().ok_or_else(no_word)?;
    Ok(Read { action, extracted: word.to_owned(), repairs: Vec::new() })
}

/// The one of the two words that is said, outside of reasoning between tags. Both words, or neither, is no move.
///
/// # Errors
/// If there is no text, neither word, or both.
pub fn strict(text: Option<&str>) -> Result<Read, Fault> {
    let text = text.ok_or_else(no_text)?;
    let said = parse::said(text);
    let bare = said.trim();
    if bare.is_empty() {
        return Err(no_text());
    }
    let mut found = words(bare);
    let (action, word) = found.next().ok_or_else(no_word)?;
    if found.any(|(other, _)| other != action) {
        return Err(Fault::new("two_words", "both COOPERATE and DEFECT are said"));
    }
    let mut repairs = Vec::new();
    if said.len() != text.len() {
        repairs.push("reasoning between tags left out".to_owned());
    }
    if bare != word {
        repairs.push("the word was taken out of a longer reply".to_owned());
    } else if word != action.label() {
        repairs.push("letter case".to_owned());
    }
    Ok(Read { action, extracted: word.to_owned(), repairs })
}

fn no_text() -> Fault {
    Fault::new("no_text", "the reply is empty")
}

fn no_word() -> Fault {
    Fault::new("no_word", "neither COOPERATE nor DEFECT stands there as a word of its own")
}

/// The whole words that are moves. A word is a run of letters, digits and underscores.
fn words(text: &str) -> impl Iterator<Item = (Action, &str)> {
    text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).filter_map(|word| {
        [Action::Cooperate, Action::Defect]
            .into_iter()
            .find(|action| word.eq_ignore_ascii_case(action.label()))
            .map(|action| (action, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Action::{Cooperate, Defect};

    /// The vectors of specification 5.e with what the reference code reads, and the column of our own reading.
    const VECTORS: [(&str, Option<Action>, Result<Action, &str>); 16] = [
        ("defect", Some(Defect), Ok(Defect)),
        ("**COOPERATE**", Some(Cooperate), Ok(Cooperate)),
        ("## DEFECT ##", Some(Defect), Ok(Defect)),
        ("I will not defect. COOPERATE", Some(Defect), Err("two_words")),
        ("COOPERATE or DEFECT", Some(Cooperate), Err("two_words")),
        ("Defect.", Some(Defect), Ok(Defect)),
        ("C", None, Err("no_word")),
        ("", None, Err("no_text")),
        ("DEFECTED", None, Err("no_word")),
        ("cooperate_now", None, Err("no_word")),
        // Ours.
        ("COOPERATE COOPERATE", Some(Cooperate), Ok(Cooperate)),
        ("défect", None, Err("no_word")),
        (" \n ", None, Err("no_text")),
        ("<think>DEFECT pays</think>COOPERATE", Some(Defect), Ok(Cooperate)),
        ("<think>COOPERATE", Some(Cooperate), Err("no_text")),
        ("(Cooperate)", Some(Cooperate), Ok(Cooperate)),
    ];

    #[test]
    fn every_vector_under_both_readings() {
        for (text, by_reference, by_us) in VECTORS {
            let read = reference(Some(text)).ok().map(|read| read.action);
            assert_eq!(read, by_reference, "{text:?} under reference");
            let read = strict(Some(text)).map(|read| read.action);
            let read = read.map_err(|fault| fault.class);
            assert_eq!(read, by_us.map_err(str::to_owned), "{text:?} under strict");
        }
        assert_eq!(strict(None).unwrap_err().class, "no_text");
        assert_eq!(reference(None).unwrap_err().class, "no_text");
    }

    #[test]
    fn what_was_put_right_is_said() {
        let repairs =
            |text| strict(Some(text)).expect("each of these names one action").repairs.join("; ");
        assert_eq!(repairs("DEFECT"), "");
        assert_eq!(repairs(" DEFECT\n"), "");
        assert_eq!(repairs("defect"), "letter case");
        assert_eq!(
            repairs("<think>hm</think> **DEFECT**"),
            "reasoning between tags left out; the word was taken out of a longer reply"
        );
    }
}
