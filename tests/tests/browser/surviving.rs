//! A run survives: pages that are loaded anew, servers that are killed, networks that are cut, and other drivers.

use turnwise_shared::wire::driving::{Driving, Holder};
use turnwise_tests::proxy::Proxy;
use turnwise_tests::run_files::replies_of_models;

use crate::*;

/// What happens to the run, once this many of its episodes are stored.
#[derive(Debug, Clone, Copy)]
enum Blow {
    /// The page is loaded anew.
    Reload,
    /// The server is killed and started again.
    Kill,
    /// Nothing passes between page and server for a while.
    Cut,
}

const BLOWS: [(u32, Blow); 5] =
    [(15, Blow::Reload), (50, Blow::Kill), (85, Blow::Cut), (120, Blow::Reload), (155, Blow::Kill)];

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_set_survives_reloads_kills_and_a_cut_network() {
    let Some(stage) = stage("the_whole_set_survives_reloads_kills_and_a_cut_network").await else {
        return;
    };
    let upstream = Upstream::start(Script {
        seed: 11,
        latency: Duration::from_millis(120),
        faults: Faults::Share(0.02, Fault::USUAL),
        key: None,
    })
    .await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tasks = Tasks::put_into(&data_of(&folder));
    let url = upstream.base_url();
    let variables = [
        ("TURNWISE_PROVIDER_UP_BASE_URL", url.as_str()),
        ("TURNWISE_PROVIDER_UP_MODELS", "player,responder,grader"),
    ];
    let mut trial = Trial::start(&stage, folder, &variables);
    let proxy = Proxy::start(trial.server.address()).await;
    let chromium = Chromium::start(&stage.browser).await;
    let address = format!(
        "/new?benchmark={QUESTIONS}&tasks={}&in-flight=48&seat.grader=model:up/grader&seat.player=model:up/player\
         &seat.responder=model:up/responder",
        tasks.name
    );
    let tab = chromium.open(&proxy.url(&address), Look::WIDE).await;
    start(&tab).await;
    let run = run_of(&tab).await;

    for (finished, blow) in BLOWS {
        let asking = Asking::new(&trial.server);
        let info = asking.wait(&run, "some episodes", |info| info.finished >= finished).await;
        assert!(!info.state.is_over(), "{blow:?} comes too late");
        println!("{blow:?} after {} episodes", info.finished);
        match blow {
            Blow::Reload => tab.reload().await,
            Blow::Kill => trial.server.restart(),
            Blow::Cut => proxy.cut(Duration::from_secs(3)).await,
        }
    }
    let asking = Asking::new(&trial.server);
    let info = asking.wait(&run, "the whole set", |info| info.state.is_over()).await;
    assert_eq!((info.state, info.finished), (RunState::Closed, 210));
    assert_eq!(info.lease.map(|lease| lease.holder), Some(Holder::Page));

    let driving: Driving = asking.json(&format!("/api/runs/{run}/drive")).await;
    let lost = driving.calls.lost;
    assert_eq!(driving.calls.unanswered, 0);
    let recorded = trial.path("recorded");
    let texts = asking.fetch(&run, &recorded).await;
    let told: u64 = texts.values().map(|text| replies_of_models(text)).sum();
    let counts = upstream.counts();
    let paid = counts.answered();
    println!("{told} replies, {paid} paid for, {lost} lost; {counts:?}");
    assert!(
        (told..=told + lost).contains(&paid),
        "{paid} answers were paid for {told} replies and {lost} lost ones"
    );
    // What was in the air when the server was killed, and nothing else.
    assert!((1..=2 * 64).contains(&lost), "{lost} calls were lost");
    turnwise(
        &stage.program,
        &["replay", &recorded.to_string_lossy(), "--tasks", &tasks.file.to_string_lossy()],
    );
    // The page says how many were lost.
    tab.reload().await;
    open_part(&tab, "cost").await;
    let told =
        format!("document.querySelector('#lost')?.innerText.startsWith('{lost} of ') === true");
    tab.wait("how many were lost", &told, SOON).await;
    tab.close().await;
}

