//! What a run cost, as its report shows it: a table, a record for programs, a remark.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{Amount, Role, Spending, Why, of};
use crate::effect::{FailureClass, SEARCH};
use crate::episode::Outcome;
use crate::metrics::cost::Cost;
use crate::metrics::metric::COST;
use crate::metrics::number::dollars;
use crate::metrics::options::MeasureOptions;
use crate::metrics::report::{Column, Report, Table, TableRow, caption};
use crate::metrics::summary::{SeatUsage, Summary};
use crate::metrics::{scored, unread};
use crate::prompt::Stop;
use crate::spec::Spec;

/// The title of the table by role.
pub const TITLE: &str = "Cost by role";

/// Puts what every run has ([`scored::reported`]), what it cost, and how its replies could be read ([`unread`]), into its report: the table by role, `cost_usd`,
/// `cost_usd_at_least`, `cost_by_role` and `cost_unknown` in the record, the value of [`COST`] where the headline lists it, and a
/// remark where a part is not known; besides, which replies were cut off, filtered or refused, how many episodes outgrew a context window, and how many searches brought
/// fewer results than were asked for.
#[must_use]
pub fn reported(
    report: Report,
    spec: &Spec,
    episodes: &[&Summary],
    options: &MeasureOptions,
) -> Report {
    let report = scored::reported(report, spec, episodes, options);
    let mut report = unread::reported(report, episodes);
    let spending = of(spec, episodes.iter().map(|summary| &summary.usage), options);
    let short: u32 = spending.roles.get(SEARCH).map_or(0, |role| role.usage.short);
    let ended = |summary: &&&Summary| summary.ending.as_deref() == Some(Outcome::CONTEXT);
    let outgrown = episodes.iter().filter(ended).count();
    let of_class = |summary: &&Summary| summary.failures.get(&FailureClass::Context).copied();
    let too_long: u32 = episodes.iter().filter_map(of_class).sum();
    if let Value::Object(record) = &mut report.record {
        let total = spending.total;
        record.insert(COST.key.into(), json!(total.exactly().map(Cost::dollars)));
        record.insert("cost_usd_at_least".into(), json!(total.at_least().map(Cost::dollars)));
        record.insert("cost_by_role".into(), spending.record());
        let why: BTreeSet<String> =
            spending.why.iter().map(|(why, calls)| why.sentence(*calls)).collect();
        record.insert("cost_unknown".into(), json!(why));
        record.insert("searches_short".into(), json!(short));
        if too_long > 0 {
            record.insert("context_endings".into(), json!(outgrown));
            record.insert("context_failures".into(), json!(too_long));
        }
    }
    let cost = COST.figure(&report.record).value;
    for figure in &mut report.headline {
        if figure.key == COST.key {
            figure.value = cost;
        }
    }
    if spending.is_of_interest() {
        report.tables.push(spending.table());
    }
    report.remarks.extend(spending.remark());
    let unfinished = episodes.iter().filter(|summary| !summary.complete);
    let unfinished = of(spec, unfinished.map(|summary| &summary.usage), options);
    report.remarks.extend(in_unfinished(spending.total, unfinished.total));
    report.remarks.extend(spending.stopped());
    report.remarks.extend(spending.departed());
    if outgrown > 0 {
        report.remarks.push(format!(
            "{outgrown} of {} episodes ended because a player's conversation outgrew the context window of its model; they are scored by what they have.",
            episodes.len()
        ));
    }
    let others = usize::try_from(too_long).unwrap_or(usize::MAX).saturating_sub(outgrown);
    if others > 0 {
        report.remarks.push(format!(
            "{others} further requests were longer than the context window of the model that was asked; no player's episode ended so."
        ));
    }
    if let (Some(search), true) = (&spec.search, short > 0) {
        report.remarks.push(format!(
            "{short} of {} searches brought fewer than the {} results that were asked for.",
            spending.roles.get(SEARCH).map_or(0, |role| role.usage.calls),
            search.results
        ));
    }
    report
}

