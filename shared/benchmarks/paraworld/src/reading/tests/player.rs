use serde_json::{Value, json};

use crate::reading::dispatch::{Counted, Dispatch, Fault, Repair, dispatch};
use crate::reading::player::*;
use crate::reading::syntax::Syntax;
use turnwise_core::python::strip;
use turnwise_core::spec::Profile::{self, Reference, Strict};
use turnwise_core::testing::cases;

const CALL: &str =
    r#"<tool_call>{"name": "web_search", "arguments": {"query": "height of Ada"}}</tool_call>"#;

fn call(arguments: &str) -> String {
    format!(r#"<tool_call>{{"name": "web_search", "arguments": {arguments}}}</tool_call>"#)
}

fn turn(text: &str, profile: Profile) -> Turn {
    read(text, Syntax::Default, Calling::Sequential, profile).turn
}

fn answer(text: &str, profile: Profile) -> Option<String> {
    match turn(text, profile) {
        Turn::Answer { answer, span } => {
            assert_eq!(&text[span], answer);
            Some(answer)
        }
        Turn::Calls(_) | Turn::Neither(_) => None,
    }
}

#[test]
fn answers() {
    for profile in [Reference, Strict] {
        assert_eq!(
            answer("<answer>1</answer> <answer> 2\n</answer>", profile).as_deref(),
            Some("2")
        );
        assert_eq!(answer("<answer>1</answer><answer> </answer>", profile), None);
        assert_eq!(answer(&format!("{CALL}<answer>x</answer>"), profile).as_deref(), Some("x"));
        assert_eq!(turn("<answer>1", profile), Turn::Neither(Why::Prose));
        assert_eq!(turn("<answer> </answer>", profile), Turn::Neither(Why::BlankAnswer));
        assert_eq!(
            read(
                &format!("{CALL}<answer>x</answer>"),
                Syntax::Default,
                Calling::Sequential,
                profile
            )
            .ignored,
            1
        );
    }
    let draft = format!("<think><answer>draft</answer></think>{CALL}");
    assert_eq!(answer(&draft, Reference).as_deref(), Some("draft"));
    assert!(matches!(turn(&draft, Strict), Turn::Calls(_)));
    assert_eq!(turn(&format!("<think>{CALL}"), Strict), Turn::Neither(Why::OpenThought));
    assert_eq!(turn("<tool_call>{", Strict), Turn::Neither(Why::BrokenCall));
    assert!(has_answer_span("<answer></answer>") && !has_answer_span("<answer>"));
}

#[test]
fn the_last_call_or_all() {
    let text = format!("{} {}", call(r#"{"query": "a"}"#), call(r#"{"query": "b"}"#));
    for profile in [Reference, Strict] {
        let one = read(&text, Syntax::Default, Calling::Sequential, profile);
        let Turn::Calls(calls) = one.turn else { panic!("a call") };
        assert_eq!((calls.len(), one.ignored), (1, 1));
        assert!(text[calls[0].span.clone()].contains("\"b\""));
        let all = read(&text, Syntax::Default, Calling::Parallel, profile);
        assert!(matches!(all.turn, Turn::Calls(calls) if calls.len() == 2));
    }
    let thought = format!("<think>{CALL}</think>{text}");
    let Turn::Calls(calls) = turn(&thought, Strict) else { panic!("a call") };
    assert!(thought[calls[0].span.clone()].contains("\"b\""));
}

fn dispatched(text: &str, calling: Calling, profile: Profile) -> Vec<Dispatch> {
    let Turn::Calls(calls) = read(text, Syntax::Default, calling, profile).turn else {
        return Vec::new();
    };
    calls.iter().map(|call| dispatch(call, text, calling, calls.len(), profile)).collect()
}

fn one(text: &str, profile: Profile) -> Dispatch {
    dispatched(text, Calling::Sequential, profile).remove(0)
}

/// What becomes of a call, as tables of cases have it.
fn shown(dispatch: &Dispatch) -> Value {
    match dispatch {
        Dispatch::Run { query, repairs } => {
            let names = repairs.iter().map(|repair| match repair {
                Repair::Commas => "commas",
                Repair::Tail => "tail",
                Repair::QueryAsText => "query_as_text",
            });
            let mut shown = vec![json!("run"), json!(query)];
            shown.extend(names.map(|name| json!(name)));
            Value::Array(shown)
        }
        Dispatch::RunAndEnd { query } => json!(["run and end", query]),
        Dispatch::End(fault) => json!(["end", fault]),
        Dispatch::Refuse { fault, counted: Counted::AsCall, query } => {
            json!(["refuse", fault, query])
        }
        Dispatch::Refuse { fault, counted: Counted::Not, query } => {
            json!(["refuse unlogged", fault, query])
        }
        Dispatch::RefuseAndEnd { fault, query } => json!(["refuse and end", fault, query]),
        Dispatch::Crash(fault) => json!(["crash", fault]),
    }
}

#[test]
fn dispatch_tables() {
    for (profile, text, wanted) in cases::<(Profile, &str, Value)>(include_str!("dispatch.jsonl")) {
        assert_eq!(shown(&one(text, profile)), wanted, "{profile:?}: {text}");
        // `strict` knows no second reading.
        let strict = shown(&one(text, Strict));
        assert!(["run", "refuse"].contains(&strict[0].as_str().unwrap()), "{text}: {strict}");
    }
    for (text, wanted) in cases::<(&str, Value)>(include_str!("beside.jsonl")) {
        let both = dispatched(&format!("{CALL}{text}"), Calling::Parallel, Reference);
        assert_eq!(shown(&both[0]), json!(["run", "height of Ada"]));
        assert_eq!(shown(&both[1]), wanted, "{text}");
    }
    let number = format!("{CALL}{}", CALL.replace("\"web_search\"", "5"));
    let number = dispatched(&number, Calling::Parallel, Reference).remove(1);
    assert!(matches!(number, Dispatch::Refuse { counted: Counted::Not, .. }));
    let faults = [Fault::NotJson, Fault::NoQuery, Fault::ReadAgain];
    let told = |fault: Fault| fault.observation(Strict).starts_with("Invalid tool call format");
    assert!(faults.into_iter().all(told));
}

/// Specification 5.5: the reference's tool reads another syntax in its own way.
#[test]
fn calls_of_other_syntaxes_are_dispatched_by_the_reference() {
    let of = |syntax: Syntax, text: &str, calling, count| {
        let calls = syntax.calls(text, Calling::Sequential, Reference);
        shown(&dispatch(&calls[0], text, calling, count, Reference))
    };
    // One call always fails in the tool, two work.
    let qwen =
        "<tool_call><function=web_search><parameter=query>q</parameter></function></tool_call>";
    let refused = json!(["refuse", "read_again", "q"]);
    assert_eq!(of(Syntax::Qwen35, qwen, Calling::Parallel, 1), refused);
    assert_eq!(of(Syntax::Qwen35, qwen, Calling::Parallel, 2), json!(["run", "q"]));
    // Tags of another syntax are none for the tool.
    let kimi =
        "<|tool_call_begin|>1<|tool_call_argument_begin|>{\"query\": \"q\"}<|tool_call_end|>";
    let refused = json!(["refuse", "no_block", "q"]);
    assert_eq!(of(Syntax::KimiK2, kimi, Calling::Sequential, 1), refused);
    // A number as the single call.
    let glm =
        "<tool_call>web_search<arg_key>query</arg_key><arg_value>2027</arg_value></tool_call>";
    for calling in [Calling::Sequential, Calling::Parallel] {
        let ended = json!(["refuse and end", "read_again", 2027]);
        assert_eq!(of(Syntax::Glm4, glm, calling, 1), ended);
    }
}

/// An episode of the reference by hand: status, prediction, turns, tool calls, hit logs (specification 5.4).
fn episode(texts: &[&str], cap: usize) -> (&'static str, String, usize, usize, usize) {
    let (mut turns, mut calls, mut logs) = (0, 0, 0);
    for text in texts {
        if strip(text).is_empty() {
            return ("empty_response", String::new(), turns, calls, logs);
        }
        turns += 1;
        match turn(text, Reference) {
            Turn::Answer { answer, .. } => return ("finished", answer, turns, calls, logs),
            Turn::Calls(_) => match one(text, Reference) {
                Dispatch::Run { .. } => (calls, logs) = (calls + 1, logs + 1),
                Dispatch::RunAndEnd { .. } => {
                    return ("finished", String::new(), turns, calls + 1, logs + 1);
                }
                Dispatch::End(_) => return ("finished", String::new(), turns, calls, logs),
                Dispatch::RefuseAndEnd { .. } => {
                    return ("finished", String::new(), turns, calls + 1, logs);
                }
                Dispatch::Crash(_) => panic!("nothing runs side by side here"),
                Dispatch::Refuse { counted, .. } => {
                    calls += usize::from(counted == Counted::AsCall)
                }
            },
            Turn::Neither(_) if turns >= cap => {
                let scanned = texts[..turns].iter().any(|text| has_answer_span(text));
                let status = if scanned { "finished" } else { "max_turns_reached" };
                return (status, String::new(), turns, calls, logs);
            }
            Turn::Neither(_) => {}
        }
        if turns >= cap {
            return ("max_turns_reached", String::new(), turns, calls, logs);
        }
    }
    panic!("the script ends before the episode")
}

/// Specification 8.8, G14 (what of it concerns reading and dispatch).
#[test]
fn golden_episodes() {
    type Wanted = (&'static str, String, usize, usize, usize);
    for (texts, cap, wanted) in cases::<(Vec<&str>, usize, Wanted)>(include_str!("episodes.jsonl"))
    {
        assert_eq!(episode(&texts, cap), wanted, "{texts:?}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "(?s)(<answer>|</answer>|<tool_call>|</tool_call>|<think>|</think>|\\{\"name\": \"web_search\", |[\\{\\},\\[\\]\" a，])*") {
        for profile in [Reference, Strict] {
            for syntax in [Syntax::Default, Syntax::Glm4, Syntax::Minimax, Syntax::Qwen35, Syntax::KimiK2, Syntax::Deepseek] {
                for calling in [Calling::Sequential, Calling::Parallel] {
                    if let Turn::Calls(calls) = read(&text, syntax, calling, profile).turn {
                        for call in &calls {
                            proptest::prop_assert!(text.get(call.span.clone()).is_some());
                            let outcome = dispatch(call, &text, calling, calls.len(), profile);
                            let ends = !matches!(outcome, Dispatch::Run { .. } | Dispatch::Refuse { .. });
                            proptest::prop_assert!(profile == Reference || !ends);
                        }
                    }
                }
            }
        }
    }
}
