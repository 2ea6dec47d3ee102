//! A run's episodes at one moment, as the wall and the numbers are computed from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use turnwise_shared::prelude::*;

use super::episode_status::EpisodeStatus;
use crate::strings::wall as words;

/// Episodes and their summaries, in the order of their keys.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    pub keys: Vec<EpisodeKey>,
    /// The summary of the episode at the same place.
    pub summaries: Vec<Arc<Summary>>,
    /// Their status, at the same place.
    pub statuses: Vec<EpisodeStatus>,
    /// Whether each stands for all repeats of its task ([`Snapshot::by_task`]).
    pub is_by_task: bool,
}

impl Snapshot {
    /// The episodes as they stand.
    pub fn of(summaries: &BTreeMap<EpisodeKey, Arc<Summary>>) -> Self {
        Self::with(summaries, Vec::new())
    }

    /// The episodes that have ended, and those under way that have not.
    pub fn with(
        ended: &BTreeMap<EpisodeKey, Arc<Summary>>,
        mut under_way: Vec<(EpisodeKey, Arc<Summary>)>,
    ) -> Self {
        under_way.retain(|(key, _)| !ended.contains_key(key));
        under_way.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut all = Snapshot {
            keys: Vec::with_capacity(ended.len() + under_way.len()),
            ..Snapshot::default()
        };
        let mut under_way = under_way.into_iter().peekable();
        for (key, summary) in ended {
            while let Some((key, summary)) = under_way.next_if(|(before, _)| before < key) {
                all.push(key, summary);
            }
            all.push(key.clone(), Arc::clone(summary));
        }
        for (key, summary) in under_way {
            all.push(key, summary);
        }
        all
    }

    /// The same with one episode a task, whose turns are the repeats: where each is a single answer, they are samples of one. `None`
    /// where some have more turns, or tasks are played once.
    pub fn by_task(&self) -> Option<Snapshot> {
        let is_sample = |summary: &Arc<Summary>| summary.ribbon.len() <= 1;
        let is_repeated = self.summaries.iter().any(|summary| summary.repeat > 1);
        if !is_repeated || !self.summaries.iter().all(is_sample) {
            return None;
        }
        let mut tasks: BTreeMap<EpisodeKey, Vec<&Arc<Summary>>> = BTreeMap::new();
        for summary in &self.summaries {
            let first = EpisodeKey::play(&summary.task.id, 1);
            tasks.entry(first).or_default().push(summary);
        }
        let mut all = Snapshot { is_by_task: true, ..Snapshot::default() };
        for (key, mut samples) in tasks {
            samples.sort_by_key(|sample| sample.repeat);
            all.push(key, Arc::new(samples_of(&samples)));
        }
        Some(all)
    }

    /// The episode that a turn of another stands for.
    pub fn sample(&self, key: &EpisodeKey, turn: Option<u32>) -> Option<EpisodeKey> {
        let turn = turn.filter(|_| self.is_by_task)?;
        let position = self.position(key)?;
        Some(EpisodeKey::play(&self.summaries[position].task.id, turn))
    }

    fn push(&mut self, key: EpisodeKey, summary: Arc<Summary>) {
        self.keys.push(key);
        self.statuses.push(EpisodeStatus::of(&summary));
        self.summaries.push(summary);
    }

    /// What numbers are computed from: the episodes that have ended.
    pub fn ended(&self) -> Vec<Arc<Summary>> {
        self.summaries.iter().filter(|summary| summary.ending.is_some()).cloned().collect()
    }

    /// How many episodes there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub fn position(&self, key: &EpisodeKey) -> Option<usize> {
        self.keys.binary_search(key).ok()
    }

    /// How many episodes stand so.
    pub fn count(&self, status: EpisodeStatus) -> usize {
        self.statuses.iter().filter(|other| **other == status).count()
    }
}

/// All samples of a task as one episode.
fn samples_of(samples: &[&Arc<Summary>]) -> Summary {
    let mut one = Summary::clone(samples[0]);
    let cells = samples.iter().filter_map(|sample| {
        let cell = sample.ribbon.first()?;
        Some(Cell {
            turn: sample.repeat,
            round: sample.repeat,
            tone: cell.tone.or(match EpisodeStatus::of(sample) {
                EpisodeStatus::Correct => Some(Tone::Positive),
                EpisodeStatus::Wrong => Some(Tone::Negative),
                EpisodeStatus::Partial | EpisodeStatus::Ungraded => Some(Tone::Unknown),
                _ => None,
            }),
            sentence: words::sample(&cell.sentence, sample.measured.answer.as_deref()),
            ..cell.clone()
        })
    });
    one.ribbon = cells.collect();
    one.repeat = 1;
    one.complete = samples.iter().all(|sample| sample.complete);
    if samples.iter().any(|sample| sample.ending.is_none()) {
        one.ending = None;
    }
    let scores: Vec<f64> = samples.iter().filter_map(|sample| sample.score).collect();
    let all_scored = scores.len() == samples.len();
    one.score = all_scored.then(|| scores.iter().sum::<f64>() / scores.len() as f64);
    let right = scores.iter().filter(|score| **score >= 1.0).count();
    one.measured.answer = Some(words::right_samples(right, samples.len()));
    one.measured.asked = samples.iter().find_map(|sample| sample.measured.asked.clone());
    one.measured.right = samples.iter().find_map(|sample| sample.measured.right.clone());
    for sample in &samples[1..] {
        for (seat, usage) in &sample.usage {
            one.usage.entry(seat.clone()).or_default().add(usage);
        }
        for (class, times) in &sample.faults {
            *one.faults.entry(class.clone()).or_default() += times;
        }
        for (class, times) in &sample.failures {
            *one.failures.entry(*class).or_default() += times;
        }
    }
    one
}

