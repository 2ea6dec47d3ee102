use crate::reading::player::Calling::{Parallel, Sequential};
use crate::reading::syntax::*;
use turnwise_core::json::parse;
use turnwise_core::prelude::*;
use turnwise_core::spec::Profile::{self, Reference, Strict};

/// Names and arguments of the calls of a text, as text.
fn built(syntax: Syntax, text: &str, profile: Profile) -> Vec<String> {
    let calls = syntax.calls(text, Parallel, profile);
    let shown = |call: Call| match call.body {
        Body::Json(text) => text,
        Body::Built { name, arguments } => {
            format!("{name} {}", serde_json::to_string(&arguments).unwrap())
        }
    };
    calls.into_iter().map(shown).collect()
}

/// Specification 5.3: the default pattern.
#[test]
fn default_calls() {
    let both =
        |text| (built(Syntax::Default, text, Reference), built(Syntax::Default, text, Strict));
    let (reference, strict) =
        both("<tool_call>\n {\"a\": {}}\n</tool_call> and <tool_call>{}</tool_call>");
    assert_eq!(reference, ["{\"a\": {}}", "{}"]);
    assert_eq!(strict, reference);
    // An opening without a brace is skipped; a closing one without a brace is swallowed.
    assert_eq!(both("<tool_call>no</tool_call>"), (vec![], vec!["no".to_owned()]));
    let (reference, strict) = both("<tool_call>{\"a</tool_call> <tool_call>{\"b\": 1}</tool_call>");
    assert_eq!(reference, ["{\"a</tool_call> <tool_call>{\"b\": 1}"]);
    assert_eq!(strict, ["{\"a", "{\"b\": 1}"]);
    assert_eq!(both("<tool_call>{\"a\": 1}"), (vec![], vec![]));
    // One that is never closed does not swallow the next whole one, whether its object is cut off or not.
    for open in ["{\"a\": 1}\n", "{\"a\": "] {
        let text = format!("<tool_call>{open}<tool_call>{{\"b\": 1}}</tool_call>");
        assert_eq!(built(Syntax::Default, &text, Strict), ["{\"b\": 1}"]);
    }
    let named = "<tool_call>{\"a\": \"what is <tool_call>?\"}</tool_call>";
    assert_eq!(built(Syntax::Default, named, Strict), ["{\"a\": \"what is <tool_call>?\"}"]);
    let many = format!("{}{{}}</tool_call>", "<tool_call>".repeat(10_000));
    assert_eq!(built(Syntax::Default, &many, Strict), ["{}"]);
    let span =
        Syntax::Default.calls("x<tool_call>{}</tool_call>y", Sequential, Reference)[0].span.clone();
    assert_eq!(span, 1..26);
}

