//! What an episode's page shows first: which episode it is, how it ended, its ribbon, and turn by turn what was done and what came
//! back.

use std::collections::BTreeMap;

use super::event;
use super::row::{Labels, label_text};
use super::{turn, words};
use crate::benchmark::Benchmark;
use crate::episode::Outcome;
use crate::markup::Markup;
use crate::maths;
use crate::metrics::episode_status::EpisodeStatus;
use crate::metrics::summary::Summary;
use crate::note::Observation;
use crate::scene::Cell;
use crate::seat::{Player, Seat};
use crate::shortened::shortened;
use crate::task::language;
use crate::transcript::Transcript;
use crate::transcript::told::{Item, TurnTold, items};

/// The longest text that is shown, in characters; the whole stands in the transcript.
const LONGEST: usize = 600;

/// The longest sentence on a cell of a ribbon, in signs.
const LONGEST_SENTENCE: usize = 160;

/// The turns of a long episode are written out in at most this many bytes of markup; the others are counted.
const MOST: usize = 24_000;

/// The most cells of a ribbon.
pub const CELLS: usize = 120;

/// An episode whose play is over.
#[derive(Clone, Copy)]
pub struct Play<'a> {
    /// What its run is called.
    pub run: &'a str,
    /// Where the page of its run is.
    pub run_href: &'a str,
    pub href: &'a str,
    pub summary: &'a Summary,
    pub transcript: &'a Transcript,
    /// Which labels of its task are shown.
    pub labels: Labels,
    /// What its task asks, where that may be shown.
    pub question: Option<&'a str>,
    pub benchmark: &'static dyn Benchmark,
    /// The turn that its address names.
    pub now: Option<u32>,
    /// The names of the people in its seats, as far as they gave one. The transcript's spec calls them by these ([`Spec::naming`]).
    ///
    /// [`Spec::naming`]: crate::spec::Spec::naming
    pub people: &'a BTreeMap<Seat, String>,
    /// The episode that it goes on from, where it is a branch and that may be shown.
    pub parent: Option<Parent<'a>>,
}

/// The episode from which a branch goes on.
#[derive(Debug, Clone, Copy)]
pub struct Parent<'a> {
    pub href: &'a str,
    pub status: EpisodeStatus,
    /// What was answered, if anything was.
    pub answer: Option<&'a str>,
}

