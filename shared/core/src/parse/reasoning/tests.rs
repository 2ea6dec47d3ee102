use super::*;
use crate::testing::cases;

fn parts(text: &str) -> Vec<&str> {
    spoken(text).into_iter().map(|part| &text[part]).collect()
}

#[test]
fn reasoning_is_left_out() {
    assert_eq!(parts("plain"), ["plain"]);
    assert_eq!(parts("<think>a</think>b"), ["b"]);
    assert_eq!(parts("x<THINKING>a</Thinking>b"), ["x", "b"]);
    assert_eq!(parts("a</think>b"), ["b"]);
    assert_eq!(parts("a</think>b<reasoning>c</reasoning>d"), ["b", "d"]);
    assert_eq!(parts("a<think>b"), ["a"]);
    assert_eq!(parts("<think>a<think>b</think>c</think>d"), ["d"]);
    assert_eq!(parts("<think>one</think>a<think>two</think>b"), ["a", "b"]);
    assert!(parts("<think>only").is_empty());
    assert!(parts("").is_empty());
}

#[test]
fn what_was_said_keeps_words_apart() {
    assert_eq!(said("ye<think>a</think>s"), "ye\ns");
    assert_eq!(said("<think>a</think>"), "");
}

#[test]
fn other_tags_are_text() {
    for text in [
        "<b>x</b>",
        "<thinker>x</thinker>",
        "a < think > b",
        "<think x",
        "<",
        "</",
        "</>",
        "<思>x</思>",
    ] {
        assert_eq!(parts(text), [text]);
    }
}

/// What templates put around reasoning and reply, with `@` for the reply; what is left is the reply.
#[test]
fn the_marks_of_templates_are_known() {
    let rows = include_str!("marks.txt").lines().filter(|row| !row.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let row = row.replace("\\n", "\n");
        for reply in ["Yes", "#### 7", "Q: Is it [dark]?", "{\"action\": \"<b>\"}"] {
            let text = row.replace('@', reply);
            assert_eq!(said(&text).trim(), reply, "{text:?}");
        }
        // Never closed, or nothing behind it: there is no reply.
        assert_eq!(said(&row.replace('@', "")).trim(), "", "{row:?}");
        count += 1;
    }
    assert!(count > 50);
}

#[test]
fn reasoning_that_is_never_closed_is_no_reply() {
    for text in cases::<&str>(include_str!("tests/never_closed.jsonl")) {
        assert_eq!(said(text).trim(), "", "{text:?}");
        assert_eq!(read(text).after, None, "{text:?}");
    }
}

#[test]
fn marks_in_a_sentence_are_words() {
    for text in cases::<&str>(include_str!("tests/words.jsonl")) {
        assert_eq!(said(text), text);
        assert!(read(text).marks.is_empty(), "{text:?}");
    }
}

#[test]
fn what_was_left_out_is_known() {
    let text = "[THINK]a[/THINK]yes<|im_end|>";
    assert_eq!(read(text).marks, ["[THINK]", "[/THINK]"]);
    assert_eq!(thought(text).as_deref(), Some("a"));
    assert_eq!(thought("yes"), None);
    assert_eq!(
        thought(
            "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b"
        )
        .as_deref(),
        Some("a")
    );
    assert_eq!(thought("<think>open").as_deref(), Some("open"));
}

#[test]
fn a_mark_that_is_not_known_is_named() {
    for (text, mark) in cases::<(&str, Option<&str>)>(include_str!("tests/unknown_marks.jsonl")) {
        assert_eq!(unknown_mark(text), mark, "{text:?}");
    }
}

#[test]
fn hostile_marks_are_read_in_linear_time() {
    let n = 1 << 15;
    for part in [
        "[THINK]",
        "[/THINK]",
        "<|im_end|>",
        "<think ",
        "<|channel|>",
        "◁",
        "<|",
        "[[",
        "`<think>` ",
        " <think> ",
        "analysis",
        "assistantfinal",
        "<answer>",
    ] {
        let text = part.repeat(n);
        let _ = (said(&text), thought(&text), unknown_mark(&text));
    }
}

proptest::proptest! {
    #[test]
    fn any_marks_can_be_read(text in r#"(?s)(<think>|</think>|\[THINK\]|\[/THINK\]|<\|channel\|>|final|<\|message\|>|<\|end\|>|</s>|assistant|◁think▷|analysis|here is my thought process:|’|`|[ \n"(.:]|.){0,30}"#) {
        let read = read(&text);
        let mut at = 0;
        for part in &read.parts {
            proptest::prop_assert!(at <= part.start && part.start < part.end && part.end <= text.len());
            at = part.end;
            let _ = &text[part.clone()];
        }
        let _ = (read.after.map(|after| &text[after..]), thought(&text), unknown_mark(&text));
    }
}
