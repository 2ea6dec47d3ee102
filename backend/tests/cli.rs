//! The program as other programs call it, on the sample tasks with built-in bots.

#[path = "common/program.rs"]
mod program;

use std::path::{Path, PathBuf};
use std::process::Command;

use program::{expect, folder, say, transcripts};
use tempfile::TempDir;
use turnwise_shared::effect::Reply;
use turnwise_shared::prompt::Said as Spoken;
use turnwise_shared::registry;
use turnwise_shared::session::{Next, Session};
use turnwise_shared::transcript::{self, SaltKey};

/// A run of all samples with the default bots, in `@run`.
fn recorded() -> (TempDir, PathBuf) {
    let folder = folder();
    expect(say(&folder, "run --benchmark interactcomp --out @run"), 0);
    let run = folder.path().join("run");
    (folder, run)
}

fn change(path: &Path, change: impl FnOnce(&str) -> String) {
    let text = std::fs::read_to_string(path).unwrap();
    std::fs::write(path, change(&text)).unwrap();
}

#[test]
fn a_run_is_written_replayed_and_measured() {
    let (folder, run) = recorded();
    let names: Vec<_> = transcripts(&run).into_keys().collect();
    let plays = names.iter().filter(|name| name.ends_with(".r1.play.jsonl"));
    assert_eq!(plays.count(), 20);
    let others = names
        .iter()
        .filter(|name| name.ends_with(".r1.grading.jsonl"));
    assert_eq!(others.count() + 20, names.len());

    let said = expect(say(&folder, "replay @run"), 0);
    assert_eq!(said.out.lines().count(), names.len());
    assert!(
        said.out.lines().all(|line| line.contains(": same, ")),
        "{}",
        said.out
    );
    assert_eq!(said.err, "");

    let said = expect(say(&folder, "metrics @run --json"), 0);
    let record: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(record["benchmark"], "interactcomp");
    assert_eq!(record["n"], 20);
    let said = expect(say(&folder, "metrics @run"), 0);
    assert!(said.out.to_lowercase().contains("accuracy"), "{}", said.out);
}

#[test]
fn a_changed_line_is_named() {
    let (folder, run) = recorded();
    let play = run.join("3.r1.play.jsonl");
    change(&play, |text| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines[2] = lines[2].replacen("said", "seid", 1);
        lines.join("\n") + "\n"
    });
    let said = expect(say(&folder, "replay @run"), 1);
    assert!(said.err.contains("3.r1.play.jsonl: line 3"), "{}", said.err);
    // The others are replayed all the same, and its grading has no sound play any more.
    assert!(said.out.contains("4.r1.play.jsonl: same"), "{}", said.out);
    let said = expect(say(&folder, "metrics @run"), 1);
    assert!(said.err.contains("line 3"), "{}", said.err);
}

#[test]
fn an_unfinished_transcript_is_no_replay_and_can_be_resumed() {
    let (folder, run) = recorded();
    let before = transcripts(&run);
    // A line cut in two, a play cut between lines, one with its grading gone, one that never began.
    change(&run.join("1.r1.play.jsonl"), |text| {
        text[..text.len() - 40].to_owned()
    });
    change(&run.join("2.r1.play.jsonl"), |text| {
        text.lines()
            .take(3)
            .map(|line| format!("{line}\n"))
            .collect()
    });
    for name in ["3.r1.grading", "4.r1.grading", "4.r1.play"] {
        let _ = std::fs::remove_file(run.join(format!("{name}.jsonl")));
    }
    std::fs::write(run.join("5.r1.play.jsonl"), "{\"cha").unwrap();
    let _ = std::fs::remove_file(run.join("5.r1.grading.jsonl"));
    for name in ["1.r1.grading", "2.r1.grading"] {
        let _ = std::fs::remove_file(run.join(format!("{name}.jsonl")));
    }

    let said = expect(say(&folder, "replay @run/2.r1.play.jsonl"), 1);
    assert!(
        said.err.contains("line 3: the transcript ends here"),
        "{}",
        said.err
    );

    expect(say(&folder, "run --resume --out @run"), 0);
    assert_eq!(transcripts(&run), before);
    expect(say(&folder, "replay @run"), 0);
    // Nothing is left to do: a second time changes nothing.
    expect(
        say(&folder, "run --benchmark interactcomp --resume --out @run"),
        0,
    );
    assert_eq!(transcripts(&run), before);
}

