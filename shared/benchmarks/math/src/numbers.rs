//! The numbers of a run: what they are called, what they mean, and where they are shown.

turnwise_core::numbers! { "numbers.tsv":
    ACCURACY = "accuracy",
    WITH_FINAL = "with_final",
    ROUNDS = "average_rounds",
    ALL_TOKENS = "tokens_per_episode.all_tokens",
    OUTPUT_TOKENS = "tokens_per_episode.output_tokens",
    ESTIMATE = "tokens_per_episode.characters_4",
    GAP = "gap",
    PASS_AT_K = "pass_at_k",
    K = "k",
    SAMPLE_TOKENS = "sample_tokens",
}
