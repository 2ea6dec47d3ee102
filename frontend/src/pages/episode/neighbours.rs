//! The episodes before and after this one, in the order of the wall from which the reader came.

use crate::live::RunView;
use crate::prelude::*;
use crate::stint::surveyed;
use crate::view::survey::Survey;
use crate::view::wall::Arranging;

/// Where an episode stands among the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The episode before.
    pub before: Option<EpisodeKey>,
    /// The episode after.
    pub after: Option<EpisodeKey>,
    /// Its place, from 0, and how many there are.
    pub place: Option<(usize, usize)>,
}

/// The neighbours of the open episode.
pub fn neighbours(
    view: RunView,
    episode: Memo<Option<EpisodeKey>>,
    place: Memo<Place>,
) -> Memo<Neighbours> {
    let wall = Memo::new(move |_| place.with(|place| place.wall.clone()));
    // The order only changes with the wall and with what has ended, not with the open episode.
    let order = surveyed(move || {
        let all = view.summaries.with(Snapshot::of);
        Some((Arc::new(all), Order(wall.with(|wall| Arranging::of(wall, None)))))
    });
    Memo::new(move |_| {
        let Some(key) = episode.get() else {
            return Neighbours::default();
        };
        order.with(|order| order.as_ref().map_or_else(Neighbours::default, |order| of(order, &key)))
    })
}

/// The episodes in the order of a wall, as it is found out.
struct Order(Arranging);

impl Survey for Order {
    type Found = Vec<EpisodeKey>;

    fn look(&mut self, all: &Snapshot, place: usize) {
        self.0.add(all, place, true);
    }

    fn found(self, all: &Arc<Snapshot>) -> Vec<EpisodeKey> {
        let arranged = self.0.done(all);
        let places = arranged.order.iter();
        places.map(|&place| all.keys[place].clone()).collect()
    }
}

fn of(order: &[EpisodeKey], key: &EpisodeKey) -> Neighbours {
    match order.iter().position(|other| other == key) {
        Some(at) => Neighbours {
            before: at.checked_sub(1).map(|before| order[before].clone()),
            after: order.get(at + 1).cloned(),
            place: Some((at, order.len())),
        },
        // It does not pass the wall's filter, or has not ended: from here one goes to the first.
        None => Neighbours { before: None, after: order.first().cloned(), place: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_follow_the_order() {
        let keys: Vec<_> =
            ["1", "2", "3"].into_iter().map(|id| EpisodeKey::play(&id.into(), 1)).collect();
        let middle = of(&keys, &keys[1]);
        assert_eq!(middle.before.as_ref(), Some(&keys[0]));
        assert_eq!(middle.after.as_ref(), Some(&keys[2]));
        assert_eq!(middle.place, Some((1, 3)));
        assert_eq!(of(&keys, &keys[0]).before, None);
        assert_eq!(of(&keys, &keys[2]).after, None);
        let stranger = of(&keys, &EpisodeKey::play(&"9".into(), 1));
        assert_eq!(stranger.after.as_ref(), Some(&keys[0]));
        assert_eq!(stranger.place, None);
    }
}
