//! An endpoint behind the network, whatever wire format it speaks: one attempt over HTTP, whole or as a stream of events.
//!
//! A wire format says how a call is written down and how an answer is read ([`wire_format`](super::wire_format)); everything that
//! services have in common is here: limits of time and size, errors, and what to do when a parameter is refused. A stream that
//! ends before the answer did is a failure, never an answer.

mod reading;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderValue};
use reqwest::{Client, Url};
use serde_json::Value;
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Departure;

use super::capabilities::{Guesses, Learnt, Parameter, Settled};
use super::dialogue::{has_rules, repeats_a_side};
use super::errors::{Sent, refused};
use super::refusals::{ErrorContents, TokenLimit, token_limit};
use super::wire_format::WireFormat;
use super::words::Words;
use super::{Heard, Listener, Pictures};
use crate::config::Limits;
use crate::long_texts::{beside, came};
use crate::secret::Secret;
use crate::services::body;
use crate::services::reach::{ProxyChoice, Reach, Route};
use crate::services::{Again, ProviderError};

/// The most bytes of text and reasoning that one reply may have: a transcript's line has to fit into one request.
const LONGEST_REPLY: usize = 600_000;

/// After this number of requests in a row that a filter, or something before the service, refused, it is no longer single
/// requests that are refused. Until then each of them is taken for one.
const FILTERED_IN_A_ROW: u32 = 10;

/// So often a call is sent with another limit of tokens than the one before.
const TOKEN_LIMITS: u32 = 3;

/// An endpoint that speaks a wire format.
pub struct Remote<F> {
    pub(super) client: Client,
    pub(super) format: F,
    pub(super) key: Option<Secret>,
    pub(super) words: Words,
    route: Route,
    learnt: Learnt,
    /// Requests in a row that were filtered.
    filtered: AtomicU32,
    idle: Duration,
    pub(super) total: Duration,
    pub(super) response_bytes: usize,
}

impl<F: WireFormat> Remote<F> {
    /// Makes the endpoint ready.
    ///
    /// # Errors
    /// If the machine's certificates or its network cannot be used.
    pub fn new(
        format: F,
        base_url: &Url,
        key: Option<Secret>,
        limits: &Limits,
        (reach, proxy): (&Reach, &ProxyChoice),
    ) -> Result<Self, reqwest::Error> {
        let route = reach.route(proxy, base_url);
        let client = reach
            .client(&route)?
            .connect_timeout(limits.connect)
            .read_timeout(limits.idle)
            .build()?;
        Ok(Remote {
            client,
            format,
            words: Words::new(key.clone(), base_url),
            key,
            route,
            learnt: Learnt::default(),
            filtered: AtomicU32::new(0),
            idle: limits.idle,
            total: limits.total,
            response_bytes: limits.response_bytes,
        })
    }

