//! A call on its way to the page: pieces of its text, and its end.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use turnwise_shared::prelude::*;

use super::out::CallsOut;
use crate::outbound::{Heard, Waiting};
use crate::store::Store;

/// Between two pieces of one call.
const PIECES: Duration = Duration::from_millis(100);

/// Bytes of text that wait to be said as a piece; a page that is further behind gets no more pieces of that call.
const UNSAID: usize = 16 * 1024;

/// A call that is reported to a page.
pub(super) struct Followed {
    pub(super) id: u64,
    pub(super) key: CallKey,
    pub(super) stream: Stream,
    pub(super) store: Store,
    pub(super) out: CallsOut,
}

impl Followed {
    /// Follows it to its end and tells the page; returns its number.
    pub(super) async fn run_to_its_end(self, mut waiting: Waiting) -> u64 {
        let mut unsaid = String::new();
        let mut said = Instant::now();
        // Whether every piece so far was said or waits: after a gap the rest would not be the text.
        let mut is_whole = true;
        let answer = loop {
            let piece: Arc<str> = match waiting.hear(self.stream).await {
                Heard::Answer(answer) => break *answer,
                Heard::Piece(piece) => piece,
            };
            is_whole &= unsaid.len() + piece.len() <= UNSAID;
            if !is_whole {
                unsaid = String::new();
                continue;
            }
            unsaid.push_str(&piece);
            if said.elapsed() >= PIECES && self.out.piece(self.id, &unsaid) {
                unsaid.clear();
                said = Instant::now();
            }
        };
        self.out.ending(self.id, &self.key, answer, &self.store, waiting).await;
        self.id
    }
}
