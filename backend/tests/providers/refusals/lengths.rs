//! Requests that are longer than what a model takes: one class, however a service says it.

use super::*;

#[tokio::test]
async fn a_request_that_is_too_long_is_one_class_in_every_spelling() {
    let code = |code: &str, message: &str| {
        error(json!({ "message": message, "type": "invalid_request_error", "code": code }))
    };
    let kind = |kind: &str, message: &str| error(json!({ "message": message, "type": kind }));
    let too_long = "the request exceeds the available context size";
    for (format, status, body) in [
        ("openai", 400, code("context_length_exceeded", "?")),
        ("openai", 400, kind("exceed_context_size_error", too_long)),
        ("openai", 500, kind("server_error", too_long)),
        (
            "openai",
            422,
            json!({ "detail": [{ "msg": "prompt is too long: 5000 tokens, at most 4096 are taken" }] }),
        ),
        ("openai", 413, json!({})),
        ("openai", 200, code("context_length_exceeded", "?")),
        (
            "openai",
            200,
            json!({ "code": 400, "message": "the conversation does not fit into the context window" }),
        ),
        (
            "openai",
            429,
            kind(
                "tokens",
                "Request too large for m on tokens per min (TPM): Limit 900, Requested 1100. The input or output tokens must be reduced.",
            ),
        ),
        (
            "openai",
            400,
            json!({ "errors": [{ "reason": "Input of 9000 tokens is longer than the 8192 tokens of the model" }] }),
        ),
        (
            "anthropic",
            400,
            kind("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        ),
        ("anthropic", 413, kind("request_too_large", "Request exceeds the maximum size")),
        (
            "gemini",
            400,
            error(
                json!({ "code": 400, "status": "INVALID_ARGUMENT", "message": "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)." }),
            ),
        ),
    ] {
        let trial = asked(format, json_of(status, body.clone())).await;
        assert_eq!(
            (trial.class(), trial.requests()),
            (FailureClass::Context, 1),
            "{status} {body}"
        );
        assert!(trial.failure().message.contains("context window"), "{body}");
    }
    let trial =
        asked("openai", html(413, "<html><h1>413 Request Entity Too Large</h1></html>")).await;
    assert_eq!((trial.class(), trial.requests()), (FailureClass::Context, 1));
    for (status, message) in [
        (
            429,
            "Rate limit reached on tokens per min (TPM): Limit 900, Used 880, Requested 100. Please try again in 2s.",
        ),
        (429, "Too many tokens, please wait before trying again."),
        (429, "Request too large for now, try again in 3 seconds"),
        (400, "temperature: Input should be greater than 0"),
        (400, "max_tokens is not a length of this model"),
    ] {
        let trial =
            asked_once("openai", json_of(status, error(json!({ "message": message })))).await;
        assert_ne!(trial.class(), FailureClass::Context, "{message}");
    }
}

#[tokio::test]
async fn a_limit_of_tokens_that_is_named_is_used() {
    let refusal = |message: &str| {
        json_of(400, error(json!({ "message": message, "type": "invalid_request_error" })))
    };
    let asked = |most| question_of("m", |sampling| sampling.max_tokens = Some(most));
    let of_model = "max_tokens is too large: 20000. This model supports at most 8192 completion tokens, whereas you provided 20000.";
    let answers = vec![refusal(of_model), Canned::text("yes")];
    let trial = trial("openai", asked(20_000), answers, false, "").await;
    let lowered = vec![("max_tokens", Departed::Lowered(8192))];
    assert_eq!(departures(trial.said()), lowered);
    assert_eq!(trial.answer.timing.words.as_deref(), Some(of_model));
    let again = trial.egress.send(&asked(30_000), None, &Account::open(), 3).await;
    let Reply::Said(said) = again.reply else { panic!("{:?}", again.reply) };
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
    assert_eq!(departures(trial.said()), [("max_tokens", Departed::Lowered(3942))]);
    let again = trial.egress.send(&asked(4000), None, &Account::open(), 3).await;
    let Reply::Said(said) = again.reply else { panic!("{:?}", again.reply) };
    assert_eq!(departures(&said), []);

    // A limit that the format must have is lowered, too.
    let of_both = "input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000, decrease input length or `max_tokens` and try again";
    let own = question_of("m", |sampling| sampling.max_tokens = None);
    let answers = vec![refusal(of_both), json_of(200, crate::providers::anthropic::message("yes"))];
    let trial = super::trial("anthropic", own, answers, false, "").await;
    assert_eq!(departures(trial.said()), [("max_tokens", Departed::Supplied(10_000))]);

    // Where a service goes on refusing it is believed.
    let message = "max_tokens 50 is too large, at most 40 tokens are taken";
    let trial = super::trial("openai", asked(50), vec![refusal(message)], false, "").await;
    assert_eq!(trial.class(), FailureClass::Rejected);
    assert!(trial.requests() <= 4, "{}", trial.requests());
}
