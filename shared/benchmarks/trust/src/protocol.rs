//! One match: both places are asked at once, round by round, until its length is reached (specification 5.b).
//!
//! A round is decided in waves. Both places are asked; once both have answered, the replies are read, and those whose
//! reply was no move are asked again together. So neither the numbers of calls nor what is noted depends on who is faster,
//! and nothing that one place has said reaches the other before both have moved.

mod place;

use serde_json::{Value, json};

use super::game::{Action, Played};
use super::prompts::{self, Prompts};
use super::reading::{self, Read};
use super::scene;
use super::settings::{Fallback, Settings};
use super::tasks::{field, label};
use place::{Move, Place, State};
use turnwise_core::prelude::*;

pub mod ending {
    pub const PLAYED: &str = "played";
    /// At least one move was the declared fallback.
    pub const FLAGGED: &str = "flagged";
}

/// Names of events and flags.
pub mod noted {
    /// The event of a round: round, seats, actions, forced, payoffs, totals.
    pub const ROUND: &str = "round";
    /// The flag of a move that was not a player's own.
    pub const FALLBACK: &str = "fallback";
}

/// How many times a place is asked for one move.
pub const ATTEMPTS: u32 = 5;

/// The class of the fault of a call that brought no reply.
const FAILED: &str = "failed";

pub struct Match {
    out: Outbox,
    prompts: Prompts,
    fallback: Fallback,
    rounds: u32,
    stop: String,
    places: [Place; 2],
    played: Played,
    /// For every round played, whether each move was the fallback.
    forced: Vec<[bool; 2]>,
}

/// What comes of an answer.
enum Judged {
    Moved(Move),
    /// It is asked again, with these messages after the conversation.
    Again(Vec<Message>),
    BrokenOff(Failure),
}

