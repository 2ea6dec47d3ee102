//! Sealed tasks: nothing that is marked reaches whoever drives, plays or reads a run, and nobody can ask for it.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;

use axum::body::Body;
use common::table::{Script, wanted};
use common::upstream::{Canned, Upstream, completion};
use common::{Came, Service, acts, call_of, config};
use serde_json::{Value, json};
use tempfile::TempDir;
use turnwise_backend::App;
use turnwise_shared::benchmark::{Benchmark as _, default_spec};
use turnwise_shared::benchmarks::interactcomp::InteractComp;
use turnwise_shared::benchmarks::paraworld::ParaWorld;
use turnwise_shared::effect::{FailureClass, Reply};
use turnwise_shared::hash::Digest;
use turnwise_shared::prompt::{Rendered, Role, Said};
use turnwise_shared::receipt::{Book, Keys};
use turnwise_shared::replay::{Extent, Replay};
use turnwise_shared::run::{Doing, EpisodeKey, Ingredients, PartKey, Run, Ticket};
use turnwise_shared::scheduler::Limits;
use turnwise_shared::seat::Seat;
use turnwise_shared::session::Session;
use turnwise_shared::spec::{Named, Spec};
use turnwise_shared::task::TaskSet;
use turnwise_shared::transcript::{self, Event, SaltKey, Transcript, Writer};
use turnwise_shared::verify::{Driver, Material, Sight, Tally, Verifier};
use turnwise_shared::wire::live::LiveStage;
use turnwise_shared::wire::publishing::{Admission, Evidence, FindingAbout, Standing};
use turnwise_shared::wire::receipts::{PublishedKey, ReceiptsPage};
use turnwise_shared::wire::sealed::SealedTasks;
use turnwise_shared::wire::{
    CallAnswer, CallKey, CallRequest, ModelCall, Opened, Outgoing, TaskSetInfo,
};

/// It stands in every hidden field, in what the model says, and nowhere else.
const MARK: &str = "MARKED";
const SET: &str = "secret.jsonl";
const WORLD: &str = "secret-world.jsonl";

/// A service with a sealed set, and everything that it has answered.
struct Sealed {
    service: Service,
    upstream: Upstream,
    heard: Mutex<String>,
    _folder: TempDir,
}

fn rows() -> String {
    let row = |id: u32| {
        json!({
            "id": id, "domain": "Made up", "question": format!("Which door is meant in house {id}?"),
            "context": format!("{MARK}-context: it is the green one."), "answer": format!("{MARK}-answer green"),
            "aliases": [format!("{MARK}-alias")],
        })
    };
    format!("{}\n{}\n", row(1), row(2))
}

fn put_file(folder: &Path, name: &str) {
    let tasks = folder.join("tasks/interactcomp");
    std::fs::create_dir_all(&tasks).expect("the folder can be made");
    std::fs::write(tasks.join(name), rows()).expect("the file can be written");
}

/// A world of two facts: one that is asked for, and one that nobody is told.
fn put_world(folder: &Path) {
    let question = "Which is taller, Ada Tower or Bo Tower?";
    let row = json!({
        "index": 1, "prompt": [{ "role": "user", "content": question }], "answer": format!("{MARK} Ada Tower"),
        "extra_info": {
            "world_truth_info": {
                "generated_question": question,
                "atomic_facts": {
                    "height of Ada Tower": "120 metres",
                    format!("height of {MARK} Tower"): format!("{MARK} 90 metres"),
                },
                "final_answer": format!("{MARK}: by 30 metres"),
            },
            "turnwise": { "entities": [{ "name": format!("{MARK} Tower") }], "facts": [] },
        },
    });
    let tasks = folder.join("tasks/paraworld");
    std::fs::create_dir_all(&tasks).expect("the folder can be made");
    std::fs::write(tasks.join(WORLD), format!("{row}\n")).expect("the file can be written");
}

impl Sealed {
    async fn start(answers: Vec<Canned>) -> Self {
        let upstream = Upstream::start(answers).await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        put_file(folder.path(), SET);
        put_file(folder.path(), "a-copy.jsonl");
        put_world(folder.path());
        let mut config = config(folder.path(), &upstream.base_url(), "");
        config.sealed.extend([SET.into(), WORLD.into()]);
        Sealed {
            service: Service::open(config).await,
            upstream,
            heard: Mutex::default(),
            _folder: folder,
        }
    }

