//! What may be spent, and what has been (ARCHITECTURE.md, rule 20).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::caps::{Caps, Spent};

/// One of the budgets from which a run's calls are paid. Of the server's, which all runs share, [no more](SpendingBudget::coarse)
/// is shown than the driver of a run needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpendingBudget {
    pub of: Scope,
    /// What may be spent from it.
    pub caps: Caps,
    pub spent: Spent,
    /// What of that is set aside for calls on their way; some of it may come back.
    #[serde(default)]
    pub aside: Spent,
    /// Seconds for which the run has been driven; of a day, and where they are capped, those in which calls were under way.
    #[serde(default)]
    pub seconds: u64,
}

/// A cap that does not let the next call out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Short {
    pub of: Scope,
    pub kind: Kind,
    pub cap: u64,
    /// What is spent of it for good.
    pub spent: u64,
    /// What the call can come to that was refused last; 0 if that is not known.
    pub wants: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Money, in millionths of a US dollar.
    Money,
    /// Tokens, read and written.
    Tokens,
    Calls,
    /// Seconds for which the run is driven, or in a day in which calls are under way.
    Seconds,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Money, Kind::Tokens, Kind::Calls, Kind::Seconds];

    /// The cap of this kind.
    pub fn cap(self, caps: &Caps) -> Option<u64> {
        match self {
            Kind::Money => caps.money,
            Kind::Tokens => caps.tokens,
            Kind::Calls => caps.calls,
            Kind::Seconds => caps.seconds,
        }
    }

    /// Chooses the cap of this kind.
    pub fn set(self, caps: &mut Caps, cap: Option<u64>) {
        match self {
            Kind::Money => caps.money = cap,
            Kind::Tokens => caps.tokens = cap,
            Kind::Calls => caps.calls = cap,
            Kind::Seconds => caps.seconds = cap,
        }
    }
}

impl Short {
    /// Whether nothing is left, so that no call would fit.
    pub fn is_used_up(&self) -> bool {
        self.spent >= self.cap
    }
}

impl SpendingBudget {
    /// What of a kind is spent for good.
    pub fn settled(&self, kind: Kind) -> u64 {
        let settled = self.spent.less(self.aside);
        match kind {
            Kind::Money => settled.money,
            Kind::Tokens => settled.tokens,
            Kind::Calls => settled.calls,
            Kind::Seconds => self.seconds,
        }
    }

    /// What is shown of it to those who share it: of each cap how many quarters are spent at least, and all of it if the
    /// call that was refused last does not fit, or none would. So its caps are [short](SpendingBudget::short) as they really are.
    #[must_use]
    pub fn coarse(&self, refused: Option<Spent>) -> SpendingBudget {
        let short: Vec<Kind> = self.short(refused).map(|short| short.kind).collect();
        let told = |kind: Kind| match kind.cap(&self.caps) {
            None => 0,
            Some(cap) if short.contains(&kind) => cap,
            Some(cap) => {
                let quarter = cap.div_ceil(4).max(1);
                self.settled(kind) / quarter * quarter
            }
        };
        SpendingBudget {
            of: self.of.clone(),
            caps: self.caps.clone(),
            spent: Spent {
                money: told(Kind::Money),
                tokens: told(Kind::Tokens),
                calls: told(Kind::Calls),
            },
            aside: Spent::default(),
            seconds: told(Kind::Seconds),
        }
    }

