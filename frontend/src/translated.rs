//! Pages that the browser translates.
//!
//! A translation takes each text node out of the page and puts an element `font` with other words in its place. What the app
//! writes into the node from then on would never be seen: a button would go on saying "Call 100" where the call is 20 by now.
//! So every node that was taken out gets a parent that is not on the page. When the app changes the node there, it comes back in
//! place of its translation; when the app removes it, its translation goes; and what the app puts before it goes before its
//! translation.
//!
//! Numbers, decisions, cards and transcripts are marked `translate="no"` besides: a translation may put several texts together,
//! and changes numbers.

use js_sys::{Array, WeakMap, WeakSet};
use leptos::prelude::document;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Element, MutationObserver, MutationObserverInit, MutationRecord, Node};

/// The element with which browsers replace a text.
const TRANSLATION: &str = "FONT";

/// Follows translations as long as the page is open.
pub fn follow() {
    let (Some(body), Ok(parents)) = (document().body(), Parents::new()) else {
        return;
    };
    let observe = observer(move |record| parents.of_page(&record));
    if let Ok(observe) = observe {
        // It fails only for options that contradict each other.
        let _ = observe.observe_with_options(&body, &changes());
    }
}

/// Calls `hear` with every change, as long as the page is open.
pub fn observer(hear: impl Fn(MutationRecord) + 'static) -> Result<MutationObserver, JsValue> {
    let heard = Closure::<dyn Fn(Array)>::new(move |records: Array| {
        for record in records.iter() {
            hear(record.unchecked_into());
        }
    });
    MutationObserver::new(heard.into_js_value().unchecked_ref())
}

/// Changes of elements and texts, however deep.
pub fn changes() -> MutationObserverInit {
    let changes = MutationObserverInit::new();
    changes.set_child_list(true);
    changes.set_character_data(true);
    changes.set_subtree(true);
    changes
}

/// The parents of texts that are not on the page because their translations are.
struct Parents {
    translations: WeakMap,
    /// Translations whose text has a parent.
    known: WeakSet,
    observer: MutationObserver,
}

impl Parents {
    fn new() -> Result<Self, JsValue> {
        let translations = WeakMap::new();
        let of_texts = translations.clone();
        Ok(Parents {
            translations,
            known: WeakSet::new(),
            observer: observer(move |record| text_changed(&of_texts, &record))?,
        })
    }

    /// Something on the page changed.
    fn of_page(&self, record: &MutationRecord) {
        if record.type_() == "characterData" {
            // Also of texts that were taken out just now.
            return text_changed(&self.translations, record);
        }
        let added = nodes(record.added_nodes());
        let beside = [record.previous_sibling(), record.next_sibling()];
        let translation = added
            .into_iter()
            .chain(beside.into_iter().flatten())
            .find(|node| node.node_name() == TRANSLATION && !self.known.has(node));
        let Some(translation) = translation else {
            return;
        };
        let is_out =
            |node: &Node| node.node_type() == Node::TEXT_NODE && node.parent_node().is_none();
        let Some(text) = nodes(record.removed_nodes()).into_iter().find(is_out) else {
            return;
        };
        let Ok(parent) = document().create_element("div") else {
            return;
        };
        // None of this fails: both are new to each other.
        let _ = parent.append_child(&text);
        self.known.add(&translation);
        self.translations.set(&parent, &translation);
        let _ = self.observer.observe_with_options(&parent, &changes());
    }
}

/// A text changed that is not on the page, or something beside it.
fn text_changed(translations: &WeakMap, record: &MutationRecord) {
    let Some(target) = record.target() else {
        return;
    };
    let is_text = record.type_() == "characterData";
    let parent = match is_text {
        true => target.parent_node(),
        false => Some(target.clone()),
    };
    let Some(parent) = parent else {
        return;
    };
    let Ok(translation) = translations.get(&parent).dyn_into::<Element>() else {
        return;
    };
    if is_text {
        translations.delete(&parent);
        if let Some(place) = translation.parent_node() {
            // The translation is there, so it can be replaced.
            let _ = place.replace_child(&target, &translation);
        }
        return;
    }
    for node in nodes(record.added_nodes()) {
        if let Some(place) = translation.parent_node()
            && node.parent_node().is_some_and(|now| now == parent)
        {
            // See above.
            let _ = place.insert_before(&node, Some(&translation));
        }
    }
    let was_removed = nodes(record.removed_nodes()).iter().any(|node| node.parent_node().is_none());
    if was_removed && !parent.has_child_nodes() {
        translations.delete(&parent);
        translation.remove();
    }
}

fn nodes(list: web_sys::NodeList) -> Vec<Node> {
    (0..list.length()).filter_map(|at| list.item(at)).collect()
}
