//! Lists to choose from.

use leptos::prelude::*;

use super::any_view;

/// A list under its label; `choose` is called with the value of an option.
pub fn select_field(
    id: impl Into<String>,
    label: impl IntoView + 'static,
    choose: impl Fn(String) + 'static,
    options: impl IntoView + 'static,
) -> AnyView {
    let id = id.into();
    any_view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            {select_list(id, choose, options)}
        </div>
    }
}

pub fn select_list(
    id: impl Into<String>,
    choose: impl Fn(String) + 'static,
    options: impl IntoView + 'static,
) -> AnyView {
    any_view! {
        <select id=id.into() class="select" on:change:target=move |event| choose(event.target().value())>
            {options}
        </select>
    }
}

pub fn option(
    value: impl Into<String>,
    text: impl IntoView + 'static,
    is_chosen: impl Fn() -> bool + Send + Sync + 'static,
) -> AnyView {
    any_view! {
        <option value=value.into() prop:selected=is_chosen>
            {text}
        </option>
    }
}
