//! Runs leave in the form of the authors' files, and their files come and go without loss.

use crate::common::*;

#[test]
fn runs_of_every_form_come_back_with_the_same_numbers() {
    let folder = folder();
    let record = |run: &str| -> Value {
        let said = folder.run(&format!("metrics @{run} --json"), 0);
        serde_json::from_str(&said.out).unwrap()
    };
    for (name, settings) in [
        ("interactive", "--set mode=interactive"),
        ("naive", "--set mode=direct"),
        ("samples", "--set mode=direct --repeats 3"),
    ] {
        let words =
            format!("run --benchmark math --profile reference {settings} --limit 4 --out @{name}");
        folder.run(&words, 0);
        let export = format!("export --format math-results @{name} --out @{name}.json");
        let said = folder.run(&export, 0);
        assert!(said.out.starts_with("4 records written to"), "{}", said.out);
        let import =
            format!("import --format math-results @{name}.json --model mine --out @{name}-again");
        folder.run(&import, 0).out_has("episodes of mine");
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
        folder.run(&export, 0);
        let read = |file: String| std::fs::read(folder.at(file)).unwrap();
        assert_eq!(read(format!("{name}-back.json")), read(format!("{name}.json")));
    }
    // A file of one format, read as another, says what it looks like.
    let wrong = "import --format puzzle-results @naive.json --out @x";
    folder.run(wrong, 1).err_has("it looks like --format math-results");
    let wrong = "export --format puzzle-results @naive-again --out @x.json";
    folder.run(wrong, 1).err_has("it is a transcript of math");
    std::fs::remove_file(folder.at("naive-again/results.dat")).unwrap();
    let gone = "export --format math-results @naive-again --out @x.json";
    folder.run(gone, 1).err_has("results.dat");
    let strict = "run --benchmark math --limit 1 --out @strict";
    folder.run(strict, 0);
    folder
        .run("export --format math-results @strict --out @x.json", 1)
        .err_has("profile reference");
    assert!(!folder.at("x.json").exists());
}
