//! The native driver against an outside that is slow, out of order and sometimes broken.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::watch;
use turnwise_backend::driver::{Finish, Outside, Recorder, Stop, drive};
use turnwise_shared::recording::Recording;
use turnwise_shared::run::SEARCH_TAPE;
use turnwise_shared::transcript;

use crate::common::*;

/// Says something that follows from what it was sent, after a while that follows from it too.
#[derive(Default)]
struct Made {
    calls: AtomicUsize,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
}

impl Made {
    fn says(&self, request: &Outgoing, number: u8) -> Reply {
        let said = |text: String| Reply::Said(Said::text(text));
        match request {
            Outgoing::Search { query, .. } => Reply::found(vec![Hit {
                title: Some(format!("About {}", query.text)),
                snippet: None,
                url: Some("made:up".into()),
            }]),
            Outgoing::Sealed { seat } => panic!("{seat} is asked over no sealed task here"),
            Outgoing::Use(tool) => panic!("{} is not used here", tool.name()),
            Outgoing::Model(call) => match (call.seat.as_str(), number % 16) {
                (_, 15) => Reply::Failed(Failure::new(FailureClass::Timeout, "made up")),
                ("player", 0..=3) => said(action("search", "query", number)),
                ("player", 4..=7) => said(action("ask", "question", number)),
                ("player", 8 | 9) => said("no action at all".into()),
                ("player", _) => {
                    said(r#"{"action":"answer","params":{"answer":"A","confidence":"50"}}"#.into())
                }
                (_, number) => said(["yes", "no"][usize::from(number % 2)].into()),
            },
        }
    }
}

fn action(name: &str, parameter: &str, number: u8) -> String {
    format!(r#"{{"action":"{name}","params":{{"{parameter}":"made up {number}"}}}}"#)
}

impl Outside for Made {
    async fn answer(&self, _: Ticket, request: Outgoing) -> (Reply, Timing) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let flying = self.at_once.fetch_add(1, Ordering::Relaxed) + 1;
        self.most_at_once.fetch_max(flying, Ordering::Relaxed);
        let digest = Digest::of_value(&request);
        let [number, wait, ..] = *digest.bytes();
        tokio::time::sleep(Duration::from_millis(u64::from(wait % 20))).await;
        self.at_once.fetch_sub(1, Ordering::Relaxed);
        (self.says(&request, number), Timing::default())
    }
}

/// Keeps lines in memory, and can be full.
#[derive(Default)]
struct Memory {
    texts: BTreeMap<EpisodeKey, Vec<String>>,
    room: Option<Cell<usize>>,
    timings: usize,
    ended: usize,
}

impl Memory {
    fn text(&self, key: &EpisodeKey) -> String {
        self.texts[key].iter().map(|line| format!("{line}\n")).collect()
    }

    fn recording(&self) -> Recording {
        let mut recording = Recording::default();
        for key in self.texts.keys() {
            recording.add(&transcript::read(&self.text(key)).expect("what was kept is sound"));
        }
        recording
    }
}

impl Recorder for Memory {
    type Error = &'static str;

    fn keep(
        &mut self,
        episode: &EpisodeKey,
        from: u64,
        lines: &[String],
    ) -> Result<(), Self::Error> {
        if let Some(room) = &self.room {
            if room.get() < lines.len() {
                return Err("full");
            }
            room.set(room.get() - lines.len());
        }
        let kept = self.texts.entry(episode.clone()).or_default();
        assert_eq!(kept.len() as u64, from, "{episode}: lines come in order");
        kept.extend_from_slice(lines);
        Ok(())
    }

    fn timed(&mut self, _: &Ticket, _: &Timing) -> Result<(), Self::Error> {
        self.timings += 1;
        Ok(())
    }

    fn ended(&mut self, _: &EpisodeKey, _: &Outcome, _: Summary) {
        self.ended += 1;
    }

    fn unfit(&mut self, episode: &EpisodeKey, problem: &BadSpec) {
        panic!("{episode}: {problem}");
    }

