//! Bringing a run to another server: its transcripts go there in pieces over the same routes that a page uses, and what broke off
//! goes on from what the server has. Then the server is asked to publish it, and says what it found.
//!
//! Receipts do not travel: they are the word of the server that made the calls, and name its run. So a run that was made
//! elsewhere can be replayed and computed anew, and is self-reported unless everything in it can be recomputed.

mod error;
mod server;
mod source;

use std::collections::{BTreeMap, BTreeSet};

use turnwise_shared::prelude::*;
use turnwise_shared::transcript::event_of;
use turnwise_shared::wire::publishing::Refusal;
use turnwise_shared::wire::{Epoch, PieceHead, PieceStored};

use crate::secret::Secret;
use server::strange;
use source::Remembered;

pub use error::CannotSubmit;
pub use server::Server;
pub use source::{FILE, Source};

/// The most bytes of one request: what a server takes, less room for heads.
const PIECE: usize = 900_000;

/// What happened on the way, for the user who watches.
pub enum Step<'a> {
    /// The run was opened there, or is there from before.
    Opened(&'a RunId),
    /// How many transcripts are there, and of how many.
    Sent(usize, usize),
    Checking,
}

/// Brings a run to a server and publishes it there. Without a new beginning it goes on where it broke off.
pub async fn submit(
    source: &Source,
    to: &Server,
    owner: Option<&Secret>,
    mut watch: impl FnMut(Step<'_>),
) -> Result<Admission, CannotSubmit> {
    let run = match source.remembered(to)? {
        Some(run) => run,
        None => source.open(to, owner).await?,
    };
    watch(Step::Opened(&run.run));
    let there: Vec<EpisodeHead> = to.get(&format!("/api/runs/{}/episodes", run.run)).await?;
    let there: BTreeMap<EpisodeKey, u64> =
        there.into_iter().map(|head| (head.episode, head.lines)).collect();
    let episodes = source.episodes().await?;
    let mut sent = BTreeSet::new();
    for (at, episode) in episodes.iter().enumerate() {
        let text = source.text(episode).await?;
        let from = there.get(episode).copied().unwrap_or(0);
        send_lines(to, &run, episode, from, &text).await?;
        for picture in text.lines().filter_map(|line| event_of(line).ok()?.picture()) {
            if sent.insert(picture.digest) {
                send_picture(source, to, &run, &picture).await?;
            }
        }
        watch(Step::Sent(at + 1, episodes.len()));
    }
    watch(Step::Checking);
    let (status, text) = to.checked(&run.run, &run.token).await?;
    if status.is_success() {
        let admission =
            serde_json::from_str(&text).map_err(|_| CannotSubmit::Refused(strange(status)))?;
        close(to, &run).await?;
        return Ok(admission);
    }
    Err(match serde_json::from_str::<Refusal>(&text) {
        Ok(refusal) => CannotSubmit::Wrong(Box::new(refusal)),
        Err(_) => CannotSubmit::Refused(strange(status)),
    })
}

async fn send_picture(
    source: &Source,
    to: &Server,
    run: &Remembered,
    picture: &PictureRef,
) -> Result<(), CannotSubmit> {
    let png = source.picture(picture).await?;
    let path = format!("/api/runs/{}/pictures/{}", run.run, picture.digest);
    let (status, text) = to.send(to.client.put(to.url(&path)).body(png), Some(&run.token)).await?;
    match status.is_success() {
        true => Ok(()),
        false => Err(CannotSubmit::Refused(
            serde_json::from_str(&text).unwrap_or_else(|_| strange(status)),
        )),
    }
}

/// Says that nothing more comes: readers of the run see that it is complete.
async fn close(to: &Server, run: &Remembered) -> Result<(), CannotSubmit> {
    let wanted = SetState { state: RunState::Closed, epoch: Epoch::default(), trouble: None };
    let request = to.client.post(to.url(&format!("/api/runs/{}/state", run.run))).json(&wanted);
    let _: RunInfo = to.read(request, Some(&run.token)).await?;
    Ok(())
}

async fn send_lines(
    to: &Server,
    run: &Remembered,
    episode: &EpisodeKey,
    from: u64,
    text: &str,
) -> Result<(), CannotSubmit> {
    let skip = usize::try_from(from).unwrap_or(usize::MAX);
    let mut lines = text.lines().skip(skip).peekable();
    let mut from = from;
    while lines.peek().is_some() {
        let (mut piece, mut count) = (String::new(), 0_u64);
        while let Some(line) = lines.next_if(|line| piece.len() + line.len() < PIECE) {
            piece.push_str(line);
            piece.push('\n');
            count += 1;
        }
        if count == 0 {
            return Err(CannotSubmit::LongLine(episode.clone()));
        }
        let head = PieceHead { episode: episode.clone(), from, lines: count };
        let head = serde_json::to_string(&head).expect("a head is plain data");
        let request = to
            .client
            .post(to.url(&format!("/api/runs/{}/lines", run.run)))
            .header("content-type", "application/x-ndjson")
            .body(format!("{head}\n{piece}"));
        let stored: Vec<PieceStored> = to.read(request, Some(&run.token)).await?;
        if let Some(PieceStored::Refused { error }) = stored.into_iter().next() {
            return Err(CannotSubmit::Refused(error));
        }
        from += count;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
