//! Live tables: people in seats of runs that the server drives, over HTTP and over the socket.

use turnwise_shared::evidence_tier::Attendance;
use turnwise_shared::wire::budgets::Scope;
use turnwise_shared::wire::live::{LiveEnding, SeatHears, evidence};

use crate::common::database;
use crate::common::table::{NONCE, spec};
use crate::common::*;

const RATED: &str = "rated";
const PRACTICE: &str = "practice";

/// A person plays the first sample tasks, bots do the rest.
fn questions(tasks: u32) -> Spec {
    let seats = [("player", "person"), ("responder", "bot:lexical"), ("grader", "bot:exact")];
    let mut spec = spec(example(QUESTIONS), &seats, example(QUESTIONS).default_settings());
    spec.subset.first = Some(tasks);
    spec.search = local();
    spec
}

async fn open(service: &Service, wanted: &Value) -> LiveOpened {
    service.post("/api/live", None, wanted).await.json()
}

/// A service of this configuration, whose models are nowhere.
async fn service(more: &str) -> Service {
    Service::at(NOWHERE, more).await
}

fn asks(question: &str) -> String {
    acts("ask", json!({ "question": question }))
}

fn answers(answer: &str) -> String {
    acts("answer", json!({ "answer": answer, "confidence": "70" }))
}

/// Answers whatever is asked with one question and then an answer, until the table is over.
async fn play_to_the_end(script: &mut Script, mut view: SeatView) -> SeatView {
    while view.table.stage != LiveStage::Over {
        view = match &view.ask {
            None => script.next().await,
            Some(ask) => {
                let asked_before = ask.messages.iter().any(|m| m.text.contains("is it old?"));
                let text = match asked_before {
                    true => answers("Kivvet"),
                    false => asks("is it old?"),
                };
                script.reply(ask.turn, &text).await
            }
        };
    }
    view
}

#[tokio::test]
async fn a_person_plays_over_http_and_the_run_is_sealed_until_the_end() {
    let service = service("").await;
    let opened = open(&service, &wanted(&questions(2), RATED, 60, 60)).await;
    let at = |rest: &str| format!("/api/runs/{}{rest}", opened.run);
    let mut script = Script::new(&service, &opened, "player");
    let lobby = script.look().await;
    assert_eq!((lobby.table.stage, lobby.episode), (LiveStage::Lobby, None));
    assert_eq!(lobby.table.commitment, opened.commitment);
    assert_eq!(lobby.table.people[&"player".into()].name, None);
    service.get(&at("")).await.error(404);

    let view = script.sit().await;
    assert_eq!(view.table.stage, LiveStage::Playing);
    assert_eq!(view.table.people[&"player".into()].name.as_deref(), Some("Ada"));
    let ask = view.ask.clone().expect("the person is asked");
    assert_eq!((ask.turn, view.episode), (1, Some(1)));
    assert_eq!((ask.decision_ms, ask.bank_ms), (60_000, 60_000));
    let left = ask.deadline_in_ms.expect("the clock runs");
    assert!((100_000..=120_000).contains(&left), "{ask:?}");
    assert!(!ask.messages.is_empty() && view.scene.awaits.is_some());

    for rest in ["", "/episodes", "/episodes/1.r1.play", "/summaries", "/report", "/timing"] {
        let error = service.get(&at(rest)).await.error(403);
        assert_eq!(error.code, "sealed", "{rest}");
    }
    assert!(service.get("/api/runs").await.json::<Vec<RunInfo>>().is_empty());
    let state = json!({ "state": "closed" });
    service.post(&at("/state"), Some("x"), &state).await.error(403);
    let tables: Vec<LiveInfo> = service.get("/api/live").await.json();
    assert_eq!((tables.len(), tables[0].proof.as_ref()), (1, None));

    let stale = json!({ "kind": "reply", "turn": 7, "text": "x" });
    assert_eq!(script.try_say(&stale).await.error(409).code, "conflict");
    let end = play_to_the_end(&mut script, view).await;
    let how = end.table.end.expect("it has ended");
    assert_eq!(how.ending, LiveEnding::Played, "{}", how.why);
    assert_eq!((end.table.played, end.table.episodes), (2, 2));

    let (run, table, transcripts) = checked(&service, &opened, example(QUESTIONS)).await;
    assert_eq!((run.state, run.finished), (RunState::Closed, 2));
    assert_eq!(table.evidence, evidence(Attendance::Unattended));
    assert_eq!(transcripts.len(), 4, "two episodes and their gradings");
    assert!(!script.received.contains(&run.spec.seed.to_string()));
    let secret = table.proof.expect("it is revealed").secret.to_string();
    assert!(!script.received.contains(&secret));
    let timings: Vec<CallTiming> = service.get(&at("/timing")).await.json();
    assert_eq!(timings.len(), 4, "every decision of the person was timed");
    assert!(timings.iter().all(|timing| timing.timing.attempts == 1));
    let listed: Vec<RunInfo> = service.get("/api/runs").await.json();
    assert_eq!(listed.len(), 1);
    let late = json!({ "kind": "reply", "turn": 9, "text": "x" });
    script.try_say(&late).await.error(409);
}

