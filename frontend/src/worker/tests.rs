use serde_json::json;
use turnwise_shared::benchmark::default_spec;
use turnwise_shared::examples::QUESTIONS;
use turnwise_shared::metrics::figures::Figures;
use turnwise_shared::screen::sample::summary;

use super::sent::Sent;
use super::*;
use crate::prelude::*;

/// Plays of which every other one was answered rightly.
fn plays(count: usize) -> Vec<Arc<Summary>> {
    let play = |number: usize| {
        let mut summary = summary(&number.to_string(), "SSA=");
        let score = f64::from(u8::from(number.is_multiple_of(2)));
        summary.score = Some(score);
        summary.measured.score = Some(score);
        summary.measured.numbers = Figures::of(&json!({ "confidence": 1.0 / 3.0 }));
        Arc::new(summary)
    };
    (0..count).map(play).collect()
}

fn spec() -> Spec {
    default_spec(registry::find(QUESTIONS).expect("it is registered"))
}

/// What the worker says to a page that sends what it lacks and asks for a report; every message goes as bytes.
fn asked(summaries: &mut Summaries, sent: &mut Sent, plays: &[Arc<Summary>]) -> Answer {
    let keep = serde_json::to_vec(&Order::Keep(sent.add(plays))).expect("a message");
    assert!(answered(summaries, &keep).is_none());
    let count = Order::<&Summary>::Count(Box::new(Count {
        ticket: 7,
        spec: spec(),
        options: MeasureOptions::default(),
        over: sent.only(plays),
    }));
    let answer = answered(summaries, &serde_json::to_vec(&count).expect("a message"));
    let answer = serde_json::to_vec(&answer.expect("an answer")).expect("a message");
    serde_json::from_slice(&answer).expect("an answer")
}

/// The report that the page itself would count.
fn counted(plays: &[Arc<Summary>]) -> Report {
    let benchmark = registry::find(QUESTIONS).expect("it is registered");
    let plays: Vec<&Summary> = plays.iter().map(|one| &**one).collect();
    benchmark.report(&spec(), &plays, &MeasureOptions::default())
}

#[test]
fn a_report_from_the_worker_is_the_one_that_the_page_would_count() {
    let (mut summaries, mut sent, mut all) = (Summaries::default(), Sent::default(), plays(30));
    let answer = asked(&mut summaries, &mut sent, &all);
    let Answer::Counted { ticket, report } = answer else {
        panic!("no report: {answer:?}");
    };
    assert_eq!(ticket, 7);
    assert_eq!(*report.expect("a report"), counted(&all));

    // One is graded anew, one is new, one is gone.
    let mut graded = Summary::clone(&all[3]);
    graded.score = Some(0.25);
    all[3] = Arc::new(graded);
    all.remove(0);
    all.push(Arc::new(summary("31", "S=")));
    let answer = asked(&mut summaries, &mut sent, &all);
    let Answer::Counted { report, .. } = answer else {
        panic!("no report: {answer:?}");
    };
    assert_eq!(*report.expect("a report"), counted(&all));
}

#[test]
fn a_summary_is_sent_once_and_sent_again_after_it_was_forgotten() {
    let (mut sent, all) = (Sent::default(), plays(3));
    assert_eq!(sent.add(&all).len(), 3);
    assert!(sent.add(&all).is_empty());
    assert_eq!(sent.only(&all[1..]), [1, 2]);
    let again = sent.add(&all);
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].0, 3, "a number is never given twice");
    assert_eq!(sent.only(&all), [3, 1, 2]);
}

#[test]
fn a_worker_that_lacks_a_play_counts_nothing() {
    let count = Order::<&Summary>::Count(Box::new(Count {
        ticket: 1,
        spec: spec(),
        options: MeasureOptions::default(),
        over: vec![5],
    }));
    let mut summaries = Summaries::default();
    for order in [serde_json::to_vec(&count).expect("a message"), b"nonsense".to_vec()] {
        let answer = answered(&mut summaries, &order);
        assert!(matches!(answer, Some(Answer::Useless)), "{answer:?}");
    }
}

#[test]
fn over_no_play_there_is_no_report() {
    let answer = asked(&mut Summaries::default(), &mut Sent::default(), &[]);
    assert!(matches!(answer, Answer::Counted { report: None, .. }), "{answer:?}");
}