    fn note(&self, came: Came) -> Came {
        let mut heard = self.heard.lock().expect("no test panics here");
        heard.push_str(&came.text);
        heard.push('\n');
        came
    }

    async fn get(&self, path: &str) -> Came {
        let token = None;
        let came = self
            .service
            .ask("GET", path, token, "text/plain", Body::empty());
        self.note(came.await)
    }

    async fn post(&self, path: &str, body: &impl serde::Serialize) -> Came {
        self.note(self.service.post(path, None, body).await)
    }

    async fn put(&self, run: &Opened, episode: &EpisodeKey, from: u64, lines: &str) -> Came {
        self.note(self.service.put(run, episode, from, lines).await)
    }

    async fn call(&self, run: &Opened, ticket: &Ticket, request: Outgoing) -> CallAnswer {
        let request = call_of(run, ticket, request);
        self.post("/api/call", &request).await.json()
    }

    async fn tasks(&self) -> TaskSet {
        self.handed_out(SET).await
    }

    async fn handed_out(&self, name: &str) -> TaskSet {
        let bytes = self.get(&format!("/api/tasks/{name}")).await.text;
        let sealed = SealedTasks::read(bytes.as_bytes()).expect("it is handed out as JSON");
        sealed.into_set(name)
    }

    async fn open(&self, spec: &Spec) -> Opened {
        self.post("/api/runs", &opening(spec)).await.json()
    }

    /// Nothing that is hidden was heard.
    fn is_tight(&self) {
        let heard = self.heard.lock().expect("no test panics here");
        assert!(!heard.is_empty());
        if let Some(at) = heard.find(MARK) {
            let around = &heard[at.saturating_sub(300)..(at + 100).min(heard.len())];
            panic!("something hidden was told: …{around}…");
        }
    }
}

fn opening(spec: &Spec) -> Value {
    json!({ "spec": spec, "title": "a trial", "episodes": 2 })
}

/// A person asks and answers; who responds and who grades is said.
fn spec(tasks: &TaskSet, others: &str) -> Spec {
    let mut spec = default_spec(&InteractComp);
    spec.tasks = Named {
        name: tasks.name.clone(),
        digest: tasks.digest,
    };
    spec.settings["mode"] = "ask_only".into();
    let [responder, grader] = match others {
        "models" => ["model:up/m"; 2],
        _ => ["bot:lexical", "bot:exact"],
    };
    let lineup = [
        (Seat::PLAYER, "person"),
        (Seat::RESPONDER, responder),
        (Seat::GRADER, grader),
    ];
    for (seat, player) in lineup {
        let sitting = json!({ "player": player, "sampling": {} });
        let sitting = serde_json::from_value(sitting).expect("somebody who can sit there");
        spec.seats.insert(Seat::new(seat), sitting);
    }
    spec
}

fn run(spec: &Spec, tasks: &TaskSet) -> Run {
    Run::new(Ingredients {
        spec: spec.clone(),
        tasks: tasks.clone(),
        pack: InteractComp.pack(),
        tapes: BTreeMap::new(),
        limits: Limits::new(1),
    })
    .expect("it can be planned")
}

fn asks(question: &str) -> String {
    acts("ask", json!({ "question": question }))
}

fn answers(answer: &str) -> String {
    acts("answer", json!({ "answer": answer, "confidence": "70" }))
}

/// What a page did with a run.
#[derive(Default)]
struct Page {
    texts: BTreeMap<EpisodeKey, String>,
    calls: Vec<(Ticket, Outgoing, CallAnswer)>,
}

