//! Sealed puzzles: solution, notes, title and bank stay on the server, which tells only the judge's token.

use serde_json::json;
use turnwise_core::prompt::{Ask, Expect};
use turnwise_core::python;
use turnwise_core::sealed::{Inquiry, Once, Sealing, Verdict};
use turnwise_core::spec::{BadSpec, Profile, Spec};
use turnwise_core::task::Task;

use crate::reading::{Kind, Token, reference_token, strict_token};
use crate::settings::{JUDGE, Mode};

/// See the module's head.
pub struct Sealed;

impl Sealing for Sealed {
    fn seats(&self) -> &'static [&'static str] {
        &[JUDGE]
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        if spec.settings["mode"] == json!(Mode::Hearing) {
            let problem =
                "a hearing reads the bank, which stays on the server; choose interactive or direct";
            return Err(BadSpec::new("settings.mode", problem));
        }
        Ok(())
    }

    fn inquire(&self, spec: &Spec, _: &Task, ask: Ask) -> Result<Box<dyn Inquiry>, BadSpec> {
        let is_final = matches!(&ask.expect, Expect::Choice(words)
            if words.iter().any(|word| word == Token::Correct.name()));
        let read = match (spec.profile, is_final) {
            (Profile::Strict, false) => |text: Option<&str>| strict(text, Kind::Question),
            (Profile::Strict, true) => |text: Option<&str>| strict(text, Kind::Final),
            (Profile::Reference, false) => |text: Option<&str>| reference(text, Kind::Question),
            (Profile::Reference, true) => |text: Option<&str>| reference(text, Kind::Final),
        };
        Ok(Box::new(Once::new(ask, read)))
    }
}

/// What cannot be read is told as empty text, which cannot be read either.
fn strict(text: Option<&str>, kind: Kind) -> Verdict {
    let token = strict_token(text.unwrap_or_default(), kind);
    Verdict(token.map_or("", Token::name).to_owned())
}

/// Blank text becomes empty, because it is no reply.
fn reference(text: Option<&str>, kind: Kind) -> Verdict {
    let text = text.filter(|text| !python::strip(text).is_empty());
    Verdict(text.map_or("", |text| reference_token(text, kind).name()).to_owned())
}
