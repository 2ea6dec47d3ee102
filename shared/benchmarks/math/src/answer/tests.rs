//! Answers against mathematics, against the official kinds, and against hostile input.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;

use super::*;

mod math_verify;

struct Pair {
    expected: &'static str,
    given: &'static str,
    truth: char,
    /// Whether a rule has to decide it.
    must: bool,
    problem: &'static str,
}

fn pairs() -> impl Iterator<Item = Pair> {
    let lines = include_str!("pairs.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or_default();
        let (expected, given, truth, problem) = (cell(), cell(), cell(), cell());
        Pair {
            expected,
            given,
            truth: truth.chars().next().expect("a truth"),
            must: truth.ends_with('!'),
            problem,
        }
    })
}

fn sign(graded: &Graded) -> char {
    match graded.verdict {
        Verdict::Equal => '=',
        Verdict::Unequal => '/',
        Verdict::Undecided => '?',
    }
}

#[test]
fn no_verdict_contradicts_mathematics() {
    let mut wrong = Vec::new();
    let (mut decidable, mut decided) = (0, 0);
    for Pair { expected, given, truth, must, problem } in pairs() {
        // Equality is mutual, except for letters and words, where the expected answer is the bare one. A problem that asks for something
        // else changes nothing.
        for (problem, one, other) in [
            (problem, expected, given),
            if problem.is_empty() { ("", given, expected) } else { (problem, expected, given) },
            (
                if problem.is_empty() { "Prove your answer to the riddle." } else { problem },
                expected,
                given,
            ),
        ] {
            let graded = grade_in(problem, one, other);
            let said = sign(&graded);
            let is_first = one == expected;
            if said != '?' && said != truth
                || must
                    && said == '?'
                    && is_first
                    && !(problem.starts_with("Prove") && (one.contains('i') || other.contains('i')))
            {
                wrong.push(format!("{one} | {other} is {truth}: {graded} ({problem})"));
            }
        }
        decidable += usize::from(truth != '?');
        decided += usize::from(truth != '?' && sign(&grade_in(problem, expected, given)) != '?');
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(pairs().count() >= 400 && decided * 10 >= decidable * 9, "{decided} of {decidable}");
}

/// The kinds of the official answers (wave 2, D): 42 of 52 have a rule.
#[test]
fn official_answers_have_their_kinds() {
    let Some(bytes) = crate::tests::official() else {
        return;
    };
    let tasks = crate::tasks::load("official", &bytes).expect("the official file loads as it is");
    let mut counts = BTreeMap::new();
    for task in &tasks.tasks {
        *counts.entry(kind(task.field("answer").expect("an answer"))).or_insert(0) += 1;
    }
    let counts: Vec<i32> =
        Kind::ALL.iter().map(|kind| counts.get(kind).copied().unwrap_or(0)).collect();
    assert_eq!(counts, [24, 2, 5, 3, 2, 1, 1, 2, 2, 10]);
}

#[test]
fn the_outcome_is_one_line() {
    let lines = [
        (("28", "28"), "equal, integer: the same text"),
        (("2^3", "9"), "unequal, integer expression: their normal forms differ"),
        (("5", "\\frac{5}{0}"), "undecided, integer: division by zero"),
        (("5", "{5"), "undecided, integer: the answer is not read: a bracket is not closed"),
    ];
    for ((expected, given), line) in lines {
        assert_eq!(grade(expected, given).to_string(), line);
    }
}

/// How long one comparison may take; a debug build is many times slower, and what is not bounded takes minutes.
const MOST_TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 10_000 } else { 10 });

#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "this test is about time")]
fn grade_in_time(expected: &str, given: &str) -> Graded {
    // The machine may do something else meanwhile, so the best of three attempts counts.
    let attempt = || {
        let start = std::time::Instant::now();
        let graded = grade(expected, given);
        (start.elapsed(), graded)
    };
    let (mut took, graded) = attempt();
    for _ in 0..2 {
        if took >= MOST_TIME {
            took = took.min(attempt().0);
        }
    }
    let shown: String = given.chars().take(60).collect();
    assert!(took < MOST_TIME, "{took:?}: {expected} | {shown}: {graded}");
    graded
}

