//! A picture that a request carries arrives as each format wants it, after the text that it belongs to.

use serde_json::{Value, json};
use turnwise_shared::prompt::{Media, Picture, Rendered, Role};
use turnwise_shared::wire::Outgoing;

use crate::common::upstream::Canned;
use crate::providers::{anthropic, gemini, question};

/// The first bytes of a PNG, in base64.
const BYTES: &str = "iVBORw0KGgo=";

/// A question whose last message has two pictures.
fn shown(model: &str) -> Outgoing {
    let Outgoing::Model(mut call) = question(model) else {
        unreachable!("a question goes to a model");
    };
    let picture = |media| Picture { media, base64: BYTES.to_owned() };
    call.messages.push(Rendered {
        pictures: vec![picture(Media::Png), picture(Media::Webp)],
        ..Rendered::text(Role::User, "and this?")
    });
    // What goes over the socket keeps the pictures.
    let sent = serde_json::to_string(&Outgoing::Model(call)).expect("JSON");
    serde_json::from_str(&sent).expect("it is read back")
}

async fn sent(format: &str, model: &str, answer: Value) -> Value {
    let answers = vec![Canned::Json(200, Vec::new(), answer)];
    let trial = crate::providers::trial(format, shown(model), answers, false, "attempts = 1").await;
    assert_eq!(trial.said().text.as_deref(), Some("the mill"));
    trial.upstream.seen()[0].body.clone()
}

#[tokio::test]
async fn openai_takes_addresses_of_data() {
    let answer = crate::common::upstream::completion(json!("the mill"));
    let body = sent("openai", "org/m", answer).await;
    let url = |media: &str| json!({ "type": "image_url", "image_url": { "url": format!("data:{media};base64,{BYTES}") } });
    let last = body["messages"].as_array().and_then(|all| all.last());
    assert_eq!(
        last,
        Some(&json!({ "role": "user", "content": [
            { "type": "text", "text": "and this?" }, url("image/png"), url("image/webp"),
        ] }))
    );
}

#[tokio::test]
async fn anthropic_takes_blocks() {
    let body = sent("anthropic", "claude-m", anthropic::message("the mill")).await;
    let block = |media: &str| json!({ "type": "image", "source": { "type": "base64", "media_type": media, "data": BYTES } });
    let last = body["messages"].as_array().and_then(|all| all.last());
    let content = last.map(|last| last["content"].clone());
    let parts = content.as_ref().and_then(Value::as_array);
    let parts = parts.expect("a list of blocks");
    // Messages of one side follow each other in one turn.
    let at = parts.len() - 3;
    assert_eq!(parts[at], json!({ "type": "text", "text": "and this?" }));
    assert_eq!(parts[at + 1..], [block("image/png"), block("image/webp")]);
}

#[tokio::test]
async fn gemini_takes_parts() {
    let body = sent("gemini", "gemini-m", gemini::response("the mill")).await;
    let part = |media: &str| json!({ "inlineData": { "mimeType": media, "data": BYTES } });
    let last = body["contents"].as_array().and_then(|all| all.last());
    let parts = last.and_then(|last| last["parts"].as_array());
    let parts = parts.expect("a list of parts");
    let at = parts.len() - 3;
    assert_eq!(parts[at], json!({ "text": "and this?" }));
    assert_eq!(parts[at + 1..], [part("image/png"), part("image/webp")]);
}
