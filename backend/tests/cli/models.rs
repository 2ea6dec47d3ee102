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
    assert_eq!(folder.json("metrics @run --json")["rankable"], false);
    folder.run("run --resume --out @run", 3).err_has("--resume --regrade");
    folder.run("run --resume --regrade --out @run", 0);
    assert_eq!(transcripts(&run), before);
    assert_eq!(folder.json("metrics @run --json")["rankable"], true);
    let old = name.replace(".jsonl", ".1.old");
    assert!(run.join(old).exists());
}

/// A data folder with a scripted endpoint that is slow and fails at times, in `@data`.
pub fn endpoint(folder: &Folder, faults: f64, latency_ms: u32) {
    let text = format!(
        "[limits]\nbackoff_ms = 1\n\n[[provider]]\nname = \"made\"\nformat = \"scripted\"\nseed = 7\n\
         latency_ms = {latency_ms}\nfaults = {faults:?}\n"
    );
    folder.write("data/turnwise.toml", text);
}

const MODELS: &str = "--data @data --seat player=model:made/one --seat responder=model:made/two \
                      --seat grader=model:made/two --temperature player=0.3";

#[test]
fn models_behind_an_endpoint_play_and_what_failed_is_resumed() {
    let folder = folder();
    endpoint(&folder, 0.5, 1);
    let said = folder.run(&format!("run --benchmark {QUESTIONS} {MODELS} --out @run"), 3);
    said.err_has("incomplete");
    said.err_has("turnwise run --resume --out");
    let run = folder.at("run");
    let calls = folder.lines("run/timing.ndjson");
    assert!(calls.iter().any(|call| call["timing"]["attempts"] == 3), "some were tried again");
    assert!(transcripts(&run).values().all(|text| !text.contains("attempts")));
    folder.run("replay @run", 0);
    assert_eq!(folder.json("metrics @run --json")["rankable"], false);

    // The endpoint has recovered.
    endpoint(&folder, 0.0, 1);
    folder.run("run --resume --data @data --out @run", 0);
    folder.run("replay @run", 0);
    assert_eq!(folder.json("metrics @run --json")["rankable"], true);
    // A recorded run of models needs neither endpoint nor configuration to be driven again.
    folder.run("run --redrive @run --out @again", 0);
    assert_eq!(folder.transcripts("again"), transcripts(&run));

    folder
        .run(&format!("run --benchmark {QUESTIONS} --seat player=model:nobody/x --out @bad"), 1)
        .err_has("no provider \"nobody\"");
    assert!(!folder.at("bad").exists());
}

