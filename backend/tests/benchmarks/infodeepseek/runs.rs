//! Runs from the command line: sites that are dead, another day, and what `browse` reads.

use std::path::PathBuf;
use std::process::Stdio;

use super::heads;
use crate::common::*;

#[test]
fn a_run_that_is_taken_up_on_another_day_keeps_its_date() {
    let folder = folder();
    let run = "run --benchmark infodeepseek --mode offline --limit 1 --out @run";
    folder.run(run, 0);
    // As if it had been begun then, and stopped at once.
    let place = folder.at("run");
    let file = place.join("run.json");
    let text = std::fs::read(&file).expect("it was written");
    let mut begun: Value = serde_json::from_slice(&text).expect("it is JSON");
    begun["spec"]["settings"]["date"] = "2025-05-20".into();
    std::fs::write(&file, begun.to_string()).expect("it can be written");
    for name in transcripts(&place).keys() {
        std::fs::remove_file(place.join(name)).expect("it is there");
    }
    folder
        .run(&format!("{run} --resume --date 2025-05-21"), 1)
        .err_has("settings.date: 2025-05-20,");
    folder.run(&format!("{run} --resume"), 0);
    let texts = transcripts(&place);
    assert_eq!(texts.len(), 2);
    assert!(texts.values().all(|text| text.contains(r#""date":"2025-05-20""#)));
}

/// More dead links in a row than failed calls may come in a row.
#[test]
fn dead_links_are_read_by_the_player_and_pause_no_run() {
    let folder = folder();
    let write = |name: &str, text: &str| {
        folder.write(name, text);
    };
    let rows = (0..12).map(|id| {
        let source = match id {
            0 => "http://0x7f.1/".to_owned(),
            _ => format!("http://site{id}.invalid/"),
        };
        let texts = ["query_en", "query_zh", "answer_en", "answer_zh"];
        let mut row = json!({ "id": id, "sources": [source] });
        texts.iter().for_each(|name| row[*name] = "nothing".into());
        format!("{row}\n")
    });
    write("tasks.jsonl", &rows.collect::<String>());
    std::fs::create_dir(folder.at("data")).expect("it is made");
    write("data/turnwise.toml", "[limits]\nattempts = 1\n");
    let run =
        "run --benchmark infodeepseek --tasks @tasks.jsonl --seat player=bot:sources --out @run";
    folder.run(&format!("{run} --web live --pause-after 3 --data @data"), 0);
    let texts = folder.transcripts("run");
    let with = |rule: &str| {
        let rule = format!(r#""rule":"{rule}""#);
        texts.values().filter(|text| text.contains(&rule)).count()
    };
    assert_eq!((with("name"), with("address")), (11, 1));
    // A refusal is in the archive; a name without an address may have one tomorrow.
    let refused = folder.say("browse http://0x7f.1/ --web frozen:@run --json");
    assert_eq!(failed(&expect(refused, 1).out)["detail"]["rule"], "address");
    let missing = folder.say("browse http://site1.invalid/ --web frozen:@run --json");
    assert_eq!(failed(&expect(missing, 1).out)["class"], "off_tape");
}

fn failed(text: &str) -> Value {
    let reply: Value = serde_json::from_str(text).expect("it is JSON");
    reply["failed"].clone()
}

#[test]
fn an_archive_and_the_sample_web_are_browsed() {
    let folder = folder();
    let run = "run --benchmark infodeepseek --seat player=bot:sources --limit 1 --out @run";
    folder.run(run, 0);
    let texts = folder.transcripts("run");
    let opened = |url: &&&str| {
        texts.values().any(|text| text.contains(&format!(r#""tool":"page","url":"{url}""#)))
    };
    let heads = heads();
    let url = heads.iter().find(opened).expect("its source was opened");
    let sample = folder.json(&format!("browse {url} --web sample --json"));
    let frozen = folder.json(&format!("browse {url} --web frozen:@run --json"));
    assert_eq!((&sample["page"]["url"], &sample), (&json!(url), &frozen));
    let said = folder.run(&format!("browse {url} --web sample"), 0).out;
    let [title, text] = ["title", "text"].map(|part| sample["page"][part].as_str().expect(part));
    assert!(said.contains(title) && said.contains(text), "{said}");
    for web in ["sample", "frozen:@run"] {
        for url in ["https://nowhere.example/", "http://127.0.0.1/"] {
            let missing = folder.run(&format!("browse {url} --web {web} --json"), 1);
            assert_eq!(failed(&missing.out)["class"], "off_tape");
            let missing = folder.run(&format!("browse {url} --web {web}"), 1);
            assert!(missing.err.contains("no such page") && missing.out.is_empty(), "{missing:?}");
        }
    }
    folder.run("browse http://a.example/ --web frozen:@none", 1).err_has("none");
}

/// What a process has now: open files, threads, child processes, and megabytes of memory at most until now.
fn held(process: u32) -> Option<[u64; 4]> {
    let place = PathBuf::from(format!("/proc/{process}"));
    let count = |folder: &str| Some(std::fs::read_dir(place.join(folder)).ok()?.count() as u64);
    let tasks = std::fs::read_dir(place.join("task")).ok()?.flatten();
    let children =
        tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let children = children.map(|ids| ids.split_whitespace().count() as u64).sum();
    let status = std::fs::read_to_string(place.join("status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let peak: u64 = peak.split_whitespace().next()?.parse().ok()?;
    Some([count("fd")?, count("task")?, children, peak / 1024])
}

/// All official questions, with judges that are asked over calls, 64 of them in flight.
#[test]
fn the_official_questions_are_played_without_a_leak() {
    let data = std::env::var_os("TURNWISE_DATA").map(PathBuf::from);
    let data =
        data.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"));
    let file = data.join("infodeepseek/InfoDeepSeek_v1.json");
    if !file.is_file() {
        eprintln!("skipped: InfoDeepSeek_v1.json is not in the data folder (TURNWISE_DATA)");
        return;
    }
    let folder = folder();
    let words = "--web sample --search sample --steps 2 --concurrency 64 --seat player=bot:searcher \
                 --seat judge=model:scripted/trial --seat second=model:scripted/trial --seat arbiter=model:scripted/trial";
    let mut run = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    run.args(["run", "--benchmark", "infodeepseek", "--tasks"]).arg(&file);
    run.args(words.split_whitespace()).arg("--out").arg(folder.at("run"));
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut most = [0; 4];
    while run.try_wait().expect("it can be asked").is_none() {
        let now = held(run.id()).unwrap_or_default();
        most = std::array::from_fn(|at| most[at].max(now[at]));
        std::thread::sleep(Duration::from_millis(20));
    }
    let [files, threads, children, memory] = most;
    assert!(files < 40 && threads < 40 && children == 0 && memory < 400, "{most:?}");
    let record = folder.json("metrics @run --json");
    assert_eq!((&record["n"], &record["outcomes"]), (&json!(245), &json!({ "answered": 245 })));
    assert_eq!(record["frozen_misses"], 0);
}
