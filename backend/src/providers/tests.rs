//! What the tests of the wire formats share.

use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Rendered;

use super::Pictures;
use super::draft::{Answer, take_event};
use super::events::Event;
use crate::services::ProviderError;
use turnwise_shared::testing::cases;

/// Takes an event with this data.
pub fn take(answer: &mut impl Answer, data: &str) -> Result<Option<String>, ProviderError> {
    take_event(answer, &Event { name: String::new(), data: data.to_owned() })
}

/// What has come of events in JSON Lines, none of which ends the answer, and the text that was heard.
pub fn heard<A: Answer>(events: &'static str) -> (A, String) {
    let (mut answer, mut heard) = (A::default(), String::new());
    for event in cases::<serde_json::Value>(events) {
        heard.extend(take(&mut answer, &event.to_string()).expect("no error"));
        assert!(!answer.draft().is_finished(), "{event}");
    }
    (answer, heard)
}

pub fn call(model: &str, messages: Vec<Rendered>, sampling: Sampling) -> ModelCall {
    ModelCall {
        provider: "up".into(),
        model: model.into(),
        seat: "player".into(),
        messages,
        sampling,
    }
}

/// A picture, and what is sent of it.
pub const SENT: &str = "iVBORw0KGgo=";

pub fn picture() -> PictureRef {
    PictureRef { digest: Digest::of(SENT), width: 1, height: 1, bytes: 8 }
}

pub fn question() -> Vec<Rendered> {
    vec![Rendered::text(Role::System, "rules"), Rendered::text(Role::User, "who?")]
}

/// [`picture`], as it is put into a request.
pub fn pictures() -> Pictures {
    Pictures::from([(picture().digest, SENT.to_owned())])
}
