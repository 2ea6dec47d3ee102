//! Chat completions as OpenAI defined them, which most services and local servers speak: whole, or as a stream of events.

mod answer;
mod events;

use std::time::{Duration, SystemTime};

use reqwest::header::{ACCEPT, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url};
use serde_json::{Map, Value, json};
use turnwise_shared::effect::{Failure, FailureClass};
use turnwise_shared::prompt::{Role, Said};
use turnwise_shared::wire::ModelCall;

use super::{Listener, Miss};
use crate::config::Limits;
use crate::secret::Secret;
use answer::{Answer, Completion};
use events::Events;

/// Of an error's body, so much is read.
const ERROR_BYTES: usize = 64_000;

/// Of a service's own words, so many signs are kept.
const WORDS: usize = 300;

/// The most bytes of text and reasoning that one reply may have: a transcript's line has to fit into one request.
const LONGEST_REPLY: usize = 600_000;

/// An endpoint that speaks this format.
pub struct OpenAi {
    client: Client,
    url: Url,
    key: Option<Secret>,
    max_tokens_field: String,
    total: Duration,
    response_bytes: usize,
}

impl OpenAi {
    /// Makes the endpoint ready. It follows no redirect and uses no proxy: what is sent goes where the operator said.
    pub fn new(
        base_url: &Url,
        key: Option<Secret>,
        max_tokens_field: &str,
        limits: &Limits,
    ) -> Result<Self, reqwest::Error> {
        let mut url = base_url.clone();
        url.set_path(&format!(
            "{}/chat/completions",
            base_url.path().trim_end_matches('/')
        ));
        let client = Client::builder()
            .user_agent(concat!("turnwise/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .connect_timeout(limits.connect)
            .read_timeout(limits.idle)
            .build()?;
        Ok(OpenAi {
            client,
            url,
            key,
            max_tokens_field: max_tokens_field.to_owned(),
            total: limits.total,
            response_bytes: limits.response_bytes,
        })
    }

    /// One attempt, streamed if somebody listens.
    pub async fn attempt(&self, call: &ModelCall, listener: Listener<'_>) -> Result<Said, Miss> {
        match tokio::time::timeout(self.total, self.ask(call, listener)).await {
            Ok(result) => result.map_err(|miss| self.without_key(miss)),
            Err(_) => Err(too_late()),
        }
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

    async fn ask(&self, call: &ModelCall, listener: Listener<'_>) -> Result<Said, Miss> {
        let body = self.body(call, listener.is_some());
        let mut request = self.client.post(self.url.clone()).json(&body);
        if listener.is_some() {
            request = request.header(ACCEPT, HeaderValue::from_static("text/event-stream"));
        }
        if let Some(key) = &self.key {
            request = request.bearer_auth(key.open());
        }
        let mut response = request.send().await.map_err(|error| cut(&error))?;
        if !response.status().is_success() {
            return Err(self.refusal(response).await);
        }
        let said = match listener {
            Some(listener) if is_stream(&response) => {
                self.read_stream(&mut response, listener).await?
            }
            _ => self.read_whole(&mut response).await?,
        };
        let length = said.text.as_ref().map_or(0, String::len)
            + said.reasoning.as_ref().map_or(0, String::len);
        if length > LONGEST_REPLY {
            return Err(Miss::new(
                FailureClass::Rejected,
                format!("the reply is longer than {LONGEST_REPLY} bytes; limit its tokens"),
            ));
        }
        Ok(said)
    }

    fn body(&self, call: &ModelCall, stream: bool) -> Value {
        let messages: Vec<Value> = call
            .messages
            .iter()
            .map(|message| {
                let role = match message.role {
                    Role::System => "system",
                    Role::User => "user",
                    Role::Assistant => "assistant",
                };
                json!({ "role": role, "content": message.text })
            })
            .collect();
        let mut body = Map::new();
        body.insert("model".into(), call.model.as_str().into());
        body.insert("messages".into(), messages.into());
        if let Some(temperature) = call.sampling.temperature {
            body.insert("temperature".into(), temperature.into());
        }
        if let Some(top_p) = call.sampling.top_p {
            body.insert("top_p".into(), top_p.into());
        }
        if let Some(max_tokens) = call.sampling.max_tokens {
            body.insert(self.max_tokens_field.clone(), max_tokens.into());
        }
        if stream {
            body.insert("stream".into(), true.into());
            body.insert("stream_options".into(), json!({ "include_usage": true }));
        }
        body.into()
    }

    async fn read_whole(&self, response: &mut Response) -> Result<Said, Miss> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| cut(&error))? {
            self.check_size(bytes.len() + chunk.len())?;
            bytes.extend_from_slice(&chunk);
        }
        let completion: Completion = serde_json::from_slice(&bytes)
            .map_err(|_| Miss::new(FailureClass::Undecodable, "the answer is no completion"))?;
        let mut answer = Answer::default();
        answer.take(completion)?;
        answer.whole()
    }

    async fn read_stream(
        &self,
        response: &mut Response,
        listener: &(dyn Fn(&str) + Send + Sync),
    ) -> Result<Said, Miss> {
        let mut events = Events::default();
        let mut answer = Answer::default();
        let mut size = 0;
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                // What follows the end is only the account of tokens; without it the answer is still whole.
                Ok(None) | Err(_) if answer.is_finished() => break,
                Ok(None) => {
                    return Err(Miss::new(
                        FailureClass::Undecodable,
                        "the stream ended before the answer did",
                    ));
                }
                Err(error) => return Err(cut(&error)),
            };
            size += chunk.len();
            self.check_size(size)?;
            for data in events.feed(&chunk) {
                if data.trim() == "[DONE]" {
                    answer.done();
                    continue;
                }
                let completion: Completion = serde_json::from_str(&data).map_err(|_| {
                    Miss::new(
                        FailureClass::Undecodable,
                        "the stream has an event that is no completion",
                    )
                })?;
                if let Some(piece) = answer.take(completion)? {
                    listener(&piece);
                }
            }
            if answer.is_done() {
                break;
            }
        }
        answer.whole()
    }

    fn check_size(&self, bytes: usize) -> Result<(), Miss> {
        if bytes > self.response_bytes {
            return Err(Miss::new(
                FailureClass::Rejected,
                format!("the answer has more than {} bytes", self.response_bytes),
            ));
        }
        Ok(())
    }

    async fn refusal(&self, mut response: Response) -> Miss {
        let status = response.status().as_u16();
        let retry_after = retry_after(response.headers(), SystemTime::now());
        let mut bytes = Vec::new();
        while let Ok(Some(chunk)) = response.chunk().await {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > ERROR_BYTES {
                break;
            }
        }
        let error = serde_json::from_slice::<Value>(&bytes).unwrap_or(Value::Null);
        let error = error.get("error").unwrap_or(&error);
        let mut miss = answer::miss_of_error(status, error);
        miss.retry_after = retry_after;
        if !matches!(status, 401 | 403) {
            miss.words = error
                .get("message")
                .or(Some(error))
                .and_then(Value::as_str)
                .map(|words| self.harmless(words));
        }
        miss
    }

    /// A service's words without key and address.
    fn harmless(&self, words: &str) -> String {
        let mut words = words.to_owned();
        let secrets = [
            self.key.as_ref().map(Secret::open),
            Some(self.url.as_str()),
            self.url.host_str(),
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

fn is_stream(response: &Response) -> bool {
    // A server that cannot stream answers whole, as JSON.
    !response
        .headers()
        .get(reqwest::header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.starts_with("application/json"))
}

/// What a failed exchange was. The error's own words name the address, so they are not used.
fn cut(error: &reqwest::Error) -> Miss {
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

fn too_late() -> Miss {
    Miss::new(FailureClass::Timeout, "no answer in time")
}

/// `Retry-After`, in seconds or as a date.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    match value.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => {
            let date = httpdate::parse_http_date(value).ok()?;
            Some(date.duration_since(now).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_read_in_seconds_and_as_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let wait = |value: &str| {
            let value = HeaderValue::from_str(value).expect("a header");
            retry_after(&HeaderMap::from_iter([(RETRY_AFTER, value)]), now)
        };
        assert_eq!(wait("7"), Some(Duration::from_secs(7)));
        assert_eq!(wait("0.25"), Some(Duration::from_millis(250)));
        let date = httpdate::fmt_http_date(now + Duration::from_secs(90));
        assert_eq!(wait(&date), Some(Duration::from_secs(90)));
        let past = httpdate::fmt_http_date(now - Duration::from_secs(90));
        assert_eq!(wait(&past), Some(Duration::ZERO));
        for nonsense in ["soon", "-1", "1e99", "NaN"] {
            assert_eq!(wait(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn a_services_words_lose_key_and_address() {
        let url = Url::parse("https://box.internal/v1").expect("an address");
        let key = Some(Secret::new("marked-key"));
        let openai = OpenAi::new(&url, key, "max_tokens", &Limits::default()).expect("a client");
        let said = openai
            .harmless("key marked-key at https://box.internal/v1/chat/completions, box.internal");
        assert_eq!(said, "key … at …, …");
        assert_eq!(openai.harmless(&"x".repeat(1000)).len(), WORDS);
    }
}
