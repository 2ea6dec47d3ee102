//! Sharing over HTTP: who may see a run, branches, and what is said of a run to those who do not run the app.

mod common;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use common::upstream::Canned;
use common::{Came, Driven, Service, acts, drive, planned, service, trial_spec, with};
use serde_json::{Value, json};
use turnwise_shared::benchmark::Benchmark as _;
use turnwise_shared::benchmarks::interactcomp::InteractComp;
use turnwise_shared::effect::Reply;
use turnwise_shared::prompt::Said;
use turnwise_shared::run::{BranchOf, Doing, EpisodeKey, Ingredients, Run, cut};
use turnwise_shared::scheduler::Limits;
use turnwise_shared::seat::Seat;
use turnwise_shared::spec::Spec;
use turnwise_shared::transcript::{self, Transcript};
use turnwise_shared::wire::sharing::{Branch, SetVisibility, Visibility};
use turnwise_shared::wire::{EpisodeHead, OpenRun, Opened, RunId, RunInfo, RunState};

/// A run that bots play: no service is asked.
fn of_bots(tasks: u32) -> Spec {
    let mut spec = trial_spec(tasks);
    let player = spec
        .seats
        .get_mut(&Seat::new(Seat::PLAYER))
        .expect("a player");
    player.player = "bot:asks-by-rule".parse().expect("a bot");
    player.sampling = Default::default();
    spec
}

fn with_person(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    let player = spec
        .seats
        .get_mut(&Seat::new(Seat::PLAYER))
        .expect("a player");
    player.player = "person".parse().expect("a player");
    spec
}

async fn played(service: &Service, spec: &Spec) -> (Opened, Driven) {
    let opened = service.open_run(spec, 1).await;
    let driven = drive(service, &opened, &mut planned(spec)).await;
    (opened, driven)
}

async fn play_of(service: &Service, run: &Opened) -> (EpisodeKey, Transcript) {
    let heads: Vec<EpisodeHead> = get(service, run, "/episodes", Some(&run.token))
        .await
        .json();
    let episode = heads[0].episode.its_play();
    let path = format!("/episodes/{episode}");
    let text = get(service, run, &path, Some(&run.token)).await.text;
    (episode, transcript::read(&text).expect("sound"))
}

async fn get(service: &Service, run: &Opened, rest: &str, token: Option<&str>) -> Came {
    let path = format!("/api/runs/{}{rest}", run.run);
    service
        .ask("GET", &path, token, "text/plain", Body::empty())
        .await
}

async fn show(service: &Service, run: &Opened, visibility: Visibility, token: &str) -> Came {
    let path = format!("/api/runs/{}/visibility", run.run);
    let wanted = SetVisibility { visibility };
    service.post(&path, Some(token), &wanted).await
}

/// Everything that is told of a run.
const TOLD: [&str; 13] = [
    "",
    "/summaries",
    "/report",
    "/episodes",
    "/timing",
    "/times",
    "/search?q=the",
    "/regradings",
    "/drive",
    "/preview",
    "/receipts",
    "/entry",
    "/budget",
];

#[tokio::test]
async fn a_private_run_is_refused_as_one_that_does_not_exist() {
    let (service, _upstream, _folder) = service(Vec::<Canned>::new()).await;
    let (run, driven) = played(&service, &of_bots(1)).await;
    let episode = driven.summaries[0].0.clone();
    for rest in TOLD {
        assert!(
            get(&service, &run, rest, None).await.status.is_success(),
            "{rest}"
        );
    }
    // Only whoever has the token may hide it.
    show(&service, &run, Visibility::Private, "wrong")
        .await
        .error(401);
    let info: RunInfo = show(&service, &run, Visibility::Private, &run.token)
        .await
        .json();
    assert_eq!(info.visibility, Visibility::Private);

    let nobody = Opened {
        run: RunId::new([9; 16]),
        token: run.token.clone(),
    };
    let mut paths: Vec<String> = TOLD.iter().map(|rest| (*rest).to_owned()).collect();
    for rest in ["", "/branches", "/preview"] {
        paths.push(format!("/episodes/{episode}{rest}"));
    }
    for rest in &paths {
        for token in [None, Some("wrong"), Some("")] {
            let refused = get(&service, &run, rest, token).await;
            let unknown = get(&service, &nobody, rest, token).await;
            assert_eq!(refused.status, StatusCode::NOT_FOUND, "{rest}");
            assert_eq!(
                (refused.status, &refused.text),
                (unknown.status, &unknown.text),
                "{rest}"
            );
            assert_eq!(refused.headers, unknown.headers, "{rest}");
        }
        if !rest.contains("preview") {
            let own = get(&service, &run, rest, Some(&run.token)).await;
            assert!(own.status.is_success(), "{rest}: {own:?}");
        }
    }
    // Neither lists nor other verbs tell of it.
    let all: Vec<RunInfo> = service.get("/api/runs").await.json();
    assert!(all.is_empty(), "{all:?}");
    for path in ["visibility", "state", "lease"] {
        let path = format!("/api/runs/{}/{path}", run.run);
        let came = service
            .post(
                &path,
                Some("wrong"),
                &json!({ "visibility": "public", "state": "closed" }),
            )
            .await;
        assert!(!came.text.contains("token"), "{path}: {came:?}");
    }
    show(&service, &run, Visibility::Unlisted, &run.token)
        .await
        .json::<RunInfo>();
    assert!(get(&service, &run, "", None).await.status.is_success());
}

