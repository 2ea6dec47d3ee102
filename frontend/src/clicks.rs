//! After an answer the mouse does nothing for a moment.

use std::cell::Cell;

use web_sys::Event;

use crate::clock;
use crate::prelude::*;

/// Milliseconds after an answer in which the mouse does nothing: what follows slides under it, and the second click of a double click
/// would hit that.
const SECOND_CLICK: f64 = 300.0;

thread_local! {
    /// Until when, in milliseconds of [`clock::now`]; `None` before the first answer.
    static CLICKS_WAIT: Cell<Option<f64>> = const { Cell::new(None) };
}

/// Something was answered: for a moment clicks do nothing, wherever they hit. Keys have [`Decisive`](crate::components::keys::Decisive).
pub fn ignore_second_click() {
    let before = CLICKS_WAIT.replace(Some(clock::now() + SECOND_CLICK));
    if before.is_some() {
        return;
    }
    let swallow = Closure::<dyn Fn(Event)>::new(|event: Event| {
        // In a page that is busy a click is reported late; what counts is when it was made.
        let is_early = CLICKS_WAIT.get().is_some_and(|end| event.time_stamp() < end);
        // A key that presses a button is reported as a click of no mouse.
        let of_mouse = event.dyn_ref::<web_sys::MouseEvent>();
        if is_early && of_mouse.is_some_and(|event| event.detail() > 0) {
            event.prevent_default();
            event.stop_immediate_propagation();
        }
    });
    // It stays as long as the page.
    let listener = swallow.into_js_value();
    for name in ["mousedown", "click", "dblclick"] {
        // A browser that refuses takes no other listeners either.
        let _ = window().add_event_listener_with_callback_and_bool(
            name,
            listener.unchecked_ref(),
            true,
        );
    }
}
