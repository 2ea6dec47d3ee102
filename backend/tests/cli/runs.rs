//! Names and tags of runs from the command line, and a log of ours that is brought back.

use crate::common::*;

#[test]
fn a_run_is_named_and_tagged_and_its_log_comes_back_byte_for_byte() {
    let folder = folder();
    let run = format!("run --benchmark {QUESTIONS} --out @run");
    let wrong = folder.run(&format!("{run} --tag a,b"), 1);
    wrong.err_has("commas");
    folder.run(&format!("{run} --tag one --tag two"), 0);
    let file = folder.at("run").join("run.json");
    let told =
        || -> Value { serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap() };
    let before = told();
    let first = before["title"].as_str().unwrap().to_owned();
    assert!(!first.is_empty() && !first.contains('/'), "{first}");
    assert_eq!(before["tags"], json!(["one", "two"]));

    let said = folder.run("runs rename @run Mine", 0);
    said.out_has("Mine [one, two]");
    folder.run("runs tag @run three", 0);
    let after = told();
    assert_eq!(after["title"], "Mine");
    assert_eq!(after["tags"], json!(["three"]));
    assert_eq!(after["spec"], before["spec"]);
    folder.run("runs rename @run", 0);
    assert_eq!(told()["title"], first.as_str());
    let none = folder.run("runs rename @nowhere Mine --data @.", 1);
    assert!(!none.err.is_empty());

    folder.run("export @run --format eval --out @run.eval", 0);
    let said = folder.run("import --format inspect @run.eval --out @back", 0);
    said.out_has("as Turnwise recorded them");
    assert_eq!(said.err, "");
    assert_eq!(folder.transcripts("back"), folder.transcripts("run"));
    folder.run("replay @back", 0);
}

#[test]
fn what_a_run_has_found_answers_others_by_content() {
    let folder = folder();
    let run = format!("run --benchmark {QUESTIONS} --limit 4");
    folder.run(&format!("{run} --out @first"), 0);
    let frozen = format!("{run} --search frozen:@first");
    folder.run(&format!("{frozen} --concurrency 1 --out @again"), 0);
    let told = |name: &str| {
        let texts = folder.transcripts(name);
        let lines = texts.values().flat_map(|text| text.lines());
        let found = lines.filter(|line| line.contains("\"reply\":\"found\""));
        (found.clone().count(), found.filter(|line| line.contains("\"by\":\"index\"")).count())
    };
    assert_eq!((told("again"), told("again").1), (told("first"), 0));
    let file = std::fs::read_to_string(folder.at("again").join("run.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(file["spec"]["search"]["engine"], "frozen:local");
    folder.run("run --resume --out @again", 0);
    folder.run("run --redrive @again --out @redriven", 0);
    assert_eq!(folder.transcripts("redriven"), folder.transcripts("again"));
    for (flags, part) in [
        ("--search frozen:@nowhere", "nowhere"),
        ("--web tape:@first", "no pages were read"),
        ("--web live", "reads no pages"),
        ("--web archive:@first --out @x", "frozen:DIR"),
    ] {
        let said = folder.say(&format!("{run} {flags} --out @bad"));
        assert!(said.status > 0 && said.err.contains(part), "{flags}: {said:?}");
    }
}
