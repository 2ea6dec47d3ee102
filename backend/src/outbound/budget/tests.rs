use turnwise_shared::prelude::*;

use super::*;

/// A call that can come to a bit more than 1000 tokens, and one that can to more than 2000.
fn request(max_tokens: u32) -> Outgoing {
    Outgoing::Model(ModelCall {
        provider: "up".into(),
        model: "m".into(),
        seat: Seat::new("player"),
        messages: Vec::new(),
        sampling: Sampling { max_tokens: Some(max_tokens), ..Sampling::default() },
    })
}

fn account(tokens: u64) -> Account {
    let caps = Caps { tokens: Some(tokens), ..Caps::default() };
    Account::new(vec![(Scope::Run, "run 1".into(), caps)], None, Reservations::in_memory())
}

fn said(tokens: u64) -> Result<Reply, ProviderError> {
    let usage = Usage { input: Some(tokens), output: Some(0), ..Usage::default() };
    Ok(Reply::Said(Said { usage, ..Said::default() }))
}

fn refused(tried: Result<Reserved, Unpaid>) -> String {
    match tried {
        Err(Unpaid::Refused(failure)) => failure.message,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_does_not_fit_beside_calls_on_their_way_is_refused_only_when_they_have_come_back() {
    let prices = PriceBook::default();
    let (account, call) = (account(2000), request(500));
    let reserve = async || account.reserve(&call, &prices).await;
    let first = reserve().await.expect("it fits");
    assert!(matches!(reserve().await, Err(Unpaid::Later(_))));
    account.settle(account.account_for(first, &call, &said(100), &prices)).await;
    let second = reserve().await.expect("it fits beside what came back");
    assert!(matches!(reserve().await, Err(Unpaid::Later(_))));
    account.settle(account.account_for(second, &call, &said(900), &prices)).await;
    let why = refused(reserve().await);
    assert!(why.starts_with("the budget of the run is 2000 tokens; 1000 are used,"), "{why}");
}

#[tokio::test]
async fn what_can_never_fit_does_not_wait() {
    let prices = PriceBook::default();
    let account = account(2000);
    let _on_its_way = account.reserve(&request(500), &prices).await.expect("fits");
    refused(account.reserve(&request(3000), &prices).await);
}

#[tokio::test]
async fn a_call_that_broke_off_stays_paid_and_nobody_waits_for_it() {
    let prices = PriceBook::default();
    let (account, call) = (account(2000), request(500));
    let reserve = async || account.reserve(&call, &prices).await;
    let broken_off = reserve().await.expect("it fits");
    let most = broken_off.amount().tokens;
    assert!(matches!(reserve().await, Err(Unpaid::Later(_))));
    drop(broken_off);
    let why = refused(reserve().await);
    assert!(why.contains(&format!("; {most} are used,")), "{why}");
}

#[tokio::test]
async fn one_at_a_time_looks_and_whoever_goes_lets_the_next_one_look() {
    use futures::FutureExt as _;
    let account = account(2000);
    let later = Later("run 1".to_owned());
    let (mut first, mut second) = (None, None);
    account.wait(later.clone(), &mut first).await;
    assert!(account.wait(later.clone(), &mut second).now_or_never().is_none());
    drop(first);
    assert!(account.wait(later.clone(), &mut second).now_or_never().is_some());
}

#[tokio::test]
async fn everything_that_is_short_is_named_with_the_time() {
    let prices = PriceBook::default();
    let caps = Caps { tokens: Some(2000), calls: Some(1), ..Caps::default() };
    let over = |until: u64| {
        let time = Time { seconds: 60, until };
        let budgets = vec![(Scope::Run, "run 1".into(), caps.clone())];
        Account::new(budgets, Some(time), Reservations::in_memory())
    };
    let (call, account) = (request(500), over(now() + 60_000));
    let first = account.reserve(&call, &prices).await.expect("it fits");
    account.settle(account.account_for(first, &call, &said(1900), &prices)).await;
    let why = refused(account.reserve(&call, &prices).await);
    let tokens = "the budget of the run is 2000 tokens; 1900 are used, and this call may use";
    assert!(why.starts_with(tokens), "{why}");
    assert!(why.ends_with("; and 1 of 1 calls of the run are made"), "{why}");
    let why = refused(over(now()).reserve(&call, &prices).await);
    assert_eq!(why, "the run has been driven for the 60 s of its budget");
}

/// The keys of budgets, and a book that several accounts may share.
fn paying(budgets: &[(Scope, &Caps)], reservations: &Reservations) -> Account {
    let budgets = budgets.iter().map(|(of, caps)| {
        let name = match of {
            Scope::Run => "run 1",
            Scope::Access(_) => "access ann",
            Scope::Server => "server",
        };
        (of.clone(), name.to_owned(), (*caps).clone())
    });
    Account::new(budgets.collect(), None, reservations.clone())
}

#[tokio::test]
async fn a_model_without_a_price_is_allowed_for_each_budget_by_whoever_set_it() {
    let prices = PriceBook::default();
    let reservations = Reservations::in_memory();
    let call = request(500);
    let money = Caps { money: Some(10_000), ..Caps::default() };
    let allowing = |caps: &Caps| Caps { unpriced: vec!["up/m".into()], ..caps.clone() };
    let calls = Caps { calls: Some(1000), ..Caps::default() };
    let ann = Scope::Access("ann".into());
    let by_the_run =
        [(Scope::Run, &allowing(&calls)), (ann.clone(), &money), (Scope::Server, &money)];
    let why = refused(paying(&by_the_run, &reservations).reserve(&call, &prices).await);
    assert_eq!(
        why,
        "The access token has a budget for the day, but the price of up/m is not known. Whoever operates the server can add its \
         price to the server's prices, or list up/m as unpriced in the caps of the access token."
    );
    let by_the_token = [
        (Scope::Run, &allowing(&money)),
        (ann.clone(), &allowing(&money)),
        (Scope::Server, &money),
    ];
    let why = refused(paying(&by_the_token, &reservations).reserve(&call, &prices).await);
    assert!(
        why.starts_with("The server has a budget for the day, but the price of up/m is not known."),
        "{why}"
    );
    let not_by_the_run = [(Scope::Run, &money), (Scope::Server, &allowing(&money))];
    let why = refused(paying(&not_by_the_run, &reservations).reserve(&call, &prices).await);
    assert!(why.starts_with("The run has a budget, but"), "{why}");
    let by_all = [
        (Scope::Run, &allowing(&money)),
        (ann, &allowing(&money)),
        (Scope::Server, &allowing(&money)),
    ];
    let reserved = paying(&by_all, &reservations).reserve(&call, &prices).await;
    assert_eq!(reserved.expect("all allow it").amount().money, 0);
    let by_the_server = [(Scope::Run, &calls), (Scope::Server, &allowing(&money))];
    let reserved = paying(&by_the_server, &reservations).reserve(&call, &prices).await;
    reserved.expect("the run has no budget in money");
}

#[tokio::test]
async fn what_waits_over_midnight_is_paid_by_the_day_on_which_it_goes_out() {
    let prices = PriceBook::default();
    let day = |text: &str| -> Day { text.parse().expect("a day") };
    let (monday, tuesday) = (day("2026-11-23"), day("2026-11-24"));
    let caps = Caps { tokens: Some(2000), ..Caps::default() };
    let reservations = Reservations::in_memory();
    let account = paying(&[(Scope::Server, &caps)], &reservations);
    let call = request(500);
    let on = async |day: &Day| account.reserve_on(&call, &prices, day.clone()).await;
    let late = on(&monday).await.expect("it fits");
    assert!(matches!(on(&monday).await, Err(Unpaid::Later(_))));
    let early = on(&tuesday).await.expect("the day is fresh");
    // Each is put right where it was taken, whatever day it is by then.
    account.settle(account.account_for(late, &call, &said(100), &prices)).await;
    account.settle(account.account_for(early, &call, &said(30), &prices)).await;
    let mut used = Vec::new();
    for day in [&monday, &tuesday] {
        let drawn = reservations.drawn(&format!("server {day}")).await.expect("it is in memory");
        assert_eq!(drawn.aside, Spent::default());
        used.push(drawn.spent.tokens);
    }
    assert_eq!(used, [100, 30]);
}

#[tokio::test]
async fn a_call_with_a_stand_in_is_counted_as_that_whatever_was_said() {
    let prices = PriceBook::default();
    let account = account(1_000_000);
    let counted = async |call: &Outgoing, came: u64| {
        let counting = account.counting(request(2000));
        let reserved = counting.reserve(call, &prices).await.expect("it fits");
        let most = reserved.amount().tokens;
        let before =
            account.reservations.drawn("run 1").await.expect("it reads").spent.tokens - most;
        counting.settle(counting.account_for(reserved, call, &said(came), &prices)).await;
        let after = account.reservations.drawn("run 1").await.expect("it reads");
        (most, after.spent.tokens - before)
    };
    let (most, spent) = counted(&request(500), 100).await;
    assert!(most > 2000 && spent == most, "{most} {spent}");
    assert_eq!(counted(&request(700), 1900).await, (most, most));
    // A service that writes more than it was to: never less than it was.
    assert_eq!(counted(&request(500), most + 1).await, (most, 2 * most));
}