#[tokio::test]
async fn nobody_sits_without_a_ticket() {
    let service = service("").await;
    let opened = open(&service, &wanted(&questions(1), RATED, 60, 0)).await;
    let seat = format!("/api/live/{}/seat", opened.run);
    let sit = json!({ "kind": "sit", "name": "Eve", "nonce": NONCE });
    assert_eq!(service.get(&seat).await.error(401).code, "token_missing");
    assert_eq!(service.post(&seat, Some("x"), &sit).await.error(401).code, "token_wrong");
    let other = open(&service, &wanted(&questions(1), RATED, 60, 0)).await;
    let foreign = &other.tickets[&"player".into()];
    service.post(&seat, Some(foreign), &sit).await.error(401);
    let cancel = format!("/api/live/{}/cancel", opened.run);
    service.post(&cancel, Some(foreign), &json!({})).await.error(401);
    let nowhere = format!("/api/live/{}/seat", "0".repeat(32));
    service.get(&nowhere).await.error(404);

    let mut script = Script::new(&service, &opened, "player");
    for short in [
        json!({ "kind": "sit", "name": "Ada", "nonce": "short" }),
        json!({ "kind": "sit", "name": "A\nda", "nonce": NONCE }),
    ] {
        assert_eq!(script.try_say(&short).await.error(422).code, "unfit");
    }
    script.sit().await;
    let again = json!({ "kind": "sit", "name": "Eve", "nonce": "another nonce of sixteen bytes" });
    script.try_say(&again).await.error(409);
    let long = json!({ "kind": "reply", "turn": 1, "text": "x".repeat(60_001) });
    script.try_say(&long).await.error(422);
}

#[tokio::test]
async fn the_newest_page_of_a_seat_holds_it_and_sees_what_the_last_one_saw() {
    let listening = Listening::at(NOWHERE, "").await;
    let opened = open(&listening.service, &wanted(&questions(1), PRACTICE, 60, 60)).await;
    let ticket = &opened.tickets[&"player".into()];
    let connect = async || Seated::connect(listening.addr, opened.run.as_str(), ticket).await;

    let wrong = Seated::connect(listening.addr, opened.run.as_str(), "x").await.closed().await;
    assert_eq!(wrong.0, 4401);
    let gone = Seated::connect(listening.addr, &"0".repeat(32), ticket).await.closed().await;
    assert_eq!(gone.0, 4404);

    let mut first = connect().await;
    assert_eq!(first.view().await.table.stage, LiveStage::Lobby);
    first.sit().await;
    let asked = first.until(|view| view.ask.is_some()).await;
    first.say_text("{\"v\":1,\"kind\":\"reply\"}").await;
    assert!(matches!(first.next().await, Ok(SeatHears::Refused { .. })));
    first.reply(9, "x").await;
    assert!(matches!(first.next().await, Ok(SeatHears::Refused { .. })));

    let mut second = connect().await;
    assert_eq!(first.closed().await.0, 4409);
    let same = second.view().await;
    assert_eq!((&same.scene, same.episode), (&asked.scene, asked.episode));
    assert_eq!(same.ask.as_ref().map(|ask| ask.turn), Some(1));
    assert!(same.table.people[&"player".into()].connected);
    second.reply(1, &asks("is it old?")).await;
    let next = second.until(|view| view.ask.as_ref().is_some_and(|ask| ask.turn == 2)).await;
    assert!(next.version > same.version);
    second.go().await;

    let mut third = connect().await;
    let back = third.view().await;
    assert_eq!(back.ask.map(|ask| ask.turn), Some(2));
    third.reply(2, &answers("Kivvet")).await;
    let end = third.until(|view| view.table.stage == LiveStage::Over).await;
    let last = end.last.expect("the end of the episode is shown");
    assert_eq!(last.episode, 1);
    assert!(last.reveal.is_some(), "it is practice");
    assert_eq!(third.closed().await.0, 1000);
    checked(&listening.service, &opened, example(QUESTIONS)).await;
    assert_eq!(connect().await.view().await.table.stage, LiveStage::Over);
}

