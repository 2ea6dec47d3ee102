//! Caps on what a whole run may spend.

use std::time::Duration;

use clap::Args;

use turnwise_backend::clock::now;
use turnwise_backend::outbound::budget::{Account, Reservations, Time};
use turnwise_shared::wire::budgets::{Caps, MOST_DOLLARS, Scope, millionths};

/// The flags.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Budget of the whole run")]
pub struct CapFlags {
    /// Money in US dollars. What a call can cost at most is set aside before it is sent, so this is never overspent; seats with
    /// a model need --max-tokens, and its price has to be known. What was spent before --resume counts, for all caps
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub cap_usd: Option<u64>,

    /// Tokens, read and written
    #[arg(long, value_name = "N")]
    pub cap_tokens: Option<u64>,

    /// Calls sent, every attempt counted
    #[arg(long, value_name = "N")]
    pub cap_calls: Option<u64>,

    /// Seconds for which the run goes on, after which nothing is sent. The time between a stop and --resume does not count
    #[arg(long, value_name = "N")]
    pub cap_seconds: Option<u64>,

    /// A model (PROVIDER/MODEL) or a search engine that may be called under --cap-usd although its price is not known; what
    /// it costs is not counted. May be repeated
    #[arg(long, value_name = "NAME")]
    pub unpriced: Vec<String>,
}

impl CapFlags {
    /// What pays for the calls of a run that has gone on for so long before, and goes on from now on.
    pub fn account(&self, before: Duration) -> Account {
        let caps = Caps {
            money: self.cap_usd,
            tokens: self.cap_tokens,
            calls: self.cap_calls,
            seconds: self.cap_seconds,
            unpriced: self.unpriced.clone(),
        };
        let before = u64::try_from(before.as_millis()).unwrap_or(u64::MAX);
        let time = self.cap_seconds.map(|seconds| Time {
            seconds,
            until: now().saturating_add(seconds.saturating_mul(1000).saturating_sub(before)),
        });
        let budgets = vec![(Scope::Run, "run".to_owned(), caps)];
        Account::new(budgets, time, Reservations::in_memory())
    }
}

/// Dollars as millionths.
fn dollars(text: &str) -> Result<u64, String> {
    let usd = text.parse().ok();
    usd.and_then(millionths).ok_or_else(|| {
        format!("write an amount of dollars from 0 to {MOST_DOLLARS}, with at most six decimals")
    })
}
