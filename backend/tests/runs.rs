//! Runs over HTTP: played, kept, taken up again, measured, and guarded by their own token.

use turnwise_shared::wire::{Epoch, PieceStored, Stored};

use crate::common::socket::question;
use crate::common::*;

#[tokio::test]
async fn a_run_is_played_through_the_service_and_survives_a_restart() {
    let service = service(searching(20)).await;
    let upstream = service.upstream();
    let spec = trial_spec(3);
    let opened = service.open_run(&spec, 3).await;
    let driven = drive(&service, &opened, &mut planned(&spec)).await;
    assert!(driven.calls.len() >= 9, "three plays with searches");
    let sent = upstream.seen().len();
    let path = |rest: &str| format!("/api/runs/{}{rest}", opened.run);

    let heads: Vec<EpisodeHead> = service.get(&path("/episodes")).await.json();
    assert_eq!(heads.len(), 6, "three plays and their gradings");
    assert!(heads.iter().all(|head| head.ending.is_some()));
    let text = service.get(&path(&format!("/episodes/{}", heads[0].episode))).await.text;
    let read = turnwise_shared::transcript::read(&text).expect("a sound transcript");
    assert_eq!((read.chain, read.events.len() as u64), (heads[0].chain, heads[0].lines));

    let summaries = service.get(&path("/summaries")).await;
    let mut expected = BTreeMap::new();
    for (play, summary) in &driven.summaries {
        expected.insert(play.clone(), summary.clone());
    }
    assert_eq!(
        crate::common::without_days(summaries.json()),
        serde_json::to_value(&expected).expect("JSON")
    );
    let info: RunInfo = service.get(&path("")).await.json();
    assert_eq!((info.finished, info.episodes, info.title.as_str()), (3, 3, "a trial"));
    let right = expected.values().filter(|summary| summary.score == Some(1.0)).count();
    assert_eq!(info.accuracy, Some(right as f64 / 3.0));
    let report: Value = service.get(&path("/report")).await.json();
    assert_eq!(report["record"]["n"], json!(3));
    let timings: Vec<CallTiming> = service.get(&path("/timing")).await.json();
    assert_eq!(timings.len(), driven.calls.len());
    assert!(
        timings
            .iter()
            .all(|timing| (timing.sent, timing.lost) == (1, 0) && timing.timing.attempts == 1)
    );

    service.app.close().await;
    let again = service.again().await;
    let same: Value = again.get(&path("/summaries")).await.json();
    assert_eq!(Some(same), serde_json::from_str(&summaries.text).ok());
    let (request, answer) = &driven.calls[0];
    let repeated = again.call(request).await;
    assert_eq!((&repeated.reply, repeated.timing.from_ledger), (&answer.reply, true));
    assert_eq!(upstream.seen().len(), sent, "nothing is paid for twice");
    let runs: Vec<RunInfo> = again.get("/api/runs").await.json();
    assert_eq!(runs.len(), 1);
}

#[tokio::test]
async fn an_incomplete_episode_is_taken_up_where_it_failed() {
    let mut answers = vec![Canned::error(404)];
    answers.extend(searching(20));
    let service = service(answers).await;
    let spec = trial_spec(1);
    let (opened, first) = played(&service, &spec).await;
    let (play, summary) = &first.summaries[0];
    assert_eq!(summary.ending.as_deref(), Some("incomplete"));
    let path = format!("/api/runs/{}/episodes/{play}", opened.run);
    let stored =
        turnwise_shared::transcript::read(&service.get(&path).await.text).expect("it is sound");

    let mut again = planned(&spec);
    let kept = again.restore(play, &stored).expect("it can be taken up");
    assert!(kept < stored.events.len() as u64);
    let second = drive(&service, &opened, &mut again).await;
    let whole =
        turnwise_shared::transcript::read(&service.get(&path).await.text).expect("it is sound");
    assert!(whole.outcome().is_some_and(|outcome| outcome.is_complete()));
    assert!(!second.calls[0].1.timing.from_ledger, "a failure is no stored reply");
    let timings: Vec<CallTiming> = service.of_run(&opened.run, "/timing").await.json();
    assert_eq!((timings[0].sent, timings[0].lost), (2, 0));
}

