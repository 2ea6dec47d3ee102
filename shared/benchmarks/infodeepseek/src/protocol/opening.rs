//! A page that is opened, and what the reader says about a part of it (4.2 as `strict` has it).

use std::collections::BTreeMap;

use serde_json::json;
use turnwise_core::effect::{Page, Tool, Visit};
use turnwise_core::prelude::*;

use super::{PlannedStep, Play, Stage, flag};
use crate::pages;
use crate::reading::address;

/// A page that is fetched, or read piece by piece.
pub(super) struct Opening {
    pub(super) doing: PlannedStep,
    url: String,
    question: String,
    /// From 1.
    part: usize,
    parts: usize,
    title: String,
    /// What is said before the summary.
    head: String,
    /// The pieces that the reader is asked about, by call.
    asked: BTreeMap<CallId, usize>,
    /// What it said of each piece.
    said: Vec<Option<String>>,
    /// Whether these are put together now.
    joins: bool,
}

impl Opening {
    pub(super) fn new(doing: PlannedStep, url: String, question: String, part: usize) -> Self {
        Opening {
            doing,
            url,
            question,
            part,
            parts: 0,
            title: String::new(),
            head: String::new(),
            asked: BTreeMap::new(),
            said: Vec::new(),
            joins: false,
        }
    }

    /// Whether the page is there already.
    pub(super) fn is_reading(&self) -> bool {
        !self.asked.is_empty()
    }
}

impl Play {
    /// A page that was opened before is not fetched again.
    pub(super) fn open_page(&mut self, opening: Opening) {
        let known = self.opened.get(&address(&opening.url)).cloned();
        let visit = Visit { url: opening.url.clone(), locale: self.settings.language.locale() };
        match known {
            Some(page) => self.read_page(opening, &page),
            None => {
                self.stage = Stage::Open(Box::new(opening));
                self.out.request(Effect::Use(Tool::Page(visit)));
            }
        }
    }

    pub(super) fn page(&mut self, page: Page) {
        let stage = std::mem::replace(&mut self.stage, Stage::Plan);
        let Stage::Open(opening) = stage else { return };
        for url in [&opening.url, &page.url] {
            self.found.insert(address(url));
        }
        self.read_page(*opening, &page);
        self.opened.insert(address(&page.url), page);
    }

    fn read_page(&mut self, mut opening: Opening, page: &Page) {
        let (pieces, parts) = pages::part(page, opening.part);
        self.opened.insert(address(&opening.url), page.clone());
        opening.parts = parts;
        opening.title = page.title.clone().unwrap_or_default();
        opening.head = head(page, opening.part, parts);
        if pieces.is_empty() {
            let problem = match parts {
                0 => "The page has no text.".to_owned(),
                parts => format!("The page has {parts} parts; there is no part {}.", opening.part),
            };
            let text = format!("{}{problem}", opening.head);
            return self.observe(&opening.doing, false, "no text", &text);
        }
        opening.said = vec![None; pieces.len()];
        for (at, piece) in pieces.iter().enumerate() {
            let thread = self.out.thread();
            let ask = self.prompts.read(thread, &opening.title, piece, &opening.question);
            opening.asked.insert(self.out.ask(ask), at);
        }
        self.stage = Stage::Open(Box::new(opening));
    }

    /// The reader said something about a piece, or of all pieces together; `None`: its call failed.
    pub(super) fn read(&mut self, said: Option<&str>) {
        let stage = std::mem::replace(&mut self.stage, Stage::Plan);
        let Stage::Open(mut opening) = stage else { return };
        let said = said.map(turnwise_core::parse::said).map(|said| said.trim().to_owned());
        let said = said.filter(|said| !said.is_empty());
        let at = opening.asked.remove(&self.out.call()).unwrap_or_default();
        match opening.joins {
            // Without the last call the parts are what is left.
            true if said.is_some() => opening.said = vec![said],
            true => {}
            false => opening.said[at] = said,
        }
        if !opening.asked.is_empty() {
            self.stage = Stage::Open(opening);
            return;
        }
        let parts: Vec<&str> = opening.said.iter().flatten().map(String::as_str).collect();
        let joined = parts.join("\n");
        if parts.len() > 1 && !opening.joins {
            let thread = self.out.thread();
            let ask = self.prompts.read(thread, &opening.title, &joined, &opening.question);
            opening.asked.insert(self.out.ask(ask), 0);
            opening.joins = true;
            self.stage = Stage::Open(opening);
            return;
        }
        if joined.is_empty() {
            let detail = json!({ "tool": opening.doing.step.tool });
            self.out.note(Note::flag(flag::TOOL_FAILED, None, detail));
            let text = format!("{}The page could not be summarised.", opening.head);
            return self.observe(&opening.doing, false, "not read", &text);
        }
        let word = match opening.parts {
            1 => "read".to_owned(),
            parts => format!("part {} of {parts}", opening.part),
        };
        let text = format!("{}{joined}", opening.head);
        self.observe(&opening.doing, true, &word, &text);
    }
}

/// Title and address of a page, what is wrong with it, and where it goes on.
fn head(page: &Page, part: usize, parts: usize) -> String {
    let mut head = String::new();
    if let Some(title) = &page.title {
        head.push_str(&format!("title: {title}\n"));
    }
    head.push_str(&format!("url: {}\n", page.url));
    if page.status != 200 {
        head.push_str(&format!("HTTP status: {}\n", page.status));
    }
    if parts > 1 {
        head.push_str(&format!("part {part} of {parts}; ask for another with the argument part\n"));
    }
    if page.cut {
        head.push_str("The page is longer than what can be read of it.\n");
    }
    head
}
