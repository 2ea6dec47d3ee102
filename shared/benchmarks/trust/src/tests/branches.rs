//! Matches that another player continues from a turn.

use proptest::prelude::*;
use serde_json::json;

use super::spec_of;
use crate::Trust;
use crate::settings::Settings;
use crate::tasks::{field, label};
use turnwise_core::key::{EpisodeKey, RunId};
use turnwise_core::prelude::*;
use turnwise_core::replay::{Extent, Replay};
use turnwise_core::run::{Action, BadBranch, Run, begins_with, check_branch, cut};
use turnwise_core::seat::Lineup;
use turnwise_core::session::Session;
use turnwise_core::spec::Named;
use turnwise_core::testing::{ingredients, report, sitting};
use turnwise_core::transcript::{self, BranchOf, SaltKey};

/// A spec of bots that names its matches.
fn planned(players: &str, settings: serde_json::Value, profile: Profile, seed: u64) -> Spec {
    let mut spec = spec_of(players);
    (spec.settings, spec.profile, spec.seed) = (settings, profile, seed);
    let tasks = Trust.plan(&spec).expect("it can be played");
    spec.tasks = Named { name: tasks.name, digest: tasks.digest };
    spec
}

/// The episodes of a run and how they ended; a person says `words`.
fn driven(run: &mut Run, words: &str) -> Vec<(EpisodeKey, Transcript, Summary)> {
    let mut texts = std::collections::BTreeMap::<EpisodeKey, String>::new();
    let mut ended = Vec::new();
    loop {
        match run.poll() {
            Action::Person { ticket, .. } => {
                run.tell(&ticket, Reply::Said(Said::text(words))).expect("it fits");
            }
            Action::Lines { episode, lines, .. } => {
                let text = texts.entry(episode).or_default();
                text.extend(lines.iter().flat_map(|line| [line.as_str(), "\n"]));
            }
            Action::Ended { episode, summary, .. } => ended.push((episode, *summary)),
            Action::Over => break,
            other => panic!("not expected here: {other:?}"),
        }
    }
    let whole = |(episode, summary): (EpisodeKey, Summary)| {
        let play = transcript::read(&texts[&episode]).expect("a sound chain");
        (episode, play, summary)
    };
    ended.into_iter().map(whole).collect()
}

fn with(spec: &Spec, seat: &Seat, player: &str) -> Lineup {
    let mut seats = spec.seats.clone();
    seats.insert(seat.clone(), sitting(player));
    seats
}

fn turns(play: &Transcript) -> Vec<(u32, Seat)> {
    let turns = play.notes().filter_map(|note| match note {
        Note::Turn(turn) => Some((turn.index, turn.seat.clone())),
        _ => None,
    });
    turns.collect()
}

fn of(episode: &EpisodeKey, play: &Transcript, turn: u32) -> BranchOf {
    BranchOf {
        run: RunId::new([7; 16]),
        episode: episode.clone(),
        turn,
        lines: cut(play, turn).expect("it has the turn").lines,
    }
}

/// Branches from a turn with another player; the branch as it was written, under its own spec.
fn branched(
    episode: &EpisodeKey,
    parent: &Transcript,
    turn: u32,
    player: &str,
) -> (Spec, Transcript, Summary) {
    let of = of(episode, parent, turn);
    let seat = cut(parent, turn).expect("as before").seat;
    let before = &parent.header.spec;
    let spec = (Trust::FACTS.take_over)(before, with(before, &seat, player))
        .expect("it can be gone on with");
    let mut run =
        Run::branching(ingredients(&Trust, spec.clone()), of.clone()).expect("it can branch");
    run.take_over(parent).expect("it is the play");
    let (_, play, summary) = driven(&mut run, "ACTION: DEFECT").remove(0);
    assert_eq!(play.header.branch, Some(of.clone()));
    assert_eq!(play.header.spec, spec);
    assert!(begins_with(&of, 0, &play.events, &parent.events));
    (spec, play, summary)
}

/// Played again from its own spec, as page, server and command line do.
fn replays(play: &Transcript) {
    let spec = &play.header.spec;
    let tasks = Trust.plan(spec).expect("it can be planned");
    assert_eq!(tasks.digest, spec.tasks.digest, "the parent's matches");
    let task = tasks.task(&play.header.task.id).expect("its match");
    assert_eq!(task.digest, play.header.task.digest);
    let episode = Trust.open(spec, task, &(Trust::FACTS.pack)()).expect("it opens");
    let mut session = Session::open(play.header.clone(), episode, SaltKey::open(&play.header));
    let extent = Replay::new(play).run(&mut session).expect("no drift");
    assert_eq!(extent, Extent::Whole);
    assert_eq!(session.chain(), play.chain, "to the byte");
}

