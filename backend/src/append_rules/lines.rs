//! Transcript lines on their way into the store, in the name of the driver of the run.

use turnwise_shared::prelude::*;
use turnwise_shared::run::begins_with;
use turnwise_shared::transcript::{chain_of, event_of};
use turnwise_shared::wire::{MAX_JSON_DEPTH, Stored};

use super::{Going, Step, StoredPart, is_play, may_be_taken_up, step};
use crate::App;
use crate::access::anonymous;
use crate::error::{Answer, Problem};
use crate::store::{Change, Changed, Extent, Hold, RunHead, StoreError};
use crate::{clock, limits};

/// The most bytes of all transcripts of a run (ARCHITECTURE.md, rule 10).
const LARGEST_RUN: u64 = 512_000_000;

/// How often a change is decided anew because another one came between.
const TRIES: u32 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    pub stored: Stored,
    /// Whether the episode ended with them, and its measures are to be made anew.
    pub has_ended: bool,
}

/// Stores lines of an episode, from number `from` on.
///
/// # Errors
/// If they do not go on from what is stored, another driver drives the run, or the store fails.
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
    if run.regrades.is_some() && is_play(episode) {
        return Err(Problem::unfit(
            "This run grades the episodes of another one and has none of its own.",
        ));
    }
    let Some(known) = known(app, &run.run, episode, from, lines.len()).await? else {
        return Ok(None);
    };
    let before = known.extent.as_ref().map(|extent| extent.head);
    let going = match step(&known, from, lines, &run.spec, episode)? {
        Step::Nothing => {
            let lines = before.map_or(0, |head| head.lines);
            return Ok(Some(Kept { stored: Stored { lines }, has_ended: false }));
        }
        Step::Goes(going) => *going,
    };
    branch(app, run, episode, &going).await?;
    let bytes = going.added.len() as u64;
    let largest = anonymous::largest(run, LARGEST_RUN);
    if app.store().bytes(&run.run).await?.saturating_add(bytes) > largest {
        return Err(Problem::too_large(largest));
    }
    let ending = going.outcome().map(|outcome| outcome.ending.as_str());
    let change = Change {
        before,
        from: going.from,
        at: going.at,
        added: &going.added,
        failed: &going.failures(),
        after: going.after,
        ending,
        now: clock::now(),
    };
    let lines = going.after.lines;
    match app.store().change(&run.run, episode, &change, hold).await? {
        Changed::Kept => Ok(Some(Kept { stored: Stored { lines }, has_ended: ending.is_some() })),
        Changed::Meanwhile => Ok(None),
        Changed::DrivenElsewhere => Err(Problem::driven_elsewhere()),
        Changed::Published => Err(Problem::conflict(
            "A row on a board says what this transcript is, so nothing of it changes any more.",
        )
        .mend("Take the run off its board first.")),
    }
}

/// What is known of a transcript to which `bytes` bytes of lines are added from number `from` on; `None` if it changed meanwhile.
async fn known(
    app: &App,
    run: &RunId,
    episode: &EpisodeKey,
    from: u64,
    bytes: usize,
) -> Answer<Option<StoredPart>> {
    let Some(extent) = app.store().extent(run, episode).await? else {
        return Ok(Some(StoredPart::default()));
    };
    if from >= extent.head.lines {
        let extent = Some(extent);
        return Ok(Some(StoredPart { extent, ..StoredPart::default() }));
    }
    let Some((at, _)) = app.store().line(run, episode, extent.cuts, from).await? else {
        return Ok(None);
    };
    // One more for the line break, which the last of the new lines need not have.
    let end = extent.bytes.min(at + bytes as u64 + 1);
    let mut overlap = Vec::new();
    while at + (overlap.len() as u64) < end {
        let next = at + overlap.len() as u64..end;
        match app.store().some_bytes(run, episode, extent.cuts, next).await? {
            Some(some) => overlap.extend(some),
            None => return Ok(None),
        }
    }
    let failed = match &extent.ending {
        Some(ending) if may_be_taken_up(ending) => failed(app, run, episode, &extent).await?,
        _ => None,
    };
    Ok(Some(StoredPart { extent: Some(extent), overlap, at, failed }))
}

/// The last call of an episode that failed: its line, and the chain value before it.
async fn failed(
    app: &App,
    run: &RunId,
    episode: &EpisodeKey,
    extent: &Extent,
) -> Answer<Option<(u64, Digest)>> {
    let Some(line) = app.store().last_failure(run, episode).await? else {
        return Ok(None);
    };
    let before = line.saturating_sub(1);
    let before = app.store().line(run, episode, extent.cuts, before).await?;
    Ok(before.and_then(|(_, text)| {
        let chain = chain_of(std::str::from_utf8(&text).ok()?)?;
        Some((line, chain))
    }))
}

/// A branch begins with the lines of the episode that it names, so no player is shown turns that were never played there.
async fn branch(app: &App, run: &RunHead, episode: &EpisodeKey, going: &Going) -> Answer<()> {
    if !is_play(episode) {
        return Ok(());
    }
    if let Some(Some(Event::Opened(header))) = going.events.first()
        && header.branch != run.branch_of
    {
        return Err(Problem::unfit(
            "The header names another episode to go on from than this run does.",
        ));
    }
    let Some(of) = &run.branch_of else {
        return Ok(());
    };
    if *episode != of.episode {
        return Err(Problem::unfit(format!(
            "This run goes on from {} and has no other episode.",
            of.episode
        )));
    }
    match is_in_common(app, of, going).await? {
        true => Ok(()),
        false => Err(Problem::unfit(format!(
            "The first {} lines are not those of the episode that this run goes on from.",
            of.lines
        ))),
    }
}

/// Whether the new lines are the parent's as far as a branch has them in common with it. No more of the parent is read than that.
async fn is_in_common(app: &App, of: &BranchOf, going: &Going) -> Result<bool, StoreError> {
    let end = of.lines.min(going.after.lines);
    // The header is the branch's own.
    let mut line = going.from.max(1);
    if line >= end {
        return Ok(true);
    }
    let store = app.store();
    let Some(parent) = store.extent(&of.run, &of.episode).await? else {
        return Ok(false);
    };
    if parent.head.lines < of.lines {
        return Ok(false);
    }
    let first = store.line(&of.run, &of.episode, parent.cuts, line).await?;
    let Some((mut at, _)) = first else {
        return Err(StoreError::Changing);
    };
    let mut text = Vec::new();
    while line < end {
        let next = at..parent.bytes;
        if next.is_empty() {
            return Ok(false);
        }
        let some = store.some_bytes(&of.run, &of.episode, parent.cuts, next).await?;
        let some = some.ok_or(StoreError::Changing)?;
        at += some.len() as u64;
        text.extend(some);
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let theirs: Vec<Option<Event>> = text[..whole]
            .split_inclusive(|byte| *byte == b'\n')
            .map(|line| event_of(std::str::from_utf8(line).ok()?).ok())
            .collect();
        text.drain(..whole);
        let skip = usize::try_from(line - going.from).unwrap_or(usize::MAX);
        let ours = going.events.iter().skip(skip).take(theirs.len());
        let ours: Vec<Option<Event>> = ours.cloned().collect();
        if !begins_with(of, line, &ours, &theirs) {
            return Ok(false);
        }
        line += theirs.len() as u64;
    }
    Ok(true)
}

fn too_deep(line: &str) -> bool {
    limits::depth(line.as_bytes()) > MAX_JSON_DEPTH
}

#[cfg(test)]
mod tests;
