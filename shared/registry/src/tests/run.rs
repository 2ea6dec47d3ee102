//! Whole runs, driven by hand: a `for` loop plays the driver, a `BTreeMap` the disk.

mod order;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use crate::archive::{Archive, Archives, Content, Missed, missed};
use crate::examples::{QUESTIONS, example};
use crate::prelude::*;
use crate::recording::Recording;
use crate::run::{Action, Ingredients, SEARCH_TAPE};
use crate::spec::Subset;
use crate::testing::{self, read};
use crate::transcript;

type Disk = BTreeMap<EpisodeKey, Vec<String>>;

pub(super) fn spec(seats: &[(&str, &str)], mode: &str) -> Spec {
    let benchmark = example(QUESTIONS);
    let (pack, samples) = (benchmark.pack(), benchmark.samples());
    Spec {
        benchmark: benchmark.name().to_owned(),
        protocol: benchmark.protocol(),
        profile: Profile::Strict,
        settings: json!({ "mode": mode }),
        tasks: Named { name: samples.name.clone(), digest: samples.digest },
        subset: Subset::default(),
        pack: Named { name: pack.name.clone(), digest: pack.digest() },
        seats: seats
            .iter()
            .map(|(seat, player)| (Seat::new(*seat), testing::sitting(player)))
            .collect(),
        search: Some(SearchSpec { engine: "made up".into(), corpus: None, results: 5 }),
        web: None,
        budget: Budget::default(),
        seed: 1,
        repeats: 2,
    }
}

const BOTS: &[(&str, &str)] =
    &[("player", "bot:asks-by-rule"), ("responder", "bot:lexical"), ("grader", "bot:exact")];

pub(super) fn open(spec: Spec, recordings: BTreeMap<String, Recording>) -> Run {
    Run::new(Ingredients { recordings, ..ingredients_of(spec) }).expect("the spec can be run")
}

/// Two hits that depend on the query, so that every call has an answer of its own.
pub(super) fn world(request: &Outgoing) -> Reply {
    match request {
        Outgoing::Search { query, .. } => Reply::found(
            (1..=2)
                .map(|number| Hit {
                    title: Some(format!("Page {number}")),
                    snippet: Some(format!("It is the thing number {number} of {}.", query.text)),
                    url: Some(format!("https://example.org/{number}")),
                })
                .collect(),
        ),
        Outgoing::Model(_) | Outgoing::Sealed { .. } | Outgoing::Use(_) => {
            panic!("no model sits anywhere")
        }
    }
}

/// Drives a run to its end, or until this many calls were made; replies are passed on newest first.
fn drive(run: &mut Run, disk: &mut Disk, calls: usize, reply: impl Fn(&Outgoing) -> Reply) {
    let (mut open, mut made) = (Vec::new(), 0);
    loop {
        match run.poll() {
            Action::Call { ticket, request } => {
                made += 1;
                open.push((ticket, reply(&request)));
                if made == calls {
                    return;
                }
            }
            Action::Lines { episode, from, lines } => {
                let file = disk.entry(episode).or_default();
                assert_eq!(u64::try_from(file.len()).unwrap(), from, "lines come in order");
                file.extend(lines);
            }
            Action::Ended { .. } => {}
            Action::Wait => {
                let (ticket, reply) = open.pop().expect("a run that waits has an open call");
                run.tell(&ticket, reply).expect("the reply fits");
            }
            Action::Over => return,
            other => panic!("{other:?}"),
        }
    }
}

fn recorded(mode: &str) -> Disk {
    let mut disk = Disk::new();
    drive(&mut open(spec(BOTS, mode), BTreeMap::new()), &mut disk, usize::MAX, world);
    disk
}

#[test]
fn a_run_with_offline_seats_ends_and_every_transcript_is_whole() {
    let disk = recorded("full");
    let tasks = example(QUESTIONS).samples().tasks.len();
    assert_eq!(disk.len(), tasks * 2 * 2, "an episode and a grading for each task and repeat");
    for (key, lines) in &disk {
        let transcript = read(lines);
        assert!(transcript.outcome().is_some_and(|outcome| outcome.is_complete()), "{key}");
    }
}

