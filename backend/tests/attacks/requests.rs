//! Requests that ask for another answer than their own, that hide what they say, or that are too large.

use super::*;

#[tokio::test]
async fn a_run_of_no_plays_or_of_too_many_is_not_opened() {
    let (service, _upstream, _folder) = service(Vec::new()).await;
    for (repeats, said) in [(0, "at least once"), (u32::MAX, "too many")] {
        let mut spec = of_bots(2);
        spec.repeats = repeats;
        let wanted = json!({ "spec": spec, "title": "", "episodes": 2 });
        let error = service.post("/api/runs", None, &wanted).await.error(422);
        assert!(error.message.contains(said), "{error}");
    }
    // Nor is one planned whose repeats are few, but its tasks are many.
    let samples = InteractComp.samples();
    let mut spec = of_bots(20);
    spec.repeats = 100_000;
    let why = turnwise_shared::sweep::tasks(&InteractComp, &spec, &samples)
        .expect_err("two million plays");
    assert!(why.to_string().contains("too many"), "{why}");
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
        // Not every database keeps a NUL, and nobody reads a bell.
        with(&|spec| spec.tasks.name = "a\0b".to_owned()),
        with(&|spec| player(spec, "model:up/m\u{7}".to_owned())),
        // Nor does anybody see what turns the order of a name around, or hides in it.
        with(&|spec| player(spec, "model:up/\u{202e}5-tpg".to_owned())),
        with(&|spec| spec.pack.name = "official\u{200b}".to_owned()),
        json!({ "spec": trial_spec(1), "title": "a\0b", "episodes": 1 }),
        json!({ "spec": trial_spec(1), "title": "a\u{2066}b", "episodes": 1 }),
        json!({ "spec": trial_spec(1), "title": "t".repeat(401), "episodes": 1 }),
    ] {
        service.post("/api/runs", None, &wanted).await.error(422);
    }
    let hidden = json!({ "spec": trial_spec(1), "title": "a\u{202e}b", "episodes": 1 });
    let error = service.post("/api/runs", None, &hidden).await.error(422);
    assert!(
        error.message.contains("title has the sign U+202E"),
        "{error:?}"
    );
    for title in [
        "信任博弈",
        "تجربة",
        "परीक्षण",
        "می\u{200c}خواهم",
        "👩🏽\u{200d}💻 ❤\u{fe0f}",
    ] {
        let wanted = json!({ "spec": trial_spec(1), "title": title, "episodes": 1 });
        let came = service.post("/api/runs", None, &wanted).await;
        assert_eq!(came.status, 200, "{title}");
    }
    // Nor does a run begin whose bot nobody is.
    let nobody = with(&|spec| player(spec, "bot:nobody".to_owned()));
    let error = service.post("/api/runs", None, &nobody).await.error(422);
    assert!(error.message.contains("no such bot"), "{error:?}");
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
