//! Hostile texts, and any text at all.

use proptest::strategy::Strategy;

use super::super::*;
use super::full;
use turnwise_core::json;
use turnwise_core::prelude::*;

/// Each of these would take minutes if it were read anew from every fence or brace.
#[test]
fn hostile_texts_are_read_in_linear_time() {
    let n = 1 << 16;
    for text in [
        "```{".repeat(n),
        "```json\n".repeat(n),
        format!("{}{}", "`".repeat(n), " ".repeat(n)),
        format!("```{{{}", "} ".repeat(n)),
        "{\"action\":".repeat(n),
        format!("{{\"action\":\"{}\"}}", "x".repeat(n)),
        format!("{{{}}}", (0..n / 8).map(|key| format!("\"k{key}\":1,")).collect::<String>()),
        format!(
            "{{{}\"action\":1}}",
            (0..n / 8).map(|key| format!("\"k{key}\":1,")).collect::<String>()
        ),
    ] {
        assert!(strict(Some(&text), full()).result.is_err());
        assert!(reference(Some(&text)).reading(full()).result.is_err());
    }
}

/// Texts made of the pieces of actions, so that many of them are nearly right.
fn nearly_an_action() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "{",
        "}",
        "\"action\"",
        ":",
        "\"ask\"",
        ",",
        "\"params\"",
        "{\"question\":\"q\"}",
        "\"",
        "\\",
        "```",
        "json",
        "\n",
        " ",
        "<think>",
        "</think>",
        "x",
        "[",
        "]",
        "{\"action\":\"ask\",\"params\":{\"question\":\"q\"}}",
        "1e999",
        "NaN",
    ]);
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_read(text in "(?s).*") {
        let _ = strict(Some(&text), full());
        let call = reference(Some(&text));
        let _ = (call.fallback_answer(), call.reading(full()));
    }

    #[test]
    fn what_is_nearly_an_action_can_be_read(text in nearly_an_action()) {
        let reading = strict(Some(&text), full());
        if let Ok(action) = &reading.result {
            // What is applied can be read again from the part that was taken.
            let again = strict(reading.taken(&text), full());
            proptest::prop_assert_eq!(again.result.as_ref(), Ok(action));
        }
        let call = reference(Some(&text));
        if let Some(span) = call.span.clone() {
            let object = json::parse(&text[span], Dialect::Python);
            proptest::prop_assert_eq!(object.ok(), call.object.clone().map(Json::Object));
        }
        let _ = call.reading(full());
    }

    #[test]
    fn a_well_formed_action_is_read_the_same_by_both(question in "(?s).{0,40}[a-z]") {
        let mut literal = String::new();
        json::write_ascii(&question, &mut literal);
        let text = format!("{{\"action\":\"ask\",\"params\":{{\"question\":{literal}}}}}");
        let wanted = Ok(Action::Ask { question });
        proptest::prop_assert_eq!(strict(Some(&text), full()).result, wanted.clone());
        proptest::prop_assert_eq!(reference(Some(&text)).reading(full()).result, wanted);
    }
}
