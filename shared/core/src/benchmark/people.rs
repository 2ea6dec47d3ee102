//! How people play a benchmark: everything that the page on which they start needs to offer it.

use serde_json::{Map, Value};

use super::{Benchmark, Schema};
use crate::prompt::{ActionForm, Expect};
use crate::scene::Scene;
use crate::seat::{Player, Seat};
use crate::spec::Spec;

/// How people play a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct People {
    /// What it is like to play, in a sentence.
    pub about: &'static str,
    /// The rules for people, in about five lines below a line `# SEAT` (or several seats, or `# every` for those without rules of
    /// their own).
    pub rules: &'static str,
    /// What an episode is called, one and several, e.g. `hand` and `hands`.
    pub episode: (&'static str, &'static str),
    /// What practice shows after each episode, in a sentence.
    pub practice: &'static str,
    /// What happens once the time for a decision is over, in a clause, e.g. `you check, or fold`.
    pub late: &'static str,
    /// What happens in a seat that its person has left, in a clause.
    pub absent: &'static str,
    /// Seconds for a decision by default; 0 = no clock.
    pub seconds: u32,
    /// The seats that the host of a table may take, the usual one first.
    pub seats: &'static [&'static str],
    /// Who sits in the other seats.
    pub others: Others,
    /// Settings of a table where they differ from the benchmark's defaults, as a JSON object.
    pub begins: &'static str,
    /// Settings that can be chosen; a choice that is written as a number is one.
    pub settings: Schema,
    /// Which tasks can be chosen; `None` where tasks follow from the settings.
    pub tasks: Option<Tasks>,
    /// Fields of a task that stay hidden until the end, and what they are called then; the right answer first.
    pub reveals: &'static [(&'static str, &'static str)],
    /// Whether the page of a run shows nothing of ended episodes while people answer in it: neither numbers nor transcripts.
    pub is_blind: bool,
    /// What choices and actions are called whose words are made for models: what is said, and its name.
    pub choices: &'static [(&'static str, &'static str)],
    /// The forms that a person in a seat fills in where a model writes free text; by default none.
    pub forms: fn(&Seat, &Scene) -> Vec<ActionForm>,
    /// Bots that understand only some of what a person says to them.
    pub understands: &'static [Understands],
}

/// A bot that understands only some of what a person says to it. What it does not understand is not taken, and costs no turn.
#[derive(Debug, Clone, Copy)]
pub struct Understands {
    /// The seat of the person.
    pub from: &'static str,
    /// The seat of the bot.
    pub seat: &'static str,
    pub bot: &'static str,
    /// What it understands, in a sentence or two beside the field.
    pub about: &'static str,
    /// Whether it understands a message, written as a model writes it.
    pub reads: fn(&str) -> bool,
}

impl Understands {
    /// Why a message is not taken; `None` if it is understood.
    pub fn refuses(&self, text: &str) -> Option<String> {
        let why = || format!("The {} does not understand that; no turn is used.", self.seat);
        (!(self.reads)(text)).then(why)
    }
}

/// Who sits in the seats that the person leaves to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Every seat has a part of its own; the usual bots sit there unless other players are chosen.
    Parts,
    /// Participants are numbered, from the fewest to the most, the person included; these bots sit there in turn from seat 2 on.
    Numbered {
        fewest: u32,
        most: u32,
        /// The usual bots; how many there are is how many others there are unless a number is chosen.
        usual: &'static [&'static str],
    },
    /// One opponent in seat 2: unless a player is chosen, one of these bots is drawn at random, and which one is revealed
    /// at the end.
    Hidden(&'static [&'static str]),
}

/// Which of a benchmark's own tasks can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tasks {
    /// The label of the choice.
    pub label: &'static str,
    /// A note below it; may be empty.
    pub note: &'static str,
    /// The label of tasks by whose values they can be narrowed, e.g. `language`.
    pub by: Option<&'static str>,
    /// Labels that stand before the open text of a task in the list.
    pub shown: &'static [&'static str],
}

impl Tasks {
    /// Of a benchmark with samples of its own, before it says more.
    pub const OWN: Tasks = Tasks {
        label: "Which one",
        note: "They come with this program, so a result is practice, not a record.",
        by: None,
        shown: &[],
    };
}

impl People {
    /// Of a benchmark whose player is asked questions of a task file, before it says more.
    pub const OF_TASKS: People = People {
        about: "",
        rules: "",
        episode: ("question", "questions"),
        practice: "After each question you see how it went; what was hidden is shown at the end.",
        late: "the question stays without an answer",
        absent: "what is asked of it stays without an answer",
        seconds: 0,
        seats: &[Seat::PLAYER],
        others: Others::Parts,
        begins: "{}",
        settings: Schema::NONE,
        tasks: Some(Tasks::OWN),
        reveals: &[],
        is_blind: false,
        choices: &[],
        forms: |_, _| Vec::new(),
        understands: &[],
    };

    /// The rules for people in a seat, line by line.
    pub fn rules_of(&self, seat: &Seat) -> Vec<&'static str> {
        let parts = self.rules.split('#').filter_map(|part| part.split_once('\n'));
        let of = |seat: &str| {
            parts.clone().find(|(seats, _)| seats.split(' ').any(|known| known == seat))
        };
        let found = of(seat.as_str()).or_else(|| of("every"));
        found.map(|(_, lines)| lines.lines().collect()).unwrap_or_default()
    }

    /// The settings with which a table begins.
    pub fn begins(&self) -> Map<String, Value> {
        serde_json::from_str(self.begins).unwrap_or_default()
    }
}

impl<'a> dyn Benchmark + 'a {
    /// What is understood of what a person in a seat says, where a bot of the spec understands only some of it.
    pub fn understands(&self, spec: &Spec, from: &Seat) -> Option<&'static Understands> {
        let mut all = self.people()?.understands.iter();
        all.find(|one| {
            let sits = spec.seats.get(&Seat::new(one.seat));
            let bot = sits.map(|sits| &sits.player);
            one.from == from.as_str() && matches!(bot, Some(Player::Bot(name)) if name == one.bot)
        })
    }

    /// What a person in a seat is given to answer with: what is expected of a model, as a form where a model writes free text.
    pub fn expects_of_person(&self, seat: &Seat, expect: &Expect, scene: &Scene) -> Expect {
        let forms = match (expect, self.people()) {
            (Expect::Text, Some(people)) => (people.forms)(seat, scene),
            _ => Vec::new(),
        };
        match forms.is_empty() {
            true => expect.clone(),
            false => Expect::Actions(forms),
        }
    }
}
