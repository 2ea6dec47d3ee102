//! Filter, sort, group.

use std::cmp::Ordering;
use std::collections::BTreeMap;
#[cfg(any(test, feature = "testing"))]
use std::collections::BTreeSet;
use std::sync::Arc;

use turnwise_shared::metrics::cost::Cost;
use turnwise_shared::prelude::*;
use turnwise_shared::screen::columns::{answer, confidence};
use turnwise_shared::screen::natural::NaturalKeys;

use super::{By, Direction, FaultFilter, Filter, Pricing, Wall};
use crate::episode_status::EpisodeStatus;
use crate::number::fixed;
use crate::snapshot::{Snapshot, asks, first_ask, length};
use crate::strings::wall as words;
use crate::turn;

/// What a wall shows, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arranged {
    /// Places in the snapshot, in the order shown.
    pub order: Vec<usize>,
    /// The groups, in order; one without a title where nothing is grouped. Together they cover `order`.
    pub bands: Vec<Band>,
}

/// A group of a wall.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// Its heading; `None` where nothing is grouped.
    pub title: Option<String>,
    /// The status that all of it shares, if it is grouped by that.
    pub status: Option<EpisodeStatus>,
    /// Where it begins in [`Arranged::order`].
    pub start: usize,
    /// How many episodes it has.
    pub len: usize,
    /// What else to say, e.g. `131 episodes, mean 5.8 turns`.
    pub note: String,
}

/// For tests: filters, sorts and groups a run's episodes at once; only those that were `found`, if something was looked for in transcripts.
#[cfg(any(test, feature = "testing"))]
pub fn arrange(wall: &Wall, snapshot: &Snapshot, found: Option<&BTreeSet<EpisodeKey>>) -> Arranged {
    let mut arranging = Arranging::of(wall, None);
    for (place, key) in snapshot.keys.iter().enumerate() {
        arranging.add(snapshot, place, found.is_none_or(|found| found.contains(key)));
    }
    arranging.done(snapshot)
}

/// Filters, sorts and groups a run's episodes, one after the other.
#[derive(Debug, Clone)]
pub struct Arranging {
    wall: Wall,
    /// The words of the filter, in small letters.
    words: Vec<String>,
    /// Of all episodes: every id is compared a dozen times.
    ids: NaturalKeys,
    /// By what costs are counted, where the order is theirs.
    pricing: Option<Arc<Pricing>>,
    /// Then the cost of each episode, as far as it is known.
    costs: Vec<Option<Cost>>,
    /// The places of those that pass.
    order: Vec<usize>,
}

impl Arranging {
    /// Nothing was looked at yet.
    pub fn of(wall: &Wall, pricing: Option<Arc<Pricing>>) -> Self {
        let words = wall.filter.text.split_whitespace();
        Arranging {
            pricing: pricing.filter(|_| wall.sort == By::Cost),
            costs: Vec::new(),
            words: words.map(str::to_lowercase).collect(),
            wall: wall.clone(),
            ids: NaturalKeys::default(),
            order: Vec::new(),
        }
    }

    /// The next episode, by its place in the snapshot; whether it is among those that were found.
    pub fn add(&mut self, snapshot: &Snapshot, place: usize, is_found: bool) {
        self.ids.push(&snapshot.summaries[place].task.id.0);
        if let Some(pricing) = &self.pricing {
            self.costs.push(pricing.cost(&snapshot.summaries[place]).exactly());
        }
        if is_found && passes(&self.wall.filter, &self.words, snapshot, place) {
            self.order.push(place);
        }
    }

    pub fn done(mut self, snapshot: &Snapshot) -> Arranged {
        let (wall, ids, costs) = (&self.wall, &self.ids, &self.costs);
        let compare = |by: &By, direction, a: usize, b: usize| match by {
            By::Cost => {
                let cost = |place: usize| costs.get(place).copied().flatten();
                last_if_none(cost(a), cost(b), |ordering| turned(direction, ordering))
            }
            by => compare(by, direction, snapshot, ids, a, b),
        };
        self.order.sort_by(|&a, &b| {
            let grouped = match &wall.group {
                Some(group) => compare(group, Direction::Up, a, b),
                None => Ordering::Equal,
            };
            grouped
                .then_with(|| compare(&wall.sort, wall.direction, a, b))
                .then_with(|| compare(&By::Task, Direction::Up, a, b))
                .then_with(|| snapshot.summaries[a].repeat.cmp(&snapshot.summaries[b].repeat))
        });
        let bands = bands(wall.group.as_ref(), snapshot, &self.order);
        Arranged { order: self.order, bands }
    }
}

fn passes(filter: &Filter, words: &[String], snapshot: &Snapshot, place: usize) -> bool {
    let summary = &snapshot.summaries[place];
    filter.outcome.is_none_or(|outcome| outcome == snapshot.statuses[place])
        && filter.labels.iter().all(|(label, value)| summary.task.labels.get(label) == Some(value))
        && filter.cause.is_none_or(|cause| cause.passes(summary))
        && match &filter.fault {
            None => true,
            Some(FaultFilter::Any) => !summary.faults.is_empty(),
            Some(FaultFilter::Class(class)) => summary.faults.contains_key(class),
        }
        && (words.is_empty() || {
            let text = searched(summary);
            words.iter().all(|word| text.contains(word.as_str()))
        })
}

