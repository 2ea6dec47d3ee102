//! What engines on the network share: a request that is bounded in time and size, failures in our own words, hits without
//! markup. Neither the endpoint nor the key gets into anything that comes from here.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderMap, HeaderValue,
};
use reqwest::{Client, Method, RequestBuilder, Url};
use serde_json::{Value, json};
use turnwise_shared::effect::NOT_AN_OBJECT;
use turnwise_shared::prelude::*;

use super::locale::Locale;
use crate::config::{Limits, Remote};
use crate::providers::{
    About, Words, about, error_of_text, is_page, lasting, retry_after, sentence,
};
use crate::secret::Secret;
use crate::services::body::{self, BadBody};
use crate::services::json;
use crate::services::markup;
use crate::services::reach::{Reach, Route};
use crate::services::throttle::Throttle;
use crate::services::{ProviderError, SearchService};

/// The longest that one request may take, however long models may take.
const LONGEST: Duration = Duration::from_secs(30);
/// The most bytes of one answer.
const LARGEST: usize = 4_000_000;
/// The most signs of a hit's title, snippet and address.
const TITLE: usize = 300;
const SNIPPET: usize = 1500;
const ADDRESS: usize = 2000;
/// Of results that a page is asked for at least, so that enough are left when some are no use.
pub const AT_LEAST: usize = 10;

/// How many queries in a row may be refused before it is the service that refuses.
const REFUSED_IN_A_ROW: u32 = 10;

/// Words on pages that are for people only, in lower case: such a page comes in place of results.
const BOT_CHECKS: [&str; 10] = [
    "captcha",
    "cf-chl",
    "cf_chl",
    "challenge-platform",
    "just a moment",
    "unusual traffic",
    "not a robot",
    "a robot?",
    "you are human",
    "bot detection",
];

/// The way to one service.
pub struct Web {
    info: EngineInfo,
    client: Client,
    url: Url,
    key: Option<Secret>,
    longest: Duration,
    largest: usize,
    throttle: Throttle,
    /// Queries in a row that were refused.
    refused: AtomicU32,
    route: Route,
}

/// What came back, whatever its status.
pub struct WebAnswer {
    pub status: u16,
    pub text: String,
    retry_after: Option<Duration>,
    content_type: String,
}

impl WebAnswer {
    /// The body, if it is a JSON object.
    pub fn object(&self) -> Option<Value> {
        self.json().filter(Value::is_object)
    }

    /// The body, which must be a JSON object.
    ///
    /// # Errors
    /// [`FailureClass::Undecodable`]; where it is JSON of another shape, with [`NOT_AN_OBJECT`] as its detail.
    pub fn expect_object(&self) -> Result<Value, ProviderError> {
        match self.json() {
            Some(object) if object.is_object() => Ok(object),
            Some(_) => {
                let mut miss = undecodable();
                miss.failure.detail = NOT_AN_OBJECT.into();
                Err(miss)
            }
            None if self.is_bot_check() => Err(ProviderError::new(
                FailureClass::Blocked,
                "the search service sent a check for bots in place of results",
            )),
            None => Err(undecodable()),
        }
    }

    fn json(&self) -> Option<Value> {
        json::values(&self.text).0.into_iter().next()
    }

    /// Whether it is a page, and not an answer for programs.
    pub fn is_page(&self) -> bool {
        self.text.trim_start().starts_with('<')
    }

    /// Whether it is a page that finds out whether a person is asking.
    pub fn is_bot_check(&self) -> bool {
        let text = self.text.to_lowercase();
        self.is_page() && BOT_CHECKS.iter().any(|words| text.contains(words))
    }

    /// Whether the service says how long to wait.
    pub fn says_when(&self) -> bool {
        self.retry_after.is_some()
    }

