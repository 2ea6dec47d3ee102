use std::collections::BTreeSet;

use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Rendered;

use super::*;
use crate::providers::tests::{SENT, call, picture, pictures, question};
use turnwise_shared::testing::cases;

fn format() -> Gemini {
    Gemini::new(&Url::parse("https://g.example").expect("an address"))
}

fn body(model: &str, messages: Vec<Rendered>, sampling: Sampling) -> (Value, Settled) {
    let call = call(model, messages, sampling);
    let table = format().table();
    let mut settled = table.settle(model, &call.sampling, &BTreeSet::new());
    let body = format().body(&call, &pictures(), &mut settled, Stream::Whole);
    (body, settled)
}

#[test]
fn the_model_stands_in_the_path() {
    for (base, model, in_pieces, url) in
        cases::<(&str, String, bool, &str)>(include_str!("paths.jsonl"))
    {
        let stream = if in_pieces { Stream::Pieces } else { Stream::Whole };
        let format = Gemini::new(&Url::parse(base).expect("an address"));
        let settled = format.table().settle(&model, &Sampling::default(), &BTreeSet::new());
        let found = format.url(&model, &settled, stream);
        assert_eq!(found.as_str(), format!("https://g.example{url}"));
    }
}

#[test]
fn what_the_narrow_version_lacks_is_asked_of_the_wider_one() {
    let format = Gemini::new(&Url::parse("https://g.example/x/v1/").expect("an address"));
    let told = |text: &str| ErrorContents::of(&json!({ "message": text }));
    assert!(format.is_of_version(404, &told("m is not found for API version v1")));
    assert!(format.is_of_version(400, &told("Unknown name \"thinkingConfig\"")));
    assert!(!format.is_of_version(404, &told("m is not found")));
    let learnt = BTreeSet::from([Parameter::Version]);
    let settled = format.table().settle("m", &Sampling::default(), &learnt);
    let url = format.url("m", &settled, Stream::Whole);
    assert_eq!(url.path(), "/x/v1beta/models/m:generateContent");
    let by_default = Gemini::new(&Url::parse("https://g.example").expect("an address"));
    assert!(!by_default.is_of_version(404, &told("not found for API version v1beta")));
}

#[test]
fn everything_has_its_place() {
    let mut messages = question();
    messages.push(Rendered::text(Role::Assistant, "a picture?"));
    messages.push(Rendered { text: String::new(), pictures: vec![picture()], role: Role::User });
    let sampling = Sampling {
        temperature: Some(0.5),
        top_p: Some(0.9),
        max_tokens: Some(99),
        stop: vec!["END".into()],
        seed: Some(7),
        effort: None,
        thinking_tokens: Some(500),
        form: ReplyForm::Json,
    };
    let (body, settled) = body("gemini-2.5-flash", messages, sampling);
    assert!(settled.departures.is_empty());
    assert_eq!(
        body,
        json!({
            "systemInstruction": { "parts": [{ "text": "rules" }] },
            "contents": [
                { "role": "user", "parts": [{ "text": "who?" }] },
                { "role": "model", "parts": [{ "text": "a picture?" }] },
                { "role": "user", "parts": [{ "inlineData": { "mimeType": "image/png", "data": SENT } }] },
            ],
            "generationConfig": {
                "temperature": 0.5, "topP": 0.9, "maxOutputTokens": 99, "stopSequences": ["END"], "seed": 7,
                "responseMimeType": "application/json",
                "thinkingConfig": { "thinkingBudget": 500, "includeThoughts": true },
            },
        })
    );
}

#[test]
fn nothing_is_sent_that_nobody_chose() {
    let (body, settled) = body("gemini-2.5-flash", question(), Sampling::default());
    assert_eq!(body.get("generationConfig"), None);
    assert!(settled.departures.is_empty());
}

#[test]
fn newer_models_are_told_a_level_and_small_ones_hear_the_rules_first() {
    let low = Sampling { effort: Some(Effort::Low), ..Sampling::default() };
    let (body, _) = body("gemini-3-pro-preview", question(), low);
    let thinking = json!({ "thinkingLevel": "low", "includeThoughts": true });
    assert_eq!(body["generationConfig"]["thinkingConfig"], thinking);
    let (body, settled) = self::body("gemma-3-4b-it", question(), Sampling::default());
    assert_eq!(body.get("systemInstruction"), None);
    assert_eq!(
        body["contents"],
        json!([{ "role": "user", "parts": [{ "text": "rules" }, { "text": "who?" }] }])
    );
    assert_eq!(settled.departures[0].how, Departed::Moved);
}
