//! Every row has columns that exist, a source, and what was found about it.

use std::collections::BTreeSet;

use crate::benchmark::default_spec;
use crate::board::published::*;
use crate::prelude::*;

fn named() -> Vec<(&'static dyn Benchmark, Condition)> {
    let of = |benchmark: &&'static dyn Benchmark| {
        let published = benchmark.boards().map(|boards| (boards.published)());
        let benchmark = *benchmark;
        let published = published.unwrap_or_default().into_iter();
        published.map(move |condition| (benchmark, condition))
    };
    BENCHMARKS.iter().flat_map(of).collect()
}

/// What papers printed under all conditions.
pub(super) fn conditions() -> Vec<Condition> {
    named().into_iter().map(|(_, condition)| condition).collect()
}

#[test]
fn every_number_has_its_column_and_every_row_its_source() {
    let mut names = BTreeSet::new();
    for (benchmark, condition) in named() {
        assert!(names.insert(condition.name.clone()), "{}", condition.name);
        let id = BoardId::Paper(condition.name.clone());
        assert_eq!(id.to_string().parse(), Ok(id));
        let boards = benchmark.boards().unwrap();
        let paper = boards.paper.expect("what is printed is cited");
        assert!(paper.address.starts_with("https://") && !paper.title.is_empty());
        assert!(paper.year > 2000 && !paper.authors.is_empty());
        let keys: Vec<&str> = boards.columns.iter().map(|column| column.key).collect();
        let has = |key: &&&str| condition.rows.iter().any(|row| row.cells.contains_key(**key));
        let main = keys.iter().find(has).expect("a table has a number of its boards");
        for row in &condition.rows {
            assert!(row.cells.contains_key(main), "{} {}", condition.name, row.name);
            // A row is found in the paper by its source.
            assert!(row.source.starts_with(char::is_uppercase), "{}", row.source);
            for (key, cell) in &row.cells {
                assert!(keys.contains(key), "{key}");
                let (low, high) = cell.interval.unwrap_or((cell.value, cell.value));
                assert!(low <= cell.value && cell.value <= high, "{} {key}", row.name);
            }
        }
        let rows: BTreeSet<&str> = condition.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(rows.len(), condition.rows.len(), "{}", condition.name);
    }
    assert!(!names.is_empty());
}

/// One run over fifty questions says less than three over 210: they are not ordered together.
#[test]
fn rows_of_a_condition_are_over_about_as_many_questions() {
    for condition in conditions() {
        let counts = || condition.rows.iter().filter_map(|row| row.n);
        let (least, most) = (counts().min(), counts().max());
        assert!(most <= least.map(|n| n * 2), "{}", condition.name);
    }
}

/// A run with the settings of a benchmark's default stands beside rows of its own paper or beside none.
#[test]
fn a_spec_stands_beside_a_condition_of_its_own_benchmark() {
    let mut beside = 0;
    for benchmark in BENCHMARKS {
        let Some(boards) = benchmark.boards() else {
            continue;
        };
        let Some(name) = (boards.beside)(&default_spec(*benchmark)) else {
            continue;
        };
        let mut own = (boards.published)().into_iter();
        assert!(own.any(|condition| condition.name == name), "{name}");
        beside += 1;
    }
    assert!(beside > 0);
}
