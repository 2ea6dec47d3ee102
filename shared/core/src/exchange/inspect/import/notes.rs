//! What happened in a sample, as the events of a transcript: calls to models with what they said, turns, and what tools
//! brought.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::effect::{CallId, Failure, FailureClass, Reply};
use crate::exchange::inspect::read::{self, Message, Output, Sample, ToolCall};
use crate::hash::Digest;
use crate::lenient::{maybe_text, nullable, text};
use crate::note::{Note, Observation, Reading, Tone, Turn, TurnKind};
use crate::prompt::{Said, Stop, ThreadId, Usage};
use crate::seat::Seat;
use crate::shortened::shortened;
use crate::spec::Spec;
use crate::transcript::{Event, Request};

/// How long a sentence about a turn may be, in signs.
const SENTENCE: usize = 160;

/// What text is in place of a picture, a sound or a film.
const NOT_TEXT: &str = "[not text]";

/// Text and reasoning of a message's content.
fn parts(content: &Value) -> (String, Option<String>) {
    let parts = match content {
        Value::Array(parts) => parts,
        Value::Null => return (String::new(), None),
        Value::String(text) => return (text.clone(), None),
        other => return (other.to_string(), None),
    };
    let (mut texts, mut reasoning) = (Vec::new(), Vec::new());
    for part in parts {
        match (part["type"].as_str(), part) {
            (Some("reasoning"), _) => reasoning.extend(part["reasoning"].as_str()),
            (Some("text"), _) => texts.extend(part["text"].as_str()),
            (None, Value::String(text)) => texts.push(text),
            _ => texts.push(NOT_TEXT),
        }
    }
    let reasoning = (!reasoning.is_empty()).then(|| reasoning.join("\n\n"));
    (texts.join("\n\n"), reasoning)
}

