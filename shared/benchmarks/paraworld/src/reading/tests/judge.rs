use crate::reading::judge::*;
use crate::reading::player::oracle_answer;
use turnwise_core::spec::Profile::{Reference, Strict};
use turnwise_core::testing::cases;

/// Specification 7, golden vectors.
#[test]
fn golden_verdicts_of_the_reference() {
    let cases = cases::<(Option<&str>, Verdict)>(include_str!("verdicts_reference.jsonl"));
    for (reply, verdict) in cases {
        assert_eq!(read(reply, Reference), Some(verdict), "{reply:?}");
    }
}

#[test]
fn strict_reads_the_last_block_after_the_thought() {
    let cases = cases::<(Option<&str>, Option<Verdict>)>(include_str!("verdicts_strict.jsonl"));
    for (reply, verdict) in cases {
        assert_eq!(read(reply, Strict), verdict, "{reply:?}");
    }
}

#[test]
fn blank_texts_are_not_judged() {
    assert_eq!(skipped(" \n", "x"), Some(Verdict::Incorrect));
    assert_eq!(skipped("x", ""), Some(Verdict::Incorrect));
    assert_eq!(skipped("x", "y"), None);
}

#[test]
fn thoughts_and_scores() {
    assert_eq!(thought("<think> a </think>b<think>c</think>"), "a");
    assert_eq!(thought("no tags"), "no tags");
    assert_eq!((Verdict::Correct.score(), Verdict::Incorrect.score()), (1.0, 0.0));
}

/// Specification 7, last line.
#[test]
fn golden_answers_of_setting_a() {
    let reference = |text| oracle_answer(text, Reference).unwrap();
    assert_eq!(reference(Some("<answer>1</answer><answer>2</answer>")), "1");
    assert_eq!(reference(Some(" <answer>open ")), "<answer>open");
    assert_eq!(reference(None), "");
    assert_eq!(
        oracle_answer(Some("<answer>1</answer><answer>2</answer>"), Strict).as_deref(),
        Some("2")
    );
    assert_eq!(oracle_answer(Some("2"), Strict), None);
}
