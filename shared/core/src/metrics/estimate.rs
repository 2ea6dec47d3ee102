//! What a call can come to at most before it is sent, and what it came to afterwards: the arithmetic of budgets
//! (ARCHITECTURE.md, rule 20).

use super::prices::{ModelPrice, PriceBook, Tokens, Whole};
use crate::call::{ModelCall, Outgoing};
use crate::caps::{Caps, Spent};
use crate::day::Day;
use crate::effect::Reply;
use crate::picture::PictureRef;

/// Tokens that a service may add to what is sent: its own words around messages and forms.
const AROUND: u64 = 512;

/// Why the most that a call can cost is unknown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoBound {
    /// Its reply has no limit.
    #[error(
        "replies of {0} have no limit of tokens, so nobody knows what a call may cost; set max_tokens"
    )]
    NoLength(String),
    /// Its price is not known.
    #[error("the price of {0} is not known")]
    NoPrice(String),
    /// It may read more than its price holds for.
    #[error("the call may read {read} tokens, and the known price of {who} holds up to {up_to}")]
    TooLong {
        who: String,
        /// Tokens that it may read.
        read: u64,
        /// Tokens for which the price holds.
        up_to: u64,
    },
}

/// What a call can come to at most: a token is a byte or more, a reply has at most `max_tokens`, and everything is paid at the
/// highest rate.
///
/// # Errors
/// [`NoBound`], if the caps need what is not known.
pub fn at_most(
    request: &Outgoing,
    caps: &Caps,
    prices: &PriceBook,
    day: &Day,
) -> Result<Spent, NoBound> {
    let one = Spent { calls: 1, ..Spent::default() };
    match request {
        Outgoing::Model(call) if caps.bounds_tokens() => model(call, caps, prices, day),
        Outgoing::Search { engine, query } if caps.money.is_some() => {
            let money = match prices.search(engine, day) {
                Some(price) => small(price.of(1, query.results).millionths()),
                None if prices.is_free(engine) || allowed(caps, engine) => 0,
                None => return Err(NoBound::NoPrice(engine.clone())),
            };
            Ok(Spent { money, ..one })
        }
        _ => Ok(one),
    }
}

fn model(call: &ModelCall, caps: &Caps, prices: &PriceBook, day: &Day) -> Result<Spent, NoBound> {
    let who = || format!("{}/{}", call.provider, call.model);
    let output = call.sampling.max_tokens.ok_or_else(|| NoBound::NoLength(who()))?;
    let bytes = serde_json::to_string(&(&call.messages, &call.sampling)).map_or(0, |it| it.len());
    let pictures = call.messages.iter().flat_map(|message| &message.pictures);
    let pictures: u64 = pictures.map(PictureRef::most_tokens).sum();
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    let input = bytes.saturating_add(AROUND).saturating_add(pictures);
    let output = u64::from(output);
    let money = match price(call, prices, day) {
        _ if caps.money.is_none() => 0,
        Price::Free => 0,
        Price::Unknown if allowed(caps, &who()) => 0,
        Price::Unknown => return Err(NoBound::NoPrice(who())),
        Price::Known(price) => {
            if let Some(up_to) = price.up_to
                && input > up_to
            {
                return Err(NoBound::TooLong { who: who(), read: input, up_to });
            }
            let rates = [Some(price.input), price.cached, price.cache_write];
            let read = rates.into_iter().flatten().max().unwrap_or(price.input);
            let written = price.reasoning.unwrap_or(price.output).max(price.output);
            small((read.tokens(input) + written.tokens(output)).millionths())
        }
    };
    Ok(Spent { money, tokens: input.saturating_add(output), calls: 1 })
}

/// What a call came to, as far as its reply tells; what it does not tell, or what cannot be, counts with what was reserved for it.
pub fn really(
    request: &Outgoing,
    reply: &Reply,
    reserved: Spent,
    prices: &PriceBook,
    day: &Day,
) -> Spent {
    let (Outgoing::Model(call), Reply::Said(said)) = (request, reply) else {
        return reserved;
    };
    let usage = said.believed_usage();
    let (Some(input), Some(output)) = (usage.input, usage.output) else {
        return reserved;
    };
    let tokens = Tokens {
        input,
        cached: usage.cached.unwrap_or(0),
        cache_written: usage.cache_written.unwrap_or(0),
        output,
        reasoning: usage.reasoning.unwrap_or(0),
    };
    let money = match price(call, prices, day) {
        Price::Known(price) if reserved.money > 0 => match price.of(&tokens) {
            (cost, Whole::Yes) => small(cost.millionths()),
            (_, Whole::No) => reserved.money,
        },
        _ => reserved.money,
    };
    Spent {
        money,
        tokens: match reserved.tokens {
            0 => 0,
            _ => usage.tokens(),
        },
        calls: reserved.calls,
    }
}

enum Price<'a> {
    Free,
    Known(&'a ModelPrice),
    Unknown,
}

fn price<'a>(call: &ModelCall, prices: &'a PriceBook, day: &Day) -> Price<'a> {
    match prices.model(&call.provider, &call.model, day) {
        Some(price) => Price::Known(price),
        None if prices.is_free(&call.provider) => Price::Free,
        None => Price::Unknown,
    }
}

fn allowed(caps: &Caps, who: &str) -> bool {
    caps.unpriced.iter().any(|name| name == who)
}