/// The input of a sample: a text, or the texts of messages.
fn input(sample: &Sample) -> String {
    match &sample.input {
        Value::Array(messages) => {
            let texts = messages.iter().map(|message| {
                let (text, _) = parts(&message["content"]);
                format!("[{}]\n{text}", message["role"].as_str().unwrap_or("user"))
            });
            texts.collect::<Vec<_>>().join("\n\n")
        }
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

/// Where a sample begins with a conversation: what the user said last in it, if anything.
fn question(sample: &Sample) -> Option<String> {
    let messages = sample.input.as_array()?.iter().rev();
    let mut said = messages.filter(|message| message["role"].as_str().unwrap_or("user") == "user");
    said.find_map(|message| {
        let (text, _) = parts(&message["content"]);
        (!text.trim().is_empty()).then_some(text)
    })
}

/// What an import could not read, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Doubts {
    /// Calls with a count of tokens that cannot be one: it is unknown now.
    pub odd_counts: usize,
    /// Long texts that the log points to and does not have.
    pub missing_texts: usize,
    /// Events of calls to models or tools that are left out.
    pub left_out: usize,
    /// Calls to models with neither an output nor an error, which count as failed.
    pub unanswered: usize,
}

impl Doubts {
    /// In a sentence; `None` if there are none.
    pub fn sentence(&self) -> Option<String> {
        let parts: Vec<String> = [
            (self.odd_counts, "calls have token counts that cannot be true, which are unknown now"),
            (self.missing_texts, "texts are missing in the log, which is said in their places"),
            (self.left_out, "calls cannot be read and are left out"),
            (self.unanswered, "calls have no output in the log, and count as failed"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

impl std::ops::AddAssign for Doubts {
    fn add_assign(&mut self, other: Self) {
        self.odd_counts += other.odd_counts;
        self.missing_texts += other.missing_texts;
        self.left_out += other.left_out;
        self.unanswered += other.unanswered;
    }
}

pub struct Notes<'a> {
    spec: &'a Spec,
    events: Vec<Event>,
    calls: u32,
    turns: u32,
    /// The turn in which each tool was called.
    tools: Vec<(String, u32)>,
    doubts: Doubts,
}

/// An event of a log, as far as it is read.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Told {
    Model {
        #[serde(default, deserialize_with = "maybe_text")]
        role: Option<String>,
        #[serde(default, deserialize_with = "nullable")]
        output: Output,
        #[serde(default)]
        error: Option<read::Failure>,
        #[serde(default)]
        metadata: Value,
    },
    Tool {
        #[serde(default, deserialize_with = "text")]
        id: String,
        #[serde(default, deserialize_with = "text")]
        function: String,
        #[serde(default)]
        result: Value,
        #[serde(default)]
        error: Option<read::Failure>,
    },
    SampleLimit {
        #[serde(default, deserialize_with = "text")]
        message: String,
    },
    #[serde(other)]
    Other,
}

impl<'a> Notes<'a> {
    /// The events of a sample between its header and its end. What its events do not tell, its conversation does.
    pub fn of(spec: &'a Spec, sample: &Sample) -> (Vec<Event>, Doubts) {
        let mut notes = Notes {
            spec,
            events: Vec::new(),
            calls: 0,
            turns: 0,
            tools: Vec::new(),
            doubts: Doubts { missing_texts: sample.missing, ..Doubts::default() },
        };
        let mut asked = json!({ "text": input(sample) });
        if let Some(system) = sample.messages.iter().find(|message| message.role == "system") {
            asked["system"] = json!(parts(&system.content).0);
        }
        if let Some(text) = question(sample) {
            asked["asked"] = json!(text);
        }
        notes.event("input", asked);
        let told: Vec<Told> = sample
            .events
            .iter()
            .map(|event| {
                let is_call = matches!(event["event"].as_str(), Some("model" | "tool"));
                Told::deserialize(event).unwrap_or_else(|_| {
                    notes.doubts.left_out += usize::from(is_call);
                    Told::Other
                })
            })
            .collect();
        if told.iter().any(|event| matches!(event, Told::Model { .. })) {
            told.into_iter().for_each(|event| notes.told(event));
        } else {
            sample.messages.iter().for_each(|message| notes.message(message));
        }
        notes.only_the_last_answers();
        if let Some(target) = target(sample) {
            notes.event("target", json!({ "text": target }));
        }
        if let Some(doubts) = notes.doubts.sentence() {
            notes.event("import", json!({ "text": doubts }));
        }
        (notes.events, notes.doubts)
    }

    /// A log does not say which reply was the answer: the last one that calls no tool, or a tool to answer with. What was said
    /// before it went on.
    fn only_the_last_answers(&mut self) {
        let turns = self.events.iter_mut().rev().filter_map(|event| match event {
            Event::Noted(Note::Turn(turn)) => Some(turn),
            _ => None,
        });
        for before in turns.filter(|turn| turn.kind == TurnKind::Answer).skip(1) {
            before.kind = TurnKind::Move;
        }
    }

    fn told(&mut self, event: Told) {
        match event {
            Told::Model { role, output, error, metadata } => {
                let seat = Seat::new(role.unwrap_or_else(|| Seat::PLAYER.to_owned()));
                match (output.choices.first(), error) {
                    (Some(choice), None) => {
                        let mut said = self.said(&output, choice);
                        // Where this program wrote the log, it says what Inspect has no words for.
                        let ours = &metadata["turnwise"];
                        said.stop = Stop::deserialize(&ours["stop"]).unwrap_or(said.stop);
                        said.departures = Vec::deserialize(&ours["departures"]).unwrap_or_default();
                        self.spoke(seat, said, &choice.message.tool_calls);
                    }
                    (_, error) => {
                        let ours = Failure::deserialize(&metadata["turnwise"]["failure"]);
                        let failure = ours.unwrap_or_else(|_| {
                            self.doubts.unanswered += usize::from(error.is_none());
                            let why = error.map_or_else(|| "no reply".to_owned(), |it| it.message);
                            Failure::new(FailureClass::Server, why)
                        });
                        self.failed(seat, failure);
                    }
                }
            }
            Told::Tool { id, function, result, error } => {
                let (text, _) = parts(&result);
                self.came(&id, &function, text, error.map(|error| error.message));
            }
            Told::SampleLimit { message } => self.event("limit", json!({ "text": message })),
            Told::Other => {}
        }
    }

    /// A message of the conversation, where the log has no events.
    fn message(&mut self, message: &Message) {
        let (text, reasoning) = parts(&message.content);
        match message.role.as_str() {
            "assistant" => {
                let said = Said {
                    text: Some(text),
                    reasoning,
                    model: message.model.clone(),
                    ..Said::default()
                };
                self.spoke(Seat::new(Seat::PLAYER), said, &message.tool_calls);
            }
            "tool" => {
                let id = message.tool_call_id.as_deref().unwrap_or_default();
                let function = message.function.as_deref().unwrap_or("tool");
                let error = message.error.as_ref().map(|error| error.message.clone());
                self.came(id, function, text, error);
            }
            _ => {}
        }
    }

    fn said(&mut self, output: &Output, choice: &read::Choice) -> Said {
        let (text, reasoning) = parts(&choice.message.content);
        let counted = output.usage;
        let (read, written) = (counted.input_tokens_cache_read, counted.input_tokens_cache_write);
        let input = counted.input_tokens.map(|input| {
            input.saturating_add(read.unwrap_or(0)).saturating_add(written.unwrap_or(0))
        });
        // No text is read or written in no token.
        let is_text = !text.is_empty() || reasoning.is_some();
        let possible = |count: &u64| *count > 0 || !is_text;
        let usage = Usage {
            input: input.filter(possible),
            cached: read,
            cache_written: written,
            output: counted.output_tokens.filter(possible),
            reasoning: counted.reasoning_tokens,
            ..Usage::default()
        };
        let is_odd =
            counted.is_odd || usage.input != input || usage.output != counted.output_tokens;
        self.doubts.odd_counts += usize::from(is_odd);
        Said {
            text: Some(text),
            reasoning,
            stop: match choice.stop_reason.as_str() {
                "stop" | "tool_calls" => Stop::End,
                "max_tokens" | "model_length" => Stop::Length,
                "content_filter" => Stop::Filtered,
                _ => Stop::Other,
            },
            usage,
            model: Some(output.model.clone()).filter(|model| !model.is_empty()),
            ..Said::default()
        }
    }

    fn ask(&mut self, seat: &Seat) -> CallId {
        self.calls += 1;
        let call = CallId(self.calls);
        self.events.push(Event::Asked {
            call,
            request: Request::Ask {
                seat: seat.clone(),
                thread: ThreadId(1),
                templates: Vec::new(),
                digest: Digest::of(""),
            },
        });
        call
    }

    fn failed(&mut self, seat: Seat, failure: Failure) {
        let call = self.ask(&seat);
        let reply = Reply::Failed(failure);
        self.events.push(Event::Told { call, reply });
    }

    fn spoke(&mut self, seat: Seat, said: Said, calls: &[ToolCall]) {
        let call = self.ask(&seat);
        let text = said.text.clone().unwrap_or_default();
        let reply = Reply::Said(said);
        self.events.push(Event::Told { call, reply });
        self.turns += 1;
        let applied = match calls {
            [] => Value::Null,
            [one] => json!({ "tool": one.function, "arguments": one.arguments }),
            several => {
                let list = several.iter();
                let list =
                    list.map(|one| json!({ "tool": one.function, "arguments": one.arguments }));
                Value::Array(list.collect())
            }
        };
        for one in calls {
            self.tools.push((one.id.clone(), self.turns));
        }
        let seats = &self.spec.seats;
        // In a game everybody plays.
        let is_game = !seats.contains_key(&Seat::new(Seat::PLAYER));
        let is_player = is_game || seat.as_str() == Seat::PLAYER || !seats.contains_key(&seat);
        self.events.push(Event::Noted(Note::Turn(Turn {
            index: self.turns,
            round: self.turns,
            kind: kind(calls, is_player),
            seat,
            call,
            sentence: sentence(&text, calls),
            reading: Reading { applied, ..Reading::default() },
        })));
    }

    /// What a tool brought belongs to the turn that called it, else to the last one, if there was any.
    fn came(&mut self, id: &str, function: &str, text: String, error: Option<String>) {
        let turn = self
            .tools
            .iter()
            .rev()
            .find_map(|(tool, turn)| (tool == id).then_some(*turn))
            .unwrap_or(self.turns);
        let (tone, shown) = match error {
            Some(error) if text.is_empty() => (Tone::Failed, error),
            Some(error) => (Tone::Failed, format!("{error}\n{text}")),
            None => (Tone::Neutral, text),
        };
        if turn == 0 {
            return self.event("tool", json!({ "function": function, "text": shown }));
        }
        self.events.push(Event::Noted(Note::Observation(Observation {
            turn,
            call: None,
            tone,
            word: function.to_owned(),
            shown,
            reading: None,
        })));
    }

    fn event(&mut self, name: &str, detail: Value) {
        self.events.push(Event::Noted(Note::Event { name: name.to_owned(), detail }));
    }
}

/// What is to be answered, if anything is; of several texts each is right.
fn target(sample: &Sample) -> Option<String> {
    let text = match &sample.target {
        Value::Array(targets) => {
            targets.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" / ")
        }
        other => other.as_str()?.to_owned(),
    };
    (!text.is_empty()).then_some(text)
}

/// The kind of a turn, by what its tools are called.
fn kind(calls: &[ToolCall], is_player: bool) -> TurnKind {
    let Some(first) = calls.first() else {
        return if is_player { TurnKind::Answer } else { TurnKind::Move };
    };
    let name = first.function.to_lowercase();
    let is_like = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if is_like(&["search"]) {
        TurnKind::Search
    } else if is_like(&["brows", "fetch", "visit", "open_url", "page"]) {
        TurnKind::Browse
    } else if is_like(&["ask", "question", "human"]) {
        TurnKind::Ask
    } else if is_like(&["submit", "answer"]) {
        TurnKind::Answer
    } else {
        TurnKind::Move
    }
}

fn sentence(text: &str, calls: &[ToolCall]) -> String {
    let whole = match calls {
        [] => format!("says “{}”", text.trim()),
        calls => {
            let names: Vec<String> =
                calls.iter().map(|call| format!("{}({})", call.function, call.arguments)).collect();
            format!("calls {}", names.join(", "))
        }
    };
    let line = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    shortened(&line, SENTENCE)
}
