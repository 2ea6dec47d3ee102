//! A seat at a live table, as a page holds it: what it sees, what it is asked, and the line to the server, which is made
//! again by itself when it breaks.
//!
//! Nothing is sent twice. A reply that may not have arrived is never repeated by the page: if the server still asks after
//! the line stands again, the person is asked again, and sees why.

mod kept;

use futures::channel::{mpsc, oneshot};
use futures::future::{Shared, select};
use futures::{FutureExt as _, StreamExt as _};
use turnwise_shared::wire::live::{SeatFrame, SeatHears, SeatSays};

use crate::api::live::{SeatHeard, SeatSocket, seat};
use crate::clicks::ignore_second_click;
use crate::prelude::*;
use crate::unsent::Unsent;
use crate::{api, clock, strings};

pub use kept::{Kept, nonce, number_below};

/// Milliseconds before the line is tried again, the first time; twice as long each further time.
const PATIENCE: u32 = 500;

/// The longest wait before the line is tried again.
const LONGEST_PATIENCE: u32 = 8000;

/// How the line to the server stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// It is being made for the first time.
    Opening,
    Open,
    /// It broke, and is being made again.
    Broken,
    /// Another page has taken the seat.
    TakenOver,
    /// A person has sat down there by another page, and this one was only opened.
    Taken,
    Over,
    /// The server does not let this page in; trying again cannot succeed.
    Refused(ApiError),
}

/// Whose decision a clock counts down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    Own,
    /// That of a player for whom this seat waits.
    Other,
}

/// When a decision is taken away, in milliseconds of [`clock::now`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deadline {
    pub whose: Whose,
    /// From here on the time bank is used.
    pub bank_from: f64,
    pub end: f64,
    /// Milliseconds of a decision without the bank.
    pub decision: f64,
    /// Milliseconds in the bank before this decision.
    pub bank: f64,
}

/// A seat. To be made by [`LiveSeat::hold`] inside a component; the line is dropped when that is gone.
#[derive(Clone, Copy)]
pub struct LiveSeat {
    /// What the seat sees now; `None` until the server has said so.
    pub view: RwSignal<Option<Arc<SeatView>>>,
    pub line: RwSignal<Line>,
    /// When what is asked now is taken away, here or from whom this seat waits for; `None` also where there is no clock.
    pub deadline: RwSignal<Option<Deadline>>,
    /// What the server refused last; the decision stays open.
    pub refused: RwSignal<Option<ApiError>>,
    /// Whether a reply was lost with the line, so that it has to be given again.
    pub lost_reply: RwSignal<bool>,
    /// The last turn that was answered here.
    answered: RwSignal<Option<u32>>,
    outgoing: StoredValue<Option<mpsc::UnboundedSender<SeatFrame>>>,
    /// Comes once the component has gone.
    gone: StoredValue<Shared<oneshot::Receiver<()>>>,
    run: StoredValue<RunId>,
    kept: StoredValue<Kept>,
}

impl LiveSeat {
    /// Holds the seat of a ticket as long as the component lives that calls this. Of a page that was only opened it takes the
    /// seat from no other page.
    pub fn hold(run: &RunId, kept: Kept) -> Self {
        let (here, gone) = oneshot::channel::<()>();
        on_cleanup(move || drop(here));
        let seat = LiveSeat {
            view: RwSignal::new(None),
            line: RwSignal::new(Line::Opening),
            deadline: RwSignal::new(None),
            refused: RwSignal::new(None),
            lost_reply: RwSignal::new(false),
            answered: RwSignal::new(None),
            outgoing: StoredValue::new(None),
            gone: StoredValue::new(gone.shared()),
            run: StoredValue::new(run.clone()),
            kept: StoredValue::new(kept),
        };
        seat.connect();
        seat
    }

    /// Takes the seat, also from another page.
    pub fn take(self) {
        self.is_more_than_opened();
        self.line.set(Line::Opening);
        self.connect();
    }

    /// The user has done something deliberate here.
    fn is_more_than_opened(self) {
        self.kept.update_value(|kept| {
            kept.is_opened = false;
            self.run.with_value(|run| kept.save(run));
        });
    }

