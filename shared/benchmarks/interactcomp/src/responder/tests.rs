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
use turnwise_core::testing::cases;

#[test]
fn the_n_vectors_hold_in_both_profiles() {
    // Texts (`⏎` = newline), what `reference` hears and what `strict` hears.
    let rows =
        cases::<(Vec<&str>, UserReply, Option<UserReply>)>(include_str!("tests/replies.jsonl"));
    for (texts, by_reference, by_strict) in rows {
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
    let rows = cases::<(&str, Option<UserReply>)>(include_str!("tests/among_words.jsonl"));
    for (text, reply) in rows {
        assert_eq!(strict(Some(text)), reply, "{text:?}");
    }
}

#[test]
fn strict_does_not_guess() {
    let texts = cases::<&str>(include_str!("tests/not_guessed.jsonl"));
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
