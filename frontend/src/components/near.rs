//! Whether an element is in sight, or so near that it soon may be.

use js_sys::Array;
use web_sys::{IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

use crate::prelude::*;

/// How far beyond the window an element counts as near.
const MARGIN: &str = "400px 0px";

/// Follows whether a section is near while the component lives. It is taken to be until the browser has said otherwise.
pub fn watch_near(section: NodeRef<html::Section>) -> RwSignal<bool> {
    let near = RwSignal::new(true);
    let kept = StoredValue::new_local(None::<(IntersectionObserver, Closure<dyn FnMut(Array)>)>);
    Effect::new(move |_| {
        let Some(section) = section.get() else { return };
        let changed = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
            let newest = entries.pop().dyn_into::<IntersectionObserverEntry>();
            if let Ok(newest) = newest {
                near.try_set(newest.is_intersecting());
            }
        });
        let options = IntersectionObserverInit::new();
        options.set_root_margin(MARGIN);
        let callback = changed.as_ref().unchecked_ref();
        // Where there is none, everything counts as near.
        if let Ok(observer) = IntersectionObserver::new_with_options(callback, &options) {
            observer.observe(&section);
            kept.set_value(Some((observer, changed)));
        }
    });
    on_cleanup(move || {
        kept.update_value(|kept| {
            if let Some((observer, _)) = kept.take() {
                observer.disconnect();
            }
        });
    });
    near
}
