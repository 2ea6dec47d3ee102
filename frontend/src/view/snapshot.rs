//! A run's episodes at one moment, as the wall and the numbers are computed from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use turnwise_shared::metrics::summary::Summary;
use turnwise_shared::note::TurnKind;
use turnwise_shared::run::EpisodeKey;

use super::episode_status::EpisodeStatus;

/// Episodes and their summaries, in the order of their keys.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// The episodes.
    pub keys: Vec<EpisodeKey>,
    /// The summary of the episode at the same place.
    pub summaries: Vec<Arc<Summary>>,
    /// Their status, at the same place.
    pub statuses: Vec<EpisodeStatus>,
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

    fn push(&mut self, key: EpisodeKey, summary: Arc<Summary>) {
        self.keys.push(key);
        self.statuses.push(EpisodeStatus::of(&summary));
        self.summaries.push(summary);
    }

    /// What numbers are computed from: the episodes that have ended.
    pub fn ended(&self) -> Vec<Arc<Summary>> {
        self.summaries
            .iter()
            .filter(|summary| summary.ending.is_some())
            .cloned()
            .collect()
    }

    /// How many episodes there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Where an episode stands.
    pub fn position(&self, key: &EpisodeKey) -> Option<usize> {
        self.keys.binary_search(key).ok()
    }

    /// How many episodes stand so.
    pub fn count(&self, status: EpisodeStatus) -> usize {
        self.statuses
            .iter()
            .filter(|other| **other == status)
            .count()
    }
}

/// How many turns an episode has.
pub fn length(summary: &Summary) -> usize {
    summary.ribbon.len()
}

/// The turn in which somebody was first asked; `None` if nobody was.
pub fn first_ask(summary: &Summary) -> Option<u32> {
    summary
        .ribbon
        .iter()
        .find(|cell| cell.kind == TurnKind::Ask)
        .map(|cell| cell.turn)
}

/// How often somebody was asked.
pub fn asks(summary: &Summary) -> usize {
    let cells = summary.ribbon.iter();
    cells.filter(|cell| cell.kind == TurnKind::Ask).count()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use turnwise_shared::screen::sample::summary;

    /// A snapshot of these episodes.
    pub fn snapshot(summaries: Vec<Summary>) -> Snapshot {
        let summaries = summaries
            .into_iter()
            .map(|summary| {
                (
                    EpisodeKey::play(&summary.task.id, summary.repeat),
                    Arc::new(summary),
                )
            })
            .collect();
        Snapshot::of(&summaries)
    }

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
        let counted: Vec<_> = all
            .ended()
            .iter()
            .map(|one| one.task.id.0.clone())
            .collect();
        assert_eq!(counted, ["1"]);
        assert_eq!(Snapshot::with(&ended, Vec::new()), Snapshot::of(&ended));
    }

    #[test]
    fn ribbons_tell_length_and_first_ask() {
        assert_eq!(length(&summary("1", "SSA?=")), 5);
        assert_eq!(first_ask(&summary("1", "SSA?=")), Some(3));
        assert_eq!(first_ask(&summary("1", "SS=")), None);
    }
}
