//! Sweeps of sample tasks.

use crate::benchmark::default_spec;
use crate::examples::{QUESTIONS, example};
use crate::prelude::*;
use crate::spec::Subset;
use crate::sweep::*;
use serde_json::json;

fn spec(settings: serde_json::Value) -> Spec {
    let benchmark = example(QUESTIONS);
    Spec { settings, ..default_spec(benchmark) }
}

#[test]
fn every_task_is_played_at_every_value() {
    let set = example(QUESTIONS).samples();
    let spec = Spec {
        subset: Subset { first: Some(2), ..Subset::default() },
        ..spec(json!({ "mode": "full", "rounds": [5, 10, 20] }))
    };
    let placed = tasks(super::of(&spec), &spec, &set).unwrap();
    assert_eq!(placed.len(), 6);
    let first = &set.tasks[0];
    assert_eq!(placed[1].id.0, format!("{}-k10", first.id));
    assert_eq!(placed[1].labels["rounds"], "10");
    assert_eq!((placed[1].digest, &placed[1].fields), (first.digest, &first.fields));
    for one in &placed {
        assert_eq!(task(super::of(&spec), &spec, &set, &one.id).as_deref(), Some(one));
    }
    assert_eq!(
        task(super::of(&spec), &spec, &set, &first.id),
        None,
        "no episode of a sweep is called so"
    );
}

#[test]
fn without_a_list_nothing_is_placed() {
    let set = example(QUESTIONS).samples();
    let spec = spec(json!({ "mode": "full", "rounds": 5 }));
    assert_eq!(tasks(super::of(&spec), &spec, &set).unwrap(), set.tasks);
    let id = &set.tasks[0].id;
    assert_eq!(task(super::of(&spec), &spec, &set, id).as_deref(), Some(&set.tasks[0]));
}

#[test]
fn ids_that_would_meet_are_refused() {
    let mut set = example(QUESTIONS).samples();
    set.tasks.truncate(2);
    set.tasks[1].id = set.tasks[0].id.clone();
    let spec = spec(json!({ "mode": "full", "rounds": [5, 10] }));
    assert_eq!(tasks(super::of(&spec), &spec, &set).unwrap_err().field, "settings.rounds");
}
