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

#[test]
fn the_whole_set_survives_reloads_kills_and_a_cut_network() {
    on_stage(async |stage| {
        let upstream = Upstream::start(Script {
            seed: 11,
            latency: Duration::from_millis(120),
            faults: Faults::Share(0.02, Fault::USUAL),
            key: None,
        })
        .await;

        let tasks = Tasks::put_into(&stage);

        let mut trial = stage
            .with_models(&upstream)
            .with("TURNWISE_PROVIDER_UP_MODELS", "player,responder,grader")
            .start();
        let proxy = Proxy::start(trial.server.address()).await;

        let address = format!(
            "/new?benchmark={QUESTIONS}&tasks={}&in-flight=48&seat.grader=model:up/grader&seat.player=model:up/player\
         &seat.responder=model:up/responder",
            tasks.name
        );
        let (tab, run) = trial.run(&proxy.url(&address)).await;

        for (finished, blow) in BLOWS {
            let info = trial.wait(&run, "some episodes", |info| info.finished >= finished).await;
            assert!(!info.state.is_over(), "{blow:?} comes too late");
            println!("{blow:?} after {} episodes", info.finished);
            match blow {
                Blow::Reload => tab.reload().await,
                Blow::Kill => trial.server.restart(),
                Blow::Cut => proxy.cut(Duration::from_secs(3)).await,
            }
        }

        let info = trial.closed(&run).await;
        assert_eq!(info.finished, 210);
        assert_eq!(info.lease.map(|lease| lease.holder), Some(Holder::Page));

        let driving: Driving = trial.json(&format!("/api/runs/{run}/drive")).await;
        let lost = driving.calls.lost;
        assert_eq!(driving.calls.unanswered, 0);
        let recorded = trial.path("recorded");
        let texts = trial.fetch(&run, &recorded).await;
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
        trial.turnwise(&[
            "replay",
            &recorded.to_string_lossy(),
            "--tasks",
            &tasks.file.to_string_lossy(),
        ]);
        // The page says how many were lost.
        tab.reload().await;
        open_part(&tab, "cost").await;
        let told =
            format!("document.querySelector('#lost')?.innerText.startsWith('{lost} of ') === true");
        tab.wait("how many were lost", &told).await;
    });
}

/// The token of a run, out of the store of the browser that opened it.
async fn token_of(tab: &Tab, run: &str) -> String {
    let script = format!(
        "new Promise((done, fail) => {{ const open = indexedDB.open('turnwise'); open.onerror = fail; open.onsuccess = () => {{ \
         const get = open.result.transaction('runs').objectStore('runs').get({}); \
         get.onerror = fail; get.onsuccess = () => done(JSON.parse(get.result).token); }}; }})",
        json!(run)
    );
    tab.read(&script).await
}

#[test]
fn a_run_goes_to_the_server_and_back_and_to_another_page_and_back() {
    on_trial_over(
        Script { latency: Duration::from_millis(900), ..Script::default() },
        async |trial, upstream| {
            let (tab, run) =
                trial.run("/new?in-flight=2&seat.player=model:up/player&first=12").await;
            let path = format!("/api/runs/{run}/drive");
            tab.wait_for_text("running here").await;
            upstream.until(|counts| counts.calls >= 2).await;

            tab.click_text("Continue on the server").await;
            tab.wait_for_text_in("#elsewhere", "Running on the server").await;
            let driving: Driving = trial.json(&path).await;
            assert_eq!(driving.lease.map(|lease| lease.holder), Some(Holder::Server));
            tab.wait_for("#elsewhere progress").await;
            // It must not be over before the pictures are taken.
            upstream.hold();
            pictures(&tab, "run-on-server").await;
            upstream.go_on();
            // It rests when its owner says so, and goes on.
            tab.click_text("Pause").await;
            tab.wait_for_text_in("#elsewhere", "Paused.").await;
            trial.wait(&run, "the pause", |info| info.state == RunState::Paused).await;
            pictures(&tab, "run-paused-elsewhere").await;
            upstream.hold();
            tab.click_text("Continue on the server").await;
            tab.wait_for_text_in("#elsewhere", "Running on the server").await;
            tab.click_text("Move to this tab").await;
            tab.wait_for_text("running here").await;
            upstream.go_on();
            let driving: Driving = trial.json(&path).await;
            assert_eq!(driving.lease.map(|lease| lease.holder), Some(Holder::Page));

            // Another client with the token takes it.
            let token = token_of(&tab, &run).await;
            let taken: Lease = trial
                .ask(
                    reqwest::Method::POST,
                    &format!("/api/runs/{run}/lease"),
                    Some(&token),
                    &json!({ "from": "anybody" }),
                )
                .await
                .json();
            tab.wait_for_text_in("#elsewhere", "Running in another tab").await;
            assert_eq!(tab.count(".progress-head").await, 0, "two drive one run");
            pictures(&tab, "run-elsewhere").await;
            tab.click_text("Move to this tab").await;
            let info = trial.closed(&run).await;
            assert_eq!(info.finished, 12);
            let epoch = info.lease.expect("somebody drove it").epoch;
            assert!(epoch > taken.epoch, "{epoch}");

            let recorded = trial.path("recorded");
            let texts = trial.fetch(&run, &recorded).await;
            let told: u64 = texts.values().map(|text| replies_of_models(text)).sum();
            assert_eq!(upstream.counts().answered(), told, "nothing was paid for twice");
            trial.turnwise(&["replay", &recorded.to_string_lossy()]);
        },
    );
}