impl Play<'_> {
    /// Writes which episode it is.
    pub fn heading(&self, out: &mut Markup) {
        let Summary { task, repeat, .. } = self.summary;
        out.open("div", "page-head");
        out.open("div", "");
        out.open("ol", "crumbs");
        for (href, name) in [("/runs", words::RUNS), (self.run_href, self.run)] {
            out.open("li", "");
            out.inline("a", &[("href", href)], name);
            out.end("li");
        }
        out.close("ol");
        let name = self.benchmark.task_name(&self.transcript.header.spec, task);
        out.element("h1", "", &words::title(name.as_deref(), &task.id.0, *repeat));
        out.open("p", "row");
        for label in task.labels.iter() {
            if name.is_none() && self.labels.shows(label.0) {
                out.element("span", "tag", &label_text(label));
            }
        }
        for (seat, sitting) in &self.transcript.header.spec.seats {
            let name = self.people.get(seat).map(String::as_str);
            if name.is_some() || sitting.player == Player::Person {
                let who = words::person_in(seat.as_str(), name);
                out.element("span", "seal seal-human", &who);
            }
        }
        out.close("p");
        out.close("div");
        out.open("div", "told-near");
        out.close("div");
        out.close("div");
    }

    /// Writes what happened in it; whether nothing is left out of a long one.
    pub fn story(&self, out: &mut Markup) -> bool {
        let status = EpisodeStatus::of(self.summary);
        let lang = language(&self.summary.task.labels).unwrap_or_default();
        out.open("div", "stack");
        out.open("div", "pinned");
        if let Some(question) = self.question {
            let class = question_class(question);
            out.open_with("details", &[("class", class), ("lang", &lang)]);
            out.open("summary", "");
            maths::write(out, question);
            out.end("summary");
            out.close("details");
        }
        out.open("div", "verdict");
        let turns = self.summary.ribbon.len();
        out.raw(&verdict(
            status,
            self.transcript.outcome(),
            turns,
            Some(&lang),
            self.summary.measured.right.as_deref(),
            self.benchmark.result_in_words(self.transcript).as_deref(),
        ));
        out.close("div");
        out.close("div");
        // Room for the buttons of the app, so that nothing moves when they come.
        out.open("div", "ep-tools told-room");
        out.close("div");
        self.branch(out, status);
        self.ribbon(out, status);
        let has_now = self.summary.ribbon.iter().find(|cell| Some(cell.turn) == self.now);
        if let Some(cell) = has_now {
            out.open("p", "told-now");
            out.inline(
                "a",
                &[("href", &format!("#{}", anchor(cell.turn)))],
                &words::to_turn(cell.turn),
            );
            out.close("p");
        }
        out.element("h2", "sr", words::TIMELINE);
        out.open("ol", "tl tl-talk told-play");
        let all = items(self.transcript);
        let (start, mut is_whole) = (out.len(), true);
        for (at, item) in all.iter().enumerate() {
            if out.len() - start > MOST {
                let is_turn = |item: &&Item<'_>| matches!(item, Item::Turn(_));
                is_whole = false;
                // The turn that the address names is never among those that are left out.
                let is_now = |item: &&Item<'_>| matches!(item, Item::Turn(told) if Some(told.turn.index) == self.now);
                let now = all[at..].iter().find(is_now);
                let left = all[at..].iter().filter(is_turn).count() - usize::from(now.is_some());
                out.element("li", "tl-event", &words::more_turns(left));
                if let Some(item) = now {
                    self.item(out, item, status, &lang);
                }
                break;
            }
            self.item(out, item, status, &lang);
        }
        out.close("ol");
        out.close("div");
        is_whole
    }

    /// Writes from where a branch goes on, and what that changed.
    fn branch(&self, out: &mut Markup, status: EpisodeStatus) {
        let Some(of) = &self.transcript.header.branch else {
            return;
        };
        out.open("section", "card stack-2 told-branch");
        out.element("h2", "", words::BRANCH);
        out.element("p", "soft read", &words::goes_on(of.turn));
        match self.parent {
            Some(parent) => {
                let is_other_answer = parent.answer != self.summary.measured.answer.as_deref();
                let changed = words::difference(parent.status, status, is_other_answer);
                if let Some(changed) = changed {
                    out.element("p", "strong", &changed);
                }
                out.open("p", "");
                out.inline("a", &[("href", parent.href)], words::BEFORE);
                out.close("p");
            }
            None => out.element("p", "soft", words::NO_PARENT),
        }
        out.close("section");
    }

    fn ribbon(&self, out: &mut Markup, status: EpisodeStatus) {
        let cells = &self.summary.ribbon;
        if cells.is_empty() {
            return;
        }
        out.open("div", "replay");
        out.open("ol", turn::ribbon_class(cells.len()));
        for (at, cell) in cells.iter().enumerate().take(CELLS) {
            let sentence = self.sentence(cell, status);
            let label = words::cell(cell.turn, &shortened(&sentence, LONGEST_SENTENCE));
            let mut class = turn::classes(cell, status);
            if turn::opens_round(cells, at) {
                class.push_str(" opens");
            }
            let href = format!("{}?turn={}", self.href, cell.turn);
            out.open("li", "");
            out.inline(
                "a",
                &[("class", &class), ("href", &href), ("aria-label", &label), ("title", &label)],
                &turn::letter(cell, status).to_string(),
            );
            out.end("li");
        }
        out.close("ol");
        out.close("div");
    }

    fn item(&self, out: &mut Markup, item: &Item<'_>, status: EpisodeStatus, lang: &str) {
        match item {
            Item::Turn(told) => self.turn(out, told, status, lang),
            Item::Failed(failure) => {
                out.open("li", "tl-event");
                block(out, "b-fault", words::FAILED, &failure.message, "");
                out.close("li");
            }
            Item::Made(made) => {
                out.open("li", "tl-event");
                out.text(&words::made(made));
                out.close("li");
            }
            Item::Restarted { attempt, why } => {
                out.open("li", "tl-event");
                block(out, "b-fault", &words::restarted(*attempt), why, "");
                out.close("li");
            }
            Item::Event { name, detail } => {
                let spec = &self.transcript.header.spec;
                match self.benchmark.event_in_words(spec, name, detail) {
                    Some(told) if told.is_empty() => {}
                    Some(told) => out.element("li", "tl-event", &told),
                    None => {
                        out.open("li", "tl-event");
                        out.element("b", "", &turn::words(name));
                        out.text(" ");
                        out.text(&event::line(detail));
                        out.close("li");
                    }
                }
            }
        }
    }

    /// A turn in one sentence, with the name of who sits in its seat.
    fn sentence(&self, cell: &Cell, status: EpisodeStatus) -> String {
        let sitting = self.transcript.header.spec.seats.get(&cell.seat);
        let who = sitting.map(|sitting| sitting.player.short_name());
        turn::sentence_of(cell, status, who.as_deref())
    }

    fn turn(&self, out: &mut Markup, told: &TurnTold<'_>, status: EpisodeStatus, lang: &str) {
        let one = told.turn;
        let cell = self.summary.ribbon.iter().find(|cell| cell.turn == one.index);
        let class = match Some(one.index) == self.now {
            true => "tl-turn is-now",
            false => "tl-turn",
        };
        out.open_with("li", &[("class", class), ("id", &anchor(one.index))]);
        out.open("div", "tl-mark");
        if let Some(cell) = cell {
            out.open_with("span", &[("class", "ribbon"), ("aria-hidden", "true")]);
            out.inline(
                "span",
                &[("class", &turn::classes(cell, status))],
                &turn::letter(cell, status).to_string(),
            );
            out.end("span");
        }
        out.element("span", "tl-no", &one.index.to_string());
        out.close("div");
        out.open("div", "tl-did");
        out.open("div", "tl-head");
        let sentence = match cell {
            Some(cell) => self.sentence(cell, status),
            None => one.sentence.clone(),
        };
        let sentence = turn::in_full(one, &sentence);
        let (title, whole) = turn::title(&sentence);
        out.element_with("h3", &[("lang", lang)], &title);
        out.element("span", "meta", &words::round(one.round));
        out.close("div");
        if let Some(whole) = whole {
            out.element_with("p", &[("lang", lang)], &shortened(whole, LONGEST));
        }
        if let Some(fault) = &one.reading.fault {
            block(out, "b-fault", words::FAULT, &fault.to_string(), "");
        }
        for came in &told.came {
            self.came(out, came, lang);
        }
        out.close("div");
        out.close("li");
    }

    /// What was shown of what came back, where that is more than the word in the heading.
    fn came(&self, out: &mut Markup, came: &Observation, lang: &str) {
        if came.shown.is_empty() || came.shown == came.word {
            return;
        }
        out.open_with("div", &[("class", "came"), ("lang", lang)]);
        match self.benchmark.shown_results(&came.shown) {
            Some(results) => {
                out.open("ol", "hits");
                for result in results {
                    out.open("li", "");
                    out.open("div", "");
                    out.element("b", "", &shortened(&result.title, LONGEST));
                    out.element("span", "", &shortened(&result.text, LONGEST));
                    out.close("div");
                    out.close("li");
                }
                out.close("ol");
            }
            None => out.element("p", "told-text", &shortened(&came.shown, LONGEST)),
        }
        out.close("div");
    }
}

