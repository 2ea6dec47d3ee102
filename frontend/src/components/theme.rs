//! Light or dark: the system's wish, unless the visitor said otherwise. `first.js` applies the same choice before the first
//! paint.

use crate::keep;
use crate::prelude::*;

const KEY: &str = "turnwise.theme";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    fn kept() -> Self {
        match keep::recall(KEY).as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        }
    }

    fn name(self) -> Option<&'static str> {
        match self {
            Theme::System => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
        }
    }

    fn next(self) -> Self {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }

    fn apply(self) {
        keep::remember(KEY, self.name());
        if let Some(root) = document().document_element() {
            // Both fail only for names that are no attribute names.
            let _ = match self.name() {
                Some(name) => root.set_attribute("data-theme", name),
                None => root.remove_attribute("data-theme"),
            };
        }
    }
}

/// The button that goes from the system's wish to light to dark and back.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
    let theme = RwSignal::new(Theme::kept());
    let label = move || match theme.get() {
        Theme::System => "Colours as the system says; switch to light",
        Theme::Light => "Light colours; switch to dark",
        Theme::Dark => "Dark colours; switch to the system's",
    };
    view! {
        <button
            class="btn-icon"
            type="button"
            aria-label=label
            title=label
            on:click=move |_| {
                theme.update(|theme| *theme = theme.next());
                theme.get_untracked().apply();
            }
        >
            {move || match theme.get() {
                Theme::System => view! { <Icon name="auto"/> },
                Theme::Light => view! { <Icon name="sun"/> },
                Theme::Dark => view! { <Icon name="moon"/> },
            }}
        </button>
    }
}
