//! The numbers of a run: what they are called, what they mean, and where they are shown.

turnwise_core::numbers! { "numbers.tsv":
    BB100 = "bb100",
    PER_HAND = "winnings_per_hand",
    ADJUSTED = "allin_adjusted_bb100",
    VPIP = "vpip",
    PFR = "pfr",
    WTSD = "wtsd",
    FOLDED = "fold_rate",
    INVALID = "invalid",
    COMPARED = "bb100_episode_by_episode",
    CORRECTED = "corrected",
    TRIMMED = "trimmed",
}
