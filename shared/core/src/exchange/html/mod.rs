//! A run as one page that stands alone: no network, no script, and no text from a transcript is run.
//!
//! Everything goes through [`Markup`], which escapes. The page forbids itself everything but its own style, so that even an
//! error there would not load or run anything.

mod episode;
mod figures;
mod number;
mod plot;
#[cfg(test)]
mod tests;
mod words;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::inspect;
use super::time::iso;
use crate::benchmark::given::{Episode, Given};
use crate::hash::Digest;
use crate::markup::Markup;
use crate::metrics::number::count;

const STYLE: &str = include_str!("style.css");

/// How much of the transcripts is on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transcripts {
    All,
    /// The first and the last turns of every episode.
    Ends,
    /// None: numbers and ribbons only.
    None,
}

/// A page that is written episode by episode.
pub struct PageWriter<'a> {
    given: Given<'a>,
    transcripts: Transcripts,
    page: Markup,
}

impl<'a> PageWriter<'a> {
    /// The page of a run of this many episodes, with its numbers.
    pub fn new(given: Given<'a>, episodes: usize, transcripts: Transcripts) -> Self {
        let mut page = Markup::default();
        head(&mut page, &given);
        page.open("main", "");
        facts(&mut page, &given, episodes);
        figures::report(&mut page, given.report);
        page.open("section", "");
        page.element("h2", "", "Episodes");
        page.element(
            "p",
            "soft",
            "One cell a turn; the bar below it tells what came back. Open an episode to read it.",
        );
        legend(&mut page);
        page.open("div", "wall");
        PageWriter { given, transcripts, page }
    }

    pub fn add(&mut self, episode: &Episode<'_>) {
        episode::entry(&mut self.page, &self.given, episode, self.transcripts);
    }

    pub fn finish(mut self) -> String {
        let page = &mut self.page;
        page.close("div");
        page.close("section");
        page.close("main");
        page.open("footer", "");
        page.element("p", "", &words::made_with(self.given.program));
        page.close("footer");
        page.raw("</body>\n</html>\n");
        self.page.done()
    }
}

fn head(page: &mut Markup, given: &Given<'_>) {
    let digest = Digest::of(STYLE);
    let hash = STANDARD.encode(digest.bytes());
    page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    if !given.pictures.is_empty() {
        page.raw("img-src data:; ");
    }
    page.raw("base-uri 'none'; form-action 'none'; style-src 'sha256-");
    page.raw(&hash);
    page.raw("'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
    page.raw("<meta name=\"referrer\" content=\"no-referrer\">\n");
    page.raw("<meta name=\"robots\" content=\"noindex\">\n");
    page.element("title", "", &words::title(given.name()));
    page.raw("<style>");
    page.raw(STYLE);
    page.raw("</style>\n</head>\n<body>\n");
}

fn facts(page: &mut Markup, given: &Given<'_>, episodes: usize) {
    let spec = given.spec;
    page.open("header", "");
    page.element("p", "soft", given.benchmark.title());
    page.element("h1", "", given.name());
    page.element("p", "about", given.benchmark.about());
    page.open("dl", "facts");
    let mut fact = |name: &str, value: &str| {
        page.open("div", "");
        page.element("dt", "", name);
        page.element("dd", "", value);
        page.close("div");
    };
    for (seat, sitting) in &spec.seats {
        fact(seat.as_str(), &sitting.player.to_string());
    }
    if let Some(profile) = inspect::known_profile(spec) {
        fact("profile", profile.name());
    }
    fact("tasks", &spec.tasks.name);
    fact("episodes", &count(episodes));
    if let Some(opened) = given.opened {
        fact("opened", iso(opened).get(..10).unwrap_or_default());
    }
    fact("spec", &spec.digest().short());
    if let Some(canary) = given.canary() {
        fact("canary", canary);
    }
    page.close("dl");
    if !spec.settings.is_null() && spec.settings != Value::Object(serde_json::Map::new()) {
        page.open("details", "");
        page.element("summary", "", "Settings");
        let settings = serde_json::to_string_pretty(&spec.settings).unwrap_or_default();
        page.element("pre", "", &settings);
        page.close("details");
    }
    page.close("header");
}

fn legend(page: &mut Markup) {
    use crate::note::TurnKind::{Answer, Ask, Browse, Invalid, Move, Search};
    page.open("ul", "legend");
    for kind in [Search, Ask, Browse, Move, Answer, Invalid] {
        page.open("li", "");
        let class = format!("turn k-{}", kind.name());
        page.element("span", &class, &kind.letter().to_string());
        page.text(" ");
        page.text(kind.name());
        page.close("li");
    }
    page.close("ul");
}
