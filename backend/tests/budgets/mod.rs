//! Caps hold: what a run, a token or a server may spend is never overspent where the price is known.

mod earlier;
mod odd;
mod time;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Json;
use axum::extract::State;
use axum::routing::post;
use futures::future::join_all;
use tokio::sync::Semaphore;
use turnwise_shared::wire::budgets::{Kind, Scope, SetCaps};
use turnwise_shared::wire::{Epoch, Lease, Probed};

use crate::common::socket::question;
use crate::common::*;

/// Of this model a million tokens read cost 1 dollar, written 10.
const PRICE: &str = "[[price]]\nprovider = \"up\"\nmodel = \"m\"\nfrom = \"2020-01-01\"\ninput = 1.0\noutput = 10.0\n";

/// The upstream's tokens of a call: 7 read, 3 written.
const COST: u64 = 7 + 30;

/// A service that counts its calls and fails every seventh with 429.
#[derive(Clone, Default)]
struct Counting {
    asked: Arc<AtomicU64>,
    answered: Arc<AtomicU64>,
}

impl Counting {
    /// Starts it; gives its base address as well.
    async fn start() -> (Self, String) {
        let counting = Counting::default();
        let url = serve(post(Self::answer).with_state(counting.clone())).await;
        (counting, url)
    }

    async fn answer(
        State(counting): State<Self>,
        Json(_): Json<Value>,
    ) -> Result<Json<Value>, axum::http::StatusCode> {
        let number = counting.asked.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(2 + number % 7)).await;
        if number % 7 == 6 {
            return Err(axum::http::StatusCode::TOO_MANY_REQUESTS);
        }
        counting.answered.fetch_add(1, Ordering::Relaxed);
        Ok(Json(completion(json!("yes"))))
    }

    fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }
}

fn spec(max_tokens: Option<u32>) -> Spec {
    let mut spec = trial_spec(1);
    for sitting in spec.seats.values_mut() {
        sitting.sampling.max_tokens = max_tokens;
    }
    spec
}

fn wanted(spec: &Spec, caps: Caps) -> OpenRun {
    OpenRun { title: String::new(), caps, ..opening(spec) }
}

fn money(dollars: f64) -> Caps {
    Caps { money: Some((dollars * 1e6) as u64), ..Caps::default() }
}

fn call(run: &Opened, spec: &Spec, number: u64) -> CallRequest {
    asking(run, number, question(spec, &format!("question {number}")))
}

fn class(answer: &CallAnswer) -> Option<FailureClass> {
    match &answer.reply {
        Reply::Failed(failure) => Some(failure.class),
        _ => None,
    }
}

async fn budget(service: &Service, run: &Opened) -> RunBudgets {
    crate::common::sharing::get(service, run, "/budget", Some(&run.token)).await.json()
}

#[tokio::test]
async fn a_run_with_a_cap_needs_to_know_what_its_calls_may_cost() {
    let service = Service::at(NOWHERE, "").await;
    let open = async |spec: &Spec, caps: Caps| service.open(&wanted(spec, caps)).await;
    open(&spec(None), money(1.0)).await.error_with(422, "set max_tokens");
    open(&spec(Some(100)), money(1.0)).await.error_with(422, "the price of up/m is not known");
    let allowed = Caps { unpriced: vec!["up/m".into()], ..money(1.0) };
    let opened: Opened = open(&spec(Some(100)), allowed).await.json();
    let path = format!("/api/runs/{}/caps", opened.run);
    let without = SetCaps { caps: money(2.0) };
    let error = service.post(&path, Some(&opened.token), &without).await.error_with(422, "up/m");
    assert!(
        error.mend.is_some_and(|mend| mend.starts_with("Allow up/m by name as unpriced")),
        "it says how"
    );
    let calls = Caps { calls: Some(5), ..Caps::default() };
    assert!(open(&spec(None), calls).await.status.is_success());
    assert!(service.get(&path.replace("caps", "budget")).await.status.is_client_error());
}

