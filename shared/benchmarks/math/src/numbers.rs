//! The numbers of a run: what they are called, what they mean, and where they are shown.

use turnwise_core::prelude::*;
use turnwise_core::metrics::metric::Better::{Less, More, Neither};
use turnwise_core::metrics::report::Unit::{Count, Fraction, Points, Tokens};

pub const METRICS: &[Section] = &[
    Section { title: HEADLINE, metrics: &[&ACCURACY, &WITHIN_ROUNDS, &WITH_FINAL, &ROUNDS] },
    Section { title: "Who decided", metrics: &[&BY_TEXT, &BY_RULE, &BY_GRADER, &UNDECIDED] },
    Section { title: "Turns", metrics: &[&QUESTIONS, &GUESSES, &FORMAT_ERRORS] },
    Section { title: "Tokens of the player per episode", metrics: &[&ALL_TOKENS, &OUTPUT_TOKENS, &ESTIMATE] },
];

pub const ACCURACY: Metric = metric("accuracy", "Accuracy", Fraction, More, "Share of episodes that are right.");
const WITHIN_ROUNDS: Metric = metric("solved_within_rounds", "Solved within the rounds", Fraction, More, "A guess was right before the rounds were used up.");
pub const WITH_FINAL: Metric = metric("with_final", "With the final answer", Fraction, More, "The same, with the free answer after the last round.");
pub const ROUNDS: Metric = metric("average_rounds", "Rounds when solved", Count, Less, "Mean rounds of the episodes that are right.");

const BY_TEXT: Metric = metric("decided_share.text", "by the text", Fraction, Neither, "Share of all verdicts on answers.");
const BY_RULE: Metric = metric("decided_share.rule", "by a rule", Fraction, Neither, BY_TEXT.about);
const BY_GRADER: Metric = metric("decided_share.grader", "by the grader", Fraction, Neither, BY_TEXT.about);
const UNDECIDED: Metric = metric("undecided", "left undecided by bot:rules", Count, Less, "Answers that no rule decides, and that the grader `bot:rules` took as wrong.");

const QUESTIONS: Metric = metric("questions", "questions", Count, Neither, "Questions to the judge.");
const GUESSES: Metric = metric("guesses", "guesses", Count, Neither, "Answers within the rounds.");
const FORMAT_ERRORS: Metric = metric("format_error_rate", "format errors", Fraction, Less, "Share of the player's messages that cannot be read, the free final answer included.");

pub const ALL_TOKENS: Metric = metric("tokens_per_episode.all_tokens", "all tokens", Tokens, Less, "Read and written, as the service counted them; mean over episodes.");
pub const OUTPUT_TOKENS: Metric = metric("tokens_per_episode.output_tokens", "output tokens", Tokens, Less, "Written, reasoning included; mean over episodes.");
pub const ESTIMATE: Metric = metric("tokens_per_episode.characters_4", "characters / 4", Tokens, Less, "The authors' estimate of the player's tokens; mean over episodes.");

/// Only where an interactive and a direct run are compared.
pub const GAP: Metric = metric("gap", "gap", Points, More, "Accuracy less pass@k with as many samples as the same budget pays for.");

// Only the paper has them; of runs a comparison tells them.
pub const PASS_AT_K: Metric = metric("pass_at_k", "pass@k", Fraction, More, "Share of problems with a right answer among k samples of the same budget.");
pub const K: Metric = metric("k", "k", Count, Neither, "Samples of the same budget.");
pub const SAMPLE_TOKENS: Metric = metric("sample_tokens", "Characters / 4 of a sample", Tokens, Less, "The authors' estimate of the player's tokens in a direct answer.");
