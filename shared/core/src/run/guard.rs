//! When a run pauses by itself: a refused key, an account without credit, a budget that is used up, or too many failures in
//! a row of the same model or search engine.
//!
//! The call on which it pauses, and those that fail in the same way while it is paused, are not passed on to their episodes.
//! They are held back and sent again when the run is resumed, so that no episode is lost to a key that has run out.

use std::collections::BTreeMap;

use crate::call::Timing;
use crate::effect::{Effect, Failure, FailureClass, Reply, Tool};

/// After this many failures in a row a run pauses by default.
pub const FAILURES_IN_A_ROW: u32 = 10;

/// Why a run has paused by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Halt {
    /// Who fails, e.g. `model:openai/gpt-5` or `search:wiki`.
    pub who: String,
    /// How it failed at last.
    pub class: FailureClass,
    /// The same in a sentence. It names no key and no address.
    pub message: String,
    /// What the service itself said, if it is known.
    pub words: Option<String>,
    /// Milliseconds since 1970 before which the service does not want to be asked again, if it said so.
    pub until: Option<u64>,
    /// Failures in a row, from 1.
    pub in_a_row: u32,
}

/// What becomes of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Tell,
    /// The call waits and is sent again.
    HoldBack,
}

#[derive(Debug, Default)]
pub(super) struct Guard {
    limit: Option<u32>,
    in_a_row: BTreeMap<String, u32>,
    halt: Option<Halt>,
}

impl Guard {
    /// Watches from now on; 0 pauses only on what nothing but a person can mend.
    pub fn watch(&mut self, limit: u32) {
        self.limit = Some(limit);
    }

    /// Why the run has paused, if this was the reason.
    pub fn halt(&self) -> Option<&Halt> {
        self.halt.as_ref()
    }

    /// The run was resumed: all are counted anew.
    pub fn resumed(&mut self) {
        self.halt = None;
        self.in_a_row.clear();
    }

    /// Receives what came back from outside, and what the service said beside it.
    pub fn hear(&mut self, who: &str, reply: &Reply, timing: &Timing) -> Verdict {
        let Some(limit) = self.limit else {
            return Verdict::Tell;
        };
        let Reply::Failed(failure) = reply else {
            self.in_a_row.remove(who);
            return Verdict::Tell;
        };
        if !can_pause(failure.class) {
            return Verdict::Tell;
        }
        let in_a_row = self.in_a_row.entry(who.to_owned()).or_default();
        *in_a_row += 1;
        let in_a_row = *in_a_row;
        if let Some(halt) = &mut self.halt
            && halt.who == who
        {
            halt.in_a_row = in_a_row;
            return Verdict::HoldBack;
        }
        let is_hopeless = matches!(
            failure.class,
            FailureClass::Unauthorised
                | FailureClass::Forbidden
                | FailureClass::Quota
                | FailureClass::Blocked
                | FailureClass::BudgetExhausted
        );
        if !is_hopeless && (limit == 0 || in_a_row < limit) {
            return Verdict::Tell;
        }
        self.halt.get_or_insert_with(|| Halt::new(who, failure, timing, in_a_row));
        Verdict::HoldBack
    }
}

impl Halt {
    fn new(who: &str, failure: &Failure, timing: &Timing, in_a_row: u32) -> Self {
        Halt {
            who: who.to_owned(),
            class: failure.class,
            message: failure.message.clone(),
            words: timing.words.clone(),
            until: timing.until,
            in_a_row,
        }
    }
}

/// Whether a failure is about the page that was wanted or the document that was to be rendered, not about this run: the player reads it,
/// and the next call may fare better.
pub(super) fn is_about_content(effect: &Effect, reply: &Reply) -> bool {
    match (effect, reply) {
        (Effect::Use(Tool::Page(_)), Reply::Failed(failure)) => !failure.class.is_of_the_run(),
        (Effect::Use(Tool::Render(_)), Reply::Failed(failure)) => {
            failure.class == FailureClass::Rejected
        }
        _ => false,
    }
}

