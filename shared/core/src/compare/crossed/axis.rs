//! What the rows and the columns of a grid are, from where the specs of its runs differ.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::benchmark::Benchmark;
use crate::compare::{Differs, differs};
use crate::screen::natural::natural;
use crate::seat::Seat;
use crate::spec::Spec;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Axis {
    /// What tells them apart, e.g. `judge and grader`; empty where there is one alone.
    pub by: String,
    /// What they are called, in natural order.
    pub names: Vec<String>,
    #[serde(skip)]
    pub of: Vec<usize>,
}

/// Rows and columns: by the player, else by the first part in which the runs differ, and by everything that this does not settle.
pub(super) fn axes(benchmark: &dyn Benchmark, seat: &Seat, specs: &[&Spec]) -> (Axis, Axis) {
    let own = format!("seats.{seat}.");
    let mut parts = differs(benchmark, specs);
    parts.sort_by_key(|one| match one.part.split('.').collect::<Vec<_>>().as_slice() {
        _ if one.part.starts_with(&own) => 0,
        ["seats", _, "player"] => 1,
        ["search", "engine"] => 2,
        ["settings", ..] => 3,
        _ => 4,
    });
    let first = parts.first().map_or(String::new(), |one| one.part.clone());
    let is_first = |one: &&Differs| one.part == first || one.part.starts_with(&own);
    let (mut rows, others): (Vec<&Differs>, Vec<&Differs>) = parts.iter().partition(is_first);
    let count = groups(&rows, specs.len());
    let (along, columns) = others.into_iter().partition::<Vec<&Differs>, _>(|one| {
        groups(&[rows.as_slice(), &[*one]].concat(), specs.len()) == count
    });
    rows.extend(along);
    (axis(benchmark, &rows, specs.len()), axis(benchmark, &columns, specs.len()))
}

/// What a run has in these parts.
fn key<'a>(parts: &[&'a Differs], run: usize) -> Vec<Option<&'a str>> {
    parts.iter().map(|part| part.values[run].as_deref()).collect()
}

/// How many groups of runs these parts make.
fn groups(parts: &[&Differs], runs: usize) -> usize {
    (0..runs).map(|run| key(parts, run)).collect::<BTreeSet<_>>().len()
}

fn axis(benchmark: &dyn Benchmark, parts: &[&Differs], runs: usize) -> Axis {
    // The fewest parts that tell them apart; a hash says nothing to a reader.
    let mut telling: Vec<&Differs> = Vec::new();
    for part in parts.iter().filter(|part| !part.part.ends_with("digest")) {
        if groups(&[telling.as_slice(), &[*part]].concat(), runs) > groups(&telling, runs) {
            telling.push(part);
        }
    }
    let mut found: Vec<(String, Vec<Option<&str>>)> = Vec::new();
    for run in 0..runs {
        let key = key(parts, run);
        if found.iter().all(|(_, known)| *known != key) {
            let names: Vec<String> =
                telling.iter().map(|part| name(benchmark, part, run)).collect();
            found.push((if names.is_empty() { "all".to_owned() } else { names.join(", ") }, key));
        }
    }
    found.sort_by(|(one, _), (other, _)| natural(one, other));
    let place = |run| found.iter().position(|(_, known)| *known == key(parts, run));
    let of = (0..runs).filter_map(place).collect();
    // Seats in which the same players change together have one name each.
    let alike = |one: &&&Differs| telling.iter().any(|part| part.values == one.values);
    let by = parts.iter().filter(alike).map(|part| match part.part.split('.').nth(1) {
        Some(seat) if part.part.starts_with("seats.") => seat.to_owned(),
        _ => part.label.to_lowercase(),
    });
    let by = by.collect::<Vec<_>>().join(" and ");
    Axis { by, names: found.into_iter().map(|(name, _)| name).collect(), of }
}

/// What a part is in a run; of a seat or an engine who it is.
fn name(benchmark: &dyn Benchmark, part: &Differs, run: usize) -> String {
    match &part.values[run] {
        Some(value) if part.part.ends_with(".player") || part.part == "search.engine" => {
            value.clone()
        }
        _ => part.called(benchmark, run),
    }
}