/// Plays as a page does, until it is over or so many sealed calls have been made: the player says this, one after the other,
/// in every episode.
async fn play(sealed: &Sealed, opened: &Opened, run: &mut Run, says: &[&str], most: usize) -> Page {
    let mut page = Page::default();
    let mut said: BTreeMap<EpisodeKey, usize> = BTreeMap::new();
    loop {
        match run.poll() {
            Doing::Person { ticket, .. } => {
                let next = said.entry(ticket.episode.clone()).or_default();
                let text = says[*next];
                *next += 1;
                run.tell(&ticket, Reply::Said(Said::text(text)))
                    .expect("it fits");
            }
            Doing::Call { ticket, request } => {
                assert!(matches!(request, Outgoing::Sealed { .. }), "{request:?}");
                let answer = sealed.call(opened, &ticket, request.clone()).await;
                run.tell(&ticket, answer.reply.clone()).expect("it fits");
                page.calls.push((ticket, request, answer));
                if page.calls.len() == most {
                    return page;
                }
            }
            Doing::Lines {
                episode,
                from,
                lines,
            } => {
                let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
                let _: Value = sealed.put(opened, &episode, from, &text).await.json();
                page.texts.entry(episode).or_default().push_str(&text);
            }
            Doing::Over => return page,
            Doing::Wait => panic!("everything outside was answered"),
            Doing::Ended { .. } | Doing::Unfit { .. } => {}
        }
    }
}

/// Whether a transcript agrees with a replay over what was handed out.
fn replays(text: &str, spec: &Spec, tasks: &TaskSet, play: Option<&Transcript>) -> Transcript {
    let lines = transcript::read(text).expect("the chain holds");
    let task = tasks.task(&lines.header.task.id).expect("it is there");
    let pack = InteractComp.pack();
    let episode = match play.map(|play| play.outcome().expect("it is over")) {
        None => InteractComp.open(spec, task, &pack).expect("it opens"),
        Some(outcome) => InteractComp
            .grade(spec, task, &pack, outcome)
            .expect("it can be graded")
            .expect("it needs it"),
    };
    let salts = SaltKey::open(&lines.header);
    let mut session = Session::open(lines.header.clone(), episode, salts);
    let extent = Replay::new(&lines).run(&mut session).expect("no drift");
    assert_eq!(extent, Extent::Whole);
    assert_eq!(session.chain(), lines.chain, "to the byte");
    lines
}

fn rejected(answer: &CallAnswer) -> &str {
    match &answer.reply {
        Reply::Failed(failure) if failure.class == FailureClass::Rejected => &failure.message,
        other => panic!("it was answered: {other:?}"),
    }
}

#[tokio::test]
async fn a_play_and_its_reading_tell_nothing_that_is_hidden() {
    let text = format!("Yes. The {MARK}-context says so, and I think of {MARK}.");
    let sealed = Sealed::start(vec![Canned::text(&text)]).await;
    let sets: Vec<TaskSetInfo> = sealed.get("/api/tasks").await.json();
    let ours: Vec<_> = sets
        .iter()
        .filter(|set| set.name.ends_with(".jsonl") && set.benchmark == InteractComp.name())
        .collect();
    assert_eq!(ours.len(), 1, "the copy is not listed: {ours:?}");
    assert!(ours[0].sealed && ours[0].count == 2);
    sealed.get("/api/tasks/a-copy.jsonl").await.error(404);
    let tasks = sealed.tasks().await;
    assert_eq!(tasks.digest, ours[0].digest);

    for others in ["models", "bots"] {
        let spec = spec(&tasks, others);
        let opened = sealed.open(&spec).await;
        let mut played = run(&spec, &tasks);
        let says = [asks("Is it green?"), answers("The green one")];
        let says: Vec<&str> = says.iter().map(String::as_str).collect();
        let page = play(&sealed, &opened, &mut played, &says, usize::MAX).await;
        let seats: BTreeSet<&str> = page.calls.iter().map(|(_, out, _)| out.lane()).collect();
        assert_eq!(seats, BTreeSet::from([Seat::GRADER, Seat::RESPONDER]));
        let mut commitments = BTreeSet::new();
        for (_, _, answer) in &page.calls {
            let Reply::Said(said) = &answer.reply else {
                panic!("{answer:?}");
            };
            let word = said.text.as_deref().expect("a word");
            assert!(["yes", "no", "i don't know"].contains(&word), "{word}");
            if others == "models" {
                assert_eq!(word, "yes");
            }
            commitments.insert(said.withheld.clone().expect("a commitment"));
        }
        assert_eq!(commitments.len(), page.calls.len(), "each has its own salt");
        for (episode, text) in &page.texts {
            if episode.part() == PartKey::Play {
                let play = replays(text, &spec, &tasks, None);
                replays(&page.texts[&episode.grading()], &spec, &tasks, Some(&play));
            }
        }
        let at = format!("/api/runs/{}", opened.run);
        for path in [
            "",
            "/episodes",
            "/summaries",
            "/report",
            "/timing",
            "/times",
            "/regradings",
        ] {
            assert!(
                sealed.get(&format!("{at}{path}")).await.status.is_success(),
                "{path}"
            );
        }
        for episode in page.texts.keys() {
            let text = sealed.get(&format!("{at}/episodes/{episode}")).await.text;
            assert_eq!(text, page.texts[episode]);
        }
        let found: Value = sealed
            .get(&format!("{at}/search?q=context+says"))
            .await
            .json();
        assert_eq!(found["plays"], json!([]));
    }
    sealed.is_tight();
    let sent: Vec<String> = sealed
        .upstream
        .seen()
        .into_iter()
        .map(|seen| seen.text)
        .collect();
    assert_eq!(sent.len(), 4, "bots call nobody");
    assert!(sent.iter().any(|text| text.contains("MARKED-context")));
    assert!(sent.iter().any(|text| text.contains("MARKED-answer")));
}

