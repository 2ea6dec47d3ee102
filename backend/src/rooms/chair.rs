//! A seat in which a person sits: who, what is asked, and how much time is left. The time comes in as an argument.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::Instant;
use turnwise_shared::benchmark::people::Understands;
use turnwise_shared::prelude::*;
use turnwise_shared::run::Question as Shown;
use turnwise_shared::wire::live::{Agreed, Clock, LastEpisode, SeatAsk, Sitter};

use super::{Awaits, Seen, milliseconds};

/// An absent player whose time ran out is waited for no longer than this.
const AWAY: Duration = Duration::from_secs(5);

/// How long a script that looked counts as present.
const A_LOOK: Duration = Duration::from_secs(30);

pub struct Chair {
    seat: Seat,
    clock: Clock,
    /// What is left of the time bank.
    bank: Duration,
    sat: Option<Sat>,
    pub left: bool,
    /// Held by the socket of this seat that came last.
    socket: Option<oneshot::Sender<()>>,
    /// When the player was there last.
    seen: Instant,
    looked: Option<Instant>,
    /// Whether the last decision was taken away.
    was_late: bool,
    turns: u32,
    /// The first is shown, and its clock runs.
    questions: VecDeque<Question>,
    /// The last episode in which the seat took part.
    pub last: Option<LastEpisode>,
    /// What is understood of what is said here, where a bot understands only some of it.
    pub understands: Option<&'static Understands>,
    view: watch::Sender<Arc<Seen>>,
}

struct Sat {
    name: String,
    nonce: String,
    agreed: Option<Agreed>,
}

/// Something that the seat is asked.
#[derive(Debug)]
pub struct Question {
    pub ticket: Ticket,
    turn: u32,
    shown: Shown,
    asked: Instant,
}

/// Whether a question was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    InTime,
    /// No player answered before the time was over.
    Late,
}

impl Chair {
    /// An empty chair at a table.
    pub fn new(seat: Seat, info: &LiveInfo, now: Instant) -> Self {
        let view = SeatView {
            version: 1,
            seat: seat.clone(),
            table: info.clone(),
            episode: None,
            scene: Scene::default(),
            ask: None,
            awaited: None,
            last: None,
        };
        let seen = Seen { view, asked: None, awaits: None };
        Chair {
            seat,
            clock: info.clock,
            bank: Duration::from_secs(info.clock.bank_seconds.into()),
            sat: None,
            left: false,
            socket: None,
            seen: now,
            looked: None,
            was_late: false,
            turns: 0,
            questions: VecDeque::new(),
            last: None,
            understands: None,
            view: watch::Sender::new(Arc::new(seen)),
        }
    }

    /// The views of this seat.
    pub fn views(&self) -> watch::Receiver<Arc<Seen>> {
        self.view.subscribe()
    }

    /// What everybody may know of who sits here.
    pub fn sitter(&self, now: Instant) -> Sitter {
        Sitter {
            name: self.sat.as_ref().map(|sat| sat.name.clone()),
            connected: self.is_connected(now),
            left: self.left,
            agreed: self.sat.as_ref().and_then(|sat| sat.agreed.clone()),
        }
    }

    /// What was named for the seed, once a player has sat down.
    pub fn nonce(&self) -> Option<&str> {
        self.sat.as_ref().map(|sat| sat.nonce.as_str())
    }

    pub fn sit(&mut self, name: String, nonce: String, agreed: Option<Agreed>) {
        self.sat = Some(Sat { name, nonce, agreed });
    }

    /// The player gets up before the run begins.
    pub fn get_up(&mut self) {
        self.sat = None;
    }

    /// A socket stands; one that stood before hears that its time is over, because its sender is dropped.
    pub fn come(&mut self, hold: oneshot::Sender<()>, now: Instant) {
        self.seen = now;
        self.socket = Some(hold);
    }

    /// A script has looked, or a socket has gone.
    pub fn look(&mut self, now: Instant) {
        self.seen = now;
        match &self.socket {
            Some(socket) if socket.is_closed() => self.socket = None,
            Some(_) => {}
            None => self.looked = Some(now),
        }
    }

