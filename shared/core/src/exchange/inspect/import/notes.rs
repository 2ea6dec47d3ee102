//! What happened in a sample, as the events of a transcript: calls to models with what they said, turns, and what tools
//! brought.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::effect::{Failure, FailureClass, Reply};
use crate::episode::CallId;
use crate::exchange::inspect::read::{self, Message, Output, Sample, ToolCall};
use crate::hash::Digest;
use crate::note::{Came, Note, Reading, Tone, Turn, TurnKind};
use crate::prompt::{Said, Stop, ThreadId, Usage};
use crate::seat::Seat;
use crate::spec::Spec;
use crate::transcript::{Event, Request};

/// How long a sentence about a turn may be, in signs.
const SENTENCE: usize = 160;

/// What text is in place of a picture, a sound or a film.
const NOT_TEXT: &str = "[not text]";

/// The text that stands behind `attachment://HASH`; other texts as they are.
pub fn attached<'a>(sample: &'a Sample, text: &'a str) -> &'a str {
    text.strip_prefix("attachment://")
        .and_then(|hash| sample.attachments.get(hash))
        .map_or(text, String::as_str)
}

/// Text and reasoning of a message's content.
fn parts(sample: &Sample, content: &Value) -> (String, Option<String>) {
    let Value::Array(parts) = content else {
        return (
            attached(sample, content.as_str().unwrap_or_default()).to_owned(),
            None,
        );
    };
    let (mut texts, mut reasoning) = (Vec::new(), Vec::new());
    for part in parts {
        let of = |name: &str| part[name].as_str().map(|text| attached(sample, text));
        match part["type"].as_str() {
            Some("reasoning") => reasoning.extend(of("reasoning")),
            Some("text") => texts.extend(of("text")),
            _ => texts.push(NOT_TEXT),
        }
    }
    let reasoning = (!reasoning.is_empty()).then(|| reasoning.join("\n\n"));
    (texts.join("\n\n"), reasoning)
}

/// What somebody asked for: a text, or the texts of messages.
fn input(sample: &Sample) -> String {
    match &sample.input {
        Value::Array(messages) => {
            let texts = messages.iter().map(|message| {
                let (text, _) = parts(sample, &message["content"]);
                format!("[{}]\n{text}", message["role"].as_str().unwrap_or("user"))
            });
            texts.collect::<Vec<_>>().join("\n\n")
        }
        other => attached(sample, other.as_str().unwrap_or_default()).to_owned(),
    }
}

/// Events in the making.
pub struct Notes<'a> {
    spec: &'a Spec,
    sample: &'a Sample,
    events: Vec<Event>,
    calls: u32,
    turns: u32,
    /// The turn in which each tool was called.
    tools: Vec<(String, u32)>,
}

/// An event of a log, as far as it is read.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Told {
    Model {
        #[serde(default)]
        role: Option<String>,
        #[serde(default)]
        output: Option<Output>,
        #[serde(default)]
        error: Option<String>,
    },
    Tool {
        #[serde(default)]
        id: String,
        #[serde(default)]
        function: String,
        #[serde(default)]
        result: Value,
        #[serde(default)]
        error: Option<read::Failure>,
    },
    SampleLimit {
        #[serde(default)]
        message: String,
    },
    #[serde(other)]
    Other,
}

impl<'a> Notes<'a> {
    /// The events of a sample between its header and its end. What its events do not tell, its conversation does.
    pub fn of(spec: &'a Spec, sample: &'a Sample) -> Vec<Event> {
        let mut notes = Notes {
            spec,
            sample,
            events: Vec::new(),
            calls: 0,
            turns: 0,
            tools: Vec::new(),
        };
        let mut asked = json!({ "text": input(sample) });
        if let Some(system) = sample
            .messages
            .iter()
            .find(|message| message.role == "system")
        {
            asked["system"] = json!(parts(sample, &system.content).0);
        }
        notes.event("input", asked);
        let told: Vec<Told> = sample
            .events
            .iter()
            .map(|event| Told::deserialize(event).unwrap_or(Told::Other))
            .collect();
        if told.iter().any(|event| matches!(event, Told::Model { .. })) {
            told.into_iter().for_each(|event| notes.told(event));
        } else {
            sample
                .messages
                .iter()
                .for_each(|message| notes.message(message));
        }
        notes.only_the_last_answers();
        if let Some(target) = target(sample) {
            notes.event("target", json!({ "text": target }));
        }
        notes.events
    }

    /// A log does not say which reply was the answer: the last one that calls no tool, or a tool to answer with. What was said
    /// before it went on.
    fn only_the_last_answers(&mut self) {
        let turns = self
            .events
            .iter_mut()
            .rev()
            .filter_map(|event| match event {
                Event::Noted(Note::Turn(turn)) => Some(turn),
                _ => None,
            });
        for before in turns.filter(|turn| turn.kind == TurnKind::Answer).skip(1) {
            before.kind = TurnKind::Move;
        }
    }

