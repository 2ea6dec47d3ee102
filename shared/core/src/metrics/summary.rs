//! One episode in a few numbers, computed from its transcripts and from nothing else.

mod usage;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::day::Day;
use crate::effect::{CallId, FailureClass, Reply, SEARCH};
use crate::episode::Outcome;
use crate::hash::Digest;
use crate::metrics::figures::Figures;
use crate::metrics::heard::{Heard, Listening};
use crate::note::Note;
use crate::prompt::Stop;
use crate::scene::{self, Cell, ribbon};
use crate::seat::{Player, Seat};
use crate::session::Session;
use crate::transcript::{Event, Header, Request, TaskRef, Transcript};

pub use usage::{SeatUsage, usage};

/// What lists, walls and reports need of an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub task: TaskRef,
    /// Which repeat, from 1.
    pub repeat: u32,
    /// The hash of the spec under which it was played.
    pub spec: Digest,
    /// How the episode ended; `None` while it is under way.
    pub ending: Option<String>,
    /// Whether the episode came to an end of its own.
    pub complete: bool,
    /// The score, 0 to 1; `None` while it is not graded, or where grading failed.
    pub score: Option<f64>,
    pub ribbon: Vec<Cell>,
    /// Calls and tokens by seat; searches stand under `search`, tools under their names.
    pub usage: BTreeMap<String, SeatUsage>,
    /// Faults by class, over all turns.
    pub faults: BTreeMap<String, u32>,
    pub flags: BTreeMap<String, u32>,
    pub failures: BTreeMap<FailureClass, u32>,
    /// How replies could be read, by seat; absent where there is nothing to report.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub heard: BTreeMap<String, Heard>,
    pub measured: Measured,
}

/// The benchmark's own numbers of one episode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The score, 0 to 1; `None` while it is not graded, or where grading failed.
    pub score: Option<f64>,
    /// The final answer, if the protocol has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The question in one line ([`TaskTexts`](crate::task_texts::TaskTexts)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The reference answer in one line ([`TaskTexts`](crate::task_texts::TaskTexts)); absent while the episode is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
    /// Anything else that the benchmark's report needs.
    #[serde(default, skip_serializing_if = "Figures::is_none")]
    pub numbers: Figures,
}

impl Measured {
    /// Of a score, the final answer, and what else the report needs.
    pub fn of(score: Option<f64>, answer: Option<String>, numbers: &impl Serialize) -> Self {
        Measured { score, answer, numbers: Figures::of(numbers), ..Measured::default() }
    }
}

impl Summary {
    /// Tokens read and written, of all seats, as far as services reported them; at most the largest number.
    pub fn tokens(&self) -> u64 {
        let seats = self.usage.values().map(SeatUsage::tokens);
        seats.fold(0, u64::saturating_add)
    }

    /// The same; `None` where those of a seat are unknown.
    pub fn known_tokens(&self) -> Option<u64> {
        let mut seats = self.usage.values();
        let are_known = seats.all(|usage| usage.known(usage.tokens()).is_some());
        are_known.then(|| self.tokens())
    }
}

/// Says on which days the calls of a transcript of this episode were made. `started` gives the moment of a call in
/// milliseconds since 1970, where the times beside the transcript have it.
pub fn date(
    summary: &mut Summary,
    transcript: &Transcript,
    started: impl Fn(CallId) -> Option<u64>,
) {
    for event in transcript.events.iter().flatten() {
        if let Event::Asked { call, request } = event
            && let Some(asked) = Asked::of(request)
            && let Some(day) = started(*call).and_then(Day::of)
            && let Some(usage) = summary.usage.get_mut(asked.role())
        {
            usage.called_on(&day);
        }
    }
}

/// Summarises an episode and its newest grading.
pub fn summarise(play: &Transcript, grading: Option<&Transcript>, measured: Measured) -> Summary {
    summarise_of(play.header.spec.digest(), play, grading, measured)
}

/// The same, where the hash of the episode's spec is known already.
pub fn summarise_of(
    spec: Digest,
    play: &Transcript,
    grading: Option<&Transcript>,
    measured: Measured,
) -> Summary {
    let mut summary = blank(spec, &play.header, play.outcome(), measured);
    summary.ribbon = ribbon(play.notes());
    for transcript in std::iter::once(play).chain(grading) {
        let mut tally = Tally::of(&transcript.header);
        for event in transcript.events.iter().flatten() {
            tally.take(&transcript.header, event, &mut summary);
        }
    }
    summary
}

