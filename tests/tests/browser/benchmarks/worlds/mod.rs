//! The world studio with a person as the editor, and its worlds played at once.

use crate::*;

/// Waits until a run is over; its head.
async fn over(asking: &Asking<'_>, run: &str) -> RunInfo {
    let info = asking.wait(run, "its end", |info| info.state.is_over()).await;
    assert_eq!(info.state, RunState::Closed);
    info
}

/// Waits for this many answers of the person.
async fn answered(tab: &Tab, so_many: usize) {
    let next = format!("question {}", so_many + 1);
    tab.wait_for_text_in("#person-head", &next, SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_changes_a_draft_and_its_worlds_are_played() {
    let Some(stage) = stage("an_editor_changes_a_draft_and_its_worlds_are_played").await else {
        return;
    };
    let trial = Trial::plain(&stage);
    let asking = Asking::new(&trial.server);
    let chromium = Chromium::start(&stage.browser).await;
    let address = "/new?benchmark=worlds&seat.editor=person&random=1&questions=1";
    let tab = chromium.open(&trial.server.url(address), Look::WIDE).await;
    start(&tab).await;
    let studio = run_of(&tab).await;
    tab.wait_for_text("Answer as the editor", SOON).await;
    // The question passes as it is.
    tab.click("#person-asked .pforms button.btn-primary").await;
    answered(&tab, 1).await;
    // The law stands there as a table of its facts, and below it as JSON, which is set as code although there are Chinese
    // names in it.
    tab.wait_for("#person-asked .draft-table", SOON).await;
    let face = "getComputedStyle(document.querySelector('#person-asked .draft-json')).fontFamily";
    let face = tab.eval(face).await.to_string();
    assert!(face.contains("Mono"), "{face}");
    tab.click_text("edit").await;
    tab.wait_for("#param-json", SOON).await;
    // What is written into a field stands in the JSON, and the other way round.
    let type_into = async |field: &str, text: &str| {
        tab.eval(&format!(
            "(() => {{ const field = document.querySelector('{field}'); field.value = {}; \
             field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()",
            json!(text)
        ))
        .await;
    };
    type_into("#draft-answer_long", "By a field.").await;
    let json_says = "JSON.parse(document.querySelector('#param-json').value)";
    assert_eq!(tab.eval(&format!("{json_says}.answer_long")).await, json!("By a field."));
    let facts = format!("{json_says}.facts.length");
    let before = tab.eval(&facts).await.as_u64().expect("a number");
    assert_eq!(tab.count("[id^='draft-facts-'][id$='-value']").await, before);
    tab.click_text("Add a fact").await;
    assert_eq!(tab.eval(&facts).await, json!(before + 1));
    tab.click(&format!("[aria-label='Remove fact {}']", before + 1)).await;
    assert_eq!(tab.eval(&facts).await, json!(before));
    type_into("#param-json", "{").await;
    tab.wait_for_text_in("#person-asked .pforms", "is no object yet", SOON).await;
    let begins = tab.eval("document.querySelector('#person-asked .draft-json').textContent").await;
    type_into("#param-json", begins.as_str().expect("a text")).await;
    tab.wait_for("#draft-answer_long", SOON).await;
    let draft = tab.eval("document.querySelector('#param-json').value").await;
    let mut draft: Value =
        serde_json::from_str(draft.as_str().expect("a text")).expect("the draft is JSON");
    pictures(&tab, "studio-editor").await;
    // What is no change to a draft is not sent; what the machine refuses comes back with the draft, and with what was sent.
    let write = async |text: &str| {
        type_into("#param-json", text).await;
        tab.click("#person-asked .pforms button.btn-primary").await;
    };
    write("{\"answer_long\": 5}").await;
    tab.wait_for_text_in("#param-bad", "a text is wanted, not 5", SOON).await;
    answered(&tab, 1).await;
    let unsound = "{\"facts\": []}";
    write(unsound).await;
    answered(&tab, 2).await;
    tab.wait_for_text("What was wrong with the last reply", SOON).await;
    tab.wait_for("#person-asked .draft-table", SOON).await;
    let field = "document.querySelector('#param-json')?.value";
    assert_eq!(tab.eval(field).await, json!(unsound));
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
            SOON,
        )
        .await;
        if tab.eval(&format!("!{waits}")).await == json!(true) {
            break;
        }
        tab.click("#person-asked .pforms button.btn-primary").await;
        if answers == 6 {
            panic!("the editor is asked without end");
        }
    }
    let info = over(&asking, &studio).await;
    assert_eq!(info.accuracy, Some(1.0), "the question was accepted");

    tab.click_text("Play these worlds").await;
    tab.wait("the form", "location.pathname === '/new'", SOON).await;
    start(&tab).await;
    let played = run_of(&tab).await;
    assert_ne!(played, studio);
    let info = over(&asking, &played).await;
    assert_eq!(info.spec.benchmark, "paraworld");
    let name = &info.spec.tasks.name;
    assert!(name.starts_with("studio-") && !name.contains(studio.as_str()), "{name}");
    assert_eq!((info.finished, info.accuracy), (1, Some(1.0)));
    let file = trial.path("data/tasks/paraworld").join(name);
    let worlds = std::fs::read_to_string(file).expect("it is among the server's tasks");
    assert!(worlds.contains(long), "{worlds}");

    // From there one click leads to the same worlds without search, and another to a run like it.
    open_part(&tab, "setup").await;
    tab.wait_for_text("Start one like it", SOON).await;
    tab.click("main a[href*='setting=control']").await;
    start(&tab).await;
    let control = run_of(&tab).await;
    let control = over(&asking, &control).await;
    assert_eq!(control.spec.settings["setting"], json!("control"));
    assert_eq!(control.spec.tasks, info.spec.tasks);
    tab.assert_clean(trial.server.address());
}
