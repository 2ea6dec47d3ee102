use std::collections::BTreeSet;

use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Rendered;

use super::*;
use crate::providers::tests::{SENT, call, picture, pictures, question};

fn body(call: &ModelCall, learnt: &[Parameter]) -> (Value, Settled) {
    let format = Anthropic::new(&Url::parse("https://a.example").expect("an address"));
    let learnt: BTreeSet<_> = learnt.iter().copied().collect();
    let mut settled = format.table().settle(&call.model, &call.sampling, &learnt);
    let body = format.body(call, &pictures(), &mut settled, Stream::Whole);
    (body, settled)
}

#[test]
fn the_version_of_the_path_may_be_left_out() {
    for base in
        ["https://a.example", "https://a.example/", "https://a.example/v1", "https://a.example/v1/"]
    {
        let format = Anthropic::new(&Url::parse(base).expect("an address"));
        let url = format.url(
            "m",
            &format.table().settle("m", &Sampling::default(), &Default::default()),
            Stream::Whole,
        );
        assert_eq!(url.as_str(), "https://a.example/v1/messages", "{base}");
    }
}

#[test]
fn rules_go_apart_and_pictures_are_blocks() {
    let picture = picture();
    let mut messages = question();
    messages.push(Rendered::text(Role::Assistant, "a picture?"));
    messages.push(Rendered { pictures: vec![picture], ..Rendered::text(Role::User, "here") });
    let sampling = Sampling {
        temperature: Some(0.5),
        stop: vec!["END".into()],
        max_tokens: Some(99),
        ..Sampling::default()
    };
    let (body, settled) = body(&call("claude-sonnet-4-5", messages, sampling), &[]);
    assert!(settled.departures.is_empty());
    assert_eq!(
        body,
        json!({
            "model": "claude-sonnet-4-5", "max_tokens": 99, "system": "rules",
            "temperature": 0.5, "stop_sequences": ["END"],
            "messages": [
                { "role": "user", "content": "who?" },
                { "role": "assistant", "content": "a picture?" },
                { "role": "user", "content": [
                    { "type": "text", "text": "here" },
                    { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": SENT } },
                ] },
            ],
        })
    );
}

#[test]
fn a_limit_that_nobody_chose_is_supplied_and_said() {
    let (body, settled) =
        body(&call("claude-3-haiku-20240307", question(), Sampling::default()), &[]);
    assert_eq!(body["max_tokens"], 4096);
    assert_eq!(settled.departures[0].how, Departed::Supplied(4096));
    let thinking = Sampling { thinking_tokens: Some(5000), ..Sampling::default() };
    let (body, _) = self::body(&call("claude-sonnet-4-5", question(), thinking), &[]);
    assert_eq!(body["max_tokens"], 21_000);
    assert_eq!(body["thinking"], json!({ "type": "enabled", "budget_tokens": 5000 }));
}

#[test]
fn an_effort_lets_newer_models_think_as_they_see_fit() {
    let hard = Sampling { effort: Some(Effort::High), ..Sampling::default() };
    let (body, _) = body(&call("claude-opus-4-7", question(), hard.clone()), &[]);
    assert_eq!(body["thinking"], json!({ "type": "adaptive" }));
    assert_eq!(body["output_config"], json!({ "effort": "high" }));
    let (body, _) = self::body(&call("claude-opus-4-5", question(), hard), &[]);
    assert_eq!(body.get("thinking"), None);
    let off = Sampling { thinking_tokens: Some(0), ..Sampling::default() };
    let (body, _) = self::body(&call("claude-sonnet-4-5", question(), off), &[]);
    assert_eq!(body["thinking"], json!({ "type": "disabled" }));
}

#[test]
fn a_model_without_a_place_for_rules_hears_them_first() {
    let (body, settled) = body(&call("m", question(), Sampling::default()), &[Parameter::System]);
    assert_eq!(body.get("system"), None);
    assert_eq!(body["messages"][0]["content"][0]["text"], "rules");
    let moved = &settled.departures[0];
    assert_eq!((moved.parameter.as_str(), moved.how), ("system", Departed::Moved));
}
