//! What is read from elsewhere, and endpoints that are tried.

use turnwise_shared::benchmarks::interactcomp::dataset;
use turnwise_shared::exchange::bundle;

use crate::cli::models::endpoint;
use crate::common::program::{expect, folder, say, transcripts};

#[test]
fn results_of_the_reference_code_are_imported_and_measured() {
    let folder = folder();
    let model = folder.path().join("some_model");
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
    std::fs::write(
        folder.path().join("tasks.jsonl"),
        r#"{"id":1,"domain":"Made up","answer":"Foo","question":"Q1?","context":"c"}
{"id":2,"domain":"Made up","answer":"Bar","question":"Q2?","context":"c"}
"#,
    )
    .unwrap();
    let import = "import --format interactcomp-results @some_model/0.50000_x.csv";
    let said = expect(say(&folder, &format!("{import} --out @bare")), 0);
    assert!(
        said.out.contains("2 episodes of some_model"),
        "{}",
        said.out
    );
    expect(
        say(
            &folder,
            &format!("{import} --tasks @tasks.jsonl --out @run"),
        ),
        0,
    );
    let names: Vec<_> = transcripts(&folder.path().join("run"))
        .into_keys()
        .collect();
    assert_eq!(
        names,
        ["1.r1.grading.jsonl", "1.r1.play.jsonl", "2.r1.play.jsonl"]
    );
    let said = expect(say(&folder, "replay @run"), 2);
    assert!(
        said.err.contains("imported from another system"),
        "{}",
        said.err
    );
    let record = |words: &str| -> serde_json::Value {
        serde_json::from_str(&expect(say(&folder, words), 0).out).unwrap()
    };
    let named = record("metrics @run --json");
    assert_eq!((&named["n"], &named["accuracy"]), (&2.into(), &0.5.into()));
    assert_eq!(named["profile"], "reference");
    // Without tasks at the import, --tasks gives the same breakdown afterwards.
    let joined = record("metrics @bare --json --tasks @tasks.jsonl");
    assert_eq!(joined["by_domain"], named["by_domain"]);
    assert_ne!(
        record("metrics @bare --json")["by_domain"],
        named["by_domain"]
    );
    let said = expect(say(&folder, &format!("{import} --out @run")), 1);
    assert!(
        said.err.contains("transcripts in it already"),
        "{}",
        said.err
    );
    expect(say(&folder, "run --redrive @run --out @x"), 1);
}

/// Made up, and encrypted as the authors do it; a copy has lost its column `canary`.
#[test]
fn tasks_without_their_canary_are_decrypted_with_the_word_for_it() {
    let folder = folder();
    let plain = "{\"id\":1,\"domain\":\"Made up\",\"answer\":\"Foo\",\"question\":\"Which of the two mills is meant here?\",\
                 \"context\":\"It stands by a river and was painted blue.\"}\n";
    let set = dataset::load(plain.as_bytes(), None).unwrap();
    let bare = dataset::encrypted_lines(&set.tasks, "word").replace(",\"canary\":\"word\"", "");
    std::fs::write(folder.path().join("bare.jsonl"), &bare).unwrap();
    let import = "import --format interactcomp-tasks @bare.jsonl --out @plain.jsonl";
    let said = expect(say(&folder, import), 1);
    assert!(said.err.contains("--canary"), "{}", said.err);
    let said = expect(say(&folder, &format!("{import} --canary word")), 0);
    assert!(said.out.contains("not the authors' tasks"), "{}", said.out);
    let written = std::fs::read_to_string(folder.path().join("plain.jsonl")).unwrap();
    assert_eq!(written, plain);
    let run = "run --benchmark interactcomp --tasks @plain.jsonl --out @run";
    let said = expect(say(&folder, run), 0);
    assert!(said.err.contains("not the authors' tasks"), "{}", said.err);
    let other = "import --format mpw-tasks @bare.jsonl --out @x --canary word";
    let said = expect(say(&folder, other), 1);
    assert!(said.err.contains("--canary belongs to"), "{}", said.err);
}

#[test]
fn an_endpoint_and_an_engine_can_be_tried() {
    let folder = folder();
    endpoint(&folder, 0.0, 1);
    let said = expect(say(&folder, "providers test made/one --data @data"), 0);
    assert!(said.out.contains("scripted/one"), "{}", said.out);
    let said = expect(say(&folder, "providers test nobody/one --data @data"), 1);
    assert!(said.err.contains("nobody"), "{}", said.err);
    std::fs::write(
        folder.path().join("documents.jsonl"),
        "{\"id\":\"1\",\"title\":\"The blue mill\",\"text\":\"It stands by a river.\",\"url\":\"made:up\"}\n",
    )
    .unwrap();
    let said = expect(
        say(&folder, "search test mill --search local:@documents.jsonl"),
        0,
    );
    assert!(said.out.contains("1. The blue mill"), "{}", said.out);
    let said = expect(say(&folder, "search test mill --search nowhere"), 1);
    assert!(said.err.contains("local"), "{}", said.err);
}

#[test]
fn what_a_page_saved_becomes_the_folder_of_a_run_again() {
    let folder = folder();
    expect(
        say(
            &folder,
            "run --benchmark interactcomp --subset ids=1,2 --out @run",
        ),
        0,
    );
    let recorded = transcripts(&folder.path().join("run"));
    let mut saved = bundle::head("a-run", None, None);
    for (name, text) in &recorded {
        let episode = name.trim_end_matches(".jsonl").parse().unwrap();
        saved.push_str(&bundle::line(&episode, text));
    }
    std::fs::write(folder.path().join("saved.jsonl"), &saved).unwrap();
    let import = "import --format transcripts @saved.jsonl";
    let said = expect(say(&folder, &format!("{import} --out @again")), 0);
    assert!(said.out.contains("4 transcripts"), "{}", said.out);
    assert_eq!(transcripts(&folder.path().join("again")), recorded);
    expect(say(&folder, "replay @again"), 0);
    let said = expect(say(&folder, import), 1);
    assert!(said.err.contains("--out"), "{}", said.err);
    std::fs::write(folder.path().join("saved.jsonl"), "{}\n").unwrap();
    let said = expect(say(&folder, &format!("{import} --out @third")), 1);
    assert!(said.err.contains("it does not begin"), "{}", said.err);
}