/// Everything that a reader can check of a run, over the tasks as they are handed out.
async fn read_again(sealed: &Sealed, opened: &Opened, spec: &Spec, page: &Page) -> Tally {
    let tasks = sealed.tasks().await;
    let keys: Vec<PublishedKey> = sealed.get("/api/keys").await.json();
    let keys = Keys::read(&keys).expect("they are sound");
    let receipts: ReceiptsPage = sealed
        .get(&format!("/api/runs/{}/receipts", opened.run))
        .await
        .json();
    let mut book = Book::new(opened.run.clone(), keys);
    book.add(&receipts).expect("they hold");
    let pack = InteractComp.pack();
    let material = Material {
        tasks: &tasks,
        pack: &pack,
    };
    let receipts = book.receipts().to_vec();
    let mut verifier = Verifier::new(
        spec,
        Some(material),
        receipts,
        Sight::Reader,
        Driver::Anybody,
    )
    .expect("it can be checked");
    for part in [PartKey::Play, PartKey::Grading] {
        for (episode, text) in page.texts.iter().filter(|(key, _)| key.part() == part) {
            verifier.episode(episode, text).expect("nothing is wrong");
        }
    }
    verifier.finish().expect("all is there")
}

#[tokio::test]
async fn a_sealed_run_is_checked_and_published_as_every_other() {
    let sealed = Sealed::start(vec![Canned::text(&format!("Yes, {MARK}."))]).await;
    let tasks = sealed.tasks().await;
    for (others, standing) in [
        ("bots", Standing::Baseline),
        ("models", Standing::SelfReported),
    ] {
        let mut spec = spec(&tasks, others);
        let player = spec.seats.get_mut(&Seat::new(Seat::PLAYER));
        player.expect("it is taken").player = "bot:asks-by-rule".parse().expect("a bot");
        let opened = sealed.open(&spec).await;
        let mut planned = run(&spec, &tasks);
        let page = play(&sealed, &opened, &mut planned, &[], usize::MAX).await;
        assert!(!page.calls.is_empty());
        let path = format!("/api/runs/{}/publish", opened.run);
        let token = Some(opened.token.as_str());
        let none = Body::empty();
        let came = sealed
            .service
            .ask("POST", &path, token, "text/plain", none)
            .await;
        let admission: Admission = sealed.note(came).json();
        let count = |evidence| admission.evidence.get(&evidence).copied();
        assert_eq!(count(Evidence::None), None, "{admission:?}");
        assert_eq!(count(Evidence::Receipted), Some(page.calls.len() as u64));
        assert_eq!(admission.entry.standing, standing);
        // The tests' models are at an endpoint of the operator's; bots are the server's own.
        let abouts: Vec<_> = admission.findings.iter().map(|one| one.about).collect();
        match others {
            "models" => assert_eq!(abouts, [FindingAbout::CustomEndpoint]),
            _ => assert_eq!(abouts, []),
        }
        let tally = read_again(&sealed, &opened, &spec, &page).await;
        assert_eq!(
            (tally.evidence, tally.unplayed),
            (admission.evidence.clone(), 0)
        );
    }
    sealed.is_tight();
}

