//! In the mode hearing there is no player: such a run has no place on a board, and there is nothing to sit down for.

use turnwise_shared::registry;

use crate::common::table::spec;
use crate::common::*;

#[tokio::test]
async fn a_hearing_is_neither_published_nor_opened_as_a_table() {
    let service = with(&[]).await;
    let puzzle = registry::find("situation_puzzle").expect("it is registered");
    let settings = |mode: &str| {
        let mut settings = puzzle.default_settings();
        settings["mode"] = json!(mode);
        settings
    };
    let seats = [("player", "bot:answer-only"), ("judge", "bot:bank")];
    for (mode, is_refused) in [("hearing", true), ("direct", false), ("interactive", false)] {
        let spec = spec(puzzle, &seats, settings(mode));
        let episodes = puzzle.samples().tasks.len();
        let opened = service.open_run(&spec, u32::try_from(episodes).expect("some")).await;
        let came = service.publish(&opened.run, Some(&opened.token)).await;
        let why = "This run cannot be ranked: the mode hearing";
        assert_eq!(came.text.contains(why), is_refused, "{mode}: {}", came.text);
    }
    let seats = [("player", "bot:answer-only"), ("judge", "person")];
    let spec = spec(puzzle, &seats, settings("hearing"));
    let came = service.post("/api/live", None, &wanted(&spec, "practice", 0, 0)).await;
    let message = came.error(422).message;
    let why = "The table cannot be opened: settings.mode: the mode hearing puts a puzzle's own bank to the judge";
    assert!(message.starts_with(why), "{message}");
}