#[tokio::test]
async fn gradings_of_private_plays_tell_nothing_of_them() {
    let (service, _upstream, _folder) = service(Vec::<Canned>::new()).await;
    let (run, _) = played(&service, &of_bots(1)).await;
    let wanted = |parent_token: Option<&str>| OpenRun {
        caps: Default::default(),
        spec: of_bots(1),
        title: String::new(),
        episodes: 1,
        regrades: Some(run.run.clone()),
        branch_of: None,
        parent_token: parent_token.map(str::to_owned),
        visibility: Visibility::Public,
    };
    let again: Opened = service.post("/api/runs", None, &wanted(None)).await.json();
    assert!(
        get(&service, &again, "/episodes", None)
            .await
            .status
            .is_success()
    );
    show(&service, &run, Visibility::Private, &run.token)
        .await
        .json::<RunInfo>();
    get(&service, &again, "/episodes", None).await.error(404);
    assert!(
        get(&service, &again, "/episodes", Some(&again.token))
            .await
            .status
            .is_success()
    );
    // Nobody else opens another one; its owner does.
    service
        .post("/api/runs", None, &wanted(None))
        .await
        .error(404);
    service
        .post("/api/runs", None, &wanted(Some("wrong")))
        .await
        .error(404);
    let own = service
        .post("/api/runs", None, &wanted(Some(&run.token)))
        .await;
    assert!(own.status.is_success(), "{own:?}");
}

#[tokio::test]
async fn of_a_withdrawn_run_nothing_is_told_but_that() {
    let (service, _upstream, _folder) = service(Vec::<Canned>::new()).await;
    let (run, driven) = played(&service, &of_bots(1)).await;
    let path = format!("/api/runs/{}/state", run.run);
    let wanted = json!({ "state": RunState::Withdrawn });
    service.post(&path, Some(&run.token), &wanted).await;
    let episode = &driven.summaries[0].0;
    let mut paths: Vec<String> = TOLD.iter().map(|rest| (*rest).to_owned()).collect();
    paths.push(format!("/episodes/{episode}"));
    for rest in &paths {
        for token in [None, Some(run.token.as_str())] {
            let error = get(&service, &run, rest, token).await.error(410);
            assert_eq!(error.code, "withdrawn", "{rest}");
        }
    }
    show(&service, &run, Visibility::Public, &run.token)
        .await
        .error(410);
    let all: Vec<RunInfo> = service.get("/api/runs").await.json();
    assert!(all.is_empty(), "{all:?}");
}

fn branching(spec: &Spec, of: &BranchOf) -> Run {
    let ingredients = Ingredients {
        spec: spec.clone(),
        tasks: InteractComp.samples(),
        pack: InteractComp.pack(),
        tapes: Default::default(),
        limits: Limits::new(4),
    };
    Run::branching(ingredients, of.clone()).expect("it can branch")
}

fn opening(spec: &Spec, of: &BranchOf, visibility: Visibility) -> OpenRun {
    OpenRun {
        caps: Default::default(),
        spec: spec.clone(),
        title: "a branch".to_owned(),
        episodes: 1,
        regrades: None,
        branch_of: Some(of.clone()),
        parent_token: None,
        visibility,
    }
}

