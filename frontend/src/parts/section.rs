//! Heads of the sections of a page.

use leptos::prelude::*;

/// The line above a section; by the `id` of its heading a section is named.
pub fn section_head(
    id: impl Into<Option<&'static str>>,
    title: impl IntoView + 'static,
) -> impl IntoView {
    let id: Option<&'static str> = id.into();
    view! {
        <div class="section-head">
            <h2 id=id>{title}</h2>
        </div>
    }
}
