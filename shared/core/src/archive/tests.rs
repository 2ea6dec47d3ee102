//! Archives of transcripts: answered by content, in whatever order they were made.

use serde_json::json;

use super::*;
use crate::effect::Hit;
use crate::run::header;
use crate::spec::{Named, Spec};
use crate::task::Task;
use crate::transcript::Part;

fn made(url: &str, title: &str, text: &str) -> Reply {
    let page = json!({
        "made": "page", "url": url, "status": 200, "title": title, "language": "en", "text": text, "links": [], "cut": false,
        "source": Digest::of(text),
    });
    Reply::Made(serde_json::from_value(page).expect("a page"))
}

fn failed(class: FailureClass) -> Reply {
    Reply::Failed(Failure::new(class, "made up"))
}

fn visit(url: &str, locale: Option<&str>) -> Visit {
    Visit { url: url.to_owned(), locale: locale.map(str::to_owned) }
}

fn query(text: &str) -> Query {
    serde_json::from_value(json!({ "text": text, "results": 3 })).expect("a query")
}

fn found(title: &str) -> Reply {
    let title = Some(title.to_owned());
    Reply::found(vec![Hit { title, snippet: None, url: None }])
}

/// An episode that visited and searched, with the engine of its run.
fn episode(engine: &str, told: &[(Request, Reply)]) -> Transcript {
    let tasks = Named { name: "t".to_owned(), digest: Digest::of("t") };
    let mut spec = Spec::imported("b", json!({}), tasks, "m");
    spec.search = Some(SearchSpec { engine: engine.to_owned(), corpus: None, results: 3 });
    let task = Task {
        id: "1".into(),
        digest: Digest::of("1"),
        labels: BTreeMap::new(),
        fields: BTreeMap::new(),
    };
    let events = (1..).zip(told).flat_map(|(call, (request, reply))| {
        let (call, request, reply) = (CallId(call), request.clone(), reply.clone());
        [Event::Asked { call, request }, Event::Told { call, reply }].map(Some)
    });
    let header = header(&spec, &task, 1, Part::Play);
    Transcript { header, events: events.collect(), chain: Digest::of("") }
}

fn visited(url: &str, reply: Reply) -> (Request, Reply) {
    (Request::Use(Used::Page(visit(url, None))), reply)
}

fn searched(text: &str, reply: Reply) -> (Request, Reply) {
    (Request::Search(query(text)), reply)
}

fn archive(episodes: &[&Transcript]) -> Archive {
    let mut content = Content::default();
    for episode in episodes {
        content.add(episode);
    }
    Archive::new(content)
}

fn class(reply: &Reply) -> Option<FailureClass> {
    match reply {
        Reply::Failed(failure) => Some(failure.class),
        _ => None,
    }
}

#[test]
fn pages_are_answered_by_address_and_locale_whoever_asks_and_when() {
    let mill = made("https://a.example/mill", "The mill", "It grinds.");
    let moved = made("https://a.example/new", "Moved", "Here.");
    let one = episode(
        "e",
        &[
            visited("https://a.example/mill", mill.clone()),
            visited("https://a.example/old", moved.clone()),
        ],
    );
    let other = episode(
        "e",
        &[
            visited("https://a.example/gone", failed(FailureClass::Rejected)),
            visited("https://a.example/slow", failed(FailureClass::Timeout)),
            visited("https://a.example/mill", failed(FailureClass::Rejected)),
            visited("https://a.example/other", failed(FailureClass::OffRecording)),
        ],
    );
    let made = archive(&[&one, &other]);
    assert_eq!(made.digest(), archive(&[&other, &one]).digest(), "no order matters");
    for same in ["https://a.example/mill", "HTTPS://A.example/mill#wheel"] {
        assert_eq!(made.page(&visit(same, None)), mill, "{same}");
    }
    for redirected in ["https://a.example/old", "https://a.example/new"] {
        assert_eq!(made.page(&visit(redirected, None)), moved);
    }
    let in_chinese =
        (Request::Use(Used::Page(visit("https://a.example/zh", Some("zh")))), mill.clone());
    let locales = archive(&[&one, &episode("e", &[in_chinese])]);
    for (url, locale) in [("zh#x", Some("zh")), ("mill", None), ("none", None)] {
        assert_eq!(locales.locale_of(&format!("https://A.example/{url}")).as_deref(), locale);
    }
    let gone = made.page(&visit("https://a.example/gone", None));
    assert_eq!(class(&gone), Some(FailureClass::Rejected), "it is as it was");
    for (url, locale) in [
        ("https://a.example/mill", Some("zh")),
        ("https://a.example/Mill", None),
        ("https://a.example/slow", None),
        ("https://a.example/other", None),
        ("https://b.example/", None),
    ] {
        let missed = made.page(&visit(url, locale));
        assert_eq!(class(&missed), Some(FailureClass::OffRecording), "{url} {locale:?}");
    }
}

