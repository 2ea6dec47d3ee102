//! What the editor can do at each stage.

use super::*;
use turnwise_core::testing::cases;

fn at_question() -> Work {
    let mut work = work(Settings { repairs: 0, ..Settings::default() });
    say(&mut work, &question());
    work
}

fn at_law(law: &Value) -> Work {
    let mut work = at_question();
    say(&mut work, &json!({ "action": "accept", "params": {} }));
    say(&mut work, law);
    assert_eq!(requests(&work), [Request::ReviewLaw]);
    work
}

fn edit(json: Value) -> Value {
    json!({ "action": "edit", "params": { "json": json } })
}

#[test]
fn a_refusal_names_its_stage_and_reason() {
    let refuse = json!({ "action": "refuse", "params": { "reason": "dull" } });
    let mut work = at_question();
    say(&mut work, &refuse);
    assert_eq!(rejection(&work), (At::Question, "refused"));
    assert_eq!(work.record.rejected.as_ref().unwrap().detail, "dull");
    let mut work = at_law(&law());
    say(&mut work, &refuse);
    assert_eq!(rejection(&work), (At::Law, "refused"));
    let mut work = at_law(&law());
    for step in [json!({ "action": "accept" }), passed(), answer("Ada Choir, by 9 days"), refuse] {
        say(&mut work, &step);
    }
    assert_eq!(rejection(&work), (At::Decision, "refused"));
    assert_eq!(work.record.reached, Stage::Audit2Pass);
}

#[test]
fn members_of_a_draft_can_be_changed_one_by_one() {
    let mut work = at_question();
    let text = "Who of Ada Choir and Bea Quartet tours longer in 2028, and by how many days?";
    // As a form sends it: a text that holds an object.
    say(&mut work, &edit(json!(json!({ "text": text }).to_string())));
    let question = work.record.question.clone().unwrap();
    assert_eq!((question.text.as_str(), question.time_window.from), (text, 2028));
    assert_eq!((work.record.edits, work.record.reached), (1, Stage::Drafted));
    say(&mut work, &law());
    say(&mut work, &edit(json!({ "answer_short": "Ada Choir, 9 days" })));
    assert_eq!(requests(&work), [Request::Audit]);
    assert_eq!((work.record.edits, work.record.reached), (2, Stage::SelfChecked));
    assert_eq!(work.record.law.as_ref().unwrap().answer_short, "Ada Choir, 9 days");
}

#[test]
fn a_change_that_makes_no_sound_draft_is_sent_back() {
    for (change, says) in cases::<(Value, &str)>(include_str!("unsound_changes.jsonl")) {
        let mut work = at_law(&law());
        let before = work.record.law.clone();
        say(&mut work, &edit(change.clone()));
        let [asking] = work.open() else { panic!("{change}") };
        assert_eq!(asking.request, Request::ReviewLaw);
        assert!(asking.back[0].fault.contains(says), "{change}: {asking:?}");
        assert_eq!((&work.record.law, work.record.edits), (&before, 0));
    }
}

#[test]
fn a_change_is_checked_before_it_is_sent_as_it_is_read_after_that() {
    let drafts = [question(), law()].map(|draft| draft.to_string());
    for (draft, text) in drafts.iter().zip(["text", "answer_short"]) {
        assert_eq!(check_edit(draft, &json!({ text: "Q?" }).to_string()), Ok(()));
        assert_eq!(check_edit(draft, draft), Ok(()), "the whole draft");
        for written in ["[]", "{}", "5", "null", "\"text\""] {
            assert_eq!(check_edit(draft, written), Err(BadEdit::NoMembers));
        }
        let broken = check_edit(draft, "{\"text\"");
        assert!(matches!(broken, Err(BadEdit::NotJson(_))), "{broken:?}");
        let unknown = check_edit(draft, r#"{"txt": "Q?"}"#);
        assert!(matches!(unknown, Err(BadEdit::Unknown { name, .. }) if name == "txt"));
    }
    let misfits = [
        (&drafts[0], r#"{"time_window": {"from": "abc"}}"#, "time_window.from"),
        (&drafts[0], r#"{"time_window": {"from": 9, "to": 1}}"#, "9 is after 1"),
        (&drafts[1], r#"{"facts": {}}"#, "facts"),
        (&drafts[1], r#"{"answer_short": " "}"#, "answer_short is blank"),
    ];
    for (draft, written, says) in misfits {
        let Err(BadEdit::Misfit(why)) = check_edit(draft, written) else {
            panic!("{written} does not fit");
        };
        assert!(why.contains(says), "{why}");
    }
}

#[test]
fn what_the_machine_objects_to_is_mended_or_refused_but_never_let_pass() {
    let accept = json!({ "action": "accept", "params": {} });
    let mut work = at_law(&unsound_law());
    say(&mut work, &accept);
    assert_eq!(requests(&work), [Request::ReviewLaw]);
    assert!(work.open()[0].back[0].fault.contains("cannot pass as it stands"));
    say(&mut work, &edit(json!({ "facts": law()["facts"] })));
    assert_eq!(requests(&work), [Request::Audit]);
    assert!(work.record.findings.is_empty());
    let mut work = at_law(&unsound_law());
    say(&mut work, &json!({ "action": "refuse", "params": { "reason": "hopeless" } }));
    assert_eq!(rejection(&work), (At::Checks, "blank"), "the machine rejected it");
    let mut work = at_law(&unsound_law());
    work.hear(vec![Heard::Silent]);
    assert_eq!(rejection(&work), (At::Checks, "blank"));
}

#[test]
fn after_the_audits_nothing_is_changed() {
    let mut work = at_law(&law());
    for step in [json!({ "action": "accept" }), passed(), answer("Ada Choir, by 9 days")] {
        say(&mut work, &step);
    }
    say(&mut work, &edit(json!({ "answer_short": "Bea Quartet" })));
    assert_eq!(requests(&work), [Request::LastLook]);
    say(&mut work, &json!({ "action": "accept" }));
    assert!(work.record.is_accepted());
}

#[test]
fn other_actions_are_no_decision() {
    let mut work = at_question();
    for text in [r#"{"action": "maybe"}"#, r#"{"accept": true}"#, "accept"] {
        say(&mut work, &json!(text));
        assert_eq!(requests(&work), [Request::ReviewQuestion], "{text}");
    }
    say(&mut work, &json!("```json\n{\"action\": \" accept \", \"params\": {}}\n```"));
    assert_eq!(requests(&work), [Request::Law]);
}
