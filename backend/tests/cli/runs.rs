//! Names and tags of runs from the command line, and a log of ours that is brought back.

use serde_json::Value;
use turnwise_shared::examples::QUESTIONS;

use crate::common::program::{expect, folder, say, transcripts};

#[test]
fn a_run_is_named_and_tagged_and_its_log_comes_back_byte_for_byte() {
    let folder = folder();
    let run = format!("run --benchmark {QUESTIONS} --out @run");
    let wrong = expect(say(&folder, &format!("{run} --tag a,b")), 1);
    assert!(wrong.err.contains("commas"), "{wrong:?}");
    expect(say(&folder, &format!("{run} --tag one --tag two")), 0);
    let file = folder.path().join("run").join("run.json");
    let told =
        || -> Value { serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap() };
    let before = told();
    let first = before["title"].as_str().unwrap().to_owned();
    assert!(!first.is_empty() && !first.contains('/'), "{first}");
    assert_eq!(before["tags"], serde_json::json!(["one", "two"]));

    let said = expect(say(&folder, "runs rename @run Mine"), 0);
    assert!(said.out.contains("Mine [one, two]"), "{said:?}");
    expect(say(&folder, "runs tag @run three"), 0);
    let after = told();
    assert_eq!(after["title"], "Mine");
    assert_eq!(after["tags"], serde_json::json!(["three"]));
    assert_eq!(after["spec"], before["spec"]);
    expect(say(&folder, "runs rename @run"), 0);
    assert_eq!(told()["title"], first.as_str());
    let none = expect(say(&folder, "runs rename @nowhere Mine --data @."), 1);
    assert!(!none.err.is_empty());

    expect(say(&folder, "export @run --format eval --out @run.eval"), 0);
    let said = expect(say(&folder, "import --format inspect @run.eval --out @back"), 0);
    assert!(said.out.contains("as Turnwise recorded them"), "{said:?}");
    assert_eq!(said.err, "");
    assert_eq!(transcripts(&folder.path().join("back")), transcripts(&folder.path().join("run")));
    expect(say(&folder, "replay @back"), 0);
}
