//! A transcript played again in this page: what each seat could see when it was asked, and whether every line agrees.

use std::collections::BTreeMap;

use turnwise_shared::effect::Effect;
use turnwise_shared::episode::Episode;
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Content;
use turnwise_shared::replay::{Drift, Extent, Replay};
use turnwise_shared::run::header;
use turnwise_shared::sealed;
use turnwise_shared::session::{Next, Session};
use turnwise_shared::transcript::SaltKey;

#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// What was seen at each request to a seat.
    pub seen: BTreeMap<CallId, Seen>,
    /// What a reader who sees everything saw, from the first moment to the last.
    pub frames: Vec<Frame>,
    pub seal: Seal,
}

impl Replayed {
    /// Nothing could be played again, and why.
    pub fn not(why: impl Into<String>) -> Self {
        Replayed::unseen(Seal::NotReplayed(why.into()))
    }

    /// Nothing can be played again of what was brought from another system.
    pub fn imported() -> Self {
        Replayed::unseen(Seal::Imported)
    }

    fn unseen(seal: Seal) -> Self {
        Replayed { seen: BTreeMap::new(), frames: Vec::new(), seal }
    }

    /// What is new on the screen of the seat that was asked, since it was asked before.
    pub fn news(&self, call: CallId) -> &[Block] {
        let Some(seen) = self.seen.get(&call) else {
            return &[];
        };
        let before = self.seen.range(..call).rev().find(|(_, before)| before.seat == seen.seat);
        super::timeline::new_blocks(
            before.map_or(&[], |(_, before)| &before.scene.blocks),
            &seen.scene.blocks,
        )
    }
}

/// A moment of an episode, between two replies.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The last turn before it; 0 before the first.
    pub after: u32,
    pub scene: Scene,
}

/// What a seat saw when it was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    pub seat: Seat,
    pub scene: Scene,
    /// The messages of the request.
    pub messages: Result<Vec<Sent>, String>,
}

/// A message as it was sent.
#[derive(Clone, PartialEq)]
pub struct Sent {
    pub role: Role,
    /// The template that it was made from, if from one.
    pub template: Option<String>,
    /// The hidden fields of the task that it holds, by name.
    pub hides: Vec<String>,
    /// The text with hidden fields covered by their names.
    pub covered: String,
    pub whole: String,
    /// Its pictures that no hidden field names.
    pub open_pictures: Vec<PictureRef>,
    pub pictures: Vec<PictureRef>,
}

/// Hidden text stays out of logs.
impl std::fmt::Debug for Sent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sent")
            .field("role", &self.role)
            .field("hides", &self.hides)
            .field("covered", &self.covered)
            .finish_non_exhaustive()
    }
}

/// Whether a replay agrees with its recording.
#[derive(Debug, Clone, PartialEq)]
pub enum Seal {
    /// Every line, to the end of the recording.
    Agrees {
        lines: usize,
        /// Whether the episode is over there.
        extent: Extent,
        /// Whether the replay wrote the very same bytes.
        to_the_byte: bool,
    },
    Drifts(Drift),
    /// It was brought from another system and cannot be played again anywhere.
    Imported,
    /// It could not be played again, and why.
    NotReplayed(String),
}

/// Plays the episode of a task again.
pub fn play(
    benchmark: &dyn Benchmark,
    tasks: &TaskSet,
    pack: &Pack,
    play: &Transcript,
) -> Replayed {
    with(benchmark, tasks, pack, play, |task| {
        benchmark.open(&play.header.spec, task, pack).map_err(|bad| bad.to_string())
    })
}

/// Plays a grading again; `play` is the episode that it graded.
pub fn grading(
    benchmark: &dyn Benchmark,
    tasks: &TaskSet,
    pack: &Pack,
    play: &Transcript,
    grading: &Transcript,
) -> Replayed {
    if grading.header.part != (Part::Grading { play: play.chain }) {
        return Replayed::not("it grades another episode than the one above");
    }
    let Some(outcome) = play.outcome() else {
        return Replayed::not("the episode is not over");
    };
    with(benchmark, tasks, pack, grading, |task| {
        benchmark
            .grade(&grading.header.spec, task, pack, outcome)
            .map_err(|bad| bad.to_string())?
            .ok_or_else(|| "this episode needs no grading".to_owned())
    })
}

