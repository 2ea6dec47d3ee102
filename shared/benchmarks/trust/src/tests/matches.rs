//! One match, asked and answered by hand.

use std::collections::BTreeMap;

use serde_json::json;

use super::spec_of;
use crate::Trust;
use turnwise_core::prelude::*;
use turnwise_core::prompt::Content;

/// A match of these many rounds under way.
struct Table {
    episode: Box<dyn Episode>,
    task: Task,
    open: BTreeMap<String, (CallId, Ask)>,
    notes: Vec<Note>,
    outcome: Option<Outcome>,
}

impl Table {
    fn new(spec: &Spec, rounds: u32) -> Self {
        let mut task = Trust.plan(spec).expect("a plan").tasks[0].clone();
        task.fields.insert("rounds".into(), rounds.to_string());
        let episode = Trust.open(spec, &task, &(Trust::FACTS.pack)()).expect("it opens");
        let mut table =
            Table { episode, task, open: BTreeMap::new(), notes: Vec::new(), outcome: None };
        table.drain();
        table
    }

    fn drain(&mut self) {
        loop {
            match self.episode.poll() {
                Step::Request(call, Effect::Ask(ask)) => {
                    self.open.insert(ask.seat.to_string(), (call, ask));
                }
                Step::Note(note) => self.notes.push(note),
                Step::Wait => break,
                Step::Done(outcome) => {
                    self.outcome = Some(outcome);
                    break;
                }
                Step::Request(_, other) => panic!("a match only asks: {other:?}"),
            }
        }
    }

    fn tell(&mut self, seat: &str, reply: Reply) {
        let (call, _) = self.open.remove(seat).expect("the seat is asked");
        self.episode.resume(call, reply).expect("it fits");
        self.drain();
    }

    fn says(&mut self, seat: &str, text: &str) {
        self.tell(seat, Reply::Said(Said::text(text)));
    }

    fn fails(&mut self, seat: &str, class: FailureClass) {
        self.tell(seat, Reply::Failed(Failure::new(class, "a test")));
    }

    /// Everything that the seat is sent now.
    fn prompt(&self, seat: &str) -> String {
        let (_, ask) = &self.open[seat];
        (Trust::FACTS.pack)()
            .render(ask, &self.task)
            .expect("it can be rendered")
            .into_iter()
            .map(|message| format!("[{:?}]\n{}\n", message.role, message.text))
            .collect()
    }

    fn flags(&self) -> usize {
        self.notes
            .iter()
            .filter(|note| matches!(note, Note::Flag { name, .. } if name == "fallback"))
            .count()
    }
}

fn strict() -> Spec {
    spec_of("person,person")
}

fn reference() -> Spec {
    let mut spec = strict();
    spec.profile = Profile::Reference;
    spec
}

