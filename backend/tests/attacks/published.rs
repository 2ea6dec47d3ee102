//! What an attacker tries while a run is published, and afterwards.

use super::*;

#[tokio::test]
async fn publishing_again_changes_nothing_and_what_is_published_stays() {
    let service = service(searching(60)).await;
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
    let none = service.ask("POST", &path("publish"), None, "text/plain", Body::empty()).await;
    none.error(401);
    let foreign = Some(other.token.as_str());
    let foreign = service.ask("POST", &path("publish"), foreign, "text/plain", Body::empty()).await;
    foreign.error(401);

    let token = Some(opened.token.as_str());
    let reason = Reason { reason: "a wrong price".into() };
    let left: LogEntry = service.post(&path("withdraw"), token, &reason).await.json();
    assert_eq!((left.number, left.reason.as_str()), (2, "a wrong price"));
    assert_eq!(left.follows(1, &log[0].hash), Ok(()));
    let told = matches!(left.subject, Subject::Row { headline: None, .. });
    assert!(told, "nothing of it is told any more");
    let none: Option<Admission> = service.get(&path("entry")).await.json();
    assert_eq!(none, None, "it is on no board any more");
    service.post(&path("withdraw"), token, &reason).await.error(404);
    let again = admitted(&service, &opened).await;
    assert_eq!(again.log, 3);
    assert_eq!(again.entry.numbers, first.entry.numbers);
}

#[tokio::test]
async fn a_run_that_nobody_grades_has_no_row() {
    let service = service(searching(60)).await;
    let mut spec = trial_spec(2);
    spec.seats.remove(&Seat::new(Seat::GRADER));
    let opened = service.open_run(&spec, 2).await;
    let texts = play(&service, &opened, &spec, |_, _| {}, |_, _| {}).await;
    store(&service, &opened, &texts).await;
    let refusal = refused(&service, &opened, "no_place").await;
    let why = &refusal.error.message;
    assert!(why.contains("Nobody sits in the seat that grades"), "{why}");
}

#[tokio::test]
async fn a_body_that_is_held_back_until_the_run_is_published_is_refused() {
    let service = service(searching(60)).await;
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
            service.ask("PUT", &path, token, "application/x-ndjson", body).await
        }
    });
    is_asked.await.expect("the server reads it");
    admitted(&service, &opened).await;
    send.send(text).expect("the server reads on");
    upload.await.expect("it is answered").error(409);
}

#[tokio::test]
async fn calls_that_were_cancelled_or_lost_are_told_with_the_row() {
    let mut canned = vec![Canned::Silence(Duration::from_secs(60))];
    canned.extend(searching(60));
    let service = service(canned).await;
    let upstream = service.upstream();
    let spec = trial_spec(2);
    let opened = service.open_run(&spec, 2).await;
    let store = service.app.store();
    let head = store.run_head(&opened.run).await.expect("it reads");
    let head = head.expect("it is there");
    let mut run = planned(&spec);
    let (ticket, request) = loop {
        if let Action::Call { ticket, request } = run.poll() {
            break (ticket, request);
        }
    };
    // The driver stops it before a word came.
    let key = CallKey::of(&opened.run, &ticket);
    let calls = service.app.calls();
    let made = calls.make(&head, key.clone(), request, Stream::Whole, None);
    let mut waiting = made.expect("it belongs to the run");
    while upstream.seen().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    waiting.canceller().cancel();
    let answer = waiting.answer().await;
    assert_eq!(answer.reply, Reply::Failed(Failure::of_cancelled_call()), "nobody heard anything");
    // The server went away before the answer to one came that is never asked again.
    let other = CallKey { digest: Digest::of("another request"), ..key };
    let lost = store.intend(&other, &Digest::of("what was sent"), 1).await;
    assert_eq!(lost.expect("it is written"), Intended::Ours);

    let texts = play(&service, &opened, &spec, |_, _| {}, |_, _| {}).await;
    self::store(&service, &opened, &texts).await;
    let admission = admitted(&service, &opened).await;
    let count = |about| {
        let mut findings = admission.findings.iter();
        findings.find(|one| one.about == about).map(|one| one.count)
    };
    assert_eq!(count(FindingAbout::Cancelled), Some(1), "{admission:?}");
    assert_eq!(count(FindingAbout::Lost), Some(1), "{admission:?}");
    assert_eq!(count(FindingAbout::Rerolled), None, "{admission:?}");
}

