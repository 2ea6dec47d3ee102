use super::*;
use crate::testing::cases;

const WORDS: [Word<&str>; 4] = [
    Word::of("yes", YES),
    Word::of("no", NO),
    Word::of("both", &["both"]),
    Word::of("irrelevant", &["irrelevant"]),
];
const RIGHT: [Word<bool>; 2] = [Word::of(true, &["correct"]), Word::of(false, &["incorrect"])];

#[test]
fn a_word_is_heard_in_any_dress() {
    for (text, wanted) in cases::<(&str, Option<&str>)>(include_str!("tests/heard.jsonl")) {
        assert_eq!(read(text, &WORDS), wanted, "{text:?}");
    }
    for (text, wanted) in [
        ("CORRECT", Some(true)),
        ("It is correct.", Some(true)),
        ("That is incorrect", Some(false)),
        ("INCORRECT: the solver names the wrong man", Some(false)),
        ("{\"verdict\": \"CORRECT\"}", Some(true)),
    ] {
        assert_eq!(read(text, &RIGHT), wanted, "{text:?}");
    }
}

#[test]
fn nothing_is_guessed() {
    for text in cases::<&str>(include_str!("tests/not_guessed.jsonl")) {
        assert_eq!(read(text, &WORDS), None, "{text:?}");
    }
    for text in [
        "NOT CORRECT",
        "not correct",
        "That is not correct",
        "isn't correct",
        "INCORRECT CORRECT",
        "CORRECT or INCORRECT",
        "YES",
        "The answer is not CORRECT.",
    ] {
        assert_eq!(read(text, &RIGHT), None, "{text:?}");
    }
}

#[test]
fn alone_means_alone() {
    for (text, wanted) in [
        (" CORRECT\n", Some(true)),
        ("**Incorrect**", Some(false)),
        ("`correct`.", Some(true)),
        ("Correct (mostly)", None),
        ("not correct", None),
        ("", None),
    ] {
        assert_eq!(alone(text, &RIGHT), wanted, "{text:?}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_heard(text in "(?s)(yes|no|both|answer|是|不是|no\\.|[ ,.\n|:’{}\"]|.){0,30}") {
        let _ = (read(&text, &WORDS), alone(&text, &WORDS), read(&text, &RIGHT));
    }
}