    fn connect(self) {
        let gone = self.gone.get_value();
        spawn_local(async move {
            let line = self.keep_line();
            // Whichever ends first: the table, or the page.
            select(Box::pin(line), gone).await;
        });
    }

    /// Whether a decision is wanted here now, can be sent, and was not given yet: its turn.
    pub fn open_turn(self) -> Option<u32> {
        let asked = self.view.and_then(|view| view.ask.as_ref().map(|ask| ask.turn))?;
        (self.is_connected() && self.answered.get() != Some(asked)).then_some(asked)
    }

    /// Whether something can be sent now.
    pub fn is_connected(self) -> bool {
        self.line.with(|line| *line == Line::Open)
    }

    /// Answers what is asked, once; what was answered already is not sent again.
    pub fn reply(self, text: String) {
        let open = untrack(|| self.open_turn());
        let Some(turn) = open else { return };
        ignore_second_click();
        self.refused.set(None);
        self.lost_reply.set(false);
        if self.say(SeatSays::Reply { turn, text }) {
            self.unsent(turn).forget();
            self.answered.set(Some(turn));
        }
    }

    /// Sits down under a name; at a table of invited people with the words to which this person agrees.
    pub fn sit(self, name: &str, agrees_to: Option<String>) {
        self.is_more_than_opened();
        let nonce = self.kept.with_value(|kept| kept.nonce.clone());
        self.kept.update_value(|kept| {
            kept.name = Some(name.to_owned());
            kept.agrees_to.clone_from(&agrees_to);
            self.run.with_value(|run| kept.save(run));
        });
        self.refused.set(None);
        self.say(SeatSays::Sit { name: name.trim().to_owned(), nonce, agrees_to });
    }

    /// Leaves the seat for good.
    pub fn leave(self) {
        self.nothing_is_left();
        self.say(SeatSays::Leave);
    }

    /// The table is over, or this person has left it.
    fn nothing_is_left(self) {
        self.kept.update_value(|kept| {
            kept.is_over = true;
            self.run.with_value(|run| kept.save(run));
        });
    }

    /// The address with which this seat can be taken, from any browser.
    pub fn link(self) -> String {
        self.run.with_value(|run| self.kept.with_value(|kept| Kept::link(run, &kept.ticket)))
    }

    /// Gets up before the run has begun: the seat is free again, for anyone with its link.
    pub fn get_up(self) {
        self.forget_sitting();
        self.say(SeatSays::Leave);
    }

    /// The question of a turn, under which what is typed and not sent is kept.
    pub fn unsent(self, turn: u32) -> Unsent {
        let seat = self.view.with_untracked(|view| {
            view.as_ref().map(|view| view.seat.to_string()).unwrap_or_default()
        });
        self.run.with_value(|run| Unsent::of(run, format!("{seat}.{turn}")))
    }

    /// What this page knows of its seat beside what it sees.
    pub fn kept(self) -> Kept {
        self.kept.get_value()
    }

    /// Puts a frame on the line; `false` if there is none, and then the server will not hear of it.
    fn say(self, says: SeatSays) -> bool {
        let sent = self.outgoing.with_value(|outgoing| {
            outgoing.as_ref().is_some_and(|line| line.unbounded_send(SeatFrame::new(says)).is_ok())
        });
        if !sent {
            self.refused.set(Some(ApiError {
                mend: Some("It is being made again; then choose once more.".to_owned()),
                ..api::error("not_sent", "There is no connection now, so nothing was sent.")
            }));
        }
        sent
    }

    async fn keep_line(self) {
        let mut wait = PATIENCE;
        let mut attempts = api::Attempts::default();
        loop {
            let run = self.run.get_value();
            match seat(&run) {
                Ok(socket) => {
                    if self.listen(socket).await == Next::Stop {
                        break;
                    }
                    if untrack(|| self.is_connected()) {
                        wait = PATIENCE;
                    }
                }
                Err(problem) => {
                    self.line.set(Line::Refused(problem));
                    break;
                }
            }
            self.outgoing.set_value(None);
            let before = self.line.get_untracked();
            if before == Line::Open {
                self.line.set(Line::Broken);
            }
            match attempts.ended(before == Line::Open).await {
                Some(why) => self.line.set(Line::Refused(why)),
                None if attempts.are_many() => self.line.set(Line::Broken),
                None => {}
            }
            clock::sleep(wait).await;
            wait = (wait * 2).min(LONGEST_PATIENCE);
        }
        self.outgoing.set_value(None);
    }

