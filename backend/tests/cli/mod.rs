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
fn recorded() -> (Folder, PathBuf) {
    let folder = folder();
    folder.run(&format!("run --benchmark {QUESTIONS} --out @run"), 0);
    let run = folder.at("run");
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

    let said = folder.run("replay @run", 0);
    assert_eq!(said.out.lines().count(), names.len());
    assert!(said.out.lines().all(|line| line.contains(": same, ")), "{}", said.out);
    assert_eq!(said.err, "");

    let record = folder.json("metrics @run --json");
    assert_eq!(record["benchmark"], QUESTIONS);
    assert_eq!(record["n"], 20);
    let said = folder.run("metrics @run", 0);
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
    let said = folder.run("replay @run", 1);
    said.err_has("3.r1.play.jsonl: line 3");
    // The others are replayed all the same, and its grading has no sound play any more.
    said.out_has("4.r1.play.jsonl: same");
    folder.run("metrics @run", 1).err_has("line 3");
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

    folder.run("replay @run/2.r1.play.jsonl", 1).err_has("line 3: the transcript ends here");

    folder.run("run --resume --out @run", 0);
    assert_eq!(transcripts(&run), before);
    folder.run("replay @run", 0);
    // Nothing is left to do: a second time changes nothing.
    folder.run(&format!("run --benchmark {QUESTIONS} --resume --out @run"), 0);
    assert_eq!(transcripts(&run), before);
}

#[test]
fn a_folder_with_a_run_is_refused_without_resume_and_other_flags_with_it() {
    let (folder, run) = recorded();
    let before = transcripts(&run);
    folder.run(&format!("run --benchmark {QUESTIONS} --out @run"), 1).err_has("--resume");
    folder
        .run(&format!("run --benchmark {QUESTIONS} --rounds 7 --resume --out @run"), 1)
        .err_has("settings.rounds: 10");
    folder.run("run --rounds 7 --resume --out @run", 1).err_has("--rounds");
    assert_eq!(transcripts(&run), before);
    folder.run("run --resume --out @nothing", 1).err_has("no run (run.json)");
    // Transcripts alone, as a browser hands them out, can be taken up with the flags of their run.
    for name in ["run.json", "pack.json"] {
        std::fs::remove_file(run.join(name)).unwrap();
    }
    std::fs::remove_file(run.join("20.r1.grading.jsonl")).unwrap();
    folder
        .run(&format!("run --benchmark {QUESTIONS} --rounds 7 --resume --out @run"), 1)
        .err_has("line 1: spec.settings.rounds");
    folder.run(&format!("run --benchmark {QUESTIONS} --resume --out @run"), 0);
    assert_eq!(transcripts(&run), before);
    // A run that is resumed before it began, begins.
    folder.run(&format!("run --benchmark {QUESTIONS} --limit 2 --resume --out @new"), 0);
    assert_eq!(folder.transcripts("new").len() % 2, 0);
}

#[test]
fn a_run_driven_again_from_its_recording_is_the_same_byte_for_byte() {
    let (folder, run) = recorded();
    let before = transcripts(&run);
    folder.run("run --redrive @run --out @again", 0);
    assert_eq!(folder.transcripts("again"), before);
    // The same by hand: every seat on the recording, and the player's recording answers searches too.
    folder.run(&format!(
                "run --benchmark {QUESTIONS} --seat player=tape:@run --seat responder=tape:@run --seat grader=tape:@run \
             --concurrency 1 --out @hand"
            ), 0);
    assert_eq!(folder.transcripts("hand"), before);
    // Without run.json the transcripts say everything.
    std::fs::remove_file(run.join("run.json")).unwrap();
    folder.run("run --redrive @run --out @bare", 0);
    assert_eq!(folder.transcripts("bare"), before);
    // A run from a recording can be resumed like any other.
    let hand = folder.at("hand");
    change(&hand.join("6.r1.play.jsonl"), |text| text[..text.len() / 2].to_owned());
    let _ = std::fs::remove_file(hand.join("6.r1.grading.jsonl"));
    let run_json = std::fs::read_to_string(hand.join("run.json")).unwrap();
    assert!(run_json.contains("tape:"), "{run_json}");
    folder.run("run --resume --out @hand", 0);
    assert_eq!(transcripts(&hand), before);
}

#[test]
fn a_recording_answers_the_same_questions_only() {
    let (folder, _) = recorded();
    folder.run(&format!(
                "run --benchmark {QUESTIONS} --rounds 5 --seat player=tape:@run --limit 3 --out @other"
            ), 3).err_has("--resume");
    let texts = folder.transcripts("other");
    assert_eq!(texts.len(), 3);
    assert!(texts.values().all(|text| text.contains("off_tape")));
    // Incomplete is an ending, and it replays.
    folder.run("replay @other", 0);
    folder
        .run(&format!("run --benchmark {QUESTIONS} --seat player=tape:@nowhere --out @x"), 1)
        .err_has("nowhere");
}

