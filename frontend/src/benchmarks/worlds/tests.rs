use super::*;
use turnwise_shared::prompt::{ActionForm, Expect, Parameter, Rendered, Written};

use crate::view::asked::parts;
use crate::view::testing::question;

#[test]
fn an_editor_begins_with_the_draft_and_nobody_else_does() {
    let parts = [("draft", "{\"text\": \"Q?\"}")];
    let of = |seat: &str| Studio.begins(&question(seat, Expect::Text, &parts));
    let editor = of("editor");
    assert_eq!((editor.fields["json"].as_str(), editor.action), (parts[0].1, None));
    let player = of("player");
    assert!(player.fields.is_empty() && player.draft.is_none());
}

#[test]
fn after_a_fault_an_editor_goes_on_with_what_was_written() {
    let typed = "{\"text\": \"Q";
    let edit = ActionForm {
        name: action::EDIT.to_owned(),
        parameters: vec![Parameter { name: action::JSON.to_owned(), hint: String::new() }],
        written: Written::Action,
    };
    let mut again = question("editor", Expect::Text, &[("fault", "it ends too early")]);
    let mine = edit.text(&[typed.to_owned()]);
    again.messages = vec![
        Rendered::text(Role::User, "Decide."),
        Rendered::text(Role::Assistant, mine),
        Rendered::text(Role::User, "It ends too early."),
    ];
    // Without the draft, and with it: it stays what it was.
    for draft in [None, Some("{\"text\": \"Q?\"}")] {
        let part = draft.map(|draft| ("draft".to_owned(), draft.to_owned()));
        again.parts.splice(0..0, part);
        let begins = Studio.begins(&again);
        assert_eq!(begins.action.as_deref(), Some(action::EDIT));
        assert_eq!(begins.fields["json"], typed);
        assert_eq!(begins.draft.map(|draft| draft.text).as_deref(), draft);
    }
    let shown = parts(&again, &[]);
    let faults: Vec<_> = shown.iter().map(|part| part.is_fault).collect();
    assert_eq!(faults, [false, true], "what was wrong stands last");
}

#[test]
fn what_is_no_change_to_a_draft_is_told_before_it_is_sent() {
    let draft = r#"{"text": "Q?", "time_window": {"from": 2036, "to": 2037}}"#;
    assert_eq!(unfit(draft, r#"{"text": "Q2?"}"#), None);
    for (written, says) in [
        ("{\"text\"", "no JSON yet"),
        ("[]", "in braces"),
        ("{}", "in braces"),
        (r#"{"txt": "Q?"}"#, "“txt”"),
        (
            r#"{"time_window": {"from": "abc"}}"#,
            "time_window.from: a whole number is wanted, not the text “abc”",
        ),
    ] {
        let said = unfit(draft, written).unwrap_or_default();
        assert!(said.contains(says), "{written}: {said}");
        assert!(!said.contains("i64") && !said.contains("params"), "{said}");
    }
}
