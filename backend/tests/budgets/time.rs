//! Time: of a run, of an access token, of a server.

use super::*;

/// Answers after a second.
async fn slowly(Json(_): Json<Value>) -> Json<Value> {
    tokio::time::sleep(Duration::from_millis(1100)).await;
    Json(completion(json!("yes")))
}

#[tokio::test]
async fn the_time_of_a_run_ends() {
    let service = Service::at("http://127.0.0.1:9/v1", "").await;
    let spec = spec(None);
    let caps = Caps { seconds: Some(0), ..Caps::default() };
    let run: Opened = service.open(&wanted(&spec, caps)).await.json();
    let answer = service.call(&call(&run, &spec, 1)).await;
    assert_eq!(class(&answer), Some(FailureClass::BudgetExhausted));
}

#[tokio::test]
async fn the_time_of_a_script_without_a_lease_is_that_of_its_calls() {
    let url = serve(post(slowly)).await;
    let service = Service::at(&url, "").await;
    let spec = spec(None);
    let caps = Caps { seconds: Some(2), ..Caps::default() };
    let run: Opened = service.open(&wanted(&spec, caps)).await.json();
    let ask = async |number| class(&service.call(&call(&run, &spec, number)).await);
    // Two at once take as long as one.
    assert_eq!(tokio::join!(ask(1), ask(2)), (None, None));
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(budget(&service, &run).await.budgets[0].seconds, 1);
    assert_eq!(ask(3).await, None, "what lies between does not count");
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(ask(4).await, Some(FailureClass::BudgetExhausted));
    // Nor does it begin anew with a lease.
    let path = format!("/api/runs/{}/lease", run.run);
    let lease: Lease = service.post(&path, Some(&run.token), &json!({})).await.json();
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let mut request = call(&run, &spec, 5);
    request.epoch = lease.epoch;
    let answer = service.call(&request).await;
    assert_eq!(class(&answer), Some(FailureClass::BudgetExhausted));
}