    /// Its caps that do not let a call out which can come to so much; those that let none out, where that is not known.
    pub fn short(&self, most: Option<Spent>) -> impl Iterator<Item = Short> {
        Kind::ALL.into_iter().filter_map(move |kind| {
            let (cap, spent) = (kind.cap(&self.caps)?, self.settled(kind));
            let wants = match kind {
                Kind::Money => most.map_or(0, |most| most.money),
                Kind::Tokens => most.map_or(0, |most| most.tokens),
                Kind::Calls => 1,
                Kind::Seconds => 0,
            };
            let is_short = match kind {
                // A call that costs nothing needs nothing to be left.
                Kind::Money | Kind::Tokens if most.is_some() => spent.saturating_add(wants) > cap,
                _ => spent >= cap,
            };
            is_short.then(|| Short { of: self.of.clone(), kind, cap, spent, wants })
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The run's own, from its first call to its last.
    Run,
    /// That of everything which one access token opened, a day long (UTC).
    Access(String),
    /// The server's, a day long (UTC).
    Server,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Run => f.write_str("the run"),
            Scope::Access(name) => write!(f, "the access token {name:?} for today"),
            Scope::Server => f.write_str("the server for today"),
        }
    }
}

/// `GET /api/runs/{run}/budget`: from what a run is paid, and how fast its services let it go.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunBudgets {
    /// The budgets that bind, the run's own first.
    #[serde(rename = "purses")]
    pub budgets: Vec<SpendingBudget>,
    /// How the services that the run's seats and its search use were held back while it went on, oldest first.
    pub paces: Vec<PaceChange>,
    /// What the call can come to that was refused last, since the run was last resumed.
    pub refused: Option<Spent>,
}

impl RunBudgets {
    /// The caps that do not let the next call out; none while there is room for it.
    pub fn short(&self) -> Vec<Short> {
        let budgets = self.budgets.iter();
        budgets.flat_map(|budget| budget.short(self.refused)).collect()
    }
}

/// A service asked for fewer calls, or had enough of them again.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaceChange {
    /// Which service: the operator's name of an endpoint or a search engine.
    pub service: String,
    /// Milliseconds since 1970.
    pub at: u64,
    /// Calls at once from then on.
    pub limit: u32,
    /// Calls at once that the operator allows.
    pub most: u32,
    /// Milliseconds for which it asked that nothing is sent, if it did.
    pub wait: Option<u64>,
}

/// `POST /api/runs/{run}/caps`: other caps from now on. The answer is [`RunBudgets`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetCaps {
    /// They take the place of those that it had.
    pub caps: Caps,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cap_that_is_short_is_named() {
        let budget = SpendingBudget {
            of: Scope::Run,
            caps: Caps {
                money: Some(50_000),
                tokens: Some(9_000),
                calls: Some(12),
                seconds: Some(60),
                ..Caps::default()
            },
            spent: Spent { money: 48_000, tokens: 8_000, calls: 12 },
            aside: Spent { money: 14_600, tokens: 4_000, calls: 0 },
            seconds: 59,
        };
        let mut budget = RunBudgets { budgets: vec![budget], ..RunBudgets::default() };
        let short = |budget: &RunBudgets| -> Vec<_> {
            let short = budget.short();
            short.iter().map(|one| (one.kind, one.spent, one.is_used_up())).collect()
        };
        assert_eq!(short(&budget), [(Kind::Calls, 12, true)]);
        budget.refused = Some(Spent { money: 18_300, tokens: 1_000, calls: 1 });
        budget.budgets[0].seconds = 60;
        let all =
            [(Kind::Money, 33_400, false), (Kind::Calls, 12, true), (Kind::Seconds, 60, true)];
        assert_eq!(short(&budget), all);
        let coarse = RunBudgets {
            budgets: vec![budget.budgets[0].coarse(budget.refused)],
            ..budget.clone()
        };
        let all = [(Kind::Money, 50_000, true), (Kind::Calls, 12, true), (Kind::Seconds, 60, true)];
        assert_eq!(short(&coarse), all, "the same caps are short");
        assert_eq!(coarse.budgets[0].spent.tokens, 2_250, "4,000 of 9,000");
        budget.budgets[0].caps = Caps { money: Some(51_700), ..Caps::default() };
        assert!(budget.short().is_empty(), "it fits by a hair");
        let coarse = budget.budgets[0].coarse(budget.refused);
        assert_eq!(coarse.short(budget.refused).count(), 0);
        let told = (coarse.spent.money, coarse.spent.tokens, coarse.aside.money);
        assert_eq!(told, (25_850, 0, 0), "33,400 of 51,700");
    }
}
