//! The program as other programs call it, on the sample tasks with built-in bots.

mod admin;
mod grid;
mod imports;
pub mod models;
mod runs;
mod services;
mod snapshots;
mod terminal;

use std::path::PathBuf;

use crate::common::*;

/// A run of all samples with the default bots, in `@run`.
fn recorded() -> (TempDir, PathBuf) {
    let folder = folder();
    expect(say(&folder, &format!("run --benchmark {QUESTIONS} --out @run")), 0);
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
    let others = names.iter().filter(|name| name.ends_with(".r1.grading.jsonl"));
    assert_eq!(others.count() + 20, names.len());

    let said = expect(say(&folder, "replay @run"), 0);
    assert_eq!(said.out.lines().count(), names.len());
    assert!(said.out.lines().all(|line| line.contains(": same, ")), "{}", said.out);
    assert_eq!(said.err, "");

    let said = expect(say(&folder, "metrics @run --json"), 0);
    let record: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(record["benchmark"], QUESTIONS);
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
    // A line cut in two, an episode cut between lines, one with its grading gone, one that never began.
    change(&run.join("1.r1.play.jsonl"), |text| text[..text.len() - 40].to_owned());
    change(&run.join("2.r1.play.jsonl"), |text| {
        text.lines().take(3).map(|line| format!("{line}\n")).collect()
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
    assert!(said.err.contains("line 3: the transcript ends here"), "{}", said.err);

    expect(say(&folder, "run --resume --out @run"), 0);
    assert_eq!(transcripts(&run), before);
    expect(say(&folder, "replay @run"), 0);
    // Nothing is left to do: a second time changes nothing.
    expect(say(&folder, &format!("run --benchmark {QUESTIONS} --resume --out @run")), 0);
    assert_eq!(transcripts(&run), before);
}

#[test]
fn a_folder_with_a_run_is_refused_without_resume_and_other_flags_with_it() {
    let (folder, run) = recorded();
    let before = transcripts(&run);
    let said = expect(say(&folder, &format!("run --benchmark {QUESTIONS} --out @run")), 1);
    assert!(said.err.contains("--resume"), "{}", said.err);
    let said = expect(
        say(&folder, &format!("run --benchmark {QUESTIONS} --rounds 7 --resume --out @run")),
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
        say(&folder, &format!("run --benchmark {QUESTIONS} --rounds 7 --resume --out @run")),
        1,
    );
    assert!(said.err.contains("line 1: spec.settings.rounds"), "{}", said.err);
    expect(say(&folder, &format!("run --benchmark {QUESTIONS} --resume --out @run")), 0);
    assert_eq!(transcripts(&run), before);
    // A run that is resumed before it began, begins.
    expect(say(&folder, &format!("run --benchmark {QUESTIONS} --limit 2 --resume --out @new")), 0);
    assert_eq!(transcripts(&folder.path().join("new")).len() % 2, 0);
}

#[test]
fn a_run_driven_again_from_its_recording_is_the_same_byte_for_byte() {
    let (folder, run) = recorded();
    let before = transcripts(&run);
    expect(say(&folder, "run --redrive @run --out @again"), 0);
    assert_eq!(transcripts(&folder.path().join("again")), before);
    // The same by hand: every seat on the recording, and the player's recording answers searches too.
    expect(
        say(
            &folder,
            &format!(
                "run --benchmark {QUESTIONS} --seat player=tape:@run --seat responder=tape:@run --seat grader=tape:@run \
             --concurrency 1 --out @hand"
            ),
        ),
        0,
    );
    assert_eq!(transcripts(&folder.path().join("hand")), before);
    // Without run.json the transcripts say everything.
    std::fs::remove_file(run.join("run.json")).unwrap();
    expect(say(&folder, "run --redrive @run --out @bare"), 0);
    assert_eq!(transcripts(&folder.path().join("bare")), before);
    // A run from a recording can be resumed like any other.
    let hand = folder.path().join("hand");
    change(&hand.join("6.r1.play.jsonl"), |text| text[..text.len() / 2].to_owned());
    let _ = std::fs::remove_file(hand.join("6.r1.grading.jsonl"));
    let run_json = std::fs::read_to_string(hand.join("run.json")).unwrap();
    assert!(run_json.contains("tape:"), "{run_json}");
    expect(say(&folder, "run --resume --out @hand"), 0);
    assert_eq!(transcripts(&hand), before);
}

#[test]
fn a_recording_answers_the_same_questions_only() {
    let (folder, _) = recorded();
    let said = expect(
        say(
            &folder,
            &format!(
                "run --benchmark {QUESTIONS} --rounds 5 --seat player=tape:@run --limit 3 --out @other"
            ),
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
        say(&folder, &format!("run --benchmark {QUESTIONS} --seat player=tape:@nowhere --out @x")),
        1,
    );
    assert!(said.err.contains("nowhere"), "{}", said.err);
}

#[test]
fn a_database_that_was_never_made_is_named_and_not_made() {
    let folder = folder();
    let said = expect(say(&folder, "boards --data @nowhere"), 1);
    assert!(said.err.contains("turnwise serve"), "{}", said.err);
    assert!(!folder.path().join("nowhere").exists());
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
    let mine = format!("run --benchmark {QUESTIONS} --mode ask_only --tasks @own.jsonl");
    expect(say(&folder, &format!("{mine} --out @mine")), 0);
    let mine = folder.path().join("mine");
    assert_eq!(std::fs::read(mine.join("tasks.dat")).unwrap(), std::fs::read(&own).unwrap());
    expect(say(&folder, "replay @mine"), 0);
    // The episode alone, elsewhere: its tasks are not there.
    let alone = folder.path().join("alone.jsonl");
    std::fs::copy(mine.join("a-1.r1.play.jsonl"), &alone).unwrap();
    let said = expect(say(&folder, "replay @alone.jsonl"), 2);
    assert!(said.err.contains("task a-1 of own.jsonl"), "{}", said.err);
    assert!(said.err.contains("--tasks"), "{}", said.err);
    expect(say(&folder, "replay @alone.jsonl --tasks @own.jsonl"), 0);
    // A grading without its episode.
    let names = transcripts(&run);
    let grading = names.keys().find(|name| name.contains("grading")).unwrap();
    std::fs::create_dir(folder.path().join("lone")).unwrap();
    std::fs::copy(run.join(grading), folder.path().join("lone/grading.jsonl")).unwrap();
    let said = expect(say(&folder, "replay @lone"), 2);
    assert!(said.err.contains("transcript of its episode"), "{}", said.err);
    // The worst status counts.
    let said = expect(say(&folder, "replay @run @lone"), 2);
    assert!(said.out.contains("not replayable"), "{}", said.out);
    let said = expect(say(&folder, "replay @nowhere"), 1);
    assert!(said.err.contains("no such file"), "{}", said.err);
}

#[test]
fn specs_are_not_mixed_and_runs_of_one_spec_are_repeats() {
    let folder = folder();
    let run = format!("run --benchmark {QUESTIONS} --mode ask_only --limit 4 --out");
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
    let run = format!("run --benchmark {QUESTIONS} --mode ask_only --out");
    expect(say(&folder, &format!("{run} @zh --subset language=zh --limit 3 --repeats 2")), 0);
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
    for flags in
        ["--seat player=gpt", "--profile loose", "--concurrency 0", "--limit 0", "--redrive @zh"]
    {
        expect(say(&folder, &format!("{run} @bad {flags}")), 2);
    }
    expect(say(&folder, "run --out @bad"), 2);
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
    let run = format!("run --benchmark {QUESTIONS} --mode ask_only --limit 2");
    expect(say(&folder, &format!("{run} --pack @pack.json --out @run")), 0);
    expect(say(&folder, "replay @run"), 0);
    // A pack that claims to be verbatim has to have the words.
    change(&folder.path().join("pack.json"), |text| {
        let start = text.find("\"mine-").unwrap();
        let end = start + 1 + text[start + 1..].find('"').unwrap();
        let (before, after) = (&text[..start], &text[end..]);
        format!("{before}\"{QUESTIONS}-verbatim{after}")
    });
    let said = expect(say(&folder, &format!("{run} --pack @pack.json --out @false")), 1);
    assert!(said.err.contains("not the paper's"), "{}", said.err);
    let said = expect(say(&folder, "prompts show responder"), 0);
    assert!(said.out.contains("{context}"), "{}", said.out);
}
