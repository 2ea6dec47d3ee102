//! What is reported of seats that could not be read: the same words for every benchmark and every seat that answers others.

use std::collections::{BTreeMap, BTreeSet};

use crate::benchmark::default_spec;
use crate::metrics::number::counted;
use crate::prelude::*;
use crate::run::Action;
use crate::testing;

/// A spec over the samples with a model in one seat; `None` if it does not go with these settings.
fn spec(benchmark: &dyn Benchmark, settings: &serde_json::Value, seat: &str) -> Option<Spec> {
    let samples = benchmark.samples();
    let mut spec = default_spec(benchmark);
    spec.profile = Profile::Strict;
    spec.settings = settings.clone();
    spec.tasks = Named { name: samples.name.clone(), digest: samples.digest };
    spec.search = Some(SearchSpec { engine: "made up".into(), corpus: None, results: 5 });
    spec.subset.first = Some(3);
    spec.budget = benchmark.default_budget(&spec);
    spec.seats.get_mut(&Seat::new(seat))?.player = "model:lab/m".parse().expect("a player");
    benchmark.check_spec(&spec).is_ok().then_some(spec)
}

/// Plays a run in which every model says this.
fn play(benchmark: &'static dyn Benchmark, spec: &Spec, says: &str) -> Vec<Summary> {
    let ingredients = testing::ingredients(benchmark, spec.clone());
    let mut run = Run::new(ingredients).expect("the spec can be run");
    let (mut open, mut summaries) = (Vec::new(), BTreeMap::new());
    loop {
        match run.poll() {
            Action::Call { ticket, request } => {
                let reply = match request {
                    Outgoing::Search { .. } => Reply::found(vec![Hit {
                        title: Some("A page".to_owned()),
                        snippet: None,
                        url: None,
                    }]),
                    Outgoing::Use(tool) => Reply::Made(testing::made(&tool)),
                    _ => Reply::Said(Said::text(says)),
                };
                open.push((ticket, reply));
            }
            Action::Ended { episode, summary, .. } => {
                summaries.insert(episode.to_string(), *summary);
            }
            Action::Wait => {
                let (ticket, reply) = open.pop().expect("a run that waits has an open call");
                run.tell(&ticket, reply).expect("the reply fits");
            }
            Action::Over => return summaries.into_values().collect(),
            _ => {}
        }
    }
}

#[test]
fn every_seat_that_answers_others_is_told_of_in_the_same_words() {
    let mut told = BTreeSet::new();
    let benchmarks = BENCHMARKS.iter().copied().filter(|one| one.reads_tasks());
    for benchmark in benchmarks {
        let trials = benchmark.trials().into_iter();
        for (_, settings) in trials.filter(|(profile, _)| *profile == Profile::Strict) {
            for info in benchmark.seats().iter().skip(1) {
                let Some(spec) = spec(benchmark, &settings, info.seat) else {
                    continue;
                };
                let summaries = play(benchmark, &spec, "That is hard to say.");
                let plays: Vec<&Summary> = summaries.iter().collect();
                let report = benchmark.report(&spec, &plays, &Default::default());
                let heard = plays.iter().filter_map(|one| one.heard.get(info.seat));
                let (asked, unread) =
                    heard.fold((0, 0), |sum, one| (sum.0 + one.asked, sum.1 + one.unread));
                assert_eq!(asked, unread, "{} {}", benchmark.name(), info.seat);
                if asked == 0 {
                    continue;
                }
                let sentence = format!(
                    "The {} could not be read on {unread} of the {} that it was asked, also when asked again.",
                    info.seat,
                    counted(asked, "question", "questions")
                );
                assert!(report.remarks.contains(&sentence), "{sentence} {:?}", report.remarks);
                told.insert((benchmark.name(), info.seat));
                // Unknown verdicts are counted for shares only.
                if benchmark.facts().compared_by.unit != Unit::Fraction
                    || !benchmark.grading_seats().contains(&info.seat)
                    || plays.iter().all(|one| one.score.is_some())
                {
                    continue;
                }
                let main = report.headline.iter().find(|one| one.unit == Unit::Fraction);
                let known = main.and_then(|one| one.known).expect("some have no verdict");
                assert!(known.graded < known.of && known.bounds.0 < known.bounds.1);
                assert!(report.remarks[0].contains("have no score"), "{:?}", report.remarks);
            }
        }
    }
    assert!(told.len() >= 6, "{told:?}");
}
