//! What somebody can try who has a run's token and wants a better place on a board, one test each; the list stands in
//! SECURITY.md. Whoever tries it has the whole program and makes hash chains that hold.

mod common;

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::Request;
use common::socket::{key, question};
use common::upstream::Canned;
use common::{Service, call_of, planned, searching, service, trial_spec};
use futures::stream;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use turnwise_backend::publishing;
use turnwise_backend::store::{KeptEntry, Leaving, Placed};
use turnwise_shared::benchmark::Benchmark as _;
use turnwise_shared::benchmarks::interactcomp::InteractComp;
use turnwise_shared::effect::{FailureClass, Reply};
use turnwise_shared::hash::Digest;
use turnwise_shared::prompt::{Rendered, Role, Said};
use turnwise_shared::receipt::{BadReceipts, Book, Keys};
use turnwise_shared::run::{Doing, EpisodeKey, PartKey, Ticket};
use turnwise_shared::sealed::Seal;
use turnwise_shared::spec::Spec;
use turnwise_shared::transcript::{self, Event, Header, Origin, Part, SaltKey, Writer};
use turnwise_shared::wire::publishing::{
    Admission, Change, Evidence, FindingAbout, LogEntry, Reason, Refusal, Standing, log_beginning,
};
use turnwise_shared::wire::receipts::{PublishedKey, ReceiptsPage};
use turnwise_shared::wire::{CallRequest, Opened, Outgoing};

type Texts = BTreeMap<EpisodeKey, String>;

/// Plays a run through the service and keeps its transcripts to itself. `request` may change what is sent, `reply` what is told.
async fn play(
    service: &Service,
    opened: &Opened,
    spec: &Spec,
    mut request: impl FnMut(&Ticket, &mut Outgoing),
    mut reply: impl FnMut(&Ticket, &mut Reply),
) -> Texts {
    let mut run = planned(spec);
    let mut texts = Texts::new();
    loop {
        match run.poll() {
            Doing::Call {
                ticket,
                request: mut wanted,
            } => {
                request(&ticket, &mut wanted);
                let call = call_of(opened, &ticket, wanted);
                let mut answer = service.call(opened, &call).await;
                reply(&ticket, &mut answer.reply);
                run.tell(&ticket, answer.reply).expect("it fits");
            }
            Doing::Lines { episode, lines, .. } => {
                let text = texts.entry(episode).or_default();
                lines
                    .iter()
                    .for_each(|line| text.push_str(&format!("{line}\n")));
            }
            Doing::Ended { .. } => {}
            Doing::Over => return texts,
            other => panic!("not expected here: {other:?}"),
        }
    }
}

/// An honest run of two tasks, opened and played, of which nothing is stored yet.
async fn honest(service: &Service) -> (Opened, Texts) {
    let spec = trial_spec(2);
    let opened = service.open_run(&spec, 2).await;
    let texts = play(service, &opened, &spec, |_, _| {}, |_, _| {}).await;
    (opened, texts)
}

async fn store(service: &Service, opened: &Opened, texts: &Texts) {
    for (episode, text) in texts {
        let came = service.put(opened, episode, 0, text).await;
        assert!(came.status.is_success(), "{episode}: {came:?}");
    }
}

async fn publish(service: &Service, opened: &Opened) -> common::Came {
    let path = format!("/api/runs/{}/publish", opened.run);
    service
        .ask(
            "POST",
            &path,
            Some(&opened.token),
            "text/plain",
            Body::empty(),
        )
        .await
}

async fn admitted(service: &Service, opened: &Opened) -> Admission {
    publish(service, opened).await.json()
}

/// The refusal, which must be of this check.
async fn refused(service: &Service, opened: &Opened, code: &str) -> Refusal {
    let came = publish(service, opened).await;
    assert_eq!(came.status.as_u16(), 422, "{came:?}");
    let refusal: Refusal = serde_json::from_str(&came.text).expect("a refusal");
    assert_eq!(refusal.error.code, code, "{refusal:?}");
    assert!(!refusal.error.message.is_empty());
    refusal
}

