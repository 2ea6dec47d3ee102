//! Graders that are asked again, and models behind an endpoint.

use turnwise_backend::outbound::budget::journal::JOURNAL_FILE;
use turnwise_shared::effect::Reply;
use turnwise_shared::prompt::Said as Spoken;
use turnwise_shared::registry;
use turnwise_shared::session::{Next, Session};
use turnwise_shared::transcript;

use crate::cli::recorded;
use crate::common::*;

/// The same grading by a grader that cannot be understood.
fn misunderstood(grading: &str, play: &str) -> String {
    let (grading, play) = (transcript::read(grading).unwrap(), transcript::read(play).unwrap());
    let spec = &grading.header.spec;
    let benchmark = registry::find(&spec.benchmark).unwrap();
    let samples = benchmark.samples();
    let task = samples.task(&grading.header.task.id).unwrap();
    let outcome = play.outcome().unwrap();
    let episode = benchmark.grade(spec, task, &benchmark.pack(), outcome).unwrap().unwrap();
    let salts = SaltKey::open(&grading.header);
    let mut session = Session::open(grading.header, episode, salts);
    while let Next::Call(call, _) = session.poll() {
        session.tell(call, Reply::Said(Spoken::text("perhaps"))).unwrap();
    }
    assert_eq!(session.outcome().unwrap().ending, "grader_failed");
    session.take_lines().join("\n") + "\n"
}

#[test]
fn a_grader_that_was_not_understood_can_be_asked_again() {
    let (folder, run) = recorded();
    let before = transcripts(&run);
    let name = before.keys().find(|name| name.ends_with(".grading.jsonl")).unwrap();
    let play = name.replace("grading", "play");
    let text = misunderstood(&before[name], &before[&play]);
    std::fs::write(run.join(name), text).unwrap();
    let record = |words: &str| -> serde_json::Value {
        serde_json::from_str(&expect(say(&folder, words), 0).out).unwrap()
    };
    assert_eq!(record("metrics @run --json")["rankable"], false);
    let said = expect(say(&folder, "run --resume --out @run"), 3);
    assert!(said.err.contains("--resume --regrade"), "{}", said.err);
    expect(say(&folder, "run --resume --regrade --out @run"), 0);
    assert_eq!(transcripts(&run), before);
    assert_eq!(record("metrics @run --json")["rankable"], true);
    let old = name.replace(".jsonl", ".1.old");
    assert!(run.join(old).exists());
}

/// A data folder with a scripted endpoint that is slow and fails at times, in `@data`.
pub fn endpoint(folder: &TempDir, faults: f64, latency_ms: u32) {
    let data = folder.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    let text = format!(
        "[limits]\nbackoff_ms = 1\n\n[[provider]]\nname = \"made\"\nformat = \"scripted\"\nseed = 7\n\
         latency_ms = {latency_ms}\nfaults = {faults:?}\n"
    );
    std::fs::write(data.join("turnwise.toml"), text).unwrap();
}

const MODELS: &str = "--data @data --seat player=model:made/one --seat responder=model:made/two \
                      --seat grader=model:made/two --temperature player=0.3";

#[test]
fn models_behind_an_endpoint_play_and_what_failed_is_resumed() {
    let folder = folder();
    endpoint(&folder, 0.5, 1);
    let said = expect(say(&folder, &format!("run --benchmark {QUESTIONS} {MODELS} --out @run")), 3);
    assert!(said.err.contains("incomplete"), "{}", said.err);
    assert!(said.err.contains("turnwise run --resume --out"), "{}", said.err);
    let run = folder.path().join("run");
    let timing = std::fs::read_to_string(run.join("timing.ndjson")).unwrap();
    let calls: Vec<serde_json::Value> =
        timing.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(calls.iter().any(|call| call["timing"]["attempts"] == 3), "some were tried again");
    assert!(transcripts(&run).values().all(|text| !text.contains("attempts")));
    expect(say(&folder, "replay @run"), 0);
    let said = expect(say(&folder, "metrics @run --json"), 0);
    let record: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(record["rankable"], false);

    // The endpoint has recovered.
    endpoint(&folder, 0.0, 1);
    expect(say(&folder, "run --resume --data @data --out @run"), 0);
    expect(say(&folder, "replay @run"), 0);
    let said = expect(say(&folder, "metrics @run --json"), 0);
    let record: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(record["rankable"], true);
    // A recorded run of models needs neither endpoint nor configuration to be driven again.
    expect(say(&folder, "run --redrive @run --out @again"), 0);
    assert_eq!(transcripts(&folder.path().join("again")), transcripts(&run));

    let said = expect(
        say(
            &folder,
            &format!("run --benchmark {QUESTIONS} --seat player=model:nobody/x --out @bad"),
        ),
        1,
    );
    assert!(said.err.contains("no provider \"nobody\""), "{}", said.err);
    assert!(!folder.path().join("bad").exists());
}

