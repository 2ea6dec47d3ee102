//! Metrics of specification 3.d.

use turnwise_core::board::published::Condition;
use turnwise_core::prelude::*;

use super::*;
use crate::metrics::{compare, estimate, matched_k, pass_at};
use turnwise_core::testing::{self, assert_has};

#[test]
fn tokens_are_estimated_as_the_authors_do() {
    for (text, tokens) in [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("  abcd  ", 1),
        ("éééééééé", 2),
        ("一二三四五", 2),
    ] {
        assert_eq!(estimate(text), tokens, "{text:?}");
    }
}

#[test]
fn k_is_rounded_by_either_profile() {
    for (ratio, reference, strict) in [
        (0.2, 1, 1),
        (0.5, 1, 1),
        (1.5, 2, 1),
        (2.5, 2, 2),
        (3.5, 4, 3),
        (2.6, 3, 3),
        (f64::NAN, 1, 1),
    ] {
        assert_eq!(matched_k(ratio, Profile::Reference), reference, "{ratio}");
        assert_eq!(matched_k(ratio, Profile::Strict), strict, "{ratio}");
    }
}

/// `n` counts problems with a verdict on both sides; a sample without one drops its problem only where pass@k hangs on it.
#[test]
fn equal_budgets_count_problems() {
    let interactive = spec(Profile::Strict, "interactive", 2, 1);
    let direct = spec(Profile::Strict, "direct", 2, 2);
    let of_task = |name: &str| {
        let mut task = task();
        task.id = name.into();
        task.digest = Digest::of(name);
        task
    };
    let (mut asked, mut sampled) = (Vec::new(), Vec::new());
    for name in ["a", "b", "c"] {
        asked.push(play_task(&interactive, &of_task(name), 1, &["#### 28"], &[]).summary());
    }
    for (name, repeat, player, others) in [
        ("a", 1, "#### 28", &[][..]),
        ("a", 2, "#### four weeks", &["?", "?"]),
        ("b", 1, "#### 27", &[]),
        ("b", 2, "#### four weeks", &["?", "?"]),
        ("c", 1, "#### four weeks", &["?", "?"]),
        ("c", 2, "#### 27", &[]),
    ] {
        sampled.push(play_task(&direct, &of_task(name), repeat, &[player], others).summary());
    }
    let found = crate::metrics::compare(&[(&interactive, &asked), (&direct, &sampled)]);
    let report = found.expect("they go together").expect("two arms");
    let row = &report.tables[0].rows[2];
    let k = row.cells[3].expect("a k");
    assert_eq!(k, 1.0, "{row:?}");
    // Of the first samples those of a and b are known.
    assert_eq!((row.n, row.cells[4]), (2, Some(0.5)));
    assert!(
        report.remarks.iter().any(|remark| remark.contains("over 2 of 3 problems")),
        "{:?}",
        report.remarks
    );
    assert!(report.tables[0].about.contains("n counts problems"));
}

/// Free final answers are messages, too: read ones and unread ones.
#[test]
fn format_errors_count_free_finals() {
    let spec = spec(Profile::Strict, "interactive", 2, 1);
    let unread = play(&spec, &["QQQQ: a?", "QQQQ: b?", "well"], &["Yes", "No"]).summary();
    let read = play(&spec, &["QQQQ: a?", "no tag", "#### 28"], &["Yes"]).summary();
    let record = crate::metrics::report(&spec, &[&unread, &read]).record;
    assert_has(
        &record,
        &json!({ "format_errors": 2, "format_error_rate": 2.0 / 6.0, "questions": 3, "guesses": 0 }),
    );
}

