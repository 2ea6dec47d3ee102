//! Which transcript lines are kept: only what goes on from what is stored, in a sound chain, for the run and the episode
//! that they name (ARCHITECTURE.md, rule 12).
//!
//! One thing may go back: a transcript that ended incomplete is taken up at the call that failed. What stood there before
//! is kept as a branch.

pub mod lines;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnwise_shared::prelude::*;
use turnwise_shared::transcript::Reader;

use crate::error::Problem;
use crate::store::{Extent, Head};

/// What lines from some number on need to know of a transcript that is stored, and no more: what it costs to go on does not grow
/// with what is there.
#[derive(Debug, Clone, Default)]
pub struct StoredPart {
    /// How far it goes; `None` if there is none.
    pub extent: Option<Extent>,
    /// What is stored from that line on, up to as many bytes as the new lines have.
    pub overlap: Vec<u8>,
    /// The byte with which the overlap begins.
    pub at: u64,
    /// The last call that failed, if the episode did not come to its end: the number of the line that tells of it, and the chain value
    /// before that line.
    pub failed: Option<(u64, Digest)>,
}

/// What the lines of a request amount to.
#[derive(Debug, PartialEq)]
pub enum Step {
    Nothing,
    Goes(Box<Going>),
}

/// How a transcript goes on.
#[derive(Debug, PartialEq)]
pub struct Going {
    /// The number of the first new line. What was stored from there on is cut off.
    pub from: u64,
    /// The byte with which it begins.
    pub at: u64,
    /// The new lines, each with its line break.
    pub added: String,
    /// What they say, read and checked.
    pub events: Vec<Option<Event>>,
    /// Where the transcript ends then.
    pub after: Head,
}

impl Going {
    /// How the episode ends with these lines, if it does.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self.events.last() {
            Some(Some(Event::Closed(outcome))) => Some(outcome),
            _ => None,
        }
    }

    /// The numbers of the new lines that tell of a call that failed.
    pub fn failures(&self) -> Vec<u64> {
        (self.from..)
            .zip(&self.events)
            .filter(|(_, event)| event.as_ref().is_some_and(Event::tells_of_failure))
            .map(|(line, _)| line)
            .collect()
    }
}

/// Whether an episode that ended so may be taken up again, at its last call that failed, as [`Run::restore`] does.
///
/// [`Run::restore`]: turnwise_shared::run::Run::restore
pub fn may_be_taken_up(ending: &str) -> bool {
    [Outcome::INCOMPLETE, Outcome::BROKEN].contains(&ending)
}

/// Decides what lines from number `from` on mean for a transcript.
///
/// # Errors
/// If they do not go on from it, or the whole is not a sound transcript of that episode of that run.
pub fn step(
    known: &StoredPart,
    from: u64,
    lines: &str,
    spec: &Spec,
    episode: &EpisodeKey,
) -> Result<Step, Problem> {
    if lines.trim().is_empty() {
        return Err(Problem::bad_request("The request has no line in it."));
    }
    let mut given: Vec<&str> = lines.split_inclusive('\n').collect();
    let whole_last = given.last().map(|last| format!("{}\n", last.trim_end_matches('\n')));
    if let (Some(last), Some(whole)) = (given.last_mut(), &whole_last) {
        *last = whole;
    }
    let has = known.extent.as_ref().map_or(0, |extent| extent.head.lines);
    if from > has {
        return Err(elsewhere(has, "these lines begin after its end"));
    }
    let same = known
        .overlap
        .split_inclusive(|byte| *byte == b'\n')
        .zip(&given)
        .take_while(|(kept, given)| *kept == given.as_bytes())
        .count();
    if same == given.len() {
        return Ok(Step::Nothing);
    }
    let line = from + same as u64;
    let mut is_over = false;
    let (at, mut reader) = match (&known.extent, known.failed) {
        (Some(extent), _) if line == has => {
            is_over = extent.ending.is_some();
            let Head { lines, chain } = extent.head;
            (extent.bytes, Reader { chain, lines })
        }
        (Some(_), Some((failed, chain))) if failed == line => {
            let before: usize = given[..same].iter().map(|line| line.len()).sum();
            let lines = line;
            (known.at + before as u64, Reader { chain, lines })
        }
        (Some(_), _) => {
            let why = format!("line {} is another one", line + 1);
            return Err(elsewhere(has, &why));
        }
        (None, _) => (0, Reader::new()),
    };
    let added: String = given[same..].concat();
    let unfit = |why: String| Problem::unfit(format!("In the episode {episode}: {why}."));
    let events = reader.read(&added).map_err(|bad| unfit(bad.to_string()))?;
    if let (0, Some(Some(Event::Opened(header)))) = (line, events.first()) {
        is_of(header, spec, episode)?;
    }
    if is_over {
        return Err(unfit(format!("line {has} ends the episode, and lines follow")));
    }
    in_order(line, &events).map_err(unfit)?;
    Ok(Step::Goes(Box::new(Going {
        from: line,
        at,
        added,
        events,
        after: Head { lines: reader.lines, chain: reader.chain },
    })))
}

