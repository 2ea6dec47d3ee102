//! Everything that a tab received from the server: frames of sockets, and bodies of answers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::network::{
    EventLoadingFinished, EventResponseReceived, EventWebSocketFrameReceived, GetResponseBodyParams,
};
use futures::StreamExt as _;

use super::{Tab, timely};

/// How long a body may take after its answer was there.
const BODY: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The address of the answer; empty for a frame.
    pub url: String,
    pub text: String,
}

/// What came in, in its order; grows while the tab lives.
#[derive(Debug, Clone, Default)]
pub struct Received(Arc<Mutex<Vec<Piece>>>);

impl Received {
    /// What has come in so far.
    ///
    /// # Panics
    /// If a listener panicked.
    pub fn so_far(&self) -> Vec<Piece> {
        self.0.lock().expect("no listener panics").clone()
    }

    fn add(&self, url: String, text: String) {
        if let Ok(mut pieces) = self.0.lock() {
            pieces.push(Piece { url, text });
        }
    }
}

impl Tab {
    /// Keeps every frame and the body of every answer of the API from now on.
    ///
    /// # Panics
    /// If the browser does not let it.
    pub async fn receiving(&self) -> Received {
        let received = Received::default();
        let mut frames =
            timely("frames", self.page.event_listener::<EventWebSocketFrameReceived>()).await;
        let kept = received.clone();
        tokio::spawn(async move {
            while let Some(event) = frames.next().await {
                kept.add(String::new(), event.response.payload_data.clone());
            }
        });
        let mut heads =
            timely("answers", self.page.event_listener::<EventResponseReceived>()).await;
        let mut ends = timely("bodies", self.page.event_listener::<EventLoadingFinished>()).await;
        let (page, kept) = (self.page.clone(), received.clone());
        tokio::spawn(async move {
            let mut addresses = BTreeMap::new();
            loop {
                tokio::select! {
                    Some(head) = heads.next() => {
                        addresses.insert(head.request_id.inner().clone(), head.response.url.clone());
                    }
                    Some(end) = ends.next() => {
                        let Some(url) = addresses.remove(end.request_id.inner()) else {
                            continue;
                        };
                        if !url.contains("/api/") {
                            continue;
                        }
                        let asked = page.execute(GetResponseBodyParams::new(end.request_id.clone()));
                        if let Ok(Ok(body)) = tokio::time::timeout(BODY, asked).await {
                            kept.add(url, body.result.body.clone());
                        }
                    }
                    else => break,
                }
            }
        });
        received
    }
}
