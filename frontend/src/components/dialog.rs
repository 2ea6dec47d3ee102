//! A window over the page that takes the keyboard until it is closed.

use crate::prelude::*;

/// A modal dialog; the browser keeps the focus inside and closes it on Escape.
#[component]
pub fn Dialog(
    /// Whether it is open; set to `false` when the user closes it.
    open: RwSignal<bool>,
    #[prop(into)] title: Signal<&'static str>,
    children: Children,
) -> impl IntoView {
    let element = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let wanted = open.get();
        let Some(dialog) = element.get() else { return };
        match (wanted, dialog.open()) {
            (true, false) => {
                // It fails only for a dialog that is open or not in the page; then there is nothing to show.
                let _ = dialog.show_modal();
            }
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    view! {
        <dialog class="dialog" node_ref=element aria-label=title on:close=move |_| open.set(false)>
            <div class="dialog-head">
                <h2>{title}</h2>
                <button class="btn-icon" type="button" aria-label="Close" on:click=move |_| open.set(false)>
                    <Icon name="cross"/>
                </button>
            </div>
            <div class="dialog-body">{children()}</div>
        </dialog>
    }
}
