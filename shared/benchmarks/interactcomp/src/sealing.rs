//! InteractComp over sealed tasks: context, answer and aliases stay on the server, which tells yes, no or i don't know of the
//! responder and yes or no of the grader.

use super::mode::Mode;
use super::prompts::field;
use super::responder::{self, UserReply};
use super::settings::Settings;
use super::verdict;
use turnwise_core::prelude::*;
use turnwise_core::sealed::{Inquiry, Once, Sealing};

pub struct Sealed;

impl Sealing for Sealed {
    fn seats(&self) -> &'static [&'static str] {
        &[Seat::RESPONDER, Seat::GRADER]
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        let shows = |settings: &Settings| settings.mode.shows_context();
        if Settings::of(spec)?.iter().any(shows) {
            return Err(BadSpec::new(
                "settings.mode",
                format!(
                    "the {} is sealed, and this mode shows it to the player; choose {}",
                    field::CONTEXT,
                    Mode::Full
                ),
            ));
        }
        Ok(())
    }

    fn inquire(&self, spec: &Spec, _: &Task, ask: Ask) -> Result<Box<dyn Inquiry>, BadSpec> {
        let profile = spec.profile;
        Ok(match ask.seat.as_str() {
            Seat::RESPONDER => {
                Once::inquiry(ask, move |text| responder::read(text, profile).map(UserReply::text))
            }
            _ => Once::inquiry(ask, move |text| verdict::read(text, profile)),
        })
    }
}
