//! Plays that go on from a turn of another episode.

use crate::examples::{QUESTIONS, example};
use crate::prelude::*;
use crate::run::{Action, check_branch, *};
use crate::testing;
use crate::transcript;
use std::collections::BTreeMap;

use super::run::{spec, world};

const BOTS: [(&str, &str); 3] =
    [("player", "bot:asks-by-rule"), ("responder", "bot:lexical"), ("grader", "bot:exact")];

fn benchmark() -> &'static dyn Benchmark {
    example(QUESTIONS)
}

/// What a run writes and ends with; a person says `words`.
#[derive(Default)]
struct Driven {
    lines: BTreeMap<EpisodeKey, String>,
    ended: BTreeMap<EpisodeKey, Summary>,
    asked: usize,
}

fn drive(run: &mut Run, words: &str) -> Driven {
    let mut driven = Driven::default();
    loop {
        match run.poll() {
            Action::Call { ticket, request } => {
                run.tell(&ticket, world(&request)).expect("it fits");
            }
            Action::Person { ticket, .. } => {
                driven.asked += 1;
                let said = Reply::Said(Said::text(words));
                run.tell(&ticket, said).expect("it fits");
            }
            Action::Lines { episode, from, lines } => {
                let text = driven.lines.entry(episode).or_default();
                assert_eq!(text.lines().count() as u64, from, "no line is left out");
                for line in lines {
                    text.push_str(&line);
                    text.push('\n');
                }
            }
            Action::Ended { episode, summary, .. } => {
                driven.ended.insert(episode.its_play(), *summary);
            }
            Action::Unfit { problem, .. } => panic!("{problem}"),
            Action::Wait => panic!("it waits for nobody"),
            Action::Over => return driven,
        }
    }
}

/// A played play and its name.
fn parent() -> (EpisodeKey, Transcript) {
    let mut run =
        Run::new(testing::ingredients(benchmark(), spec(&BOTS, "full"))).expect("it can be run");
    let driven = drive(&mut run, "");
    let found = driven.lines.iter().find_map(|(key, text)| {
        let play = transcript::read(text).expect("sound");
        let is_long = play.notes().filter(|note| matches!(note, Note::Turn(_))).count() >= 2;
        (key.part() == PartKey::Play && is_long).then(|| (key.clone(), play))
    });
    found.expect("an episode with several turns")
}

fn branch_of(episode: &EpisodeKey, play: &Transcript, turn: u32) -> BranchOf {
    BranchOf {
        run: RunId::new([7; 16]),
        episode: episode.clone(),
        turn,
        lines: cut(play, turn).expect("it has the turn").lines,
    }
}

fn with_person(play: &Transcript) -> Spec {
    let mut spec = play.header.spec.clone();
    spec.seats.insert(Seat::new(Seat::PLAYER), testing::sitting("person"));
    spec
}

/// A reader who goes on from an episode in which a person answered need not answer as well: any seat may be filled anew, and
/// nothing else may differ.
#[test]
fn a_seat_in_which_a_person_sat_may_be_filled_anew() {
    let seats = [BOTS[0], ("responder", "person"), BOTS[2]];
    let mut run =
        Run::new(testing::ingredients(benchmark(), spec(&seats, "full"))).expect("it can be run");
    let driven = drive(&mut run, "Y");
    let found = driven.lines.iter().find_map(|(key, text)| {
        let play = transcript::read(text).expect("sound");
        (key.part() == PartKey::Play && cut(&play, 2).is_some()).then(|| (key.clone(), play))
    });
    let (episode, play) = found.expect("an episode with two turns");
    let of = branch_of(&episode, &play, 2);
    let mut branch = with_person(&play);
    branch.seats.insert(Seat::new("responder"), testing::sitting("bot:lexical"));
    assert!(check_branch(benchmark(), &play, &of, &branch).is_ok());
    let mut run = Run::branching(testing::ingredients(benchmark(), branch.clone()), of.clone())
        .expect("it can");
    run.take_over(&play).expect("it is the episode");
    let driven = drive(&mut run, ANSWER);
    assert_eq!(driven.asked, 1, "nobody is asked but who goes on");
    branch.repeats += 1;
    assert_eq!(check_branch(benchmark(), &play, &of, &branch), Err(BadBranch::OtherSpec));
}

const ANSWER: &str =
    r#"{"action":"answer","params":{"answer":"Nothing at all","confidence":"50"}}"#;

