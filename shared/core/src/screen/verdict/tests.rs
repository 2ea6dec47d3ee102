use super::*;
use crate::metrics::report::{Column, RankingRow};
use crate::screen::sample::summary;

fn episode(id: &str, ribbon: &str, score: Option<f64>, answer: Option<&str>) -> Summary {
    let mut one = summary(id, ribbon);
    one.score = score;
    one.measured.answer = answer.map(str::to_owned);
    one
}

fn broken(id: &str, classes: &[FailureClass]) -> Summary {
    let mut one = summary(id, "S");
    one.complete = false;
    one.ending = Some("incomplete".into());
    one.failures = classes.iter().map(|class| (*class, 1)).collect();
    one
}

fn told(all: &[Summary]) -> (Causes, String) {
    let keys: Vec<_> = all.iter().map(|one| EpisodeKey::play(&one.task.id, one.repeat)).collect();
    let causes = Causes::of(keys.iter().zip(all));
    let mut out = Markup::default();
    causes.write(&mut out, "/run/0");
    (causes, out.done())
}

/// A sentence without its links.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for sign in html.chars() {
        match sign {
            '<' => is_tag = true,
            '>' => is_tag = false,
            _ if is_tag => {}
            other => text.push(other),
        }
    }
    text.trim().to_owned()
}

#[test]
fn each_episode_has_the_cause_that_ended_it() {
    let cause = |one: &Summary| Cause::of(one);
    assert_eq!(cause(&episode("1", "S=", Some(1.0), Some("a"))), None);
    assert_eq!(cause(&episode("1", "?S=", Some(0.0), Some("a"))), Some(Cause::Wrong));
    assert_eq!(cause(&episode("1", "S?", Some(0.0), None)), Some(Cause::Unreadable));
    assert_eq!(cause(&episode("1", "?S", Some(0.0), Some(" "))), Some(Cause::NoAnswer));
    assert_eq!(cause(&episode("1", "S=", Some(0.5), None)), Some(Cause::Partial));
    assert_eq!(cause(&episode("1", "S=", None, None)), Some(Cause::Ungraded));
    assert_eq!(cause(&broken("1", &[])), Some(Cause::Stopped));
    assert_eq!(cause(&broken("1", &[FailureClass::Cancelled])), Some(Cause::Stopped));
    let both = [FailureClass::Connection, FailureClass::BudgetExhausted];
    assert_eq!(cause(&broken("1", &both)), Some(Cause::Budget));
    assert_eq!(cause(&broken("1", &[FailureClass::Unauthorised])), Some(Cause::Provider));
    for cause in Cause::ALL {
        assert_eq!(Cause::named(cause.name()), Some(cause));
    }
}

#[test]
fn a_run_whose_replies_cannot_be_read_says_so_first() {
    let all: Vec<_> = (1..=20).map(|id| episode(&id.to_string(), "???", Some(0.0), None)).collect();
    let (causes, html) = told(&all);
    assert_eq!(causes.much_unread(), Some(1.0));
    assert!(html.contains("class=\"why is-bad\""), "{html}");
    assert_eq!(
        plain(&html),
        "0 of 20 episodes right. All 20 ended because replies could not be read as actions (no JSON object). See one"
    );
    assert!(html.contains("href=\"/run/0/1.r1.play?cause=unreadable\""), "{html}");
}

#[test]
fn a_tenth_of_the_loss_by_format_is_not_said_first() {
    let mut all: Vec<_> = (1..=9)
        .map(|id| episode(&id.to_string(), "S=", Some(0.0), Some(&format!("x{id}"))))
        .collect();
    all.push(episode("10", "S?", Some(0.0), None));
    let (causes, html) = told(&all);
    assert_eq!(causes.much_unread(), None);
    assert!(!html.contains("is-bad"), "{html}");
    assert_eq!(
        plain(&html),
        "0 of 10 episodes right. Why the rest failed: 9 wrong answers, 1 ended by replies that could not be read (no JSON object). See one"
    );
    all.push(episode("11", "?", Some(0.0), None));
    let (causes, html) = told(&all);
    assert!(causes.much_unread().is_some_and(|share| share < 0.2));
    assert!(plain(&html).contains("2 of 11 ended because replies could not be read as actions"));
    assert!(plain(&html).contains("Others: 9 wrong answers."));
}

