//! UI2Html over sealed tasks: target, layout and specification stay on the server, which tells the judge's word, the scorer's numbers and
//! the likeness.

use serde_json::json;
use turnwise_core::prelude::*;
use turnwise_core::sealed::{Inquiry, Once, Sealing};

use crate::reading::{self, ABSENT, Answer, Scores};
use crate::settings::{JUDGE, METER, SCORER, SUMMARIZER};

pub struct Sealed;

impl Sealing for Sealed {
    fn seats(&self) -> &'static [&'static str] {
        &[JUDGE, SUMMARIZER, SCORER, METER]
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        let setting = match (&spec.settings["mode"], &spec.settings["description"]) {
            (mode, _) if mode == "describe" => "settings.mode",
            (_, source) if source == "live" => "settings.description",
            _ => return Ok(()),
        };
        let problem = "a Summarizer would tell what stays on the server; choose mode play and the frozen description";
        Err(BadSpec::new(setting, problem))
    }

    fn inquire(&self, _: &Spec, _: &Task, ask: Ask) -> Result<Box<dyn Inquiry>, BadSpec> {
        let read = match ask.seat.as_str() {
            JUDGE => |text: &str| Answer::read(text).map(|answer| answer.name().to_owned()),
            SCORER => |text: &str| Scores::read(text).ok().map(|scores| scores.text()),
            _ => |text: &str| {
                let likeness = reading::likeness(text).ok()?;
                Some(likeness.map_or(ABSENT.to_owned(), |likeness| json!(likeness).to_string()))
            },
        };
        Ok(Once::inquiry(ask, move |text| read(text?)))
    }
}

#[cfg(test)]
mod tests {
    use turnwise_core::benchmark::Benchmark;
    use turnwise_core::effect::Reply;
    use turnwise_core::prompt::{Said, ThreadId};
    use turnwise_core::sealed::{Inquired, handed_out};
    use turnwise_core::spec::Profile;
    use turnwise_core::testing;

    use super::*;
    use crate::Ui2Html;
    use crate::likeness::Likeness;
    use crate::prompts::{Shown, meter};

    #[test]
    fn only_readings_leave_the_server() {
        let spec = testing::spec(&Ui2Html, Profile::Strict, json!({ "rounds": 1 }));
        let whole = Ui2Html.samples();
        let handed = handed_out(&Sealed, &whole);
        assert_eq!(handed.tasks[0].fields.keys().collect::<Vec<_>>(), ["question"]);
        let equal = json!(Likeness::EQUAL).to_string();
        let scores = r#"{"layout":1,"component":2,"style":3,"text":4,"polish":5}"#;
        for (seat, said, told) in [
            (JUDGE, "Yes, the secret heading is larger.", "yes"),
            (JUDGE, "The secret.", ""),
            (SCORER, &*format!("A secret: {scores}"), scores),
            (SCORER, "{\"layout\": 21}", ""),
            (METER, &*equal, &*equal),
            (METER, "absent", "absent"),
            (METER, "secret", ""),
        ] {
            let ask = Ask { seat: seat.into(), ..meter(&Shown::default(), ThreadId(1)) };
            let mut inquiry = Sealed.inquire(&spec, &whole.tasks[0], ask).expect("it is asked");
            assert!(matches!(inquiry.begin(), Inquired::Ask(_)));
            let Inquired::Told(verdict) = inquiry.hear(Reply::Said(Said::text(said))) else {
                panic!("{seat}: {said}");
            };
            assert_eq!(verdict.0, told, "{seat}: {said}");
        }
        for (settings, field) in [
            (json!({ "description": "live" }), "settings.description"),
            (json!({ "mode": "describe" }), "settings.mode"),
        ] {
            let spec = testing::spec(&Ui2Html, Profile::Strict, settings);
            assert!(Sealed.check(&spec).is_err_and(|bad| bad.to_string().contains(field)));
        }
    }
}
