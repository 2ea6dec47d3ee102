//! Pages of the open web. A player, a page or a redirect names the address, so every one passes [`door`]: no address of this machine or of a
//! private network is ever connected to. Names are resolved here, *every* address of a name is checked, and the client connects to
//! the addresses that were checked and no others; no connection is used twice, and no proxy of the environment at all.

mod door;
mod manners;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use encoding_rs::{Encoding, WINDOWS_1252};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION,
};
use reqwest::{Client, Response, Url};
use serde_json::json;
use tokio::time::{Instant, timeout};
use turnwise_shared::prelude::*;

use crate::config::Manners;
use crate::services::body::{self, BadBody};
use crate::services::gate::Gate;
use crate::services::{Again, ProviderError, can_open_files, reach};
use door::Door;
pub use door::{Internet, NoConnection, Surroundings};
use manners::{Sites, Turn};

/// Until the head of an answer has come.
const HEAD: Duration = Duration::from_secs(10);
/// For all exchanges of a visit together; waiting for its turn at a host does not count.
const TOTAL: Duration = Duration::from_secs(20);
/// The most redirects of a visit.
const REDIRECTS: usize = 5;
/// The most bytes of a page as they come, and when they are unpacked.
const ON_THE_WIRE: usize = 4_000_000;
const UNPACKED: usize = 16_000_000;
/// Of robots.txt what is further back is not read (RFC 9309, 2.5).
const ROBOTS: usize = 500_000;
/// Exchanges at once, of all hosts together: each may need the room of a page, packed and unpacked.
const AT_ONCE: usize = 32;
/// The most characters of an address.
const ADDRESS: usize = 8_000;

pub struct Fetcher {
    client: Client,
    door: Door,
    sites: Sites,
    gate: Arc<Gate>,
    robots: bool,
}

/// A page as it came, with the status that it came with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The address after all redirects, without a fragment.
    pub url: String,
    /// Any but redirects, 429 and 503.
    pub status: u16,
    /// In lower case and without parameters, e.g. `text/html`.
    pub content_type: String,
    /// At most 16 MB. What cannot be read is U+FFFD.
    pub text: String,
    /// Of the bytes without compression.
    pub source: Digest,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Page,
    Robots,
}

enum Exchanged {
    Redirect(Url),
    Answer(Answer),
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    bytes: Vec<u8>,
}

/// Works for a part of what is left of a visit's time, at most that long.
async fn within<T>(
    left: &mut Duration,
    most: Duration,
    work: impl Future<Output = T>,
) -> Result<T, ProviderError> {
    let began = Instant::now();
    let done = timeout(most.min(*left), work).await;
    *left = left.saturating_sub(began.elapsed());
    done.map_err(|_| {
        let (head, total) = (HEAD.as_secs(), TOTAL.as_secs());
        let what =
            format!("the site did not answer within {head} s, or not wholly within {total} s");
        ProviderError { again: Again::Never, ..failure(FailureClass::Timeout, "time", what) }
    })
}

/// A failure with the rule that it is about.
fn failure(class: FailureClass, rule: &str, what: impl Into<String>) -> ProviderError {
    let mut miss = ProviderError::new(class, what);
    miss.failure.detail = json!({ "rule": rule });
    miss
}

/// A page that is not fetched, because of a rule.
fn refused(rule: &str, why: &str) -> ProviderError {
    failure(FailureClass::Refused, rule, format!("the page was not fetched: {why}"))
}

fn too_large(most: usize) -> ProviderError {
    let what = format!("the page was not read: it has more than {most} bytes");
    failure(FailureClass::TooLarge, "size", what)
}

