//! The page for addresses that lead nowhere.

use leptos::prelude::*;

use crate::components::head::title;
use crate::strings;

/// Every other route.
#[component]
pub fn NotFound() -> impl IntoView {
    title(|| strings::NOT_FOUND.to_owned());
    view! {
        <div class="empty">
            <span class="ribbon ribbon-mid" aria-hidden="true">
                <i class="turn k-search r-miss">"S"</i>
                <i class="turn k-search r-miss">"S"</i>
                <i class="turn k-invalid">"?"</i>
            </span>
            <h1>{strings::NOT_FOUND}</h1>
            <p>{strings::NOT_FOUND_WHY}</p>
            <a class="btn" href="/">
                {strings::TO_HOME}
            </a>
        </div>
    }
}
