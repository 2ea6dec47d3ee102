//! What a wire format has to say: how a call is written down, and how an answer is read.

use reqwest::{RequestBuilder, Url};
use serde_json::Value;
use turnwise_shared::prelude::*;

use super::Pictures;
use super::capabilities::{Parameter, Settled, Table};
use super::draft::Answer;
use super::refusals::ErrorContents;
use crate::secret::Secret;

/// How a service is asked and how its answers are read.
pub trait WireFormat: Send + Sync {
    /// An answer as far as it has come.
    type Answer: Answer;

    /// What is known of its models.
    fn table(&self) -> &'static Table;

    fn url(&self, model: &str, settled: &Settled, stream: Stream) -> Url;

    /// Where its models are listed.
    fn list_url(&self) -> Url;

    /// Whether another version of the service's interface may take what this one refuses so.
    fn is_of_version(&self, _status: u16, _told: &ErrorContents) -> bool {
        false
    }

    /// Whether messages are sent as they are, so that the order of roles can be refused.
    const SENDS_ANY_ORDER: bool = false;

    /// Whether a stream is asked for an account of tokens by a parameter of its own.
    const HAS_STREAM_OPTIONS: bool = false;

    /// Puts the key where the service wants it.
    fn signed(&self, request: RequestBuilder, key: Option<&Secret>) -> RequestBuilder;

    /// What is sent, with all `pictures` that it names; what has to be sent otherwise than chosen is written down in `settled`.
    fn body(
        &self,
        call: &ModelCall,
        pictures: &Pictures,
        settled: &mut Settled,
        stream: Stream,
    ) -> Value;

    /// By which words an error of the service names a parameter, in lower case: names on the wire, and those of its sentences.
    fn names(&self, parameter: Parameter) -> Vec<&'static str> {
        self.table().names(parameter)
    }
}

/// An address with further parts of a path after its own. Nothing in a part can lead out of it.
pub fn below<'a>(base_url: &Url, parts: impl IntoIterator<Item = &'a str>) -> Url {
    let mut url = base_url.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(parts);
    }
    url
}
