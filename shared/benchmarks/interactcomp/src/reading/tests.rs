//! The P vectors of the specification (3.4) and the argument checks (3.3), in both profiles.
//!
//! What `strict` makes of each vector was settled before it was written. Where it is not obvious:
//!
//! | id | strict | why |
//! | --- | --- | --- |
//! | P1 | `empty`, `no_action` for `{}`, `no_object` for the rest | five texts, three different things to tell the player |
//! | P2, P3, P4, P7 | the action | well-formed |
//! | P5, P8 | the last one | the last object that fits wins |
//! | P6 | the second block | the first is not JSON; the second fits |
//! | P9 | `missing_argument` | `{x}` is not JSON; the object after it is an ask without its question |
//! | P10 | `no_action` | `name` is not in the schema; a fault is better than a guess |
//! | P11 | `no_params`, `params_not_object` | an ask needs a question |
//! | P12 | `no_params` | `arguments` is not in the schema |
//! | P13 | `action_not_text` | a number is not a name |
//! | P14 | `unknown_action` | case is exact |
//! | P15 | ask, `raw_breaks` noted | 10.7 counts the reference's refusal as a fault, and the meaning is plain |
//! | P16, P17, P18, P19 | ask | what stands around an object is not looked at |
//! | P20 | ask, `name_trimmed` noted | names are trimmed |
//! | P21 | `same_key` | it is unclear which of two actions is meant |

mod hostile;

use super::*;
use crate::mode::Mode;
use turnwise_core::python;
use turnwise_core::testing::cases;

const ASK_Q: &str = "ask {'question': 'q'}";

fn full() -> &'static [ActionName] {
    Mode::Full.actions()
}

/// Name and arguments as Python prints them.
fn as_reference(text: Option<&str>) -> String {
    let call = reference(text);
    format!("{} {}", call.name, python::repr(&Json::Object(call.params)))
}

/// The action and what was put right, or the class of the fault.
fn shown(reading: &Reading) -> String {
    match &reading.result {
        Ok(action) => {
            let params = python::repr(&Json::Object(action.params()));
            let repairs: Vec<String> = reading.repairs.iter().map(Repair::to_string).collect();
            format!("{} {params} {}", action.name(), repairs.join("; ")).trim_end().to_owned()
        }
        Err(fault) => fault.class().to_owned(),
    }
}

fn as_strict(text: Option<&str>) -> String {
    shown(&strict(text, full()))
}

#[test]
fn the_p_vectors_hold_in_both_profiles() {
    // A vector's id, the text with `F` for a fence and `⏎` for a newline, and what either profile makes of it.
    let rows = cases::<(&str, &str, &str, &str)>(include_str!("tests/vectors.jsonl"));
    for (id, text, by_reference, by_strict) in rows {
        let text = text.replace('F', "```").replace('⏎', "\n");
        assert_eq!(as_reference(Some(&text)), by_reference, "{id} reference: {text}");
        assert_eq!(as_strict(Some(&text)), by_strict, "{id} strict: {text}");
    }
    assert_eq!(as_reference(None), " {}");
    assert_eq!(as_strict(None), "empty");
}

/// Random texts, read by Python with the patterns of the specification (`vectors.py`).
#[test]
fn reference_reads_as_python_does() {
    let rows: Vec<[String; 3]> = serde_json::from_str(include_str!("vectors.json")).unwrap();
    assert_eq!(rows.len(), 400);
    for [text, name, params] in rows {
        assert_eq!(as_reference(Some(&text)), format!("{name} {params}"), "{text:?}");
    }
}

/// The argument checks: a call, what `reference` does with it and what `strict` does.
#[test]
fn arguments_are_checked() {
    let rows = cases::<(&str, &str, &str)>(include_str!("tests/arguments.jsonl"));
    for (members, by_reference, by_strict) in rows {
        let text = format!("{{\"action\":{members}}}");
        assert_eq!(shown(&reference(Some(&text)).reading(full())), by_reference, "{text}");
        assert_eq!(as_strict(Some(&text)), by_strict, "{text}");
    }
}

