//! InteractComp over sealed tasks: context, answer and aliases stay on the server, which tells yes, no or i don't know of the
//! responder and yes or no of the grader.

use super::mode::Mode;
use super::prompts::field;
use super::settings::Settings;
use super::{grading, responder, verdict};
use turnwise_core::prompt::Ask;
use turnwise_core::sealed::{Inquiry, Once, Sealing, Verdict};
use turnwise_core::seat::Seat;
use turnwise_core::spec::{BadSpec, Profile, Spec};
use turnwise_core::task::Task;

/// See the module's head.
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
        let read = match (ask.seat.as_str(), spec.profile) {
            (Seat::RESPONDER, Profile::Reference) => {
                |text: Option<&str>| Verdict(responder::reference(text).text().to_owned())
            }
            (Seat::RESPONDER, Profile::Strict) => |text: Option<&str>| {
                readable(responder::strict(text).map(responder::UserReply::text))
            },
            (_, Profile::Reference) => {
                |text: Option<&str>| Verdict(grading::said_as(verdict::reference(text)).to_owned())
            }
            (_, Profile::Strict) => {
                |text: Option<&str>| readable(verdict::strict(text).map(grading::said_as))
            }
        };
        Ok(Box::new(Once::new(ask, read)))
    }
}

/// What cannot be read is told as an empty text, which cannot be read either.
fn readable(word: Option<&'static str>) -> Verdict {
    Verdict(word.unwrap_or_default().to_owned())
}