/// The summary of an episode that is under way. It follows the episode: each line is counted once, however often it is read.
#[derive(Debug, Clone)]
pub struct SoFar {
    summary: Arc<Summary>,
    /// How many lines are counted.
    counted: usize,
    tally: Tally,
}

impl SoFar {
    /// Of an episode under a spec with this hash, whose task asks this; nothing is counted yet.
    pub fn new(spec: Digest, play: &Header, asked: Option<String>) -> Self {
        let measured = Measured { asked, ..Measured::default() };
        SoFar {
            summary: Arc::new(blank(spec, play, None, measured)),
            counted: 0,
            tally: Tally::of(play),
        }
    }

    /// The summary, with what has come since the last look. `play` is the same episode each time.
    pub fn follow(&mut self, play: &Session) -> Arc<Summary> {
        let fresh = play.events().get(self.counted..).unwrap_or_default();
        if !fresh.is_empty() {
            let summary = Arc::make_mut(&mut self.summary);
            for event in fresh {
                if let Event::Noted(note) = event {
                    scene::follow(&mut summary.ribbon, note);
                }
                self.tally.take(play.header(), event, summary);
            }
            self.counted = play.events().len();
            if let Some(outcome) = play.outcome() {
                summary.ending = Some(outcome.ending.clone());
                summary.complete = outcome.is_complete();
            }
        }
        Arc::clone(&self.summary)
    }
}

#[cfg(any(test, feature = "testing"))]
impl Summary {
    /// An episode that is over, with nothing else set; tests set what they are about.
    pub fn bare() -> Self {
        Summary {
            task: TaskRef { id: "1".into(), digest: Digest::of(""), labels: BTreeMap::new() },
            repeat: 1,
            spec: Digest::of(""),
            ending: None,
            complete: true,
            score: None,
            ribbon: Vec::new(),
            usage: BTreeMap::new(),
            faults: BTreeMap::new(),
            flags: BTreeMap::new(),
            failures: BTreeMap::new(),
            heard: BTreeMap::new(),
            measured: Measured::default(),
        }
    }
}

fn blank(spec: Digest, header: &Header, outcome: Option<&Outcome>, measured: Measured) -> Summary {
    Summary {
        task: header.task.clone(),
        repeat: header.repeat,
        spec,
        ending: outcome.map(|outcome| outcome.ending.clone()),
        complete: outcome.is_some_and(Outcome::is_complete),
        score: measured.score,
        ribbon: Vec::new(),
        usage: BTreeMap::new(),
        faults: BTreeMap::new(),
        flags: BTreeMap::new(),
        failures: BTreeMap::new(),
        heard: BTreeMap::new(),
        measured,
    }
}

/// What was asked and is not answered yet, as far as counting needs it.
#[derive(Debug, Clone)]
enum Asked {
    /// A model, a person or a bot.
    Seat(Seat),
    /// A search for this many results.
    Search { results: u32 },
    /// A tool, by its name.
    Tool(&'static str),
}

impl Asked {
    /// What a request asks; `None` for a random draw, which goes to no seat or service.
    fn of(request: &Request) -> Option<Self> {
        match request {
            Request::Ask { seat, .. } => Some(Asked::Seat(seat.clone())),
            Request::Search(query) => Some(Asked::Search { results: query.results }),
            Request::Use(used) => Some(Asked::Tool(used.name())),
            Request::Draw { .. } => None,
        }
    }

    /// Under which name it is counted.
    fn role(&self) -> &str {
        match self {
            Asked::Seat(seat) => seat.as_str(),
            Asked::Search { .. } => SEARCH,
            Asked::Tool(name) => name,
        }
    }
}

/// Counts the lines of a transcript, one after the other.
#[derive(Debug, Clone)]
struct Tally {
    open: BTreeMap<CallId, Asked>,
    listening: Listening,
    /// The number of the next line.
    line: u64,
    /// What a branch has in common with the episode before it was asked and paid there.
    before: u64,
}

impl Tally {
    fn of(header: &Header) -> Self {
        Tally {
            open: BTreeMap::new(),
            listening: Listening::default(),
            line: 0,
            before: header.branch.as_ref().map_or(0, |branch| branch.lines),
        }
    }

