use super::*;
use turnwise_shared::benchmark::default_spec;
use turnwise_shared::examples::{GAME, MATCH, QUESTIONS, WORLDS};
use turnwise_shared::prompt::Rendered;
use turnwise_shared::run::{Action, Ingredients};
use turnwise_shared::scheduler::Limits;
use turnwise_shared::testing;

fn call(seat: &str, text: String) -> ModelCall {
    ModelCall {
        provider: "scripted".into(),
        model: "trial".into(),
        seat: seat.into(),
        messages: vec![Rendered::text(Role::User, text)],
        sampling: Sampling::default(),
    }
}

fn provider(faults: f64) -> Scripted {
    Scripted::new(Script { seed: 1, latency: Duration::ZERO, faults })
}

#[tokio::test]
async fn the_same_request_is_answered_alike() {
    let request = call("responder", "## Question\nIs it old?".into());
    let first = provider(0.0).attempt(&request, 1, None).await.expect("no faults");
    let again = provider(0.0).attempt(&request, 3, None).await.expect("no faults");
    assert_eq!(first, again);
    assert_eq!(first.model.as_deref(), Some("scripted/trial"));
}

#[tokio::test]
async fn players_use_only_what_they_are_offered() {
    for number in 0..40 {
        let prompt =
            format!("{number}\nAction: answer\nAction: search\n## Question\nWho built the mill?");
        let said =
            provider(0.0).attempt(&call("player", prompt), 1, None).await.expect("no faults");
        let text = said.text.expect("a text");
        assert!(!text.contains("\"ask\""), "{text}");
        let last = format!("{number}\nAction: ask\nThis is the last round. ## Question\nWho?");
        let said = provider(0.0).attempt(&call("player", last), 1, None).await.expect("no faults");
        assert!(said.text.expect("a text").contains("\"action\":\"answer\""));
    }
}

#[tokio::test]
async fn faults_come_as_often_as_asked_and_not_twice_for_the_same_reason() {
    let mut missed = 0;
    for number in 0..400 {
        let request = call("grader", number.to_string());
        if provider(0.25).attempt(&request, 1, None).await.is_err() {
            missed += 1;
        }
    }
    assert!((70..130).contains(&missed), "{missed} of 400");
}

/// Every default seat of a benchmark is the scripted model, but for those that must stay empty; `None` where that cannot be run.
fn run_of(
    benchmark: &'static dyn turnwise_shared::benchmark::Benchmark,
    profile: Profile,
) -> Option<Run> {
    let mut spec = Spec {
        profile,
        search: Some(SearchSpec { engine: "made up".into(), corpus: None, results: 5 }),
        ..default_spec(benchmark)
    };
    for sitting in spec.seats.values_mut() {
        sitting.player = Player::Model { provider: "scripted".into(), model: "trial".into() };
    }
    let tasks = match benchmark.task_source() {
        TaskSource::File => benchmark.samples(),
        TaskSource::Spec => {
            spec.search = None;
            benchmark.plan(&spec).ok()?
        }
    };
    spec.tasks = Named::from(&tasks);
    spec.budget = benchmark.default_budget(&spec);
    let run = Run::new(Ingredients {
        benchmark,
        pack: benchmark.pack(),
        recordings: Default::default(),
        limits: Limits::new(4),
        tasks,
        spec,
    });
    run.ok()
}

/// Plays until `most` episodes are over; returns their summaries.
fn played(mut run: Run, most: usize) -> Vec<Summary> {
    let (mut flying, mut over) = (std::collections::VecDeque::new(), Vec::new());
    while over.len() < most {
        match run.poll() {
            Action::Call { ticket, request } => flying.push_back((ticket, request)),
            Action::Ended { summary, .. } => over.push(*summary),
            Action::Wait => {
                let (ticket, request) = flying.pop_front().expect("a call is under way");
                let reply = match request {
                    Outgoing::Model(call) => {
                        let mut chance = Chance::of(1, &call, 0);
                        Reply::Said(Said::text(reply(&call, &mut chance)))
                    }
                    Outgoing::Use(tool) => Reply::Made(testing::made(&tool)),
                    _ => Reply::found(Vec::new()),
                };
                run.tell(&ticket, reply).expect("the reply fits");
            }
            Action::Over => break,
            _ => {}
        }
    }
    over
}

#[test]
fn every_seat_of_every_benchmark_gets_replies_that_can_be_read() {
    let mut played_some = Vec::new();
    for benchmark in BENCHMARKS {
        for profile in [Profile::Strict, Profile::Reference] {
            let Some(run) = run_of(*benchmark, profile) else {
                continue;
            };
            let all = played(run, 12);
            let cells = || all.iter().flat_map(|one| &one.ribbon);
            let (turns, wrong): (usize, Vec<_>) = (
                cells().count(),
                cells()
                    .filter(|cell| cell.kind == TurnKind::Invalid || cell.fault.is_some())
                    .map(|cell| (cell.seat.to_string(), cell.sentence.clone(), cell.fault.clone()))
                    .collect(),
            );
            let name = benchmark.name();
            assert!(turns > 0, "{name} {profile:?} has turns");
            assert!(
                wrong.len() * 10 <= turns,
                "{name} {profile:?}: {} of {turns} turns, such as {:?}",
                wrong.len(),
                wrong.first()
            );
            let whole = all.iter().filter(|one| one.complete).count();
            assert!(
                whole * 2 > all.len(),
                "{name} {profile:?}: {whole} of {} are complete",
                all.len()
            );
            played_some.push(name);
        }
    }
    for name in [QUESTIONS, WORLDS, GAME, MATCH] {
        assert!(
            played_some.iter().filter(|one| **one == name).count() == 2,
            "{name} was played in both profiles: {played_some:?}"
        );
    }
}
