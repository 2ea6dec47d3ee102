//! The part of the wall that is in sight: its size and how far it is scrolled.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::ResizeObserver;

/// Where the reader looks, in CSS pixels.
#[derive(Debug, Clone, Copy)]
pub struct Sight {
    /// The width of the wall.
    pub width: RwSignal<f64>,
    /// Its height.
    pub height: RwSignal<f64>,
    /// How far it is scrolled.
    pub scrolled: RwSignal<f64>,
}

impl Sight {
    /// The wall was scrolled.
    pub fn has_scrolled(&self, scroller: NodeRef<html::Div>) {
        if let Some(element) = scroller.get_untracked() {
            self.scrolled.set(f64::from(element.scroll_top()));
        }
    }

    /// Scrolls as little as need be to bring a row into sight, with the row above it where that may be its heading.
    pub fn bring_in(&self, scroller: NodeRef<html::Div>, row: usize, row_height: f64) {
        let Some(element) = scroller.get_untracked() else {
            return;
        };
        let top = row as f64 * row_height;
        let (from, height) = (
            f64::from(element.scroll_top()),
            f64::from(element.client_height()),
        );
        let wanted = if top < from + row_height {
            top - row_height
        } else if top + row_height > from + height {
            top + row_height - height
        } else {
            return;
        };
        // Pixels of a page fit by far.
        element.set_scroll_top(wanted.max(0.0) as i32);
        self.has_scrolled(scroller);
    }

    /// How many whole rows are in sight; at least one.
    pub fn rows_in_sight(&self, row_height: f64) -> usize {
        ((self.height.get_untracked() / row_height) as usize).max(1)
    }
}

/// Follows the size of the wall while the component lives.
pub fn watch_size(scroller: NodeRef<html::Div>) -> Sight {
    let sight = Sight {
        width: RwSignal::new(1000.0),
        height: RwSignal::new(600.0),
        scrolled: RwSignal::new(0.0),
    };
    let observer = StoredValue::new_local(None::<(ResizeObserver, Closure<dyn FnMut()>)>);
    Effect::new(move |_| {
        let Some(element) = scroller.get() else {
            return;
        };
        let measure = move || {
            if let Some(element) = scroller.get_untracked() {
                sight.width.set(f64::from(element.client_width()));
                sight.height.set(f64::from(element.client_height()));
            }
        };
        measure();
        let changed = Closure::<dyn FnMut()>::new(measure);
        // Every browser that runs WebAssembly as we need it has it; without it the first size stays.
        if let Ok(watcher) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
            watcher.observe(&element);
            observer.set_value(Some((watcher, changed)));
        }
    });
    on_cleanup(move || {
        observer.update_value(|observer| {
            if let Some((watcher, _)) = observer.take() {
                watcher.disconnect();
            }
        });
    });
    sight
}
