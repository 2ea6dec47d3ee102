//! Runs from files: logs of Inspect, of other programs and of this one.

use super::inspect_logs::InspectLogs;
use crate::components::head::title;
use crate::prelude::*;

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
                    "A log that Turnwise exported comes back as the run that it was."
                </p>
            </div>
        </div>
        <InspectLogs/>
    }
}