#[tokio::test]
async fn lines_need_the_runs_own_token_and_go_on_from_what_is_stored() {
    let service = service(searching(20)).await;
    let spec = trial_spec(1);
    let (opened, driven) = played(&service, &spec).await;
    let play = &driven.summaries[0].0;
    let path = format!("/api/runs/{}/episodes/{play}", opened.run);
    let text = service.get(&path).await.text;
    let lines = text.lines().count() as u64;

    let other = service.open_run(&spec, 1).await;
    let stranger = Opened { run: opened.run.clone(), token: other.token.clone() };
    assert_eq!(service.put(&stranger, play, lines, "{}\n").await.error(401).code, "token_wrong");
    let kind = "application/x-ndjson";
    let without = service.ask("PUT", &format!("{path}?from=0"), None, kind, "{}\n").await;
    assert_eq!(without.error(401).code, "token_missing");
    let state = SetState { trouble: None, state: RunState::Closed, epoch: Epoch::default() };
    let path_of_state = format!("/api/runs/{}/state", opened.run);
    service.post(&path_of_state, Some(&other.token), &state).await.error(401);

    assert_eq!(
        service.put(&opened, play, 0, &text).await.json::<Value>(),
        json!({ "lines": lines })
    );
    service
        .put(&opened, play, lines + 1, "{}\n")
        .await
        .error_with(409, &format!("has {lines} lines"));
    let after = text.lines().last().expect("a line");
    service.put(&opened, play, lines, after).await.error(422);
    let changed = text.replace("strict", "STRICT");
    service.put(&other, play, 0, &changed).await.error(422);
    let mut seeded = trial_spec(1);
    seeded.seed = 9;
    let elsewhere = service.open_run(&seeded, 1).await;
    service.put(&elsewhere, play, 0, &text).await.error(422);
    service.put(&other, &play.grading(), 0, &text).await.error(422);
    let deep = format!("{{\"a\":{}{}}}\n", "[".repeat(80), "]".repeat(80));
    service.put(&other, play, 0, &deep).await.error(400);
    assert_eq!(service.get(&path).await.text, text, "nothing of this left a trace");

    let closed: RunInfo = service.post(&path_of_state, Some(&opened.token), &state).await.json();
    assert_eq!(closed.state, RunState::Closed);
    let call = service.post("/api/call", None, &driven.calls[0].0).await;
    assert_eq!(call.error(409).code, "conflict");
}

#[tokio::test]
async fn lines_of_several_episodes_are_stored_together() {
    let service = service(searching(20)).await;
    let spec = trial_spec(2);
    let opened = service.open_run(&spec, 2).await;
    let driven = drive(&service, &opened, &mut planned(&spec)).await;
    let other = service.open_run(&spec, 2).await;
    let piece = |episode: &EpisodeKey, from: u64, text: &str| {
        let lines = text.lines().count();
        format!("{}\n{text}", json!({ "episode": episode, "from": from, "lines": lines }))
    };
    let mut body = String::new();
    let mut expected = Vec::new();
    for (play, _) in &driven.summaries {
        for episode in [play.clone(), play.grading()] {
            let path = format!("/api/runs/{}/episodes/{episode}", opened.run);
            let text = service.get(&path).await.text;
            body.push_str(&piece(&episode, 0, &text));
            expected.push((episode, text));
        }
    }
    // One that cannot be taken does not keep the others back.
    let at = body.len();
    body.push_str(&piece(&expected[0].0, 3, "{}\n"));
    assert!(body.len() > at);
    let path = format!("/api/runs/{}/lines", other.run);
    let kind = "application/x-ndjson";
    let came = service.ask("POST", &path, Some(&other.token), kind, body.clone()).await;
    let answers: Vec<PieceStored> = came.json();
    assert_eq!(answers.len(), expected.len() + 1);
    for ((_, text), answer) in expected.iter().zip(&answers) {
        let lines = text.lines().count() as u64;
        assert_eq!(*answer, PieceStored::Stored(Stored { lines }));
    }
    assert!(
        matches!(answers.last(), Some(PieceStored::Refused { error }) if error.code == "conflict"),
        "{answers:?}"
    );
    for (episode, text) in &expected {
        let path = format!("/api/runs/{}/episodes/{episode}", other.run);
        assert_eq!(&service.get(&path).await.text, text);
    }
    let info: RunInfo = service.of_run(&other.run, "").await.json();
    assert_eq!(info.finished, 2);
    let stranger = service.ask("POST", &path, Some(&opened.token), kind, body).await;
    stranger.error(401);
    let headless = service.ask("POST", &path, Some(&other.token), kind, "{}\n".to_owned()).await;
    headless.error(400);
    // A request that breaks off in the middle stores nothing of what stands before.
    let third = service.open_run(&spec, 2).await;
    let (episode, text) = &expected[0];
    let broken = format!("{}{{\"episode\"\n", piece(episode, 0, text));
    let path = format!("/api/runs/{}/lines", third.run);
    let came = service.ask("POST", &path, Some(&third.token), kind, broken).await;
    came.error(400);
    let heads: Vec<EpisodeHead> = service.of_run(&third.run, "/episodes").await.json();
    assert!(heads.is_empty(), "{heads:?}");
}

