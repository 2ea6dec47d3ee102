//! One episode: its ribbon, and folded away below it what was said.

use super::{Transcripts, words};
use crate::benchmark::given::{Episode, Given};
use crate::effect::Made;
use crate::markup::Markup;
use crate::metrics::number::count;
use crate::metrics::summary::Summary;
use crate::picture::{PictureRef, base64, data_url};
use crate::scene::Cell;
use crate::screen::words::rendered;
use crate::task::OPEN_FIELD;
use crate::transcript::told::{Item, TurnTold, items};
use crate::transcript::{TaskRef, Transcript};

/// The most signs of one text.
const LONGEST: usize = 20_000;

/// Turns at either end, where only the ends are shown.
const ENDS: usize = 2;

/// An episode of the page.
pub fn entry(page: &mut Markup, given: &Given<'_>, episode: &Episode<'_>, wanted: Transcripts) {
    if wanted == Transcripts::None {
        page.open("div", "ep");
        summary(page, given, episode.summary);
        page.close("div");
        return;
    }
    page.open("details", "ep");
    page.open("summary", "");
    summary(page, given, episode.summary);
    page.close("summary");
    page.open("div", "told");
    head(page, given, episode);
    story(page, given, episode.play, wanted);
    if let Some(grading) = episode.grading {
        page.element("h3", "", "Grading");
        story(page, given, grading, wanted);
    }
    page.close("div");
    page.close("details");
}

fn summary(page: &mut Markup, given: &Given<'_>, summary: &Summary) {
    let (mark, class, told) = match summary.score {
        Some(1.0) => ("✓".to_owned(), "good", "1".to_owned()),
        Some(0.0) => ("✗".to_owned(), "bad", "0".to_owned()),
        Some(score) => (format!("{score:.2}"), "", format!("{score}")),
        None => ("·".to_owned(), "soft", "no score".to_owned()),
    };
    page.open("span", "ep-id");
    page.text(&summary.task.id.0);
    if given.spec.repeats > 1 {
        page.element("span", "soft", &format!(" {}", words::repeat(summary.repeat)));
    }
    page.close("span");
    page.element_with(
        "span",
        &[("class", &format!("mark-score {class}")), ("title", &told)],
        &mark,
    );
    ribbon(page, &summary.ribbon);
    let ending = summary.ending.as_deref().unwrap_or(words::UNDER_WAY);
    let tokens = summary.tokens();
    let mut parts = vec![ending.to_owned(), words::turns(summary.ribbon.len())];
    if tokens > 0 {
        parts.push(words::tokens(&count(tokens)));
    }
    page.element("span", "ep-note soft small", &parts.join(" · "));
}

fn ribbon(page: &mut Markup, cells: &[Cell]) {
    page.open("span", "ribbon");
    for cell in cells {
        let tone = cell.tone.map_or("none", |tone| tone.name());
        let class = format!("turn k-{} t-{tone}", cell.kind.name());
        page.open_with("span", &[("class", &class), ("title", &cell.sentence)]);
        page.text(&cell.kind.letter().to_string());
        page.raw("</span>");
    }
    page.close("span");
}

fn head(page: &mut Markup, given: &Given<'_>, episode: &Episode<'_>) {
    let summary = episode.summary;
    if !summary.task.labels.is_empty() {
        let labels: Vec<String> =
            summary.task.labels.iter().map(|(label, value)| format!("{label}: {value}")).collect();
        page.element("p", "soft small", &labels.join(" · "));
    }
    if let Some(question) = given.field(episode, OPEN_FIELD) {
        block(page, "asked", "Question", &question, language(&summary.task));
    }
    if let Some(answer) = &summary.measured.answer {
        block(page, "final", "Final answer", answer, language(&summary.task));
    }
}

/// The language of a task, for the setting of Chinese text.
fn language(task: &TaskRef) -> &'static str {
    match task.labels.get("language").map(String::as_str) {
        Some("zh") => "zh",
        _ => "",
    }
}

fn block(page: &mut Markup, class: &str, head: &str, text: &str, lang: &str) {
    page.open("div", class);
    page.element("h4", "", head);
    prose(page, text, lang);
    page.close("div");
}

