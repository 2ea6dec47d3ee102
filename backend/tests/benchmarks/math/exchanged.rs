//! Runs leave in the form of the authors' files, and their files come and go without loss.

use crate::common::*;

#[test]
fn runs_of_every_form_come_back_with_the_same_numbers() {
    let folder = folder();
    let record = |run: &str| -> Value {
        let said = expect(say(&folder, &format!("metrics @{run} --json")), 0);
        serde_json::from_str(&said.out).unwrap()
    };
    for (name, settings) in [
        ("interactive", "--set mode=interactive"),
        ("naive", "--set mode=direct"),
        ("samples", "--set mode=direct --repeats 3"),
    ] {
        let words =
            format!("run --benchmark math --profile reference {settings} --limit 4 --out @{name}");
        expect(say(&folder, &words), 0);
        let export = format!("export --format math-results @{name} --out @{name}.json");
        let said = expect(say(&folder, &export), 0);
        assert!(said.out.starts_with("4 records written to"), "{}", said.out);
        let import =
            format!("import --format math-results @{name}.json --model mine --out @{name}-again");
        let said = expect(say(&folder, &import), 0);
        assert!(said.out.contains("episodes of mine"), "{}", said.out);
        let (ours, again) = (record(name), record(&format!("{name}-again")));
        for key in
            ["n", "accuracy", "average_rounds", "with_final", "questions", "guesses", "pass_at_k"]
        {
            assert_eq!(again[key], ours[key], "{name}, {key}");
        }
        assert_eq!(
            again["tokens_per_episode"]["characters_4"], ours["tokens_per_episode"]["characters_4"],
            "{name}"
        );
        let export = format!("export --format math-results @{name}-again --out @{name}-back.json");
        expect(say(&folder, &export), 0);
        let read = |file: String| std::fs::read(folder.path().join(file)).unwrap();
        assert_eq!(read(format!("{name}-back.json")), read(format!("{name}.json")));
    }
    // A file of one format, read as another, says what it looks like.
    let wrong = "import --format puzzle-results @naive.json --out @x";
    let said = expect(say(&folder, wrong), 1);
    assert!(said.err.contains("it looks like --format math-results"), "{}", said.err);
    let wrong = "export --format puzzle-results @naive-again --out @x.json";
    let said = expect(say(&folder, wrong), 1);
    assert!(said.err.contains("it is a transcript of math"), "{}", said.err);
    std::fs::remove_file(folder.path().join("naive-again/results.dat")).unwrap();
    let gone = "export --format math-results @naive-again --out @x.json";
    let said = expect(say(&folder, gone), 1);
    assert!(said.err.contains("results.dat"), "{}", said.err);
    let strict = "run --benchmark math --limit 1 --out @strict";
    expect(say(&folder, strict), 0);
    let said = expect(say(&folder, "export --format math-results @strict --out @x.json"), 1);
    assert!(said.err.contains("profile reference"), "{}", said.err);
    assert!(!folder.path().join("x.json").exists());
}
