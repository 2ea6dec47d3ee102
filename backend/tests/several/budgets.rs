//! A budget that is set over one server while another one sends calls.

use futures::StreamExt as _;

use super::*;

/// Until every call that went out before a budget was known is counted.
const COUNTED: Duration = Duration::from_secs(4);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_that_is_set_over_another_server_misses_no_call() {
    let folder = folder();
    let Some(database) = database::postgres(folder.path()) else {
        return;
    };
    let counter = Counter::default();
    counter.latency.store(20, Ordering::Relaxed);
    let upstream = counter.start().await;
    let one = Server::start(&folder.path().join("one"), &upstream, &database);
    let other = Server::start(&folder.path().join("other"), &upstream, &database);
    let mut spec = trial_spec(1);
    for sitting in spec.seats.values_mut() {
        sitting.sampling.max_tokens = Some(20);
    }
    let wanted = json!({ "spec": spec, "title": "a trial", "episodes": 1 });
    let run = one.client.open(&wanted).await;
    let requests = calls_of(&spec, &run, 0..300);
    let sent = futures::stream::iter(&requests)
        .map(|request| other.client.call(request))
        .buffer_unordered(8)
        .for_each(async |answer| {
            let reply = answer.expect("it answers").reply;
            assert!(matches!(reply, Reply::Said(_)), "{reply:?}");
        });
    let capped = async {
        counter.reached(50).await;
        let caps = json!({ "caps": { "money": 50_000_000, "calls": 10_000 } });
        one.client.say(&run, "caps", &caps).await;
    };
    tokio::join!(sent, capped);
    tokio::time::sleep(COUNTED).await;
    let spent = other.client.budget(&run).await.budgets[0].spent;
    assert_eq!(counter.counts().len(), 300);
    assert_eq!((spent.money, spent.calls), (300 * COST, 300));
}
