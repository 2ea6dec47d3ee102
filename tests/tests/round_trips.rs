//! What is exported and comes back has the same numbers, whatever was said and counted: for every benchmark, every reading of it and
//! every format that is read here, too.

use std::collections::BTreeMap;

use proptest::prelude::*;
use turnwise_shared::benchmark::given::Texts;
use turnwise_shared::exchange::bundle;
use turnwise_shared::exchange::inspect::read::Log;
use turnwise_shared::exchange::inspect::{import, own};
use turnwise_shared::metrics::summary::SeatUsage;
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Departure;
use turnwise_shared::registry;
use turnwise_shared::share::{self, SharedEpisode};
use turnwise_shared::transcript::{self, SaltKey, Writer};
use turnwise_tests::{file, spec};

use crate::exchange::Run;
use crate::properties::{Told, reply, told};

/// What a service says of a reply besides its text.
#[derive(Debug, Clone)]
struct Account {
    usage: Usage,
    stop: Stop,
    departs: bool,
}

fn account() -> impl Strategy<Value = Account> {
    let counts = (
        proptest::option::of(3..1_000_000_u64),
        proptest::option::of(1..1_000_000_u64),
        proptest::option::of(0..2_u64),
        proptest::option::of(0..2_u64),
        proptest::option::of(0..2_u64),
    );
    let usage = counts.prop_map(|(input, output, cached, written, reasoning)| Usage {
        input,
        output,
        cached: cached.filter(|_| input.is_some()),
        cache_written: written.filter(|_| input.is_some()),
        reasoning: reasoning.filter(|_| output.is_some()),
        ..Usage::default()
    });
    let stop = proptest::sample::select(vec![
        Stop::End,
        Stop::Length,
        Stop::Filtered,
        Stop::Refused,
        Stop::Other,
    ]);
    (usage, stop, any::<bool>()).prop_map(|(usage, stop, departs)| Account { usage, stop, departs })
}

/// Two episodes of any benchmark in any reading, in which anything is said.
fn run() -> impl Strategy<Value = Run> {
    let told = proptest::collection::vec((told(), account()), 1..30);
    (any::<prop::sample::Index>(), told).prop_map(|(which, told)| {
        let all: Vec<_> = BENCHMARKS
            .iter()
            .flat_map(|benchmark| benchmark.trials().into_iter().map(move |it| (*benchmark, it)))
            .collect();
        let (benchmark, (profile, settings)) = which.get(&all).clone();
        let mut spec = spec(benchmark, profile, settings);
        spec.budget.calls = 40;
        let mut next = told.iter().cycle();
        Run::answered(benchmark, spec, 2, Clone::clone, move |_, _, _, effect| {
            let (told, account): &(Told, Account) = next.next().expect("it goes round");
            let mut reply = reply(effect, told);
            if let Reply::Said(said) = &mut reply {
                said.usage = account.usage.clone();
                said.stop = account.stop;
                if account.departs {
                    said.departures = vec![Departure {
                        parameter: "temperature".to_owned(),
                        how: Departed::Refused,
                    }];
                }
            }
            reply
        })
    })
}

/// What the seats of an episode used, its grading included. Searches are no seats.
fn used(spec: &turnwise_shared::spec::Spec, summary: &Summary) -> BTreeMap<String, SeatUsage> {
    let is_seat = |name: &str| spec.seats.keys().any(|seat| seat.as_str() == name);
    let usage = summary.usage.iter();
    let usage = usage.filter(|(name, _)| is_seat(name));
    usage.map(|(name, used)| (name.clone(), used.clone())).collect()
}

