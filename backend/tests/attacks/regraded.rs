//! Plays that are graded again: whose they are, where they stand, and what is shown of them.

use turnwise_shared::examples::{QUESTIONS, example};

use super::*;

/// Opens a run under an owner key, if one is named; perhaps one that grades the episodes of another again.
async fn open_as(service: &Service, key: Option<&str>, regrades: Option<&Opened>) -> Opened {
    open_under(service, &trial_spec(2), key, regrades).await
}

/// The same under another spec.
async fn open_under(
    service: &Service,
    spec: &Spec,
    key: Option<&str>,
    regrades: Option<&Opened>,
) -> Opened {
    let regrades = regrades.map(|run| &run.run);
    let wanted = json!({
        "spec": spec, "title": "a trial", "episodes": 2, "regrades": regrades,
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
    service.send(request.body(body).expect("a sound request")).await.json()
}

/// Whose plays are graded again.
const MINE: Option<&str> = Some("a key of mine");

/// A run of mine that is played and stored, with its transcripts, and the gradings among them.
async fn played(service: &Service) -> (Opened, Texts, Texts) {
    let played = open_as(service, MINE, None).await;
    let texts = play(service, &played, &trial_spec(2), |_, _| {}, |_, _| {}).await;
    store(service, &played, &texts).await;
    let mut gradings = texts.clone();
    gradings.retain(|key, _| key.part() == PartKey::Grading);
    (played, texts, gradings)
}

#[tokio::test]
async fn plays_that_are_graded_again_are_their_owners_stand_once_and_stay() {
    let service = service(searching(60)).await;
    let (played, texts, gradings) = played(&service).await;
    for stranger in [None, Some("a stranger's key")] {
        let theirs = open_as(&service, stranger, Some(&played)).await;
        store(&service, &theirs, &gradings).await;
        let refusal = refused(&service, &theirs, "no_place").await;
        assert!(refusal.error.message.contains("owner key"), "{refusal:?}");
    }
    let again = open_as(&service, MINE, Some(&played)).await;
    store(&service, &again, &gradings).await;
    admitted(&service, &again).await;
    // What stands on the board is made of episodes that lie elsewhere.
    let (episode, text) = unplanned(&texts);
    service.put(&played, &episode, 0, &text).await.error(409);
    let refusal = refused(&service, &played, "no_place").await;
    assert!(refusal.error.message.contains("same board"), "{refusal:?}");
    let path = format!("/api/runs/{}/withdraw", again.run);
    let reason = Reason { reason: String::new() };
    let token = Some(again.token.as_str());
    let _: LogEntry = service.post(&path, token, &reason).await.json();
    let entries = service.app.store();
    let kept = entries.entry(&again.run).await.expect("it reads");
    admitted(&service, &played).await;
    refused(&service, &again, "no_place").await;
    // Nor where it was checked before the other stood there.
    let logging = Logging::new(Change::Admitted, "a test", 1);
    let kept = kept.expect("it stood there");
    let placed = entries.place(&kept, Some(&played.run), &logging).await;
    assert_eq!(placed.expect("the store works"), Placed::Twice);
}

#[tokio::test]
async fn what_happened_to_plays_is_told_of_those_who_grade_them_again_too() {
    let service = service(searching(60)).await;
    let (played, texts, gradings) = played(&service).await;
    let episode = a_play(&texts);
    let key = CallKey {
        run: played.run.clone(),
        episode: episode.clone(),
        call: CallId(1),
        digest: Digest::of("another request"),
    };
    let store = service.app.store();
    let lost = store.intend(&key, &Digest::of("what was sent"), 1).await;
    assert_eq!(lost.expect("it is written"), Intended::Ours);
    let again = open_as(&service, MINE, Some(&played)).await;
    self::store(&service, &again, &gradings).await;
    let admission = admitted(&service, &again).await;
    let abouts = admission.findings.iter().map(|one| one.about);
    assert!(abouts.clone().any(|about| about == FindingAbout::Lost), "{admission:?}");
}

#[tokio::test]
async fn a_branch_that_is_graded_again_is_told_why_it_has_no_place_and_accused_of_nothing() {
    let service = service(Vec::<Canned>::new()).await;
    let spec = of_bots(1);
    let (parent, _) = crate::common::sharing::played(&service, &spec).await;
    let (episode, play) = play_of(&service, &parent).await;
    let of = BranchOf {
        run: parent.run.clone(),
        episode,
        turn: 2,
        lines: cut(&play, 2).expect("a second turn").lines,
    };
    let open = async |wanted: serde_json::Value| -> Opened { service.open(&wanted).await.json() };
    let branch = open(json!({
        "spec": spec, "title": "a branch", "episodes": 1, "branch_of": of,
    }))
    .await;
    let again = open(json!({
        "spec": spec, "title": "graded again", "episodes": 1, "regrades": branch.run,
    }))
    .await;
    for run in [&branch, &again] {
        let refusal = refused(&service, run, "no_place").await;
        assert!(refusal.error.message.contains("goes on from"), "{refusal:?}");
        let mend = refusal.error.mend.as_deref().unwrap_or_default();
        assert!(mend.contains("from their beginning"), "{refusal:?}");
        let info: RunInfo = service.of_run(&run.run, "").await.json();
        assert_eq!(info.doubt, None);
    }
}

fn board_of(spec: &Spec) -> Digest {
    example(QUESTIONS).board(spec)
}

/// My run whose plays another grader grades again: what is planned, and the spec.
fn regraded_by(texts: &Texts, grader: &str) -> (Spec, Run) {
    let mut spec = trial_spec(2);
    replace(&mut spec.seats, "grader", grader);
    let plays = texts
        .iter()
        .filter(|(key, _)| key.part() == PartKey::Play)
        .map(|(_, text)| transcript::read(text).expect("it is sound"));
    let ingredients = ingredients(&spec, example(QUESTIONS).samples());
    let run = Run::regrading(ingredients, plays).expect("it fits");
    (spec, run)
}

#[tokio::test]
async fn plays_that_somebody_else_grades_stand_on_the_board_of_that_grader() {
    let mut canned = searching(4);
    canned.push(Canned::text("yes"));
    let service = service(canned).await;
    let (played, texts, gradings) = played(&service).await;
    let (spec, mut run) = regraded_by(&texts, "model:up/m");
    let again = open_under(&service, &spec, MINE, Some(&played)).await;
    let graded = play_run(&service, &again, &mut run, |_, _| {}, |_, _| {}).await;
    assert!(!graded.is_empty());
    store(&service, &again, &graded).await;
    let admission = admitted(&service, &again).await;
    assert_ne!(admission.entry.board, board_of(&trial_spec(2)));
    assert_eq!(admission.entry.board, board_of(&spec));
    // The episodes stand on the board of their own grader as well.
    admitted(&service, &played).await;

    // Gradings of the first grader are not this one's.
    let other = open_under(&service, &spec, MINE, Some(&played)).await;
    for (episode, text) in &gradings {
        let came = service.put(&other, episode, 0, text).await;
        assert!(!came.status.is_success(), "{came:?}");
    }
}

/// Has a grader that is heard only now and then grade two plays again, stores that and has it refused. Whatever does not come from
/// upstream within its time is cancelled by the driver of the run.
async fn graded_badly(grader: Vec<Canned>) -> Refusal {
    let mut canned = searching(4);
    canned.extend(grader);
    let service = service(canned).await;
    let upstream = service.upstream();
    let (played, texts, _) = played(&service).await;
    let (spec, mut run) = regraded_by(&texts, "model:up/m");
    let again = open_under(&service, &spec, MINE, Some(&played)).await;
    let head = service.app.store().run_head(&again.run).await;
    let head = head.expect("it reads").expect("it is there");
    let mut graded = Texts::new();
    loop {
        match run.poll() {
            Action::Call { ticket, request } => {
                let before = upstream.seen().len();
                let key = CallKey::of(&again.run, &ticket);
                let calls = service.app.calls();
                let made = calls.make(&head, key, request, Stream::Whole, None);
                let mut waiting = made.expect("it belongs to the run");
                while upstream.seen().len() == before {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                let mut canceller = waiting.canceller();
                let late = tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(500)).await;
                    canceller.cancel();
                });
                let answer = waiting.answer().await;
                late.abort();
                run.tell(&ticket, answer.reply).expect("it fits");
            }
            Action::Lines { episode, lines, .. } => {
                let text = graded.entry(episode).or_default();
                lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
            }
            Action::Ended { .. } => {}
            Action::Over => break,
            other => panic!("not expected here: {other:?}"),
        }
    }
    store(&service, &again, &graded).await;
    refused(&service, &again, "not_as_planned").await
}

