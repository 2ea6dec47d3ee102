//! From records to a file.

use serde_json::json;

use super::*;
use crate::Studio;
use crate::record::{At, Rejection, Stage};
use crate::settings::Unit;
use turnwise_core::benchmark::default_spec;
use turnwise_core::prelude::*;
use turnwise_core::testing::assert_has;
use turnwise_paraworld::task::{FactKind, Language};

fn pair(id: &str) -> EntityPair {
    let term = |name: &str| Term { name: name.to_owned(), aliases: vec![name[..3].to_owned()] };
    EntityPair {
        pair_id: id.to_owned(),
        domain: "Band".to_owned(),
        entities: [term("Ada Choir"), term("Bea Quartet")],
        seed: 77,
        pool_hash: Digest::of("pool"),
    }
}

fn record(id: &str, accepted: bool) -> Record {
    let mut record = Record::new(id.to_owned(), 2);
    record.question = serde_json::from_value(json!({
        "text": format!("Who of Ada Choir and Bea Quartet tours longer in 2028? ({id})"),
        "time_window": { "from": 2028, "to": 2028 },
    }))
    .unwrap();
    record.law = serde_json::from_str(include_str!("tests/law.json")).unwrap();
    if accepted {
        record.reached = Stage::Accepted;
    } else {
        record.rejected = Some(Rejection {
            stage: At::Audit1,
            reason: "contradiction".to_owned(),
            detail: String::new(),
        });
    }
    record
}

fn finished(id: &str, accepted: &[bool], repeat: u32) -> Finished {
    let number = |(number, accepted): (usize, &bool)| record(&format!("{id}-q{number}"), *accepted);
    Finished {
        made: Made {
            pair: pair(id),
            language: Language::En,
            questions: accepted.iter().enumerate().map(number).collect(),
        },
        repeat,
    }
}

#[test]
fn what_is_written_is_what_was_made() {
    let spec = default_spec(&Studio);
    let frozen = freeze("mine", &spec, &[finished("b", &[true, true], 1)], Unit::Pair).unwrap();
    let loaded = load(frozen.file.as_bytes()).unwrap();
    assert_eq!(loaded.worlds, frozen.worlds);
    assert_eq!(frozen.manifest.check(&loaded), Ok(()));
    let world = &loaded.worlds[1];
    assert_eq!((world.index, world.category.as_deref()), (Some(1), Some("Band")));
    assert_eq!(world.answer, "Ada Choir, by 9 days");
    assert_eq!(world.final_answer.as_deref(), Some("Ada Choir tours 9 days longer."));
    assert_eq!(world.question(), world.engine_question());
    // The order of facts is that of the law.
    assert_eq!(world.facts[1].value, "Cyd");
    let extra = world.extra.as_ref().unwrap();
    assert_eq!(extra.pair_id.as_deref(), Some("b"));
    let names: Vec<&str> = extra.entities.iter().map(|term| term.name.as_str()).collect();
    assert_eq!(names, ["Cyd", "Ada Choir", "Bea Quartet"]);
    assert_eq!(extra.entities[0].aliases, ["the guest"]);
    assert_eq!(extra.entities[1].aliases, ["Ada"]);
    assert_eq!(extra.facts[0].depends_on, ["Guest of Ada Choir in 2028"]);
    assert_eq!(extra.facts[2].kind, FactKind::Rule);
    assert_eq!(extra.generator["name"], GENERATOR);
    assert_has(
        &extra.generator,
        &json!({ "question_id": "b-q1", "level": 2, "questioner": "bot:builder", "pool": Digest::of("pool") }),
    );
}

#[test]
fn the_manifest_says_who_and_from_which_seeds() {
    let mut spec = default_spec(&Studio);
    spec.seed = 5;
    let frozen = freeze("mine", &spec, &[finished("b", &[true], 1)], Unit::Pair).unwrap();
    let manifest = &frozen.manifest;
    assert_eq!((manifest.dataset_id.as_str(), manifest.worlds), ("mine", 1));
    assert_eq!(manifest.models["auditor"], "bot:solver");
    assert_eq!(manifest.models.len(), 4);
    assert_eq!(manifest.seeds, [("pairs".to_owned(), 77), ("run".to_owned(), 5)].into());
}

#[test]
fn order_of_episodes_does_not_matter_and_repeats_are_pairs_of_their_own() {
    let spec = default_spec(&Studio);
    let (one, two, again) = (
        finished("a", &[true], 1),
        finished("b", &[true, false], 1),
        finished("b", &[true, true], 2),
    );
    let forth = freeze("x", &spec, &[one.clone(), two.clone(), again.clone()], Unit::Pair).unwrap();
    let back = freeze("x", &spec, &[again, two, one], Unit::Pair).unwrap();
    assert_eq!(forth.file, back.file);
    let pairs: Vec<_> = forth
        .worlds
        .iter()
        .map(|world| world.extra.as_ref().unwrap().pair_id.clone().unwrap())
        .collect();
    assert_eq!(pairs, ["a", "b-r2", "b-r2"]);
}

#[test]
fn nothing_left_is_an_error_that_says_why() {
    let spec = default_spec(&Studio);
    let all = [finished("a", &[true, false], 1), finished("b", &[false], 1)];
    let error = freeze("x", &spec, &all, Unit::Pair).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no question is left: 1 of 3 were accepted, and 0 of 2 pairs are whole"
    );
    assert_eq!(freeze("x", &spec, &all, Unit::Question).unwrap().worlds.len(), 1);
}

#[test]
fn a_record_that_was_changed_is_refused() {
    let spec = default_spec(&Studio);
    let mut torn = finished("a", &[true], 1);
    torn.made.questions[0].law = None;
    let error = freeze("x", &spec, &[torn], Unit::Pair).unwrap_err();
    assert!(matches!(error, Unfrozen::Unsound { .. }), "{error}");
    let mut blank = finished("a", &[true], 1);
    blank.made.questions[0].law.as_mut().unwrap().facts.clear();
    let error = freeze("x", &spec, &[blank], Unit::Pair).unwrap_err();
    assert!(error.to_string().contains("atomic_facts"), "{error}");
}