#[test]
fn a_folder_with_a_run_is_refused_without_resume_and_other_flags_with_it() {
    let (folder, run) = recorded();
    let before = transcripts(&run);
    let said = expect(say(&folder, "run --benchmark interactcomp --out @run"), 1);
    assert!(said.err.contains("--resume"), "{}", said.err);
    let said = expect(
        say(
            &folder,
            "run --benchmark interactcomp --rounds 7 --resume --out @run",
        ),
        1,
    );
    assert!(said.err.contains("settings.rounds: 10"), "{}", said.err);
    let said = expect(say(&folder, "run --rounds 7 --resume --out @run"), 1);
    assert!(said.err.contains("--rounds"), "{}", said.err);
    assert_eq!(transcripts(&run), before);
    let said = expect(say(&folder, "run --resume --out @nothing"), 1);
    assert!(said.err.contains("no run (run.json)"), "{}", said.err);
    // Transcripts alone, as a browser hands them out, can be taken up with the flags of their run.
    for name in ["run.json", "pack.json"] {
        std::fs::remove_file(run.join(name)).unwrap();
    }
    std::fs::remove_file(run.join("20.r1.grading.jsonl")).unwrap();
    let said = expect(
        say(
            &folder,
            "run --benchmark interactcomp --rounds 7 --resume --out @run",
        ),
        1,
    );
    assert!(
        said.err.contains("line 1: spec.settings.rounds"),
        "{}",
        said.err
    );
    expect(
        say(&folder, "run --benchmark interactcomp --resume --out @run"),
        0,
    );
    assert_eq!(transcripts(&run), before);
    // A run that is resumed before it began, begins.
    expect(
        say(
            &folder,
            "run --benchmark interactcomp --limit 2 --resume --out @new",
        ),
        0,
    );
    assert_eq!(transcripts(&folder.path().join("new")).len() % 2, 0);
}

#[test]
fn a_run_driven_again_from_its_tape_is_the_same_byte_for_byte() {
    let (folder, run) = recorded();
    let before = transcripts(&run);
    expect(say(&folder, "run --redrive @run --out @again"), 0);
    assert_eq!(transcripts(&folder.path().join("again")), before);
    // The same by hand: every seat on the tape, and the player's tape answers searches too.
    expect(
        say(
            &folder,
            "run --benchmark interactcomp --seat player=tape:@run --seat responder=tape:@run --seat grader=tape:@run \
             --concurrency 1 --out @hand",
        ),
        0,
    );
    assert_eq!(transcripts(&folder.path().join("hand")), before);
    // Without run.json the transcripts say everything.
    std::fs::remove_file(run.join("run.json")).unwrap();
    expect(say(&folder, "run --redrive @run --out @bare"), 0);
    assert_eq!(transcripts(&folder.path().join("bare")), before);
    // A run from a tape can be resumed like any other.
    let hand = folder.path().join("hand");
    change(&hand.join("6.r1.play.jsonl"), |text| {
        text[..text.len() / 2].to_owned()
    });
    let _ = std::fs::remove_file(hand.join("6.r1.grading.jsonl"));
    let run_json = std::fs::read_to_string(hand.join("run.json")).unwrap();
    assert!(run_json.contains("tape:"), "{run_json}");
    expect(say(&folder, "run --resume --out @hand"), 0);
    assert_eq!(transcripts(&hand), before);
}