impl Match {
    /// Opens a match.
    ///
    /// # Errors
    /// If settings, pack or task do not fit, or the task's hidden fields are withheld here.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let (settings, players) = Settings::of(spec)?;
        prompts::check(pack, spec.profile)?;
        let prompts = Prompts {
            delta: task.number(field::DELTA)?,
            payoffs: settings.payoffs,
            window: settings.window,
            profile: spec.profile,
        };
        let mut out = Outbox::default();
        let [first, second] =
            label::PLACES.map(|name| Place::of(task, name, &players, out.thread(), &prompts));
        let mut game = Match {
            out,
            prompts,
            fallback: settings.fallback,
            rounds: task.number(field::ROUNDS)?,
            stop: task.text(field::STOP)?.to_owned(),
            places: [first?, second?],
            played: Played::default(),
            forced: Vec::new(),
        };
        game.ask_both();
        Ok(game)
    }

    fn ask_both(&mut self) {
        for place in 0..2 {
            let message = self.prompts.round(&self.played, place);
            self.places[place].conversation.extend([message]);
            self.places[place].attempt = 1;
            self.ask(place, Vec::new());
        }
    }

    /// Asks a place; `further` messages belong to this request only.
    fn ask(&mut self, place: usize, further: Vec<Message>) {
        let mut asked = self.places[place].conversation.clone();
        asked.extend(further);
        let words = Action::ALL.map(Action::label);
        let call = self.out.ask(asked.ask(Expect::choice(words)));
        self.places[place].state = State::Asked(call);
    }

    fn heard(&mut self, heard: Result<Option<String>, Failure>) {
        let call = self.out.call();
        for place in &mut self.places {
            if matches!(place.state, State::Asked(open) if open == call) {
                place.state = State::Heard(call, heard.clone());
            }
        }
        self.wave();
    }

    /// Reads a wave, once everybody who was asked has answered.
    fn wave(&mut self) {
        let asked = |place: &Place| matches!(place.state, State::Asked(_));
        if self.places.iter().any(asked) {
            return;
        }
        let mut again = Vec::new();
        for place in 0..2 {
            let State::Heard(call, heard) = &self.places[place].state else {
                continue;
            };
            self.out.reads(*call, &self.places[place].seat);
            match self.judge(place, heard.clone()) {
                Judged::Moved(moved) => self.places[place].state = State::Moved(moved),
                Judged::Again(further) => again.push((place, further)),
                Judged::BrokenOff(failure) => {
                    return match failure.class {
                        FailureClass::Context => self.out.finish(Outcome::CONTEXT, self.result()),
                        _ => self.out.fail(&failure),
                    };
                }
            }
        }
        for (place, further) in again {
            self.places[place].attempt += 1;
            self.ask(place, further);
        }
        self.settle();
    }

    /// What comes of an answer: a move, another request, or the end of the match.
    fn judge(&mut self, place: usize, heard: Result<Option<String>, Failure>) -> Judged {
        let profile = self.prompts.profile;
        let text = match heard {
            Ok(text) => text,
            Err(failure) if is_of_the_player(profile, failure.class) => {
                return self.no_move(place, None, Fault::new(FAILED, failure.message));
            }
            Err(failure) => return Judged::BrokenOff(failure),
        };
        let read = match profile {
            Profile::Strict => reading::strict(text.as_deref()),
            Profile::Reference => reading::reference(text.as_deref()),
        };
        match read {
            Ok(read) => self.moved(place, text.unwrap_or_default(), read),
            Err(fault) => self.no_move(place, text, fault),
        }
    }

    fn moved(&mut self, place: usize, text: String, read: Read) -> Judged {
        let reading = Reading {
            extracted: Some(read.extracted),
            repaired: read.repairs,
            ..Reading::applied(json!(read.action))
        };
        self.note_turn(place, TurnKind::Move, read.action.verb(), reading);
        self.places[place].conversation.said(self.prompts.profile.heard(&text));
        Judged::Moved(Move { action: read.action, forced: false })
    }

    /// A reply without a move. The last attempt is followed by the declared fallback, and the conversation keeps the
    /// request without a reply.
    fn no_move(&mut self, place: usize, text: Option<String>, fault: Fault) -> Judged {
        let detail = fault.detail.clone();
        self.places[place].silent = fault.class == FAILED;
        let last = self.places[place].attempt >= ATTEMPTS;
        let action = self.fallback.action();
        let applied = if last { json!({ "fallback": action }) } else { Value::Null };
        let reading = Reading { applied, ..fault.into() };
        self.note_turn(place, TurnKind::Invalid, "says no move", reading);
        if last {
            let (seat, round) = (&self.places[place].seat, self.round());
            let detail = json!({ "seat": seat, "round": round, "action": action });
            self.out.flag(noted::FALLBACK, detail);
            return Judged::Moved(Move { action, forced: true });
        }
        Judged::Again(match (self.prompts.profile, text) {
            // The reference code sends the identical messages; so do we where nothing came that could be put right.
            (Profile::Reference, _) | (Profile::Strict, None) => Vec::new(),
            (Profile::Strict, Some(text)) => {
                let said = (!text.trim().is_empty()).then(|| Message::said(text));
                said.into_iter().chain([self.prompts.reminder(&detail)]).collect()
            }
        })
    }

    /// The round that is played, from 1.
    fn round(&self) -> u32 {
        self.played.rounds() + 1
    }

    fn note_turn(&mut self, place: usize, kind: TurnKind, sentence: &str, reading: Reading) {
        self.places[place].turn = self.out.turn(self.round(), kind, sentence, reading);
    }

    /// Pays a round in which both have moved.
    fn settle(&mut self) {
        let [State::Moved(first), State::Moved(second)] =
            [&self.places[0].state, &self.places[1].state]
        else {
            return;
        };
        let (actions, forced) = ([first.action, second.action], [first.forced, second.forced]);
        let payoffs = self.played.round(&self.prompts.payoffs, actions);
        self.forced.push(forced);
        for place in 0..2 {
            let other = actions[1 - place];
            let paid = format!("{:+}", payoffs[place]);
            self.out.note(Observation {
                shown: format!("the other {}: {paid}", other.verb()),
                ..Observation::new(self.places[place].turn, tone(other), paid)
            });
        }
        let detail = json!({
            "round": self.played.rounds(),
            "seats": [&self.places[0].seat, &self.places[1].seat],
            "actions": actions,
            "forced": forced,
            "payoffs": payoffs,
            "totals": self.played.totals,
        });
        self.out.event(noted::ROUND, detail);
        if self.played.rounds() < self.rounds {
            self.ask_both();
        } else {
            self.finish();
        }
    }

    fn finish(&mut self) {
        let flagged = self.forced.iter().flatten().any(|forced| *forced);
        let ending = if flagged { ending::FLAGGED } else { ending::PLAYED };
        self.out.finish(ending, self.result());
    }

    fn result(&self) -> serde_json::Value {
        json!({
            "rounds": self.played.rounds(),
            "stopped": self.stop,
            "totals": self.played.totals,
        })
    }
}

/// Whether a failed call counts as a reply of the player that was no move. The reference code counts every error; what
/// its code cannot know (a run that was stopped, an exhausted budget, a recording, an empty seat) breaks the match off in both
/// profiles. `strict` counts what may pass and is still there after the driver's attempts (specification 5.b), and takes
/// a refused key or request for the operator's: the match is then incomplete and can be taken up.
fn is_of_the_player(profile: Profile, class: FailureClass) -> bool {
    match class {
        ours if ours.is_of_the_run() => false,
        FailureClass::Unauthorised
        | FailureClass::Forbidden
        | FailureClass::Quota
        | FailureClass::Blocked
        | FailureClass::Filtered
        | FailureClass::Context
        | FailureClass::Rejected => profile == Profile::Reference,
        other => other.can_succeed_later(),
    }
}

/// How an action of the other is coloured.
pub fn tone(action: Action) -> Tone {
    match action {
        Action::Cooperate => Tone::Positive,
        Action::Defect => Tone::Negative,
    }
}

impl Episode for Match {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, _: &str, said: Said) {
        self.heard(Ok(said.text));
    }

    fn failed(&mut self, failure: Failure) {
        self.heard(Err(failure));
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let awaits = self.out.awaits(viewer);
        scene::scene(
            &scene::View {
                seats: [&self.places[0].seat, &self.places[1].seat],
                names: [&self.places[0].name, &self.places[1].name],
                attempts: [self.places[0].attempt, self.places[1].attempt],
                silent: [self.places[0].silent, self.places[1].silent],
                prompts: &self.prompts,
                played: &self.played,
                forced: &self.forced,
                outcome: self.out.outcome(),
            },
            viewer,
            awaits,
        )
    }
}
