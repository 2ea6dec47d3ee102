//! What stands in the page before the app (`index.html`, marked `data-first`), and when it gives way.

use std::cell::Cell;

use leptos::prelude::*;

/// How long the app waits for its first page before it shows itself without it, in milliseconds.
pub const PATIENCE: u32 = 1500;

/// As long as the root has this, what the app makes is not seen (`style.css`).
const HELD: &str = "data-held";

thread_local! {
    static STANDS: Cell<Stands> = const { Cell::new(Stands::Gone) };
}

/// How what stood before the app stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// The app is being made behind it.
    Before,
    /// The app's first page is being made in a task of its own, and will show itself.
    UntilThePage,
    /// It has given way, or there was nothing.
    Gone,
}

/// Holds the app back where something stood before.
pub fn hold() {
    if let (Some(root), Ok(Some(_))) = (
        document().document_element(),
        document().query_selector("[data-first]"),
    ) {
        // Neither here nor below can the name be refused: it has no spaces.
        let _ = root.set_attribute(HELD, "");
        STANDS.set(Stands::Before);
    }
}

/// Says that a page is made later, and calls [`give_way`] then. Whether the app is held back, so that nobody sees it wait.
pub fn comes_later() -> bool {
    let is_held = STANDS.get() != Stands::Gone;
    if is_held {
        STANDS.set(Stands::UntilThePage);
    }
    is_held
}

/// Whether a page is being made that will show itself.
pub fn is_on_its_way() -> bool {
    STANDS.get() == Stands::UntilThePage
}

/// What stood before goes, and the app is seen. The second time there is nothing to do.
pub fn give_way() {
    if STANDS.replace(Stands::Gone) == Stands::Gone {
        return;
    }
    while let Ok(Some(first)) = document().query_selector("[data-first]") {
        first.remove();
    }
    if let Some(root) = document().document_element() {
        let _ = root.remove_attribute(HELD);
    }
}
