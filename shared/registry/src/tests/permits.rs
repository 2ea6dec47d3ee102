use crate::benchmark::default_spec;
use crate::examples::{QUESTIONS, example};
use crate::prelude::*;
use crate::run::limits;
use crate::scheduler::Limits;
use std::collections::BTreeMap;

#[test]
fn a_seat_can_have_permits_of_its_own() {
    let benchmark = example(QUESTIONS);
    let spec = default_spec(benchmark);
    assert_eq!(limits(benchmark, &spec, 8, &BTreeMap::new()), Limits::new(8));
    let own = BTreeMap::from([(Seat::new("grader"), 2)]);
    let some = limits(benchmark, &spec, 8, &own);
    assert_eq!((some.in_flight, some.lanes["grader"]), (8, 2));
}