fn a_play(texts: &Texts) -> EpisodeKey {
    let mut plays = texts.keys().filter(|key| key.as_str().ends_with(".play"));
    plays.next().expect("there is one").clone()
}

fn events(text: &str) -> Vec<Event> {
    let read = transcript::read(text).expect("it is sound");
    read.events
        .into_iter()
        .map(|event| event.expect("nothing is withheld"))
        .collect()
}

/// A transcript of these events whose chain holds.
fn chained(events: &[Event]) -> String {
    let Some(Event::Opened(header)) = events.first() else {
        panic!("no header");
    };
    let mut writer = Writer::new(SaltKey::open(header));
    let lines = events.iter().map(|event| writer.line(event) + "\n");
    lines.collect()
}

/// Changes the events of the first play; its grading goes with it, so that everything hangs together again.
fn forge(texts: &mut Texts, change: impl FnOnce(&mut Vec<Event>)) -> EpisodeKey {
    let play = a_play(texts);
    let mut changed = events(&texts[&play]);
    change(&mut changed);
    let text = chained(&changed);
    let chain = transcript::read(&text).expect("its chain holds").chain;
    texts.insert(play.clone(), text);
    if let Some(grading) = texts.get_mut(&play.grading()) {
        let mut graded = events(grading);
        if let Some(Event::Opened(header)) = graded.first_mut() {
            header.part = Part::Grading { play: chain };
        }
        *grading = chained(&graded);
    }
    play
}

fn header(events: &mut [Event]) -> &mut Header {
    match events.first_mut() {
        Some(Event::Opened(header)) => header,
        _ => panic!("no header"),
    }
}

#[tokio::test]
async fn an_honest_run_is_admitted_and_its_endpoint_is_told() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (opened, texts) = honest(&service).await;
    store(&service, &opened, &texts).await;
    let admission = admitted(&service, &opened).await;
    assert_eq!(
        admission.evidence.get(&Evidence::None),
        None,
        "{admission:?}"
    );
    assert!(admission.evidence[&Evidence::Receipted] >= 4);
    assert!(admission.evidence[&Evidence::Recomputed] >= 2);
    // An endpoint of the operator's can answer anything, so the run is not verified.
    assert_eq!(admission.entry.standing, Standing::SelfReported);
    let abouts: Vec<_> = admission.findings.iter().map(|one| one.about).collect();
    assert_eq!(abouts, [FindingAbout::CustomEndpoint]);
    let report: Value = service
        .get(&format!("/api/runs/{}/report", opened.run))
        .await
        .json();
    let headline = admission.entry.numbers.headline().expect("a headline");
    assert_eq!(json!(headline.value), report["headline"][0]["value"]);
}

#[tokio::test]
async fn a_baseline_needs_no_receipt() {
    let (service, _upstream, _folder) = service(Vec::new()).await;
    let mut spec = trial_spec(2);
    for (seat, sitting) in &mut spec.seats {
        if seat.as_str() == "player" {
            sitting.player = "bot:asks-by-rule".parse().expect("a bot");
            sitting.sampling = Default::default();
        }
    }
    let opened = service.open_run(&spec, 2).await;
    let texts = play(&service, &opened, &spec, |_, _| {}, |_, _| {}).await;
    store(&service, &opened, &texts).await;
    let admission = admitted(&service, &opened).await;
    assert_eq!(
        admission.entry.standing,
        Standing::Baseline,
        "{admission:?}"
    );
}

#[tokio::test]
async fn a_changed_answer_is_not_what_was_receipted() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let spec = trial_spec(1);
    let opened = service.open_run(&spec, 1).await;
    let better = |_: &Ticket, reply: &mut Reply| {
        if let Reply::Said(said) = reply
            && let Some(text) = &mut said.text
        {
            *text = text.replace("80", "95");
        }
    };
    let texts = play(&service, &opened, &spec, |_, _| {}, better).await;
    store(&service, &opened, &texts).await;
    let refusal = refused(&service, &opened, "other_answer").await;
    let place = refusal.place.expect("a place");
    let line = place.line.expect("a line") as usize;
    let said = &events(&texts[&place.episode])[line - 1];
    assert!(
        matches!(said, Event::Told { reply: Reply::Said(said), .. } if said.text.as_ref().is_some_and(|text| text.contains("95"))),
        "it names the very line: {said:?}"
    );
}

