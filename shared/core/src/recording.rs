//! A recorded run that answers again: replies by episode, seat and call, and the request's hash checked.

use std::collections::BTreeMap;

use crate::effect::{CallId, Failure, FailureClass, Reply};
use crate::hash::Digest;
use crate::key::EpisodeKey;
use crate::seat::Lineup;
use crate::spec::{SearchSpec, WebSpec};
use crate::transcript::{Event, Part, Request, Transcript, Used};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recording {
    /// Who sat where when it was recorded. A recording in a seat speaks for the player who sat there.
    pub seats: Lineup,
    /// The search engine of the recording.
    pub search: Option<SearchSpec>,
    /// Where its pages were read.
    pub web: Option<WebSpec>,
    replies: BTreeMap<(EpisodeKey, CallId), Recorded>,
}

/// A reply as it was recorded.
#[derive(Debug, Clone, PartialEq)]
struct Recorded {
    /// The hash of the request that it answered.
    digest: Digest,
    reply: Reply,
    /// Its position among the episode's replies, in the order in which they were passed on, from 0.
    position: usize,
}

impl Recording {
    /// Adds a transcript to the recording.
    pub fn add(&mut self, transcript: &Transcript) {
        let header = &transcript.header;
        let play = EpisodeKey::play(&header.task.id, header.repeat);
        let key = match header.part {
            Part::Play => play,
            Part::Grading { .. } => play.grading(),
        };
        self.seats.extend(header.spec.seats.clone());
        if self.search.is_none() {
            self.search.clone_from(&header.spec.search);
        }
        self.web = self.web.or(header.spec.web);
        let mut asked = BTreeMap::new();
        let mut position = 0;
        for event in transcript.events.iter().flatten() {
            match event {
                Event::Asked { call, request } => {
                    asked.insert(*call, digest(request));
                }
                Event::Told { call, reply } => {
                    if let Some(digest) = asked.get(call) {
                        let recorded = Recorded { digest: *digest, reply: reply.clone(), position };
                        self.replies.insert((key.clone(), *call), recorded);
                        position += 1;
                    }
                }
                _ => {}
            }
        }
    }

    /// What was answered to this call then, or [`FailureClass::OffRecording`].
    pub fn answer(&self, episode: &EpisodeKey, call: CallId, request: &Request) -> Reply {
        match self.replies.get(&(episode.clone(), call)) {
            Some(recorded) if recorded.digest == digest(request) => recorded.reply.clone(),
            Some(_) => Reply::Failed(Failure::new(
                FailureClass::OffRecording,
                format!(
                    "call {call} of {episode} asks for something else than the recording answers"
                ),
            )),
            None => Reply::Failed(Failure::new(
                FailureClass::OffRecording,
                format!("the recording has no answer to call {call} of {episode}"),
            )),
        }
    }

    /// Whether it answers this call.
    pub fn has(&self, episode: &EpisodeKey, call: CallId, request: &Request) -> bool {
        let recorded = self.replies.get(&(episode.clone(), call));
        recorded.is_some_and(|recorded| recorded.digest == digest(request))
    }

    /// The position of this reply among the episode's replies, from 0: of several open calls the earliest comes first, so
    /// that the same replies are passed on in the same order again. `None` if the recording has no answer.
    pub fn position(&self, episode: &EpisodeKey, call: CallId) -> Option<usize> {
        self.replies.get(&(episode.clone(), call)).map(|recorded| recorded.position)
    }
}

fn digest(request: &Request) -> Digest {
    match request {
        Request::Ask { digest, .. } | Request::Use(Used::Render { digest, .. }) => *digest,
        other => Digest::of_value(other),
    }
}