#[tokio::test]
async fn calls_belong_to_their_run() {
    let service = service(searching(20)).await;
    let upstream = service.upstream();
    let spec = trial_spec(1);
    let (_, driven) = played(&service, &spec).await;
    let sent = upstream.seen().len();
    let (request, _) = &driven.calls[0];
    let mut wrong = request.clone();
    wrong.token = "x".into();
    service.post("/api/call", None, &wrong).await.error(401);
    for change in [
        json!({ "provider": "scripted" }),
        json!({ "model": "dearer" }),
        json!({ "seat": "responder" }),
        json!({ "sampling": { "temperature": 2.0 } }),
    ] {
        let mut other = serde_json::to_value(request).expect("JSON");
        for (name, value) in change.as_object().expect("an object") {
            other["request"][name] = value.clone();
        }
        other["key"]["call"] = json!(99);
        assert_eq!(
            service.post("/api/call", None, &other).await.error(422).code,
            "unfit",
            "{change}"
        );
    }
    let mut unknown = serde_json::to_value(request).expect("JSON");
    unknown["request"]["tools"] = json!(["rm"]);
    service.post("/api/call", None, &unknown).await.error_with(400, "request.tools");
    let mut elsewhere = serde_json::to_value(request).expect("JSON");
    elsewhere["key"]["run"] = json!("f".repeat(32));
    service.post("/api/call", None, &elsewhere).await.error(404);
    assert_eq!(upstream.seen().len(), sent);
}

#[tokio::test]
async fn a_run_that_cannot_be_played_is_not_opened() {
    let service = with(&[]).await;
    let open = async |change: Value| {
        let mut wanted = json!({ "spec": trial_spec(1), "title": "", "episodes": 1 });
        for (name, value) in change.as_object().expect("an object") {
            wanted["spec"][name] = value.clone();
        }
        service.open(&wanted).await
    };
    let unknown = open(json!({ "benchmark": "chess" })).await.error(422);
    assert!(unknown.message.contains(QUESTIONS), "{unknown:?}");
    open(json!({ "settings": { "mode": "full", "rounds": 0 } })).await.error_with(422, "rounds");
    open(json!({ "seed": -1 })).await.error(400);
    open(json!({ "sede": 1 })).await.error_with(400, "spec.sede");
    assert!(service.get("/api/runs").await.json::<Vec<RunInfo>>().is_empty());
}

#[tokio::test]
async fn two_equal_calls_at_once_are_one_call() {
    let service = service(searching(20)).await;
    let upstream = service.upstream();
    let spec = trial_spec(1);
    let (_, driven) = played(&service, &spec).await;
    let before = upstream.seen().len();
    let mut request = driven.calls[0].0.clone();
    request.key.call.0 = 77;
    let answers: Vec<CallAnswer> =
        futures::future::join_all((0..8).map(|_| service.call(&request))).await;
    assert_eq!(upstream.seen().len(), before + 1);
    assert!(answers.iter().all(|answer| answer.reply == answers[0].reply));
}

/// A run with an engine that the model `up/m` plays.
fn searched() -> Spec {
    let mut spec = default_spec(example(WORLDS));
    let samples = example(WORLDS).samples();
    spec.tasks = Named::from(&samples);
    replace(&mut spec.seats, "player", "model:up/m");
    spec
}