    /// The names of what a model is never sent, as far as is known by now.
    pub fn left_out(&self, model: &str) -> Vec<&'static str> {
        let learnt = self.learnt.of(model);
        let left_out = self.format.table().left_out(model, &learnt.refused);
        left_out.into_iter().map(Parameter::name).collect()
    }

    /// Whether a model sees pictures; `None` if that is not known.
    pub fn sees_pictures(&self, model: &str) -> Option<bool> {
        self.format.table().sees_pictures(model)
    }

    /// One attempt, streamed if there is a listener. What the model does not take is left out or sent otherwise, and the request
    /// sent again at once; that is no further attempt. A refusal of this one prompt is an answer that was filtered.
    pub async fn attempt(
        &self,
        call: &ModelCall,
        pictures: &Pictures,
        listener: Listener<'_>,
    ) -> Result<Heard, ProviderError> {
        let asked = tokio::time::timeout(self.total, self.ask(call, pictures, listener));
        let outcome = asked.await.unwrap_or_else(|_| Err(self.too_slow()));
        outcome.map_err(|miss| self.without_key(miss))
    }

    async fn ask(
        &self,
        call: &ModelCall,
        pictures: &Pictures,
        listener: Listener<'_>,
    ) -> Result<Heard, ProviderError> {
        let mut learnt_now = Vec::new();
        let mut guesses = Guesses::default();
        // What was refused before anything was guessed.
        let mut first: Option<ProviderError> = None;
        let (mut room, mut limits) = (None, 0);
        let mut words = None;
        loop {
            let mut learnt = self.learnt.of(&call.model);
            learnt.refused.extend(&guesses.left_out);
            let table = self.format.table();
            let mut settled = table.settle(&call.model, &call.sampling, &learnt.refused);
            if let Some(most) = learnt.most_tokens.into_iter().chain(room).min() {
                settled.limit_tokens(most);
            }
            let stream = match listener {
                _ if !settled.takes(Parameter::Whole) => Stream::Pieces,
                Some(_) if settled.takes(Parameter::Pieces) => Stream::Pieces,
                _ => Stream::Whole,
            };
            let body = self.format.body(call, pictures, &mut settled, stream);
            depart_in_ways(&mut settled, stream);
            let miss = match self.exchange(call, &settled, &body, stream, listener).await {
                Ok(said) => {
                    match said.stop == Stop::Filtered && said.text.is_none() {
                        true => self.counted_filtered()?,
                        false => self.filtered.store(0, Ordering::Relaxed),
                    }
                    for parameter in &guesses.left_out {
                        self.learnt.learn(&call.model, *parameter);
                    }
                    let bytes = said.bytes();
                    let cut = || self.words.of_model(cut_to_size(said, settled.departures));
                    let mut said = beside(bytes, cut).await;
                    let texts = call.messages.iter().map(|message| message.text.len());
                    said.usage = said.usage.having_read(texts.sum());
                    return Ok(Heard { said, words });
                }
                Err(miss) => miss,
            };
            let own = miss.words.as_deref().map(|own| self.words.of_service(own));
            if miss.failure.class == FailureClass::Filtered {
                self.counted_filtered()
                    .map_err(|refused| ProviderError { words: miss.words.clone(), ..refused })?;
                let reason = match &own {
                    Some(own) => format!("{}: {own}", miss.failure.message),
                    None => miss.failure.message,
                };
                let said = Said {
                    refusal: Some(reason),
                    stop: Stop::Filtered,
                    departures: settled.departures,
                    ..Said::default()
                };
                return Ok(Heard { said: self.words.of_model(said), words: own });
            }
            if let Some(limit) = self.lower_limit(&settled, &miss)
                && limits < TOKEN_LIMITS
            {
                limits += 1;
                match limit {
                    TokenLimit::OfModel(most) => self.learnt.limit_tokens(&call.model, most),
                    TokenLimit::OfConversation(most) => room = Some(most),
                }
                words = own.or(words);
                continue;
            }
            match self.otherwise(call, &settled, stream, &miss) {
                // Others may have learnt it meanwhile. What is learnt is not sent again, so this comes to an end.
                Some(parameter) => {
                    if self.learnt.learn(&call.model, parameter) {
                        learnt_now.push(parameter);
                    }
                    words = own.or(words);
                }
                None if learnt.in_vain < GUESSED_IN_VAIN
                    && named(&miss).is_some_and(|named| {
                        let said = miss.words.as_deref().unwrap_or_default().to_lowercase();
                        guesses.next(&said, &named, &settled.sampling)
                    }) =>
                {
                    words = own.or(words);
                    first.get_or_insert(miss);
                }
                None => {
                    if miss.failure.class == FailureClass::Rejected {
                        self.learnt.forget(&call.model, &learnt_now);
                    }
                    return Err(match first {
                        Some(first) if miss.failure.class == FailureClass::Rejected => {
                            self.learnt.in_vain(&call.model);
                            first
                        }
                        _ => miss,
                    });
                }
            }
        }
    }

    /// The limit of a reply's tokens that a service names where it refuses the one that was sent.
    fn lower_limit(&self, settled: &Settled, miss: &ProviderError) -> Option<TokenLimit> {
        let (status, error) = miss.told.as_deref()?;
        let is_plausible = matches!(
            miss.failure.class,
            FailureClass::Rejected | FailureClass::Context | FailureClass::Undecodable
        ) || (miss.failure.class == FailureClass::Server && *status == 500);
        let sent = settled.sampling.max_tokens.filter(|_| is_plausible)?;
        token_limit(error, sent)
    }

    /// What of a request that was refused can be sent otherwise.
    fn otherwise(
        &self,
        call: &ModelCall,
        settled: &Settled,
        stream: Stream,
        miss: &ProviderError,
    ) -> Option<Parameter> {
        let (status, error) = miss.told.as_deref()?;
        if !matches!(
            miss.failure.class,
            FailureClass::Rejected | FailureClass::Server | FailureClass::Undecodable
        ) || miss.again == Again::OnceLoaded
        {
            return None;
        }
        let mut parameters = Parameter::chosen(&settled.sampling);
        let ways = [
            (Parameter::System, has_rules(&call.messages)),
            (Parameter::Order, F::SENDS_ANY_ORDER && repeats_a_side(&call.messages)),
            (Parameter::Whole, stream == Stream::Whole),
            (Parameter::Pieces, stream == Stream::Pieces && settled.takes(Parameter::Whole)),
            (Parameter::StreamOptions, stream == Stream::Pieces && F::HAS_STREAM_OPTIONS),
        ];
        parameters.extend(ways.into_iter().filter_map(|(way, is_sent)| is_sent.then_some(way)));
        parameters.retain(|parameter| settled.takes(*parameter));
        if settled.takes(Parameter::Version)
            && self.format.is_of_version(*status, &ErrorContents::of(error))
        {
            return Some(Parameter::Version);
        }
        let sent =
            Sent { parameters: &parameters, names: &|parameter| self.format.names(parameter) };
        refused(*status, error, &sent)
    }

    /// Counts what was filtered: where nothing else comes, it is not single requests that are refused.
    fn counted_filtered(&self) -> Result<(), ProviderError> {
        if self.filtered.fetch_add(1, Ordering::Relaxed) + 1 < FILTERED_IN_A_ROW {
            return Ok(());
        }
        Err(ProviderError::new(
            FailureClass::Blocked,
            format!(
                "the service's filter, or something before the service, refused {FILTERED_IN_A_ROW} requests in a row, so it is no longer \
                 single requests that are refused"
            ),
        ))
    }

    async fn exchange(
        &self,
        call: &ModelCall,
        settled: &Settled,
        body: &Value,
        stream: Stream,
        listener: Listener<'_>,
    ) -> Result<Said, ProviderError> {
        let url = self.format.url(&call.model, settled, stream);
        let request = self.client.post(url);
        let mut request = self.format.signed(request, self.key.as_ref()).json(body);
        if stream == Stream::Pieces {
            request = request.header(ACCEPT, HeaderValue::from_static("text/event-stream"));
        }
        let mut response = request.send().await.map_err(|error| self.cut(&error))?;
        if !response.status().is_success() {
            return Err(self.refusal(response).await);
        }
        // A service that was asked for a stream may answer whole, and the other way round.
        let mut bytes = Vec::new();
        if stream == Stream::Pieces {
            loop {
                match body::may_be_events(response.headers(), &bytes) {
                    Some(true) => return self.read_pieces(&mut response, bytes, listener).await,
                    Some(false) => break,
                    None => {}
                }
                match response.chunk().await.map_err(|error| self.cut(&error))? {
                    Some(chunk) => {
                        came(chunk.len()).await;
                        bytes.extend_from_slice(&chunk);
                    }
                    None => break,
                }
                if bytes.len() > self.response_bytes {
                    return Ok(self.too_large());
                }
            }
        }
        self.read_whole(&mut response, bytes).await
    }

    /// A service that puts the key where its word for the error belongs gets no word in at all.
    pub(super) fn without_key(&self, mut miss: ProviderError) -> ProviderError {
        let shown = format!("{} {}", miss.failure.message, miss.failure.detail);
        if self.words.tells(&shown) {
            let status = miss.failure.detail["status"].as_u64();
            let message = match status.and_then(|status| u16::try_from(status).ok()) {
                Some(status) => ProviderError::of_status(status).failure.message,
                None => "the service refused the request".to_owned(),
            };
            miss.failure = Failure::new(miss.failure.class, message);
        }
        miss.words = miss.words.map(|words| self.words.of_service(&words));
        miss
    }

    /// What a failed exchange was, with the name of the limit if it was one of ours.
    pub(super) fn cut(&self, error: &reqwest::Error) -> ProviderError {
        if error.is_timeout() && !error.is_connect() {
            let seconds = self.idle.as_secs();
            return of_a_limit(format!(
                "no answer after {seconds} s of silence (limits.idle_seconds); the service may charge for the call"
            ));
        }
        self.route.explained(ProviderError::of_exchange(error))
    }

    fn too_slow(&self) -> ProviderError {
        let seconds = self.total.as_secs();
        of_a_limit(format!(
            "no whole answer after {seconds} s (limits.total_seconds); the service may charge for the call"
        ))
    }
}

