//! What was done, line by line; new lines are told to those who listen.

use leptos::prelude::*;

use crate::strings::game as words;

/// The action log of a hand.
#[component]
pub fn ActionLog(
    /// Which hand; another one begins a new list.
    #[prop(into)]
    hand: Signal<u32>,
    /// The lines, oldest first.
    #[prop(into)]
    lines: Signal<Vec<String>>,
) -> impl IntoView {
    // A line that was there before is the same element: only what is new is read aloud.
    let numbered = move || {
        let hand = hand.get();
        lines
            .get()
            .into_iter()
            .enumerate()
            .map(|(at, line)| (hand, at, line))
            .rev()
            .collect::<Vec<_>>()
    };
    view! {
        <section class="plog" aria-label=words::LOG>
            <h2 class="plog-head">{words::LOG}</h2>
            <ol class="plog-lines" reversed role="log" aria-live="polite" tabindex="0" aria-label=words::LOG>
                <For each=numbered key=|(hand, at, line)| (*hand, *at, line.clone()) let((_, _, line))>
                    <li class:is-street=is_street(&line)>{line.clone()}</li>
                </For>
            </ol>
        </section>
    }
}

/// Whether a line opens a street: those of places begin with their name.
fn is_street(line: &str) -> bool {
    let of_place = line
        .strip_prefix('P')
        .is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()));
    !of_place && line.contains(':')
}