#[test]
fn deepseek() {
    let text = |bar: &str, json: &str| {
        format!(
            "t <{bar}tool▁call▁begin{bar}>function<{bar}tool▁sep{bar}>web_search\n```json\n{json}\n```<{bar}tool▁call▁end{bar}>"
        )
    };
    let ascii = text("|", r#"{"query": "a"}"#);
    let wide = text("｜", r#"{"query": "b"}"#);
    assert_eq!(built(Syntax::Deepseek, &ascii, Reference), [r#"web_search {"query":"a"}"#]);
    assert!(built(Syntax::Deepseek, &wide, Reference).is_empty());
    assert_eq!(
        built(Syntax::Deepseek, &format!("{wide}{ascii}"), Strict),
        [r#"web_search {"query":"b"}"#, r#"web_search {"query":"a"}"#]
    );
    let unmarked = ascii.replace("```json", "```");
    assert_eq!(built(Syntax::Deepseek, &unmarked, Reference).len(), 1);
    // One after the other, a last call that does not decode is no call; side by side it is left out.
    let broken = format!("{ascii}{}", text("|", "{"));
    assert!(Syntax::Deepseek.calls(&broken, Sequential, Reference).is_empty());
    assert_eq!(Syntax::Deepseek.calls(&broken, Parallel, Reference).len(), 1);
}

#[test]
fn glm4() {
    let text = "<tool_call>web_search\n<arg_key>query</arg_key>\n<arg_value>2027</arg_value>\n<arg_key>n</arg_key><arg_value>two\nlines</arg_value></tool_call>";
    assert_eq!(built(Syntax::Glm4, text, Reference), [r#"web_search {"query":2027}"#]);
    assert_eq!(
        built(Syntax::Glm4, text, Strict),
        ["web_search {\"query\":2027,\"n\":\"two\\nlines\"}"]
    );
    let unclosed = format!("<tool_call>web_search\n<arg_key>query</arg_key>{text}");
    assert_eq!(built(Syntax::Glm4, &unclosed, Strict), built(Syntax::Glm4, text, Strict));
}

/// Specification 5.3: a JSON body under `glm4`. With a line break before it the name is empty, without one there is no call.
#[test]
fn glm4_reads_a_json_body_as_the_authors_pattern_does() {
    let json = r#"{"name": "web_search", "arguments": {"query": "q"}}"#;
    let read = |text: &str| built(Syntax::Glm4, text, Reference);
    for (text, calls) in [
        (format!("<tool_call>{json}</tool_call>"), vec![]),
        (format!("<tool_call>\n{json}\n</tool_call>"), vec![" {}"]),
        (format!("<tool_call> {json}</tool_call>"), vec![" {}"]),
        (format!("<tool_call>web_search{json}</tool_call>"), vec!["web_search {}"]),
        ("<tool_call></tool_call>".to_owned(), vec![]),
        ("<tool_call><arg_key>a</arg_key></tool_call>".to_owned(), vec![]),
    ] {
        assert_eq!(read(&text), calls, "{text}");
    }
    // Keys and values are counted apart: a value over two lines is none, and the next takes its key.
    let shifted = "<tool_call>web_search<arg_key>a</arg_key><arg_value>1\n</arg_value><arg_key>query</arg_key><arg_value> q </arg_value></tool_call>";
    assert_eq!(read(shifted), [r#"web_search {"a":" q "}"#]);
}

#[test]
fn minimax() {
    let invoke = |query: &str| {
        format!(
            "<invoke name=\"web_search\">\n<parameter name=\"query\"> {query} </parameter>\n</invoke>"
        )
    };
    let text = format!("<minimax:tool_call>{}{}</minimax:tool_call>", invoke("a b"), invoke("[1]"));
    // Two in one wrapper merge, the later parameter wins.
    assert_eq!(built(Syntax::Minimax, &text, Reference), [r#"web_search {"query":[1]}"#]);
    assert_eq!(
        built(Syntax::Minimax, &text, Strict),
        [r#"web_search {"query":"a b"}"#, r#"web_search {"query":[1]}"#]
    );
}

#[test]
fn qwen35_and_kimi() {
    let text = "<tool_call>\n<function=web_search>\n<parameter=query>\n高度 2027\n</parameter>\n</function>\n</tool_call>";
    assert_eq!(built(Syntax::Qwen35, text, Reference), [r#"web_search {"query":"高度 2027"}"#]);
    assert!(built(Syntax::Qwen35, "<tool_call>web_search</tool_call>", Reference).is_empty());
    let kimi = |id: &str| {
        format!(
            "<|tool_call_begin|>{id}<|tool_call_argument_begin|>{{\"query\": \"q\"}}<|tool_call_end|>"
        )
    };
    assert_eq!(
        built(Syntax::KimiK2, &kimi("functions.browse:0"), Reference),
        [r#"web_search {"query":"q"}"#]
    );
    assert_eq!(
        built(Syntax::KimiK2, &kimi("functions.browse:0"), Strict),
        [r#"browse {"query":"q"}"#]
    );
    assert_eq!(built(Syntax::KimiK2, &kimi("call_71"), Strict), [r#"web_search {"query":"q"}"#]);
}

#[test]
fn glm_leaves_the_closing_tag_out() {
    let open = "thought <tool_call>{\"name\": \"web_search\"}";
    assert_eq!(mend_glm(&format!("{open}<|observation|>")), Some(format!("{open}</tool_call>")));
    assert_eq!(mend_glm(&format!("{open}\n<|user|> ")), Some(format!("{open}</tool_call>")));
    assert_eq!(mend_glm(&format!("{open}</tool_call>")), None);
    assert_eq!(mend_glm("<tool_call>{\"name\""), None);
    assert_eq!(mend_glm("prose<|user|>"), None);
}

#[test]
fn names_in_settings() {
    let all = [
        Syntax::Default,
        Syntax::Deepseek,
        Syntax::Glm4,
        Syntax::Minimax,
        Syntax::Qwen35,
        Syntax::KimiK2,
    ];
    let names: Vec<String> =
        all.iter().map(|syntax| serde_json::to_string(syntax).unwrap()).collect();
    assert_eq!(names.join(" "), r#""default" "deepseek" "glm4" "minimax" "qwen35" "kimi_k2""#);
    assert!(parse(&names[5], Dialect::Strict).is_ok());
}
