//! The page for addresses that lead nowhere.

use leptos::prelude::*;

/// Every other route.
#[component]
pub fn NotFound() -> impl IntoView {
    view! { <h1>"Nothing here"</h1> }
}