    /// Whether the service did what it was asked.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

impl Web {
    /// The way to a service.
    ///
    /// # Errors
    /// If the machine's certificates or its network cannot be used.
    pub fn new(
        name: &str,
        remote: &Remote,
        service: &SearchService,
        limits: &Limits,
        reach: &Reach,
    ) -> Result<Self, reqwest::Error> {
        let mut url = remote.base_url.clone();
        url.set_path(&format!("{}{}", remote.base_url.path().trim_end_matches('/'), service.path));
        let route = reach.route(&remote.proxy, &url);
        Ok(Web {
            info: EngineInfo {
                name: name.to_owned(),
                format: service.name.to_owned(),
                promise: service.promise,
                documents: None,
                corpus: None,
            },
            client: reach
                .client(&route)?
                .connect_timeout(limits.connect)
                .default_headers(headers())
                .build()?,
            url,
            key: remote.key.clone(),
            longest: limits.total.min(LONGEST),
            largest: limits.response_bytes.min(LARGEST),
            throttle: Throttle::new(name, remote.in_flight),
            refused: AtomicU32::new(0),
            route,
        })
    }

    /// How many requests it gets at once.
    pub fn throttle(&self) -> &Throttle {
        &self.throttle
    }

    /// What may be shown of the engine.
    pub fn info(&self) -> EngineInfo {
        self.info.clone()
    }

    /// A request with parameters in the address.
    pub fn get(&self, parameters: &[(&str, &str)]) -> RequestBuilder {
        let mut url = self.url.clone();
        url.query_pairs_mut().extend_pairs(parameters);
        self.client.request(Method::GET, url)
    }

    /// The same with the key among the parameters, under this name.
    pub fn get_with_key(&self, name: &str, parameters: &[(&str, &str)]) -> RequestBuilder {
        let key = self.key.as_ref().map(|key| (name, key.open()));
        self.get(&parameters.iter().copied().chain(key).collect::<Vec<_>>())
    }

    /// A request with a JSON body.
    pub fn post_json(&self, body: &Value) -> RequestBuilder {
        self.client.post(self.url.clone()).json(body)
    }

    /// A request with a form: what is looked for then stands in no address.
    pub fn post_form(&self, fields: &[(&str, &str)]) -> RequestBuilder {
        let mut form = self.url.clone();
        form.query_pairs_mut().clear().extend_pairs(fields);
        let body = form.query().unwrap_or_default().to_owned();
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        self.client.post(self.url.clone()).header(reqwest::header::CONTENT_TYPE, kind).body(body)
    }

    /// The same request with the key in a header, after `before`.
    pub fn with_key(&self, request: RequestBuilder, header: &str, before: &str) -> RequestBuilder {
        let Some(key) = &self.key else {
            return request;
        };
        match HeaderValue::from_str(&format!("{before}{}", key.open())) {
            Ok(mut value) => {
                value.set_sensitive(true);
                request.header(header, value)
            }
            // The configuration lets no such key in; without it the service refuses the request.
            Err(_) => request,
        }
    }

    /// Sends a request for a query and reads the whole answer. The caller has waited at the [throttle](Self::throttle).
    ///
    /// # Errors
    /// [`ProviderError`] if nothing came, it was cut off, too late or too large. A refusal is no error here.
    pub async fn ask(
        &self,
        query: &Query,
        request: RequestBuilder,
    ) -> Result<WebAnswer, ProviderError> {
        let locale = query.locale.as_deref().and_then(Locale::read);
        let language = locale.map_or_else(|| "en".to_owned(), |locale| locale.tag());
        let request = request.header(ACCEPT_LANGUAGE, format!("{language}, *;q=0.5"));
        tokio::time::timeout(self.longest, self.read(request)).await.unwrap_or_else(|_| {
            let seconds = self.longest.as_secs();
            let mut late = ProviderError::too_late();
            late.failure.message = match self.longest == LONGEST {
                true => format!("no answer after {seconds} s, the limit of one search"),
                false => format!("no answer after {seconds} s (limits.total_seconds)"),
            };
            Err(late)
        })
    }

    /// Sends a request as [`Web::ask`], and expects a JSON object of a success.
    ///
    /// # Errors
    /// As [`Web::ask`]; what `refusal` makes of an answer that is no success; if the body is no JSON object.
    pub async fn ask_for_object(
        &self,
        query: &Query,
        request: RequestBuilder,
        refusal: impl Fn(&WebAnswer) -> ProviderError,
    ) -> Result<Value, ProviderError> {
        let came = self.ask(query, request).await?;
        match came.is_success() {
            true => came.expect_object(),
            false => Err(refusal(&came)),
        }
    }

