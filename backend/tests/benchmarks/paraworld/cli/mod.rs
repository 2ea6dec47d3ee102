//! Mind-ParaWorld on the command line: worlds built and checked, runs measured, compared, exported and imported. All texts
//! here are made up.

mod judged;
mod runs;

use crate::common::*;

#[track_caller]
fn near(record: &Value, wanted: &[(&str, f64)]) {
    for (path, wanted) in wanted {
        let found = record.pointer(path).and_then(Value::as_f64);
        let fits = found.is_some_and(|found| (found - wanted).abs() < 6e-7);
        assert!(fits, "{path}: {found:?} against {wanted}");
    }
}

#[test]
fn worlds_are_built_and_checked() {
    let folder = folder();
    let words = "worlds build --seed 1 --tier hard --count 5 --lang en --out @worlds.jsonl";
    folder.run(words, 0).out_has("5 worlds; tier hard 5; language en 5");
    let path = folder.at("worlds.jsonl");
    let first = std::fs::read(&path).unwrap();
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(folder.at("worlds.manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["per_tier"], json!({ "hard": 5 }));
    assert_eq!(manifest["seeds"], json!({ "worlds": 1 }));
    // Nothing is built for a folder that is not there.
    folder.run(&words.replace("@worlds", "@no/worlds"), 1).err_has("no such folder");
    // Not overwritten, unless that is asked for; the same words build the same bytes.
    folder.run(words, 1).err_has("--force");
    folder.run(&format!("{words} --force"), 0);
    assert_eq!(std::fs::read(&path).unwrap(), first);
    let record = folder.json("worlds check @worlds.jsonl --json");
    assert_eq!(
        [&record["worlds"], &record["errors"], &record["warnings"], &record["manifest"]],
        [&json!(5), &json!(0), &json!(0), &json!("agrees")]
    );
    folder.run("worlds build --seed 2 --tier all --count 6 --lang both --family ratio --category Band --out @both.jsonl", 0).out_has("tier easy 2, mid 2, hard 2; language en 3, zh 3; category Band 6");
    let said = folder.run("worlds build --seed 2 --category Submarine --out @none.jsonl", 1);
    said.err_has("Submarine");
    said.err_has("Band");
    assert!(!folder.at("none.jsonl").exists());
}

#[test]
fn broken_rows_are_named_and_the_others_checked() {
    let folder = folder();
    folder.run("worlds build --seed 1 --tier easy --count 3 --out @good.jsonl", 0);
    let good = folder.read("good.jsonl");
    let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
    let mut no_answer: Value = serde_json::from_str(&lines[1]).unwrap();
    no_answer.as_object_mut().unwrap().remove("answer");
    lines[1] = no_answer.to_string();
    let mut other_answer: Value = serde_json::from_str(&lines[2]).unwrap();
    other_answer["answer"] = json!("something else");
    lines[2] = other_answer.to_string();
    lines.push("{ not json".to_owned());
    // An official row: no notes of ours, a key that says nothing of the question.
    let official = json!({
        "index": 77, "prompt": [{ "role": "user", "content": "How tall are Ada and Bert together?" }],
        "answer": "7 metres",
        "extra_info": { "world_truth_info": { "atomic_facts": { "first height": "3 metres", "second height": "4 metres" } } },
    });
    lines.push(official.to_string());
    folder.write("mixed.jsonl", lines.join("\n"));
    let said = folder.run("worlds check @mixed.jsonl", 1);
    for wanted in [
        "row 2: error: field answer: it is missing or blank",
        "row 3: error: the facts give another answer",
        "row 4: error: it is not JSON",
        "row 5: warning: the key \"first height\" is bare",
        "3 worlds; tier easy 3",
    ] {
        said.out_has(wanted);
    }
    // The same complaint about many rows stands once.
    let many = vec![no_answer.to_string(); 30].join("\n");
    folder.write("many.jsonl", &many);
    let said = folder.run("worlds check @many.jsonl", 1);
    let wanted = "rows 1 to 30: error: field answer: it is missing or blank; every row needs it\n";
    assert!(said.out.starts_with(wanted), "{}", said.out);
    said.out_has("30 errors, 0 warnings");
    folder.write("official.jsonl", official.to_string());
    let record = folder.json("worlds check @official.jsonl --json");
    assert_eq!((&record["errors"], &record["manifest"]), (&json!(0), &json!("none")));
    assert!(record["warnings"].as_u64().unwrap() >= 2, "{record}");
    folder.write("empty.jsonl", "\n");
    folder.run("worlds check @empty.jsonl", 1).err_has("no rows");
    // What cannot be played names its file once.
    let said = folder.run("run --benchmark paraworld --tasks @empty.jsonl --out @run", 1);
    assert_eq!(said.err.matches("empty.jsonl").count(), 1, "{}", said.err);
    // Nothing is counted where nothing can be read.
    folder.write("prose.jsonl", "prose\n");
    folder.run("worlds check @prose.jsonl", 1).out_has("prose.jsonl: 0 worlds\n");
    // A manifest of another file.
    std::fs::copy(folder.at("good.manifest.json"), folder.at("official.manifest.json")).unwrap();
    folder.run("worlds check @official.jsonl", 1).out_has("does not hold the worlds");
    // As tasks.
    folder.run("import --format mpw-tasks @good.jsonl --out @copy.jsonl", 0);
    assert_eq!(folder.lines("copy.jsonl"), folder.lines("good.jsonl"));
    folder.run("import --format mpw-tasks @mixed.jsonl --out @no.jsonl", 1).err_has("row 2");
}

#[test]
fn worlds_of_given_names() {
    let folder = folder();
    let names = [
        "Ada Choir",
        "Brick Lane Five",
        "Copper Owls",
        "Dune Radio",
        "Elmtown",
        "Foxglove",
        "Glass Harbour",
        "Hollow Kites",
        "Ivory Tram",
        "Jade Wolves",
        "Kettle Drummers",
        "Lanternfish",
    ];
    let pool = json!({ "domain": "Band", "entities": names });
    folder.write("pool.jsonl", format!("{pool}\n"));
    let words = "worlds build --seed 5 --count 4 --pool @pool.jsonl";
    folder.run(&format!("{words} --out @named.jsonl"), 0);
    let record = folder.json("worlds check @named.jsonl --json");
    assert_eq!(
        [&record["errors"], &record["warnings"], &record["per_category"]],
        [&json!(0), &json!(0), &json!({ "Band": 4 })]
    );
    for world in folder.lines("named.jsonl") {
        let text = world.to_string();
        assert!(names.iter().any(|name| text.contains(name)), "{text}");
    }
    folder.run(&format!("{words} --lang zh --out @zh.jsonl"), 1).err_has("0 names in zh");
    folder.run(&format!("{words} --category Club --out @club.jsonl"), 1).err_has("Club");
}