#[tokio::test]
async fn opening_a_link_takes_a_seat_from_nobody() {
    let listening = Listening::at(NOWHERE, "").await;
    let opened = open(&listening.service, &wanted(&questions(1), RATED, 60, 60)).await;
    let (run, ticket) = (opened.run.as_str(), &opened.tickets[&"player".into()]);
    let sitter = async || {
        let path = format!("/api/live/{run}");
        let info: LiveInfo = listening.service.get(&path).await.json();
        (info.stage, info.people[&"player".into()].name.clone())
    };
    let only_opened = async || Seated::open(listening.addr, run, ticket).await;

    // A program that shows a link asks for its page, and perhaps even runs it: the seat is as free as before.
    listening.service.get(&format!("/play/{run}")).await;
    let mut preview = only_opened().await;
    assert_eq!(preview.view().await.table.stage, LiveStage::Lobby);
    Script::new(&listening.service, &opened, "player").look().await;
    preview.go().await;
    assert_eq!(sitter().await, (LiveStage::Lobby, None));

    let mut first = only_opened().await;
    first.view().await;
    first.sit().await;
    first.until(|view| view.ask.is_some()).await;
    // In a seat that is taken it sees nothing, and the one who sits there goes on.
    assert_eq!(only_opened().await.closed().await.0, 4411);
    first.reply(1, &asks("is it old?")).await;
    first.until(|view| view.ask.as_ref().is_some_and(|ask| ask.turn == 2)).await;
    assert_eq!(sitter().await, (LiveStage::Playing, Some("Ada".into())));

    let mut second = Seated::connect(listening.addr, run, ticket).await;
    assert_eq!(first.closed().await.0, 4409);
    second.view().await;
    second.reply(2, &answers("Kivvet")).await;
    second.until(|view| view.table.stage == LiveStage::Over).await;
    // Of a table that is over everybody with a ticket sees the end.
    let end = only_opened().await.view().await;
    assert_eq!(end.table.stage, LiveStage::Over);
}

#[tokio::test]
async fn whoever_pings_without_end_is_let_go() {
    let listening = Listening::at(NOWHERE, "").await;
    let opened = open(&listening.service, &wanted(&questions(1), RATED, 60, 60)).await;
    let (run, ticket) = (opened.run.as_str(), &opened.tickets[&"player".into()]);
    let mut page = Seated::connect(listening.addr, run, ticket).await;
    page.view().await;
    page.pings(500).await;
    assert_eq!(page.closed().await.0, 1008);
    let mut page = Seated::connect(listening.addr, run, ticket).await;
    assert_eq!(page.view().await.table.stage, LiveStage::Lobby);
}

