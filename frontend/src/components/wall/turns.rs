//! Rows of the wall are drawn in turns, one a frame: a whole wall in one frame would hold up a user who scrolls or types
//! meanwhile.

use std::hash::{DefaultHasher, Hash, Hasher};

use turnwise_shared::screen::row::Labels;

use super::shown::Shown;
use crate::clock;
use crate::prelude::*;
use crate::view::wall::{Arranged, Column, Columns, Look, WallLine};

/// The most episodes that are drawn anew in one frame.
const AT_ONCE: usize = 48;

/// A row that is drawn. Rows with the same fingerprint are the same row and look the same.
#[derive(Debug, Clone)]
pub struct DrawnRow {
    /// Its place from the top.
    pub number: usize,
    pub row: WallLine,
    /// How it looks, in a number.
    pub fingerprint: u64,
    /// Of what it is a row: when it is drawn, the wall may already show other episodes.
    pub shown: Arc<Shown>,
}

impl PartialEq for DrawnRow {
    fn eq(&self, other: &Self) -> bool {
        (self.number, self.row, self.fingerprint) == (other.number, other.row, other.fingerprint)
    }
}

/// How the rows of a wall are drawn, besides what they hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    /// How much an episode shows.
    pub look: Look,
    /// The columns of a table.
    pub columns: Columns,
    /// The most turns for which a row has room.
    pub most_turns: usize,
    /// Which prices are known, in a number.
    pub prices: usize,
    /// Whether it is drawn for a phone.
    pub on_a_phone: bool,
}

impl Drawing {
    /// The height of a row, in CSS pixels.
    pub fn row_height(&self) -> f64 {
        self.look.row_height(self.on_a_phone)
    }
}

impl Hash for Drawing {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.look.name(), self.most_turns).hash(state);
        if self.look == Look::List {
            (self.columns, self.on_a_phone).hash(state);
            if self.columns.has(Column::Cost) {
                self.prices.hash(state);
            }
        }
    }
}

/// What a row looks like, in a number: its episodes, how they stand, how far their ribbons are, and the wall in its links
/// (`query`).
pub fn fingerprint(
    number: usize,
    row: &WallLine,
    (arranged, set_size): (&Arranged, usize),
    snapshot: &Snapshot,
    (look, labels, query): (Drawing, Labels, &str),
) -> u64 {
    let mut hasher = DefaultHasher::new();
    (number, row).hash(&mut hasher);
    (look, labels, query).hash(&mut hasher);
    match row {
        WallLine::Head { band, .. } => {
            let band = &arranged.bands[*band];
            (&band.title, &band.note).hash(&mut hasher);
        }
        WallLine::Episodes { start, len } => {
            set_size.hash(&mut hasher);
            for &position in &arranged.order[*start..start + len] {
                let cells = &snapshot.summaries[position].ribbon;
                snapshot.keys[position].hash(&mut hasher);
                snapshot.statuses[position].hash(&mut hasher);
                cells.len().hash(&mut hasher);
                cells.last().and_then(|cell| cell.tone).map(|tone| tone.name()).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

/// The rows that are drawn: those that are wanted, but only `AT_ONCE` new ones in one frame. A row that looks otherwise now stays
/// as it was until it has its turn. The first of a long wall come in the frame after that in which the wall is made.
pub fn draw_in_turns(wanted: Memo<Vec<DrawnRow>>, is_long: Memo<bool>) -> RwSignal<Vec<DrawnRow>> {
    let drawn = RwSignal::new(Vec::new());
    let again = RwSignal::new(());
    // What was drawn last has not been seen yet.
    let resting = StoredValue::new(false);
    Effect::new(move |before: Option<()>| {
        again.track();
        let (next, goes_on) = match before.is_none() && is_long.get_untracked() {
            true => (Vec::new(), true),
            false => wanted.with(|wanted| {
                let room = match resting.get_value() {
                    true => 0,
                    false => AT_ONCE,
                };
                drawn.with_untracked(|drawn| next_turn(wanted, drawn, room))
            }),
        };
        if drawn.with_untracked(|drawn| *drawn != next) {
            drawn.set(next);
        }
        if goes_on && !resting.get_value() {
            resting.set_value(true);
            spawn_local(async move {
                clock::drawn().await;
                // The wall may be gone.
                resting.try_set_value(false);
                again.try_set(());
            });
        }
    });
    drawn
}

/// The rows after one turn of drawing with room for `room` new episodes, and whether there may be another turn: some row was drawn
/// anew, or must be.
fn next_turn(wanted: &[DrawnRow], drawn: &[DrawnRow], mut room: usize) -> (Vec<DrawnRow>, bool) {
    let mut goes_on = false;
    let mut next = Vec::with_capacity(wanted.len());
    for row in wanted {
        let before = drawn.iter().find(|before| before.number == row.number);
        if before == Some(row) {
            next.push(row.clone());
            continue;
        }
        goes_on = true;
        if room > 0 {
            room = room.saturating_sub(match row.row {
                WallLine::Head { .. } => 1,
                WallLine::Episodes { len, .. } => len,
            });
            next.push(row.clone());
        } else if let Some(before) = before.filter(|before| before.row == row.row) {
            next.push(before.clone());
        }
    }
    (next, goes_on)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: usize, columns: usize, fingerprint: u64) -> Vec<DrawnRow> {
        (0..count)
            .map(|number| DrawnRow {
                number,
                row: WallLine::Episodes { start: number * columns, len: columns },
                fingerprint,
                shown: Arc::default(),
            })
            .collect()
    }

    #[test]
    fn a_wall_comes_row_by_row_and_is_whole_in_the_end() {
        let wanted = rows(6, AT_ONCE / 2, 1);
        let (first, goes_on) = next_turn(&wanted, &[], AT_ONCE);
        assert_eq!(first, wanted[..2]);
        assert!(goes_on);
        assert_eq!(
            next_turn(&wanted, &first, 0),
            (first.clone(), true),
            "nothing comes while a turn has not been seen"
        );
        let (second, goes_on) = next_turn(&wanted, &first, AT_ONCE);
        assert_eq!(second, wanted[..4]);
        assert!(goes_on);
        let (third, _) = next_turn(&wanted, &second, AT_ONCE);
        assert_eq!(next_turn(&wanted, &third, AT_ONCE), (wanted, false));
    }

    #[test]
    fn a_row_that_looks_otherwise_stays_until_its_turn() {
        let columns = AT_ONCE / 2;
        let (before, wanted) = (rows(6, columns, 1), rows(6, columns, 2));
        let (next, goes_on) = next_turn(&wanted, &before, AT_ONCE);
        assert_eq!(next, [&wanted[..2], &before[2..]].concat());
        assert!(goes_on);
        let other_columns = rows(6, columns - 2, 3);
        let (next, _) = next_turn(&other_columns, &before, AT_ONCE);
        assert_eq!(next, other_columns[..3], "no row of another wall stays");
    }
}
