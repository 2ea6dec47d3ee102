use super::Name::{Exact, Family};
use super::*;

fn everything() -> Sampling {
    Sampling {
        temperature: Some(0.6),
        top_p: Some(0.95),
        max_tokens: Some(100),
        stop: vec!["END".into()],
        seed: Some(7),
        effort: None,
        thinking_tokens: None,
        form: ReplyForm::Json,
    }
}

/// What is left out, in words.
fn left_out(table: &Table, model: &str, sampling: &Sampling, learnt: &[Parameter]) -> String {
    let settled = table.settle(model, sampling, &learnt.iter().copied().collect());
    let gone: BTreeSet<_> = Parameter::chosen(sampling)
        .difference(&Parameter::chosen(&settled.sampling))
        .map(|parameter| parameter.name().to_owned())
        .collect();
    let said: BTreeSet<_> =
        settled.departures.iter().map(|departure| departure.parameter.clone()).collect();
    assert_eq!(gone, said, "what is left out is said, and nothing else");
    let all: Vec<_> = settled
        .departures
        .iter()
        .map(|Departure { parameter, how }| match how {
            Departed::Refused => format!("{parameter} (refused)"),
            _ => parameter.clone(),
        })
        .collect();
    all.join(" ")
}

#[test]
fn a_family_is_its_name_and_what_follows_a_mark() {
    for (name, model, fits) in [
        (Family("gpt-5"), "gpt-5", true),
        (Family("gpt-5"), "gpt-5-mini-2025-08-07", true),
        (Family("gpt-5"), "gpt-5.1", false),
        (Family("gpt-5"), "my-gpt-5", false),
        (Family("gpt-5"), "openai/gpt-5", false),
        (Family("gpt-5"), "gpt-50", false),
        (Family("gpt-5"), "GPT-5", false),
        (Family("claude-opus-4-1"), "claude-opus-4-1@20250805", true),
        (Family("claude-opus-4-1"), "claude-opus-4-10", false),
        (Exact("o1"), "o1-mini", false),
        (Exact("o1"), "o1", true),
    ] {
        assert_eq!(name.fits(model), fits, "{name:?} {model}");
    }
}

#[test]
fn models_are_sent_what_they_take() {
    let all = everything();
    for (table, model, gone) in [
        (&OPENAI, "gpt-4o-mini", ""),
        (&OPENAI, "some/model", ""),
        (&OPENAI, "gpt-5-mini", "temperature stop top_p"),
        (&OPENAI, "gpt-5-chat-latest", ""),
        (&OPENAI, "gpt-5.1", ""),
        (&OPENAI, "o3-mini", "temperature top_p"),
        (&OPENAI, "o3-2025-04-16", "temperature stop top_p"),
        (&OPENAI, "o1-mini", "temperature form stop top_p"),
        (&ANTHROPIC, "claude-3-5-haiku-20241022", "form seed"),
        (&ANTHROPIC, "claude-opus-4-20250514", "form seed"),
        (&ANTHROPIC, "claude-opus-4-1-20250805", "form seed top_p"),
        (&ANTHROPIC, "claude-opus-4-7", "temperature form top_p seed"),
        (&ANTHROPIC, "claude-haiku-5-5", "temperature form top_p seed"),
        (&ANTHROPIC, "claude-of-tomorrow", "form seed top_p"),
        (&GEMINI, "gemini-2.5-flash", ""),
        (&GEMINI, "gemma-3-27b-it", "form"),
    ] {
        assert_eq!(left_out(table, model, &all, &[]), gone, "{model}");
    }
}

#[test]
fn reasoning_is_asked_for_in_the_way_that_a_model_knows() {
    let thinking = |effort, thinking_tokens| Sampling {
        temperature: Some(0.6),
        effort,
        thinking_tokens,
        ..Sampling::default()
    };
    let some = Some(4000);
    for (table, model, effort, tokens, gone) in [
        (&OPENAI, "gpt-5", Some(Effort::Low), some, "temperature thinking_tokens"),
        (&OPENAI, "gpt-5.2", Some(Effort::Low), None, "temperature"),
        (&OPENAI, "gpt-5.2", Some(Effort::None), None, ""),
        (&OPENAI, "gpt-4.1", Some(Effort::Low), None, "effort"),
        (&OPENAI, "new", Some(Effort::Max), None, ""),
        (&ANTHROPIC, "claude-sonnet-4-5", Some(Effort::High), some, "effort temperature"),
        (&ANTHROPIC, "claude-opus-4-6", Some(Effort::High), some, "temperature"),
        (&ANTHROPIC, "claude-opus-4-7", None, some, "temperature thinking_tokens"),
        (&ANTHROPIC, "claude-3-haiku-20240307", None, some, "thinking_tokens"),
        (&ANTHROPIC, "claude-sonnet-4-5", None, Some(0), ""),
        (&GEMINI, "gemini-2.5-pro", Some(Effort::Low), some, "effort"),
        (&GEMINI, "gemini-3-pro-preview", Some(Effort::Low), some, "thinking_tokens"),
        (&GEMINI, "gemini-3-pro-preview", Some(Effort::Max), None, "effort"),
    ] {
        let sampling = thinking(effort, tokens);
        assert_eq!(left_out(table, model, &sampling, &[]), gone, "{model}");
    }
}

#[test]
fn what_was_refused_is_left_out_from_then_on() {
    let learnt = Learnt::default();
    assert!(learnt.of("m").refused.is_empty());
    learnt.learn("m", Temperature);
    learnt.learn("m", MaxTokens);
    assert!(learnt.of("n").refused.is_empty());
    let known: Vec<_> = learnt.of("m").refused.into_iter().collect();
    assert_eq!(left_out(&OPENAI, "m", &everything(), &known), "temperature (refused)");
    let settled = OPENAI.settle("m", &everything(), &learnt.of("m").refused);
    assert_eq!(settled.sampling.max_tokens, Some(100), "a limit is never left out");
    assert!(!settled.takes(MaxTokens) && settled.takes(Seed));
    let never = |table: &Table, model: &str| table.left_out(model, &learnt.of(model).refused);
    assert_eq!(never(&OPENAI, "m"), [Temperature, ThinkingTokens].into());
    assert_eq!(never(&OPENAI, "n"), [ThinkingTokens].into());
    assert!(never(&ANTHROPIC, "n").contains(&Seed));
}

#[test]
fn a_temperature_beyond_what_a_format_has_is_left_out() {
    let hot = Sampling { temperature: Some(1.2), ..Sampling::default() };
    assert_eq!(left_out(&ANTHROPIC, "claude-sonnet-4", &hot, &[]), "temperature");
    assert_eq!(left_out(&OPENAI, "gpt-4o", &hot, &[]), "");
}
