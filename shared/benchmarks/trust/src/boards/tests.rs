use turnwise_core::benchmark::default_spec;
use turnwise_core::board::published::Numbers;

use super::*;
use crate::Trust;
use crate::lengths::reference;
use crate::seeds::PairSeed;

#[test]
fn the_default_stands_beside_the_printed_table() {
    let beside = (BOARDS.beside)(&default_spec(&Trust));
    assert_eq!(beside.as_deref(), Some("trust-tournament"));
    let tables = (BOARDS.published)();
    assert_eq!((tables.len(), tables[0].rows.len()), (1, 8));
}

/// The rates that the paper's text gives, and the figure's.
const IN_THE_TEXT: [(&str, Option<f64>, Option<f64>); 4] = [
    ("Qwen3", Some(0.97), Some(0.02)),
    ("GPT-5", Some(0.97), Some(0.0)),
    ("Gemini", Some(0.82), Some(0.07)),
    ("DeepSeek", Some(0.73), Some(0.07)),
];

fn row(name: &str) -> Numbers {
    let mut found = Numbers::new();
    Condition::read(include_str!("../../published/figures.toml"), |row, numbers| {
        if row.name == name {
            found.clone_from(numbers);
        }
    });
    found
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
    let needed = (tft["payoff"] * f64::from(models + grim + random) - known) / f64::from(models);
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
        assert!(alike(cooperation, row.get("cooperation").copied()), "{name}");
        if !alike(betrayal, row.get("betrayal").copied()) {
            apart.push(name);
        }
    }
    assert_eq!(apart, ["Qwen3"]);
}