#[test]
fn hostile_answers_end_in_a_sentence_and_in_time() {
    let nested = |open: &str, close: &str, depth: usize| {
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
    };
    let mut hostile = vec![
        "1/0".to_owned(),
        "\\frac{1}{1-1}".to_owned(),
        "10^10^10".to_owned(),
        "2^{-10^{10}}".to_owned(),
        "(10^10^10)!".to_owned(),
        "5000!".to_owned(),
        "\\binom{100000}{5000}".to_owned(),
        "(1+x)^{400}".to_owned(),
        "(1+x+y+z+a+b+c)^{400}".to_owned(),
        "(1+\\sqrt{2}+\\sqrt{3}+\\sqrt{5})^{300}".to_owned(),
        "((1/3+x)^{40}+1/7)^{40}".to_owned(),
        "e^{e^{e^{e}}}".to_owned(),
        "\\ln(\\ln(\\ln(\\ln 2)))".to_owned(),
        "\\tan(10^{30})".to_owned(),
        "\\sqrt[64]{2^{9000}+1}".to_owned(),
        "9".repeat(2_000),
        format!("0.{}", "3".repeat(1_900)),
        "1/".repeat(900) + "7",
        "\\frac{1}{1+".repeat(150) + "x" + &"}".repeat(150),
        vec!["\\sin(1)"; 200].join("+"),
        vec!["\\sin(n)\\cos(n)"; 30].join("+"),
        vec!["\\sqrt{2}"; 200].join("\\cdot "),
        format!("\\{{{}\\}}", (0..300).map(|n| n.to_string()).collect::<Vec<_>>().join(",")),
        nested("\\frac{", "}{2}", 10_000),
        nested("\\boxed{", "}", 10_000),
        nested("(", ")", 39),
        nested("{", "}", 500),
        nested("2^{", "}", 150),
        "{".repeat(10_000),
        "}".repeat(1_900),
        "-".repeat(1_900),
        "\\".repeat(1_900),
        "$".repeat(1 << 20),
        ".".repeat(1 << 20),
        "1".repeat(1 << 20),
        "x^".repeat(900),
        "(".repeat(40) + "1,",
        "\u{202e}28\u{0}".to_owned(),
    ];
    hostile.push(format!("{}+{}", hostile[6], hostile[6]));
    for expected in ["28", "x^2+1", "e^{-\\pi/2}", "\\binom{k}{n}2^{n}", "(1, 2)"] {
        for given in &hostile {
            let graded = grade_in_time(expected, given);
            assert_ne!(graded.verdict, Verdict::Equal, "{given}");
            assert!(!graded.reason.is_empty());
            let _ = grade_in_time(given, expected);
            let _ = grade_in_time(given, &format!("{given} + 0"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 500 } else { 100_000 }))]

    #[test]
    fn any_answer_is_compared_in_time(
        given in "(\\\\frac|\\\\sqrt|\\\\binom|\\\\sin|\\\\ln|\\\\pi|e|[{}()\\[\\]^_!+*/,.<-]|[0-9]{1,4}|[a-zA-Z]| |\\PC){0,40}",
        expected in "(28|x\\^2\\+1|e\\^\\{2\\}|2/3|\\(1, 2\\)|B|yes|n!|\\\\sqrt\\{2\\})",
    ) {
        grade_in_time(&expected, &given);
        let same = grade_in_time(&given, &given);
        prop_assert!(same.verdict != Verdict::Unequal, "{}", same);
    }

    /// Numbers against the arithmetic of machine integers.
    #[test]
    fn small_expressions_have_their_values(a in -50_i64..50, b in -50_i64..50, c in 1_i64..50, d in 0_u32..5) {
        let value = a * b.pow(d) + c;
        let text = format!("({a}) \\cdot ({b})^{{{d}}} + {c}");
        if b != 0 || d != 0 {
            prop_assert_eq!(grade(&value.to_string(), &text).verdict, Verdict::Equal);
            prop_assert_eq!(grade(&(value + 1).to_string(), &text).verdict, Verdict::Unequal);
        }
        let quotient = format!("\\frac{{{}}}{{{}}}", a * c, b * c);
        let wanted = if b == 0 { Verdict::Undecided } else { Verdict::Equal };
        prop_assert_eq!(grade(&format!("{a}/({b})"), &quotient).verdict, wanted);
    }

    /// Whatever stands behind a number is part of the answer, unless it is the unit that the problem names.
    #[test]
    fn nothing_is_dropped_behind_a_number(
        number in -999_i32..999,
        after in "( |\\\\,|\\\\cdot )?([a-zA-Z]|[a-z]{2,9}|\\\\(pi|alpha|theta|ln|sqrt|infty|mathbb\\{R\\}|circ|prime)|\\\\text\\{ ?[a-z]{1,9}\\}|[a-z]_[0-9]|\\^2|'|%|°)",
        problem in "(|How many (gold|silver) coins has n in \\$n\\\\pi\\$ of \\\\alpha cm\\?|Find the [a-z]{2,6} in (cm|seconds)\\.)",
    ) {
        let expected = number.to_string();
        let is_known = ["e0", "cm", "seconds"].iter().any(|unit| after.contains(unit)) || after.contains('2') && number.abs() < 2;
        prop_assume!(!is_known);
        let graded = grade_in(&problem, &expected, &format!("{number}{after}"));
        let is_zero = number == 0 && graded.verdict == Verdict::Equal && !after.contains("text");
        prop_assert!(is_zero || graded.verdict != Verdict::Equal, "{number}{after}: {graded}");
    }
}