    async fn read(&self, request: RequestBuilder) -> Result<WebAnswer, ProviderError> {
        let mut response = request
            .send()
            .await
            .map_err(|error| self.route.explained(ProviderError::of_exchange(&error)))?;
        let mut bytes = Vec::new();
        while let Some(chunk) =
            response.chunk().await.map_err(|error| ProviderError::of_exchange(&error))?
        {
            if bytes.len() + chunk.len() > self.largest {
                return Err(self.too_large());
            }
            bytes.extend_from_slice(&chunk);
        }
        let (status, headers) = (response.status(), response.headers());
        let (bytes, bad) = body::unpacked(headers, bytes, self.largest);
        match bad {
            Some(BadBody::TooLarge(_)) => return Err(self.too_large()),
            // The status of a refusal tells enough.
            Some(bad) if status.is_success() => {
                return Err(lasting(format!("the search service's answer {bad}")));
            }
            Some(_) | None => {}
        }
        if status.is_success() {
            self.refused.store(0, Ordering::Relaxed);
        }
        Ok(WebAnswer {
            status: status.as_u16(),
            retry_after: retry_after(headers, SystemTime::now()),
            content_type: headers
                .get(CONTENT_TYPE)
                .and_then(|kind| kind.to_str().ok())
                .unwrap_or_default()
                .to_owned(),
            text: body::text(headers, &bytes).into_owned(),
        })
    }

    fn too_large(&self) -> ProviderError {
        ProviderError::new(
            FailureClass::Rejected,
            format!("the search service's answer has more than {} bytes", self.largest),
        )
    }

    /// What a refusal is about, where its body tells: a query that a filter does not let through, an account without credit, a page
    /// of something before the service.
    fn class_told(&self, came: &WebAnswer) -> Option<FailureClass> {
        let Some(body) = came.json() else {
            let is_page = is_page(&came.content_type, came.text.as_bytes());
            let miss =
                is_page.then(|| error_of_text(200, &came.content_type, came.text.as_bytes()))?;
            let class = miss.failure.class;
            return matches!(class, FailureClass::Filtered | FailureClass::Blocked)
                .then_some(class);
        };
        match about(came.status, &body)? {
            About::Prompt | About::Context => Some(FailureClass::Filtered),
            About::Money => Some(FailureClass::Quota),
            About::Region | About::Account => Some(FailureClass::Forbidden),
            About::Key => Some(FailureClass::Unauthorised),
            About::Model | About::Loading => None,
        }
    }

    /// Why a service refused: by the status, unless the engine knows better from the body. `words` are the service's own.
    pub fn refusal(
        &self,
        came: &WebAnswer,
        known: Option<FailureClass>,
        words: Option<&str>,
    ) -> ProviderError {
        let class = known
            .or_else(|| came.is_bot_check().then_some(FailureClass::Blocked))
            .or_else(|| self.class_told(came))
            .unwrap_or(match came.status {
                401 | 403 => FailureClass::Unauthorised,
                402 => FailureClass::Quota,
                429 => FailureClass::RateLimited,
                408 | 409 | 425 | 500.. => FailureClass::Server,
                // What is asked differs in the query alone: others may be answered.
                400 | 406 | 413 | 414 | 422 | 431 | 451 => FailureClass::Filtered,
                _ => FailureClass::Rejected,
            });
        if class == FailureClass::Filtered
            && self.refused.fetch_add(1, Ordering::Relaxed) + 1 >= REFUSED_IN_A_ROW
        {
            return self.refuses_everything(came, words);
        }
        let what = match class {
            FailureClass::Unauthorised => "refused the key",
            FailureClass::Quota => "has no credit or quota left for this account",
            FailureClass::RateLimited => "asked for fewer calls",
            FailureClass::Filtered => "refused this one query",
            FailureClass::Forbidden => "serves neither this account nor the region of this server",
            FailureClass::Blocked => "takes this server for a bot and wants a captcha",
            FailureClass::Server => "failed",
            _ if (300..400).contains(&came.status) => {
                "answered with a redirect, which is not followed"
            }
            _ => "refused the request",
        };
        let status = came.status;
        let mut miss =
            ProviderError::new(class, format!("the search service {what} (status {status})"));
        miss.failure.detail = json!({ "status": status });
        miss.retry_after = came.retry_after;
        miss.words = self.own_words(came, words);
        miss
    }

