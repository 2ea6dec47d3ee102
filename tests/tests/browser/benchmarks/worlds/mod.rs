//! The world studio with a person as the editor, and its worlds played at once.

use crate::*;

/// Waits for this many answers of the person.
async fn answered(tab: &Tab, so_many: usize) {
    let next = format!("question {}", so_many + 1);
    tab.wait_for_text_in("#person-head", &next).await;
}

#[test]
fn an_editor_changes_a_draft_and_its_worlds_are_played() {
    on_trial(async |trial| {
        let (tab, studio) =
            trial.run("/new?benchmark=worlds&seat.editor=person&random=1&questions=1").await;
        tab.wait_for_text("Answer as the editor").await;
        // The question passes as it is.
        tab.click("#person-asked .pforms button.btn-primary").await;
        answered(&tab, 1).await;
        // The law stands there as a table of its facts, and below it as JSON, which is set as code although there are Chinese
        // names in it.
        tab.wait_for("#person-asked .draft-table").await;
        let face =
            "getComputedStyle(document.querySelector('#person-asked .draft-json')).fontFamily";
        let face = tab.eval(face).await.to_string();
        assert!(face.contains("Mono"), "{face}");
        tab.click_text("edit").await;
        tab.wait_for("#param-json").await;
        // What is written into a field stands in the JSON, and the other way round.
        tab.set("#draft-answer_long", "By a field.").await;
        let json_says = "JSON.parse(document.querySelector('#param-json').value)";
        assert_eq!(tab.eval(&format!("{json_says}.answer_long")).await, "By a field.");
        let facts = format!("{json_says}.facts.length");
        let before = tab.eval(&facts).await.as_u64().expect("a number");
        assert_eq!(tab.count("[id^='draft-facts-'][id$='-value']").await, before);
        tab.click_text("Add a fact").await;
        assert_eq!(tab.eval(&facts).await, before + 1);
        tab.click(&format!("[aria-label='Remove fact {}']", before + 1)).await;
        assert_eq!(tab.eval(&facts).await, before);
        tab.set("#param-json", "{").await;
        tab.wait_for_text_in("#person-asked .pforms", "is no object yet").await;
        let begins: String =
            tab.read("document.querySelector('#person-asked .draft-json').textContent").await;
        tab.set("#param-json", &begins).await;
        tab.wait_for("#draft-answer_long").await;
        let draft = tab.value("#param-json").await;
        let mut draft: Value = serde_json::from_str(&draft).expect("the draft is JSON");
        pictures(&tab, "studio-editor").await;
        // What is no change to a draft is not sent; what the machine refuses comes back with the draft, and with what was sent.
        let write = async |text: &str| {
            tab.set("#param-json", text).await;
            tab.click("#person-asked .pforms button.btn-primary").await;
        };
        write("{\"answer_long\": 5}").await;
        tab.wait_for_text_in("#param-bad", "a text is wanted, not 5").await;
        answered(&tab, 1).await;
        let unsound = "{\"facts\": []}";
        write(unsound).await;
        answered(&tab, 2).await;
        tab.wait_for_text("What was wrong with the last reply").await;
        tab.wait_for("#person-asked .draft-table").await;
        let field = "document.querySelector('#param-json')?.value";
        assert_eq!(tab.eval(field).await, unsound);
        let long = "Said in other words by the editor.";
        draft["answer_long"] = json!(long);
        write(&draft.to_string()).await;
        answered(&tab, 3).await;
        // What was changed is looked at again, by the machine, the auditors and the editor, until it is accepted.
        for answers in 4..7 {
            let waits =
                "document.querySelector('#person-asked .pforms button.btn-primary:not(:disabled)')";
            tab.wait(
                "the next question or the end",
                &format!("!!{waits} || document.querySelector('#person-head') === null"),
            )
            .await;
            if tab.is(&format!("!{waits}")).await {
                break;
            }
            tab.click("#person-asked .pforms button.btn-primary").await;
            if answers == 6 {
                panic!("the editor is asked without end");
            }
        }
        let info = trial.closed(&studio).await;
        assert_eq!(info.accuracy, Some(1.0), "the question was accepted");

        tab.click_text("Play these worlds").await;
        tab.wait_for_path("/new").await;
        let played = started(&tab).await;
        assert_ne!(played, studio);
        let info = trial.closed(&played).await;
        assert_eq!(info.spec.benchmark, "paraworld");
        let name = &info.spec.tasks.name;
        assert!(name.starts_with("studio-") && !name.contains(studio.as_str()), "{name}");
        assert_eq!((info.finished, info.accuracy), (1, Some(1.0)));
        let file = trial.path("data/tasks/paraworld").join(name);
        let worlds = std::fs::read_to_string(file).expect("it is among the server's tasks");
        assert!(worlds.contains(long), "{worlds}");

        // From there one click leads to the same worlds without search, and another to a run like it.
        open_part(&tab, "setup").await;
        tab.wait_for_text("Start one like it").await;
        tab.click("main a[href*='setting=control']").await;
        let control = started(&tab).await;
        let control = trial.closed(&control).await;
        assert_eq!(control.spec.settings["setting"], "control");
        assert_eq!(control.spec.tasks, info.spec.tasks);
        tab.assert_clean();
    });
}
