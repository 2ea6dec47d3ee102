use crate::benchmark::default_spec;
use crate::examples::{MATCH, example};
use crate::markup::Markup;
use crate::metrics::episode_status::EpisodeStatus;
use crate::metrics::figures::Figures;
use crate::prelude::*;
use crate::screen::columns::{Columns, confidence};
use crate::screen::look::Look;
use crate::screen::row::*;
use crate::screen::sample::summary;
use crate::task::language;
use serde_json::json;
use std::collections::BTreeMap;

#[test]
fn a_row_is_markup_and_what_models_say_is_not() {
    let mut said = summary("7", "S=");
    said.measured.answer = Some("<img src=x onerror=alert(1)> \"q\"".into());
    said.task.labels.insert("domain".into(), "A & B".into());
    let key = EpisodeKey::play(&said.task.id, 1);
    let row = WallRow {
        key: &key,
        summary: &said,
        status: EpisodeStatus::of(&said),
        labels: Labels::All,
        href: "/run/0/7.r1.play?wall=\"><b>",
        look: Look::List,
        columns: Columns::read("question,turns,answer,outcome").expect("columns"),
        cost: None,
        most_turns: 12,
        place: 0,
        count: 9,
        is_now: true,
    };
    let option = |row: WallRow<'_>| {
        let mut out = Markup::default();
        row.option(&mut out);
        out.done()
    };
    let html = option(row);
    assert!(!html.contains("<img") && !html.contains("wall=\">"), "{html}");
    assert!(html.contains("&lt;img src=x"), "{html}");
    assert!(html.contains("A &amp; B"), "{html}");
    assert!(html.contains("class=\"ep is-now\""), "{html}");
    // Everything that is drawn is hidden from those who hear the row; what they hear stands in one sentence.
    assert!(!html.contains("aria-label"), "{html}");
    let heard = html.split("<span class=\"sr\">").nth(1);
    let heard = heard.and_then(|rest| rest.split_once('<'));
    assert!(
        heard.is_some_and(|(heard, _)| heard.contains("A &amp; B") && heard.contains("&lt;img")),
        "what is read aloud is all that is shown: {html}"
    );
    assert!(html.contains("aria-posinset=\"1\" aria-setsize=\"9\""));
    assert_eq!(html.matches("<i class=\"turn ").count(), 2, "{html}");
    let html = option(WallRow { is_now: false, ..row });
    assert!(!html.contains("is-now"));
    // The smallest rows come by the thousand while a wall scrolls: no invisible text of theirs is laid out.
    let dense = option(WallRow { look: Look::Dense, ..row });
    assert!(dense.contains("aria-label=\"Task 7") && !dense.contains("class=\"sr\""), "{dense}");
    // As a link it says the same, and is no part of a list.
    let mut out = Markup::default();
    row.link(&mut out);
    let link = out.done();
    assert!(!link.contains("role=") && !link.contains("aria-setsize"), "{link}");
    assert!(link.contains("&lt;img src=x") && link.contains("href=\"/run/0/7.r1.play"), "{link}");
}

#[test]
fn a_branch_does_not_say_who_met_whom_in_its_parent() {
    let mut played = summary("1v2", "==");
    let labels = [("class", "grim+tft"), ("pair", "1v2")];
    played.task.labels = labels.map(|(name, value)| (name.into(), value.into())).into();
    let mut spec: Spec = default_spec(example(MATCH));
    assert_eq!(Labels::of(&spec).line(&played), "grim+tft · pair 1v2");
    let mut seats = spec.seats.clone();
    seats.get_mut(&"1".into()).expect("somebody sits there").player = Player::Person;
    spec = example(MATCH).take_over(&spec, seats).expect("it can be gone on with");
    assert_eq!(Labels::of(&spec).line(&played), "pair 1v2");
}

#[test]
fn confidence_is_shown_as_it_was_written() {
    let stated = |value| {
        let mut summary = summary("1", "=");
        summary.measured.numbers = Figures::of(&json!({ "confidence": value }));
        confidence(&summary)
    };
    assert_eq!(stated(json!(" 85% ")).as_deref(), Some("85%"));
    assert_eq!(stated(json!(0.9)).as_deref(), Some("0.9"));
    assert_eq!(stated(json!("")), None);
    assert_eq!(stated(json!(null)), None);
    assert_eq!(stated(json!("about ninety percent")).as_deref(), Some("about ninety…"));
    assert_eq!(confidence(&summary("1", "=")), None);
}

#[test]
fn only_a_language_code_becomes_a_lang_attribute() {
    let of = |code: &str| language(&BTreeMap::from([("language".to_owned(), code.to_owned())]));
    assert_eq!(of("zh").as_deref(), Some("zh"));
    assert_eq!(of("zh-Hant").as_deref(), Some("zh-Hant"));
    assert_eq!(of("中文"), None);
    assert_eq!(language(&BTreeMap::new()), None);
}
