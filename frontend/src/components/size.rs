//! How large an element is, as long as it is in the page.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::ResizeObserver;

/// The size of an element in CSS pixels.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Its inner width.
    pub width: RwSignal<f64>,
    /// Its inner height.
    pub height: RwSignal<f64>,
}

/// Follows the size of an element while the component lives.
pub fn watch_size(element: NodeRef<html::Div>) -> Size {
    let size = Size {
        width: RwSignal::new(1000.0),
        height: RwSignal::new(600.0),
    };
    let observer = StoredValue::new_local(None::<(ResizeObserver, Closure<dyn FnMut()>)>);
    Effect::new(move |_| {
        let Some(watched) = element.get() else { return };
        let measure = move || {
            if let Some(element) = element.get_untracked() {
                size.width.set(f64::from(element.client_width()));
                size.height.set(f64::from(element.client_height()));
            }
        };
        measure();
        let changed = Closure::<dyn FnMut()>::new(measure);
        // Every browser that runs WebAssembly as we need it has it; without it the first size stays.
        if let Ok(watcher) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
            watcher.observe(&watched);
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
    size
}
