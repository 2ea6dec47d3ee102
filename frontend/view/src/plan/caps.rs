//! Caps as they are typed, and whether a run can be held to them.

use turnwise_shared::caps::{dollars, millionths};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::budgets::Kind;

use crate::strings::budgets as words;

/// Whether a run makes any calls that are counted.
pub fn calls_out(spec: &Spec) -> bool {
    asks_models(spec) || spec.search.is_some()
}

/// Whether anything of a run may cost something: it asks models, or an engine that is not the server's own.
pub fn can_cost(spec: &Spec, prices: &PriceBook) -> bool {
    let search = spec.search.as_ref();
    asks_models(spec) || search.is_some_and(|search| !prices.is_free(&search.engine))
}

fn asks_models(spec: &Spec) -> bool {
    let mut seats = spec.seats.values();
    seats.any(|sitting| matches!(sitting.player, Player::Model { .. }))
}

/// The cap that the user typed; an empty field has none.
///
/// # Errors
/// What is wanted instead, in the words of the form.
pub fn typed(kind: Kind, text: &str) -> Result<Option<u64>, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let is_number = |more: &[u8]| {
        let mut signs = text.bytes();
        signs.all(|sign| sign.is_ascii_digit() || more.contains(&sign))
    };
    let (cap, wanted) = match kind {
        Kind::Money => {
            // An `e` or a sign before the number is more often a slip than meant.
            let amount = text.parse().ok().filter(|_| is_number(b"."));
            (
                amount.and_then(millionths),
                "Write an amount such as 2.50: digits and a point, at most six \
                decimals; or leave the field empty.",
            )
        }
        Kind::Tokens | Kind::Calls | Kind::Seconds => (
            text.parse().ok().filter(|_| is_number(b"")),
            "Write a whole number such as 500, in digits alone; \
                or leave the field empty.",
        ),
    };
    cap.map(Some).ok_or(wanted)
}

/// A cap as it would be typed.
pub fn shown(kind: Kind, cap: Option<u64>) -> String {
    match (kind, cap) {
        (_, None) => String::new(),
        (Kind::Money, Some(cap)) => dollars(cap).to_string(),
        (Kind::Tokens | Kind::Calls | Kind::Seconds, Some(cap)) => cap.to_string(),
    }
}

/// Looks whether a run can go out at all under its caps. What the server alone knows, prices among it, it looks at itself.
///
/// # Errors
/// What stands in the way, in the words of the form.
pub fn usable(caps: &Caps, spec: &Spec) -> Result<(), BadSpec> {
    let bad = |problem: String| Err(BadSpec::new("caps", problem));
    if !calls_out(spec) {
        return Ok(());
    }
    if [caps.money, caps.tokens, caps.calls, caps.seconds].contains(&Some(0)) {
        return bad(words::NOTHING.to_owned());
    }
    match unbounded(caps, &spec.seats) {
        Some(seat) => bad(words::no_length(caps.money.is_some(), seat)),
        None => Ok(()),
    }
}

/// The first model that may write as much as it likes, where what it writes has to be bounded.
pub fn unbounded(caps: &Caps, seats: &Lineup) -> Option<Seat> {
    let mut seats = seats.iter();
    let unbounded = seats.find(|(_, sitting)| {
        matches!(sitting.player, Player::Model { .. }) && sitting.sampling.max_tokens.is_none()
    });
    unbounded.filter(|_| caps.bounds_tokens()).map(|(seat, _)| seat.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::examples::QUESTIONS;
    use turnwise_shared::registry;

    fn spec(max_tokens: Option<u32>) -> Spec {
        let mut spec = default_spec(registry::find(QUESTIONS).expect("it is registered"));
        let sitting = spec.seats.get_mut(&Seat::new(Seat::PLAYER)).expect("a player");
        sitting.player = "model:up/m".parse().expect("a seat");
        for sitting in spec.seats.values_mut() {
            sitting.sampling.max_tokens = max_tokens;
        }
        spec
    }

    fn problem(caps: Caps, spec: &Spec) -> Option<String> {
        usable(&caps, spec).err().map(|bad| bad.problem)
    }

    #[test]
    fn a_cap_on_money_or_tokens_needs_replies_that_end() {
        let caps = Caps { money: Some(1_000_000), ..Caps::default() };
        let why = problem(caps.clone(), &spec(None)).expect("nobody knows what a call may cost");
        let wanted = "A dollar budget needs a maximum reply length for the player.";
        assert_eq!(why, wanted);
        assert_eq!(problem(caps, &spec(Some(300))), None);
        let calls = Caps { calls: Some(5), ..Caps::default() };
        assert_eq!(problem(calls, &spec(None)), None);
    }

    #[test]
    fn what_is_no_cap_is_never_taken_for_none() {
        let slips = [
            "-5",
            "1e3",
            "99999999999999999999999",
            "-1 dollars",
            "1e30",
            "$5",
            "1,000",
            "+5",
            "NaN",
            ".",
        ];
        for kind in Kind::ALL {
            for slip in slips {
                assert!(typed(kind, slip).is_err(), "{kind:?} {slip}");
            }
            assert_eq!(typed(kind, "  "), Ok(None));
            assert_eq!(typed(kind, " 12 "), Ok(Some(12 * kind_of_one(kind))));
            let shown = shown(kind, Some(12 * kind_of_one(kind)));
            assert_eq!(shown, "12");
        }
        assert!(typed(Kind::Calls, "2.5").is_err());
        assert!(typed(Kind::Money, "0.000000001").is_err());
        assert_eq!(typed(Kind::Money, "2.5"), Ok(Some(2_500_000)));
        assert_eq!(shown(Kind::Money, Some(2_500_000)), "2.5");
        assert_eq!(shown(Kind::Calls, None), "");
    }

    /// A dollar is a million of what is counted.
    fn kind_of_one(kind: Kind) -> u64 {
        match kind {
            Kind::Money => 1_000_000,
            Kind::Tokens | Kind::Calls | Kind::Seconds => 1,
        }
    }

    #[test]
    fn bots_over_an_engine_of_the_servers_own_cost_nothing() {
        let mut free = spec(None);
        let search = json!({ "engine": "own", "results": 5 });
        free.search = serde_json::from_value(search).expect("a search");
        let book = PriceBook { free: vec!["own".to_owned()], ..PriceBook::default() };
        assert!(can_cost(&free, &book));
        for sitting in free.seats.values_mut() {
            sitting.player = "bot:lexical".parse().expect("a seat");
        }
        assert!(!can_cost(&free, &book));
        assert!(can_cost(&free, &PriceBook::default()));
    }

    #[test]
    fn a_cap_of_nothing_lets_nothing_out() {
        let caps = Caps { seconds: Some(0), ..Caps::default() };
        assert_eq!(problem(caps.clone(), &spec(None)).as_deref(), Some(words::NOTHING));
        let mut bots = spec(None);
        bots.search = None;
        for sitting in bots.seats.values_mut() {
            sitting.player = "bot:lexical".parse().expect("a seat");
        }
        assert_eq!(problem(caps, &bots), None, "nothing needs to go out");
    }
}
