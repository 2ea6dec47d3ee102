//! What services tell of their tokens may be anything: a cap holds all the same, and nothing stands still for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::State;
use axum::routing::post;

use crate::budgets::{COST, PRICE, budget, call, class, money, spec, wanted};
use crate::common::socket::question as ask;
use crate::common::*;

/// A service that answers every call and tells this of its tokens.
async fn telling(usage: Arc<Mutex<Value>>, answered: Arc<AtomicU64>) -> String {
    saying(json!({ "content": "yes" }), usage, answered).await
}

/// The same, with another message.
async fn saying(message: Value, usage: Arc<Mutex<Value>>, answered: Arc<AtomicU64>) -> String {
    async fn answer(
        State((message, usage, answered)): State<(Value, Arc<Mutex<Value>>, Arc<AtomicU64>)>,
        Json(_): Json<Value>,
    ) -> Json<Value> {
        answered.fetch_add(1, Ordering::Relaxed);
        let mut body = completion(Value::Null);
        body["choices"][0]["message"] = message;
        body["usage"] = usage.lock().expect("no test panics here").clone();
        Json(body)
    }
    serve(post(answer).with_state((message, usage, answered))).await
}

#[tokio::test]
async fn no_account_of_a_service_frees_a_budget() {
    let (told, answered) = (Arc::new(Mutex::new(Value::Null)), Arc::default());
    let url = telling(Arc::clone(&told), Arc::clone(&answered)).await;
    let limits = "requests_per_second = 100000\nrequest_burst = 100000\n";
    let service = Service::at(&url, &format!("{limits}{PRICE}")).await;
    let spec = spec(Some(20));
    // Accounts of a call that cannot be.
    for usage in cases::<Value>(include_str!("odd.jsonl")) {
        *told.lock().expect("no test panics here") = usage.clone();
        answered.store(0, Ordering::Relaxed);
        let (cap, mut refused) = (5_000, 0);
        let caps = Caps { money: Some(cap), tokens: Some(1_000_000), ..Caps::default() };
        let opened = service.open(&wanted(&spec, caps)).await;
        let opened: Opened = opened.json();
        for number in 1..=20 {
            let answer = service.call(&call(&opened, &spec, number)).await;
            match class(&answer) {
                None => assert_eq!(refused, 0, "{usage}"),
                Some(class) => {
                    assert_eq!(class, FailureClass::BudgetExhausted, "{usage}");
                    refused += 1;
                }
            }
        }
        let spent = budget(&service, &opened).await.budgets[0].spent;
        let answered = answered.load(Ordering::Relaxed);
        assert!(refused > 0 && answered > 0, "{usage}: {spent:?}");
        // A call can come to some hundred millionths of a dollar; so much stays counted of each.
        assert!(spent.money <= cap, "{usage}: {spent:?}");
        assert!(spent.money >= answered * 10 * COST, "{usage}: {answered} calls, {spent:?}");
        assert_eq!(spent.calls, answered, "{usage}");
    }
}

/// What is far too little for its text is as little believed as nothing.
#[tokio::test]
async fn too_few_tokens_for_what_was_said_or_asked_free_no_budget() {
    let usage =
        |read: u64, written: u64| json!({ "prompt_tokens": read, "completion_tokens": written });
    let long = "a word or two ".repeat(7_000);
    let refusal = "I am sorry, but I cannot help with that, because it would be against what I am allowed to answer, and so I do not.";
    for (message, question, told) in [
        (json!({ "content": long }), "short", usage(7, 1)),
        (json!({ "content": long }), "short", usage(7, 1_000)),
        (json!({ "content": null, "refusal": refusal }), "short", usage(7, 0)),
        (json!({ "content": null, "refusal": refusal }), "short", usage(7, 3)),
        (json!({ "content": "yes", "reasoning_content": long }), "short", usage(7, 2)),
        (json!({ "content": "yes" }), long.as_str(), usage(7, 3)),
    ] {
        let answered = Arc::<AtomicU64>::default();
        let url = saying(message, Arc::new(Mutex::new(told.clone())), Arc::clone(&answered)).await;
        let service = Service::at(&url, PRICE).await;
        let spec = spec(Some(20));
        let opened: Opened = service.open(&wanted(&spec, money(1000.0))).await.json();
        for number in 1..=3 {
            let call =
                CallRequest { request: ask(&spec, question), ..call(&opened, &spec, number) };
            assert_eq!(class(&service.call(&call).await), None, "{told}");
            let spent = budget(&service, &opened).await.budgets[0].spent.money;
            // What it can come to at most: a token for each byte that is asked, and 20 that are written, at ten times the price.
            let least = question.len() as u64 + 20 * 10;
            assert!(spent >= number * least, "{told}: {spent}");
        }
        assert_eq!(answered.load(Ordering::Relaxed), 3, "{told}");
    }
}

/// Two absurd answers stopped all runs of a server until the next day, also after a restart.
#[tokio::test]
async fn an_absurd_account_stops_nothing_that_it_does_not_pay_for() {
    for count in [json!(u64::MAX), json!(i64::MAX), json!(i64::MAX - 1)] {
        let absurd = json!({ "prompt_tokens": count, "completion_tokens": count });
        let answered = Arc::new(AtomicU64::new(0));
        let url = telling(Arc::new(Mutex::new(absurd)), Arc::clone(&answered)).await;
        let folder = folder();
        let of_server = "[caps]\nusd = 1.0\ntokens = 1000000\n";
        let config = |url: &str| config(folder.path(), url, &format!("{of_server}{PRICE}"));
        let service = Service::start(config(&url)).await;
        let spec = spec(Some(20));
        let open = async |service: &Service, caps: Caps| -> Opened {
            service.open(&wanted(&spec, caps)).await.json()
        };
        let run = open(&service, money(0.01)).await;
        for number in 1..=3 {
            assert_eq!(class(&service.call(&call(&run, &spec, number)).await), None);
        }
        let other = open(&service, Caps::default()).await;
        assert_eq!(class(&service.call(&call(&other, &spec, 1)).await), None, "{count}");
        let before = budget(&service, &run).await.budgets[0].spent;
        assert!(before.money > 0 && before.money < 10_000, "{before:?}");
        service.app.close().await;
        let service = Service::start(config(&url)).await;
        assert_eq!(class(&service.call(&call(&run, &spec, 4)).await), None, "{count}");
        assert_eq!(class(&service.call(&call(&other, &spec, 2)).await), None, "{count}");
        let after = budget(&service, &run).await.budgets[0].spent;
        assert!(after.money > before.money && after.money <= 10_000, "{after:?}");
    }
}
