//! A right answer is read whatever it is wrapped in: compression, marks, character sets, odd members, events and lines that were
//! not asked for. Each of them is one request.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use crate::common::*;
use crate::providers::{answer, asked, question, trial};

const FORMATS: [&str; 3] = ["openai", "anthropic", "gemini"];
const JSON: &str = "content-type: application/json\r\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::fast());
    to.write_all(bytes).expect("memory");
    to.finish().expect("memory")
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut to = ZlibEncoder::new(Vec::new(), Compression::fast());
    to.write_all(bytes).expect("memory");
    to.finish().expect("memory")
}

/// What was said, in one request, heard or not.
async fn is_said(format: &str, canned: Canned, text: &str) {
    for listen in [false, true] {
        let trial = trial(format, question("m"), vec![canned.clone()], listen, "").await;
        assert_eq!(trial.text(), Some(text), "{format} {canned:?}");
        assert_eq!(trial.requests(), 1, "{format}");
        assert!(trial.said().usage.input.is_some(), "{format} {:?}", trial.said());
        assert!(trial.said().usage.output.is_some(), "{format} {:?}", trial.said());
    }
}

#[tokio::test]
async fn compressed_and_marked_answers_are_read() {
    for format in FORMATS {
        let body = answer(format, "ready").to_string();
        let body = body.as_bytes();
        for (more, bytes) in [
            ("content-encoding: gzip\r\n", gzip(body)),
            ("", gzip(body)),
            ("content-encoding: deflate\r\n", zlib(body)),
            ("", [b"\xef\xbb\xbf", body].concat()),
            ("content-encoding: gzip\r\n", gzip(&[b"\xef\xbb\xbf", body].concat())),
            ("", [body, b"\n<!-- request 12 -->"].concat()),
        ] {
            is_said(format, Canned::body(200, &format!("{JSON}{more}"), &bytes), "ready").await;
        }
        let units = String::from_utf8_lossy(body).into_owned();
        let wide: Vec<u8> = units.encode_utf16().flat_map(u16::to_le_bytes).collect();
        is_said(format, Canned::body(200, JSON, &wide), "ready").await;
    }
}

#[tokio::test]
async fn compressed_and_marked_errors_tell_what_they_are() {
    let error = json!({ "error": { "message": "no", "type": "insufficient_quota", "code": "insufficient_quota" } }).to_string();
    let error = error.as_bytes();
    for bytes in [gzip(error), zlib(error), [b"\xef\xbb\xbf", error].concat()] {
        let trial = asked("openai", Canned::body(429, JSON, &bytes)).await;
        assert_eq!(trial.class(), FailureClass::Quota);
        assert_eq!(trial.requests(), 1);
    }
}

#[tokio::test]
async fn what_is_unpacked_is_bounded_and_named() {
    let large = format!("{{\"a\": \"{}\"}}", "x".repeat(3_000_000));
    let canned = Canned::body(200, JSON, &gzip(large.as_bytes()));
    let one = trial("openai", question("m"), vec![canned], false, "response_megabytes = 1").await;
    assert_eq!((one.said().stop, one.requests()), (Stop::Length, 1));
    let whole = gzip(answer("openai", "ready").to_string().as_bytes());
    let broken = Canned::body(200, JSON, &whole[..whole.len() - 10]);
    let trial = asked("openai", broken).await;
    let shown = format!("{:?}", trial.answer.reply);
    assert!(shown.contains("compressed (gzip)"), "{shown}");
    assert_eq!(trial.failed(), (FailureClass::Undecodable, 1));
}

#[tokio::test]
async fn half_of_a_pair_is_a_sign_for_that_in_every_format() {
    for format in FORMATS {
        for (escape, wanted) in [
            ("\\ud83d", "a \u{fffd} b"),
            ("\\ude00", "a \u{fffd} b"),
            ("\\ude00\\ud83d", "a \u{fffd}\u{fffd} b"),
            ("\\ud83d\\ude00", "a 😀 b"),
        ] {
            let body = answer(format, "a @@ b").to_string().replace("@@", escape);
            is_said(format, Canned::body(200, JSON, body.as_bytes()), wanted).await;
        }
    }
}

