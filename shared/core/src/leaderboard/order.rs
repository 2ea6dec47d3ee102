//! The order of a board: places of runs, groups that cannot be told apart, ratings of who takes part.

use std::collections::{BTreeMap, BTreeSet};

use crate::evidence_tier::EvidenceTier;
use crate::key::RunId;
use crate::metrics::number::Cell;
use crate::metrics::places::{self, Known};
use crate::metrics::rating::{MOST, Won, ratings};
use crate::saturated;
use crate::seat::Player;
use crate::wire::boards::{BoardRow, Rated, Tie};
use crate::wire::publishing::Entry;

const PEOPLE: &str = "People are not rated: over several tables nobody knows who is who. What they won stands in their rows.";

const TOO_MANY: &str = "More than 200 players take part here; they are not rated together.";

/// Orders runs by the main number, best first, and says which places each can have. A run without the number has none and
/// stands last; one of a run that is not ranked stands in the order, and has no place.
pub(super) fn place(rows: &mut [BoardRow], listed: &BTreeSet<RunId>) {
    let value = |row: &BoardRow| row.cells.first().copied().flatten().map(|cell| cell.value);
    rows.sort_by(|one, other| match (value(one), value(other)) {
        (Some(left), Some(right)) => right
            .total_cmp(&left)
            .then_with(|| (one.published, &one.run).cmp(&(other.published, &other.run))),
        (left, right) => right.is_some().cmp(&left.is_some()),
    });
    let is_listed = |row: &BoardRow| row.run.as_ref().is_some_and(|run| listed.contains(run));
    let is_placed = |row: &BoardRow| !is_listed(row) && value(row).is_some();
    let placed: Vec<&BoardRow> = rows.iter().filter(|row| is_placed(row)).collect();
    let places = places::places(&numbers(&placed), variance(&placed));
    for (row, place) in rows.iter_mut().filter(|row| is_placed(row)).zip(places) {
        row.place = Some(place);
    }
}

/// Runs that are listed and not ranked.
pub(super) fn listed(entries: &[Entry]) -> BTreeSet<RunId> {
    let listed = entries.iter().filter(|entry| !is_ranked(entry.tier));
    listed.map(|entry| entry.run.clone()).collect()
}

/// Whether a run of this evidence tier is ranked with others: a run that rests on its submitter's word alone is listed, and moves
/// no other run's place.
fn is_ranked(tier: EvidenceTier) -> bool {
    !matches!(tier, EvidenceTier::SelfReported | EvidenceTier::Published)
}

/// The main numbers of rows, in their order.
fn numbers(rows: &[&BoardRow]) -> Vec<Known> {
    rows.iter()
        .filter_map(|row| row.cells.first().copied().flatten())
        .map(|cell| {
            // Units that agree by chance, as two tables of the same bots, prove nothing.
            let interval = cell.interval.filter(|(low, high)| low < high);
            Known::of(cell.value, interval)
        })
        .collect()
}

/// The variance of the difference of the main numbers of two rows, all of which have one. Rows of one run sat at one table:
/// what one of k wins others lose, so it is k / (k - 1) times that of numbers that do not depend on each other.
fn variance(rows: &[&BoardRow]) -> impl Fn(usize, usize) -> f64 {
    let numbers = numbers(rows);
    let mut sizes: BTreeMap<Option<&RunId>, f64> = BTreeMap::new();
    for row in rows {
        *sizes.entry(row.run.as_ref()).or_default() += 1.0;
    }
    let places: BTreeMap<_, _> = sizes.keys().enumerate().map(|(at, run)| (*run, at)).collect();
    let runs: Vec<(usize, f64)> =
        rows.iter().map(|row| (places[&row.run.as_ref()], sizes[&row.run.as_ref()])).collect();
    move |one, other| {
        let apart = places::independent(&numbers)(one, other);
        match (runs[one], runs[other]) {
            ((one, met), (other, _)) if one == other && met > 1.0 => apart * met / (met - 1.0),
            _ => apart,
        }
    }
}

/// Which of the best runs cannot be told apart, of rows that have their places.
pub(super) fn ties(rows: &[BoardRow]) -> Vec<Tie> {
    let placed: Vec<&BoardRow> = rows.iter().filter(|row| row.place.is_some()).collect();
    places::ties(&numbers(&placed), variance(&placed))
        .into_iter()
        .map(|group| Tie {
            places: group.iter().map(|at| saturated(at + 1)).collect(),
            names: group.iter().map(|at| placed[*at].name.clone()).collect(),
            runs: group
                .iter()
                .filter_map(|at| placed[*at].run.clone())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
        })
        .collect()
}

/// Participants over all runs that are ranked, best first; and the note where some or all of them have no rating.
pub(super) fn rated(entries: &[Entry]) -> (Vec<Rated>, Option<String>) {
    #[derive(Default)]
    struct Played<'a> {
        runs: BTreeSet<&'a RunId>,
        n: u32,
    }
    let mut players: BTreeMap<&str, (usize, Played<'_>)> = BTreeMap::new();
    let mut meetings = Vec::new();
    let mut remark = None;
    for entry in entries.iter().filter(|entry| is_ranked(entry.tier)) {
        let Some(ranking) = entry.numbers.rankings.first() else {
            continue;
        };
        let mut meeting = Vec::new();
        for row in &ranking.rows {
            if row.who.parse() == Ok(Player::Person) {
                remark = Some(PEOPLE.to_owned());
                continue;
            }
            let next = players.len();
            let (player, played) =
                players.entry(&row.who).or_insert_with(|| (next, Played::default()));
            played.runs.insert(&entry.run);
            played.n += row.n;
            if let (Some(value), Some(interval)) = (row.value, row.interval) {
                let error = Known::of(value, Some(interval)).error;
                meeting.push(Won { player: *player, value, error });
            }
        }
        meetings.push(meeting);
    }
    if players.len() > MOST {
        return (Vec::new(), Some(TOO_MANY.to_owned()));
    }
    let found = ratings(players.len(), &meetings);
    let mut rated: Vec<(usize, Option<Known>, Rated)> = players
        .into_iter()
        .map(|(who, (player, played))| {
            let rating = found.of(player);
            let row = Rated {
                name: who.parse().map_or_else(|_| who.to_owned(), |player| short(&player)),
                who: who.to_owned(),
                rating: rating.map(|rating| Cell::computed(rating.value, Some(rating.interval()))),
                runs: saturated(played.runs.len()),
                n: played.n,
                place: None,
            };
            (player, rating.map(|rating| rating.known()), row)
        })
        .collect();
    rated.sort_by(|(_, one, _), (_, other, _)| match (one, other) {
        (Some(one), Some(other)) => other.value.total_cmp(&one.value),
        (one, other) => other.is_some().cmp(&one.is_some()),
    });
    let numbers: Vec<Known> = rated.iter().map_while(|(_, known, _)| *known).collect();
    let places = places::places(&numbers, |one, other| {
        found.variance_of_difference(rated[one].0, rated[other].0)
    });
    let rows = rated.into_iter().enumerate().map(|(at, (.., mut row))| {
        row.place = places.get(at).copied();
        row
    });
    (rows.collect(), remark)
}

/// A player without its endpoint.
pub(super) fn short(player: &Player) -> String {
    match player {
        Player::Bot(name) => name.clone(),
        Player::Model { model, .. } => model.clone(),
        Player::Recording(_) => "tape".to_owned(),
        Player::Person => "person".to_owned(),
    }
}