#[tokio::test]
async fn whoever_publishes_a_run_several_times_at_once_has_it_logged_once() {
    let service = service(searching(60)).await;
    let (opened, texts) = honest(&service).await;
    store(&service, &opened, &texts).await;
    let at_once = (0..4).map(|_| admitted(&service, &opened));
    let admissions = futures::future::join_all(at_once).await;
    let log: Vec<LogEntry> = service.get("/api/log").await.json();
    assert_eq!(log.len(), 1, "{log:?}");
    for admission in &admissions {
        assert_eq!(admission.log, log[0].number);
    }
    // Nor where it was checked before it stood there.
    let kept = service.app.store().entry(&opened.run).await;
    let kept = kept.expect("it reads").expect("it stands");
    let logging = Logging::new(Change::Admitted, "a test", 1);
    let placed = service.app.store().place(&kept, None, &logging).await;
    assert_eq!(placed.expect("the store works"), Placed::Stands);
}

#[tokio::test]
async fn of_several_copies_that_are_published_at_once_one_stands() {
    let service = service(Vec::new()).await;
    let spec = of_bots(1);
    let store = service.app.store();
    let mut checked = Vec::new();
    for _ in 0..6 {
        let opened = service.open_run(&spec, 1).await;
        let texts = play(&service, &opened, &spec, |_, _| {}, |_, _| {}).await;
        self::store(&service, &opened, &texts).await;
        let head = store.run_head(&opened.run).await.expect("it reads");
        let head = head.expect("it is there");
        let kept = publishing::check(&service.app, &head).await;
        checked.push(kept.expect("none of them stands anywhere yet"));
    }
    let logging = Logging::new(Change::Admitted, "a test", 1);
    let at_once = checked.iter().map(|kept| store.place(kept, None, &logging));
    let placed = futures::future::join_all(at_once).await;
    let placed: Vec<_> = placed.into_iter().map(|one| one.expect("the store works")).collect();
    let count = |is: fn(&Placed) -> bool| placed.iter().filter(|one| is(one)).count();
    assert_eq!(count(|one| matches!(one, Placed::Logged(_))), 1, "{placed:?}");
    assert_eq!(count(|one| matches!(one, Placed::Copied(_))), 5, "{placed:?}");
    let log: Vec<LogEntry> = service.get("/api/log").await.json();
    assert_eq!(log.len(), 1, "{log:?}");
}

#[tokio::test]
async fn a_copy_of_what_built_in_players_did_is_no_new_evidence() {
    let service = service(Vec::new()).await;
    let spec = of_bots(2);
    let first = service.open_run(&spec, 2).await;
    let texts = play(&service, &first, &spec, |_, _| {}, |_, _| {}).await;
    store(&service, &first, &texts).await;
    admitted(&service, &first).await;
    let copy = service.open_run(&spec, 2).await;
    store(&service, &copy, &texts).await;
    let refusal = refused(&service, &copy, "no_place").await;
    let message = &refusal.error.message;
    assert!(message.contains(first.run.as_str()), "{message}");
    // More of the same is no more evidence; its headers differ, so its lines do.
    let mut more = spec.clone();
    more.repeats = 2;
    let twice = service.open_run(&more, 4).await;
    let texts = play(&service, &twice, &more, |_, _| {}, |_, _| {}).await;
    store(&service, &twice, &texts).await;
    let refusal = refused(&service, &twice, "no_place").await;
    let message = &refusal.error.message;
    assert!(message.contains("built-in players"), "{message}");
}

#[tokio::test]
async fn a_copy_of_what_a_model_said_is_no_new_evidence() {
    let service = service(searching(60)).await;
    let (first, texts) = honest(&service).await;
    store(&service, &first, &texts).await;
    admitted(&service, &first).await;
    let copy = service.open_run(&trial_spec(2), 2).await;
    store(&service, &copy, &texts).await;
    let refusal = refused(&service, &copy, "no_place").await;
    let message = &refusal.error.message;
    assert!(message.contains("2 of its episodes"), "{message}");
    // Nor is it once a single call was made anew.
    let mut run = planned(&trial_spec(2));
    let (ticket, request) = loop {
        if let Action::Call { ticket, request } = run.poll() {
            break (ticket, request);
        }
    };
    let answer = service.call(&call_of(&copy, &ticket, request)).await;
    let text = &texts[&ticket.episode];
    let told = events(text).into_iter().find_map(|event| match event {
        Event::Told { call, reply } if call == ticket.call => Some(reply),
        _ => None,
    });
    assert_eq!(told, Some(answer.reply), "it says the same again");
    let refusal = refused(&service, &copy, "no_place").await;
    let message = &refusal.error.message;
    assert!(message.contains("2 of its episodes"), "{message}");
    // A model that was asked anew and said the same is.
    let (again, texts) = honest(&service).await;
    store(&service, &again, &texts).await;
    admitted(&service, &again).await;
}