#[tokio::test]
async fn members_that_nobody_needs_may_be_anything() {
    let plain = answer("openai", "ready");
    let with = |path: &str, value: Value| {
        let mut body = plain.clone();
        let (parent, name) = path.rsplit_once('/').expect("a path");
        let parent = body.pointer_mut(parent).expect("it is there");
        match name {
            "index" | "model" | "finish_reason" if value == "none" => {
                parent.as_object_mut().expect("an object").remove(name);
            }
            _ => parent[name] = value,
        }
        body.to_string()
    };
    let more = [
        "{\"timings\": {\"rate\": NaN, \"more\": -Infinity},",
        "{\"created\": 1e999, \"created\": 7, ",
    ];
    let mut bodies: Vec<String> = cases(include_str!("wrapping/members.jsonl"))
        .into_iter()
        .map(|(path, value)| with(path, value))
        .chain(more.map(|more| plain.to_string().replacen('{', more, 1)))
        .collect();
    bodies.push(plain.to_string().replace("\"content\"", "\"content\": null, \"content\""));
    for body in bodies {
        let trial = asked("openai", Canned::body(200, JSON, body.as_bytes())).await;
        assert_eq!(trial.text(), Some("ready"), "{body}");
        assert_eq!((trial.said().stop, trial.said().refusal.as_ref()), (Stop::End, None), "{body}");
        assert_eq!((trial.said().usage.tokens(), trial.requests()), (10, 1), "{body}");
    }
    for finish in [json!(0), json!({ "type": "stop" }), json!(""), json!(["stop"])] {
        let body = with("/choices/0/finish_reason", finish);
        let trial = asked("openai", Canned::body(200, JSON, body.as_bytes())).await;
        assert_eq!(trial.text(), Some("ready"), "{body}");
        assert_eq!((trial.said().stop, trial.requests()), (Stop::Other, 1), "{body}");
    }
    for (name, reasoning, wanted) in [
        ("reasoning_content", json!([{ "type": "text", "text": "h" }, "m"]), Some("hm")),
        ("reasoning_content", json!({ "text": "hm" }), Some("hm")),
        ("reasoning", json!(["hm"]), Some("hm")),
        ("reasoning_content", json!(7), None),
    ] {
        let body = with(&format!("/choices/0/message/{name}"), reasoning);
        let trial = asked("openai", Canned::body(200, JSON, body.as_bytes())).await;
        assert_eq!(trial.text(), Some("ready"), "{body}");
        assert_eq!(trial.said().reasoning.as_deref(), wanted, "{body}");
    }
}

#[tokio::test]
async fn other_formats_are_as_lenient() {
    let mut message = answer("anthropic", "ready");
    message["model"] = json!(3);
    message["stop_details"] = json!("none");
    message["error"] = json!({});
    message["content"].as_array_mut().expect("blocks").push(json!(7));
    is_said("anthropic", Canned::ok(message.clone()), "ready").await;
    message.as_object_mut().expect("an object").remove("type");
    is_said("anthropic", Canned::ok(message), "ready").await;
    let mut response = answer("gemini", "ready");
    response["error"] = json!({ "code": 0 });
    response["modelVersion"] = json!({});
    response["promptFeedback"] = json!({ "blockReason": "" });
    response["candidates"][0]["index"] = json!(null);
    response["candidates"][0]["content"]["parts"][0]["thought"] = json!(null);
    is_said("gemini", Canned::ok(response), "ready").await;
}