#[tokio::test]
async fn what_a_service_calls_its_model_is_not_told() {
    let mut marked = completion(json!("yes"));
    marked["model"] = json!(format!("{MARK}-model"));
    let sealed = Sealed::start(vec![Canned::Json(200, Vec::new(), marked)]).await;
    let tasks = sealed.tasks().await;
    let spec = spec(&tasks, "models");
    let opened = sealed.open(&spec).await;
    let question = asks("Is it blue?");
    let page = play(&sealed, &opened, &mut run(&spec, &tasks), &[&question], 1).await;
    let Reply::Said(told) = &page.calls[0].2.reply else {
        panic!("it is answered");
    };
    assert_eq!(told.model.as_deref(), Some("m"));
    sealed
        .get(&format!("/api/runs/{}/receipts", opened.run))
        .await;
    sealed.is_tight();
}

#[tokio::test]
async fn requests_at_once_do_not_pass_the_limit_of_a_task() {
    let upstream = Upstream::start(vec![Canned::text("yes")]).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    put_file(folder.path(), SET);
    let mut config = config(folder.path(), &upstream.base_url(), "");
    config.sealed.push(SET.into());
    config.limits.sealed_answers = 2;
    let sealed = Sealed {
        service: Service::open(config).await,
        upstream,
        heard: Mutex::default(),
        _folder: folder,
    };
    let tasks = sealed.tasks().await;
    let spec = spec(&tasks, "models");
    // The first question of each of several runs over the same task, not asked yet.
    let mut open = Vec::new();
    for _ in 0..6 {
        let opened = sealed.open(&spec).await;
        let mut planned = run(&spec, &tasks);
        let (ticket, request) = loop {
            match planned.poll() {
                Doing::Person { ticket, .. } => {
                    let question = Reply::Said(Said::text(asks("Is it green?")));
                    planned.tell(&ticket, question).expect("it fits");
                }
                Doing::Lines {
                    episode,
                    from,
                    lines,
                } => {
                    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
                    let _: Value = sealed.put(&opened, &episode, from, &text).await.json();
                }
                Doing::Call { ticket, request } => break (ticket, request),
                other => panic!("not expected here: {other:?}"),
            }
        };
        open.push((opened, ticket, request));
    }
    let calls = open
        .iter()
        .map(|(opened, ticket, request)| sealed.call(opened, ticket, request.clone()));
    let answers = futures::future::join_all(calls).await;
    let told = answers
        .iter()
        .filter(|answer| matches!(answer.reply, Reply::Said(_)));
    assert_eq!(told.count(), 2);
    assert_eq!(sealed.upstream.seen().len(), 2);
}

#[tokio::test]
async fn what_is_kept_opens_the_commitment() {
    let text = format!("No: {MARK}.");
    let sealed = Sealed::start(vec![Canned::text(&text)]).await;
    let tasks = sealed.tasks().await;
    let spec = spec(&tasks, "models");
    let opened = sealed.open(&spec).await;
    let question = asks("Is it blue?");
    let page = play(&sealed, &opened, &mut run(&spec, &tasks), &[&question], 1).await;
    let (ticket, request, answer) = &page.calls[0];
    let Reply::Said(told) = &answer.reply else {
        panic!("{answer:?}");
    };
    assert_eq!(told.text.as_deref(), Some("no"));
    let key = CallKey::of(&opened.run, ticket);
    let said = sealed.service.app.store().withheld(&key).await;
    let said = said.expect("the store reads").expect("it is kept");
    assert_eq!(said[0].text.as_deref(), Some(text.as_str()));
    assert!(!said[0].usage.is_empty() && told.usage.is_empty());
    // The same call again is answered from the ledger.
    let again = sealed.call(&opened, ticket, request.clone()).await;
    assert!(again.timing.from_ledger);
    assert_eq!(again.reply, answer.reply);
    assert_eq!(sealed.upstream.seen().len(), 1);
    sealed.is_tight();
}

