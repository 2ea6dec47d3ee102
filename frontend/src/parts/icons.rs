//! Icons from the one sheet that the server sends.

use leptos::prelude::*;

/// An icon of 20 pixels; the text beside it says what it means.
#[component]
pub fn Icon(
    /// Its name in the sheet, without `i-`.
    name: &'static str,
) -> impl IntoView {
    drawn(name, "icon")
}

/// An icon of 16 pixels.
#[component]
pub fn SmallIcon(name: &'static str) -> impl IntoView {
    drawn(name, "icon icon-small")
}

fn drawn(name: &'static str, class: &'static str) -> impl IntoView {
    view! {
        <svg class=class aria-hidden="true">
            <use href=format!("/icons.svg#i-{name}")></use>
        </svg>
    }
}
