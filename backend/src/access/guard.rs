//! The middleware in front of every handler: checks Host, Origin and the client's rate, and adds the headers of every answer.
//!
//! - **Host**: the name under which the server is asked must be one of loopback, an address in digits, or one that the
//!   operator listed. A name that a foreign DNS server points at this machine is refused (DNS rebinding).
//! - **Origin**: a browser's request to the API must come from a page of this server, the socket included.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::config::Config;
use crate::error::Problem;
use crate::limits::BodyBytes;

/// What every answer carries. A page of ours loads and does only what comes from here; the core is WebAssembly.
const ALWAYS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// What answers of the API carry too. Runs and tasks are not for search engines, not for training data, not for caches.
const OF_API: [(&str, &str); 2] =
    [("x-robots-tag", "noindex, nofollow"), ("cache-control", "no-store")];

/// Where the API begins; everything else is the web app.
const API: &str = "/api/";

/// What a wrong token costs of the caller's rate: guessing is slow.
const WRONG_TOKEN_COST: f64 = 100.0;

/// The middleware: refuses, or passes on.
pub async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let peer = peer(request.extensions());
    let client = app.config().proxies.client(peer, request.headers());
    let is_api = request.uri().path().starts_with(API);
    // Until the request is answered.
    let held = BodyBytes::new(app.clone());
    request.extensions_mut().insert(held.clone());
    let answer = match check(app.config(), &request) {
        Err(problem) => problem.into_response(),
        Ok(()) => match app.rate().take(client, 1.0) {
            Err(wait) => Problem::too_many(wait.as_secs().saturating_add(1)).into_response(),
            Ok(()) => next.run(request).await,
        },
    };
    drop(held);
    if answer.status() == axum::http::StatusCode::UNAUTHORIZED {
        // Whether it is granted does not matter: the bucket is emptier now.
        let _ = app.rate().take(client, WRONG_TOKEN_COST);
    }
    let answer = with_headers(answer, &ALWAYS);
    match is_api {
        true => with_headers(answer, &OF_API),
        false => answer,
    }
}

/// Who is connected; requests without a connection (tests) count as one.
pub(super) fn peer(extensions: &Extensions) -> IpAddr {
    extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(addr)| addr.ip())
}

fn check(config: &Config, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    if headers.get_all(header::HOST).iter().nth(1).is_some() {
        return Err(Problem::bad_request("The request names several hosts."));
    }
    let host = text(headers, header::HOST)
        .or_else(|| request.uri().authority().map(|authority| authority.as_str()))
        .ok_or_else(|| Problem::bad_request("The request names no host."))?;
    if !host_name(host).is_some_and(|name| is_our_name(config, name)) {
        return Err(Problem::forbidden(
            "The server is not known under the name by which it was asked.",
        )
        .mend("Ask it by its address, or have the operator list the name in TURNWISE_HOSTS."));
    }
    if !request.uri().path().starts_with(API) {
        return Ok(());
    }
    let foreign = || {
        Problem::forbidden("The request comes from a page of another site.").mend(
            "Open the server's own page, or have the operator list the site in TURNWISE_ORIGINS.",
        )
    };
    match headers.get(header::ORIGIN) {
        Some(origin) => match origin.to_str() {
            Ok(origin) if is_our_origin(config, origin, host) => Ok(()),
            _ => Err(foreign()),
        },
        None => match text(headers, HeaderName::from_static("sec-fetch-site")) {
            None | Some("same-origin" | "none") => Ok(()),
            Some(_) => Err(foreign()),
        },
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// The name or address without its port; nothing if it is neither. An address with colons stands in brackets.
fn host_name(authority: &str) -> Option<&str> {
    let (name, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, rest) = rest.split_once(']')?;
            address.parse::<Ipv6Addr>().ok()?;
            (address, rest)
        }
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_port = port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|port| port.bytes().all(|digit| digit.is_ascii_digit()));
    is_port.then_some(name)
}

fn is_our_name(config: &Config, name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost"
        || name.ends_with(".localhost")
        || name.parse::<IpAddr>().is_ok()
        || config.hosts.contains(&name)
}

fn is_our_origin(config: &Config, origin: &str, host: &str) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else {
        return false;
    };
    (matches!(scheme, "http" | "https") && authority.eq_ignore_ascii_case(host))
        || config.origins.iter().any(|ours| ours.eq_ignore_ascii_case(origin))
}

fn with_headers(mut answer: Response, headers: &[(&'static str, &'static str)]) -> Response {
    for (name, value) in headers {
        answer.headers_mut().insert(*name, HeaderValue::from_static(value));
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Given};

    fn config() -> Config {
        let variables = [
            ("TURNWISE_HOSTS", "turnwise.example.org"),
            ("TURNWISE_ORIGINS", "http://127.0.0.1:9090"),
        ];
        Config::load(Given::default(), &Environment::from_iter(variables)).expect("it is sound")
    }

    fn ask(path: &str, headers: &[(&str, &str)]) -> Result<(), String> {
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(axum::body::Body::empty()).expect("a sound request");
        check(&config(), &request).map_err(|problem| problem.error.code)
    }

    #[test]
    fn only_our_names_are_answered() {
        for host in [
            "localhost:8080",
            "127.0.0.1:8080",
            "[::1]:8080",
            "192.168.0.7",
            "Turnwise.Example.org",
            "app.localhost:80",
        ] {
            assert_eq!(ask("/", &[("host", host)]), Ok(()), "{host}");
        }
        for host in [
            "evil.example:8080",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "[::1]evil.example",
            "[::1].evil.example:80",
            "[::1]:80.evil.example",
            "[::1",
            "[localhost]",
            "127.0.0.1:evil.example",
            "localhost:8080@evil.example",
            "::1",
            "",
        ] {
            assert_eq!(ask("/", &[("host", host)]), Err("forbidden".into()), "{host}");
        }
        assert_eq!(ask("/", &[]), Err("bad_request".into()));
        let two = [("host", "localhost"), ("host", "evil.example")];
        assert_eq!(ask("/", &two), Err("bad_request".into()));
    }

    #[test]
    fn only_our_pages_may_use_the_api() {
        let from =
            |origin: &str| ask("/api/about", &[("host", "localhost:8080"), ("origin", origin)]);
        assert_eq!(from("http://localhost:8080"), Ok(()));
        assert_eq!(from("http://127.0.0.1:9090"), Ok(()));
        for origin in [
            "http://localhost:3000",
            "http://evil.example",
            "null",
            "chrome-extension://localhost:8080",
        ] {
            assert_eq!(from(origin), Err("forbidden".into()), "{origin}");
        }
        let fetched = |site: &str, path: &str| {
            ask(path, &[("host", "localhost:8080"), ("sec-fetch-site", site)])
        };
        assert_eq!(fetched("same-origin", "/api/runs"), Ok(()));
        assert_eq!(fetched("none", "/api/runs"), Ok(()));
        assert_eq!(fetched("same-site", "/api/runs"), Err("forbidden".into()));
        assert_eq!(fetched("cross-site", "/api/runs"), Err("forbidden".into()));
        assert_eq!(fetched("cross-site", "/runs"), Ok(()), "a link to a page of ours");
    }
}