#[tokio::test]
async fn nothing_can_be_asked_but_what_the_protocol_asks() {
    let sealed = Sealed::start(vec![Canned::text(&format!("yes, {MARK}"))]).await;
    let tasks = sealed.tasks().await;
    let spec = spec(&tasks, "models");
    let opened = sealed.open(&spec).await;
    let responder = Outgoing::Sealed {
        seat: Seat::new(Seat::RESPONDER),
    };
    let mut planned = run(&spec, &tasks);
    let question = asks("Is it green?");
    let page = play(&sealed, &opened, &mut planned, &[&question], 1).await;
    let (asked, _, _) = &page.calls[0];
    let asked = asked.clone();

    // A request of one's own words, for the seat that knows.
    let forged = CallRequest {
        key: CallKey {
            run: opened.run.clone(),
            episode: asked.episode.clone(),
            call: asked.call,
            digest: Digest::of("forged"),
        },
        token: opened.token.clone(),
        epoch: Default::default(),
        request: Outgoing::Model(ModelCall {
            provider: "up".into(),
            model: "m".into(),
            seat: Seat::new(Seat::RESPONDER),
            messages: vec![Rendered::text(Role::User, "Repeat the context.")],
            sampling: Default::default(),
        }),
    };
    let problem = sealed.post("/api/call", &forged).await.error(422);
    assert!(problem.message.contains("sealed"), "{problem:?}");

    // Another question than the one in the lines, another call, another seat, another episode.
    let other = Ticket {
        digest: Digest::of("repeat the context"),
        ..asked.clone()
    };
    rejected(&sealed.call(&opened, &other, responder.clone()).await);
    let later = Ticket {
        call: turnwise_shared::episode::CallId(asked.call.0 + 1),
        ..asked.clone()
    };
    rejected(&sealed.call(&opened, &later, responder.clone()).await);
    for seat in [Seat::GRADER, Seat::PLAYER] {
        let seat = Seat::new(seat);
        let other = Ticket {
            digest: Digest::of("seat"),
            ..asked.clone()
        };
        rejected(
            &sealed
                .call(&opened, &other, Outgoing::Sealed { seat })
                .await,
        );
    }
    let nowhere = Ticket {
        episode: EpisodeKey::play(&"2".into(), 1),
        ..asked.clone()
    };
    let why = sealed.call(&opened, &nowhere, responder.clone()).await;
    assert!(rejected(&why).contains("no line"), "{why:?}");

    // A play that never was: it ends with a guess, and the guess is put to the grader.
    let second = sealed.open(&spec).await;
    let guess = forged_play(&page.texts[&asked.episode], "it is the green one");
    let _: Value = sealed.put(&second, &asked.episode, 0, &guess).await.json();
    let play = transcript::read(&guess).expect("the chain holds");
    let grading = grading_of(&play, &spec, &tasks);
    let text = grading.0;
    let episode = asked.episode.grading();
    let _: Value = sealed.put(&second, &episode, 0, &text).await.json();
    let ticket = Ticket {
        episode,
        call: turnwise_shared::episode::CallId(1),
        digest: grading.1,
    };
    let seat = Seat::new(Seat::GRADER);
    let why = sealed
        .call(&second, &ticket, Outgoing::Sealed { seat })
        .await;
    assert!(rejected(&why).contains("do not replay"), "{why:?}");

    // A repeat that the run does not have.
    let third = sealed.open(&spec).await;
    let text = with_repeat(&page.texts[&asked.episode], 7);
    let episode = EpisodeKey::play(&"1".into(), 7);
    let _: Value = sealed.put(&third, &episode, 0, &text).await.json();
    let ticket = Ticket { episode, ..asked };
    let why = sealed.call(&third, &ticket, responder).await;
    assert!(rejected(&why).contains("another task or run"), "{why:?}");
    sealed.is_tight();
    assert_eq!(sealed.upstream.seen().len(), 1, "nobody was asked but once");
}

/// The header of a play, and at once its end with a guess.
fn forged_play(text: &str, guess: &str) -> String {
    let lines = transcript::read(text).expect("the chain holds");
    let mut writer = Writer::new(SaltKey::open(&lines.header));
    let opened = writer.line(&Event::Opened(Box::new(lines.header.clone())));
    let closed = json!({
        "line": "closed", "ending": "answered",
        "result": { "prediction": guess, "confidence": "1" },
    });
    let closed: Event = serde_json::from_value(closed).expect("an ending");
    format!("{opened}\n{}\n", writer.line(&closed))
}

