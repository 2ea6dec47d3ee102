//! The numbers of a run: what they are called, what they mean, and where they are shown.

use turnwise_core::prelude::*;
use turnwise_core::metrics::metric::Better::{More, Neither};
use turnwise_core::metrics::report::Unit::{Count, Fraction, Number};

/// All of them: those of the run, and those of each player, by the first of which they are ranked.
pub const METRICS: &[Section; 2] = &[
    Section { title: HEADLINE, metrics: &[&MATCHES, &ROUNDS, &COOPERATION_OF_ALL, &PAYOFF_OF_ALL] },
    Section { title: "Players", metrics: &[&PAYOFF, &COOPERATION, &BETRAYAL, &UNPROVOKED, &RETALIATION, &RECIPROCITY, &CLEAN, &BY_MATCH] },
];

const MATCHES: Metric = metric("n", "Matches", Count, Neither, "matches that were played to their end");
const ROUNDS: Metric = metric("rounds_per_match", "Rounds a match", Number, Neither, "the mean length of a match");
const COOPERATION_OF_ALL: Metric = metric("all.cooperation", "Cooperation", Fraction, Neither, "the share of moves that were cooperation, over everybody");
const PAYOFF_OF_ALL: Metric = metric("all.score", "Payoff per round", Number, More, "what a player earned in a round, over everybody");

pub const PAYOFF: Metric = metric("score", "payoff per round", Number, More, "all that was earned, divided by all rounds played");
pub const COOPERATION: Metric = metric("cooperation", "cooperation", Fraction, Neither, "the share of rounds with cooperation");
pub const BETRAYAL: Metric = metric("betrayal", "betrayal", Fraction, Neither, "defection after the other cooperated; punishment that goes on counts as well");
pub const UNPROVOKED: Metric = metric("unprovoked_defection", "unprovoked", Fraction, Neither, "defection while the other had never defected");
pub const RETALIATION: Metric = metric("retaliation", "retaliation", Fraction, Neither, "defection after the other defected");
pub const RECIPROCITY: Metric = metric("reciprocity", "reciprocity", Fraction, Neither, "cooperation in rounds in which the other cooperates");
pub const CLEAN: Metric = metric("score_clean", "without flagged", Number, More, "payoff per round over matches in which every move was a player's own");
const BY_MATCH: Metric = metric("score_by_match", "by match", Number, More, "payoff per round, match by match and then averaged: long matches count no more than short ones");

/// By which runs are compared.
pub const COMPARED: Metric = metric("payoff_match_by_match", "Payoff per round, match by match", Number, More, "Points earned in a round: the mean of the matches, long or short. A run's own number is that of all its rounds.");
