use crate::reading::player::Calling::{Parallel, Sequential};
use crate::reading::syntax::*;
use turnwise_core::json::parse;
use turnwise_core::prelude::*;
use turnwise_core::spec::Profile::{self, Reference, Strict};
use turnwise_core::testing::cases;

/// Names and arguments of the calls of a text, as text.
fn built(syntax: Syntax, text: &str, profile: Profile) -> Vec<String> {
    let calls = syntax.calls(text, Parallel, profile);
    let shown = |call: Call| match call.body {
        Body::Json(text) => text,
        Body::Built { name, arguments } => {
            format!("{name} {}", serde_json::to_string(&arguments).unwrap())
        }
    };
    calls.into_iter().map(shown).collect()
}

/// Specification 5.3: the calls that each syntax reads in a text.
#[test]
fn calls_of_every_syntax() {
    for (syntax, profile, text, calls) in
        cases::<(Syntax, Profile, &str, Vec<&str>)>(include_str!("syntax.jsonl"))
    {
        assert_eq!(built(syntax, text, profile), calls, "{syntax:?} {profile:?}: {text}");
    }
    let many = format!("{}{{}}</tool_call>", "<tool_call>".repeat(10_000));
    assert_eq!(built(Syntax::Default, &many, Strict), ["{}"]);
    let span =
        Syntax::Default.calls("x<tool_call>{}</tool_call>y", Sequential, Reference)[0].span.clone();
    assert_eq!(span, 1..26);
}

#[test]
fn deepseek_calls_that_are_not_as_they_should_be() {
    let text = |json: &str| {
        format!(
            "t <|tool▁call▁begin|>function<|tool▁sep|>web_search\n```json\n{json}\n```<|tool▁call▁end|>"
        )
    };
    let whole = text(r#"{"query": "a"}"#);
    let unmarked = whole.replace("```json", "```");
    assert_eq!(built(Syntax::Deepseek, &unmarked, Reference).len(), 1);
    // One after the other, a last call that does not decode is no call; side by side it is left out.
    let broken = format!("{whole}{}", text("{"));
    assert!(Syntax::Deepseek.calls(&broken, Sequential, Reference).is_empty());
    assert_eq!(Syntax::Deepseek.calls(&broken, Parallel, Reference).len(), 1);
}

#[test]
fn glm_leaves_the_closing_tag_out() {
    let open = "thought <tool_call>{\"name\": \"web_search\"}";
    assert_eq!(mend_glm(&format!("{open}<|observation|>")), Some(format!("{open}</tool_call>")));
    assert_eq!(mend_glm(&format!("{open}\n<|user|> ")), Some(format!("{open}</tool_call>")));
    assert_eq!(mend_glm(&format!("{open}</tool_call>")), None);
    assert_eq!(mend_glm("<tool_call>{\"name\""), None);
    assert_eq!(mend_glm("prose<|user|>"), None);
}

#[test]
fn names_in_settings() {
    let all = [
        Syntax::Default,
        Syntax::Deepseek,
        Syntax::Glm4,
        Syntax::Minimax,
        Syntax::Qwen35,
        Syntax::KimiK2,
    ];
    let names: Vec<String> =
        all.iter().map(|syntax| serde_json::to_string(syntax).unwrap()).collect();
    assert_eq!(names.join(" "), r#""default" "deepseek" "glm4" "minimax" "qwen35" "kimi_k2""#);
    assert!(parse(&names[5], Dialect::Strict).is_ok());
}
