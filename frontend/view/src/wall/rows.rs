//! Rows of fixed height, the part of them that is in sight, and steps from one episode to the next.

use std::ops::Range;

use super::arrange::Arranged;

/// A row of a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WallLine {
    /// The heading of a band.
    Head {
        band: usize,
        /// Where the band begins in [`Arranged::order`].
        start: usize,
    },
    /// This many episodes, from this place in [`Arranged::order`] on.
    Episodes {
        /// The first.
        start: usize,
        len: usize,
    },
}

/// All rows of a wall.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    pub rows: Vec<WallLine>,
}

/// A step of the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To the episode before.
    Back,
    On,
    Up,
    Down,
    PageUp(usize),
    PageDown(usize),
    /// To the first episode.
    First,
    /// To the last episode.
    Last,
}

impl Rows {
    /// The rows of a wall with this many episodes side by side.
    pub fn of(arranged: &Arranged, columns: usize) -> Self {
        let columns = columns.max(1);
        let mut rows = Vec::new();
        for (number, band) in arranged.bands.iter().enumerate() {
            if band.title.is_some() {
                rows.push(WallLine::Head { band: number, start: band.start });
            }
            let end = band.start + band.len;
            for start in (band.start..end).step_by(columns) {
                rows.push(WallLine::Episodes { start, len: columns.min(end - start) });
            }
        }
        Rows { rows }
    }

    /// The row in which an episode stands, by its place in the order.
    pub fn row_of(&self, place: usize) -> Option<usize> {
        let row = self.rows.partition_point(|row| match row {
            WallLine::Head { start, .. } | WallLine::Episodes { start, .. } => *start <= place,
        });
        let row = row.checked_sub(1)?;
        match self.rows[row] {
            WallLine::Episodes { start, len } if place < start + len => Some(row),
            _ => None,
        }
    }

    /// Where a step leads from an episode, by its place in the order; `None` if there is nothing to step on.
    pub fn step(&self, from: usize, step: Step) -> Option<usize> {
        let last = self.rows.iter().rev().find_map(|row| match row {
            WallLine::Episodes { start, len } => Some(start + len - 1),
            WallLine::Head { .. } => None,
        })?;
        let from = from.min(last);
        Some(match step {
            Step::Back => from.saturating_sub(1),
            Step::On => (from + 1).min(last),
            Step::First => 0,
            Step::Last => last,
            Step::Up => self.by_rows(from, 1, true),
            Step::Down => self.by_rows(from, 1, false),
            Step::PageUp(rows) => self.by_rows(from, rows, true),
            Step::PageDown(rows) => self.by_rows(from, rows, false),
        })
    }

    fn by_rows(&self, from: usize, rows: usize, up: bool) -> usize {
        let Some(row) = self.row_of(from) else {
            return from;
        };
        let WallLine::Episodes { start, .. } = self.rows[row] else {
            return from;
        };
        let column = from - start;
        let place = |row: &WallLine| match row {
            WallLine::Episodes { start, len } => Some(start + column.min(len - 1)),
            WallLine::Head { .. } => None,
        };
        let found = if up {
            self.rows[..row].iter().rev().filter_map(place).take(rows).last()
        } else {
            self.rows[row + 1..].iter().filter_map(place).take(rows).last()
        };
        found.unwrap_or(from)
    }
}

/// The rows that are drawn: those in sight and a margin on both sides. It moves by two rows at a time, so that scrolling
/// never draws many rows at once.
pub fn window(scrolled: f64, height: f64, row_height: f64, rows: usize) -> Range<usize> {
    const MARGIN: usize = 6;
    const STEP: usize = 2;
    // Scroll positions are pixels of a page, far below the largest exact integer.
    let first = (scrolled.max(0.0) / row_height) as usize;
    let seen = (height.max(0.0) / row_height).ceil() as usize + 1;
    let start = first.saturating_sub(MARGIN) / STEP * STEP;
    let start = start.min(rows.saturating_sub(seen));
    let end = (start + seen + 2 * MARGIN + STEP).min(rows);
    start..end
}

/// The first and the last episode that are wholly in sight, from 1; `None` if all are.
pub fn in_sight(
    rows: &Rows,
    scrolled: f64,
    height: f64,
    row_height: f64,
) -> Option<(usize, usize)> {
    // A pixel that is cut off by rounding hides nothing.
    let first = ((scrolled.max(0.0) - 1.0) / row_height).ceil().max(0.0) as usize;
    let end = ((scrolled.max(0.0) + height + 1.0) / row_height) as usize;
    let end = end.min(rows.rows.len());
    if first == 0 && end == rows.rows.len() {
        return None;
    }
    let mut episodes = rows.rows.get(first..end)?.iter().filter_map(|row| match row {
        WallLine::Episodes { start, len } => Some((start + 1, start + len)),
        WallLine::Head { .. } => None,
    });
    let (first, last) = episodes.next()?;
    Some((first, episodes.next_back().map_or(last, |(_, last)| last)))
}

/// The height of a wall in a window of this many CSS pixels: the last visible row is cut in half, which shows there are more.
pub fn filled(room: f64, row_height: f64) -> f64 {
    ((room / row_height - 0.5).floor().max(1.0) + 0.5) * row_height
}

/// The row to which the Tab key leads: that of the cursor, and the first in sight where that one is not drawn.
pub fn stop(cursor: usize, drawn: &Range<usize>, scrolled: f64, row_height: f64) -> usize {
    if drawn.contains(&cursor) {
        return cursor;
    }
    let in_sight = (scrolled.max(0.0) / row_height).ceil() as usize;
    in_sight.min(drawn.end.saturating_sub(1)).max(drawn.start)
}

