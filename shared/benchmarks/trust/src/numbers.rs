//! The numbers of a run: what they are called, what they mean, and where they are shown.

turnwise_core::numbers! { "numbers.tsv":
    PAYOFF = "score",
    COOPERATION = "cooperation",
    BETRAYAL = "betrayal",
    UNPROVOKED = "unprovoked_defection",
    RETALIATION = "retaliation",
    RECIPROCITY = "reciprocity",
    CLEAN = "score_clean",
    COMPARED = "payoff_match_by_match",
}
