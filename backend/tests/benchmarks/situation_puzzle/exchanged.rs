//! Runs leave in the form of the authors' files, and their files come and go without loss.

use crate::common::*;

#[test]
fn runs_come_back_with_the_same_numbers() {
    let folder = folder();
    let record = |run: &str| -> Value {
        let said = folder.run(&format!("metrics @{run} --json"), 0);
        serde_json::from_str(&said.out).unwrap()
    };
    for (name, settings) in
        [("interactive", "--set mode=interactive --set rounds=6"), ("direct", "--set mode=direct")]
    {
        let words = format!(
            "run --benchmark situation_puzzle --profile reference {settings} --limit 4 --out @{name}"
        );
        folder.run(&words, 0);
        let export = format!("export --format puzzle-results @{name} --out @{name}.json");
        let said = folder.run(&export, 0);
        assert!(said.out.starts_with("4 puzzles written to"), "{}", said.out);
        let import = format!("import --format puzzle-results @{name}.json --out @{name}-again");
        folder.run(&import, 0).out_has("4 episodes of");
        let (ours, again) = (record(name), record(&format!("{name}-again")));
        for key in [
            "n",
            "accuracy",
            "accuracy_with_final",
            "average_turns",
            "questions",
            "finals",
            "judge_answers",
            "outcomes",
            "prefix_curve",
        ] {
            assert_eq!(again[key], ours[key], "{name}, {key}");
        }
        assert_eq!(ours["rankable"], true, "{name}");
        assert_eq!(again["rankable"], false, "{name}: it was imported");
        let export =
            format!("export --format puzzle-results @{name}-again --out @{name}-back.json");
        folder.run(&export, 0);
        let read = |file: String| std::fs::read(folder.at(file)).unwrap();
        assert_eq!(read(format!("{name}-back.json")), read(format!("{name}.json")));
    }
    let two = "export --format puzzle-results @direct @interactive --out @x.json";
    folder.run(two, 1).err_has("2 folders were named");
}

/// A sweep leaves as one file for each number of turns; the other formats hold all of it.
#[test]
fn a_sweep_leaves_as_a_file_for_each_budget() {
    let folder = folder();
    let run =
        "run --benchmark situation_puzzle --profile reference --rounds 2,5 --limit 3 --out @swept";
    folder.run(run, 0);
    let said = folder.run("export --format puzzle-results @swept --out @mine.json", 0);
    assert_eq!(said.out.matches("3 puzzles written to").count(), 2, "{}", said.out);
    assert!(!folder.at("mine.json").exists());
    for rounds in [2, 5] {
        let text = std::fs::read(folder.at(format!("mine-b{rounds}.json"))).unwrap();
        let file: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(
            (&file["max_rounds"], &file["summary"]["num_done"]),
            (&rounds.into(), &3.into())
        );
        assert!(!file["results"][0]["puzzle"]["id"].as_str().unwrap().contains("-b"));
        let import =
            format!("import --format puzzle-results @mine-b{rounds}.json --out @again-{rounds}");
        folder.run(&import, 0);
    }
    for (format, out) in
        [("jsonl", "a.jsonl"), ("csv", "a.csv"), ("eval", "a.eval"), ("html", "a.html")]
    {
        folder.run(&format!("export --format {format} @swept --out @{out}"), 0);
    }
    let said = folder.run("metrics @swept", 0);
    assert!(said.out.starts_with("Accuracy, 2 turns"), "{}", said.out);
    said.out_has("All values together:");
    // Nothing is known of what imported results cost.
    let record = folder.json("metrics @again-2 --json");
    assert!(record["cost_usd"].is_null(), "{}", record["cost_usd"]);
    let said = folder.run("metrics @again-2", 0);
    said.out_has("imported results do not tell their calls");
    assert!(!said.out.contains("$0.0000"), "{}", said.out);
}
