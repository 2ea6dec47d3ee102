//! Transcript lines on their way into the store, in the name of whoever drives the run.

use turnwise_shared::run::{EpisodeKey, begins_with};
use turnwise_shared::transcript::{self, Transcript};
use turnwise_shared::wire::{MAX_JSON_DEPTH, Stored};

use super::{Going, Step, is_play, step};
use crate::App;
use crate::error::{Answer, Problem};
use crate::store::{Change, Changed, Head, Hold, RunHead};
use crate::{egress, limits, visitors};

/// The most bytes of all transcripts of a run (ARCHITECTURE.md, rule 10).
const LARGEST_RUN: u64 = 512_000_000;

/// How often a change is decided anew because another one came between.
const TRIES: u32 = 5;

/// What became of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// What is stored now.
    pub stored: Stored,
    /// Whether the episode ended with them, and its measures are to be made anew.
    pub has_ended: bool,
}

/// Stores lines of an episode, from number `from` on.
///
/// # Errors
/// If they do not go on from what is stored, somebody else drives the run, or the store fails.
pub async fn store(
    app: &App,
    run: &RunHead,
    episode: &EpisodeKey,
    from: u64,
    lines: &str,
    hold: Option<Hold>,
) -> Answer<Kept> {
    if let Some(line) = lines.lines().position(too_deep) {
        return Err(Problem::bad_request(format!(
            "Line {} of the request is nested too deep.",
            line + 1
        )));
    }
    for _ in 0..TRIES {
        if let Some(kept) = keep(app, run, episode, from, lines, hold).await? {
            return Ok(kept);
        }
    }
    Err(Problem::conflict("Somebody else writes this transcript."))
}

/// One try; `None` if another request was faster.
async fn keep(
    app: &App,
    run: &RunHead,
    episode: &EpisodeKey,
    from: u64,
    lines: &str,
    hold: Option<Hold>,
) -> Answer<Option<Kept>> {
    let stored = app.store().transcript(&run.run, episode).await?;
    let (text, head) = match &stored {
        Some((text, head)) => (text.as_str(), Some(*head)),
        None => ("", None),
    };
    if run.regrades.is_some() && is_play(episode) {
        return Err(Problem::unfit(
            "This run grades the plays of another one and has none of its own.",
        ));
    }
    let going = match step(text, from, lines, &run.spec, episode)? {
        Step::Nothing => {
            let lines = head.map_or(0, |head| head.lines);
            return Ok(Some(Kept {
                stored: Stored { lines },
                has_ended: false,
            }));
        }
        Step::Goes(going) => *going,
    };
    let Going {
        from,
        cut,
        added,
        transcript,
    } = going;
    branch(
        app,
        run,
        episode,
        head.map_or(0, |head| head.lines),
        &transcript,
    )
    .await?;
    let bytes = u64::try_from(added.len()).unwrap_or(u64::MAX);
    let largest = visitors::largest(run, LARGEST_RUN);
    if app.store().bytes(&run.run).await?.saturating_add(bytes) > largest {
        return Err(Problem::too_large(largest));
    }
    let lines = u64::try_from(transcript.events.len()).unwrap_or(u64::MAX);
    let ending = transcript.outcome().map(|outcome| outcome.ending.as_str());
    let change = Change {
        before: head,
        from,
        cut: (cut < text.len()).then(|| text.split_at(cut)),
        added: &added,
        after: Head {
            lines,
            chain: transcript.chain,
        },
        bytes,
        ending,
        now: egress::now(),
    };
    match app.store().change(&run.run, episode, &change, hold).await? {
        Changed::Kept => Ok(Some(Kept {
            stored: Stored { lines },
            has_ended: ending.is_some(),
        })),
        Changed::Meanwhile => Ok(None),
        Changed::DrivenElsewhere => Err(Problem::driven_elsewhere()),
        Changed::Published => Err(Problem::conflict(
            "A row on a board says what this transcript is, so nothing of it changes any more.",
        )
        .mend("Take the run off its board first.")),
    }
}

/// A branch begins with the lines of the play that it names, so nobody is told of turns that were never played there.
async fn branch(
    app: &App,
    run: &RunHead,
    episode: &EpisodeKey,
    known: u64,
    transcript: &Transcript,
) -> Answer<()> {
    if !is_play(episode) {
        return Ok(());
    }
    if transcript.header.branch != run.branch_of {
        return Err(Problem::unfit(
            "The header names another play to go on from than this run does.",
        ));
    }
    let Some(of) = &run.branch_of else {
        return Ok(());
    };
    if *episode != of.episode {
        return Err(Problem::unfit(format!(
            "This run goes on from {} and has no other play.",
            of.episode
        )));
    }
    if known >= of.lines {
        return Ok(());
    }
    let parent = app.store().transcript(&of.run, &of.episode).await?;
    let parent = parent.and_then(|(text, _)| transcript::read(&text).ok());
    match parent {
        Some(parent) if begins_with(transcript, of, &parent) => Ok(()),
        _ => Err(Problem::unfit(format!(
            "The first {} lines are not those of the play that this run goes on from.",
            of.lines
        ))),
    }
}

fn too_deep(line: &str) -> bool {
    limits::depth(line.as_bytes()) > MAX_JSON_DEPTH
}