/// The k row of Table 3 comes out of the rule, and the counts behind the percentages are whole.
#[test]
fn the_published_table_agrees_with_itself() {
    Condition::read(crate::boards::PUBLISHED, |row, numbers| {
        for profile in [Profile::Strict, Profile::Reference] {
            let k = matched_k(numbers["tokens"] / numbers["sample_tokens"], profile);
            assert_eq!(f64::from(k), numbers["k"], "{}", row.name);
        }
        for percent in [numbers["accuracy"], numbers["pass_at_k"]] {
            let count = percent / 100.0 * f64::from(row.n.expect("it has problems"));
            assert!((count - count.round()).abs() < 0.03, "{}: {count}", row.name);
        }
    });
    let boards = Math::FACTS.boards.expect("it has boards");
    let conditions = (boards.published)();
    assert_eq!((conditions.len(), conditions[0].rows.len()), (1, 6));
    let interactive = spec(Profile::Strict, "interactive", 20, 1);
    assert_eq!((boards.beside)(&interactive).as_deref(), Some(conditions[0].name.as_str()));
    assert_eq!((boards.beside)(&spec(Profile::Strict, "interactive", 5, 1)), None);
    assert_eq!((boards.condition)(&interactive), ["interactive", "20 rounds"]);
}

#[test]
fn pass_at_k_is_unbiased() {
    assert_eq!(pass_at(1, 4, 1), Some(0.25));
    assert_eq!(pass_at(4, 4, 1), Some(1.0));
    assert_eq!(pass_at(2, 4, 0), Some(0.0));
    // 1 − C(3,2)/C(5,2) = 1 − 3/10.
    assert!((pass_at(2, 5, 2).expect("defined") - 0.7).abs() < 1e-12);
    assert_eq!(pass_at(5, 4, 1), None);
    assert_eq!(pass_at(0, 4, 1), None);
}

/// Two problems, four samples each; 28 is right.
fn direct_run(repeats: u32) -> (Spec, Vec<Summary>) {
    let spec = spec(Profile::Strict, "direct", 20, repeats);
    let mut other = task();
    other.fields.insert("question".to_owned(), "Other?".to_owned());
    other.digest = Digest::of_value(&other.fields);
    let mut summaries = Vec::new();
    for (task, answers) in [
        (task(), ["#### 1", "#### 28", "#### 2", "#### 28"]),
        (other, ["#### 1", "#### 2", "#### 3", "#### 4"]),
    ] {
        for (index, answer) in answers.iter().take(repeats as usize).enumerate() {
            let repeat = u32::try_from(index + 1).expect("few");
            summaries.push(play_task(&spec, &task, repeat, &[answer], &[]).summary());
        }
    }
    (spec, summaries)
}

fn interactive_run() -> (Spec, Vec<Summary>) {
    let spec = spec(Profile::Strict, "interactive", 2, 1);
    let mut other = task();
    other.fields.insert("question".to_owned(), "Other?".to_owned());
    other.digest = Digest::of_value(&other.fields);
    let one = play(&spec, &["QQQQ: a?", "#### 28"], &["Yes"]).summary();
    let other = play_task(&spec, &other, 1, &["#### 1", "#### 28"], &[]).summary();
    (spec, vec![one, other])
}

#[test]
fn a_direct_run_has_pass_at_every_k() {
    let (spec, summaries) = direct_run(4);
    let report = testing::report(&Math, &spec, &summaries);
    let curve = report.record["pass_at_k"].as_array().expect("a curve");
    let column =
        |key: &str| -> Vec<f64> { curve.iter().filter_map(|one| one[key].as_f64()).collect() };
    assert_eq!(column("first"), [0.0, 0.5, 0.5, 0.5]);
    let unbiased = column("unbiased");
    let wanted = [0.25, 5.0 / 12.0, 0.5, 0.5];
    assert!(
        unbiased.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 1e-12),
        "{unbiased:?}"
    );
    assert_eq!(report.record["accuracy"], json!(0.25));
    assert_eq!(report.record["decided_by"], json!({ "text": 2, "rule": 6, "grader": 0 }));
    assert_eq!(report.plots.len(), 1);
}

