//! Rows of the wall are drawn in turns: a whole wall in one task would hold up whoever scrolls or types meanwhile.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use leptos::prelude::*;
use turnwise_shared::screen::row::Labels;

use crate::view::snapshot::Snapshot;
use crate::view::wall::{Arranged, Look, Row};

/// So many episodes are drawn anew in one task.
const AT_ONCE: usize = 24;

/// A row that is drawn. Rows with the same fingerprint are the same row and look the same.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnRow {
    /// Its place from the top.
    pub number: usize,
    /// What it shows.
    pub row: Row,
    /// How it looks, in a number.
    pub fingerprint: u64,
}

/// What a row looks like, in a number: its episodes, how they stand, how far their ribbons are.
pub fn fingerprint(
    number: usize,
    row: &Row,
    (arranged, set_size): (&Arranged, usize),
    snapshot: &Snapshot,
    (look, labels): (Look, Labels),
) -> u64 {
    let mut hasher = DefaultHasher::new();
    (number, row).hash(&mut hasher);
    (look.name(), labels).hash(&mut hasher);
    match row {
        Row::Head { band, .. } => {
            let band = &arranged.bands[*band];
            (&band.title, &band.note).hash(&mut hasher);
        }
        Row::Episodes { start, len } => {
            set_size.hash(&mut hasher);
            for &position in &arranged.order[*start..start + len] {
                let cells = &snapshot.summaries[position].ribbon;
                snapshot.keys[position].hash(&mut hasher);
                snapshot.standings[position].hash(&mut hasher);
                cells.len().hash(&mut hasher);
                cells
                    .last()
                    .and_then(|cell| cell.tone)
                    .map(|tone| tone.name())
                    .hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

/// The rows that are drawn: those that are wanted, but only so many new ones in one task. A row that looks otherwise now stays
/// as it was until it has its turn. The first of a long wall come in the task after that which makes the wall.
pub fn draw_in_turns(wanted: Memo<Vec<DrawnRow>>, is_long: Memo<bool>) -> RwSignal<Vec<DrawnRow>> {
    let drawn = RwSignal::new(Vec::new());
    let again = RwSignal::new(());
    let pending = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |before: Option<()>| {
        again.track();
        let (next, turns_left) = match before.is_none() && is_long.get_untracked() {
            true => (Vec::new(), true),
            false => wanted.with(|wanted| drawn.with_untracked(|drawn| next_turn(wanted, drawn))),
        };
        if drawn.with_untracked(|drawn| *drawn != next) {
            drawn.set(next);
        }
        if turns_left && pending.with_value(Option::is_none) {
            let go_on = move || {
                pending.set_value(None);
                again.set(());
            };
            pending.set_value(set_timeout_with_handle(go_on, Duration::ZERO).ok());
        }
    });
    on_cleanup(move || {
        if let Some(timer) = pending.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    });
    drawn
}

/// The rows after one turn of drawing, and whether others must follow.
fn next_turn(wanted: &[DrawnRow], drawn: &[DrawnRow]) -> (Vec<DrawnRow>, bool) {
    let mut room = AT_ONCE;
    let mut turns_left = false;
    let mut next = Vec::with_capacity(wanted.len());
    for row in wanted {
        let before = drawn.iter().find(|before| before.number == row.number);
        match before {
            Some(before) if before == row => next.push(row.clone()),
            _ if room > 0 => {
                room = room.saturating_sub(match row.row {
                    Row::Head { .. } => 1,
                    Row::Episodes { len, .. } => len,
                });
                next.push(row.clone());
            }
            Some(before) if before.row == row.row => {
                turns_left = true;
                next.push(before.clone());
            }
            _ => turns_left = true,
        }
    }
    (next, turns_left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: usize, columns: usize, fingerprint: u64) -> Vec<DrawnRow> {
        (0..count)
            .map(|number| DrawnRow {
                number,
                row: Row::Episodes {
                    start: number * columns,
                    len: columns,
                },
                fingerprint,
            })
            .collect()
    }

    #[test]
    fn a_wall_comes_row_by_row_and_is_whole_in_the_end() {
        let wanted = rows(6, AT_ONCE / 2, 1);
        let (first, turns_left) = next_turn(&wanted, &[]);
        assert_eq!(first, wanted[..2]);
        assert!(turns_left);
        let (second, turns_left) = next_turn(&wanted, &first);
        assert_eq!(second, wanted[..4]);
        assert!(turns_left);
        assert_eq!(next_turn(&wanted, &second), (wanted, false));
    }

    #[test]
    fn a_row_that_looks_otherwise_stays_until_its_turn() {
        let columns = AT_ONCE / 2;
        let (before, wanted) = (rows(6, columns, 1), rows(6, columns, 2));
        let (next, turns_left) = next_turn(&wanted, &before);
        assert_eq!(next, [&wanted[..2], &before[2..]].concat());
        assert!(turns_left);
        let other_columns = rows(6, columns - 2, 3);
        let (next, _) = next_turn(&other_columns, &before);
        assert_eq!(next, other_columns[..3], "no row of another wall stays");
    }
}
