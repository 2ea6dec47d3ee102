//! How a model is sampled.

use turnwise_shared::seat::knob::Knob;

texts!("sampling");

/// A remark below a field.
pub fn note(knob: Knob) -> Option<&'static str> {
    match knob {
        Knob::ThinkingTokens => Some("If the service counts them separately; 0 = none."),
        Knob::Stop => Some("\\n stands for a line break."),
        _ => None,
    }
}

/// A word that can be chosen.
pub fn word(knob: Knob, word: &'static str) -> &'static str {
    match (knob, word) {
        (Knob::Form, "json") => "JSON, where the service can promise it",
        (_, word) => word,
    }
}

/// What is sent, in a list.
pub fn said(knob: Knob, text: &str) -> String {
    let name = match knob {
        Knob::Temperature => "temperature",
        Knob::TopP => "top-p",
        Knob::MaxTokens => return format!("at most {text} tokens"),
        Knob::Effort => "effort",
        Knob::ThinkingTokens => return format!("at most {text} tokens of reasoning"),
        Knob::Seed => "seed",
        Knob::Form => return text.to_uppercase(),
        Knob::Stop => return format!("stops at {}", text.replace('\n', ", ")),
    };
    format!("{name} {text}")
}
