//! What is chosen by pressing it.

use leptos::prelude::*;

use super::any_view;

/// One of several cards; those with the same `name` exclude each other.
pub fn choice_card(
    name: &'static str,
    value: &'static str,
    title: impl IntoView + 'static,
    note: impl IntoView + 'static,
    is_chosen: impl Fn() -> bool + Send + Sync + 'static,
    choose: impl Fn() + 'static,
) -> AnyView {
    any_view! {
        <label class="choice">
            <input type="radio" name=name value=value prop:checked=is_chosen on:change=move |_| choose()/>
            <span class="choice-title">{title}</span>
            <span class="choice-note">{note}</span>
        </label>
    }
}

/// A button of a group of which one is pressed.
pub fn toggle(
    name: impl IntoView + 'static,
    is_pressed: impl Fn() -> bool + Send + Sync + 'static,
    press: impl Fn() + 'static,
) -> AnyView {
    any_view! {
        <button type="button" aria-pressed=move || is_pressed().to_string() on:click=move |_| press()>
            {name}
        </button>
    }
}
