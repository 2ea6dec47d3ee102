//! A session wraps an episode, keeps it to the contract and its budget, and writes the transcript. Nothing else writes it.

use std::collections::BTreeMap;

use serde_json::json;

use crate::effect::{CallId, Effect, Failure, FailureClass, Reply};
use crate::episode::{Episode, Misuse, Outcome, Step};
use crate::hash::Digest;
use crate::note::Note;
use crate::scene::{Block, Cell, Scene, ribbon};
use crate::seat::Viewer;
use crate::spec::Budget;
use crate::transcript::{self, Event, Header, Part, Request, SaltKey, Transcript, Writer};

/// The steps that an episode may take between two replies before it is called broken.
const STEPS_WITHOUT_REPLY: u32 = 10_000;

/// What a session wants next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// This call is to be made.
    Call(CallId, Effect),
    /// Nothing before an open call is answered.
    Wait,
    Closed(Outcome),
}

/// A running episode and its transcript.
pub struct Session {
    episode: Box<dyn Episode>,
    header: Header,
    writer: Writer,
    /// Lines that have not been taken yet.
    fresh: Vec<String>,
    events: Vec<Event>,
    open: BTreeMap<CallId, Effect>,
    spent: Spent,
    closed: Option<Outcome>,
}

/// What an episode has used of its budget, counted from the replies it was given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    pub calls: u32,
    pub searches: u32,
    /// Tokens read and written, as services counted them.
    pub tokens: u64,
}

impl Session {
    /// Opens a session; the header is the first line of its transcript.
    pub fn open(header: Header, episode: Box<dyn Episode>, salts: SaltKey) -> Self {
        let mut session = Session {
            episode,
            writer: Writer::new(salts),
            fresh: Vec::new(),
            events: Vec::new(),
            open: BTreeMap::new(),
            spent: Spent::default(),
            closed: None,
            header: header.clone(),
        };
        session.write(Event::Opened(Box::new(header)));
        session
    }

    /// What now? Notes are written down on the way; calls over budget are answered here.
    pub fn poll(&mut self) -> Next {
        for _ in 0..STEPS_WITHOUT_REPLY {
            if let Some(outcome) = &self.closed {
                return Next::Closed(outcome.clone());
            }
            match self.episode.poll() {
                Step::Note(note) => self.write(Event::Noted(note)),
                Step::Request(call, effect) => {
                    self.write(Event::Asked { call, request: Request::of(&effect) });
                    let over = self.over_budget(&effect);
                    self.spent.calls += 1;
                    self.spent.searches += u32::from(matches!(effect, Effect::Search(_)));
                    self.open.insert(call, effect.clone());
                    match over {
                        None => return Next::Call(call, effect),
                        Some(limit) => {
                            let failure = Failure {
                                class: FailureClass::BudgetExhausted,
                                message: format!("the episode's budget of {limit} is used up"),
                                detail: json!({ "limit": limit }),
                            };
                            if let Err(misuse) = self.tell(call, Reply::Failed(failure)) {
                                self.break_off(&format!("it refused a failed call: {misuse}"));
                            }
                        }
                    }
                }
                Step::Wait if self.open.is_empty() => {
                    self.break_off("it waits while no call is open")
                }
                Step::Wait => return Next::Wait,
                Step::Done(outcome) => self.close(outcome),
            }
        }
        self.break_off("it took too many steps without a reply");
        match &self.closed {
            Some(outcome) => Next::Closed(outcome.clone()),
            None => Next::Wait,
        }
    }

