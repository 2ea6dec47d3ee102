use crate::reading::{
    FINAL_LIMIT, Kind, Move, QUESTION_LIMIT, Token, reference, reference_final, reference_token,
    strict, strict_token,
};

/// Text, what `reference` makes of it, and what `strict` does: a move or the class of the format error.
const MESSAGES: [(&str, (&str, &str), &str); 13] = [
    (
        "Q: Is he alive?",
        ("question", "Is he alive?"),
        "question Is he alive?",
    ),
    ("final he died", ("final", "he died"), "no_tag"),
    ("Quite sure. FINAL: x", ("question", "x"), "no_tag"),
    ("FINALLY: the man left", ("final", "the man left"), "no_tag"),
    (
        "Thinking...\nFINAL: he died",
        ("question", "Thinking..."),
        "final he died",
    ),
    (
        "**FINAL:** he died",
        ("question", "**FINAL:** he died"),
        "final he died",
    ),
    ("Q Is it: red?", ("question", "red?"), "no_tag"),
    ("", ("question", "?"), "no_text"),
    ("   ", ("question", ""), "no_text"),
    ("FINAL", ("final", ""), "no_tag"),
    ("FINAL:", ("final", ""), "empty"),
    ("Q: a?\nQ: b?", ("question", "a?"), "two_questions"),
    ("Q: a?\nFINAL: b", ("question", "a?"), "both"),
];

fn read(text: &str) -> String {
    match strict(text).result {
        Ok(Move { kind, content }) => format!("{} {content}", kind.name()),
        Err(fault) => fault.class().to_owned(),
    }
}

#[test]
fn messages_are_read_as_the_specification_says() {
    for (text, (kind, content), in_strict) in MESSAGES {
        let Move {
            kind: found,
            content: text_found,
        } = reference(text);
        assert_eq!(
            (found.name(), text_found.as_str()),
            (kind, content),
            "reference: {text:?}"
        );
        assert_eq!(read(text), in_strict, "strict: {text:?}");
    }
}

#[test]
fn strict_takes_tags_as_models_write_them() {
    let same = [
        (
            "<think>Q: is he dead? FINAL: no</think>\nQ: Is he alive?",
            "question Is he alive?",
        ),
        ("> **Question：** 他还活着吗？", "question 他还活着吗？"),
        ("- `q: a?`", "question a?"),
        ("### FINAL: one\ntwo\r\nthree\n", "final one\ntwo\r\nthree"),
        ("First.\n**FINAL**: _he died_\n```", "final he died"),
        ("FINAL: one\nFINAL: two", "final one\nFINAL: two"),
        ("Q:\nIs he alive?", "empty"),
        ("Q: **", "empty"),
        ("QUESTIONABLE: a?", "no_tag"),
        ("Q&A: a?", "no_tag"),
        ("YES", "no_tag"),
        ("<think>Q: a?", "no_text"),
    ];
    for (text, found) in same {
        assert_eq!(read(text), found, "{text:?}");
    }
    let repaired = strict("<think>hm</think>**Q: a?**").repairs;
    assert_eq!(repaired, ["reasoning removed", "Markdown removed"]);
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
    for text in [
        "Q: a?\nYES",
        "Q: a?\nJudge: **No.**",
        "FINAL: x\nCORRECT",
        "Q: a?\n裁判：IRRELEVANT\nQ: b?",
        "A: both",
    ] {
        assert!(strict(text).answers_for_judge, "{text:?}");
    }
    for text in [
        "Q: a?",
        "Q: yes?",
        "He said yes to the offer.\nQ: a?",
        "FINAL: no",
        "Judge:\nQ: a?",
    ] {
        assert!(!strict(text).answers_for_judge, "{text:?}");
    }
    assert_eq!(read("Q: a?\nYES"), "question a?");
    assert_eq!(read("Q: a?\nYES\nQ: b?"), "two_questions");
}

#[test]
fn tokens_are_read_as_the_specification_says() {
    use Kind::{Final, Question};
    use Token::{Both, Correct, Incorrect, Irrelevant, No, Yes};
    let vectors = [
        ("YES", Question, Yes, Some(Yes)),
        ("No", Question, No, Some(No)),
        ("yes.", Question, Irrelevant, Some(Yes)),
        ("IRRELEVANT.", Question, Irrelevant, Some(Irrelevant)),
        ("Both yes and no", Question, Yes, None),
        ("NO, YES", Question, Yes, None),
        ("BOTH\n", Question, Both, Some(Both)),
        ("CORRECT", Question, Irrelevant, None),
        ("", Question, Irrelevant, None),
        ("correct", Final, Correct, Some(Correct)),
        ("Correct.", Final, Incorrect, Some(Correct)),
        ("NOT CORRECT", Final, Correct, None),
        ("INCORRECT CORRECT", Final, Correct, None),
        ("**CORRECT**", Final, Incorrect, Some(Correct)),
        ("YES", Final, Incorrect, None),
        ("", Final, Incorrect, None),
    ];
    for (text, kind, in_reference, in_strict) in vectors {
        assert_eq!(
            reference_token(text, kind),
            in_reference,
            "reference: {text:?}"
        );
        assert_eq!(strict_token(text, kind), in_strict, "strict: {text:?}");
    }
    // Ours: a reason behind the token is let through, an essay and a reply without a token are not.
    let more = [
        ("<think>NO or BOTH?</think> _yes_", Question, Some(Yes)),
        ("No. The man was not a thief.", Question, Some(No)),
        ("YES，因为他是盲人", Question, Some(Yes)),
        ("The answer is YES", Question, None),
        ("No, that is irrelevant", Question, None),
        (
            "INCORRECT: the solver names the wrong man",
            Final,
            Some(Incorrect),
        ),
        ("是", Question, None),
    ];
    for (text, kind, token) in more {
        assert_eq!(strict_token(text, kind), token, "{text:?}");
    }
}

#[test]
fn the_forced_final_of_the_reference_takes_any_text() {
    assert_eq!(reference_final("FINAL: y"), "y");
    assert_eq!(
        reference_final(" just prose\nand more "),
        "just prose\nand more"
    );
    assert_eq!(reference_final("Q: more?"), "Q: more?");
}

#[test]
fn any_text_is_read_quickly() {
    let long = [
        "Q: ".repeat(300_000),
        "FINAL:\n".repeat(140_000),
        "<think>".repeat(140_000),
        "YES ".repeat(250_000),
        "\u{1c}\u{85}\u{2028}".repeat(150_000),
        "*".repeat(1_000_000),
        "İﬁ谜".repeat(100_000),
    ];
    for text in &long {
        strict(text);
        reference(text);
        reference_final(text);
        for kind in [Kind::Question, Kind::Final] {
            strict_token(text, kind);
            reference_token(text, kind);
        }
    }
}
