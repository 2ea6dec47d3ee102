//! Transcripts that are not those of the run as it was played: changed, cut, put together otherwise, or of another run.

use super::*;

#[tokio::test]
async fn an_honest_run_is_admitted_and_its_endpoint_is_told() {
    let service = service(searching(60)).await;
    let (opened, texts) = honest(&service).await;
    store(&service, &opened, &texts).await;
    let admission = admitted(&service, &opened).await;
    assert_eq!(admission.evidence.get(&Evidence::None), None, "{admission:?}");
    assert!(admission.evidence[&Evidence::Receipted] >= 4);
    assert!(admission.evidence[&Evidence::Recomputed] >= 2);
    // An endpoint of the operator's can answer anything, so the run is not verified.
    assert_eq!(admission.entry.tier, EvidenceTier::SelfReported);
    let abouts: Vec<_> = admission.findings.iter().map(|one| one.about).collect();
    assert_eq!(abouts, [FindingAbout::CustomEndpoint]);
    let report: Value = service.of_run(&opened.run, "/report").await.json();
    let headline = admission.entry.numbers.headline().expect("a headline");
    assert_eq!(json!(headline.value), report["headline"][0]["value"]);
}

#[tokio::test]
async fn a_baseline_needs_no_receipt() {
    let service = service(Vec::new()).await;
    let spec = of_bots(2);
    let opened = service.open_run(&spec, 2).await;
    let texts = play(&service, &opened, &spec, |_, _| {}, |_, _| {}).await;
    store(&service, &opened, &texts).await;
    let admission = admitted(&service, &opened).await;
    assert_eq!(admission.entry.tier, EvidenceTier::Baseline, "{admission:?}");
}

#[tokio::test]
async fn a_changed_answer_is_not_what_was_receipted() {
    let service = service(searching(60)).await;
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
    let service = service(searching(60)).await;
    let (opened, texts) = honest(&service).await;
    let play = a_play(&texts);
    let changed = texts[&play].replace("Kivvet", "Kivvot");
    service.put(&opened, &play, 0, &changed).await.error_with(422, "chain");
}

#[tokio::test]
async fn a_removed_call_drifts() {
    let service = service(searching(60)).await;
    let (opened, mut texts) = honest(&service).await;
    let mut line = 0;
    let play = forge(&mut texts, |events| {
        line =
            events.iter().position(|event| matches!(event, Event::Asked { .. })).expect("a call");
        events.remove(line);
    });
    store(&service, &opened, &texts).await;
    let refusal = refused(&service, &opened, "drift").await;
    let place = refusal.place.expect("a place");
    assert_eq!((place.episode, place.line), (play, Some(line as u64 + 1)));
}

#[tokio::test]
async fn reordered_lines_drift() {
    let service = service(searching(60)).await;
    let (opened, mut texts) = honest(&service).await;
    forge(&mut texts, |events| {
        let at = events.iter().rposition(|event| matches!(event, Event::Noted(_))).expect("a note");
        events.swap(at, at - 1);
    });
    store(&service, &opened, &texts).await;
    refused(&service, &opened, "drift").await;
}

#[tokio::test]
async fn an_edited_outcome_drifts() {
    let service = service(searching(60)).await;
    let (opened, mut texts) = honest(&service).await;
    edit_an_outcome(&mut texts);
    store(&service, &opened, &texts).await;
    let refusal = refused(&service, &opened, "drift").await;
    assert!(refusal.error.message.contains("recording"), "{refusal:?}");
}

#[tokio::test]
async fn a_verdict_that_the_grader_never_gave_is_not_recomputed() {
    let service = service(searching(60)).await;
    let (opened, mut texts) = honest(&service).await;
    let grading = a_play(&texts).grading();
    let mut changed = events(&texts[&grading]);
    for event in &mut changed {
        if let Event::Told { reply: Reply::Said(said), .. } = event {
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
    let service = service(searching(60)).await;
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
    let service = service(searching(60)).await;
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
    // The same call under another digest is another call to the ledger, and so is one in an episode that was not planned.
    let (mut ticket, request) = calls[0].clone();
    ticket.digest = Digest::of("another");
    service.call(&call_of(&opened, &ticket, request.clone())).await;
    ticket.episode = "elsewhere.r1.play".parse().expect("a key");
    service.call(&call_of(&opened, &ticket, request)).await;
    store(&service, &opened, &texts).await;
    let admission = admitted(&service, &opened).await;
    let count = |about| {
        let found = admission.findings.iter().find(|one| one.about == about);
        found.map_or(0, |one| one.count)
    };
    assert_eq!(count(FindingAbout::Rerolled), 1, "{admission:?}");
    assert_eq!(count(FindingAbout::Unused), 1, "{admission:?}");
    assert_eq!(admission.entry.tier, EvidenceTier::SelfReported);
}

#[tokio::test]
async fn receipts_of_another_run_back_nothing() {
    let service = service(searching(60)).await;
    let (first, texts) = honest(&service).await;
    // The best of several episodes, as if it were the only one.
    let second = service.open_run(&trial_spec(2), 2).await;
    store(&service, &second, &texts).await;
    let admission = admitted(&service, &second).await;
    assert!(admission.evidence[&Evidence::None] >= 4, "{admission:?}");
    assert_eq!(admission.evidence.get(&Evidence::Receipted), None);
    let unreceipted = &admission.findings[0];
    assert_eq!(unreceipted.about, FindingAbout::Unreceipted);
    assert!(unreceipted.place.is_some(), "the first is named");

    let page: ReceiptsPage = service.of_run(&first.run, "/receipts").await.json();
    let keys: Vec<PublishedKey> = service.get("/api/keys").await.json();
    let keys = Keys::read(&keys).expect("they are sound");
    let mut book = Book::new(second.run.clone(), keys.clone());
    assert!(matches!(book.add(&page), Err(BadReceipts::OtherRun { number: 1, .. })));
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
    assert!(matches!(book.add(&forged), Err(BadReceipts::Signature { .. })));
}

#[tokio::test]
async fn other_tasks_labels_protocols_and_origins_are_refused() {
    let service = service(searching(60)).await;
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
    forge(&mut texts, |events| header(events).origin = Origin::Imported);
    store(&service, &opened, &texts).await;
    refused(&service, &opened, "imported").await;

    let mut spec = trial_spec(1);
    spec.protocol -= 1;
    let opened = service.open_run(&spec, 1).await;
    refused(&service, &opened, "other_protocol").await;
}

#[tokio::test]
async fn what_is_left_out_or_added_is_refused() {
    let service = service(searching(60)).await;
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

    // A grading of another episode.
    let (opened, mut texts) = honest(&service).await;
    let mut graded = events(&grading.expect("it was graded"));
    header(&mut graded).part = Part::Grading { play: Digest::of("a better play") };
    texts.insert(play.grading(), chained(&graded));
    store(&service, &opened, &texts).await;
    refused(&service, &opened, "other_header").await;
}
