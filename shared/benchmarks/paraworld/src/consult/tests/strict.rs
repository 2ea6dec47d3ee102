use super::*;

fn mediator() -> Mediator {
    Mediator::new(world(BANDS), Profile::Strict)
}

const FOUNDER: &str = "Tamblin: founder";

fn good() -> Said {
    Said::text(reply(false, Some(FOUNDER), &["Tamblin was founded by Mira Coll."]))
}

const ONE: Ticket = Ticket(1);
const TWO: Ticket = Ticket(2);

fn search(mediator: &mut Mediator, ticket: Ticket, query: &str) -> Want {
    mediator.search(ticket, &Json::from(query), "not for this engine")
}

#[test]
fn a_good_reply_is_passed_on() {
    let mut mediator = mediator();
    let messages = asked(search(&mut mediator, ONE, "Who founded Tamblin?"));
    assert_eq!(template(&messages), "engine");
    let answer = done(mediator.said(ONE, &good()));
    let log = &answer.log;
    assert_eq!((log.hit, log.compound, log.attempts, log.engine_fault), (true, false, 1, false));
    assert_eq!(log.keys, [Key { spelling: 0, fact: Some(2) }]);
    assert_eq!((log.repaired_by, log.violations.len(), log.cached), (None, 0, false));
    assert!(answer.observation.starts_with(
        r#"{"search_query": "Who founded Tamblin?", "search_result": [{"id": 1, "title": "A page", "content": "Tamblin was founded by Mira Coll.", "date": "2031-05-04"}, "#
    ));
    assert_eq!(answer.reading.applied, json!({ "class": "hit", "fact": 2, "reason": "because" }));
}

#[test]
fn what_loses_nothing_is_put_right() {
    let mut mediator = mediator();
    asked(search(&mut mediator, ONE, "founder"));
    let said = good()
        .text
        .unwrap()
        .replace("\"hit\": 1", "\"hit\": true")
        .replace(FOUNDER, " ｔamblin: FOUNDER");
    let answer = done(mediator.said(ONE, &Said::text(said)));
    assert!(answer.log.hit);
    assert_eq!(answer.log.repaired_by, Some(RepairedBy::Local));
    let rules: Vec<Rule> = answer.log.violations.iter().map(|one| one.rule).collect();
    assert_eq!(rules, [Rule::I1, Rule::I5]);
    assert_eq!(answer.reading.repaired.len(), 2);
}

#[test]
fn an_engine_is_told_what_it_broke() {
    let mut mediator = mediator();
    asked(search(&mut mediator, ONE, "founder"));
    let leaking =
        reply(false, Some(FOUNDER), &["Mira Coll founded it.", "Tamblin played 148 concerts."]);
    let again = asked(mediator.said(ONE, &Said::text(leaking)));
    assert_eq!(template(&again), "engine_again");
    let task = world(BANDS).to_core();
    assert_eq!(
        ask(again).variable("violations", &task),
        Some("- I8: result 2 tells the value of fact 2")
    );
    let answer = done(mediator.said(ONE, &good()));
    assert_eq!((answer.log.attempts, answer.log.repaired_by), (2, Some(RepairedBy::Reask)));
    assert!(!answer.log.engine_fault && !answer.observation.contains("148"));
}

/// The class of the page that stands in is that of the last reply which kept I3 to I5, whatever its page was like; and it is
/// an engine fault, never a lost hit.
#[test]
fn after_three_replies_a_page_from_templates_stands_in() {
    let short = r#"{"is_compound_query": false, "hit": 1, "matched_fact_keys": ["Tamblin: founder"], "search_result": []}"#;
    let compound = reply(true, None, &[]);
    // What is said, and what the page is then.
    let rows: [([&str; 3], Option<u32>, bool); 4] = [
        (["prose", short, "more prose"], Some(2), false),
        ([short, &compound, "prose"], None, true),
        // Nothing to go by: the rule-based engine decides.
        (["", "{}", "[]"], Some(0), false),
        (["", "", &reply(false, Some("no such key"), &[])], Some(0), false),
    ];
    for (replies, fact, is_compound) in rows {
        let mut mediator = mediator();
        asked(search(&mut mediator, ONE, "Oskery concerts played 2031"));
        asked(mediator.said(ONE, &Said::text(replies[0])));
        asked(mediator.said(ONE, &Said::text(replies[1])));
        let answer = done(mediator.said(ONE, &Said::text(replies[2])));
        let log = &answer.log;
        assert_eq!((log.hit, log.compound), (fact.is_some(), is_compound), "{replies:?}");
        assert_eq!(log.keys.first().and_then(|key| key.fact), fact);
        assert_eq!((log.attempts, log.repaired_by), (3, Some(RepairedBy::Fallback)));
        assert!(log.engine_fault && !log.violations.is_empty());
        assert_eq!(answer.reading.fault.as_ref().unwrap().class, "engine_fault");
        // It is a page like any other: kept for the same query (I11), and still a fault.
        let same = done(search(&mut mediator, TWO, " oskery  CONCERTS played 2031"));
        assert!(same.log.engine_fault && same.log.cached);
        let results = |text: &str| text.split_once("\"search_result\"").unwrap().1.to_owned();
        assert_eq!(results(&same.observation), results(&answer.observation));
    }
}

