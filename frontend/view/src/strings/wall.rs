//! By what the wall is sorted and grouped, and what its groups are called.

use super::capitalised;
use crate::number::{count, counted};

/// By a label of the tasks: its name begins with a capital and has blanks between its words.
pub fn label(name: &str) -> String {
    capitalised(&name.replace('_', " "))
}

/// One of several answers to the same question.
pub fn sample(sentence: &str, answer: Option<&str>) -> String {
    match answer.filter(|answer| !answer.is_empty() && !sentence.contains(answer)) {
        Some(answer) => format!("{sentence}: “{answer}”"),
        None => sentence.to_owned(),
    }
}
/// How many of them are right.
pub fn right_samples(right: usize, of: usize) -> String {
    format!("{} of {} right", count(right), count(of))
}
/// The group of episodes with this many turns.
pub fn turns(turns: usize) -> String {
    counted(turns, "turn", "turns")
}
/// The group of those that ask so often.
pub fn asks(asks: usize) -> String {
    match asks {
        0 => NEVER_ASKS.to_owned(),
        asks => counted(asks, "ask", "asks"),
    }
}
/// The group of those that ask first in this turn.
pub fn first_asks(turn: Option<u32>) -> String {
    match turn {
        Some(turn) => format!("First asks in turn {turn}"),
        None => NEVER_ASKS.to_owned(),
    }
}
const NEVER_ASKS: &str = "Never asks";
/// The group of episodes with at most this many tokens.
pub fn tokens(most: u64) -> String {
    match most {
        0 => "No tokens".to_owned(),
        most => format!("Up to {} tokens", count(most)),
    }
}
/// The group of tasks without a label.
pub fn without(label: &str) -> String {
    format!("Without {}", label.replace('_', " "))
}
/// How many episodes a group has.
pub fn episodes(episodes: usize) -> String {
    counted(episodes, "episode", "episodes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_with_blanks_and_a_capital() {
        assert_eq!(label("min_asks"), "Min asks");
        assert_eq!(label("domain"), "Domain");
        assert_eq!(label(""), "");
        assert_eq!(without("min_asks"), "Without min asks");
    }
}
