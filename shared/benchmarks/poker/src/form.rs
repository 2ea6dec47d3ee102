//! The settings as a form shows them.

use serde_json::{Map, Value};
use turnwise_core::benchmark::Flag;
use turnwise_core::benchmark::schema::{Holds, Schema, Setting, setting};

use crate::settings::{MOST_CHIPS, Settings};

/// The form.
pub(super) const FORM: Schema = Schema {
    defaults: || serde_json::json!(Settings::default()),
    ..Schema::new("Tables and hands", SETTINGS)
};

const SETTINGS: &[Setting] = &[
    setting("tables", "Tables", "", Holds::Number(1, 100_000)).help("N", "How many tables are played"),
    setting(
        "hands",
        "Hands a table",
        "in duplicate mode: decks, each played once from every seat",
        Holds::Number(1, 100_000),
    )
    .help(
        "N",
        "How many hands each table plays; with --duplicate how many decks, each played once for every seat",
    ),
    setting(
        "stack",
        "Stack, in chips",
        "",
        Holds::Number(1, MOST_CHIPS),
    )
    .help("CHIPS", "The stack with which everybody begins"),
    setting("small_blind", "Small blind", "", Holds::Number(1, MOST_CHIPS)),
    setting("big_blind", "Big blind", "", Holds::Number(1, MOST_CHIPS)),
    setting(
        "policy",
        "Stacks between hands",
        "hands that start afresh are independent and run side by side",
        Holds::Choice(&[
            ("", "as usual in this profile"),
            ("reset-every-hand", "everybody starts every hand afresh"),
            ("reset-all-on-bust", "all start afresh once one has nothing"),
            ("rebuy-busted", "whoever has nothing buys in again"),
            ("freezeout", "nobody buys in; the last one wins"),
        ]),
    )
    .help(
        "POLICY",
        "What happens to stacks between hands: reset-every-hand, reset-all-on-bust, rebuy-busted, freezeout. Default: \
         reset-every-hand under strict, reset-all-on-bust under reference",
    ),
    setting(
        "memory",
        "What a player is told of earlier hands",
        "",
        Holds::Choice(&[
            ("none", "nothing"),
            ("table", "what happened at this table"),
        ]),
    )
    .help("MEMORY", "What a player is told of earlier hands: none or table"),
    setting(
        "persona",
        "Character in the system prompt",
        "",
        Holds::Choice(&[
            ("bold", "bold expert, as in the paper"),
            ("neutral", "rules and aim only"),
        ]),
    )
    .help(
        "PERSONA",
        "The character that the system prompt gives to a player: bold (as in the paper) or neutral",
    ),
    setting(
        "duplicate",
        "Duplicate: everybody plays the same cards",
        "luck with cards cancels; needs independent hands",
        Holds::Flag,
    )
    .help(
        "BOOL",
        "Every deck is played once for every rotation of the seats, so that luck with cards cancels",
    ),
    setting(
        "permute_seats",
        "Another seating order at every table",
        "",
        Holds::Flag,
    )
    .help("BOOL", "Participants sit in another order at every table"),
];

/// Flags besides those of the settings.
pub(super) const FLAGS: &[Flag] =
    &[Flag { name: "blinds", value: "SMALL/BIG", help: "The blinds, e.g. 50/100", read: blinds }];

fn blinds(text: &str) -> Result<Map<String, Value>, String> {
    let read = |blind: &str| blind.trim().parse::<u64>().ok().map(Value::from);
    let both = text.split_once('/');
    let both = both.and_then(|(small, big)| Some((read(small)?, read(big)?)));
    let (small, big) = both.ok_or("expected SMALL/BIG, e.g. 50/100")?;
    let names = ["small_blind", "big_blind"].map(str::to_owned);
    Ok(names.into_iter().zip([small, big]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blinds_are_two_numbers() {
        let read = blinds("50/100").expect("two numbers");
        assert_eq!((&read["small_blind"], &read["big_blind"]), (&50.into(), &100.into()));
        for bad in ["100", "a/b", "-1/2", "1.5/2"] {
            assert!(blinds(bad).is_err(), "{bad}");
        }
    }
}
