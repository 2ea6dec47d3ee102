//! What happened in an episode, as the events of a sample: calls to models, searches, notes, the score.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{content, message, reply_usage, with_pictures};
use crate::benchmark::given::{Episode, Given};
use crate::call::Timing;
use crate::effect::{CallId, FailureClass, Hit, Made, Query, Reply};
use crate::exchange::inspect::{NO_MODEL, config, short_id};
use crate::exchange::time::iso;
use crate::exchange::{evaluated, model_name};
use crate::key::EpisodeKey;
use crate::prompt::{Rendered, Said, Stop};
use crate::seat::Seat;
use crate::transcript::{Event, Part, Request, Transcript, Used};

/// When calls were made. Where that is unknown, they follow each other by a millisecond from the moment at which the run
/// was opened: their order is true, their distance is not.
pub(super) struct Clock<'a> {
    times: BTreeMap<(&'a EpisodeKey, CallId), &'a Timing>,
    play: EpisodeKey,
    start: u64,
    end: u64,
    now: u64,
}

impl<'a> Clock<'a> {
    pub(super) fn of(given: &Given<'_>, episode: &Episode<'a>) -> Self {
        let play = episode.key.clone();
        let grading = play.grading();
        let times: BTreeMap<_, _> = episode
            .times
            .iter()
            .filter(|call| call.episode == play || call.episode == grading)
            .map(|call| ((&call.episode, call.call), &call.timing))
            .collect();
        let started = times.values().map(|timing| timing.started).min();
        let start = started.or(given.opened).unwrap_or(0);
        let ended = times.values().map(|timing| timing.started.saturating_add(timing.took));
        Clock { end: ended.max().unwrap_or(start).max(start), times, play, start, now: start }
    }

    /// Its first and its last moment.
    pub(super) fn span(&self) -> (u64, u64) {
        (self.start, self.end)
    }

    fn call(&mut self, part: &Part, call: CallId) -> (u64, u64) {
        let key = match part {
            Part::Play => self.play.clone(),
            Part::Grading { .. } => self.play.grading(),
        };
        match self.times.get(&(&key, call)) {
            Some(timing) => {
                self.now = timing.started.saturating_add(timing.took).max(self.now);
                (timing.started, timing.took)
            }
            None => (self.tick(), 0),
        }
    }

    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }
}

pub(super) struct Events<'a> {
    given: &'a Given<'a>,
    clock: Clock<'a>,
    chain: &'a str,
    events: Vec<Value>,
    span: Option<String>,
}

impl<'a> Events<'a> {
    pub(super) fn new(given: &'a Given<'a>, clock: Clock<'a>, chain: &'a str) -> Self {
        Events { given, clock, chain, events: Vec::new(), span: None }
    }

    pub(super) fn done(self) -> Vec<Value> {
        self.events
    }

    pub(super) fn opened(
        &mut self,
        id: &str,
        input: &str,
        target: &str,
        metadata: &Value,
        messages: &[Value],
    ) {
        let sample = json!({ "input": input, "target": target, "id": id, "metadata": metadata });
        let state = json!({
            "messages": messages.iter().take(1).collect::<Vec<_>>(),
            "tools": [],
            "tool_choice": null,
            "store": {},
            "output": { "model": super::model(self.given), "choices": [], "completion": "" },
            "completed": false,
            "metadata": metadata,
        });
        let at = self.clock.tick();
        self.push(at, json!({ "event": "sample_init", "sample": sample, "state": state }));
    }

    pub(super) fn score(&mut self, score: &Value, target: &str) {
        let at = self.clock.tick();
        self.push(
            at,
            json!({ "event": "score", "score": score, "target": target, "intermediate": false }),
        );
    }

    /// The events of an episode or a grading, within a span.
    pub(super) fn transcript(
        &mut self,
        span: &str,
        transcript: &Transcript,
        requests: &BTreeMap<CallId, Vec<Rendered>>,
    ) {
        let id = short_id(&["span", self.chain, span]);
        self.span = Some(id.clone());
        let at = self.clock.tick();
        let begin = json!({ "event": "span_begin", "id": id, "type": span, "name": span });
        self.push(at, begin);
        let mut asked: BTreeMap<CallId, &Request> = BTreeMap::new();
        for event in transcript.events.iter().flatten() {
            match event {
                Event::Asked { call, request } => {
                    asked.insert(*call, request);
                }
                Event::Told { call, reply } => {
                    if let Some(request) = asked.get(call) {
                        let sent = requests.get(call).map_or(&[][..], Vec::as_slice);
                        let (at, took) = self.clock.call(&transcript.header.part, *call);
                        let event = self.called(*call, request, reply, sent, (at, took));
                        self.push(at, event);
                    }
                }
                Event::Noted(note) => {
                    let at = self.clock.tick();
                    let told = json!({ "event": "info", "source": "turnwise", "data": note });
                    self.push(at, told);
                }
                Event::Opened(_) | Event::Closed(_) => {}
            }
        }
        let at = self.clock.tick();
        self.push(at, json!({ "event": "span_end", "id": id }));
        self.span = None;
    }