#[test]
fn a_person_goes_on_from_a_turn_and_is_graded() {
    let (episode, play) = parent();
    let of = branch_of(&episode, &play, 2);
    let mut run = Run::branching(testing::ingredients(benchmark(), with_person(&play)), of.clone())
        .expect("it can");
    run.take_over(&play).expect("it is the episode");
    let driven = drive(&mut run, ANSWER);
    assert_eq!(driven.asked, 1, "the first turn is not asked again");
    let branch = transcript::read(&driven.lines[&episode]).expect("a sound chain");
    assert_eq!(branch.header.branch, Some(of.clone()));
    assert!(begins_with(&of, 0, &branch.events, &play.events));
    let after = 3;
    assert!(begins_with(&of, 3, &branch.events[after..], &play.events[after..]));
    assert!(!begins_with(&of, 2, &branch.events[after..], &play.events[after..]));
    assert!(branch.outcome().is_some());
    let summary = &driven.ended[&episode];
    assert_eq!(summary.score, Some(0.0), "it is graded like any other");
    assert_eq!(summary.measured.answer.as_deref(), Some("Nothing at all"));
    assert_eq!(
        summary.usage[Seat::PLAYER].calls,
        1,
        "what was asked before was asked by the other episode"
    );
    let turns =
        |play: &Transcript| play.notes().filter(|note| matches!(note, Note::Turn(_))).count();
    assert_eq!(turns(&branch), 2, "the first was taken over, the second ended it");
    // The grading is an ordinary one.
    let grading = transcript::read(&driven.lines[&episode.grading()]).expect("sound");
    assert_eq!(grading.header.branch, None);
}

#[test]
fn a_branch_that_was_begun_is_taken_up_from_its_own_lines() {
    let (episode, play) = parent();
    let of = branch_of(&episode, &play, 2);
    let spec = with_person(&play);
    let mut run = Run::branching(testing::ingredients(benchmark(), spec.clone()), of.clone())
        .expect("it can");
    run.take_over(&play).expect("it is the episode");
    let Action::Lines { from, lines, .. } = run.poll() else {
        panic!("its first lines come first");
    };
    assert_eq!((from, lines.len() as u64), (0, of.lines));
    let stored = transcript::read(&lines.join("\n")).expect("sound");
    let mut again =
        Run::branching(testing::ingredients(benchmark(), spec), of.clone()).expect("it can");
    assert_eq!(again.restore(&episode, &stored), Ok(of.lines));
    assert!(matches!(again.poll(), Action::Person { .. }));
}

#[test]
fn somebody_else_can_go_on_from_a_branch() {
    let (episode, play) = parent();
    let of = branch_of(&episode, &play, 2);
    let mut run =
        Run::branching(testing::ingredients(benchmark(), with_person(&play)), of).expect("it can");
    run.take_over(&play).expect("it is the episode");
    let driven = drive(&mut run, ANSWER);
    let branch = transcript::read(&driven.lines[&episode]).expect("sound");
    let of = branch_of(&episode, &branch, 1);
    let bots = play.header.spec.clone();
    let mut run =
        Run::branching(testing::ingredients(benchmark(), bots), of.clone()).expect("it can");
    run.take_over(&branch).expect("it is the episode");
    let driven = drive(&mut run, "");
    let second = transcript::read(&driven.lines[&episode]).expect("sound");
    assert_eq!(second.header.branch, Some(of));
    // The same bot under the same spec says the same again.
    assert_eq!(second.events[1..], play.events[1..]);
}

#[test]
fn what_is_not_the_play_is_refused() {
    let (episode, play) = parent();
    let of = branch_of(&episode, &play, 2);
    let spec = with_person(&play);
    assert_eq!(check_branch(benchmark(), &play, &of, &spec), Ok(()));
    let elsewhere = BranchOf { lines: of.lines + 1, ..of.clone() };
    assert_eq!(check_branch(benchmark(), &play, &elsewhere, &spec), Err(BadBranch::NoTurn(2)));
    let mut other = spec.clone();
    other.seed += 1;
    assert_eq!(check_branch(benchmark(), &play, &of, &other), Err(BadBranch::OtherSpec));
    let mut other = spec.clone();
    other.seats.remove(&Seat::new(Seat::GRADER));
    assert_eq!(check_branch(benchmark(), &play, &of, &other), Err(BadBranch::OtherSpec));
    let grading = BranchOf { episode: episode.grading(), ..of.clone() };
    assert_eq!(check_branch(benchmark(), &play, &grading, &spec), Err(BadBranch::OtherPlay));
    let mut imported = play.clone();
    imported.header.origin = Origin::Imported;
    assert_eq!(check_branch(benchmark(), &imported, &of, &spec), Err(BadBranch::Imported));
    let mut withheld = play.clone();
    withheld.events[1] = None;
    assert_eq!(check_branch(benchmark(), &withheld, &of, &spec), Err(BadBranch::Withheld));
    assert_eq!(cut(&play, 99), None);
    // A reply that was never said is found where its turn is noted.
    let mut forged = play.clone();
    for event in forged.events.iter_mut().flatten() {
        if let Event::Told { reply: Reply::Said(said), .. } = event {
            said.text = Some(ANSWER.to_owned());
            break;
        }
    }
    let of = branch_of(&episode, &forged, 2);
    let mut run =
        Run::branching(testing::ingredients(benchmark(), spec), of.clone()).expect("it can");
    assert!(matches!(run.take_over(&forged), Err(BadBranch::Drift(_))));
    assert!(!begins_with(&of, 0, &forged.events, &play.events));
}
