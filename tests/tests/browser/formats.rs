//! A run leaves in the formats of other tools, and a log of Inspect comes back as a run.

use reqwest::{Method, StatusCode};
use turnwise_shared::exchange::inspect::archive::{Archive, Packer};
use turnwise_shared::hash::unhex;
use turnwise_shared::wire::Opened;

use crate::*;

/// Keeps what the page saves instead of letting the browser do it.
pub const KEEP: &str = "(() => { window.saved = []; const made = URL.createObjectURL; \
                    URL.createObjectURL = blob => { window.blob = blob; return made.call(URL, blob); }; \
                    HTMLAnchorElement.prototype.click = function () { if (this.download) \
                    window.saved.push({ name: this.download, blob: window.blob }); }; })()";

/// Saves the run of a tab in a format. The file's name and its bytes.
pub async fn saved(tab: &Tab, format: &str) -> (String, Vec<u8>) {
    tab.eval("window.saved.length = 0").await;
    tab.wait_for(&format!("[data-format={format}]:enabled")).await;
    tab.click(&format!("[data-format={format}]")).await;
    tab.wait(format, "window.saved.length === 1").await;
    let bytes = tab
        .eval(
            "window.saved[0].blob.arrayBuffer().then(buffer => [...new Uint8Array(buffer)].map(byte => \
             byte.toString(16).padStart(2, '0')).join(''))",
        )
        .await;
    let name = tab.eval("window.saved[0].name").await;
    let bytes = bytes.as_str().and_then(unhex).expect("bytes");
    (name.as_str().expect("a name").to_owned(), bytes)
}