#[test]
fn an_interactive_run_has_its_numbers() {
    let (spec, summaries) = interactive_run();
    let report = testing::report(&Math, &spec, &summaries);
    assert_has(
        &report.record,
        &json!({ "accuracy": 1.0, "average_rounds": 2.0, "questions": 1, "guesses": 3, "tokens_per_episode": { "characters_4": (2.0 + 2.0 + 2.0 + 2.0) / 2.0 } }),
    );
    // No player solves it in the first round, both do in the second.
    let [plot] = report.plots.as_slice() else { panic!("one figure: {:?}", report.plots) };
    let points: Vec<(f64, f64)> = plot.curves[0].points.iter().map(|one| (one.x, one.y)).collect();
    assert_eq!(points, [(1.0, 0.0), (2.0, 1.0)]);
    assert!(plot.curves[0].points.iter().all(|one| one.interval.is_some()));
    let twin = report.twin.expect("it can be compared with a direct run");
    assert_eq!(twin.settings["mode"], json!("direct"));
    assert_eq!(twin.repeats, 3, "the second prompt is twice as long");
    let none = testing::report(&Math, &spec, &[]);
    assert_has(&none.record, &json!({ "accuracy": null, "average_rounds": null }));
}

#[test]
fn budgets_are_matched_in_three_currencies() {
    let (interactive, episodes) = interactive_run();
    let (direct, samples) = direct_run(4);
    let runs: [(&Spec, &[Summary]); 2] = [(&interactive, &episodes), (&direct, &samples)];
    let report = compare(&runs).expect("one player").expect("both arms");
    let currencies = report.record["runs"][0]["currencies"].as_array().expect("three").clone();
    assert_eq!(currencies.len(), 3);
    // All tokens: 600 read and 15 written against 200 and 7; the interactive prompt grows.
    let k: Vec<u64> = currencies.iter().filter_map(|one| one["k"].as_u64()).collect();
    assert_eq!(k, [3, 2, 2]);
    for one in &currencies {
        assert_eq!((&one["pass"], &one["gap"]), (&json!(0.5), &json!(0.5)), "{one}");
        assert!(one["ratio"].as_f64().is_some_and(|ratio| ratio > 1.5));
    }
    assert_eq!(report.headline.len(), 3);
    assert!(report.headline.iter().all(|figure| figure.interval.is_some()));

    let [budget] = report.budgets.as_slice() else { panic!("one figure: {:?}", report.budgets) };
    let [steps, passes] = budget.plot.curves.as_slice() else { panic!("two curves: {budget:?}") };
    let heights = |curve: &Curve| -> Vec<f64> { curve.points.iter().map(|one| one.y).collect() };
    assert_eq!(heights(steps), [0.0, 1.0]);
    assert_eq!(heights(passes), [0.0, 0.5, 0.5, 0.5]);
    // The run ends where its budget is matched, and the twin's line goes through as many answers.
    let [equal] = budget.equal.as_slice() else { panic!("one budget: {budget:?}") };
    assert_eq!(equal.x, steps.points[1].x);
    assert_eq!((equal.one, equal.other), (1.0, 0.5));
    assert_eq!(equal.name, "interactive − pass@3");
    assert!((passes.points[2].x / equal.x - 1.0).abs() < 0.1, "{budget:?}");
    let [verdict] = report.verdicts.as_slice() else {
        panic!("one verdict: {:?}", report.verdicts)
    };
    assert!(
        verdict.starts_with(
            "At the same budget (all tokens), interactive and pass@3 cannot be told apart yet: interactive is ahead by 50 points"
        ),
        "{verdict}"
    );

    // Too few samples: no pass@k, and the report says how many it takes.
    let (direct, samples) = direct_run(1);
    let report = compare(&[(&interactive, &episodes), (&direct, &samples)])
        .expect("one player")
        .expect("both arms");
    assert_eq!(report.record["runs"][0]["currencies"][0]["pass"], json!(null));
    assert_eq!(
        report.verdicts,
        [
            "At the same budget (all tokens) nothing can be said yet: it pays for 3 direct answers a problem, and the direct run has 1."
        ]
    );
    assert!(report.budgets[0].equal.is_empty());
    assert!(
        report.remarks.iter().any(|remark| remark.contains("with 3 repeats")),
        "{:?}",
        report.remarks
    );

    assert!(compare(&[(&interactive, &episodes)]).expect("fine").is_none());
    let mut other = direct.clone();
    other.seats = turnwise_core::benchmark::default_lineup(&Math);
    other
        .seats
        .insert("player".into(), other.seats[&turnwise_core::seat::Seat::new("judge")].clone());
    assert!(compare(&[(&interactive, &episodes), (&other, &samples)]).is_err());
}
