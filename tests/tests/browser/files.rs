//! Files of tasks that are chosen on the page.

use turnwise_made_up::{encrypted_tasks, made_up_tasks};
use turnwise_shared::examples::OFFICIAL_FILE;
use turnwise_tests::data_dir;

use crate::*;

#[test]
fn files_of_tasks_are_taken_or_say_what_is_wrong_with_them() {
    on_trial(async |trial| {
        let tab = trial.open("/new").await;
        let plain = made_up_tasks(12, 3);
        let encrypted = encrypted_tasks(12, 3, "made up for tests");
        let without_canary: String = encrypted
            .lines()
            .map(|line| {
                let mut row: Value = serde_json::from_str(line).expect("JSON");
                row.as_object_mut().expect("an object").remove("canary");
                format!("{row}\n")
            })
            .collect();
        let without_answer: String = plain
            .lines()
            .enumerate()
            .map(|(at, line)| {
                let mut row: Value = serde_json::from_str(line).expect("JSON");
                if at == 6 {
                    row.as_object_mut().expect("an object").remove("answer");
                }
                format!("{row}\n")
            })
            .collect();
        let cut = &plain[..plain.len() - 30];
        let input = ".drop input[type=file]";
        for (name, bytes, said) in [
            ("no-answer.jsonl", without_answer.as_bytes(), &["row 7", "answer"][..]),
            ("cut.jsonl", cut.as_bytes(), &["row 12"]),
            ("no-canary.jsonl", without_canary.as_bytes(), &["row 1", "encrypted"]),
            ("picture.png", b"\x89PNG\r\n\x1a\n\x00\xff".as_slice(), &["row 1"]),
            ("empty.jsonl", b"".as_slice(), &["no rows"]),
        ] {
            let file = trial.path(name);
            std::fs::write(&file, bytes).expect("it writes");
            tab.goto("/new").await;
            tab.choose_file(input, &file).await;
            tab.wait_for(".drop.is-bad").await;
            tab.wait_for(".note-bad").await;
            let shown = tab.text(".note-bad").await.to_lowercase();
            for word in said {
                assert!(shown.contains(word), "{name}: {word:?} is not in {shown}");
            }
            assert!(
                !tab.eval("location.search").await.to_string().contains(name),
                "it is not chosen"
            );
        }
        tab.screenshot("new-wrong-file-light-1280").await;

        // The authors' file is recognised, counted and shown to be whole.
        match data_dir().map(|folder| folder.join(OFFICIAL_FILE)) {
            Some(official) if official.is_file() => {
                tab.goto("/new").await;
                tab.choose_file(input, &official).await;
                tab.wait_for(".drop.is-good").await;
                tab.wait_for_text_in(".file", "210").await;
                tab.wait_for_text_in(".file", "official").await;
                tab.wait_for_text("Start 210 episodes").await;
            }
            _ => skipped("the official file is not in the data folder"),
        }

        let file = trial.path("mine.jsonl");
        std::fs::write(&file, &encrypted).expect("it writes");
        tab.goto("/new").await;
        tab.choose_file(input, &file).await;
        tab.wait_for(".drop.is-good").await;
        tab.wait_for_query("mine").await;
        tab.wait_for_text_in(".file", "12").await;
        // It lies on the server as it was given, encrypted.

        let kept = trial.get("/api/tasks/mine.jsonl").await;
        assert!(kept.body == encrypted, "the bytes of the file came back changed");
        let run = started(&tab).await;
        let info = trial.closed(&run).await;
        assert_eq!(info.finished, 12);
        tab.assert_clean();
    });
}