#[tokio::test]
async fn a_changed_line_breaks_its_chain() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (opened, texts) = honest(&service).await;
    let play = a_play(&texts);
    let changed = texts[&play].replace("Kivvet", "Kivvot");
    let error = service.put(&opened, &play, 0, &changed).await.error(422);
    assert!(error.message.contains("chain"), "{error:?}");
}

#[tokio::test]
async fn a_removed_call_drifts() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (opened, mut texts) = honest(&service).await;
    let mut line = 0;
    let play = forge(&mut texts, |events| {
        line = events
            .iter()
            .position(|event| matches!(event, Event::Asked { .. }))
            .expect("a call");
        events.remove(line);
    });
    store(&service, &opened, &texts).await;
    let refusal = refused(&service, &opened, "drift").await;
    let place = refusal.place.expect("a place");
    assert_eq!((place.episode, place.line), (play, Some(line as u64 + 1)));
}

#[tokio::test]
async fn reordered_lines_drift() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (opened, mut texts) = honest(&service).await;
    forge(&mut texts, |events| {
        let at = events
            .iter()
            .rposition(|event| matches!(event, Event::Noted(_)))
            .expect("a note");
        events.swap(at, at - 1);
    });
    store(&service, &opened, &texts).await;
    refused(&service, &opened, "drift").await;
}

#[tokio::test]
async fn an_edited_outcome_drifts() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (opened, mut texts) = honest(&service).await;
    forge(&mut texts, |events| {
        if let Some(Event::Closed(outcome)) = events.last_mut() {
            outcome.result = json!({ "answer": "the right one", "confidence": 100 });
        }
    });
    store(&service, &opened, &texts).await;
    let refusal = refused(&service, &opened, "drift").await;
    assert!(refusal.error.message.contains("recording"), "{refusal:?}");
}

#[tokio::test]
async fn a_verdict_that_the_grader_never_gave_is_not_recomputed() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (opened, mut texts) = honest(&service).await;
    let grading = a_play(&texts).grading();
    let mut changed = events(&texts[&grading]);
    for event in &mut changed {
        if let Event::Told {
            reply: Reply::Said(said),
            ..
        } = event
        {
            said.text = Some("correct: yes".to_owned());
        }
    }
    texts.insert(grading.clone(), chained(&changed));
    store(&service, &opened, &texts).await;
    let refusal = refused(&service, &opened, "not_recomputed").await;
    assert_eq!(refusal.place.expect("a place").episode, grading);
}

#[tokio::test]
async fn another_prompt_than_the_episodes_is_seen() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let spec = trial_spec(1);
    let opened = service.open_run(&spec, 1).await;
    let help = |_: &Ticket, request: &mut Outgoing| {
        if let Outgoing::Model(call) = request {
            let hint = "The answer is Kivvet. Say nothing else.";
            call.messages.push(Rendered::text(Role::User, hint));
        }
    };
    let texts = play(&service, &opened, &spec, help, |_, _| {}).await;
    store(&service, &opened, &texts).await;
    refused(&service, &opened, "other_request").await;
}

#[tokio::test]
async fn a_call_that_was_made_again_until_it_was_right_is_seen() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let spec = trial_spec(1);
    let opened = service.open_run(&spec, 1).await;
    let mut calls = Vec::new();
    let texts = play(
        &service,
        &opened,
        &spec,
        |ticket, request| calls.push((ticket.clone(), request.clone())),
        |_, _| {},
    )
    .await;
    // The same call under another digest is another call to the ledger, and one in an episode that nobody planned as well.
    let (mut ticket, request) = calls[0].clone();
    ticket.digest = Digest::of("another");
    service
        .call(&opened, &call_of(&opened, &ticket, request.clone()))
        .await;
    ticket.episode = "elsewhere.r1.play".parse().expect("a key");
    service
        .call(&opened, &call_of(&opened, &ticket, request))
        .await;
    store(&service, &opened, &texts).await;
    let admission = admitted(&service, &opened).await;
    let count = |about| {
        let found = admission.findings.iter().find(|one| one.about == about);
        found.map_or(0, |one| one.count)
    };
    assert_eq!(count(FindingAbout::Rerolled), 1, "{admission:?}");
    assert_eq!(count(FindingAbout::Unused), 1, "{admission:?}");
    assert_eq!(admission.entry.standing, Standing::SelfReported);
}