    fn progress(&mut self, _: &Progress) {}
}

fn spec(seat: &str) -> Spec {
    let mut spec = Spec {
        tasks: Named::from(&example(QUESTIONS).samples()),
        search: local(),
        budget: Budget::default(),
        repeats: 2,
        ..default_spec(example(QUESTIONS))
    };
    for sitting in spec.seats.values_mut() {
        let player = seat.parse().unwrap();
        *sitting = Sitting { player, sampling: Sampling::default() };
    }
    spec
}

fn run(spec: Spec, recordings: BTreeMap<String, Recording>, in_flight: usize) -> Run {
    let usual = ingredients(&spec, example(QUESTIONS).samples());
    Run::new(Ingredients { recordings, limits: Limits::new(in_flight), ..usual }).unwrap()
}

fn never() -> (watch::Sender<Stop>, watch::Receiver<Stop>) {
    watch::channel(Stop::No)
}

async fn recorded(in_flight: usize) -> (Memory, Arc<Made>) {
    let mut run = run(spec("model:made/up"), BTreeMap::new(), in_flight);
    let (outside, mut memory) = (Arc::new(Made::default()), Memory::default());
    let (_sender, stop) = never();
    let finish = drive(&mut run, &outside, &mut memory, stop).await;
    assert_eq!(finish, Ok(Finish::Over));
    (memory, outside)
}

#[tokio::test]
async fn the_same_replies_give_the_same_transcripts_whatever_their_order() {
    let (one, outside) = recorded(32).await;
    let calls = outside.calls.load(Ordering::Relaxed);
    let most = outside.most_at_once.load(Ordering::Relaxed);
    assert!((20..=32).contains(&most), "{most} calls at once");
    assert_eq!(one.timings, calls);
    assert_eq!(one.ended, one.texts.len());
    assert!(one.texts.len() > 40, "forty plays, and gradings of some");
    let failed = one.texts.values().flatten().filter(|line| line.contains(r#""reply":"failed""#));
    assert!(failed.count() > 0, "some calls failed");
    // Few calls at a time: the replies come in another order.
    let (other, _) = recorded(4).await;
    assert_eq!(one.texts, other.texts);
}

#[tokio::test]
async fn a_recording_gives_the_same_bytes_and_asks_nobody() {
    let (recorded, _) = recorded(32).await;
    let recording = recorded.recording();
    let recordings = BTreeMap::from([
        ("/recorded".to_owned(), recording.clone()),
        (SEARCH_TAPE.to_owned(), recording),
    ]);
    let mut again = run(spec("tape:/recorded"), recordings, 8);
    let (outside, mut memory) = (Arc::new(Made::default()), Memory::default());
    let (_sender, stop) = never();
    let finish = drive(&mut again, &outside, &mut memory, stop).await;
    assert_eq!(finish, Ok(Finish::Over));
    assert_eq!(outside.calls.load(Ordering::Relaxed), 0);
    assert_eq!(memory.texts, recorded.texts);
}

#[tokio::test]
async fn a_recorder_that_is_full_stops_the_run_and_what_it_has_can_be_taken_up() {
    let (whole, _) = recorded(16).await;
    let mut first = run(spec("model:made/up"), BTreeMap::new(), 16);
    let outside = Arc::new(Made::default());
    let mut memory = Memory { room: Some(Cell::new(150)), ..Memory::default() };
    let (_sender, stop) = never();
    let finish = drive(&mut first, &outside, &mut memory, stop).await;
    assert_eq!(finish, Err("full"));
    assert_eq!(taken_up(memory).await, whole.texts);
}

#[tokio::test]
async fn a_stopped_run_can_be_taken_up() {
    let (whole, _) = recorded(16).await;
    let mut first = run(spec("model:made/up"), BTreeMap::new(), 16);
    let (outside, mut memory) = (Arc::new(Made::default()), Memory::default());
    let (sender, stop) = never();
    let asked = Arc::clone(&outside);
    tokio::spawn(async move {
        while asked.calls.load(Ordering::Relaxed) < 20 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        sender.send(Stop::Soon)
    });
    let finish = drive(&mut first, &outside, &mut memory, stop).await;
    assert_eq!(finish, Ok(Finish::Stopped));
    assert!(memory.texts.len() < whole.texts.len());
    // Calls that were in flight were waited for.
    assert_eq!(outside.at_once.load(Ordering::Relaxed), 0);
    assert_eq!(memory.timings, outside.calls.load(Ordering::Relaxed));
    assert_eq!(taken_up(memory).await, whole.texts);
}

#[tokio::test]
async fn a_driver_that_is_told_to_stop_at_once_sends_nothing_more() {
    let mut bots = spec("bot:exact");
    for (seat, bot) in [("player", "bot:answer-only"), ("responder", "bot:lexical")] {
        bots.seats.get_mut(&seat.into()).unwrap().player = bot.parse().unwrap();
    }
    for spec in [bots, spec("model:made/up")] {
        let mut run = run(spec, BTreeMap::new(), 16);
        let (outside, mut memory) = (Arc::new(Made::default()), Memory::default());
        let (_sender, stop) = watch::channel(Stop::Now);
        let finish = drive(&mut run, &outside, &mut memory, stop).await;
        assert_eq!(finish, Ok(Finish::Stopped));
        assert_eq!(outside.calls.load(Ordering::Relaxed), 0);
        assert_eq!(memory.ended, 0);
    }
}

/// An outside whose key is refused after a number of calls.
struct Refusing {
    made: Made,
    left: AtomicUsize,
}

impl Outside for Refusing {
    async fn answer(&self, ticket: Ticket, request: Outgoing) -> (Reply, Timing) {
        let take_one = |left: usize| left.checked_sub(1);
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take_one);
        if taken.is_ok() || matches!(request, Outgoing::Search { .. }) {
            return self.made.answer(ticket, request).await;
        }
        let refused = Failure::new(FailureClass::Unauthorised, "the service refused the key");
        (Reply::Failed(refused), Timing::default())
    }
}

#[tokio::test]
async fn a_refused_key_stops_the_run_and_costs_no_episode() {
    let (whole, _) = recorded(16).await;
    let mut first = run(spec("model:made/up"), BTreeMap::new(), 16);
    first.pause_on_failures(0);
    let outside = Arc::new(Refusing { made: Made::default(), left: AtomicUsize::new(40) });
    let mut memory = Memory::default();
    let (_sender, stop) = never();
    let finish = drive(&mut first, &outside, &mut memory, stop).await;
    assert_eq!(finish, Ok(Finish::Halted));
    let halt = first.halt().expect("it says why");
    assert_eq!((halt.who.as_str(), halt.class), ("model:made/up", FailureClass::Unauthorised));
    let refused = first.progress().failures[&FailureClass::Unauthorised];
    assert!(refused > 0);
    assert!(memory.texts.values().flatten().all(|line| !line.contains("unauthorised")));
    assert_eq!(taken_up(memory).await, whole.texts);
}

/// Takes up a run where it was left, and drives it to its end. An episode that ended incomplete is tried again and fails
/// again in the same place, because what this outside says follows from what it is sent.
async fn taken_up(mut memory: Memory) -> BTreeMap<EpisodeKey, Vec<String>> {
    memory.room = None;
    let mut again = run(spec("model:made/up"), BTreeMap::new(), 16);
    let (plays, gradings): (Vec<_>, Vec<_>) =
        memory.texts.keys().cloned().partition(|key| *key == key.its_play());
    for key in plays.into_iter().chain(gradings) {
        let stored = transcript::read(&memory.text(&key)).unwrap();
        let kept = again.restore(&key, &stored).unwrap();
        let lines = memory.texts.get_mut(&key).unwrap();
        lines.truncate(usize::try_from(kept).unwrap());
    }
    let outside = Arc::new(Made::default());
    let (_sender, stop) = never();
    let finish = drive(&mut again, &outside, &mut memory, stop).await;
    assert_eq!(finish, Ok(Finish::Over));
    memory.texts
}
