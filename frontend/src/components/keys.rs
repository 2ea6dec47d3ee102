//! Keys that a page listens to, and the dialog that lists them all.

use std::cell::Cell;

use web_sys::{Event, KeyboardEvent};

use crate::components::dialog::Dialog;
use crate::prelude::*;
use crate::{clock, keep, strings};

/// Milliseconds for which keys decide nothing after a question has come up: a key that was pressed twice answers once.
const NOT_YET: f64 = 250.0;

/// The code of a key that an input method takes.
const OF_INPUT_METHOD: u32 = 229;

/// Where it is stored that letter keys are off.
const LETTERS: &str = "turnwise-letter-keys";

thread_local! {
    /// Whether keys with a character do anything (WCAG 2.1.4); read from the browser once.
    static HAS_LETTERS: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Whether keys with a character do anything.
pub fn has_letters() -> bool {
    HAS_LETTERS.get().unwrap_or_else(|| {
        let kept = keep::recall(LETTERS).is_none_or(|kept| kept != "off");
        HAS_LETTERS.set(Some(kept));
        kept
    })
}

fn set_letters(on: bool) {
    HAS_LETTERS.set(Some(on));
    keep::remember(LETTERS, (!on).then_some("off"));
}

/// Whether a key is one for the page: no field is typed in, no modifier is held and no dialog is open. Shift is no modifier here:
/// `?` needs it on many keyboards.
fn is_for_the_page(event: &KeyboardEvent) -> bool {
    let modified = event.ctrl_key() || event.alt_key() || event.meta_key();
    let key = event.key();
    let is_character = key != " " && key.chars().nth(1).is_none();
    !modified
        && !event.default_prevented()
        && !is_typing()
        && !is_dialog_open()
        && (!is_character || has_letters())
}

/// Calls `handle` for every key for the page while this component lives.
pub fn on_key(handle: impl Fn(&KeyboardEvent) + 'static) {
    let listener = window_event_listener(ev::keydown, move |event| {
        if is_for_the_page(&event) {
            handle(&event);
        }
    });
    on_cleanup(move || listener.remove());
}

/// Milliseconds after the end of a composition in which a key still belongs to it: some browsers tell the key after the end.
const COMPOSED: f64 = 50.0;

/// Keeps keys that an input method takes from everybody else, as long as the page is open: Enter that takes over what is offered
/// sends nothing. It must listen before all others.
pub fn leave_keys_to_input_methods() {
    let ended = Rc::new(Cell::new(f64::NEG_INFINITY));
    let end = Rc::clone(&ended);
    let ends = Closure::<dyn Fn(Event)>::new(move |event: Event| end.set(event.time_stamp()));
    let keys = Closure::<dyn Fn(KeyboardEvent)>::new(move |event: KeyboardEvent| {
        let is_end = event.time_stamp() - ended.get() < COMPOSED;
        if event.is_composing() || event.key_code() == OF_INPUT_METHOD || is_end {
            event.stop_immediate_propagation();
        }
    });
    for (name, listener) in
        [("compositionend", ends.into_js_value()), ("keydown", keys.into_js_value())]
    {
        // A browser that refuses takes no other listeners either.
        let _ = window().add_event_listener_with_callback_and_bool(
            name,
            listener.unchecked_ref(),
            true,
        );
    }
}

/// As [`on_key`], but before all other listeners hear of the key: for what has the keyboard while it is on the page. A key that
/// is used up is marked by `prevent_default`.
pub fn on_key_first(handle: impl Fn(&KeyboardEvent) + 'static) {
    let hear = Closure::<dyn Fn(KeyboardEvent)>::new(move |event: KeyboardEvent| {
        if is_for_the_page(&event) {
            handle(&event);
        }
    });
    let listener = hear.as_ref().unchecked_ref::<js_sys::Function>().clone();
    let add = window().add_event_listener_with_callback_and_bool("keydown", &listener, true);
    // A browser that refuses leaves the buttons.
    if add.is_ok() {
        let kept = StoredValue::new_local((hear, listener));
        on_cleanup(move || {
            kept.try_with_value(|(_, listener)| {
                // What is not there need not be taken away.
                let _ = window()
                    .remove_event_listener_with_callback_and_bool("keydown", listener, true);
            });
        });
    }
}

/// Tells keys that decide something from keys that are held down, and from those that were pressed before the question could be
/// read.
#[derive(Clone, Copy)]
pub struct Decisive(StoredValue<f64>);

impl Decisive {
    /// Another question comes up whenever what `follow` tracks changes; the first one is there now.
    pub fn of(follow: impl Fn() + 'static) -> Self {
        let since = StoredValue::new(clock::now());
        Effect::new(move |_| {
            follow();
            since.try_set_value(clock::now());
        });
        Decisive(since)
    }

    pub fn counts(self, event: &KeyboardEvent) -> bool {
        let since = self.0.try_get_value();
        !event.repeat() && since.is_some_and(|since| clock::now() - since > NOT_YET)
    }
}

/// Which link of a list is gone to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The one after that in focus.
    Next,
    /// The one before it.
    Before,
}

