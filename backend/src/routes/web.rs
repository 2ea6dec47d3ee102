//! The web app: its files, and its page for every address that is one of the app's own.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use turnwise_shared::prelude::*;
use turnwise_shared::screen::run_tabs::EPISODES;

use super::packed::{accepts, packed_answer};
use super::ranges::is_known;
use crate::App;
use crate::access::find;
use crate::error::Problem;
use crate::preview::{self, Preview, Shell};

/// Pages that show benchmark tasks or runs: not for search engines, not for training data.
const NOT_INDEXED: [&str; 7] = ["run", "runs", "play", "review", "compare", "grid", "shared"];

/// Where addresses of the app's own begin.
const SECTIONS: [&str; 12] = [
    "board",
    "boards",
    "compare",
    "connections",
    "grid",
    "log",
    "logs",
    "new",
    "play",
    "run",
    "runs",
    "shared",
];

/// The drawings of all pages.
const ICONS: &str = "icons.svg";

/// Shown instead of the app where it was not built. It needs no style and no script.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Turnwise</title>\
     <h1>The web app is not built yet</h1>\
     <p>The server runs, but it has no pages. Run <code>cargo xtask serve</code>, which builds them, or \
     <code>cargo xtask web</code> and start the server again in the project's folder \
     (or with <code>TURNWISE_WEB_DIR</code> set to the folder of the built web app).</p></html>\n";

/// Everything that is not under `/api/`.
pub async fn page(State(app): State<App>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Problem::method_not_allowed().into_response();
    }
    let path = request.uri().path().trim_start_matches('/');
    if path.starts_with("api/") {
        return Problem::not_found("such address of the API").into_response();
    }
    if let Some(meant) = mended(path) {
        return (StatusCode::FOUND, [(header::LOCATION, meant)]).into_response();
    }
    // Without a home page of its own (an app built by Trunk) every address has the same.
    let names: &[&str] = match path {
        "" => &["home.html", "index.html"],
        path => &[path],
    };
    for name in names {
        if let Some(response) = file(&app, name, request.headers()).await {
            return response;
        }
    }
    let section = path.split('/').next().unwrap_or_default();
    if !wants_page(request.headers(), section) {
        return Problem::not_found(format!("file {path:?}")).into_response();
    }
    let told = told(&app, path, request.uri().query()).await;
    let base = base(request.headers());
    let made = match (told, app.web().file("index.html").await) {
        (Some((told, first)), Some(page)) => {
            match made(&page, &told, first.as_ref(), &base) {
                // A wall is many rows that look alike; nothing in it is a secret.
                Some(page) if accepts(request.headers(), "gzip") => {
                    let mut page = packed_answer(page).await;
                    let vary = HeaderValue::from_static("accept-encoding");
                    page.headers_mut().append(header::VARY, vary);
                    Some(page)
                }
                page => page,
            }
        }
        _ => file(&app, "index.html", request.headers()).await,
    };
    let mut response = match made {
        Some(page) => page,
        None => (
            StatusCode::SERVICE_UNAVAILABLE,
            [(header::CONTENT_TYPE, "text/html; charset=utf-8")],
            NOT_BUILT,
        )
            .into_response(),
    };
    if NOT_INDEXED.contains(&section) {
        response
            .headers_mut()
            .insert("x-robots-tag", HeaderValue::from_static("noindex, nofollow"));
    }
    response
}

/// The link that was meant by one with a whole episode whose `#` some program has escaped.
fn mended(path: &str) -> Option<String> {
    let rest = path.strip_prefix("shared")?.trim_start_matches('/');
    let mut escapes = ["%23", "%2523"].into_iter();
    let fragment = escapes.find_map(|character| rest.strip_prefix(character))?;
    Some(format!("/shared#{fragment}"))
}

/// What is said of the run or the episode at an address, and what it shows first where that is as usual or names a turn or the tab of
/// episodes; `None` where nothing is said: it is another page, or the run is not for everybody, which must look the same.
async fn told(app: &App, path: &str, query: Option<&str>) -> Option<(Preview, Option<Shell>)> {
    let mut parts = path.split('/');
    let (Some("run"), Some(run)) = (parts.next(), parts.next()) else {
        return None;
    };
    let run = find(app, run, None).await.ok()?;
    let as_usual = query.is_none();
    // The first page shows the episodes, which of a game is not the first tab.
    let shows_episodes = || query.and_then(|query| query.strip_prefix("tab=")) == Some(EPISODES);
    match (parts.next(), parts.next()) {
        (None, _) if as_usual || shows_episodes() => preview::page_of_run(app, &run).await.ok(),
        (None, _) => Some((preview::of_run(app, &run).await.ok()?, None)),
        (Some(episode), None) => {
            let episode: EpisodeKey = episode.parse().ok()?;
            let play = episode.its_play();
            let now = query.and_then(|query| query.strip_prefix("turn=")?.parse().ok());
            match as_usual || now.is_some() {
                true => preview::page_of_episode(app, &run, &play, now).await.ok(),
                false => Some((preview::of_episode(app, &run, &play).await.ok()?, None)),
            }
        }
        _ => None,
    }
}

