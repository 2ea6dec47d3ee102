//! Which transcript lines are kept: only what goes on from what is stored, in a sound chain, for the run and the episode
//! that they name (ARCHITECTURE.md, rule 12).
//!
//! One thing may go back: a transcript that ended incomplete is taken up at the call that failed. What stood there before
//! is kept as a branch.

pub mod lines;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnwise_shared::effect::Reply;
use turnwise_shared::episode::Outcome;
use turnwise_shared::run::{EpisodeKey, PartKey};
use turnwise_shared::seat::Player;
use turnwise_shared::spec::Spec;
use turnwise_shared::transcript::{self, Event, Header, Part, Transcript};

use crate::error::Problem;

/// What the lines of a request amount to.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// They are stored already.
    Nothing,
    /// The transcript becomes this.
    Goes(Box<Going>),
}

/// How a transcript goes on.
#[derive(Debug, PartialEq)]
pub struct Going {
    /// The number of the first new line.
    pub from: u64,
    /// Where the stored text is cut, in bytes; its length if nothing is cut.
    pub cut: usize,
    /// The new lines, each with its line break.
    pub added: String,
    /// The whole transcript, read and checked.
    pub transcript: Transcript,
}

/// Decides what lines from number `from` on mean for a transcript.
///
/// # Errors
/// If they do not go on from it, or the whole is not a sound transcript of that episode of that run.
pub fn step(
    stored: &str,
    from: u64,
    lines: &str,
    spec: &Spec,
    episode: &EpisodeKey,
) -> Result<Step, Problem> {
    if lines.trim().is_empty() {
        return Err(Problem::bad_request("The request has no line in it."));
    }
    let kept: Vec<&str> = stored.split_inclusive('\n').collect();
    let mut given: Vec<&str> = lines.split_inclusive('\n').collect();
    let whole_last = given
        .last()
        .map(|last| format!("{}\n", last.trim_end_matches('\n')));
    if let (Some(last), Some(whole)) = (given.last_mut(), &whole_last) {
        *last = whole;
    }
    let start = usize::try_from(from)
        .ok()
        .filter(|start| *start <= kept.len())
        .ok_or_else(|| elsewhere(kept.len(), "these lines begin after its end"))?;
    let same = kept[start..]
        .iter()
        .zip(&given)
        .take_while(|(kept, given)| kept == given)
        .count();
    if same == given.len() {
        return Ok(Step::Nothing);
    }
    let at = start + same;
    if at < kept.len() && taken_up_at(stored) != Some(at) {
        return Err(elsewhere(
            kept.len(),
            &format!("line {} is another one", at + 1),
        ));
    }
    let cut = kept[..at].iter().map(|line| line.len()).sum();
    let added: String = given[same..].concat();
    let text = format!("{}{added}", &stored[..cut]);
    let transcript = transcript::read(&text)
        .map_err(|bad| Problem::unfit(format!("In the episode {episode}: {bad}.")))?;
    check(&transcript, spec, episode)?;
    Ok(Step::Goes(Box::new(Going {
        from: u64::try_from(at).unwrap_or(u64::MAX),
        cut,
        added,
        transcript,
    })))
}

fn elsewhere(lines: usize, why: &str) -> Problem {
    Problem::conflict(format!(
        "The server has {lines} lines of this transcript, and {why}."
    ))
    .mend("Go on from what the server has, or open another run.")
}

/// Where an incomplete transcript is taken up: at the last call that failed, as [`Run::restore`] does.
///
/// [`Run::restore`]: turnwise_shared::run::Run::restore
fn taken_up_at(stored: &str) -> Option<usize> {
    let transcript = transcript::read(stored).ok()?;
    if transcript.outcome().is_none_or(Outcome::is_complete) {
        return None;
    }
    let failed = |event: &Option<Event>| {
        matches!(
            event,
            Some(Event::Told {
                reply: Reply::Failed(_),
                ..
            })
        )
    };
    transcript.events.iter().rposition(failed)
}

fn check(transcript: &Transcript, spec: &Spec, episode: &EpisodeKey) -> Result<(), Problem> {
    let Header {
        spec: played,
        task,
        repeat,
        part,
        ..
    } = &transcript.header;
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
    let last = transcript.events.len() - 1;
    for (line, event) in transcript.events.iter().enumerate() {
        let why = match event {
            None => "is withheld",
            Some(Event::Opened(_)) if line > 0 => "is a second header",
            Some(Event::Closed(_)) if line < last => "ends the episode, and lines follow",
            _ => continue,
        };
        return Err(Problem::unfit(format!(
            "In the episode {episode}: line {} {why}.",
            line + 1
        )));
    }
    Ok(())
}

/// A tape speaks for whoever it recorded, so in transcripts its seat has another player than in the spec that named it.
fn same_run(opened: &Spec, played: &Spec) -> bool {
    let mut played = played.clone();
    for (seat, sitting) in &opened.seats {
        if matches!(sitting.player, Player::Tape(_)) {
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

/// Whether an episode is a play.
pub fn is_play(episode: &EpisodeKey) -> bool {
    episode.part() == PartKey::Play
}

#[cfg(test)]
mod tests;
