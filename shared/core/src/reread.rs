//! What an episode would have been under the other profile: the same raw replies, read by its parser (ARCHITECTURE.md, rule 6).
//!
//! The episode is opened anew under the other profile and given the recorded replies, as long as they are read alike. Prompts
//! may differ from profile to profile; what counts is what every turn was taken to mean and what came back for it. Once
//! something is read otherwise, whatever would be asked after that has no answer in the recording: the episode *parts* there,
//! unless it ends without a further question. An episode that does not part has an end and, if its grading can be read on too, a
//! score; one that parts has a score between 0 and 1. So the score of a run is given as bounds, and is never ranked.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::benchmark::Benchmark;
use crate::effect::{CallId, Effect, Reply};
use crate::metrics::summary::{Summary, summarise};
use crate::note::{Note, Reading, Tone, TurnKind};
use crate::prompt::Pack;
use crate::session::{Next, Session};
use crate::spec::{BadSpec, Profile};
use crate::task::Task;
use crate::transcript::{Event, Header, Origin, Part, Request, SaltKey, Transcript};

impl Profile {
    pub fn other(self) -> Self {
        match self {
            Profile::Strict => Profile::Reference,
            Profile::Reference => Profile::Strict,
        }
    }
}

/// An episode, and its newest grading if there is one, as recorded.
#[derive(Debug, Clone, Copy)]
pub struct Recorded<'a> {
    pub play: &'a Transcript,
    pub grading: Option<&'a Transcript>,
}

/// An episode that was read again.
#[derive(Debug, Clone, PartialEq)]
pub struct Reread {
    pub fate: Fate,
    /// The first turn that was read otherwise, if any was.
    pub difference: Option<Difference>,
    /// The episode in a few numbers under the other profile. Of one that parts it is incomplete and has no score.
    pub summary: Summary,
}

/// What came of an episode that was read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Every turn was read alike, and it ended alike.
    Same,
    /// Something was read otherwise, and the recorded replies still lead to an end.
    Otherwise,
    /// It would have asked for something that the recording has no answer to.
    Parted,
}

/// The first turn that was read otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Which turn, from 1; `None` where only the end differs.
    pub turn: Option<u32>,
    /// How it was recorded, in a sentence.
    pub recorded: String,
    /// How the other profile reads it.
    pub other: String,
}

/// Why an episode cannot be read again.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotReread {
    /// It was brought from another system, and there is nothing to replay.
    #[error("it was imported from another system, so its replies cannot be read again")]
    Imported,
    /// Lines are withheld that would be needed.
    #[error("lines of it are withheld")]
    Withheld,
    /// It is under way, or was broken off.
    #[error("it is not complete")]
    Incomplete,
    /// The other profile cannot play it.
    #[error("the other profile cannot play it: {0}")]
    Unfit(#[from] BadSpec),
}

/// Reads an episode again under another profile.
pub fn reread(
    benchmark: &dyn Benchmark,
    recorded: Recorded<'_>,
    task: &Task,
    pack: &Pack,
    profile: Profile,
) -> Result<Reread, NotReread> {
    let Recorded { play, grading } = recorded;
    if play.header.origin == Origin::Imported {
        return Err(NotReread::Imported);
    }
    if play.events.iter().any(Option::is_none) {
        return Err(NotReread::Withheld);
    }
    if !play.outcome().is_some_and(|outcome| outcome.is_complete()) {
        return Err(NotReread::Incomplete);
    }
    let mut header = play.header.clone();
    header.spec.profile = profile;
    benchmark.check_spec(&header.spec)?;
    let episode = benchmark.open(&header.spec, task, pack)?;
    let mut session = open(header.clone(), episode);
    let parted = tell(&mut session, play) == Told::Parted;
    let other = session.transcript();
    let difference = difference(play, &other);
    let graded = match (parted, other.outcome()) {
        (false, Some(outcome)) => {
            let episode = benchmark.grade(&header.spec, task, pack, outcome)?;
            let header = Header { part: Part::Grading { play: other.chain }, ..header };
            // An ungraded episode has no score under either profile.
            episode.zip(grading).map(|(episode, grading)| regraded(header, episode, grading))
        }
        _ => None,
    };
    // A grading that the recording cannot answer leaves the episode without a score.
    let (fate, grading) = match graded {
        Some(None) => (Fate::Parted, None),
        Some(Some(grading)) => (Fate::Otherwise, Some(grading)),
        None if parted => (Fate::Parted, None),
        None => (Fate::Otherwise, None),
    };
    let mut measured = benchmark.measure(&other, grading.as_ref());
    if fate == Fate::Parted {
        measured.score = None;
    }
    let mut summary = summarise(&other, grading.as_ref(), measured);
    summary.complete = fate != Fate::Parted;
    let before = benchmark.measure(play, recorded.grading);
    let same_score = before.score == summary.score;
    let said = |answer: Option<String>| answer.unwrap_or_else(|| "no answer".to_owned());
    let difference = difference.or_else(|| {
        let other = summary.measured.answer.clone();
        (before.answer != other).then(|| Difference {
            turn: None,
            recorded: said(before.answer),
            other: said(other),
        })
    });
    let fate = match fate {
        Fate::Otherwise if difference.is_none() && same_score => Fate::Same,
        fate => fate,
    };
    Ok(Reread { fate, difference, summary })
}

