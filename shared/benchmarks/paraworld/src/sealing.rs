//! Mind-ParaWorld over sealed worlds: facts, laws and answers stay on the server, where the mediator is that has them; it tells the
//! page and the log of a search, and the judge's word. Only `strict` is played so: the reference's engine is shown whatever
//! the player writes, and the player whatever the engine writes.

use std::collections::BTreeMap;

use super::consult::Search;
use super::reading::judge::{self, Verdict};
use super::settings::{Setting, Settings, seat};
use super::task::{field, of_task};
use turnwise_core::prelude::*;
use turnwise_core::sealed::{Inquiry, Once, Sealing};

pub struct Sealed;

impl Sealing for Sealed {
    fn seats(&self) -> &'static [&'static str] {
        &[seat::ENGINE, seat::JUDGE]
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        if spec.profile != Profile::Strict {
            return Err(BadSpec::new(
                "profile",
                "sealed worlds are played in strict: the reference's engine may tell whatever the player asks it to",
            ));
        }
        if Settings::of(spec)?.setting == Setting::Oracle {
            return Err(BadSpec::new(
                "settings.setting",
                "the facts are sealed, and setting A shows them to the player; choose B-guidance, B-few-shot or C",
            ));
        }
        let player = spec.seats.get(&Seat::new(Seat::PLAYER));
        if let Some(Player::Bot(name)) = player.map(|sitting| &sitting.player) {
            return Err(BadSpec::new(
                "seats.player",
                format!(
                    "bot:{name} is built from the world, which is sealed; choose a model, a recording or a person"
                ),
            ));
        }
        Ok(())
    }

    /// The question, and a world without what it knows.
    fn told(&self, task: &Task) -> BTreeMap<String, String> {
        let keep = |name: &str| Some((name.to_owned(), task.field(name)?.to_owned()));
        let row = of_task(task).map(|world| (field::ROW.to_owned(), world.redacted()));
        let kept = [field::QUESTION, field::LINE].into_iter().filter_map(keep);
        kept.chain(row).collect()
    }

    fn inquire(&self, _: &Spec, task: &Task, ask: Ask) -> Result<Box<dyn Inquiry>, BadSpec> {
        if ask.seat.as_str() != seat::ENGINE {
            let read = |text: Option<&str>| judge::read(text, Profile::Strict).map(Verdict::tagged);
            return Ok(Once::inquiry(ask, read));
        }
        let world = of_task(task)
            .ok_or_else(|| BadSpec::new("tasks", "the world of this task cannot be read"))?;
        let query = ask.variable("query", task).unwrap_or_default();
        Ok(Box::new(Search::new(world, query, ask.thread)))
    }
}