/// A limit of ours cut the call. The same call would meet it again, and may be paid again.
fn of_a_limit(message: String) -> ProviderError {
    ProviderError { again: Again::Never, ..ProviderError::new(FailureClass::Timeout, message) }
}

/// After this number of calls of a model for which guessing was in vain, its refusals are believed at once.
const GUESSED_IN_VAIN: u32 = 3;

/// What a refusal names of the request, in lower case, if something optional may be meant: nothing, or a name in a field of its own.
fn named(miss: &ProviderError) -> Option<String> {
    let Some((400 | 422, error)) = miss.told.as_deref() else {
        return None;
    };
    let told = ErrorContents::of(error);
    let is_of_the_rest = miss.failure.class != FailureClass::Rejected
        || told.has_code(&["modelnot", "invalidmodel", "unknownmodel", "nosuchmodel"])
        // A value beyond its range is the caller's mistake where the service says so.
        || told.has_code(&["abovemax", "belowmin"])
        || told.is_about_no_model();
    (!is_of_the_rest).then(|| error["param"].as_str().unwrap_or_default().to_lowercase())
}

/// Writes down in which ways a request is not sent as it was first.
fn depart_in_ways(settled: &mut Settled, stream: Stream) {
    if !settled.takes(Parameter::Whole) {
        settled.depart(Parameter::Whole, Departed::Supplied(1));
    }
    if stream == Stream::Pieces && !settled.takes(Parameter::StreamOptions) {
        settled.depart(Parameter::StreamOptions, Departed::Refused);
    }
    if !settled.takes(Parameter::Version) {
        settled.depart(Parameter::Version, Departed::Moved);
    }
}

/// A reply that fits into a transcript, with what was sent otherwise than chosen. A longer one is the model's doing, so it is
/// kept as far as there is room: the text first.
fn cut_to_size(mut said: Said, departures: Vec<Departure>) -> Said {
    said.departures = departures;
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    if length(&said.text) + length(&said.reasoning) <= LONGEST_REPLY {
        return said;
    }
    let mut room = LONGEST_REPLY;
    for text in [&mut said.text, &mut said.reasoning].into_iter().flatten() {
        let end = text.floor_char_boundary(room);
        text.truncate(end);
        room -= end;
    }
    said.stop = Stop::Length;
    said.departures.push(Departure {
        parameter: "reply".to_owned(),
        how: Departed::Cut(LONGEST_REPLY as u64),
    });
    said
}

#[cfg(test)]
mod tests;
