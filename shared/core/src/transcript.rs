//! The transcript: JSON lines without a clock. It *is* the run; state, screen and scores are computed from it.
//!
//! A line is `{"chain":…,"event":…,"salt":…}`. Its commitment is `SHA-256(salt ‖ event bytes)` and its chain value
//! `SHA-256(chain before ‖ commitment)`. A line can therefore be withheld (`{"chain":…,"withheld":COMMITMENT}`) while the
//! rest still verifies, and without its salt a withheld short text cannot be guessed from the commitment
//! (ARCHITECTURE.md, rules 1 to 3).

mod reading;
pub mod told;

use std::collections::BTreeMap;
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::effect::{CallId, Effect, Made, PAGE, Query, RENDER, RenderProfile, Reply, Tool, Visit};
use crate::episode::Outcome;
use crate::hash::{Digest, canonical, hex};
use crate::key::{EpisodeKey, RunId};
use crate::note::Note;
use crate::picture::PictureRef;
use crate::prompt::{Said, ThreadId};
use crate::seat::Seat;
use crate::spec::Spec;
use crate::task::TaskId;

pub use reading::{BadTranscript, Reader, chain_of, event_of, read};

/// The version of this format. A reader refuses others by name.
pub const FORMAT: u32 = 1;

/// The first line: what was played, on which task, by whom.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// Everything that decides how the episode goes, less the task and the replies.
    pub spec: Spec,
    pub task: TaskRef,
    /// Which repeat of the task, from 1.
    pub repeat: u32,
    /// Play, or a grading of an episode.
    pub part: Part,
    /// Where the transcript comes from.
    pub origin: Origin,
    /// From where the episode branches; absent for one that was played from its beginning. The replies in the lines that it has
    /// in common with the other episode are not those of the players in its seats.
    pub branch: Option<BranchOf>,
}

/// A task by id and hash; its text is not repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRef {
    pub id: TaskId,
    pub digest: Digest,
    /// What results are broken down by.
    pub labels: BTreeMap<String, String>,
}

/// Play and grading are two episodes (ARCHITECTURE.md, rule 4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Play,
    /// A grading of the episode whose transcript ends with this chain value.
    Grading {
        /// The episode's final chain value.
        play: Digest,
    },
}

/// Where a transcript comes from (ARCHITECTURE.md, rule 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Recorded,
    /// Brought from another system: not replayable, never verified.
    Imported,
}

/// From where an episode branches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchOf {
    /// The run of the episode that it branches from.
    pub run: RunId,
    pub episode: EpisodeKey,
    /// The turn that is decided anew, from 1.
    pub turn: u32,
    /// How many lines it has in common with that episode, the header counted, which is its own.
    pub lines: u64,
}

/// One event of an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Event {
    /// The first line.
    Opened(Box<Header>),
    /// The episode asked the world for something.
    Asked {
        call: CallId,
        request: Request,
    },
    /// The episode was given what came back.
    Told {
        call: CallId,
        reply: Reply,
    },
    Noted(Note),
    /// The episode ended. The last line.
    Closed(Outcome),
}

impl Event {
    /// The picture that it tells of, if it does.
    pub fn picture(&self) -> Option<PictureRef> {
        match self {
            Event::Told { reply: Reply::Made(Made::Picture(made)), .. } => Some(made.picture),
            _ => None,
        }
    }

    /// Whether it tells of a call that failed: there an incomplete episode is taken up again.
    pub fn tells_of_failure(&self) -> bool {
        matches!(self, Event::Told { reply: Reply::Failed(_), .. })
    }
}

/// An effect as a transcript records it: prompts by template and hash, not by text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub enum Request {
    Ask {
        seat: Seat,
        thread: ThreadId,
        /// The templates of the prompt.
        templates: Vec<String>,
        /// [`request_digest`].
        digest: Digest,
    },
    /// A search engine was asked.
    Search(Query),
    Draw {
        stream: String,
        /// Numbers lie in `0..below`.
        below: u32,
        take: u32,
    },
    /// Something was to be made or fetched.
    Use(Used),
}

/// A tool's use as a transcript records it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "tool", rename_all = "snake_case")]
pub enum Used {
    Page(Visit),
    /// Without the HTML, which stands in the reply of a seat.
    Render {
        /// [`request_digest`].
        digest: Digest,
        width: u32,
        height: u32,
        profile: RenderProfile,
    },
}

impl Used {
    /// [`RENDER`] or [`PAGE`].
    pub fn name(&self) -> &'static str {
        match self {
            Used::Page(_) => PAGE,
            Used::Render { .. } => RENDER,
        }
    }
}

impl Request {
    /// How an effect is recorded.
    pub fn of(effect: &Effect) -> Self {
        match effect {
            Effect::Ask(ask) => Request::Ask {
                seat: ask.seat.clone(),
                thread: ask.thread,
                templates: ask.templates().into_iter().map(str::to_owned).collect(),
                digest: request_digest(effect),
            },
            Effect::Search(query) => Request::Search(query.clone()),
            Effect::Draw { stream, below, take } => {
                Request::Draw { stream: stream.clone(), below: *below, take: *take }
            }
            Effect::Use(Tool::Page(visit)) => Request::Use(Used::Page(visit.clone())),
            Effect::Use(Tool::Render(job)) => Request::Use(Used::Render {
                digest: request_digest(effect),
                width: job.width,
                height: job.height,
                profile: job.profile,
            }),
        }
    }

