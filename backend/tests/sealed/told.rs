//! What players, readers, checkers and publishers see of sealed tasks: nothing that is hidden.

use super::*;
use crate::common::*;

#[tokio::test]
async fn a_play_and_its_reading_tell_nothing_that_is_hidden() {
    let text = format!("Yes. The {MARK}-context says so, and I think of {MARK}.");
    let sealed = Sealed::start(vec![Canned::text(&text)]).await;
    let sets: Vec<TaskSetInfo> = sealed.get("/api/tasks").await.json();
    let ours: Vec<_> = sets
        .iter()
        .filter(|set| set.name.ends_with(".jsonl") && set.benchmark == QUESTIONS)
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
        let places = ["", "/episodes", "/summaries", "/report", "/timing", "/times", "/regradings"];
        sealed.read(&opened.run, &places).await;
        for episode in page.texts.keys() {
            let text = sealed.get(&format!("{at}/episodes/{episode}")).await.text;
            assert_eq!(text, page.texts[episode]);
        }
        let found: Value = sealed.get(&format!("{at}/search?q=context+says")).await.json();
        assert_eq!(found["plays"], json!([]));
    }
    sealed.is_tight();
    let sent = sealed.sent();
    assert_eq!(sent.len(), 4, "bots call nobody");
    assert!(sent.iter().any(|text| text.contains("MARKED-context")));
    assert!(sent.iter().any(|text| text.contains("MARKED-answer")));
}

