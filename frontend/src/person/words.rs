//! Answers of one word, each with a key.

use crate::components::keys::{Decisive, on_key_first};
use crate::prelude::*;
use crate::view::asked::Word;

/// A button for every word.
#[component]
pub fn Words(words: Vec<Word>, open: Signal<bool>, said: Callback<String>) -> impl IntoView {
    let decisive = Decisive::of(|| {});
    let by_key = words.clone();
    on_key_first(move |event| {
        let key = event.key().to_lowercase();
        let Some(word) = by_key.iter().find(|word| word.key == key) else {
            return;
        };
        event.prevent_default();
        if open.get_untracked() && decisive.counts(event) {
            said.run(word.text.clone());
        }
    });
    let buttons: Vec<_> = words
        .into_iter()
        .map(|Word { label, key, text }| {
            let key = key.to_uppercase();
            view! {
                <button
                    class="btn btn-big"
                    type="button"
                    aria-keyshortcuts=key.clone()
                    disabled=move || !open.get()
                    on:click=move |_| said.run(text.clone())
                >
                    {label}
                    <kbd aria-hidden="true">{key.clone()}</kbd>
                </button>
            }
        })
        .collect();
    view! {
        <div class="person-words" role="group" aria-label="Your answer">
            {buttons}
        </div>
    }
}