/// The numbers of a log that is read: by episode, and of all.
fn imported(bytes: Vec<u8>) -> (BTreeMap<String, (Summary, Transcript)>, serde_json::Value) {
    let length = bytes.len() as u64;
    let log = Log::open(bytes, length).expect("it is a log");
    assert_eq!(log.contradictions(), Ok(Vec::new()));
    let inspect = registry::find("inspect").expect("it is read here");
    let spec = import::spec(&log.header);
    let mut all = BTreeMap::new();
    for name in log.samples() {
        let sample = log.sample(&name).expect("it is in order");
        let made = import::transcript(&spec, &sample);
        assert_eq!(made.doubts, import::Doubts::default());
        let play = transcript::read(&file(&made.lines)).expect("it is sound");
        let summary = summarise(&play, None, inspect.measure(&play, None));
        all.insert(made.key.to_string(), (summary, play));
    }
    let summaries: Vec<&Summary> = all.values().map(|(summary, _)| summary).collect();
    let report = inspect.report(&spec, &summaries, &MeasureOptions::default());
    (all, report.record)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_log_comes_back_with_the_same_numbers(run in run()) {
        let (found, record) = imported(run.log(Texts::Question));
        prop_assert_eq!(found.len(), run.episodes.len());
        let mut scores = Vec::new();
        for (key, summary, ..) in &run.episodes {
            let (again, _) = &found[&key.to_string()];
            prop_assert_eq!(again.score, summary.score);
            prop_assert_eq!(again.repeat, summary.repeat);
            prop_assert_eq!(again.complete, summary.complete);
            // Inspect keeps answers in scores: one without a score has no place in a log.
            if summary.score.is_some() {
                prop_assert_eq!(&again.measured.answer, &summary.measured.answer);
            }
            prop_assert_eq!(used(&run.spec, again), used(&run.spec, summary));
            scores.extend(summary.score);
        }
        if !scores.is_empty() {
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            let told = record["scores"][&run.spec.benchmark]["mean"].as_f64();
            prop_assert!(told.is_some_and(|told| (told - mean).abs() < 1e-12), "{told:?} {mean}");
        }
    }

    #[test]
    fn a_log_of_ours_comes_back_as_the_run_that_it_was(run in run()) {
        let bytes = run.log(Texts::Question);
        let length = bytes.len() as u64;
        let log = Log::open(bytes, length).expect("it is a log");
        let own = own::run(&log.header).expect("it is ours").expect("it can be read");
        prop_assert_eq!(&own.spec, &run.spec);
        let mut found = BTreeMap::new();
        for name in log.samples() {
            let sample = log.sample(&name).expect("it is in order");
            found.extend(own::transcripts(&own, run.benchmark, &sample).expect("it holds"));
            // Whatever is changed of what the log tells, it is not ours any more.
            let mut other = sample.clone();
            for score in other.scores.iter_mut().flatten() {
                score.1.answer = Some("another".to_owned());
            }
            prop_assert!(other == sample || own::transcripts(&own, run.benchmark, &other).is_err());
            let mut other = sample.clone();
            other.epoch += 1;
            prop_assert!(own::transcripts(&own, run.benchmark, &other).is_err());
            let mut other = sample.clone();
            if let Some(message) = other.messages.iter_mut().find(|it| it.role == "assistant") {
                message.content = serde_json::json!("I said something else.");
                prop_assert!(own::transcripts(&own, run.benchmark, &other).is_err());
            }
            let mut other = sample.clone();
            let text = other.metadata["turnwise"]["transcripts"]["play"].as_str().expect("a text");
            other.metadata["turnwise"]["transcripts"]["play"] = text.replacen("\"repeat\":1", "\"repeat\":2", 1).into();
            prop_assert!(own::transcripts(&own, run.benchmark, &other).is_err());
            let mut other = sample;
            other.metadata.remove("turnwise");
            prop_assert!(own::transcripts(&own, run.benchmark, &other).is_err());
        }
        let mut wanted = BTreeMap::new();
        for (key, _, play, grading) in &run.episodes {
            wanted.insert(key.clone(), text(play));
            wanted.extend(grading.iter().map(|grading| (key.grading(), text(grading))));
        }
        prop_assert_eq!(found, wanted);
    }

    #[test]
    fn transcripts_in_one_file_and_in_a_link_come_back_byte_for_byte(run in run()) {
        let mut saved = bundle::head("a-run", Some(&run.spec), None);
        let mut wanted = BTreeMap::new();
        for (key, _, play, grading) in &run.episodes {
            let parts = [(key.clone(), Some(play)), (key.grading(), grading.as_ref())];
            for (key, part) in parts {
                if let Some(part) = part {
                    let text = text(part);
                    saved.push_str(&bundle::line(&key, &text));
                    wanted.insert(key, text);
                }
            }
        }
        for saved in [saved.clone(), saved.replace('\n', "\r\n")] {
            prop_assert_eq!(bundle::read(&saved), Ok(wanted.clone()));
        }
        for (_, _, play, grading) in &run.episodes {
            let episode = SharedEpisode {
                run: None,
                title: String::new(),
                play: text(play),
                grading: grading.as_ref().map(text).unwrap_or_default(),
                question: None,
            };
            // Some are too large for a link.
            if let Ok(packed) = share::pack(&episode, &TaskSetOrigin::Plain) {
                prop_assert_eq!(share::unpack(&packed.fragment), Ok(episode));
            }
        }
    }
}

/// The lines of a transcript whose salts follow from its header.
fn text(transcript: &Transcript) -> String {
    let mut writer = Writer::new(SaltKey::open(&transcript.header));
    let events = transcript.events.iter().flatten();
    events.map(|event| format!("{}\n", writer.line(event))).collect()
}
