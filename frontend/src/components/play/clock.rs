//! The clock of a decision: the time that it may take, then the time bank.

use std::time::Duration;

use leptos::prelude::*;

use crate::clock;
use crate::live_seat::Deadline;
use crate::strings::play as words;

/// How often the clock is drawn.
const TICK: Duration = Duration::from_millis(250);

/// From here on the clock is said aloud, once, in milliseconds.
const SOON: f64 = 10_000.0;

/// The clock; nothing while nothing is asked.
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
    let left = Memo::new(move |_| deadline.get().map(|deadline| Left::of(deadline, now.get())));
    let is_soon = Memo::new(move |_| left.get().is_some_and(|left| left.all < SOON));
    view! {
        <div class="pclock" hidden=move || left.get().is_none() class:is-bank=move || left.get().is_some_and(|left| left.is_bank)>
            <span class="pclock-time" role="timer">
                <b>{move || left.get().map(|left| words::seconds(left.shown))}</b>
                <span class="soft">
                    {move || left.get().map(|left| if left.is_bank { words::BANK_RUNS.to_owned() } else { words::bank(left.bank) })}
                </span>
            </span>
            <span class="pclock-bar" aria-hidden="true">
                <i style:--part=move || left.get().map(|left| format!("{:.3}", left.part))></i>
            </span>
            <span class="sr" role="status">{move || is_soon.get().then_some(words::SOON_OVER)}</span>
        </div>
    }
}

/// What is left of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Left {
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
        let decision = (deadline.bank_from - now).max(0.0);
        let is_bank = decision <= 0.0 && deadline.bank > 0.0;
        let (shown, whole) = match is_bank {
            true => (all, deadline.bank),
            false => (decision, deadline.decision),
        };
        Left {
            all,
            is_bank,
            shown,
            part: (shown / whole.max(1.0)).clamp(0.0, 1.0),
            bank: all.min(deadline.bank),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bank_follows_the_decision() {
        let deadline = Deadline {
            bank_from: 30_000.0,
            end: 90_000.0,
            decision: 30_000.0,
            bank: 60_000.0,
        };
        let early = Left::of(deadline, 0.0);
        assert_eq!(
            (early.shown, early.part, early.is_bank),
            (30_000.0, 1.0, false)
        );
        let late = Left::of(deadline, 60_000.0);
        assert_eq!((late.shown, late.part, late.is_bank), (30_000.0, 0.5, true));
        assert_eq!(Left::of(deadline, 100_000.0).all, 0.0);
    }
}
