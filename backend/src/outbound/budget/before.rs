//! What was spent of a day or a run before its caps were there: caps that come into being in the course of it, or bind something else
//! than before, count from its beginning.

use std::collections::{BTreeMap, HashMap};
use std::pin::pin;

use futures::TryStreamExt as _;
use turnwise_shared::metrics::estimate::{at_most, really};
use turnwise_shared::prelude::*;

use crate::store::{Earlier, End, Past, Store, StoreError, under_way};

/// A day, in milliseconds.
const DAY: u64 = 86_400_000;

/// Tokens that were withheld count as this number at least, doubled until it covers them: their true number would show how long a
/// hidden text is.
const COVER: u64 = 4096;

/// What was spent on the day of a moment, as the ledger has it: of all runs, and by the access token with which runs were opened.
#[derive(Debug, Default)]
pub(in crate::outbound) struct Before {
    all: Sum,
    by_access: BTreeMap<String, Sum>,
}

#[derive(Debug, Default)]
struct Sum {
    known: Spent,
    /// Calls of unknown cost, if they can have cost something.
    unknown: u64,
    /// The most that a call came to, of each kind.
    dearest: Spent,
    spans: Vec<(u64, u64)>,
}

impl Before {
    /// Looks it up. A call of unknown cost, because its end is not known or because a service may ask for money after
    /// such a failure, counts as the dearest call of the same budget.
    pub(in crate::outbound) async fn of_day(
        store: &Store,
        prices: &PriceBook,
        now: u64,
        day: &Day,
    ) -> Result<Self, StoreError> {
        let since = now - now % DAY;
        let mut calls = pin!(store.sent_between(since, since + DAY));
        let mut specs: HashMap<RunId, Spec> = HashMap::new();
        let mut before = Before::default();
        while let Some(call) = calls.try_next().await? {
            let run = &call.key.run;
            if !specs.contains_key(run)
                && let Some(head) = store.run_head(run).await?
            {
                specs.insert(run.clone(), head.spec);
            }
            let cost = match specs.get(run) {
                Some(spec) => cost(store, spec, &call, prices, day).await?,
                None => Cost::Unknown,
            };
            if let Some(access) = &call.access {
                let sum = before.by_access.entry(access.clone()).or_default();
                sum.add(&call, cost);
            }
            before.all.add(&call, cost);
        }
        Ok(before)
    }

    /// What the server's budget has to begin with.
    pub(in crate::outbound) fn of_server(&self, caps: &Caps) -> Earlier {
        self.all.under(caps)
    }

    /// What the budget of an access token has to begin with.
    pub(in crate::outbound) fn of_access(&self, name: &str, caps: &Caps) -> Earlier {
        let sum = self.by_access.get(name);
        sum.map_or_else(|| Sum::default().under(caps), |sum| sum.under(caps))
    }
}

/// What a run spent before it had caps of its own, by the prices of the days on which it was sent. A call over sealed tasks
/// counts as the dearest of the other calls: its true cost would show how long a hidden text is. Time is counted by the driver
/// of the run.
pub(in crate::outbound) async fn of_run(
    store: &Store,
    prices: &PriceBook,
    run: &RunId,
) -> Result<Earlier, StoreError> {
    let sum = sum_of(store, prices, run, |_| true).await?;
    Ok(sum.under(&Caps::default()))
}

/// What is known of that to the last token, of those calls that have come back.
pub(in crate::outbound) async fn come_back(
    store: &Store,
    prices: &PriceBook,
    run: &RunId,
) -> Result<Spent, StoreError> {
    let sum = sum_of(store, prices, run, |call| call.end != End::Unknown).await?;
    Ok(sum.known)
}

async fn sum_of(
    store: &Store,
    prices: &PriceBook,
    run: &RunId,
    which: impl Fn(&Past) -> bool,
) -> Result<Sum, StoreError> {
    let mut sum = Sum::default();
    if let Some(head) = store.run_head(run).await? {
        let mut calls = pin!(store.sent_of(run));
        while let Some(call) = calls.try_next().await? {
            if !which(&call) {
                continue;
            }
            let is_withheld = matches!(&call.end, End::Said { is_withheld: true, .. });
            let cost = match Day::of(call.span.0) {
                Some(day) if !is_withheld => cost(store, &head.spec, &call, prices, &day).await?,
                _ => Cost::Unknown,
            };
            sum.add(&call, cost);
        }
    }
    Ok(sum)
}