#[tokio::test]
async fn the_time_of_a_call_counts_while_it_is_under_way() {
    let (asked, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let let_go = Arc::new(Semaphore::new(0));
    let url = holding(asked, Arc::clone(&let_go)).await;
    let service = Service::at(&url, "").await;
    let spec = spec(None);
    let caps = Caps { seconds: Some(1), ..Caps::default() };
    let run: Opened = service.open(&wanted(&spec, caps)).await.json();
    let first = {
        let (service, request) = (service.clone(), call(&run, &spec, 1));
        tokio::spawn(async move { service.call(&request).await })
    };
    assert!(heard.recv().await.expect("a call").contains("question 1"));
    // Longer than what pays for a run is believed to be as it was.
    tokio::time::sleep(Duration::from_millis(2200)).await;
    assert_eq!(budget(&service, &run).await.budgets[0].seconds, 2);
    let (request, hung) = (call(&run, &spec, 2), Duration::from_secs(10));
    let second = tokio::time::timeout(hung, service.call(&request)).await;
    let answer = second.expect("it is not sent to where it would wait");
    assert_eq!(class(&answer), Some(FailureClass::BudgetExhausted));
    let_go.add_permits(1);
    let answer = first.await.expect("it ends");
    assert_eq!(class(&answer), None, "what is under way comes back");
}

#[tokio::test]
async fn the_time_of_a_token_and_of_a_server_is_that_of_their_calls() {
    let folder = folder();
    let url = serve(post(slowly)).await;
    let more = "[caps]\nseconds = 2\n[[token]]\nname = \"ann\"\ntoken = \"token-of-ann-0123\"\ncaps = { seconds = 1 }\n\
                [[token]]\nname = \"bob\"\ntoken = \"token-of-bob-0123\"\n";
    let config = config(folder.path(), &url, more);
    let mut services = vec![Service::start(config.clone()).await];
    if std::env::var_os("TURNWISE_TEST_DATABASE").is_some() {
        services.push(Service::start(config).await);
    }
    let (one, other) = (&services[0], &services[services.len() - 1]);
    let spec = spec(None);
    let open = async |token: &str| -> Opened {
        let wanted = wanted(&spec, Caps::default());
        one.post("/api/runs", Some(token), &wanted).await.json()
    };
    let (first, second) = (open("token-of-ann-0123").await, open("token-of-ann-0123").await);
    let bob = open("token-of-bob-0123").await;
    let ask = async |service: &Service, run: &Opened, number| {
        service.call(&call(run, &spec, number)).await
    };
    // Two at once take as long as one, of whichever run and at whichever server.
    let both = tokio::join!(ask(one, &first, 1), ask(other, &second, 2));
    assert_eq!((class(&both.0), class(&both.1)), (None, None));
    tokio::time::sleep(Duration::from_millis(1000)).await;
    let Reply::Failed(failure) = ask(other, &first, 3).await.reply else {
        panic!("ann's second is over")
    };
    assert_eq!(failure.class, FailureClass::BudgetExhausted);
    assert_eq!(
        failure.message,
        "today's budget of the access token has not enough left for this call"
    );
    let told = budget(one, &first).await;
    let times: Vec<_> = told.budgets.iter().map(|budget| budget.seconds).collect();
    assert_eq!(times, [1, 1], "the pause does not count");
    let short = told.short();
    assert_eq!(short.len(), 1, "{short:?}");
    assert_eq!((&short[0].of, short[0].kind), (&Scope::Access("ann".into()), Kind::Seconds));
    assert_eq!(class(&ask(other, &bob, 4).await), None);
    let Reply::Failed(failure) = ask(one, &bob, 5).await.reply else {
        panic!("the server's two seconds are over")
    };
    assert_eq!(failure.message, "today's budget of the server has not enough left for this call");
    let probe = json!({ "probe": "model", "provider": "up", "model": "m" });
    let probed = one.post("/api/probe", Some("token-of-bob-0123"), &probe);
    let probed: Probed = probed.await.json();
    assert!(
        matches!(probed.reply, Reply::Failed(failure) if failure.class == FailureClass::BudgetExhausted)
    );
}

#[tokio::test]
async fn time_counts_only_while_the_run_is_driven() {
    let (_, url) = Counting::start().await;
    let service = Service::at(&url, "").await;
    let spec = spec(None);
    let caps = |seconds| Caps { seconds: Some(seconds), ..Caps::default() };
    let run: Opened = service.open(&wanted(&spec, caps(2))).await.json();
    let post = async |path: &str, body: Value| {
        let path = format!("/api/runs/{}{path}", run.run);
        service.post(&path, Some(&run.token), &body).await
    };
    let ask = async |number: u64, epoch: Epoch| {
        let mut request = call(&run, &spec, number);
        request.epoch = epoch;
        class(&service.call(&request).await)
    };
    let lease: Lease = post("/lease", json!({})).await.json();
    assert_eq!(ask(1, lease.epoch).await, None);
    let turn = async |state: RunState| {
        let turned = SetState { state, epoch: lease.epoch, trouble: None };
        let turned = serde_json::to_value(turned).expect("plain data");
        let came = post("/state", turned).await;
        assert!(came.status.is_success(), "{}", came.text);
    };
    turn(RunState::Paused).await;
    tokio::time::sleep(Duration::from_millis(2200)).await;
    let rests = budget(&service, &run).await;
    assert_eq!((rests.budgets[0].seconds, rests.refused), (0, None));
    turn(RunState::Running).await;
    assert_eq!(ask(2, lease.epoch).await, None, "the pause did not count");
    tokio::time::sleep(Duration::from_millis(2200)).await;
    let out = Some(FailureClass::BudgetExhausted);
    assert_eq!(ask(3, lease.epoch).await, out);
    let over = budget(&service, &run).await;
    assert!((2..4).contains(&over.budgets[0].seconds), "{over:?}");
    assert_eq!(over.refused.map(|most| most.calls), Some(1));
    let short = over.short();
    assert_eq!(short.len(), 1, "{short:?}");
    assert_eq!((short[0].kind, short[0].cap), (Kind::Seconds, 2));
    // A larger one lets it go on, and says so before it does.
    let more = SetCaps { caps: caps(600) };
    let more = serde_json::to_value(more).expect("plain data");
    let after: RunBudgets = post("/caps", more).await.json();
    assert!(after.short().is_empty(), "{after:?}");
    assert_eq!(ask(3, lease.epoch).await, None);
}
