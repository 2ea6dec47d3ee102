//! The lines of a run that the server drives on their way into the store. They are written beside the driver, not before its
//! next call: a line that was not written yet is made anew from the ledger, where every reply lies before any caller hears of it.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout_at};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::{Epoch, Holder, SERVER_LEASE};

use super::lease::lives_until;
use crate::append_rules::lines;
use crate::driver::Recorder;
use crate::error::{Answer, Problem};
use crate::store::{Hold, RunHead};
use crate::{App, measures};

/// Lines of episodes under way are written so often; those of one that is over at once.
const NOW_AND_THEN: Duration = Duration::from_secs(2);

/// So often the lease is renewed while nothing is written.
const SIGN: Duration = Duration::from_millis(SERVER_LEASE / 4);

struct Lines {
    episode: EpisodeKey,
    from: u64,
    text: String,
}

/// What the driver hands over.
enum Piece {
    Lines(Lines),
    Over(EpisodeKey),
    /// A caller that waits for this waits until everything before it is written.
    Flush(oneshot::Sender<()>),
}

/// A way to have everything written that was handed over.
#[derive(Clone)]
pub struct Flush(mpsc::UnboundedSender<Piece>);

impl Flush {
    /// Returns once it is written, or will never be.
    pub async fn flush(&self) {
        let (done, written) = oneshot::channel();
        if self.0.send(Piece::Flush(done)).is_ok() {
            // A writer that has stopped has stopped the driver, too.
            let _ = written.await;
        }
    }
}

pub struct Keeper {
    pieces: mpsc::UnboundedSender<Piece>,
    progress: watch::Sender<Option<Progress>>,
}

pub struct Writer {
    app: App,
    head: RunHead,
    epoch: Epoch,
    pieces: mpsc::UnboundedReceiver<Piece>,
    waiting: BTreeMap<EpisodeKey, Lines>,
    over: BTreeSet<EpisodeKey>,
    flushes: Vec<oneshot::Sender<()>>,
    written: Instant,
}

/// Both ends. What is handed to the one is written by [`Writer::write`] in the name of this lease.
pub fn pair(
    app: &App,
    head: &RunHead,
    epoch: Epoch,
    progress: watch::Sender<Option<Progress>>,
) -> (Keeper, Writer) {
    let (sender, pieces) = mpsc::unbounded_channel();
    let writer = Writer {
        app: app.clone(),
        head: head.clone(),
        epoch,
        pieces,
        waiting: BTreeMap::new(),
        over: BTreeSet::new(),
        flushes: Vec::new(),
        written: Instant::now(),
    };
    let keeper = Keeper { pieces: sender, progress };
    (keeper, writer)
}

impl Keeper {
    /// A way to have everything written that was handed over.
    pub fn flush(&self) -> Flush {
        Flush(self.pieces.clone())
    }
}

impl Recorder for Keeper {
    /// What cannot be written stops the driver from the other end.
    type Error = Infallible;

    fn keep(
        &mut self,
        episode: &EpisodeKey,
        from: u64,
        lines: &[String],
    ) -> Result<(), Infallible> {
        let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        let lines = Lines { episode: episode.clone(), from, text };
        // The other end is gone only once it has stopped the driver.
        let _ = self.pieces.send(Piece::Lines(lines));
        Ok(())
    }

    fn timed(&mut self, _: &Ticket, _: &Timing) -> Result<(), Infallible> {
        // The ledger has it.
        Ok(())
    }

    fn ended(&mut self, episode: &EpisodeKey, _: &Outcome, _: Summary) {
        let _ = self.pieces.send(Piece::Over(episode.clone()));
    }

    fn unfit(&mut self, episode: &EpisodeKey, problem: &BadSpec) {
        tracing::warn!(%episode, %problem, "an episode that the server drives is left out");
    }

    fn progress(&mut self, progress: &Progress) {
        self.progress.send_if_modified(|before| {
            let is_new = before.as_ref() != Some(progress);
            if is_new {
                *before = Some(progress.clone());
            }
            is_new
        });
    }
}

impl Writer {
    /// Writes until the driver has let go of its end and everything is written.
    ///
    /// # Errors
    /// If another driver drives the run, or lines cannot be kept; nothing more is written then.
    pub async fn write(mut self) -> Answer<()> {
        let mut signs = interval(SIGN);
        signs.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let due = self.written + NOW_AND_THEN;
            tokio::select! {
                piece = timeout_at(due, self.pieces.recv()) => match piece {
                    Ok(Some(piece)) => {
                        self.take(piece);
                        while let Ok(piece) = self.pieces.try_recv() {
                            self.take(piece);
                        }
                        match self.flushes.is_empty() {
                            true => self.put(|over| over).await?,
                            false => self.put(|_| true).await?,
                        }
                    }
                    Ok(None) => return self.put(|_| true).await,
                    Err(_) => {
                        self.put(|_| true).await?;
                        self.written = Instant::now();
                    }
                },
                _ = signs.tick() => self.sign().await?,
            }
        }
    }

    fn take(&mut self, piece: Piece) {
        match piece {
            Piece::Flush(done) => self.flushes.push(done),
            Piece::Over(episode) => drop(self.over.insert(episode)),
            Piece::Lines(lines) => match self.waiting.get_mut(&lines.episode) {
                Some(waiting) => waiting.text.push_str(&lines.text),
                None => drop(self.waiting.insert(lines.episode.clone(), lines)),
            },
        }
    }

    /// Writes the lines of the episodes for which `is_due` holds; it is given whether they are over.
    async fn put(&mut self, is_due: impl Fn(bool) -> bool) -> Answer<()> {
        let due: Vec<EpisodeKey> = self
            .waiting
            .keys()
            .filter(|episode| is_due(self.over.contains(*episode)))
            .cloned()
            .collect();
        let mut ended = BTreeSet::new();
        for episode in due {
            let Some(Lines { from, text, .. }) = self.waiting.remove(&episode) else {
                continue;
            };
            // Each in its own time: many lines take longer than a lease lives.
            let keep = || async {
                let hold = Some(self.hold());
                lines::store(&self.app, &self.head, &episode, from, &text, hold).await
            };
            let kept = self.app.store().insist(keep).await?;
            if kept.has_ended {
                ended.insert(episode.its_play());
            }
            self.over.remove(&episode);
        }
        for done in self.flushes.drain(..) {
            // The caller that waited may have gone.
            let _ = done.send(());
        }
        for play in ended {
            self.sign().await?;
            let refresh = || async { measures::refresh(&self.app, &self.head, &play).await };
            self.app.store().insist(refresh).await?;
        }
        Ok(())
    }

    /// Says that the driver is there.
    async fn sign(&self) -> Answer<()> {
        let store = self.app.store();
        let renew = || async { store.renew_lease(&self.head.run, self.hold()).await };
        match store.insist(renew).await? {
            true => Ok(()),
            false => Err(Problem::driven_elsewhere()),
        }
    }

    fn hold(&self) -> Hold {
        Hold { epoch: self.epoch, until: lives_until(Holder::Server) }
    }
}
