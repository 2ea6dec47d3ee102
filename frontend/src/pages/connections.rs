//! The page on which each provider and each search engine is tried with one button.

use leptos::prelude::*;

/// Route `/connections`.
#[component]
pub fn Connections() -> impl IntoView {
    view! { <h1>"Connections"</h1> }
}
