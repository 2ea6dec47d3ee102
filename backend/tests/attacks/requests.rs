//! Requests that ask for another answer than their own, that hide what they say, or that are too large.

use futures::StreamExt as _;
use tower::ServiceExt as _;

use super::*;

#[tokio::test]
async fn a_run_of_no_plays_or_of_too_many_is_not_opened() {
    let service = service(Vec::new()).await;
    for (repeats, said) in [(0, "at least once"), (u32::MAX, "too many")] {
        let mut spec = of_bots(2);
        spec.repeats = repeats;
        let wanted = json!({ "spec": spec, "title": "", "episodes": 2 });
        service.open(&wanted).await.error_with(422, said);
    }
    // Nor is one planned whose repeats are few, but its tasks are many.
    let samples = example(QUESTIONS).samples();
    let mut spec = of_bots(20);
    spec.repeats = 100_000;
    let why = turnwise_shared::sweep::tasks(example(QUESTIONS), &spec, &samples)
        .expect_err("two million plays");
    assert!(why.to_string().contains("too many"), "{why}");
}

#[tokio::test]
async fn the_answer_to_one_request_is_not_told_as_that_to_another() {
    let service = service(vec![Canned::text("yes")]).await;
    let upstream = service.upstream();
    let spec = trial_spec(1);
    let opened = service.open_run(&spec, 1).await;
    let call = |text: &str| asking(&opened, 1, question(&spec, text));
    let said = service.call(&call("honest?")).await;
    assert!(matches!(said.reply, Reply::Said(_)), "{said:?}");
    let other = service.call(&call("with a hint?")).await;
    assert!(
        matches!(&other.reply, Reply::Failed(failure) if failure.class == FailureClass::Rejected),
        "{other:?}"
    );
    let same = service.call(&call("honest?")).await;
    assert!(same.timing.from_ledger && same.reply == said.reply);
    assert_eq!(upstream.seen().len(), 1);
}

#[tokio::test]
async fn names_that_nobody_can_read_are_refused() {
    let service = service(Vec::new()).await;
    let long = "n".repeat(201);
    let with = |change: &dyn Fn(&mut Spec)| {
        let mut spec = trial_spec(1);
        change(&mut spec);
        json!({ "spec": spec, "title": "", "episodes": 1 })
    };
    let player = |spec: &mut Spec, who: String| replace(&mut spec.seats, "player", &who);
    for wanted in [
        with(&|spec| spec.tasks.name.clone_from(&long)),
        with(&|spec| spec.pack.name.clone_from(&long)),
        with(&|spec| player(spec, format!("model:up/{long}"))),
        with(&|spec| player(spec, format!("model:{long}/m"))),
        with(&|spec| player(spec, format!("bot:{long}"))),
        // Not every database keeps a NUL, and a bell cannot be read.
        with(&|spec| spec.tasks.name = "a\0b".to_owned()),
        with(&|spec| player(spec, "model:up/m\u{7}".to_owned())),
        // Nor is a character visible that turns the order of a name around, or hides in it.
        with(&|spec| player(spec, "model:up/\u{202e}5-tpg".to_owned())),
        with(&|spec| spec.pack.name = "official\u{200b}".to_owned()),
        json!({ "spec": trial_spec(1), "title": "a\0b", "episodes": 1 }),
        json!({ "spec": trial_spec(1), "title": "a\u{2066}b", "episodes": 1 }),
        json!({ "spec": trial_spec(1), "title": "t".repeat(401), "episodes": 1 }),
    ] {
        service.open(&wanted).await.error(422);
    }
    let hidden = json!({ "spec": trial_spec(1), "title": "a\u{202e}b", "episodes": 1 });
    service.open(&hidden).await.error_with(422, "name has the character U+202E");
    for title in ["信任博弈", "تجربة", "परीक्षण", "می\u{200c}خواهم", "👩🏽\u{200d}💻 ❤\u{fe0f}"]
    {
        let wanted = json!({ "spec": trial_spec(1), "title": title, "episodes": 1 });
        let came = service.open(&wanted).await;
        assert_eq!(came.status, 200, "{title}");
    }
    // Nor does a run begin whose bot does not exist.
    let nobody = with(&|spec| player(spec, "bot:nobody".to_owned()));
    service.open(&nobody).await.error_with(422, "no such bot");
}

#[tokio::test]
async fn large_and_deep_requests_are_refused() {
    let service = service(Vec::new()).await;
    let opened = service.open_run(&trial_spec(1), 1).await;
    let megabyte = axum::body::Bytes::from(vec![b' '; 1_000_000]);
    let chunks = stream::iter((0..200).map(move |_| Ok::<_, std::io::Error>(megabyte.clone())));
    let path = format!("/api/runs/{}/lines", opened.run);
    let came = service
        .ask("POST", &path, Some(&opened.token), "application/x-ndjson", Body::from_stream(chunks))
        .await;
    assert_eq!(came.error(413).code, "too_large");
    let deep = format!("{}{}\n", "[".repeat(4000), "]".repeat(4000));
    let play: EpisodeKey = "1.r1.play".parse().expect("a key");
    service.put(&opened, &play, 0, &deep).await.error_with(400, "deep");
}