#[test]
fn a_tape_answers_the_same_questions_only() {
    let (folder, _) = recorded();
    let said = expect(
        say(
            &folder,
            "run --benchmark interactcomp --rounds 5 --seat player=tape:@run --limit 3 --out @other",
        ),
        3,
    );
    assert!(said.err.contains("--resume"), "{}", said.err);
    let texts = transcripts(&folder.path().join("other"));
    assert_eq!(texts.len(), 3);
    assert!(texts.values().all(|text| text.contains("off_tape")));
    // Incomplete is an ending, and it replays.
    expect(say(&folder, "replay @other"), 0);
    let said = expect(
        say(
            &folder,
            "run --benchmark interactcomp --seat player=tape:@nowhere --out @x",
        ),
        1,
    );
    assert!(said.err.contains("nowhere"), "{}", said.err);
}

#[test]
fn what_is_not_at_hand_is_named() {
    let (folder, run) = recorded();
    let own = folder.path().join("own.jsonl");
    std::fs::write(
        &own,
        r#"{"id":"a-1","domain":"Made up","answer":"The mill","question":"Which mill?","context":"It stands by a river."}
{"id":2,"domain":"Made up","answer":"The bridge","question":"Which bridge?","context":"It is made of wood."}
"#,
    )
    .unwrap();
    let mine = "run --benchmark interactcomp --mode ask_only --tasks @own.jsonl";
    expect(say(&folder, &format!("{mine} --out @mine")), 0);
    let mine = folder.path().join("mine");
    assert_eq!(
        std::fs::read(mine.join("tasks.dat")).unwrap(),
        std::fs::read(&own).unwrap()
    );
    expect(say(&folder, "replay @mine"), 0);
    // The play alone, elsewhere: its tasks are not there.
    let alone = folder.path().join("alone.jsonl");
    std::fs::copy(mine.join("a-1.r1.play.jsonl"), &alone).unwrap();
    let said = expect(say(&folder, "replay @alone.jsonl"), 2);
    assert!(said.err.contains("task a-1 of own.jsonl"), "{}", said.err);
    assert!(said.err.contains("--tasks"), "{}", said.err);
    expect(say(&folder, "replay @alone.jsonl --tasks @own.jsonl"), 0);
    // A grading without its play.
    let names = transcripts(&run);
    let grading = names.keys().find(|name| name.contains("grading")).unwrap();
    std::fs::create_dir(folder.path().join("lone")).unwrap();
    std::fs::copy(run.join(grading), folder.path().join("lone/grading.jsonl")).unwrap();
    let said = expect(say(&folder, "replay @lone"), 2);
    assert!(said.err.contains("transcript of its play"), "{}", said.err);
    // The worst status counts.
    let said = expect(say(&folder, "replay @run @lone"), 2);
    assert!(said.out.contains("not replayable"), "{}", said.out);
    let said = expect(say(&folder, "replay @nowhere"), 1);
    assert!(said.err.contains("no such file"), "{}", said.err);
}