    /// Whether the player is connected.
    pub fn is_connected(&self, now: Instant) -> bool {
        let stands = |socket: &oneshot::Sender<()>| !socket.is_closed();
        self.socket.as_ref().is_some_and(stands)
            || self.looked.is_some_and(|looked| now.saturating_duration_since(looked) < A_LOOK)
    }

    /// When the player was there last; now, if connected.
    pub fn seen(&self, now: Instant) -> Instant {
        match self.socket.as_ref().is_some_and(|socket| !socket.is_closed()) {
            true => now,
            false => self.seen,
        }
    }

    pub fn ask(&mut self, ticket: Ticket, shown: Shown, now: Instant) {
        self.turns += 1;
        self.questions.push_back(Question { ticket, turn: self.turns, shown, asked: now });
    }

    /// The number of the question that stands, if one does.
    pub fn turn(&self) -> Option<u32> {
        self.questions.front().map(|question| question.turn)
    }

    /// When the decision that is asked for is taken away; never where there is no clock, unless the player has left for good.
    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        let asked = self.questions.front()?.asked;
        if self.left {
            return Some(asked);
        }
        let time = self.decision()? + self.bank;
        Some(match self.was_late && !self.is_connected(now) {
            true => asked + time.min(AWAY),
            false => asked + time,
        })
    }

    /// What the others see who wait for this seat; nothing where no clock runs, or nothing is asked.
    pub fn awaits(&self, now: Instant) -> Option<Awaits> {
        Some(Awaits {
            turn: self.turn()?,
            decision: self.decision()?,
            bank: self.bank,
            until: self.deadline(now)?,
        })
    }

    /// The question that stands is over. Returns its call, and how long it stood.
    pub fn take(&mut self, answered: Answered, now: Instant) -> Option<(Ticket, Duration)> {
        let question = self.questions.pop_front()?;
        self.was_late = answered == Answered::Late;
        let took = now.saturating_duration_since(question.asked);
        if let Some(decision) = self.decision() {
            self.bank = self.bank.saturating_sub(took.saturating_sub(decision));
        }
        if let Some(next) = self.questions.front_mut() {
            next.asked = now;
        }
        Some((question.ticket, took))
    }

    /// Nothing is asked any more.
    pub fn clear(&mut self) {
        self.questions.clear();
    }

    /// How long a decision may take; `None` = as long as it takes.
    fn decision(&self) -> Option<Duration> {
        let seconds = u64::from(self.clock.decision_seconds);
        self.clock.runs().then(|| Duration::from_secs(seconds))
    }

    /// Shows the current state, if it is new. What others do without being seen wakes no player: while this seat sees nothing
    /// new, the clock of whom it `awaits` does not begin again either, so that no player learns that another one is asked twice.
    pub fn show(
        &self,
        info: &LiveInfo,
        episode: Option<u32>,
        scene: Scene,
        awaits: Option<Awaits>,
    ) {
        let question = self.questions.front();
        let before = Arc::clone(&self.view.borrow());
        let mut view = SeatView {
            version: before.view.version,
            seat: self.seat.clone(),
            table: info.clone(),
            episode,
            scene,
            ask: question.map(|question| SeatAsk {
                turn: question.turn,
                expect: question.shown.expect.clone(),
                messages: question.shown.messages.clone(),
                parts: question.shown.parts.clone(),
                understood: self.understands.map(|one| one.about.to_owned()),
                decision_ms: milliseconds(self.decision().unwrap_or_default()),
                bank_ms: milliseconds(self.bank),
                // It is filled in when it is sent.
                deadline_in_ms: None,
            }),
            awaited: None,
            last: self.last.clone(),
        };
        let is_same = (view.episode, &view.scene) == (before.view.episode, &before.view.scene);
        let awaits = awaits.map(|awaits| match before.awaits {
            Some(known) if is_same && known.turn != awaits.turn => known,
            _ => awaits,
        });
        if view != before.view || awaits != before.awaits {
            view.version += 1;
            let asked = question.map(|question| question.asked);
            self.view.send_replace(Arc::new(Seen { view, asked, awaits }));
        }
    }
}

#[cfg(test)]
mod tests;
