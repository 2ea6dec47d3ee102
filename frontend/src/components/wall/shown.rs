//! What a wall shows: which episodes, in which order, and what its columns are made for.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::screen::row::signs_of_id;

use crate::stint::{Survey, surveyed};
use crate::view::snapshot::{Snapshot, length};
use crate::view::wall::{Arranged, Arranging, Wall};

/// The episodes of a run as the wall shows them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shown {
    /// All there are.
    pub all: Arc<Snapshot>,
    /// Those that are shown, in order.
    pub arranged: Arranged,
    /// Turns of the longest that is shown.
    pub longest: usize,
    /// Signs of the longest id; ids of games are longer than numbers of tasks.
    pub id_signs: usize,
}

/// The same as it is found out.
struct Showing {
    arranging: Arranging,
    found: Option<Arc<BTreeSet<EpisodeKey>>>,
    id_signs: usize,
}

impl Showing {
    fn of(wall: &Wall, found: Option<Arc<BTreeSet<EpisodeKey>>>) -> Self {
        Showing {
            arranging: Arranging::of(wall),
            found,
            id_signs: 0,
        }
    }
}

impl Survey for Showing {
    type Found = Shown;

    fn look(&mut self, all: &Snapshot, place: usize) {
        let found = self.found.as_ref();
        let is_found = found.is_none_or(|found| found.contains(&all.keys[place]));
        self.arranging.add(all, place, is_found);
        self.id_signs = self.id_signs.max(signs_of_id(&all.summaries[place]));
    }

    fn found(self, all: &Arc<Snapshot>) -> Shown {
        let arranged = self.arranging.done(all);
        let shown = arranged.order.iter();
        let longest = shown.map(|&place| length(&all.summaries[place])).max();
        Shown {
            longest: longest.unwrap_or(0),
            id_signs: self.id_signs,
            arranged,
            all: Arc::clone(all),
        }
    }
}

/// What a wall shows of the episodes as they stand; only those that were `found`, if something was looked for in transcripts.
pub fn shown(
    snapshot: RwSignal<Arc<Snapshot>>,
    wall: Signal<Wall>,
    found: Signal<Option<Arc<BTreeSet<EpisodeKey>>>>,
) -> Signal<Arc<Shown>> {
    let shown = surveyed(move || {
        let showing = wall.with(|wall| Showing::of(wall, found.get()));
        Some((snapshot.get(), showing))
    });
    Signal::derive(move || shown.get().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stint::surveyed_at_once;
    use crate::view::snapshot::tests::snapshot;
    use turnwise_shared::screen::sample::summary;

    #[test]
    fn measures_are_those_of_what_is_shown() {
        let mut again = summary("8", "SSSA=");
        again.repeat = 12;
        let all = Arc::new(snapshot(vec![summary("7", "S="), again]));
        let shown = |found: Option<BTreeSet<EpisodeKey>>| {
            let showing = Showing::of(&Wall::default(), found.map(Arc::new));
            surveyed_at_once(showing, &all)
        };
        let whole = shown(None);
        assert_eq!(whole.arranged.order.len(), 2);
        assert_eq!((whole.longest, whole.id_signs), (5, "8·12".chars().count()));
        let first = BTreeSet::from([EpisodeKey::play(&"7".into(), 1)]);
        let part = shown(Some(first));
        // A filter does not change how long ids are.
        assert_eq!((part.longest, part.id_signs), (2, whole.id_signs));
    }
}