#[test]
fn specs_are_not_mixed_and_runs_of_one_spec_are_repeats() {
    let folder = folder();
    let run = "run --benchmark interactcomp --mode ask_only --limit 4 --out";
    expect(say(&folder, &format!("{run} @one")), 0);
    expect(say(&folder, &format!("{run} @two")), 0);
    expect(say(&folder, &format!("{run} @three --rounds 4")), 0);
    let said = expect(say(&folder, "metrics @one @two --json"), 0);
    let record: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(record["n"], 8);
    let said = expect(say(&folder, "metrics @one @three --json"), 1);
    for part in ["one", "three", "settings.rounds is 10 and 4"] {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
}

#[test]
fn a_subset_is_chosen_and_mistakes_are_named() {
    let folder = folder();
    let run = "run --benchmark interactcomp --mode ask_only --out";
    expect(
        say(
            &folder,
            &format!("{run} @zh --subset language=zh --limit 3 --repeats 2"),
        ),
        0,
    );
    let names = transcripts(&folder.path().join("zh"));
    let plays: Vec<_> = names.keys().filter(|name| name.contains("play")).collect();
    assert_eq!(plays.len(), 6);
    for (flags, part) in [
        ("--subset language=fr", "language"),
        ("--subset ids=999", "999"),
        ("--seat jury=bot:exact", "player, responder, grader"),
        ("--seat player=person", "turnwise serve"),
        ("--seat player=bot:nobody", "nobody"),
        ("--set mode=fulll", "full_with_context"),
        ("--rounds 0", "rounds"),
        ("--temperature player=0.5", "only models"),
        ("--tasks @none.jsonl", "none.jsonl"),
        ("--search tape:@zh", "nothing was searched"),
    ] {
        let said = expect(say(&folder, &format!("{run} @bad {flags}")), 1);
        assert!(said.err.contains(part), "{flags}: {}", said.err);
        assert!(!folder.path().join("bad").exists(), "{flags}");
    }
    for flags in [
        "--seat player=gpt",
        "--profile loose",
        "--concurrency 0",
        "--limit 0",
        "--redrive @zh",
    ] {
        expect(say(&folder, &format!("{run} @bad {flags}")), 2);
    }
    expect(say(&folder, "run --out @bad"), 2);
}

#[test]
fn tasks_are_imported_and_a_bad_row_is_named() {
    let folder = folder();
    // "Widget 42" under the canary of the authors, by the vectors of the specification.
    let row = |id: u32, text: &str| {
        format!(
            r#"{{"id": {id}, "domain": "{text}", "answer": "{text}", "question": "{text}", "context": "{text}", "canary": "InteractComp"}}"#
        )
    };
    let good = format!(
        "{}\n{}\n",
        row(1, "pdrWnkrlsJm3"),
        row(2, "FAY5EYAEsEsQ3kB6Ew==")
    );
    std::fs::write(folder.path().join("good.jsonl"), &good).unwrap();
    let import = "import --format interactcomp-tasks";
    expect(
        say(&folder, &format!("{import} @good.jsonl --out @plain.jsonl")),
        0,
    );
    let plain = std::fs::read_to_string(folder.path().join("plain.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> = plain
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["answer"], "Widget 42");
    assert_eq!(rows[1]["question"], "测试 数据");
    assert_eq!(rows[0]["id"], 1);
    std::fs::write(
        folder.path().join("bad.jsonl"),
        format!("{}\n{}\n", row(1, "pdrWnkrlsJm3"), row(2, "%%")),
    )
    .unwrap();
    let said = expect(
        say(&folder, &format!("{import} @bad.jsonl --out @x.jsonl")),
        1,
    );
    assert!(said.err.contains("row 2"), "{}", said.err);
    assert!(!folder.path().join("x.jsonl").exists());
}

#[test]
fn a_pack_of_ones_own_is_imported_and_played() {
    let folder = folder();
    let templates = folder.path().join("mine");
    std::fs::create_dir(&templates).unwrap();
    std::fs::write(
        templates.join("responder.txt"),
        "Say yes, no or i don't know.\n{context}\n{question}\n",
    )
    .unwrap();
    let said = expect(say(&folder, "prompts import @mine --out @pack.json"), 0);
    assert!(said.out.contains("responder: differs"), "{}", said.out);
    assert!(said.out.contains("not verbatim"), "{}", said.out);
    let pack = std::fs::read_to_string(folder.path().join("pack.json")).unwrap();
    assert!(pack.contains("\"name\": \"mine-"), "{pack}");
    let run = "run --benchmark interactcomp --mode ask_only --limit 2";
    expect(
        say(&folder, &format!("{run} --pack @pack.json --out @run")),
        0,
    );
    expect(say(&folder, "replay @run"), 0);
    // Whoever calls a pack verbatim has to have the words.
    change(&folder.path().join("pack.json"), |text| {
        let start = text.find("\"mine-").unwrap();
        let end = start + 1 + text[start + 1..].find('"').unwrap();
        format!("{}\"interactcomp-verbatim{}", &text[..start], &text[end..])
    });
    let said = expect(
        say(&folder, &format!("{run} --pack @pack.json --out @false")),
        1,
    );
    assert!(said.err.contains("not the paper's"), "{}", said.err);
    let said = expect(say(&folder, "prompts show responder"), 0);
    assert!(said.out.contains("{context}"), "{}", said.out);
}

/// The same grading by a grader that cannot be understood.
fn misunderstood(grading: &str, play: &str) -> String {
    let (grading, play) = (
        transcript::read(grading).unwrap(),
        transcript::read(play).unwrap(),
    );
    let spec = &grading.header.spec;
    let benchmark = registry::find(&spec.benchmark).unwrap();
    let samples = benchmark.samples();
    let task = samples.task(&grading.header.task.id).unwrap();
    let outcome = play.outcome().unwrap();
    let episode = benchmark
        .grade(spec, task, &benchmark.pack(), outcome)
        .unwrap()
        .unwrap();
    let salts = SaltKey::open(&grading.header);
    let mut session = Session::open(grading.header, episode, salts);
    while let Next::Call(call, _) = session.poll() {
        session
            .tell(call, Reply::Said(Spoken::text("perhaps")))
            .unwrap();
    }
    assert_eq!(session.outcome().unwrap().ending, "grader_failed");
    session.take_lines().join("\n") + "\n"
}

#[test]
fn a_grader_that_was_not_understood_can_be_asked_again() {
    let (folder, run) = recorded();
    let before = transcripts(&run);
    let name = before
        .keys()
        .find(|name| name.ends_with(".grading.jsonl"))
        .unwrap();
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
fn endpoint(folder: &TempDir, faults: f64, latency_ms: u32) {
    let data = folder.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    let text = format!(
        "[limits]\nbackoff_ms = 1\n\n[[provider]]\nname = \"made\"\nformat = \"scripted\"\nseed = 7\n\
         latency_ms = {latency_ms}\nfaults = {faults:?}\n"
    );
    std::fs::write(data.join("turnwise.toml"), text).unwrap();
}

const MODELS: &str = "run --benchmark interactcomp --data @data --seat player=model:made/one --seat \
                      responder=model:made/two --seat grader=model:made/two --temperature player=0.3";

#[test]
fn models_behind_an_endpoint_play_and_what_failed_is_resumed() {
    let folder = folder();
    endpoint(&folder, 0.5, 1);
    let said = expect(say(&folder, &format!("{MODELS} --out @run")), 3);
    assert!(said.err.contains("incomplete"), "{}", said.err);
    assert!(
        said.err.contains("turnwise run --resume --out"),
        "{}",
        said.err
    );
    let run = folder.path().join("run");
    let timing = std::fs::read_to_string(run.join("timing.ndjson")).unwrap();
    let calls: Vec<serde_json::Value> = timing
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        calls.iter().any(|call| call["timing"]["attempts"] == 3),
        "some were tried again"
    );
    assert!(
        transcripts(&run)
            .values()
            .all(|text| !text.contains("attempts"))
    );
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
            "run --benchmark interactcomp --seat player=model:nobody/x --out @bad",
        ),
        1,
    );
    assert!(said.err.contains("no provider \"nobody\""), "{}", said.err);
    assert!(!folder.path().join("bad").exists());
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_or_killed_goes_on_where_it_was() {
    let whole = folder();
    endpoint(&whole, 0.0, 1);
    expect(say(&whole, &format!("{MODELS} --out @run")), 0);
    let whole = transcripts(&whole.path().join("run"));

    let folder = folder();
    endpoint(&folder, 0.0, 60);
    for signal in ["-INT", "-KILL", "-TERM"] {
        let name = format!("run{signal}");
        let run = folder.path().join(&name);
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
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
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let status = child.wait().unwrap();
        match signal {
            "-KILL" => assert_eq!(status.code(), None),
            _ => assert_eq!(status.code(), Some(3), "{signal}"),
        }
        let before = transcripts(&run);
        assert!(before.len() < whole.len(), "{signal} came too late");
        endpoint(&folder, 0.0, 1);
        expect(
            say(&folder, &format!("run --resume --data @data --out @{name}")),
            0,
        );
        assert_eq!(transcripts(&run), whole, "{signal}");
        endpoint(&folder, 0.0, 60);
    }
}

#[test]
fn results_of_the_reference_code_are_imported_and_measured() {
    let folder = folder();
    let model = folder.path().join("some_model");
    std::fs::create_dir(&model).unwrap();
    let file = "\
question,correct_answer,predicted_answer,confidence,history,score,cost,action_counts
Q1?,Foo,Foo,85%,\"[Round 1]
User: Q1?
    Action: ask (question: k1)
Observation: yes
[Round 2]
    Action: answer (answer: Foo, confidence: 85%)
Observation: {'answer': 'Foo', 'confidence': '85%'}\",1.0,0.1,\"{'answer': 1, 'search': 0, 'ask': 1, 'invalid': 0}\"
Q2?,Bar,Error,0,Error,0.0,0.0,{}
";
    std::fs::write(model.join("0.50000_x.csv"), file).unwrap();
    std::fs::write(
        folder.path().join("tasks.jsonl"),
        r#"{"id":1,"domain":"Made up","answer":"Foo","question":"Q1?","context":"c"}
{"id":2,"domain":"Made up","answer":"Bar","question":"Q2?","context":"c"}
"#,
    )
    .unwrap();
    let import = "import --format interactcomp-results @some_model/0.50000_x.csv";
    let said = expect(say(&folder, &format!("{import} --out @bare")), 0);
    assert!(
        said.out.contains("2 episodes of some_model"),
        "{}",
        said.out
    );
    expect(
        say(
            &folder,
            &format!("{import} --tasks @tasks.jsonl --out @run"),
        ),
        0,
    );
    let names: Vec<_> = transcripts(&folder.path().join("run"))
        .into_keys()
        .collect();
    assert_eq!(
        names,
        ["1.r1.grading.jsonl", "1.r1.play.jsonl", "2.r1.play.jsonl"]
    );
    let said = expect(say(&folder, "replay @run"), 2);
    assert!(
        said.err.contains("imported from another system"),
        "{}",
        said.err
    );
    let record = |words: &str| -> serde_json::Value {
        serde_json::from_str(&expect(say(&folder, words), 0).out).unwrap()
    };
    let named = record("metrics @run --json");
    assert_eq!((&named["n"], &named["accuracy"]), (&2.into(), &0.5.into()));
    assert_eq!(named["profile"], "reference");
    // Without tasks at the import, --tasks gives the same breakdown afterwards.
    let joined = record("metrics @bare --json --tasks @tasks.jsonl");
    assert_eq!(joined["by_domain"], named["by_domain"]);
    assert_ne!(
        record("metrics @bare --json")["by_domain"],
        named["by_domain"]
    );
    let said = expect(say(&folder, &format!("{import} --out @run")), 1);
    assert!(
        said.err.contains("transcripts in it already"),
        "{}",
        said.err
    );
    expect(say(&folder, "run --redrive @run --out @x"), 1);
}

#[test]
fn an_endpoint_and_an_engine_can_be_tried() {
    let folder = folder();
    endpoint(&folder, 0.0, 1);
    let said = expect(say(&folder, "providers test made/one --data @data"), 0);
    assert!(said.out.contains("scripted/one"), "{}", said.out);
    let said = expect(say(&folder, "providers test nobody/one --data @data"), 1);
    assert!(said.err.contains("nobody"), "{}", said.err);
    std::fs::write(
        folder.path().join("documents.jsonl"),
        "{\"id\":\"1\",\"title\":\"The blue mill\",\"text\":\"It stands by a river.\",\"url\":\"made:up\"}\n",
    )
    .unwrap();
    let said = expect(
        say(&folder, "search test mill --search local:@documents.jsonl"),
        0,
    );
    assert!(said.out.contains("1. The blue mill"), "{}", said.out);
    let said = expect(say(&folder, "search test mill --search nowhere"), 1);
    assert!(said.err.contains("local"), "{}", said.err);
}
