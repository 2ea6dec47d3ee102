//! Reading what a service sends back: a whole body, a stream of events, a refusal.

use std::sync::Mutex;
use std::time::SystemTime;

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use turnwise_shared::prelude::*;

use super::Remote;
use crate::long_texts::{beside, came};
use crate::providers::Listener;
use crate::providers::draft::{Answer as _, broken_off, lasting, take_body, take_event};
use crate::providers::errors::{error_of_body, fresh_again, retry_after, told_instead};
use crate::providers::events::Events;
use crate::providers::wire_format::WireFormat;
use crate::services::ProviderError;
use crate::services::body::{self, BadBody};

/// Of an error's body, so much is read.
const ERROR_BYTES: usize = 64_000;

impl<F: WireFormat> Remote<F> {
    /// Reads a stream for a listener that may hear all of it but the key.
    pub(super) async fn read_pieces(
        &self,
        response: &mut Response,
        first: Vec<u8>,
        listener: Listener<'_>,
    ) -> Result<Said, ProviderError> {
        let nobody = |_: &str| {};
        let listener = listener.unwrap_or(&nobody);
        let pieces = Mutex::new(self.words.of_pieces());
        let lock = || pieces.lock().unwrap_or_else(|broken| broken.into_inner());
        let heard = |piece: &str| {
            let shown = lock().take(piece);
            if !shown.is_empty() {
                listener(&shown);
            }
        };
        let said = self.read_stream(response, first, &heard).await;
        let rest = std::mem::take(&mut *lock()).rest();
        if !rest.is_empty() {
            listener(&rest);
        }
        said
    }

    pub(super) async fn read_whole(
        &self,
        response: &mut Response,
        mut bytes: Vec<u8>,
    ) -> Result<Said, ProviderError> {
        let cut_off = loop {
            match response.chunk().await {
                Ok(Some(chunk)) if bytes.len() + chunk.len() > self.response_bytes => {
                    return Ok(self.too_large());
                }
                Ok(Some(chunk)) => {
                    came(chunk.len()).await;
                    bytes.extend_from_slice(&chunk);
                }
                Ok(None) => break None,
                Err(error) => break Some(self.cut(&error)),
            }
        };
        beside(bytes.len(), || self.understood(response, bytes, cut_off)).await
    }

    /// What a body says that came whole, or was cut off.
    fn understood(
        &self,
        response: &Response,
        bytes: Vec<u8>,
        cut_off: Option<ProviderError>,
    ) -> Result<Said, ProviderError> {
        let headers = response.headers();
        let (bytes, bad) = body::unpacked(headers, bytes, self.response_bytes);
        let text = body::text(headers, &bytes);
        let read = match bad {
            None => take_body::<F::Answer>(&text),
            Some(BadBody::TooLarge(_)) => return Ok(self.too_large()),
            Some(bad) => Err(lasting(format!("the answer {bad}"))),
        };
        match (read, cut_off) {
            (Ok(mut answer), Some(cut_off)) => match answer.draft().is_finished() {
                // Nothing of it was missing any more.
                true => answer.whole(),
                false => Err(cut_off),
            },
            (Err(_), Some(cut_off)) => Err(cut_off),
            (read, None) => read
                .and_then(F::Answer::whole)
                .map_err(|miss| told_instead(miss, &content_type(response), text.as_bytes())),
        }
    }

    /// An answer that is larger than this server reads is the model's, and the same call would bring the same.
    pub(super) fn too_large(&self) -> Said {
        let megabytes = self.response_bytes / 1_000_000;
        Said {
            refusal: Some(format!(
                "the answer has more than {megabytes} MB (limits.response_megabytes), so it was not read"
            )),
            stop: Stop::Length,
            ..Said::default()
        }
    }

    async fn read_stream(
        &self,
        response: &mut Response,
        first: Vec<u8>,
        listener: &(dyn Fn(&str) + Send + Sync),
    ) -> Result<Said, ProviderError> {
        let mut events = Events::default();
        let mut answer = F::Answer::default();
        let mut size = first.len();
        let mut whole = events.feed(&first);
        loop {
            let before = answer.draft().bytes();
            for event in whole {
                if let Some(piece) = take_event(&mut answer, &event)? {
                    listener(&piece);
                }
                if answer.draft().is_done {
                    return answer.whole();
                }
            }
            came(answer.draft().bytes().saturating_sub(before)).await;
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                // What follows the end is only the account of tokens; without it the answer is still whole.
                Err(_) if answer.draft().is_finished() => return answer.whole(),
                Err(error) => return Err(self.cut(&error)),
            };
            size += chunk.len();
            if size > self.response_bytes {
                return Ok(self.too_large());
            }
            whole = events.feed(&chunk);
        }
        if let Some(event) = events.last()
            && let Some(piece) = take_event(&mut answer, &event)?
        {
            listener(&piece);
        }
        match answer.draft().may_end() {
            true => answer.whole(),
            false => Err(broken_off()),
        }
    }

    pub(in crate::providers) async fn refusal(&self, mut response: Response) -> ProviderError {
        let status = response.status().as_u16();
        let now = SystemTime::now();
        let wait = retry_after(response.headers(), now);
        let fresh = fresh_again(response.headers(), now);
        let content_type = content_type(&response);
        let mut bytes = Vec::new();
        while let Ok(Some(chunk)) = response.chunk().await {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > ERROR_BYTES {
                break;
            }
        }
        // As much as can be read of it tells more than its status alone.
        let (bytes, _) = body::unpacked(response.headers(), bytes, ERROR_BYTES);
        let text = body::text(response.headers(), &bytes);
        let mut miss =
            error_of_body(status, &content_type, text.trim_start_matches('\u{feff}').as_bytes());
        miss.retry_after = wait.or(miss.retry_after);
        if miss.failure.class == FailureClass::Quota {
            miss.retry_after = miss.retry_after.or(fresh);
        }
        miss
    }
}

fn content_type(response: &Response) -> String {
    let kind = response.headers().get(CONTENT_TYPE);
    kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned()
}