#[test]
fn the_same_recording_gives_the_same_bytes() {
    let disk = recorded("full");
    let mut recording = Recording::default();
    disk.values().for_each(|lines| recording.add(&read(lines)));
    let seats: Vec<_> = BOTS.iter().map(|(seat, _)| (*seat, "tape:t")).collect();
    let recordings =
        BTreeMap::from([("t".to_owned(), recording.clone()), (SEARCH_TAPE.to_owned(), recording)]);
    let mut again = Disk::new();
    drive(&mut open(spec(&seats, "full"), recordings), &mut again, usize::MAX, |_| {
        panic!("a recording answers everything")
    });
    assert_eq!(again, disk);
}

#[test]
fn a_recording_of_another_run_is_noticed() {
    let mut recording = Recording::default();
    recorded("full").values().for_each(|lines| recording.add(&read(lines)));
    let seats = [("player", "tape:t"), ("responder", "bot:lexical"), ("grader", "bot:exact")];
    let recordings = BTreeMap::from([("t".to_owned(), recording)]);
    let mut again = Disk::new();
    // In another mode the player is shown other actions, so its first request differs.
    drive(&mut open(spec(&seats, "ask_only"), recordings), &mut again, usize::MAX, world);
    for lines in again.values() {
        let outcome = read(lines).outcome().cloned().expect("it ended");
        assert_eq!(
            (outcome.ending.as_str(), &outcome.result["failure"]),
            ("incomplete", &json!("off_tape"))
        );
    }
}

#[test]
fn a_run_goes_on_from_wherever_it_was_cut() {
    let whole = recorded("full");
    for calls in [1, 7, 40, 111] {
        let mut disk = Disk::new();
        drive(&mut open(spec(BOTS, "full"), BTreeMap::new()), &mut disk, calls, world);
        // The newest line of every file was not written to its end.
        for lines in disk.values_mut().filter(|lines| lines.len() > 2) {
            lines.pop();
        }
        let mut run = open(spec(BOTS, "full"), BTreeMap::new());
        let stored: Vec<_> = disk.iter().map(|(key, lines)| (key.clone(), read(lines))).collect();
        let (plays, gradings): (Vec<_>, Vec<_>) =
            stored.into_iter().partition(|(key, _)| key.part() == crate::key::PartKey::Play);
        for (key, transcript) in plays.into_iter().chain(gradings) {
            let kept = run.restore(&key, &transcript).expect("it is taken up");
            disk.get_mut(&key).unwrap().truncate(usize::try_from(kept).unwrap());
        }
        drive(&mut run, &mut disk, usize::MAX, world);
        assert_eq!(disk, whole, "cut after {calls} calls");
    }
}

#[test]
fn a_grading_whose_play_lost_its_end_begins_anew() {
    let whole = recorded("full");
    let graded = whole.keys().find(|key| whole.contains_key(&key.grading()));
    let play = graded.expect("plays are graded").its_play();
    let (lines, grading) = (&whole[&play], read(&whole[&play.grading()]));
    // The end of an episode follows from its last reply; so that is lost, too.
    let cut = lines[..lines.len() / 2].to_vec();
    let mut run = open(spec(BOTS, "full"), BTreeMap::new());
    let kept = run.restore(&play, &read(&cut)).expect("it replays");
    assert_eq!(kept, cut.len() as u64);
    let kept = run.restore(&play.grading(), &grading);
    assert_eq!(kept.expect("it begins anew"), 0);
    let mut disk = Disk::from([(play.clone(), cut)]);
    drive(&mut run, &mut disk, usize::MAX, world);
    assert_eq!(disk, whole);

    let mut run = open(spec(BOTS, "full"), BTreeMap::new());
    run.restore(&play, &read(lines)).expect("it replays");
    let nobody = EpisodeKey::play(&"nobody".into(), 1).grading();
    assert!(run.restore(&nobody, &grading).is_err(), "of no episode");
}

