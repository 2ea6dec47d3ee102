//! What the transcripts of an episode have: its steps, the pages that it ranks, and what judges said.

use turnwise_shared::benchmarks::infodeepseek::protocol::flag;
use turnwise_shared::benchmarks::infodeepseek::reading::{self, Action};
use turnwise_shared::benchmarks::infodeepseek::settings::{ARBITER, JUDGE, SECOND};
use turnwise_shared::effect::Page;
use turnwise_shared::transcript::Used;

use super::words;
use crate::prelude::*;
use crate::view::timeline::{Item, Timeline, TurnItem};

/// A step of a plan.
pub struct Step {
    pub turn: u32,
    /// The task in the player's words.
    pub task: String,
    pub sentence: String,
    /// `None` where the step was not done.
    pub came: Option<Observation>,
    /// The page that was fetched for it.
    pub page: Option<Page>,
    /// Results and characters of the memory from which it was planned, and how many results were left out.
    pub memory: (usize, usize, u64),
}

/// The steps of the last attempt at an episode.
pub fn steps(timeline: &Timeline) -> Vec<Step> {
    let begins = timeline.items.iter().rposition(|item| matches!(item, Item::Restarted { .. }));
    let (mut steps, mut memory) = (Vec::new(), (0, 0, 0));
    for item in &timeline.items[begins.unwrap_or(0)..] {
        match item {
            Item::Event { name, detail } if name == flag::LEFT_OUT => {
                memory.2 = detail.as_u64().unwrap_or_default();
            }
            Item::Turn(item) => {
                steps.extend(planned(item, memory));
                for came in &item.came {
                    memory = (memory.0 + 1, memory.1 + came.shown.chars().count(), 0);
                }
            }
            _ => {}
        }
    }
    steps
}

fn planned(item: &TurnItem, memory: (usize, usize, u64)) -> Vec<Step> {
    // Rankings are lists, too.
    if !item.turn.reading.applied[0]["tool"].is_string() {
        return Vec::new();
    }
    let text = item.said().and_then(|said| said.text.as_deref());
    let plan = text.and_then(|text| reading::plan(text).ok()).unwrap_or_default();
    let step = |(at, step): (usize, reading::Step)| Step {
        turn: item.turn.index,
        sentence: step.in_words(),
        page: fetched(item, &step),
        task: step.task,
        came: item.came.get(at).cloned(),
        memory,
    };
    plan.into_iter().enumerate().map(step).collect()
}

fn fetched(item: &TurnItem, step: &reading::Step) -> Option<Page> {
    let Ok(Action::Open { url, .. }) = step.action() else { return None };
    item.exchanges.iter().find_map(|exchange| match (&exchange.request, &exchange.reply) {
        (Request::Use(Used::Page(visit)), Some(Reply::Made(Made::Page(page))))
            if visit.url == url =>
        {
            Some((**page).clone())
        }
        _ => None,
    })
}

/// A page of the evidence.
pub struct Ranked {
    pub url: String,
    pub content: String,
    pub is_seen: bool,
    /// The answer from it and the pages above it.
    pub answer: Option<String>,
    pub verdict: Option<bool>,
}

/// The ranked pages, with what their grading came to.
pub fn ranked(play: &Outcome, graded: Option<&Outcome>) -> Vec<Ranked> {
    let pages = play.result["evidence"].as_array().into_iter().flatten().enumerate();
    let page = |(at, page): (usize, &serde_json::Value)| Ranked {
        url: page["url"].as_str().unwrap_or_default().to_owned(),
        content: page["content"].as_str().unwrap_or_default().to_owned(),
        is_seen: page["seen"] != false,
        answer: graded.and_then(|it| it.result["answers"][at].as_str()).map(str::to_owned),
        verdict: graded.and_then(|it| it.result["verdicts"]["pages"][at].as_bool()),
    };
    pages.map(page).collect()
}

/// An answer that was judged.
pub struct Judged {
    pub text: String,
    /// From what it was given; equal answers are judged once.
    pub given: Vec<String>,
    pub verdict: Option<bool>,
    /// What judge, second and arbiter said, word by word, attempt by attempt.
    pub said: [Vec<String>; 3],
}

/// The answers that differ, in the order in which they were judged.
pub fn judged(play: &Outcome, graded: &Timeline) -> Vec<Judged> {
    let Some(outcome) = &graded.outcome else { return Vec::new() };
    let verdicts = &outcome.result["verdicts"];
    let own = [("conclusion", words::ALL), ("offline", words::OFFLINE)];
    let own = own.map(|(name, given)| {
        (play.text(name).map(str::to_owned), given.to_owned(), verdicts[name].as_bool())
    });
    let pages = (1..).zip(ranked(play, Some(outcome)));
    let pages = pages.map(|(k, page)| (page.answer, words::first(k), page.verdict));
    let mut all: Vec<Judged> = Vec::new();
    for (text, given, verdict) in own.into_iter().chain(pages) {
        let Some(text) = text else { continue };
        match all.iter_mut().find(|one| one.text == text) {
            Some(known) => known.given.push(given),
            None => {
                all.push(Judged { text, given: vec![given], verdict, said: Default::default() })
            }
        }
    }
    for item in &graded.items {
        let Item::Turn(item) = item else { continue };
        let at = [JUDGE, SECOND, ARBITER].iter().position(|seat| *seat == item.turn.seat.as_str());
        let candidate = item.turn.reading.applied["candidate"].as_u64().map(|at| at as usize);
        let one = candidate.and_then(|candidate| all.get_mut(candidate));
        let words = item.said().and_then(|said| said.text.clone());
        if let (Some(at), Some(one), Some(words)) = (at, one, words) {
            one.said[at].push(words);
        }
    }
    all
}
