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
    let (counting, url) = Counting::start().await;
    let folder = folder();
    let open = async |more: &str| Service::start(config(folder.path(), &url, more)).await;
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
    assert!(budget(&before, &run).await.budgets.is_empty());
    before.app.store().close().await;

    // The operator sets caps, and starts the server again.
    let service = open(&capped(4)).await;
    let spent = async |service: &Service| {
        let budgets = service.app.call_limits().today().await.expect("it is read");
        let spent = budgets.iter().map(|budget| (budget.of.clone(), budget.spent));
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
    assert_eq!(counting.asked(), 4);
    let told = spent(&service).await;
    assert_eq!((told[0].1.money, told[0].1.calls), (4 * COST, 4));
    service.app.store().close().await;

    // Nothing is counted twice, however often it is started.
    let again = open(&capped(5)).await;
    assert_eq!(spent(&again).await, told);
    assert_eq!(class(&again.call(&call(&run, &spec, 5)).await), None);
    assert_eq!(class(&again.call(&call(&run, &spec, 6)).await), out);
}

#[tokio::test]
async fn caps_of_a_run_that_are_set_later_count_from_its_beginning() {
    let (counting, url) = Counting::start().await;
    let service = Service::at(&url, PRICE).await;
    let spec = spec(Some(100));
    let opened = wanted(&spec, Caps::default());
    let run: Opened = service.open(&opened).await.json();
    let make = async |number| class(&service.call(&call(&run, &spec, number)).await);
    let out = Some(FailureClass::BudgetExhausted);
    let set = async |caps: Caps| {
        let path = format!("/api/runs/{}/caps", run.run);
        let caps = SetCaps { caps };
        let came = service.post(&path, Some(&run.token), &caps).await;
        let budget: RunBudgets = came.json();
        let spent = budget.budgets.first().map(|budget| budget.spent);
        spent.map(|spent| (spent.money, spent.tokens, spent.calls))
    };
    let four = || Caps { calls: Some(4), ..money(5.0) };
    let spent = |calls: u64| Some((calls * COST, calls * 10, calls));

    for number in 1..=3 {
        assert_eq!(make(number).await, None);
    }
    assert_eq!(set(four()).await, spent(3));
    assert_eq!(make(4).await, None);
    assert_eq!(make(5).await, out);
    assert_eq!(set(four()).await, spent(4), "nothing is counted twice");

    // What is sent while there is no cap counts in the next one.
    assert_eq!(set(Caps::default()).await, None);
    assert_eq!(make(5).await, None);
    assert_eq!(set(four()).await, spent(5));
    assert_eq!(make(6).await, out);
    assert_eq!(counting.asked(), 5);
}

#[tokio::test]
async fn a_call_that_is_on_its_way_when_a_cap_is_set_counts_when_it_comes_back() {
    async fn held(State(free): State<Arc<Semaphore>>, Json(_): Json<Value>) -> Json<Value> {
        let _permit = free.acquire().await.expect("it stays open");
        Json(completion(json!("yes")))
    }
    let free = Arc::new(Semaphore::new(0));
    let url = serve(post(held).with_state(Arc::clone(&free))).await;
    let service = Service::at(&url, PRICE).await;
    let spec = spec(Some(100));
    let opened = wanted(&spec, Caps::default());
    let run: Opened = service.open(&opened).await.json();
    let calls: Vec<_> = (1..=3).map(|number| call(&run, &spec, number)).collect();
    let going = join_all(calls.iter().map(|call| service.call(call)));
    let capped = async {
        while service.app.calls().flying() < 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        let path = format!("/api/runs/{}/caps", run.run);
        let caps = SetCaps { caps: money(5.0) };
        let came = service.post(&path, Some(&run.token), &caps).await;
        free.add_permits(100);
        came.json::<RunBudgets>()
    };
    let (came, _) = tokio::join!(going, capped);
    assert!(came.iter().all(|answer| class(answer).is_none()));
    let spent = budget(&service, &run).await.budgets[0].spent;
    let is = (spent.money, spent.tokens, spent.calls);
    assert_eq!(is, (3 * COST, 3 * 10, 3));
}