impl Sum {
    fn add(&mut self, call: &Past, cost: Cost) {
        self.spans.push(call.span);
        self.unknown = self.unknown.saturating_add(call.charged);
        self.known.calls = self.known.calls.saturating_add(call.sends);
        match cost {
            Cost::Known { money, tokens } => {
                self.known.money = self.known.money.saturating_add(money);
                self.known.tokens = self.known.tokens.saturating_add(tokens);
                self.dearest.money = self.dearest.money.max(money);
                self.dearest.tokens = self.dearest.tokens.max(tokens);
            }
            Cost::Unknown => self.unknown = self.unknown.saturating_add(1),
        }
    }

    fn under(&self, caps: &Caps) -> Earlier {
        let more =
            |known: u64, dearest: u64| known.saturating_add(dearest.saturating_mul(self.unknown));
        Earlier {
            known: self.known,
            whole: Spent {
                money: more(self.known.money, self.dearest.money),
                tokens: more(self.known.tokens, self.dearest.tokens),
                calls: self.known.calls,
            },
            milliseconds: caps.seconds.map(|_| under_way(self.spans.clone())),
        }
    }
}

/// What a call came to: money in millionths of a US dollar, none where its price is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cost {
    Known { money: u64, tokens: u64 },
    Unknown,
}

const NOTHING: Cost = Cost::Known { money: 0, tokens: 0 };

async fn cost(
    store: &Store,
    spec: &Spec,
    call: &Past,
    prices: &PriceBook,
    day: &Day,
) -> Result<Cost, StoreError> {
    Ok(match &call.end {
        End::Free => NOTHING,
        End::Unknown => Cost::Unknown,
        End::Failed(class) if class.may_be_charged() => Cost::Unknown,
        End::Failed(_) => NOTHING,
        End::Other => search(spec, prices, day),
        End::Said { is_withheld: true, .. } => {
            let said = store.withheld(&call.key).await?.unwrap_or_default();
            let costs = said.iter().map(|said| {
                answer(
                    spec,
                    call,
                    &covered(&said.believed_usage()),
                    said.model.as_deref(),
                    prices,
                    day,
                )
            });
            costs.reduce(plus).unwrap_or(NOTHING)
        }
        End::Said { usage, model, .. } => answer(spec, call, usage, model.as_deref(), prices, day),
    })
}

fn plus(one: Cost, other: Cost) -> Cost {
    match (one, other) {
        (Cost::Known { money, tokens }, Cost::Known { money: more, tokens: further }) => {
            Cost::Known {
                money: money.saturating_add(more),
                tokens: tokens.saturating_add(further),
            }
        }
        _ => Cost::Unknown,
    }
}

fn covered(usage: &Usage) -> Usage {
    let cover = |tokens: Option<u64>| tokens.map(|tokens| tokens.max(COVER).next_power_of_two());
    Usage { input: cover(usage.input), output: cover(usage.output), ..Usage::default() }
}

/// What an answer came to. The ledger does not say which seat asked: where several models of a service sit at a run, that which the
/// service named answered, else the dearest of them.
fn answer(
    spec: &Spec,
    call: &Past,
    usage: &Usage,
    named: Option<&str>,
    prices: &PriceBook,
    day: &Day,
) -> Cost {
    let models: Vec<(&String, &String)> = spec
        .seats
        .values()
        .filter_map(|sitting| match &sitting.player {
            Player::Model { provider, model } => Some((provider, model)),
            _ => None,
        })
        .filter(|(provider, _)| call.service.as_ref().is_none_or(|name| name == *provider))
        .collect();
    // A built-in player answered, as the server's own do over sealed tasks.
    if models.is_empty() {
        return NOTHING;
    }
    if usage.input.is_none() || usage.output.is_none() {
        return Cost::Unknown;
    }
    let is_named = |model: &str| named == Some(model);
    let narrow = models.iter().any(|(_, model)| is_named(model));
    let reply = Reply::Said(Said { usage: usage.clone(), ..Said::default() });
    // An unknown price leaves these as they are; then the cost is recognized by being zero.
    let asked = Spent { money: 1, tokens: 1, calls: 1 };
    let costs =
        models.iter().filter(|(_, model)| !narrow || is_named(model)).map(|(provider, model)| {
            let request = Outgoing::Model(ModelCall {
                provider: (*provider).clone(),
                model: (*model).clone(),
                seat: Seat::new(Seat::PLAYER),
                messages: Vec::new(),
                sampling: Default::default(),
            });
            really(&request, &reply, asked, prices, day).money
        });
    Cost::Known {
        money: costs.max().filter(|money| *money > asked.money).unwrap_or(0),
        tokens: usage.tokens(),
    }
}

