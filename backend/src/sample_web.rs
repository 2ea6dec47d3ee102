//! The built-in web over which samples are played: written pages, read as fetched ones are, in an archive. No server has them, so the
//! guard needs no exception for them.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use turnwise_shared::archive::{Archive, Archives, Content};
use turnwise_shared::effect::{Page, Visit};
use turnwise_shared::prelude::*;

use crate::services::page::{self, Source};

/// The engine of a built-in web: the index over its pages.
pub const ENGINE: &str = "sample";

/// Begins a page: `>>> STATUS URL`, then its HTML. `>>> 301 URL -> URL` leads to another address.
const HEAD: &str = ">>> ";

/// The most redirects in a row, as of pages of the live web.
const MOST_REDIRECTS: usize = 5;

/// The built-in web: the pages of all benchmarks that have some.
pub fn archive() -> Option<&'static Arc<Archive>> {
    static MADE: LazyLock<Option<Arc<Archive>>> = LazyLock::new(|| {
        let written: Vec<&str> = BENCHMARKS.iter().filter_map(|one| one.sample_web()).collect();
        (!written.is_empty()).then(|| Arc::new(read(&written.join("\n"))))
    });
    MADE.as_ref()
}

/// The archives that the program itself has.
pub fn archives() -> Archives {
    archive().into_iter().map(|archive| (archive.digest(), Arc::clone(archive))).collect()
}

enum Record<'a> {
    Page(u16, &'a str),
    Redirect(&'a str),
}

/// Reads written pages.
///
/// # Panics
/// If a head is malformed, an address occurs twice, or a redirect leads nowhere: the pages are part of the program, and a test reads
/// them.
pub fn read(written: &str) -> Archive {
    let mut records: BTreeMap<&str, Record<'_>> = BTreeMap::new();
    let separator = format!("\n{HEAD}");
    for record in written.trim_start_matches(HEAD).split(&separator).filter(|one| !one.is_empty()) {
        let (head, html) = record.split_once('\n').unwrap_or((record, ""));
        let mut words = head.split_whitespace();
        let (status, url) = (words.next().and_then(|word| word.parse().ok()), words.next());
        let (Some(status), Some(url)) = (status, url) else { panic!("{head:?} is no head") };
        let record = match (words.next(), words.next()) {
            (Some("->"), Some(target)) => Record::Redirect(target),
            _ => Record::Page(status, html),
        };
        assert!(records.insert(url, record).is_none(), "{url} occurs twice");
    }
    let mut content = Content::written(ENGINE);
    for url in records.keys() {
        let visit = Visit { url: (*url).to_owned(), locale: None };
        content.put(&visit, Reply::Made(Made::Page(Box::new(followed(&records, url)))));
    }
    Archive::new(content)
}

fn followed(records: &BTreeMap<&str, Record<'_>>, from: &str) -> Page {
    let mut url = from;
    for _ in 0..=MOST_REDIRECTS {
        match records.get(url) {
            Some(Record::Redirect(target)) => url = target,
            Some(Record::Page(status, html)) => {
                let digest = Digest::of(html);
                return page::read(&Source {
                    url,
                    status: *status,
                    media: "text/html",
                    text: html,
                    digest,
                });
            }
            None => panic!("{from} leads to {url}, which is not there"),
        }
    }
    panic!("{from} leads nowhere after {MOST_REDIRECTS} redirects")
}
