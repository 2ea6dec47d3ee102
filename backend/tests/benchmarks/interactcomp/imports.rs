//! The authors' files, read as other programs call for it.

use turnwise_shared::benchmarks::interactcomp::dataset;

use crate::common::*;

#[test]
fn results_of_the_reference_code_are_imported_and_measured() {
    let folder = folder();
    let model = folder.at("some_model");
    std::fs::create_dir(&model).unwrap();
    let file = "\
question,correct_answer,predicted_answer,confidence,history,score,cost,action_counts
Q1?,Foo,Foo,85%,\"[Round 1]
User: Q1?
    Action: ask (question: k1)
Observation: yes
[Round 2]
    Action: answer (answer: Foo, confidence: 85%)
Observation: {'answer': 'Foo', 'confidence': '85%'}\",1.0,0.1,\"{'answer': 1, 'search': 0, 'ask': 1, 'invalid': 0}\"
Q2?,Bar,Error,0,Error,0.0,0.0,{}
";
    std::fs::write(model.join("0.50000_x.csv"), file).unwrap();
    folder.write(
        "tasks.jsonl",
        r#"{"id":1,"domain":"Made up","answer":"Foo","question":"Q1?","context":"c"}
{"id":2,"domain":"Made up","answer":"Bar","question":"Q2?","context":"c"}
"#,
    );
    let import = "import --format interactcomp-results @some_model/0.50000_x.csv";
    folder.run(&format!("{import} --out @bare"), 0).out_has("2 episodes of some_model");
    folder.run(&format!("{import} --tasks @tasks.jsonl --out @run"), 0);
    let names: Vec<_> = folder.transcripts("run").into_keys().collect();
    assert_eq!(names, ["1.r1.grading.jsonl", "1.r1.play.jsonl", "2.r1.play.jsonl"]);
    folder.run("replay @run", 2).err_has("imported from another system");
    let record = |words: &str| -> Value { folder.json(words) };
    let named = record("metrics @run --json");
    assert_eq!((&named["n"], &named["accuracy"]), (&2.into(), &0.5.into()));
    assert_eq!(named["profile"], "reference");
    // Without tasks at the import, --tasks gives the same breakdown afterwards.
    let joined = record("metrics @bare --json --tasks @tasks.jsonl");
    assert_eq!(joined["by_domain"], named["by_domain"]);
    assert_ne!(record("metrics @bare --json")["by_domain"], named["by_domain"]);
    folder.run(&format!("{import} --out @run"), 1).err_has("transcripts in it already");
    folder.run("run --redrive @run --out @x", 1);
}

/// Made up, and encrypted as the authors do it; a copy has lost its column `canary`.
#[test]
fn tasks_without_their_canary_are_decrypted_with_the_word_for_it() {
    let folder = folder();
    let plain = "{\"id\":1,\"domain\":\"Made up\",\"answer\":\"Foo\",\"question\":\"Which of the two mills is meant here?\",\
                 \"context\":\"It stands by a river and was painted blue.\"}\n";
    let set = dataset::load(plain.as_bytes(), None).unwrap();
    let bare = dataset::encrypted_lines(&set.tasks, "word").replace(",\"canary\":\"word\"", "");
    folder.write("bare.jsonl", &bare);
    let import = "import --format interactcomp-tasks @bare.jsonl --out @plain.jsonl";
    folder.run(import, 1).err_has("--canary");
    folder.run(&format!("{import} --canary word"), 0).out_has("not the authors' tasks");
    let written = folder.read("plain.jsonl");
    assert_eq!(written, plain);
    let run = "run --benchmark interactcomp --tasks @plain.jsonl --out @run";
    folder.run(run, 0).err_has("not the authors' tasks");
    let other = "import --format mpw-tasks @bare.jsonl --out @x --canary word";
    folder.run(other, 1).err_has("--canary belongs to");
}

