//! The page's name in the browser's tab.

use crate::prelude::*;
use crate::strings;

/// Names the page in the tab and in the history, e.g. `New run · Turnwise`; an empty name stands for the first page.
pub fn title(name: impl Fn() -> String + 'static) {
    Effect::new(move |_| {
        let name = name();
        let title = if name.is_empty() {
            strings::PRODUCT.to_owned()
        } else {
            format!("{name} · {}", strings::PRODUCT)
        };
        document().set_title(&title);
    });
}
