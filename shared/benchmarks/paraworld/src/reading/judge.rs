//! A judge's verdict (specification 7).

use super::spans::between;
use turnwise_core::parse::reasoning;
use turnwise_core::parse::verdict::{self, Word};
use turnwise_core::prelude::*;
use turnwise_core::python::strip;

choices! {
    /// Whether a prediction agrees with the reference answer.
    pub enum Verdict {
        Correct = "Correct",
        Incorrect = "Incorrect",
    }
}

impl Verdict {
    pub fn tagged(self) -> &'static str {
        match self {
            Verdict::Correct => "<answer>Correct</answer>",
            Verdict::Incorrect => "<answer>Incorrect</answer>",
        }
    }

    /// 1 for a right prediction, 0 for a wrong one.
    pub fn score(self) -> f64 {
        match self {
            Verdict::Correct => 1.0,
            Verdict::Incorrect => 0.0,
        }
    }
}

choices! {
    /// How a verdict came about, as judged lines write it.
    pub enum JudgeStatus {
        Success = "success",
        /// Nothing to judge: prediction or reference answer is blank. Incorrect, without a call.
        Skipped = "skipped",
        /// Every attempt failed. Incorrect under `reference`; under `strict` there is no verdict.
        Error = "error",
        /// `strict` only: the reply could not be read, asked twice. There is no verdict.
        Unparsed = "unparsed",
    }
}

impl JudgeStatus {
    /// How a grading ends so.
    pub fn ending(self) -> &'static str {
        match self {
            JudgeStatus::Success => "judged",
            other => other.name(),
        }
    }

    /// The status of a grading that ended so.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::named(if ending == "judged" { "success" } else { ending })
    }
}

/// The verdict without a call: a blank prediction or reference answer is incorrect.
pub fn skipped(prediction: &str, reference_answer: &str) -> Option<Verdict> {
    let blank = [prediction, reference_answer].iter().any(|text| strip(text).is_empty());
    blank.then_some(Verdict::Incorrect)
}

/// Reads a judge's reply; `None` if it cannot be read (`strict` only).
///
/// `reference`: the first answer block that holds one of the two words, thoughts included; else the word `Correct` anywhere
/// without the word `Incorrect`; else incorrect. `strict`: the last answer block after the last closed thought, which has
/// to be one of the two words in any case; without a block, the one that is said.
pub fn read(reply: Option<&str>, profile: Profile) -> Option<Verdict> {
    let text = reply.unwrap_or_default();
    match profile {
        Profile::Reference => Some(reference(text)),
        Profile::Strict => {
            const VERDICTS: [Word<Verdict>; 2] = [
                Word::of(Verdict::Correct, &["correct"]),
                Word::of(Verdict::Incorrect, &["incorrect"]),
            ];
            let spoken = &text[reasoning::read(text).after?..];
            match between(spoken, "<answer>", "</answer>").last() {
                Some(last) => verdict::alone(&spoken[last], &VERDICTS),
                None => verdict::read(spoken, &VERDICTS),
            }
        }
    }
}

fn reference(text: &str) -> Verdict {
    // Tags and words match in any case; ASCII lower case keeps every byte in its place.
    let lower = text.to_ascii_lowercase();
    let mut opens = lower.match_indices("<answer>");
    let block = opens.find_map(|(at, tag)| {
        let inside = lower[at + tag.len()..].trim_start_matches(turnwise_core::python::is_space);
        let (verdict, rest) =
            [Verdict::Correct, Verdict::Incorrect].into_iter().find_map(|verdict| {
                let word = verdict.name().to_ascii_lowercase();
                Some((verdict, inside.strip_prefix(&*word)?))
            })?;
        rest.trim_start_matches(turnwise_core::python::is_space)
            .starts_with("</answer>")
            .then_some(verdict)
    });
    block.unwrap_or_else(|| {
        if text.contains("Correct") && !text.contains("Incorrect") {
            Verdict::Correct
        } else {
            Verdict::Incorrect
        }
    })
}

/// What a judged line keeps as `think`: the first closed thought, else the whole reply.
pub fn thought(reply: &str) -> &str {
    match between(reply, "<think>", "</think>").next() {
        Some(span) => strip(&reply[span]),
        None => reply,
    }
}
