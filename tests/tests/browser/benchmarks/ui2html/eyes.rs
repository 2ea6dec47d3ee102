//! A service of models that looks: it decodes the pictures of a request, and refuses one that does not show what it speaks of.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::net::TcpListener;

use crate::*;

/// The formats, as the server's configuration names them.
pub const FORMATS: [&str; 3] = ["openai", "anthropic", "gemini"];

#[derive(Clone)]
pub struct Eyes {
    pub base_url: String,
    format: &'static str,
    targets: Arc<BTreeSet<Digest>>,
    /// Target and attempt of each request that was answered.
    looked: Arc<Mutex<Vec<[Digest; 2]>>>,
}

impl Eyes {
    /// A service that knows what the targets look like.
    pub async fn open(format: &'static str, targets: impl IntoIterator<Item = Digest>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("it is bound");
        let base_url = match format {
            "openai" => format!("http://{address}/v1"),
            _ => format!("http://{address}"),
        };
        let targets = Arc::new(targets.into_iter().collect());
        let eyes = Eyes { base_url, format, targets, looked: Arc::default() };
        let app = Router::new().fallback(answer).layer(DefaultBodyLimit::disable());
        let app = app.with_state(eyes.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        eyes
    }

    pub fn looked(&self) -> Vec<[Digest; 2]> {
        self.looked.lock().expect("no request panics").clone()
    }
}

async fn answer(State(eyes): State<Eyes>, body: String) -> (StatusCode, String) {
    let asked: Value = serde_json::from_str(&body).unwrap_or_default();
    let mut found = Vec::new();
    pictures(&asked, &mut found);
    let shown = match found.as_slice() {
        [target, attempt] if eyes.targets.contains(target) => [*target, *attempt],
        _ => {
            let error = json!({ "error": { "message": format!("expected target and attempt, got {found:?}") } });
            return (StatusCode::BAD_REQUEST, error.to_string());
        }
    };
    let mut looked = eyes.looked.lock().expect("no request panics");
    looked.push(shown);
    let text = if looked.len().is_multiple_of(2) { "no" } else { "Yes." };
    let said = match eyes.format {
        "anthropic" => json!({
            "id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
            "content": [{ "type": "text", "text": text }], "usage": { "input_tokens": 900, "output_tokens": 2 },
        }),
        "gemini" => json!({
            "candidates": [{ "content": { "parts": [{ "text": text }], "role": "model" }, "finishReason": "STOP", "index": 0 }],
            "usageMetadata": { "promptTokenCount": 900, "candidatesTokenCount": 2, "totalTokenCount": 902 }, "modelVersion": "m",
        }),
        _ => json!({
            "id": "c", "object": "chat.completion", "model": "m",
            "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": text } }],
            "usage": { "prompt_tokens": 900, "completion_tokens": 2, "total_tokens": 902 },
        }),
    };
    (StatusCode::OK, said.to_string())
}

/// The pictures of a request, decoded, in their order.
fn pictures(asked: &Value, found: &mut Vec<Digest>) {
    match asked {
        Value::String(text) => {
            let text = text.strip_prefix("data:image/png;base64,").unwrap_or(text);
            let png = STANDARD.decode(text).ok();
            found.extend(
                png.and_then(|png| PictureRef::of(&png).ok()).map(|picture| picture.digest),
            );
        }
        Value::Array(all) => all.iter().for_each(|one| pictures(one, found)),
        Value::Object(members) => members.values().for_each(|one| pictures(one, found)),
        _ => {}
    }
}
