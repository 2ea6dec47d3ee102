//! A transcript that cannot be read.

use turnwise_shared::transcript::BadTranscript;

use crate::components::raw::RawLines;
use crate::prelude::*;

/// What is wrong with it, and its lines as they are.
#[component]
pub fn Broken(bad: BadTranscript, text: Arc<String>, name: String) -> impl IntoView {
    let line = match &bad {
        BadTranscript::Malformed { line, .. } | BadTranscript::Chain { line } => Some(*line),
        BadTranscript::NoHeader | BadTranscript::Format { .. } => Some(1),
        BadTranscript::Empty => None,
    };
    view! {
        <div class="stack">
            <div class="note note-bad" role="alert">
                <Icon name="warning"/>
                <p class="note-title">"This transcript cannot be read"</p>
                <p>{bad.to_string()}</p>
                <p>"The lines below are shown as they are stored. Nothing is computed from them."</p>
            </div>
            <RawLines text name bad=line/>
        </div>
    }
}
