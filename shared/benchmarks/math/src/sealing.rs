//! Math over sealed tasks: solution and answer stay on the server, which tells the judge's word, and of the grader who decided and
//! whether the answer is right.

use turnwise_core::prelude::*;
use turnwise_core::python;
use turnwise_core::sealed::{Inquired, Inquiry, Once, Sealing, Verdict};

use crate::grading::{By, by_rule};
use crate::prompts::JUDGE;
use crate::reading::{grader, judge};

pub struct Sealed;

impl Sealing for Sealed {
    fn seats(&self) -> &'static [&'static str] {
        &[JUDGE, Seat::GRADER]
    }

    fn inquire(&self, spec: &Spec, task: &Task, ask: Ask) -> Result<Box<dyn Inquiry>, BadSpec> {
        if spec.profile == Profile::Strict
            && ask.seat.as_str() == Seat::GRADER
            && let Some(verdict) =
                ask.variable("given", task).and_then(|given| by_rule(task, given))
        {
            let by = if verdict.by == By::Text { "text" } else { "rule" };
            let right = verdict.right.unwrap_or_default();
            return Ok(Box::new(Decided(format!("{by} {}", verdict_text(right)))));
        }
        let profile = spec.profile;
        Ok(match ask.seat.as_str() {
            JUDGE => Once::inquiry(ask, move |text| judge(text.unwrap_or_default(), profile)),
            _ => Once::inquiry(ask, move |text| {
                // Blank text becomes empty, because it is no reply.
                let text = text.filter(|text| !python::strip(text).is_empty())?;
                grader(text, profile).map(verdict_text)
            }),
        })
    }
}

fn verdict_text(right: bool) -> &'static str {
    if right { "$$$$ 1" } else { "$$$$ 0" }
}

/// An inquiry that needs no call.
struct Decided(String);

impl Inquiry for Decided {
    fn begin(&mut self) -> Inquired {
        Inquired::Told(Verdict(self.0.clone()))
    }

    fn hear(&mut self, _: Reply) -> Inquired {
        self.begin()
    }
}