/// The name of a turn in the page.
fn anchor(turn: u32) -> String {
    format!("told-turn-{turn}")
}

/// The status and ending of an episode, with what was said and what is `right` where that may be shown, as markup; of a
/// game its `result` in words.
pub fn verdict(
    status: EpisodeStatus,
    outcome: Option<&Outcome>,
    turns: usize,
    lang: Option<&str>,
    right: Option<&str>,
    result: Option<&str>,
) -> String {
    let mut out = Markup::default();
    let title = status.label();
    out.inline(
        "span",
        &[("class", status.mark()), ("role", "img"), ("aria-label", title)],
        status.glyph(),
    );
    let text = |name: &str| {
        let text = outcome?.result.get(name)?.as_str()?;
        (!text.is_empty()).then_some(text)
    };
    let answer = text("prediction").or_else(|| text("answer"));
    let can_answer = ["prediction", "answer"]
        .iter()
        .any(|name| outcome.is_some_and(|outcome| outcome.result.get(name).is_some()));
    match answer {
        Some(_) => out.element("b", "", &format!("{title}:")),
        None if status == EpisodeStatus::Wrong && can_answer => {
            out.element("b", "", result.unwrap_or(words::NO_ANSWER))
        }
        None => out.element("b", "", result.unwrap_or(title)),
    }
    let mut named = |before: &str, text: &str| {
        out.open("span", "soft");
        out.text(before);
        out.text(" ");
        out.open_with("b", &[("class", "strong"), ("lang", lang.unwrap_or_default())]);
        maths::write_answer(&mut out, text);
        out.end("b");
        out.end("span");
    };
    if let Some(answer) = answer {
        named("said", answer);
    }
    let is_said = |right: &&str| answer.is_some_and(|said| said.trim() == right.trim());
    if let Some(right) = right.filter(|right| !is_said(right)) {
        named(words::RIGHT, right);
    }
    // What was not answered has no confidence, whatever a metric takes for it.
    if let Some(stated) = text("confidence").filter(|_| answer.is_some()) {
        out.element("span", "soft", &words::confidence(stated));
    }
    let ending = match outcome {
        None => Some(words::UNDER_WAY.to_owned()),
        // An answer is how an episode ends, and a game that was played has been played.
        Some(outcome)
            if outcome.is_complete()
                && (answer.is_some() || result.is_some() || status == EpisodeStatus::Played) =>
        {
            None
        }
        Some(outcome) => Some(words::ended(&turn::words(&outcome.ending))),
    };
    let parts = [Some(words::turns(turns)), ending];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    out.element("span", "soft", &parts.join(", "));
    if let Some(failure) = text("message") {
        out.element("span", "bad", failure);
    }
    out.done()
}

/// The widest question that two lines of a wide window hold, in quarters of a letter.
const TWO_LINES: usize = 4 * 190;

/// The class of the question above an episode; what is longer has a sign that there is more of it.
pub fn question_class(question: &str) -> &'static str {
    // Chinese characters are nearly as wide as two letters.
    let widths = question.chars().map(|one| if one < '\u{2e80}' { 4 } else { 7 });
    match widths.sum::<usize>() > TWO_LINES {
        true => "told-question is-cut",
        false => "told-question",
    }
}

fn block(out: &mut Markup, class: &str, head: &str, text: &str, lang: &str) {
    out.open("div", &format!("block {class}"));
    out.element("div", "block-head", head);
    out.open_with("div", &[("class", "block-body"), ("lang", lang)]);
    maths::write(out, &shortened(text, LONGEST));
    out.close("div");
    out.close("div");
}
