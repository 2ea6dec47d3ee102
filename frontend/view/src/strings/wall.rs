//! By what the wall is sorted and grouped, and what its groups are called.

use super::capitalised;

texts!("wall");

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
/// The group of tasks without a label.
pub fn without(label: &str) -> String {
    format!("Without {}", label.replace('_', " "))
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