/// The token of a run, out of the store of the browser that opened it.
async fn token_of(tab: &Tab, run: &str) -> String {
    let script = format!(
        "new Promise((done, fail) => {{ const open = indexedDB.open('turnwise'); open.onerror = fail; open.onsuccess = () => {{ \
         const get = open.result.transaction('runs').objectStore('runs').get({}); \
         get.onerror = fail; get.onsuccess = () => done(JSON.parse(get.result).token); }}; }})",
        json!(run)
    );
    let token = tab.eval(&script).await;
    token.as_str().expect("the browser has it").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_to_the_server_and_back_and_to_another_page_and_back() {
    let Some(stage) = stage("a_run_goes_to_the_server_and_back_and_to_another_page_and_back").await
    else {
        return;
    };
    let upstream =
        Upstream::start(Script { latency: Duration::from_millis(900), ..Script::default() }).await;
    let url = upstream.base_url();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trial = Trial::start(&stage, folder, &[("TURNWISE_PROVIDER_UP_BASE_URL", &url)]);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address = "/new?in-flight=2&seat.player=model:up/player&first=12";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    start(&tab).await;
    let run = run_of(&tab).await;
    let path = format!("/api/runs/{run}/drive");
    tab.wait_for_text("running here", SOON).await;
    upstream.until(|counts| counts.calls >= 2).await;

    tab.click_text("Continue on the server").await;
    tab.wait_for_text_in("#elsewhere", "Running on the server", SOON).await;
    let driving: Driving = asking.json(&path).await;
    assert_eq!(driving.lease.map(|lease| lease.holder), Some(Holder::Server));
    tab.wait_for("#elsewhere progress", SOON).await;
    // It must not be over before the pictures are taken.
    upstream.hold();
    pictures(&tab, "run-on-server").await;
    upstream.go_on();
    // It rests when its owner says so, and goes on.
    tab.click_text("Pause").await;
    tab.wait_for_text_in("#elsewhere", "Paused.", SOON).await;
    asking.wait(&run, "the pause", |info| info.state == RunState::Paused).await;
    pictures(&tab, "run-paused-elsewhere").await;
    upstream.hold();
    tab.click_text("Continue on the server").await;
    tab.wait_for_text_in("#elsewhere", "Running on the server", SOON).await;
    tab.click_text("Move to this tab").await;
    tab.wait_for_text("running here", SOON).await;
    upstream.go_on();
    let driving: Driving = asking.json(&path).await;
    assert_eq!(driving.lease.map(|lease| lease.holder), Some(Holder::Page));

    // Another client with the token takes it.
    let token = token_of(&tab, &run).await;
    let taken: Lease = asking
        .ask(
            reqwest::Method::POST,
            &format!("/api/runs/{run}/lease"),
            Some(&token),
            &json!({ "from": "anybody" }),
        )
        .await
        .json();
    tab.wait_for_text_in("#elsewhere", "Running in another tab", SOON).await;
    assert_eq!(tab.count(".progress-head").await, 0, "two drive one run");
    pictures(&tab, "run-elsewhere").await;
    tab.click_text("Move to this tab").await;
    let info = asking.wait(&run, "the end", |info| info.state.is_over()).await;
    assert_eq!((info.state, info.finished), (RunState::Closed, 12));
    let epoch = info.lease.expect("somebody drove it").epoch;
    assert!(epoch > taken.epoch, "{epoch}");

    let recorded = trial.path("recorded");
    let texts = asking.fetch(&run, &recorded).await;
    let told: u64 = texts.values().map(|text| replies_of_models(text)).sum();
    assert_eq!(upstream.counts().answered(), told, "nothing was paid for twice");
    turnwise(&stage.program, &["replay", &recorded.to_string_lossy()]);
    tab.close().await;
}
