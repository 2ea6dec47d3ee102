//! The numbers of a run: what they are called, what they mean, and where they are shown.

use turnwise_core::prelude::*;
use turnwise_core::metrics::metric::COST;
use turnwise_core::metrics::metric::Better::{Less, More, Neither};
use turnwise_core::metrics::report::Unit::{Count, Dollars, Fraction, Tokens};

pub const METRICS: &[Section] = &[Section {
    title: HEADLINE,
    metrics: &[&ACCEPTED, &WORLDS, &CALLS, &TOKENS, &COST, &COST_OF_A_WORLD],
}];

const ACCEPTED: Metric = metric("accepted", "Accepted", Fraction, More, "the share of questions that came through every stage; the interval counts pairs");
const WORLDS: Metric = metric("yield.kept", "Worlds", Count, More, "questions left; where the filter takes pairs, a pair with any rejected question is dropped");
const CALLS: Metric = metric("calls", "Calls", Count, Neither, "replies of all seats");
const TOKENS: Metric = metric("tokens", "Tokens", Tokens, Less, "read and written, as services counted them");
const COST_OF_A_WORLD: Metric = metric("cost_usd_per_world", "Cost of a world", Dollars, Less, "all that was spent, by the worlds that are left");