#[tokio::test]
async fn receipts_of_another_run_back_nothing() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (first, texts) = honest(&service).await;
    // The best of several plays, as if it were the only one.
    let second = service.open_run(&trial_spec(2), 2).await;
    store(&service, &second, &texts).await;
    let admission = admitted(&service, &second).await;
    assert!(admission.evidence[&Evidence::None] >= 4, "{admission:?}");
    assert_eq!(admission.evidence.get(&Evidence::Receipted), None);
    let unreceipted = &admission.findings[0];
    assert_eq!(unreceipted.about, FindingAbout::Unreceipted);
    assert!(unreceipted.place.is_some(), "the first is named");

    let page: ReceiptsPage = service
        .get(&format!("/api/runs/{}/receipts", first.run))
        .await
        .json();
    let keys: Vec<PublishedKey> = service.get("/api/keys").await.json();
    let keys = Keys::read(&keys).expect("they are sound");
    let mut book = Book::new(second.run.clone(), keys.clone());
    assert!(matches!(
        book.add(&page),
        Err(BadReceipts::OtherRun { number: 1, .. })
    ));
    let mut book = Book::new(first.run.clone(), keys.clone());
    book.add(&page).expect("in their own run they hold");
    assert!(book.signatures() >= 1 && book.receipts().len() >= 4);

    let mut forged = page.clone();
    forged.receipts[1].receipt.reply = Digest::of("a better answer");
    let mut book = Book::new(first.run.clone(), keys.clone());
    assert_eq!(book.add(&forged), Err(BadReceipts::Changed(2)));
    let mut forged = page;
    forged.batches[0].signature = "00".repeat(64);
    let mut book = Book::new(first.run, keys);
    assert!(matches!(
        book.add(&forged),
        Err(BadReceipts::Signature { .. })
    ));
}

#[tokio::test]
async fn other_tasks_labels_protocols_and_origins_are_refused() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let mut spec = trial_spec(1);
    spec.tasks.digest = Digest::of("easier tasks");
    let opened = service.open_run(&spec, 1).await;
    refused(&service, &opened, "other_material").await;

    let mut spec = trial_spec(1);
    spec.pack.digest = Digest::of("a pack that tells the answer");
    let opened = service.open_run(&spec, 1).await;
    refused(&service, &opened, "other_material").await;

    let (opened, mut texts) = honest(&service).await;
    forge(&mut texts, |events| {
        let labels = &mut header(events).task.labels;
        labels.insert("domain".into(), "Something easier".into());
    });
    store(&service, &opened, &texts).await;
    refused(&service, &opened, "other_header").await;

    let (opened, mut texts) = honest(&service).await;
    forge(&mut texts, |events| {
        header(events).origin = Origin::Imported
    });
    store(&service, &opened, &texts).await;
    refused(&service, &opened, "other_header").await;

    let mut spec = trial_spec(1);
    spec.protocol -= 1;
    let opened = service.open_run(&spec, 1).await;
    refused(&service, &opened, "other_protocol").await;
}

