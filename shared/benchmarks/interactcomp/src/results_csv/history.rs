//! Taking the memory text apart again (specification 3.5). It was not made to be read: texts stand in it unescaped.

use crate::memory::Counts;
use crate::mode::Mode;
use crate::reading::ActionName;
use turnwise_core::lenient::line_feeds;

/// What happened in an episode.
#[derive(Clone, Default, PartialEq)]
pub struct History {
    /// The text that the player was given as the question: the question itself, perhaps after context or constraints.
    pub given: String,
    /// The rounds in which something was carried out.
    pub rounds: Vec<Round>,
    told: Option<Mode>,
}

#[derive(Clone, PartialEq)]
pub struct Round {
    pub action: String,
    /// Its arguments as one text: `key: value, key: value`.
    pub params: String,
    /// What the player was shown.
    pub observation: String,
}

const ACTION: &str = "    Action: ";

impl History {
    /// Takes a memory text apart. `question` is the bare question; it tells where the text given as the question ends.
    ///
    /// A line `[Round i]` begins a round only where i is the next number and an action line follows, because
    /// observations may contain anything. `None` if there is no first round.
    pub fn read(text: &str, question: &str) -> Option<Self> {
        let (text, question) = (line_feeds(text), &*line_feeds(question));
        let body = text.strip_prefix("[Round 1]\nUser: ")?;
        let given_end = end_of_given(body, question)?;
        let given = &body[..given_end];
        let mut rest = &body[given_end + 1..];
        let mut rounds = Vec::new();
        loop {
            let header = format!("\n[Round {}]\n{ACTION}", rounds.len() + 2);
            let end = rest.find(&header);
            rounds.push(Round::read(&rest[..end.unwrap_or(rest.len())])?);
            match end {
                Some(end) => rest = &rest[end + header.len() - ACTION.len()..],
                None => break,
            }
        }
        // Before the first record the memory shows a round without an action.
        if rounds.len() == 1 && rounds[0].action.is_empty() {
            rounds.clear();
        }
        Some(History { told: told(given, question), given: given.to_owned(), rounds })
    }

    /// Which mode the text given as the question tells, if it is one of the two that decorate it.
    pub fn told(&self) -> Option<Mode> {
        self.told
    }

    /// How many actions of each name there are.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for action in self.rounds.iter().filter_map(|round| ActionName::named(round.action.trim()))
        {
            counts.add(action);
        }
        counts
    }
}

/// Where the text given as the question ends: before an action line, after the bare question if that is found.
fn end_of_given(body: &str, question: &str) -> Option<usize> {
    let line = format!("\n{ACTION}");
    let mut ends = body.match_indices(&line).map(|(at, _)| at);
    let first = ends.next()?;
    let after_question =
        std::iter::once(first).chain(ends).find(|end| body[..*end].ends_with(question));
    Some(after_question.unwrap_or(first))
}

fn told(given: &str, question: &str) -> Option<Mode> {
    let before = given.strip_suffix(question)?.strip_suffix("QUESTION:\n")?;
    Some(if before.starts_with("CONTEXT:\n") { Mode::FullWithContext } else { Mode::ForcedAsk })
}

impl Round {
    /// Reads `    Action: name (params)` and `Observation: …`.
    fn read(text: &str) -> Option<Self> {
        let (call, observation) = text.strip_prefix(ACTION)?.split_once(")\nObservation: ")?;
        let (action, params) = call.split_once(" (")?;
        Some(Round {
            action: action.to_owned(),
            params: params.to_owned(),
            observation: observation.to_owned(),
        })
    }
}
