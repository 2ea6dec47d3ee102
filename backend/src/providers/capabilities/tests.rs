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
        ("gpt-5*", "gpt-5", true),
        ("gpt-5*", "gpt-5-mini-2025-08-07", true),
        ("gpt-5*", "gpt-5.1", false),
        ("gpt-5*", "my-gpt-5", false),
        ("gpt-5*", "openai/gpt-5", false),
        ("gpt-5*", "gpt-50", false),
        ("gpt-5*", "GPT-5", false),
        ("claude-opus-4-1*", "claude-opus-4-1@20250805", true),
        ("claude-opus-4-1*", "claude-opus-4-10", false),
        ("o1", "o1-mini", false),
        ("o1", "o1", true),
    ] {
        assert_eq!(super::fits(name, model), fits, "{name} {model}");
    }
}

#[test]
fn models_are_sent_what_they_take() {
    let all = everything();
    for (table, model, gone) in [
        (&TABLES.openai, "gpt-4o-mini", ""),
        (&TABLES.openai, "some/model", ""),
        (&TABLES.openai, "gpt-5-mini", "temperature stop top_p"),
        (&TABLES.openai, "gpt-5-chat-latest", ""),
        (&TABLES.openai, "gpt-5.1", ""),
        (&TABLES.openai, "o3-mini", "temperature top_p"),
        (&TABLES.openai, "o3-2025-04-16", "temperature stop top_p"),
        (&TABLES.openai, "o1-mini", "temperature form stop top_p"),
        (&TABLES.anthropic, "claude-3-5-haiku-20241022", "form seed"),
        (&TABLES.anthropic, "claude-opus-4-20250514", "form seed"),
        (&TABLES.anthropic, "claude-opus-4-1-20250805", "form seed top_p"),
        (&TABLES.anthropic, "claude-opus-4-7", "temperature form top_p seed"),
        (&TABLES.anthropic, "claude-haiku-5-5", "temperature form top_p seed"),
        (&TABLES.anthropic, "claude-of-tomorrow", "form seed top_p"),
        (&TABLES.gemini, "gemini-2.5-flash", ""),
        (&TABLES.gemini, "gemma-3-27b-it", "form"),
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
        (&TABLES.openai, "gpt-5", Some(Effort::Low), some, "temperature thinking_tokens"),
        (&TABLES.openai, "gpt-5.2", Some(Effort::Low), None, "temperature"),
        (&TABLES.openai, "gpt-5.2", Some(Effort::None), None, ""),
        (&TABLES.openai, "gpt-4.1", Some(Effort::Low), None, "effort"),
        (&TABLES.openai, "new", Some(Effort::Max), None, ""),
        (&TABLES.anthropic, "claude-sonnet-4-5", Some(Effort::High), some, "effort temperature"),
        (&TABLES.anthropic, "claude-opus-4-6", Some(Effort::High), some, "temperature"),
        (&TABLES.anthropic, "claude-opus-4-7", None, some, "temperature thinking_tokens"),
        (&TABLES.anthropic, "claude-3-haiku-20240307", None, some, "thinking_tokens"),
        (&TABLES.anthropic, "claude-sonnet-4-5", None, Some(0), ""),
        (&TABLES.gemini, "gemini-2.5-pro", Some(Effort::Low), some, "effort"),
        (&TABLES.gemini, "gemini-3-pro-preview", Some(Effort::Low), some, "thinking_tokens"),
        (&TABLES.gemini, "gemini-3-pro-preview", Some(Effort::Max), None, "effort"),
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
    assert_eq!(left_out(&TABLES.openai, "m", &everything(), &known), "temperature (refused)");
    let settled = TABLES.openai.settle("m", &everything(), &learnt.of("m").refused);
    assert_eq!(settled.sampling.max_tokens, Some(100), "a limit is never left out");
    assert!(!settled.takes(MaxTokens) && settled.takes(Seed));
    let never = |table: &Table, model: &str| table.left_out(model, &learnt.of(model).refused);
    assert_eq!(never(&TABLES.openai, "m"), [Temperature, ThinkingTokens].into());
    assert_eq!(never(&TABLES.openai, "n"), [ThinkingTokens].into());
    assert!(never(&TABLES.anthropic, "n").contains(&Seed));
}

#[test]
fn a_temperature_beyond_what_a_format_has_is_left_out() {
    let hot = Sampling { temperature: Some(1.2), ..Sampling::default() };
    assert_eq!(left_out(&TABLES.anthropic, "claude-sonnet-4", &hot, &[]), "temperature");
    assert_eq!(left_out(&TABLES.openai, "gpt-4o", &hot, &[]), "");
}