/// Two servers over one database where the tests run on PostgreSQL; over a file of SQLite's there is one.
#[tokio::test]
async fn a_thousand_calls_at_once_never_overspend() {
    let (counting, url) = Counting::start().await;
    let folder = folder();
    let config = config(
        folder.path(),
        &url,
        &format!("requests_per_second = 100000\nrequest_burst = 100000\nattempts = 2\n{PRICE}"),
    );
    let mut services = vec![Service::start(config.clone()).await];
    if std::env::var_os("TURNWISE_TEST_DATABASE").is_some() {
        services.push(Service::start(config).await);
    }
    let spec = spec(Some(20));
    let cap = 8_000;
    let caps = Caps { money: Some(cap), ..Caps::default() };
    let opened: Opened = services[0].open(&wanted(&spec, caps)).await.json();
    let mut number = 0;
    // Until nothing more goes through: what was set aside and not used comes back, so several rounds find room.
    loop {
        let before = counting.answered();
        let calls = (0..500).map(|at| {
            number += 1;
            let (service, request) =
                (services[at % services.len()].clone(), call(&opened, &spec, number));
            async move { service.call(&request).await }
        });
        let answers = join_all(calls).await;
        assert!(answers.iter().all(|answer| matches!(
            class(answer),
            None | Some(FailureClass::BudgetExhausted | FailureClass::RateLimited)
        )));
        assert!(counting.answered() * COST <= cap, "overspent");
        let exhausted = |answer| class(answer) == Some(FailureClass::BudgetExhausted);
        if counting.answered() == before || answers.iter().all(exhausted) {
            break;
        }
    }
    let calls = counting.answered();
    let budgets = budget(&services[0], &opened).await.budgets;
    assert_eq!(budgets[0].of, Scope::Run);
    assert_eq!(budgets[0].spent.money, calls * COST, "what came back is what was spent");
    assert_eq!(budgets[0].spent.calls, counting.asked(), "every attempt counts as a call");
    // What a call may cost at most fits no more: so close to the cap it went.
    let most = 1_000;
    assert!(calls * COST > cap - most, "{calls} calls of {COST} under {cap}");
    let answer = services[0].call(&call(&opened, &spec, 0)).await;
    let Reply::Failed(failure) = answer.reply else { panic!("{answer:?}") };
    assert!(failure.message.starts_with("the budget of the run is $0.008; "), "{failure:?}");
    // Another cap lets it go on.
    let path = format!("/api/runs/{}/caps", opened.run);
    let more = SetCaps { caps: money(1.0) };
    let after: RunBudgets = services[0].post(&path, Some(&opened.token), &more).await.json();
    assert_eq!(after.budgets[0].caps.money, Some(1_000_000));
    let answer = services[0].call(&call(&opened, &spec, 0)).await;
    assert!(matches!(class(&answer), None | Some(FailureClass::RateLimited)), "{answer:?}");
    if services.len() == 1 {
        assert!(
            budget(&services[0], &opened)
                .await
                .paces
                .iter()
                .any(|change| change.service == "up" && change.limit < change.most),
            "how the service was held back is kept"
        );
        // A run that does not use it hears nothing of that, however long it has been open.
        let benchmark = example(QUESTIONS);
        let elsewhere =
            Spec { seats: turnwise_shared::benchmark::default_lineup(benchmark), ..spec.clone() };
        let other: Opened = services[0].open(&wanted(&elsewhere, Caps::default())).await.json();
        services[0].call(&call(&opened, &spec, 0)).await;
        assert_eq!(budget(&services[0], &other).await.paces, []);
    }
}

/// A service that says what it was asked, and answers once it is let.
async fn holding(
    asked: tokio::sync::mpsc::UnboundedSender<String>,
    let_go: Arc<Semaphore>,
) -> String {
    type Held = (tokio::sync::mpsc::UnboundedSender<String>, Arc<Semaphore>);
    async fn answer(State((asked, let_go)): State<Held>, Json(body): Json<Value>) -> Json<Value> {
        let text = body["messages"].to_string();
        asked.send(text).expect("the test listens");
        let_go.acquire().await.expect("it is open").forget();
        Json(completion(json!("yes")))
    }
    serve(post(answer).with_state((asked, let_go))).await
}

