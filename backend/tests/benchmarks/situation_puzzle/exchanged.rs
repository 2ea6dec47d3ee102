//! Runs leave in the form of the authors' files, and their files come and go without loss.

use serde_json::Value;

use crate::common::program::{expect, folder, say};

#[test]
fn runs_come_back_with_the_same_numbers() {
    let folder = folder();
    let record = |run: &str| -> Value {
        let said = expect(say(&folder, &format!("metrics @{run} --json")), 0);
        serde_json::from_str(&said.out).unwrap()
    };
    for (name, settings) in [
        ("interactive", "--set mode=interactive --set rounds=6"),
        ("direct", "--set mode=direct"),
    ] {
        let words = format!(
            "run --benchmark situation_puzzle --profile reference {settings} --limit 4 --out @{name}"
        );
        expect(say(&folder, &words), 0);
        let export = format!("export --format puzzle-results @{name} --out @{name}.json");
        let said = expect(say(&folder, &export), 0);
        assert!(said.out.starts_with("4 puzzles written to"), "{}", said.out);
        let import = format!("import --format puzzle-results @{name}.json --out @{name}-again");
        let said = expect(say(&folder, &import), 0);
        assert!(said.out.contains("4 episodes of"), "{}", said.out);
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
        expect(say(&folder, &export), 0);
        let read = |file: String| std::fs::read(folder.path().join(file)).unwrap();
        assert_eq!(
            read(format!("{name}-back.json")),
            read(format!("{name}.json"))
        );
    }
    let two = "export --format puzzle-results @direct @interactive --out @x.json";
    let said = expect(say(&folder, two), 1);
    assert!(said.err.contains("2 folders were named"), "{}", said.err);
}
