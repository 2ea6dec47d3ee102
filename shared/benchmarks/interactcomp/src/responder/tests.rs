//! The N vectors of the specification (6.2) in both profiles.
//!
//! What `strict` makes of each was settled before it was written. Where it is not obvious:
//!
//! - `unknown`, `I do not know` and `dont know` say plainly what the third reply says. `not sure`, `None`, `Cannot tell`,
//!   `it isn't stated`, `I can't say` and `maybe` are none of the three replies: the responder is asked again.
//! - `No, I don't know` is unknown: the phrase for not knowing outweighs the "no" beside it.
//! - `eyes no` is not read: "no" is neither the line nor a clause of it.
//! - `yes | no | i don't know` repeats the choices, so it is not read.
//! - `yep`, `nope`, `True.`, `incorrect.` are read: alone in a line they can mean nothing else.

use super::UserReply::{No, Unknown, Yes};
use super::*;

/// Texts (`⏎` = newline), what `reference` hears and what `strict` hears.
const N: [(&[&str], UserReply, Option<UserReply>); 18] = [
    (&["I don't know", "i dont know", "idk", "IDK."], Unknown, Some(Unknown)),
    (&["YES.", "**yes**", "\"yes\"", "The answer is yes"], Yes, Some(Yes)),
    (&["No.", "nope", "The answer is no"], No, Some(No)),
    (&["yes⏎because", "⏎⏎yes"], Yes, Some(Yes)),
    (&["correct", "true", "y", "是", "对"], Yes, Some(Yes)),
    (&["incorrect", "false", "n", "不是", "否"], No, Some(No)),
    (&["不知道", "不知道。"], Unknown, Some(Unknown)),
    (&["maybe", "?", "it isn't stated", "I can't say"], Unknown, None),
    (&["I don't know.", "i don’t know", "I do not know", "dont know"], No, Some(Unknown)),
    (&["Output: i don't know", "unknown"], No, Some(Unknown)),
    (&["not sure", "None", "Cannot tell", "step 1: note"], No, None),
    (&["True.", "yep"], Unknown, Some(Yes)),
    (&["false.", "incorrect."], Unknown, Some(No)),
    (&["Reasoning...⏎yes", "是的。", "答案：是"], Unknown, Some(Yes)),
    (&["不是的"], Unknown, Some(No)),
    (&["yesterday", "eyes no", "yes | no | i don't know"], Yes, None),
    (&["No, I don't know"], No, Some(Unknown)),
    (&["", "  ", "⏎ ⏎"], Unknown, None),
];

#[test]
fn the_n_vectors_hold_in_both_profiles() {
    for (texts, by_reference, by_strict) in N {
        for text in texts {
            let text = text.replace('⏎', "\n");
            assert_eq!(reference(Some(&text)), by_reference, "reference: {text:?}");
            assert_eq!(strict(Some(&text)), by_strict, "strict: {text:?}");
        }
    }
    assert_eq!(reference(None), Unknown);
    assert_eq!(strict(None), None);
}

#[test]
fn strict_hears_replies_among_other_words() {
    let rows = [
        ("Yes, the context says so.", Some(Yes)),
        ("No — it was the other way round.", Some(No)),
        ("No. The context has 12 of them.", Some(No)),
        ("No, 12 is another one.", Some(No)),
        ("No. 12 is another one. No.", Some(No)),
        ("Is it stated? No.", Some(No)),
        ("Step 1: compare.\nStep 2: it matches.\n\n**Answer:** yes", Some(Yes)),
        ("<think>no, wait: yes?</think>\nno", Some(No)),
        ("{\"answer\": \"no\"}", Some(No)),
        ("```\nyes\n```", Some(Yes)),
        ("＂ＹＥＳ！＂", Some(Yes)),
        ("根据上下文，不是。", Some(No)),
        ("是的，文中写明了。", Some(Yes)),
        ("上下文没有提到，我不知道", Some(Unknown)),
        ("答案是：不是", Some(No)),
        ("The context does not mention it, so I don't know.", Some(Unknown)),
        ("I don't know whether that is so", Some(Unknown)),
        ("> - **I don`t know**", Some(Unknown)),
    ];
    for (text, reply) in rows {
        assert_eq!(strict(Some(text)), reply, "{text:?}");
    }
}

#[test]
fn strict_does_not_guess() {
    let texts = [
        "There is no mention of it",
        "No. 12 is not mentioned in the context",
        "no.7",
        "No information about this in the context",
        "I am not sure",
        "That is not correct",
        "Sure, let me look.",
        "yes and no",
        "Yes.\nNo.",
        "yes, I don't know",
        "yes/no/i don't know",
        "答案是",
        "是否如此",
        "Nobody knows, true, but still open",
        "The word yes, as in the question, appears",
        "<think>yes",
        "...",
    ];
    for text in texts {
        assert_eq!(strict(Some(text)), None, "{text:?}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_heard(text in "(?s)(yes|no|i don't know|不知道|是|[ ,.\n|:’]|.){0,30}") {
        let _ = strict(Some(&text));
        let _ = reference(Some(&text));
    }

    #[test]
    fn the_three_replies_are_always_heard(before in "[ \n\t*_\"。]{0,5}", after in "[ \n\t*_\"。.!]{0,5}", choice in 0..3_usize) {
        let reply = [Yes, No, Unknown][choice];
        let text = format!("{before}{reply}{after}");
        proptest::prop_assert_eq!(strict(Some(&text)), Some(reply));
    }
}
