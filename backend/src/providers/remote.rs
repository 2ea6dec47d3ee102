//! An endpoint behind the network, whatever wire format it speaks: one attempt over HTTP, whole or as a stream of events.
//!
//! A wire format says how a call is written down and how an answer is read ([`WireFormat`], [`Answer`]); everything that
//! services have in common is here: limits of time and size, errors, and what to do when a parameter is refused. A stream that
//! ends before the answer did is a failure, never an answer.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use reqwest::header::{ACCEPT, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, Url};
use serde_json::Value;
use turnwise_shared::effect::{Failure, FailureClass};
use turnwise_shared::prompt::{Departure, Said};
use turnwise_shared::wire::{ModelCall, Stream};

use super::capabilities::{Learnt, Parameter, Settled, Table};
use super::draft::{Draft, broken_off, lasting, take_body, take_event};
use super::errors::{miss_of_error, refused_parameter, retry_after};
use super::events::Events;
use super::{Listener, Miss};
use crate::config::Limits;
use crate::egress::body::{self, BadBody};
use crate::egress::reach::Reach;
use crate::secret::Secret;

/// Of an error's body, so much is read.
const ERROR_BYTES: usize = 64_000;

/// Of a service's own words, so many signs are kept.
const WORDS: usize = 300;

/// The most bytes of text and reasoning that one reply may have: a transcript's line has to fit into one request.
const LONGEST_REPLY: usize = 600_000;

/// How a service is asked and how its answers are read.
pub trait WireFormat: Send + Sync {
    /// An answer as far as it has come.
    type Answer: Answer;

    /// What is known of its models.
    fn table(&self) -> &'static Table;

    /// Where a call goes.
    fn url(&self, model: &str, stream: Stream) -> Url;

    /// Puts the key where the service wants it.
    fn signed(&self, request: RequestBuilder, key: Option<&Secret>) -> RequestBuilder;

    /// What is sent; what has to be sent otherwise than chosen is written down in `settled`.
    fn body(&self, call: &ModelCall, settled: &mut Settled, stream: Stream) -> Value;

    /// By which words an error of the service names a parameter, in lower case: names on the wire, and those of its sentences.
    fn names(&self, parameter: Parameter) -> &'static [&'static str];
}

/// An answer as far as it has come.
pub trait Answer: Default + Send {
    /// Takes a whole answer, or the data of an event: an object. Returns the text that it adds; what is of no use is passed over.
    ///
    /// # Errors
    /// If the service reports an error in it, or its text is something else.
    fn take(&mut self, value: &Value) -> Result<Option<String>, Miss>;

    /// What has come of it.
    fn draft(&mut self) -> &mut Draft;

    /// The whole answer.
    ///
    /// # Errors
    /// If there was none in what came, or the service says that it broke off.
    fn whole(self) -> Result<Said, Miss>;
}

/// An endpoint that speaks a wire format.
pub struct Remote<F> {
    client: Client,
    format: F,
    base_url: Url,
    key: Option<Secret>,
    learnt: Learnt,
    total: Duration,
    response_bytes: usize,
}