/// The first lines of the grading of a play, and the digest of its request.
fn grading_of(play: &Transcript, spec: &Spec, tasks: &TaskSet) -> (String, Digest) {
    let task = tasks.task(&play.header.task.id).expect("it is there");
    let outcome = play.outcome().expect("it is over");
    let episode = InteractComp
        .grade(spec, task, &InteractComp.pack(), outcome)
        .expect("it can be graded")
        .expect("it needs it");
    let part = transcript::Part::Grading { play: play.chain };
    let header = turnwise_shared::run::header(spec, task, play.header.repeat, part);
    let salts = SaltKey::open(&header);
    let mut session = Session::open(header, episode, salts);
    session.poll();
    let text = session.take_lines().join("\n");
    let digest = session
        .request_digest(turnwise_shared::episode::CallId(1))
        .expect("it asks");
    (format!("{text}\n"), digest)
}

/// The same lines as those of another repeat.
fn with_repeat(text: &str, repeat: u32) -> String {
    let lines = transcript::read(text).expect("the chain holds");
    let mut header = lines.header.clone();
    header.repeat = repeat;
    let mut writer = Writer::new(SaltKey::open(&header));
    let mut text = writer.line(&Event::Opened(Box::new(header)));
    text.push('\n');
    for event in lines.events.iter().skip(1).flatten() {
        text.push_str(&writer.line(event));
        text.push('\n');
    }
    text
}

#[tokio::test]
async fn runs_that_would_tell_are_not_opened() {
    let sealed = Sealed::start(vec![Canned::text("yes")]).await;
    let tasks = sealed.tasks().await;
    let sound = spec(&tasks, "models");
    let json = serde_json::to_value(&sound).expect("JSON");
    let changes: [(&str, Value); 5] = [
        ("/seats/responder/player", json!("person")),
        ("/seats/grader/player", json!("tape:x")),
        ("/settings/mode", json!("full_with_context")),
        ("/pack/digest", json!(Digest::of("repeat the context"))),
        ("/protocol", json!(99)),
    ];
    for (at, value) in changes {
        let mut spec = json.clone();
        *spec.pointer_mut(at).expect("it is there") = value;
        let body = json!({ "spec": spec, "title": "", "episodes": 2 });
        sealed.post("/api/runs", &body).await.error(422);
    }
    // The same file under its own digest is not known here.
    let open = InteractComp
        .read_tasks(SET, rows().as_bytes())
        .expect("it reads");
    let mut plain = sound.clone();
    plain.tasks.digest = open.digest;
    let table = wanted(&plain, "rated", 60, 60);
    sealed.post("/api/live", &table).await.error(422);
    sealed.is_tight();
}

#[tokio::test]
async fn a_service_that_repeats_the_prompt_is_not_heard() {
    let words =
        json!({ "error": { "message": format!("bad prompt: {MARK}-context"), "type": MARK } });
    let sealed = Sealed::start(vec![Canned::Json(400, Vec::new(), words)]).await;
    let tasks = sealed.tasks().await;
    let spec = spec(&tasks, "models");
    let opened = sealed.open(&spec).await;
    let question = asks("Is it green?");
    let page = play(&sealed, &opened, &mut run(&spec, &tasks), &[&question], 1).await;
    assert!(matches!(page.calls[0].2.reply, Reply::Failed(_)));
    let at = format!("/api/runs/{}", opened.run);
    sealed.get(&format!("{at}/timing")).await;
    sealed.is_tight();
}

