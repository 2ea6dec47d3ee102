//! `turnwise admin`: what the operator does to sealed tasks.

use crate::common::*;

/// It stands in every hidden field and nowhere else.
const MARK: &str = "MARKED";

#[test]
fn a_set_that_only_the_servers_own_words_seal_is_opened_by_the_same_words() {
    let folder = folder();
    let tasks = folder.at("tasks").join(QUESTIONS);
    std::fs::create_dir_all(&tasks).unwrap();
    let row = json!({
        "id": 1, "domain": "Made up", "question": "Which door is meant?", "context": format!("{MARK}: the green one."),
        "answer": format!("{MARK} green"), "aliases": [],
    });
    std::fs::write(tasks.join("secret.jsonl"), row.to_string()).unwrap();
    let open = "admin open-tasks secret.jsonl --reason over --data @.";

    let unknown = folder.say(open);
    assert_ne!(unknown.status, 0);
    unknown.err_has("--sealed");
    for _ in 0..2 {
        // Opened twice, it stands in the public log once.
        let said = folder.run(&format!("{open} --sealed secret.jsonl"), 0);
        assert!(said.out.starts_with("1  opened  secret.jsonl "), "{said:?}");
        assert!(!said.out.contains(MARK), "{said:?}");
    }
}
