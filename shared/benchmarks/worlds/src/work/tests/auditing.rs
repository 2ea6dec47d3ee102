//! Both steps of the audit.

use super::*;
use crate::settings::Policy;

/// As far as both audits.
fn audited(settings: Settings) -> Work {
    let mut work = work(settings);
    say(&mut work, &question());
    say(&mut work, &law());
    say(&mut work, &passed());
    work
}

#[test]
fn the_first_audit_stops_what_it_lists_whatever_it_says() {
    let contradiction = json!({ "keys": ["a", "b"], "why": "both cannot be" });
    for (reply, reason) in [
        (json!({ "contradictions": [contradiction], "pass": false }), "contradiction"),
        (json!({ "contradictions": [contradiction], "pass": true }), "contradiction"),
        (
            json!({ "implausible": [{ "key": "a", "why": "too fast" }], "pass": true }),
            "implausible",
        ),
        (json!({ "pass": false }), "not_passed"),
    ] {
        let mut work = work(plain());
        say(&mut work, &question());
        say(&mut work, &law());
        say(&mut work, &reply);
        assert_eq!(rejection(&work), (At::Audit1, reason));
        assert_eq!(work.record.reached, Stage::SelfChecked);
    }
}

#[test]
fn answers_in_other_words_are_compared_and_only_these() {
    let mut work = audited(plain());
    let truth = answer("Ada Choir, by 9 days");
    say_each(&mut work, &[answer("Ada Choir (nine days more)"), truth, answer("Bea Quartet")]);
    assert_eq!(requests(&work), [Request::Compare(1), Request::Compare(3)]);
    say_each(
        &mut work,
        &[json!({ "consistent": true }), json!({ "consistent": false, "why": "another band" })],
    );
    let audits: Vec<_> = work
        .record
        .audit2
        .iter()
        .map(|audit| (audit.run, audit.consistent, audit.by_rule))
        .collect();
    assert_eq!(audits, [(1, true, false), (2, true, true), (3, false, false)]);
    assert_eq!(rejection(&work), (At::Audit2, "differs"));
}

#[test]
fn a_repeat_that_cannot_be_read_is_asked_again_alone() {
    let mut work = audited(plain());
    let truth = answer("Ada Choir, by 9 days");
    say_each(&mut work, &[truth.clone(), json!("hm"), answer("other")]);
    assert_eq!(requests(&work), [Request::Answer(2)], "comparisons wait for all answers");
    say(&mut work, &truth);
    assert_eq!(requests(&work), [Request::Compare(3)]);
    say(&mut work, &json!("hm"));
    assert_eq!(requests(&work), [Request::Compare(3)]);
    say(&mut work, &json!({ "consistent": true }));
    assert!(work.record.is_accepted());
}

#[test]
fn policies_say_how_many_repeats_must_agree() {
    for (policy, least) in [(Policy::All, 3), (Policy::Majority, 2), (Policy::Any, 1)] {
        for agreeing in 0..=3_usize {
            let mut work = audited(Settings { policy, ..plain() });
            let answers: Vec<Value> = (0..3)
                .map(|run| answer(if run < agreeing { "Ada Choir, by 9 days" } else { "Bea" }))
                .collect();
            say_each(&mut work, &answers);
            if agreeing < 3 {
                say(&mut work, &json!({ "consistent": false }));
            }
            assert_eq!(work.record.is_accepted(), agreeing >= least, "{policy:?} {agreeing}");
        }
    }
    // Half is no majority.
    assert!(!Policy::Majority.passes(2, 4));
}
