//! A picture that a request names arrives as each format wants it, whole, after the text that it belongs to.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use turnwise_shared::prompt::Rendered;

use crate::common::*;
use crate::providers::{anthropic, gemini, question};

/// A picture that [`trial`](super::trial) keeps.
pub(super) fn png() -> Vec<u8> {
    tiny_skia::Pixmap::new(3, 2).and_then(|pixels| pixels.encode_png().ok()).expect("a PNG")
}

/// A question whose last message shows a picture twice.
fn shown(model: &str, picture: PictureRef) -> Outgoing {
    let Outgoing::Model(mut call) = question(model) else {
        unreachable!("a question goes to a model");
    };
    call.messages.push(Rendered {
        pictures: vec![picture, picture],
        ..Rendered::text(Role::User, "and this?")
    });
    // What goes over the socket names the pictures and has nothing of their bytes.
    let sent = serde_json::to_string(&Outgoing::Model(call)).expect("JSON");
    assert!(sent.contains(&picture.to_string()) && !sent.contains(&STANDARD.encode(png())));
    serde_json::from_str(&sent).expect("it is read back")
}

/// What the service is sent last: the text and two pictures, which are decoded.
async fn sent(format: &str, model: &str, answer: Value, messages: &str) -> Vec<Value> {
    let answers = vec![Canned::ok(answer)];
    let picture = PictureRef::of(&png()).expect("it is a PNG");
    let asked = shown(model, picture);
    let trial = super::trial(format, asked, answers, false, "attempts = 1").await;
    assert_eq!(trial.text(), Some("the mill"));
    let body = trial.upstream.seen()[0].body.clone();
    let last = body[messages].as_array().and_then(|all| all.last()).expect("a list of messages");
    let parts = last.get("content").unwrap_or(&last["parts"]);
    let parts = parts.as_array().expect("a list of parts").clone();
    // Messages of one side may follow each other in one turn.
    parts[parts.len() - 3..].to_vec()
}

fn is_whole(base64: &Value) {
    let base64 = base64.as_str().expect("a text");
    let base64 = base64.strip_prefix("data:image/png;base64,").unwrap_or(base64);
    assert_eq!(STANDARD.decode(base64).expect("base64"), png());
}

#[tokio::test]
async fn openai_takes_addresses_of_data() {
    let answer = completion(json!("the mill"));
    let parts = sent("openai", "org/m", answer, "messages").await;
    assert_eq!(parts[0], json!({ "type": "text", "text": "and this?" }));
    for part in &parts[1..] {
        assert_eq!(part["type"], "image_url");
        is_whole(&part["image_url"]["url"]);
    }
}

#[tokio::test]
async fn anthropic_takes_blocks() {
    let parts = sent("anthropic", "claude-m", anthropic::message("the mill"), "messages").await;
    assert_eq!(parts[0], json!({ "type": "text", "text": "and this?" }));
    for part in &parts[1..] {
        assert_eq!(
            (&part["type"], &part["source"]["media_type"]),
            (&json!("image"), &json!("image/png"))
        );
        is_whole(&part["source"]["data"]);
    }
}

#[tokio::test]
async fn gemini_takes_parts() {
    let parts = sent("gemini", "gemini-m", gemini::response("the mill"), "contents").await;
    assert_eq!(parts[0], json!({ "text": "and this?" }));
    for part in &parts[1..] {
        assert_eq!(part["inlineData"]["mimeType"], "image/png");
        is_whole(&part["inlineData"]["data"]);
    }
}

#[tokio::test]
async fn nothing_is_sent_without_its_pictures() {
    let picture = PictureRef { digest: Digest::of("lost"), width: 3, height: 2, bytes: 80 };
    let other = PictureRef { width: 300, ..PictureRef::of(&png()).expect("it is a PNG") };
    for (picture, why) in [(picture, "not here"), (other, "expected the picture")] {
        let trial =
            super::trial("openai", shown("org/m", picture), Vec::new(), false, "attempts = 1")
                .await;
        assert_eq!(trial.class(), FailureClass::Unavailable);
        assert!(trial.failure().message.contains(why), "{:?}", trial.failure());
        assert_eq!(trial.requests(), 0);
    }
}

#[tokio::test]
async fn a_model_that_is_known_to_see_no_pictures_is_sent_none() {
    let picture = PictureRef::of(&png()).expect("it is a PNG");
    for (format, model) in
        [("openai", "o3-mini"), ("anthropic", "claude-2.1"), ("gemini", "gemma-3-1b-it")]
    {
        let asked = shown(model, picture);
        let trial = super::trial(format, asked, Vec::new(), false, "attempts = 1").await;
        assert_eq!(trial.failed(), (FailureClass::Forbidden, 0), "{model}");
        let said = &trial.failure().message;
        assert!(said.contains(&format!("{model} takes no pictures")), "{said}");
    }
}
