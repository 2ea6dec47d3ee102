//! What stands in the page before the app (`index.html`, marked `data-first`), and when it gives way.

use std::cell::{Cell, RefCell};

use leptos::prelude::*;

use crate::clock;

/// How long the app waits for its first page before it shows itself without it, in milliseconds.
const PATIENCE: u32 = 1500;

/// The same where what stands there can be read.
const LONG_PATIENCE: u32 = 6000;

/// What the server wrote of a run or an episode (`backend/src/preview/first.rs`).
const WRITTEN: &str = "[data-first] .told-rows, [data-first] .told-play";

/// As long as the root has this, what the app makes is not seen (`style.css`).
const HELD: &str = "data-held";

thread_local! {
    static STANDS: Cell<Stands> = const { Cell::new(Stands::Gone) };
    /// The address of which the server wrote what stands there, if it did.
    static WRITTEN_OF: RefCell<Option<String>> = const { RefCell::new(None) };
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
        let is_written = matches!(document().query_selector(WRITTEN), Ok(Some(_)));
        WRITTEN_OF.set(is_written.then(path));
    }
}

/// Whether the server wrote what the page at this address is to show: then that stays until the page shows it, and the page itself
/// calls [`give_way`].
pub fn is_written() -> bool {
    STANDS.get() != Stands::Gone
        && WRITTEN_OF.with_borrow(|written| written.as_ref().is_some_and(|of| *of == path()))
}

/// The path of the page; empty where the browser does not tell.
fn path() -> String {
    window().location().pathname().unwrap_or_default()
}

/// Waits until the page that is on its way, if there is one, has shown itself or was waited for long enough.
pub async fn wait() {
    if STANDS.get() != Stands::UntilThePage {
        return;
    }
    clock::sleep(match is_written() {
        true => LONG_PATIENCE,
        false => PATIENCE,
    })
    .await;
}

/// Says that a page is made later, and calls [`give_way`] then. Whether the app is held back, so that nobody sees it wait.
pub fn comes_later() -> bool {
    let is_held = STANDS.get() != Stands::Gone;
    if is_held {
        STANDS.set(Stands::UntilThePage);
    }
    is_held
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
