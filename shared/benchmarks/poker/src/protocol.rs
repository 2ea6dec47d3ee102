//! The episode of poker: one hand, or all hands of a table (4.b.6, 4.b.7). The engine knows the rules, this knows who is asked
//! and what is noted.

mod replies;

use serde_json::json;

use super::action::Street;
use super::card::Deck;
use super::hand::Hand;
use super::observation::Observation;
use super::prompts::{self, Unusable};
use super::record::Place;
use super::scene::{self, Again};
use super::settings::Settings;
use super::table::Table;
use super::tasks::Sitting;
use turnwise_core::note::{self};
use turnwise_core::prelude::*;

/// How often a player is asked before a rule acts for it (4.b.6).
const ATTEMPTS: u32 = 2;

/// The fault class of a player who did not reply at all.
const NO_REPLY: &str = "no_reply";

pub mod ending {
    pub const PLAYED: &str = "played";
    pub const WON: &str = "won";
}

/// Names of the events that an episode notes.
pub mod event {
    /// A hand was dealt: its number, the button, the blinds. Cards stand in [`HAND`].
    pub const DEAL: &str = "deal";
    /// A street was opened: its name and the board.
    pub const STREET: &str = "street";
    /// One player had all chips and a new game begins (`reference`): its number and the hand of the table that is its first.
    pub const GAME: &str = "new_game";
    /// Places got a new stack before a hand, because one had none.
    pub const REFILL: &str = "refill";
    /// A hand is over: its whole [`HandRecord`](super::super::record::HandRecord).
    pub const HAND: &str = "hand";
}

/// The flag of a decision that a rule took.
pub const AUTO: &str = "auto_action";

/// One hand, or all hands of a table.
#[derive(Debug)]
pub struct Play {
    out: Outbox,
    profile: Profile,
    settings: Settings,
    sitting: Sitting,
    table: Table,
    /// The number of the hand that is played, or will be dealt.
    number: u32,
    hand: Option<Hand>,
    state: State,
    /// The last conversation.
    thread: ThreadId,
    rounds: u32,
    /// The street that was noted last.
    street: Street,
    /// The last turn of each place in this hand.
    last_turns: Vec<Option<u32>>,
}

#[derive(Debug, Clone, PartialEq)]
enum State {
    /// The deck is being drawn.
    Dealing,
    Deciding {
        place: Place,
        attempt: u32,
        again: Option<Again>,
    },
    Over,
}

impl Play {
    /// Opens the episode of a task.
    ///
    /// # Errors
    /// If the settings, the task or the pack cannot be played.
    pub fn open(spec: &Spec, task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let settings = Settings::of(spec)?;
        let sitting = Sitting::of(task)?;
        prompts::check(pack, spec.profile, settings.persona)?;
        for seat in &sitting.order {
            if !spec.seats.contains_key(seat) {
                return Err(BadSpec::new(
                    format!("seats.{seat}"),
                    format!("the task {} seats it, and nobody sits there", task.id),
                ));
            }
        }
        let mut play = Play {
            out: Outbox::default(),
            profile: spec.profile,
            table: Table::new(spec.profile, &settings, sitting.order.clone(), sitting.first),
            number: sitting.first,
            settings,
            sitting,
            hand: None,
            state: State::Over,
            thread: ThreadId(0),
            rounds: 0,
            street: Street::Preflop,
            last_turns: Vec::new(),
        };
        play.draw_deck();
        Ok(play)
    }

    fn draw_deck(&mut self) {
        self.state = State::Dealing;
        self.out.request(Effect::Draw {
            stream: self.sitting.deck_stream(self.number),
            below: super::card::CARDS,
            take: super::card::CARDS,
        });
    }

    fn deal(&mut self, numbers: &[u32]) {
        let (game, _) = self.table.game();
        let deck = Deck::new(numbers).expect("a reply that fits holds each of 52 numbers once");
        let dealt = self
            .table
            .deal(self.number, &deck)
            .expect("the settings were checked when the play was opened");
        let Some((hand, renewed)) = dealt else {
            self.finish(ending::WON);
            return;
        };
        let (now, _) = self.table.game();
        if now > game {
            let detail = json!({ "game": now, "before_hand": self.number });
            self.out.event(event::GAME, detail);
        }
        if !renewed.is_empty() {
            let places: Vec<_> = renewed.iter().map(|place| place + 1).collect();
            let detail = json!({ "before_hand": self.number, "places": places });
            self.out.event(event::REFILL, detail);
        }
        let record = hand.record();
        self.out.event(
            event::DEAL,
            json!({
                "hand": record.hand,
                "button": self.table.place(record.button) + 1,
                "small_blind": record.blinds.small,
                "big_blind": record.blinds.big,
                "seats": record.places.iter().map(|place| &place.seat).collect::<Vec<_>>(),
            }),
        );
        self.rounds += 1;
        self.street = Street::Preflop;
        self.last_turns = vec![None; record.places.len()];
        self.hand = Some(hand);
        self.go_on();
    }