/// Resolves names for the client: only what is public comes out.
struct Checked(Arc<dyn Surroundings>);

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let surroundings = Arc::clone(&self.0);
        Box::pin(async move {
            let found = door::addresses(&*surroundings, name.as_str()).await?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

impl Fetcher {
    /// Fetches from the internet.
    ///
    /// # Errors
    /// If the machine's certificates cannot be used.
    pub fn new(manners: &Manners) -> Result<Self, reqwest::Error> {
        Fetcher::within(Arc::new(Internet), manners)
    }

    /// The same where names and addresses are what `surroundings` says. Only tests have any but the [`Internet`]: no configuration
    /// can name others.
    ///
    /// # Errors
    /// As [`Fetcher::new`].
    pub fn within(
        surroundings: Arc<dyn Surroundings>,
        manners: &Manners,
    ) -> Result<Self, reqwest::Error> {
        let contact = manners.contact.as_deref().map(|contact| format!("; +{contact}"));
        let agent = format!(
            "{}/{} (evaluation of language models{})",
            manners::AGENT,
            env!("CARGO_PKG_VERSION"),
            contact.unwrap_or_default()
        );
        let mut headers = HeaderMap::new();
        let accepts = "text/html, application/xhtml+xml, text/*;q=0.9, application/xml;q=0.8, application/json;q=0.8";
        headers.insert(ACCEPT, HeaderValue::from_static(accepts));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate, br, zstd"));
        let client = reach::builder()
            .user_agent(agent)
            .default_headers(headers)
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
            // Each connection is made to addresses that were checked for it.
            .pool_max_idle_per_host(0)
            .dns_resolver(Checked(Arc::clone(&surroundings)))
            .build()?;
        let door = Door::new(surroundings, &manners.own_names);
        let gate = Gate::new(AT_ONCE);
        Ok(Fetcher { client, door, sites: Sites::default(), gate, robots: manners.robots })
    }

    /// Fetches a page, in the language of `locale` if the site has it.
    ///
    /// # Errors
    /// What refused it, or how the site failed. The detail's `rule` is one word: `scheme`, `userinfo`, `port`, `address`, `redirects`, `robots`
    /// and `type` with [`FailureClass::Refused`], `size` with [`FailureClass::TooLarge`], `time` with [`FailureClass::Timeout`], `name` and
    /// `connection` with [`FailureClass::Connection`], `busy` with [`FailureClass::RateLimited`], `body` with [`FailureClass::Undecodable`].
    pub async fn fetch(&self, url: &str, locale: Option<&str>) -> Result<Fetched, ProviderError> {
        if url.len() > ADDRESS {
            return Err(refused("address", "its address is too long"));
        }
        let mut url = self.door.read(None, url)?;
        let mut left = TOTAL;
        let mut turn: Option<Turn> = None;
        for _ in 0..=REDIRECTS {
            // Who waits for another host must not keep this one from others: two such visits would wait for each other.
            let here = match turn.take().filter(|turn| turn.is_at(&url)) {
                Some(here) => here,
                None => self.sites.enter(&url).await?,
            };
            if self.robots && !self.robots_allow(&here, &url, &mut left).await? {
                return Err(refused("robots", "robots.txt of its site does not allow it"));
            }
            match self.exchange(&url, Wanted::Page, locale, &mut left).await? {
                Exchanged::Redirect(to) => url = to,
                Exchanged::Answer(Answer { status: 429 | 503, headers, .. }) => {
                    let mut busy = failure(
                        FailureClass::RateLimited,
                        "busy",
                        "the site asked for fewer visits",
                    );
                    busy.retry_after = here.is_busy(&headers);
                    return Err(busy);
                }
                Exchanged::Answer(answer) => return Ok(page(url.into(), answer)),
            }
            turn = Some(here);
        }
        Err(refused("redirects", "it leads on more than 5 times"))
    }

    /// Whether robots.txt of a site allows an address.
    async fn robots_allow(
        &self,
        here: &Turn,
        url: &Url,
        left: &mut Duration,
    ) -> Result<bool, ProviderError> {
        let mut known = here.robots(url).await;
        if known.is_none() {
            *known = Some((Instant::now(), self.robots_of(url, left).await?));
        }
        let text = known.as_ref().map(|(_, text)| Arc::clone(text)).unwrap_or_default();
        drop(known);
        here.is_allowed(text, url).await
    }

    /// The text of robots.txt; empty where a site has none.
    async fn robots_of(&self, url: &Url, left: &mut Duration) -> Result<Arc<[u8]>, ProviderError> {
        let mut url = self.door.read(Some(url), "/robots.txt")?;
        for _ in 0..=REDIRECTS {
            match self.exchange(&url, Wanted::Robots, None, left).await? {
                Exchanged::Redirect(to) => url = to,
                Exchanged::Answer(answer) => {
                    return match answer.status {
                        200..=299 => Ok(answer.bytes.into()),
                        429 | 500.. => {
                            Err(refused("robots", "robots.txt of its site cannot be read now"))
                        }
                        _ => Ok(Arc::default()),
                    };
                }
            }
        }
        Ok(Arc::default())
    }

    /// One request, and what came back. The address was read by the door.
    async fn exchange(
        &self,
        url: &Url,
        wanted: Wanted,
        locale: Option<&str>,
        left: &mut Duration,
    ) -> Result<Exchanged, ProviderError> {
        let mut request = self.client.get(url.clone());
        let is_plain = |tag: &&str| tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if let Some(tag) = locale.filter(is_plain) {
            request = request.header(ACCEPT_LANGUAGE, format!("{tag}, *;q=0.5"));
        }
        let _pass = self.gate.enter().await;
        let response = within(left, HEAD, request.send()).await?.map_err(of_exchange)?;
        let status = response.status();
        if status.is_redirection()
            && let Some(to) = response.headers().get(LOCATION)
        {
            let to = String::from_utf8_lossy(to.as_bytes());
            return Ok(Exchanged::Redirect(self.door.read(Some(url), &to)?));
        }
        if wanted == Wanted::Page && !is_text(response.headers()) {
            return Err(refused("type", "it is neither text, HTML, XML nor JSON"));
        }
        let headers = response.headers().clone();
        let bytes = within(left, TOTAL, body(response, wanted)).await??;
        Ok(Exchanged::Answer(Answer { status: status.as_u16(), headers, bytes }))
    }
}

/// The bytes of a body without compression. Of robots.txt as many as are read.
async fn body(mut response: Response, wanted: Wanted) -> Result<Vec<u8>, ProviderError> {
    let (on_the_wire, most) = match wanted {
        Wanted::Page => (ON_THE_WIRE, UNPACKED),
        Wanted::Robots => (ROBOTS, ROBOTS),
    };
    let announced = response.content_length().unwrap_or_default();
    let mut is_cut = announced > u64::try_from(on_the_wire).unwrap_or(u64::MAX);
    if is_cut && wanted == Wanted::Page {
        return Err(too_large(on_the_wire));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(of_exchange)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > on_the_wire {
            is_cut = true;
            break;
        }
    }
    if is_cut && wanted == Wanted::Page {
        return Err(too_large(on_the_wire));
    }
    let headers = response.headers().clone();
    let unpacked = tokio::task::spawn_blocking(move || body::unpacked(&headers, bytes, most));
    match unpacked.await.expect("unpacking does not panic") {
        (bytes, None) => Ok(bytes),
        (bytes, Some(_)) if wanted == Wanted::Robots => Ok(bytes),
        (_, Some(BadBody::TooLarge(most))) => Err(too_large(most)),
        (_, Some(bad)) => {
            let what = format!("the page was not read: it {bad}");
            let miss = failure(FailureClass::Undecodable, "body", what);
            Err(ProviderError { again: Again::Never, ..miss })
        }
    }
}

fn content_type(headers: &HeaderMap) -> Option<String> {
    let kind = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    (!kind.is_empty()).then_some(kind)
}

/// Whether a page can be read; one that does not say what it is, is.
fn is_text(headers: &HeaderMap) -> bool {
    content_type(headers).is_none_or(|kind| {
        let (main, sub) = kind.split_once('/').unwrap_or_default();
        main == "text"
            || ["xml", "json"].iter().any(|end| sub == *end || sub.ends_with(&format!("+{end}")))
    })
}

fn page(url: String, Answer { status, headers, bytes }: Answer) -> Fetched {
    let looks_marked_up = || bytes.trim_ascii_start().starts_with(b"<");
    let content_type = content_type(&headers).unwrap_or_else(|| match looks_marked_up() {
        true => "text/html".to_owned(),
        false => "text/plain".to_owned(),
    });
    let declared = declared(&bytes).unwrap_or(WINDOWS_1252);
    let text = body::text_or(&headers, &bytes, declared).into_owned();
    Fetched { url, status, content_type, text, source: Digest::of(&bytes) }
}

/// The character set that a page declares itself, in its first 1,024 bytes, where browsers look.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_ascii_lowercase();
    let (_, label) = head.split_once("charset=").or_else(|| head.split_once("encoding="))?;
    let label = label.trim_start_matches(['"', '\'', ' ']).split(['"', '\'', ' ', ';', '>', '?']);
    Encoding::for_label(label.into_iter().next()?.as_bytes())
}

/// Why an exchange failed. The error's own words name the address, so they are not used.
fn of_exchange(error: reqwest::Error) -> ProviderError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if let Some(none) = inner.downcast_ref::<NoConnection>() {
            return none.miss();
        }
        cause = inner.source();
    }
    if error.is_connect() && !can_open_files() {
        return ProviderError::of_exchange(&error);
    }
    let what = match error.is_connect() {
        true => "the site cannot be reached, or its certificate does not hold",
        false => "the site's answer is cut off, or is no HTTP",
    };
    failure(FailureClass::Connection, "connection", what)
}