/// What one exchange over the network came to.
enum Exchange {
    Said(Said),
    /// The service answered with an error: this status and this body.
    Refused(Miss, u16, Value),
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
        reach: &Reach,
    ) -> Result<Self, reqwest::Error> {
        let client = reach
            .client()
            .connect_timeout(limits.connect)
            .read_timeout(limits.idle)
            .build()?;
        Ok(Remote {
            client,
            format,
            base_url: base_url.clone(),
            key,
            learnt: Learnt::default(),
            total: limits.total,
            response_bytes: limits.response_bytes,
        })
    }

    /// The names of what a model is never sent, as far as is known by now.
    pub fn left_out(&self, model: &str) -> Vec<&'static str> {
        let learnt = self.learnt.of(model);
        let left_out = self.format.table().left_out(model, &learnt);
        left_out.into_iter().map(Parameter::name).collect()
    }

    /// One attempt, streamed if somebody listens. A parameter that the model does not take is left out, and the request sent
    /// again at once; that is no further attempt.
    pub async fn attempt(&self, call: &ModelCall, listener: Listener<'_>) -> Result<Said, Miss> {
        match tokio::time::timeout(self.total, self.ask(call, listener)).await {
            Ok(result) => result.map_err(|miss| self.without_key(miss)),
            Err(_) => Err(too_late()),
        }
    }

    async fn ask(&self, call: &ModelCall, listener: Listener<'_>) -> Result<Said, Miss> {
        let stream = match listener {
            Some(_) => Stream::Pieces,
            None => Stream::Whole,
        };
        loop {
            let learnt = self.learnt.of(&call.model);
            let table = self.format.table();
            let mut settled = table.settle(&call.model, &call.sampling, &learnt);
            let body = self.format.body(call, &mut settled, stream);
            match self.exchange(call, &body, listener).await? {
                Exchange::Said(said) => return checked(said, settled.departures),
                Exchange::Refused(miss, status, error) => {
                    let sent = sent(&settled);
                    let names = |parameter| self.format.names(parameter);
                    match refused_parameter(status, &error, &sent, names) {
                        // What is learnt is not sent again, so this comes to an end.
                        Some(parameter) => self.learnt.learn(&call.model, parameter),
                        None => return Err(miss),
                    }
                }
            }
        }
    }

    async fn exchange(
        &self,
        call: &ModelCall,
        body: &Value,
        listener: Listener<'_>,
    ) -> Result<Exchange, Miss> {
        let stream = match listener {
            Some(_) => Stream::Pieces,
            None => Stream::Whole,
        };
        let request = self.client.post(self.format.url(&call.model, stream));
        let mut request = self.format.signed(request, self.key.as_ref()).json(body);
        if stream == Stream::Pieces {
            request = request.header(ACCEPT, HeaderValue::from_static("text/event-stream"));
        }
        let mut response = request.send().await.map_err(|error| cut(&error))?;
        if !response.status().is_success() {
            return Ok(self.refusal(response).await);
        }
        let answer = self.read(&mut response, listener).await?;
        answer.whole().map(Exchange::Said)
    }

    /// Reads the answer as it is, whatever was asked for: a service that was asked for a stream may answer whole, and the other way
    /// round.
    async fn read(
        &self,
        response: &mut Response,
        listener: Listener<'_>,
    ) -> Result<F::Answer, Miss> {
        let mut bytes = Vec::new();
        if let Some(listener) = listener {
            loop {
                match body::may_be_events(response.headers(), &bytes) {
                    Some(true) => return self.read_stream(response, bytes, listener).await,
                    Some(false) => break,
                    None => {}
                }
                match response.chunk().await.map_err(|error| cut(&error))? {
                    Some(chunk) => bytes.extend_from_slice(&chunk),
                    None => break,
                }
            }
        }
        self.read_whole(response, bytes).await
    }

    async fn read_whole(
        &self,
        response: &mut Response,
        mut bytes: Vec<u8>,
    ) -> Result<F::Answer, Miss> {
        let cut_off = loop {
            match response.chunk().await {
                Ok(Some(chunk)) => {
                    self.check_size(bytes.len() + chunk.len())?;
                    bytes.extend_from_slice(&chunk);
                }
                Ok(None) => break None,
                Err(error) => break Some(cut(&error)),
            }
        };
        let headers = response.headers();
        let (bytes, bad) = body::unpacked(headers, bytes, self.response_bytes);
        let read = match bad {
            None => take_body::<F::Answer>(&body::text(headers, &bytes)),
            Some(BadBody::TooLarge(_)) => return Err(self.too_large()),
            Some(bad) => Err(lasting(format!("the answer {bad}"))),
        };
        let Some(cut_off) = cut_off else {
            return read;
        };
        match read {
            Ok(mut answer) => match answer.draft().is_finished() {
                // Nothing of it was missing any more.
                true => Ok(answer),
                false => Err(cut_off),
            },
            Err(_) => Err(cut_off),
        }
    }

    async fn read_stream(
        &self,
        response: &mut Response,
        first: Vec<u8>,
        listener: &(dyn Fn(&str) + Send + Sync),
    ) -> Result<F::Answer, Miss> {
        let mut events = Events::default();
        let mut answer = F::Answer::default();
        let mut size = first.len();
        let mut whole = events.feed(&first);
        loop {
            for event in whole {
                if let Some(piece) = take_event(&mut answer, &event)? {
                    listener(&piece);
                }
                if answer.draft().is_done {
                    return Ok(answer);
                }
            }
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                // What follows the end is only the account of tokens; without it the answer is still whole.
                Err(_) if answer.draft().is_finished() => return Ok(answer),
                Err(error) => return Err(cut(&error)),
            };
            size += chunk.len();
            self.check_size(size)?;
            whole = events.feed(&chunk);
        }
        if let Some(event) = events.last()
            && let Some(piece) = take_event(&mut answer, &event)?
        {
            listener(&piece);
        }
        match answer.draft().may_end() {
            true => Ok(answer),
            false => Err(broken_off()),
        }
    }

    fn check_size(&self, bytes: usize) -> Result<(), Miss> {
        match bytes > self.response_bytes {
            true => Err(self.too_large()),
            false => Ok(()),
        }
    }

    fn too_large(&self) -> Miss {
        Miss::new(
            FailureClass::Rejected,
            format!("the answer has more than {} bytes", self.response_bytes),
        )
    }

    async fn refusal(&self, mut response: Response) -> Exchange {
        let status = response.status().as_u16();
        let wait = retry_after(response.headers(), SystemTime::now());
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
        let mut body = body::values(&text)
            .0
            .into_iter()
            .next()
            .unwrap_or(Value::Null);
        // Some put the error into a list of one.
        if let Value::Array(items) = &mut body
            && items.len() == 1
        {
            body = items.remove(0);
        }
        let error = match body.get_mut("error") {
            Some(error) => error.take(),
            None => body,
        };
        let mut miss = miss_of_error(status, &error);
        miss.retry_after = wait.or(miss.retry_after);
        if miss.failure.class != FailureClass::Unauthorised {
            miss.words = error
                .get("message")
                .or(Some(&error))
                .and_then(Value::as_str)
                .map(|words| self.harmless(words));
        }
        Exchange::Refused(miss, status, error)
    }

    /// A service that puts the key where its word for the error belongs gets no word in at all.
    fn without_key(&self, mut miss: Miss) -> Miss {
        let shown = format!("{} {}", miss.failure.message, miss.failure.detail);
        if self
            .key
            .as_ref()
            .is_some_and(|key| shown.contains(key.open()))
        {
            let status = miss.failure.detail["status"].as_u64();
            let message = match status.and_then(|status| u16::try_from(status).ok()) {
                Some(status) => Miss::of_status(status).failure.message,
                None => "the service refused the request".to_owned(),
            };
            miss.failure = Failure::new(miss.failure.class, message);
        }
        miss
    }

    /// A service's words without key and address.
    fn harmless(&self, words: &str) -> String {
        let mut words = words.to_owned();
        let secrets = [
            self.key.as_ref().map(Secret::open),
            Some(self.base_url.as_str()),
            self.base_url.host_str(),
        ];
        for secret in secrets
            .into_iter()
            .flatten()
            .filter(|secret| !secret.is_empty())
        {
            words = words.replace(secret, "…");
        }
        words.chars().take(WORDS).collect()
    }
}