/// How many turns an episode has.
pub fn length(summary: &Summary) -> usize {
    summary.ribbon.len()
}

/// The first turn in which the player asked; `None` if there is none.
pub fn first_ask(summary: &Summary) -> Option<u32> {
    summary.ribbon.iter().find(|cell| cell.kind == TurnKind::Ask).map(|cell| cell.turn)
}

/// How often the player asked.
pub fn asks(summary: &Summary) -> usize {
    let cells = summary.ribbon.iter();
    cells.filter(|cell| cell.kind == TurnKind::Ask).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::snapshot;
    use turnwise_shared::screen::sample::summary;

    #[test]
    fn an_episode_is_found_by_its_key() {
        let snapshot = snapshot(vec![summary("2", "S="), summary("10", "A=")]);
        for (position, key) in snapshot.keys.iter().enumerate() {
            assert_eq!(snapshot.position(key), Some(position));
        }
        assert_eq!(snapshot.position(&EpisodeKey::play(&"3".into(), 1)), None);
        assert_eq!(snapshot.count(EpisodeStatus::Ungraded), 2);
    }

    #[test]
    fn episodes_under_way_are_on_the_wall_and_not_in_the_numbers() {
        let key = |id: &str| EpisodeKey::play(&id.into(), 1);
        let live = |id: &str| {
            let mut summary = summary(id, "SA");
            summary.ending = None;
            summary.complete = false;
            (key(id), Arc::new(summary))
        };
        let ended = BTreeMap::from([(key("1"), Arc::new(summary("1", "S=")))]);
        let all = Snapshot::with(&ended, vec![live("2"), live("1")]);
        assert_eq!(all.keys, [key("1"), key("2")]);
        assert_eq!(
            all.statuses,
            [EpisodeStatus::Ungraded, EpisodeStatus::Live],
            "what has ended has ended"
        );
        let counted: Vec<_> = all.ended().iter().map(|one| one.task.id.0.clone()).collect();
        assert_eq!(counted, ["1"]);
        assert_eq!(Snapshot::with(&ended, Vec::new()), Snapshot::of(&ended));
    }

    #[test]
    fn samples_of_a_task_are_cells_of_one_row() {
        let sample = |id: &str, repeat: u32, score: Option<f64>| {
            let mut one = summary(id, "=");
            (one.repeat, one.score) = (repeat, score);
            one.measured.answer = Some(format!("answer {repeat}"));
            one
        };
        let scores = [Some(1.0), Some(0.0), Some(1.0)];
        let mut all: Vec<Summary> =
            (1..).zip(scores).map(|(repeat, score)| sample("7", repeat, score)).collect();
        all.extend((1..=3).map(|repeat| sample("8", repeat, Some(0.0))));
        all.extend([sample("9", 1, Some(1.0)), sample("9", 2, None)]);
        let tasks = snapshot(all.clone()).by_task().expect("they are samples");
        assert_eq!(tasks.len(), 3);
        let marks = |place: usize| -> String {
            let one = &tasks.summaries[place];
            one.ribbon
                .iter()
                .map(|cell| turnwise_shared::screen::turn::letter(cell, tasks.statuses[place]))
                .collect()
        };
        assert_eq!([marks(0), marks(1), marks(2)], ["✓✗✓", "✗✗✗", "✓="]);
        assert_eq!(
            tasks.statuses,
            [EpisodeStatus::Partial, EpisodeStatus::Wrong, EpisodeStatus::Ungraded]
        );
        assert_eq!(tasks.summaries[0].measured.answer.as_deref(), Some("2 of 3 right"));
        assert_eq!(tasks.summaries[0].ribbon[1].sentence, "turn 1: “answer 2”");
        let key = EpisodeKey::play(&"7".into(), 1);
        assert_eq!(tasks.sample(&key, Some(3)), Some(EpisodeKey::play(&"7".into(), 3)));
        assert_eq!(tasks.sample(&key, None), None);
        // Episodes of several turns are no samples, and neither are tasks that are played once.
        all.push(summary("10", "A="));
        assert_eq!(snapshot(all).by_task(), None);
        assert_eq!(snapshot(vec![summary("1", "=")]).by_task(), None);
    }

    #[test]
    fn ribbons_tell_length_and_first_ask() {
        assert_eq!(length(&summary("1", "SSA?=")), 5);
        assert_eq!(first_ask(&summary("1", "SSA?=")), Some(3));
        assert_eq!(first_ask(&summary("1", "SS=")), None);
    }
}
