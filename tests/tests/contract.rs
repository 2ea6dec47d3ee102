//! Does every benchmark keep the contract of `episode.rs`?

use std::collections::{BTreeMap, BTreeSet};

use crate::exchange::Run;
use serde_json::Value;
use turnwise_shared::benchmark::{Dice, Prompt};
use turnwise_shared::effect::Effect;
use turnwise_shared::episode::Misuse;
use turnwise_shared::metrics::metric::Metric;
use turnwise_shared::prelude::*;
use turnwise_shared::replay::{Extent, Replay};
use turnwise_shared::session::{Next, Session};
use turnwise_shared::transcript;
use turnwise_tests::{answer, drive, file, marked, open, open_grading, spec, tasks};

/// Every benchmark under all its settings, with its first sample tasks.
fn everywhere(mut check: impl FnMut(&'static dyn Benchmark, &Spec, &Task)) {
    for benchmark in BENCHMARKS.iter().copied() {
        for (profile, settings) in benchmark.trials() {
            let spec = spec(benchmark, profile, settings);
            benchmark.check_spec(&spec).expect("the variants can be run");
            for task in tasks(benchmark, &spec).tasks.iter().take(3) {
                check(benchmark, &spec, task);
            }
        }
    }
}

#[test]
fn a_transcript_replays_to_the_same_lines() {
    everywhere(|benchmark, spec, task| {
        let mut session = open(benchmark, spec, task);
        let lines = drive(&mut session, |call, effect| answer(benchmark, spec, task, call, effect));
        let read = transcript::read(&file(&lines)).expect("what was written can be read");
        assert_eq!(read.chain, session.chain());
        let mut again = open(benchmark, spec, task);
        let mut replay = Replay::new(&read);
        assert_eq!(replay.run(&mut again), Ok(Extent::Whole));
        assert_eq!(again.chain(), session.chain());
        if let Some(mut grading) = open_grading(benchmark, spec, task, &read) {
            let lines =
                drive(&mut grading, |call, effect| answer(benchmark, spec, task, call, effect));
            let graded = transcript::read(&file(&lines)).expect("what was written can be read");
            let mut again = open_grading(benchmark, spec, task, &read).expect("as before");
            assert_eq!(Replay::new(&graded).run(&mut again), Ok(Extent::Whole));
        }
    });
}

/// Plays a task; the call of a seat with this number fails because its request is longer than its model's context window.
fn outgrown(
    benchmark: &'static dyn Benchmark,
    spec: &Spec,
    task: &Task,
    seat: &Seat,
    nth: u32,
) -> (Session, Vec<String>, bool) {
    let mut session = open(benchmark, spec, task);
    let mut asked = 0;
    let lines = drive(&mut session, |call, effect| {
        let is_seat = matches!(effect, Effect::Ask(ask) if ask.seat == *seat);
        asked += u32::from(is_seat);
        match is_seat && asked == nth {
            true => Reply::Failed(Failure::new(FailureClass::Context, "too long")),
            false => answer(benchmark, spec, task, call, effect),
        }
    });
    (session, lines, asked >= nth)
}

#[test]
fn a_conversation_that_outgrew_its_window_ends_its_own_episode_and_no_other() {
    let (mut players, mut others) = (0, 0);
    everywhere(|benchmark, spec, task| {
        if spec.profile != Profile::Strict {
            return;
        }
        for seat in spec.seats.keys() {
            for nth in [1, 2] {
                let (session, lines, is_tried) = outgrown(benchmark, spec, task, seat, nth);
                if !is_tried {
                    continue;
                }
                let outcome = session.outcome().expect("it is over");
                let is_of_a_player = seat.as_str() == Seat::PLAYER;
                let at =
                    format!("{} {seat} {nth} {}: {outcome:?}", benchmark.name(), spec.settings);
                let read = transcript::read(&file(&lines)).expect("it can be read");
                let mut again = open(benchmark, spec, task);
                assert_eq!(Replay::new(&read).run(&mut again), Ok(Extent::Whole), "{at}");
                if benchmark.participants().is_some() {
                    // The others play on, or what was played counts.
                    assert!(outcome.is_complete(), "{at}");
                } else if is_of_a_player {
                    players += 1;
                    assert_eq!(outcome.ending, Outcome::CONTEXT, "{at}");
                    let graded = open_grading(benchmark, spec, task, &read).map(|mut grading| {
                        let lines = drive(&mut grading, |_, _| panic!("{at}: a grader is asked"));
                        transcript::read(&file(&lines)).expect("it can be read")
                    });
                    let measured = benchmark.measure(&read, graded.as_ref());
                    assert_eq!(measured.score, Some(0.0), "{at}");
                } else if !spec.seats.contains_key(&Seat::new(Seat::PLAYER)) {
                    // Nothing but what was made counts there.
                    assert!(outcome.is_complete(), "{at}");
                } else {
                    others += 1;
                    assert_ne!(outcome.ending, Outcome::CONTEXT, "{at}");
                    assert!(!outcome.is_complete() || !outcome.result.is_null(), "{at}");
                }
            }
        }
    });
    assert!(players > 10 && others > 3, "{players} {others}");
}

/// What a scripted model replies, who sees the prompt alone: always the first of what it could say.
fn knows_nothing(benchmark: &dyn Benchmark, pack: &Pack, ask: &Ask, task: &Task) -> String {
    let call = ModelCall {
        provider: "scripted".into(),
        model: "trial".into(),
        seat: ask.seat.clone(),
        messages: pack.render(ask, task).expect("it can be rendered"),
        sampling: Default::default(),
    };
    let mut first = |_| 0;
    let reply = benchmark.scripted(&Prompt::of(&call), &mut Dice::new(&mut first));
    reply.expect("it is a request of the benchmark")
}

#[test]
fn hidden_fields_reach_only_the_seats_that_may_see_them() {
    everywhere(|benchmark, spec, task| {
        // Elsewhere nothing is hidden, or hidden fields are numbers that the protocol reads: each game's own tests say who sees
        // which cards.
        if !benchmark.reads_tasks() || task.field(OPEN_FIELD).is_none() {
            return;
        }
        let (task, marks) = marked(task);
        let pack = benchmark.pack();
        let shows_context =
            spec.settings["mode"].as_str().is_some_and(|mode| mode.ends_with("with_context"));
        let player = Viewer::Seat(Seat::new(Seat::PLAYER));
        let mut session = open(benchmark, spec, &task);
        let mut seen_by_player = String::new();
        let mut lines = Vec::new();
        loop {
            let next = session.poll();
            lines.extend(session.take_lines());
            seen_by_player.push_str(&serde_json::to_string(&session.scene(&player)).expect("JSON"));
            match next {
                Next::Closed(_) => break,
                Next::Wait => panic!("every call was answered"),
                Next::Call(call, effect) => {
                    if let Effect::Ask(ask) = &effect {
                        let text: String = pack
                            .render(ask, &task)
                            .expect("it can be rendered")
                            .into_iter()
                            .map(|message| message.text)
                            .collect();
                        match ask.seat.as_str() {
                            Seat::PLAYER => seen_by_player.push_str(&text),
                            // A seat that judges within an episode has to know what is right.
                            Seat::GRADER | "judge" => {}
                            _ => assert!(
                                !marks.get("answer").is_some_and(|answer| text.contains(answer)),
                                "the {} sees the answer",
                                ask.seat
                            ),
                        }
                    }
                    let reply = match &effect {
                        // A bot that knows the task could repeat it; the test is about the protocol.
                        Effect::Ask(ask)
                            if ![Seat::GRADER, "judge"].contains(&ask.seat.as_str()) =>
                        {
                            Reply::Said(Said::text(knows_nothing(benchmark, &pack, ask, &task)))
                        }
                        effect => answer(benchmark, spec, &task, call, effect),
                    };
                    session.tell(call, reply).expect("it fits");
                }
            }
        }
        // What stands within a field, such as a world's facts, may be a part of what a setting gives.
        let fields = marks.iter().filter(|(field, _)| {
            field.as_str() == "answer" || task.fields.contains_key(field.as_str())
        });
        for (field, mark) in fields {
            let is_shown = field == "context" && shows_context;
            assert_eq!(seen_by_player.contains(mark), is_shown, "{field} of {}", benchmark.name());
        }
        let text = file(&lines);
        for (field, mark) in &marks {
            // A player that was shown the context may repeat it.
            if field != "context" || !shows_context {
                assert!(!text.contains(mark), "the transcript repeats {mark}");
            }
        }
    });
}

#[test]
fn a_poll_that_waits_changes_nothing() {
    everywhere(|benchmark, spec, task| {
        let mut session = open(benchmark, spec, task);
        let mut calls = Vec::new();
        loop {
            match session.poll() {
                Next::Closed(_) => break,
                Next::Call(call, effect) => calls.push((call, effect)),
                Next::Wait => {
                    session.take_lines();
                    let before = (session.chain(), session.scene(&Viewer::Reader));
                    for _ in 0..3 {
                        assert_eq!(session.poll(), Next::Wait);
                    }
                    assert!(session.take_lines().is_empty());
                    assert_eq!((session.chain(), session.scene(&Viewer::Reader)), before);
                    let (call, effect) = calls.pop().expect("a call is open");
                    let reply = answer(benchmark, spec, task, call, &effect);
                    session.tell(call, reply).expect("it fits");
                }
            }
        }
    });
}

#[test]
fn a_wrong_call_changes_nothing() {
    everywhere(|benchmark, spec, task| {
        let mut session = open(benchmark, spec, task);
        let Next::Call(call, effect) = session.poll() else {
            panic!("an episode begins with a call");
        };
        let chain = session.chain();
        let fits = || answer(benchmark, spec, task, call, &effect);
        assert_eq!(session.tell(CallId(99), fits()), Err(Misuse::NotOpen(CallId(99))));
        let wrong = match effect {
            Effect::Draw { .. } => Reply::Said(Said::text("1")),
            _ => Reply::Drawn { numbers: vec![1] },
        };
        assert!(matches!(session.tell(call, wrong), Err(Misuse::DoesNotFit { .. })));
        assert_eq!(session.chain(), chain);
        session.tell(call, fits()).expect("it fits");
        assert_eq!(session.tell(call, fits()), Err(Misuse::NotOpen(call)));
        drive(&mut session, |call, effect| answer(benchmark, spec, task, call, effect));
        assert_eq!(session.tell(call, fits()), Err(Misuse::Over));
    });
}

/// Plays with the bots, but the call of that number fails.
fn with_failure(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    task: &Task,
    at: u32,
    class: FailureClass,
) -> Session {
    let mut session = open(benchmark, spec, task);
    drive(&mut session, |call, effect| {
        if call.0 >= at {
            Reply::Failed(Failure::new(class, "a test"))
        } else {
            answer(benchmark, spec, task, call, effect)
        }
    });
    session
}

#[test]
fn every_failure_at_every_call_leads_to_an_end() {
    everywhere(|benchmark, spec, task| {
        for class in FailureClass::ALL {
            for at in 1..=4 {
                let session = with_failure(benchmark, spec, task, at, class);
                let outcome = session.outcome().expect("it ended");
                assert_ne!(outcome.ending, "broken", "{class:?} at {at}: {outcome:?}");
            }
        }
    });
}

#[test]
fn every_budget_leads_to_an_end() {
    everywhere(|benchmark, spec, task| {
        for calls in 0..4 {
            let mut tight = spec.clone();
            tight.budget.calls = calls;
            tight.budget.searches = Some(0);
            let mut session = open(benchmark, &tight, task);
            let mut made = 0;
            drive(&mut session, |call, effect| {
                made += 1;
                answer(benchmark, &tight, task, call, effect)
            });
            assert!(made <= calls, "{made} calls were made under a budget of {calls}");
        }
    });
}

#[test]
fn names_are_unique_and_seats_have_their_bots() {
    let mut names: Vec<_> = BENCHMARKS.iter().map(|benchmark| benchmark.name()).collect();
    names.dedup();
    assert_eq!(names.len(), BENCHMARKS.len());
    for benchmark in BENCHMARKS {
        for seat in benchmark.seats() {
            let default = seat.default.strip_prefix("bot:").expect("offline first");
            assert!(
                benchmark.seats_bot(&Seat::new(seat.seat), default),
                "{} has no {}",
                benchmark.name(),
                seat.default
            );
        }
    }
}

/// Whether a record has a number, be it unknown.
fn has(record: &Value, key: &str) -> bool {
    let mut part = record;
    key.split('.').all(|name| {
        let found = match part {
            Value::Null => return true,
            Value::Array(all) => name.parse().ok().and_then(|at: usize| all.get(at)),
            part => part.get(name),
        };
        found.inspect(|found| part = found).is_some()
    })
}

#[test]
fn rules_for_people_are_those_of_seats() {
    for benchmark in BENCHMARKS {
        let rules = benchmark.people().map_or("", |people| people.rules);
        let seats = rules.lines().filter_map(|line| line.strip_prefix("# "));
        for seat in seats.flat_map(|seats| seats.split(' ')).filter(|seat| *seat != "every") {
            let is_seat = benchmark.seats().iter().any(|info| info.seat == seat);
            assert!(is_seat, "{}: {seat}", benchmark.name());
        }
    }
}

/// A report shows nothing that is not declared, and only as it is declared; a record has all that is declared, and boards show
/// nothing that reports do not have.
#[test]
fn every_number_is_declared_once() {
    for benchmark in BENCHMARKS.iter().copied() {
        let name = benchmark.name();
        let mut declared: BTreeMap<&str, &Metric> = BTreeMap::new();
        for metric in benchmark.metrics().iter().flat_map(|one| one.metrics) {
            let known = declared.insert(metric.key, metric);
            assert!(known.is_none_or(|known| known == *metric), "{name}: {}", metric.key);
            assert!(!metric.label.is_empty() && !metric.about.is_empty(), "{name}: {metric:?}");
        }
        let mut is_column = BTreeMap::from_iter(declared.keys().map(|key| (*key, false)));
        let [mut reported, mut recorded, mut defined] = [const { BTreeSet::new() }; 3];
        for (profile, settings) in benchmark.trials() {
            let spec = spec(benchmark, profile, settings);
            let same = |task: &Task| task.clone();
            let run = Run::answered(benchmark, spec, 3, same, |spec, task, call, effect| {
                answer(benchmark, spec, task, call, effect)
            });
            let report = &run.report;
            let by_part = benchmark.boards().map(|boards| (boards.by_part)(report));
            let groups = report.groups.iter().flat_map(|group| &group.figures);
            for figure in report.headline.iter().chain(groups).chain(by_part.iter().flatten()) {
                let metric = declared.get(figure.key.as_str());
                let metric = metric.unwrap_or_else(|| panic!("{name}: {figure:?} is not declared"));
                assert_eq!(*figure, metric.figure(&report.record), "{name}");
                reported.insert(metric.key);
            }
            for ranking in &report.rankings {
                for column in std::iter::once(&ranking.value).chain(&ranking.columns) {
                    let metric = declared.get(column.key.as_str());
                    let metric =
                        metric.unwrap_or_else(|| panic!("{name}: {column:?} is not declared"));
                    assert_eq!(*column, metric.column(), "{name}");
                    is_column.insert(metric.key, true);
                    reported.insert(metric.key);
                }
            }
            let players = report.record["players"].as_array();
            for (key, metric) in declared.iter().map(|(key, metric)| (*key, metric)) {
                if metric.figure(&report.record).value.is_some() {
                    defined.insert(key);
                }
                let of_players = players.is_some_and(|all| all.iter().all(|one| has(one, key)));
                if has(&report.record, key) || (is_column[key] && of_players) {
                    recorded.insert(key);
                }
            }
        }
        for key in declared.keys() {
            assert!(recorded.contains(key), "{name}: no record has {key}");
        }
        let columns = benchmark.boards().map_or(&[][..], |boards| boards.columns);
        for column in columns.iter().filter(|column| column.is_reported()) {
            let key = column.metric.key;
            assert_eq!(declared.get(key), Some(&column.metric), "{name}: {}", column.key);
            // What is not defined may be left out, as the deviation over one repeat.
            let is_shown = reported.contains(key) || !defined.contains(key);
            assert!(is_shown, "{name}: {}", column.key);
        }
        let keys: BTreeSet<&str> = columns.iter().map(|column| column.key).collect();
        assert_eq!(keys.len(), columns.len(), "{name}");
    }
}