    /// The seat that was asked, if one was.
    pub fn seat(&self) -> Option<&Seat> {
        match self {
            Request::Ask { seat, .. } => Some(seat),
            _ => None,
        }
    }
}

/// The hash of a request: over the effect as the episode made it, hidden fields by name and not by text.
pub fn request_digest(effect: &Effect) -> Digest {
    Digest::of_value(effect)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Salt([u8; 16]);

/// From what the salts of a transcript are derived.
///
/// The key follows from the header, so that the same replies give the same bytes anywhere. Of sealed tasks a transcript holds
/// nothing that would need a secret one ([`crate::sealed`]).
#[derive(Clone)]
pub struct SaltKey(Digest);

impl SaltKey {
    /// The key of an episode.
    pub fn open(header: &Header) -> Self {
        SaltKey(Digest::of_parts([b"turnwise salt 1\0".as_slice(), canonical(header).as_bytes()]))
    }

    /// A key that follows from no header.
    #[cfg(test)]
    pub fn strange() -> Self {
        SaltKey(Digest::of("no header"))
    }

    fn salt(&self, line: u64) -> Salt {
        let digest = Digest::of_parts([self.0.bytes().as_slice(), &line.to_le_bytes()]);
        let mut salt = [0; 16];
        salt.copy_from_slice(&digest.bytes()[..16]);
        Salt(salt)
    }
}

impl fmt::Debug for SaltKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SaltKey(…)")
    }
}

/// Writes lines and carries the chain.
#[derive(Debug, Clone)]
pub struct Writer {
    key: SaltKey,
    chain: Digest,
    lines: u64,
}

impl Writer {
    /// A writer at the beginning of a transcript.
    pub fn new(key: SaltKey) -> Self {
        Writer { key, chain: Digest::of("turnwise transcript 1"), lines: 0 }
    }

    /// The next line, without its line break.
    pub fn line(&mut self, event: &Event) -> String {
        let body = canonical(event);
        let salt = self.key.salt(self.lines);
        self.lines += 1;
        self.chain = link(&self.chain, &commitment(&salt, &body));
        format!(r#"{{"chain":"{}","event":{body},"salt":"{}"}}"#, self.chain, hex(&salt.0))
    }

    /// The chain value after the last line: the name of the transcript so far.
    pub fn chain(&self) -> Digest {
        self.chain
    }
}

fn commitment(salt: &Salt, body: &str) -> Digest {
    Digest::of_parts([salt.0.as_slice(), body.as_bytes()])
}

fn link(before: &Digest, commitment: &Digest) -> Digest {
    Digest::of_parts([before.bytes().as_slice(), commitment.bytes()])
}

/// A transcript that has been read and whose chain holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// The first line's content.
    pub header: Header,
    /// Every line, the first included; `None` where one was withheld.
    pub events: Vec<Option<Event>>,
    /// The chain value after the last line.
    pub chain: Digest,
}

impl Transcript {
    /// Its exact text, one line an event; `None` where lines are withheld or their salts do not follow from the header.
    pub fn text(&self) -> Option<String> {
        let mut writer = Writer::new(SaltKey::open(&self.header));
        let mut text = String::new();
        for event in &self.events {
            text.push_str(&writer.line(event.as_ref()?));
            text.push('\n');
        }
        (writer.chain() == self.chain).then_some(text)
    }

    /// The notes, in order.
    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        self.events.iter().flatten().filter_map(|event| match event {
            Event::Noted(note) => Some(note),
            _ => None,
        })
    }

    /// The details of the events of this name; those that cannot be read are left out.
    pub fn noted<T: DeserializeOwned>(&self, event: &str) -> impl Iterator<Item = T> {
        self.notes().filter_map(move |note| match note {
            Note::Event { name, detail } if name == event => T::deserialize(detail).ok(),
            _ => None,
        })
    }

    /// What a seat replied, in the order in which it was asked.
    pub fn said(&self, seat: &str) -> impl Iterator<Item = (CallId, &Said)> {
        self.events.iter().flatten().filter_map(move |event| match event {
            Event::Asked { call, request: Request::Ask { seat: asked, .. } }
                if asked.as_str() == seat =>
            {
                match self.reply(*call)? {
                    Reply::Said(said) => Some((*call, said)),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// How the episode ended; `None` if it has not.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self.events.last() {
            Some(Some(Event::Closed(outcome))) => Some(outcome),
            _ => None,
        }
    }

    /// The pictures that its replies name, in order.
    pub fn pictures(&self) -> impl Iterator<Item = PictureRef> {
        self.events.iter().flatten().filter_map(Event::picture)
    }

    /// The reply to a call.
    pub fn reply(&self, wanted: CallId) -> Option<&Reply> {
        self.events.iter().flatten().find_map(|event| match event {
            Event::Told { call, reply } if *call == wanted => Some(reply),
            _ => None,
        })
    }
}
