//! Reading a whole run over HTTP: words in its transcripts, how long its seats took, the runs that grade it again.

use turnwise_shared::wire::Found;
use turnwise_shared::wire::others::OthersOnTask;

use crate::common::long::LongPlay;
use crate::common::sharing::get;
use crate::common::table::spec;
use crate::common::*;

/// Every player searches once, asks once and answers.
fn answering() -> Vec<Canned> {
    let turns = [
        acts("search", json!({ "query": "beach sport with sticks" })),
        acts("ask", json!({ "question": "Is it played on sand?" })),
        acts("answer", json!({ "answer": "Kivvet", "confidence": "80" })),
    ];
    let texts = turns.iter().cycle().take(30);
    texts.map(|text| Canned::text(text)).collect()
}

#[tokio::test]
async fn plays_are_found_in_the_order_of_their_tasks() {
    let asks = acts("ask", json!({ "question": "Is it played on sand?" }));
    let answers = acts("answer", json!({ "answer": "Kivvet", "confidence": "80" }));
    let turns = [asks, answers];
    let said = turns.iter().cycle().take(22).map(|text| Canned::text(text));
    let service = service(said.collect::<Vec<_>>()).await;
    let spec = trial_spec(11);
    let run = service.open_run(&spec, 11).await;
    drive(&service, &run, &mut planned(&spec)).await;
    let found: Found = service.get(&path(&run, "/search?q=Kivvet")).await.json();
    let tasks: Vec<String> = found.plays.iter().map(|play| play.episode.to_string()).collect();
    assert_eq!(tasks.len(), 11);
    assert_eq!(tasks[1], "2.r1.play");
    assert_eq!(tasks[10], "11.r1.play");
}

/// A run of two tasks with this player in the seat that is asked.
async fn played(service: &Service, responder: &str) -> (Opened, Driven) {
    let mut spec = trial_spec(2);
    replace(&mut spec.seats, "responder", responder);
    let opened = service.open_run(&spec, 2).await;
    let driven = drive(service, &opened, &mut planned(&spec)).await;
    (opened, driven)
}

fn path(run: &Opened, rest: &str) -> String {
    format!("/api/runs/{}{rest}", run.run)
}

#[tokio::test]
async fn words_are_found_in_every_play_that_has_them() {
    let service = service(answering()).await;
    let (run, _) = played(&service, "bot:lexical").await;
    let search = async |query: &str| -> Found {
        let path = path(&run, &format!("/search?{query}"));
        service.get(&path).await.json()
    };
    let found = search("q=beach%20sport").await;
    assert_eq!((found.searched, found.plays.len()), (2, 2));
    for play in &found.plays {
        assert!(play.count > 0 && !play.hits.is_empty(), "{play:?}");
        assert!(play.hits.iter().any(|hit| hit.turn == Some(1)), "{play:?}");
        assert_eq!(play.episode, play.episode.its_play());
    }
    let later = search("q=beach%20sport&skip=1").await;
    let with_hits =
        |found: &Found| found.plays.iter().map(|play| play.hits.len()).collect::<Vec<_>>();
    assert_eq!(later.plays.len(), 2, "all are counted");
    assert_eq!(with_hits(&later)[0], 0, "what was shown is not sent again");
    assert!(with_hits(&later)[1] > 0);
    assert_eq!(search("q=nowhere-to-be-found").await.plays.len(), 0);
    assert_eq!(search("q=").await, Found::default());
    service.get(&path(&run, "/search")).await.error(400);
    let nobody = "/api/runs/00000000000000000000000000000000/search?q=a";
    service.get(nobody).await.error(404);
}

