//! A view of a board as a table of comma-separated values: all rows that pass, all columns, unrounded. Fractions are 0 to 1.

use crate::exchange::csv::{Cell as Text, lines_of};
use crate::wire::boards::{Board, BoardRow};

/// Columns that every board has, before its numbers.
const BEFORE: [&str; 12] = [
    "place_from",
    "place_to",
    "name",
    "who",
    "standing",
    "run",
    "seat",
    "n",
    "owner",
    "owner_opened",
    "owner_published",
    "published_ms",
];

/// The table; notes stand in the last column, in full.
pub(super) fn table(board: &Board, rows: &[&BoardRow]) -> String {
    let mut head: Vec<Text> = BEFORE.map(plain).to_vec();
    for column in &board.columns {
        for name in
            [column.key.clone(), format!("{}_low", column.key), format!("{}_high", column.key)]
        {
            head.push(Text::Plain(name));
        }
    }
    head.extend(["source", "notes"].map(plain));
    let lines = rows.iter().map(|row| line(board, row));
    lines_of(std::iter::once(head).chain(lines))
}

fn line(board: &Board, row: &BoardRow) -> Vec<Text> {
    let number = |number: Option<f64>| {
        Text::Plain(number.map_or_else(String::new, |number| number.to_string()))
    };
    let whole = |number: Option<u64>| {
        Text::Plain(number.map_or_else(String::new, |number| number.to_string()))
    };
    let (from, to) = row.place.unzip();
    let text = |text: Option<String>| Text::Text(text.unwrap_or_default());
    let mut cells = vec![
        whole(from.map(u64::from)),
        whole(to.map(u64::from)),
        text(Some(row.name.clone())),
        text(Some(row.who.clone())),
        plain(row.tier.name()),
        text(row.run.as_ref().map(ToString::to_string)),
        text(row.seat.as_ref().map(ToString::to_string)),
        whole(row.n.map(u64::from)),
        text(row.owner.map(|owned| owned.owner.to_string())),
        whole(row.owner.map(|owned| owned.opened.into())),
        whole(row.owner.map(|owned| owned.published.into())),
        whole(row.published),
    ];
    for cell in &row.cells {
        let (low, high) = cell.and_then(|cell| cell.interval).unzip();
        cells.extend([number(cell.map(|cell| cell.value)), number(low), number(high)]);
    }
    let notes: Vec<&str> = row
        .notes
        .iter()
        .filter_map(|at| board.notes.get(usize::try_from(*at).ok()?))
        .map(String::as_str)
        .collect();
    cells.extend([text(row.source.clone()), text(Some(notes.join(" ")))]);
    cells
}

fn plain(text: &str) -> Text {
    Text::Plain(text.to_owned())
}
