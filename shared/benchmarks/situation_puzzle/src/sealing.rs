//! Sealed puzzles: solution, notes, title and bank stay on the server, which tells only the judge's token.

use serde_json::json;
use turnwise_core::prelude::*;
use turnwise_core::python;
use turnwise_core::sealed::{Inquiry, Once, Sealing};

use crate::reading::{Kind, Token, token};
use crate::settings::{JUDGE, Mode};

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
        let kind = if is_final { Kind::Final } else { Kind::Question };
        let profile = spec.profile;
        Ok(Once::inquiry(ask, move |text| {
            // Blank text becomes empty, because it is no reply.
            let text = text.filter(|text| !python::strip(text).is_empty())?;
            token(text, kind, profile).map(Token::name)
        }))
    }
}
