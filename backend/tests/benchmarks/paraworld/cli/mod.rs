//! Mind-ParaWorld on the command line: worlds built and checked, runs measured, compared, exported and imported. All texts
//! here are made up.

mod judged;
mod runs;

use crate::common::*;

fn write(folder: &TempDir, name: &str, text: &str) {
    std::fs::write(folder.path().join(name), text).unwrap();
}

fn values(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

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
    let said = expect(say(&folder, words), 0);
    assert!(said.out.contains("5 worlds; tier hard 5; language en 5"), "{}", said.out);
    let path = folder.path().join("worlds.jsonl");
    let first = std::fs::read(&path).unwrap();
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("worlds.manifest.json")).unwrap())
            .unwrap();
    assert_eq!(manifest["per_tier"], json!({ "hard": 5 }));
    assert_eq!(manifest["seeds"], json!({ "worlds": 1 }));
    // Nothing is built for a folder that is not there.
    let said = expect(say(&folder, &words.replace("@worlds", "@no/worlds")), 1);
    assert!(said.err.contains("no such folder"), "{}", said.err);
    // Not overwritten, unless that is asked for; the same words build the same bytes.
    let said = expect(say(&folder, words), 1);
    assert!(said.err.contains("--force"), "{}", said.err);
    expect(say(&folder, &format!("{words} --force")), 0);
    assert_eq!(std::fs::read(&path).unwrap(), first);
    let record = json_of(&folder, "worlds check @worlds.jsonl --json");
    assert_eq!(
        [&record["worlds"], &record["errors"], &record["warnings"], &record["manifest"]],
        [&json!(5), &json!(0), &json!(0), &json!("agrees")]
    );
    let said = expect(
        say(
            &folder,
            "worlds build --seed 2 --tier all --count 6 --lang both --family ratio --category Band --out @both.jsonl",
        ),
        0,
    );
    assert!(
        said.out.contains("tier easy 2, mid 2, hard 2; language en 3, zh 3; category Band 6"),
        "{}",
        said.out
    );
    let said =
        expect(say(&folder, "worlds build --seed 2 --category Submarine --out @none.jsonl"), 1);
    assert!(said.err.contains("Submarine") && said.err.contains("Band"), "{}", said.err);
    assert!(!folder.path().join("none.jsonl").exists());
}

#[test]
fn broken_rows_are_named_and_the_others_checked() {
    let folder = folder();
    expect(say(&folder, "worlds build --seed 1 --tier easy --count 3 --out @good.jsonl"), 0);
    let good = std::fs::read_to_string(folder.path().join("good.jsonl")).unwrap();
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
    write(&folder, "mixed.jsonl", &lines.join("\n"));
    let said = expect(say(&folder, "worlds check @mixed.jsonl"), 1);
    for wanted in [
        "row 2: error: field answer: it is missing or blank",
        "row 3: error: the facts give another answer",
        "row 4: error: it is not JSON",
        "row 5: warning: the key \"first height\" is bare",
        "3 worlds; tier easy 3",
    ] {
        assert!(said.out.contains(wanted), "{wanted}: {}", said.out);
    }
    // The same complaint about many rows stands once.
    let many = vec![no_answer.to_string(); 30].join("\n");
    write(&folder, "many.jsonl", &many);
    let said = expect(say(&folder, "worlds check @many.jsonl"), 1);
    let wanted = "rows 1 to 30: error: field answer: it is missing or blank; every row needs it\n";
    assert!(said.out.starts_with(wanted), "{}", said.out);
    assert!(said.out.contains("30 errors, 0 warnings"), "{}", said.out);
    write(&folder, "official.jsonl", &official.to_string());
    let record = json_of(&folder, "worlds check @official.jsonl --json");
    assert_eq!((&record["errors"], &record["manifest"]), (&json!(0), &json!("none")));
    assert!(record["warnings"].as_u64().unwrap() >= 2, "{record}");
    write(&folder, "empty.jsonl", "\n");
    let said = expect(say(&folder, "worlds check @empty.jsonl"), 1);
    assert!(said.err.contains("no rows"), "{}", said.err);
    // What cannot be played names its file once.
    let said = expect(say(&folder, "run --benchmark paraworld --tasks @empty.jsonl --out @run"), 1);
    assert_eq!(said.err.matches("empty.jsonl").count(), 1, "{}", said.err);
    // Nothing is counted where nothing can be read.
    write(&folder, "prose.jsonl", "prose\n");
    let said = expect(say(&folder, "worlds check @prose.jsonl"), 1);
    assert!(said.out.contains("prose.jsonl: 0 worlds\n"), "{}", said.out);
    // A manifest of another file.
    std::fs::copy(
        folder.path().join("good.manifest.json"),
        folder.path().join("official.manifest.json"),
    )
    .unwrap();
    let said = expect(say(&folder, "worlds check @official.jsonl"), 1);
    assert!(said.out.contains("does not hold the worlds"), "{}", said.out);
    // As tasks.
    expect(say(&folder, "import --format mpw-tasks @good.jsonl --out @copy.jsonl"), 0);
    assert_eq!(
        values(&folder.path().join("copy.jsonl")),
        values(&folder.path().join("good.jsonl"))
    );
    let said = expect(say(&folder, "import --format mpw-tasks @mixed.jsonl --out @no.jsonl"), 1);
    assert!(said.err.contains("row 2"), "{}", said.err);
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
    write(&folder, "pool.jsonl", &format!("{pool}\n"));
    let words = "worlds build --seed 5 --count 4 --pool @pool.jsonl";
    expect(say(&folder, &format!("{words} --out @named.jsonl")), 0);
    let record = json_of(&folder, "worlds check @named.jsonl --json");
    assert_eq!(
        [&record["errors"], &record["warnings"], &record["per_category"]],
        [&json!(0), &json!(0), &json!({ "Band": 4 })]
    );
    for world in values(&folder.path().join("named.jsonl")) {
        let text = world.to_string();
        assert!(names.iter().any(|name| text.contains(name)), "{text}");
    }
    let said = expect(say(&folder, &format!("{words} --lang zh --out @zh.jsonl")), 1);
    assert!(said.err.contains("0 names in zh"), "{}", said.err);
    let said = expect(say(&folder, &format!("{words} --category Club --out @club.jsonl")), 1);
    assert!(said.err.contains("Club"), "{}", said.err);
}
