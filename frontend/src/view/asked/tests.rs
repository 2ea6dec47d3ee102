use super::*;
use turnwise_shared::prompt::{Parameter, Rendered};
use turnwise_shared::scene::Scene;

fn question(seat: &str, expect: Expect, parts: &[(&str, &str)]) -> Question {
    Question {
        seat: Seat::new(seat),
        expect,
        messages: Vec::new(),
        parts: parts
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect(),
        scene: Scene::default(),
    }
}

fn keys(question: &Question) -> Vec<(String, String)> {
    let Desk::Words(all) = desk(question) else {
        panic!("it is answered with a word");
    };
    all.into_iter().map(|word| (word.key, word.text)).collect()
}

#[test]
fn a_word_says_what_a_model_would_write() {
    let choices = ["yes", "no", "i don't know"].map(str::to_owned).to_vec();
    let responder = question("responder", Expect::Choice(choices), &[]);
    let pair = |key: &str, text: &str| (key.to_owned(), text.to_owned());
    assert_eq!(
        keys(&responder),
        [pair("y", "yes"), pair("n", "no"), pair("d", "i don't know")]
    );
    assert_eq!(said(&responder, "i don't know"), "I don't know");
    assert_eq!(said(&responder, "something else"), words::WRITTEN);
    let other = Expect::Choice(vec!["red".to_owned(), "blue".to_owned()]);
    assert_eq!(
        keys(&question("x", other, &[])),
        [pair("1", "red"), pair("2", "blue")]
    );
    let form = ActionForm {
        name: "answer".to_owned(),
        parameters: vec![Parameter {
            name: "verdict".to_owned(),
            hint: String::new(),
        }],
        written: Written::Tag,
    };
    let judge = question("judge", Expect::Actions(vec![form.clone()]), &[]);
    assert_eq!(
        keys(&judge),
        [
            pair("c", "<answer>Correct</answer>"),
            pair("i", "<answer>Incorrect</answer>")
        ]
    );
    let player = question("player", Expect::Actions(vec![form]), &[]);
    assert!(matches!(desk(&player), Desk::Forms(_)));
    assert_eq!(put(&judge), Some(words::AGREES));
    assert_eq!((put(&responder), put(&player)), (None, None));
}

#[test]
fn what_ends_a_play_is_offered_last() {
    let form = |name: &str| ActionForm {
        name: name.to_owned(),
        parameters: Vec::new(),
        written: Written::Action,
    };
    let names = |forms: &[&str]| -> Vec<String> {
        let forms = offered(forms.iter().map(|name| form(name)).collect());
        forms.into_iter().map(|form| form.name).collect()
    };
    assert_eq!(
        names(&["answer", "search", "ask"]),
        ["search", "ask", "answer"]
    );
    assert_eq!(names(&["answer"]), ["answer"]);
    assert_eq!(names(&["edit", "accept"]), ["edit", "accept"]);
}

#[test]
fn an_answer_of_several_actions_is_called_by_its_name() {
    let form = |name: &str| ActionForm {
        name: name.to_owned(),
        parameters: Vec::new(),
        written: Written::Action,
    };
    let both = Expect::Actions(vec![form("accept"), form("refuse")]);
    let editor = question("editor", both, &[]);
    let refused = form("refuse").text(&[]);
    assert_eq!(said(&editor, &refused), "refuse");
    assert_eq!(said(&editor, "{\"action\": \"shrug\"}"), words::WRITTEN);
    let alone = question("player", Expect::Actions(vec![form("answer")]), &[]);
    assert_eq!(said(&alone, &form("answer").text(&[])), words::WRITTEN);
}

#[test]
fn json_is_set_as_code_and_words_are_not() {
    let code = |text: &str| parts(&question("editor", Expect::Text, &[("draft", text)]))[0].is_code;
    assert!(code("{\n  \"text\": \"问\"\n}"));
    assert!(code("[1]"));
    for words in ["{not JSON", "1992", "\"Ada\"", "A choir."] {
        assert!(!code(words), "{words}");
    }
}

#[test]
fn an_editor_begins_with_the_draft_and_nobody_else_does() {
    let parts = [("draft", "{\"text\": \"Q?\"}")];
    let of = |seat: &str| begins(&question(seat, Expect::Text, &parts));
    let editor = of("editor");
    assert_eq!(
        (editor.fields["json"].as_str(), editor.action),
        (parts[0].1, None)
    );
    assert_eq!(of("player"), Begins::default());
}

#[test]
fn after_a_fault_an_editor_goes_on_with_what_was_written() {
    let typed = "{\"text\": \"Q";
    let edit = ActionForm {
        name: action::EDIT.to_owned(),
        parameters: vec![Parameter {
            name: action::JSON.to_owned(),
            hint: String::new(),
        }],
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
        let begins = begins(&again);
        assert_eq!(begins.action.as_deref(), Some(action::EDIT));
        assert_eq!(begins.fields["json"], typed);
        assert_eq!(begins.draft.as_deref(), draft);
    }
    let shown = parts(&again);
    let faults: Vec<_> = shown.iter().map(|part| part.is_fault).collect();
    assert_eq!(faults, [false, true], "what was wrong stands last");
}

#[test]
fn an_engine_without_facts_is_answered_as_text() {
    let bare = question("engine", Expect::Text, &[("query", "q")]);
    assert!(matches!(desk(&bare), Desk::Forms(Expect::Text)));
    let parts = [
        ("question", "Q?"),
        ("facts", r#"{"a": "1"}"#),
        ("query", "a?"),
    ];
    let whole = question("engine", Expect::Text, &parts);
    let Desk::Engine(sheet) = desk(&whole) else {
        panic!("the facts are there");
    };
    assert_eq!(sheet.facts().len(), 1);
    let shown: Vec<_> = super::parts(&whole)
        .into_iter()
        .map(|part| (part.title, part.is_point))
        .collect();
    assert_eq!(
        shown,
        [("Question".to_owned(), false), ("Query".to_owned(), true)],
        "the facts stand among the controls"
    );
}

#[test]
fn chinese_is_set_as_such_and_empty_parts_are_left_out() {
    let shown = parts(&question(
        "grader",
        Expect::Text,
        &[
            ("question", "他是谁？"),
            ("aliases", " "),
            ("predicted_answer", "Ada"),
        ],
    ));
    let marks: Vec<_> = shown
        .iter()
        .map(|part| (part.lang, part.is_point))
        .collect();
    assert_eq!(marks, [(Some("zh"), false), (None, true)]);
}

#[test]
fn a_player_follows_the_scene_and_is_told_what_was_wrong() {
    let mut player = question(
        Seat::PLAYER,
        Expect::Text,
        &[("question", "Who?"), ("fault", "no action")],
    );
    assert!(!draws_scene(&player));
    assert_eq!(parts(&player).len(), 2);
    player.scene.blocks.push(Block::Text {
        heading: "Question".to_owned(),
        text: "Who?".to_owned(),
    });
    assert!(draws_scene(&player));
    let shown: Vec<_> = parts(&player).into_iter().map(|part| part.text).collect();
    assert_eq!(shown, ["no action"]);
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
