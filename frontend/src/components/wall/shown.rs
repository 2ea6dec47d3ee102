//! What a wall shows: which episodes, in which order, and what its columns are made for.

use turnwise_shared::screen::row::signs_of_id;

use crate::live::RunView;
use crate::prelude::*;
use crate::prices;
use crate::stint::surveyed;
use crate::view::snapshot::length;
use crate::view::survey::Survey;
use crate::view::wall::{Arranged, Arranging, Columns, Pricing};

/// The episodes of a run as the wall shows them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shown {
    pub all: Arc<Snapshot>,
    /// Those that are shown, in order.
    pub arranged: Arranged,
    /// Turns of the longest that is shown.
    pub longest: usize,
    /// Signs of the longest id; ids of games are longer than numbers of tasks.
    pub id_signs: usize,
    /// The columns that the run fills.
    pub filled: Columns,
}

/// The same as it is found out.
struct Showing {
    arranging: Arranging,
    found: Option<Arc<BTreeSet<EpisodeKey>>>,
    id_signs: usize,
    filled: Columns,
    pricing: Option<Arc<Pricing>>,
}

impl Showing {
    fn of(
        wall: &Wall,
        found: Option<Arc<BTreeSet<EpisodeKey>>>,
        pricing: Option<Arc<Pricing>>,
    ) -> Self {
        Showing {
            arranging: Arranging::of(wall, pricing.clone()),
            found,
            id_signs: 0,
            filled: Columns::always(),
            pricing,
        }
    }
}

impl Survey for Showing {
    type Found = Shown;

    fn look(&mut self, all: &Snapshot, place: usize) {
        let found = self.found.as_ref();
        // A row of samples is found where one of them is.
        let samples = all.summaries[place].ribbon.iter();
        let is_found = found.is_none_or(|found| match all.is_by_task {
            false => found.contains(&all.keys[place]),
            true => samples
                .filter_map(|cell| all.sample(&all.keys[place], Some(cell.turn)))
                .any(|key| found.contains(&key)),
        });
        self.arranging.add(all, place, is_found);
        let summary = &all.summaries[place];
        self.id_signs = self.id_signs.max(signs_of_id(summary));
        let pricing = self.pricing.as_ref();
        let cost = || pricing.map(|pricing| pricing.cost(summary));
        self.filled.find(summary, cost);
    }

    fn found(self, all: &Arc<Snapshot>) -> Shown {
        let arranged = self.arranging.done(all);
        let shown = arranged.order.iter();
        let longest = shown.map(|&place| length(&all.summaries[place])).max();
        Shown {
            longest: longest.unwrap_or(0),
            id_signs: self.id_signs,
            filled: self.filled,
            arranged,
            all: Arc::clone(all),
        }
    }
}

/// What a wall shows of the episodes as they stand; only those that were `found`, if something was looked for in transcripts.
pub fn shown(
    snapshot: Signal<Arc<Snapshot>>,
    wall: Signal<Wall>,
    found: Signal<Option<Arc<BTreeSet<EpisodeKey>>>>,
    pricing: Signal<Option<Arc<Pricing>>>,
) -> Signal<Arc<Shown>> {
    let shown = surveyed(move || {
        let showing = wall.with(|wall| Showing::of(wall, found.get(), pricing.get()));
        Some((snapshot.get(), showing))
    });
    Signal::derive(move || shown.get().unwrap_or_default())
}

/// By what the costs of a run's episodes are counted; `None` before the run is known.
pub fn pricing(view: RunView, spec: Memo<Option<Spec>>) -> Signal<Option<Arc<Pricing>>> {
    let opened = Memo::new(move |_| view.info.map(|info| info.opened));
    let pricing = RwSignal::new(None);
    Effect::new(move |_| {
        let known = spec.get().zip(opened.get());
        let priced = known.filter(|(spec, _)| can_cost(spec)).map(|(spec, opened)| {
            let prices = PriceBook::clone(&prices::prices().get());
            Arc::new(Pricing::of(spec, opened, prices))
        });
        pricing.set(priced);
    });
    pricing.into()
}

/// Whether anything of a run can cost money: prices are asked for only then.
fn can_cost(spec: &Spec) -> bool {
    let mut seats = spec.seats.values();
    seats.any(|seat| matches!(seat.player, Player::Model { .. })) || spec.search.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::testing::{self, snapshot};
    use turnwise_shared::screen::sample::summary;

    #[test]
    fn measures_are_those_of_what_is_shown() {
        let mut again = summary("8", "SSSA=");
        again.repeat = 12;
        let all = Arc::new(snapshot(vec![summary("7", "S="), again]));
        let shown = |found: Option<BTreeSet<EpisodeKey>>| {
            let showing = Showing::of(&Wall::default(), found.map(Arc::new), None);
            testing::surveyed(showing, &all)
        };
        let whole = shown(None);
        assert_eq!(whole.arranged.order.len(), 2);
        assert_eq!(whole.filled, Columns::always(), "as of a game");
        assert_eq!((whole.longest, whole.id_signs), (5, "8·12".chars().count()));
        let first = BTreeSet::from([EpisodeKey::play(&"7".into(), 1)]);
        let part = shown(Some(first));
        // A filter does not change how long ids are.
        assert_eq!((part.longest, part.id_signs), (2, whole.id_signs));
    }
}
