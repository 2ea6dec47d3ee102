//! Caps that come into being in the course of a day count from its beginning.

use super::*;

const ANN: &str = "[[token]]\nname = \"ann\"\ntoken = \"token-of-ann-0123\"\n";

/// The same token with caps of its own, and caps of the server.
fn capped(calls: u32) -> String {
    format!(
        "[caps]\nusd = 5.0\ncalls = {calls}\nseconds = 3600\n{ANN}caps = {{ tokens = 100000 }}\n{PRICE}"
    )
}

#[tokio::test]
async fn caps_that_are_set_later_in_a_day_count_from_its_beginning() {
    let (asked, answered) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let url = upstream(Arc::clone(&asked), answered).await;
    let folder = tempfile::tempdir().expect("a folder");
    let open = async |more: &str| Service::open(config(folder.path(), &url, more)).await;
    let spec = spec(Some(100));
    let opened = async |service: &Service| -> Opened {
        let wanted = wanted(&spec, Caps::default());
        let token = Some("token-of-ann-0123");
        service.post("/api/runs", token, &wanted).await.json()
    };

    let before = open(&format!("{ANN}{PRICE}")).await;
    let run = opened(&before).await;
    for number in 1..=3 {
        let came = before.call(&call(&run, &spec, number)).await;
        assert_eq!(class(&came), None);
    }
    assert!(budget(&before, &run).await.purses.is_empty());
    before.app.store().close().await;

    // The operator sets caps, and starts the server again.
    let service = open(&capped(4)).await;
    let spent = async |service: &Service| {
        let purses = service.app.governor().today().await.expect("it is read");
        let spent = purses.iter().map(|purse| (purse.of.clone(), purse.spent));
        spent.collect::<Vec<_>>()
    };
    let told = spent(&service).await;
    let (scopes, amounts): (Vec<_>, Vec<_>) = told.iter().cloned().unzip();
    assert_eq!(scopes, [Scope::Server, Scope::Access("ann".to_owned())]);
    for amount in amounts {
        let is = (amount.money, amount.tokens, amount.calls);
        assert_eq!(is, (3 * COST, 3 * 10, 3));
    }
    let out = Some(FailureClass::BudgetExhausted);
    assert_eq!(class(&service.call(&call(&run, &spec, 4)).await), None);
    assert_eq!(class(&service.call(&call(&run, &spec, 5)).await), out);
    assert_eq!(asked.load(Ordering::Relaxed), 4);
    let told = spent(&service).await;
    assert_eq!((told[0].1.money, told[0].1.calls), (4 * COST, 4));
    service.app.store().close().await;

    // Nothing is counted twice, however often it is started.
    let again = open(&capped(5)).await;
    assert_eq!(spent(&again).await, told);
    assert_eq!(class(&again.call(&call(&run, &spec, 5)).await), None);
    assert_eq!(class(&again.call(&call(&run, &spec, 6)).await), out);
}
