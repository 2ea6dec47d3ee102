//! The fields of what may be spent.

use leptos::prelude::*;
use turnwise_shared::wire::budgets::{Caps, dollars, millionths};

use super::form::NumberField;
use crate::strings::budgets as words;

/// A field for each cap; an empty one does not bind.
#[component]
pub fn CapFields(
    /// What is chosen.
    #[prop(into)]
    caps: Signal<Caps>,
    /// Told what is chosen instead.
    on_change: Callback<Caps>,
) -> impl IntoView {
    let change = move |write: &dyn Fn(&mut Caps)| {
        let mut chosen = caps.get_untracked();
        write(&mut chosen);
        on_change.run(chosen);
    };
    let money = move || {
        caps.with(|caps| caps.money)
            .map(|money| dollars(money).to_string())
            .unwrap_or_default()
    };
    let set_dollars = move |text: String| {
        let money = match text.trim() {
            "" => None,
            text => match text.parse().ok().and_then(millionths) {
                Some(money) => Some(money),
                // What is no amount changes nothing; the field shows again what holds.
                None => caps.with_untracked(|caps| caps.money),
            },
        };
        change(&|caps| caps.money = money);
    };
    let whole = |label, id, read: fn(&Caps) -> Option<u64>, write: fn(&mut Caps, Option<u64>)| {
        view! {
            <NumberField
                id
                label
                value=Signal::derive(move || caps.with(read))
                on_change=move |number| change(&|caps| write(caps, number))
                empty=words::NO_CAP.to_owned()
            />
        }
    };
    view! {
        <p class="small soft">{words::ABOUT}</p>
        <div class="fields">
            <div class="field">
                <label for="cap-usd">{words::MONEY}</label>
                <input
                    id="cap-usd"
                    class="input"
                    type="number"
                    inputmode="decimal"
                    min="0"
                    step="0.01"
                    placeholder=words::NO_CAP
                    prop:value=money
                    on:change:target=move |event| set_dollars(event.target().value())
                />
                <span class="field-note">{words::MONEY_NOTE}</span>
            </div>
            {whole(words::TOKENS, "cap-tokens", |caps| caps.tokens, |caps, number| caps.tokens = number)}
            {whole(words::CALLS, "cap-calls", |caps| caps.calls, |caps, number| caps.calls = number)}
            {whole(words::SECONDS, "cap-seconds", |caps| caps.seconds, |caps, number| caps.seconds = number)}
        </div>
    }
}