/// Whether a failure says something about the service that was called, or about what the run may spend. An episode's own
/// budget does not count here: no call is made then.
fn can_pause(class: FailureClass) -> bool {
    match class {
        FailureClass::Timeout
        | FailureClass::Connection
        | FailureClass::RateLimited
        | FailureClass::Server
        | FailureClass::Unauthorised
        | FailureClass::Forbidden
        | FailureClass::Quota
        | FailureClass::Blocked
        | FailureClass::Rejected
        | FailureClass::Undecodable
        | FailureClass::Unavailable
        | FailureClass::BudgetExhausted => true,
        FailureClass::Filtered
        | FailureClass::Context
        | FailureClass::Refused
        | FailureClass::TooLarge
        | FailureClass::OffRecording
        | FailureClass::Cancelled => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::{Job, RenderProfile, Visit};
    use crate::prompt::Said;

    /// Hears a reply of which the service said nothing more.
    fn hear(guard: &mut Guard, who: &str, reply: &Reply) -> Verdict {
        guard.hear(who, reply, &Timing::default())
    }

    fn failed(class: FailureClass) -> Reply {
        Reply::Failed(Failure::new(class, "no"))
    }

    fn said() -> Reply {
        Reply::Said(Said::text("yes"))
    }

    #[test]
    fn nobody_watches_unless_told_to() {
        let mut guard = Guard::default();
        for _ in 0..100 {
            let verdict = hear(&mut guard, "a", &failed(FailureClass::Unauthorised));
            assert_eq!(verdict, Verdict::Tell);
        }
        assert_eq!(guard.halt(), None);
    }

    #[test]
    fn so_many_in_a_row_of_the_same_one_pause() {
        let mut guard = Guard::default();
        guard.watch(3);
        let down = failed(FailureClass::Server);
        for _ in 0..2 {
            assert_eq!(hear(&mut guard, "a", &down), Verdict::Tell);
            assert_eq!(hear(&mut guard, "b", &down), Verdict::Tell);
        }
        assert_eq!(hear(&mut guard, "b", &said()), Verdict::Tell);
        assert_eq!(hear(&mut guard, "b", &down), Verdict::Tell, "counted anew");
        for own in [FailureClass::Cancelled, FailureClass::OffRecording, FailureClass::Filtered] {
            assert_eq!(hear(&mut guard, "a", &failed(own)), Verdict::Tell);
        }
        assert_eq!(guard.halt(), None);
        assert_eq!(hear(&mut guard, "a", &down), Verdict::HoldBack);
        assert_eq!(hear(&mut guard, "a", &down), Verdict::HoldBack, "while it rests");
        assert_eq!(hear(&mut guard, "b", &down), Verdict::Tell, "others are told");
        let halt = guard.halt().expect("it has paused");
        assert_eq!((halt.who.as_str(), halt.in_a_row), ("a", 4));
        guard.resumed();
        assert_eq!(guard.halt(), None);
        assert_eq!(hear(&mut guard, "a", &down), Verdict::Tell);
    }

    #[test]
    fn a_dead_link_and_a_page_too_slow_to_render_are_the_players() {
        let job = Job { html: String::new(), width: 1, height: 1, profile: RenderProfile::Render1 };
        let [page, render] =
            [Tool::Page(Visit { url: String::new(), locale: None }), Tool::Render(job)]
                .map(Effect::Use);
        let is_about = |effect: &Effect, class| is_about_content(effect, &failed(class));
        use FailureClass::{BudgetExhausted, Connection, Rejected, Server, Unavailable};
        assert!(is_about(&page, Connection) && is_about(&render, Rejected));
        for (effect, class) in [
            (&page, BudgetExhausted),
            (&page, Unavailable),
            (&render, Server),
            (&render, Unavailable),
        ] {
            assert!(!is_about(effect, class), "{class:?}");
        }
        assert!(!is_about_content(&page, &said()));
    }

    #[test]
    fn what_only_a_person_can_mend_pauses_at_once_even_without_a_limit() {
        use FailureClass::{Blocked, BudgetExhausted, Forbidden, Quota, Unauthorised};
        for (limit, class) in [
            (0, Unauthorised),
            (3, Unauthorised),
            (3, Quota),
            (0, Forbidden),
            (0, Blocked),
            (3, BudgetExhausted),
        ] {
            let mut guard = Guard::default();
            guard.watch(limit);
            assert_eq!(hear(&mut guard, "a", &failed(class)), Verdict::HoldBack);
            let halt = guard.halt().expect("it has paused");
            assert_eq!((halt.class, halt.in_a_row), (class, 1));
        }
        let mut guard = Guard::default();
        guard.watch(0);
        for _ in 0..100 {
            let verdict = hear(&mut guard, "a", &failed(FailureClass::Timeout));
            assert_eq!(verdict, Verdict::Tell);
        }
    }
}
