use crate::reading::dispatch::{Counted, Dispatch, Fault, Repair, dispatch};
use crate::reading::player::*;
use crate::reading::syntax::Syntax;
use turnwise_core::json::{Json, Object};
use turnwise_core::python::strip;
use turnwise_core::spec::Profile::{self, Reference, Strict};

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

/// Specification 5.5.
#[test]
fn dispatch_table_of_the_reference() {
    let refused = |fault, query: &str| Dispatch::Refuse {
        fault,
        counted: Counted::AsCall,
        query: Json::from(query),
    };
    let run = |query: Json| Dispatch::Run { query, repairs: Vec::new() };
    assert_eq!(one(CALL, Reference), run(Json::from("height of Ada")));
    assert_eq!(
        one("<tool_call>{\"name\": web_search}</tool_call>", Reference),
        Dispatch::End(Fault::NotJson)
    );
    assert_eq!(
        one(&CALL.replace("web_search", "browse"), Reference),
        Dispatch::End(Fault::UnknownTool)
    );
    assert_eq!(one(&CALL.replace("name", "tool"), Reference), Dispatch::End(Fault::NoName));
    assert_eq!(one(&call("\"q\""), Reference), Dispatch::End(Fault::ArgumentsNotObject));
    assert_eq!(one(&call(r#"{"query": "q",}"#), Reference), refused(Fault::ReadAgain, "q"));
    assert_eq!(
        one(&CALL.replace("}}<", "}}}<"), Reference),
        refused(Fault::ReadAgain, "height of Ada")
    );
    assert_eq!(one(&call("{}"), Reference), refused(Fault::NoQuery, ""));
    assert_eq!(one(&call(r#"{"query": ""}"#), Reference), refused(Fault::NoQuery, ""));
    let number = Dispatch::RunAndEnd { query: Json::Int(2027.into()) };
    assert_eq!(one(&call(r#"{"query": 2027}"#), Reference), number);
    assert_eq!(
        one(&call(r#"{"query": ["a"]}"#), Reference),
        run(Json::List(vec![Json::from("a")]))
    );
    // Another syntax: one call always fails in the tool, two work.
    let qwen =
        "<tool_call><function=web_search><parameter=query>q</parameter></function></tool_call>";
    let calls = Syntax::Qwen35.calls(qwen, Calling::Sequential, Reference);
    assert_eq!(
        dispatch(&calls[0], qwen, Calling::Parallel, 1, Reference),
        refused(Fault::ReadAgain, "q")
    );
    assert_eq!(dispatch(&calls[0], qwen, Calling::Parallel, 2, Reference), run(Json::from("q")));
    // Side by side nothing is mended and nothing bad is logged.
    let text =
        format!("{CALL}{}{}", call(r#"{"query": "q",}"#), CALL.replace("web_search", "browse"));
    let unlogged = |fault| Dispatch::Refuse { fault, counted: Counted::Not, query: Json::from("") };
    let wanted =
        [run(Json::from("height of Ada")), unlogged(Fault::NotJson), unlogged(Fault::UnknownTool)];
    assert_eq!(dispatched(&text, Calling::Parallel, Reference), wanted);
}

/// Specification 5.5: the tool reads the last block of the message again, whatever the agent took for the call.
#[test]
fn the_tool_of_the_reference_reads_the_last_block_again() {
    let refused = |fault, query: &str| Dispatch::Refuse {
        fault,
        counted: Counted::AsCall,
        query: Json::from(query),
    };
    for (text, fault) in [
        (format!("{CALL}<tool_call>and so on</tool_call>"), Fault::ReadAgain),
        (format!("{CALL}\n<tool_call>{{\"name\"</tool_call>"), Fault::ReadAgain),
        (format!("{CALL}<tool_call>[1]</tool_call>"), Fault::ReadAgain),
        (format!("{CALL}<tool_call></tool_call>"), Fault::NoBlock),
        (format!("<tool_call> {CALL}"), Fault::ReadAgain),
    ] {
        assert_eq!(one(&text, Reference), refused(fault, "height of Ada"), "{text}");
        // `strict` knows no second reading.
        let strict = one(&text, Strict);
        assert!(!matches!(strict, Dispatch::End(_)), "{text}");
    }
    // A broken block before the last one does not matter.
    let before = format!("<tool_call>no</tool_call>{CALL}");
    assert!(matches!(one(&before, Reference), Dispatch::Run { .. }));
    // Tags of another syntax are none for the tool.
    let kimi =
        "<|tool_call_begin|>1<|tool_call_argument_begin|>{\"query\": \"q\"}<|tool_call_end|>";
    let calls = Syntax::KimiK2.calls(kimi, Calling::Sequential, Reference);
    let told = dispatch(&calls[0], kimi, Calling::Sequential, 1, Reference);
    assert_eq!(told, refused(Fault::NoBlock, "q"));
}

/// Refused by the tool, and then the agent cuts the query for its record: what cannot be cut ends the episode.
#[test]
fn a_refused_query_that_cannot_be_cut_ends_the_episode_of_the_reference() {
    let ended = |fault, query: Json| Dispatch::RefuseAndEnd { fault, query };
    for (query, value) in [
        ("null", Json::Null),
        ("0", Json::Int(0.into())),
        ("0.0", Json::Float(0.0)),
        ("false", Json::Bool(false)),
        ("{}", Json::Object(Object::default())),
    ] {
        let text = call(&format!("{{\"query\": {query}}}"));
        assert_eq!(one(&text, Reference), ended(Fault::NoQuery, value), "{query}");
    }
    for query in ["\"\"", "[]"] {
        let text = call(&format!("{{\"query\": {query}}}"));
        assert!(matches!(one(&text, Reference), Dispatch::Refuse { .. }), "{query}");
    }
    // A number in a call that was mended, and as the single call of another syntax.
    assert_eq!(
        one(&call(r#"{"query": 2027,}"#), Reference),
        ended(Fault::ReadAgain, Json::Int(2027.into()))
    );
    let glm =
        "<tool_call>web_search<arg_key>query</arg_key><arg_value>2027</arg_value></tool_call>";
    let calls = Syntax::Glm4.calls(glm, Calling::Sequential, Reference);
    for calling in [Calling::Sequential, Calling::Parallel] {
        assert_eq!(
            dispatch(&calls[0], glm, calling, 1, Reference),
            ended(Fault::ReadAgain, Json::Int(2027.into()))
        );
    }
}

/// Specification 5.5, parallel mode.
#[test]
fn side_by_side_the_reference_refuses_in_its_own_way() {
    let beside = |arguments: &str| {
        let text = format!("{CALL}{}", call(arguments));
        dispatched(&text, Calling::Parallel, Reference).remove(1)
    };
    let refused = |fault, query: Json| Dispatch::Refuse { fault, counted: Counted::AsCall, query };
    assert_eq!(beside("{}"), refused(Fault::NoQuery, Json::from("")));
    assert_eq!(beside(r#"{"query": null}"#), refused(Fault::NoQuery, Json::Null));
    assert_eq!(beside(r#"{"query": 0}"#), refused(Fault::NoQuery, Json::Int(0.into())));
    let number = Json::Int(2027.into());
    assert_eq!(beside(r#"{"query": 2027}"#), Dispatch::Run { query: number, repairs: Vec::new() });
    assert_eq!(
        beside(r#"{"query": "a</tool_call>b}"}"#),
        refused(Fault::ReadAgain, Json::from("a</tool_call>b}"))
    );
    for arguments in ["\"x\"", "null", "[1]"] {
        assert_eq!(beside(arguments), Dispatch::Crash(Fault::ArgumentsNotObject), "{arguments}");
    }
    let named = |name: &str| {
        let text = format!("{CALL}{}", CALL.replace("\"web_search\"", name));
        dispatched(&text, Calling::Parallel, Reference).remove(1)
    };
    assert_eq!(named("[1]"), Dispatch::Crash(Fault::UnknownTool));
    assert!(matches!(named("5"), Dispatch::Refuse { counted: Counted::Not, .. }));
}

#[test]
fn strict_never_ends_an_episode() {
    let refused =
        |fault| Dispatch::Refuse { fault, counted: Counted::AsCall, query: Json::from("") };
    let run = |query: &str, repairs: &[Repair]| Dispatch::Run {
        query: Json::from(query),
        repairs: repairs.to_vec(),
    };
    assert_eq!(one(CALL, Strict), run("height of Ada", &[]));
    assert_eq!(
        one("<tool_call>{\"name\": web_search}</tool_call>", Strict),
        refused(Fault::NotJson)
    );
    assert_eq!(one(&CALL.replace("web_search", "browse"), Strict), refused(Fault::UnknownTool));
    assert_eq!(one(&CALL.replace("name", "tool"), Strict), refused(Fault::NoName));
    assert_eq!(one(&call("\"q\""), Strict), refused(Fault::ArgumentsNotObject));
    assert_eq!(one(&call("{}"), Strict), refused(Fault::NoQuery));
    assert_eq!(one(&call(r#"{"query": " "}"#), Strict), refused(Fault::NoQuery));
    assert_eq!(one(&call(r#"{"query": ["a"]}"#), Strict), refused(Fault::QueryNotText));
    assert_eq!(one(&call(r#"{"query": " q",}"#), Strict), run("q", &[Repair::Commas]));
    assert_eq!(one(&CALL.replace("}}<", "}}}<"), Strict), run("height of Ada", &[Repair::Tail]));
    assert_eq!(one(&call(r#"{"query": 2027}"#), Strict), run("2027", &[Repair::QueryAsText]));
    assert!(
        [Fault::NotJson, Fault::NoQuery, Fault::ReadAgain]
            .iter()
            .all(|fault| fault.observation(Strict).starts_with("Invalid tool call format"))
    );
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
    let end = "<answer>yes</answer>";
    let comma = call(r#"{"query": "q",}"#);
    let number = call(r#"{"query": 2027}"#);
    let unknown = CALL.replace("web_search", "browse");
    let both = format!("{CALL}{end}");
    let draft = format!("<think>{}</think>{CALL}", "<answer>draft</answer>");
    let row = |status, prediction: &str, turns, calls, logs| {
        (status, prediction.to_owned(), turns, calls, logs)
    };
    let cases: [(&[&str], usize, _); 13] = [
        (&[CALL, end], 32, row("finished", "yes", 2, 1, 1)),
        (&[&both], 32, row("finished", "yes", 1, 0, 0)),
        (&["prose", end], 32, row("finished", "yes", 2, 0, 0)),
        (&["<answer> </answer>", end], 32, row("finished", "yes", 2, 0, 0)),
        (&["<tool_call>{\"name\": }</tool_call>"], 32, row("finished", "", 1, 0, 0)),
        (&[&comma, end], 32, row("finished", "yes", 2, 1, 0)),
        (&[&unknown], 32, row("finished", "", 1, 0, 0)),
        (&[&number], 32, row("finished", "", 1, 1, 1)),
        (&[CALL, CALL], 2, row("max_turns_reached", "", 2, 2, 2)),
        (&["prose", "prose"], 2, row("max_turns_reached", "", 2, 0, 0)),
        (&["<answer></answer>", "prose"], 2, row("finished", "", 2, 0, 0)),
        (&[&draft], 32, row("finished", "draft", 1, 0, 0)),
        (&[" \n"], 32, row("empty_response", "", 0, 0, 0)),
    ];
    for (texts, cap, wanted) in cases {
        assert_eq!(episode(texts, cap), wanted, "{texts:?}");
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
