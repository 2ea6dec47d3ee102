//! From a transcript back to a session, or to the first line that disagrees.

use crate::difference;
use crate::effect::{CallId, Effect, Reply};
use crate::session::{Next, Session};
use crate::shortened::shortened;
use crate::transcript::{Event, Transcript};

/// The first line at which a replay and its recording differ. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Drift {
    pub line: usize,
    pub why: String,
}

/// How far a recording goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// To the end of the episode.
    Whole,
    /// To a point at which the episode waits for an answer.
    Waiting,
    /// It was cut off while lines were written: the replay wrote more than it holds, and waits or is over now.
    CutOff,
}

/// Plays a recording step by step through a fresh session: the same replies, and every line compared.
pub struct Replay<'a> {
    transcript: &'a Transcript,
    /// How many lines of the recording have been compared.
    position: usize,
    /// Lines that the session wrote past the end of the recording.
    beyond: Vec<String>,
}

impl<'a> Replay<'a> {
    /// A replay at the beginning of a recording.
    pub fn new(transcript: &'a Transcript) -> Self {
        Replay { transcript, position: 0, beyond: Vec::new() }
    }

    /// The lines that the session wrote past the end of the recording; they belong after it.
    pub fn beyond(self) -> Vec<String> {
        self.beyond
    }

    /// How many lines have been replayed.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Drives the session to the end of the recording.
    ///
    /// # Errors
    /// [`Drift`] at the first line that differs, and where a line that must be known is withheld.
    pub fn run(&mut self, session: &mut Session) -> Result<Extent, Drift> {
        self.run_hearing(session, |_, _, _| {})
    }

    /// The same; `heard` receives every call with its reply, in the order of the recording.
    ///
    /// # Errors
    /// As of [`Replay::run`].
    pub fn run_hearing(
        &mut self,
        session: &mut Session,
        mut heard: impl FnMut(CallId, &Effect, &Reply),
    ) -> Result<Extent, Drift> {
        loop {
            match self.hear(session, &mut heard)? {
                Some(_) => {}
                None if !self.beyond.is_empty() => return Ok(Extent::CutOff),
                None if session.outcome().is_some() => return Ok(Extent::Whole),
                None => return Ok(Extent::Waiting),
            }
        }
    }

    /// Drains the session and tells it the next recorded reply; `None` at the end of the recording.
    ///
    /// # Errors
    /// [`Drift`] at the first line that differs.
    pub fn step(&mut self, session: &mut Session) -> Result<Option<CallId>, Drift> {
        self.hear(session, &mut |_, _, _| {})
    }

    fn hear(
        &mut self,
        session: &mut Session,
        heard: &mut impl FnMut(CallId, &Effect, &Reply),
    ) -> Result<Option<CallId>, Drift> {
        while let Next::Call(..) = session.poll() {}
        self.compare(session)?;
        let Some(event) = self.transcript.events.get(self.position) else {
            return Ok(None);
        };
        let (call, reply) = match event {
            Some(Event::Told { call, reply }) => (*call, reply.clone()),
            Some(other) => {
                return Err(self.drift(format!(
                    "the recording has {}, the replay has nothing to say here",
                    name(other)
                )));
            }
            None => return Err(self.drift("it is withheld, and the replay needs it".into())),
        };
        if let Some((_, effect)) = session.open_calls().find(|(open, _)| *open == call) {
            heard(call, effect, &reply);
        }
        self.tell(session, call, reply)?;
        Ok(Some(call))
    }

    fn tell(&mut self, session: &mut Session, call: CallId, reply: Reply) -> Result<(), Drift> {
        session
            .tell(call, reply)
            .map_err(|misuse| self.drift(format!("the recorded reply cannot be told: {misuse}")))
    }

    /// Compares what the session wrote with the recording, event by event.
    fn compare(&mut self, session: &mut Session) -> Result<(), Drift> {
        for line in session.take_lines() {
            let written = crate::transcript::event_of(&line).map_err(|why| {
                self.drift(format!("the replay wrote a line that cannot be read: {why}"))
            })?;
            match self.transcript.events.get(self.position) {
                Some(Some(recorded)) if *recorded == written => {}
                Some(Some(recorded)) => {
                    return Err(self.drift(differences(recorded, &written)));
                }
                Some(None) => {}
                None => {
                    self.beyond.push(line);
                    continue;
                }
            }
            self.position += 1;
        }
        Ok(())
    }

    fn drift(&self, why: String) -> Drift {
        Drift { line: self.position + 1, why }
    }
}

/// A stored transcript less its ending, if that ending came from a failed call: so the call can be made again.
pub fn rewound(stored: &Transcript) -> Transcript {
    let mut cut = stored.clone();
    let incomplete = stored.outcome().is_some_and(|outcome| !outcome.is_complete());
    if incomplete {
        let failed = stored
            .events
            .iter()
            .rposition(|event| matches!(event, Some(Event::Told { reply: Reply::Failed(_), .. })));
        if let Some(position) = failed {
            cut.events.truncate(position);
        }
    }
    cut
}

fn name(event: &Event) -> &'static str {
    match event {
        Event::Opened(_) => "a header",
        Event::Asked { .. } => "a call",
        Event::Told { .. } => "a reply",
        Event::Noted(_) => "a note",
        Event::Closed(_) => "an ending",
    }
}

/// Names the first place in which two events differ.
fn differences(recorded: &Event, written: &Event) -> String {
    let pair = (serde_json::to_value(recorded), serde_json::to_value(written));
    let (Ok(recorded_value), Ok(written_value)) = pair else {
        return format!("the recording has {}, the replay {}", name(recorded), name(written));
    };
    let mut path = Vec::new();
    match difference::first(&recorded_value, &written_value, &mut path) {
        Some((recorded, written)) => format!(
            "{} is {} in the recording and {} in the replay",
            if path.is_empty() { "the line".to_owned() } else { path.join(".") },
            brief(&recorded),
            brief(&written)
        ),
        None => "the lines differ".to_owned(),
    }
}

fn brief(value: &serde_json::Value) -> String {
    shortened(&value.to_string(), 120)
}
