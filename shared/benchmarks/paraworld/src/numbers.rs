//! The numbers of a run: what they are called, what they mean, and where they are shown.

use turnwise_core::prelude::*;

turnwise_core::numbers! { "numbers.tsv":
    PASS = "pass_at_1",
    DEVIATION = "pass_at_1_std",
    FCR = "fcr",
    HIT_RATE = "hit_rate_macro_callers",
    CALLS = "tool_calls",
    PASS_EASY = "by_tier.easy.pass_at_1",
    PASS_MID = "by_tier.mid.pass_at_1",
    PASS_HARD = "by_tier.hard.pass_at_1",
    FCR_EASY = "by_tier.easy.fcr",
    FCR_MID = "by_tier.mid.fcr",
    FCR_HARD = "by_tier.hard.fcr",
    HIT_RATE_EASY = "by_tier.easy.hit_rate",
    HIT_RATE_MID = "by_tier.mid.hit_rate",
    HIT_RATE_HARD = "by_tier.hard.hit_rate",
    CALLS_EASY = "by_tier.easy.tool_calls",
    CALLS_MID = "by_tier.mid.tool_calls",
    CALLS_HARD = "by_tier.hard.tool_calls",
}

/// What only boards show, tier by tier.
pub const BY_TIER: Section = METRICS[METRICS.len() - 1];