/// Everything that a reader can check of a run, over the tasks as they are handed out.
async fn read_again(sealed: &Sealed, opened: &Opened, spec: &Spec, page: &Page) -> Tally {
    let tasks = sealed.tasks().await;
    let keys: Vec<PublishedKey> = sealed.get("/api/keys").await.json();
    let keys = Keys::read(&keys).expect("they are sound");
    let receipts: ReceiptsPage =
        sealed.get(&format!("/api/runs/{}/receipts", opened.run)).await.json();
    let mut book = Book::new(opened.run.clone(), keys);
    book.add(&receipts).expect("they hold");
    let pack = example(QUESTIONS).pack();
    let material = Material { tasks: &tasks, pack: &pack };
    let receipts = book.receipts().to_vec();
    let mut verifier = Verifier::new(
        example(QUESTIONS),
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
    for (others, tier) in [("bots", EvidenceTier::Baseline), ("models", EvidenceTier::SelfReported)]
    {
        let mut spec = spec(&tasks, others);
        replace(&mut spec.seats, Seat::PLAYER, "bot:asks-by-rule");
        let opened = sealed.open(&spec).await;
        let mut planned = run(&spec, &tasks);
        let page = play(&sealed, &opened, &mut planned, &[], usize::MAX).await;
        assert!(!page.calls.is_empty());
        let token = Some(opened.token.as_str());
        let came = sealed.service.publish(&opened.run, token).await;
        let admission: Admission = sealed.note(came).json();
        let count = |evidence| admission.evidence.get(&evidence).copied();
        assert_eq!(count(Evidence::None), None, "{admission:?}");
        assert_eq!(count(Evidence::Receipted), Some(page.calls.len() as u64));
        assert_eq!(admission.entry.tier, tier);
        // The tests' models are at an endpoint of the operator's; bots are the server's own.
        let abouts: Vec<_> = admission.findings.iter().map(|one| one.about).collect();
        match others {
            "models" => assert_eq!(abouts, [FindingAbout::CustomEndpoint]),
            _ => assert_eq!(abouts, []),
        }
        let tally = read_again(&sealed, &opened, &spec, &page).await;
        assert_eq!((tally.evidence, tally.unplayed), (admission.evidence.clone(), 0));
    }
    sealed.is_tight();
}

/// Over two tasks of which one hides a word and the other a long text: what is shown of the budget of a run by the server's own
/// driver, which the budget lets go on to the end, or not at all.
#[tokio::test]
async fn a_budget_tells_nothing_of_how_long_a_hidden_text_is() {
    // As a service counts: by what it reads.
    async fn counts(axum::Json(body): axum::Json<Value>) -> axum::Json<Value> {
        let read = body["messages"].to_string().len() / 4;
        let mut answer = completion(json!("yes"));
        answer["usage"] =
            json!({ "prompt_tokens": read, "completion_tokens": 1, "total_tokens": read + 1 });
        axum::Json(answer)
    }
    let url = serve(axum::routing::post(counts)).await;
    let row = |id: u32, words: usize| {
        json!({
            "id": id, "domain": "Made up", "question": "Which door is meant?", "context": "green ".repeat(words),
            "answer": "g".repeat(words), "aliases": ["h".repeat(words)],
        })
    };
    let rows = format!("{}\n{}\n", row(1, 1), row(2, 150));
    let price = "[[price]]\nprovider = \"up\"\nmodel = \"m\"\nfrom = \"2020-01-01\"\ninput = 1.0\noutput = 10.0\n";
    let service = Service::in_a_folder(|folder| {
        put(folder, QUESTIONS, SET, &rows);
        let mut config = config(folder, &url, price);
        config.sealed.push(SET.into());
        config
    });
    let (service, upstream) = (service.await, Upstream::start(Vec::new()).await);
    let sealed = Sealed { service, upstream, heard: Mutex::default() };
    let tasks = sealed.tasks().await;
    let of = async |task: &str, seat: &str, caps: Value| -> RunBudgets {
        let mut spec = spec(&tasks, "bots");
        spec.subset.ids = vec![task.into()];
        let sampling = json!({ "max_tokens": 100 });
        let seats = [(Seat::PLAYER, "bot:asks-by-rule"), (seat, "model:up/m")];
        for (seat, player) in seats {
            let sitting = json!({ "player": player, "sampling": sampling });
            let sitting = serde_json::from_value(sitting).expect("somebody who can sit there");
            spec.seats.insert(Seat::new(seat), sitting);
        }
        let body = json!({ "spec": spec, "title": "", "episodes": 1, "caps": caps });
        let run: Opened = sealed.service.open(&body).await.json();
        let path = format!("/api/runs/{}", run.run);
        let ask = async |method: &str, place: &str, body: Value| -> HttpReply {
            let path = format!("{path}/{place}");
            let (token, body) = (Some(run.token.as_str()), body.to_string());
            let came = sealed.service.ask(method, &path, token, "application/json", body);
            came.await
        };
        let drive = json!({ "in_flight": 1, "pause_after": 1 });
        let began = ask("POST", "drive", drive).await;
        assert!(began.status.is_success(), "{}", began.text);
        for _ in 0..400 {
            let state: Value = ask("GET", "drive", json!(null)).await.json();
            if ["closed", "paused"].contains(&state["state"].as_str().unwrap_or_default()) {
                return ask("GET", "budget", json!(null)).await.json();
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the run does not end")
    };
    for seat in [Seat::RESPONDER, Seat::GRADER] {
        let large = json!({ "tokens": 1_000_000_000, "money": 1_000_000_000 });
        let [one, other] = [of("1", seat, large.clone()).await, of("2", seat, large).await];
        let spent = one.budgets[0].spent;
        assert_eq!((spent, spent.calls > 0), (other.budgets[0].spent, true), "{seat}");
        let most = of("2", seat, json!({ "tokens": 1, "money": 1 })).await.refused;
        let most = most.expect("it was refused");
        assert_eq!(of("1", seat, json!({ "tokens": 1, "money": 1 })).await.refused, Some(most));
        assert!(spent.money > 0 && spent.tokens >= most.tokens, "{spent:?}");
        // Nor is it found out by caps: what is left decides alike over both.
        let hair = json!({ "tokens": most.tokens - 1 });
        assert!(of("1", seat, hair.clone()).await.refused.is_some());
        assert!(of("2", seat, hair).await.refused.is_some());
    }
}

#[tokio::test]
async fn what_a_service_calls_its_model_is_not_told() {
    let mut marked = completion(json!("yes"));
    marked["model"] = json!(format!("{MARK}-model"));
    let sealed = Sealed::start(vec![Canned::ok(marked)]).await;
    let tasks = sealed.tasks().await;
    let spec = spec(&tasks, "models");
    let opened = sealed.open(&spec).await;
    let question = asks("Is it blue?");
    let page = play(&sealed, &opened, &mut run(&spec, &tasks), &[&question], 1).await;
    let Reply::Said(told) = &page.calls[0].2.reply else {
        panic!("it is answered");
    };
    assert_eq!(told.model.as_deref(), Some("m"));
    sealed.get(&format!("/api/runs/{}/receipts", opened.run)).await;
    sealed.is_tight();
}

#[tokio::test]
async fn a_service_that_repeats_the_prompt_is_not_heard() {
    let words =
        json!({ "error": { "message": format!("bad prompt: {MARK}-context"), "type": MARK } });
    let sealed = Sealed::start(vec![Canned::json(400, words)]).await;
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
    let opened = sealed.post("/api/live", &wanted(&spec, "practice", 60, 60)).await;
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
    let places =
        ["", "/episodes", "/episodes/1.r1.play", "/episodes/1.r1.grading", "/summaries", "/report"];
    sealed.read(&opened.run, &places).await;
    sealed.get(&format!("/api/live/{}", opened.run)).await;
    sealed.is_tight();
    let sent = sealed.sent();
    assert!(sent.iter().any(|text| text.contains(MARK)));
}

#[tokio::test]
async fn a_sealed_world_tells_what_was_asked_for_and_nothing_else() {
    let said = format!("It is {MARK}. <answer>Incorrect</answer>");
    let sealed = Sealed::start(vec![Canned::text(&said)]).await;
    let tasks = sealed.handed_out(WORLD).await;
    let mut unjudged = default_spec(example(WORLDS));
    unjudged.tasks = named(&tasks);
    let body = json!({ "spec": unjudged, "title": "", "episodes": 1 });
    let problem = sealed.post("/api/runs", &body).await.error(422);
    assert!(problem.message.contains("per-fact"), "no oracles: {problem:?}");
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
    let (opened, page) = play_world(&sealed, &tasks, &says).await;
    let lanes: Vec<&str> = page.calls.iter().map(|(_, out, _)| out.lane()).collect();
    assert_eq!(lanes, ["engine", "engine", "judge"]);
    let texts: String = page.texts.values().map(String::as_str).collect();
    assert!(texts.contains("120 metres"), "what was found is told");
    let places = ["", "/episodes", "/summaries", "/report", "/timing"];
    sealed.read(&opened.run, &places).await;
    let summaries = format!("/api/runs/{}/summaries", opened.run);
    let told = sealed.get(&summaries).await.text;
    // A count of questions is shown, their texts are not.
    assert!(!told.contains("\"asked\":\"") && !told.contains("\"right\""), "{told}");
    let summaries = sealed.get(&summaries).await.text;
    assert!(summaries.contains("incorrect") || summaries.contains("Incorrect"));
    // What people and programs see of it without the app: how it ended, and neither answer nor turns.
    let (play, _) = page.texts.iter().next().expect("an episode was played");
    let run_page = sealed.page(&format!("/run/{}", opened.run)).await;
    assert!(run_page.contains("class=\"figures\""), "{run_page}");
    let path = format!("/run/{}/{}", opened.run, play.its_play());
    let episode_page = sealed.page(&path).await;
    assert!(episode_page.contains("Wrong after 3 turns."), "{episode_page}");
    for page in [run_page, episode_page] {
        for told in ["Ada Tower", "120 metres", "told-play", "?turn="] {
            assert!(!page.contains(told), "{told} in {page}");
        }
    }
    sealed.is_tight();
    let sent = sealed.sent();
    assert_eq!(sent.len(), 1, "the judge alone is a model");
    assert!(sent[0].contains(MARK));
}