/// Scheme and host under which the server was asked; the guard has looked at the host.
fn base(headers: &HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let scheme = match text("x-forwarded-proto") {
        Some("https") => "https",
        _ => "http",
    };
    let host = text("host").unwrap_or("localhost");
    format!("{scheme}://{host}")
}

/// The app's page with what is said of a run in it. It is another one whenever the run goes on, so no cache keeps it.
fn made(page: &[u8], told: &Preview, first: Option<&Shell>, base: &str) -> Option<Response> {
    let page = preview::into_page(std::str::from_utf8(page).ok()?, told, first, base);
    let headers = [(header::CONTENT_TYPE, kind("index.html")), (header::CACHE_CONTROL, "no-cache")];
    Some((headers, page).into_response())
}

/// Whether a person asked for this address, or a program that shows its link elsewhere, rather than a script for a file. Those
/// who show links often take anything.
fn wants_page(headers: &HeaderMap, section: &str) -> bool {
    let accept = headers.get(header::ACCEPT);
    match accept.map(|value| value.to_str().unwrap_or_default()) {
        Some(accept) if accept.contains("text/html") => true,
        Some(accept) => accept.contains("*/*") && SECTIONS.contains(&section),
        None => SECTIONS.contains(&section),
    }
}

async fn file(app: &App, name: &str, headers: &HeaderMap) -> Option<Response> {
    if name.ends_with(".br") {
        return None;
    }
    let packed = match accepts(headers, "br") {
        true => app.web().file(&format!("{name}.br")).await,
        false => None,
    };
    let is_packed = packed.is_some();
    let bytes = match packed {
        Some(bytes) => bytes,
        None => app.web().file(name).await?,
    };
    let tag = format!("\"{}{}\"", Digest::of(&bytes).short(), if is_packed { "-br" } else { "" });
    let caching = if has_hash(name) {
        "public, max-age=31536000, immutable"
    } else if name == ICONS {
        // BudgetUse at any moment, also of a server that is gone.
        "max-age=300, stale-while-revalidate=86400, stale-if-error=86400"
    } else {
        "no-cache"
    };
    let known = is_known(headers, &tag);
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let body = match bytes {
            std::borrow::Cow::Borrowed(bytes) => axum::body::Bytes::from_static(bytes),
            std::borrow::Cow::Owned(bytes) => bytes.into(),
        };
        ([(header::CONTENT_TYPE, kind(name))], body).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    if is_packed && !known {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    Some(response)
}

/// Whether a name carries the hash of its content (`name-0123456789abcdef.ext`) and so never changes.
fn has_hash(name: &str) -> bool {
    name.rsplit_once('.').and_then(|(stem, _)| stem.rsplit_once('-')).is_some_and(|(_, hash)| {
        hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json" | "webmanifest") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_of_the_app_has_a_page() {
        let app = include_str!("../../../frontend/src/routes.rs");
        let mut routes: Vec<&str> = app
            .split("path!(\"/")
            .skip(1)
            .filter_map(|route| route.split(['/', '"']).next())
            .filter(|section| !section.is_empty())
            .collect();
        routes.sort_unstable();
        routes.dedup();
        assert_eq!(routes, SECTIONS);
    }

    #[test]
    fn only_names_with_a_hash_are_kept_for_ever() {
        assert!(has_hash("turnwise-9bd73720dbdbbf58.wasm"));
        for name in ["index.html", "robots.txt", "fonts/atkinson-next.woff2", "a-9bd7.js", "x"] {
            assert!(!has_hash(name), "{name}");
        }
    }

    #[test]
    fn brotli_is_sent_to_those_who_take_it() {
        let accepts = |list: &'static str| {
            let named = (header::ACCEPT_ENCODING, HeaderValue::from_static(list));
            accepts(&HeaderMap::from_iter([named]), "br")
        };
        assert!(accepts("gzip, deflate, br, zstd"));
        assert!(accepts("br;q=0.5"));
        assert!(!accepts("br;q=0"));
        assert!(!accepts("br; q=0.000"));
        assert!(!accepts("gzip, brr"));
    }
}
