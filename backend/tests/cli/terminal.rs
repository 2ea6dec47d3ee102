//! Nothing that a task, a model, a service or a log says reaches the terminal as a command to it.

use turnwise_shared::exchange::inspect::archive::Packer;
use turnwise_shared::signs::unseen;

use crate::common::program::Said;
use crate::common::*;

/// A title is set, the screen cleared, colours changed in two ways, the line overwritten, the order turned around, and a sign hidden.
const EVIL: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}]8;;http://evil\u{1b}\\\u{9b}31m\rok\u{8}\u{202e}txt\u{2066}\u{200b}";

/// The program prints nothing that a terminal obeys, in whatever it prints.
#[track_caller]
fn harmless(said: Said) -> Said {
    for text in [&said.out, &said.err] {
        for line in text.split(['\n', '\t']) {
            assert_eq!(unseen(line), None, "{line:?}");
        }
    }
    said
}

#[test]
fn fields_of_tasks_and_names_of_models_are_harmless() {
    let folder = folder();
    let task = |id: usize| {
        json!({
            "id": format!("t\u{202e}{id}"), "domain": format!("{EVIL}domain\nnote: forged"), "answer": "a", "question": format!("{EVIL}?{id}"),
            "context": EVIL,
        })
    };
    let tasks = format!("{}\n{}\n", task(1), task(2));
    folder.write("tasks.jsonl", tasks);
    let run = format!("run --benchmark {QUESTIONS} --tasks @tasks.jsonl --out @run");
    harmless(folder.run(&run, 0));
    let table = harmless(folder.run("metrics @run", 0));
    table.out_has("\\u{1b}]0;owned\\u{7}");
    table.out_has("\\u{202e}txt");
    let is_forged = table.out.lines().any(|line| line.trim_start().starts_with("note: forged"));
    assert!(!is_forged, "{}", table.out);
    harmless(folder.run("replay @run", 0));
    // In JSON the value is the same, and its signs are written out.
    let record = harmless(folder.run("metrics @run --json", 0));
    let record: Value = serde_json::from_str(&record.out).unwrap();
    let told = record["by_domain"].to_string();
    let domain = serde_json::to_string(&format!("{EVIL}domain\nnote: forged")).unwrap();
    assert!(told.contains(domain.trim_matches('"')), "{told}");

    let path = |name: &str| folder.at(name).display().to_string();
    let seat = format!("player=model:nobody/{EVIL}");
    let run = ["run", "--benchmark", QUESTIONS, "--out"].map(str::to_owned);
    harmless(turnwise(run.iter().cloned().chain([path("other"), "--seat".to_owned(), seat])));
    // An error in the arguments repeats the arguments.
    for arguments in [
        vec![EVIL.to_owned()],
        vec!["metrics".to_owned(), path(EVIL)],
        vec!["run".to_owned(), format!("--{EVIL}")],
    ] {
        assert_ne!(harmless(turnwise(arguments)).status, 0);
    }
}

#[test]
fn logs_and_tables_of_others_are_harmless() {
    let folder = folder();
    let header = json!({
        "version": 2, "status": EVIL,
        "eval": { "task": EVIL, "model": EVIL, "created": EVIL, "model_roles": { EVIL: { "model": EVIL } } },
        "results": { "total_samples": 7, "scores": [{ "name": EVIL, "metrics": { EVIL: { "value": 1 } } }] },
    });
    let sample = json!({
        "id": EVIL, "epoch": 1, "input": EVIL, "target": EVIL, "error": { "message": EVIL }, "metadata": { "part": EVIL },
        "scores": { EVIL: { "value": "C", "answer": EVIL } },
        "events": [{ "event": "model", "output": { "choices": [7], "usage": { "input_tokens": -1 } } }],
    });
    let name = format!("samples/{EVIL}_epoch_1.json").replace(['\\', '/', ':'], "");
    let mut packer = Packer::new(Vec::new());
    packer.add("header.json", header.to_string().as_bytes()).unwrap();
    packer.add("summaries.json", json!([sample, sample]).to_string().as_bytes()).unwrap();
    packer.add(&format!("samples/{name}"), sample.to_string().as_bytes()).unwrap();
    folder.write("evil.eval", packer.finish().unwrap());
    let listed = harmless(folder.run("import --format inspect @evil.eval", 0));
    listed.out_has("\\u{1b}[2J");
    let said = harmless(folder.say("import --format inspect @evil.eval --out @run"));
    said.err_has("cannot be true");
    harmless(folder.say("metrics @run"));

    let columns = "question,correct_answer,predicted_answer,confidence,history,score,cost";
    folder.write("bad.csv", format!("{columns},{EVIL}\n"));
    harmless(folder.run(&format!("import --format {QUESTIONS}-results @bad.csv --out @x"), 1));
    folder.write(
        "documents.jsonl",
        json!({ "id": "1", "title": format!("mill {EVIL}"), "text": EVIL, "url": EVIL })
            .to_string()
            + "\n",
    );
    let found = harmless(folder.run("search test mill --search local:@documents.jsonl", 0));
    found.out_has("\\u{202e}");
}
