//! A whole run as a page drives it: one socket, dozens of calls in flight, a provider that fails now and then, a connection that is
//! lost in the middle. What the server keeps and computes is what the page has.

use std::collections::BTreeSet;

use turnwise_shared::wire::{Frame, FrameBody};

use crate::common::*;

const SCRIPTED: &str =
    "[[provider]]\nname = \"scripted\"\nformat = \"scripted\"\nlatency_ms = 10\nfaults = 0.05\n";

fn spec() -> Spec {
    let mut spec = serde_json::to_value(trial_spec(20)).expect("JSON");
    for seat in ["player", "responder", "grader"] {
        spec["seats"][seat]["player"] = json!("model:scripted/trial");
    }
    spec["repeats"] = json!(3);
    serde_json::from_value(spec).expect("a spec")
}

fn call(run: &RunId, id: u64, ticket: &Ticket, request: &Outgoing) -> Frame {
    let key = CallKey::of(run, ticket);
    let body = FrameBody::Call { key, request: request.clone(), stream: Stream::Whole };
    Frame::new(id, body)
}

#[tokio::test]
async fn a_whole_run_goes_over_one_socket_and_a_lost_one() {
    let server = Listening::at(NOWHERE, SCRIPTED).await;
    let spec = spec();
    let opened = server.service.open_run(&spec, 60).await;
    let mut run = Run::new(Ingredients {
        limits: Limits::new(64),
        ..ingredients(&spec, example(QUESTIONS).samples())
    })
    .expect("it can be planned");

    let mut page = server.page(&opened).await;
    let mut open: BTreeMap<u64, (Ticket, Outgoing)> = BTreeMap::new();
    let mut last = 0;
    let mut answers = 0;
    let mut most_open = 0;
    let mut pages: BTreeMap<EpisodeKey, String> = BTreeMap::new();
    let mut unsent: BTreeMap<EpisodeKey, u64> = BTreeMap::new();
    let mut summaries = BTreeMap::new();
    loop {
        match run.poll() {
            Action::Call { ticket, request } => {
                last += 1;
                page.say(call(&opened.run, last, &ticket, &request)).await;
                open.insert(last, (ticket, request));
                most_open = most_open.max(open.len());
            }
            Action::Lines { episode, from, lines } => {
                let text = pages.entry(episode.clone()).or_default();
                lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
                unsent.entry(episode).or_insert(from);
            }
            Action::Ended { episode, summary, .. } => {
                summaries.insert(episode.its_play(), *summary);
                // A page sends an episode when it is over, and now and then before.
                let from = unsent.remove(&episode).expect("it wrote lines");
                let text: String =
                    pages[&episode].split_inclusive('\n').skip(from as usize).collect();
                server.service.put(&opened, &episode, from, &text).await.json::<Value>();
            }
            Action::Wait => {
                let (id, body) = page.about_a_call().await;
                let reply = match body {
                    FrameBody::Reply { reply, .. } => reply,
                    FrameBody::Failed { failure, .. } => Reply::Failed(failure),
                    other => panic!("not expected: {other:?}"),
                };
                let (ticket, _) = open.remove(&id).expect("it is answered once");
                run.tell(&ticket, reply).expect("it fits");
                answers += 1;
                if answers == 150 {
                    drop(page);
                    page = server.page(&opened).await;
                    for (id, (ticket, request)) in &open {
                        page.say(call(&opened.run, *id, ticket, request)).await;
                    }
                }
            }
            Action::Over => break,
            other => panic!("not expected: {other:?}"),
        }
    }
    assert!(most_open > 50, "{most_open} calls in the air at once");
    assert_eq!(run.progress().incomplete, 0, "faults were retried");

    let get =
        async |rest: &str| server.service.get(&format!("/api/runs/{}{rest}", opened.run)).await;
    let heads: Vec<Value> = get("/episodes").await.json();
    let kept: BTreeSet<_> =
        heads.iter().map(|head| head["episode"].as_str().expect("a name").to_owned()).collect();
    assert_eq!(kept, pages.keys().map(|key| key.as_str().to_owned()).collect());
    for (episode, text) in &pages {
        assert_eq!(get(&format!("/episodes/{episode}")).await.text, *text, "{episode}");
    }
    let computed: Value = get("/summaries").await.json();
    assert_eq!(
        crate::common::without_days(computed),
        serde_json::to_value(&summaries).expect("JSON")
    );
    for summary in summaries.values() {
        let texts = (&summary.measured.asked, &summary.measured.right);
        assert!(matches!(texts, (Some(_), Some(_))), "{texts:?}");
    }
    let info: RunInfo = get("").await.json();
    assert_eq!(info.finished, 60);
    let timings: Vec<Value> = get("/timing").await.json();
    assert_eq!(timings.len(), answers, "every call stands in the ledger once");
    let twice = timings.iter().filter(|timing| timing["timing"]["attempts"] != json!(1)).count();
    assert!(twice > 0, "some attempts failed");
    assert!(timings.iter().all(|timing| timing["sent"] == json!(1) && timing["lost"] == json!(0)));
}
