//! What a request may be, and how many there may be (ARCHITECTURE.md, rules 9 and 10).

mod bytes;
mod json;

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use axum::http::request::Parts;
use futures::StreamExt as _;
use futures::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use turnwise_shared::seat::Player;
use turnwise_shared::signs;
use turnwise_shared::spec::Spec;
use turnwise_shared::wire::{MAX_REQUEST_BYTES, naming};

use crate::error::{Answer, Problem};
use crate::long_texts::beside;

pub use bytes::{Allowance, ByteBudget, FrameRoom, Holding, Intake, Outbox, Refused, Taken};
pub use json::{depth, read_json};

/// How long a body may be on its way. A client that holds one back holds a connection.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The longest name in a configuration, in bytes: names are shown to everyone, and no moderator checks what they say.
const LONGEST_NAME: usize = 200;

/// How many bytes that are read for a client cost as much of its rate as a request: a client pays for what the server reads.
const A_REQUEST: u64 = 100_000;

/// A JSON body of at most [`MAX_REQUEST_BYTES`], as [`read_json`] takes it.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<S, T> FromRequest<S> for Json<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Serialize,
{
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Answer<Self> {
        let is_json = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| {
                let kind = value.split(';').next().unwrap_or_default();
                kind.trim().eq_ignore_ascii_case("application/json")
            });
        if !is_json {
            return Err(Problem::not_json());
        }
        let bytes = body(request).await?;
        beside(bytes.len(), || read_json(&bytes)).await.map(Json)
    }
}

/// Who looks at the token of a request before a large body of it is read.
pub trait Doorkeeper: Send + Sync {
    /// Out of what its body is held.
    ///
    /// # Errors
    /// If it would be refused once its body was read.
    fn allowance<'a>(&'a self, request: &'a Parts) -> BoxFuture<'a, Answer<Allowance>>;
}

/// What the body of a request makes the server hold until the request is answered. The guard puts one into each request.
#[derive(Clone)]
pub struct BodyBytes(Arc<Held<dyn Doorkeeper>>);

struct Held<D: ?Sized> {
    /// Nothing as long as the body is small.
    bytes: Mutex<Option<Holding>>,
    doorkeeper: D,
}

impl BodyBytes {
    /// Nothing of a request was read yet.
    pub fn new(doorkeeper: impl Doorkeeper + 'static) -> Self {
        BodyBytes(Arc::new(Held { bytes: Mutex::default(), doorkeeper }))
    }

    fn bytes(&self) -> MutexGuard<'_, Option<Holding>> {
        self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the token of a request whose body is large.
    async fn begin(&self, request: &Parts) -> Answer<()> {
        let allowance = self.0.doorkeeper.allowance(request).await?;
        *self.bytes() = Some(allowance.holding());
        Ok(())
    }

    fn grow(&self, bytes: usize) -> Answer<()> {
        let mut held = self.bytes();
        match held.as_mut().is_none_or(|held| held.grow(bytes)) {
            true => Ok(()),
            false => Err(Problem::busy(
                "The server holds too many large requests at once; nothing of this one was kept.",
            )),
        }
    }

    /// The body had a token in it that is sound: it is not taken out of its client's share any more.
    pub fn is_known(&self) {
        if let Some(held) = &mut *self.bytes() {
            held.is_known();
        }
    }
}

/// The whole body of a request, if it is not larger than [`MAX_REQUEST_BYTES`] and there is room for it.
///
/// # Errors
/// [`Problem::too_large`]; a body that was cut off, or does not come; [`Problem::busy`] if the server holds too many others.
pub async fn body(request: Request) -> Answer<Bytes> {
    body_up_to(request, MAX_REQUEST_BYTES).await
}

/// The same with another limit.
///
/// # Errors
/// As [`body`].
pub async fn body_up_to(request: Request, most: usize) -> Answer<Bytes> {
    let held = request.extensions().get::<BodyBytes>().cloned();
    let (head, body) = request.into_parts();
    let mut chunks = body.into_data_stream();
    let length = head.headers.get(header::CONTENT_LENGTH);
    let length: Option<usize> = length.and_then(|length| length.to_str().ok()?.parse().ok());
    let whole = async {
        let mut bytes = Vec::new();
        // What is not small is not read before its token was looked at.
        let mut is_small = true;
        let mut come = length.unwrap_or_default();
        loop {
            if is_small && come > bytes::OWN {
                is_small = false;
                if let Some(held) = &held {
                    held.begin(&head).await?;
                    held.grow(bytes.len())?;
                }
            }
            let Some(chunk) = chunks.next().await else {
                break;
            };
            let chunk = chunk.map_err(|_| Problem::bad_request("The request was cut off."))?;
            come = bytes.len() + chunk.len();
            if come > most {
                return Err(Problem::too_large(most));
            }
            if let Some(held) = held.as_ref().filter(|_| !is_small) {
                held.grow(chunk.len())?;
            }
            // A copy: a chunk may keep the whole buffer alive from which it was cut.
            bytes.extend_from_slice(&chunk);
        }
        Ok(Bytes::from(bytes))
    };
    tokio::time::timeout(PATIENCE, whole)
        .await
        .unwrap_or_else(|_| Err(Problem::bad_request("The request took too long to come.")))
}