#[tokio::test]
async fn seats_took_as_long_as_their_calls_and_people_as_long_as_the_page_says() {
    let service = service(answering()).await;
    let (run, driven) = played(&service, "person").await;
    assert_eq!(driven.asked.len(), 2, "a person was asked in both episodes");
    let times =
        async || -> BTreeMap<String, Vec<u64>> { service.get(&path(&run, "/times")).await.json() };
    let before = times().await;
    assert_eq!(before["player"].len(), 6, "{before:?}");
    assert_eq!(before["search"].len(), 2);
    assert!(!before.contains_key("responder"), "nobody knows yet");

    let thoughts: Vec<Value> = driven
        .asked
        .iter()
        .zip([1500, 2500])
        .map(|(ticket, took)| {
            json!({ "episode": ticket.episode, "call": ticket.call, "started": 1_700_000_000_000_u64, "took": took })
        })
        .collect();
    let to = path(&run, "/thinking");
    service.post(&to, None, &thoughts).await.error(401);
    service.post(&to, Some("wrong"), &thoughts).await.error(401);
    for _ in 0..2 {
        let told = service.post(&to, Some(&run.token), &thoughts).await;
        assert_eq!(told.status.as_u16(), 204, "{told:?}");
    }
    let mut after = times().await;
    let mut thought = after.remove("responder").expect("it is known now");
    thought.sort_unstable();
    assert_eq!(thought, [1500, 2500], "told twice, it counts once");
    assert_eq!(after, before);

    // Numbers have them on request.
    let report = async |rest: &str| -> Value { service.get(&path(&run, rest)).await.json() };
    assert_eq!(report("/report").await["record"]["times"], Value::Null);
    let with_times = report("/report?with=times").await;
    assert_eq!(with_times["record"]["times"]["player"]["n"], json!(6));
    let wrong = path(&run, "/report?with=everything");
    service.get(&wrong).await.error(400);

    // A page cannot say how long a model took: that is no person's seat.
    let model: &EpisodeKey = &driven.calls[0].0.key.episode;
    let other = json!([{ "episode": model, "call": driven.calls[0].0.key.call, "started": 1, "took": 9_000_000 }]);
    service.post(&to, Some(&run.token), &other).await;
    assert!(times().await["player"].iter().all(|took| *took < 9_000_000));

    let episode = &driven.asked[0].episode;
    let timing: Vec<CallTiming> =
        service.get(&path(&run, &format!("/timing?episode={episode}"))).await.json();
    let of_person = timing
        .iter()
        .find(|call| call.call == driven.asked[0].call)
        .expect("it lies beside the others");
    assert_eq!((of_person.timing.took, of_person.sent), (1500, 1));
}

#[tokio::test]
async fn a_play_under_way_is_in_no_number() {
    let service = service(answering()).await;
    let (run, driven) = played(&service, "bot:lexical").await;
    let plays: Vec<&EpisodeKey> = driven.summaries.iter().map(|(play, _)| play).collect();
    let (first, second) = (plays[0], plays[plays.len() - 1]);
    assert_ne!(first, second);
    let info: RunInfo = service.get(&path(&run, "")).await.json();
    let other = service.open_run(&info.spec, 2).await;
    for (play, most) in [(first, usize::MAX), (second, 3)] {
        let text = service.get(&path(&run, &format!("/episodes/{play}"))).await;
        let lines: String = text.text.split_inclusive('\n').take(most).collect();
        let stored = service.put(&other, play, 0, &lines).await;
        assert!(stored.status.is_success(), "{stored:?}");
    }
    let all: BTreeMap<EpisodeKey, Value> = service.get(&path(&other, "/summaries")).await.json();
    assert_eq!(all.len(), 2);
    let report: Value = service.get(&path(&other, "/report")).await.json();
    assert_eq!(report["record"]["n"], json!(1));
}

#[tokio::test]
async fn the_numbers_of_a_play_go_on_with_its_transcript() {
    let service = service(answering()).await;
    let (run, driven) = played(&service, "bot:lexical").await;
    let (play, _) = &driven.summaries[0];
    let info: RunInfo = service.get(&path(&run, "")).await.json();
    let text = service.get(&path(&run, &format!("/episodes/{play}"))).await;
    let lines: Vec<&str> = text.text.split_inclusive('\n').collect();
    let other = service.open_run(&info.spec, 2).await;
    let of_play = path(&other, &format!("/episodes/{play}/summary"));
    // It is not over at either of these lines, so only its reader asks for its numbers.
    let mut before = Value::Null;
    for (from, to) in [(0, 3), (3, lines.len() - 1)] {
        let part = lines[from..to].concat();
        let stored = service.put(&other, play, from as u64, &part).await;
        assert!(stored.status.is_success(), "{stored:?}");
        let now: Value = service.get(&of_play).await.json();
        assert_ne!(now["usage"], before["usage"]);
        let all: Value = service.get(&path(&other, "/summaries")).await.json();
        assert_eq!(all[play.as_str()], now);
        before = now;
    }
}

#[tokio::test]
async fn nobody_thinks_in_a_run_without_people() {
    let service = service(answering()).await;
    let (run, _) = played(&service, "bot:lexical").await;
    let none: Vec<Value> = Vec::new();
    let path = path(&run, "/thinking");
    let refused = service.post(&path, Some(&run.token), &none).await;
    refused.error(422);
}

