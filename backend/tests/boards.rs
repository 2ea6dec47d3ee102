//! Boards over HTTP: which there are, what a view shows of one, files, and that nothing stays on them that was taken back.

use axum::http::header;
use turnwise_backend::store::{KeptEntry, Logging};
use turnwise_shared::board::published::PaperRow;
use turnwise_shared::wire::publishing::{Change, Entry, Measure, Numbers, Owner};

use crate::common::*;

/// A server may show for a moment what was, so it is asked until it shows what is.
async fn asked_until<T>(ask: impl AsyncFn() -> T, is_so: impl Fn(&T) -> bool) -> T {
    for _ in 0..200 {
        let came = ask().await;
        if is_so(&came) {
            return came;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it does not come to be so");
}

fn spec_of(player: &str) -> Spec {
    let mut spec = trial_spec(2);
    spec.tasks.name = "mine, and the best".to_owned();
    spec.pack.name = "mine as well".to_owned();
    replace(&mut spec.seats, Seat::PLAYER, player);
    spec
}

fn board_of(spec: &Spec) -> Digest {
    registry::find(&spec.benchmark).expect("it is registered").board(spec)
}

/// Opens a run and puts it on its board with such a share of right answers, as publishing does.
async fn publish(service: &Service, player: &str, share: f64, owner: &str) -> Opened {
    let spec = spec_of(player);
    let run = service.open_run(&spec, 2).await;
    let store = service.app.store();
    let owner = Owner::of_key(owner);
    store.set_opening(&run.run, Some(&owner), &board_of(&spec)).await.expect("its owner is kept");
    let kept = KeptEntry {
        entry: Entry {
            run: run.run.clone(),
            board: board_of(&spec),
            benchmark: spec.benchmark.clone(),
            title: "a trial".to_owned(),
            players: BTreeMap::from([(
                Seat::new(Seat::PLAYER),
                player.parse::<Player>().expect("a player"),
            )]),
            tier: EvidenceTier::Verified,
            owner: Some(owner),
            opened: 1_790_000_000_000,
            published: 1_790_000_100_000,
            numbers: Numbers {
                plays: 2,
                tasks: 2,
                measures: vec![Measure {
                    key: String::new(),
                    label: "Accuracy".to_owned(),
                    value: Some(share),
                    interval: Some((share / 2.0, (share + 1.0) / 2.0)),
                    unit: Unit::Fraction,
                }],
                ..Numbers::default()
            },
        },
        evidence: BTreeMap::new(),
        findings: Vec::new(),
        transcripts: store.transcripts(&run.run, None).await.expect("they are read"),
        maker: "a test".to_owned(),
        left: None,
    };
    let logging = Logging::new(Change::Admitted, "a test", 1_790_000_100_000);
    store.place(&kept, None, &logging).await.expect("it is admitted");
    run
}

async fn board(service: &Service, id: &BoardId, query: &str) -> Board {
    service.get(&format!("/api/boards/{id}{query}")).await.json()
}

fn runs(board: &Board) -> Vec<&RunId> {
    board.rows.iter().filter_map(|row| row.run.as_ref()).collect()
}

#[tokio::test]
async fn boards_are_listed_and_shown_in_any_view() {
    let service = with(&[]).await;
    let heads: Vec<BoardHead> = service.get("/api/boards").await.json();
    assert!(heads.iter().all(|head| matches!(head.id, BoardId::Paper(_))));
    for benchmark in BENCHMARKS {
        let printed = benchmark.boards().map_or(0, |boards| (boards.published)().len());
        let of_it = heads.iter().filter(|head| head.benchmark == benchmark.name());
        assert_eq!(of_it.count(), printed, "{benchmark:?}");
    }
    let weak = publish(&service, "model:up/weak", 0.25, "a").await;
    let strong = publish(&service, "model:up/strong", 0.75, "b").await;
    // Opened with the same owner key, and not published.
    let spec = spec_of("model:up/weak");
    let other = service.open_run(&spec, 2).await;
    let owner = Owner::of_key("a");
    service
        .app
        .store()
        .set_opening(&other.run, Some(&owner), &board_of(&spec))
        .await
        .expect("its owner is kept");
    let id = BoardId::Key(board_of(&spec));
    let heads = asked_until(
        async || -> Vec<BoardHead> { service.get("/api/boards").await.json() },
        |heads| heads.iter().any(|head| head.id == id),
    )
    .await;
    let head = heads.iter().find(|head| head.id == id).expect("the board");
    assert_eq!(head.best.as_ref().and_then(|best| best.run.clone()), Some(strong.run.clone()));
    let shown = board(&service, &id, "").await;
    // Whatever the runs call their tasks and prompts.
    for text in [&shown.head.title, &head.title] {
        assert!(!text.contains("mine"), "{text}");
    }
    let fixed = shown.head.fixed.iter();
    assert!(!fixed.clone().any(|one| one.value.contains("mine")));
    assert_eq!(runs(&shown), [&strong.run, &weak.run]);
    let owned = shown.rows.iter().find(|row| row.run.as_ref() == Some(&weak.run));
    let owned = owned.and_then(|row| row.owner).expect("an owner");
    assert_eq!((owned.opened, owned.published), (2, 1));
    assert!(
        shown.head.fixed.iter().any(|fixed| fixed.what == "grader" && fixed.value == "bot:exact")
    );
    // Rows of the paper's table for this condition are apart, until a view asks for them.
    assert_eq!(shown.head.rows[&EvidenceTier::Published], 17);
    assert_eq!((shown.printed.len(), shown.total), (17, 2));
    let mixed = board(&service, &id, "?paper=1").await;
    assert_eq!((mixed.rows.len(), mixed.total), (19, 19));

    let turned = board(&service, &id, "?order=up&standing=verified&limit=1").await;
    assert_eq!((runs(&turned), turned.matching), (vec![&weak.run], 2));
    let found = board(&service, &id, "?q=STRONG").await;
    assert_eq!(runs(&found), [&strong.run]);
    service.get(&format!("/api/boards/{id}?order=left")).await.error_with(400, "order=left");

    let csv = service.get(&format!("/api/boards/{id}?standing=verified&format=csv")).await;
    assert_eq!(csv.headers[header::CONTENT_TYPE], "text/csv; charset=utf-8");
    assert_eq!(csv.text.lines().count(), 3);
    let json: Board = service.get(&format!("/api/boards/{id}?limit=1&format=json")).await.json();
    assert_eq!(json.rows.len() as u32, json.total);
    service.get(&format!("/api/boards/{id}?format=xml")).await.error(400);
}

#[tokio::test]
async fn what_papers_printed_has_boards_of_its_own() {
    let service = with(&[]).await;
    let boards = example(QUESTIONS).boards().expect("it has boards");
    let printed = (boards.published)().swap_remove(0);
    let error = |row: &PaperRow| row.cells["calibration_error"].value;
    let rows = printed.rows.iter();
    let least =
        rows.min_by(|one, other| error(one).total_cmp(&error(other))).expect("there are rows");
    let id = BoardId::Paper(printed.name.clone());
    let shown = board(&service, &id, "?sort=calibration_error").await;
    assert_eq!(shown.rows.len(), printed.rows.len());
    assert_eq!(shown.rows[0].name, least.name);
    assert_eq!(shown.rows[0].source.as_ref(), Some(&least.source));
    assert!(!shown.notes.is_empty());
    for nothing in ["paper-nothing", "x", &Digest::of("nothing").to_string()] {
        service.get(&format!("/api/boards/{nothing}")).await.error(404);
    }
}

#[tokio::test]
async fn nothing_stays_that_was_taken_back() {
    let service = with(&[]).await;
    let id = BoardId::Key(board_of(&spec_of("model:up/a")));
    let withdrawn = publish(&service, "model:up/a", 0.1, "a").await;
    let whole = publish(&service, "model:up/b", 0.2, "b").await;
    let stays = publish(&service, "model:up/c", 0.3, "c").await;
    let verified = async || board(&service, &id, "?standing=verified").await;
    asked_until(verified, |board| board.head.rows[&EvidenceTier::Verified] == 3).await;

    // The operator names a row by the beginning of its run's id, as the log shows it.
    let store = service.app.store();
    let named = async |beginning: &str| store.on_boards(beginning).await.expect("the store works");
    let short = &withdrawn.run.as_str()[..12];
    assert_eq!(named(short).await, std::slice::from_ref(&withdrawn.run));
    for nothing in ["", "%", "_", "x", "ABCDEF"] {
        assert!(named(nothing).await.is_empty(), "{nothing}");
    }
    let logging = Logging::new(Change::Withdrawn, String::new(), 1_790_000_200_000);
    store.leave_board(&withdrawn.run, &logging).await.expect("it leaves");
    assert!(named(short).await.is_empty(), "it stands on no board");
    let hidden = store.set_visibility(&whole.run, Visibility::Private).await;
    assert!(!hidden.expect("the store works"), "it stands on a board");
    let taken = store.set_state(&whole.run, RunState::Withdrawn).await;
    taken.expect("it is taken back as a whole");
    let shown = asked_until(verified, |board| board.head.rows[&EvidenceTier::Verified] == 1).await;
    assert_eq!(runs(&shown), [&stays.run]);
}

/// Two models of which one takes its time, and a bot: each has the latency of its own calls.
#[tokio::test]
async fn participants_of_a_game_have_latencies_of_their_own() {
    let provider = |name: &str, latency: u32| {
        format!("[[provider]]\nname = \"{name}\"\nformat = \"scripted\"\nlatency_ms = {latency}\n")
    };
    let providers = provider("quick", 1) + &provider("slow", 600);
    let service = Service::at(NOWHERE, &providers).await;
    let mut spec = default_spec(example(GAME));
    spec.settings = json!({ "tables": 1, "hands": 2 });
    spec.seats.retain(|seat, _| seat.as_str() <= "3");
    for (seat, player) in [("1", "model:quick/m"), ("2", "model:slow/m")] {
        spec.seats.get_mut(&seat.into()).expect("it plays").player =
            player.parse().expect("a model");
    }
    let tasks = example(GAME).plan(&spec).expect("it can be played");
    spec.tasks = Named::from(&tasks);
    let opened = service.open_run(&spec, 2).await;
    let mut run = planned_over(&spec, tasks);
    drive(&service, &opened, &mut run).await;
    let came = service.publish(&opened.run, Some(&opened.token)).await;
    let Numbers { latency, latencies, .. } = came.json::<Admission>().entry.numbers;
    let seats: Vec<&str> = latencies.keys().map(Seat::as_str).collect();
    assert_eq!(seats, ["1", "2"], "bots take no time");
    let [quick, slow] = ["1", "2"].map(|seat| latencies[&seat.into()]);
    assert!(quick < slow, "{quick} {slow}");
    assert!((quick..=slow).contains(&latency.expect("models were called")));
    // Of the run's own numbers one is that of decisions: a conversation is one, however often a player is asked in it.
    let report: Value = service.of_run(&opened.run, "/report?with=times").await.json();
    let took = |at: usize, what: &str| report["record"]["players"][at][what].clone();
    for at in 0..2 {
        let (decisions, calls) = (took(at, "latency_ms"), took(at, "latency_ms_per_call"));
        let [least, most] = [&decisions, &calls].map(|one| one["n"].as_u64().expect("some"));
        assert!(0 < least && least <= most, "{decisions} {calls}");
        assert!(decisions["mean"].as_f64() >= calls["mean"].as_f64());
    }
    assert_eq!(took(2, "latency_ms"), Value::Null, "bots take no time");
}

#[tokio::test]
async fn a_run_that_is_renamed_has_its_new_name_on_the_board_at_once() {
    let service = with(&[]).await;
    let run = publish(&service, "bot:search-only", 0.5, "somebody").await;
    let id = BoardId::Key(board_of(&spec_of("bot:search-only")));
    let named = async || board(&service, &id, "").await.rows[0].title.clone();
    let before = asked_until(named, |title| !title.is_empty()).await;
    let store = service.app.store();
    let version = store.boards_version().await.expect("it is read");
    let wanted = json!({ "title": "another name" }).to_string();
    let path = format!("/api/runs/{}", run.run);
    let came = service.ask("PATCH", &path, Some(&run.token), "application/json", wanted).await;
    assert!(came.status.is_success(), "{came:?}");
    assert_ne!(before, "another name");
    assert_eq!(named().await, "another name");
    // Other servers over the same database hear of it, too.
    let after = store.boards_version().await.expect("it is read");
    assert_ne!(after, version);
}
