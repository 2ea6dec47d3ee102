//! Math over sealed tasks: solution and answer stay on the server, which tells the judge's word, and of the grader who decided and
//! whether the answer is right.

use turnwise_core::effect::Reply;
use turnwise_core::prompt::Ask;
use turnwise_core::python;
use turnwise_core::sealed::{Inquired, Inquiry, Once, Sealing, Verdict};
use turnwise_core::seat::Seat;
use turnwise_core::spec::{BadSpec, Profile, Spec};
use turnwise_core::task::Task;

use crate::grading::{By, by_rule};
use crate::prompts::JUDGE;
use crate::reading::{grader_reference, grader_strict, judge_reference, judge_strict};

/// See the module's head.
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
            return Ok(Box::new(Decided(format!("{by} {}", verdict_text(verdict.right)))));
        }
        let read = match (ask.seat.as_str(), spec.profile) {
            (JUDGE, Profile::Reference) => {
                |text: Option<&str>| told(judge_reference(text.unwrap_or_default()))
            }
            (JUDGE, Profile::Strict) => {
                |text: Option<&str>| told(text.and_then(judge_strict).unwrap_or_default())
            }
            // Blank text becomes empty, because it is no reply.
            (_, Profile::Reference) => |text: Option<&str>| {
                let text = text.filter(|text| !python::strip(text).is_empty());
                told(verdict_text(text.map(grader_reference)))
            },
            (_, Profile::Strict) => {
                |text: Option<&str>| told(verdict_text(text.and_then(grader_strict)))
            }
        };
        Ok(Box::new(Once::new(ask, read)))
    }
}

fn told(text: &str) -> Verdict {
    Verdict(text.to_owned())
}

/// What cannot be read is told as an empty text, which cannot be read either.
fn verdict_text(right: Option<bool>) -> &'static str {
    match right {
        Some(true) => "$$$$ 1",
        Some(false) => "$$$$ 0",
        None => "",
    }
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