#[tokio::test]
async fn what_is_left_out_or_added_is_refused() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (opened, mut texts) = honest(&service).await;
    let play = a_play(&texts);
    let grading = texts.remove(&play.grading());
    store(&service, &opened, &texts).await;
    let refusal = refused(&service, &opened, "not_as_planned").await;
    assert_eq!(refusal.place.expect("a place").episode, play);

    // The hard task is left out.
    let (opened, mut texts) = honest(&service).await;
    texts.retain(|key, _| key.its_play() != play);
    store(&service, &opened, &texts).await;
    refused(&service, &opened, "not_as_planned").await;

    // A second try of the same task.
    let (opened, mut texts) = honest(&service).await;
    let mut again = events(&texts[&play]);
    header(&mut again).repeat = 2;
    let name = EpisodeKey::play(&header(&mut again).task.id.clone(), 2);
    texts.insert(name.clone(), chained(&again));
    store(&service, &opened, &texts).await;
    let refusal = refused(&service, &opened, "not_as_planned").await;
    assert_eq!(refusal.place.expect("a place").episode, name);

    // A grading of another play.
    let (opened, mut texts) = honest(&service).await;
    let mut graded = events(&grading.expect("it was graded"));
    header(&mut graded).part = Part::Grading {
        play: Digest::of("a better play"),
    };
    texts.insert(play.grading(), chained(&graded));
    store(&service, &opened, &texts).await;
    refused(&service, &opened, "other_header").await;
}

#[tokio::test]
async fn publishing_again_changes_nothing_and_what_is_published_stays() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (opened, texts) = honest(&service).await;
    let (other, _) = honest(&service).await;
    store(&service, &opened, &texts).await;
    let first = admitted(&service, &opened).await;
    assert_eq!(admitted(&service, &opened).await, first);
    let log: Vec<LogEntry> = service.get("/api/log").await.json();
    assert_eq!(log.len(), 1);
    assert_eq!(log[0].follows(0, &log_beginning()), Ok(()));

    let play = a_play(&texts);
    let further = service.put(&opened, &play, 0, &texts[&play]).await;
    further.error(409);
    let path = |what: &str| format!("/api/runs/{}/{what}", opened.run);
    let none = service
        .ask("POST", &path("publish"), None, "text/plain", Body::empty())
        .await;
    none.error(401);
    let foreign = Some(other.token.as_str());
    let foreign = service
        .ask(
            "POST",
            &path("publish"),
            foreign,
            "text/plain",
            Body::empty(),
        )
        .await;
    foreign.error(401);

    let token = Some(opened.token.as_str());
    let reason = Reason {
        reason: "a wrong price".into(),
    };
    let left: LogEntry = service.post(&path("withdraw"), token, &reason).await.json();
    assert_eq!((left.number, left.reason.as_str()), (2, "a wrong price"));
    assert_eq!(left.follows(1, &log[0].hash), Ok(()));
    assert!(left.headline.is_none(), "nothing of it is told any more");
    let none: Option<Admission> = service.get(&path("entry")).await.json();
    assert_eq!(none, None, "it is on no board any more");
    service
        .post(&path("withdraw"), token, &reason)
        .await
        .error(404);
    let again = admitted(&service, &opened).await;
    assert_eq!(again.log, 3);
    assert_eq!(again.entry.numbers, first.entry.numbers);
}

/// A second try of a task that nobody planned.
fn unplanned(texts: &Texts) -> (EpisodeKey, String) {
    let mut again = events(&texts[&a_play(texts)]);
    header(&mut again).repeat = 2;
    let name = EpisodeKey::play(&header(&mut again).task.id.clone(), 2);
    (name, chained(&again))
}

#[tokio::test]
async fn a_body_that_is_held_back_until_the_run_is_published_is_refused() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (opened, texts) = honest(&service).await;
    store(&service, &opened, &texts).await;
    let (episode, text) = unplanned(&texts);
    let (asked, is_asked) = oneshot::channel();
    let (send, sent) = oneshot::channel::<String>();
    let body = stream::once(async move {
        asked.send(()).expect("the test waits");
        let text = sent.await.expect("the test sends it");
        Ok::<_, std::io::Error>(axum::body::Bytes::from(text))
    });
    let upload = tokio::spawn({
        let (service, opened) = (service.clone(), opened.clone());
        async move {
            let path = format!("/api/runs/{}/episodes/{episode}?from=0", opened.run);
            let token = Some(opened.token.as_str());
            let body = Body::from_stream(body);
            service
                .ask("PUT", &path, token, "application/x-ndjson", body)
                .await
        }
    });
    is_asked.await.expect("the server reads it");
    admitted(&service, &opened).await;
    send.send(text).expect("the server reads on");
    upload.await.expect("it is answered").error(409);
}

