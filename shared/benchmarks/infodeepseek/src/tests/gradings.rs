//! Answers from evidence, judges, and the numbers of runs.

use super::*;
use crate::settings::Settings;
use turnwise_core::testing::assert_has;

fn graded(played: &Played) -> &Value {
    let grading = played.grading.as_ref().and_then(|grading| grading.outcome());
    &grading.expect("it was graded").result
}

fn replies<'a>(pages: &'a str, conclusion: &'a str) -> [&'a str; 4] {
    [DONE, conclusion, "I do not know.", pages]
}

#[test]
fn an_answer_is_judged_once_by_two_and_an_arbiter_where_they_differ() {
    let pages = ranks(&["https://a.example/1", "https://a.example/2", "https://a.example/3"]);
    let player = replies(&pages, "In 1994.");
    let seats: [(&str, &[&str]); 5] = [
        ("player", &player),
        ("answerer", &["In 1995.", "In 1994.", ""]),
        // What the player said, what it said without the web, and the answer that differs.
        ("judge", &["yes", "No.", "No"]),
        ("second", &["yes", "perhaps", "yes", "No"]),
        ("arbiter", &["yes"]),
    ];
    let (played, _) = play(json!({}), &seats);
    let result = graded(&played);
    assert_eq!(result["answers"], json!(["In 1995.", "In 1994.", null]));
    assert_eq!(
        result["verdicts"],
        json!({ "conclusion": true, "offline": false, "pages": [true, true, false] })
    );
    assert_eq!(
        result["judges"],
        json!({ "candidates": 3, "both": 3, "agree": 2, "unresolved": 0 })
    );
    assert_eq!((result["verdict"].as_str(), played.summary.score), (Some("right"), Some(1.0)));
    // The answerer sees the first pages alone, and no judge the memory.
    let asked = played.shown_to("answerer");
    assert!(asked[0].contains("https://a.example/1") && !asked[0].contains("https://a.example/2"));
    assert!(asked[2].contains("https://a.example/3"));
    assert!(played.shown_to("judge")[0].contains("Reference answer: in 1994\nCandidate: In 1994."));
    // Requests come in the order of the tasks; the second judge is asked once more at the end.
    assert_eq!((played.shown_to("judge").len(), played.shown_to("second").len()), (3, 4));
}

#[test]
fn judges_are_told_of_false_premises_or_have_one_prompt() {
    let first = |at: usize, judging: &str| {
        let settings = json!({ "mode": "offline", "judging": judging });
        let (played, _) = play_of(at, settings, &[("player", &["There was no cup in 1850."])]);
        (played.shown_to("judge")[0].to_owned(), played.summary.score)
    };
    let (ordinary, false_premise, unified) =
        (first(0, "separate"), first(1, "separate"), first(1, "unified"));
    assert!(ordinary.0.contains("The question assumes nothing false") && ordinary.1 == Some(0.0));
    assert!(
        false_premise.0.contains("The question assumes something false")
            && false_premise.1 == Some(1.0)
    );
    assert!(unified.0.contains("the candidate must say so") && unified.0 != first(0, "separate").0);
}

#[test]
fn a_judge_that_fails_leaves_it_to_the_others() {
    let seats: [(&str, &[&str]); 4] = [
        ("player", &["In 1994."]),
        ("judge", &[FAILED_CALL]),
        ("second", &["yes"]),
        ("arbiter", &["yes"]),
    ];
    let (played, _) = play(json!({ "mode": "offline" }), &seats);
    assert_eq!(played.summary.score, Some(1.0));
    let seats: [(&str, &[&str]); 4] = [
        ("player", &["In 1994."]),
        ("judge", &["yes"]),
        ("second", &["", "", ""]),
        ("arbiter", &["no"]),
    ];
    let (played, _) = play(json!({ "mode": "offline" }), &seats);
    let grading = played.grading.as_ref().and_then(|grading| grading.outcome()).expect("it ended");
    assert_eq!((grading.ending.as_str(), grading.verdict()), ("unresolved", None));
    assert_eq!(grading.result["judges"]["unresolved"], 1);
    // It is wrong in every denominator, and the run has no place on a board.
    let record = report(&spec(json!({ "mode": "offline" })), &[&played]);
    assert_has(&record, &json!({ "accuracy": 0.0, "rankable": false }));
    // An answer that is missing is wrong without a call.
    let (played, _) = play(
        json!({ "mode": "offline" }),
        &[("player", &[FILTERED]), ("judge", &[]), ("second", &[])],
    );
    assert_eq!(played.summary.score, Some(0.0));
}

