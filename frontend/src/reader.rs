//! Whether the reader uses a small screen, and has begun to read.
//!
//! Phones have slow lines and processors. What a page does not need to be read waits there until its reader first touches it;
//! elsewhere it comes by itself.

use std::cell::Cell;

use futures::channel::oneshot;

use crate::prelude::*;

/// The screens of phones, as in the style sheet and in the first script (`xtask/src/web/early.rs`).
const PHONE: &str = "(max-width: 640px)";
/// What only a reader does.
const TOUCHES: [&str; 7] =
    ["pointerdown", "touchstart", "click", "wheel", "scroll", "keydown", "focusin"];

thread_local! {
    static TOUCHED: Cell<bool> = const { Cell::new(false) };
    static WAITING: RefCell<Vec<oneshot::Sender<()>>> = const { RefCell::new(Vec::new()) };
}

/// Begins to notice whether the page is touched. To be called once, when the app starts.
pub fn notice() {
    if !is_on_a_phone() || was_touched() {
        return touched();
    }
    for name in TOUCHES {
        // They cost nothing and stay as long as the page.
        let _ = window_event_listener_untyped(name, |_| touched());
    }
}

/// Whether the first script waited for a touch before it started the app.
fn was_touched() -> bool {
    let touched = js_sys::Reflect::get(&window(), &"turnwiseTouched".into());
    touched.is_ok_and(|touched| touched.is_truthy())
}

/// Whether the screen is that of a phone. A browser that cannot say has another one.
pub fn is_on_a_phone() -> bool {
    let query = window().match_media(PHONE).ok().flatten();
    query.is_some_and(|query| query.matches())
}

/// Waits until the reader begins to read: on a phone until the page is touched, elsewhere not at all.
pub async fn reads() {
    if TOUCHED.get() {
        return;
    }
    let (sender, receiver) = oneshot::channel();
    WAITING.with_borrow_mut(|waiting| waiting.push(sender));
    // The other end lives as long as the page.
    let _ = receiver.await;
}

/// Whether the reader has begun to read.
pub fn has_begun() -> bool {
    TOUCHED.get()
}

/// Whether the reader has begun, for what is drawn only then: on a phone once the page is touched, elsewhere from the start.
pub fn watch() -> RwSignal<bool> {
    let does = RwSignal::new(TOUCHED.get());
    if !does.get_untracked() {
        spawn_local(async move {
            reads().await;
            does.try_set(true);
        });
    }
    does
}

fn touched() {
    if TOUCHED.replace(true) {
        return;
    }
    for one in WAITING.take() {
        // The waiting task may be gone.
        let _ = one.send(());
    }
}
