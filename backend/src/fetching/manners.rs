//! How sites are treated: two visits at a time and one a second to a host, fewer where it asks for that, and what robots.txt says.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use reqwest::Url;
use reqwest::header::HeaderMap;
use texting_robots::Robot;
use tokio::sync::MappedMutexGuard;
use tokio::time::{Instant, sleep_until};
use turnwise_shared::effect::FailureClass;

use super::{failure, refused};
use crate::providers::retry_after;
use crate::services::ProviderError;
use crate::services::gate::{Gate, Pass};

pub(super) const AGENT: &str = "turnwise";
/// Visits of a host at once.
const AT_ONCE: usize = 2;
/// Between the beginnings of two visits of a host.
const APART: Duration = Duration::from_secs(1);
/// The longest `Crawl-delay` that is kept.
const LONGEST_APART: Duration = Duration::from_secs(10);
/// The longest wait for a turn: longer `Retry-After` fail the visits.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// The longest time that a host is left alone at its word.
const LONGEST_REST: Duration = Duration::from_secs(86_400);
/// How long robots.txt is remembered.
const REMEMBERED: Duration = Duration::from_secs(3600);
const SITES: usize = 256;
/// Rules with `$` in robots.txt: each becomes a regular expression, so a file with more is not read.
const ENDS: usize = 1000;

/// The hosts that were visited of late.
#[derive(Default)]
pub(super) struct Sites(Mutex<BTreeMap<String, Arc<Site>>>);

struct Site {
    host: String,
    gate: Arc<Gate>,
    pace: Mutex<Pace>,
    /// robots.txt by origin, and when it was read.
    robots: tokio::sync::Mutex<BTreeMap<String, Option<Read>>>,
}

type Read = (Instant, Arc<[u8]>);

struct Pace {
    next: Instant,
    apart: Duration,
}

/// A visit of a host. Dropping it ends it.
pub(super) struct Turn {
    site: Arc<Site>,
    _pass: Pass,
}

impl Sites {
    /// Waits for a turn at the host of an address.
    ///
    /// # Errors
    /// If the host has asked to be left alone for longer.
    pub(super) async fn enter(&self, url: &Url) -> Result<Turn, ProviderError> {
        let site = self.of(host(url));
        let pass = site.gate.enter().await;
        let now = Instant::now();
        let at = {
            let mut pace = lock(&site.pace);
            if pace.next > now + LONGEST_WAIT {
                let what = "the site asked to be left alone for a while";
                return Err(failure(FailureClass::RateLimited, "busy", what));
            }
            let at = pace.next.max(now);
            pace.next = at + pace.apart;
            at
        };
        // A timer waits for the next millisecond, even of a moment that is over.
        if at > now {
            sleep_until(at).await;
        }
        Ok(Turn { site, _pass: pass })
    }

    fn of(&self, host: &str) -> Arc<Site> {
        let mut sites = lock(&self.0);
        if let Some(site) = sites.get(host) {
            return Arc::clone(site);
        }
        if sites.len() >= SITES {
            let now = Instant::now();
            sites.retain(|_, site| Arc::strong_count(site) > 1 || lock(&site.pace).next > now);
        }
        let site = Arc::new(Site {
            host: host.to_owned(),
            gate: Gate::new(AT_ONCE),
            pace: Mutex::new(Pace { next: Instant::now(), apart: APART }),
            robots: tokio::sync::Mutex::default(),
        });
        sites.insert(host.to_owned(), Arc::clone(&site));
        site
    }
}

impl Turn {
    /// Whether it is at the host of an address.
    pub(super) fn is_at(&self, url: &Url) -> bool {
        self.site.host == host(url)
    }

    /// The host asked for fewer visits: none begins before the time is over that it named, which is returned.
    pub(super) fn is_busy(&self, headers: &HeaderMap) -> Option<Duration> {
        let wait = retry_after(headers, SystemTime::now())?.min(LONGEST_REST);
        let mut pace = lock(&self.site.pace);
        pace.next = pace.next.max(Instant::now() + wait);
        Some(wait)
    }

    /// What is remembered of robots.txt. Others wait until it is read.
    pub(super) async fn robots(&self, url: &Url) -> MappedMutexGuard<'_, Option<Read>> {
        let robots = self.site.robots.lock().await;
        tokio::sync::MutexGuard::map(robots, |robots| {
            let known = robots.entry(url.origin().ascii_serialization()).or_default();
            known.take_if(|(read, _)| read.elapsed() > REMEMBERED);
            known
        })
    }

    /// Whether a robots.txt allows an address; it may set how far apart visits are.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) async fn is_allowed(
        &self,
        text: Arc<[u8]>,
        url: &Url,
    ) -> Result<bool, ProviderError> {
        if text.is_empty() {
            return Ok(true);
        }
        let unreadable = || refused("robots", "robots.txt of its site cannot be read");
        let address = url.to_string();
        let read = tokio::task::spawn_blocking(move || {
            let ends = text.iter().filter(|byte| **byte == b'$').count();
            let robot = (ends <= ENDS).then(|| Robot::new(AGENT, &text).ok())??;
            Some((robot.allowed(&address), robot.delay))
        });
        let (is_allowed, delay) = read.await.ok().flatten().ok_or_else(unreadable)?;
        if let Some(delay) = delay.and_then(|seconds| Duration::try_from_secs_f32(seconds).ok()) {
            lock(&self.site.pace).apart = delay.clamp(APART, LONGEST_APART);
        }
        Ok(is_allowed)
    }
}

fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