/// A token bucket per client: `rate` requests a second in the long run, `burst` at once.
#[derive(Debug)]
pub struct RateLimit {
    rate: f64,
    burst: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Above this many clients, buckets that are full again are forgotten.
const MANY_CLIENTS: usize = 4096;

impl RateLimit {
    /// A limit; both numbers at least 1.
    pub fn new(rate: u32, burst: u32) -> Self {
        RateLimit {
            rate: f64::from(rate.max(1)),
            burst: f64::from(burst.max(1)),
            buckets: Mutex::default(),
        }
    }

    /// This number within a day, and as many at once.
    pub fn a_day(most: u32) -> Self {
        RateLimit { rate: f64::from(most.max(1)) / DAY.as_secs_f64(), ..RateLimit::new(1, most) }
    }

    /// Takes `cost` tokens of a client.
    ///
    /// # Errors
    /// After how long there will be enough.
    pub fn take(&self, client: IpAddr, cost: f64) -> Result<(), Duration> {
        self.take_at(client, cost, Instant::now())
    }

    /// Gives a client back what [`RateLimit::take`] took for something that was refused.
    pub fn give_back(&self, client: IpAddr, cost: f64) {
        let mut buckets = self.buckets.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(bucket) = buckets.get_mut(&network(client)) {
            bucket.tokens = (bucket.tokens + cost).min(self.burst);
        }
    }

    /// Takes what it costs a client to have `bytes` bytes of transcripts read; beside what every request costs.
    ///
    /// # Errors
    /// [`Problem::too_many`], and after how long there will be enough.
    pub fn charge(&self, client: IpAddr, bytes: u64) -> Answer<()> {
        self.take(client, (bytes / A_REQUEST) as f64)
            .map_err(|wait| Problem::too_many(wait.as_secs().saturating_add(1)))
    }

    fn take_at(&self, client: IpAddr, cost: f64, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(|broken| broken.into_inner());
        if buckets.len() > MANY_CLIENTS {
            let (rate, burst) = (self.rate, self.burst);
            buckets.retain(|_, bucket| bucket.at(now, rate, burst).tokens < burst);
        }
        let full = Bucket { tokens: self.burst, at: now };
        let bucket = buckets.entry(network(client)).or_insert(full);
        *bucket = bucket.at(now, self.rate, self.burst);
        let cost = cost.min(self.burst);
        if bucket.tokens >= cost {
            bucket.tokens -= cost;
            Ok(())
        } else {
            Err(Duration::from_secs_f64((cost - bucket.tokens) / self.rate))
        }
    }
}

impl Bucket {
    fn at(self, now: Instant, rate: f64, burst: f64) -> Bucket {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        Bucket { tokens: (self.tokens + passed * rate).min(burst), at: now }
    }
}

/// One household has 2^64 addresses of IPv6, so they count as one client.
pub fn network(client: IpAddr) -> IpAddr {
    match client {
        IpAddr::V4(_) => client,
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => IpAddr::V4(address),
            None => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        },
    }
}

/// Checks a text that is shown to everybody in a line of its own: a title, the reason why a row left its board.
///
/// # Errors
/// If it is longer than `longest` bytes, or has characters that are invisible or that change the direction of others: it would not
/// be what it looks like, and not every database could keep it.
pub fn line(what: &str, text: &str, longest: usize) -> Answer<()> {
    if text.len() > longest {
        return Err(Problem::unfit(format!("The {what} is longer than {longest} bytes.")));
    }
    match signs::unseen(text) {
        Some(character) => Err(Problem::unfit(format!(
            "The {what} has the character U+{:04X} in it, which nobody sees.",
            u32::from(character)
        ))),
        None => Ok(()),
    }
}

