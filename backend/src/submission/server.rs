//! A server to which a run is brought, or from which one comes.

use std::time::{Duration, Instant};

use reqwest::header::{LOCATION, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, redirect};
use serde::de::DeserializeOwned;
use turnwise_shared::key::RunId;
use turnwise_shared::wire::ApiError;

use super::CannotSubmit;
use crate::config::Environment;
use crate::secret::Secret;
use crate::services::reach::{Outward, ProxyChoice, Reach, builder};

/// The most bytes of an answer: the heads of a large run.
const LARGEST: usize = 64_000_000;

/// How long an answer may take; a large run is checked for minutes.
const PATIENCE: Duration = Duration::from_secs(1800);

/// A check that goes on is asked after again so soon.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// So often a proxy before the server may give up on one check.
const GIVEN_UP: u32 = 20;

/// How long one request is sent again while the server asks for fewer.
const HELD_UP: Duration = Duration::from_secs(600);

/// A server on the network.
#[derive(Debug, Clone)]
pub struct Server {
    pub(super) base: Url,
    pub(super) client: Client,
    access: Option<Secret>,
    /// What is to be known of proxies where it cannot be asked; empty where there is nothing.
    proxy: String,
}

impl Server {
    /// A server by its address; with the operator's access token where it wants one.
    ///
    /// # Errors
    /// If that is no address.
    pub fn at(address: &str, access: Option<Secret>) -> Result<Self, CannotSubmit> {
        let bad = || CannotSubmit::Address(address.to_owned());
        let base = Url::parse(address).map_err(|_| bad())?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
            return Err(bad());
        }
        let environment = Environment::of_process();
        let outward = Outward::of(|name| environment.var(name), &mut Vec::new());
        let route = Reach::default().through(outward).route(&ProxyChoice::OfEnvironment, &base);
        let proxy = route.remark().map(|remark| format!(" ({remark})"));
        let proxy = proxy.unwrap_or_default();
        let client = route
            .through(builder())
            .map_err(|_| bad())?
            .connect_timeout(Duration::from_secs(10))
            .timeout(PATIENCE)
            // Keys and tokens go to the server that was named and to no other.
            .redirect(redirect::Policy::none())
            .build()
            .map_err(|_| bad())?;
        Ok(Server { base, client, access, proxy })
    }

    pub(super) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(path);
        url
    }

    pub(super) async fn send(
        &self,
        request: RequestBuilder,
        token: Option<&str>,
    ) -> Result<(StatusCode, String), CannotSubmit> {
        let (status, bytes) = self.exchange(request, token).await?;
        Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
    }

    pub(super) async fn exchange(
        &self,
        request: RequestBuilder,
        token: Option<&str>,
    ) -> Result<(StatusCode, Vec<u8>), CannotSubmit> {
        let network = |error| CannotSubmit::Network {
            server: self.base.origin().ascii_serialization(),
            proxy: self.proxy.clone(),
            error,
        };
        let token = token.or(self.access.as_ref().map(Secret::open));
        let mut request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        let mut held_up = Duration::ZERO;
        let mut answer = loop {
            let again = request.try_clone();
            let answer = request.send().await.map_err(network)?;
            match (again, wait(&answer)) {
                // A server that asks for fewer requests has done nothing with this one.
                (Some(again), Some(wait)) if held_up + wait <= HELD_UP => {
                    tokio::time::sleep(wait).await;
                    held_up += wait;
                    request = again;
                }
                _ => break answer,
            }
        };
        let status = answer.status();
        if status.is_redirection() {
            return Err(self.moved(&answer));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(network)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > LARGEST {
                return Err(CannotSubmit::Refused(strange(status)));
            }
        }
        Ok((status, bytes))
    }

    /// Has a run published, and asks until it is checked: proxies before a server do not wait as long as a check may take.
    pub(super) async fn checked(
        &self,
        run: &RunId,
        token: &str,
    ) -> Result<(StatusCode, String), CannotSubmit> {
        let path = format!("/api/runs/{run}/publish");
        let began = Instant::now();
        let mut given_up = 0;
        loop {
            let request = self.client.post(self.url(&path));
            let request = request.header("prefer", "respond-async");
            let (status, text) = self.send(request, Some(token)).await?;
            let is_given_up = matches!(status.as_u16(), 408 | 502 | 504 | 524)
                && serde_json::from_str::<ApiError>(&text).is_err();
            given_up += u32::from(is_given_up);
            let is_over = began.elapsed() > PATIENCE || given_up > GIVEN_UP;
            match (status == StatusCode::ACCEPTED, is_given_up) {
                (true, _) | (_, true) if !is_over => tokio::time::sleep(ASK_AGAIN).await,
                (_, true) => return Err(CannotSubmit::GivenUp(status)),
                _ => return Ok((status, text)),
            }
        }
    }

    /// Where a server sends those who ask it: the new address of the whole server, if the answer names one.
    fn moved(&self, answer: &Response) -> CannotSubmit {
        let asked = answer.url();
        let named = answer.headers().get(LOCATION);
        let target = named
            .and_then(|location| location.to_str().ok())
            .and_then(|location| asked.join(location).ok());
        let to = match target {
            // Of the same page at another place the place is what matters.
            Some(target) if target.path() == asked.path() && target.has_host() => {
                target.origin().ascii_serialization()
            }
            Some(target) => target.to_string(),
            None => "an address that it does not name".to_owned(),
        };
        CannotSubmit::Moved { server: self.base.origin().ascii_serialization(), to }
    }

    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        token: Option<&str>,
    ) -> Result<T, CannotSubmit> {
        let (status, text) = self.send(request, token).await?;
        if status.is_success() {
            return serde_json::from_str(&text).map_err(|_| CannotSubmit::Refused(strange(status)));
        }
        Err(CannotSubmit::Refused(serde_json::from_str(&text).unwrap_or_else(|_| strange(status))))
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, CannotSubmit> {
        self.read(self.client.get(self.url(path)), None).await
    }
}

/// How long a server wants to be left alone, if it asks for that: too many requests came, or it has no room for this one now.
fn wait(answer: &Response) -> Option<Duration> {
    let asks = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
    if !asks.contains(&answer.status()) {
        return None;
    }
    let seconds = answer.headers().get(RETRY_AFTER)?.to_str().ok()?;
    seconds.parse().ok().map(Duration::from_secs)
}

pub(super) fn strange(status: StatusCode) -> ApiError {
    ApiError {
        code: "unexpected".to_owned(),
        message: format!("The server answers with status {status}, and not as Turnwise does."),
        mend: None,
    }
}