#[test]
fn the_prices_of_the_folder_that_is_named_hold_where_costs_are_shown() {
    let folder = folder();
    endpoint(&folder, 0.0, 1);
    let file = folder.path().join("data/turnwise.toml");
    let price = |model: &str| {
        format!(
            "[[price]]\nprovider = \"made\"\nmodel = \"{model}\"\nfrom = \"2020-01-01\"\ninput = 3.0\noutput = 15\n"
        )
    };
    let text = std::fs::read_to_string(&file).unwrap() + &price("one") + &price("two");
    std::fs::write(&file, text).unwrap();
    let said = expect(
        say(&folder, &format!("run --benchmark {QUESTIONS} {MODELS} --limit 1 --out @run")),
        0,
    );
    let shown = format!("{}{}", said.out, said.err);
    assert!(!shown.contains("has no price here"), "{shown}");
    let record = |words: &str| -> serde_json::Value {
        serde_json::from_str(&expect(say(&folder, words), 0).out).unwrap()
    };
    let here = record("metrics @run --json --data @data");
    assert!(here["cost_usd"].as_f64().unwrap() > 0.0, "{here}");
    assert_eq!(record("metrics @run --json")["cost_usd"], serde_json::Value::Null);
    // A list on the command line stands before that of the folder.
    let own = price("one").replace("3.0", "300.0");
    std::fs::write(folder.path().join("own.toml"), own).unwrap();
    let dearer = record("metrics @run --json --data @data --prices @own.toml");
    assert!(dearer["cost_usd"].as_f64() > here["cost_usd"].as_f64(), "{dearer}");
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_or_killed_goes_on_where_it_was() {
    let whole = folder();
    endpoint(&whole, 0.0, 1);
    expect(say(&whole, &format!("run --benchmark {QUESTIONS} {MODELS} --out @run")), 0);
    let whole = transcripts(&whole.path().join("run"));

    let folder = folder();
    endpoint(&folder, 0.0, 60);
    for signal in ["-INT", "-KILL", "-TERM"] {
        let name = format!("run{signal}");
        let run = folder.path().join(&name);
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["run", "--benchmark", QUESTIONS])
            .args(
                MODELS
                    .replace("@data", &folder.path().join("data").display().to_string())
                    .split_whitespace(),
            )
            .args(["--concurrency", "4", "--out"])
            .arg(&run)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let begun = std::time::Instant::now();
        while !run.exists() || transcripts(&run).len() < 6 {
            assert!(begun.elapsed().as_secs() < 60, "the run does not begin");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let status = child.wait().unwrap();
        match signal {
            "-KILL" => assert_eq!(status.code(), None),
            _ => assert_eq!(status.code(), Some(3), "{signal}"),
        }
        let before = transcripts(&run);
        assert!(before.len() < whole.len(), "{signal} came too late");
        endpoint(&folder, 0.0, 1);
        expect(say(&folder, &format!("run --resume --data @data --out @{name}")), 0);
        assert_eq!(transcripts(&run), whole, "{signal}");
        endpoint(&folder, 0.0, 60);
    }
}

#[test]
fn what_was_spent_before_it_was_resumed_counts() {
    let folder = folder();
    endpoint(&folder, 0.0, 1);
    let run = folder.path().join("run");
    let sent = || -> u64 {
        let timing = std::fs::read_to_string(run.join("timing.ndjson")).unwrap();
        let calls = timing.lines().map(|line| {
            let call: serde_json::Value = serde_json::from_str(line).unwrap();
            call["timing"]["attempts"].as_u64().unwrap()
        });
        calls.sum()
    };
    let resume = |flags: &str, status: i32| {
        let words = format!("run --resume --data @data --out @run {flags}");
        expect(say(&folder, &words), status)
    };
    let words = format!("run --benchmark {QUESTIONS} {MODELS} --cap-calls 20 --out @run");
    let said = expect(say(&folder, &words), 3);
    assert!(said.err.contains("20 of 20 calls of the run are made"), "{}", said.err);
    assert_eq!(sent(), 20);
    // The same cap lets nothing more go out, a higher one what is left of it.
    resume("--cap-calls 20", 3);
    assert_eq!(sent(), 20);
    resume("--cap-calls 30", 3);
    assert_eq!(sent(), 30);
    // What went out before there was a cap counts as well.
    std::fs::remove_file(run.join("budget.ndjson")).unwrap();
    resume("--cap-calls 30", 3);
    assert_eq!(sent(), 30);
    // It holds until another one is named, and what is printed says so.
    let said = resume("", 3);
    assert_eq!(sent(), 30);
    let advice =
        said.err.lines().find(|line| line.contains("go on with: turnwise run --resume --out "));
    let advice = advice.expect("it says how");
    assert!(advice.contains(" --cap-calls 30 --data "), "{advice}");
    assert!(said.err.contains("(--cap-usd none)"), "{}", said.err);
    resume("--cap-seconds 9000", 3);
    assert_eq!(sent(), 30, "another cap takes none away");
    // A run of an earlier version does not say what its budget was.
    let file = run.join("run.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut begun: serde_json::Value = serde_json::from_str(&text).unwrap();
    let driving = begun.as_object_mut().unwrap().remove("driving").unwrap();
    assert_eq!(driving["caps"], serde_json::json!({ "calls": 30, "seconds": 9000 }));
    std::fs::write(&file, begun.to_string()).unwrap();
    let said = resume("", 1);
    assert!(said.err.contains("--cap-usd none"), "{}", said.err);
    assert_eq!(sent(), 30);
    std::fs::write(&file, text).unwrap();
    resume("--cap-calls none", 0);
    assert!(sent() > 30);
}

#[test]
fn how_a_run_is_driven_holds_until_something_else_is_chosen() {
    let folder = folder();
    let flags = "--cap-calls 4 --cap-seconds 600 --unpriced made/one --concurrency 2 --permits player=1 --pause-after 3 --tag one";
    let words = format!("run --benchmark {QUESTIONS} {MODELS} {flags} --out @run");
    endpoint(&folder, 0.0, 1);
    expect(say(&folder, &words), 3);
    let driving = || -> serde_json::Value {
        let text = std::fs::read_to_string(folder.path().join("run/run.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let before = driving();
    assert_eq!(
        before["driving"],
        serde_json::json!({
            "caps": { "calls": 4, "seconds": 600, "unpriced": ["made/one"] }, "concurrency": 2, "permits": { "player": 1 },
            "pause_after": 3,
        })
    );
    expect(say(&folder, "run --resume --data @data --out @run"), 3);
    assert_eq!(driving(), before, "nothing was chosen");
    let chosen =
        "--cap-calls 5 --cap-seconds none --unpriced made/two --concurrency 3 --title Renamed";
    // With all flags of the run, and with none of them.
    let all = format!("run --resume --benchmark {QUESTIONS} {MODELS} {chosen} --out @run");
    expect(say(&folder, &all), 3);
    let after = driving();
    assert_eq!((&after["title"], &after["tags"]), (&"Renamed".into(), &before["tags"]));
    assert_eq!(
        after["driving"],
        serde_json::json!({
            "caps": { "calls": 5, "unpriced": ["made/one", "made/two"] }, "concurrency": 3, "permits": { "player": 1 }, "pause_after": 3,
        })
    );
    expect(say(&folder, "run --resume --data @data --tag two --out @run"), 3);
    let tagged = driving();
    assert_eq!(
        (&tagged["title"], &tagged["tags"]),
        (&"Renamed".into(), &serde_json::json!(["two"]))
    );
    assert_eq!(tagged["driving"], after["driving"]);
    for flag in ["--cap-calls few", "--cap-usd -1", "--cap-tokens 1.5"] {
        expect(say(&folder, &format!("run --resume --data @data --out @run {flag}")), 2);
    }
}

#[test]
fn what_a_grader_may_spend_has_caps_too() {
    let (folder, _) = recorded();
    let grade = "regrade @run --grader model:scripted/trial --max-tokens 50 --out @again";
    expect(say(&folder, &format!("{grade} --cap-calls 1")), 3);
    let calls = || -> i64 {
        let journal = folder.path().join("again").join(JOURNAL_FILE);
        let journal = std::fs::read_to_string(journal).unwrap();
        let changes = journal.lines().map(|line| {
            let change: serde_json::Value = serde_json::from_str(line).unwrap();
            change["calls"].as_i64().unwrap_or_default()
        });
        changes.sum()
    };
    assert_eq!(calls(), 1);
    expect(say(&folder, &format!("{grade} --resume --cap-calls 1")), 3);
    assert_eq!(calls(), 1, "nothing more was sent");
    expect(say(&folder, &format!("{grade} --resume --cap-calls 3")), 3);
    assert_eq!(calls(), 3);
    expect(say(&folder, &format!("{grade} --resume")), 3);
    assert_eq!(calls(), 3, "it holds until another one is named");
    expect(say(&folder, &format!("{grade} --resume --cap-calls none")), 0);
}

#[test]
fn seats_that_grade_are_named_where_there_are_several() {
    let (folder, _) = recorded();
    expect(say(&folder, "regrade @run --seat grader=model:scripted/trial --out @again"), 0);
    let said = say(&folder, "regrade @run --seat player=model:scripted/trial --out @other");
    assert!(said.err.contains("player grades nothing in this run; use grader"), "{}", said.err);
    expect(said, 1);
    expect(say(&folder, "regrade @run --out @other"), 2);
}