#[test]
fn a_database_that_was_never_made_is_named_and_not_made() {
    let folder = folder();
    folder.run("boards --data @nowhere", 1).err_has("turnwise serve");
    assert!(!folder.at("nowhere").exists());
}

#[test]
fn what_is_not_at_hand_is_named() {
    let (folder, run) = recorded();
    let own = folder.at("own.jsonl");
    std::fs::write(
        &own,
        r#"{"id":"a-1","domain":"Made up","answer":"The mill","question":"Which mill?","context":"It stands by a river."}
{"id":2,"domain":"Made up","answer":"The bridge","question":"Which bridge?","context":"It is made of wood."}
"#,
    )
    .unwrap();
    let mine = format!("run --benchmark {QUESTIONS} --mode ask_only --tasks @own.jsonl");
    folder.run(&format!("{mine} --out @mine"), 0);
    let mine = folder.at("mine");
    assert_eq!(std::fs::read(mine.join("tasks.dat")).unwrap(), std::fs::read(&own).unwrap());
    folder.run("replay @mine", 0);
    // The episode alone, elsewhere: its tasks are not there.
    let alone = folder.at("alone.jsonl");
    std::fs::copy(mine.join("a-1.r1.play.jsonl"), &alone).unwrap();
    let said = folder.run("replay @alone.jsonl", 2);
    said.err_has("task a-1 of own.jsonl");
    said.err_has("--tasks");
    folder.run("replay @alone.jsonl --tasks @own.jsonl", 0);
    // A grading without its episode.
    let names = transcripts(&run);
    let grading = names.keys().find(|name| name.contains("grading")).unwrap();
    std::fs::create_dir(folder.at("lone")).unwrap();
    std::fs::copy(run.join(grading), folder.at("lone/grading.jsonl")).unwrap();
    folder.run("replay @lone", 2).err_has("transcript of its episode");
    // The worst status counts.
    folder.run("replay @run @lone", 2).out_has("not replayable");
    folder.run("replay @nowhere", 1).err_has("no such file");
}

#[test]
fn specs_are_not_mixed_and_runs_of_one_spec_are_repeats() {
    let folder = folder();
    let run = format!("run --benchmark {QUESTIONS} --mode ask_only --limit 4 --out");
    folder.run(&format!("{run} @one"), 0);
    folder.run(&format!("{run} @two"), 0);
    folder.run(&format!("{run} @three --rounds 4"), 0);
    let record = folder.json("metrics @one @two --json");
    assert_eq!(record["n"], 8);
    let said = folder.run("metrics @one @three --json", 1);
    for part in ["one", "three", "settings.rounds is 10 and 4"] {
        said.err_has(part);
    }
}

#[test]
fn a_subset_is_chosen_and_mistakes_are_named() {
    let folder = folder();
    let run = format!("run --benchmark {QUESTIONS} --mode ask_only --out");
    folder.run(&format!("{run} @zh --subset language=zh --limit 3 --repeats 2"), 0);
    let names = folder.transcripts("zh");
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
        folder.run(&format!("{run} @bad {flags}"), 1).err_has(part);
        assert!(!folder.at("bad").exists(), "{flags}");
    }
    for flags in
        ["--seat player=gpt", "--profile loose", "--concurrency 0", "--limit 0", "--redrive @zh"]
    {
        folder.run(&format!("{run} @bad {flags}"), 2);
    }
    folder.run("run --out @bad", 2);
}

#[test]
fn a_pack_of_ones_own_is_imported_and_played() {
    let folder = folder();
    let templates = folder.at("mine");
    std::fs::create_dir(&templates).unwrap();
    std::fs::write(
        templates.join("responder.txt"),
        "Say yes, no or i don't know.\n{context}\n{question}\n",
    )
    .unwrap();
    let said = folder.run("prompts import @mine --out @pack.json", 0);
    said.out_has("responder: differs");
    said.out_has("not verbatim");
    let pack = folder.read("pack.json");
    assert!(pack.contains("\"name\": \"mine-"), "{pack}");
    let run = format!("run --benchmark {QUESTIONS} --mode ask_only --limit 2");
    folder.run(&format!("{run} --pack @pack.json --out @run"), 0);
    folder.run("replay @run", 0);
    // A pack that claims to be verbatim has to have the words.
    change(&folder.at("pack.json"), |text| {
        let start = text.find("\"mine-").unwrap();
        let end = start + 1 + text[start + 1..].find('"').unwrap();
        let (before, after) = (&text[..start], &text[end..]);
        format!("{before}\"{QUESTIONS}-verbatim{after}")
    });
    folder.run(&format!("{run} --pack @pack.json --out @false"), 1).err_has("not the paper's");
    folder.run("prompts show responder", 0).out_has("{context}");
}
