use super::super::reference::CUT;
use super::*;
use turnwise_core::testing::cases;

fn mediator(line: &str) -> Mediator {
    Mediator::new(world(line), Profile::Reference)
}

fn text(text: &str) -> Said {
    Said::text(text)
}

fn failure(message: &str) -> Failure {
    Failure::new(FailureClass::Server, message)
}

const ONE: Ticket = Ticket(1);
const TWO: Ticket = Ticket(2);

/// G14: the same query twice is two logs and one call, also where nothing could be read the first time.
#[test]
fn golden_same_query_twice() {
    let hit = reply(false, Some("Tamblin: founder"), &["Mira Coll founded it."]);
    for (said, is_hit, fault) in [(hit.as_str(), true, false), ("garbage", false, true)] {
        let mut mediator = mediator(BANDS);
        asked(mediator.search(ONE, &Json::from("founder"), ""));
        let first = done(mediator.said(ONE, &text(said)));
        let second = done(mediator.search(TWO, &Json::from("founder"), "more"));
        assert_eq!((first.log.attempts, first.log.cached), (1, false));
        assert_eq!((second.log.attempts, second.log.cached), (0, true));
        assert_eq!(first.observation, second.observation);
        for log in [&first.log, &second.log] {
            assert_eq!((log.hit, log.compound, log.engine_fault), (is_hit, !is_hit, fault));
        }
        // Another spelling of the query, or one that is on its way, is asked for anew.
        asked(mediator.search(Ticket(3), &Json::from("Founder"), ""));
        asked(mediator.search(Ticket(4), &Json::from("Founder"), ""));
    }
}

/// P4 to P8 and P15 from the request to the log: whatever can be decoded is taken.
#[test]
fn golden_replies_are_taken_as_they_are() {
    let rows = cases::<(&str, (bool, bool, usize))>(include_str!("replies.jsonl"));
    for (said, (hit, compound, keys)) in rows {
        let mut mediator = mediator(BANDS);
        asked(mediator.search(ONE, &Json::from("q"), ""));
        let answer = done(mediator.said(ONE, &text(said)));
        let log = &answer.log;
        assert_eq!((log.hit, log.compound, log.keys.len()), (hit, compound, keys), "{said}");
        assert!(log.keys.iter().all(|key| key.fact.is_none()));
        assert_eq!(answer.observation, r#"{"search_query": "q", "search_result": []}"#);
    }
}

/// P16, empty content and failed calls: five attempts, and nothing is kept of them.
#[test]
fn failed_calls_are_asked_again_four_times() {
    let mut mediator = mediator(RALLY);
    asked(mediator.search(ONE, &Json::from("总里程"), ""));
    asked(mediator.said(ONE, &text("[1,2]")));
    asked(mediator.said(ONE, &text("")));
    asked(mediator.said(ONE, &Said::default()));
    asked(mediator.failed(ONE, &failure("the service is busy")));
    let last = done(mediator.failed(ONE, &failure("no answer in time")));
    assert_eq!(last.observation, "Error: Internal Service Error: no answer in time");
    let log = &last.log;
    assert_eq!((log.hit, log.compound, log.keys.len(), log.attempts), (false, true, 0, 5));
    assert!(log.engine_fault && !log.cached);
    assert_eq!(last.reading.fault.unwrap().detail, "no answer in time");
    asked(mediator.search(TWO, &Json::from("总里程"), ""));
}

#[test]
fn some_errors_end_the_attempts() {
    for message in ["HTTP 400", "waited 14000 ms", "Invalid request"] {
        let mut mediator = mediator(BANDS);
        asked(mediator.search(ONE, &Json::from("q"), ""));
        assert_eq!(done(mediator.failed(ONE, &failure(message))).log.attempts, 1);
    }
    let mut mediator = mediator(BANDS);
    asked(mediator.search(ONE, &Json::from("q"), ""));
    let refused =
        Failure { detail: json!({ "status": 400 }), ..failure("the service refused the request") };
    assert_eq!(done(mediator.failed(ONE, &refused)).log.attempts, 1);
}

#[test]
fn a_player_sees_the_results_unchanged() {
    let mut mediator = mediator(RALLY);
    let query = Json::List(vec![Json::from("里程"), Json::Null]);
    let messages = asked(mediator.search(ONE, &query, ""));
    assert_eq!(template(&messages), "engine_reference_zh");
    let task = world(RALLY).to_core();
    assert_eq!(ask(messages).variable("query", &task), Some("['里程', None]"));
    let said = r#"{"hit": 1, "matched_fact_keys": ["蓝湖拉力赛总里程", "x"], "is_compound_query": false, "reason": "hit", "search_result": [{"title": "里程", "extra": 1.50}, 7]}"#;
    let answer = done(mediator.said(ONE, &text(said)));
    assert_eq!(
        answer.observation,
        r#"{"search_query": ["里程", null], "search_result": [{"title": "里程", "extra": 1.5}, 7]}"#
    );
    assert_eq!(answer.log.keys, [Key { spelling: 0, fact: Some(2) }]);
    assert_eq!(answer.reading.applied["reason"], "hit");
}

#[test]
fn a_long_trajectory_is_cut() {
    let shown = |trajectory: &str| {
        let mut mediator = mediator(BANDS);
        let messages = asked(mediator.search(ONE, &Json::from("q"), trajectory));
        let task = world(BANDS).to_core();
        ask(messages).variable("trajectory", &task).unwrap().to_owned()
    };
    let just = "字".repeat(30_000);
    assert_eq!(shown(&just), just);
    let long = format!("begin{just}end");
    let cut = shown(&long);
    assert_eq!(cut.chars().count(), 20_000 + CUT.chars().count());
    assert!(cut.starts_with(CUT) && cut.ends_with("字end"));
    // The same again at the second attempt.
    let mut mediator = mediator(BANDS);
    asked(mediator.search(ONE, &Json::from("q"), &long));
    let again = asked(mediator.failed(ONE, &failure("busy")));
    let task = world(BANDS).to_core();
    assert_eq!(ask(again).variable("trajectory", &task), Some(cut.as_str()));
}
