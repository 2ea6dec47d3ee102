//! Sockets: that of calls, and what all of them share.

use std::cell::Cell;
use std::rc::Rc;

use futures::channel::{mpsc, oneshot};
use futures::future::{Either, pending, select};
use futures::stream::LocalBoxStream;
use futures::{SinkExt as _, StreamExt as _};
use gloo_net::websocket::futures::WebSocket;
use gloo_net::websocket::{Message, WebSocketError};
use serde::Serialize;
use turnwise_shared::wire::driving::{DRIVEN_ELSEWHERE, OVERTAKEN};
use turnwise_shared::wire::{ApiError, Frame};

use super::{UNREACHABLE, about, error};
use crate::{clock, strings};

/// An open socket, or one that is being opened.
pub struct Socket {
    /// Messages that are put in here go out: frames as [`json`], each on a line of its own. Dropping it closes the connection.
    pub outgoing: mpsc::UnboundedSender<String>,
    /// What comes in; it ends when the connection does.
    pub incoming: LocalBoxStream<'static, Heard>,
}

/// What came in over the socket.
pub enum Heard {
    /// The frames of a message.
    Frames(Vec<Frame>),
    /// The server ended the connection for good, and why: trying the same again cannot succeed.
    Refused(ApiError),
}

/// The codes with which the server refuses a page; others (it stops, the network is gone, nothing was said for long) pass.
const REFUSALS: [u16; 4] = [1009, 4400, 4401, 4429];

/// Opens the socket.
///
/// # Errors
/// If the browser cannot even try. A server that does not answer ends [`Socket::incoming`].
pub fn socket() -> Result<Socket, ApiError> {
    let (outgoing, arrivals) = connect("/api/socket", |message| message)?;
    let incoming = arrivals
        .filter_map(async |arrival| match arrival {
            // Frames of a newer server that cannot be read are passed over.
            Arrival::Text(text) => Some(Heard::Frames(
                text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
            )),
            Arrival::Closed { code, reason } if code == OVERTAKEN => {
                Some(Heard::Refused(error(DRIVEN_ELSEWHERE, reason)))
            }
            Arrival::Closed { code, reason } if REFUSALS.contains(&code) => {
                let why = strings::connection_ended(&reason);
                Some(Heard::Refused(error("socket_refused", why)))
            }
            Arrival::Closed { .. } => None,
        })
        .boxed_local();
    Ok(Socket { outgoing, incoming })
}

/// What comes in over a WebSocket.
pub(crate) enum Arrival {
    Text(String),
    /// The connection was ended, with the code and the reason of the side that ended it; the last that comes in.
    Closed {
        code: u16,
        reason: String,
    },
}

/// What goes out over a WebSocket, as JSON on one line.
pub fn json(frame: &impl Serialize) -> String {
    serde_json::to_string(frame).expect("frames are plain data")
}

/// The code of the error that says that the server answers and its sockets do not.
pub const SOCKET_BLOCKED: &str = "socket_blocked";

/// This number of sockets in a row that bring nothing is more than a short break.
const PATIENCE: u32 = 3;

/// The same of fewer, where this many milliseconds lie between them.
const LONG: f64 = 4000.0;

/// How long a socket may be silent at its beginning, in milliseconds: both sides say hello at once.
const SILENCE: u32 = 6000;

/// How long the server's answer to a request is waited for, in milliseconds.
const ANSWER: u32 = 3000;

/// Attempts to open a socket: tells a server that is away, which comes back, from sockets that never open, because something on the way
/// does not pass them on.
#[derive(Debug, Default)]
pub struct Attempts {
    /// In a row over which nothing came in.
    failed: u32,
    /// When the first of them ended, in milliseconds of [`clock::now`].
    first: f64,
    /// Whether the server answered a request before the last of them.
    answered: bool,
}

impl Attempts {
    /// A socket has ended; `heard` says whether anything came in over it. What is wrong, once the server answers requests, a socket
    /// that is opened after that brings nothing, and it answers still.
    pub async fn ended(&mut self, heard: bool) -> Option<ApiError> {
        if heard {
            *self = Attempts::default();
            return None;
        }
        self.failed += 1;
        if self.failed == 1 {
            self.first = clock::now();
        }
        let answer = select(Box::pin(about()), Box::pin(clock::sleep(ANSWER))).await;
        let answers = matches!(answer, Either::Left((Ok(_), _)));
        let answered_before = std::mem::replace(&mut self.answered, answers);
        (answers && answered_before && self.are_many()).then(|| ApiError {
            mend: Some("Tell the operator: docs/operating.md has the lines for nginx and Caddy. No answer is \
                lost; this page keeps trying and goes on by itself.".to_owned()),
            ..error(SOCKET_BLOCKED, "The server answers, its socket does not: the proxy in front of it must \
                pass WebSocket upgrades.")
        })
    }

    /// Whether this is more than a short break.
    pub fn are_many(&self) -> bool {
        self.failed >= PATIENCE || self.failed > 1 && clock::now() - self.first > LONG
    }
}

/// What is put in at one end goes out; what comes in comes out at the other.
type Connection<T> = (mpsc::UnboundedSender<T>, LocalBoxStream<'static, Arrival>);

/// Opens a WebSocket of this server; `write` makes a message of what is put in.
pub(crate) fn connect<T: 'static>(
    path: &str,
    write: impl Fn(T) -> String + 'static,
) -> Result<Connection<T>, ApiError> {
    let location = web_sys::window()
        .map(|window| window.location())
        .ok_or_else(|| error(UNREACHABLE, "This page has no address."))?;
    let scheme = match location.protocol().as_deref() {
        Ok("https:") => "wss",
        _ => "ws",
    };
    let host = location.host().unwrap_or_default();
    let socket = WebSocket::open(&format!("{scheme}://{host}{path}"))
        .map_err(|problem| error(UNREACHABLE, problem.to_string()))?;
    let (mut sink, stream) = socket.split();
    let (outgoing, mut frames) = mpsc::unbounded::<T>();
    // What may never open is given up by both halves, and opened again.
    let heard = Rc::new(Cell::new(false));
    let (here, gone) = oneshot::channel::<()>();
    let given_up = {
        let heard = Rc::clone(&heard);
        async move {
            // It ends when the other half is dropped.
            let _ = gone.await;
            if heard.get() {
                pending::<()>().await;
            }
        }
    };
    leptos::task::spawn_local(async move {
        let writes = async {
            while let Some(frame) = frames.next().await {
                if sink.send(Message::Text(write(frame))).await.is_err() {
                    // The connection is gone; the other half ends too and says so.
                    break;
                }
            }
        };
        select(Box::pin(writes), Box::pin(given_up)).await;
    });
    // Other errors are followed by the end.
    let incoming = stream
        .filter_map(async |message| match message {
            Ok(Message::Text(text)) => Some(Arrival::Text(text)),
            Err(WebSocketError::ConnectionClose(end)) => {
                Some(Arrival::Closed { code: end.code, reason: end.reason })
            }
            Ok(Message::Bytes(_)) | Err(_) => None,
        })
        .inspect({
            let heard = Rc::clone(&heard);
            move |_| {
                let _ = &here;
                heard.set(true);
            }
        })
        .take_until(async move {
            clock::sleep(SILENCE).await;
            if heard.get() {
                pending::<()>().await;
            }
        })
        .boxed_local();
    Ok((outgoing, incoming))
}