#[test]
fn an_episode_whose_call_failed_is_taken_up_before_that_call() {
    let whole = recorded("search_only");
    let mut disk = Disk::new();
    drive(&mut open(spec(BOTS, "search_only"), BTreeMap::new()), &mut disk, usize::MAX, |_| {
        Reply::Failed(Failure::new(FailureClass::Server, "HTTP 500"))
    });
    assert!(disk.values().all(|lines| read(lines).outcome().unwrap().ending == "incomplete"));
    let mut run = open(spec(BOTS, "search_only"), BTreeMap::new());
    for (key, lines) in &mut disk {
        let kept = run.restore(key, &read(lines)).expect("it replays");
        assert!(kept < u64::try_from(lines.len()).unwrap());
        lines.truncate(usize::try_from(kept).unwrap());
    }
    drive(&mut run, &mut disk, usize::MAX, world);
    assert_eq!(disk, whole);
}

#[test]
fn a_frozen_search_is_answered_by_content_and_never_sent_out() {
    let before = recorded("search_only");
    let mut content = Content::default();
    before.values().rev().for_each(|lines| content.add(&read(lines)));
    let archive = Arc::new(Archive::new(content));
    let mut frozen = spec(BOTS, "search_only");
    let live = example(QUESTIONS).board(&frozen);
    frozen.search = Some(archive.search_spec(5).expect("one engine was searched"));
    assert_ne!(example(QUESTIONS).board(&frozen), live, "they share no board");
    let drive_with = |archives: Archives| {
        let mut disk = Disk::new();
        let mut run = open(frozen.clone(), BTreeMap::new()).reading(archives);
        drive(&mut run, &mut disk, usize::MAX, |request| panic!("{request:?} was sent"));
        disk
    };
    let again = drive_with(Archives::from([(archive.digest(), archive)]));
    let found = |disk: &Disk| {
        let lines = disk.values().flatten().filter(|line| line.contains("\"reply\":\"found\""));
        lines.count()
    };
    assert!(found(&again) > 0 && found(&again) == found(&before));
    assert!(again.values().all(|lines| missed(&read(lines)) == Missed::default()));
    assert!(again.values().all(|lines| read(lines).outcome().unwrap().is_complete()));
    let without = drive_with(Archives::new());
    assert!(without.values().all(|lines| read(lines).outcome().unwrap().ending == "incomplete"));
}

#[test]
fn cancelling_leaves_what_can_be_taken_up() {
    let mut run = open(spec(BOTS, "full"), BTreeMap::new());
    let mut disk = Disk::new();
    drive(&mut run, &mut disk, 9, world);
    run.cancel();
    drive(&mut run, &mut disk, usize::MAX, world);
    assert_eq!(run.poll(), Action::Over);
    let endings: Vec<_> = disk
        .values()
        .map(|lines| read(lines).outcome().expect("it ended").ending.clone())
        .collect();
    assert!(endings.iter().any(|ending| ending == "incomplete"));
    assert!(endings.len() < 40, "what had not started stays unstarted");
}

#[test]
fn a_changed_transcript_does_not_replay() {
    let disk = recorded("full");
    let (key, lines) = disk
        .iter()
        .find(|(key, _)| key.part() == crate::key::PartKey::Play)
        .expect("there are episodes");
    let text = lines.join("\n") + "\n";
    let changed = text.replacen("Page 1", "Page 9", 1);
    assert_ne!(text, changed);
    let error = transcript::read(&changed).expect_err("the chain does not hold");
    assert!(matches!(error, transcript::BadTranscript::Chain { .. }), "{key}: {error}");
    // A forger who recomputes the chain is found by the replay.
    let forged = forge(&text, |event| event.replacen("Page 1", "Page 9", 1));
    let forged = transcript::read(&forged).expect("the chain was recomputed");
    let drift = open(spec(BOTS, "full"), BTreeMap::new())
        .restore(key, &forged)
        .expect_err("the notes no longer follow from the replies");
    assert!(drift.line > 1, "{drift}");
}

/// Rewrites events and recomputes the chain.
fn forge(text: &str, change: impl Fn(&str) -> String) -> String {
    let mut changed_once = false;
    let lines: Vec<_> = text
        .lines()
        .map(|line| {
            let event = if changed_once || !line.contains("Page 1") {
                line.to_owned()
            } else {
                changed_once = true;
                change(line)
            };
            transcript::event_of(&event).expect("it is still a line")
        })
        .collect();
    let header = match &lines[0] {
        transcript::Event::Opened(header) => header.clone(),
        other => panic!("{other:?}"),
    };
    let mut writer = transcript::Writer::new(transcript::SaltKey::open(&header));
    lines.iter().map(|event| writer.line(event) + "\n").collect()
}

