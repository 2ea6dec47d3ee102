//! Nothing waits for ever: an app that does not come and sockets that never open are reported; a first visit fetches what it
//! shows.

use turnwise_tests::proxy::{Proxy, Upgrades};

use crate::*;

/// Within this time a page says why it does not go on: 15 seconds, and some for other tests beside this one.
const TOLD: Duration = Duration::from_secs(25);

/// For how long what is fetched is watched.
const VISIT: Duration = Duration::from_secs(10);

/// Gives another answer than the server where WebAssembly is asked for.
fn instead(of_wasm: &str) -> String {
    format!(
        "(() => {{ const real = window.fetch; window.fetch = async (wanted, how) => {{ \
         if (!String(wanted.url ?? wanted).includes('.wasm')) return real(wanted, how); {of_wasm} }}; }})()"
    )
}

#[test]
fn an_app_that_cannot_be_loaded_says_what_is_missing() {
    on_trial(async |trial| {
        let file = "A file of the app could not be loaded";
        let cases = [
            (instead("return new Response('no', { status: 404 });"), file),
            // A filter answers in its own words.
            (
                instead(
                    "return new Response('<html>Blocked</html>', { headers: { 'content-type': 'text/html' } });",
                ),
                file,
            ),
            (
                instead(
                    "const all = await (await real(wanted, how)).arrayBuffer(); \
                 return new Response(all.slice(0, all.byteLength / 2), { headers: { 'content-type': 'application/wasm' } });",
                ),
                file,
            ),
            (instead("throw new TypeError('Failed to fetch');"), file),
            (instead("return new Promise(() => {});"), "The app has not arrived yet"),
            (
                "Object.defineProperty(window, 'WebAssembly', { value: undefined });".to_owned(),
                "This browser has no WebAssembly",
            ),
        ];
        for (number, (script, says)) in cases.into_iter().enumerate() {
            for path in ["/", "/runs", "/play"] {
                let tab = trial.open("about:blank").await;
                tab.before_pages(&script).await;
                let began = Instant::now();
                tab.goto(path).await;
                tab.wait_for_text_in("#not-loaded:not([hidden])", says).await;
                assert!(began.elapsed() < TOLD, "{says}: {:?}", began.elapsed());
                if path == "/" {
                    for (name, look) in [("wide", Look::WIDE), ("phone", PHONE)] {
                        tab.look(look).await;
                        tab.screenshot(&format!("not-loaded-{number}-{name}")).await;
                    }
                }
                assert_eq!(tab.count("#not-loaded .note-title:not([hidden])").await, 1);
                tab.close().await;
            }
        }
        // The note goes once the app is there.
        let tab = trial.open("/").await;
        tab.wait_for("#run-samples").await;
        tab.wait_gone("#not-loaded").await;
        tab.assert_clean();
    });
}

#[test]
fn a_proxy_that_passes_no_sockets_on_is_told_from_a_server_that_is_away() {
    on_trial(async |trial| {
        let says = "The server answers, its socket does not: the proxy in front of it must pass WebSocket upgrades";

        let proxy = Proxy::passing(trial.server.address(), Upgrades::Stripped).await;

        let tab = trial.open(&proxy.url("/")).await;
        tab.click("#run-samples").await;
        let run = run_of(&tab).await;
        let began = Instant::now();
        tab.wait_for_text(says).await;
        assert!(began.elapsed() < TOLD, "{:?}", began.elapsed());
        tab.screenshot("no-socket-run").await;
        let log = trial.server.log();
        let lines = log.matches("does not pass WebSockets on").count();
        assert_eq!(lines, 1, "{log}");

        // A seat at a table waits for one, too.
        let another = trial.other_browser().await;
        let table = another.open_in(PHONE, &proxy.url(&format!("/play?game={QUESTIONS}"))).await;
        start(&table).await;
        table.wait_for_text(says).await;
        table.screenshot("no-socket-seat").await;

        // Once upgrades pass, both go on by themselves, and nothing is left of the note.
        proxy.pass_upgrades();
        let info = trial.closed(&run).await;
        assert_eq!(info.finished, info.episodes);
        table.wait_for("#say-text").await;
        for tab in [&tab, &table] {
            tab.wait_for_no_text(says).await;
        }

        // A proxy that holds them back is found out as well.
        let holds = Proxy::passing(trial.server.address(), Upgrades::Held).await;
        table.close().await;
        let held = another.open(&holds.url("/")).await;
        held.click("#run-samples").await;
        run_of(&held).await;
        let began = Instant::now();
        held.wait_for_text(says).await;
        assert!(began.elapsed() < TOLD, "{:?}", began.elapsed());
        held.close().await;

        // A server that is away is another matter.
        tab.goto(&proxy.url("/new?first=20&seat.player=person")).await;
        start(&tab).await;
        tab.wait_for_text("running here").await;
        proxy.cut(Duration::from_secs(6)).await;
        sleep(Duration::from_secs(3)).await;
        assert!(!tab.text("body").await.contains(says));
        tab.wait_for_text("running here").await;
    });
}

#[test]
fn the_second_click_of_a_double_click_does_nothing() {
    on_trial(async |trial| {
        let (tab, run) = trial.run(&format!(
        "/new?benchmark={QUESTIONS}&seat.responder=person&seat.player=bot:asks-by-rule&first=8&in-flight=8"
    )).await;
        for answered in 1..=4 {
            tab.wait_for(".person-words .btn:not(:disabled)").await;
            tab.eval(
                "document.querySelector('.person-words .btn').scrollIntoView({ block: 'center' })",
            )
            .await;
            tab.double_click(".person-words .btn").await;
            sleep(Duration::from_millis(700)).await;
            assert_eq!(tab.path().await, format!("/run/{run}"), "double click {answered}");
        }
        // Each answered one question: the fifth is asked.
        tab.wait_for_text_in("#person-head", "question 5").await;
        // A click that is not in a hurry does what it always did.
        tab.click(".person-words .btn").await;
        tab.wait_for_text_in("#person-head", "question 6").await;
        tab.assert_clean();
    });
}

#[test]
fn a_first_visit_fetches_what_it_shows_and_what_is_meant_next() {
    on_trial(async |trial| {
        const PARTS: &str = "performance.getEntriesByType('resource').filter(one => one.name.endsWith('.wasm')).length";
        const CUT: &str =
            "performance.getEntriesByType('resource').some(one => one.name.includes('parts-'))";

        for saves in [false, true] {
            let tab = trial.open("about:blank").await;
            let line = format!(
                "Object.defineProperty(navigator, 'connection', {{ value: {{ saveData: {saves}, effectiveType: '4g' }} }});"
            );
            tab.before_pages(&line).await;
            tab.goto("/").await;
            tab.wait_for("#run-samples").await;
            sleep(VISIT).await;
            let loaded = tab.loaded().await;
            println!(
                "a first visit fetches {} bytes with {} requests in 10 s",
                loaded.bytes, loaded.requests
            );
            assert_eq!(tab.eval(PARTS).await, 1, "nothing shown needs more");
            // An app that is built in a hurry is in one piece.
            let is_cut = tab.is(CUT).await;
            tab.focus(".nav a[href='/play']").await;
            sleep(Duration::from_secs(2)).await;
            let parts = tab.eval(PARTS).await.as_u64().unwrap_or_default();
            assert_eq!(parts > 1, is_cut && !saves, "{parts} parts");
            tab.click(".nav a[href='/play']").await;
            tab.wait_for(".play-form").await;
            tab.assert_clean();
        }
    });
}
