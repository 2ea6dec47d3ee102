//! What can be chosen about how a model is sampled, one thing at a time and as text: the words of the command line are those
//! of an address.

use std::collections::BTreeMap;

use super::{Effort, LARGEST_SEED, ReplyForm, Sampling};

crate::choices! {
    /// One thing that can be chosen about how a model is sampled.
    pub enum Knob {
        /// [`Sampling::temperature`]
        Temperature = "temperature",
        /// [`Sampling::top_p`]
        TopP = "top-p",
        /// [`Sampling::max_tokens`]
        MaxTokens = "max-tokens",
        /// [`Sampling::effort`]
        Effort = "effort",
        /// [`Sampling::thinking_tokens`]
        ThinkingTokens = "thinking-tokens",
        /// [`Sampling::seed`]
        Seed = "model-seed",
        /// [`Sampling::form`]
        Form = "form",
        /// [`Sampling::stop`]: one text a line, a line break within one written `\n`, a backslash `\\`.
        Stop = "stop",
    }
}

/// What was chosen, as text; what is absent is left to the benchmark.
pub type Turned = BTreeMap<Knob, String>;

/// A text that a knob cannot be turned to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadTurn(String);

impl Knob {
    /// Its name where a reply says how it was sent ([`Departure::parameter`](crate::prompt::Departure::parameter)).
    pub fn parameter(self) -> &'static str {
        match self {
            Knob::TopP => "top_p",
            Knob::MaxTokens => "max_tokens",
            Knob::ThinkingTokens => "thinking_tokens",
            Knob::Seed => "seed",
            Knob::Temperature | Knob::Effort | Knob::Form | Knob::Stop => self.name(),
        }
    }

    /// Turns it.
    ///
    /// # Errors
    /// What would be right.
    pub fn turn(self, sampling: &mut Sampling, to: &str) -> Result<(), BadTurn> {
        let bad = |right: &str| BadTurn(right.to_owned());
        match self {
            Knob::Temperature => {
                let number = number(to).filter(|number| (0.0..=2.0).contains(number));
                let number = number.ok_or_else(|| bad("a temperature is from 0 to 2"))?;
                sampling.temperature = Some(number);
            }
            Knob::TopP => {
                let number = number(to).filter(|number| *number > 0.0 && *number <= 1.0);
                sampling.top_p = Some(number.ok_or_else(|| bad("it is above 0 and at most 1"))?);
            }
            Knob::MaxTokens => {
                let most = to.parse().ok().filter(|most| *most > 0);
                let most =
                    most.ok_or_else(|| bad("a reply needs at least one token; write a number"))?;
                sampling.max_tokens = Some(most);
            }
            Knob::Effort => {
                let wanted = || bad("write none, minimal, low, medium, high, xhigh or max");
                sampling.effort = Some(Effort::named(to).ok_or_else(wanted)?);
            }
            Knob::ThinkingTokens => {
                let most = to.parse().ok();
                let most =
                    most.ok_or_else(|| bad("write a whole number; 0 turns reasoning off"))?;
                sampling.thinking_tokens = Some(most);
            }
            Knob::Seed => {
                let seed = to.parse().ok().filter(|seed| *seed <= LARGEST_SEED);
                let most = || BadTurn(format!("services take seeds from 0 to {LARGEST_SEED}"));
                sampling.seed = Some(seed.ok_or_else(most)?);
            }
            Knob::Form => {
                sampling.form = ReplyForm::named(to).ok_or_else(|| bad("write text or json"))?;
            }
            Knob::Stop => {
                let texts: Vec<String> = to.lines().map(unescaped).collect();
                if texts.is_empty() || texts.iter().any(String::is_empty) {
                    return Err(bad("a reply cannot end at nothing"));
                }
                sampling.stop = texts;
            }
        }
        Ok(())
    }

    /// How it stands; `None` where nothing is sent.
    pub fn standing(self, sampling: &Sampling) -> Option<String> {
        match self {
            Knob::Temperature => sampling.temperature.map(|number| number.to_string()),
            Knob::TopP => sampling.top_p.map(|number| number.to_string()),
            Knob::MaxTokens => sampling.max_tokens.map(|most| most.to_string()),
            Knob::Effort => sampling.effort.map(|effort| effort.to_string()),
            Knob::ThinkingTokens => sampling.thinking_tokens.map(|most| most.to_string()),
            Knob::Seed => sampling.seed.map(|seed| seed.to_string()),
            Knob::Form => Some(sampling.form.to_string()),
            Knob::Stop => {
                let texts: Vec<String> = sampling.stop.iter().map(|text| escaped(text)).collect();
                (!texts.is_empty()).then(|| texts.join("\n"))
            }
        }
    }
}

/// A sampling with what was chosen over it.
///
/// # Errors
/// The first knob that cannot be turned so, and what would be right.
pub fn turned(mut sampling: Sampling, chosen: &Turned) -> Result<Sampling, (Knob, BadTurn)> {
    for (knob, text) in chosen {
        knob.turn(&mut sampling, text).map_err(|bad| (*knob, bad))?;
    }
    Ok(sampling)
}

fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| number.is_finite())
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        match (sign, sign == '\\') {
            (_, true) => match signs.next() {
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            (other, false) => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_knob_stands_where_it_was_turned_to() {
        let texts = [
            (Knob::Temperature, "0.3"),
            (Knob::TopP, "1"),
            (Knob::MaxTokens, "800"),
            (Knob::Effort, "high"),
            (Knob::ThinkingTokens, "0"),
            (Knob::Seed, "2147483647"),
            (Knob::Form, "json"),
            (Knob::Stop, "END\n\\n\\n\na\\\\b"),
        ];
        let chosen: Turned = texts.map(|(knob, text)| (knob, text.to_owned())).into();
        let sampling = turned(Sampling::default(), &chosen).expect("all are right");
        assert_eq!(sampling.stop, ["END", "\n\n", "a\\b"]);
        for (knob, text) in texts {
            assert_eq!(knob.standing(&sampling).as_deref(), Some(text), "{knob}");
            assert_eq!(knob.name().parse(), Ok(knob));
        }
        assert_eq!(Knob::Temperature.standing(&Sampling::default()), None);
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_would_be_right() {
        for (knob, text) in [
            (Knob::Temperature, "2.1"),
            (Knob::Temperature, "NaN"),
            (Knob::TopP, "0"),
            (Knob::MaxTokens, "0"),
            (Knob::MaxTokens, "-1"),
            (Knob::Effort, "some"),
            (Knob::ThinkingTokens, "many"),
            (Knob::Seed, "2147483648"),
            (Knob::Form, "xml"),
            (Knob::Stop, "a\n\nb"),
            (Knob::Stop, ""),
        ] {
            let mut sampling = Sampling::default();
            assert!(knob.turn(&mut sampling, text).is_err(), "{knob}={text:?}");
            assert_eq!(sampling, Sampling::default());
        }
    }
}
