//! What becomes of what a player replies: a move, a second question, or the decision that a rule takes (4.b.6).

use serde_json::json;

use super::{ATTEMPTS, AUTO, NO_REPLY, Play, State};
use crate::action::By;
use crate::observation;
use crate::prompts::Unusable;
use crate::reading::{self, Asked};
use crate::record::Place;
use crate::scene::Again;
use turnwise_core::note::{self};
use turnwise_core::prelude::*;

impl Play {
    pub(super) fn read(&mut self, text: Option<&str>) {
        let State::Deciding { place, attempt, .. } = self.state else {
            return;
        };
        match reading::read(text, self.profile) {
            Ok(decision) => self.decided(place, decision),
            Err(fault) => {
                // An empty reply is not put into the conversation: there is nothing to answer to.
                let unusable = text
                    .filter(|text| !text.trim().is_empty())
                    .map(|text| Unusable { text: text.to_owned(), problem: fault.detail.clone() });
                self.unusable(place, attempt, fault, unusable.as_ref());
            }
        }
    }

    fn decided(&mut self, place: Place, decision: reading::Decision) {
        let Some(hand) = &mut self.hand else { return };
        let unit = hand.unit();
        let happened =
            hand.act(place, decision.action).expect("only the place that is to act is asked");
        let action = hand.actions().last().expect("an action was just taken");
        let sentence = observation::sentence(action, unit);
        let repairs = happened.repairs.iter().map(|repair| repair.name().to_owned());
        let reading = note::Reading {
            extracted: Some(decision.extracted),
            repaired: decision.eased.into_iter().chain(repairs).collect(),
            ..note::Reading::applied(json!({
                "asked": Asked::of(decision.action, unit),
                "happened": happened,
                "units_per_chip": unit,
            }))
        };
        self.turn(place, TurnKind::Move, &sentence, reading);
        self.go_on();
    }

    /// A reply that is no decision: the player is asked again, then a rule acts.
    fn unusable(
        &mut self,
        place: Place,
        attempt: u32,
        fault: note::Fault,
        unusable: Option<&Unusable>,
    ) {
        let class = fault.class.clone();
        self.turn(place, TurnKind::Invalid, "no valid action", fault.into());
        if attempt < ATTEMPTS {
            let again = match class == NO_REPLY {
                true => Again::Silent,
                false => Again::NoMove,
            };
            self.ask(place, attempt + 1, Some(again), unusable);
            return;
        }
        let Some(hand) = &mut self.hand else { return };
        let Some(legal) = hand.legal() else { return };
        let folds_when_free = self.settings.auto_fold_when_free;
        let action = observation::default_action(&legal, self.profile, folds_when_free);
        let happened = hand
            .act_by(place, action, By::Default)
            .expect("only the place that is to act is asked");
        let sentence = observation::sentence(
            hand.actions().last().expect("an action was just taken"),
            hand.unit(),
        );
        self.out.flag(AUTO, json!({ "cause": class, "happened": happened }));
        let word = format!("a rule {sentence}");
        let came = note::Observation::new(self.out.turns(), Tone::Failed, word);
        self.out.note(note::Observation { shown: String::new(), ..came });
        self.go_on();
    }

    /// A call failed. `strict`: only the seat's own silence counts as its answer, a conversation that is too long for it among that; if the world failed the episode is
    /// incomplete and can be taken up again. `reference`: every failure but ours counts as an answer (4.b.6).
    pub(super) fn unheard(&mut self, failure: &Failure) {
        let is_an_answer = match (self.profile, failure.class) {
            (_, class) if class.is_of_the_run() => false,
            (Profile::Strict, class) => {
                matches!(class, FailureClass::Timeout | FailureClass::Context)
            }
            (Profile::Reference, _) => true,
        };
        match self.state {
            State::Deciding { place, attempt, .. } if is_an_answer => {
                let fault = note::Fault::new(NO_REPLY, failure.message.as_str());
                // A request that is too long stays so.
                let attempt = match (self.profile, failure.class) {
                    (Profile::Strict, FailureClass::Context) => ATTEMPTS,
                    _ => attempt,
                };
                self.unusable(place, attempt, fault, None);
            }
            _ => {
                self.state = State::Over;
                self.out.fail(failure);
            }
        }
    }
}