#[tokio::test]
async fn held_uploads_share_a_budget() {
    let upstream = Upstream::start(Vec::new()).await;
    let folder = folder();
    let mut config = config(folder.path(), &upstream.base_url(), "");
    config.limits.client_bytes = 2_000_000;
    let service = Service::start(config).await;
    let opened = service.open_run(&trial_spec(1), 1).await;
    let play: EpisodeKey = "1.r1.play".parse().expect("a key");
    let targets = [
        ("POST", format!("/api/runs/{}/lines", opened.run)),
        ("PUT", format!("/api/runs/{}/episodes/{play}", opened.run)),
        ("PUT", format!("/api/tasks/a.jsonl?benchmark={QUESTIONS}")),
        ("POST", format!("/api/runs/{}/state", opened.run)),
    ];
    let ask = async |(method, path): &(&str, String), body: Body| {
        let kind = match path.ends_with("/state") {
            true => "application/json",
            false => "application/x-ndjson",
        };
        service.ask(method, path, Some(&opened.token), kind, body).await
    };
    let chunks = |held: bool| {
        let chunk = axum::body::Bytes::from(vec![b' '; 90_000]);
        let chunks = stream::iter((0..10).map(move |_| Ok::<_, std::io::Error>(chunk.clone())));
        match held {
            true => Body::from_stream(chunks.chain(stream::pending())),
            false => Body::from_stream(chunks),
        }
    };
    let (service, opened) = (&service, &opened);
    let held = targets.iter().take(2).map(|target| ask(target, chunks(true)));
    let held = futures::future::join_all(held);
    let others = async {
        while service.app.bytes().charged() < 1_600_000 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        for target in &targets {
            let error = ask(target, chunks(false)).await.error(503);
            assert_eq!(error.code, "busy", "{target:?}");
            let small = ask(target, Body::from("{}")).await;
            assert_ne!(small.status.as_u16(), 503, "{target:?}");
        }
        assert_eq!(opened.token.len(), 64);
    };
    tokio::select! {
        came = held => panic!("they are held: {came:?}"),
        () = others => {}
    }
    assert_eq!(service.app.bytes().charged(), 0);
    let large = ask(&targets[3], chunks(false)).await;
    assert_eq!(large.status, 400, "there is room again: {large:?}");
}

/// A client that has shown no token, or that of a visitor's run, holds bodies back: others send theirs all the same.
#[tokio::test]
async fn a_client_without_a_token_takes_no_more_than_its_share() {
    const ACCESS: &str = "0123456789abcdef-access";
    const MOST: usize = 16_000_000;
    let upstream = Upstream::start(vec![Canned::text("yes")]).await;
    let folder = folder();
    let more = "requests_per_second = 100000\nrequest_burst = 100000\n";
    let mut config = config(folder.path(), &upstream.base_url(), more);
    config.limits.client_bytes = MOST;
    config.access = Some(turnwise_backend::secret::Secret::new(ACCESS.to_owned()));
    // Requests of this test come from nowhere, and say for whom.
    config.proxies =
        [turnwise_backend::proxies::network("0.0.0.0").expect("a network")].into_iter().collect();
    let service = Service::start(config).await;
    let open = async |spec: &Spec, token: Option<&str>| -> Opened {
        let wanted = json!({ "spec": spec, "title": "", "episodes": 1 });
        service.post("/api/runs", token, &wanted).await.json()
    };
    let spec = trial_spec(1);
    let owned = open(&spec, Some(ACCESS)).await;
    let visited = open(&of_bots(1), None).await;
    let ask = async |client: &str, token: Option<&str>, path: &str, body: Body| {
        let mut request = Request::builder()
            .method("POST")
            .uri(path)
            .header("host", "localhost:8080")
            .header("x-forwarded-for", client)
            .header("content-type", "application/json");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        service.send(request.body(body).expect("a request")).await
    };
    let large = |held: bool| {
        let chunk = axum::body::Bytes::from(vec![b' '; 90_000]);
        let chunks = stream::iter((0..11).map(move |_| Ok::<_, std::io::Error>(chunk.clone())));
        match held {
            true => Body::from_stream(chunks.chain(stream::pending())),
            false => Body::from_stream(chunks),
        }
    };
    let lines = format!("/api/runs/{}/lines", visited.run);
    let tokens = [
        ("/api/call", None),
        ("/api/call", Some("guessed")),
        ("/api/runs", None),
        (lines.as_str(), Some(visited.token.as_str())),
    ];
    let held = |client: &'static str| {
        let ask = &ask;
        let held = (0..40).map(move |at| {
            let (path, token) = tokens[at % 4];
            ask(client, token, path, large(true))
        });
        // Those that are refused end.
        futures::future::join_all(held)
    };
    let charged = || service.app.bytes().charged();
    let call = |number: u64| {
        asking(&owned, number, question(&spec, &"x".repeat(300_000 + number as usize)))
    };
    let others = async {
        while charged() < MOST / 8 - 1_000_000 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(charged() <= MOST / 8, "{}", charged());
        // The same client, with a token, and another one without.
        let path = format!("/api/runs/{}/state", owned.run);
        for (client, token, path) in [
            ("10.0.0.1", Some(ACCESS), "/api/runs"),
            ("10.0.0.1", Some(owned.token.as_str()), path.as_str()),
            ("10.0.0.2", None, "/api/call"),
        ] {
            let came = ask(client, token, path, large(false)).await;
            assert_eq!(came.status, 400, "it was read: {came:?}");
        }
        let refused = ask("10.0.0.1", None, "/api/call", large(false)).await;
        assert_eq!(refused.error(503).code, "busy");
        let small = ask("10.0.0.1", None, "/api/call", Body::from("{}")).await;
        assert_eq!(small.status, 400, "{small:?}");
        // What shows its token in its body is in the share only until it is read.
        for number in 1..=3 {
            let json = serde_json::to_string(&call(number)).expect("JSON");
            let came = ask("10.0.0.2", None, "/api/call", Body::from(json)).await;
            assert_eq!(came.status, 200, "{came:?}");
        }
    };
    tokio::select! {
        came = held("10.0.0.1") => panic!("some are held: {came:?}"),
        () = others => {}
    }
    assert_eq!(charged(), 0);
    // Many clients leave a part to those who have a token.
    let many = [
        "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5", "10.0.0.6", "10.0.0.7",
        "10.0.0.8", "10.0.0.9",
    ];
    let others = async {
        while charged() < MOST * 5 / 8 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(charged() <= MOST * 3 / 4, "{}", charged());
        let came = ask("10.0.0.1", Some(ACCESS), "/api/runs", large(false)).await;
        assert_eq!(came.status, 400, "{came:?}");
    };
    tokio::select! {
        _ = futures::future::join_all(many.map(held)) => panic!("some are held"),
        () = others => {}
    }
    // A body whose token is wrong is not read at all.
    let path = format!("/api/runs/{}/lines", owned.run);
    for (token, status) in [(None, 401), (Some("guessed"), 401)] {
        let answered = ask("10.0.0.1", token, &path, large(true));
        let came = tokio::time::timeout(Duration::from_secs(10), answered).await;
        came.expect("nothing more is waited for").error(status);
    }
    let nowhere = format!("/api/runs/{}/lines", "0".repeat(32));
    let answered = ask("10.0.0.1", Some(&owned.token), &nowhere, large(true));
    let came = tokio::time::timeout(Duration::from_secs(10), answered).await;
    came.expect("nothing more is waited for").error(404);
}

