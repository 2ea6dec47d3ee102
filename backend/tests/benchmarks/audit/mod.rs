//! Audits on the command line: recorded calls of the judges of other benchmarks.

use crate::common::*;

/// The same built-in player says the same of the very same requests, whatever benchmark they are of.
#[test]
fn judges_graders_responders_and_engines_are_audited() {
    let folder = folder();
    let seats = [
        ("situation_puzzle", "judge"),
        ("math", "judge"),
        ("interactcomp", "responder"),
        ("interactcomp", "grader"),
        ("paraworld", "engine"),
    ];
    for (benchmark, seat) in seats {
        let run = format!("run --benchmark {benchmark} --limit 2 --out @{benchmark}-{seat}");
        folder.run(&run, 0);
        let take = format!(
            "audit take @{benchmark}-{seat} --seat {seat} --sample 9 --out @{seat}.zip --force"
        );
        folder.run(&take, 0);
        let audit = format!(
            "run --benchmark audit --tasks @{seat}.zip --repeats 2 --out @{benchmark}-{seat}-audit"
        );
        folder.run(&audit, 0);
        folder.run(&format!("replay @{benchmark}-{seat}-audit"), 0);
        let record = folder.json(&format!("metrics @{benchmark}-{seat}-audit --json"));
        let percents = [&record["agreement"]["percent"], &record["consistency"]["percent"]];
        assert_eq!(percents, [&json!(1.0), &json!(1.0)], "{benchmark} {seat}: {record}");
        assert_eq!(record["rankable"], json!(false));
    }
    // Both have one judge, so one audit can be of both.
    folder.run("audit take @situation_puzzle-judge @math-judge --out @both.zip", 0);
    for rater in ["one", "two"] {
        folder.run(&format!("run --benchmark audit --tasks @both.zip --out @{rater}"), 0);
    }
    let said = folder.run("audit disagreements @one @two --out @third.zip", 0);
    assert!(said.out.contains("They differ nowhere") && !folder.at("third.zip").exists());
    for (words, why) in [
        ("@one", "it is an audit itself"),
        ("@math-judge --seat engine", "math has no seat \"engine\"; it has player, judge, grader"),
    ] {
        folder.run(&format!("audit take {words} --out @x.zip"), 1).err_has(why);
    }
}