/// How [`in_unfinished`] begins.
const SPENT: &str = "Spent ";

/// What was spent, and what of it in episodes that did not finish, in a sentence; `None` where nothing was that is known.
fn in_unfinished(all: Amount, unfinished: Amount) -> Option<String> {
    let told = |amount: Amount| {
        let least = if amount.unknown > 0 { "at least " } else { "" };
        format!("{least}{}", dollars(amount.known.dollars()))
    };
    (unfinished.known > Cost::default()).then(|| {
        format!("{SPENT}{}, of it {} in unfinished episodes.", told(all), told(unfinished))
    })
}

/// The sentence of a report about what was spent in unfinished episodes.
pub fn unfinished(report: &Report) -> Option<&str> {
    let mut remarks = report.remarks.iter().map(String::as_str);
    remarks.find(|remark| remark.starts_with(SPENT))
}

impl Why {
    fn sentence(&self, calls: u64) -> String {
        let calls = match calls {
            1 => "1 call".to_owned(),
            more => format!("{more} calls"),
        };
        match self {
            Why::NoPrice(who) => format!("{who} has no price here ({calls})"),
            Why::NoDay(who) => format!("nobody knows on which day {who} was called ({calls})"),
            Why::NotCounted(who) => format!("{who} did not tell its tokens ({calls})"),
            Why::NoCachePrice(who) => {
                format!("{who} has no price here for tokens of its cache ({calls})")
            }
            Why::TooLong(who) => {
                format!("{who} read more in one call than its price holds for ({calls})")
            }
            Why::Changed(who) => {
                format!("the price of {who} changed while an episode was under way ({calls})")
            }
            Why::MayBeCharged(who) => {
                format!("calls of {who} broke off, which it may charge for ({calls})")
            }
            Why::Imported => "imported results do not tell their calls".to_owned(),
        }
    }
}

impl Spending {
    /// Whether anything in it can cost money, so that a table of it says something.
    pub fn is_of_interest(&self) -> bool {
        let mut roles = self.roles.values();
        roles.any(|role| role.usage.model_calls > 0 || role.amount != Amount::default())
    }

    /// What parts are not known, in a sentence; `None` if all is known.
    pub fn remark(&self) -> Option<String> {
        if self.why.is_empty() {
            return None;
        }
        let why: Vec<String> = self.why.iter().map(|(why, calls)| why.sentence(*calls)).collect();
        let what = match self.total.at_least() {
            Some(cost) => format!("The cost is at least ${:.4}", cost.dollars()),
            None => "The cost is not known".to_owned(),
        };
        Some(format!("{what}: {}.", why.join("; ")))
    }

    /// Which seats had replies that did not come to their own end, a sentence each.
    pub fn stopped(&self) -> Vec<String> {
        let told = |(name, role): (&String, &Role)| {
            let parts = role.usage.stops.iter().filter_map(|(stop, replies)| {
                let how = match stop {
                    Stop::Length => "cut off at the limit of tokens",
                    Stop::Filtered => "filtered by the service",
                    Stop::Refused => "refused by the model",
                    Stop::End | Stop::Other => return None,
                };
                Some(format!("{replies} {how}"))
            });
            let parts: Vec<String> = parts.collect();
            (!parts.is_empty()).then(|| {
                let replies = role.usage.calls.saturating_sub(role.usage.failed);
                format!("{name}: of {replies} replies {}.", parts.join(", "))
            })
        };
        self.roles.iter().filter_map(told).collect()
    }

    /// What was not sent to seats as it was chosen, a sentence each.
    pub fn departed(&self) -> Vec<String> {
        let told = |(name, role): (&String, &Role)| {
            let calls = role.usage.calls;
            let sentence = move |(parameter, times): (&String, &u32)| {
                format!("{name}: {parameter} was not sent as chosen in {times} of {calls} calls.")
            };
            role.usage.departures.iter().map(sentence).collect::<Vec<_>>()
        };
        self.roles.iter().flat_map(told).collect()
    }