fn search(spec: &Spec, prices: &PriceBook, day: &Day) -> Cost {
    let Some(search) = &spec.search else {
        return NOTHING;
    };
    let request = Outgoing::Search {
        engine: search.engine.clone(),
        query: Query { text: String::new(), results: search.results, locale: None, since: None },
    };
    let caps = Caps { money: Some(u64::MAX), ..Caps::default() };
    let money = at_most(&request, &caps, prices, day).map_or(0, |most| most.money);
    Cost::Known { money, tokens: 0 }
}

#[cfg(test)]
mod tests {
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::effect::CallId;
    use turnwise_shared::hash::Digest;
    use turnwise_shared::key::EpisodeKey;
    use turnwise_shared::seat::Sitting;
    use turnwise_shared::wire::CallKey;
    use turnwise_shared::{examples, registry};

    use super::*;

    fn call(sends: u64, span: (u64, u64), charged: u64) -> Past {
        Past {
            key: CallKey {
                run: RunId::new([1; 16]),
                episode: EpisodeKey::play(&"1".into(), 1),
                call: CallId(1),
                digest: Digest::of("asked"),
            },
            access: None,
            sends,
            charged,
            span,
            service: Some("up".to_owned()),
            end: End::Unknown,
        }
    }

    #[test]
    fn what_nobody_knows_counts_as_the_dearest_and_time_at_once_counts_once() {
        let mut sum = Sum::default();
        let known = |money, tokens| Cost::Known { money, tokens };
        sum.add(&call(1, (1000, 3000), 0), known(40, 10));
        sum.add(&call(3, (2000, 4000), 1), known(70, 5));
        sum.add(&call(1, (9000, 9000), 0), Cost::Unknown);
        let capped = Caps { seconds: Some(60), ..Caps::default() };
        let spent = |money, tokens| Spent { money, tokens, calls: 5 };
        let expected = Earlier {
            known: spent(110, 15),
            whole: spent(110 + 2 * 70, 15 + 2 * 10),
            milliseconds: Some(3000),
        };
        assert_eq!(sum.under(&capped), expected);
        let without = sum.under(&Caps::default());
        assert_eq!(without.milliseconds, None, "no time is capped");
    }

    #[test]
    fn built_in_players_cost_nothing_and_a_model_that_told_nothing_is_unknown() {
        let benchmark = registry::find(examples::QUESTIONS).expect("it is one of ours");
        let mut spec = default_spec(benchmark);
        let (prices, day) = (PriceBook::default(), "2026-11-25".parse().expect("a day"));
        let usage = Usage::default();
        let cost = |spec: &Spec| answer(spec, &call(1, (0, 0), 0), &usage, None, &prices, &day);
        assert_eq!(cost(&spec), NOTHING);
        let sitting = Sitting {
            player: "model:up/m".parse().expect("a player"),
            sampling: Default::default(),
        };
        spec.seats.insert(Seat::new(Seat::PLAYER), sitting);
        assert_eq!(cost(&spec), Cost::Unknown);
    }

    #[test]
    fn withheld_tokens_are_rounded_so_that_no_length_is_told() {
        let of = |input, output| {
            let usage = Usage { input: Some(input), output: Some(output), ..Usage::default() };
            let covered = covered(&usage);
            (covered.input, covered.output)
        };
        assert_eq!(of(1, 4096), (Some(4096), Some(4096)));
        assert_eq!(of(4097, 9000), (Some(8192), Some(16384)));
    }
}