    fn called(
        &self,
        call: CallId,
        request: &Request,
        reply: &Reply,
        sent: &[Rendered],
        (at, took): (u64, u64),
    ) -> Value {
        let mut event = match request {
            Request::Ask { seat, .. } => self.asked(seat, reply, sent),
            Request::Search(query) => searched(call, query, reply),
            Request::Draw { stream, below, take } => json!({
                "event": "info",
                "source": "turnwise/draw",
                "data": { "stream": stream, "below": below, "take": take, "reply": reply },
            }),
            Request::Use(used) => self.used(call, used, reply),
        };
        if event["event"] != "info" {
            event["completed"] = json!(iso(at.saturating_add(took)));
            event["working_time"] = json!(took as f64 / 1000.0);
        }
        event
    }

    fn used(&self, call: CallId, used: &Used, reply: &Reply) -> Value {
        let mut event = tool_event(call, used.name(), json!(used), reply);
        if let Reply::Made(Made::Picture(made)) = reply {
            event["result"] = with_pictures(self.given, &made.layout, &[made.picture]);
        }
        event
    }

    fn asked(&self, seat: &Seat, reply: &Reply, sent: &[Rendered]) -> Value {
        let sitting = self.given.spec.seats.get(seat);
        let model =
            sitting.map_or_else(|| NO_MODEL.to_owned(), |sitting| model_name(&sitting.player));
        let mut event = json!({
            "event": "model",
            "model": model,
            "input": sent.iter().map(|sent| message(self.given, sent)).collect::<Vec<_>>(),
            "tools": [],
            "tool_choice": "none",
            "config": sitting.map_or_else(|| json!({}), |sitting| config(&sitting.sampling)),
            "output": { "model": model, "choices": [], "completion": "" },
        });
        if evaluated(self.given.spec) != Some(seat) || seat.as_str() != Seat::PLAYER {
            event["role"] = json!(seat);
        }
        match reply {
            Reply::Said(said) => {
                event["output"] = spoken(&model, said);
                // What Inspect has no words for.
                if said.stop == Stop::Refused || !said.departures.is_empty() {
                    event["metadata"] = json!({
                        "turnwise": { "stop": said.stop, "departures": said.departures },
                    });
                }
            }
            Reply::Failed(failure) => {
                event["error"] = json!(failure.message);
                event["output"]["error"] = json!(failure.message);
                event["metadata"] = json!({ "turnwise": { "failure": failure } });
            }
            Reply::Found { .. } | Reply::Drawn { .. } | Reply::Made(_) => {}
        }
        event
    }

    fn push(&mut self, at: u64, mut event: Value) {
        let number = self.events.len().to_string();
        event["uuid"] = json!(short_id(&["event", self.chain, &number]));
        event["timestamp"] = json!(iso(at));
        event["working_start"] = json!(at.saturating_sub(self.clock.start) as f64 / 1000.0);
        if let Some(span) = &self.span {
            event["span_id"] = json!(span);
        }
        self.events.push(event);
    }
}

fn spoken(model: &str, said: &Said) -> Value {
    let stop = match said.stop {
        Stop::End => "stop",
        Stop::Length => "max_tokens",
        Stop::Filtered | Stop::Refused => "content_filter",
        Stop::Other => "unknown",
    };
    let text = said.text.as_deref().unwrap_or_default();
    let named = said.model.as_deref().unwrap_or(model);
    let mut output = json!({
        "model": named,
        "choices": [{
            "message": {
                "role": "assistant",
                "content": content(said),
                "source": "generate",
                "model": named,
            },
            "stop_reason": stop,
        }],
        "completion": text,
    });
    if let Some(usage) = reply_usage(said) {
        output["usage"] = usage;
    }
    output
}

fn searched(call: CallId, query: &Query, reply: &Reply) -> Value {
    let Query { text, results, locale, since } = query;
    let mut arguments = json!({ "query": text, "results": results, "locale": locale });
    if let Some(since) = since {
        arguments["since"] = json!(since);
    }
    tool_event(call, "search", arguments, reply)
}

fn tool_event(call: CallId, name: &str, arguments: Value, reply: &Reply) -> Value {
    let mut event = json!({
        "event": "tool",
        "type": "function",
        "id": format!("{name}-{call}"),
        "function": name,
        "arguments": arguments,
        "result": "",
        "events": [],
    });
    match reply {
        Reply::Found { hits, .. } => event["result"] = json!(listed(hits)),
        Reply::Made(Made::Page(page)) => event["result"] = json!(page.text),
        Reply::Failed(failure) => {
            let kind = match failure.class {
                FailureClass::Timeout => "timeout",
                FailureClass::Cancelled => "cancelled",
                _ => "unknown",
            };
            event["error"] = json!({ "type": kind, "message": failure.message });
        }
        Reply::Said(_) | Reply::Drawn { .. } | Reply::Made(Made::Picture(_)) => {}
    }
    event
}

fn listed(hits: &[Hit]) -> String {
    let line = |(number, hit): (usize, &Hit)| {
        let part = |text: &Option<String>| text.clone().unwrap_or_default();
        let (title, snippet) = (part(&hit.title), part(&hit.snippet));
        format!("{}. {title}\n{snippet}\n{}", number + 1, part(&hit.url))
    };
    hits.iter().enumerate().map(line).collect::<Vec<_>>().join("\n\n")
}