#[test]
fn both_are_asked_at_once_and_nothing_is_shown_before_both_have_moved() {
    let mut table = Table::new(&strict(), 2);
    assert_eq!(table.open.len(), 2);
    let before = table.episode.scene(&Viewer::Seat("2".into()));
    table.says("1", "DEFECT");
    assert_eq!(table.open.len(), 1);
    assert!(table.notes.is_empty());
    assert_eq!(table.episode.scene(&Viewer::Seat("2".into())), before);
    assert_eq!(table.episode.scene(&Viewer::Seat("1".into())).awaits, None);
    table.says("2", "COOPERATE");
    assert_eq!(table.open.len(), 2);
    let turns: Vec<_> = table
        .notes
        .iter()
        .filter_map(|note| match note {
            Note::Turn(turn) => Some((
                turn.index,
                turn.round,
                turn.seat.as_str(),
                turn.kind,
                turn.sentence.as_str(),
            )),
            _ => None,
        })
        .collect();
    assert_eq!(
        turns,
        [(1, 1, "1", TurnKind::Move, "defects"), (2, 1, "2", TurnKind::Move, "cooperates")]
    );
    let came: Vec<_> = table
        .notes
        .iter()
        .filter_map(|note| match note {
            Note::Observation(came) => Some((came.turn, came.tone, came.word.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(came, [(1, Tone::Positive, "+3"), (2, Tone::Negative, "-1")]);
    table.says("2", "DEFECT");
    table.says("1", "DEFECT");
    let outcome = table.outcome.expect("two rounds were played");
    assert_eq!(outcome.ending, "played");
    assert_eq!(
        outcome.result,
        json!({ "rounds": 2, "stopped": "stopped_by_delta", "totals": [3, -1] })
    );
    let events: Vec<_> = table
        .notes
        .iter()
        .filter_map(|note| match note {
            Note::Event { name, detail } if name == "round" => Some(detail),
            _ => None,
        })
        .collect();
    assert_eq!(
        *events[0],
        json!({
            "round": 1, "seats": ["1", "2"], "actions": ["defect", "cooperate"], "forced": [false, false],
            "payoffs": [3, -1], "totals": [3, -1]
        })
    );
}

/// Specification 5.c: everything that stands in the prompts, and nothing else.
#[test]
fn what_a_player_is_sent() {
    let mut table = Table::new(&strict(), 3);
    let first = table.prompt("1");
    for part in [
        "Round 1",
        "0.8000",
        "total so far: 0.0",
        "+2.0",
        "-1.0",
        "+3.0",
        "+0.0",
        "COOPERATE or DEFECT",
    ] {
        assert!(first.contains(part), "{part}:\n{first}");
    }
    table.says("1", "**COOPERATE**");
    table.says("2", "defect");
    table.says("1", "DEFECT");
    table.says("2", "DEFECT");
    let third = table.prompt("1");
    assert!(third.contains("[Assistant]\n**COOPERATE**\n"), "raw replies are kept:\n{third}");
    let last = third.rsplit("[User]").next().expect("a message");
    for part in [
        "Round 3",
        "0.8000",
        "total so far: -1.0",
        "you chose DEFECT, the other chose DEFECT",
        "you were paid +0.0",
        "you:       CD",
        "the other: DD",
        "you 0.50, the other 0.00",
    ] {
        assert!(last.contains(part), "{part}:\n{last}");
    }
    let (_, ask) = &table.open["1"];
    assert_eq!(ask.expect, Expect::Choice(vec!["COOPERATE".into(), "DEFECT".into()]));
    let roles: Vec<Role> = ask.messages.iter().map(|message| message.role).collect();
    use Role::{Assistant, System, User};
    assert_eq!(roles, [System, User, Assistant, User, Assistant, User]);
}

/// The reference code's client strips replies; `strict` shows them as they came.
#[test]
fn a_reply_stands_in_the_conversation_as_the_profile_has_it() {
    let replies = [
        "\n\n COOPERATE \n",
        "\u{3000}I choose:\n  DEFECT\u{a0}",
        "\u{1c}cooperate\u{85}",
        "DEFECT",
    ];
    let stripped = ["COOPERATE", "I choose:\n  DEFECT", "cooperate", "DEFECT"];
    for (spec, shown) in [(strict(), replies), (reference(), stripped)] {
        let mut table = Table::new(&spec, 5);
        for text in replies {
            table.says("1", text);
            table.says("2", "COOPERATE");
        }
        let (_, ask) = &table.open["1"];
        let said = ask.messages.iter().filter_map(|message| match &message.content {
            Content::Text(text) if message.role == Role::Assistant => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(said.collect::<Vec<_>>(), shown, "{:?}", spec.profile);
    }
}

#[test]
fn only_the_window_is_shown_and_rates_are_over_all_rounds() {
    let mut spec = strict();
    spec.settings = json!({ "window": 2 });
    let mut table = Table::new(&spec, 5);
    for text in ["COOPERATE", "COOPERATE", "DEFECT"] {
        table.says("1", text);
        table.says("2", "COOPERATE");
    }
    let prompt = table.prompt("1");
    let last = prompt.rsplit("[User]").next().expect("a message");
    assert!(last.contains("you:       CD\n"), "{last}");
    assert!(last.contains("you 0.67, the other 1.00"), "{last}");
}

/// Two matches that differ in length, cap, the other's name and class look alike to a seat as long as both go on.
#[test]
fn a_seat_learns_neither_length_nor_cap_nor_who_the_other_is() {
    for profile in [Profile::Strict, Profile::Reference] {
        let seen = |players: &str, rounds: u32, cap: u32| {
            let mut spec = spec_of(players);
            spec.profile = profile;
            spec.settings = json!({ "cap": cap, "names": { "2": "Nobody knows" } });
            let mut table = Table::new(&spec, rounds);
            let mut seen = Vec::new();
            for _ in 0..3 {
                let (_, ask) = &table.open["1"];
                seen.push(serde_json::to_string(ask).expect("JSON"));
                seen.push(table.prompt("1"));
                let scene = table.episode.scene(&Viewer::Seat("1".into()));
                seen.push(serde_json::to_string(&scene).expect("JSON"));
                table.says("1", "COOPERATE");
                table.says("2", "DEFECT");
            }
            seen
        };
        assert_eq!(seen("person,grim", 4, 35), seen("person,model:up/m", 117, 150));
        assert!(seen("person,grim", 4, 35).iter().all(|text| !text.contains("Nobody knows")));
    }
}

#[test]
fn strict_reminds_and_then_falls_back_and_flags() {
    let mut spec = strict();
    spec.settings = json!({ "fallback": "defect" });
    let mut table = Table::new(&spec, 2);
    table.says("1", "COOPERATE");
    for attempt in 2..=5 {
        table.says("2", "I will not defect. COOPERATE");
        assert!(!table.open.contains_key("1"), "only the other is asked again");
        let prompt = table.prompt("2");
        assert_eq!(prompt.matches("I will not defect").count(), 1);
        assert!(prompt.contains("both COOPERATE and DEFECT are said"), "{prompt}");
        let scene = table.episode.scene(&Viewer::Seat("2".into()));
        let remark = scene.blocks.iter().any(|block| {
            matches!(block, Block::Remark { text } if text.contains(&format!("attempt {attempt} of 5")))
        });
        assert!(remark);
    }
    assert_eq!(table.flags(), 0);
    table.says("2", "");
    assert_eq!(table.flags(), 1);
    // The next round begins; the conversation has the request of round 1 and no reply to it.
    let (_, ask) = &table.open["2"];
    let roles: Vec<Role> = ask.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::User]);
    table.says("1", "DEFECT");
    table.says("2", "DEFECT");
    let outcome = table.outcome.as_ref().expect("two rounds");
    assert_eq!(outcome.ending, "flagged");
    assert_eq!(outcome.result["totals"], json!([-1, 3]));
    let scene = table.episode.scene(&Viewer::Reader);
    let Some(Block::Lanes(lanes)) = scene.blocks.get(1) else {
        panic!("lanes: {scene:?}");
    };
    assert_eq!(lanes.names, ["Person", "Person-2"]);
    assert!(lanes.rounds[0].cells[1].forced && !lanes.rounds[1].cells[1].forced);
    assert_eq!(lanes.totals, [-1, 3]);
}

#[test]
fn the_reference_asks_five_times_alike_and_then_cooperates() {
    let mut table = Table::new(&reference(), 1);
    table.says("1", "I will not defect. COOPERATE");
    let asked = table.prompt("2");
    for _ in 0..4 {
        table.fails("2", FailureClass::Unauthorised);
        assert_eq!(table.prompt("2"), asked);
    }
    table.says("2", "no idea");
    let outcome = table.outcome.as_ref().expect("one round");
    // The first word counts: seat 1 defects, and seat 2 is taken to cooperate.
    assert_eq!(outcome.result["totals"], json!([3, -1]));
    assert_eq!(outcome.result["stopped"], "fixed_rounds_reached");
    assert_eq!(table.flags(), 1);
}

#[test]
fn whoever_was_too_slow_is_not_told_of_a_reply() {
    let mut table = Table::new(&strict(), 1);
    table.says("1", "DEFECT");
    table.fails("2", FailureClass::Timeout);
    let remark = |table: &Table| {
        let scene = table.episode.scene(&Viewer::Seat("2".into()));
        scene.blocks.into_iter().find_map(|block| match block {
            Block::Remark { text } => Some(text),
            _ => None,
        })
    };
    let slow = remark(&table).expect("it is asked again");
    assert!(slow.starts_with("Nothing came in time."), "{slow}");
    table.says("2", "perhaps");
    let unclear = remark(&table).expect("it is asked again");
    assert!(unclear.starts_with("The last reply was no move."), "{unclear}");
}

#[test]
fn failures_of_the_world() {
    for class in FailureClass::ALL {
        let mut table = Table::new(&strict(), 1);
        table.fails("1", class);
        table.says("2", "DEFECT");
        let broken_off = !class.can_succeed_later();
        assert_eq!(table.outcome.is_some(), broken_off, "{class:?}");
        if broken_off {
            let ending = match class {
                FailureClass::Context => Outcome::CONTEXT,
                _ => Outcome::INCOMPLETE,
            };
            assert_eq!(table.outcome.expect("it ended").ending, ending);
        } else {
            table.says("1", "COOPERATE");
            let outcome = table.outcome.expect("one round");
            assert_eq!(outcome.result["totals"], json!([-1, 3]));
        }
    }
}

#[test]
fn replies_in_either_order_give_the_same_notes_and_calls() {
    let notes = |first: &str, second: &str| {
        let mut table = Table::new(&strict(), 2);
        let mut calls = Vec::new();
        while table.outcome.is_none() {
            for seat in [first, second] {
                if let Some((call, _)) = table.open.get(seat) {
                    calls.push((*call, seat.to_owned()));
                    let text = if calls.len() <= 2 { "?" } else { "COOPERATE" };
                    table.says(seat, text);
                }
            }
        }
        calls.sort();
        (table.notes, calls)
    };
    assert_eq!(notes("1", "2"), notes("2", "1"));
}

#[test]
fn a_match_whose_length_is_held_elsewhere_cannot_be_driven_here() {
    let spec = strict();
    let mut task = Trust.plan(&spec).expect("a plan").tasks[0].clone();
    task.fields.remove("rounds");
    let problem =
        Trust.open(&spec, &task, &(Trust::FACTS.pack)()).err().expect("it cannot be opened");
    assert_eq!(
        problem.to_string(),
        "tasks: the task d0_8-p1v2-r1-ab has no field rounds (it may be sealed here)"
    );
    task.labels.insert("first".into(), "7".into());
    assert!(Trust.open(&spec, &task, &(Trust::FACTS.pack)()).is_err());
    let other = Seat::new("7");
    let table = Table::new(&spec, 1);
    assert!(table.episode.scene(&Viewer::Seat(other)).blocks.is_empty());
}
