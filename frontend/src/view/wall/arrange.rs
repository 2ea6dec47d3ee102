//! Filter, sort, group.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use turnwise_shared::metrics::summary::Summary;

use super::{By, Direction, FaultFilter, Filter, Wall};
use crate::view::number;
use crate::view::snapshot::{Snapshot, first_ask, length};
use crate::view::standing::Standing;

/// What a wall shows, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arranged {
    /// Places in the snapshot, in the order shown.
    pub order: Vec<usize>,
    /// The groups, in order; one without a title where nothing is grouped. Together they cover `order`.
    pub bands: Vec<Band>,
}

/// A group of a wall.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// Its heading; `None` where nothing is grouped.
    pub title: Option<String>,
    /// The standing that all of it shares, if it is grouped by that.
    pub standing: Option<Standing>,
    /// Where it begins in [`Arranged::order`].
    pub start: usize,
    /// How many episodes it has.
    pub len: usize,
    /// What else to say, e.g. `131 episodes, mean 5.8 turns`.
    pub note: String,
}

/// Filters, sorts and groups a run's episodes.
pub fn arrange(wall: &Wall, snapshot: &Snapshot) -> Arranged {
    let words: Vec<String> = wall
        .filter
        .text
        .split_whitespace()
        .map(str::to_lowercase)
        .collect();
    let mut order: Vec<usize> = (0..snapshot.len())
        .filter(|&place| passes(&wall.filter, &words, snapshot, place))
        .collect();
    order.sort_by(|&a, &b| {
        let grouped = match &wall.group {
            Some(group) => compare(group, Direction::Up, snapshot, a, b),
            None => Ordering::Equal,
        };
        grouped
            .then_with(|| compare(&wall.sort, wall.direction, snapshot, a, b))
            .then_with(|| compare(&By::Task, Direction::Up, snapshot, a, b))
            .then_with(|| {
                snapshot.summaries[a]
                    .repeat
                    .cmp(&snapshot.summaries[b].repeat)
            })
    });
    let bands = bands(wall.group.as_ref(), snapshot, &order);
    Arranged { order, bands }
}

fn passes(filter: &Filter, words: &[String], snapshot: &Snapshot, place: usize) -> bool {
    let summary = &snapshot.summaries[place];
    filter
        .outcome
        .is_none_or(|outcome| outcome == snapshot.standings[place])
        && filter
            .labels
            .iter()
            .all(|(label, value)| summary.task.labels.get(label) == Some(value))
        && match &filter.fault {
            None => true,
            Some(FaultFilter::Any) => !summary.faults.is_empty(),
            Some(FaultFilter::Class(class)) => summary.faults.contains_key(class),
        }
        && (words.is_empty() || {
            let text = searched(summary);
            words.iter().all(|word| text.contains(word.as_str()))
        })
}

/// What the words of a filter are looked for in.
fn searched(summary: &Summary) -> String {
    let mut text = summary.task.id.0.to_lowercase();
    let sentences = summary.ribbon.iter().map(|cell| &cell.sentence);
    let named = summary.flags.keys().chain(summary.faults.keys());
    let said = [&summary.measured.answer, &summary.ending];
    for part in summary
        .task
        .labels
        .values()
        .chain(sentences)
        .chain(named)
        .chain(said.into_iter().flatten())
    {
        text.push('\n');
        text.push_str(&part.to_lowercase());
    }
    text
}

/// Two places of a snapshot by one property. What has no value comes last from either end.
fn compare(by: &By, direction: Direction, snapshot: &Snapshot, a: usize, b: usize) -> Ordering {
    let (one, other) = (&snapshot.summaries[a], &snapshot.summaries[b]);
    let turn = |ordering: Ordering| match direction {
        Direction::Up => ordering,
        Direction::Down => ordering.reverse(),
    };
    match by {
        By::Task => turn(natural(&one.task.id.0, &other.task.id.0)),
        By::Outcome => turn(snapshot.standings[a].cmp(&snapshot.standings[b])),
        By::Length => turn(length(one).cmp(&length(other))),
        By::FirstAsk => last_if_none(first_ask(one), first_ask(other), turn),
        By::Label(label) => last_if_none(
            one.task.labels.get(label),
            other.task.labels.get(label),
            turn,
        ),
    }
}