#[test]
fn what_did_not_finish_is_no_wrong_answer() {
    let mut all = vec![episode("1", "S=", Some(1.0), Some("a"))];
    all.extend((2..=4).map(|id| broken(&id.to_string(), &[FailureClass::Connection])));
    all.push(broken("5", &[FailureClass::BudgetExhausted]));
    let (causes, html) = told(&all);
    assert_eq!((causes.ended, causes.right), (5, 1));
    assert_eq!(
        plain(&html),
        "1 of 5 episodes right. Why the rest failed: 3 not finished: the provider failed (connection), \
         1 not finished: the budget was used up. See one"
    );
    let right = [episode("1", "S=", Some(1.0), Some("a"))];
    assert_eq!(plain(&told(&right).1), "The episode is right.");
    assert_eq!(told(&[]).1, "");
    let outgrown =
        Summary { ending: Some(Outcome::CONTEXT.to_owned()), ..episode("1", "A", Some(0.0), None) };
    assert!(told(&[outgrown]).1.contains("1 without an answer (outgrew the context window)"));
    let points = [1, 2].map(|id| episode(&id.to_string(), "A=", Some(0.8), None));
    assert_eq!(plain(&told(&points).1), "2 episodes, none with the full score.");
}

#[test]
fn a_run_of_which_nothing_finished_has_no_share_of_right_answers() {
    let all: Vec<_> =
        (1..=9).map(|id| broken(&id.to_string(), &[FailureClass::Connection])).collect();
    assert_eq!(
        plain(&told(&all).1),
        "No episode has finished. Why: 9 not finished: the provider failed (connection). See one"
    );
}

#[test]
fn the_same_wrong_answer_is_told_and_the_first_episode_is_the_example() {
    let wrong = |id: &str, answer: &str| episode(id, "S=", Some(0.0), Some(answer));
    let mut all = vec![wrong("10", "Kivvet"), wrong("2", "kivvet "), wrong("9", "Kivvet")];
    let (_, html) = told(&all);
    assert!(plain(&html).contains("3 wrong answers (all the same)"), "{html}");
    assert!(html.contains("href=\"/run/0/2.r1.play?cause=wrong\""), "{html}");
    all.push(wrong("4", "Oskelle"));
    assert!(plain(&told(&all).1).contains("4 wrong answers (the same for 3 tasks)"));
    all.extend(["Ilsabet", "Vessamy", "Corvane"].map(|answer| wrong(answer, answer)));
    assert!(plain(&told(&all).1).contains("7 wrong answers. See one"));
}

#[test]
fn a_reply_that_was_understood_and_not_allowed_is_no_unreadable_one() {
    let ended = |fault: &str| {
        let mut one = episode("1", "S?", Some(0.0), None);
        let last = one.ribbon.last_mut().expect("two turns");
        last.fault = Some(fault.to_owned());
        plain(&told(&[one]).1)
    };
    assert!(ended("no_object").contains("could not be read"));
    assert!(!ended("too_early").contains("could not be read"));
}

#[test]
fn the_leader_of_a_ranking_is_named_with_its_distance() {
    let row = |name: &str, value: Option<f64>, interval| RankingRow {
        name: name.to_owned(),
        who: String::new(),
        n: 2,
        value,
        interval,
        cells: Vec::new(),
    };
    let told = |rows: Vec<RankingRow>| {
        let mut out = Markup::default();
        let ranking = Ranking {
            title: String::new(),
            about: String::new(),
            value: Column::new("bb/100", Unit::Number, ""),
            columns: Vec::new(),
            rows,
        };
        leader(&mut out, &ranking);
        plain(&out.done())
    };
    let apart = Some((2000.0, 4000.0));
    assert_eq!(
        told(vec![row("all-in", Some(3256.0), None), row("caller", Some(-12.0), None)]),
        "1st all-in +3,256 bb/100, 2nd caller −12 (cannot be told apart yet: n = 2)."
    );
    assert!(
        told(vec![row("a", Some(3000.0), apart), row("b", Some(-12.0), Some((-50.0, 9.0)))])
            .ends_with("(ahead of everybody else).")
    );
    assert_eq!(told(vec![row("a", None, None)]), "No ranking yet: a has no number");
    assert_eq!(told(Vec::new()), "");
}