#[tokio::test]
async fn a_play_whose_grading_brought_no_verdict_is_not_left_out_of_the_numbers() {
    // An owner who read a wrong answer stops the call that would say so.
    let stopped = vec![Canned::Silence(Duration::from_secs(60)), Canned::text("yes")];
    let unheard = vec![
        Canned::text("perhaps"),
        Canned::text("perhaps"),
        Canned::text("perhaps"),
        Canned::text("yes"),
    ];
    for (grader, ending) in [(stopped, "incomplete"), (unheard, "grader_failed")] {
        let refusal = graded_badly(grader).await;
        let message = &refusal.error.message;
        assert!(message.contains(ending), "{refusal:?}");
        let place = refusal.place.expect("it is named");
        assert_eq!(place.episode.part(), PartKey::Grading);
    }
}

#[tokio::test]
async fn what_a_board_is_made_of_stays_in_sight_until_the_log_says_that_it_left() {
    let service = service(searching(60)).await;
    let (played, _, gradings) = played(&service).await;
    let again = open_as(&service, MINE, Some(&played)).await;
    store(&service, &again, &gradings).await;
    let see = async |run: &Opened, visibility| {
        let path = format!("/api/runs/{}/visibility", run.run);
        let wanted = SetVisibility { visibility };
        service.post(&path, Some(&run.token), &wanted).await
    };
    let _: RunInfo = see(&played, Visibility::Private).await.json();
    admitted(&service, &again).await;
    // Its episodes lie in another run, and without them no reader could check it.
    let read = service.of_run(&played.run, "").await;
    assert_eq!(read.json::<RunInfo>().visibility, Visibility::Public);
    for run in [&played, &again] {
        for less in [Visibility::Private, Visibility::Unlisted] {
            see(run, less).await.error_with(409, "board");
        }
    }
    let kept = service.app.store().entry(&again.run).await;
    let kept = kept.expect("it reads").expect("it stands");

    let path = format!("/api/runs/{}/state", played.run);
    let wanted = SetState { state: RunState::Withdrawn, epoch: Epoch::default(), trouble: None };
    service.post(&path, Some(&played.token), &wanted).await.json::<RunInfo>();
    let log: Vec<LogEntry> = service.get("/api/log").await.json();
    let last = log.last().expect("it was admitted, and left");
    assert_eq!(last.change, Change::Withdrawn);
    assert!(last.reason.contains("whose episodes it grades"), "{last:?}");
    // Nor does a check that was under way put it back.
    let logging = Logging::new(Change::Admitted, "a test", 1);
    let placed = service.app.store();
    let placed = placed.place(&kept, Some(&played.run), &logging).await;
    assert_eq!(placed.expect("the store works"), Placed::TakenBack);
}