fn elsewhere(lines: u64, why: &str) -> Problem {
    Problem::conflict(format!("The server has {lines} lines of this transcript, and {why}."))
        .mend("Go on from what the server has, or open another run.")
}

/// Checks that a transcript with this header is of that episode of that run.
fn is_of(header: &Header, spec: &Spec, episode: &EpisodeKey) -> Result<(), Problem> {
    let Header { spec: played, task, repeat, part, .. } = header;
    let play = EpisodeKey::play(&task.id, *repeat);
    let named = match part {
        Part::Play => play,
        Part::Grading { .. } => play.grading(),
    };
    if named != *episode {
        return Err(Problem::unfit(format!(
            "These lines are of the episode {named}, not of {episode}."
        )));
    }
    if !same_run(spec, played) {
        let what = difference(spec, played).join(", ");
        return Err(Problem::unfit(format!(
            "The lines of {episode} were played under another configuration than this run's: {what} differs."
        )));
    }
    Ok(())
}

/// Checks that lines, the first of which has this number, are those of an episode in which nothing is missing and that ends once.
fn in_order(first: u64, events: &[Option<Event>]) -> Result<(), String> {
    let last = first + (events.len() as u64).saturating_sub(1);
    for (line, event) in (first..).zip(events) {
        let why = match event {
            None => "is withheld",
            Some(Event::Opened(_)) if line > 0 => "is a second header",
            Some(Event::Closed(_)) if line < last => "ends the episode, and lines follow",
            _ => continue,
        };
        return Err(format!("line {} {why}", line + 1));
    }
    Ok(())
}

/// A recording speaks for the player that it recorded, so in transcripts its seat has another player than in the spec that named
/// it.
fn same_run(opened: &Spec, played: &Spec) -> bool {
    let mut played = played.clone();
    for (seat, sitting) in &opened.seats {
        if matches!(sitting.player, Player::Recording(_)) {
            played.seats.insert(seat.clone(), sitting.clone());
        }
    }
    *opened == played
}

/// Which parts of two configurations differ, e.g. `repeats`, `seats.player`.
fn difference(opened: &Spec, played: &Spec) -> Vec<String> {
    let [opened, played] = [opened, played].map(|spec| json!(spec));
    let mut differ = Vec::new();
    for name in names(&opened, &played) {
        let (one, other) = (&opened[&name], &played[&name]);
        match (one, other) {
            _ if one == other => {}
            (Value::Object(_), Value::Object(_)) => differ.extend(
                names(one, other)
                    .into_iter()
                    .filter(|part| one[part] != other[part])
                    .map(|part| format!("{name}.{part}")),
            ),
            _ => differ.push(name),
        }
    }
    differ
}

/// The names of the fields that one of two objects has, in order.
fn names(one: &Value, other: &Value) -> BTreeSet<String> {
    [one, other]
        .into_iter()
        .filter_map(Value::as_object)
        .flat_map(|object| object.keys().cloned())
        .collect()
}

/// Whether this is the episode itself, and not its grading.
pub fn is_play(episode: &EpisodeKey) -> bool {
    episode.part() == PartKey::Play
}

#[cfg(test)]
mod tests;
