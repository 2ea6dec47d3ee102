//! The clock of a decision: the time that it may take, then the time bank.

use crate::clock;
use crate::live_seat::{Deadline, Whose};
use crate::prelude::*;
use crate::strings::play as words;

/// How often the clock is drawn.
const TICK: Duration = Duration::from_millis(250);

/// From here on the clock is said aloud, once, in milliseconds.
const SOON: f64 = 10_000.0;

/// The clock; nothing while no player is asked. That of another player is not said aloud.
#[component]
pub fn DecisionClock(
    /// When the decision is taken away.
    #[prop(into)]
    deadline: Signal<Option<Deadline>>,
) -> impl IntoView {
    let now = RwSignal::new(clock::now());
    if let Ok(ticking) = set_interval_with_handle(move || now.set(clock::now()), TICK) {
        on_cleanup(move || ticking.clear());
    }
    let left = Memo::new(move |_| {
        let left = Left::of(deadline.get()?, now.get());
        // A player who waits does not see why it still takes longer.
        (left.whose == Whose::Own || left.all > 0.0).then_some(left)
    });
    let is_soon = Memo::new(move |_| {
        left.get().is_some_and(|left| left.whose == Whose::Own && left.all < SOON)
    });
    let is = move |so: fn(&Left) -> bool| left.get().as_ref().is_some_and(so);
    view! {
        <div
            class="pclock"
            hidden=move || left.get().is_none()
            class:is-bank=move || is(|left| left.is_bank)
            class:is-other=move || is(|left| left.whose == Whose::Other)
        >
            <span class="pclock-time" role="timer">
                <b>{move || left.get().map(|left| words::seconds(left.shown))}</b>
                <span class="soft">
                    {move || left.get().map(Left::said)}
                </span>
            </span>
            <span class="pclock-bar" aria-hidden="true">
                <i style:--part=move || left.get().map(|left| format!("{:.3}", left.part))></i>
            </span>
            <span class="sr" role="status">{move || is_soon.get().then_some("Less than ten seconds left.")}</span>
        </div>
    }
}

/// What is left of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Left {
    whose: Whose,
    /// Milliseconds in all.
    all: f64,
    /// Whether the bank is being used.
    is_bank: bool,
    /// Milliseconds that are counted down now: of the decision, or of the bank.
    shown: f64,
    /// The same as a share of what there was, 0 to 1.
    part: f64,
    /// Milliseconds in the bank.
    bank: f64,
}

impl Left {
    fn of(deadline: Deadline, now: f64) -> Self {
        let all = (deadline.end - now).max(0.0);
        // The clock ticks now and then; a decision may have begun since.
        let decision = (deadline.bank_from - now).clamp(0.0, deadline.decision);
        let is_bank = decision <= 0.0 && deadline.bank > 0.0;
        let (shown, whole) = match is_bank {
            true => (all, deadline.bank),
            false => (decision, deadline.decision),
        };
        Left {
            whose: deadline.whose,
            all,
            is_bank,
            shown,
            part: (shown / whole.max(1.0)).clamp(0.0, 1.0),
            bank: all.min(deadline.bank),
        }
    }

    /// What stands beside the time.
    fn said(self) -> String {
        match (self.whose, self.is_bank) {
            (Whose::Own, true) => "from the time bank".to_owned(),
            (Whose::Own, false) => words::bank(self.bank),
            (Whose::Other, true) => "left for them, from their time bank".to_owned(),
            (Whose::Other, false) => words::others_bank(self.bank),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bank_follows_the_decision() {
        let deadline = Deadline {
            whose: Whose::Own,
            bank_from: 30_000.0,
            end: 90_000.0,
            decision: 30_000.0,
            bank: 60_000.0,
        };
        let early = Left::of(deadline, 0.0);
        assert_eq!((early.shown, early.part, early.is_bank), (30_000.0, 1.0, false));
        let late = Left::of(deadline, 60_000.0);
        assert_eq!((late.shown, late.part, late.is_bank), (30_000.0, 0.5, true));
        assert_eq!(Left::of(deadline, 100_000.0).all, 0.0);
        assert_eq!(Left::of(deadline, -200.0).shown, 30_000.0);
        let whose = Whose::Other;
        let waited_for = Left::of(Deadline { whose, ..deadline }, 0.0);
        assert_eq!(waited_for.said(), "left for them, and 1:00 in their bank");
    }
}