#[tokio::test]
async fn a_run_that_is_not_what_it_says_has_no_number_and_says_why() {
    let service = service(searching(60)).await;
    let (opened, mut texts) = honest(&service).await;
    edit_an_outcome(&mut texts);
    store(&service, &opened, &texts).await;
    let info = async || service.of_run(&opened.run, "").await.json::<RunInfo>();
    assert!(info().await.doubt.is_none(), "nobody has checked it");
    let refusal = refused(&service, &opened, "drift").await;
    let told = info().await;
    assert_eq!(told.accuracy, None);
    let Some(Doubt::Refused { refusal: kept, .. }) = told.doubt.as_deref() else {
        panic!("it was refused: {:?}", told.doubt);
    };
    assert_eq!(*kept, refusal);
    let head = service.app.store().run_head(&opened.run).await;
    let head = head.expect("it reads").expect("it is there");
    let told = preview::of_run(&service.app, &head).await.expect("it is told");
    assert_eq!(told.headline, None);
    let said = told.sentences.join(" ");
    assert!(said.contains("refused it"), "{said}");
    let listed: Vec<RunInfo> = service.get("/api/runs").await.json();
    assert!(listed.iter().all(|run| run.accuracy.is_none()));

    // What only cannot be checked is not accused of anything.
    let (other, mut unfinished) = honest(&service).await;
    let missing = a_play(&unfinished);
    unfinished.retain(|key, _| *key != missing && *key != missing.grading());
    store(&service, &other, &unfinished).await;
    refused(&service, &other, "not_as_planned").await;
    assert!(service.of_run(&other.run, "").await.json::<RunInfo>().doubt.is_none());
}

#[tokio::test]
async fn a_run_that_the_operator_took_off_its_board_says_so() {
    let service = service(searching(60)).await;
    let (opened, texts) = honest(&service).await;
    store(&service, &opened, &texts).await;
    admitted(&service, &opened).await;
    let logging = Logging::new(Change::Removed, "copied from elsewhere", 2);
    let left = service.app.store().leave_board(&opened.run, &logging).await;
    let said = left.expect("the store works").expect("it stood there");
    let info: RunInfo = service.of_run(&opened.run, "").await.json();
    let doubt = Doubt::Removed(said);
    assert_eq!(info.doubt.as_deref(), Some(&doubt));
    // A page that offers runs for comparing has only the list.
    let listed: Vec<RunInfo> = service.get("/api/runs").await.json();
    assert_eq!(listed[0].doubt.as_deref(), Some(&doubt));
    let head = service.app.store().run_head(&opened.run).await;
    let head = head.expect("it reads").expect("it is there");
    let told = preview::of_run(&service.app, &head).await;
    let said = told.expect("it is told").sentences.join(" ");
    assert!(said.contains("took it off its board"), "{said}");
}

#[tokio::test]
async fn what_left_a_board_stays_away_and_what_went_on_is_not_put_there() {
    let service = service(searching(60)).await;
    let (opened, texts) = honest(&service).await;
    store(&service, &opened, &texts).await;
    admitted(&service, &opened).await;
    let kept = service.app.store().entry(&opened.run).await;
    let kept = kept.expect("it reads").expect("it stands");
    let logging = Logging::new(Change::Admitted, "a test", 1);
    let admit = async |kept: &KeptEntry| {
        let placed = service.app.store().place(kept, None, &logging).await;
        placed.expect("the store works")
    };
    let mut other = kept.clone();
    other.transcripts = Digest::of("others");
    assert_eq!(admit(&other).await, Placed::WentOn);

    // Its numbers were computed by an older program, and while they are computed anew it is taken off.
    let mut old = kept.clone();
    old.entry.numbers.plays += 1;
    let leave = async |change| {
        let logging = Logging::new(change, "a reason", 2);
        let left = service.app.store().leave_board(&opened.run, &logging).await;
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
