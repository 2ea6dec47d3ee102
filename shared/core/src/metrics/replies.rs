//! How often what a seat said was not what the protocol wanted: by seat and by class of fault, over the turns of a run. Where
//! several take part this tells whose trouble it is.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::metrics::report::{Column, Table, TableRow, Unit};
use crate::metrics::spread::ratio;
use crate::metrics::summary::Summary;

/// The most classes that have a column of their own; those that are rarer are in the sum alone.
const CLASSES: usize = 6;

/// The turns of one seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Turns {
    all: u32,
    faulted: u32,
    by_class: BTreeMap<String, u32>,
}

fn turns(episodes: &[&Summary]) -> BTreeMap<String, Turns> {
    let mut seats: BTreeMap<String, Turns> = BTreeMap::new();
    for cell in episodes.iter().flat_map(|summary| &summary.ribbon) {
        let seat = seats.entry(cell.seat.to_string()).or_default();
        seat.all += 1;
        if let Some(fault) = &cell.fault {
            seat.faulted += 1;
            *seat.by_class.entry(fault.clone()).or_default() += 1;
        }
    }
    seats
}

/// As a table, a row a seat in the order of numbers; `None` where nothing was wrong.
pub fn table(episodes: &[&Summary]) -> Option<Table> {
    let seats = turns(episodes);
    let mut sums: BTreeMap<&str, u32> = BTreeMap::new();
    for (class, count) in seats.values().flat_map(|seat| &seat.by_class) {
        *sums.entry(class).or_default() += count;
    }
    if sums.is_empty() {
        return None;
    }
    let mut classes: Vec<(&str, u32)> = sums.into_iter().collect();
    classes.sort_by_key(|(class, count)| (std::cmp::Reverse(*count), *class));
    let classes: Vec<&str> = classes.into_iter().take(CLASSES).map(|(class, _)| class).collect();
    let column = |label: String, about: &str| Column::new(label, Unit::Fraction, about);
    let mut columns = vec![column(
        "at fault".to_owned(),
        "Turns in which what was said was not what was wanted, whatever was made of it.",
    )];
    columns.extend(classes.iter().map(|class| column(class.replace('_', " "), "")));
    let names: BTreeSet<(u32, &String)> =
        seats.keys().map(|seat| (seat.parse().unwrap_or(0), seat)).collect();
    let rows = names.into_iter().map(|(_, name)| {
        let seat = &seats[name];
        let share = |count: u32| ratio(count, seat.all);
        let of_class = |class: &&str| share(seat.by_class.get(*class).copied().unwrap_or(0));
        let cells = std::iter::once(share(seat.faulted)).chain(classes.iter().map(of_class));
        TableRow::new(name, seat.all, cells)
    });
    let about = "Shares of the turns of each seat; n counts turns.";
    Some(Table::new("Faults by seat", about, "seat", columns, rows))
}

/// The same for programs: `{seat: {turns, faulted, by_class: {class: count}}}`.
pub fn record(episodes: &[&Summary]) -> Value {
    let seats: Map<String, Value> = turns(episodes)
        .into_iter()
        .map(|(seat, turns)| {
            let Turns { all, faulted, by_class } = turns;
            (seat, json!({ "turns": all, "faulted": faulted, "by_class": by_class }))
        })
        .collect();
    Value::Object(seats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::TurnKind;
    use crate::scene::Cell;
    use crate::seat::Seat;

    fn summary(turns: &[(&str, Option<&str>)]) -> Summary {
        let cell = |(seat, fault): &(&str, Option<&str>)| Cell {
            turn: 1,
            round: 1,
            seat: Seat::new(*seat),
            kind: TurnKind::Answer,
            tone: None,
            fault: fault.map(str::to_owned),
            sentence: String::new(),
        };
        Summary { ribbon: turns.iter().map(cell).collect(), ..Summary::bare() }
    }

    /// Seat 2: one of two turns; seat 10: one of one, in the order of numbers.
    #[test]
    fn faults_are_shares_of_a_seats_own_turns() {
        let one = summary(&[("10", Some("no_move")), ("2", None)]);
        let other = summary(&[("2", Some("two_moves")), ("1", None)]);
        let table = table(&[&one, &other]).expect("there are faults");
        let rows: Vec<_> =
            table.rows.iter().map(|row| (row.name.as_str(), row.n, row.cells.clone())).collect();
        let share = |all: f64, no: f64, two: f64| vec![Some(all), Some(no), Some(two)];
        assert_eq!(
            rows,
            [
                ("1", 1, share(0.0, 0.0, 0.0)),
                ("2", 2, share(0.5, 0.0, 0.5)),
                ("10", 1, share(1.0, 1.0, 0.0)),
            ]
        );
        assert_eq!(table.columns[1].label, "no move");
        assert_eq!(record(&[&one])["10"]["by_class"]["no_move"], 1);
        let sound = summary(&[("1", None)]);
        assert_eq!(super::table(&[&sound]), None);
    }
}