#[tokio::test]
async fn a_person_goes_on_from_a_turn_and_the_branch_is_listed() {
    let (service, _upstream, _folder) = service(Vec::<Canned>::new()).await;
    let (parent, _) = played(&service, &of_bots(1)).await;
    let (episode, play) = play_of(&service, &parent).await;
    let of = BranchOf {
        run: parent.run.clone(),
        episode: episode.clone(),
        turn: 2,
        lines: cut(&play, 2).expect("a second turn").lines,
    };
    let spec = with_person(&play.header.spec);
    let wanted = opening(&spec, &of, Visibility::Public);
    let opened: Opened = service.post("/api/runs", None, &wanted).await.json();
    let mut run = branching(&spec, &of);
    run.take_over(&play).expect("it is the play");
    let answer = acts(
        "answer",
        json!({ "answer": "Nothing at all", "confidence": "10" }),
    );
    loop {
        match run.poll() {
            Doing::Person { ticket, .. } => {
                run.tell(&ticket, Reply::Said(Said::text(&answer)))
                    .expect("it fits");
            }
            Doing::Lines {
                episode,
                from,
                lines,
            } => {
                let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
                let stored: Value = service.put(&opened, &episode, from, &text).await.json();
                assert_eq!(stored["lines"], json!(from + lines.len() as u64));
            }
            Doing::Over => break,
            Doing::Ended { .. } => {}
            other => panic!("not expected here: {other:?}"),
        }
    }
    let info: RunInfo = get(&service, &opened, "", None).await.json();
    assert_eq!(info.branch_of, Some(of.clone()));
    assert_eq!((info.episodes, info.finished), (1, 1));
    let list = format!("/episodes/{episode}/branches");
    let branches: Vec<Branch> = get(&service, &parent, &list, None).await.json();
    assert_eq!(branches.len(), 1);
    assert_eq!(branches[0].info.run, opened.run);
    assert_eq!(branches[0].score, Some(0.0), "it is graded like any other");
    assert_eq!(branches[0].answer.as_deref(), Some("Nothing at all"));
    // Only a public one is listed.
    show(&service, &opened, Visibility::Unlisted, &opened.token)
        .await
        .json::<RunInfo>();
    let branches: Vec<Branch> = get(&service, &parent, &list, None).await.json();
    assert!(branches.is_empty());
}

#[tokio::test]
async fn a_branch_of_a_private_play_opens_as_private() {
    let (service, _upstream, _folder) = service(Vec::<Canned>::new()).await;
    let (parent, _) = played(&service, &of_bots(1)).await;
    let (episode, play) = play_of(&service, &parent).await;
    let of = BranchOf {
        run: parent.run.clone(),
        episode,
        turn: 2,
        lines: cut(&play, 2).expect("a second turn").lines,
    };
    let wanted = OpenRun {
        parent_token: Some(parent.token.clone()),
        ..opening(&with_person(&play.header.spec), &of, Visibility::Public)
    };
    show(&service, &parent, Visibility::Private, &parent.token)
        .await
        .json::<RunInfo>();
    let branch: Opened = service.post("/api/runs", None, &wanted).await.json();
    get(&service, &branch, "", None).await.error(404);
    let own: RunInfo = get(&service, &branch, "", Some(&branch.token)).await.json();
    assert_eq!(own.visibility, Visibility::Private);
    // Its owner can show it all the same.
    let shown: RunInfo = show(&service, &branch, Visibility::Public, &branch.token)
        .await
        .json();
    assert_eq!(shown.visibility, Visibility::Public);
}

