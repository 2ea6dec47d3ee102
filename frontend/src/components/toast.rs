//! Short messages that go by themselves.

use crate::prelude::*;

/// How long a message stays.
const STAYS: Duration = Duration::from_secs(6);

#[derive(Debug, Clone, PartialEq)]
struct Toast {
    id: u32,
    text: String,
}

/// Where messages are put; in the context of every page.
#[derive(Debug, Clone, Copy)]
pub struct Toasts {
    all: RwSignal<Vec<Toast>>,
    last: RwSignal<u32>,
}

impl Toasts {
    pub fn new() -> Self {
        Toasts { all: RwSignal::new(Vec::new()), last: RwSignal::new(0) }
    }

    /// Shows a message for a few seconds.
    pub fn show(self, text: impl Into<String>) {
        let id = self.last.get_untracked() + 1;
        self.last.set(id);
        let text = text.into();
        self.all.update(|all| all.push(Toast { id, text }));
        set_timeout(move || self.dismiss(id), STAYS);
    }

    fn dismiss(self, id: u32) {
        self.all.update(|all| all.retain(|toast| toast.id != id));
    }
}

impl Default for Toasts {
    fn default() -> Self {
        Toasts::new()
    }
}

/// Shows a message from any component.
pub fn toast(text: impl Into<String>) {
    if let Some(toasts) = use_context::<Toasts>() {
        toasts.show(text);
    }
}

/// The corner in which messages appear.
#[component]
pub fn ToastCorner(toasts: Toasts) -> impl IntoView {
    view! {
        <div class="toasts" role="status">
            <For each=move || toasts.all.get() key=|toast| toast.id let(toast)>
                <div class="toast">
                    <span>{toast.text}</span>
                    <button type="button" on:click=move |_| toasts.dismiss(toast.id)>
                        "Dismiss"
                    </button>
                </div>
            </For>
        </div>
    }
}
