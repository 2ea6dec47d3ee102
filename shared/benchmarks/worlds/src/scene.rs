//! What a viewer sees of a pair in the making. The editor and a reader see everything; who writes a question sees the pair and
//! the questions before, who writes a law the question, and who audits the question and its facts, but not the answer.

use super::pools::EntityPair;
use super::record::{Record, Rejection};
use super::settings::Settings;
use super::work::{Asking, Request, seat};
use turnwise_core::prelude::*;
use turnwise_core::scene::Gauge;

/// A pair, as scenes need it.
pub struct View<'a> {
    pub pair: &'a EntityPair,
    pub settings: &'a Settings,
    pub records: &'a [&'a Record],
    /// What is open of the last one.
    pub open: &'a [Asking],
    /// How it ended, once it has.
    pub outcome: Option<&'a Outcome>,
}

/// The scene of a viewer.
pub fn scene(view: &View<'_>, viewer: &Viewer, awaits: Option<Expect>) -> Scene {
    let [first, second] = view.pair.names(view.settings.language);
    let mut blocks = vec![Block::text(&view.pair.domain, format!("{first} · {second}"))];
    let sees_all = match viewer {
        Viewer::Reader => true,
        Viewer::Seat(seat) => seat.as_str() == seat::EDITOR || view.outcome.is_some(),
    };
    match viewer {
        _ if sees_all => {
            for (number, record) in (1..).zip(view.records) {
                whole(number, record, &mut blocks);
            }
        }
        Viewer::Seat(seat) => own(view, seat.as_str(), &mut blocks),
        Viewer::Reader => {}
    }
    if let Viewer::Seat(seat) = viewer {
        let asked = view.open.iter().find(|asking| asking.request.seat() == seat.as_str());
        let back = asked.and_then(|asking| asking.back.last());
        let why = back.map(|back| format!("The last reply cannot be used: {}", back.fault));
        blocks.extend(why.map(Block::remark));
    }
    if let Some(outcome) = view.outcome {
        let accepted = view.records.iter().filter(|record| record.is_accepted()).count();
        let text = format!("{accepted} of {} questions accepted", view.settings.questions);
        blocks.push(Block::end(&outcome.ending, text));
    }
    let begun = saturated(view.records.len());
    let of = view.settings.questions;
    Scene { blocks, gauges: vec![Gauge::new("questions", of.saturating_sub(begun), of)], awaits }
}

/// What one seat needs for what it is asked now.
fn own(view: &View<'_>, seat: &str, blocks: &mut Vec<Block>) {
    let Some((record, before)) = view.records.split_last() else {
        return;
    };
    let asked = view.open.iter().find(|asking| asking.request.seat() == seat);
    let Some(asking) = asked else {
        return;
    };
    match asking.request {
        Request::Question => {
            for (number, record) in (1..).zip(before) {
                question(number, record, blocks);
            }
            let Settings { from, to, .. } = view.settings;
            let wanted = format!("level {}, {from} to {to}", record.level);
            blocks.push(Block::text("Wanted", wanted));
        }
        Request::Law => question(view.records.len(), record, blocks),
        Request::Audit | Request::Answer(_) => {
            question(view.records.len(), record, blocks);
            facts(record, blocks);
        }
        Request::Compare(run) => {
            question(view.records.len(), record, blocks);
            let truth = record.law.as_ref().map(|law| law.answer_short.clone());
            let answer = record.audit2.iter().find(|audit| audit.run == run);
            blocks.push(Block::text("One answer", truth.unwrap_or_default()));
            let answer = answer.map(|audit| audit.answer.clone());
            blocks.push(Block::text("The other answer", answer.unwrap_or_default()));
        }
        Request::ReviewQuestion | Request::ReviewLaw | Request::LastLook => {}
    }
}

fn question(number: usize, record: &Record, blocks: &mut Vec<Block>) {
    let words = record.question.as_ref().map_or("", |question| &question.text);
    let heading = format!("Question {number}, level {}", record.level);
    blocks.push(Block::text(&heading, words.to_owned()));
}

fn facts(record: &Record, blocks: &mut Vec<Block>) {
    let Some(law) = &record.law else {
        return;
    };
    let lines = law.facts.iter().map(|fact| format!("{}: {}", fact.key, fact.value));
    blocks.push(Block::text("Facts", lines.collect::<Vec<_>>().join("\n")));
}

fn whole(number: usize, record: &Record, blocks: &mut Vec<Block>) {
    question(number, record, blocks);
    facts(record, blocks);
    if let Some(law) = &record.law {
        blocks.push(Block::text("Answer", format!("{}\n{}", law.answer_short, law.answer_long)));
        if !law.derivation.is_empty() {
            blocks.push(Block::text("Derivation", law.derivation.join("\n")));
        }
    }
    blocks.extend(record.findings.iter().map(|finding| Block::remark(&finding.detail)));
    for audit in &record.audit2 {
        let tone = match audit.consistent {
            true => Tone::Positive,
            false => Tone::Negative,
        };
        let text = format!("Answer {} of the auditor: {}", audit.run, audit.answer);
        blocks.push(Block::came(tone, text));
    }
    if let Some(rejected) = &record.rejected {
        let Rejection { stage, reason, detail } = rejected;
        let text = format!("Rejected at {}: {reason} {detail}", stage.label());
        blocks.push(Block::came(Tone::Negative, text));
    } else if record.is_accepted() {
        blocks.push(Block::came(Tone::Positive, "Accepted"));
    }
}
