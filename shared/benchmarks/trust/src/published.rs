//! What the paper says of the Trust Game, as data (specification 5.f). Payoffs are per round, rates fractions.

/// What is printed of one player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Who.
    pub name: &'static str,
    /// Payoff per round.
    pub payoff: f64,
    /// The share of rounds with cooperation, read off a figure; not shown of rules.
    pub cooperation: Option<f64>,
    /// Betrayal, read off a figure; not shown of rules.
    pub betrayal: Option<f64>,
}

const fn model(name: &'static str, [payoff, cooperation, betrayal]: [f64; 3]) -> Row {
    Row { name, payoff, cooperation: Some(cooperation), betrayal: Some(betrayal) }
}

const fn rule(name: &'static str, payoff: f64) -> Row {
    Row { name, payoff, cooperation: None, betrayal: None }
}

/// The rows.
pub const ROWS: [Row; 8] = [
    model("Grok", [1.804, 0.882, 0.040]),
    model("Gemini", [1.725, 0.821, 0.072]),
    model("GPT-5", [1.836, 0.967, 0.0]),
    model("Kimi", [1.779, 0.928, 0.0]),
    model("DeepSeek", [1.648, 0.733, 0.072]),
    model("Qwen3", [1.867, 0.966, 0.004]),
    rule("Grim", 1.811),
    rule("TFT", 1.782),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lengths::reference;
    use crate::seeds::PairSeed;

    /// The rates that the paper's text gives, and the figure's.
    const IN_THE_TEXT: [(&str, Option<f64>, Option<f64>); 4] = [
        ("Qwen3", Some(0.97), Some(0.02)),
        ("GPT-5", Some(0.97), Some(0.0)),
        ("Gemini", Some(0.82), Some(0.07)),
        ("DeepSeek", Some(0.73), Some(0.07)),
    ];

    fn row(name: &str) -> &'static Row {
        ROWS.iter().find(|row| row.name == name).expect("the table has a row of everybody")
    }

    const NAMES: [&str; 9] = [
        "LLM-x-ai-grok-4-1-fast",
        "LLM-google-gemini-3-flash-preview",
        "LLM-openai-gpt-5-mini",
        "LLM-moonshotai-kimi-k2-0905",
        "LLM-deepseek-deepseek-v3-2",
        "LLM-qwen-qwen3-max",
        "Grim Trigger-1",
        "Random-1",
        "TFT-1",
    ];

    /// Rounds that two players meet for, both sides.
    fn rounds(one: usize, other: usize) -> u32 {
        let of = |repeat| {
            reference(&PairSeed {
                seed: 1234,
                names: [NAMES[one], NAMES[other]],
                repeat,
                delta: 0.8,
                cap: 35,
            })
        };
        2 * (1..=5).map(of).sum::<u32>()
    }

    /// Specification 5.f: TFT never earns more than its opponent, so never more than 2 a round; for the printed mean it
    /// would need more than that from the models, under the shipped configuration.
    #[test]
    fn the_printed_payoff_of_tft_cannot_come_from_the_shipped_configuration() {
        let models: u32 = (0..6).map(|model| rounds(model, 8)).sum();
        let (grim, random) = (rounds(6, 8), rounds(7, 8));
        assert_eq!((models, grim, random), (208, 62, 70));
        let tft = row("TFT");
        // 2 a round against Grim, 55 in all against Random (5.e).
        let known = 2.0 * f64::from(grim) + 55.0;
        let needed = (tft.payoff * f64::from(models + grim + random) - known) / f64::from(models);
        assert_eq!(format!("{needed:.2}"), "2.05");
        assert!(needed > 2.0);
    }

    #[test]
    fn text_and_figure_disagree_once() {
        let mut apart = Vec::new();
        for (name, cooperation, betrayal) in IN_THE_TEXT {
            let row = row(name);
            let alike = |text: Option<f64>, figure: Option<f64>| match (text, figure) {
                (Some(text), Some(figure)) => (text - figure).abs() <= 0.005 + 1e-9,
                _ => true,
            };
            assert!(alike(cooperation, row.cooperation), "{name}");
            if !alike(betrayal, row.betrayal) {
                apart.push(name);
            }
        }
        assert_eq!(apart, ["Qwen3"]);
    }
}