fn rounds(summary: &Summary) -> usize {
    let numbers = summary.measured.numbers.value();
    numbers["actions"][0].as_str().expect("letters").len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_turn_of_a_match_can_be_taken_over(
        seed in 0_u64..1000,
        reference in any::<bool>(),
        players in prop::sample::select(vec!["tft,grim", "random:0.5,always-d,tft", "wsls,random"]),
        who in prop::sample::select(vec!["bot:always-d", "bot:gtft", "bot:random", "person"]),
        then in prop::sample::select(vec!["bot:always-c", "bot:tft", "person"]),
    ) {
        let profile = if reference { Profile::Reference } else { Profile::Strict };
        let settings = json!({ "repeats": 1, "cap": 12 });
        let spec = planned(players, settings, profile, seed);
        let mut run = Run::new(ingredients(&Trust, spec.clone())).expect("it can be run");
        let (episode, parent, summary) = driven(&mut run, "").remove(0);
        for (turn, seat) in turns(&parent) {
            let (own, play, ended) = branched(&episode, &parent, turn, who);
            replays(&play);
            prop_assert_eq!(own.tasks.digest, spec.tasks.digest);
            prop_assert_eq!(rounds(&ended), rounds(&summary), "as long as the other");
            let (settings, seated) = Settings::of(&own).expect("it can be read");
            let sits = seated.iter().find(|one| one.seat == seat).expect("it is there");
            prop_assert_eq!(sits.player.to_string(), who);
            prop_assert_eq!(settings.planned_for.len(), spec.seats.len());
            // A branch of the branch, at its last turn.
            let (last, _) = turns(&play).pop().expect("it has turns");
            let (again, second, _) = branched(&episode, &play, last, then);
            replays(&second);
            prop_assert_eq!(&again.settings, &own.settings, "planned for the first lineup of all");
        }
    }
}

#[test]
fn a_branch_says_who_sits_there_and_has_the_matches_of_its_parent() {
    let settings = json!({ "names": { "1": "Ada", "2": "Person" }, "repeats": 1 });
    let spec = planned("tft,grim,tft", settings, Profile::Reference, 9);
    let mut run = Run::new(ingredients(&Trust, spec.clone())).expect("it can be run");
    let plays = driven(&mut run, "");
    let (episode, parent, _) = plays
        .iter()
        .find(|(_, play, _)| play.header.task.labels[label::PAIR] == "1v3")
        .expect("they meet");
    let (own, play, summary) = branched(episode, parent, 1, "person");
    let report = report(&Trust, &own, &[summary]);
    let shown = |of: &str| {
        let players = report.record["players"].as_array().expect("players");
        let all = players.iter().map(|player| player[of].as_str());
        all.collect::<Option<Vec<_>>>().expect("texts").join(", ")
    };
    // The new player has the first name that is free; the others keep theirs.
    assert_eq!(shown("name"), "Person-2, Person, TFT-2");
    assert_eq!(shown("class"), "person, grim, tft");
    assert_eq!(shown("who"), "person, bot:grim, bot:tft");
    assert_eq!(parent.header.task.labels[label::CLASS], "tft+tft");
    assert_eq!(play.header.task, parent.header.task, "labels and all");
    // Without it the same lineup has other lengths.
    let mut smuggled = own.clone();
    smuggled.settings = spec.settings.clone();
    smuggled.settings["names"] = json!({});
    let lengths = |spec: &Spec| -> Vec<String> {
        let tasks = Trust.plan(spec).expect("it can be planned").tasks;
        tasks.iter().map(|task| task.fields[field::ROUNDS].clone()).collect()
    };
    assert_eq!(lengths(&own), lengths(&spec));
    assert_ne!(lengths(&smuggled), lengths(&spec));
}

#[test]
fn only_a_branch_is_planned_for_others() {
    let spec = planned("tft,grim", json!({ "repeats": 1 }), Profile::Strict, 3);
    let mut run = Run::new(ingredients(&Trust, spec.clone())).expect("it can be run");
    let (episode, parent, _) = driven(&mut run, "").remove(0);
    let of = of(&episode, &parent, 1);
    let seat = cut(&parent, 1).expect("a turn").seat;
    let seats = with(&spec, &seat, "person");
    let branch = (Trust::FACTS.take_over)(&spec, seats).expect("it can");
    assert_eq!(check_branch(&Trust, &parent, &of, &branch), Ok(()));
    // A run of its own cannot have it.
    assert!((Trust::FACTS.check_own)(&spec).is_ok());
    let bad = Run::new(ingredients(&Trust, branch.clone())).err().expect("it is refused");
    assert_eq!(bad.field, "settings.planned_for");
    // A branch has its parent's, and says so.
    let refused = |settings: serde_json::Value| {
        let other = Spec { settings, ..branch.clone() };
        let bad = check_branch(&Trust, &parent, &of, &other);
        assert_eq!(bad, Err(BadBranch::OtherSpec));
    };
    refused(spec.settings.clone());
    let forged = |planned_for| {
        let mut settings = branch.settings.clone();
        settings["planned_for"] = planned_for;
        settings
    };
    refused(forged(json!({ "1": "bot:always-d", "2": "bot:grim" })));
    refused(forged(json!({ "1": "person", "2": "bot:grim" })));
    refused(forged(json!({ "1": "bot:tft" })));
    refused(forged(json!({})));
    // A value that names other seats, or no player, cannot even be read.
    for strange in [
        json!({ "1": "bot:tft" }),
        json!({ "1": "bot:tft", "2": "bot:grim", "3": "bot:grim" }),
        json!({ "1": "bot:tft", "2": "bot:nobody" }),
    ] {
        let other = Spec { settings: forged(strange.clone()), ..branch.clone() };
        assert!(<dyn Benchmark>::check_spec(&Trust, &other).is_err(), "{strange}");
    }
    let unread = Spec { settings: json!(["tournament"]), ..spec.clone() };
    assert!((Trust::FACTS.take_over)(&unread, unread.seats.clone()).is_err());
}
