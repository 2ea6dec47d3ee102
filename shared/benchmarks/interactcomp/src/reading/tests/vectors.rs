//! The P vectors of the specification (3.4).

/// A vector's id, the text with `F` for a fence and `⏎` for a newline, and what either profile makes of it.
pub type Row = (&'static str, &'static str, &'static str, &'static str);

pub const ASK_B: &str = "ask {'question': 'b'}";
pub const ASK_Q: &str = "ask {'question': 'q'}";

/// See the table at the head of the tests.
pub const P: [Row; 33] = [
    ("P1", "", " {}", "empty"),
    ("P1", "{}", " {}", "no_action"),
    ("P1", "[]", " {}", "no_object"),
    ("P1", r#""answer""#, " {}", "no_object"),
    (
        "P2",
        r#"{"action":"search","params":{"query":"a"}}"#,
        "search {'query': 'a'}",
        "search {'query': 'a'}",
    ),
    ("P3", r#"text⏎Fjson⏎{"action":"ask","params":{"question":"b"}}⏎F"#, ASK_B, ASK_B),
    ("P4", r#"FJSON {"action":"ask","params":{"question":"b"}}F"#, ASK_B, ASK_B),
    (
        "P5",
        r#"Fjson⏎{"action":"search","params":{"query":"a"}}⏎F⏎Fjson⏎{"action":"ask","params":{"question":"b"}}⏎F"#,
        "search {'query': 'a'}",
        ASK_B,
    ),
    ("P6", r#"Fjson⏎{bad}⏎F⏎Fjson⏎{"action":"ask","params":{"question":"b"}}⏎F"#, " {}", ASK_B),
    (
        "P7",
        r#"pre {"action":"ask","params":{"question":"{b}"}} post"#,
        "ask {'question': '{b}'}",
        "ask {'question': '{b}'}",
    ),
    (
        "P8",
        r#"{"action":"search","params":{"query":"a"}}⏎{"action":"ask","params":{"question":"b"}}"#,
        " {}",
        ASK_B,
    ),
    ("P9", r#"think {x} then {"action":"ask","params":{}}"#, " {}", "missing_argument"),
    ("P10", r#"{"name":"ask","params":{"question":"q"}}"#, ASK_Q, "no_action"),
    ("P10", r#"{"action":"","name":"ask","params":{"question":"q"}}"#, ASK_Q, "no_action"),
    ("P11", r#"{"action":"ask"}"#, "ask {}", "no_params"),
    ("P11", r#"{"action":"ask","params":null}"#, "ask {}", "params_not_object"),
    ("P11", r#"{"action":"ask","params":"q"}"#, "ask {}", "params_not_object"),
    ("P11", r#"{"action":"ask","params":["q"]}"#, "ask {}", "params_not_object"),
    ("P12", r#"{"action":"ask","arguments":{"question":"q"}}"#, "ask {}", "no_params"),
    ("P13", r#"{"action":5,"params":{"question":"q"}}"#, "5 {'question': 'q'}", "action_not_text"),
    ("P13", r#"{"action":true}"#, "True {}", "action_not_text"),
    ("P13", r#"{"action":{"k":1}}"#, "{'k': 1} {}", "action_not_text"),
    ("P14", r#"{"action":"ASK","params":{}}"#, "ASK {}", "unknown_action"),
    (
        "P15",
        r#"{"action":"ask","params":{"question":"a⏎b"}}"#,
        " {}",
        r"ask {'question': 'a\nb'} raw line breaks in a text",
    ),
    ("P16", "\u{feff}{\"action\":\"ask\",\"params\":{\"question\":\"q\"}}", ASK_Q, ASK_Q),
    ("P16", "\u{a0}{\"action\":\"ask\",\"params\":{\"question\":\"q\"}}\u{a0}", ASK_Q, ASK_Q),
    ("P16", "\u{3000}{\"action\":\"ask\",\"params\":{\"question\":\"q\"}}\u{3000}", ASK_Q, ASK_Q),
    ("P17", r#"[{"action":"ask","params":{"question":"q"}}]"#, ASK_Q, ASK_Q),
    ("P18", r#"Fpython⏎{"action":"ask","params":{"question":"q"}}⏎F"#, ASK_Q, ASK_Q),
    ("P19", r#"{"action":"ask","params":{"question":"q"}} // note }"#, " {}", ASK_Q),
    (
        "P20",
        r#"{"action":" ask ","params":{"question":"q"}}"#,
        " ask  {'question': 'q'}",
        "ask {'question': 'q'} blanks cut around the name",
    ),
    ("P21", r#"{"action":"a","action":"b","params":{}}"#, "b {}", "same_key"),
    ("P21", r#"{"action":"ask","params":{"question":"p","question":"q"}}"#, ASK_Q, "same_key"),
];