/// Gives the focus to another of the links of a class; without one in focus to the first.
pub fn step(class: &str, step: Step) {
    let links = document().get_elements_by_class_name(class);
    let links: Vec<web_sys::HtmlElement> =
        (0..links.length()).filter_map(|at| links.item(at)?.dyn_into().ok()).collect();
    let focused = document().active_element();
    let now = links
        .iter()
        .position(|link| focused.as_ref().is_some_and(|focused| link.is_same_node(Some(focused))));
    let last = links.len().saturating_sub(1);
    let next = match (now, step) {
        (None, _) => 0,
        (Some(at), Step::Next) => (at + 1).min(last),
        (Some(at), Step::Before) => at.saturating_sub(1),
    };
    if let Some(link) = links.get(next) {
        // It fails only for elements that take no focus.
        let _ = link.focus();
    }
}

/// Leads to a search field on `/`, with what stands in it selected.
pub fn on_slash(field: NodeRef<html::Input>) {
    on_key(move |event| {
        if event.key() == "/"
            && let Some(field) = field.get_untracked()
        {
            event.prevent_default();
            // It fails only for elements that cannot take the focus.
            let _ = field.focus();
            field.select();
        }
    });
}

/// Gives the focus to the element with an id, if the page has it.
pub fn focus_id(id: &str) {
    let found = document().get_element_by_id(id);
    if let Some(element) = found.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
        // It fails only for elements that take no focus.
        let _ = element.focus();
    }
}

/// Leaves a field on Escape, so that the page has its keys again.
pub fn leave_on_escape(event: &KeyboardEvent) {
    let field = event.current_target();
    if event.key() == "Escape"
        && let Some(field) = field.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok())
    {
        event.prevent_default();
        // It fails only for elements that have no focus.
        let _ = field.blur();
    }
}

/// Whether the focus is in something that takes text.
fn is_typing() -> bool {
    let Some(focused) = document().active_element() else {
        return false;
    };
    match focused.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => focused.dyn_ref::<web_sys::HtmlInputElement>().is_some_and(|input| {
            !matches!(input.type_().as_str(), "checkbox" | "radio" | "range" | "button" | "file")
        }),
        _ => focused.has_attribute("contenteditable"),
    }
}

fn is_dialog_open() -> bool {
    document().query_selector("dialog[open]").ok().flatten().is_some()
}

/// The keys of a part of a page, each with its meaning, beside that part.
pub fn keys_of(keys: &'static [(&'static [&'static str], &'static str)]) -> AnyView {
    let keys = keys
        .iter()
        .map(|(signs, meaning)| view! { <span>{key_signs(signs)} {*meaning}</span> })
        .collect_view();
    any_view! {
        <div class="keys" aria-hidden="true">
            {keys}
        </div>
    }
}

fn key_signs(signs: &'static [&'static str]) -> impl IntoView {
    signs.iter().map(|sign| view! { <kbd>{*sign}</kbd> }).collect_view()
}

/// The list of all keys.
#[component]
pub fn KeyHelp(open: RwSignal<bool>) -> impl IntoView {
    // Every page has it and few readers open it: what it says is written when it is wanted.
    let list = move || {
        open.get().then(|| {
            strings::keys::ALL
                .iter()
                .map(|(place, keys)| {
                    view! {
                        <div class="head">{*place}</div>
                        {keys
                            .iter()
                            .map(|(signs, meaning)| {
                                view! {
                                    <dt>{key_signs(signs)}</dt>
                                    <dd>{*meaning}</dd>
                                }
                            })
                            .collect_view()}
                    }
                })
                .collect_view()
        })
    };
    view! {
        <Dialog open title="Keys">
            <label class="check">
                <input
                    type="checkbox"
                    id="letter-keys"
                    prop:checked=move || {
                        open.track();
                        has_letters()
                    }
                    on:change:target=move |event| set_letters(event.target().checked())
                />
                <span>"Letter keys (n, j, ?, …). Arrows, Enter, Space and Esc always work."</span>
            </label>
            <dl class="keylist">{list}</dl>
        </Dialog>
    }
}
