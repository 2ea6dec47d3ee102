//! Steps that find something, and what the player is shown of it.

use serde_json::json;
use turnwise_core::effect::{Hit, Query};
use turnwise_core::evidence::ShownResult;
use turnwise_core::prelude::*;

use super::{Opening, PlannedStep, Play, Ranked, SENTENCE, Stage, flag};
use crate::reading::{Action, Step, address, tool};
use crate::settings::Settings;
use crate::time;

/// What the player is shown where a search finds nothing.
const NO_RESULTS: &str = "(the search found nothing)";

/// The kind of a plan by its first step, and the plan in a sentence.
pub(super) fn said_of(steps: &[Step]) -> (TurnKind, String) {
    let kind = |step: &Step| match step.action() {
        Ok(Action::Search(_)) => TurnKind::Search,
        Ok(Action::Open { .. }) => TurnKind::Browse,
        Ok(_) => TurnKind::Move,
        Err(_) => TurnKind::Invalid,
    };
    let sentences: Vec<String> = steps.iter().map(Step::in_words).collect();
    let sentence: String = sentences.join("; ").chars().take(SENTENCE).collect();
    match steps.first() {
        Some(first) => (kind(first), sentence),
        None => (TurnKind::Move, "plans no step".to_owned()),
    }
}

/// What a search asks for.
fn query(settings: &Settings, results: u32, text: &str) -> Effect {
    let locale = settings.language.locale();
    let since = settings.since.parse().ok();
    Effect::Search(Query { text: text.to_owned(), results, locale, since })
}

pub(super) fn results(pages: &[(Ranked, bool)]) -> Option<Block> {
    let result = |(page, is_seen): &(Ranked, bool)| ShownResult {
        title: if *is_seen { String::new() } else { "never found".to_owned() },
        text: page.content.clone(),
        date: None,
        address: Some(page.url.clone()),
    };
    let results: Vec<ShownResult> = pages.iter().map(result).collect();
    (!results.is_empty()).then_some(Block::Results { tone: Tone::Neutral, results })
}

impl Play {
    /// In the mode with one search: the question itself.
    pub(super) fn search_once(&mut self) {
        let text = self.question.clone();
        let args = [("text", text.as_str().into())].into_iter().collect();
        let step = Step { task: String::new(), tool: tool::SEARCH.to_owned(), args };
        self.stage = Stage::Search(PlannedStep { step, turn: 0 });
        self.out.request(query(&self.settings, self.results, &text));
    }

    pub(super) fn act(&mut self, doing: PlannedStep, action: Action) {
        match action {
            Action::Search(text) => {
                self.stage = Stage::Search(doing);
                self.out.request(query(&self.settings, self.results, &text));
            }
            Action::Open { url, question, part } => {
                self.open_page(Opening::new(doing, url, question, part));
            }
            Action::Time(moments) => {
                let (is_right, text) = match time::between(&moments) {
                    Ok(text) => (true, text),
                    Err(problem) => (false, problem),
                };
                self.observe(
                    &doing,
                    is_right,
                    if is_right { "computed" } else { "no time" },
                    &text,
                );
            }
            Action::Stop => unreachable!("a step that stops is not done"),
        }
    }

    /// A step has a result, which the player is shown. `is_found` says that it brought something.
    pub(super) fn observe(&mut self, doing: &PlannedStep, is_found: bool, word: &str, text: &str) {
        let tone = if is_found { Tone::Neutral } else { Tone::Failed };
        self.shown.push(Block::came(tone, text));
        self.observed(doing, tone, word, text);
    }

    fn observed(&mut self, doing: &PlannedStep, tone: Tone, word: &str, text: &str) {
        let Step { task, tool, args } = &doing.step;
        self.memory.add(task, tool, args, text);
        if doing.turn == 0 {
            // There was no turn: the question itself was searched.
            self.out.event("searched", json!(text));
            return self.conclude();
        }
        let came =
            Observation { shown: text.to_owned(), ..Observation::new(doing.turn, tone, word) };
        self.out.note(Note::Observation(came));
        self.go_on();
    }

    pub(super) fn hits(&mut self, hits: &[Hit]) {
        let Stage::Search(doing) = &self.stage else { return };
        let doing = doing.clone();
        let urls = hits.iter().filter_map(|hit| hit.url.as_deref());
        self.found.extend(urls.map(address));
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        let lines = hits.iter().map(|hit| {
            let [title, body, url] = [&hit.title, &hit.snippet, &hit.url].map(part);
            format!("title: {title}\nbody: {body}\nurl: {url}")
        });
        let lines: Vec<String> = lines.collect();
        let word = match lines.len() {
            0 => return self.observe(&doing, false, "no results", NO_RESULTS),
            1 => "1 result".to_owned(),
            count => format!("{count} results"),
        };
        let result = |hit: &Hit| ShownResult {
            title: part(&hit.title),
            text: part(&hit.snippet),
            date: None,
            address: hit.url.clone(),
        };
        let results = hits.iter().map(result).collect();
        self.shown.push(Block::Results { tone: Tone::Neutral, results });
        self.observed(&doing, Tone::Neutral, &word, lines.join("\n").trim());
    }

    /// A search or a visit failed: the player reads why, and which rule refused.
    pub(super) fn tool_failed(&mut self, failure: &Failure) {
        let doing = match &self.stage {
            Stage::Search(doing) => doing.clone(),
            Stage::Open(opening) => opening.doing.clone(),
            _ => return,
        };
        let class = json!(failure.class);
        let name = class.as_str().unwrap_or_default();
        let is_miss = failure.class == FailureClass::OffRecording;
        let detail =
            json!({ "tool": doing.step.tool, "class": class, "rule": failure.detail["rule"] });
        let name_of = if is_miss { flag::FROZEN_MISS } else { flag::TOOL_FAILED };
        self.out.note(Note::flag(name_of, None, detail));
        let text = format!("It failed ({name}): {}", failure.message);
        self.observe(&doing, false, name, &text);
    }
}