    fn take(&mut self, header: &Header, event: &Event, summary: &mut Summary) {
        let is_own = self.line >= self.before;
        self.line += 1;
        self.listening.take(header, event, &mut summary.heard);
        let fault = match event {
            Event::Asked { call, request } => {
                self.open.extend(Asked::of(request).map(|asked| (*call, asked)));
                None
            }
            Event::Told { call, reply } => {
                let asked = self.open.remove(call);
                if let Some(asked) = asked.filter(|_| is_own) {
                    count_reply(header, &asked, reply, summary);
                }
                None
            }
            Event::Noted(Note::Turn(turn)) => turn.reading.fault.as_ref(),
            Event::Noted(Note::Observation(came)) => {
                came.reading.as_ref().and_then(|reading| reading.fault.as_ref())
            }
            Event::Noted(Note::Flag { name, .. }) => {
                *summary.flags.entry(name.clone()).or_default() += 1;
                None
            }
            Event::Noted(Note::Restarted { .. } | Note::Event { .. })
            | Event::Opened(_)
            | Event::Closed(_) => None,
        };
        if let Some(fault) = fault {
            *summary.faults.entry(fault.class.clone()).or_default() += 1;
        }
    }
}

fn count_reply(header: &Header, asked: &Asked, reply: &Reply, summary: &mut Summary) {
    let who = match asked {
        Asked::Seat(seat) => header.spec.seats.get(seat),
        Asked::Search { .. } | Asked::Tool(_) => None,
    };
    let model = match who.map(|sitting| &sitting.player) {
        Some(Player::Model { provider, model }) => Some((provider, model)),
        _ => None,
    };
    let usage = summary.usage.entry(asked.role().to_owned()).or_default();
    usage.calls += 1;
    usage.model_calls += u32::from(model.is_some());
    if let Some((provider, model)) = model {
        // Names are copied only where they are other ones.
        if usage.provider.as_ref() != Some(provider) {
            usage.provider = Some(provider.clone());
        }
        if usage.model.as_ref() != Some(model) {
            usage.model = Some(model.clone());
        }
    }
    match reply {
        Reply::Said(said) => {
            // What is 0 is known here: a reply that stood for several took no tokens.
            let counted = said.usage.possible();
            usage.counted += u32::from(counted.input.is_some() && counted.output.is_some());
            let tokens = [
                counted.input,
                counted.cached,
                counted.cache_written,
                counted.output,
                counted.reasoning,
            ];
            usage.add_tokens(tokens.map(Option::unwrap_or_default));
            for departure in &said.departures {
                let parameter = departure.parameter.clone();
                *usage.departures.entry(parameter).or_default() += 1;
            }
            if matches!(said.stop, Stop::Length | Stop::Filtered | Stop::Refused) {
                *usage.stops.entry(said.stop).or_default() += 1;
            }
            usage.largest = usage.largest.max(counted.input.unwrap_or(0));
        }
        Reply::Found { hits, .. } => {
            if let Asked::Search { results } = asked {
                let short = u32::try_from(hits.len()).is_ok_and(|found| found < *results);
                usage.short += u32::from(short);
            }
        }
        Reply::Failed(failure) => {
            usage.failed += 1;
            usage.unsure += u32::from(failure.may_be_charged());
            *summary.failures.entry(failure.class).or_default() += 1;
        }
        Reply::Drawn { .. } | Reply::Made(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_counts_end_at_the_largest_number() {
        let absurd = SeatUsage {
            calls: u32::MAX,
            input: u64::MAX,
            output: 1,
            departures: BTreeMap::from([("top_p".to_owned(), u32::MAX)]),
            stops: BTreeMap::from([(Stop::Refused, u32::MAX)]),
            ..SeatUsage::default()
        };
        let mut sum = absurd.clone();
        sum.add(&absurd);
        assert_eq!((sum.calls, sum.input, sum.output), (u32::MAX, u64::MAX, 2));
        assert_eq!(sum.departures["top_p"], u32::MAX);
        assert_eq!(sum.stops[&Stop::Refused], u32::MAX);
        assert_eq!(sum.tokens(), u64::MAX);
    }
}