/// The name of a run as it is kept.
///
/// # Errors
/// Why it cannot be used.
pub fn title(title: &str) -> Answer<String> {
    naming::title(title).map_err(|bad| Problem::unfit(bad.to_string()))
}

/// The tags of a run as they are kept.
///
/// # Errors
/// Why they cannot be used.
pub fn tags(tags: &[String]) -> Answer<Vec<String>> {
    naming::tags(tags).map_err(|bad| Problem::unfit(bad.to_string()))
}

/// Checks the names in a configuration: of who sits in the seats, of the tasks, the prompt pack and the search engine.
///
/// # Errors
/// The first name that cannot be read.
pub fn names(spec: &Spec) -> Answer<()> {
    let players = spec.seats.values().flat_map(|sitting| match &sitting.player {
        Player::Bot(name) | Player::Recording(name) => vec![name],
        Player::Model { provider, model } => vec![provider, model],
        Player::Person => Vec::new(),
    });
    let engine = spec.search.iter().map(|search| &search.engine);
    let mut all = [&spec.tasks.name, &spec.pack.name].into_iter().chain(engine).chain(players);
    all.try_for_each(|name| {
        let begin: String = name.chars().take(40).collect();
        line(&format!("name {begin:?}… in the configuration"), name, LONGEST_NAME)
    })
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_is_held_back_is_given_up() {
        let held = Body::from_stream(futures::stream::pending::<Result<Bytes, std::io::Error>>());
        let problem = body(Request::new(held)).await.expect_err("it never comes");
        assert!(problem.error.message.contains("too long"), "{problem:?}");
    }

    #[tokio::test]
    async fn bodies_share_a_budget_until_their_requests_are_answered() {
        let budget = ByteBudget::new(500_000);
        struct Lets(ByteBudget);
        impl Doorkeeper for Lets {
            fn allowance<'a>(&'a self, _: &'a Parts) -> BoxFuture<'a, Answer<Allowance>> {
                Box::pin(async { Ok(self.0.of_known()) })
            }
        }
        let ask = async |size: usize| {
            let held = BodyBytes::new(Lets(budget.clone()));
            let mut request = Request::new(Body::from(vec![b' '; size]));
            request.extensions_mut().insert(held.clone());
            body(request).await.map(|bytes| (bytes, held))
        };
        let first = ask(500_000).await.expect("there is room");
        let problem = ask(500_000).await.err().expect("there is none");
        assert_eq!((problem.status.as_u16(), problem.retry_after), (503, Some(1)));
        let (small, _) = ask(60_000).await.expect("small ones get through");
        assert_eq!(small.len(), 60_000);
        drop(first);
        let (again, _) = ask(500_000).await.expect("there is room again");
        assert_eq!(again.len(), 500_000);
        let problem = ask(MAX_REQUEST_BYTES + 1).await.err().expect("too large");
        assert_eq!(problem.error.code, "too_large");
    }

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let limit = RateLimit::new(10, 3);
        let start = Instant::now();
        let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|ip| ip.parse().expect("an address"));
        for _ in 0..3 {
            assert!(limit.take_at(one, 1.0, start).is_ok());
        }
        let wait = limit.take_at(one, 1.0, start).expect_err("it is empty");
        assert_eq!(wait.as_millis(), 100);
        assert!(limit.take_at(other, 1.0, start).is_ok());
        assert!(limit.take_at(one, 1.0, start + wait).is_ok());
        assert!(limit.take_at(one, 99.0, start + wait).is_err());
        let later = start + Duration::from_secs(60);
        assert!(limit.take_at(one, 99.0, later).is_ok(), "never more than the burst");
        limit.give_back(one, 1.0);
        assert!(limit.take_at(one, 1.0, later).is_ok());
        limit.give_back(one, 99.0);
        assert!(limit.take_at(one, 3.0, later).is_ok());
        assert!(limit.take_at(one, 1.0, later).is_err());
    }

    #[test]
    fn addresses_of_one_household_share_a_bucket() {
        let limit = RateLimit::new(1, 1);
        let now = Instant::now();
        let parse = |ip: &str| ip.parse::<IpAddr>().expect("an address");
        assert!(limit.take_at(parse("2001:db8::1"), 1.0, now).is_ok());
        assert!(limit.take_at(parse("2001:db8::ffff"), 1.0, now).is_err());
        assert!(limit.take_at(parse("2001:db8:0:1::1"), 1.0, now).is_ok());
        assert!(limit.take_at(parse("::ffff:10.0.0.1"), 1.0, now).is_ok());
        assert!(limit.take_at(parse("10.0.0.1"), 1.0, now).is_err());
    }
}
