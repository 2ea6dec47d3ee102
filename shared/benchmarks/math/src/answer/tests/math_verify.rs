//! The table of pairs once more, by Python's math-verify where it is installed.

use std::io::Write as _;
use std::process::{Command, Stdio};

use super::*;

/// Pairs that math-verify reads as something else than mathematicians write: the marks and notations are ours to read, and our
/// verdict is that of the table.
const READ_OTHERWISE: [(&str, &str); 8] = [
    // The principal root is complex there; a problem about numbers means the real one.
    ("\\sqrt[3]{-8}", "-2"),
    // A product of two letters.
    ("\\pi", "pi"),
    // Superscripts and the minus sign of Unicode are left out.
    ("5x^4 - 325x^2 + 311", "5x⁴ − 325x² + 311"),
    // The chain of comparisons is a condition there, not the interval that it describes.
    ("(13, 2028/119)", "13 < m < 2028/119"),
    ("[0, 1)", "0 \\le x < 1"),
    // An exponent without braces is one digit there.
    ("2^-3", "1/8"),
    ("2^3^2", "512"),
    ("2^3^2", "64"),
];

/// A Python that has math-verify: that of `TURNWISE_PYTHON`, else `python3`.
fn python() -> Option<String> {
    let named = std::env::var("TURNWISE_PYTHON").ok();
    let has = |python: &String| {
        let asked = Command::new(python).args(["-c", "import math_verify"]).output();
        asked.is_ok_and(|output| output.status.success())
    };
    named.into_iter().chain(["python3".to_owned()]).find(has)
}

#[test]
fn math_verify_differs_on_nothing_that_both_decide() {
    let Some(python) = python() else {
        eprintln!("skipped: no Python has math-verify; name one that has in TURNWISE_PYTHON");
        return;
    };
    let decided: Vec<(&str, &str, bool)> = pairs()
        .filter(|pair| pair.problem.is_empty())
        .filter_map(|Pair { expected, given, .. }| {
            let graded = grade(expected, given);
            let by_rule = !matches!(graded.kind, Kind::Letter | Kind::YesNo | Kind::Text);
            let equal = match graded.verdict {
                Verdict::Equal => true,
                Verdict::Unequal => false,
                Verdict::Undecided => return None,
            };
            by_rule.then_some((expected, given, equal))
        })
        .collect();
    let asked: Vec<_> = decided.iter().map(|pair| [pair.0, pair.1]).collect();
    let mut child = Command::new(python)
        .args(["-c", include_str!("math_verify.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Python starts");
    let asked = serde_json::to_vec(&asked).expect("texts are JSON");
    let input = child.stdin.take();
    input.expect("it reads").write_all(&asked).expect("it reads");
    let output = child.wait_with_output().expect("it ends").stdout;
    let said: Vec<Option<bool>> = serde_json::from_slice(&output).expect("a verdict for each pair");
    assert_eq!(said.len(), decided.len());
    assert!(said.iter().flatten().count() > 100, "it reads most pairs");
    let differ: Vec<_> = decided
        .iter()
        .zip(said)
        .filter(|((_, _, ours), theirs)| theirs.is_some_and(|theirs| theirs != *ours))
        .map(|((expected, given, _), _)| (*expected, *given))
        .filter(|pair| !READ_OTHERWISE.contains(pair))
        .collect();
    assert_eq!(differ, []);
}