/// Opens a run under an owner key, if one is named; perhaps one that grades the plays of another again.
async fn open_as(service: &Service, key: Option<&str>, regrades: Option<&Opened>) -> Opened {
    let regrades = regrades.map(|run| &run.run);
    let wanted = json!({
        "spec": trial_spec(2), "title": "a trial", "episodes": 2, "regrades": regrades,
    });
    let mut request = Request::builder()
        .method("POST")
        .uri("/api/runs")
        .header("host", "localhost:8080")
        .header("content-type", "application/json");
    if let Some(key) = key {
        request = request.header("turnwise-owner-key", key);
    }
    let body = Body::from(wanted.to_string());
    service
        .send(request.body(body).expect("a sound request"))
        .await
        .json()
}

#[tokio::test]
async fn plays_that_are_graded_again_are_their_owners_stand_once_and_stay() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let mine = Some("a key of mine");
    let played = open_as(&service, mine, None).await;
    let texts = play(&service, &played, &trial_spec(2), |_, _| {}, |_, _| {}).await;
    store(&service, &played, &texts).await;
    let mut gradings = texts.clone();
    gradings.retain(|key, _| key.part() == PartKey::Grading);
    for stranger in [None, Some("a stranger's key")] {
        let theirs = open_as(&service, stranger, Some(&played)).await;
        store(&service, &theirs, &gradings).await;
        let refusal = refused(&service, &theirs, "other_material").await;
        assert!(refusal.error.message.contains("owner key"), "{refusal:?}");
    }
    let again = open_as(&service, mine, Some(&played)).await;
    store(&service, &again, &gradings).await;
    admitted(&service, &again).await;
    // What stands on the board is made of plays that lie elsewhere.
    let (episode, text) = unplanned(&texts);
    service.put(&played, &episode, 0, &text).await.error(409);
    let refusal = refused(&service, &played, "other_material").await;
    assert!(refusal.error.message.contains("same board"), "{refusal:?}");
    let path = format!("/api/runs/{}/withdraw", again.run);
    let reason = Reason {
        reason: String::new(),
    };
    let token = Some(again.token.as_str());
    let _: LogEntry = service.post(&path, token, &reason).await.json();
    admitted(&service, &played).await;
    refused(&service, &again, "other_material").await;
}

#[tokio::test]
async fn what_left_a_board_stays_away_and_what_went_on_is_not_put_there() {
    let (service, _upstream, _folder) = service(searching(60)).await;
    let (opened, texts) = honest(&service).await;
    store(&service, &opened, &texts).await;
    admitted(&service, &opened).await;
    let kept = service.app.store().entry(&opened.run).await;
    let kept = kept.expect("it reads").expect("it stands");
    let admit = async |kept: &KeptEntry| {
        let placed = service.app.store().admit(kept, None, "a test", 1).await;
        placed.expect("the store works")
    };
    let mut other = kept.clone();
    other.transcripts = Digest::of("others");
    assert_eq!(admit(&other).await, Placed::WentOn);

    // Its numbers were computed by an older program, and while they are computed anew it is taken off.
    let mut old = kept.clone();
    old.entry.numbers.plays += 1;
    let leave = async |change| {
        let leaving = Leaving {
            change,
            reason: "a reason".to_owned(),
            now: 2,
        };
        let left = service.app.store().leave_board(&opened.run, &leaving).await;
        left.expect("the store works").expect("it stood there")
    };
    leave(Change::Withdrawn).await;
    let rescored = publishing::rescore(&service.app, &old).await;
    assert_eq!(rescored.expect("nothing is wrong"), None);
    let entry = service.app.store().entry(&opened.run).await;
    assert!(entry.expect("it reads").expect("it is kept").left.is_some());

    assert!(matches!(admit(&kept).await, Placed::Logged(_)));
    let removed = leave(Change::Removed).await;
    assert_eq!(admit(&kept).await, Placed::Removed(removed));
}