/// Two rows of one run, whose questions have two lines each.
const FORCED: &str = "\
question,correct_answer,predicted_answer,confidence,history,score,cost,action_counts
\"Which
is it?\",Foo,Foo,85%,\"[Round 1]
User: Ask at least 1 times.

QUESTION:
Which
is it?
    Action: ask (question: k1)
Observation: yes
[Round 2]
    Action: answer (answer: Foo, confidence: 85%)
Observation: {'answer': 'Foo', 'confidence': '85%'}\",1.0,0.25,\"{'answer': 1, 'search': 0, 'ask': 1, 'invalid': 0}\"
\"And
now?\",Bar,No,10%,\"[Round 1]
User: Ask at least 1 times.

QUESTION:
And
now?
    Action: answer (answer: No, confidence: 10%)
Observation: {'answer': 'No', 'confidence': '10%'}\",0.0,0.5,\"{'answer': 1, 'search': 0, 'ask': 0, 'invalid': 0}\"
";

#[test]
fn line_ends_separators_and_marks_change_no_number() {
    let folder = folder();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let tasks = "{\"id\":1,\"domain\":\"Made up\",\"answer\":\"Foo\",\"question\":\"Which\\nis it?\",\"context\":\"c\"}\n\
                 {\"id\":2,\"domain\":\"Other\",\"answer\":\"Bar\",\"question\":\"And\\nnow?\",\"context\":\"c\"}\n";
    write("tasks.jsonl", tasks.as_bytes());
    write("tasks-crlf.jsonl", tasks.replace("\\n", "\\r\\n").replace('\n', "\r\n").as_bytes());
    let measured = |file: &[u8], tasks: &str, name: &str| {
        write(&format!("{name}/a-model/results.csv"), file);
        let import = format!(
            "import --format interactcomp-results @{name}/a-model/results.csv {tasks} --out @{name}/run"
        );
        let said = folder.run(&import, 0);
        assert_eq!(said.err, "", "{name}");
        folder.run(&format!("metrics @{name}/run --json"), 0).out
    };
    let bare = measured(FORCED.as_bytes(), "", "plain");
    let record: Value = serde_json::from_str(&bare).unwrap();
    assert_eq!((&record["n"], &record["accuracy"]), (&2.into(), &0.5.into()));
    let with_tasks = measured(FORCED.as_bytes(), "--tasks @tasks.jsonl", "matched");
    assert!(with_tasks.contains("Made up"), "{with_tasks}");
    // Within cells a blank follows each comma.
    let cells = FORCED.replace(", ", "\u{1}").replace(',', ";").replace('\u{1}', ", ");
    for (name, file) in [
        ("crlf", FORCED.replace('\n', "\r\n").into_bytes()),
        ("cr", FORCED.replace('\n', "\r").into_bytes()),
        (
            "question",
            FORCED.replace("\"Which\n", "\"Which\r\n").replace("\"And\n", "\"And\r").into_bytes(),
        ),
        ("mark", format!("\u{feff}{FORCED}").into_bytes()),
        ("wide", format!("\u{feff}{FORCED}").encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("semicolons", cells.into_bytes()),
        (
            "numbers",
            FORCED
                .replace(",1.0,0.25,", ",1,2.5e-1,")
                .replace("'ask': 1", "'ask': 1.0")
                .into_bytes(),
        ),
    ] {
        assert_eq!(measured(&file, "", name), bare, "{name}");
        let again = format!("{name}-matched");
        assert_eq!(measured(&file, "--tasks @tasks.jsonl", &again), with_tasks, "{name}");
    }
    let crlf = measured(FORCED.as_bytes(), "--tasks @tasks-crlf.jsonl", "crlf-tasks");
    let (one, two): (Value, Value) =
        (serde_json::from_str(&crlf).unwrap(), serde_json::from_str(&with_tasks).unwrap());
    assert_eq!(one["by_domain"], two["by_domain"]);
}