#[tokio::test]
async fn a_run_knows_who_grades_it_again() {
    let service = service(answering()).await;
    let (run, _) = played(&service, "bot:lexical").await;
    let seen_by = async |token: Option<&str>| -> Vec<RunInfo> {
        let came = get(&service, &run, "/regradings", token).await;
        came.json()
    };
    let list = async || seen_by(Some(&run.token)).await;
    assert_eq!(list().await, []);
    let mut other = trial_spec(2);
    let again = |spec: &turnwise_shared::spec::Spec| json!({ "spec": spec, "title": "again", "episodes": 2, "regrades": run.run });
    let opened: Opened = service.open(&again(&other)).await.json();
    let found = list().await;
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0].run, found[0].regrades.as_ref()), (&opened.run, Some(&run.run)));
    // It is unlisted, so others see it once it is public.
    assert_eq!(seen_by(None).await, []);
    assert_eq!(seen_by(Some(&opened.token)).await, []);
    show(&service, &opened, Visibility::Public, &opened.token).await.json::<RunInfo>();
    assert_eq!(seen_by(None).await.len(), 1);
    // Its own plays are those of the other: a search in it reads them.
    let words: Found = service.get(&path(&opened, "/search?q=beach")).await.json();
    assert_eq!((words.searched, words.plays.len()), (2, 2));
    // Another player is another run.
    let sitting = other.seats[&"responder".into()].clone();
    other.seats.insert("player".into(), sitting);
    service.open(&again(&other)).await.error(422);
}

#[tokio::test]
async fn whoever_has_played_hears_how_others_did_on_the_same_task_and_nothing_else() {
    let service = service(answering()).await;
    let (run, driven) = played(&service, "bot:lexical").await;
    let closed = json!({ "state": "closed" });
    let state = path(&run, "/state");
    let told = service.post(&state, Some(&run.token), &closed).await;
    assert!(told.status.is_success(), "{told:?}");

    let seats = [("player", "person"), ("responder", "bot:lexical"), ("grader", "bot:exact")];
    let mut own = spec(example(QUESTIONS), &seats, example(QUESTIONS).default_settings());
    own.subset.first = Some(1);
    own.search = trial_spec(1).search;
    let table = wanted(&own, "rated", 60, 0);
    let opened: LiveOpened = service.post("/api/live", None, &table).await.json();
    let others = format!("/api/live/{}/others", opened.run);
    let mut script = Script::new(&service, &opened, "player");
    let view = script.sit().await;
    service.get(&others).await.error(403);
    let turn = view.ask.expect("the person is asked").turn;
    let answer = acts("answer", json!({ "answer": "nobody knows", "confidence": "5" }));
    let mut view = script.reply(turn, &answer).await;
    while view.table.stage != LiveStage::Over {
        view = script.next().await;
    }

    let found: Vec<OthersOnTask> = service.get(&others).await.json();
    assert_eq!(found.len(), 1);
    let task = &found[0].task;
    let (_, summary) = driven
        .summaries
        .iter()
        .rev() // The last one has the score.
        .find(|(_, summary)| summary.task.id == *task)
        .expect("the model played it, too");
    let [player] = found[0].players.as_slice() else {
        panic!("one model has played it, and the person does not count: {found:?}");
    };
    assert_eq!((player.player.as_str(), player.plays), ("model:up/m", 1));
    assert_eq!(
        (player.condition.as_deref(), Some(player.score)),
        (Some("full, 10 rounds"), summary.score)
    );
    let text = service.get(&others).await.text;
    assert!(!text.contains(run.run.as_str()), "no run is named: {text}");
    // An ordinary run is no table.
    let ordinary = format!("/api/live/{}/others", run.run);
    service.get(&ordinary).await.error(404);
}

#[tokio::test]
async fn summaries_of_many_plays_come_some_at_a_time_and_are_those_of_each() {
    let service = service(Vec::new()).await;
    let spec = trial_spec(2);
    let run = service.open_run(&spec, 2).await;
    let none = service.get(&path(&run, "/summaries")).await;
    assert_eq!(none.text, "{}");
    let mut lines = String::new();
    let mut plays = Vec::new();
    // More than are read in one go.
    for number in 0..1_100 {
        let mut play = LongPlay::new(&spec, &format!("t{number}"), 64);
        let text = play.lines(2).concat();
        let head = json!({ "episode": play.episode, "from": 0, "lines": 2 });
        lines.push_str(&format!("{head}\n{text}"));
        plays.push(play.episode);
        if number % 200 == 199 || number == 1_099 {
            let to = path(&run, "/lines");
            let body = std::mem::take(&mut lines);
            let kind = "application/x-ndjson";
            let stored = service.ask("POST", &to, Some(&run.token), kind, body).await;
            assert!(stored.status.is_success(), "{stored:?}");
        }
    }
    for _ in 0..2 {
        let came = service.get(&path(&run, "/summaries")).await;
        assert_eq!(came.headers["content-type"], "application/json");
        let all: BTreeMap<EpisodeKey, Value> = came.json();
        assert_eq!(all.len(), plays.len());
        for play in plays.iter().step_by(157) {
            let one = path(&run, &format!("/episodes/{play}/summary"));
            assert_eq!(all[play], service.get(&one).await.json::<Value>());
        }
    }
}
