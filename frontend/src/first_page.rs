//! What stands in the page before the app (`index.html`, marked `data-first`), and when it gives way.

use std::cell::Cell;

use crate::clock;
use crate::prelude::*;

/// How long the app waits for its first page before it shows itself without it, in milliseconds.
const PATIENCE: u32 = 1500;

/// The same where what stands there can be read.
const LONG_PATIENCE: u32 = 6000;

/// What the server wrote of a run or an episode (`backend/src/preview/first.rs`).
const WRITTEN: &str = "[data-first] .told-rows, [data-first] .told-play";

/// A written link on which a finger or the mouse is down. What is taken away under it never becomes a click.
const PRESSED: &str = "[data-first] a:active";

/// How long the app waits for that finger, in milliseconds: the user may rest it there.
const PRESS_PATIENCE: u32 = 10_000;

/// How often it looks, in milliseconds.
const PRESS_LOOK: u32 = 30;

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
    /// The app's first page is there, and waits for a finger on what stood before.
    UntilTheClick,
    /// It has given way, or there was nothing.
    Gone,
}

/// Holds the app back where something stood before.
pub fn hold() {
    if let (Some(root), Ok(Some(_))) =
        (document().document_element(), document().query_selector("[data-first]"))
    {
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

/// What the server wrote of a task's question, as long as that stands there.
pub fn question() -> Option<String> {
    if !is_written() {
        return None;
    }
    let found = document().query_selector("[data-first] .told-question");
    found.ok().flatten()?.text_content()
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

/// Says that a page is made later, and calls [`give_way`] then. Returns whether the app is held back, so that it is not seen
/// waiting.
pub fn comes_later() -> bool {
    let stands = STANDS.get();
    if stands == Stands::Before {
        STANDS.set(Stands::UntilThePage);
    }
    stands != Stands::Gone
}

/// What stood before goes, and the app is seen; where a link of it is being pressed, once that has become a click. The second time
/// there is nothing to do.
pub fn give_way() {
    match STANDS.get() {
        Stands::UntilTheClick | Stands::Gone => {}
        Stands::Before | Stands::UntilThePage if is_pressed() => {
            STANDS.set(Stands::UntilTheClick);
            spawn_local(async {
                let mut waited = 0;
                while waited < PRESS_PATIENCE && is_pressed() {
                    clock::sleep(PRESS_LOOK).await;
                    waited += PRESS_LOOK;
                }
                go();
            });
        }
        Stands::Before | Stands::UntilThePage => go(),
    }
}

fn is_pressed() -> bool {
    matches!(document().query_selector(PRESSED), Ok(Some(_)))
}

fn go() {
    STANDS.set(Stands::Gone);
    while let Ok(Some(first)) = document().query_selector("[data-first]") {
        first.remove();
    }
    if let Some(root) = document().document_element() {
        let _ = root.remove_attribute(HELD);
    }
}
