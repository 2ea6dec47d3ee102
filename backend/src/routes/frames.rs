//! What the sockets have in common: how long they wait, how they close, and messages that are too large.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message};

/// Until the hello must have come, and until a frame must be out.
pub const HELLO: Duration = Duration::from_secs(10);

/// How often a silent connection is pinged.
pub const PING: Duration = Duration::from_secs(20);

/// After so long without a sign of life the connection is given up.
pub const SILENCE: Duration = Duration::from_secs(60);

/// The close code of a message that is too large to be read.
pub const TOO_LARGE: u16 = 1009;

/// The most bytes that a close frame's reason may have.
const REASON: usize = 120;

/// The frame with which the server ends a connection; a long reason is cut.
pub fn close(code: u16, reason: &str) -> Message {
    let end = reason.floor_char_boundary(REASON);
    Message::Close(Some(CloseFrame {
        code,
        reason: reason[..end].into(),
    }))
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

#[cfg(test)]
mod tests {
    use super::*;

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
