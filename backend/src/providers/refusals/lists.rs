//! What services write when they refuse, as data.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// The lists of `words.toml`, where each is explained.
pub static WORDS: LazyLock<Lists> = LazyLock::new(|| {
    toml::from_str(include_str!("words.toml"))
        .expect("a test reads the lists that are part of the program")
});

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lists {
    pub prompt_codes: Vec<String>,
    pub prompt_numbers: Vec<String>,
    pub prompt_phrases: Vec<String>,
    pub refusing: Vec<String>,
    pub rules: Vec<String>,
    pub holders: Vec<String>,
    pub keys: Vec<String>,
    pub texts: Vec<String>,
    pub others: Vec<String>,
    pub shut: Vec<String>,
    pub shut_codes: Vec<String>,
    pub auxiliaries: Vec<String>,
    pub context_codes: Vec<String>,
    pub context_numbers: Vec<String>,
    pub long_things: Vec<String>,
    pub too_long: Vec<String>,
    pub lengths: Vec<String>,
    pub reply_limits: Vec<String>,
    pub money_codes: Vec<String>,
    pub money_numbers: Vec<String>,
    pub money_phrases: Vec<String>,
    pub goods: Vec<String>,
    pub gone: Vec<String>,
    pub short_of: Vec<String>,
    pub long_spans: Vec<String>,
    pub limits: Vec<String>,
    pub short_spans: Vec<String>,
    pub key_codes: Vec<String>,
    pub key_phrases: Vec<String>,
    pub region_codes: Vec<String>,
    pub places: Vec<String>,
    pub place_phrases: Vec<String>,
    pub not_served: Vec<String>,
    pub model_codes: Vec<String>,
    pub models: Vec<String>,
    pub no_right: Vec<String>,
    pub accounts: Vec<String>,
    pub not_entitled: Vec<String>,
    pub loading: Vec<String>,
    pub echoes: Vec<String>,
    pub codes: Vec<String>,
    pub firewalls: Vec<String>,
    pub plain_firewalls: Vec<String>,
    pub firewall_rules: Vec<String>,
    pub machines: Vec<String>,
    pub sentences: Vec<String>,
    pub not_taken: Vec<String>,
    pub otherwise: Vec<String>,
    pub ordinary: Vec<String>,
    pub role_orders: Vec<String>,
    pub no_streams: Vec<String>,
    pub waits: Vec<String>,
    pub no_such: Vec<String>,
    pub statuses: BTreeMap<String, u16>,
}