#[test]
fn a_run_leaves_in_every_format_and_a_log_comes_back() {
    on_trial(async |trial| {
        let (tab, run) = trial.run("/new?first=4").await;
        let ended = trial.closed(&run).await;
        tab.eval(KEEP).await;
        tab.wait_for("#export").await;
        tab.click("#export > summary").await;
        tab.wait_for("[data-format=eval]").await;
        pictures(&tab, "run-formats").await;

        let (name, lines) = saved(&tab, "jsonl").await;
        assert!(name.ends_with(".jsonl"), "{name}");
        let lines = String::from_utf8(lines).expect("text");
        let rows: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(rows.len(), 4);
        let right = rows.iter().filter(|row| row["score"] == 1.0).count();
        assert_eq!(ended.accuracy, Some(right as f64 / 4.0));
        // Bots cost nothing, and that is known.
        assert!(rows.iter().all(|row| row["cost_usd"] == 0.0), "{lines}");

        let (name, table) = saved(&tab, "csv").await;
        let table = String::from_utf8(table).expect("text");
        assert!(name.ends_with(".csv") && table.starts_with("\u{feff}run,episode,"), "{table}");
        assert!(table.lines().next().is_some_and(|head| head.contains("usage.player.cost_usd")));

        let (name, page) = saved(&tab, "html").await;
        let page = String::from_utf8(page).expect("text");
        assert!(name.ends_with(".html") && page.starts_with("<!DOCTYPE html>"), "{name}");

        let (name, log) = saved(&tab, "eval").await;
        assert!(name.ends_with(".eval") && log.starts_with(b"PK"), "{name}");
        let file = trial.path("log.eval");
        std::fs::write(&file, &log).expect("it writes");

        // Dropped on the page that imports: described from its head, and nothing is stored before the user confirms.
        let runs = async || -> Vec<RunInfo> { trial.json("/api/runs").await };
        assert_eq!(runs().await.len(), 1);
        tab.goto("/runs").await;
        tab.click("a[href='/runs/import']").await;
        tab.choose_file("#inspect input[type=file]", &file).await;
        tab.wait_for("#inspect dl.kv").await;
        tab.wait_for("#own-log.note-good").await;
        let told = tab.text("#inspect dl.kv").await;
        for words in [QUESTIONS, "bot", "success", "4"] {
            assert!(told.contains(words), "{words:?} is not in {told}");
        }
        pictures(&tab, "logs-inspect").await;
        assert_eq!(runs().await.len(), 1);
        tab.click_text("Bring it here").await;
        let brought = run_of(&tab).await;
        assert_ne!(brought, run);
        let info = trial.closed(&brought).await;
        // It is the run that it was: its configuration, its name, and every transcript byte for byte.
        assert_eq!((info.finished, info.accuracy), (4, ended.accuracy));
        assert_eq!((&info.spec, &info.title), (&ended.spec, &ended.title));
        assert_eq!(info.tags, ["imported"]);
        let heads = trial.episodes(&run).await;
        assert!(heads.iter().any(|head| head.episode.part() == PartKey::Grading));
        for head in &heads {
            let text = async |run: &str| {
                let path = format!("/api/runs/{run}/episodes/{}", head.episode);
                trial.ask(Method::GET, &path, None, &Value::Null).await.body
            };
            assert_eq!(text(&brought).await, text(&run).await, "{}", head.episode);
        }
        tab.wait_for(".wall-scroll [role=option]").await;
        let play = heads[0].episode.its_play();
        tab.goto(&format!("/run/{brought}/{play}")).await;
        tab.wait_for(".tl-turn").await;
        // It replays, and so its question and its grading are there.
        tab.wait_for_text("Grading").await;
        assert!(!tab.text("main").await.contains("no grading of this episode"));

        // With another score in it, it is read as any other log.
        let file = trial.path("changed.eval");
        std::fs::write(&file, with_other_scores(&log)).expect("it writes");
        tab.goto("/runs/import").await;
        tab.choose_file("#inspect input[type=file]", &file).await;
        tab.wait_for_text_in("#own-log.note-warn", "the score or the answer").await;
        tab.click_text("Bring it here").await;
        let brought = run_of(&tab).await;
        let info = trial.closed(&brought).await;
        assert_eq!(info.spec.benchmark, "inspect");
        tab.wait_for_count(".wall-scroll [role=option]", 4).await;

        // Its rows say what was asked and what is right, as the log does.
        let rows = "[...document.querySelectorAll('.wall-scroll [role=option]')]";
        let told = format!(
            "{rows}.every(row => row.querySelector('.ep-question').textContent.length > 10 && row.querySelector('.ep-answer').textContent.includes('→'))"
        );
        tab.wait("questions and references", &told).await;

        // It is shown as what it is: imported, under the profile and by the player that its log names; and only what can
        // be checked of it is offered.
        let head = tab.text(".page-head").await;
        for words in ["strict", "bot:", "imported"] {
            assert!(head.contains(words), "{words:?} is not in {head}");
        }
        assert!(!head.contains("model:"), "{head}");
        // The person who imported it can say who may see it, and cannot go on with it.
        tab.click("#share").await;
        tab.wait_for("dialog[open] input[name=visibility]").await;
        tab.press("Escape").await;
        tab.wait_gone("dialog[open]").await;
        assert_eq!(tab.count("#elsewhere button").await, 0);
        open_part(&tab, "checks").await;
        let told = tab.text("#verify-about").await;
        assert!(!told.contains("every transcript played again"), "{told}");
        tab.click("#verify").await;
        tab.wait_for("#verified").await;
        let found = tab.text("#verified").await;
        assert!(found.contains("hash chains hold") && found.contains("computed here"), "{found}");
        pictures(&tab, "imported").await;
        tab.goto(&format!("/run/{brought}/1.r1.play")).await;
        tab.wait_for_text_in(".verdict", "imported").await;
        verified(&tab, "hash chains hold").await;
        tab.assert_clean();

        // What is no log says so.
        let file = trial.path("no.eval");
        std::fs::write(&file, "no zip").expect("it writes");
        tab.goto("/runs/import").await;
        tab.choose_file("#inspect input[type=file]", &file).await;
        tab.wait_for("#inspect .note-bad").await;
        assert!(tab.text("#inspect .note-bad").await.contains("no.eval"));
        tab.assert_clean();
    });
}

/// The same log with the score of every sample turned around.
fn with_other_scores(log: &[u8]) -> Vec<u8> {
    const LARGEST: u64 = 10_000_000;
    let archive = Archive::open(log, log.len() as u64).expect("a log");
    let mut packer = Packer::new(Vec::new());
    for name in archive.names() {
        let mut bytes = archive.file(name, LARGEST).expect("it is there");
        if name.starts_with("samples/") {
            let mut sample: Value = serde_json::from_slice(&bytes).expect("JSON");
            let value = &mut sample["scores"][QUESTIONS]["value"];
            *value = json!(1.0 - value.as_f64().expect("a score"));
            bytes = sample.to_string().into_bytes();
        }
        packer.add(name, &bytes).expect("it is packed");
    }
    packer.finish().expect("it is packed")
}

