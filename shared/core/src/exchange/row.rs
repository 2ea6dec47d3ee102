//! One episode as one record: the lines of JSON Lines, and what the table of [`csv`](super::csv) is made from.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::benchmark::given::{Episode, Given};
use crate::effect::FailureClass;
use crate::key::EpisodeKey;
use crate::metrics::cost::Cost;
use crate::metrics::figures::Figures;
use crate::metrics::options::MeasureOptions;
use crate::metrics::spending::{self, Amount};
use crate::metrics::summary::{SeatUsage, Summary};
use crate::spec::Spec;
use crate::transcript::told::{Item, items};

/// One episode in one record.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EpisodeRow<'a> {
    /// The run's id or name.
    pub run: &'a str,
    /// The episode's name within the run.
    pub episode: &'a str,
    pub benchmark: &'a str,
    /// The hash of the spec.
    pub spec: String,
    pub task: &'a str,
    /// Which repeat of the task, from 1.
    pub repeat: u32,
    /// What results are broken down by, e.g. `domain`.
    pub labels: &'a BTreeMap<String, String>,
    /// Who sits where, in the words of the lineup.
    pub seats: BTreeMap<&'a str, String>,
    /// How the episode ended; `null` while it is under way.
    pub ending: Option<&'a str>,
    /// Whether it came to an end of its own.
    pub complete: bool,
    /// The score, 0 to 1; `null` where there is none.
    pub score: Option<f64>,
    /// The final answer, where the protocol has one.
    pub answer: Option<&'a str>,
    /// The benchmark's own numbers of the episode.
    pub figures: &'a Figures,
    /// How many turns were taken.
    pub turns: usize,
    /// Calls and tokens by seat, as services counted them; searches stand under `search`.
    pub usage: &'a BTreeMap<String, SeatUsage>,
    /// All of them, read and written; absent where those of a seat are unknown.
    pub tokens: Option<u64>,
    /// US dollars over all roles; `null` where a part is not known.
    pub cost_usd: Option<f64>,
    /// US dollars by seat, searches under `search`; `null` where a part of it is not known.
    pub cost_by_seat: BTreeMap<String, Option<f64>>,
    pub faults: &'a BTreeMap<String, u32>,
    pub flags: &'a BTreeMap<String, u32>,
    pub failures: &'a BTreeMap<FailureClass, u32>,
    /// The canary of an encrypted set of tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canary: Option<&'a str>,
    /// What was said and what came back, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Value>>,
}

/// The head of a run that every row repeats.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    /// The run's id, or another name.
    pub run: &'a str,
    pub spec: &'a Spec,
    /// The canary of an encrypted set of tasks.
    pub canary: Option<&'a str>,
    pub options: &'a MeasureOptions,
}

/// Whether what was said goes into the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Messages {
    /// Numbers only.
    Without,
    /// Everything that was said, and what came back.
    With,
}

impl<'a> EpisodeRow<'a> {
    /// The record of an episode; without what was said.
    pub fn of(head: Head<'a>, key: &'a EpisodeKey, summary: &'a Summary) -> Self {
        let usage = &summary.usage;
        let spent = spending::of(head.spec, [usage], head.options);
        let dollars = |amount: Amount| amount.exactly().map(Cost::dollars);
        EpisodeRow {
            run: head.run,
            episode: key.as_str(),
            benchmark: &head.spec.benchmark,
            spec: summary.spec.to_string(),
            task: &summary.task.id.0,
            repeat: summary.repeat,
            labels: &summary.task.labels,
            seats: head
                .spec
                .seats
                .iter()
                .map(|(seat, sitting)| (seat.as_str(), sitting.player.to_string()))
                .collect(),
            ending: summary.ending.as_deref(),
            complete: summary.complete,
            score: summary.score,
            answer: summary.measured.answer.as_deref(),
            figures: &summary.measured.numbers,
            turns: summary.ribbon.len(),
            usage,
            tokens: summary.known_tokens(),
            cost_usd: dollars(spent.total),
            cost_by_seat: spent
                .roles
                .into_iter()
                .map(|(seat, role)| (seat, dollars(role.amount)))
                .collect(),
            faults: &summary.faults,
            flags: &summary.flags,
            failures: &summary.failures,
            canary: head.canary,
            messages: None,
        }
    }

    /// The record of an episode with its transcripts at hand.
    pub fn whole(
        given: &Given<'a>,
        options: &'a MeasureOptions,
        episode: &Episode<'a>,
        wanted: Messages,
    ) -> Self {
        let head = Head { run: given.id, spec: given.spec, canary: given.canary(), options };
        let mut row = EpisodeRow::of(head, episode.key, episode.summary);
        if wanted == Messages::With {
            row.messages = Some(messages(episode));
        }
        row
    }

    /// The record as a line, with its line break.
    pub fn line(&self) -> String {
        let mut line =
            serde_json::to_string(self).expect("maps with text keys and finite numbers are JSON");
        line.push('\n');
        line
    }
}

/// What was said, turn by turn: `role` is `assistant` where the seat spoke and `user` where something was shown to it.
fn messages(episode: &Episode<'_>) -> Vec<Value> {
    let mut messages = Vec::new();
    for transcript in std::iter::once(episode.play).chain(episode.grading) {
        for item in items(transcript) {
            let Item::Turn(told) = item else { continue };
            let turn = told.turn;
            let text = told.said.and_then(|said| said.text.as_deref());
            messages.push(json!({
                "turn": turn.index,
                "seat": turn.seat,
                "role": "assistant",
                "kind": turn.kind,
                "content": text.unwrap_or(&turn.sentence),
            }));
            for came in &told.came {
                messages.push(json!({
                    "turn": came.turn,
                    "seat": turn.seat,
                    "role": "user",
                    "word": came.word,
                    "content": came.shown,
                }));
            }
        }
    }
    messages
}