fn last_if_none<T: Ord>(
    one: Option<T>,
    other: Option<T>,
    turn: impl Fn(Ordering) -> Ordering,
) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => turn(one.cmp(&other)),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

/// Texts as people sort them: runs of digits by their value.
pub fn natural(one: &str, other: &str) -> Ordering {
    let (mut one_rest, mut other_rest) = (one, other);
    loop {
        let (a, b) = (chunk(one_rest), chunk(other_rest));
        match (a.is_empty(), b.is_empty()) {
            (true, true) => return one.cmp(other),
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        let ordering = if is_digits(a) && is_digits(b) {
            let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
            a.len().cmp(&b.len()).then_with(|| a.cmp(b))
        } else {
            a.cmp(b)
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
        one_rest = &one_rest[a.len()..];
        other_rest = &other_rest[b.len()..];
    }
}

/// The first run of digits or of other signs.
fn chunk(text: &str) -> &str {
    let digits = text.starts_with(|sign: char| sign.is_ascii_digit());
    let end = text
        .find(|sign: char| sign.is_ascii_digit() != digits)
        .unwrap_or(text.len());
    &text[..end]
}

fn is_digits(text: &str) -> bool {
    text.starts_with(|sign: char| sign.is_ascii_digit())
}

fn bands(group: Option<&By>, snapshot: &Snapshot, order: &[usize]) -> Vec<Band> {
    let Some(by) = group else {
        return vec![Band {
            title: None,
            standing: None,
            start: 0,
            len: order.len(),
            note: String::new(),
        }];
    };
    let mut bands: Vec<Band> = Vec::new();
    for (start, &place) in order.iter().enumerate() {
        let title = title(by, snapshot, place);
        match bands.last_mut() {
            Some(band) if band.title.as_deref() == Some(&title) => band.len += 1,
            _ => bands.push(Band {
                title: Some(title),
                standing: matches!(by, By::Outcome).then(|| snapshot.standings[place]),
                start,
                len: 1,
                note: String::new(),
            }),
        }
    }
    for band in &mut bands {
        band.note = note(by, snapshot, &order[band.start..band.start + band.len]);
    }
    bands
}

fn title(by: &By, snapshot: &Snapshot, place: usize) -> String {
    let summary = &snapshot.summaries[place];
    match by {
        By::Task => format!("Task {}", summary.task.id),
        By::Outcome => snapshot.standings[place].title().to_owned(),
        By::Length => number::counted(length(summary) as u64, "turn", "turns"),
        By::FirstAsk => match first_ask(summary) {
            Some(turn) => format!("First asks in turn {turn}"),
            None => "Never asks".to_owned(),
        },
        By::Label(label) => match summary.task.labels.get(label) {
            Some(value) => value.clone(),
            None => format!("Without {label}"),
        },
    }
}

fn note(by: &By, snapshot: &Snapshot, places: &[usize]) -> String {
    let mut note = number::counted(places.len() as u64, "episode", "episodes");
    if !matches!(by, By::Length) {
        let turns: usize = places
            .iter()
            .map(|&place| length(&snapshot.summaries[place]))
            .sum();
        note.push_str(&format!(
            ", mean {} turns",
            number::fixed(turns as f64 / places.len() as f64, 1)
        ));
    }
    if !matches!(by, By::Outcome) {
        let mut standings: BTreeMap<Standing, usize> = BTreeMap::new();
        for &place in places {
            *standings.entry(snapshot.standings[place]).or_default() += 1;
        }
        for (standing, count) in standings {
            note.push_str(&format!(", {count} {}", standing.title().to_lowercase()));
        }
    }
    note
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::snapshot::tests::{snapshot, summary};

    fn ids(wall: &Wall, snapshot: &Snapshot) -> Vec<String> {
        arrange(wall, snapshot)
            .order
            .iter()
            .map(|&place| snapshot.summaries[place].task.id.0.clone())
            .collect()
    }

    fn sample() -> Snapshot {
        let with = |id: &str, ribbon: &str, score: Option<f64>, domain: Option<&str>| {
            let mut summary = summary(id, ribbon);
            summary.score = score;
            if let Some(domain) = domain {
                summary.task.labels.insert("domain".into(), domain.into());
            }
            summary
        };
        snapshot(vec![
            with("10", "SA=", Some(1.0), Some("Sports")),
            with("9", "SSSA=", Some(0.0), Some("Law")),
            with("2", "S?=", Some(0.0), None),
            with("1", "A=", None, Some("Sports")),
        ])
    }

    #[test]
    fn tasks_are_sorted_as_people_count() {
        assert_eq!(ids(&Wall::default(), &sample()), ["1", "2", "9", "10"]);
        let down = Wall {
            direction: Direction::Down,
            ..Wall::default()
        };
        assert_eq!(ids(&down, &sample()), ["10", "9", "2", "1"]);
        assert_eq!(natural("a2b", "a10b"), Ordering::Less);
        assert_eq!(natural("a", "a1"), Ordering::Less);
        assert_eq!(
            natural("x01", "x1"),
            "x01".cmp("x1"),
            "equal values by their text"
        );
        assert_eq!(natural("问题9", "问题10"), Ordering::Less);
    }

    #[test]
    fn what_has_no_value_comes_last_from_either_end() {
        let by = |sort, direction| {
            ids(
                &Wall {
                    sort,
                    direction,
                    ..Wall::default()
                },
                &sample(),
            )
        };
        assert_eq!(by(By::FirstAsk, Direction::Up), ["1", "10", "9", "2"]);
        assert_eq!(by(By::FirstAsk, Direction::Down), ["9", "10", "1", "2"]);
        let domain = By::Label("domain".into());
        assert_eq!(by(domain.clone(), Direction::Up), ["9", "1", "10", "2"]);
        assert_eq!(by(domain, Direction::Down), ["1", "10", "9", "2"]);
        assert_eq!(by(By::Length, Direction::Up), ["1", "2", "10", "9"]);
        assert_eq!(by(By::Outcome, Direction::Up), ["10", "2", "9", "1"]);
    }

    #[test]
    fn groups_cover_everything_and_say_what_they_hold() {
        let wall = Wall {
            group: Some(By::Outcome),
            sort: By::Length,
            ..Wall::default()
        };
        let arranged = arrange(&wall, &sample());
        let heads: Vec<_> = arranged
            .bands
            .iter()
            .map(|band| (band.title.as_deref().unwrap(), band.start, band.len))
            .collect();
        assert_eq!(
            heads,
            [("Correct", 0, 1), ("Wrong", 1, 2), ("Not graded", 3, 1)]
        );
        assert_eq!(arranged.bands[1].note, "2 episodes, mean 4.0 turns");
        assert_eq!(arranged.bands[1].standing, Some(Standing::Wrong));
        let by_domain = arrange(
            &Wall {
                group: Some(By::Label("domain".into())),
                ..Wall::default()
            },
            &sample(),
        );
        assert_eq!(by_domain.bands[2].title.as_deref(), Some("Without domain"));
        assert_eq!(
            by_domain.bands[1].note,
            "2 episodes, mean 2.5 turns, 1 correct, 1 not graded"
        );
    }

    #[test]
    fn filters_hold_together() {
        let filter = |filter| {
            ids(
                &Wall {
                    filter,
                    ..Wall::default()
                },
                &sample(),
            )
        };
        let open = Filter::default;
        assert_eq!(
            filter(Filter {
                outcome: Some(Standing::Wrong),
                ..open()
            }),
            ["2", "9"]
        );
        assert_eq!(
            filter(Filter {
                outcome: Some(Standing::Wrong),
                fault: Some(FaultFilter::Any),
                ..open()
            }),
            ["2"]
        );
        assert_eq!(
            filter(Filter {
                fault: Some(FaultFilter::Class("other".into())),
                ..open()
            }),
            Vec::<String>::new()
        );
        assert_eq!(
            filter(Filter {
                labels: BTreeMap::from([("domain".into(), "Sports".into())]),
                ..open()
            }),
            ["1", "10"]
        );
        assert_eq!(
            filter(Filter {
                text: "SPORTS turn".into(),
                ..open()
            }),
            ["1", "10"]
        );
    }

    #[test]
    fn an_empty_run_is_an_empty_wall() {
        let arranged = arrange(&Wall::default(), &Snapshot::default());
        assert!(arranged.order.is_empty());
        assert_eq!(arranged.bands.len(), 1);
        let grouped = Wall {
            group: Some(By::Outcome),
            ..Wall::default()
        };
        assert!(arrange(&grouped, &Snapshot::default()).bands.is_empty());
    }
}
