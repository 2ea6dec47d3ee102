//! The numbers of a run: what they are called, what they mean, and where they are shown.

use turnwise_core::prelude::*;
use turnwise_core::metrics::metric::Better::{Less, More, Neither};
use turnwise_core::metrics::report::Unit::{Chips, Count, Fraction, Number};

/// All of them: those of the run, and those of each player, by the first of which they are ranked.
pub const METRICS: &[Section; 2] = &[
    Section { title: HEADLINE, metrics: &[&HANDS, &TABLES, &DECISIONS, &INVALID_RATE, &AUTO_RATE, &VARIANCE_REMOVED] },
    Section { title: "Winnings", metrics: &[&BB100, &PER_HAND, &ADJUSTED, &VPIP, &PFR, &THREE_BET, &AGGRESSION, &WTSD, &WSD, &FOLDED, &INVALID, &REPAIRED, &AUTO] },
];

const HANDS: Metric = metric("hands", "Hands", Count, Neither, "hands that were played");
const TABLES: Metric = metric("tables", "Tables", Count, Neither, "tables that were played");
const DECISIONS: Metric = metric("decisions", "Decisions", Count, Neither, "decisions, over everybody");
const INVALID_RATE: Metric = metric("invalid_rate", "Invalid replies", Fraction, Less, "replies that were no action, for each decision");
const AUTO_RATE: Metric = metric("auto_rate", "Decided by rule", Fraction, Less, "decisions that a rule took, because a player said nothing usable");
pub const VARIANCE_REMOVED: Metric = metric("variance_removed", "Variance removed", Fraction, More, "how much less the means of deck sets vary than means of as many hands with cards of their own, summed over players").optional();

pub const BB100: Metric = metric("bb100", "bb/100", Number, More, "big blinds won for a hundred hands");
pub const PER_HAND: Metric = metric("winnings_per_hand", "per hand", Chips, More, "winnings per hand, by table or deck set and then averaged");
pub const ADJUSTED: Metric = metric("allin_adjusted_bb100", "all-in adjusted", Number, More, "big blinds for a hundred hands, where all-ins with cards to come count by what they were worth");
pub const VPIP: Metric = metric("vpip", "VPIP", Fraction, Neither, "hands with chips put in before the flop of one's own will, of hands that were not walks; of the paper as its program counts them, which is fewer");
pub const PFR: Metric = metric("pfr", "PFR", Fraction, Neither, "hands raised before the flop");
const THREE_BET: Metric = metric("three_bet", "3-bet", Fraction, Neither, "raises that answer the first raise before the flop, of chances to do so");
const AGGRESSION: Metric = metric("aggression_factor", "aggression", Number, Neither, "bets and raises for each call, after the flop");
pub const WTSD: Metric = metric("wtsd", "WTSD", Fraction, Neither, "hands shown, of hands that saw the flop");
const WSD: Metric = metric("wsd", "W$SD", Fraction, Neither, "hands paid, of hands shown");
pub const FOLDED: Metric = metric("fold_rate", "folded", Fraction, Neither, "hands with a fold");
pub const INVALID: Metric = metric("invalid", "invalid", Count, Less, "replies that were no action");
const REPAIRED: Metric = metric("repaired", "repaired", Count, Less, "actions that the rules put right");
const AUTO: Metric = metric("auto", "by rule", Count, Less, "decisions that a rule took, because the player said nothing usable");

/// By which runs are compared.
pub const COMPARED: Metric = metric("bb100_episode_by_episode", "bb/100, episode by episode", Number, More, "Big blinds won for a hundred hands. A run's own number has its interval over tables or decks, this one over episodes.");

// Only the paper has them.
pub const CORRECTED: Metric = metric("corrected", "Corrected", Chips, More, "Winnings per hand with the uncalled part of wrongly settled hands returned: a lower bound.");
pub const TRIMMED: Metric = metric("trimmed", "Trimmed", Chips, More, "Winnings per hand over the six tables in the middle, as printed.");