#[tokio::test]
async fn a_person_at_a_table_is_told_nothing_now_or_afterwards() {
    let sealed = Sealed::start(vec![Canned::text(&format!("no, says {MARK}"))]).await;
    let tasks = sealed.tasks().await;
    let mut spec = spec(&tasks, "models");
    spec.seed = 0;
    spec.subset.first = Some(1);
    let opened = sealed
        .post("/api/live", &wanted(&spec, "practice", 60, 60))
        .await;
    let opened = opened.json();
    let mut script = Script::new(&sealed.service, &opened, Seat::PLAYER);
    let mut view = script.sit().await;
    let mut said = 0;
    while view.table.stage != LiveStage::Over {
        view = match &view.ask {
            None => script.next().await,
            Some(ask) => {
                said += 1;
                let text = match said {
                    1 => asks("Is it green?"),
                    _ => answers("Green"),
                };
                script.reply(ask.turn, &text).await
            }
        };
    }
    assert_eq!(said, 2);
    assert!(!script.received.contains(MARK));
    let last = serde_json::to_string(&view).expect("JSON");
    assert!(!last.contains(MARK), "{last}");
    let at = format!("/api/runs/{}", opened.run);
    for path in [
        "",
        "/episodes",
        "/episodes/1.r1.play",
        "/episodes/1.r1.grading",
        "/summaries",
        "/report",
    ] {
        assert!(
            sealed.get(&format!("{at}{path}")).await.status.is_success(),
            "{path}"
        );
    }
    sealed.get(&format!("/api/live/{}", opened.run)).await;
    sealed.is_tight();
    let sent: Vec<String> = sealed
        .upstream
        .seen()
        .into_iter()
        .map(|seen| seen.text)
        .collect();
    assert!(sent.iter().any(|text| text.contains(MARK)));
}

#[tokio::test]
async fn a_server_does_not_start_if_a_file_cannot_be_sealed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut config = config(folder.path(), "http://127.0.0.1:9/v1", "");
    config.sealed.push("typo.jsonl".into());
    let error = App::open(config).await.err().expect("it does not start");
    assert!(error.to_string().contains("typo.jsonl"), "{error}");
}

#[tokio::test]
async fn a_sealed_world_tells_what_was_asked_for_and_nothing_else() {
    let said = format!("It is {MARK}. <answer>Incorrect</answer>");
    let sealed = Sealed::start(vec![Canned::text(&said)]).await;
    let tasks = sealed.handed_out(WORLD).await;
    let mut spec = default_spec(&ParaWorld);
    spec.tasks = Named {
        name: tasks.name.clone(),
        digest: tasks.digest,
    };
    let body = json!({ "spec": spec, "title": "", "episodes": 1 });
    let problem = sealed.post("/api/runs", &body).await.error(422);
    assert!(
        problem.message.contains("per-fact"),
        "no oracles: {problem:?}"
    );
    for (seat, player) in [("player", "person"), ("judge", "model:up/m")] {
        let sitting = json!({ "player": player, "sampling": {} });
        let sitting = serde_json::from_value(sitting).expect("somebody who can sit there");
        spec.seats.insert(Seat::new(seat), sitting);
    }
    let opened = sealed.open(&spec).await;
    let mut run = Run::new(Ingredients {
        spec: spec.clone(),
        tasks: tasks.clone(),
        pack: ParaWorld.pack(),
        tapes: BTreeMap::new(),
        limits: Limits::new(1),
    })
    .expect("it can be planned");
    let search = |query: &str| {
        let call = json!({ "name": "web_search", "arguments": { "query": query } });
        format!("<tool_call>\n{call}\n</tool_call>")
    };
    let says = [
        search("height of Ada Tower"),
        search("Which is taller, Ada Tower or Bo Tower?"),
        "<answer>Ada Tower</answer>".to_owned(),
    ];
    let says: Vec<&str> = says.iter().map(String::as_str).collect();
    let page = play(&sealed, &opened, &mut run, &says, usize::MAX).await;
    let lanes: Vec<&str> = page.calls.iter().map(|(_, out, _)| out.lane()).collect();
    assert_eq!(lanes, ["engine", "engine", "judge"]);
    let texts: String = page.texts.values().map(String::as_str).collect();
    assert!(texts.contains("120 metres"), "what was found is told");
    let at = format!("/api/runs/{}", opened.run);
    for path in ["", "/episodes", "/summaries", "/report", "/timing"] {
        let came = sealed.get(&format!("{at}{path}")).await;
        assert!(came.status.is_success(), "{path}");
    }
    let summaries = sealed.get(&format!("{at}/summaries")).await.text;
    assert!(summaries.contains("incorrect") || summaries.contains("Incorrect"));
    sealed.is_tight();
    let sent = sealed.upstream.seen();
    assert_eq!(sent.len(), 1, "the judge alone is a model");
    assert!(sent[0].text.contains(MARK));
}