#[tokio::test]
async fn a_text_of_another_type_is_a_failure_that_is_not_asked_for_again() {
    for content in [
        json!(7),
        json!(true),
        json!({ "text": "a" }),
        json!([7]),
        json!([{ "type": "text", "text": 7 }]),
    ] {
        let trial = asked("openai", Canned::ok(completion(content.clone()))).await;
        assert_eq!(trial.failed(), (FailureClass::Undecodable, 1), "{content}");
        let shown = format!("{:?}", trial.answer.reply);
        assert!(shown.contains("a text is expected"), "{shown}");
    }
    let mut message = answer("anthropic", "a");
    message["content"][0]["text"] = json!({});
    let mut response = answer("gemini", "a");
    response["candidates"][0]["content"]["parts"] = json!([{ "text": 7 }]);
    for (format, body) in [("anthropic", message), ("gemini", response)] {
        let trial = asked(format, Canned::ok(body)).await;
        assert_eq!(trial.failed(), (FailureClass::Undecodable, 1), "{format}");
    }
    // What may have been an accident is.
    for nothing in
        ["", "null", "{}", "{\"choices\": []}", "<html></html>", "{\"choices\": [{\"mess"]
    {
        let trial = asked("openai", Canned::body(200, JSON, nothing.as_bytes())).await;
        assert_eq!(trial.failed(), (FailureClass::Undecodable, 3), "{nothing}");
    }
}

/// An answer in pieces, and the account at its end.
fn pieces(format: &str) -> Vec<Value> {
    let all = cases::<(&str, _)>(include_str!("wrapping/pieces.jsonl"));
    all.into_iter().filter(|(of, _)| *of == format).map(|(_, piece)| piece).collect()
}

#[tokio::test]
async fn events_and_lines_that_nobody_asked_for_are_an_answer() {
    for format in FORMATS {
        let pieces = pieces(format);
        let whole = vec![answer(format, "ready")];
        for values in [&pieces, &whole] {
            let events: String = values.iter().map(|value| format!("data: {value}\n\n")).collect();
            let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
            let bodies = [
                format!("{events}data: [DONE]\n\n"),
                format!(": waiting\r\n\r\n{}", events.replace('\n', "\r\n")),
                format!("\u{feff}{}", events.replace('\n', "\r")),
                events.trim_end().to_owned(),
                lines.clone(),
                format!("{lines}{{\"done\": true}}\n"),
                format!("{lines}[DONE]"),
                Value::from(values.clone()).to_string(),
            ];
            let kinds =
                ["application/json", "text/event-stream", "application/x-ndjson", "text/plain"];
            for (body, kind) in bodies.iter().zip(kinds.into_iter().cycle()) {
                let head = format!("content-type: {kind}\r\n");
                let trial = asked(format, Canned::body(200, &head, body.as_bytes())).await;
                assert_eq!(trial.text(), Some("ready"), "{format} {kind} {body}");
                assert_eq!(
                    (trial.said().stop, trial.requests()),
                    (Stop::End, 1),
                    "{format} {body}"
                );
            }
            let body = bodies[0].as_bytes();
            is_said(format, Canned::body(200, JSON, body), "ready").await;
            let events = "content-type: text/event-stream\r\n";
            is_said(format, Canned::body(200, events, &gzip(body)), "ready").await;
        }
        let first = pieces.iter().map(Value::to_string).find(|piece| piece.contains("rea"));
        let cut = format!("data: {}\n\n", first.expect("it has a text"));
        let trial = asked(format, Canned::body(200, JSON, cut.as_bytes())).await;
        assert_eq!(trial.failed(), (FailureClass::Undecodable, 3), "{format}");
    }
    let other = "data: {\"progress\": 1}\n\ndata: {\"progress\": 2}\n\n";
    for body in [other.to_owned(), other.replace("data: ", "")] {
        let trial = asked("openai", Canned::body(200, JSON, body.as_bytes())).await;
        assert_eq!(trial.failed(), (FailureClass::Undecodable, 1), "{body}");
        let shown = format!("{:?}", trial.answer.reply);
        assert!(shown.contains("the service sent"), "{shown}");
    }
}

#[tokio::test]
async fn a_whole_answer_survives_what_breaks_behind_it() {
    let body = answer("openai", "ready").to_string();
    let head = format!("HTTP/1.1 200 OK\r\n{JSON}content-length: 999\r\n\r\n");
    is_said("openai", Canned::Raw(format!("{head}{body}")), "ready").await;
    let half = Canned::Raw(format!("{head}{}", &body[..body.len() - 5]));
    assert_eq!(asked("openai", half).await.class(), FailureClass::Connection);
}
