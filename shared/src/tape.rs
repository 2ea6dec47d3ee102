//! A recorded run that answers again: replies by episode, seat and call, and the request's hash checked.

use std::collections::BTreeMap;

use crate::effect::{Failure, FailureClass, Reply};
use crate::episode::CallId;
use crate::hash::Digest;
use crate::run::EpisodeKey;
use crate::seat::Lineup;
use crate::spec::SearchSpec;
use crate::transcript::{Event, Part, Request, Transcript};

/// A recorded run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tape {
    /// Who sat where when it was recorded. A tape in a seat speaks for whoever sat there.
    pub seats: Lineup,
    /// The search engine of the recording.
    pub search: Option<SearchSpec>,
    replies: BTreeMap<(EpisodeKey, CallId), (Digest, Reply)>,
}

impl Tape {
    /// Adds a transcript to the tape.
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
        let mut asked = BTreeMap::new();
        for event in transcript.events.iter().flatten() {
            match event {
                Event::Asked { call, request } => {
                    asked.insert(*call, digest(request));
                }
                Event::Told { call, reply } => {
                    if let Some(digest) = asked.get(call) {
                        self.replies
                            .insert((key.clone(), *call), (*digest, reply.clone()));
                    }
                }
                _ => {}
            }
        }
    }

    /// What was answered to this call then, or [`FailureClass::OffTape`].
    pub fn answer(&self, episode: &EpisodeKey, call: CallId, request: &Request) -> Reply {
        match self.replies.get(&(episode.clone(), call)) {
            Some((recorded, reply)) if *recorded == digest(request) => reply.clone(),
            Some(_) => Reply::Failed(Failure::new(
                FailureClass::OffTape,
                format!("call {call} of {episode} asks for something else than the tape answers"),
            )),
            None => Reply::Failed(Failure::new(
                FailureClass::OffTape,
                format!("the tape has no answer to call {call} of {episode}"),
            )),
        }
    }
}

fn digest(request: &Request) -> Digest {
    match request {
        Request::Ask { digest, .. } => *digest,
        other => Digest::of_value(other),
    }
}