#[tokio::test]
async fn the_answer_to_one_request_is_not_told_as_that_to_another() {
    let (service, upstream, _folder) = service(vec![Canned::text("yes")]).await;
    let spec = trial_spec(1);
    let opened = service.open_run(&spec, 1).await;
    let call = |text: &str| CallRequest {
        key: key(&opened, 1),
        token: opened.token.clone(),
        epoch: Default::default(),
        request: question(&spec, text),
    };
    let said = service.call(&opened, &call("honest?")).await;
    assert!(matches!(said.reply, Reply::Said(_)), "{said:?}");
    let other = service.call(&opened, &call("with a hint?")).await;
    assert!(
        matches!(&other.reply, Reply::Failed(failure) if failure.class == FailureClass::Rejected),
        "{other:?}"
    );
    let same = service.call(&opened, &call("honest?")).await;
    assert!(same.timing.from_ledger && same.reply == said.reply);
    assert_eq!(upstream.seen().len(), 1);
}

#[tokio::test]
async fn names_that_nobody_can_read_are_refused() {
    let (service, _upstream, _folder) = service(Vec::new()).await;
    let long = "n".repeat(201);
    let with = |change: &dyn Fn(&mut Spec)| {
        let mut spec = trial_spec(1);
        change(&mut spec);
        json!({ "spec": spec, "title": "", "episodes": 1 })
    };
    let player = |spec: &mut Spec, who: String| {
        let sitting = spec.seats.get_mut(&"player".into());
        sitting.expect("a player").player = who.parse().expect("a player");
    };
    for wanted in [
        with(&|spec| spec.tasks.name.clone_from(&long)),
        with(&|spec| spec.pack.name.clone_from(&long)),
        with(&|spec| player(spec, format!("model:up/{long}"))),
        with(&|spec| player(spec, format!("model:{long}/m"))),
        with(&|spec| player(spec, format!("bot:{long}"))),
    ] {
        service.post("/api/runs", None, &wanted).await.error(422);
    }
}

#[tokio::test]
async fn large_and_deep_requests_are_refused() {
    let (service, _upstream, _folder) = service(Vec::new()).await;
    let opened = service.open_run(&trial_spec(1), 1).await;
    let megabyte = axum::body::Bytes::from(vec![b' '; 1_000_000]);
    let chunks = stream::iter((0..200).map(move |_| Ok::<_, std::io::Error>(megabyte.clone())));
    let path = format!("/api/runs/{}/lines", opened.run);
    let came = service
        .ask(
            "POST",
            &path,
            Some(&opened.token),
            "application/x-ndjson",
            Body::from_stream(chunks),
        )
        .await;
    assert_eq!(came.error(413).code, "too_large");
    let deep = format!("{}{}\n", "[".repeat(4000), "]".repeat(4000));
    let play: EpisodeKey = "1.r1.play".parse().expect("a key");
    let error = service.put(&opened, &play, 0, &deep).await.error(400);
    assert!(error.message.contains("deep"), "{error:?}");
}

#[test]
fn what_is_withheld_cannot_be_guessed_from_its_commitment() {
    let said = |text: &str| [Said::text(text)];
    let told = Seal::new([7; 32]).withheld("run/episode/call", &said("two words"));
    // Whoever has the place and guesses the words does not have the secret.
    for guess in ["two words", "other words"] {
        let theirs = Seal::new([0; 32]).withheld("run/episode/call", &said(guess));
        assert_ne!(theirs, told, "the right guess is not confirmed");
    }
    let again = Seal::new([7; 32]).withheld("run/episode/call", &said("two words"));
    assert_eq!(again, told);
    let kept = |secret| Seal::new(secret).keep(InteractComp.samples()).tasks[0].digest;
    assert_ne!(kept([0; 32]), kept([7; 32]));
    assert_ne!(kept([7; 32]), InteractComp.samples().tasks[0].digest);
    let elsewhere = Seal::new([7; 32]).withheld("run/episode/other", &said("two words"));
    assert_ne!(
        elsewhere, told,
        "the same words elsewhere are not recognised"
    );
}
