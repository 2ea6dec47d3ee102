//! What an attacker can try who has a run's token and wants a better place on a board, one test each; the list stands in
//! SECURITY.md. The attacker has the whole program and makes hash chains that hold.

mod forged;
mod published;
mod regraded;
mod requests;

use axum::body::Body;
use axum::http::Request;
use futures::stream;
use tokio::sync::oneshot;
use turnwise_backend::store::{Intended, KeptEntry, Logging, Placed};
use turnwise_backend::{preview, publishing};
use turnwise_shared::evidence_tier::Evidence;
use turnwise_shared::prompt::Rendered;
use turnwise_shared::receipt::{BadReceipts, Book, Keys};
use turnwise_shared::run::cut;
use turnwise_shared::sealed::Seal;
use turnwise_shared::transcript::{self, Writer};
use turnwise_shared::wire::Epoch;
use turnwise_shared::wire::publishing::{
    Change, FindingAbout, Reason, Refusal, Subject, log_beginning,
};
use turnwise_shared::wire::receipts::{PublishedKey, ReceiptsPage};
use turnwise_shared::wire::sharing::SetVisibility;

use crate::common::socket::question;
use crate::common::*;

type Texts = BTreeMap<EpisodeKey, String>;

/// Plays a run through the service and keeps its transcripts to itself. `request` may change what is sent, `reply` what is
/// replied.
async fn play(
    service: &Service,
    opened: &Opened,
    spec: &Spec,
    request: impl FnMut(&Ticket, &mut Outgoing),
    reply: impl FnMut(&Ticket, &mut Reply),
) -> Texts {
    play_run(service, opened, &mut planned(spec), request, reply).await
}

/// The same of a run that is planned.
async fn play_run(
    service: &Service,
    opened: &Opened,
    run: &mut Run,
    mut request: impl FnMut(&Ticket, &mut Outgoing),
    mut reply: impl FnMut(&Ticket, &mut Reply),
) -> Texts {
    let mut texts = Texts::new();
    loop {
        match run.poll() {
            Action::Call { ticket, request: mut wanted } => {
                request(&ticket, &mut wanted);
                let call = call_of(opened, &ticket, wanted);
                let mut answer = service.call(&call).await;
                reply(&ticket, &mut answer.reply);
                run.tell(&ticket, answer.reply).expect("it fits");
            }
            Action::Lines { episode, lines, .. } => {
                let text = texts.entry(episode).or_default();
                lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
            }
            Action::Ended { .. } => {}
            Action::Over => return texts,
            other => panic!("not expected here: {other:?}"),
        }
    }
}

/// An honest run of two tasks, opened and played, of which nothing is stored yet.
async fn honest(service: &Service) -> (Opened, Texts) {
    let spec = trial_spec(2);
    let opened = service.open_run(&spec, 2).await;
    let texts = play(service, &opened, &spec, |_, _| {}, |_, _| {}).await;
    (opened, texts)
}

async fn store(service: &Service, opened: &Opened, texts: &Texts) {
    for (episode, text) in texts {
        let came = service.put(opened, episode, 0, text).await;
        assert!(came.status.is_success(), "{episode}: {came:?}");
    }
}

async fn publish(service: &Service, opened: &Opened) -> crate::common::HttpReply {
    service.publish(&opened.run, Some(&opened.token)).await
}

async fn admitted(service: &Service, opened: &Opened) -> Admission {
    publish(service, opened).await.json()
}

/// The refusal, which must be of this check.
async fn refused(service: &Service, opened: &Opened, code: &str) -> Refusal {
    let came = publish(service, opened).await;
    assert_eq!(came.status.as_u16(), 422, "{came:?}");
    let refusal: Refusal = serde_json::from_str(&came.text).expect("a refusal");
    assert_eq!(refusal.error.code, code, "{refusal:?}");
    assert!(!refusal.error.message.is_empty());
    refusal
}

fn a_play(texts: &Texts) -> EpisodeKey {
    let mut plays = texts.keys().filter(|key| key.as_str().ends_with(".play"));
    plays.next().expect("there is one").clone()
}

fn events(text: &str) -> Vec<Event> {
    let read = transcript::read(text).expect("it is sound");
    read.events.into_iter().map(|event| event.expect("nothing is withheld")).collect()
}

/// Has an episode end with an answer that no player gave.
fn edit_an_outcome(texts: &mut Texts) {
    forge(texts, |events| {
        if let Some(Event::Closed(outcome)) = events.last_mut() {
            outcome.result = json!({ "answer": "the right one", "confidence": 100 });
        }
    });
}

/// A transcript of these events whose chain holds.
fn chained(events: &[Event]) -> String {
    let Some(Event::Opened(header)) = events.first() else {
        panic!("no header");
    };
    let mut writer = Writer::new(SaltKey::open(header));
    let lines = events.iter().map(|event| writer.line(event) + "\n");
    lines.collect()
}

/// Changes the events of the first episode; its grading goes with it, so that everything hangs together again.
fn forge(texts: &mut Texts, change: impl FnOnce(&mut Vec<Event>)) -> EpisodeKey {
    let play = a_play(texts);
    let mut changed = events(&texts[&play]);
    change(&mut changed);
    let text = chained(&changed);
    let chain = transcript::read(&text).expect("its chain holds").chain;
    texts.insert(play.clone(), text);
    if let Some(grading) = texts.get_mut(&play.grading()) {
        let mut graded = events(grading);
        if let Some(Event::Opened(header)) = graded.first_mut() {
            header.part = Part::Grading { play: chain };
        }
        *grading = chained(&graded);
    }
    play
}

fn header(events: &mut [Event]) -> &mut Header {
    match events.first_mut() {
        Some(Event::Opened(header)) => header,
        _ => panic!("no header"),
    }
}

/// A second try of a task that was not planned.
fn unplanned(texts: &Texts) -> (EpisodeKey, String) {
    let mut again = events(&texts[&a_play(texts)]);
    header(&mut again).repeat = 2;
    let name = EpisodeKey::play(&header(&mut again).task.id.clone(), 2);
    (name, chained(&again))
}
