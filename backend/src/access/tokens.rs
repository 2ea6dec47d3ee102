//! Who sends a request: the operator's access token, a run's token, an owner key, and the address of the client.

use std::convert::Infallible;
use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use turnwise_shared::wire::publishing::Owner;

use super::guard::peer;
use crate::App;
use crate::config::Config;
use crate::error::{Answer, Problem};

/// The header in which a page names its owner key when it opens a run. The key is a secret; its digest is published with the run.
const OWNER_KEY: &str = "turnwise-owner-key";

/// A caller who may spend the operator's money: everyone on a loopback server, else a caller who sends the access token.
#[derive(Debug, Clone)]
pub struct Operator {
    /// The name of the token, if it is one of those that have caps of their own.
    pub token: Option<String>,
}

impl FromRequestParts<App> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        const WHICH: &str = "the operator's access token";
        let config = app.config();
        let offered = bearer(&parts.headers);
        match access_token(config, offered) {
            Some(token) => Ok(Operator { token }),
            None if config.access.is_none() && config.tokens.is_empty() => {
                Ok(Operator { token: None })
            }
            None if offered.is_none() => Err(Problem::token_missing(WHICH)),
            None => Err(Problem::token_wrong(WHICH)),
        }
    }
}

/// Whether this is an access token, and its name if it is one of those that have caps of their own.
pub(super) fn access_token(config: &Config, offered: Option<&str>) -> Option<Option<String>> {
    let offered = offered?;
    // All are looked at, so that the time it takes tells nothing.
    let mut found = None;
    for token in &config.tokens {
        if token.secret.is(offered) {
            found = Some(Some(token.name.clone()));
        }
    }
    let is_operators = config.access.as_ref().is_some_and(|token| token.is(offered));
    found.or_else(|| is_operators.then_some(None))
}

/// The address of the client that asks, as far as proxies can be believed.
#[derive(Debug, Clone, Copy)]
pub struct Client(pub IpAddr);

impl FromRequestParts<App> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Client(client(app, parts)))
    }
}

/// The address of the client that sends a request, as far as proxies can be believed.
pub fn client(app: &App, request: &Parts) -> IpAddr {
    let peer = peer(&request.extensions);
    app.config().proxies.client(peer, &request.headers)
}

/// Who opens something: a caller who may spend the operator's money, or one who sends no token at all. A wrong token is refused.
#[derive(Debug, Clone)]
pub enum Caller {
    Operator(Operator),
    /// May not; where they come from.
    Anonymous(IpAddr),
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Answer<Self> {
        match Operator::from_request_parts(parts, app).await {
            Ok(operator) => Ok(Caller::Operator(operator)),
            Err(_) if bearer(&parts.headers).is_none() => Ok(Caller::Anonymous(client(app, parts))),
            Err(refused) => Err(refused),
        }
    }
}

/// The token of `Authorization: Bearer TOKEN`.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let sent = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = sent.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Whose key a page has named, if it has.
pub fn owner(headers: &HeaderMap) -> Option<Owner> {
    let key = headers.get(OWNER_KEY)?.to_str().ok()?;
    (!key.is_empty()).then(|| Owner::of_key(key))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_bearer_token_is_taken_out_of_its_header() {
        let headers = |value: &'static str| {
            HeaderMap::from_iter([(header::AUTHORIZATION, HeaderValue::from_static(value))])
        };
        assert_eq!(bearer(&headers("Bearer abc")), Some("abc"));
        assert_eq!(bearer(&headers("bearer  abc ")), Some("abc"));
        assert_eq!(bearer(&headers("Basic abc")), None);
        assert_eq!(bearer(&headers("Bearer")), None);
    }
}
