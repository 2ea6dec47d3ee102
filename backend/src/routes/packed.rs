//! Answers that are read over and over, compressed on the way to clients that accept gzip.
//!
//! Only routes that say so are compressed, and only their `GET`: what they tell is the same for everybody who may read it. Answers
//! that carry a token, or that repeat what a request says beside a secret, stay as they are, because the length of a compressed
//! answer tells about its content (BREACH). Sockets and streams of events are none of these routes.

use std::convert::Infallible;
use std::io::Write as _;

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::MethodRouter;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures::StreamExt as _;
use tokio::sync::Semaphore;

use crate::error::Problem;

/// Bytes below which an answer fits into a packet or two, and nothing is won.
const LEAST: u64 = 2048;
/// Bytes above which compressing is no work for the thread that serves others.
const LARGE: usize = 64 * 1024;

/// How many pieces of long answers are compressed at once.
static PACKING: Semaphore = Semaphore::const_new(2);

/// A route whose answers to `GET` are compressed.
pub fn packed<S: Clone + Send + Sync + 'static>(route: MethodRouter<S>) -> MethodRouter<S> {
    route.layer(from_fn(pack))
}

async fn pack(request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let is_wanted = accepts(request.headers(), "gzip");
    let mut answer = next.run(request).await;
    if !matches!(method, Method::GET | Method::HEAD) {
        return answer;
    }
    let vary = HeaderValue::from_static("accept-encoding");
    answer.headers_mut().append(header::VARY, vary);
    let headers = answer.headers();
    let is_whole = answer.status() == StatusCode::OK
        && !headers.contains_key(header::CONTENT_ENCODING)
        && !headers.contains_key(header::CONTENT_RANGE);
    let said =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let in_memory = answer.body().size_hint().exact();
    // The length of an answer made while it is sent is unknown; it is long.
    let is_large = said.or(in_memory).is_none_or(|size| size >= LEAST);
    match is_wanted && is_whole && is_large {
        // An answer to `HEAD` has the headers of the one to `GET`.
        true if method == Method::HEAD => {
            let (parts, _) = answer.into_parts();
            // The compressed length is not known, and the answer must not claim to be empty.
            let nothing = futures::stream::empty::<Result<Bytes, Infallible>>();
            with_headers_of_packed(Response::from_parts(parts, Body::from_stream(nothing)))
        }
        true if in_memory.is_some() => packed_answer(answer).await,
        true => packed_on_the_way(answer),
        false => answer,
    }
}

pub(super) async fn packed_answer(answer: Response) -> Response {
    let (parts, body) = answer.into_parts();
    // It lies in memory already: its size is known.
    let bytes = match to_bytes(body, usize::MAX).await {
        Ok(bytes) => bytes,
        Err(why) => return Problem::internal(why).into_response(),
    };
    let small = match bytes.len() {
        0..=LARGE => gzip(&bytes),
        _ => match tokio::task::spawn_blocking(move || gzip(&bytes)).await {
            Ok(small) => small,
            Err(why) => return Problem::internal(why).into_response(),
        },
    };
    match small {
        Ok(small) => with_headers_of_packed(Response::from_parts(parts, Body::from(small))),
        Err(why) => Problem::internal(why).into_response(),
    }
}

/// The same answer, compressed piece by piece as it is read: it is never in memory as a whole.
fn packed_on_the_way(answer: Response) -> Response {
    let (parts, body) = answer.into_parts();
    let packer = GzEncoder::new(Vec::new(), Compression::fast());
    let begun = (body.into_data_stream(), Some(packer));
    let small = futures::stream::try_unfold(begun, |(mut pieces, mut packer)| async move {
        while let Some(packing) = packer.take() {
            let piece = pieces.next().await.transpose()?;
            // The number of compressions at once is limited: a download takes no thread from others.
            let _permit = PACKING.acquire().await.map_err(axum::Error::new)?;
            let packed = tokio::task::spawn_blocking(move || packed_piece(packing, piece));
            let (rest, small) =
                packed.await.map_err(axum::Error::new)?.map_err(axum::Error::new)?;
            packer = rest;
            if !small.is_empty() {
                return Ok(Some((small, (pieces, packer))));
            }
        }
        Ok::<_, axum::Error>(None)
    });
    with_headers_of_packed(Response::from_parts(parts, Body::from_stream(small)))
}

/// Packs what is on its way.
type Packer = GzEncoder<Vec<u8>>;

