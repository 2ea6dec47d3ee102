//! What a scripted model decides, out of what the prompt says is possible.

use serde_json::json;
use turnwise_core::benchmark::Prompt;
use turnwise_core::prelude::*;

/// A decision, where the prompt asks for one.
pub(super) fn reply(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
    prompt.has("\"FOLD\" | \"CHECK\"").then(|| decision(prompt, dice))
}

/// A decision: mostly the cheapest way to stay in, now and then a raise or a fold.
fn decision(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> String {
    // A prompt that asks again does not repeat how the hand stands.
    let stands = prompt
        .texts()
        .filter(|text| text.contains("You may:") || text.contains("Amount to call:"))
        .last()
        .unwrap_or_default();
    let listed = stands.contains("You may:");
    let to_call = after(stands, "Amount to call: ").unwrap_or(0.0);
    let may = |action: &str| match listed {
        true => stands.contains(&format!("- {action}")),
        false => match action {
            "CHECK" => to_call <= 0.0,
            "CALL" => to_call > 0.0,
            _ => false,
        },
    };
    let least = after(stands, "- RAISE to a total of ");
    let mut choices = Vec::new();
    if may("CHECK") {
        choices.extend(["CHECK"; 4]);
    }
    if may("CALL") {
        choices.extend(["CALL", "CALL", "CALL", "FOLD"]);
    }
    if may("RAISE") && least.is_some() {
        choices.push("RAISE");
    }
    if choices.is_empty() {
        choices.push(if may("ALL_IN") { "ALL_IN" } else { "FOLD" });
    }
    let action = dice.pick(&choices);
    let amount = match action {
        "RAISE" => least.unwrap_or(0.0),
        _ => 0.0,
    };
    json!({ "action": action, "amount": amount, "reasoning": "a scripted reply" }).to_string()
}

/// The number that stands behind some words.
fn after(text: &str, words: &str) -> Option<f64> {
    let (_, rest) = text.split_once(words)?;
    let end = rest
        .find(|sign: char| !(sign.is_ascii_digit() || matches!(sign, '.' | ',')))
        .unwrap_or(rest.len());
    rest[..end].replace(',', "").trim_end_matches('.').parse().ok()
}