#[tokio::test]
async fn time_runs_out_and_the_benchmark_goes_on_by_its_own_rule() {
    let service = service("").await;
    let opened = open(&service, &wanted(&questions(1), RATED, 1, 0)).await;
    let mut script = Script::new(&service, &opened, "player");
    let mut view = script.sit().await;
    let mut turns = 0;
    while view.table.stage != LiveStage::Over {
        turns = view.ask.as_ref().map_or(turns, |ask| ask.turn);
        view = script.next().await;
    }
    assert_eq!(turns, 1);
    let (_, _, transcripts) = checked(&service, &opened, example(QUESTIONS)).await;
    let [(_, play)] = transcripts.as_slice() else {
        panic!("one episode, and nothing to grade");
    };
    assert_eq!(play.outcome().map(|end| end.ending.as_str()), Some("incomplete"));
    let text = serde_json::to_string(&play.events).expect("JSON");
    assert!(text.contains("the person's time ran out"), "{text}");
}

#[tokio::test]
async fn a_table_ends_when_everybody_leaves_or_its_opener_ends_it() {
    let service = service("").await;
    let opened = open(&service, &wanted(&questions(2), RATED, 60, 0)).await;
    let mut script = Script::new(&service, &opened, "player");
    script.sit().await;
    let left = script.say(json!({ "kind": "leave" })).await;
    let end = match left.table.stage {
        LiveStage::Over => left,
        _ => script.next().await,
    };
    assert_eq!(end.table.end.map(|end| end.ending), Some(LiveEnding::Cancelled));
    let (run, ..) = checked(&service, &opened, example(QUESTIONS)).await;
    assert_eq!(run.state, RunState::Cancelled);

    let opened = open(&service, &wanted(&questions(2), RATED, 60, 0)).await;
    let mut script = Script::new(&service, &opened, "player");
    script.sit().await;
    let cancel = format!("/api/live/{}/cancel", opened.run);
    let ended: LiveInfo = service.post(&cancel, Some(&opened.token), &json!({})).await.json();
    assert_eq!(ended.end.map(|end| end.ending), Some(LiveEnding::Cancelled));
    let (_, _, transcripts) = checked(&service, &opened, example(QUESTIONS)).await;
    assert_eq!(transcripts.len(), 1, "the second was never begun");
    assert!(service.get("/api/live").await.json::<Vec<LiveInfo>>().is_empty());
}

#[tokio::test]
async fn a_deserted_table_ends_and_there_is_room_again() {
    let service = service("live_tables = 1\nlive_idle_seconds = 1").await;
    let wanted = wanted(&questions(1), RATED, 60, 0);
    let opened = open(&service, &wanted).await;
    service.post("/api/live", None, &wanted).await.error_with(409, "no room");
    let mut script = Script::new(&service, &opened, "player");
    script.look().await;
    let mut end = script.next().await;
    while end.table.stage != LiveStage::Over {
        end = script.next().await;
    }
    assert_eq!(end.table.proof, None, "nothing was mixed");
    open(&service, &wanted).await;
}

#[tokio::test]
async fn a_server_that_stops_ends_its_tables_and_one_that_was_killed_does_it_later() {
    let service = service("").await;
    let stopped = open(&service, &wanted(&questions(1), RATED, 60, 0)).await;
    Script::new(&service, &stopped, "player").sit().await;
    service.app.close().await;
    let again = Service::start(config(service.folder(), NOWHERE, "")).await;
    let (run, table, _) = checked(&again, &stopped, example(QUESTIONS)).await;
    assert_eq!(run.state, RunState::Cancelled);
    assert_eq!(table.end.map(|end| end.ending), Some(LiveEnding::Interrupted));

    let killed = open(&again, &wanted(&questions(1), RATED, 60, 0)).await;
    Script::new(&again, &killed, "player").sit().await;
    // The first server still runs, as a killed one does not; over a file of SQLite's, which one server has, this cannot be known.
    crate::common::as_if_killed(service.folder());
    let third = Service::start(config(service.folder(), NOWHERE, "")).await;
    let path = format!("/api/live/{}", killed.run);
    let table: LiveInfo = third.get(&path).await.json();
    if database::address(service.folder()).is_some() {
        // Servers share this database, so it is seen that the first one lives, and its table with it.
        assert_eq!((table.stage, table.end), (LiveStage::Playing, None));
        return;
    }
    assert_eq!(table.end.map(|end| end.ending), Some(LiveEnding::Interrupted));
    assert!(table.proof.is_some());
    let run: RunInfo = third.of_run(&killed.run, "").await.json();
    assert_eq!((run.state, run.finished), (RunState::Cancelled, 0));
    let seat = format!("{path}/seat");
    third.get(&seat).await.error(409);
}