fn open(header: Header, episode: Box<dyn crate::episode::Episode>) -> Session {
    let salts = SaltKey::open(&header);
    Session::open(header, episode, salts)
}

/// The grading under the other profile, from what the recorded grader said; `None` if that does not bring it to an end.
fn regraded(
    header: Header,
    episode: Box<dyn crate::episode::Episode>,
    recorded: &Transcript,
) -> Option<Transcript> {
    let mut session = open(header, episode);
    match tell(&mut session, recorded) {
        Told::Ended => Some(session.transcript()),
        Told::Parted => None,
    }
}

/// How the telling of recorded replies ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    /// The episode came to its end.
    Ended,
    /// It wants something that was not recorded.
    Parted,
}

/// Tells an episode what was recorded, in the order of the recording, as long as it is read alike.
fn tell(session: &mut Session, recorded: &Transcript) -> Told {
    let mut asked: BTreeMap<CallId, &Request> = BTreeMap::new();
    let mut replies: Vec<(CallId, &Reply)> = Vec::new();
    for event in recorded.events.iter().flatten() {
        match event {
            Event::Asked { call, request } => drop(asked.insert(*call, request)),
            Event::Told { call, reply } => replies.push((*call, reply)),
            _ => {}
        }
    }
    let expected: Vec<Meaning> = recorded.notes().filter_map(Meaning::of).collect();
    let mut replies = replies.into_iter();
    loop {
        let mut fresh = Vec::new();
        while let Next::Call(call, effect) = session.poll() {
            fresh.push((call, effect));
        }
        if session.outcome().is_some() {
            return Told::Ended;
        }
        let is_alike = session
            .notes()
            .filter_map(Meaning::of)
            .zip(expected.iter().map(Some).chain(std::iter::repeat(None)))
            .all(|(one, other)| other.is_some_and(|other| one.is_alike(other)));
        let has_answers = fresh
            .iter()
            .all(|(call, effect)| asked.get(call).is_some_and(|request| is_for(request, effect)));
        let goes_on = fresh.is_empty() || (is_alike && has_answers);
        if !goes_on {
            return Told::Parted;
        }
        let Some((call, reply)) = replies.next() else {
            return Told::Parted;
        };
        // What is not open was answered by the episode's budget.
        let is_open = session.open_calls().any(|(open, _)| open == call);
        if is_open && session.tell(call, reply.clone()).is_err() {
            return Told::Parted;
        }
    }
}

/// Whether a recorded request asks the same seat or service for the same thing; in which words a seat is asked is the profile's.
fn is_for(recorded: &Request, effect: &Effect) -> bool {
    match (recorded, effect) {
        (Request::Ask { seat, .. }, Effect::Ask(ask)) => *seat == ask.seat,
        (Request::Search(one), Effect::Search(other)) => one.text == other.text,
        (Request::Draw { .. }, Effect::Draw { .. }) | (Request::Use(_), Effect::Use(_)) => {
            *recorded == Request::of(effect)
        }
        _ => false,
    }
}

/// What a turn, or what came back for it, was taken to mean. How it was found out is the profile's.
#[derive(Debug, Clone, PartialEq)]
struct Meaning {
    turn: u32,
    /// What it was, and what was done, or what came back.
    what: What,
    sentence: String,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Turn(TurnKind, Value, bool),
    Observation(Tone, String),
    Restarted,
}