fn small(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::{Failure, FailureClass, Query};
    use crate::prompt::{Rendered, Role, Said, Usage};
    use crate::seat::{Sampling, Seat};

    fn call(max_tokens: Option<u32>) -> ModelCall {
        ModelCall {
            provider: "up".to_owned(),
            model: "m".to_owned(),
            seat: Seat::new("player"),
            messages: vec![Rendered::text(Role::User, "è".repeat(500))],
            sampling: Sampling { max_tokens, ..Sampling::default() },
        }
    }

    fn day() -> Day {
        "2026-11-21".parse().expect("a day")
    }

    fn prices(up_to: Option<u64>) -> PriceBook {
        let mut price = serde_json::json!({
            "provider": "up", "model": "m", "from": "2026-01-01", "input": 2.0, "cache_write": 2.5, "output": 10.0,
        });
        if let Some(up_to) = up_to {
            price["up_to"] = up_to.into();
        }
        let search = serde_json::json!({ "engine": "web", "from": "2026-01-01", "per_thousand": 5.0, "results": 10 });
        serde_json::from_value(serde_json::json!({ "price": [price], "search_price": [search] }))
            .expect("a book")
    }

    fn money() -> Caps {
        Caps { money: Some(1), ..Caps::default() }
    }

    #[test]
    fn a_call_is_bounded_by_its_bytes_and_its_limit() {
        let request = Outgoing::Model(call(Some(1000)));
        let most = at_most(&request, &money(), &prices(None), &day()).expect("it has a bound");
        let read = most.tokens - 1000;
        assert!(read > 1000 + AROUND, "two bytes a sign: {read}");
        // 2.50 dollars a million read, 10 written.
        assert_eq!(most.money, (read * 5).div_ceil(2) + 10_000);
        assert_eq!(most.calls, 1);
    }

    #[test]
    fn what_has_no_bound_is_named() {
        let none = PriceBook::default();
        let bound = |call: ModelCall, caps: &Caps, book: &PriceBook| {
            at_most(&Outgoing::Model(call), caps, book, &day())
        };
        let tokens = Caps { tokens: Some(1), ..Caps::default() };
        assert_eq!(bound(call(None), &tokens, &none), Err(NoBound::NoLength("up/m".to_owned())));
        assert!(bound(call(Some(9)), &tokens, &none).is_ok());
        assert_eq!(bound(call(Some(9)), &money(), &none), Err(NoBound::NoPrice("up/m".to_owned())));
        let by_name = Caps { unpriced: vec!["up/m".to_owned()], ..money() };
        assert_eq!(bound(call(Some(9)), &by_name, &none).map(|most| most.money), Ok(0));
        assert!(matches!(
            bound(call(Some(9)), &money(), &prices(Some(100))),
            Err(NoBound::TooLong { up_to: 100, .. })
        ));
        assert_eq!(
            bound(call(None), &Caps::default(), &none).map(|most| most.calls),
            Ok(1),
            "without caps nothing needs a bound"
        );
    }

    #[test]
    fn a_search_is_paid_by_the_request() {
        let search = |results| Outgoing::Search {
            engine: "web".to_owned(),
            query: Query { text: "a".to_owned(), results, locale: None, since: None },
        };
        let cost = |results| {
            at_most(&search(results), &money(), &prices(None), &day()).map(|most| most.money)
        };
        assert_eq!(cost(5), Ok(5_000));
        assert_eq!(cost(11), Ok(10_000));
        assert!(at_most(&search(5), &money(), &PriceBook::default(), &day()).is_err());
    }

    #[test]
    fn what_came_back_tells_what_it_cost() {
        let request = Outgoing::Model(call(Some(1000)));
        let reserved = at_most(&request, &money(), &prices(None), &day()).expect("a bound");
        let mut said = Said::text("yes");
        let untold = really(&request, &Reply::Said(said.clone()), reserved, &prices(None), &day());
        assert_eq!(untold, reserved);
        said.usage = Usage { input: Some(100), output: Some(10), ..Usage::default() };
        let told = really(&request, &Reply::Said(said.clone()), reserved, &prices(None), &day());
        assert_eq!((told.money, told.tokens, told.calls), (300, 110, 1));
        said.usage.cached = Some(50);
        let half = really(&request, &Reply::Said(said), reserved, &prices(None), &day());
        assert_eq!(half.money, reserved.money, "the price of its cache is not known");
        for (input, cached, output, reasoning) in [
            (0, None, 0, None),
            (100, None, 0, None),
            (0, None, 10, None),
            (100, Some(101), 10, None),
            (100, None, 10, Some(11)),
            (u64::MAX, None, 10, None),
            (100, None, i64::MAX.cast_unsigned(), None),
        ] {
            let mut said = Said::text("yes");
            said.usage = Usage {
                input: Some(input),
                cached,
                output: Some(output),
                reasoning,
                ..Usage::default()
            };
            let odd = really(&request, &Reply::Said(said), reserved, &prices(None), &day());
            assert_eq!(odd, reserved, "{input} {cached:?} {output} {reasoning:?}");
        }
        let failed = Reply::Failed(Failure::new(FailureClass::Timeout, "late"));
        assert_eq!(really(&request, &failed, reserved, &prices(None), &day()), reserved);
    }
}