    /// The service's own words, less key and address: those that the engine knows, else those in the body.
    fn own_words(&self, came: &WebAnswer, known: Option<&str>) -> Option<String> {
        let own = Words::new(self.key.clone(), &self.url);
        let known = known.map(str::to_owned);
        let words = known.or_else(|| match came.json() {
            Some(body) => sentence(&body),
            None => error_of_text(came.status, &came.content_type, came.text.as_bytes()).words,
        });
        words.map(|words| own.of_service(&words))
    }

    /// After too many queries in a row it is no longer single ones that are refused: resuming a run then asks them again.
    fn refuses_everything(&self, came: &WebAnswer, words: Option<&str>) -> ProviderError {
        let mut miss = ProviderError::new(
            FailureClass::Blocked,
            format!(
                "the search service refused {REFUSED_IN_A_ROW} queries in a row, so it is no longer single ones (status {})",
                came.status
            ),
        );
        miss.failure.detail = json!({ "status": came.status });
        miss.words = self.own_words(came, words);
        miss
    }

    /// Adds the results of a page that are not there yet as hits, in their order; says whether there was one. `fields` name title,
    /// snippet and address of a result.
    pub fn add(&self, hits: &mut Vec<Hit>, results: &[Value], fields: [&str; 3]) -> bool {
        let page = results.iter().filter_map(|one| {
            let [title, snippet, address] = fields.map(|field| text(one, field));
            self.hit(title, snippet, address)
        });
        add(hits, page)
    }

    /// A hit as it may be shown: plain text, an address of the web. `None` if there is no use in it, or if it would tell the
    /// key or the endpoint.
    pub fn hit(
        &self,
        title: Option<&str>,
        snippet: Option<&str>,
        address: Option<&str>,
    ) -> Option<Hit> {
        let address = Url::parse(address?.trim()).ok()?;
        let own = address.host_str() == self.url.host_str() && address.port() == self.url.port();
        if !matches!(address.scheme(), "http" | "https") || own || address.as_str().len() > ADDRESS
        {
            return None;
        }
        let hit = Hit {
            title: title.and_then(|title| markup::plain(title, TITLE)),
            snippet: snippet.and_then(|snippet| markup::plain(snippet, SNIPPET)),
            url: Some(address.into()),
        };
        let tells = |text: &Option<String>| {
            self.key
                .as_ref()
                .zip(text.as_ref())
                .is_some_and(|(key, text)| text.contains(key.open()))
        };
        let useful = hit.title.is_some() || hit.snippet.is_some();
        (useful && ![&hit.title, &hit.snippet, &hit.url].into_iter().any(tells)).then_some(hit)
    }
}

/// What clients of such services send; without it limiters take a client for a bot.
fn headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    let accepts = "application/json, text/html;q=0.9, */*;q=0.5";
    headers.insert(ACCEPT, HeaderValue::from_static(accepts));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate"));
    headers
}

/// An answer without the list in which results would stand: that is not the same as an empty one.
pub fn no_list() -> ProviderError {
    ProviderError::new(
        FailureClass::Undecodable,
        "the search service's answer has no list of results",
    )
}

/// An answer that is none.
pub fn undecodable() -> ProviderError {
    ProviderError::new(FailureClass::Undecodable, "the search service's answer cannot be read")
}

/// Adds the hits of a page that are not there yet, in their order; says whether there was one.
pub fn add(hits: &mut Vec<Hit>, page: impl IntoIterator<Item = Hit>) -> bool {
    let before = hits.len();
    for hit in page {
        if hits.iter().all(|known| known.url != hit.url) {
            hits.push(hit);
        }
    }
    hits.len() > before
}

/// The list of results in an answer.
///
/// # Errors
/// If there is none: that is not the same as an empty one.
pub fn list<'a>(found: &'a Value, field: &str) -> Result<&'a [Value], ProviderError> {
    found.get(field).and_then(Value::as_array).map(Vec::as_slice).ok_or_else(no_list)
}

/// A text field of a JSON object.
pub fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field).and_then(Value::as_str)
}