impl Meaning {
    fn of(note: &Note) -> Option<Self> {
        match note {
            Note::Turn(turn) => {
                let Reading { applied, fault, .. } = &turn.reading;
                // Of a reply that could not be used, the fault is all there is; its name is the profile's.
                let (applied, sentence) = match fault {
                    Some(fault) => (Value::Null, format!("{} ({fault})", turn.sentence)),
                    None => (applied.clone(), turn.sentence.clone()),
                };
                Some(Meaning {
                    turn: turn.index,
                    what: What::Turn(turn.kind, applied, fault.is_some()),
                    sentence,
                })
            }
            Note::Observation(came) => Some(Meaning {
                turn: came.turn,
                what: What::Observation(came.tone, came.word.clone()),
                sentence: format!("came back: {}", came.word),
            }),
            Note::Restarted { attempt, why } => Some(Meaning {
                turn: *attempt,
                what: What::Restarted,
                sentence: format!("it began anew: {why}"),
            }),
            Note::Event { .. } | Note::Flag { .. } => None,
        }
    }

    /// What was done may be written down in more than one way; described in the same sentence it is the same.
    fn is_alike(&self, other: &Meaning) -> bool {
        let same = match (&self.what, &other.what) {
            (What::Turn(kind, applied, fails), What::Turn(others, other_applied, other_fails)) => {
                kind == others
                    && fails == other_fails
                    && (*fails || applied == other_applied || self.sentence == other.sentence)
            }
            (one, other) => one == other,
        };
        self.turn == other.turn && same
    }
}

/// The first thing that the two took otherwise.
fn difference(recorded: &Transcript, other: &Transcript) -> Option<Difference> {
    let mut ones = recorded.notes().filter_map(Meaning::of);
    let mut others = other.notes().filter_map(Meaning::of);
    let ending = |transcript: &Transcript| match transcript.outcome() {
        Some(outcome) => format!("it ended: {}", outcome.ending),
        None => "it goes on".to_owned(),
    };
    loop {
        let (turn, one, two) = match (ones.next(), others.next()) {
            (Some(one), Some(two)) if one.is_alike(&two) => continue,
            (Some(one), Some(two)) => (one.turn, one.sentence, two.sentence),
            (Some(one), None) => (one.turn, one.sentence, ending(other)),
            (None, Some(two)) => (two.turn, ending(recorded), two.sentence),
            (None, None) => break,
        };
        return Some(Difference { turn: Some(turn), recorded: one, other: two });
    }
    let ends = |transcript: &Transcript| transcript.outcome().map(|outcome| outcome.ending.clone());
    (ends(recorded) != ends(other)).then(|| Difference {
        turn: None,
        recorded: ending(recorded),
        other: ending(other),
    })
}

/// How a run fares under the other profile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Plays that were read again.
    pub n: u32,
    pub same: u32,
    /// Read otherwise, with an end.
    pub otherwise: u32,
    pub parted: u32,
    /// Plays whose score is another one under the other profile: both are known and differ.
    pub changed: u32,
    /// Sum of the recorded scores, and how many episodes have one.
    recorded: (f64, u32),
    /// Sum of the scores under the other profile, and how many episodes have one.
    known: (f64, u32),
}

impl Tally {
    /// Counts an episode, with its recorded score.
    pub fn add(&mut self, recorded: Option<f64>, reread: &Reread) {
        self.n += 1;
        *match reread.fate {
            Fate::Same => &mut self.same,
            Fate::Otherwise => &mut self.otherwise,
            Fate::Parted => &mut self.parted,
        } += 1;
        for (sum, score) in
            [(&mut self.recorded, recorded), (&mut self.known, reread.summary.score)]
        {
            if let Some(score) = score {
                sum.0 += score;
                sum.1 += 1;
            }
        }
        if let (Some(one), Some(other)) = (recorded, reread.summary.score) {
            self.changed += u32::from(one != other);
        }
    }

    /// The recorded mean score of the episodes that were read again; `None` where none has one, as in games.
    pub fn recorded(&self) -> Option<f64> {
        (self.recorded.1 > 0).then(|| self.recorded.0 / f64::from(self.recorded.1))
    }

    /// Between what the mean score under the other profile lies: plays without a score there could each be 0 or 1. `None`
    /// where no episode has a recorded score.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        let n = f64::from(self.n);
        let open = f64::from(self.n - self.known.1);
        self.recorded()?;
        Some((self.known.0 / n, (self.known.0 + open) / n))
    }
}