fn with(
    benchmark: &dyn Benchmark,
    tasks: &TaskSet,
    pack: &Pack,
    transcript: &Transcript,
    open: impl Fn(&Task) -> Result<Box<dyn Episode>, String>,
) -> Replayed {
    let recorded = &transcript.header;
    if recorded.origin == Origin::Imported {
        return Replayed::imported();
    }
    if recorded.spec.protocol != benchmark.protocol() {
        return Replayed::not(format!(
            "it was recorded under protocol {}; this page knows protocol {}",
            recorded.spec.protocol,
            benchmark.protocol()
        ));
    }
    let found = sweep::task(benchmark, &recorded.spec, tasks, &recorded.task.id);
    let Some(task) = found.as_deref() else {
        return Replayed::not(format!("{} has no task {}", tasks.name, recorded.task.id));
    };
    let episode = match open(task) {
        Ok(episode) => episode,
        Err(why) => return Replayed::not(why),
    };
    let header = Header {
        branch: recorded.branch.clone(),
        ..header(&recorded.spec, task, recorded.repeat, recorded.part.clone())
    };
    let salts = SaltKey::open(&header);
    let session = Session::open(header, episode, salts);
    let secrets = match benchmark.task_source() {
        TaskSource::File => Secrets::Covered,
        // Tasks that follow from the spec hide nothing: anyone who knows the spec knows them.
        TaskSource::Spec => Secrets::None,
    };
    drive(session, transcript, task, pack, secrets)
}

/// Whether the fields of a task hide anything from a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Secrets {
    Covered,
    None,
}

fn drive(
    mut session: Session,
    transcript: &Transcript,
    task: &Task,
    pack: &Pack,
    secrets: Secrets,
) -> Replayed {
    let covered = match secrets {
        Secrets::Covered => covered(task),
        Secrets::None => task.clone(),
    };
    let mut seen = BTreeMap::new();
    let mut frames = Vec::new();
    let mut replay = Replay::new(transcript);
    let seal = loop {
        let mut asks: Vec<(CallId, Ask)> = Vec::new();
        while let Next::Call(call, effect) = session.poll() {
            if let Effect::Ask(ask) = effect {
                asks.push((call, ask));
            }
        }
        for (call, ask) in asks {
            let scene = session.scene(&Viewer::Seat(ask.seat.clone()));
            let messages = sent(pack, &ask, task, &covered, secrets);
            seen.insert(call, Seen { seat: ask.seat, scene, messages });
        }
        frames.extend(frame(&session, frames.last()));
        match replay.step(&mut session) {
            Ok(Some(_)) => {}
            Ok(None) => {
                let lines = replay.position();
                let to_the_byte = session.chain() == transcript.chain;
                let extent = match (replay.beyond().is_empty(), session.outcome()) {
                    (false, _) => Extent::CutOff,
                    (true, Some(_)) => Extent::Whole,
                    (true, None) => Extent::Waiting,
                };
                break Seal::Agrees { lines, extent, to_the_byte };
            }
            Err(drift) => break Seal::Drifts(drift),
        }
    };
    Replayed { seen, frames, seal }
}

/// The present moment, if there is a table or lanes to be seen in it, and something is new.
fn frame(session: &Session, before: Option<&Frame>) -> Option<Frame> {
    let scene = session.scene(&Viewer::Reader);
    let is_game = |block: &Block| matches!(block, Block::CardTable(_) | Block::Lanes(_));
    if !scene.blocks.iter().any(is_game) {
        return None;
    }
    let turns = session.notes().filter_map(|note| match note {
        Note::Turn(turn) => Some(turn.index),
        _ => None,
    });
    let after = turns.last().unwrap_or(0);
    let frame = Frame { after, scene };
    (before != Some(&frame)).then_some(frame)
}

fn sent(
    pack: &Pack,
    ask: &Ask,
    task: &Task,
    covered: &Task,
    secrets: Secrets,
) -> Result<Vec<Sent>, String> {
    // What is sealed is not here, and stands under its name in both forms.
    let (task, covered) = (sealed::named(task, ask), sealed::named(covered, ask));
    let whole = pack.shown(ask, &task).map_err(|bad| bad.to_string())?;
    let covered = pack.shown(ask, &covered).map_err(|bad| bad.to_string())?;
    Ok(ask
        .messages
        .iter()
        .zip(whole)
        .zip(covered)
        .map(|((message, whole), covered)| {
            let (template, hides) = match &message.content {
                Content::Text(_) => (None, Vec::new()),
                Content::Template { name, variables } => {
                    let hides = variables.values().filter_map(|variable| match variable {
                        Variable::Field(field)
                            if field != OPEN_FIELD && secrets == Secrets::Covered =>
                        {
                            Some(field.clone())
                        }
                        _ => None,
                    });
                    (Some(name.clone()), hides.collect())
                }
            };
            Sent {
                role: message.role,
                template,
                hides,
                covered: covered.text,
                whole: whole.text,
                open_pictures: covered.pictures,
                pictures: whole.pictures,
            }
        })
        .collect())
}

/// The task with its hidden fields covered by their names.
fn covered(task: &Task) -> Task {
    let mut covered = task.clone();
    for (name, text) in &mut covered.fields {
        if name != OPEN_FIELD {
            *text = format!("[{name}: hidden here]");
        }
    }
    covered
}

/// The hidden fields of a task, by name; empty ones are left out.
pub fn hidden_fields(task: &Task) -> Vec<(String, String)> {
    task.fields
        .iter()
        .filter(|(name, text)| *name != OPEN_FIELD && !text.trim().is_empty())
        .map(|(name, text)| (name.clone(), text.clone()))
        .collect()
}

#[cfg(test)]
mod tests;
