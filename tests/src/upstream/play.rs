//! Who is asked, and what is said. Each benchmark says what a scripted model replies; those who are evaluated reply here as
//! untidily as models do: they reason before they act, add a remark, break off, or say nothing that can be read.

use std::sync::LazyLock;

use serde_json::{Value, json};
use turnwise_shared::benchmark::{Dice, Prompt};
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Rendered;

use super::chance::Chance;

/// What a request asks for.
#[derive(Debug, Clone, Copy)]
enum Requested {
    /// A reply in a seat of a benchmark.
    Seat(&'static dyn Benchmark, &'static str),
    Probe,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    pub text: String,
    pub reasoning: Option<String>,
}

/// Where a request stands among those of a participant, each of which waits for the reply to the one before.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// How the conversation begins. Two episodes at the same time that begin alike are taken for one.
    pub chain: Digest,
    /// Whether it is the first.
    pub begins: bool,
}

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Request {
    part: Requested,
    call: ModelCall,
}

impl Request {
    /// `None` if it is no request that a benchmark could reply to.
    pub fn read(body: &Value) -> Option<Self> {
        let messages = body["messages"].as_array()?.iter().map(|message| {
            let role = match message["role"].as_str()? {
                "assistant" => Role::Assistant,
                "system" => Role::System,
                _ => Role::User,
            };
            let text = match &message["content"] {
                Value::String(text) => text.clone(),
                // Beside pictures.
                Value::Array(parts) => {
                    parts.iter().filter_map(|part| part["text"].as_str()).collect()
                }
                _ => return None,
            };
            Some(Rendered::text(role, text))
        });
        let mut call = ModelCall {
            provider: String::new(),
            model: body["model"].as_str()?.to_owned(),
            seat: Seat::new(""),
            messages: messages.collect::<Option<_>>()?,
            sampling: Sampling::default(),
        };
        let part = part(&mut call)?;
        Some(Request { part, call })
    }

    /// The seat that is asked, as it is counted.
    pub fn seat(&self) -> &'static str {
        match self.part {
            Requested::Seat(_, seat) => seat,
            Requested::Probe => "probe",
        }
    }

    /// The same for the same messages to the same model, streamed or not.
    pub fn digest(&self) -> Digest {
        let messages = &self.call.messages;
        let texts: Vec<_> = messages.iter().map(|one| (&one.role, &one.text)).collect();
        Digest::of_value(&json!([self.call.model, texts]))
    }

    pub fn length(&self) -> usize {
        let texts = self.call.messages.iter();
        texts.map(|one| one.text.chars().count()).sum()
    }

    /// Where it stands in the conversation of who is evaluated; `None` for others.
    pub fn link(&self) -> Option<Link> {
        if !self.is_evaluated() {
            return None;
        }
        let first: Vec<&str> = self.call.messages.iter().take(2).map(|one| &*one.text).collect();
        Some(Link {
            chain: Digest::of_value(&first),
            begins: Prompt::of(&self.call).replies() == 0,
        })
    }

    pub fn play(&self, chance: &Chance) -> Words {
        let text = match self.part {
            Requested::Seat(benchmark, _) => {
                scripted(benchmark, &self.call, chance).unwrap_or_default()
            }
            Requested::Probe => "ready".to_owned(),
        };
        if self.is_evaluated() && self.call.model.ends_with(THINKING) {
            return thoughtful(text);
        }
        let text = match self.is_evaluated() {
            true => untidy(text, chance),
            false => text,
        };
        let reasoning = chance
            .happens("reasoning", 0.1)
            .then(|| "First the question itself, then what is left of it.".to_owned());
        Words { text, reasoning }
    }

    fn is_evaluated(&self) -> bool {
        match self.part {
            Requested::Seat(benchmark, seat) => benchmark.is_evaluated(&Seat::new(seat)),
            Requested::Probe => false,
        }
    }
}

/// A model whose name ends so thinks at length before each reply, and lays out what it writes.
pub const THINKING: &str = "-thinks";

/// A reply with long thinking, and with Markdown and things that must not run around its action.
fn thoughtful(text: String) -> Words {
    let thought = "I weigh what was said against what is still open, and look for the question that halves it. ";
    let fenced = match text.starts_with('{') {
        true => format!("```json\n{text}\n```"),
        false => text,
    };
    Words {
        text: format!(
            "**Plan.** Halve what is left:\n\n- what was said\n- what is open ![i](https://example.org/i.png) \
             <img src=x onerror=\"window.ran = true\">\n\n{fenced}\n"
        ),
        reasoning: Some(thought.repeat(40)),
    }
}

/// A reply as a model writes it down; now and then it cannot be read.
fn untidy(text: String, chance: &Chance) -> String {
    if chance.happens("invalid", 0.06) {
        let half = text.chars().count() / 2;
        let forms = [
            "I should look into this more closely before I act.".to_owned(),
            text.chars().take(half).collect(),
            String::new(),
        ];
        return chance.one("form of invalid", &forms);
    }
    match chance.number("dress", 5) {
        0 => format!("<think>There may be {{several}} of them.</think>\n{text}"),
        1 => format!("{text}\n"),
        2 if text.starts_with('{') => format!("```json\n{text}\n```"),
        _ => text,
    }
}

/// How requests of benchmarks begin: the first line of each template, with whose it is and what it is called.
static BEGINNINGS: LazyLock<Vec<(String, &'static dyn Benchmark, String)>> = LazyLock::new(|| {
    let of = |benchmark: &&'static dyn Benchmark| {
        let benchmark = *benchmark;
        let templates = benchmark.pack().templates.into_iter();
        templates.filter_map(move |(name, text)| {
            let line = text.lines().next().filter(|line| !line.is_empty())?;
            Some((line.to_owned(), benchmark, name))
        })
    };
    BENCHMARKS.iter().flat_map(of).collect()
});

/// Requests are known by how templates begin, else by what benchmarks say to their text. The seat is that which the model or the
/// template is named after, else the first in which something is said.
fn part(call: &mut ModelCall) -> Option<Requested> {
    let first = call.messages.first()?.text.clone();
    if first.contains("test of the connection") {
        return Some(Requested::Probe);
    }
    let fitting = BEGINNINGS.iter().filter(|(line, ..)| first.starts_with(line));
    if let Some((_, benchmark, template)) = fitting.max_by_key(|(line, ..)| line.len()) {
        return part_of(*benchmark, call, template);
    }
    // The first benchmark goes by the seat alone, which no request names.
    let others = BENCHMARKS.get(1..).unwrap_or_default();
    let mut others = others.iter().rev();
    others.find_map(|benchmark| part_of(*benchmark, call, ""))
}

fn part_of(
    benchmark: &'static dyn Benchmark,
    call: &mut ModelCall,
    template: &str,
) -> Option<Requested> {
    let mut seats: Vec<&str> = benchmark.seats().iter().map(|info| info.seat).collect();
    seats.sort_by_key(|seat| *seat != template && *seat != call.model);
    seats.into_iter().find_map(|seat| {
        call.seat = Seat::new(seat);
        scripted(benchmark, call, &Chance::new([])).map(|_| Requested::Seat(benchmark, seat))
    })
}

/// What a benchmark says that a scripted model replies.
fn scripted(benchmark: &dyn Benchmark, call: &ModelCall, chance: &Chance) -> Option<String> {
    let mut rolls = 0;
    let mut roll = |below: u32| {
        rolls += 1;
        let number = chance.number(&format!("roll {rolls}"), below.into());
        u32::try_from(number).unwrap_or_default()
    };
    benchmark.scripted(&Prompt::of(call), &mut Dice::new(&mut roll))
}
