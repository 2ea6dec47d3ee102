//! Why the run rests by itself, what to mend, and the way on.

use leptos::prelude::*;
use turnwise_shared::run::Halt;

use crate::components::icons::{Icon, IconSize};
use crate::live::RunView;
use crate::strings::providers as words;

/// The note of a run that has paused by itself; nothing otherwise.
pub fn halted(view: RunView) -> impl IntoView {
    let halt = Memo::new(move |_| view.pace.with(|pace| pace.as_ref()?.halt.clone()));
    move || halt.get().map(|halt| note(&halt, view))
}

fn note(halt: &Halt, view: RunView) -> impl IntoView + use<> {
    let go_on = move |_| {
        if let Some(control) = view.control.get_untracked() {
            control.resume();
        }
    };
    view! {
        <div class="note note-bad" role="alert" id="halted">
            <Icon name="warning"/>
            <p class="note-title">{words::halted(halt)}</p>
            <p>{words::said_at_last(halt)} " " {words::mend(halt)}</p>
            <p class="soft">{words::NOTHING_LOST}</p>
            <div class="note-do">
                <button class="btn btn-primary" type="button" on:click=go_on>
                    <Icon name="play" size=IconSize::Small/>
                    {words::GO_ON}
                </button>
                <a class="btn" href="/connections">{words::TO_CONNECTIONS}</a>
            </div>
        </div>
    }
}