    /// Asks who is next, or closes the hand.
    fn go_on(&mut self) {
        let Some(hand) = &self.hand else { return };
        match hand.to_act() {
            Some(place) => {
                if hand.street() != self.street {
                    self.street = hand.street();
                    self.rounds += 1;
                    let detail = json!({ "street": self.street, "board": hand.board() });
                    self.out.event(event::STREET, detail);
                }
                self.ask(place, 1, None, None);
            }
            None => self.hand_is_over(),
        }
    }

    fn ask(
        &mut self,
        place: Place,
        attempt: u32,
        again: Option<Again>,
        unusable: Option<&Unusable>,
    ) {
        let Some(hand) = &self.hand else { return };
        let Some(observation) = Observation::of(&self.table, hand) else {
            return;
        };
        if attempt == 1 {
            self.thread = self.out.thread();
        }
        let ask = prompts::ask(
            &hand.record().places[place].seat,
            self.thread,
            self.profile,
            self.settings.persona,
            &observation,
            unusable,
        );
        self.out.ask(ask);
        self.state = State::Deciding { place, attempt, again };
    }

    fn hand_is_over(&mut self) {
        let Some(hand) = self.hand.take() else { return };
        let (board, runs_out) = (hand.board().to_vec(), hand.record().run_out.is_some());
        if runs_out && hand.street() != Street::River {
            self.out.event(event::STREET, json!({ "street": Street::River, "board": board }));
        }
        let record = hand.into_record();
        let detail = serde_json::to_value(&record).expect("a record is plain data");
        self.out.event(event::HAND, detail);
        for (place, turn) in self.last_turns.iter().enumerate() {
            let (Some(turn), Some(delta)) = (turn, record.deltas.get(place)) else {
                continue;
            };
            let sign = if *delta > 0 { "+" } else { "" };
            let tone = match delta.signum() {
                1 => Tone::Positive,
                -1 => Tone::Negative,
                _ => Tone::Unknown,
            };
            let word = format!("{sign}{}", record.unit.write_signed(*delta));
            self.out.note(note::Observation {
                shown: String::new(),
                ..note::Observation::new(*turn, tone, word)
            });
        }
        self.table.settle(record);
        if self.table.is_over() {
            self.finish(ending::WON);
        } else if self.number >= self.sitting.last {
            self.finish(ending::PLAYED);
        } else {
            self.number += 1;
            self.draw_deck();
        }
    }

    fn finish(&mut self, ending: &str) {
        self.state = State::Over;
        let mut won = std::collections::BTreeMap::<&str, i64>::new();
        for hand in self.table.hands() {
            for (place, delta) in hand.places.iter().zip(&hand.deltas) {
                *won.entry(place.seat.as_str()).or_default() += delta;
            }
        }
        let result = json!({
            "hands": self.table.hands().len(),
            "won": won,
            "units_per_chip": super::hand::unit_of(self.profile),
        });
        self.out.finish(ending, result);
    }

    fn turn(&mut self, place: Place, kind: TurnKind, sentence: &str, reading: note::Reading) {
        let turn = self.out.turn(self.rounds, kind, sentence, reading);
        if let Some(last) = self.last_turns.get_mut(place) {
            *last = Some(turn);
        }
    }

    /// The seat that is to decide now, if one is.
    pub fn to_act(&self) -> Option<&Seat> {
        let hand = self.hand.as_ref()?;
        Some(&hand.record().places[hand.to_act()?].seat)
    }
}

impl Episode for Play {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn drawn(&mut self, numbers: Vec<u32>) {
        self.deal(&numbers);
    }

    fn said(&mut self, _: &str, said: Said) {
        self.read(said.text.as_deref());
    }

    fn failed(&mut self, failure: Failure) {
        self.unheard(&failure);
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let again = match self.state {
            State::Deciding { again, .. } => again,
            _ => None,
        };
        let own_turn = match viewer {
            Viewer::Seat(seat) => self.to_act() == Some(seat),
            Viewer::Reader => true,
        };
        Scene {
            blocks: scene::blocks(&scene::Look {
                viewer,
                table: &self.table,
                hand: self.hand.as_ref(),
                last: self.sitting.last,
                again: again.filter(|_| own_turn),
                outcome: self.out.outcome(),
            }),
            gauges: scene::gauges(&self.sitting, self.number, self.out.outcome()),
            awaits: self.out.awaits(viewer),
        }
    }
}