/// What the words of a filter are looked for in.
fn searched(summary: &Summary) -> String {
    let mut text = summary.task.id.0.to_lowercase();
    let sentences = summary.ribbon.iter().map(|cell| &cell.sentence);
    let named = summary.flags.keys().chain(summary.faults.keys());
    let measured = &summary.measured;
    let said = [&measured.asked, &measured.answer, &measured.right, &summary.ending];
    for part in
        summary.task.labels.values().chain(sentences).chain(named).chain(said.into_iter().flatten())
    {
        text.push('\n');
        text.push_str(&part.to_lowercase());
    }
    text
}

/// The least power of ten that is not less; 0 for 0.
fn magnitude(tokens: u64) -> u64 {
    match tokens {
        0 => 0,
        tokens => (0..20)
            .map(|power| 10_u64.saturating_pow(power))
            .find(|most| *most >= tokens)
            .unwrap_or(u64::MAX),
    }
}

/// Two places of a snapshot by one property; `ids` are the ids of its tasks as they are sorted. What has no value comes last from
/// either end.
fn compare(
    by: &By,
    direction: Direction,
    snapshot: &Snapshot,
    ids: &NaturalKeys,
    a: usize,
    b: usize,
) -> Ordering {
    let (one, other) = (&snapshot.summaries[a], &snapshot.summaries[b]);
    let turned = |ordering| turned(direction, ordering);
    match by {
        By::Task => {
            let same_value = || one.task.id.cmp(&other.task.id);
            turned(ids.compare(a, b).then_with(same_value))
        }
        By::Outcome => turned(snapshot.statuses[a].cmp(&snapshot.statuses[b])),
        By::Length => turned(length(one).cmp(&length(other))),
        By::FirstAsk => last_if_none(first_ask(one), first_ask(other), turned),
        By::Asks => turned(asks(one).cmp(&asks(other))),
        By::Tokens => turned(one.tokens().cmp(&other.tokens())),
        By::Ending => last_if_none(one.ending.as_ref(), other.ending.as_ref(), turned),
        // Where nothing is asked the column shows labels.
        By::Question => {
            let asked = |one: &Summary| (one.measured.asked.clone(), one.task.labels.clone());
            turned(asked(one).cmp(&asked(other)))
        }
        By::Answer => last_if_none(answer(one), answer(other), turned),
        By::Confidence => last_if_none(stated(one), stated(other), turned),
        // Counted outside: an episode does not say what it costs.
        By::Cost => Ordering::Equal,
        By::Label(label) => {
            last_if_none(one.task.labels.get(label), other.task.labels.get(label), turned)
        }
    }
}

/// A stated confidence in thousandths, so that they can be put in order.
fn stated(summary: &Summary) -> Option<i64> {
    let text = confidence(summary)?;
    let number: f64 = text.trim_end_matches(['%', ' ']).parse().ok()?;
    Some((number * 1000.0) as i64)
}

fn turned(direction: Direction, ordering: Ordering) -> Ordering {
    match direction {
        Direction::Up => ordering,
        Direction::Down => ordering.reverse(),
    }
}

fn last_if_none<T: Ord>(
    one: Option<T>,
    other: Option<T>,
    turn: impl Fn(Ordering) -> Ordering,
) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => turn(one.cmp(&other)),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

fn bands(group: Option<&By>, snapshot: &Snapshot, order: &[usize]) -> Vec<Band> {
    let Some(by) = group else {
        return vec![Band {
            title: None,
            status: None,
            start: 0,
            len: order.len(),
            note: String::new(),
        }];
    };
    let mut bands: Vec<Band> = Vec::new();
    for (start, &place) in order.iter().enumerate() {
        let title = title(by, snapshot, place);
        match bands.last_mut() {
            Some(band) if band.title.as_deref() == Some(&title) => band.len += 1,
            _ => bands.push(Band {
                title: Some(title),
                status: matches!(by, By::Outcome).then(|| snapshot.statuses[place]),
                start,
                len: 1,
                note: String::new(),
            }),
        }
    }
    for band in &mut bands {
        band.note = note(by, snapshot, &order[band.start..band.start + band.len]);
    }
    bands
}

fn title(by: &By, snapshot: &Snapshot, place: usize) -> String {
    let summary = &snapshot.summaries[place];
    match by {
        By::Task => format!("Task {}", summary.task.id.0),
        By::Outcome => snapshot.statuses[place].label().to_owned(),
        By::Length => words::turns(length(summary)),
        By::Asks => words::asks(asks(summary)),
        By::Tokens => words::tokens(magnitude(summary.tokens())),
        By::Ending => match &summary.ending {
            Some(ending) => turn::words(ending),
            None => "Started".to_owned(),
        },
        By::FirstAsk => words::first_asks(first_ask(summary)),
        // Nearly every episode has one of its own, so nothing is grouped by them.
        By::Question | By::Answer | By::Confidence | By::Cost => String::new(),
        By::Label(label) => match summary.task.labels.get(label) {
            Some(value) => value.clone(),
            None => words::without(label),
        },
    }
}

fn note(by: &By, snapshot: &Snapshot, places: &[usize]) -> String {
    let mut note = words::episodes(places.len());
    if !matches!(by, By::Length) {
        let turns: usize = places.iter().map(|&place| length(&snapshot.summaries[place])).sum();
        note.push_str(&format!(", mean {} turns", fixed(turns as f64 / places.len() as f64, 1)));
    }
    if !matches!(by, By::Outcome) {
        let mut statuses: BTreeMap<EpisodeStatus, usize> = BTreeMap::new();
        for &place in places {
            *statuses.entry(snapshot.statuses[place]).or_default() += 1;
        }
        for (status, count) in statuses {
            note.push_str(&format!(", {count} {}", status.label().to_lowercase()));
        }
    }
    note
}

#[cfg(test)]
mod tests;
