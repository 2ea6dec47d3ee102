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

/// Accounts of a call that cannot be.
fn odd() -> Vec<Value> {
    let with = |input: Value, output: Value| json!({ "prompt_tokens": input, "completion_tokens": output });
    let read = |details: Value| json!({ "prompt_tokens": 7, "completion_tokens": 3, "prompt_tokens_details": details });
    let written = |details: Value| json!({ "prompt_tokens": 7, "completion_tokens": 3, "completion_tokens_details": details });
    let mut all = vec![
        json!(null),
        json!({}),
        json!([7, 3]),
        json!("10"),
        json!({ "prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0 }),
        json!({ "total_tokens": 10 }),
        json!({ "prompt_tokens": 7 }),
        json!({ "completion_tokens": 3 }),
        json!({ "prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 5000 }),
        with(json!(0), json!(3)),
        with(json!(7), json!(0)),
        read(json!({ "cached_tokens": 500 })),
        read(json!({ "cached_tokens": -7 })),
        read(json!({ "cached_tokens": 4, "cache_write_tokens": 4 })),
        read(json!({ "cached_tokens": u64::MAX, "cache_write_tokens": u64::MAX })),
        written(json!({ "reasoning_tokens": -3 })),
        written(json!({ "reasoning_tokens": 4 })),
        written(json!({ "reasoning_tokens": 0.5 })),
        written(json!({ "reasoning_tokens": i64::MIN })),
        written(json!({ "reasoning_tokens": u64::MAX })),
        json!({ "prompt_tokens": 7, "completion_tokens": 0, "total_tokens": 7, "completion_tokens_details": { "reasoning_tokens": -500 } }),
    ];
    for count in [
        json!(-1),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e300),
        json!(0.5),
        json!(-0.5),
        json!(200_000_000),
        json!("many"),
        json!("18446744073709551616"),
        json!(true),
        json!({}),
    ] {
        all.push(with(count.clone(), json!(3)));
        all.push(with(json!(7), count));
    }
    all
}

#[tokio::test]
async fn no_account_of_a_service_frees_a_budget() {
    let (told, answered) = (Arc::new(Mutex::new(Value::Null)), Arc::default());
    let url = telling(Arc::clone(&told), Arc::clone(&answered)).await;
    let folder = tempfile::tempdir().expect("a folder");
    let limits = "requests_per_second = 100000\nrequest_burst = 100000\n";
    let config = config(folder.path(), &url, &format!("{limits}{PRICE}"));
    let service = Service::open(config).await;
    let spec = spec(Some(20));
    for usage in odd() {
        *told.lock().expect("no test panics here") = usage.clone();
        answered.store(0, Ordering::Relaxed);
        let (cap, mut refused) = (5_000, 0);
        let caps = Caps { money: Some(cap), tokens: Some(1_000_000), ..Caps::default() };
        let opened = service.post("/api/runs", None, &wanted(&spec, caps)).await;
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
        let folder = tempfile::tempdir().expect("a folder");
        let service = Service::open(config(folder.path(), &url, PRICE)).await;
        let spec = spec(Some(20));
        let opened: Opened =
            service.post("/api/runs", None, &wanted(&spec, money(1000.0))).await.json();
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
        let folder = tempfile::tempdir().expect("a folder");
        let of_server = "[caps]\nusd = 1.0\ntokens = 1000000\n";
        let config = |url: &str| config(folder.path(), url, &format!("{of_server}{PRICE}"));
        let service = Service::open(config(&url)).await;
        let spec = spec(Some(20));
        let open = async |service: &Service, caps: Caps| -> Opened {
            service.post("/api/runs", None, &wanted(&spec, caps)).await.json()
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
        let service = Service::open(config(&url)).await;
        assert_eq!(class(&service.call(&call(&run, &spec, 4)).await), None, "{count}");
        assert_eq!(class(&service.call(&call(&other, &spec, 2)).await), None, "{count}");
        let after = budget(&service, &run).await.budgets[0].spent;
        assert!(after.money > before.money && after.money <= 10_000, "{after:?}");
    }
}
