//! What a reply is taken for, and that no reply breaks anything.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::schema::{Answered, Audit1, Compared, ParaLaw, ParaQuestion};

const QUESTION: &str = r#"{"text": "Which?", "time_window": {"from": 2027, "to": 2028}, "outputs": [{"name": "larger", "type": "name"}]}"#;

fn fault_of<T: Schema + std::fmt::Debug>(text: Option<&str>) -> (String, String) {
    let fault = read::<T>(text).unwrap_err().fault;
    (fault.class, fault.detail)
}

#[test]
fn an_object_is_found_whatever_stands_around_it() {
    for text in [
        QUESTION.to_owned(),
        format!("```json\n{QUESTION}\n```"),
        format!("Here it is: {QUESTION} I hope {{it}} helps."),
        format!("<think>{{\"text\": \"draft\"}} no</think>\n{QUESTION}"),
        format!("{{\"text\": 5}}\n{QUESTION}"),
    ] {
        let read =
            read::<ParaQuestion>(Some(&text)).unwrap_or_else(|bad| panic!("{text}: {bad:?}"));
        assert_eq!(read.value.text, "Which?");
        assert_eq!(read.reading.extracted.as_deref(), Some(QUESTION));
    }
}

#[test]
fn members_that_nobody_asked_for_are_passed_over_and_noted() {
    let text = r#"{"answer": "42 km", "confidence": 0.9}"#;
    let read = read::<Answered>(Some(text)).unwrap();
    assert_eq!(read.reading.repaired, ["passed over confidence"]);
}

#[test]
fn faults_have_a_class_and_say_where() {
    assert_eq!(fault_of::<ParaQuestion>(None).0, fault::EMPTY);
    assert_eq!(fault_of::<ParaQuestion>(Some(" \n")).0, fault::EMPTY);
    assert_eq!(fault_of::<ParaQuestion>(Some("I would rather not.")).0, fault::NO_OBJECT);
    assert_eq!(fault_of::<ParaQuestion>(Some(r#"{"text": "Which"#)).0, fault::NOT_JSON);
    assert_eq!(fault_of::<ParaQuestion>(Some(r#"{"text": "a", "text": "b"}"#)).0, fault::NOT_JSON);
    let cut_off = r#"{"facts": [{"key": "a", "value": "b"}, {"key": "#;
    let (class, detail) = fault_of::<ParaLaw>(Some(cut_off));
    assert_eq!(class, fault::NOT_JSON);
    assert!(detail.contains("ends too early"), "{detail}");
    let (class, detail) = fault_of::<ParaQuestion>(Some(r#"{"text": "Which?"}"#));
    assert_eq!(class, fault::MISFIT);
    assert!(detail.contains("time_window"), "{detail}");
    let late = r#"{"text": "Which?", "time_window": {"from": 2030, "to": 2027}}"#;
    assert!(fault_of::<ParaQuestion>(Some(late)).1.contains("2030 is after 2027"));
    let number =
        r#"{"facts": [{"key": "a", "value": 5}], "answer_short": "x", "answer_long": "y"}"#;
    let (_, detail) = fault_of::<ParaLaw>(Some(number));
    assert!(detail.starts_with("facts[0].value: "), "{detail}");
    let blank = r#"{"facts": [], "answer_short": " ", "answer_long": "y"}"#;
    assert_eq!(fault_of::<ParaLaw>(Some(blank)).1, "answer_short is blank");
    assert!(fault_of::<Audit1>(Some(r#"{"pass": "yes"}"#)).1.starts_with("pass"));
    assert_eq!(fault_of::<Compared>(Some("{}")).0, fault::MISFIT);
}

#[test]
fn too_much_is_refused() {
    let fact = json!({ "key": "a", "value": "b" });
    let many = json!({ "facts": vec![fact; 201], "answer_short": "x", "answer_long": "y" });
    assert!(fault_of::<ParaLaw>(Some(&many.to_string())).1.contains("201 facts"));
    let long = json!({ "answer": "x".repeat(9000) }).to_string();
    assert!(fault_of::<Answered>(Some(&long)).1.contains("longer than"));
    // What is quoted back and noted stays short.
    assert!(shown(&"喵".repeat(9000)).chars().count() <= 401);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_the_reader(text in prop_oneof![
        any::<String>(),
        "[\\{\\}\\[\\]\"`,:a-z0-9\\\\ \n]{0,200}",
        (0_usize..200).prop_map(|depth| "{\"facts\":[".repeat(depth)),
        (0_usize..200).prop_map(|depth| "{\"a\":".repeat(depth) + &"}".repeat(depth)),
    ]) {
        let _ = read::<ParaQuestion>(Some(&text));
        let _ = read::<ParaLaw>(Some(&text));
        let _ = read::<Audit1>(Some(&text));
        if let Err(unread) = read::<Answered>(Some(&text)) {
            prop_assert!(!unread.fault.detail.is_empty());
        }
    }
}
