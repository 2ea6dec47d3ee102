//! What is shown of a task beside an answer.

use crate::examples::{GAME, QUESTIONS, example};
use crate::prelude::*;
use crate::screen::sample::summary;
use crate::task_texts::{TaskTexts, one_line};

#[test]
fn every_question_of_a_file_has_its_reference_answer_beside_it() {
    let mut asking = 0;
    for benchmark in BENCHMARKS.iter() {
        let set = benchmark.samples();
        let of = |task: &Task| TaskTexts::of(*benchmark, task, &set.origin);
        // Recorded calls that are asked again have no right answer.
        let has_answers = set.tasks.iter().any(|task| of(task).right.is_some());
        for task in &set.tasks {
            let texts = of(task);
            assert_eq!(
                texts.asked.is_some() && has_answers,
                texts.right.is_some(),
                "{} {}: {texts:?}",
                benchmark.name(),
                task.id
            );
            let is_game = benchmark.task_source() == TaskSource::Spec;
            assert!(!is_game || texts == TaskTexts::default());
            asking += usize::from(texts.asked.is_some());
        }
    }
    assert!(asking > 60, "{asking} tasks ask something");
}

#[test]
fn sealed_and_encrypted_sets_are_not_shown() {
    let benchmark = example(QUESTIONS);
    let task = &benchmark.samples().tasks[0];
    let canary = "made up".to_owned();
    for origin in [TaskSetOrigin::Sealed, TaskSetOrigin::Encrypted { canary }] {
        let texts = TaskTexts::of(benchmark, task, &origin);
        assert_eq!(texts, TaskTexts::default(), "{origin:?}");
    }
    let of_game = |task: &Task| TaskTexts::of(example(GAME), task, &TaskSetOrigin::Plain);
    assert_eq!(of_game(task), TaskTexts::default());
}

#[test]
fn the_reference_answer_waits_for_the_end_of_the_episode() {
    let texts = TaskTexts { asked: Some("Who?".to_owned()), right: Some("Ada".to_owned()) };
    let mut open = summary("7", "S=");
    open.complete = false;
    open.add_texts(texts.clone());
    assert_eq!(open.measured.asked.as_deref(), Some("Who?"));
    assert_eq!(open.measured.right, None);
    open.complete = true;
    open.add_texts(texts);
    assert_eq!(open.measured.right.as_deref(), Some("Ada"));
    // What a log of another program contained is not replaced.
    open.add_texts(TaskTexts { asked: Some("Another?".to_owned()), right: None });
    assert_eq!(open.measured.asked.as_deref(), Some("Who?"));
}

#[test]
fn a_text_becomes_one_line_of_bounded_length() {
    assert_eq!(one_line(" \n\t"), None);
    assert_eq!(one_line("one\n  two\r\nthree").as_deref(), Some("one two three"));
    for long in ["word ".repeat(200), "字".repeat(1_000), format!("a {}", "é".repeat(500))] {
        let line = one_line(&long).expect("it is no blank");
        assert!(line.ends_with('…') && !line.contains('\n'), "{line}");
        assert!((230..=241).contains(&line.chars().count()), "{line}");
    }
    let just = "x".repeat(240);
    assert_eq!(one_line(&just), Some(just));
}
