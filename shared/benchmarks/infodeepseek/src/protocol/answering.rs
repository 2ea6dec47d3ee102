//! What the player says at the end: its answers, and the pages that it ranks.

use serde_json::{Value, json};
use turnwise_core::parse;
use turnwise_core::prelude::*;
use turnwise_core::prompt::Stop;

use super::{Found, Play, SENTENCE, Stage, ending, finding, flag};
use crate::prompts;
use crate::reading::{self, Ranked, address};
use crate::settings::Mode;

impl Play {
    pub(super) fn conclude(&mut self) {
        let findings = self.findings();
        let message = self.prompts.conclude(&findings);
        self.ask(Stage::Conclude, message, Expect::Text);
    }

    pub(super) fn answered(&mut self, said: &Said) {
        let is_filtered = said.stop == Stop::Filtered;
        let text = parse::said(said.words()).trim().to_owned();
        let answer = (!text.is_empty() && !is_filtered).then_some(text);
        let sentence = match (&self.stage, &answer) {
            (_, None) => "answers nothing".to_owned(),
            (Stage::Offline, Some(_)) => "answers without the web".to_owned(),
            (_, Some(text)) => text.chars().take(SENTENCE).collect(),
        };
        let kind = if answer.is_some() { TurnKind::Answer } else { TurnKind::Invalid };
        self.act_block(kind, answer.as_deref().unwrap_or(&sentence));
        self.out.turn(self.iteration, kind, sentence, Reading::applied(json!(answer)));
        if is_filtered {
            self.out.flag(flag::FILTERED, Value::Null);
        }
        self.take(answer);
    }

    /// An answer, or that there is none.
    pub(super) fn take(&mut self, answer: Option<String>) {
        let is_conclusion = matches!(self.stage, Stage::Conclude);
        match is_conclusion {
            true => self.result.conclusion = answer,
            false => self.result.offline = answer,
        }
        match self.settings.mode {
            Mode::Offline => self.finish(),
            _ if is_conclusion && self.settings.offline => {
                let message = self.prompts.answer("");
                self.ask(Stage::Offline, message, Expect::Text);
            }
            Mode::Agent => {
                let findings = self.findings();
                let message = self.prompts.rank(&findings);
                self.ask(Stage::Rank, message, prompts::places(self.settings.pages));
            }
            Mode::SingleSearch => self.finish(),
        }
    }

    pub(super) fn ranked(&mut self, text: &str) {
        let most = usize::try_from(self.settings.pages).unwrap_or(usize::MAX);
        match reading::ranking(text, most) {
            Ok(pages) => {
                let pages: Vec<_> = pages.into_iter().map(|page| self.checked(page)).collect();
                let noted: Vec<Value> = pages.iter().map(evidence).collect();
                let sentence = format!("ranks {} pages", pages.len());
                self.act_block(TurnKind::Move, &sentence);
                self.shown.extend(finding::results(&pages));
                let reading = Reading::applied(noted.into());
                self.out.turn(self.iteration, TurnKind::Move, sentence, reading);
                for (page, _) in pages.iter().filter(|(_, is_seen)| !is_seen) {
                    self.out.flag(flag::UNSEEN, json!(page.url));
                }
                self.result.evidence = pages;
                self.finish();
            }
            Err(fault) => {
                if !self.invalid(text, fault) {
                    self.finish();
                }
            }
        }
    }

    /// The page with what was found there where nothing is said of it, and whether its address was in anything that was found.
    fn checked(&self, page: Ranked) -> (Ranked, bool) {
        let place = address(&page.url);
        let is_seen = self.found.contains(&place) || self.memory.mentions(&page.url);
        let content = match page.content.is_empty() {
            true => self.memory.of(&page.url).unwrap_or_default(),
            false => page.content,
        };
        (Ranked { content, ..page }, is_seen)
    }

    pub(super) fn finish(&mut self) {
        let Found { stopped, conclusion, offline, evidence: pages, failure } =
            std::mem::take(&mut self.result);
        // An episode of which calls that failed left nothing is to be taken up again.
        if let (None, [], Some(failure)) = (&conclusion, &pages[..], failure) {
            return self.out.fail(&failure);
        }
        let evidence: Vec<Value> = pages.iter().map(evidence).collect();
        let result = json!({
            "stopped": stopped,
            "conclusion": conclusion,
            "offline": offline,
            "evidence": evidence,
        });
        self.out.finish(ending::ANSWERED, result);
    }
}

fn evidence((page, is_seen): &(Ranked, bool)) -> Value {
    json!({ "url": page.url, "content": page.content, "seen": is_seen })
}
