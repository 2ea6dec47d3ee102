//! The golden episodes of the specification (3.8), played by hand: poll, look, answer.

mod episodes;
mod gradings;
mod reread;
mod sealed;
mod settings;
mod strict;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::InteractComp;
use super::memory::Counts;
use super::mode::Mode;
use super::prompts::default_pack;
use super::protocol::ending;
use turnwise_core::effect::Hit;
use turnwise_core::prelude::*;
use turnwise_core::seat::Sitting;
use turnwise_core::spec::{Named, SearchSpec, Subset};
use turnwise_core::testing::{Case, drive};

/// The task of all golden episodes: id 7, question `Q?`, answer `Foo`, context `CTX`.
pub fn task() -> Task {
    let fields = [("question", "Q?"), ("context", "CTX"), ("answer", "Foo"), ("aliases", "")];
    let fields: BTreeMap<String, String> =
        fields.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    Task {
        id: "7".into(),
        digest: Digest::of_value(&fields),
        labels: BTreeMap::from([("language".to_owned(), "en".to_owned())]),
        fields,
    }
}

/// A spec with scripted models in all seats.
pub fn spec(profile: Profile, mode: Mode, rounds: u32, min_asks: u32) -> Spec {
    let sitting = |name: &str| Sitting {
        player: Player::Model { provider: "scripted".into(), model: name.into() },
        sampling: Default::default(),
    };
    let pack = default_pack();
    Spec {
        benchmark: "interactcomp".into(),
        protocol: 3,
        profile,
        settings: json!({ "mode": mode, "rounds": rounds, "min_asks": min_asks }),
        tasks: Named { name: "golden".into(), digest: Digest::of("golden") },
        subset: Subset::default(),
        pack: Named { name: pack.name.clone(), digest: pack.digest() },
        seats: ["player", "responder", "grader"]
            .into_iter()
            .map(|seat| (Seat::new(seat), sitting(seat)))
            .collect(),
        search: Some(SearchSpec { engine: "scripted".into(), corpus: None, results: 5 }),
        web: None,
        budget: Budget::default(),
        seed: 1,
        repeats: 1,
    }
}

/// What the world answers in a golden episode, in order.
#[derive(Default)]
pub struct World<'a> {
    /// Replies of the player; `None` is a null content.
    pub player: Vec<Given<'a>>,
    /// Replies of the responder; afterwards it says `yes`.
    pub responder: Vec<Given<'a>>,
    /// What searches bring; afterwards one item (title T, snippet S, source U).
    pub searches: Vec<Reply>,
}

#[derive(Clone, Copy)]
pub enum Given<'a> {
    Text(&'a str),
    /// A content of null.
    Null,
    Error,
}

impl Given<'_> {
    fn reply(self) -> Reply {
        match self {
            Given::Text(text) => Reply::Said(Said::text(text)),
            Given::Null => Reply::Said(Said::default()),
            Given::Error => Reply::Failed(Failure::new(FailureClass::Server, "HTTP 500")),
        }
    }
}

/// What came of an episode.
#[derive(Debug)]
pub struct Played {
    pub ending: String,
    pub prediction: String,
    pub confidence: String,
    pub counts: Counts,
    pub calls: usize,
    /// Searches that were really sent.
    pub searches: usize,
    /// The round texts shown to the player, in order.
    pub rounds: Vec<String>,
    /// What the player was shown as the last observation, in order.
    pub shown: Vec<String>,
    /// The memory text of each request to the player.
    pub memory: Vec<String>,
    pub flags: Vec<String>,
    pub transcript: turnwise_core::transcript::Transcript,
}

/// Plays an episode to its end.
pub fn play(spec: &Spec, world: World<'_>) -> Played {
    let task = task();
    let mut session = Case::new(&InteractComp, spec, &task).open();
    let mut player = world.player.into_iter();
    let mut responder = world.responder.into_iter();
    let mut searched = world.searches.into_iter();
    let (mut calls, mut searches) = (0, 0);
    let (mut rounds, mut shown, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    drive(&mut session, |_, effect| match effect {
        Effect::Ask(ask) if ask.seat.as_str() == "player" => {
            calls += 1;
            let variable = |name: &str| ask.variable(name, &task).unwrap_or_default().to_owned();
            rounds.push(variable("round_info"));
            shown.push(variable("last_observation"));
            memory.push(variable("memory"));
            player.next().expect("the player is asked once more than scripted").reply()
        }
        Effect::Ask(_) => responder.next().unwrap_or(Given::Text("yes")).reply(),
        Effect::Search(_) => {
            searches += 1;
            searched.next().unwrap_or_else(one_item)
        }
        Effect::Draw { .. } | Effect::Use(_) => panic!("nothing is drawn or made"),
    });
    let outcome = session.outcome().expect("it is over").clone();
    assert!(player.next().is_none(), "the player was scripted for more calls");
    let transcript = session.transcript();
    let text = |name: &str| {
        outcome.result.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    Played {
        prediction: text("prediction"),
        confidence: text("confidence"),
        counts: super::counts(&transcript),
        flags: transcript
            .notes()
            .filter_map(|note| match note {
                Note::Flag { name, .. } => Some(name.clone()),
                _ => None,
            })
            .collect(),
        ending: outcome.ending,
        calls,
        searches,
        rounds,
        shown,
        memory,
        transcript,
    }
}

fn one_item() -> Reply {
    let text = |text: &str| Some(text.to_owned());
    Reply::found(vec![Hit { title: text("T"), snippet: text("S"), url: text("U") }])
}

pub fn answer(answer: &str, confidence: &str) -> String {
    json!({ "action": "answer", "params": { "answer": answer, "confidence": confidence } })
        .to_string()
}

pub fn search(query: &str) -> String {
    json!({ "action": "search", "params": { "query": query } }).to_string()
}

pub fn ask(question: &str) -> String {
    json!({ "action": "ask", "params": { "question": question } }).to_string()
}

/// How an episode ended that gave this answer.
pub fn answered(answer: &str) -> Outcome {
    Outcome {
        ending: ending::ANSWERED.to_owned(),
        result: json!({ "prediction": answer, "confidence": "80" }),
    }
}

/// Kinds of the ribbon's cells, as letters.
pub fn ribbon(played: &Played) -> String {
    turnwise_core::scene::ribbon(played.transcript.notes())
        .iter()
        .map(|cell: &turnwise_core::scene::Cell| TurnKind::letter(cell.kind))
        .collect()
}
