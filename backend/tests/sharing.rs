//! Sharing over HTTP: who may see a run, and what is said of a run to those who do not run the app.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use turnwise_shared::screen::run_tabs::run_tabs;

use crate::common::sharing::get;
use crate::common::*;

/// Everything that is shown of a run.
const TOLD: [&str; 12] = [
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
];

#[tokio::test]
async fn a_private_run_is_refused_as_one_that_does_not_exist() {
    let service = service(Vec::<Canned>::new()).await;
    let (run, driven) = played(&service, &of_bots(1)).await;
    let episode = driven.summaries[0].0.clone();
    for rest in TOLD {
        assert!(get(&service, &run, rest, None).await.status.is_success(), "{rest}");
    }
    // Only a client with the token may hide it.
    show(&service, &run, Visibility::Private, "wrong").await.error(401);
    let info: RunInfo = show(&service, &run, Visibility::Private, &run.token).await.json();
    assert_eq!(info.visibility, Visibility::Private);

    let nobody = Opened { run: RunId::new([9; 16]), token: run.token.clone() };
    let mut paths: Vec<String> = TOLD.iter().map(|rest| (*rest).to_owned()).collect();
    // Only its owner sees what it may spend.
    paths.push("/budget".to_owned());
    for rest in ["", "/branches", "/preview"] {
        paths.push(format!("/episodes/{episode}{rest}"));
    }
    for rest in &paths {
        for token in [None, Some("wrong"), Some("")] {
            let refused = get(&service, &run, rest, token).await;
            let unknown = get(&service, &nobody, rest, token).await;
            assert_eq!(refused.status, StatusCode::NOT_FOUND, "{rest}");
            assert_eq!((refused.status, &refused.text), (unknown.status, &unknown.text), "{rest}");
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
            .post(&path, Some("wrong"), &json!({ "visibility": "public", "state": "closed" }))
            .await;
        assert!(!came.text.contains("token"), "{path}: {came:?}");
    }
    show(&service, &run, Visibility::Unlisted, &run.token).await.json::<RunInfo>();
    assert!(get(&service, &run, "", None).await.status.is_success());
}

#[tokio::test]
async fn gradings_of_private_plays_tell_nothing_of_them() {
    let service = service(Vec::<Canned>::new()).await;
    let (run, _) = played(&service, &of_bots(1)).await;
    let wanted = |parent_token: Option<&str>| OpenRun {
        title: String::new(),
        regrades: Some(run.run.clone()),
        parent_token: parent_token.map(str::to_owned),
        visibility: Visibility::Public,
        ..opening(&of_bots(1))
    };
    let again: Opened = service.open(&wanted(None)).await.json();
    assert!(get(&service, &again, "/episodes", None).await.status.is_success());
    show(&service, &run, Visibility::Private, &run.token).await.json::<RunInfo>();
    get(&service, &again, "/episodes", None).await.error(404);
    assert!(get(&service, &again, "/episodes", Some(&again.token)).await.status.is_success());
    // No other client opens another one; its owner does.
    service.open(&wanted(None)).await.error(404);
    service.open(&wanted(Some("wrong"))).await.error(404);
    let own = service.open(&wanted(Some(&run.token))).await;
    assert!(own.status.is_success(), "{own:?}");
}

#[tokio::test]
async fn of_a_withdrawn_run_nothing_is_told_but_that() {
    let service = service(Vec::<Canned>::new()).await;
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
    show(&service, &run, Visibility::Public, &run.token).await.error(410);
    let all: Vec<RunInfo> = service.get("/api/runs").await.json();
    assert!(all.is_empty(), "{all:?}");
}

const PAGE: &str = "<html><head><title>Turnwise</title></head><body><main><!--told--><!--boot-->It is on its way.<!--/boot--></main>\
     <noscript>x</noscript></body></html>";

#[tokio::test]
async fn the_page_of_a_run_says_what_it_is_and_nothing_of_a_private_one() {
    let service = with_page(PAGE).await;
    let spec = of_bots(1);
    let wanted = OpenRun {
        title: "</title></script><img src=x onerror=alert(1)>".to_owned(),
        visibility: Visibility::Unlisted,
        ..opening(&spec)
    };
    let run: Opened = service.open(&wanted).await.json();
    drive(&service, &run, &mut planned(&spec)).await;
    let (episode, play) = play_of(&service, &run).await;
    let samples = example(QUESTIONS).samples();
    let task = samples.task(&play.header.task.id).expect("a sample");
    let question = task.field("question").expect("a question");
    let page = async |path: &str| service.page(path).await;
    for path in [
        format!("/run/{}", run.run),
        format!("/run/{}/{episode}", run.run),
        format!("/run/{}/{episode}?turn=2", run.run),
    ] {
        let came = page(&path).await;
        assert_eq!(came.status, StatusCode::OK);
        assert_eq!(came.headers["x-robots-tag"], "noindex, nofollow");
        let text = html_escape::decode_html_entities(&came.text);
        assert_eq!(text.contains(question), path.contains(episode.as_str()));
        // Of an episode that is over all turns can be read, by a link to one of them, too.
        let turns = came.text.matches("class=\"tl-turn").count();
        let is_episode = path.contains(episode.as_str());
        assert_eq!(turns > 0, is_episode, "{path}: {}", came.text);
        assert!(!came.text.contains("on its way"), "{path}: {}", came.text);
        assert!(!came.text.contains("<img"), "{}", came.text);
        assert!(came.text.contains("&lt;img"), "{}", came.text);
        assert_eq!(came.text.matches("</title>").count(), 1);
        assert!(came.text.contains("name=\"robots\" content=\"noindex, nofollow\""));
        let image = came.text.split("og:image\" content=\"").nth(1).expect("a picture");
        let image = image.split('"').next().expect("its end").replace("&#x2F;", "/");
        let image = image.trim_start_matches("http://localhost:8080").to_owned();
        let picture = service.get(&image).await;
        assert_eq!(picture.headers["content-type"], "image/png", "{image}");
        let tag = picture.headers["etag"].to_str().expect("text");
        let request = Request::get(&image).header("host", "localhost").header("if-none-match", tag);
        let known = service.send(request.body(Body::empty()).expect("sound")).await;
        assert_eq!(known.status, StatusCode::NOT_MODIFIED);
    }
    show(&service, &run, Visibility::Private, &run.token).await.json::<RunInfo>();
    assert_eq!(page(&format!("/run/{}", run.run)).await.text, PAGE);
    assert_eq!(page(&format!("/run/{}", RunId::new([5; 16]))).await.text, PAGE);
    assert_eq!(page("/shared").await.text, PAGE);
}

#[tokio::test]
async fn the_page_of_a_game_lists_its_episodes_as_that_of_other_runs() {
    let service = with_page(PAGE).await;
    let game = example(GAME);
    let mut spec = default_spec(game);
    spec.settings = json!({ "tables": 2, "hands": 2 });
    for sitting in spec.seats.values_mut() {
        sitting.player = "bot:calling-station".parse().expect("a bot");
    }
    let tasks = game.plan(&spec).expect("it can be played");
    spec.tasks = Named::from(&tasks);
    let mut run = planned_over(&spec, tasks);
    let planned = run.progress().planned;
    let opened = service.open_run(&spec, planned).await;
    let driven = drive(&service, &opened, &mut run).await;
    assert!(driven.summaries.len() > 1);
    let address = format!("/run/{}", opened.run);
    for query in ["", "?tab=episodes"] {
        let came = service.page(&format!("{address}{query}")).await;
        let text = html_escape::decode_html_entities(&came.text);
        for (episode, _) in &driven.summaries {
            let link = format!("href=\"{address}/{episode}\"");
            assert!(text.contains(&link), "{link} is not in {text}");
        }
        for (name, title) in run_tabs(true, false) {
            let link = format!("href=\"{address}?tab={name}\"");
            let after = text.split(&link).nth(1).expect("the tab is a link");
            let tab = after.split("</a>").next().unwrap_or_default();
            assert!(tab.ends_with(title), "{tab}");
            assert_eq!(tab.contains("\"page\""), name == "episodes", "{tab}");
        }
    }
}
