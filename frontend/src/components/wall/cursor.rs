//! The cursor of the wall: an episode, and perhaps one of its turns.

use turnwise_shared::screen::row::element_id;
use web_sys::Element;

use crate::prelude::*;
use crate::view::wall::{Arranged, Rows, Step};

/// Where the reader is on the wall.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cursor {
    pub episode: Option<EpisodeKey>,
    /// One of its turns, by number.
    pub turn: Option<u32>,
}

/// A step of the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CursorStep {
    Episode(Step),
    /// To the turn before, or the last turn of the episode before.
    TurnBack,
    /// To the next turn, or the first of the next episode.
    TurnOn,
}

/// Where a step leads. `place` is the cursor's place in the order, if it is on the wall.
pub fn move_by(
    cursor: &Cursor,
    step: CursorStep,
    place: Option<usize>,
    snapshot: &Snapshot,
    arranged: &Arranged,
    rows: &Rows,
) -> Cursor {
    let at = |place: usize| arranged.order.get(place).copied();
    let episode = |position: usize, turn: Option<u32>| Cursor {
        episode: Some(snapshot.keys[position].clone()),
        turn,
    };
    let Some(place) = place else {
        return at(0).map_or_else(Cursor::default, |position| episode(position, None));
    };
    let turns = |position: usize| -> Vec<u32> {
        let cells = &snapshot.summaries[position].ribbon;
        cells.iter().map(|cell| cell.turn).collect()
    };
    match step {
        CursorStep::Episode(step) => rows
            .step(place, step)
            .and_then(at)
            .map_or_else(|| cursor.clone(), |position| episode(position, None)),
        CursorStep::TurnOn => {
            let Some(here) = at(place) else {
                return cursor.clone();
            };
            let next = match cursor.turn {
                None => turns(here).first().copied(),
                Some(now) => turns(here).into_iter().find(|turn| *turn > now),
            };
            match (next, rows.step(place, Step::On)) {
                (Some(turn), _) => episode(here, Some(turn)),
                (None, Some(beside)) if beside != place => at(beside).map_or_else(
                    || cursor.clone(),
                    |position| episode(position, turns(position).first().copied()),
                ),
                _ => cursor.clone(),
            }
        }
        CursorStep::TurnBack => {
            let Some(here) = at(place) else {
                return cursor.clone();
            };
            let before =
                cursor.turn.and_then(|now| turns(here).into_iter().rev().find(|turn| *turn < now));
            match (before, rows.step(place, Step::Back)) {
                (Some(turn), _) => episode(here, Some(turn)),
                (None, Some(beside)) if beside != place => at(beside).map_or_else(
                    || cursor.clone(),
                    |position| episode(position, turns(position).last().copied()),
                ),
                _ => cursor.clone(),
            }
        }
    }
}

/// Marks the cursor's episode and draws the needle around its cell, and takes both from every other. Cells are many and the
/// cursor is one, so this is done by hand and not by a reaction of each cell.
pub fn mark(scroller: NodeRef<html::Div>, cursor: &Cursor) {
    let Some(wall) = scroller.get_untracked() else {
        return;
    };
    // Names of classes and attributes without spaces cannot be refused.
    for old in [".ribbon > .is-now", ".ep.is-now"] {
        if let Ok(Some(old)) = wall.query_selector(old) {
            let _ = old.class_list().remove_1("is-now");
            if old.has_attribute("aria-selected") {
                let _ = old.set_attribute("aria-selected", "false");
            }
        }
    }
    let row = cursor
        .episode
        .as_ref()
        .and_then(|episode| document().get_element_by_id(&element_id(episode)));
    let Some(row) = row else {
        return;
    };
    let _ = row.class_list().add_1("is-now");
    let _ = row.set_attribute("aria-selected", "true");
    let ribbon = row.query_selector(".ribbon").ok().flatten();
    let Some((turn, ribbon)) = cursor.turn.zip(ribbon) else {
        return;
    };
    // Turns are numbered from 1 in the order of their cells.
    let (cells, mut passed) = (ribbon.children(), 0);
    let mut cells = (0..cells.length()).filter_map(|at| cells.item(at));
    let cell = cells.find(|cell| {
        passed += turns_of(cell);
        passed >= turn
    });
    if let Some(cell) = cell {
        let _ = cell.class_list().add_1("is-now");
    }
}

/// The episode whose row an element lies in.
pub fn episode_under(element: &Element) -> Option<EpisodeKey> {
    let row = element.closest(".ep").ok().flatten()?;
    row.id().strip_prefix("ep-")?.parse().ok()
}

/// The number of the turn whose cell an element is.
pub fn cell_under(element: &Element) -> Option<u32> {
    let mut cell = element.closest(".turn").ok().flatten()?;
    let mut turn = 1;
    while let Some(before) = cell.previous_element_sibling() {
        turn += turns_of(&before);
        cell = before;
    }
    Some(turn)
}

/// How many turns an element of a ribbon stands for: that which is left out of a long one stands for many.
fn turns_of(cell: &Element) -> u32 {
    let left_out = cell.get_attribute("data-turns");
    left_out.and_then(|turns| turns.parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::testing::snapshot;
    use crate::view::wall::{Wall, arrange};
    use turnwise_shared::screen::sample::summary;

    #[test]
    fn turns_run_on_from_one_episode_to_the_next() {
        let all = snapshot(vec![summary("1", "SA="), summary("2", ""), summary("3", "A=")]);
        let arranged = arrange(&Wall::default(), &all, None);
        let rows = Rows::of(&arranged, 2);
        let mut cursor = Cursor::default();
        let mut seen = Vec::new();
        for _ in 0..9 {
            let place =
                cursor.episode.as_ref().and_then(|key| all.position(key)).and_then(|position| {
                    arranged.order.iter().position(|other| *other == position)
                });
            cursor = move_by(&cursor, CursorStep::TurnOn, place, &all, &arranged, &rows);
            let episode = cursor.episode.as_ref().expect("it stands somewhere");
            let position = all.position(episode).expect("on an episode of the wall");
            let id = &all.summaries[position].task.id;
            seen.push((id.0.clone(), cursor.turn));
        }
        let path: Vec<_> = seen.iter().map(|(id, turn)| (id.as_str(), *turn)).collect();
        assert_eq!(
            path,
            [
                ("1", None),
                ("1", Some(1)),
                ("1", Some(2)),
                ("1", Some(3)),
                ("2", None),
                ("3", Some(1)),
                ("3", Some(2)),
                ("3", Some(2)),
                ("3", Some(2)),
            ]
        );
        let back = move_by(&cursor, CursorStep::TurnBack, Some(2), &all, &arranged, &rows);
        assert_eq!(back.turn, Some(1));
        let first = Cursor { turn: Some(1), ..back };
        let before = move_by(&first, CursorStep::TurnBack, Some(2), &all, &arranged, &rows);
        assert_eq!(before.episode, Some(all.keys[1].clone()));
        let row = move_by(&first, CursorStep::Episode(Step::Up), Some(2), &all, &arranged, &rows);
        assert_eq!(row.episode, Some(all.keys[0].clone()));
        assert_eq!(row.turn, None);
    }
}
