//! What the player is shown of earlier rounds, and how the reference code prints its records (specification 3.5, 9).

use turnwise_core::prelude::*;
use turnwise_core::python;

use super::reading::ActionName;

/// One entry of the memory: an action that was carried out, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub name: String,
    /// Its arguments, as the player gave them.
    pub params: Object,
    /// What the player was shown.
    pub observation: String,
}

/// The memory text: what prompts show and result files keep as `history`.
///
/// `question` is the text given as the question, which differs by mode. Without records it shows a first round without
/// an action. The reference code forgets all but the last 100 records, the question with them; this does not.
pub fn render(question: &str, records: &[Record]) -> String {
    let none_yet =
        [Record { name: String::new(), params: Object::default(), observation: String::new() }];
    let records = if records.is_empty() { &none_yet } else { records };
    let mut lines = Vec::new();
    for (index, record) in records.iter().enumerate() {
        lines.push(format!("[Round {}]", index + 1));
        if index == 0 {
            lines.push(format!("User: {question}"));
        }
        lines.push(format!("    Action: {} ({})", record.name, arguments(&record.params)));
        lines.push(format!("Observation: {}", record.observation));
    }
    lines.join("\n")
}

/// Arguments as `key: value`, joined by commas; values as Python turns them into text.
fn arguments(params: &Object) -> String {
    let members: Vec<String> =
        params.iter().map(|(key, value)| format!("{key}: {}", python::text(value))).collect();
    members.join(", ")
}

/// The observation of an accepted answer: `{'answer': 'Foo', 'confidence': '0.9'}`.
pub fn answer_observation(answer: &str, confidence: &str) -> String {
    let dict = [("answer", Json::from(answer)), ("confidence", Json::from(confidence))];
    python::repr(&Json::Object(dict.into_iter().collect()))
}

/// How many actions of each name were recorded, and how many outputs were invalid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Answers, fallbacks of the final round included.
    pub answer: u32,
    pub search: u32,
    pub ask: u32,
    /// Invalid outputs and refused early answers; they use no round.
    pub invalid: u32,
}

impl Counts {
    /// Counts one more of an action.
    pub fn add(&mut self, action: ActionName) {
        match action {
            ActionName::Answer => self.answer += 1,
            ActionName::Search => self.search += 1,
            ActionName::Ask => self.ask += 1,
        }
    }

    /// The rounds that were used: every recorded action used one.
    pub fn rounds(&self) -> u32 {
        self.answer + self.search + self.ask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Action;
    use turnwise_core::json::{Dialect, parse};

    fn record(name: &str, params: &str, observation: &str) -> Record {
        let Ok(Json::Object(params)) = parse(params, Dialect::Python) else { panic!("{params}") };
        Record { name: name.to_owned(), params, observation: observation.to_owned() }
    }

    #[test]
    fn e5_history() {
        let answer = Action::Answer { answer: "Foo".to_owned(), confidence: "0.9".to_owned() };
        let records = [
            record("search", r#"{"query":"s1"}"#, "1. T — S (src: U)"),
            record("ask", r#"{"question":"k1"}"#, "yes"),
            Record {
                name: answer.name().to_string(),
                params: answer.params(),
                observation: answer_observation("Foo", "0.9"),
            },
        ];
        let wanted = "[Round 1]\nUser: Q?\n    Action: search (query: s1)\nObservation: 1. T — S (src: U)\n[Round 2]\n    \
                      Action: ask (question: k1)\nObservation: yes\n[Round 3]\n    Action: answer (answer: Foo, \
                      confidence: 0.9)\nObservation: {'answer': 'Foo', 'confidence': '0.9'}";
        assert_eq!(render("Q?", &records), wanted);
    }

    #[test]
    fn before_the_first_record_it_is_not_empty() {
        assert_eq!(render("Q2?", &[]), "[Round 1]\nUser: Q2?\n    Action:  ()\nObservation: ");
    }

    #[test]
    fn arguments_are_printed_as_python_does() {
        let records = [record(
            "answer",
            r#"{"z":null,"answer":"a\nb","confidence":0.85,"l":["x",{"k":true}]}"#,
            "No Answer",
        )];
        assert_eq!(
            render("two\nlines", &records),
            "[Round 1]\nUser: two\nlines\n    Action: answer (z: None, answer: a\nb, confidence: 0.85, l: ['x', {'k': True}])\n\
             Observation: No Answer"
        );
        assert_eq!(
            answer_observation("it's \"x\"", "85%"),
            r#"{'answer': 'it\'s "x"', 'confidence': '85%'}"#
        );
        assert_eq!(answer_observation("it's", ""), r#"{'answer': "it's", 'confidence': ''}"#);
    }

    #[test]
    fn every_action_uses_a_round_and_what_is_invalid_none() {
        let mut counts = Counts { invalid: 2, ..Counts::default() };
        counts.add(ActionName::Answer);
        counts.add(ActionName::Search);
        counts.add(ActionName::Search);
        assert_eq!((counts.answer, counts.search, counts.ask), (1, 2, 0));
        assert_eq!(counts.rounds(), 3);
    }
}