/// Drives a run of bots alone to its end and returns the lines of all its episodes.
fn lines_of(run: &mut Run) -> Disk {
    let mut disk = Disk::new();
    loop {
        match run.poll() {
            Action::Lines { episode, lines, .. } => disk.entry(episode).or_default().extend(lines),
            Action::Over => return disk,
            Action::Ended { .. } => {}
            other => panic!("bots need nobody: {other:?}"),
        }
    }
}

fn ingredients_of(spec: Spec) -> Ingredients {
    testing::ingredients(example(QUESTIONS), spec)
}

#[test]
fn plays_are_graded_again_and_not_played_again() {
    let spec = spec(BOTS, "ask_only");
    let disk = lines_of(&mut Run::new(ingredients_of(spec.clone())).expect("it fits"));
    let plays: Vec<Transcript> = disk
        .iter()
        .filter(|(key, _)| **key == key.its_play())
        .map(|(_, lines)| read(lines))
        .collect();
    let graded = disk.keys().filter(|key| **key != key.its_play()).count();
    assert!(graded > 0);

    // The same grader: the same gradings, byte for byte.
    let mut again = Run::regrading(ingredients_of(spec.clone()), plays.clone()).expect("it fits");
    assert_eq!(again.progress().planned as usize, graded);
    let regraded = lines_of(&mut again);
    assert_eq!(regraded.len(), graded);
    for (key, lines) in &regraded {
        assert_eq!(lines, &disk[key], "{key}");
    }

    // Another grader names the same episodes.
    let mut other = spec.clone();
    other.seats.insert(Seat::new("grader"), testing::sitting("model:lab/judge"));
    let mut run = Run::regrading(ingredients_of(other), plays.clone()).expect("it fits");
    assert_eq!(run.progress().planned as usize, graded);
    let Action::Lines { episode, lines, .. } = run.poll() else {
        panic!("a grading begins with its header");
    };
    let begun = read(&lines);
    let its_play = plays.iter().find(|play| play.header.task == begun.header.task);
    let chain = its_play.expect("it is there").chain;
    assert_eq!(begun.header.part, Part::Grading { play: chain });
    assert_eq!(episode.its_play().grading(), episode);

    // Another player is another run.
    let mut mixed = spec;
    let sitting = mixed.seats[&Seat::new("responder")].clone();
    mixed.seats.insert(Seat::new("player"), sitting);
    assert!(Run::regrading(ingredients_of(mixed), plays).is_err());
}

#[test]
fn a_play_under_way_is_summarised_as_if_it_were_read_anew() {
    let mut run = open(spec(BOTS, "full"), BTreeMap::new());
    let plays: Vec<EpisodeKey> =
        run.tasks().iter().map(|task| EpisodeKey::play(&task.id, 1)).collect();
    let mut open_calls = Vec::new();
    let (mut looks, mut turns) = (0, 0);
    for step in 0.. {
        match run.poll() {
            Action::Call { ticket, request } => {
                // Some calls fail, so that there is something to count.
                let reply = match step % 7 {
                    0 => Reply::Failed(Failure::new(FailureClass::Timeout, "too late")),
                    _ => world(&request),
                };
                open_calls.push((ticket, reply));
            }
            Action::Wait => {
                let (ticket, reply) = open_calls.pop().expect("a run that waits has an open call");
                run.tell(&ticket, reply).expect("the reply fits");
            }
            Action::Over => break,
            _ => {}
        }
        // Not every line is looked at when it comes.
        if step % 3 != 0 {
            continue;
        }
        for play in &plays {
            let Some(session) = run.session(play) else {
                assert_eq!(run.so_far(play), None);
                continue;
            };
            let mut anew = summarise(&session.transcript(), None, Measured::default());
            let followed = run.so_far(play).expect("it is under way");
            // Its question is set from the beginning, and what is right only in the end.
            anew.measured.asked = followed.measured.asked.clone();
            assert!(anew.measured.asked.is_some());
            assert_eq!(*followed, anew, "{play} at step {step}");
            looks += 1;
            turns += followed.ribbon.len();
        }
    }
    assert!(looks > 20 && turns > 20, "{looks} looks, {turns} turns");
}
