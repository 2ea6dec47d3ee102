//! Requests that are longer than what a model takes: one class, however a service says it.

use super::*;

#[tokio::test]
async fn a_request_that_is_too_long_is_one_class_in_every_spelling() {
    for (format, status, body) in cases::<(_, u16, Value)>(include_str!("lengths.jsonl")) {
        let trial = asked(format, Canned::of(status, body.clone())).await;
        assert_eq!(trial.failed(), (FailureClass::Context, 1), "{status} {body}");
        assert!(trial.failure().message.contains("context window"), "{body}");
    }
    for (status, message) in cases::<(_, &str)>(include_str!("not_lengths.jsonl")) {
        let body = error(json!({ "message": message }));
        let trial = asked_once("openai", Canned::json(status, body)).await;
        assert_ne!(trial.class(), FailureClass::Context, "{message}");
    }
}

#[tokio::test]
async fn a_limit_of_tokens_that_is_named_is_used() {
    let refusal = |message: &str| {
        Canned::json(400, error(json!({ "message": message, "type": "invalid_request_error" })))
    };
    let asked = |most| question_of("m", |sampling| sampling.max_tokens = Some(most));
    let of_model = "max_tokens is too large: 20000. This model supports at most 8192 completion tokens, whereas you provided 20000.";
    let answers = vec![refusal(of_model), Canned::text("yes")];
    let trial = trial("openai", asked(20_000), answers, false, "").await;
    let lowered = vec![("max_tokens", Departed::Lowered(8192))];
    assert_eq!(trial.departures(), lowered);
    assert_eq!(trial.answer.timing.words.as_deref(), Some(of_model));
    let said = trial.again(&asked(30_000)).await;
    assert_eq!(departures(&said), lowered, "it was learnt");
    let sent: Vec<u64> = trial
        .upstream
        .seen()
        .iter()
        .map(|seen| seen.body["max_tokens"].as_u64().expect("a limit"))
        .collect();
    assert_eq!(sent, [20_000, 8192, 8192]);

    // What the window has left beside one conversation holds for no other.
    let of_window = "This model's maximum context length is 4096 tokens. However, you requested 4154 tokens (154 in the messages, 4000 in the completion).";
    let answers = vec![refusal(of_window), Canned::text("yes")];
    let trial = super::trial("openai", asked(4000), answers, false, "").await;
    assert_eq!(trial.departures(), [("max_tokens", Departed::Lowered(3942))]);
    let said = trial.again(&asked(4000)).await;
    assert_eq!(departures(&said), []);

    // A limit that the format must have is lowered, too.
    let of_both = "input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000, decrease input length or `max_tokens` and try again";
    let own = question_of("m", |sampling| sampling.max_tokens = None);
    let answers = vec![refusal(of_both), Canned::ok(crate::providers::anthropic::message("yes"))];
    let trial = super::trial("anthropic", own, answers, false, "").await;
    assert_eq!(trial.departures(), [("max_tokens", Departed::Supplied(10_000))]);

    // Where a service goes on refusing it is believed.
    let message = "max_tokens 50 is too large, at most 40 tokens are taken";
    let trial = super::trial("openai", asked(50), vec![refusal(message)], false, "").await;
    assert_eq!(trial.class(), FailureClass::Rejected);
    assert!(trial.requests() <= 4, "{}", trial.requests());
}