/// A call of a run to a service that fails three times and then answers, and how often it was asked; `limits` is what the
/// operator has set.
async fn call_that_fails_thrice(spec: &Spec, limits: &str) -> (CallAnswer, usize) {
    let fails = [429, 503, 500].map(Canned::error);
    let upstream = Upstream::start(fails.into_iter().chain([Canned::text("yes")])).await;
    let service = Service::at(&upstream.base_url(), limits).await;
    let run = service.open_run(spec, 1).await;
    let request = asking(&run, 1, question(spec, "old?"));
    (service.call(&request).await, upstream.seen().len())
}

/// One decision of a game at a service that always fails: the program's attempts and the protocol's multiply under `strict`
/// alone, because the authors' programs have one kind of attempt.
#[tokio::test]
async fn games_under_reference_ask_as_often_as_their_authors_programs() {
    let one_hand = json!({ "tables": 1, "hands": 1 });
    let one_round = json!({ "repeats": 1, "swap": false, "cap": 1 });
    let game: &dyn Benchmark = example(GAME);
    for (benchmark, settings, seat, profile, requests) in [
        (game, &one_hand, "4", Profile::Reference, 2),
        (game, &one_hand, "4", Profile::Strict, 3),
        (example(MATCH), &one_round, "1", Profile::Reference, 5),
        (example(MATCH), &one_round, "1", Profile::Strict, 15),
    ] {
        let upstream = Upstream::start([Canned::error(500)]).await;
        let service = Service::at(&upstream.base_url(), "").await;
        let mut spec = default_spec(benchmark);
        (spec.profile, spec.settings) = (profile, settings.clone());
        spec.seats.get_mut(&seat.into()).expect("it plays").player =
            "model:up/m".parse().expect("a model");
        if benchmark.name() == MATCH {
            spec.seats.retain(|seat, _| ["1", "2"].contains(&seat.as_str()));
        }
        let usual = ingredients(&spec, benchmark.plan(&spec).expect("it can be played"));
        let one_by_one = Ingredients { limits: Limits::new(1), ..usual };
        let mut run = Run::new(one_by_one).expect("it can be planned");
        let opened = service.open_run(&spec, 1).await;
        drive(&service, &opened, &mut run).await;
        let what = format!("{} {profile:?}", benchmark.name());
        assert_eq!(upstream.seen().len(), requests, "{what}");
    }
}

#[tokio::test]
async fn a_benchmark_says_how_often_a_call_is_sent_unless_the_operator_does() {
    let (strict, reference) = (Profile::Strict, Profile::Reference);
    for (benchmark, profile, limits, attempts) in [
        (searched(), strict, "", 4),
        (searched(), reference, "", 3),
        (trial_spec(1), strict, "", 3),
        (trial_spec(1), reference, "", 3),
        (searched(), strict, "attempts = 2", 2),
        (trial_spec(1), strict, "attempts = 5", 4),
    ] {
        let spec = Spec { profile, ..benchmark };
        let what = format!("{} {profile:?} {limits}", spec.benchmark);
        let (answer, asked) = call_that_fails_thrice(&spec, limits).await;
        assert_eq!(answer.timing.attempts, attempts, "{what}");
        assert_eq!(asked, attempts as usize, "{what}");
        let says = match &answer.reply {
            Reply::Said(said) => said.text.as_deref(),
            Reply::Failed(failure) => {
                let passing = [FailureClass::Server, FailureClass::RateLimited];
                assert!(passing.contains(&failure.class), "{what}: {failure:?}");
                None
            }
            other => panic!("{what}: {other:?}"),
        };
        assert_eq!(says, (attempts == 4).then_some("yes"), "{what}");
    }
}

#[tokio::test]
async fn a_run_of_an_unknown_protocol_cannot_be_opened() {
    let service = service(vec![Canned::text("yes")]).await;
    for protocol in [0, 1000, u32::MAX] {
        let mut spec = trial_spec(1);
        spec.protocol = protocol;
        let wanted = json!({ "spec": spec, "title": "t", "episodes": 1 });
        let answer = service.open(&wanted).await;
        assert_eq!(answer.status, 422, "{}", answer.text);
        assert!(answer.text.contains("protocol"), "{}", answer.text);
    }
}