#[test]
fn the_prices_of_the_folder_that_is_named_hold_where_costs_are_shown() {
    let folder = folder();
    endpoint(&folder, 0.0, 1);
    let price = |model: &str| {
        format!(
            "[[price]]\nprovider = \"made\"\nmodel = \"{model}\"\nfrom = \"2020-01-01\"\ninput = 3.0\noutput = 15\n"
        )
    };
    let text = folder.read("data/turnwise.toml") + &price("one") + &price("two");
    folder.write("data/turnwise.toml", text);
    let said = folder.run(&format!("run --benchmark {QUESTIONS} {MODELS} --limit 1 --out @run"), 0);
    let shown = format!("{}{}", said.out, said.err);
    assert!(!shown.contains("has no price here"), "{shown}");
    let here = folder.json("metrics @run --json --data @data");
    assert!(here["cost_usd"].as_f64().unwrap() > 0.0, "{here}");
    assert_eq!(folder.json("metrics @run --json")["cost_usd"], Value::Null);
    // A list on the command line stands before that of the folder.
    folder.write("own.toml", price("one").replace("3.0", "300.0"));
    let dearer = folder.json("metrics @run --json --data @data --prices @own.toml");
    assert!(dearer["cost_usd"].as_f64() > here["cost_usd"].as_f64(), "{dearer}");
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_or_killed_goes_on_where_it_was() {
    let whole = folder();
    endpoint(&whole, 0.0, 1);
    whole.run(&format!("run --benchmark {QUESTIONS} {MODELS} --out @run"), 0);
    let whole = whole.transcripts("run");

    let folder = folder();
    endpoint(&folder, 0.0, 60);
    for signal in ["-INT", "-KILL", "-TERM"] {
        let name = format!("run{signal}");
        let run = folder.at(&name);
        let mut child = folder
            .begin(&format!("run --benchmark {QUESTIONS} {MODELS} --concurrency 4 --out @{name}"));
        let begun = std::time::Instant::now();
        while !run.exists() || transcripts(&run).len() < 6 {
            assert!(begun.elapsed().as_secs() < 60, "the run does not begin");
            std::thread::sleep(Duration::from_millis(5));
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
        folder.run(&format!("run --resume --data @data --out @{name}"), 0);
        assert_eq!(transcripts(&run), whole, "{signal}");
        endpoint(&folder, 0.0, 60);
    }
}

#[test]
fn what_was_spent_before_it_was_resumed_counts() {
    let folder = folder();
    endpoint(&folder, 0.0, 1);
    let sent = || -> u64 {
        let calls = folder.lines("run/timing.ndjson");
        calls.iter().map(|call| call["timing"]["attempts"].as_u64().unwrap()).sum()
    };
    let resume = |flags: &str, status: i32| {
        let words = format!("run --resume --data @data --out @run {flags}");
        folder.run(&words, status)
    };
    let words = format!("run --benchmark {QUESTIONS} {MODELS} --cap-calls 20 --out @run");
    folder.run(&words, 3).err_has("20 of 20 calls of the run are made");
    assert_eq!(sent(), 20);
    // The same cap lets nothing more go out, a higher one what is left of it.
    resume("--cap-calls 20", 3);
    assert_eq!(sent(), 20);
    resume("--cap-calls 30", 3);
    assert_eq!(sent(), 30);
    // What went out before there was a cap counts as well.
    std::fs::remove_file(folder.at("run/budget.ndjson")).unwrap();
    resume("--cap-calls 30", 3);
    assert_eq!(sent(), 30);
    // It holds until another one is named, and what is printed says so.
    let said = resume("", 3);
    assert_eq!(sent(), 30);
    let advice =
        said.err.lines().find(|line| line.contains("go on with: turnwise run --resume --out "));
    let advice = advice.expect("it says how");
    assert!(advice.contains(" --cap-calls 30 --data "), "{advice}");
    said.err_has("(--cap-usd none)");
    resume("--cap-seconds 9000", 3);
    assert_eq!(sent(), 30, "another cap takes none away");
    // A run of an earlier version does not say what its budget was.
    let text = folder.read("run/run.json");
    let mut begun: Value = serde_json::from_str(&text).unwrap();
    let driving = begun.as_object_mut().unwrap().remove("driving").unwrap();
    assert_eq!(driving["caps"], json!({ "calls": 30, "seconds": 9000 }));
    folder.write("run/run.json", begun.to_string());
    let said = resume("", 1);
    said.err_has("--cap-usd none");
    assert_eq!(sent(), 30);
    folder.write("run/run.json", text);
    resume("--cap-calls none", 0);
    assert!(sent() > 30);
}

#[test]
fn how_a_run_is_driven_holds_until_something_else_is_chosen() {
    let folder = folder();
    let flags = "--cap-calls 4 --cap-seconds 600 --unpriced made/one --concurrency 2 --permits player=1 --pause-after 3 --tag one";
    let words = format!("run --benchmark {QUESTIONS} {MODELS} {flags} --out @run");
    endpoint(&folder, 0.0, 1);
    folder.run(&words, 3);
    let driving = || -> Value { serde_json::from_str(&folder.read("run/run.json")).unwrap() };
    let before = driving();
    assert_eq!(
        before["driving"],
        json!({
            "caps": { "calls": 4, "seconds": 600, "unpriced": ["made/one"] }, "concurrency": 2, "permits": { "player": 1 },
            "pause_after": 3,
        })
    );
    folder.run("run --resume --data @data --out @run", 3);
    assert_eq!(driving(), before, "nothing was chosen");
    let chosen =
        "--cap-calls 5 --cap-seconds none --unpriced made/two --concurrency 3 --title Renamed";
    // With all flags of the run, and with none of them.
    let all = format!("run --resume --benchmark {QUESTIONS} {MODELS} {chosen} --out @run");
    folder.run(&all, 3);
    let after = driving();
    assert_eq!((&after["title"], &after["tags"]), (&"Renamed".into(), &before["tags"]));
    assert_eq!(
        after["driving"],
        json!({
            "caps": { "calls": 5, "unpriced": ["made/one", "made/two"] }, "concurrency": 3, "permits": { "player": 1 }, "pause_after": 3,
        })
    );
    folder.run("run --resume --data @data --tag two --out @run", 3);
    let tagged = driving();
    assert_eq!((&tagged["title"], &tagged["tags"]), (&"Renamed".into(), &json!(["two"])));
    assert_eq!(tagged["driving"], after["driving"]);
    for flag in ["--cap-calls few", "--cap-usd -1", "--cap-tokens 1.5"] {
        folder.run(&format!("run --resume --data @data --out @run {flag}"), 2);
    }
}

#[test]
fn what_a_grader_may_spend_has_caps_too() {
    let (folder, _) = recorded();
    let grade = "regrade @run --grader model:scripted/trial --max-tokens 50 --out @again";
    folder.run(&format!("{grade} --cap-calls 1"), 3);
    let calls = || -> i64 {
        let changes = folder.lines(&format!("again/{JOURNAL_FILE}"));
        changes.iter().map(|change| change["calls"].as_i64().unwrap_or_default()).sum()
    };
    assert_eq!(calls(), 1);
    folder.run(&format!("{grade} --resume --cap-calls 1"), 3);
    assert_eq!(calls(), 1, "nothing more was sent");
    folder.run(&format!("{grade} --resume --cap-calls 3"), 3);
    assert_eq!(calls(), 3);
    folder.run(&format!("{grade} --resume"), 3);
    assert_eq!(calls(), 3, "it holds until another one is named");
    folder.run(&format!("{grade} --resume --cap-calls none"), 0);
}

#[test]
fn seats_that_grade_are_named_where_there_are_several() {
    let (folder, _) = recorded();
    folder.run("regrade @run --seat grader=model:scripted/trial --out @again", 0);
    let said = folder.say("regrade @run --seat player=model:scripted/trial --out @other");
    said.err_has("player grades nothing in this run; use grader");
    expect(said, 1);
    folder.run("regrade @run --out @other", 2);
}
