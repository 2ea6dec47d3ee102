use super::*;

/// The whole table, as it stands in the module's head: rows are states, columns moves.
const TABLE: &str = "
open      running -        -        open      open    closed  cancelled withdrawn
running   running paused   running  idle      -       closed  cancelled withdrawn
paused    running paused   running  paused    -       closed  cancelled withdrawn
idle      running paused   running  idle      -       closed  cancelled withdrawn
closed    -       -        -        closed    open    closed  -         withdrawn
cancelled running -        -        cancelled open    -       cancelled withdrawn
withdrawn -       -        -        withdrawn -       -       -         withdrawn
";

#[test]
fn the_table_is_whole() {
    let mut rows = 0;
    for (row, state) in TABLE.trim().lines().zip(RunState::ALL) {
        let mut cells = row.split_whitespace();
        assert_eq!(cells.next(), Some(state.name()));
        for (wanted, cell) in Move::ALL.into_iter().zip(cells.by_ref()) {
            let after = state.after(wanted).map(RunState::name);
            match cell {
                "-" => {
                    let refused = CannotMove { state, wanted };
                    assert_eq!(after, Err(refused), "{state} {wanted:?}");
                }
                name => assert_eq!(after, Ok(name), "{state} {wanted:?}"),
            }
        }
        assert_eq!(cells.next(), None);
        rows += 1;
    }
    assert_eq!(rows, RunState::ALL.len());
}

#[test]
fn the_head_of_the_module_says_the_same() {
    let head = include_str!("../driving.rs");
    for state in RunState::ALL {
        let row: Vec<String> = Move::ALL
            .into_iter()
            .map(|wanted| {
                let after = state.after(wanted);
                after.map_or_else(|_| "–".to_owned(), |state| state.to_string())
            })
            .collect();
        let line = format!("//! | {state} | {} |", row.join(" | "));
        assert!(head.contains(&line), "{line}");
    }
}

#[test]
fn names_are_those_of_the_api() {
    for state in RunState::ALL {
        assert_eq!(serde_json::to_value(state).expect("plain data"), state.name());
    }
    let refused = RunState::Closed.after(Move::Take).expect_err("it is over");
    assert_eq!(refused.to_string(), "a run that is closed cannot be taken up");
}

#[test]
fn whoever_asks_for_a_state_comes_to_it_or_is_refused() {
    for wanted in RunState::ALL {
        for state in RunState::ALL {
            if let Ok(after) = state.after(Move::towards(wanted)) {
                assert!(after == wanted || wanted == RunState::Idle, "{state} {wanted}");
            }
        }
    }
}

#[test]
fn a_run_whose_lease_has_run_out_is_idle_and_nothing_else_changes() {
    let lease = |holder, until| Lease { epoch: Epoch(1), holder, until };
    let page = |until| lease(Holder::Page, until);
    assert_eq!(RunState::Running.at(10, Some(&page(11))), RunState::Running);
    assert_eq!(RunState::Running.at(11, Some(&page(11))), RunState::Idle);
    assert_eq!(RunState::Running.at(11, None), RunState::Idle);
    // Taken while a clock was ahead, by a little and by more than clocks may differ.
    for holder in [Holder::Page, Holder::Server] {
        let taken_ahead = |by| lease(holder, 1000 + holder.lease() + by);
        assert!(taken_ahead(0).is_live(1000) && taken_ahead(CLOCKS).is_live(1000));
        for ahead in [CLOCKS + 1, 3_600_000, u64::MAX / 2] {
            let lease = taken_ahead(ahead);
            assert_eq!(RunState::Running.at(1000, Some(&lease)), RunState::Idle);
            assert!(TakeLease::default().may_follow(Some(&lease), 1000));
        }
    }
    for state in RunState::ALL {
        if state != RunState::Running {
            assert_eq!(state.at(11, Some(&page(1))), state);
        }
    }
}

#[test]
fn a_lost_call_counts_against_what_was_sent() {
    let none = CallCount::default();
    assert_eq!(none.loss(), None);
    let some = CallCount { calls: 30, sent: 40, lost: 10, unanswered: 0 };
    assert_eq!(some.loss(), Some(0.25));
}

#[test]
fn a_lease_is_taken_from_nobody_from_oneself_or_by_force() {
    let lease = |holder| Lease { epoch: Epoch(3), holder, until: 100 };
    let page = lease(Holder::Page);
    let wish = |mine, from| TakeLease { mine: Epoch(mine), from };
    assert!(TakeLease::default().may_follow(None, 99));
    assert!(!TakeLease::default().may_follow(Some(&page), 99));
    assert!(TakeLease::default().may_follow(Some(&page), 100), "it has run out");
    assert!(wish(3, TakeFrom::Nobody).may_follow(Some(&page), 99));
    assert!(!wish(2, TakeFrom::Nobody).may_follow(Some(&page), 99));
    let server = lease(Holder::Server);
    assert!(!wish(3, TakeFrom::Nobody).may_follow(Some(&server), 99));
    assert!(wish(0, TakeFrom::Anybody).may_follow(Some(&server), 99));
}

#[test]
fn a_wish_may_be_left_out() {
    let take: TakeLease = serde_json::from_str("{}").expect("defaults");
    assert_eq!((take.mine, take.from), (Epoch(0), TakeFrom::Nobody));
    let drive: Drive = serde_json::from_str(r#"{"in_flight":3}"#).expect("defaults");
    assert_eq!((drive.in_flight, drive.pause_after), (3, FAILURES_IN_A_ROW));
}

#[test]
fn words_of_a_service_can_be_taken_out_of_a_trouble() {
    let halt = |words: Option<&str>| Halt {
        who: "model:up/m".to_owned(),
        class: FailureClass::Unauthorised,
        message: "the key was refused".to_owned(),
        words: words.map(str::to_owned),
        until: None,
        in_a_row: 3,
    };
    let mut with = trouble(&halt(Some("a secret. It says: more")));
    assert!(with.message.contains("a secret"), "{with:?}");
    without_words(&mut with);
    assert_eq!(with, trouble(&halt(None)));
}
