//! Addresses of pages that read: a run with its wall, an episode with its turn and the wall that it was reached from.

use turnwise_shared::compare::Flip;
use turnwise_shared::prelude::*;

use crate::face::Face;
use crate::query::{decode, encode};
use crate::tabs::with_tab;
use crate::wall::Wall;

/// What the address of an episode says besides run and episode.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The turn at which the reader is, from 1; `None` = the whole episode.
    pub turn: Option<u32>,
    pub face: Face,
    /// The wall from which the reader came; it decides what is before and after.
    pub wall: Wall,
}

impl Place {
    /// The place of an address's query.
    pub fn read(query: &str) -> Self {
        let mut place = Place { wall: Wall::read(query), ..Place::default() };
        for (key, value) in decode(query.trim_start_matches('?')) {
            match (key.as_str(), value.as_str()) {
                ("turn", turn) => place.turn = turn.parse().ok().filter(|turn| *turn > 0),
                ("face", name) => place.face = Face::named(name),
                _ => {}
            }
        }
        place
    }

    /// The same in an episode of these turns: one that is not there gives way to the last one before it.
    #[must_use]
    pub fn among(mut self, turns: &[u32]) -> Self {
        let there = |wanted: u32| {
            let before = turns.iter().copied().filter(|turn| *turn <= wanted).max();
            before.or(turns.iter().copied().min())
        };
        self.turn = self.turn.and_then(there);
        self
    }

    /// The query of this place, without `?`.
    pub fn query(&self) -> String {
        let mut pairs = Vec::new();
        if let Some(turn) = self.turn {
            pairs.push(("turn".to_owned(), turn.to_string()));
        }
        if self.face != Face::default() {
            pairs.push(("face".to_owned(), self.face.name().to_owned()));
        }
        pairs.extend(self.wall.pairs());
        encode(&pairs)
    }
}

/// The address of a run with a wall.
pub fn run(id: &RunId, wall: &Wall) -> String {
    with_query(format!("/run/{id}"), &wall.query())
}

/// The address of a run with a wall and a tab.
pub fn run_tab(id: &RunId, wall: &Wall, tab: Option<&str>) -> String {
    with_query(format!("/run/{id}"), &with_tab(&wall.query(), tab))
}

/// The address of an episode at a place.
pub fn episode(id: &RunId, episode: &EpisodeKey, place: &Place) -> String {
    with_query(format!("/run/{id}/{episode}"), &place.query())
}

/// The address of runs that are compared.
pub fn compare(runs: &[RunId]) -> String {
    let runs: Vec<&str> = runs.iter().map(RunId::as_str).collect();
    match runs.is_empty() {
        true => "/compare".to_owned(),
        false => format!("/compare?runs={}", runs.join(",")),
    }
}

/// The address of a task that two runs ended differently; `seat` where several are compared.
pub fn flip(runs: (&RunId, &RunId), flip: &Flip, seat: Option<&str>) -> String {
    let mut pairs = Vec::new();
    if flip.other_play != flip.one_play {
        pairs.push(("with".to_owned(), flip.other_play.to_string()));
    }
    pairs.extend(seat.map(|seat| ("seat".to_owned(), seat.to_owned())));
    with_query(format!("/compare/{}/{}/{}", runs.0, runs.1, flip.one_play), &encode(&pairs))
}

/// The address of a task of two runs, with the episode of each.
pub fn side_by_side(runs: (&RunId, &RunId), plays: (&EpisodeKey, &EpisodeKey)) -> String {
    let with = (plays.0 != plays.1).then(|| ("with".to_owned(), plays.1.to_string()));
    with_query(
        format!("/compare/{}/{}/{}", runs.0, runs.1, plays.0),
        &encode(&with.into_iter().collect::<Vec<_>>()),
    )
}

fn with_query(path: String, query: &str) -> String {
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wall::By;

    #[test]
    fn a_place_survives_its_address() {
        let place = Place {
            turn: Some(3),
            face: Face::Raw,
            wall: Wall { sort: By::Length, ..Wall::default() },
        };
        assert_eq!(place.query(), "turn=3&face=raw&sort=length");
        assert_eq!(Place::read(&place.query()), place);
        for face in Face::ALL {
            let place = Place { face, ..Place::default() };
            assert_eq!(Place::read(&place.query()), place);
        }
        assert_eq!(Place::read("turn=0"), Place::default());
        assert_eq!(Place::read("turn=-1"), Place::default());
        assert_eq!(Place::read("turn=x&face=y"), Place::default());
    }

    #[test]
    fn a_turn_that_is_not_there_is_the_last_one_before_it() {
        let at = |turn: Option<u32>, turns: &[u32]| {
            let place = Place { turn, face: Face::Raw, ..Place::default() };
            let found = place.among(turns);
            assert_eq!(found.face, Face::Raw);
            found.turn
        };
        assert_eq!(at(Some(999), &[1, 2, 8]), Some(8));
        assert_eq!(at(Some(2), &[1, 2, 8]), Some(2));
        assert_eq!(at(Some(5), &[1, 2, 8]), Some(2));
        assert_eq!(at(Some(1), &[2, 3]), Some(2));
        assert_eq!(at(None, &[1, 2]), None);
        assert_eq!(at(Some(1), &[]), None);
    }

    #[test]
    fn addresses() {
        let id = RunId::new([0xab; 16]);
        let key = EpisodeKey::play(&"7".into(), 1);
        assert_eq!(run(&id, &Wall::default()), format!("/run/{id}"));
        let wall = Wall { sort: By::Length, ..Wall::default() };
        assert_eq!(
            run_tab(&id, &wall, Some("episodes")),
            format!("/run/{id}?sort=length&tab=episodes")
        );
        assert_eq!(run_tab(&id, &wall, None), run(&id, &wall));
        assert_eq!(
            episode(&id, &key, &Place { turn: Some(2), ..Place::default() }),
            format!("/run/{id}/7.r1.play?turn=2")
        );
    }
}
