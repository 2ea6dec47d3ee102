//! The episode of a pair: its questions one after the other, each on the way of [`Work`].
//!
//! The replies of a wave reach the work once all are there, in the order in which they were asked for; so nothing that is
//! noted depends on who is faster. The first thing that happens is a draw: rule-based makers build from that number.

use serde_json::json;

use super::pools::{self, EntityPair};
use super::prompts::{self, Prompts};
use super::record::Made;
use super::scene;
use super::settings::Settings;
use super::work::{Heard, Word, Work, seat};
use turnwise_core::prelude::*;

pub mod ending {
    pub const WHOLE: &str = "whole";
    pub const PART: &str = "part";
    pub const NONE: &str = "none";
}

/// Numbers from which one is drawn for an episode.
const CHANCES: u32 = 1 << 31;

pub struct Making {
    out: Outbox,
    settings: Settings,
    pair: EntityPair,
    /// Absent until the number is drawn.
    prompts: Option<Prompts>,
    /// Questions that were begun; the last is under way.
    works: Vec<Work>,
    wave: Vec<Place>,
}

/// A request of the open wave.
struct Place {
    call: CallId,
    seat: &'static str,
    heard: Option<Heard>,
}

impl Making {
    /// Opens an episode.
    ///
    /// # Errors
    /// If settings, pack or task do not fit.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let settings = Settings::of(spec)?;
        prompts::check(pack, settings.language)?;
        let pair = pools::of_task(task)
            .ok_or_else(|| BadSpec::new("tasks", format!("{} is no pair of entities", task.id)))?;
        let mut out = Outbox::default();
        out.request(Effect::Draw {
            stream: format!("studio:{}", pair.pair_id),
            below: CHANCES,
            take: 1,
        });
        Ok(Making { out, settings, pair, prompts: None, works: Vec::new(), wave: Vec::new() })
    }

    /// Asks for the open wave of the last work, or begins the next, or ends.
    fn go_on(&mut self) {
        let begun = saturated(self.works.len());
        let is_idle = self.works.last().is_none_or(|work| work.open().is_empty());
        if is_idle && begun < self.settings.questions {
            let work = Work::new(&self.settings, &self.pair, begun + 1);
            self.works.push(work);
        }
        let (Some(prompts), Some((work, before))) = (&self.prompts, self.works.split_last()) else {
            return;
        };
        let earlier: Vec<&str> = before
            .iter()
            .filter_map(|work| Some(work.record.question.as_ref()?.text.as_str()))
            .collect();
        for asking in work.open() {
            let thread = self.out.thread();
            let ask = prompts.ask(asking, &work.record, &earlier, thread);
            self.wave.push(Place {
                call: self.out.ask(ask),
                seat: asking.request.seat(),
                heard: None,
            });
        }
        if self.wave.is_empty() {
            self.finish();
        }
    }

    fn made(&self) -> Made {
        Made {
            pair: self.pair.clone(),
            language: self.settings.language,
            questions: self.works.iter().map(|work| work.record.clone()).collect(),
        }
    }

    fn finish(&mut self) {
        let made = self.made();
        let accepted = made.questions.iter().filter(|record| record.is_accepted());
        let ending = match accepted.count() {
            0 => ending::NONE,
            count if count == made.questions.len() => ending::WHOLE,
            _ => ending::PART,
        };
        self.out.finish(ending, json!(made));
    }

    fn told(&mut self, heard: Heard) {
        let call = self.out.call();
        for place in &mut self.wave {
            if place.call == call {
                place.heard = Some(heard.clone());
            }
        }
        if self.wave.iter().any(|place| place.heard.is_none()) {
            return;
        }
        let wave = std::mem::take(&mut self.wave);
        let Some(work) = self.works.last_mut() else {
            return;
        };
        let heard = wave.iter().filter_map(|place| place.heard.clone());
        let words = work.hear(heard.collect());
        let round = saturated(self.works.len());
        for word in words {
            self.note(&wave, round, word);
        }
        self.go_on();
    }

    fn note(&mut self, wave: &[Place], round: u32, word: Word) {
        match word {
            Word::Turn { at, kind, sentence, reading } => {
                self.out.reads(wave[at].call, &Seat::new(wave[at].seat));
                self.out.turn(round, kind, sentence, reading);
            }
            Word::Observation { tone, word } => self.out.came(tone, word),
            Word::Event(name, detail) => self.out.event(name, detail),
        }
    }
}

impl Episode for Making {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, _: &str, said: Said) {
        self.told(Heard::Said(said.text));
    }

    fn drawn(&mut self, numbers: Vec<u32>) {
        self.prompts = Some(Prompts {
            settings: self.settings.clone(),
            pair: self.pair.clone(),
            chance: numbers.first().copied().unwrap_or_default(),
        });
        self.go_on();
    }

    fn failed(&mut self, failure: Failure) {
        let call = self.out.call();
        let is_editor =
            self.wave.iter().any(|place| place.call == call && place.seat == seat::EDITOR);
        if is_editor && failure.class == FailureClass::Timeout {
            return self.told(Heard::Silent);
        }
        self.wave.clear();
        self.out.fail(&failure);
    }

    fn outgrown(&self, _seat: &Seat) -> Option<serde_json::Value> {
        Some(json!(self.made()))
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let records: Vec<_> = self.works.iter().map(|work| &work.record).collect();
        let open = self.works.last().map(Work::open).unwrap_or_default();
        scene::scene(
            &scene::View {
                pair: &self.pair,
                settings: &self.settings,
                records: &records,
                open,
                outcome: self.out.outcome(),
            },
            viewer,
            self.out.awaits(viewer),
        )
    }
}