    /// Tells the episode what came back for a call, and writes it down.
    ///
    /// # Errors
    /// [`Misuse`] if the call is not open or the reply does not fit; nothing is written then.
    pub fn tell(&mut self, call: CallId, reply: Reply) -> Result<(), Misuse> {
        if self.closed.is_some() {
            return Err(Misuse::Over);
        }
        let effect = self.open.get(&call).ok_or(Misuse::NotOpen(call))?;
        if !reply.fits(effect) {
            return Err(Misuse::DoesNotFit { call, effect: effect.name(), reply: reply.name() });
        }
        let outgrown = match (&reply, effect) {
            (Reply::Failed(failure), Effect::Ask(ask))
                if failure.class == FailureClass::Context =>
            {
                self.episode.outgrown(&ask.seat)
            }
            _ => None,
        };
        if outgrown.is_none() {
            self.episode.resume(call, reply.clone())?;
        }
        if let Reply::Said(said) = &reply {
            self.spent.tokens = self.spent.tokens.saturating_add(said.usage.tokens());
        }
        self.open.remove(&call);
        self.write(Event::Told { call, reply });
        if let Some(result) = outgrown {
            self.close(Outcome { ending: Outcome::CONTEXT.to_owned(), result });
        }
        Ok(())
    }

    /// What `viewer` may see now.
    pub fn scene(&self, viewer: &Viewer) -> Scene {
        let mut scene = self.episode.scene(viewer);
        // The episode itself has heard of no end.
        if let Some(outcome) =
            self.closed.as_ref().filter(|outcome| outcome.ending == Outcome::CONTEXT)
        {
            scene.awaits = None;
            scene.blocks.push(Block::End {
                ending: outcome.ending.clone(),
                text: "The conversation outgrew the context window of the model.".to_owned(),
            });
        }
        scene
    }

    pub fn ribbon(&self) -> Vec<Cell> {
        ribbon(self.notes())
    }

    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        self.events.iter().filter_map(|event| match event {
            Event::Noted(note) => Some(note),
            _ => None,
        })
    }

    /// Every line so far, the header included.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The hash of an open call's request.
    pub fn request_digest(&self, call: CallId) -> Option<Digest> {
        // The calls that are open were asked for lately.
        let asked = self.events.iter().rev().find_map(|event| match event {
            Event::Asked { call: asked, request } if *asked == call => Some(request),
            _ => None,
        })?;
        match asked {
            Request::Ask { digest, .. } => Some(*digest),
            Request::Search(_) | Request::Draw { .. } | Request::Use(_) => {
                self.open.get(&call).map(transcript::request_digest)
            }
        }
    }

    pub fn transcript(&self) -> Transcript {
        Transcript {
            header: self.header.clone(),
            events: self.events.iter().cloned().map(Some).collect(),
            chain: self.chain(),
        }
    }

    /// What is known about the episode before it began.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The calls that wait for an answer.
    pub fn open_calls(&self) -> impl Iterator<Item = (CallId, &Effect)> {
        self.open.iter().map(|(call, effect)| (*call, effect))
    }

    /// What it has used so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// How it ended, once it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.closed.as_ref()
    }

    /// The chain value after the last line written: the transcript's name so far.
    pub fn chain(&self) -> Digest {
        self.writer.chain()
    }

    /// The lines written since they were last taken, each without its line break.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.fresh)
    }

    /// Which limit a further call would break, if any.
    fn over_budget(&self, effect: &Effect) -> Option<&'static str> {
        let Budget { calls, tokens, searches, .. } = &self.header.spec.budget;
        let is_search = matches!(effect, Effect::Search(_));
        if self.spent.calls >= *calls {
            Some("calls")
        } else if tokens.is_some_and(|limit| self.spent.tokens >= limit) {
            Some("tokens")
        } else if is_search && searches.is_some_and(|limit| self.spent.searches >= limit) {
            Some("searches")
        } else {
            None
        }
    }

    fn break_off(&mut self, why: &str) {
        self.close(Outcome { ending: Outcome::BROKEN.to_owned(), result: json!({ "why": why }) });
    }

    fn close(&mut self, outcome: Outcome) {
        self.open.clear();
        self.write(Event::Closed(outcome.clone()));
        self.closed = Some(outcome);
    }

    fn write(&mut self, event: Event) {
        self.fresh.push(self.writer.line(&event));
        self.events.push(event);
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("task", &self.header.task.id)
            .field("repeat", &self.header.repeat)
            .field("grading", &matches!(self.header.part, Part::Grading { .. }))
            .field("open", &self.open.keys().collect::<Vec<_>>())
            .field("closed", &self.closed)
            .finish_non_exhaustive()
    }
}