#[cfg(test)]
mod tests {
    use super::super::arrange::Band;
    use super::*;

    fn arranged(bands: &[usize], titled: bool) -> Arranged {
        let mut start = 0;
        let bands: Vec<Band> = bands
            .iter()
            .map(|&len| {
                let band = Band {
                    title: titled.then(|| format!("from {start}")),
                    status: None,
                    start,
                    len,
                    note: String::new(),
                };
                start += len;
                band
            })
            .collect();
        Arranged { order: (0..start).collect(), bands }
    }

    #[test]
    fn rows_begin_anew_with_each_band() {
        let rows = Rows::of(&arranged(&[5, 1], true), 2).rows;
        assert_eq!(
            rows,
            [
                WallLine::Head { band: 0, start: 0 },
                WallLine::Episodes { start: 0, len: 2 },
                WallLine::Episodes { start: 2, len: 2 },
                WallLine::Episodes { start: 4, len: 1 },
                WallLine::Head { band: 1, start: 5 },
                WallLine::Episodes { start: 5, len: 1 },
            ]
        );
    }

    #[test]
    fn every_episode_is_found_in_its_row() {
        for titled in [true, false] {
            for columns in 1..=4 {
                let arranged = arranged(&[5, 1, 7], titled);
                let rows = Rows::of(&arranged, columns);
                for place in 0..13 {
                    let row = rows.row_of(place).expect("every place has a row");
                    let WallLine::Episodes { start, len } = rows.rows[row] else {
                        panic!("{place} stands in a heading")
                    };
                    assert!((start..start + len).contains(&place));
                }
                assert_eq!(rows.row_of(13), None);
            }
        }
    }

    #[test]
    fn steps_stay_on_the_wall() {
        let rows = Rows::of(&arranged(&[5, 1], true), 2);
        assert_eq!(rows.step(0, Step::Back), Some(0));
        assert_eq!(rows.step(0, Step::On), Some(1));
        assert_eq!(rows.step(1, Step::Down), Some(3));
        assert_eq!(rows.step(3, Step::Down), Some(4), "the shorter row");
        assert_eq!(rows.step(4, Step::Down), Some(5), "across a heading");
        assert_eq!(rows.step(5, Step::Down), Some(5));
        assert_eq!(rows.step(5, Step::Up), Some(4));
        assert_eq!(rows.step(1, Step::PageDown(10)), Some(5));
        assert_eq!(rows.step(5, Step::PageUp(2)), Some(2));
        assert_eq!(rows.step(99, Step::Back), Some(4), "what is gone counts as the last");
        assert_eq!(rows.step(0, Step::Last), Some(5));
        assert_eq!(rows.step(3, Step::First), Some(0));
        assert_eq!(Rows::default().step(0, Step::On), None);
    }

    #[test]
    fn the_tab_key_always_leads_to_a_row_that_is_drawn() {
        for (cursor, scrolled) in [(0, 0.0), (0, 64_000.0), (999, 0.0), (500, 31_990.0)] {
            let drawn = window(scrolled, 400.0, 64.0, 1_000);
            let row = stop(cursor, &drawn, scrolled, 64.0);
            assert!(drawn.contains(&row), "{cursor} {scrolled}: {row}");
            assert!(row == cursor || !drawn.contains(&cursor));
        }
        assert_eq!(stop(0, &window(6_400.0, 400.0, 64.0, 1_000), 6_400.0, 64.0), 100);
        assert_eq!(stop(3, &(0..0), 0.0, 64.0), 0, "there is none");
    }

    #[test]
    fn what_is_in_sight_is_counted() {
        let rows = Rows::of(&arranged(&[216], false), 1);
        let seen = |scrolled: f64| in_sight(&rows, scrolled, filled(420.0, 28.0), 28.0);
        assert_eq!(filled(420.0, 28.0), 14.5 * 28.0);
        assert_eq!(seen(0.0), Some((1, 14)));
        assert_eq!(seen(14.0), Some((2, 15)), "the first is cut");
        assert_eq!(seen(216.0 * 28.0 - 406.0), Some((203, 216)), "the end");
        assert_eq!(in_sight(&rows, 0.0, 216.0 * 28.0, 28.0), None, "all of them");
        let grouped = Rows::of(&arranged(&[5, 1, 7], true), 2);
        assert_eq!(in_sight(&grouped, 0.0, 40.0, 10.0), Some((1, 5)));
        assert_eq!(in_sight(&grouped, 40.0, 10.0, 10.0), None, "a heading alone");
        assert_eq!(in_sight(&Rows::default(), 0.0, 100.0, 10.0), None);
        assert_eq!(filled(3.0, 28.0), 42.0, "never less than a row");
    }

    #[test]
    fn what_is_in_sight_is_drawn_and_not_much_more() {
        let rows = 10_000;
        for scrolled in (0..240_000).step_by(977) {
            let scrolled = f64::from(scrolled);
            let drawn = window(scrolled, 720.0, 24.0, rows);
            let first = (scrolled / 24.0) as usize;
            let last = (((scrolled + 720.0) / 24.0) as usize).min(rows - 1);
            assert!(drawn.start <= first.min(rows - 1), "{scrolled}: {drawn:?}");
            assert!(drawn.end > last, "{scrolled}: {drawn:?} lacks {last}");
            assert!(drawn.len() <= 31 + 14, "{scrolled}: {drawn:?}");
        }
        assert_eq!(window(0.0, 720.0, 24.0, 5), 0..5);
        assert_eq!(window(500.0, 720.0, 24.0, 0), 0..0);
        assert_eq!(window(1e9, 720.0, 24.0, 100).end, 100, "beyond the end");
    }
}
