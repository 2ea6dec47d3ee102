//! What the seats of an episode were sent.

use std::collections::BTreeMap;

use crate::benchmark::given::{Episode, Given};
use crate::effect::{CallId, Effect, Reply};
use crate::prompt::{Ask, Rendered};
use crate::replay::{Drift, Extent, Replay};
use crate::run::header;
use crate::sealed;
use crate::session::Session;
use crate::sweep;
use crate::task::Task;
use crate::transcript::{Header, Origin, Part, SaltKey, Transcript};

/// What was sent with each call of an episode, task text covered as the run says. Found by playing it again: empty for imported
/// plays and where task or prompt pack is not at hand, and as far as the replay agrees with the recording.
pub fn requests(given: &Given<'_>, play: &Transcript) -> BTreeMap<CallId, Vec<Rendered>> {
    replayed(given, play, None).unwrap_or_default()
}

/// The same of the grading of an episode's play.
pub fn grading_requests(
    given: &Given<'_>,
    episode: &Episode<'_>,
) -> BTreeMap<CallId, Vec<Rendered>> {
    episode
        .grading
        .and_then(|grading| replayed(given, grading, Some(episode.play)))
        .unwrap_or_default()
}

fn replayed(
    given: &Given<'_>,
    transcript: &Transcript,
    graded: Option<&Transcript>,
) -> Option<BTreeMap<CallId, Vec<Rendered>>> {
    let (mut requests, mut covered) = (BTreeMap::new(), None);
    let pack = given.pack?;
    // A drift ends the replay; what was sent before it is known all the same.
    let _ = asked(given, transcript, graded, |call, ask, task, _| {
        let covered = covered.get_or_insert_with(|| given.covered(task));
        if let Ok(messages) = pack.shown(ask, &sealed::named(covered, ask)) {
            requests.insert(call, messages);
        }
    })?;
    Some(requests)
}

/// Plays a transcript again and hears every request to a seat, with its task and the reply; `graded` is the play of a grading. `None`
/// for imported ones and where task or prompt pack is not at hand.
pub fn asked(
    given: &Given<'_>,
    transcript: &Transcript,
    graded: Option<&Transcript>,
    mut heard: impl FnMut(CallId, &Ask, &Task, &Reply),
) -> Option<Result<Extent, Drift>> {
    let recorded = &transcript.header;
    if recorded.origin == Origin::Imported || recorded.spec.protocol != given.benchmark.protocol() {
        return None;
    }
    let pack = given.pack?;
    let task = sweep::task(given.benchmark, &recorded.spec, given.tasks?, &recorded.task.id)?;
    let task = task.as_ref();
    let episode = match (&recorded.part, graded) {
        (Part::Play, _) => given.benchmark.open(&recorded.spec, task, pack).ok()?,
        (Part::Grading { .. }, Some(play)) => {
            given.benchmark.grade(&recorded.spec, task, pack, play.outcome()?).ok()??
        }
        (Part::Grading { .. }, None) => return None,
    };
    let header = Header {
        branch: recorded.branch.clone(),
        ..header(&recorded.spec, task, recorded.repeat, recorded.part.clone())
    };
    let salts = SaltKey::open(&header);
    let mut session = Session::open(header, episode, salts);
    Some(Replay::new(transcript).run_hearing(&mut session, |call, effect, reply| {
        if let Effect::Ask(ask) = effect {
            heard(call, ask, task, reply);
        }
    }))
}
