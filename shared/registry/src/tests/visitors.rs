use crate::benchmark::default_spec;
use crate::examples::{QUESTIONS, example};
use crate::prelude::*;
use crate::visitors::*;
use crate::wire::Promise;

fn engine(name: &str, format: &str) -> EngineInfo {
    EngineInfo {
        name: name.to_owned(),
        format: format.to_owned(),
        promise: Promise::Stable,
        documents: None,
        corpus: None,
    }
}

#[test]
fn what_costs_nothing_needs_no_token() {
    let engines = [engine("local", "local"), engine("web", "brave")];
    let mut spec = default_spec(example(QUESTIONS));
    assert_eq!(needs_token(&spec, &engines, false), None, "it searches nowhere");
    spec.search = Some(SearchSpec { engine: "local".to_owned(), corpus: None, results: 5 });
    assert_eq!(needs_token(&spec, &engines, false), None);
    assert_eq!(needs_token(&spec, &engines, true), Some(Needs::Sealed));
    let before =
        spec.search.replace(SearchSpec { engine: "web".to_owned(), corpus: None, results: 5 });
    let web = Needs::Search("web".to_owned());
    assert_eq!(needs_token(&spec, &engines, false), Some(web));
    // An engine that is not there any more may have cost something.
    assert!(needs_token(&spec, &[], false).is_some());
    spec.search = before;
    let grader = Seat::new("grader");
    let sitting = spec.seats.get_mut(&grader).expect("a grader");
    sitting.player = "model:lab/m".parse().expect("a model");
    assert_eq!(needs_token(&spec, &engines, false), Some(Needs::Model(grader)));
}
