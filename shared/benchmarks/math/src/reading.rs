//! What player, judge and grader say, read by either profile (specification 3.b and 3.e, wave 2 E.4).

use turnwise_core::parse::verdict::{self, NO, Word, YES};
use turnwise_core::prelude::*;
use turnwise_core::{parse, python};

/// The tag of a question.
const QUESTION: &str = "QQQQ";
pub const ANSWER: &str = "####";
/// The marker before the grader's verdict.
const VERDICT: &str = "$$$$";
/// What the judge may say, in the order in which `reference` looks for it.
pub const JUDGE_WORDS: [&str; 4] = ["Yes", "No", "Both", "Irrelevant"];
/// The same, as `strict` hears it.
const JUDGE: [Word<&str>; 4] = [
    Word::of(JUDGE_WORDS[0], YES),
    Word::of(JUDGE_WORDS[1], NO),
    Word::of(JUDGE_WORDS[2], &["both"]),
    Word::of(JUDGE_WORDS[3], &["irrelevant"]),
];
/// What the grader may write behind its marker.
const GRADES: [Word<bool>; 2] = [Word::of(true, &["1"]), Word::of(false, &["0"])];

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    Question(String),
    Guess(String),
}

/// Why a message of the player is neither (`strict`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    NoText,
    NoTag,
    TwoTags,
    Empty,
    /// A question where only guesses are allowed.
    NotAllowed,
}

impl Fault {
    /// The class under which it is counted.
    pub fn class(self) -> &'static str {
        match self {
            Fault::NoText => "no_text",
            Fault::NoTag => "no_tag",
            Fault::TwoTags => "two_tags",
            Fault::Empty => "empty",
            Fault::NotAllowed => "not_allowed",
        }
    }

    /// The fault in words, as shown to the player.
    pub fn detail(self) -> &'static str {
        match self {
            Fault::NoText => "it has no text",
            Fault::NoTag => "its last line begins with neither QQQQ: nor ####",
            Fault::TwoTags => "its last line has the tag twice",
            Fault::Empty => "nothing follows the tag",
            Fault::NotAllowed => "only guesses are allowed",
        }
    }
}

/// Reads a message of the player as the authors do: any `####` makes it a guess.
pub fn player_reference(text: &str) -> Move {
    let text = python::strip(text);
    match text.rfind(ANSWER) {
        Some(at) => Move::Guess(python::strip(&text[at + ANSWER.len()..]).to_owned()),
        None => {
            let tag = format!("{QUESTION}:");
            let question = text.rfind(&tag).map_or(text, |at| &text[at + tag.len()..]);
            Move::Question(python::strip(question).to_owned())
        }
    }
}

/// Reads a final answer as the authors do: what follows the first marker, else the whole text.
pub fn answer_reference(text: &str) -> String {
    let answer = text.split_once(ANSWER).map_or(text, |(_, answer)| answer);
    python::strip(answer).to_owned()
}

/// Reads a message of the player strictly: its last line that is not empty, with one tag at its beginning.
///
/// # Errors
/// What is wrong with it.
pub fn player_strict(text: &str) -> Result<Move, Fault> {
    let spoken = parse::said(text);
    let line = spoken.lines().map(str::trim).rfind(|line| !line.is_empty());
    // Markdown around the whole line is decoration.
    let decoration = |char: char| matches!(char, '*' | '_' | '>' | '`') || char.is_whitespace();
    let line = line.ok_or(Fault::NoText)?.trim_matches(decoration);
    if let Some(rest) = line.strip_prefix(ANSWER).filter(|rest| !rest.starts_with('#')) {
        let answer = content(rest, |rest| rest.contains(ANSWER) || find_question(rest).is_some())?;
        return Ok(Move::Guess(answer));
    }
    match find_question(line) {
        Some((0, end)) => {
            content(&line[end..], |rest| find_question(rest).is_some()).map(Move::Question)
        }
        _ => Err(Fault::NoTag),
    }
}

/// The first question tag of a line, in any case, with either colon: where it begins and ends.
fn find_question(line: &str) -> Option<(usize, usize)> {
    line.char_indices().find_map(|(at, _)| {
        let after = at + QUESTION.len();
        let tag = line.get(at..after)?;
        let colon = line[after..].chars().next().filter(|colon| matches!(colon, ':' | '：'))?;
        tag.eq_ignore_ascii_case(QUESTION).then(|| (at, after + colon.len_utf8()))
    })
}

fn content(rest: &str, has_tag: impl Fn(&str) -> bool) -> Result<String, Fault> {
    match rest.trim_matches(|char: char| char == '*' || char.is_whitespace()) {
        "" => Err(Fault::Empty),
        rest if has_tag(rest) => Err(Fault::TwoTags),
        rest => Ok(rest.to_owned()),
    }
}

