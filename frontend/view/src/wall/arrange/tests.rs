//! Which episodes a wall shows, in which order and groups.

use std::collections::BTreeSet;

use super::*;
use crate::testing::snapshot;
use turnwise_shared::metrics::summary::SeatUsage;
use turnwise_shared::screen::sample::summary;

fn ids(wall: &Wall, snapshot: &Snapshot) -> Vec<String> {
    arrange(wall, snapshot, None)
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
    let down = Wall { direction: Direction::Down, ..Wall::default() };
    assert_eq!(ids(&down, &sample()), ["10", "9", "2", "1"]);
}

#[test]
fn what_has_no_value_comes_last_from_either_end() {
    let by = |sort, direction| ids(&Wall { sort, direction, ..Wall::default() }, &sample());
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
    let wall = Wall { group: Some(By::Outcome), sort: By::Length, ..Wall::default() };
    let arranged = arrange(&wall, &sample(), None);
    let heads: Vec<_> = arranged
        .bands
        .iter()
        .map(|band| (band.title.as_deref().unwrap(), band.start, band.len))
        .collect();
    assert_eq!(heads, [("Correct", 0, 1), ("Wrong", 1, 2), ("Not graded", 3, 1)]);
    assert_eq!(arranged.bands[1].note, "2 episodes, mean 4.0 turns");
    assert_eq!(arranged.bands[1].status, Some(EpisodeStatus::Wrong));
    let by_domain = arrange(
        &Wall { group: Some(By::Label("domain".into())), ..Wall::default() },
        &sample(),
        None,
    );
    assert_eq!(by_domain.bands[2].title.as_deref(), Some("Without domain"));
    assert_eq!(by_domain.bands[1].note, "2 episodes, mean 2.5 turns, 1 correct, 1 not graded");
}

#[test]
fn filters_hold_together() {
    let filter = |filter| ids(&Wall { filter, ..Wall::default() }, &sample());
    let open = Filter::default;
    assert_eq!(filter(Filter { outcome: Some(EpisodeStatus::Wrong), ..open() }), ["2", "9"]);
    assert_eq!(
        filter(Filter {
            outcome: Some(EpisodeStatus::Wrong),
            fault: Some(FaultFilter::Any),
            ..open()
        }),
        ["2"]
    );
    assert_eq!(
        filter(Filter { fault: Some(FaultFilter::Class("other".into())), ..open() }),
        Vec::<String>::new()
    );
    assert_eq!(
        filter(Filter { labels: BTreeMap::from([("domain".into(), "Sports".into())]), ..open() }),
        ["1", "10"]
    );
    assert_eq!(filter(Filter { text: "SPORTS turn".into(), ..open() }), ["1", "10"]);
}

#[test]
fn an_empty_run_is_an_empty_wall() {
    let arranged = arrange(&Wall::default(), &Snapshot::default(), None);
    assert!(arranged.order.is_empty());
    assert_eq!(arranged.bands.len(), 1);
    let grouped = Wall { group: Some(By::Outcome), ..Wall::default() };
    assert!(arrange(&grouped, &Snapshot::default(), None).bands.is_empty());
}

#[test]
fn asks_tokens_and_endings_sort_and_group() {
    let mut all = vec![summary("1", "SA="), summary("2", "="), summary("3", "AAA=")];
    for (summary, (ending, tokens)) in
        all.iter_mut().zip([("answered", 50), ("skipped", 700), ("answered", 9)])
    {
        summary.ending = Some(ending.to_owned());
        let usage = SeatUsage { input: tokens, output: 1, ..SeatUsage::default() };
        summary.usage.insert("player".to_owned(), usage);
    }
    let all = snapshot(all);
    let by = |sort, direction| ids(&Wall { sort, direction, ..Wall::default() }, &all);
    assert_eq!(by(By::Asks, Direction::Up), ["2", "1", "3"]);
    assert_eq!(by(By::Tokens, Direction::Down), ["2", "1", "3"]);
    assert_eq!(by(By::Ending, Direction::Up), ["1", "3", "2"]);
    let titles = |group| {
        let wall = Wall { group: Some(group), ..Wall::default() };
        let arranged = arrange(&wall, &all, None);
        arranged.bands.into_iter().map(|band| band.title.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(titles(By::Asks), ["Never asks", "1 ask", "3 asks"]);
    assert_eq!(titles(By::Ending), ["answered", "skipped"]);
    assert_eq!(titles(By::Tokens), ["Up to 10 tokens", "Up to 100 tokens", "Up to 1,000 tokens"]);
}

#[test]
fn only_what_was_found_is_shown() {
    let all = sample();
    let found = BTreeSet::from([all.keys[1].clone()]);
    let wall = Wall::default();
    assert_eq!(arrange(&wall, &all, Some(&found)).order, [1]);
    assert_eq!(arrange(&wall, &all, Some(&BTreeSet::new())).order, [0; 0]);
}