    /// As a table: a row for each role, and all together.
    pub fn table(&self) -> Table {
        let mut caption = caption("spending");
        let writes_cache = self.roles.values().any(|role| role.usage.cache_written > 0);
        let incomplete = self.roles.values().any(|role| role.amount.unknown > 0);
        let is_shown = |column: &Column| match column.label.as_str() {
            "at least" => incomplete,
            "of these put into a cache" => writes_cache,
            _ => true,
        };
        let shown: Vec<bool> = caption.columns.iter().map(is_shown).collect();
        caption.columns.retain(is_shown);
        let row = |name: String, usage: &SeatUsage, amount: Amount| {
            let tokens = |sum: u64| {
                let known = usage.known(sum).filter(|_| usage.model_calls > 0);
                known.map(|sum| sum as f64)
            };
            let cells = [
                amount.exactly().map(Cost::dollars),
                amount.at_least().map(Cost::dollars),
                Some(f64::from(usage.model_calls)),
                tokens(usage.input),
                tokens(usage.cached),
                tokens(usage.cache_written),
                tokens(usage.output),
                tokens(usage.reasoning),
            ];
            let cells = cells.into_iter().zip(&shown).filter(|(_, shown)| **shown);
            TableRow::new(name, usage.calls, cells.map(|(cell, _)| cell))
        };
        let mut all = SeatUsage::default();
        let mut rows = Vec::new();
        for (name, role) in &self.roles {
            all.add(&role.usage);
            let name = match role.who.as_str() {
                "" => name.clone(),
                who => format!("{name} ({who})"),
            };
            rows.push(row(name, &role.usage, role.amount));
        }
        if rows.len() > 1 {
            rows.push(row("all".to_owned(), &all, self.total));
        }
        if let Some(seen) = &self.seen {
            let seen = format!(" The oldest of these prices was last looked up on {seen}.");
            caption.about.push_str(&seen);
        }
        caption.table(rows)
    }

    /// For programs: `{role: {who, calls, model_calls, failed, counted, stops, tokens…, usd, usd_at_least}}`. `counted` says how many
    /// replies reported their tokens; sums of which nothing is known are null. Of `usd` and `usd_at_least`
    /// exactly one is a number, or none where nothing is known.
    pub fn record(&self) -> Value {
        let roles: Map<String, Value> = self
            .roles
            .iter()
            .map(|(name, role)| {
                let usage = &role.usage;
                let numbers = json!({
                    "who": role.who,
                    "calls": usage.calls,
                    "model_calls": usage.model_calls,
                    "failed": usage.failed,
                    "counted": usage.counted,
                    "stops": usage.stops,
                    "tokens_read": usage.known(usage.input),
                    "tokens_cached": usage.known(usage.cached),
                    "tokens_cache_written": usage.known(usage.cache_written),
                    "tokens_written": usage.known(usage.output),
                    "tokens_reasoning": usage.known(usage.reasoning),
                    "usd": role.amount.exactly().map(Cost::dollars),
                    "usd_at_least": role.amount.at_least().map(Cost::dollars),
                });
                (name.clone(), numbers)
            })
            .collect();
        Value::Object(roles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_in_unfinished_episodes_is_told_apart() {
        let amount = |cents: u64, unknown: u64| Amount {
            known: Cost::at(cents * 10_000, 1_000_000),
            unknown,
        };
        let told = |all, part| in_unfinished(all, part);
        assert_eq!(
            told(amount(42, 0), amount(10, 0)).as_deref(),
            Some("Spent $0.42, of it $0.10 in unfinished episodes.")
        );
        assert_eq!(
            told(amount(42, 3), amount(10, 1)).as_deref(),
            Some("Spent at least $0.42, of it at least $0.10 in unfinished episodes.")
        );
        assert_eq!(
            told(amount(42, 3), amount(42, 0)).as_deref(),
            Some("Spent at least $0.42, of it $0.42 in unfinished episodes.")
        );
        assert_eq!(told(amount(42, 0), amount(0, 0)), None);
        assert_eq!(told(amount(42, 2), amount(0, 2)), None, "nobody knows what");
    }
}