#[tokio::test]
async fn a_list_of_runs_with_large_specs_is_sent_in_parts() {
    let service = service(Vec::new()).await;
    let mut spec = trial_spec(1);
    let ids = (0..10_000)
        .map(|id| turnwise_shared::task::TaskId::from(format!("task-{id:030}").as_str()));
    spec.subset.ids = ids.chain(spec.subset.ids).collect();
    for _ in 0..12 {
        service.open_run(&spec, 1).await;
    }
    let router = turnwise_backend::build_app(service.app.clone());
    for (query, wanted) in [("", 12), ("?limit=5", 5), ("?limit=0", 0)] {
        let request = Request::builder()
            .uri(format!("/api/runs{query}"))
            .header("host", "localhost:8080")
            .body(Body::empty());
        let answer = router.clone().oneshot(request.expect("a request")).await;
        let answer = answer.expect("it answers");
        let mut text = String::new();
        let mut parts = answer.into_body().into_data_stream();
        while let Some(part) = parts.next().await {
            let part = part.expect("it is read");
            assert!(part.len() < 600_000, "{}", part.len());
            text.push_str(std::str::from_utf8(&part).expect("text"));
        }
        let runs: Vec<RunInfo> = serde_json::from_str(&text).expect("a list");
        assert_eq!(runs.len(), wanted, "{query}");
        assert!(runs.iter().all(|run| run.spec == spec));
        let different: std::collections::BTreeSet<_> = runs.iter().map(|run| &run.run).collect();
        assert_eq!(different.len(), wanted, "{query}");
    }
}

#[test]
fn what_is_withheld_cannot_be_guessed_from_its_commitment() {
    let said = |text: &str| [Said::text(text)];
    let told = Seal::new([7; 32]).withheld("run/episode/call", &said("two words"));
    // An attacker who has the place and guesses the words does not have the secret.
    for guess in ["two words", "other words"] {
        let theirs = Seal::new([0; 32]).withheld("run/episode/call", &said(guess));
        assert_ne!(theirs, told, "the right guess is not confirmed");
    }
    let again = Seal::new([7; 32]).withheld("run/episode/call", &said("two words"));
    assert_eq!(again, told);
    let kept = |secret| Seal::new(secret).keep(example(QUESTIONS).samples()).tasks[0].digest;
    assert_ne!(kept([0; 32]), kept([7; 32]));
    assert_ne!(kept([7; 32]), example(QUESTIONS).samples().tasks[0].digest);
    let elsewhere = Seal::new([7; 32]).withheld("run/episode/other", &said("two words"));
    assert_ne!(elsewhere, told, "the same words elsewhere are not recognised");
}