#[test]
fn a_call_that_fails_for_good_is_a_fault_at_once() {
    let mut mediator = mediator();
    asked(search(&mut mediator, ONE, "Tamblin founder"));
    let failure = Failure::new(FailureClass::Server, "busy");
    let answer = done(mediator.failed(ONE, &failure));
    assert!(answer.log.hit && answer.log.engine_fault);
    assert!(answer.observation.contains("Mira Coll"));
    assert_eq!((answer.log.attempts, answer.log.violations.len()), (1, 0));
    assert_eq!(answer.reading.fault.as_ref().unwrap().class, "engine_failed");
    // What stood in was said by no engine: it is asked again, and its page is the one that counts and is kept.
    asked(search(&mut mediator, TWO, "tamblin FOUNDER"));
    let answer = done(mediator.said(TWO, &good()));
    assert!(answer.log.hit && !answer.log.engine_fault);
    let same = done(search(&mut mediator, ONE, "Tamblin founder"));
    assert!(same.log.cached && same.log.hit && !same.log.engine_fault);
}

#[test]
fn the_same_query_is_on_its_way_only_once() {
    let mut mediator = mediator();
    asked(search(&mut mediator, ONE, "Who founded “Tamblin”?"));
    assert_eq!(search(&mut mediator, TWO, "who  founded tamblin?"), Want::Wait);
    asked(search(&mut mediator, Ticket(3), "Oskery"));
    assert_eq!(search(&mut mediator, Ticket(4), "Who founded Tamblin? "), Want::Wait);
    asked(mediator.said(ONE, &Said::text("prose")));
    let Want::Done(done) = mediator.said(ONE, &good()) else {
        panic!("the reply was good");
    };
    let tickets: Vec<Ticket> = done.iter().map(|(ticket, _)| *ticket).collect();
    assert_eq!(tickets, [ONE, TWO, Ticket(4)]);
    let cached: Vec<bool> = done.iter().map(|(_, answer)| answer.log.cached).collect();
    assert_eq!(cached, [false, true, true]);
    assert!(done[1].1.observation.starts_with(r#"{"search_query": "who  founded tamblin?""#));
    let later = search(&mut mediator, Ticket(5), "WHO FOUNDED TAMBLIN?");
    assert!(matches!(later, Want::Done(done) if done[0].1.log.cached && done[0].1.log.hit));
}

#[test]
fn numbers_are_asked_for_as_texts() {
    let mut mediator = mediator();
    let messages =
        asked(mediator.search(ONE, &Json::Int(turnwise_core::json::Int::from(2031)), ""));
    let task = world(BANDS).to_core();
    assert_eq!(ask(messages).variable("query", &task), Some("2031"));
}

#[test]
fn outages_end_the_play_and_refused_requests_do_not() {
    let ends: Vec<FailureClass> = FailureClass::ALL
        .into_iter()
        .filter(|class| ends_the_play(&Failure::new(*class, "")))
        .collect();
    assert_eq!(
        ends,
        [
            FailureClass::Unauthorised,
            FailureClass::Forbidden,
            FailureClass::Quota,
            FailureClass::Blocked,
            FailureClass::Context,
            FailureClass::Unavailable,
            FailureClass::OffRecording,
            FailureClass::Cancelled,
            FailureClass::BudgetExhausted
        ]
    );
}
