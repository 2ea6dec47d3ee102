//! A service on loopback that says exactly what a test wants, down to the bytes and the moment at which it hangs up.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::routing::MethodRouter;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

#[derive(Debug, Clone)]
pub enum Canned {
    /// A status, further headers and a JSON body.
    Json(u16, Vec<(&'static str, String)>, Value),
    /// A stream of events, then the connection ends.
    Events(Vec<String>),
    /// The first event of a stream, and the others once this is notified.
    Held(Vec<String>, Arc<Notify>),
    /// These bytes and nothing else, then the connection ends.
    Raw(String),
    /// The same, where it is no text.
    Bytes(Vec<u8>),
    /// The same as text, in pieces of this many bytes.
    Sliced(String, usize),
    /// Nothing for this time, then the connection ends.
    Silence(Duration),
}

impl Canned {
    /// A success with this JSON body.
    pub fn ok(body: Value) -> Self {
        Canned::json(200, body)
    }

    /// This JSON body under a status.
    pub fn json(status: u16, body: Value) -> Self {
        Canned::Json(status, Vec::new(), body)
    }

    /// A body that is a page of HTML where it is a text, else JSON.
    pub fn of(status: u16, body: Value) -> Self {
        match body {
            Value::String(html) => Canned::page(status, &html),
            body => Canned::json(status, body),
        }
    }

    pub fn page(status: u16, html: &str) -> Self {
        Canned::Raw(format!(
            "HTTP/1.1 {status} X\r\ncontent-type: text/html; charset=UTF-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{html}",
            html.len()
        ))
    }

    /// A completion that says so.
    pub fn text(text: &str) -> Self {
        Canned::ok(completion(json!(text)))
    }

    /// An error with a status.
    pub fn error(status: u16) -> Self {
        let error = json!({ "error": { "message": "upstream says no", "type": "some_error" } });
        Canned::json(status, error)
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Canned::Json(status, headers, body) => {
                let body = body.to_string();
                let mut head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n",
                    body.len()
                );
                for (name, value) in headers {
                    head.push_str(&format!("{name}: {value}\r\n"));
                }
                format!("{head}\r\n{body}").into_bytes()
            }
            Canned::Events(events) | Canned::Held(events, _) => {
                let mut text = String::from(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
                );
                for event in events {
                    text.push_str(&format!("data: {event}\n\n"));
                }
                text.into_bytes()
            }
            Canned::Raw(text) | Canned::Sliced(text, _) => text.clone().into_bytes(),
            Canned::Bytes(bytes) => bytes.clone(),
            Canned::Silence(_) => Vec::new(),
        }
    }

    /// A body as it is, under a status and these headers.
    pub fn body(status: u16, headers: &str, body: &[u8]) -> Self {
        let head = format!(
            "HTTP/1.1 {status} X\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        Canned::Bytes([head.as_bytes(), body].concat())
    }

    /// A stream of events as it is; the connection ends in order, or is cut.
    pub fn stream(body: &str, is_cut: bool) -> Self {
        let end = if is_cut { "" } else { "0\r\n\r\n" };
        Canned::Raw(format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n{end}",
            body.len()
        ))
    }
}

/// A completion whose content is this.
pub fn completion(content: Value) -> Value {
    json!({
        "id": "c", "object": "chat.completion", "model": "upstream-model",
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": content }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10 },
    })
}

/// An event that adds this content, or ends the answer.
pub fn delta(content: Option<&str>, finish: Option<&str>) -> String {
    json!({ "choices": [{ "index": 0, "delta": { "content": content }, "finish_reason": finish }] })
        .to_string()
}

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The first line and the headers.
    pub head: String,
    /// The body, if it is JSON.
    pub body: Value,
    /// The body as it came.
    pub text: String,
}

/// Starts a service on loopback that answers chat completions like this; gives its base address.
pub async fn serve(completions: MethodRouter) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().route("/v1/chat/completions", completions);
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/v1")
}

/// The service. It gives its answers in order and repeats the last one for ever.
#[derive(Clone)]
pub struct Upstream {
    addr: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Upstream {
    pub async fn start(answers: impl IntoIterator<Item = Canned>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let addr = listener.local_addr().expect("an address");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let answers: Arc<Mutex<VecDeque<Canned>>> =
            Arc::new(Mutex::new(answers.into_iter().collect()));
        let to = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&answers), Arc::clone(&to)));
            }
        });
        Upstream { addr, seen }
    }

    /// What goes into a provider's `base_url`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.addr)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("no test panics here").clone()
    }
}

async fn answer(
    mut stream: TcpStream,
    answers: Arc<Mutex<VecDeque<Canned>>>,
    seen: Arc<Mutex<Vec<Seen>>>,
) {
    let Some(request) = read(&mut stream).await else {
        return;
    };
    seen.lock().expect("no test panics here").push(request);
    let canned = {
        let mut answers = answers.lock().expect("no test panics here");
        match answers.len() {
            0 | 1 => answers.front().cloned(),
            _ => answers.pop_front(),
        }
    };
    let Some(canned) = canned else { return };
    if let Canned::Silence(time) = canned {
        tokio::time::sleep(time).await;
        return;
    }
    if let Canned::Sliced(text, size) = &canned {
        let _ = stream.set_nodelay(true);
        for piece in text.as_bytes().chunks((*size).max(1)) {
            let _ = stream.write_all(piece).await;
            let _ = stream.flush().await;
            tokio::task::yield_now().await;
        }
        let _ = stream.shutdown().await;
        return;
    }
    if let Canned::Held(events, go_on) = &canned {
        let first = Canned::Events(events[..1].to_vec()).bytes();
        let all = canned.bytes();
        let _ = stream.write_all(&first).await;
        let _ = stream.flush().await;
        go_on.notified().await;
        let _ = stream.write_all(&all[first.len()..]).await;
        let _ = stream.shutdown().await;
        return;
    }
    // In two pieces, so that a reader sees a boundary somewhere in the middle.
    let bytes = canned.bytes();
    let middle = bytes.len() / 2 + 1;
    let (one, other) = bytes.split_at(middle.min(bytes.len()));
    let _ = stream.write_all(one).await;
    let _ = stream.flush().await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let _ = stream.write_all(other).await;
    let _ = stream.shutdown().await;
}

async fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    loop {
        let mut buffer = [0; 4096];
        let count = stream.read(&mut buffer).await.ok()?;
        if count == 0 {
            return None;
        }
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| {
                line.to_ascii_lowercase().strip_prefix("content-length:").map(str::to_owned)
            })
            .and_then(|length| length.trim().parse::<usize>().ok())
            .unwrap_or(0);
        if body.len() >= length {
            return Some(Seen {
                head: head.to_owned(),
                body: serde_json::from_str(body).unwrap_or(Value::Null),
                text: body.to_owned(),
            });
        }
    }
}
