//! UI2Html on the command line: bots, a browser, and replays without one.

use turnwise_backend::database::Database;
use turnwise_backend::rendering::find;
use turnwise_backend::store::Store;
use turnwise_shared::exchange::inspect::archive::Archive;
use turnwise_shared::transcript;

use crate::cli::models::endpoint;
use crate::common::serving::Serving;
use crate::common::*;

/// Whether there is a browser; a test that has none says so.
fn has_browser(test: &str) -> bool {
    let found = find();
    if let Err(why) = &found {
        eprintln!("{test} is skipped: {why}");
    }
    found.is_ok()
}

fn likeness(record: &Value) -> Vec<f64> {
    let sweep = record["sweep"].as_array().expect("a list");
    sweep.iter().map(|value| value["likeness"].as_f64().expect("a number")).collect()
}

#[test]
fn a_bot_that_asks_gains_by_real_renders_and_a_replay_needs_no_browser() {
    if !has_browser("a_bot_that_asks_gains_by_real_renders_and_a_replay_needs_no_browser") {
        return;
    }
    let folder = folder();
    let record = |player: &str| {
        let run = "run --benchmark ui2html --subset ids=note,article,sign-in,recipe,inbox,status --rounds 0,1,20";
        folder.run(&format!("{run} --seat player=bot:{player} --out @{player}"), 0);
        folder.json(&format!("metrics @{player} --json"))
    };
    let asks = record("asks");
    let rising = likeness(&asks);
    assert!(rising[0] < rising[1] && rising[1] < rising[2], "{rising:?}");
    let gain = &asks["gain_in_likeness"];
    assert!(gain["interval"][0].as_f64() > Some(0.0), "{gain}");
    assert_eq!((&asks["n"], &asks["scored"]), (&json!(18), &json!(18)));
    let silent = record("silent");
    assert_eq!(silent["gain_in_likeness"]["value"], json!(0.0));
    assert_eq!(likeness(&silent), [rising[0]; 3]);
    let replay = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .env("TURNWISE_CHROMIUM", "/nonexistent")
        .arg("replay")
        .arg(folder.at("asks"))
        .output()
        .expect("the program was built");
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stderr));
    submitted(&folder);
}

/// A server that takes the run has its pictures.
fn submitted(folder: &Folder) {
    let data = folder.at("other");
    let mut server = Serving::start(&data, "http://127.0.0.1:1", None, "");
    folder.run(&format!("submit --to {} @asks", server.address), 0);
    server.kill();
    let played = folder.transcripts("asks");
    let played = played.values().map(|text| transcript::read(text).expect("it is sound"));
    let shown: Vec<_> = played.flat_map(|play| play.pictures().collect::<Vec<_>>()).collect();
    assert!(shown.len() > 15, "{}", shown.len());
    let runtime = tokio::runtime::Runtime::new().expect("it starts");
    runtime.block_on(async {
        let store = Store::open(&Database::File(data.join("turnwise.db"))).await.expect("it opens");
        for picture in shown {
            let png = store.picture(&picture.digest).await.expect("it reads").expect("it is kept");
            assert_eq!(picture.check(&png), Ok(()));
        }
    });
}

/// Pictures of others become a set, a run describes it, and the descriptions become part of it.
#[test]
fn pictures_are_imported_described_and_frozen() {
    let folder = folder();
    let png =
        tiny_skia::Pixmap::new(40, 30).and_then(|pixels| pixels.encode_png().ok()).expect("a PNG");
    folder.write("a.png", &png);
    folder
        .run("import --format ui2html-pictures @a.png --out @set.zip", 0)
        .out_has("1 pages, 0 of them described");
    let run = "run --benchmark ui2html --tasks @set.zip";
    folder
        .run(&format!("{run} --rounds 0 --out @no"), 3)
        .err_has("the target of task a has no description");
    endpoint(&folder, 0.0, 1);
    let describe = "--mode describe --seat summarizer=model:made/one --data @data --out @described";
    folder.run(&format!("{run} {describe}"), 0);
    folder
        .run("ui2html freeze @set.zip @described --out @frozen.zip", 0)
        .out_has("1 of 1 pages described");
    let zip = std::fs::read(folder.at("frozen.zip")).expect("it was written");
    let length = zip.len() as u64;
    let zip = Archive::open(zip, length).expect("a zip");
    let rows = zip.file("tasks.jsonl", 10_000).expect("it has rows");
    let row: Value = serde_json::from_slice(&rows).expect("one row");
    assert_eq!((&row["id"], &row["omits"]), (&json!("a"), &json!(["its colours"])));
    assert_eq!(row["description"], json!("A page that says \"Hello\"."));
    assert_eq!(row["described_by"]["summarizer"], json!("one"));
}
