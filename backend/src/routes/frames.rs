//! What the sockets have in common: how long they wait, how much they read, how they close, and pings.

use std::sync::Once;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocketUpgrade};
use axum::http::{HeaderMap, header};
use futures::Stream;
use futures::StreamExt as _;
use tokio::time::Instant;

use crate::error::Problem;
use crate::limits::{Intake, PATIENCE, Refused};

/// Until the hello must have come, and until a frame must be out.
pub const HELLO: Duration = Duration::from_secs(10);

/// How often a silent connection is pinged.
pub const PING: Duration = Duration::from_secs(20);

/// After this time without a sign of life the connection is given up.
pub const SILENCE: Duration = Duration::from_secs(60);

/// The most bytes of the message with a hello: the client has shown no token yet.
pub const HELLO_BYTES: usize = 4096;

/// Bytes that a message has on the wire besides its text.
const FRAMING: usize = 14;

/// Bytes that a socket reads at once. Each has a buffer of that size, whether it is used or not.
const READ: usize = 16 * 1024;

/// The close code of a message that is too large to be read.
pub const TOO_LARGE: u16 = 1009;

/// The close code of a page that pings too often.
pub const TOO_OFTEN: u16 = 1008;

/// The close code of a page whose message finds no room; it may connect again.
pub const NO_ROOM: u16 = 1013;

/// Why such a page is not heard any more.
pub const PINGS: &str = "pings and pongs come too often";

/// The most bytes that a close frame's reason may have.
const REASON: usize = 120;

/// The answer to a request for a socket that cannot be upgraded. A browser sends a key with such a request: one that comes with the
/// key and cannot be upgraded has lost its other headers on the way, and the log reports that to the operator, once.
pub fn not_upgraded(headers: &HeaderMap) -> Problem {
    static TOLD: Once = Once::new();
    if headers.contains_key(header::SEC_WEBSOCKET_KEY) {
        TOLD.call_once(|| {
            tracing::warn!(
                "a browser asked for a WebSocket, and its request came without the headers of an upgrade: the proxy in front of \
                 this server does not pass WebSockets on, so runs and games in pages get no answers (docs/operating.md, \
                 \"Behind a reverse proxy\", has lines for nginx and Caddy)"
            );
        });
    }
    Problem::bad_request("This address is a WebSocket.")
        .mend("A proxy in front of this server must pass the headers Upgrade and Connection on.")
}

/// Prepares a socket whose messages have at most `largest` bytes, and that of the hello [`HELLO_BYTES`].
pub fn bounded(upgrade: WebSocketUpgrade, largest: usize, intake: &Intake) -> WebSocketUpgrade {
    intake.allow(HELLO_BYTES + FRAMING);
    upgrade.read_buffer_size(READ).max_message_size(largest).max_frame_size(largest)
}

/// The next message, or why it is not read to its end.
pub async fn next<S: Stream + Unpin>(
    stream: &mut S,
    intake: &Intake,
) -> Result<Option<S::Item>, Refused> {
    tokio::select! {
        biased;
        message = stream.next() => Ok(message),
        refused = intake.refused() => Err(refused),
    }
}

/// The same before the hello: a message may have come that is larger than it may be, because so much was read at once.
pub async fn before_hello<S>(stream: &mut S, intake: &Intake) -> Result<Option<S::Item>, Refused>
where
    S: Stream<Item = Result<Message, axum::Error>> + Unpin,
{
    match next(stream, intake).await? {
        Some(Ok(Message::Text(text))) if text.len() > HELLO_BYTES => Err(Refused::TooLarge),
        message => Ok(message),
    }
}

/// The close code and reason for a page whose message is not read to its end, where messages have at most `most` bytes.
pub fn refusal(refused: Refused, most: usize) -> (u16, String) {
    match refused {
        Refused::TooLarge => (TOO_LARGE, format!("a frame has at most {most} bytes here")),
        Refused::NoRoom => {
            (NO_ROOM, "the server holds too many unfinished messages; connect again".to_owned())
        }
    }
}

/// Whether a message has been on its way for too long.
pub fn is_too_slow(intake: &Intake) -> bool {
    intake.since().is_some_and(|since| since.elapsed() > PATIENCE)
}

/// The frame with which the server ends a connection; a long reason is cut.
pub fn close(code: u16, reason: &str) -> Message {
    let end = reason.floor_char_boundary(REASON);
    Message::Close(Some(CloseFrame { code, reason: reason[..end].into() }))
}

/// Whether a message could not be read because it is too large, rather than because the connection was lost.
pub fn is_too_large(error: &axum::Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if error.to_string().contains("too long") {
            return true;
        }
        cause = error.source();
    }
    false
}

/// The pings and pongs of a page. Each ping is answered before this code sees it, and the answers wait in memory for a page
/// that does not read: so they are counted, and a client that sends too many is not read any further.
#[derive(Debug)]
pub struct Pulse {
    since: Instant,
    beats: u32,
}

impl Pulse {
    /// The most in a minute. A browser sends a pong for each of our pings, and nothing else.
    const MOST: u32 = 240;

    const MINUTE: Duration = Duration::from_secs(60);

    pub fn new() -> Self {
        Pulse { since: Instant::now(), beats: 0 }
    }

    /// One has come. Whether it is one too many.
    pub fn is_too_often(&mut self) -> bool {
        if self.since.elapsed() >= Self::MINUTE {
            *self = Pulse::new();
        }
        self.beats += 1;
        self.beats > Self::MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn so_many_pings_may_come_in_a_minute() {
        let mut pulse = Pulse::new();
        for _ in 0..3 {
            assert!((0..Pulse::MOST).all(|_| !pulse.is_too_often()));
            assert!(pulse.is_too_often());
            tokio::time::advance(Pulse::MINUTE).await;
        }
    }

    #[test]
    fn a_reason_is_cut_between_two_signs() {
        let reason = |text: &str| match close(4400, text) {
            Message::Close(Some(frame)) => frame.reason.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(reason("short"), "short");
        assert_eq!(reason(&"界".repeat(100)), "界".repeat(40));
        assert_eq!(reason(&format!("x{}", "界".repeat(100))).len(), 118);
    }
}