/// E15, and what the strict profile makes of the same confidences.
#[test]
fn confidence_becomes_text() {
    let rows = [
        (r#""""#, "0", Ok("")),
        ("null", "None", Err("wrong_type")),
        ("0", "0", Ok("0")),
        (r#""85%""#, "85%", Ok("85%")),
        ("85", "85", Ok("85")),
        ("0.85", "0.85", Ok("0.85")),
        (r#""high""#, "high", Ok("high")),
        ("[90]", "[90]", Err("wrong_type")),
        ("true", "True", Err("wrong_type")),
    ];
    let confidence = |reading: Reading| match reading.result {
        Ok(Action::Answer { confidence, .. }) => Ok(confidence),
        Ok(other) => panic!("{other:?}"),
        Err(fault) => Err(fault.class()),
    };
    for (written, by_reference, by_strict) in rows {
        let text = format!(
            "{{\"action\":\"answer\",\"params\":{{\"answer\":\"Foo\",\"confidence\":{written}}}}}"
        );
        assert_eq!(
            confidence(reference(Some(&text)).reading(full())),
            Ok(by_reference.to_owned()),
            "{text}"
        );
        assert_eq!(confidence(strict(Some(&text), full())), by_strict.map(str::to_owned), "{text}");
    }
}

/// What the final round of the reference code falls back to (E2, E3, E4, E4c, Q5).
#[test]
fn the_fallback_takes_any_answer_argument() {
    let rows = cases::<(&str, &str)>(include_str!("tests/fallbacks.jsonl"));
    for (text, answer) in rows {
        assert_eq!(reference(Some(text)).fallback_answer(), answer, "{text}");
    }
}

#[test]
fn only_the_mode_s_actions_are_allowed() {
    let ask = r#"{"action":"ask","params":{"question":"q"}}"#;
    let search = r#"{"action":"search","params":{"query":"a"}}"#;
    let allowed = Mode::SearchOnly.actions();
    for reading in [reference(Some(ask)).reading(allowed), strict(Some(ask), allowed)] {
        let fault = reading.result.unwrap_err();
        assert_eq!(fault.to_string(), "ask is not allowed here; allowed: search, answer");
    }
    // The schema is the mode's: the last object that fits it is the search.
    assert_eq!(shown(&strict(Some(&format!("{search} {ask}")), allowed)), "search {'query': 'a'}");
    assert_eq!(shown(&strict(Some(&format!("{search} {ask}")), full())), ASK_Q);
}

#[test]
fn reasoning_is_never_acted_upon() {
    let ask = r#"{"action":"ask","params":{"question":"q"}}"#;
    let search = r#"{"action":"search","params":{"query":"a"}}"#;
    assert_eq!(as_strict(Some(&format!("<think>{search}</think>{ask}"))), ASK_Q);
    assert_eq!(as_strict(Some(&format!("{ask}<think>{search}</think>"))), ASK_Q);
    assert_eq!(as_strict(Some(&format!("maybe {search} no</think>{ask}"))), ASK_Q);
    assert_eq!(as_strict(Some(&format!("<think>{search}"))), "no_object");
    assert_eq!(
        as_strict(Some("<think>{\"a</think>{\"action\":\"ask\",\"params\":{\"question\":\"q\"}}")),
        ASK_Q
    );
    // A tag inside the only object is text.
    assert_eq!(
        as_strict(Some(" {\"action\":\"ask\",\"params\":{\"question\":\"is <think> a tag\"}}\n")),
        "ask {'question': 'is <think> a tag'}"
    );
}

#[test]
fn the_fault_tells_most() {
    let cases = cases::<(&str, &str)>(include_str!("tests/faults.jsonl"));
    for (text, class) in cases {
        assert_eq!(as_strict(Some(text)), class, "{text}");
    }
    let long = format!("{{\"action\":\"{}\",\"params\":{{}}}}", "x".repeat(1000));
    assert!(strict(Some(&long), full()).result.unwrap_err().to_string().len() < 100);
}

#[test]
fn the_part_that_was_taken_is_kept() {
    let text = "so: ```json\n{\"action\":\"ask\",\"params\":{\"question\":\"q\"}}\n```";
    let object = "{\"action\":\"ask\",\"params\":{\"question\":\"q\"}}";
    assert_eq!(reference(Some(text)).reading(full()).taken(text), Some(object));
    assert_eq!(strict(Some(text), full()).taken(text), Some(object));
    assert_eq!(strict(Some("{x"), full()).taken("{x"), Some("{"));
    assert_eq!(strict(Some("x"), full()).taken("x"), None);
}

#[test]
fn actions_and_faults_are_plain_json() {
    let action = Action::Answer { answer: "Foo".to_owned(), confidence: "90".to_owned() };
    assert_eq!(
        serde_json::to_string(&action).unwrap(),
        r#"{"action":"answer","answer":"Foo","confidence":"90"}"#
    );
    let fault = Fault::NotAllowed { action: ActionName::Ask, allowed: vec![ActionName::Answer] };
    let text = serde_json::to_string(&fault).unwrap();
    assert_eq!(text, r#"{"fault":"not_allowed","action":"ask","allowed":["answer"]}"#);
    assert_eq!(serde_json::from_str::<Fault>(&text).unwrap(), fault);
}