    async fn listen(self, socket: SeatSocket) -> Next {
        let SeatSocket { outgoing, mut incoming } = socket;
        let hello = self.kept.with_value(|kept| SeatSays::Hello {
            ticket: kept.ticket.clone(),
            takes: !kept.is_opened,
        });
        // If it cannot go out, the line ends at once and says so.
        let _ = outgoing.unbounded_send(SeatFrame::new(hello));
        self.outgoing.set_value(Some(outgoing));
        let mut first = true;
        while let Some(heard) = incoming.next().await {
            match heard {
                SeatHeard::Said(hears) => match *hears {
                    SeatHears::View(view) => {
                        self.show(*view, std::mem::take(&mut first));
                    }
                    SeatHears::Refused { error } => {
                        self.answered.set(None);
                        self.forget_sitting();
                        self.refused.set(Some(error));
                    }
                },
                SeatHeard::Closed { code, reason } => return self.closed(code, &reason),
            }
        }
        Next::Again
    }

    /// A person who does not sit in the lobby has no part in the seed, and is asked for a name again.
    fn forget_sitting(self) {
        let in_lobby = self.view.with_untracked(|view| {
            view.as_ref().is_some_and(|view| view.table.stage == LiveStage::Lobby)
        });
        if in_lobby {
            self.kept.update_value(|kept| {
                kept.name = None;
                self.run.with_value(|run| kept.save(run));
            });
        }
    }

    fn closed(self, code: u16, reason: &str) -> Next {
        let end = match code {
            1000 | 4410 => Line::Over,
            4409 => Line::TakenOver,
            4411 => Line::Taken,
            1009 | 4400 | 4401 | 4404 => {
                Line::Refused(api::error("socket_refused", strings::connection_ended(reason)))
            }
            _ => return Next::Again,
        };
        if end == Line::Over {
            self.nothing_is_left();
        }
        self.line.set(end);
        Next::Stop
    }

    fn show(self, view: SeatView, first: bool) {
        let now = clock::now();
        let asked = view.ask.as_ref().map(|ask| ask.turn);
        if first && asked.is_some() && untrack(|| self.answered.get()) == asked {
            // The line broke before the reply arrived; it is never sent twice.
            self.answered.set(None);
            self.lost_reply.set(true);
        }
        self.deadline.set(deadline(&view, now));
        self.kept.update_value(|kept| {
            if kept.commitment.is_none() {
                kept.commitment = Some(view.table.commitment);
            }
            kept.seat = Some(view.seat.clone());
            kept.is_over |= view.table.stage == LiveStage::Over;
            self.run.with_value(|run| kept.save(run));
        });
        let is_empty =
            view.table.people.get(&view.seat).is_some_and(|sitter| sitter.name.is_none());
        let lobby = view.table.stage == LiveStage::Lobby;
        let over = view.table.stage == LiveStage::Over;
        self.view.set(Some(Arc::new(view)));
        self.line.set(if over { Line::Over } else { Line::Open });
        if lobby
            && is_empty
            && let (Some(name), agrees_to) =
                self.kept.with_value(|kept| (kept.name.clone(), kept.agrees_to.clone()))
        {
            self.sit(&name, agrees_to);
        }
    }
}

/// The clock that a view tells of, as it was at `now`.
fn deadline(view: &SeatView, now: f64) -> Option<Deadline> {
    let (whose, decision, bank, left) = match (&view.ask, view.awaited) {
        (Some(ask), _) => {
            let left = ask.deadline_in_ms?;
            (Whose::Own, ask.decision_ms, ask.bank_ms, left)
        }
        (None, Some(other)) => {
            let left = other.deadline_in_ms;
            (Whose::Other, other.decision_ms, other.bank_ms, left)
        }
        (None, None) => return None,
    };
    // Milliseconds of a clock are far below 2^53.
    let [decision, bank, left] = [decision, bank, left].map(|time| time as f64);
    Some(Deadline { whose, bank_from: now + left - bank, end: now + left, decision, bank })
}

/// What is done when a line has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Again,
    Stop,
}
