//! The tabs of a page: a list of links of which one is chosen, walked with the arrow keys, and the panel below them.
//!
//! Only the chosen tab takes part in the order of focus; arrow keys, Home and End choose another one at once.

use leptos::ev::KeyboardEvent;
use web_sys::MouseEvent;

use crate::components::keys::focus_id;
use crate::prelude::*;
use crate::view::tabs::{Move, moved};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tab {
    /// Its name in the address and in ids.
    pub name: &'static str,
    pub title: &'static str,
    /// A number beside the title.
    pub count: Option<usize>,
}

impl Tab {
    /// A tab without a number.
    pub fn new(name: &'static str, title: &'static str) -> Self {
        Tab { name, title, count: None }
    }
}

/// The list of tabs. A click with a modifier follows the link, so that a tab opens in a window of its own.
#[component]
pub fn TabList(
    /// What the list is called.
    label: &'static str,
    #[prop(into)] tabs: Signal<Vec<Tab>>,
    /// The name of the chosen one.
    #[prop(into)]
    now: Signal<&'static str>,
    /// The address with another tab chosen.
    #[prop(into)]
    href: Callback<&'static str, String>,
    #[prop(into)] choose: Callback<&'static str>,
) -> impl IntoView {
    let on_keydown = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let wanted = match event.key().as_str() {
            "ArrowLeft" => Move::Back,
            "ArrowRight" => Move::On,
            "Home" => Move::First,
            "End" => Move::Last,
            _ => return,
        };
        let names: Vec<_> = tabs.with_untracked(|tabs| tabs.iter().map(|tab| tab.name).collect());
        let Some(next) = moved(&names, now.get_untracked(), wanted) else {
            return;
        };
        event.prevent_default();
        event.stop_propagation();
        choose.run(next);
        focus(next);
    };
    // A number that changes leaves the tab, and the focus on it, where it is.
    let heads = Memo::new(move |_| {
        tabs.with(|tabs| tabs.iter().map(|tab| (tab.name, tab.title)).collect::<Vec<_>>())
    });
    let one = move |(name, title): (&'static str, &'static str)| {
        let count =
            Memo::new(move |_| tabs.with(|tabs| tabs.iter().find(|tab| tab.name == name)?.count));
        let is_now = Memo::new(move |_| now.get() == name);
        let on_click = move |event: MouseEvent| {
            let is_plain =
                event.button() == 0 && !(event.ctrl_key() || event.meta_key() || event.shift_key());
            if is_plain {
                event.prevent_default();
                choose.run(name);
            }
        };
        view! {
            <a
                role="tab"
                id=format!("tab-{name}")
                href=move || href.run(name)
                aria-selected=move || is_now.get().to_string()
                aria-controls=move || is_now.get().then(|| format!("panel-{name}"))
                tabindex=move || if is_now.get() { "0" } else { "-1" }
                on:click=on_click
            >
                {title}
                {move || count.get().map(|count| view! { " " <span class="count">{count}</span> })}
            </a>
        }
    };
    // On a narrow screen the list scrolls, and the chosen tab is in sight.
    Effect::new(move |_| {
        let name = now.get();
        request_animation_frame(move || into_sight(name));
    });
    view! {
        <div class="tabs" role="tablist" aria-label=label on:keydown=on_keydown>
            {move || heads.get().into_iter().map(one).collect_view()}
        </div>
    }
}

/// The panel of a tab.
#[component]
pub fn TabPanel(name: &'static str, children: Children) -> impl IntoView {
    view! {
        <div
            class="tab-panel"
            role="tabpanel"
            id=format!("panel-{name}")
            aria-labelledby=format!("tab-{name}")
        >
            {children()}
        </div>
    }
}

/// Scrolls the list so far that a tab is in sight, with a little of its neighbour.
fn into_sight(name: &str) {
    const NEIGHBOUR: i32 = 32;
    let tab = document().get_element_by_id(&format!("tab-{name}"));
    let Some(tab) = tab.and_then(|tab| tab.dyn_into::<web_sys::HtmlElement>().ok()) else {
        return;
    };
    let Some(list) = tab.parent_element() else {
        return;
    };
    let (start, end) = (tab.offset_left(), tab.offset_left() + tab.offset_width());
    let (left, room) = (list.scroll_left(), list.client_width());
    if start < left {
        list.set_scroll_left(start - NEIGHBOUR);
    } else if end > left + room {
        list.set_scroll_left(end - room + NEIGHBOUR);
    }
}

/// Gives the focus to a tab once the list is drawn with it.
fn focus(name: &'static str) {
    request_animation_frame(move || focus_id(&format!("tab-{name}")));
}
