//! How large an element is, as long as it is in the page, and whether the page is a phone's.

use web_sys::{Element, ResizeObserver};

use crate::prelude::*;

/// The size of an element in CSS pixels.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    pub width: RwSignal<f64>,
    pub height: RwSignal<f64>,
}

/// Follows the size of an element while the component lives.
pub fn watch_size(element: NodeRef<html::Div>) -> Size {
    let size = Size { width: RwSignal::new(1000.0), height: RwSignal::new(600.0) };
    let measure = move || {
        if let Some(element) = element.get_untracked() {
            size.width.set(f64::from(element.client_width()));
            size.height.set(f64::from(element.client_height()));
        }
    };
    on_resize(move || element.get().map(Element::from), measure);
    size
}

/// Calls `changed` once what `find` finds is in the page, and whenever it has another size, while the component lives.
pub fn on_resize(
    find: impl Fn() -> Option<Element> + 'static,
    changed: impl Fn() + Copy + 'static,
) {
    let observer = StoredValue::new_local(None::<(ResizeObserver, Closure<dyn FnMut()>)>);
    Effect::new(move |_| {
        let Some(watched) = find() else { return };
        changed();
        let changed = Closure::<dyn FnMut()>::new(changed);
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
}

/// Whether the page is as narrow as a phone's now; the style sheet says the same.
pub fn is_narrow_now() -> bool {
    let width = window().inner_width().ok().and_then(|width| width.as_f64());
    width.is_some_and(|width| width <= 640.0)
}

/// The same, followed while the component lives.
pub fn narrow() -> Memo<bool> {
    let narrow = RwSignal::new(is_narrow_now());
    let listener = window_event_listener(ev::resize, move |_| {
        narrow.try_set(is_narrow_now());
    });
    on_cleanup(move || listener.remove());
    Memo::new(move |_| narrow.get())
}
