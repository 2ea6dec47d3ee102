//! Episodes from given replies, and bots with made-up pages.

mod episodes;
mod files;
mod gradings;
mod replies;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise_core::benchmark::default_spec;
use turnwise_core::effect::{Hit, Link, Made, Page, Tool};
use turnwise_core::prelude::*;
use turnwise_core::prompt::Stop;
use turnwise_core::spec::{SearchSpec, WebSpec};
use turnwise_core::testing::{Case, FAILED_CALL, Played, Shown};

use crate::{InfoDeepSeek, tasks};

/// Two questions: one with two sources, one with a false premise.
const QUESTIONS: &str = include_str!("tests/questions.json").trim_ascii_end();

pub(crate) fn questions() -> TaskSet {
    tasks::read("made up", QUESTIONS.as_bytes()).expect("they can be read")
}

pub(crate) fn spec(settings: Value) -> Spec {
    let settings = InfoDeepSeek::FACTS.schema.completed(&settings);
    let mut spec = Spec { profile: Profile::Strict, settings, ..default_spec(&InfoDeepSeek) };
    spec.search = Some(SearchSpec { engine: "made-up".into(), corpus: None, results: 5 });
    spec.web = Some(WebSpec::Live);
    <dyn Benchmark>::check_spec(&InfoDeepSeek, &spec).expect("the settings can be run");
    spec
}

fn hit(number: u32) -> Hit {
    Hit {
        title: Some(format!("Page {number}")),
        snippet: Some(format!("Borey Island, passage {number}.")),
        url: Some(format!("https://a.example/{number}")),
    }
}

fn page(url: &str, text: &str) -> Page {
    Page {
        url: url.to_owned(),
        status: 200,
        title: Some("Borey".to_owned()),
        language: None,
        text: text.to_owned(),
        links: vec![Link { text: "more".to_owned(), url: "https://a.example/more".to_owned() }],
        cut: false,
        source: Digest::of(url),
    }
}

/// Plays a question. Seats that are not given reply by their bots; a search finds two pages, and pages are made up: one whose address has
/// `gone` fails, `miss` is lacking in an archive, `long` has several parts, `empty` no text.
fn play_of(at: usize, settings: Value, replies: &[(&str, &[&str])]) -> (Played, Vec<String>) {
    let (spec, set) = (spec(settings), questions());
    let points =
        turnwise_core::sweep::tasks(&InfoDeepSeek, &spec, &set).expect("they can be played");
    let case = Case::new(&InfoDeepSeek, &spec, &points[at]);
    let mut left: BTreeMap<&str, std::slice::Iter<'_, &str>> =
        replies.iter().map(|(seat, texts)| (*seat, texts.iter())).collect();
    let mut used = Vec::new();
    let played = case.play_by(|call, effect| match effect {
        Effect::Ask(ask) => match left.get_mut(ask.seat.as_str()) {
            Some(texts) => {
                match *texts.next().unwrap_or_else(|| panic!("no reply for {}", ask.seat)) {
                    FAILED_CALL => Reply::Failed(Failure::new(FailureClass::Server, "HTTP 500")),
                    FILTERED => Reply::Said(Said { stop: Stop::Filtered, ..Said::default() }),
                    text => Reply::Said(Said::text(text)),
                }
            }
            None => case.answer(call, effect),
        },
        Effect::Search(query) => {
            used.push(format!("search {}", query.text));
            match query.text.as_str() {
                "nothing" => Reply::found(Vec::new()),
                "miss" => Reply::Failed(Failure::new(FailureClass::OffRecording, "not recorded")),
                _ => Reply::found(vec![hit(1), hit(2)]),
            }
        }
        Effect::Use(Tool::Page(visit)) => {
            used.push(format!("open {}", visit.url));
            let url = visit.url.as_str();
            let failed = |class, why: &str| {
                let detail = json!({ "rule": "address" });
                Reply::Failed(Failure { detail, ..Failure::new(class, why) })
            };
            let text = match url {
                _ if url.contains("gone") || url.starts_with("file") => {
                    return failed(FailureClass::Refused, "the address is not public");
                }
                _ if url.contains("miss") => {
                    return failed(FailureClass::OffRecording, "not in the archive");
                }
                _ if url.contains("long") => "Borey Island has a long history.\n".repeat(6_000),
                _ if url.contains("empty") => " \n".to_owned(),
                _ => "Borey Island became independent in 1994.\nIt is small.".to_owned(),
            };
            Reply::Made(Made::Page(Box::new(page(url, &text))))
        }
        other => panic!("{other:?} is not asked for"),
    });
    assert!(left.values().all(|texts| texts.len() == 0), "replies are left over");
    (played, used)
}

fn play(settings: Value, replies: &[(&str, &[&str])]) -> (Played, Vec<String>) {
    play_of(0, settings, replies)
}

/// The service's filter kept the reply back.
const FILTERED: &str = "(filtered)";
const DONE: &str = r#"[{"task_name": "end", "command": {"name": "task_complete", "args": {}}}]"#;

fn searches(text: &str) -> String {
    json!([{ "task_name": "find", "command": { "name": "web_search", "args": { "text": text } } }])
        .to_string()
}

fn opens(url: &str, part: u32) -> String {
    let args = json!({ "url": url, "question": "when?", "part": part });
    json!([{ "task_name": "read", "command": { "name": "browse_website", "args": args } }])
        .to_string()
}

fn ranks(urls: &[&str]) -> String {
    let page = |url: &&str| json!({ "url": url, "content": "Independent in 1994." });
    json!(urls.iter().map(page).collect::<Vec<_>>()).to_string()
}

/// What was asked, in its order: p plan, c conclusion, r answer without the web, k ranking, a answer from pages.
fn trace(played: &Played) -> String {
    let mut answers = ["c", "r"].into_iter();
    let mut letter = |shown: &Shown| {
        let template = shown.ask.templates().first().copied().unwrap_or_default();
        match (shown.ask.seat.as_str(), template.split('_').next().unwrap_or_default()) {
            ("player", "plan") => "p",
            ("player", "rank") => "k",
            ("player", _) => answers.next().expect("there are two at most"),
            ("answerer", _) => "a",
            _ => "",
        }
    };
    played.shown.iter().map(&mut letter).collect()
}

/// The record of a run's report.
fn report(spec: &Spec, played: &[&Played]) -> Value {
    let summaries: Vec<_> = played.iter().map(|played| &played.summary).collect();
    crate::metrics::report(spec, &summaries).record
}