#[test]
fn the_numbers_of_a_run_follow_from_its_transcripts() {
    let pages = ranks(&["https://a.example/1", "https://a.example/2"]);
    let player = replies(&pages, "In 1994.");
    let seats: [(&str, &[&str]); 2] = [("player", &player), ("answerer", &["No idea.", "in 1994"])];
    let (right, _) = play(json!({}), &seats);
    let wrong: [&str; 4] = [DONE, "The Reds.", "There was no cup in 1850.", "[]"];
    let (wrong, _) = play_of(1, json!({}), &[("player", &wrong)]);
    let spec = spec(json!({}));
    let record = report(&spec, &[&right, &wrong]);
    assert_has(
        &record,
        &json!({ "accuracy": 0.5, "offline_accuracy": 0.5, "ia": { "1": { "value": 0.0 }, "2": { "value": 0.5 } } }),
    );
    // Two pages by two sources, and (5 + 1) by one.
    assert_has(
        &record,
        &json!({ "eeu": 1.0, "ic": 3.5, "ic_answered": 1.0, "interference": 1.0, "best_ia": 0.5 }),
    );
    assert!(record["ic_interval"][0].as_f64().is_some_and(|low| low >= 1.0));
    let summaries = [&right.summary, &wrong.summary];
    let whole = crate::metrics::report(&spec, &summaries);
    let breakdown = |by: &str, value: &str| {
        let rows = whole.breakdowns.iter().filter(|breakdown| breakdown.by == by);
        let row =
            rows.flat_map(|breakdown| &breakdown.rows).find(|row| row.value == value).expect(value);
        (row.n, row.score)
    };
    // G16: a question counts in each of its values.
    let (half, one) = ((2, Some(0.5)), (1, Some(1.0)));
    for (by, value, wanted) in [
        ("attributes", "multi-hop", one),
        ("attributes", "false premise", (1, Some(0.0))),
        ("language", "English", half),
        ("language", "Chinese", one),
        ("domain", "history", half),
        ("domain", "geography", one),
    ] {
        assert_eq!(breakdown(by, value), wanted, "{value}");
    }
    assert_eq!(record["without_attributes"]["multi_hop"]["value"], 0.0);
    assert_eq!(
        ["engine", "steps", "mode"].map(|by| breakdown(
            by,
            match by {
                "engine" => "made-up",
                "steps" => "5",
                _ => "agent",
            }
        )),
        [(2, Some(0.5)); 3]
    );
    let part = |name: &str| {
        let row = whole.tables[0].rows.iter().find(|row| row.name == name).expect(name);
        (row.n, row.cells.clone())
    };
    let all = [Some(1.0), Some(0.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0), None];
    assert_eq!(part("language: Chinese"), (1, all.to_vec()));
    assert_eq!(part("mode: agent").1[5], Some(3.5));
    let reference = Spec { profile: Profile::Reference, ..spec.clone() };
    assert_eq!(report(&reference, &[&right, &wrong])["accuracy"], json!(0.5));
    let calls = &whole.tables[1].rows;
    assert_eq!((calls[0].cells[0], calls[5].cells[1]), (Some(4.0), Some(36.0)));
}

#[test]
fn a_sweep_over_steps_has_numbers_for_each() {
    let settings = json!({ "steps": [1, 3] });
    let spec = spec(settings);
    let set = questions();
    let tasks =
        turnwise_core::sweep::tasks(&InfoDeepSeek, &spec, &set).expect("they can be played");
    let ids: Vec<_> = tasks.iter().map(|task| task.id.0.as_str()).collect();
    assert_eq!(ids, ["7-t1", "7-t3", "8-t1", "8-t3"]);
    let summaries: Vec<_> =
        (0..4).map(|at| play_of(at, json!({ "steps": [1, 3] }), &[]).0.summary).collect();
    let episodes: Vec<_> = summaries.iter().collect();
    let report = crate::metrics::report(&spec, &episodes);
    assert_eq!(report.record["sweep"].as_array().map(Vec::len), Some(2));
    let by_steps = report.breakdowns.iter().find(|one| one.by == "steps").expect("it sweeps");
    let rows: Vec<_> = by_steps.rows.iter().map(|row| (row.value.as_str(), row.n)).collect();
    assert_eq!(rows, [("1", 2), ("3", 2)]);
    let study = report.study.expect("it sweeps");
    assert_eq!((study.plots[0].curves[0].points.len(), study.published[0].curves.len()), (2, 2));
    assert_eq!(Settings::of(&spec).map(|all| all.len()), Ok(2));
}

/// The ceiling of finding, what a simple bot finds, and the floor.
#[test]
fn bots_find_as_much_as_they_can() {
    let accuracy = |player: &str| {
        let mut spec = spec(json!({}));
        let seat = spec.seats.get_mut(&"player".into()).expect("there is a player");
        seat.player = player.parse().expect("a bot");
        let set = questions();
        let case = Case::new(&InfoDeepSeek, &spec, &set.tasks[0]);
        let played = case.play_by(|call, effect| match effect {
            Effect::Search(_) => Reply::found(vec![hit(1), hit(2)]),
            Effect::Use(Tool::Page(visit)) => {
                let text = "Borey Island became independent in 1994. It is small.";
                Reply::Made(Made::Page(Box::new(page(&visit.url, text))))
            }
            effect => case.answer(call, effect),
        });
        (played.summary.score, graded(&played)["verdicts"]["pages"].clone())
    };
    assert_eq!(accuracy("bot:sources"), (Some(1.0), json!([true, true])));
    let (score, pages) = accuracy("bot:searcher");
    assert!(score == Some(1.0) && pages[0] == json!(true), "{pages}");
    assert_eq!(accuracy("bot:offline"), (Some(0.0), json!([])));
}

/// 8: P + conclusion, without the web, ranking, and n answers, and each judge n + 2.
#[test]
fn calls_are_those_of_the_cost_model() {
    let plans: Vec<String> = (1..=5).map(|at| searches(&format!("query {at}"))).collect();
    let pages: Vec<String> = (1..=5).map(|at| format!("https://a.example/{at}")).collect();
    let pages = ranks(&pages.iter().map(String::as_str).collect::<Vec<_>>());
    let after = ["In 1994.", "I do not know.", &pages];
    let player: Vec<&str> = plans.iter().map(String::as_str).chain(after).collect();
    let (played, _) =
        play(json!({}), &[("player", &player), ("answerer", &["a", "b", "c", "d", "e"])]);
    let calls = |seat: &str| played.shown_to(seat).len();
    assert_eq!((calls("player") + calls("answerer"), calls("judge"), calls("second")), (13, 7, 7));
}
