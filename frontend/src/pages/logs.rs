//! Published logs: files of other systems, read in the page.

mod inspect;

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use crate::benchmarks;
use crate::components::file_drop::Dropped;
use crate::components::head::title;
use crate::strings::logs as strings;
pub use inspect::is_log as is_inspect_log;
pub use inspect::{InspectLogs, Inspected};

/// Takes a log of Inspect that was dropped into the field of a benchmark.
pub type PassedOn = UnsyncCallback<Dropped>;

/// Route `/logs`.
#[component]
pub fn Logs() -> impl IntoView {
    title(|| strings::TITLE.to_owned());
    let inspected = Inspected::default();
    // One is read at a time.
    let pass_on = PassedOn::new(move |log| {
        inspected.take(vec![log]);
        request_animation_frame(go_to_inspect);
    });
    view! {
        <div class="page-head">
            <div>
                <h1>{strings::TITLE}</h1>
                <p class="soft">{strings::LEAD}</p>
            </div>
        </div>
        {benchmarks::logs(pass_on)}
        <InspectLogs inspected/>
    }
}

/// Brings the field for logs of Inspect into sight.
fn go_to_inspect() {
    let section = document().get_element_by_id("inspect");
    if let Some(section) = section.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
        section.scroll_into_view();
        // It fails only for elements that take no focus.
        let _ = section.focus();
    }
}
