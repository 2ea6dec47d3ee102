//! The fixed population (specification 5.b and 5.h.5): rules that look at the last round only, and at chance.

use std::fmt;
use std::str::FromStr;

use super::game::Action;

/// With what probability generous Tit for Tat forgives a defection.
pub const FORGIVENESS: f64 = 1.0 / 3.0;

/// A rule of the population.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strategy {
    /// Tit for Tat: cooperates first, then does what the other did last.
    TitForTat,
    /// Tit for Tat that answers a defection with cooperation with probability [`FORGIVENESS`].
    GenerousTitForTat,
    /// Cooperates until the other defects, then defects for ever.
    Grim,
    AlwaysCooperate,
    AlwaysDefect,
    /// Win-stay, lose-shift: cooperates first, repeats its action if the other cooperated, changes it otherwise.
    WinStayLoseShift,
    Random(f64),
}

impl Strategy {
    /// Every rule, with the usual probability where one has one.
    pub const ALL: [Strategy; 7] = [
        Strategy::TitForTat,
        Strategy::GenerousTitForTat,
        Strategy::Grim,
        Strategy::AlwaysCooperate,
        Strategy::AlwaysDefect,
        Strategy::WinStayLoseShift,
        Strategy::Random(0.5),
    ];

    /// What it does after a round in which it did `own` and the other did `other`; `None` before the first round. `unit`
    /// is a number in `[0, 1)`, taken only by rules that need chance.
    pub fn next(self, last: Option<(Action, Action)>, unit: impl FnOnce() -> f64) -> Action {
        use Action::{Cooperate, Defect};
        match (self, last) {
            (Strategy::AlwaysCooperate, _) => Cooperate,
            (Strategy::AlwaysDefect, _) => Defect,
            (Strategy::Random(p), _) => {
                if unit() < p {
                    Cooperate
                } else {
                    Defect
                }
            }
            (_, None) => Cooperate,
            (Strategy::TitForTat, Some((_, other))) => other,
            (Strategy::GenerousTitForTat, Some((_, other))) => match other {
                Cooperate => Cooperate,
                Defect if unit() < FORGIVENESS => Cooperate,
                Defect => Defect,
            },
            (Strategy::Grim, Some((own, other))) => own.max(other),
            (Strategy::WinStayLoseShift, Some((own, other))) => match other {
                Cooperate => own,
                Defect => own.other(),
            },
        }
    }

    /// Its bare name, without a probability: on the command line, and as the class of an opponent.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::TitForTat => "tft",
            Strategy::GenerousTitForTat => "generous-tft",
            Strategy::Grim => "grim",
            Strategy::AlwaysCooperate => "always-c",
            Strategy::AlwaysDefect => "always-d",
            Strategy::WinStayLoseShift => "wsls",
            Strategy::Random(_) => "random",
        }
    }

    pub fn in_words(self) -> &'static str {
        match self {
            Strategy::TitForTat => "Tit for tat",
            Strategy::GenerousTitForTat => "Generous tit for tat",
            Strategy::Grim => "Grim trigger",
            Strategy::AlwaysCooperate => "Always cooperate",
            Strategy::AlwaysDefect => "Always defect",
            Strategy::WinStayLoseShift => "Win-stay, lose-shift",
            Strategy::Random(_) => "Random",
        }
    }

    /// Its name in tables. Those of the reference code enter its seeds (ARCHITECTURE.md, rule 35).
    pub fn title(self) -> &'static str {
        match self {
            Strategy::TitForTat => "TFT",
            Strategy::GenerousTitForTat => "Generous TFT",
            Strategy::Grim => "Grim Trigger",
            Strategy::AlwaysCooperate => "Always C",
            Strategy::AlwaysDefect => "Always D",
            Strategy::WinStayLoseShift => "Win-Stay Lose-Shift",
            Strategy::Random(_) => "Random",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Random(p) => write!(f, "random:{p}"),
            other => f.write_str(other.name()),
        }
    }
}

/// A text that names no rule of the population.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownStrategy {
    /// No rule has that name.
    #[error(
        "{0:?} is not of the population; there are tft, gtft (or generous-tft), grim, always-c, always-d, wsls and random:P"
    )]
    Name(String),
    /// The probability cannot be one.
    #[error("{0:?} is not a probability; write random:P with P from 0 to 1, e.g. random:0.5")]
    Probability(String),
}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, UnknownStrategy> {
        if let Some(p) = text.strip_prefix("random:") {
            return match p.parse::<f64>() {
                Ok(p) if (0.0..=1.0).contains(&p) => Ok(Strategy::Random(p)),
                _ => Err(UnknownStrategy::Probability(p.chars().take(40).collect())),
            };
        }
        if text == "gtft" {
            return Ok(Strategy::GenerousTitForTat);
        }
        Strategy::ALL
            .into_iter()
            .find(|strategy| strategy.name() == text)
            .ok_or_else(|| UnknownStrategy::Name(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Payoffs, Played, letters, of_letters};

    #[test]
    fn names_are_read_back() {
        for strategy in Strategy::ALL {
            assert_eq!(strategy.to_string().parse(), Ok(strategy));
            assert_eq!(strategy.name().parse(), Ok(strategy));
        }
        assert_eq!("gtft".parse(), Ok(Strategy::GenerousTitForTat));
        assert_eq!("random:0.6".parse(), Ok(Strategy::Random(0.6)));
        for bad in ["random:", "random:2", "random:NaN", "random:-0.1"] {
            let error = bad.parse::<Strategy>().unwrap_err();
            assert!(matches!(error, UnknownStrategy::Probability(_)), "{bad}");
        }
        assert!(matches!("TFT".parse::<Strategy>(), Err(UnknownStrategy::Name(_))));
    }

    /// What a rule does against a fixed row of actions, with a fixed number for chance.
    fn against(strategy: Strategy, others: &str, unit: f64) -> String {
        let mut played = Played::default();
        for other in of_letters(others).expect("rows are written in C and D") {
            let own = strategy.next(played.last(0), || unit);
            played.round(&Payoffs::default(), [own, other]);
        }
        letters(&played.actions[0])
    }

    #[test]
    fn every_rule_against_a_row_of_actions() {
        let row = "CDCCDDC";
        let expected = [
            (Strategy::TitForTat, "CCDCCDD"),
            (Strategy::Grim, "CCDDDDD"),
            (Strategy::AlwaysCooperate, "CCCCCCC"),
            (Strategy::AlwaysDefect, "DDDDDDD"),
            (Strategy::WinStayLoseShift, "CCDDDCD"),
        ];
        for (strategy, actions) in expected {
            assert_eq!(against(strategy, row, 0.0), actions, "{strategy}");
        }
    }

    #[test]
    fn chance_is_compared_with_the_probability() {
        let generous = Strategy::GenerousTitForTat;
        assert_eq!(against(generous, "DDC", 0.33), "CCC");
        assert_eq!(against(generous, "DDC", 0.34), "CDD");
        assert_eq!(against(Strategy::Random(0.5), "CC", 0.49), "CC");
        assert_eq!(against(Strategy::Random(0.5), "CC", 0.5), "DD");
        assert_eq!(against(Strategy::Random(0.0), "C", 0.0), "D");
    }
}