    fn told(&mut self, event: Told) {
        match event {
            Told::Model {
                role,
                output,
                error,
            } => {
                let seat = Seat::new(role.unwrap_or_else(|| Seat::PLAYER.to_owned()));
                let output = output.unwrap_or_default();
                match (output.choices.first(), error) {
                    (Some(choice), None) => {
                        let said = self.said(&output, choice);
                        let calls = choice.message.tool_calls.as_deref().unwrap_or_default();
                        self.spoke(seat, said, calls);
                    }
                    (_, error) => self.failed(seat, error.unwrap_or_else(|| "no reply".to_owned())),
                }
            }
            Told::Tool {
                id,
                function,
                result,
                error,
            } => {
                let (text, _) = match &result {
                    Value::Number(_) | Value::Bool(_) => (result.to_string(), None),
                    other => parts(self.sample, other),
                };
                self.came(&id, &function, text, error.map(|error| error.message));
            }
            Told::SampleLimit { message } => self.event("limit", json!({ "text": message })),
            Told::Other => {}
        }
    }

    /// A message of the conversation, where events are not told.
    fn message(&mut self, message: &Message) {
        let (text, reasoning) = parts(self.sample, &message.content);
        match message.role.as_str() {
            "assistant" => {
                let said = Said {
                    text: Some(text),
                    reasoning,
                    model: message.model.clone(),
                    ..Said::default()
                };
                let calls = message.tool_calls.as_deref().unwrap_or_default();
                self.spoke(Seat::new(Seat::PLAYER), said, calls);
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

    fn said(&self, output: &Output, choice: &read::Choice) -> Said {
        let (text, reasoning) = parts(self.sample, &choice.message.content);
        let usage = output.usage.unwrap_or_default();
        let (read, written) = (
            usage.input_tokens_cache_read,
            usage.input_tokens_cache_write,
        );
        // What a file counts may be anything.
        let input = usage
            .input_tokens
            .saturating_add(read.unwrap_or(0))
            .saturating_add(written.unwrap_or(0));
        Said {
            text: Some(text),
            reasoning,
            stop: match choice.stop_reason.as_str() {
                "stop" | "tool_calls" => Stop::End,
                "max_tokens" | "model_length" => Stop::Length,
                "content_filter" => Stop::Filtered,
                _ => Stop::Other,
            },
            usage: match output.usage {
                Some(_) => Usage {
                    input: Some(input),
                    cached: read,
                    cache_written: written,
                    output: Some(usage.output_tokens),
                    reasoning: usage.reasoning_tokens,
                    ..Usage::default()
                },
                None => Usage::default(),
            },
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

    fn failed(&mut self, seat: Seat, why: String) {
        let call = self.ask(&seat);
        let reply = Reply::Failed(Failure::new(FailureClass::Server, why));
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
            reading: Reading {
                applied,
                ..Reading::default()
            },
        })));
    }

    /// What a tool brought belongs to the turn that called it, else to the last one.
    fn came(&mut self, id: &str, function: &str, text: String, error: Option<String>) {
        let turn = self
            .tools
            .iter()
            .rev()
            .find_map(|(tool, turn)| (tool == id).then_some(*turn))
            .unwrap_or(self.turns);
        if turn == 0 {
            return;
        }
        let (tone, shown) = match error {
            Some(error) if text.is_empty() => (Tone::Failed, error),
            Some(error) => (Tone::Failed, format!("{error}\n{text}")),
            None => (Tone::Neutral, text),
        };
        self.events.push(Event::Noted(Note::Came(Came {
            turn,
            call: None,
            tone,
            word: function.to_owned(),
            shown,
            reading: None,
        })));
    }

    fn event(&mut self, name: &str, detail: Value) {
        self.events.push(Event::Noted(Note::Event {
            name: name.to_owned(),
            detail,
        }));
    }
}

/// What is to be answered, if anything is.
fn target(sample: &Sample) -> Option<String> {
    let text = match &sample.target {
        Value::Array(targets) => targets
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join("\n"),
        other => attached(sample, other.as_str()?).to_owned(),
    };
    (!text.is_empty()).then_some(text)
}

/// The kind of a turn, by what its tools are called.
fn kind(calls: &[ToolCall], is_player: bool) -> TurnKind {
    let Some(first) = calls.first() else {
        return if is_player {
            TurnKind::Answer
        } else {
            TurnKind::Move
        };
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
            let names: Vec<String> = calls
                .iter()
                .map(|call| format!("{}({})", call.function, call.arguments))
                .collect();
            format!("calls {}", names.join(", "))
        }
    };
    let line = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SENTENCE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
