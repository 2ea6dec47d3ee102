//! What a protocol asks in a call, found out by replaying what the server has of the episode.

use std::borrow::Cow;

use turnwise_shared::effect::Effect;
use turnwise_shared::episode::Episode;
use turnwise_shared::prelude::*;
use turnwise_shared::replay::{Extent, Replay};
use turnwise_shared::sealed::may_see;
use turnwise_shared::session::Session;
use turnwise_shared::transcript::{self, SaltKey};

use super::{Refused, SealedSet};

/// What the server has of an episode, and which call of it is meant.
pub struct Stored {
    /// The lines of the episode.
    pub text: String,
    /// The lines of the graded episode, if this one is a grading episode.
    pub play: Option<String>,
    pub spec: Spec,
    pub key: CallKey,
    pub seat: Seat,
}

/// What is asked in a call.
#[derive(Debug)]
pub struct Found {
    pub ask: Ask,
    pub task: TaskId,
    pub repeat: u32,
}

/// See the module's head.
///
/// # Errors
/// If the lines do not replay, or the protocol does not ask this seat in this call at their end.
pub fn asked(set: &SealedSet, stored: &Stored) -> Result<Found, Refused> {
    let Stored { text, play, spec, key, seat } = stored;
    if !may_see(set.sealing, seat) {
        let why = format!("the seat {seat} is told nothing that is sealed");
        return Err(Refused(why));
    }
    let lines = read(text)?;
    let session = match (&lines.header.part, play) {
        (Part::Play, _) => {
            session(set, spec, &lines, |task, pack| set.benchmark.open(spec, task, pack))?
        }
        (Part::Grading { play: graded }, Some(play)) => {
            let played = read(play)?;
            let outcome = outcome(set, &played)?;
            if played.chain != *graded {
                return Err(Refused::new("the grading is of another episode"));
            }
            session(set, spec, &lines, |task, pack| {
                let grading = set.benchmark.grade(spec, task, pack, &outcome)?;
                grading.ok_or_else(|| {
                    turnwise_shared::spec::BadSpec::new("play", "this episode needs no grading")
                })
            })?
        }
        (Part::Grading { .. }, None) => {
            return Err(Refused::new("the server does not have the episode"));
        }
    };
    let session = match replayed(session, &lines)? {
        (session, Extent::Waiting | Extent::CutOff) => session,
        (_, Extent::Whole) => return Err(Refused::new("the episode is over")),
    };
    let ask = session.open_calls().find_map(|(call, effect)| match effect {
        Effect::Ask(ask) if call == key.call && ask.seat == *seat => Some(ask.clone()),
        _ => None,
    });
    match ask {
        Some(ask) if session.request_digest(key.call) == Some(key.digest) => {
            Ok(Found { ask, task: lines.header.task.id.clone(), repeat: lines.header.repeat })
        }
        _ => {
            Err(Refused::new("the protocol does not ask this after the lines that the server has"))
        }
    }
}

fn read(text: &str) -> Result<Transcript, Refused> {
    transcript::read(text).map_err(|bad| Refused::new(bad.to_string()))
}

/// How an episode ended, if all its lines are those of such an episode.
fn outcome(set: &SealedSet, play: &Transcript) -> Result<Outcome, Refused> {
    // A play that is graded again has another spec in the seat that grades, so it is replayed under its own.
    let spec = &play.header.spec;
    let session = session(set, spec, play, |task, pack| set.benchmark.open(spec, task, pack))?;
    match replayed(session, play)? {
        (session, Extent::Whole) => {
            session.outcome().cloned().ok_or_else(|| Refused::new("the episode is not over"))
        }
        _ => Err(Refused::new("the episode is not over")),
    }
}

fn session(
    set: &SealedSet,
    spec: &Spec,
    lines: &Transcript,
    open: impl FnOnce(
        &Task,
        &turnwise_shared::prompt::Pack,
    ) -> Result<Box<dyn Episode>, turnwise_shared::spec::BadSpec>,
) -> Result<Session, Refused> {
    let header = &lines.header;
    let task: Option<Cow<'_, Task>> = sweep::task(set.benchmark, spec, &set.told, &header.task.id);
    let task = task.ok_or_else(|| Refused::new("the set has no such task"))?;
    let is_ours = header.spec == *spec
        && header.task.digest == task.digest
        && header.task.labels == task.labels
        && (1..=spec.repeats).contains(&header.repeat);
    if !is_ours {
        return Err(Refused::new("the first line names another task or run"));
    }
    let pack = set.benchmark.pack();
    let episode = open(&task, &pack).map_err(|bad| Refused::new(bad.to_string()))?;
    let salts = SaltKey::open(header);
    Ok(Session::open(header.clone(), episode, salts))
}

fn replayed(mut session: Session, lines: &Transcript) -> Result<(Session, Extent), Refused> {
    let extent = Replay::new(lines)
        .run(&mut session)
        .map_err(|drift| Refused::new(format!("the lines do not replay: {drift}")))?;
    Ok((session, extent))
}