/// A log with a sample of this epoch beside one that is in order.
fn log(epoch: &Value) -> Vec<u8> {
    let header =
        json!({ "version": 2, "status": "success", "eval": { "task": "t", "model": "a/b" } });
    let mut packer = Packer::new(Vec::new());
    let mut add = |name: &str, value: Value| {
        packer.add(name, value.to_string().as_bytes()).expect("it is packed");
    };
    add("header.json", header);
    for (name, epoch) in [("1_epoch_1", &json!(1)), ("1_epoch_2", epoch)] {
        let sample = json!({
            "id": 1, "epoch": epoch, "input": "?", "target": "a", "messages": [], "events": [],
            "scores": { "exact": { "value": "C" } },
        });
        add(&format!("samples/{name}.json"), sample);
    }
    packer.finish().expect("it is packed")
}

/// Answers requests to addresses that end so with an error of the server, and remembers the runs that were opened.
const FAIL: &str = "(() => { const sent = window.fetch; window.failing = null; window.opened = []; \
                    window.fetch = async (asked, ...more) => { const url = new URL(asked.url ?? asked, location); \
                    const post = (asked.method ?? more[0]?.method) === 'POST'; \
                    if (post && window.failing && url.pathname.endsWith(window.failing)) \
                    return new Response(JSON.stringify({ code: 'made_up', message: 'A made-up failure.' }), { status: 500 }); \
                    const answer = await sent.call(window, asked, ...more); \
                    if (post && url.pathname === '/api/runs') window.opened.push(await answer.clone().json()); \
                    return answer; }; })()";

#[test]
fn a_log_that_cannot_be_stored_whole_leaves_no_run() {
    on_trial(async |trial| {
        let tab = trial.open("/runs/import").await;
        tab.wait_for("#inspect input[type=file]").await;
        tab.eval(FAIL).await;
        let bring = async |name: &str, epoch: &Value, failing: Option<&str>| -> String {
            tab.eval(&format!("window.failing = {}; window.opened.length = 0", json!(failing)))
                .await;
            let file = trial.path(name);
            std::fs::write(&file, log(epoch)).expect("it writes");
            tab.choose_file("#inspect input[type=file]", &file).await;
            tab.wait_for("#inspect dl.kv").await;
            tab.click_text("Bring it here").await;
            tab.wait_for("#inspect .note-bad").await;
            tab.text("#inspect .note-bad").await
        };
        let opened = async || -> Vec<Opened> {
            let opened = tab.eval("window.opened").await;
            serde_json::from_value(opened).expect("runs")
        };
        let status = async |run: &Opened, token: Option<&str>| {
            let path = format!("/api/runs/{}", run.run);
            let answer = trial.ask(Method::GET, &path, token, &Value::Null).await;
            answer.status
        };

        // A log with samples that cannot be stored opens no run, wherever in it they are.
        for (name, epoch, problem) in [
            ("unreadable.eval", json!("second"), "epoch"),
            ("negative.eval", json!(-2), "epoch"),
            ("double.eval", json!(1), "have the same id and epoch (1, 1)"),
        ] {
            let said = bring(name, &epoch, None).await;
            assert!(said.contains(problem), "{said}");
            assert!(opened().await.is_empty(), "{name}");
        }

        // A run whose samples the server did not take, or that it did not close, is withdrawn.
        for failing in ["/lines", "/visibility"] {
            let said = bring("whole.eval", &json!(2), Some(failing)).await;
            assert!(said.contains("A made-up failure"), "{said}");
            let [run] = &opened().await[..] else {
                panic!("{failing}: one run was opened");
            };
            assert_eq!(status(run, Some(&run.token)).await, StatusCode::GONE, "{failing}");
        }

        // If not even that can be done, the page says where the rest is, and that others cannot read it.
        let said = bring("whole.eval", &json!(2), Some("e")).await;
        let [run] = &opened().await[..] else {
            panic!("one run was opened");
        };
        assert!(said.contains(run.run.as_str()) && said.contains("withdraw"), "{said}");
        assert_eq!(status(run, Some(&run.token)).await, StatusCode::OK);
        assert_eq!(status(run, None).await, StatusCode::NOT_FOUND);
    });
}