/// A text as it was written; a very long one is cut, and that is said.
fn prose(page: &mut Markup, text: &str, lang: &str) {
    let (shown, rest) = match text.char_indices().nth(LONGEST) {
        Some((end, _)) => text.split_at(end),
        None => (text, ""),
    };
    page.open_with("pre", &[("class", "said"), ("lang", lang), ("dir", "auto")]);
    if shown.starts_with('\n') {
        page.raw("\n");
    }
    page.text(shown);
    page.close("pre");
    if !rest.is_empty() {
        page.element("p", "soft small", &words::cut(rest.chars().count()));
    }
}

fn story(page: &mut Markup, given: &Given<'_>, transcript: &Transcript, wanted: Transcripts) {
    let all = items(transcript);
    let lang = language(&transcript.header.task);
    let turns = all.iter().filter(|item| matches!(item, Item::Turn(_))).count();
    let is_kept = |turn: usize| wanted == Transcripts::All || turn < ENDS || turn + ENDS >= turns;
    let mut turn = 0;
    let mut said_so = false;
    page.open("ol", "story");
    for item in &all {
        let is_shown = is_kept(turn.min(turns.saturating_sub(1)));
        if matches!(item, Item::Turn(_)) {
            turn += 1;
        }
        if is_shown {
            self::item(page, given, item, lang);
        } else if !said_so {
            said_so = true;
            page.element("li", "soft", &words::left_out(turns.saturating_sub(2 * ENDS)));
        }
    }
    page.close("ol");
}

fn item(page: &mut Markup, given: &Given<'_>, item: &Item<'_>, lang: &str) {
    match item {
        Item::Turn(told) => turn(page, told, lang),
        Item::Failed(failure) => {
            page.open("li", "");
            page.element("p", "bad", &format!("{}: {}", words::FAILED, failure.message));
            page.close("li");
        }
        Item::Made(Made::Page(made)) => {
            page.open("li", "");
            block(page, "came", &made.url, &made.text, lang);
            page.close("li");
        }
        Item::Made(Made::Picture(made)) => {
            page.open("li", "");
            picture(page, given, &made.picture);
            page.close("li");
        }
        Item::Restarted { attempt, why } => {
            page.element("li", "soft", &words::restarted(*attempt, why));
        }
        // Texts of imported samples; numbers of games stand in the numbers of the run.
        Item::Event { name, detail } => {
            if let Some(text) = detail["text"].as_str() {
                page.open("li", "");
                if let Some(system) = detail["system"].as_str() {
                    block(page, "came", "system", system, lang);
                }
                block(page, "asked", name, text, lang);
                page.close("li");
            }
        }
    }
}

/// A picture, or its size where its bytes are not at hand.
fn picture(page: &mut Markup, given: &Given<'_>, picture: &PictureRef) {
    let label = rendered(picture.width, picture.height);
    if let Some(png) = given.pictures.get(&picture.digest) {
        let source = data_url(&base64(png));
        page.open_with("img", &[("src", &source), ("alt", &label)]);
    }
    page.element("p", "soft small", &label);
}

fn turn(page: &mut Markup, told: &TurnTold<'_>, lang: &str) {
    let turn = told.turn;
    page.open("li", "");
    page.open("h4", "");
    let class = format!("turn k-{}", turn.kind.name());
    page.element("span", &class, &turn.kind.letter().to_string());
    page.text(&words::turn(turn.index, turn.seat.as_str()));
    page.close("h4");
    page.element("p", "did", &turn.sentence);
    if let Some(reasoning) = told.said.and_then(|said| said.reasoning.as_deref()) {
        page.open("details", "");
        page.element("summary", "", "Reasoning");
        prose(page, reasoning, lang);
        page.close("details");
    }
    if let Some(text) = told.said.and_then(|said| said.text.as_deref()) {
        prose(page, text, lang);
    }
    if let Some(fault) = &turn.reading.fault {
        page.element("p", "bad", &fault.to_string());
    }
    if !turn.reading.repaired.is_empty() {
        let repaired = turn.reading.repaired.join(", ");
        page.element("p", "soft small", &format!("Taken for: {repaired}"));
    }
    for came in &told.came {
        let class = format!("came t-{}", came.tone.name());
        // "yes" under the heading "yes" says nothing more.
        if came.shown.trim().eq_ignore_ascii_case(came.word.trim()) {
            page.element("p", &class, &came.word);
        } else {
            block(page, &class, &came.word, &came.shown, lang);
        }
    }
    page.close("li");
}