#[tokio::test]
async fn what_cannot_be_played_is_not_opened() {
    let service = service("").await;
    let refused = async |change: &dyn Fn(&mut Value)| {
        let mut wanted = wanted(&questions(1), RATED, 60, 0);
        change(&mut wanted);
        service.post("/api/live", None, &wanted).await.error(422).message
    };
    let seed = refused(&|wanted| wanted["spec"]["seed"] = json!(5)).await;
    assert!(seed.contains("leave it 0"), "{seed}");
    let person = json!("bot:asks-by-rule");
    let nobody =
        refused(&|wanted| wanted["spec"]["seats"]["player"]["player"] = person.clone()).await;
    assert!(nobody.contains("No seat"), "{nobody}");
    let recording =
        refused(&|wanted| wanted["spec"]["seats"]["grader"]["player"] = json!("tape:x")).await;
    assert!(recording.contains("recording"), "{recording}");
    let clock = refused(&|wanted| wanted["clock"]["decision_seconds"] = json!(3601)).await;
    assert!(clock.contains("1 to 3600"), "{clock}");
    let bank = json!({ "decision_seconds": 0, "bank_seconds": 60 });
    let bank = refused(&|wanted| wanted["clock"] = bank.clone()).await;
    assert!(bank.contains("no time bank"), "{bank}");
    let tasks = refused(&|wanted| wanted["spec"]["tasks"]["digest"] = json!("0".repeat(64))).await;
    assert!(tasks.contains("set of tasks"), "{tasks}");
    let pack = refused(&|wanted| wanted["spec"]["pack"]["digest"] = json!("0".repeat(64))).await;
    assert!(pack.contains("prompt pack"), "{pack}");

    let guarded = with(&[("TURNWISE_ACCESS_TOKEN", "a-long-random-text")]).await;
    let wanted = wanted(&questions(1), RATED, 60, 0);
    guarded.post("/api/live", None, &wanted).await.error(401);
    let token = Some("a-long-random-text");
    let opened: LiveOpened = guarded.post("/api/live", token, &wanted).await.json();
    let view = Script::new(&guarded, &opened, "player").sit().await;
    assert_eq!(view.table.stage, LiveStage::Playing, "a ticket is enough");
    guarded.get("/api/live").await.error(401);
}

#[tokio::test]
async fn models_at_a_table_are_paid_by_whoever_opened_it() {
    let ann = "token-of-ann-0123";
    let token =
        |caps: &str| format!("[[token]]\nname = \"ann\"\ntoken = \"{ann}\"\ncaps = {{ {caps} }}\n");
    let mut spec = questions(1);
    sit(&mut spec.seats, "responder", "model:up/m");
    let table = wanted(&spec, PRACTICE, 60, 60);

    let by_calls = service(&token("calls = 3")).await;
    let opened: LiveOpened = by_calls.post("/api/live", Some(ann), &table).await.json();
    Script::new(&by_calls, &opened, "player").sit().await;
    let budget = by_calls.app.call_limits().budget(&opened.run).await;
    let pays: Vec<Scope> =
        budget.expect("it is kept").budgets.into_iter().map(|budget| budget.of).collect();
    assert_eq!(pays, [Scope::Access("ann".into())]);

    // A cap in money needs a bound of what a call may cost.
    let by_money = service(&token("usd = 1.0")).await;
    let refused = by_money.post("/api/live", Some(ann), &table).await;
    let why = refused.error(422).message;
    let whose = "The access token has a budget for the day, but";
    assert!(why.starts_with(whose), "{why}");
}