/// What of the choice was sent and could be refused.
fn sent(settled: &Settled) -> BTreeSet<Parameter> {
    let mut sent = Parameter::chosen(&settled.sampling);
    sent.insert(Parameter::System);
    sent.retain(|parameter| settled.takes(*parameter));
    sent
}

/// An answer that is not too long, with what was sent otherwise than chosen.
fn checked(said: Said, departures: Vec<Departure>) -> Result<Said, Miss> {
    let length =
        said.text.as_ref().map_or(0, String::len) + said.reasoning.as_ref().map_or(0, String::len);
    if length > LONGEST_REPLY {
        return Err(Miss::new(
            FailureClass::Rejected,
            format!("the reply is longer than {LONGEST_REPLY} bytes; limit its tokens"),
        ));
    }
    Ok(Said { departures, ..said })
}

/// An address with further parts of a path after its own. Nothing in a part can lead out of it.
pub fn below<'a>(base_url: &Url, parts: impl IntoIterator<Item = &'a str>) -> Url {
    let mut url = base_url.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(parts);
    }
    url
}

/// What a failed exchange was. The error's own words name the address, so they are not used.
pub fn cut(error: &reqwest::Error) -> Miss {
    if error.is_timeout() {
        too_late()
    } else if error.is_connect() {
        Miss::new(FailureClass::Connection, "the service cannot be reached")
    } else {
        Miss::new(
            FailureClass::Connection,
            "the connection was cut before the end of the answer",
        )
    }
}

/// Nothing came back in time.
pub fn too_late() -> Miss {
    Miss::new(FailureClass::Timeout, "no answer in time")
}

#[cfg(test)]
mod tests;