#[tokio::test]
async fn calls_that_fit_once_others_have_come_back_wait_and_stand_in_nobodys_way() {
    let (asked, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let let_go = Arc::new(Semaphore::new(0));
    let url = holding(asked, Arc::clone(&let_go)).await;
    let folder = folder();
    let mut config = config(folder.path(), &url, PRICE);
    // The service gets two calls at once.
    config.providers[0].in_flight = 2;
    let service = Service::start(config).await;
    let spec = spec(Some(20));
    let open = async |caps: Caps| -> Opened {
        let opened = service.open(&wanted(&spec, caps)).await;
        opened.json()
    };
    // One call fits with what it can come to at most, and three with what they come to.
    let (capped, free) = (open(money(0.001)).await, open(Caps::default()).await);
    let ask = |run: &Opened, number: u64| {
        let (service, request) = (service.clone(), call(run, &spec, number));
        tokio::spawn(async move { service.call(&request).await })
    };
    let mut calls = vec![ask(&capped, 1)];
    assert!(heard.recv().await.expect("a call").contains("question 1"));
    calls.extend([ask(&capped, 2), ask(&capped, 3), ask(&free, 4)]);
    let next = heard.recv().await.expect("a call");
    assert!(next.contains("question 4"), "{next}");
    let_go.add_permits(4);
    for call in calls {
        let answer = call.await.expect("it ends");
        assert_eq!(class(&answer), None, "{answer:?}");
    }
    let budgets = budget(&service, &capped).await.budgets;
    assert_eq!((budgets[0].spent.money, budgets[0].spent.calls), (3 * COST, 3));
}

#[tokio::test]
async fn tokens_and_servers_have_caps_for_a_day() {
    let (counting, url) = Counting::start().await;
    let more = "[caps]\ncalls = 4\n[[token]]\nname = \"ann\"\ntoken = \"token-of-ann-0123\"\ncaps = { calls = 3 }\n\
                [[token]]\nname = \"bob\"\ntoken = \"token-of-bob-0123\"\n";
    let service = Service::at(&url, more).await;
    let spec = spec(None);
    let open = async |token: Option<&str>| {
        service.post("/api/runs", token, &wanted(&spec, Caps::default())).await
    };
    open(None).await.error(401);
    open(Some("token-of-nobody-01")).await.error(401);
    let ann: Opened = open(Some("token-of-ann-0123")).await.json();
    let bob: Opened = open(Some("token-of-bob-0123")).await.json();
    let mut classes = Vec::new();
    for (number, run) in [(1, &ann), (2, &ann), (3, &ann), (4, &ann), (5, &bob), (6, &bob)] {
        classes.push(class(&service.call(&call(run, &spec, number)).await));
    }
    let out = Some(FailureClass::BudgetExhausted);
    assert_eq!(classes, [None, None, None, out, None, out]);
    assert_eq!(counting.asked(), 4);
    // What is tried without a run is paid, too.
    let probe = json!({ "probe": "model", "provider": "up", "model": "m" });
    let probed = service.post("/api/probe", Some("token-of-bob-0123"), &probe);
    let probed: Probed = probed.await.json();
    assert!(matches!(probed.reply, Reply::Failed(failure) if Some(failure.class) == out));
    assert_eq!(counting.asked(), 4);
    let scopes: Vec<Scope> =
        budget(&service, &ann).await.budgets.into_iter().map(|budget| budget.of).collect();
    assert_eq!(scopes, [Scope::Access("ann".into()), Scope::Server]);
}

#[tokio::test]
async fn what_others_spend_of_the_servers_budget_is_told_in_quarters() {
    let (_, url) = Counting::start().await;
    let more = "attempts = 1\n[caps]\ncalls = 8\n[[token]]\nname = \"ann\"\ntoken = \"token-of-ann-0123\"\ncaps = { calls = 3 }\n\
                [[token]]\nname = \"bob\"\ntoken = \"token-of-bob-0123\"\n";
    let service = Service::at(&url, more).await;
    let spec = spec(None);
    let open = async |token: &str| -> Opened {
        let wanted = wanted(&spec, Caps::default());
        service.post("/api/runs", Some(token), &wanted).await.json()
    };
    let (ann, bob) = (open("token-of-ann-0123").await, open("token-of-bob-0123").await);
    let told = async || {
        let budget = budget(&service, &ann).await;
        let budgets: Vec<_> =
            budget.budgets.iter().map(|budget| (budget.of.clone(), budget.spent.calls)).collect();
        (budgets, budget.short().len())
    };
    let [of_ann, of_all] = [Scope::Access("ann".into()), Scope::Server];
    service.call(&call(&ann, &spec, 1)).await;
    let expected = |own, all| vec![(of_ann.clone(), own), (of_all.clone(), all)];
    assert_eq!(told().await, (expected(1, 0), 0), "her own to the call");
    for number in 2..5 {
        service.call(&call(&bob, &spec, number)).await;
    }
    assert_eq!(told().await, (expected(1, 4), 0));
    service.call(&call(&bob, &spec, 5)).await;
    assert_eq!(told().await, (expected(1, 4), 0), "nobody sees each call");
    for number in 6..9 {
        service.call(&call(&bob, &spec, number)).await;
    }
    assert_eq!(told().await, (expected(1, 8), 1), "there is no room");
}

#[tokio::test]
async fn a_run_says_nothing_about_the_prices_that_other_budgets_need() {
    let (counting, url) = Counting::start().await;
    let token = |name: &str, caps: &str| {
        format!("[[token]]\nname = \"{name}\"\ntoken = \"token-of-{name}-0123\"\ncaps = {caps}\n")
    };
    let allowing = "{ usd = 0.01, unpriced = [\"up/m\"] }";
    let tokens = [token("ann", "{ usd = 0.01 }"), token("bob", allowing)].concat();
    let config =
        |server: &str, folder: &Path| config(folder, &url, &format!("[caps]\n{server}\n{tokens}"));
    let spec = spec(Some(20));
    let own = Caps { calls: Some(1000), unpriced: vec!["up/m".into()], ..Caps::default() };
    let with = async |service: &Service, token: &str| {
        service.post("/api/runs", Some(token), &wanted(&spec, own.clone())).await
    };
    let folder = folder();
    let service = Service::start(config("usd = 0.01\nunpriced = [\"up/m\"]", folder.path())).await;
    let error = with(&service, "token-of-ann-0123").await.error(422);
    assert!(error.message.starts_with("The access token has a budget"), "{error}");
    assert!(error.mend.is_some_and(|mend| mend.contains("caps of the access token")));
    // What both allow goes out, and its cost is not counted.
    let run: Opened = with(&service, "token-of-bob-0123").await.json();
    assert_eq!(class(&service.call(&call(&run, &spec, 1)).await), None);
    let before = counting.asked();
    service.app.close().await;
    // The operator allows it no longer: neither under way nor with other caps does the run get past that.
    let service = Service::start(config("usd = 0.01", folder.path())).await;
    let Reply::Failed(failure) = service.call(&call(&run, &spec, 2)).await.reply else {
        panic!("the server's budget does not allow it")
    };
    assert_eq!(failure.class, FailureClass::BudgetExhausted);
    assert!(failure.message.starts_with("The server has a budget for the day"), "{failure:?}");
    assert_eq!(counting.asked(), before);
    let caps = SetCaps { caps: own.clone() };
    let path = format!("/api/runs/{}/caps", run.run);
    let error = service.post(&path, Some(&run.token), &caps).await.error(422);
    assert!(error.message.starts_with("The server has a budget for the day"), "{error}");
    let error = with(&service, "token-of-bob-0123").await.error(422);
    assert!(error.mend.is_some_and(|mend| mend.contains("caps of the server")));
}