/// What has become of a further piece, or after the last of all, and who packs the next.
fn packed_piece(
    mut packer: Packer,
    piece: Option<Bytes>,
) -> std::io::Result<(Option<Packer>, Vec<u8>)> {
    match piece {
        Some(piece) => {
            packer.write_all(&piece)?;
            let small = std::mem::take(packer.get_mut());
            Ok((Some(packer), small))
        }
        None => Ok((None, packer.finish()?)),
    }
}

fn with_headers_of_packed(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    headers.remove(header::CONTENT_LENGTH);
    // Ranges are of the text as it is.
    headers.remove(header::ACCEPT_RANGES);
    // The same text in other bytes: a strong tag would promise the bytes.
    let weak = headers
        .get(header::ETAG)
        .and_then(|tag| tag.to_str().ok())
        .filter(|tag| !tag.starts_with("W/"))
        .and_then(|tag| HeaderValue::try_from(format!("W/{tag}")).ok());
    if let Some(weak) = weak {
        headers.insert(header::ETAG, weak);
    }
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    answer
}

/// The fastest level: answers are made for one reader at a time, and their JSON repeats itself so much that more effort gains little.
fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::with_capacity(bytes.len() / 8), Compression::fast());
    packer.write_all(bytes)?;
    packer.finish()
}

/// Whether a reader takes a coding: it is named, and not with a quality of zero.
pub(super) fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let is_zero = |part: &str| {
        let quality = part.strip_prefix("q=");
        quality.and_then(|quality| quality.parse::<f32>().ok()) == Some(0.0)
    };
    headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).is_some_and(|list| {
        list.split(',').any(|one| {
            let mut parts = one.split(';').map(str::trim);
            parts.next() == Some(coding) && !parts.any(is_zero)
        })
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use axum::Router;
    use axum::routing::get;
    use flate2::read::GzDecoder;
    use tower::ServiceExt as _;

    use super::super::ranges;
    use super::*;

    async fn asked(route: MethodRouter, headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().uri("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let router = Router::new().route("/", packed(route));
        let request = request.body(Body::empty()).expect("a request");
        router.oneshot(request).await.expect("a router answers")
    }

    async fn bytes(answer: Response) -> Vec<u8> {
        to_bytes(answer.into_body(), usize::MAX).await.expect("it lies in memory").to_vec()
    }

    fn long() -> String {
        "turn after turn ".repeat(20_000)
    }

    #[tokio::test]
    async fn a_long_answer_comes_small_and_whole_to_whoever_takes_gzip() {
        let route = || get(async || ([(header::ETAG, "\"1\"")], long()));
        let answer = asked(route(), &[("accept-encoding", "gzip, deflate, br")]).await;
        assert_eq!(answer.headers()[header::CONTENT_ENCODING], "gzip");
        assert_eq!(answer.headers()[header::ETAG], "W/\"1\"");
        assert_eq!(answer.headers()[header::VARY], "accept-encoding");
        let small = bytes(answer).await;
        assert!(small.len() < long().len() / 20, "{}", small.len());
        let mut text = String::new();
        GzDecoder::new(small.as_slice()).read_to_string(&mut text).expect("it is gzip");
        assert_eq!(text, long());

        let plain = asked(route(), &[("accept-encoding", "gzip;q=0, br")]).await;
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
        assert_eq!(bytes(plain).await, long().as_bytes());
    }

    #[tokio::test]
    async fn whoever_has_a_packed_text_is_sent_nothing() {
        let route = || {
            get(async |method: Method, headers: HeaderMap| {
                let about =
                    ranges::About { kind: "text/plain", tag: "1", bytes: long().len() as u64 };
                ranges::answer(&method, &headers, &about, |_| Body::from(long()))
            })
        };
        let takes = ("accept-encoding", "gzip");
        let first = asked(route(), &[takes]).await;
        let tag = first.headers()[header::ETAG].to_str().expect("a tag");
        let again = asked(route(), &[takes, ("if-none-match", tag)]).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let other = asked(route(), &[takes, ("if-none-match", "W/\"2\"")]).await;
        assert_eq!(other.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn short_answers_failures_and_parts_stay_as_they_are() {
        let takes = [("accept-encoding", "gzip")];
        let routes = [
            get(async || "short"),
            get(async || (StatusCode::NOT_FOUND, long())),
            get(async || {
                let place = [(header::CONTENT_RANGE, "bytes 0-1/2")];
                (StatusCode::PARTIAL_CONTENT, place, long())
            }),
        ];
        for route in routes {
            let answer = asked(route, &takes).await;
            assert!(!answer.headers().contains_key(header::CONTENT_ENCODING));
        }
    }
}
