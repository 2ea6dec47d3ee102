//! Runs from files: logs of Inspect, of other programs and of this one.

use leptos::prelude::*;

use crate::components::head::title;
use crate::pages::logs::{InspectLogs, Inspected};

/// Route `/runs/import`.
#[component]
pub fn ImportPage() -> impl IntoView {
    title(|| "Import".to_owned());
    view! {
        <div class="page-head">
            <div>
                <ol class="crumbs">
                    <li>
                        <a href="/runs">{super::TITLE}</a>
                    </li>
                </ol>
                <h1>"Import a run"</h1>
                <p class="soft">
                    "A log that Turnwise exported comes back as the run that it was. Published logs of games are checked under "
                    <a href="/logs">"Published logs"</a> "."
                </p>
            </div>
        </div>
        <InspectLogs inspected=Inspected::default()/>
    }
}