#[test]
fn what_no_run_has_searched_the_index_answers_and_says_so() {
    let mill = made("https://a.example/mill", "The mill", "It grinds oats by the river.");
    let pond = made("https://a.example/pond", "磨坊池塘", "池塘在河边。");
    let one = episode(
        "e",
        &[
            searched("mills", found("A")),
            visited("https://a.example/mill", mill),
            visited("https://a.example/pond", pond),
        ],
    );
    let made = archive(&[&one]);
    assert_eq!(made.search("e", &query("mills")), found("A"));
    let titles = |engine: &str, text: &str| match made.search(engine, &query(text)) {
        Reply::Found { hits, by } if by.as_deref() == Some(BY_INDEX) => {
            hits.into_iter().filter_map(|hit| hit.title).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(titles("other", "the mill"), ["The mill"], "another engine");
    assert_eq!(titles("e", "池塘"), ["磨坊池塘"]);
    assert_eq!(titles("e", "zebra"), [""; 0]);
    let Reply::Found { hits, .. } = made.search("e", &query("oats")) else { panic!("found") };
    assert_eq!(hits[0].url.as_deref(), Some("https://a.example/mill"));
    assert_eq!(hits[0].snippet.as_deref(), Some("It grinds oats by the river."));
    // What the index answered is no answer of the engine.
    let again = episode(
        "frozen:e",
        &[
            searched("mills", found("A")),
            searched("oats", made.search("e", &query("oats"))),
            visited("https://a.example/none", made.page(&visit("https://a.example/none", None))),
        ],
    );
    assert_eq!(missed(&again), Missed { pages: 1, searches: 1 });
    let second = archive(&[&again]);
    assert_eq!(second.search("e", &query("mills")), found("A"), "it is the engine's own name");
    assert_eq!(
        second.search("e", &query("oats")),
        Reply::Found { hits: vec![], by: Some(BY_INDEX.into()) }
    );
}

#[test]
fn a_search_is_of_one_engine() {
    let digest = |archive: &Archive| archive.search_spec(3).map(|spec| spec.corpus);
    let (e, f) = (episode("e", &[]), episode("frozen:f", &[]));
    let one = archive(&[&e]);
    assert_eq!(digest(&one), Ok(Some(one.digest())));
    assert_eq!(archive(&[&f]).search_spec(3).expect("f").frozen_engine(), Some("f"));
    let both = archive(&[&e, &f]).search_spec(3).expect_err("two engines");
    assert!(both.contains("e and f"), "{both}");
    assert!(archive(&[]).search_spec(3).is_err());
}

#[test]
fn a_written_web_is_the_same_in_every_language() {
    let mut content = Content::written("sample");
    let here = made("https://a.example/", "Here", "It is here.");
    content.put(&visit("https://a.example", None), here.clone());
    let made = Archive::new(content);
    assert_eq!(made.page(&visit("https://a.example/", Some("zh"))), here);
    assert!(
        matches!(made.search("sample", &query("here")), Reply::Found { by: None, hits } if hits.len() == 1)
    );
}
