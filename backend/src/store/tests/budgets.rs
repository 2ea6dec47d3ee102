//! Sums of budgets end at the largest number, and nothing makes a budget unreadable.

use turnwise_shared::caps::{Caps, Spent};

use super::*;
use crate::store::Earlier;

const ABSURD: Spent = Spent { money: u64::MAX, tokens: u64::MAX, calls: 1 };

const CALL: Spent = Spent { money: 10, tokens: 20, calls: 1 };

fn limits(caps: Caps) -> [Limit; 1] {
    let budget = "server 2026-01-01".into();
    [Limit { budget, caps }]
}

fn capped(calls: u64) -> Caps {
    Caps { calls: Some(calls), ..Caps::default() }
}

#[tokio::test]
async fn a_sum_that_is_too_large_stays_a_number() {
    let store = fresh().await;
    let limits = limits(capped(100));
    for id in ["a", "b", "c"] {
        let reserved = store.reserve(id, &limits, CALL).await;
        assert_eq!(reserved.expect("it is written"), Ok(()), "{id}");
        let settled = store.settle(id, &limits, CALL, ABSURD).await;
        settled.expect("it is written");
    }
    let drawn = store.drawn(&limits[0].budget).await.expect("it reads");
    assert!(drawn.spent.money > i64::MAX.cast_unsigned() - 100, "{drawn:?}");
    assert_eq!((drawn.spent.calls, drawn.aside), (3, Spent::default()));
    let earlier = Earlier { known: ABSURD, whole: ABSURD, milliseconds: None };
    let counted = store.spent_earlier(&limits[0].budget, &earlier).await;
    counted.expect("it is written");
    // What is capped binds, and nothing else does.
    let next = store.reserve("d", &limits, CALL).await.expect("it is written");
    assert_eq!(next, Ok(()));
    let money = Caps { money: Some(1_000_000), ..Caps::default() };
    let next = store.reserve("e", &self::limits(money), CALL).await;
    assert_eq!(next.expect("it is written"), Err(0));
    let less = store.settle("d", &limits, ABSURD, Spent::default()).await;
    less.expect("it is written");
    let drawn = store.drawn(&limits[0].budget).await.expect("it reads");
    assert!(drawn.spent.money < 100, "{drawn:?}");
}

/// As SQLite left it before: a fraction, which is no whole number of the database's.
#[tokio::test]
async fn a_budget_that_became_a_fraction_is_read_and_goes_on() {
    let store = fresh().await;
    let limits = limits(capped(100));
    let reserved = store.reserve("a", &limits, CALL).await;
    assert_eq!(reserved.expect("it is written"), Ok(()));
    let broken = sql!("UPDATE purses SET money = 1.2e19, tokens = 9.3e18").run(&store.write).await;
    if broken.is_err() {
        // PostgreSQL never let it become one.
        return;
    }
    let drawn = store.drawn(&limits[0].budget).await.expect("it reads");
    assert_eq!(drawn.spent.money, i64::MAX.cast_unsigned());
    let settled = store.settle("a", &limits, CALL, CALL).await;
    settled.expect("it is written");
    let reserved = store.reserve("b", &limits, CALL).await;
    assert_eq!(reserved.expect("it is written"), Ok(()));
    store.drawn(&limits[0].budget).await.expect("it reads");
}
