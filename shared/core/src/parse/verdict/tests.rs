use super::*;

const WORDS: [Word<&str>; 4] = [
    Word::of("yes", YES),
    Word::of("no", NO),
    Word::of("both", &["both"]),
    Word::of("irrelevant", &["irrelevant"]),
];
const RIGHT: [Word<bool>; 2] = [Word::of(true, &["correct"]), Word::of(false, &["incorrect"])];

#[test]
fn a_word_is_heard_in_any_dress() {
    for (text, wanted) in [
        ("yes", Some("yes")),
        ("YES.", Some("yes")),
        ("**No.** Because the man was not there.", Some("no")),
        ("**No**, because …", Some("no")),
        ("*Both*", Some("both")),
        ("\u{201c}Irrelevant\u{201d}", Some("irrelevant")),
        ("[Yes]", Some("yes")),
        ("(no)", Some("no")),
        ("`yes`", Some("yes")),
        ("```\nno\n```", Some("no")),
        ("> Yes", Some("yes")),
        ("# No", Some("no")),
        ("- yes", Some("yes")),
        ("1. No", Some("no")),
        ("ＹＥＳ！", Some("yes")),
        ("yes!!!", Some("yes")),
        ("\u{feff}yes\u{200b}", Some("yes")),
        ("Answer: yes", Some("yes")),
        ("**Answer:** No", Some("no")),
        ("The answer is yes.", Some("yes")),
        ("The answer is: both", Some("both")),
        ("My verdict is no, because he lived.", Some("no")),
        ("Final answer: irrelevant", Some("irrelevant")),
        ("Verdict - yes", Some("yes")),
        ("### Answer\nYes\n\nThe story says so.", Some("yes")),
        ("It could be yes or no at first sight.\n\nAnswer: no", Some("no")),
        ("The man was a sailor.\nYes", Some("yes")),
        ("Is it stated? No.", Some("no")),
        ("Yes. There is no doubt.", Some("yes")),
        ("No the man was not there", Some("no")),
        ("Both are wrong", Some("both")),
        ("Yes, yes", Some("yes")),
        ("\\boxed{\\text{Yes}}", Some("yes")),
        ("是", Some("yes")),
        ("不是。", Some("no")),
        ("答案：是", Some("yes")),
        ("YES，因为他是盲人", Some("yes")),
        ("{\"verdict\": \"yes\"}", Some("yes")),
        ("```json\n{\"verdict\": \"No.\", \"reason\": \"yes would be wrong\"}\n```", Some("no")),
        ("{\"reasoning\": \"yes or no\", \"final_answer\": \"BOTH\"}", Some("both")),
        ("[\"yes\"]", Some("yes")),
        ("<answer>yes</answer>", Some("yes")),
        ("<verdict>No</verdict>", Some("no")),
        ("[THINK]no or yes[/THINK]Both", Some("both")),
    ] {
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
    for text in [
        "",
        "...",
        "maybe",
        "That is hard to say.",
        "yes and no",
        "Yes or no?",
        "yes/no",
        "yes|no",
        "Yes.\nNo.",
        "NO YES",
        "no, not yes",
        "not yes",
        "The answer is not yes",
        "Not sure, Irrelevant",
        "Both yes and no",
        "No, that is irrelevant",
        "Now Yes",
        "Nothing",
        "Yesterday",
        "eyes",
        "no-one",
        "yes_no",
        "yesno",
        "No information is given",
        "There is no mention of it",
        "No. 12 is not mentioned",
        "no.7",
        "答案是",
        "是否如此",
        "{\"verdict\": \"yes\", \"answer\": \"no\"}",
        "{\"verdict\": null}",
        "{\"reason\": \"yes\", \"note\": \"yes\"}",
        "<think>yes",
        "<think>yes</think>",
    ] {
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