/// The judge's word; `None` if it cannot be read (`strict`).
pub fn judge(text: &str, profile: Profile) -> Option<&'static str> {
    match profile {
        Profile::Reference => Some(judge_reference(text)),
        Profile::Strict => verdict::read(text, &JUDGE),
    }
}

/// The judge's word as the authors read it: the first line, else the first word that occurs anywhere.
fn judge_reference(text: &str) -> &'static str {
    let text = python::strip(text);
    let first = python::strip(python::first_line(text).unwrap_or_default());
    let same = JUDGE_WORDS.into_iter().find(|word| *word == first);
    same.or_else(|| JUDGE_WORDS.into_iter().find(|word| text.contains(word)))
        .unwrap_or("Irrelevant")
}

/// The grader's verdict; `None` if it cannot be read (`strict`). `reference`: 1 if the first word after the first marker begins with
/// 1. `strict`: the last marker, then 0 or 1 and nothing else.
pub fn grader(text: &str, profile: Profile) -> Option<bool> {
    match profile {
        Profile::Reference => Some(graded_reference(text).starts_with('1')),
        Profile::Strict => {
            let spoken = parse::said(text);
            verdict::alone(spoken.rsplit_once(VERDICT)?.1, &GRADES)
        }
    }
}

/// The grader's verdict in its own words, as the authors cut it out: what follows the first marker, else the whole text.
pub fn graded_reference(text: &str) -> &str {
    let verdict = text.split_once(VERDICT);
    python::strip(verdict.map_or(text, |(_, verdict)| verdict))
}

/// An answer without any white space, as the authors compare it in the naive run.
pub fn without_spaces(text: &str) -> String {
    text.split(python::is_space).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(read: Move) -> String {
        match read {
            Move::Question(text) => format!("Q {text}"),
            Move::Guess(text) => format!("G {text}"),
        }
    }

    /// Who said what, and how either profile reads it: specification 3.e, wave 2 E.4, and ours.
    #[test]
    fn the_vectors_hold_in_both_profiles() {
        let mut rows = 0;
        for line in include_str!("reading.tsv").lines().skip(1) {
            let cells: Vec<String> =
                line.split('\t').map(|cell| cell.replace("\\n", "\n")).collect();
            let [seat, text, reference, strict] = &cells[..] else {
                panic!("four columns: {line:?}");
            };
            let fault = |fault: Fault| fault.class().to_owned();
            let invalid = || "invalid".to_owned();
            let read = match seat.as_str() {
                "player" => {
                    (shown(player_reference(text)), player_strict(text).map_or_else(fault, shown))
                }
                "judge" => (
                    judge_reference(text).to_owned(),
                    judge(text, Profile::Strict).map_or_else(invalid, str::to_owned),
                ),
                "grader" => {
                    let digit = |right: bool| u8::from(right).to_string();
                    let read = |profile| grader(text, profile).map_or_else(invalid, digit);
                    (read(Profile::Reference), read(Profile::Strict))
                }
                "answer" => (answer_reference(text), String::new()),
                _ => (without_spaces(text), String::new()),
            };
            assert_eq!((&read.0, &read.1), (reference, strict), "{line:?}");
            rows += 1;
        }
        assert!(rows > 50);
    }

    /// Python's white space and line breaks, as observed in the authors' programs.
    #[test]
    fn reference_reads_as_python_does() {
        for (text, word) in [
            ("Irrelevant\u{2028}No", "Irrelevant"),
            ("Both\u{85}Yes", "Both"),
            ("Both\u{b}Yes", "Both"),
            ("Irrelevant\rYes", "Irrelevant"),
            ("\u{1c}Irrelevant\u{1e}Yes", "Irrelevant"),
            ("Irrelevant\u{1f}Yes", "Yes"),
            ("\u{1f}", "Irrelevant"),
        ] {
            assert_eq!(judge_reference(text), word, "{text:?}");
        }
        let is_right = |text| grader(text, Profile::Reference) == Some(true);
        assert!(is_right("$$$$\u{1c}1") && !is_right("$$$$\u{200b}1"));
        assert_eq!(graded_reference("no $$$$ **1**\u{1d}"), "**1**");
        assert_eq!(answer_reference("x ####\u{1c}28\u{1f}"), "28");
        assert_eq!(shown(player_reference("#### 28\u{1d}")), "G 28");
        assert_eq!(without_spaces(" 1\u{1c}4\u{2003}"), "14");
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_read(text in "(?s)(QQQQ:|####|\\$\\$\\$\\$|Yes|<think>|：|\n|.){0,30}") {
            let _ = (player_reference(&text), player_strict(&text), answer_reference(&text));
            for profile in [Profile::Strict, Profile::Reference] {
                let _ = (judge(&text, profile), grader(&text, profile));
            }
        }
    }
}
