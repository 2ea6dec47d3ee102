//! What stands on the page of a table that is over.

use std::cmp::Ordering;

use crate::strings::capitalised;

texts!("play/over");

/// A player of the lineup, in words for people.
pub fn other(player: &str) -> String {
    match player.split_once(':') {
        Some(("model", name)) => name.to_owned(),
        None if player == "person" => "people".to_owned(),
        _ => player.to_owned(),
    }
}

/// The longest right answer that stands in the verdict, in characters; longer ones stand below it.
const SHORT: usize = 80;

/// Whether an answer was right, and what is, in words; `right` is absent where it may not be revealed. `who` answered is a part
/// of a sentence, e.g. `you`; of an episode that was taken over, `before` is who had answered what.
pub fn verdict(
    score: Option<f64>,
    (who, answer): (&str, Option<&str>),
    right: Option<&str>,
    before: Option<(&str, &str)>,
) -> String {
    let right = right.map(str::trim).filter(|right| {
        let length = right.chars().count();
        (1..=SHORT).contains(&length)
    });
    let answer = answer.map(str::trim).filter(|answer| answer.chars().count() <= SHORT);
    let is_same = right.is_some() && right == answer;
    let is_right = score.is_some_and(|score| score >= 1.0);
    let head = match score {
        Some(1.0..) => "Correct.".to_owned(),
        Some(..=0.0) => "Wrong.".to_owned(),
        Some(score) => format!("Partly correct: {:.0} %.", score * 100.0),
        None => "Not graded.".to_owned(),
    };
    let said = answer.map(|answer| format!("{who} said {answer}"));
    let said_before = before
        // Without the newer answer beside it, it would be taken for the one that was judged.
        .filter(|(_, answer)| said.is_some() && answer.chars().count() <= SHORT)
        .map(|(who, answer)| format!("{who} said {}", answer.trim()));
    let both: Vec<String> = said_before.into_iter().chain(said).collect();
    let said = (!both.is_empty()).then(|| capitalised(&both.join("; ")));
    let more = match (said, right) {
        (Some(said), _) if is_same => Some(format!("{said}.")),
        (Some(said), Some(right)) if is_right => {
            Some(format!("{said}; the reference answer is {right}."))
        }
        (Some(said), Some(right)) => Some(format!("{said}; the right answer is {right}.")),
        (None, Some(right)) => Some(format!("The right answer is {right}.")),
        (Some(said), None) => Some(format!("{said}.")),
        (None, None) => None,
    };
    match more {
        Some(more) => format!("{head} {more}"),
        None => head,
    }
}

#[cfg(test)]
mod tests {
    use super::verdict;

    #[test]
    fn a_verdict_says_what_was_said_and_what_is_right() {
        let own = |score, answer, right| verdict(score, ("you", answer), right, None);
        assert_eq!(
            own(Some(0.0), Some("Brinnock"), Some("Yelverstone")),
            "Wrong. You said Brinnock; the right answer is Yelverstone."
        );
        assert_eq!(own(Some(1.0), Some("42"), Some("42")), "Correct. You said 42.");
        assert_eq!(
            own(Some(1.0), Some("Yelverstone & Co"), Some("Yelverstone")),
            "Correct. You said Yelverstone & Co; the reference answer is Yelverstone."
        );
        // A sealed answer is not revealed, and a whole story is shown below the verdict.
        assert_eq!(own(Some(0.0), Some("no"), None), "Wrong. You said no.");
        let story = "x".repeat(200);
        assert_eq!(own(Some(0.0), None, Some(&story)), "Wrong.");
        assert_eq!(own(None, None, Some("yes")), "Not graded. The right answer is yes.");
        assert_eq!(
            verdict(Some(0.5), ("the player", Some("a")), Some("b"), None),
            "Partly correct: 50 %. The player said a; the right answer is b."
        );
        // Taken over from a model.
        let after = |score, answer| {
            let before = Some(("the model", "Brinnock"));
            verdict(Some(score), ("you", Some(answer)), Some("Yelverstone & Daughters"), before)
        };
        assert_eq!(
            after(1.0, "Yelverstone & Daughters"),
            "Correct. The model said Brinnock; you said Yelverstone & Daughters."
        );
        assert_eq!(
            after(0.0, "Brinn"),
            "Wrong. The model said Brinnock; you said Brinn; the right answer is Yelverstone & Daughters."
        );
    }
}
