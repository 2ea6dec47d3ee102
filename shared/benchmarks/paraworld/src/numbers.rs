//! The numbers of a run: what they are called, what they mean, and where they are shown.

use turnwise_core::prelude::*;
use turnwise_core::metrics::format;
use turnwise_core::metrics::metric;
use turnwise_core::metrics::metric::Better::{Less, More, Neither};
use turnwise_core::metrics::report::Unit::{Count, Fraction};

pub const METRICS: &[Section] = &[
    Section { title: HEADLINE, metrics: &[&PASS, &DEVIATION, &FCR, &HIT_RATE, &CALLS, &EPISODES, &COST] },
    Section { title: "Searching", metrics: &[&HIT_RATE_OF_ALL, &HIT_RATE_OF_CALLS, &NO_CALL, &COMPOUND, &FORMAT_ERRORS, &REDUNDANCY] },
    format::SECTION,
    Section { title: "Facts", metrics: &[&FCR_DEVIATION, &FCR_DATA, &FCR_RULES] },
    Section { title: "Stopping", metrics: &[&AT_ANSWER, &TOO_EARLY, &GUESSED, &NOT_PUT_TOGETHER] },
    Section { title: "Engine", metrics: &[&ENGINE_FAULTS, &AGREEMENT, &AGREEMENT_ON_CLASS] },
    BY_TIER,
];

/// What only boards show, tier by tier.
pub const BY_TIER: Section = Section {
    title: "Boards",
    metrics: &[
        &PASS_EASY, &PASS_MID, &PASS_HARD, &FCR_EASY, &FCR_MID, &FCR_HARD,
        &HIT_RATE_EASY, &HIT_RATE_MID, &HIT_RATE_HARD, &CALLS_EASY, &CALLS_MID, &CALLS_HARD,
    ],
};

pub const PASS: Metric = metric("pass_at_1", "pass@1", Fraction, More, "Share of answers that the judge calls correct.");
pub const DEVIATION: Metric = metric("pass_at_1_std", "deviation over repeats", Fraction, Neither, "Sample standard deviation of pass@1 over the repeats.").optional();
pub const FCR: Metric = metric("fcr", "coverage (FCR)", Fraction, More, "Facts that were found, by all facts of the world; mean over episodes.");
pub const HIT_RATE: Metric = metric("hit_rate_macro_callers", "hit rate", Fraction, More, "Calls that found a fact, by all calls; mean over episodes with calls, as published.");
pub const CALLS: Metric = metric("tool_calls", "calls", Count, Neither, "Searches of an episode, on average.");
const EPISODES: Metric = metric("n", "episodes", Count, Neither, "Worlds times repeats.");
const COST: Metric = Metric { label: "cost", ..metric::COST };

const HIT_RATE_OF_ALL: Metric = metric("hit_rate_macro_zero", "hit rate, zero calls as 0", Fraction, More, "The mean over all episodes, 0 for those without a call.");
const HIT_RATE_OF_CALLS: Metric = metric("hit_rate_micro", "hit rate, all calls", Fraction, More, "All hits by all calls of the run.");
const NO_CALL: Metric = metric("zero_call_share", "no call at all", Fraction, Neither, "Share of episodes without a call.");
const COMPOUND: Metric = metric("compound_rate", "compound queries", Fraction, Less, "Queries that ask for several things at once, or say too little, by all that reached the engine.");
const FORMAT_ERRORS: Metric = metric("format_error_rate", "wrong formats", Fraction, Less, "Calls that could not be read, by attempts.");
const REDUNDANCY: Metric = metric("redundancy", "redundancy", Count, Less, "Calls for each fact that was found; 1 = none was in vain.");

const FCR_DEVIATION: Metric = metric("fcr_sd", "coverage, deviation", Fraction, Neither, "Sample deviation of coverage over episodes.");
const FCR_DATA: Metric = metric("fcr_data", "coverage of data", Fraction, More, "Facts that are values; rules and scopes left out.");
const FCR_RULES: Metric = metric("fcr_rules", "coverage of rules", Fraction, More, "Facts that are conventions or say what counts; few players search for those.");

const AT_ANSWER: Metric = metric("stops.fcr_at_answer", "coverage at the answer", Fraction, More, "Mean coverage when the answer was given.");
const TOO_EARLY: Metric = metric("stops.premature", "stopped too early", Fraction, Less, "Answers before all facts were found and before 80 % of the turns were used.");
const GUESSED: Metric = metric("stops.correct_without_coverage", "right without coverage", Fraction, Less, "Right answers with less than half of the facts: a guess or a leak.");
const NOT_PUT_TOGETHER: Metric = metric("stops.wrong_with_full_coverage", "wrong with full coverage", Fraction, Less, "Wrong answers among those with all facts: what was found was not put together.");

const ENGINE_FAULTS: Metric = metric("engine_fault_rate", "engine faults", Fraction, Less, "Replies of the engine that could not be used. Under strict they are no searches of the player's, and what only they told counts as not found.");
pub const AGREEMENT: Metric = metric("engine_agreement.same", "agrees with bot:facts", Fraction, More, "Verdicts of the engine that the rule-based engine shares, the fact of a hit included.").optional();
pub const AGREEMENT_ON_CLASS: Metric = metric("engine_agreement.same_class", "agrees on the class", Fraction, More, "Hit, miss or compound alike, whichever fact it is.").optional();

pub const PASS_EASY: Metric = Metric { key: "by_tier.easy.pass_at_1", label: "pass@1, easy", about: EASY, ..PASS };
pub const PASS_MID: Metric = Metric { key: "by_tier.mid.pass_at_1", label: "pass@1, mid", about: MID, ..PASS };
pub const PASS_HARD: Metric = Metric { key: "by_tier.hard.pass_at_1", label: "pass@1, hard", about: HARD, ..PASS };
pub const FCR_EASY: Metric = Metric { key: "by_tier.easy.fcr", label: "coverage (FCR), easy", about: EASY, ..FCR };
pub const FCR_MID: Metric = Metric { key: "by_tier.mid.fcr", label: "coverage (FCR), mid", about: MID, ..FCR };
pub const FCR_HARD: Metric = Metric { key: "by_tier.hard.fcr", label: "coverage (FCR), hard", about: HARD, ..FCR };
pub const HIT_RATE_EASY: Metric = Metric { key: "by_tier.easy.hit_rate", label: "hit rate, easy", about: EASY, ..HIT_RATE };
pub const HIT_RATE_MID: Metric = Metric { key: "by_tier.mid.hit_rate", label: "hit rate, mid", about: MID, ..HIT_RATE };
pub const HIT_RATE_HARD: Metric = Metric { key: "by_tier.hard.hit_rate", label: "hit rate, hard", about: HARD, ..HIT_RATE };
pub const CALLS_EASY: Metric = Metric { key: "by_tier.easy.tool_calls", label: "calls, easy", about: EASY, ..CALLS };
pub const CALLS_MID: Metric = Metric { key: "by_tier.mid.tool_calls", label: "calls, mid", about: MID, ..CALLS };
pub const CALLS_HARD: Metric = Metric { key: "by_tier.hard.tool_calls", label: "calls, hard", about: HARD, ..CALLS };

const EASY: &str = "Over worlds with up to 5 facts.";
const MID: &str = "Over worlds with 6 to 10 facts.";
const HARD: &str = "Over worlds with 11 facts or more.";
