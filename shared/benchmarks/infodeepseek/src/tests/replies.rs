//! What seats say, and how it is read.

use serde_json::{Value, json};
use turnwise_core::prelude::*;

use crate::reading::{self, Action, Ranked, last_list};
use turnwise_core::testing::cases;

/// The vectors of 3.6 in the column of wave 2, E.4: what is read, `None` where the player is asked again.
#[test]
fn lists_are_read_as_models_write_them() {
    let any = |value: &Json| Ok::<_, String>(serde_json::to_value(value).expect("plain data"));
    for (text, wanted) in cases::<(&str, Option<Value>)>(include_str!("lists.jsonl")) {
        let read = last_list(text, any).ok().map(|items| json!(items));
        assert_eq!(read, wanted, "{text}");
    }
    let fits = |value: &Json, name: &str| {
        let object = value.as_object().ok_or("no object")?;
        object.get(name).map(|_| 1).ok_or_else(|| format!("no {name}"))
    };
    for unbalanced in [r#"[{"a":{"b":1}]"#, r#"[{"a":1"#, r#"{"a":{"b":1}"#, "no list", ""] {
        assert!(last_list(unbalanced, |value| fits(value, "a")).is_err(), "{unbalanced}");
    }
    let step = |value: &Json| fits(value, "b");
    // An object that fits is a list of one, and a list may have other things around it.
    assert_eq!(last_list(r#"{"b": [1, 2]}"#, step), Ok(vec![1]));
    assert_eq!(last_list(r#"{"plan": [{"b": 1}, {"b": 2}]}"#, step), Ok(vec![1, 1]));
    assert_eq!(last_list(r#"{"plan": []}"#, step), Err("no b".to_owned()));
    assert!(last_list(&"[{".repeat(100_000), step).is_err(), "and it takes no time");
}

#[test]
fn steps_are_read_and_refused_by_what_they_lack() {
    let one = |text: &str| reading::plan(text).map(|mut steps| steps.remove(0));
    let search =
        one(r#"[{"task_name": "t", "command": {"name": "search", "args": {"text": " a b "}}}]"#)
            .expect("a step");
    assert_eq!(search.action(), Ok(Action::Search("a b".to_owned())));
    let open = |args: &str| {
        one(&format!(r#"{{"command": {{"name": "browse_website", "args": {args}}}}}"#))
            .expect("a step")
    };
    let opened = |part| {
        Ok(Action::Open { url: "https://a.example".to_owned(), question: String::new(), part })
    };
    assert_eq!(open(r#"{"url": "https://a.example", "surplus": 1}"#).action(), opened(1));
    assert_eq!(open(r#"{"url": "https://a.example", "part": "3"}"#).action(), opened(3));
    // As a person's form is written.
    let form = "```json\n{\"action\":\"browse_website\",\"params\":{\"url\":\"https://a.example\",\"question\":\"\",\"part\":\"\"}}\n```";
    assert_eq!(one(form).expect("a step").action(), opened(1));
    for (args, problem) in
        [("{}", "needs the text url"), (r#"{"url": "https://a.example", "part": 0}"#, "from 1")]
    {
        let fault = open(args).action().expect_err(problem);
        assert!(fault.class == "bad_arguments" && fault.detail.contains(problem), "{fault}");
    }
    let unknown = one(r#"[{"command": {"name": "shell", "args": {}}}]"#).expect("a step").action();
    assert_eq!(unknown.expect_err("there is none").class, "unknown_tool");
    for (text, problem) in cases::<(&str, &str)>(include_str!("no_plan.jsonl")) {
        let fault = reading::plan(text).expect_err(problem);
        assert!(fault.class == "no_plan" && fault.detail.contains(problem), "{fault}");
    }
    assert_eq!(reading::plan("[]"), Ok(Vec::new()));
}

#[test]
fn pages_of_one_address_are_one() {
    let text = r#"[{"url": "https://A.example/x/", "content": "one"}, {"url": "https://b.example", "content": ""},
        {"url": "http://a.example/x#part", "content": "two"}, {"url": "https://c.example"}]"#;
    let page =
        |url: &str, content: &str| Ranked { url: url.to_owned(), content: content.to_owned() };
    let wanted = [page("https://A.example/x/", "one\ntwo"), page("https://b.example", "")];
    assert_eq!(reading::ranking(text, 2), Ok(wanted.to_vec()));
    let form =
        r#"{"action":"rank","params":{"1":"https://a.example","2":" ","3":"https://b.example"}}"#;
    let wanted = vec![page("https://a.example", ""), page("https://b.example", "")];
    assert_eq!(reading::ranking(form, 5), Ok(wanted));
    assert_eq!(reading::ranking("[]", 5), Ok(Vec::new()));
    for text in ["none", r#"[{"content": "c"}]"#, "[\"https://a.example\"]"] {
        assert_eq!(reading::ranking(text, 5).expect_err(text).class, "no_ranking");
    }
}

/// 6.3 and 6.4, in the column of wave 2, E.4.
#[test]
fn verdicts_are_one_word() {
    for yes in [
        "Yes",
        " YES \n",
        "Yes.",
        "**Yes**",
        "Yes, because it says so",
        "是",
        "<think>No.</think>yes",
    ] {
        assert_eq!(reading::verdict(yes), Some(true), "{yes}");
    }
    for no in ["No", "no.", "否"] {
        assert_eq!(reading::verdict(no), Some(false), "{no}");
    }
    for unread in ["True", "", "Yes or no", "Perhaps"] {
        assert_eq!(reading::verdict(unread), None, "{unread}");
    }
}
