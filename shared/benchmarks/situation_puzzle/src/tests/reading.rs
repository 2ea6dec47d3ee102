use super::vectors;
use crate::reading::{
    FINAL_LIMIT, Kind, QUESTION_LIMIT, Token, reference, reference_final, strict, token,
};
use turnwise_core::prelude::*;

/// Text, what `reference` makes of it (where it is stated), and `strict`.
type Message = (String, Option<(Kind, String)>, String);

fn read(text: &str) -> String {
    match strict(text).result {
        Ok((kind, content)) => format!("{} {content}", kind.name()),
        Err(fault) => fault.class().to_owned(),
    }
}

#[test]
fn messages_are_read_as_the_specification_says() {
    for (text, in_reference, in_strict) in vectors::<Vec<Message>>("messages") {
        assert_eq!(read(&text), in_strict, "strict: {text:?}");
        if let Some(wanted) = in_reference {
            assert_eq!(reference(&text), wanted, "reference: {text:?}");
        }
    }
    let repaired = strict("<think>hm</think>**Q: a?**").repairs;
    assert_eq!(repaired, ["reasoning removed", "Markdown removed"]);
}

#[test]
fn tokens_are_read_as_the_specification_says() {
    for (kind, text, in_reference, in_strict) in
        vectors::<Vec<(Kind, String, Token, Option<Token>)>>("tokens")
    {
        assert_eq!(
            token(&text, kind, Profile::Reference),
            Some(in_reference),
            "reference: {text:?}"
        );
        assert_eq!(token(&text, kind, Profile::Strict), in_strict, "strict: {text:?}");
    }
}

#[test]
fn limits_are_counted_in_characters() {
    for (tag, limit) in [("Q", QUESTION_LIMIT), ("FINAL", FINAL_LIMIT)] {
        let text = |characters: usize| format!("{tag}: {}", "谜".repeat(characters));
        assert!(strict(&text(limit)).result.is_ok());
        assert_eq!(read(&text(limit + 1)), "too_long");
    }
}

#[test]
fn a_player_that_answers_for_the_judge_is_noticed() {
    let does = [
        "Q: a?\nYES",
        "Q: a?\nJudge: **No.**",
        "FINAL: x\nCORRECT",
        "裁判：IRRELEVANT\nQ: b?",
        "A: both",
    ];
    for text in does {
        assert!(strict(text).answers_for_judge, "{text:?}");
    }
    let does_not =
        ["Q: yes?", "He said yes to the offer.\nQ: a?", "FINAL: no", "Judge:\nQ: a?", "No idea."];
    for text in does_not {
        assert!(!strict(text).answers_for_judge, "{text:?}");
    }
}

#[test]
fn the_forced_final_of_the_reference_takes_any_text() {
    assert_eq!(reference_final("FINAL: y"), "y");
    assert_eq!(reference_final(" just prose\nand more "), "just prose\nand more");
    assert_eq!(reference_final("Q: more?"), "Q: more?");
}

#[test]
fn any_text_is_read_quickly() {
    for part in ["Q: ", "FINAL:\n", "<think>", "YES ", "\u{1c}\u{85}\u{2028}", "*", "İﬁ谜"] {
        let text = part.repeat(1_000_000 / part.len());
        strict(&text);
        reference_final(&text);
        for kind in [Kind::Question, Kind::Final] {
            for profile in [Profile::Strict, Profile::Reference] {
                token(&text, kind, profile);
            }
        }
    }
}