#[tokio::test]
async fn what_is_no_branch_is_refused_with_its_reason() {
    let (service, _upstream, _folder) = service(Vec::<Canned>::new()).await;
    let (parent, _) = played(&service, &of_bots(1)).await;
    let (episode, play) = play_of(&service, &parent).await;
    let of = BranchOf {
        run: parent.run.clone(),
        episode: episode.clone(),
        turn: 2,
        lines: cut(&play, 2).expect("a second turn").lines,
    };
    let spec = with_person(&play.header.spec);
    let refused = async |spec: &Spec, of: &BranchOf, status: u16| {
        let wanted = opening(spec, of, Visibility::Unlisted);
        service.post("/api/runs", None, &wanted).await.error(status)
    };
    let mut other = spec.clone();
    other.seed += 1;
    let error = refused(&other, &of, 422).await;
    assert!(
        error.message.contains("differs in more than its players"),
        "{error}"
    );
    let elsewhere = BranchOf {
        lines: of.lines + 1,
        ..of.clone()
    };
    let error = refused(&spec, &elsewhere, 422).await;
    assert!(error.message.contains("no turn 2"), "{error}");
    let unknown = BranchOf {
        run: RunId::new([3; 16]),
        ..of.clone()
    };
    refused(&spec, &unknown, 404).await;

    // Lines of a branch that begins otherwise than its parent are not stored.
    let opened: Opened = service
        .post(
            "/api/runs",
            None,
            &opening(&spec, &of, Visibility::Unlisted),
        )
        .await
        .json();
    let mut run = branching(&spec, &of);
    run.take_over(&play).expect("it is the play");
    let Doing::Lines { lines, .. } = run.poll() else {
        panic!("its first lines come first");
    };
    let own = transcript::read(&lines.join("\n")).expect("sound");
    let mut writer = transcript::Writer::new(transcript::SaltKey::open(&own.header));
    let forged: String = own
        .events
        .iter()
        .flatten()
        .enumerate()
        .filter(|(at, _)| *at != 1)
        .map(|(_, event)| format!("{}\n", writer.line(event)))
        .collect();
    let error = service.put(&opened, &episode, 0, &forged).await.error(422);
    assert!(
        error.message.contains("are not those of the play"),
        "{error}"
    );
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    assert!(
        service
            .put(&opened, &episode, 0, &text)
            .await
            .status
            .is_success()
    );
    // Nor is a branch stored as an ordinary play, or the other way round.
    let plain = service.open_run(&spec, 1).await;
    let error = service.put(&plain, &episode, 0, &text).await.error(422);
    assert!(
        error.message.contains("another play to go on from"),
        "{error}"
    );
}

const PAGE: &str =
    "<html><head><title>Turnwise</title></head><body><noscript>x</noscript></body></html>";

#[tokio::test]
async fn the_page_of_a_run_says_what_it_is_and_nothing_of_a_private_one() {
    let web = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(web.path().join("index.html"), PAGE).expect("it writes");
    let folder = web.path().to_string_lossy().into_owned();
    let (service, _data) = with(&[("TURNWISE_WEB_DIR", &folder)]).await;
    let spec = of_bots(1);
    let wanted = OpenRun {
        caps: Default::default(),
        title: "</title></script><img src=x onerror=alert(1)>".to_owned(),
        branch_of: None,
        ..opening(
            &spec,
            &BranchOf {
                run: RunId::new([0; 16]),
                episode: EpisodeKey::play(&"1".into(), 1),
                turn: 1,
                lines: 1,
            },
            Visibility::Unlisted,
        )
    };
    let run: Opened = service.post("/api/runs", None, &wanted).await.json();
    drive(&service, &run, &mut planned(&spec)).await;
    let (episode, _) = play_of(&service, &run).await;
    let page = async |path: &str| {
        let request = Request::get(path)
            .header("host", "localhost:8080")
            .header("accept", "text/html");
        service
            .send(request.body(Body::empty()).expect("a sound request"))
            .await
    };
    for path in [
        format!("/run/{}", run.run),
        format!("/run/{}/{episode}?turn=2", run.run),
    ] {
        let came = page(&path).await;
        assert_eq!(came.status, StatusCode::OK);
        assert_eq!(came.headers["x-robots-tag"], "noindex, nofollow");
        assert!(!came.text.contains("<img"), "{}", came.text);
        assert!(came.text.contains("&lt;img"), "{}", came.text);
        assert_eq!(came.text.matches("</title>").count(), 1);
        assert!(
            came.text
                .contains("name=\"robots\" content=\"noindex, nofollow\"")
        );
        let image = came
            .text
            .split("og:image\" content=\"")
            .nth(1)
            .expect("a picture");
        let image = image
            .split('"')
            .next()
            .expect("its end")
            .replace("&#x2F;", "/");
        let image = image.trim_start_matches("http://localhost:8080").to_owned();
        let picture = service.get(&image).await;
        assert_eq!(picture.headers["content-type"], "image/png", "{image}");
        let tag = picture.headers["etag"].to_str().expect("text");
        let request = Request::get(&image)
            .header("host", "localhost")
            .header("if-none-match", tag);
        let known = service
            .send(request.body(Body::empty()).expect("sound"))
            .await;
        assert_eq!(known.status, StatusCode::NOT_MODIFIED);
    }
    show(&service, &run, Visibility::Private, &run.token)
        .await
        .json::<RunInfo>();
    assert_eq!(page(&format!("/run/{}", run.run)).await.text, PAGE);
    assert_eq!(
        page(&format!("/run/{}", RunId::new([5; 16]))).await.text,
        PAGE
    );
    assert_eq!(page("/shared").await.text, PAGE);
}
