//! Turnwise in the browser: the shell around the pages, and the routes.
//!
//! Pages draw signals. Everything outside has one door: [`api`] for the server, [`keep`] for the browser's own store,
//! [`driver`] for a run that is driven here. [`live`] joins the three into what a page may show of a run. What takes long is
//! counted beside the page ([`worker`]).

pub mod api;
mod at_table;
pub mod back;
mod benchmarks;
mod clicks;
mod clock;
pub mod components;
pub mod driven;
pub mod driver;
pub mod first_page;
pub mod keep;
pub mod later;
pub mod library;
pub mod live;
pub mod live_seat;
pub mod lock;
pub mod looking;
mod navigation;
mod option_signal;
pub mod owner;
pub mod pages;
mod parts;
pub mod people;
mod person;
mod prelude;
pub mod prices;
pub mod reader;
mod routes;
pub mod start;
pub mod stint;
pub mod translated;
pub mod typeset;
pub mod unsent;
pub mod worker;

use components::keys::{KeyHelp, focus_id, leave_keys_to_input_methods, on_key};
use components::theme::ThemeSwitch;
use components::toast::{ToastCorner, Toasts};
use leptos_router::components::Router;
use turnwise_view as view;
use turnwise_view::strings;

use crate::prelude::*;

/// Puts the app into the page, in the place of what stood there while it loaded. That is a task of its own, because making the
/// program ready was one already, and so is the page inside the app: in a browser just started every function is compiled when it
/// is first called. Until the page stands, what stood there stays. Started as the page's worker, it waits for orders instead.
pub fn start() {
    console_error_panic_hook::set_once();
    if worker::is_inside() {
        return worker::serve();
    }
    leave_keys_to_input_methods();
    translated::follow();
    typeset::follow();
    // Leptos has no executor of its own before something is mounted.
    wasm_bindgen_futures::spawn_local(async {
        clock::breathe().await;
        let path = window().location().pathname().unwrap_or_default();
        if path.starts_with("/run/") {
            // What the server wrote of a run stays until the app can say as much.
            routes::fetch_pages_of_runs().await;
        }
        first_page::hold();
        reader::notice();
        let is_time = ArcRwSignal::new(false);
        let around = is_time.clone();
        mount_to_body(move || view! { <App is_time=around/> });
        clock::breathe().await;
        is_time.set(true);
        routes::fetch_on_intent();
        clock::breathe().await;
        first_page::wait().await;
        first_page::give_way();
    });
}

#[component]
pub fn App(
    /// Whether it is time to choose the page of the address.
    is_time: ArcRwSignal<bool>,
) -> impl IntoView {
    let toasts = Toasts::new();
    provide_context(toasts);
    view! {
        <Router>
            <Shell is_time/>
            <ToastCorner toasts/>
        </Router>
    }
}

/// What every page has around it.
#[component]
fn Shell(is_time: ArcRwSignal<bool>) -> impl IntoView {
    let help = RwSignal::new(false);
    let path = use_location().pathname;
    let navigate = use_navigate();
    on_key(move |event| match event.key().as_str() {
        "?" => help.set(true),
        // At a table letters are decisions, and a slip must not lead away.
        _ if path.get_untracked().starts_with("/play/") => {}
        "n" => navigate("/new", Default::default()),
        "h" => navigate("/", Default::default()),
        _ => {}
    });
    back::watch(path);
    // A new page begins at its top for those who listen, too.
    Effect::new(move |before: Option<String>| {
        let path = path.get();
        if before.is_some_and(|before| before != path) {
            focus_id("main");
        }
        path
    });
    // The router takes a link within the page for a change of address, and would leave the focus where it is.
    let skip = |event: web_sys::MouseEvent| {
        event.prevent_default();
        focus_id("main");
    };
    view! {
        <a class="skip" href="#main" on:click=skip>
            "Skip to content"
        </a>
        <header class="top">
            <div class="top-in">
                <a class="brand" href="/">
                    <svg class="brand-mark" aria-hidden="true">
                        <use href="/icons.svg#brand"></use>
                    </svg>
                    {strings::PRODUCT}
                </a>
                <nav class="nav" aria-label=strings::NAVIGATION>
                    <NavLink href="/runs" text=strings::NAV_RUNS/>
                    <NavLink href="/boards" text=strings::NAV_BOARDS/>
                    <NavLink href="/play" text=strings::NAV_PLAY/>
                    <NavLink href="/connections" text=strings::NAV_CONNECTIONS/>
                </nav>
                <div class="top-tools">
                    <button
                        class="btn-icon"
                        type="button"
                        aria-label=strings::keys::OPEN
                        title=strings::keys::OPEN
                        on:click=move |_| help.set(true)
                    >
                        <Icon name="keyboard"/>
                    </button>
                    <ThemeSwitch/>
                </div>
            </div>
        </header>
        <main id="main" class="page" class:is-run=move || is_run(&path.get()) tabindex="-1">
            {move || is_time.get().then(routes::pages_by_address)}
        </main>
        <footer class="foot">
            <div class="foot-in">
                <span>"Every number is computed from the transcripts. Nothing is sent to anybody but this server."</span>
                <a class="push" href="/log">{strings::publishing::LOG_TITLE}</a>
            </div>
        </footer>
        <KeyHelp open=help/>
    }
}

/// Whether a path is that of a run's own page, which has less room around it. The style sheet could ask what the page holds; then
/// every row that comes and goes while a wall scrolls would make the browser look through all of them.
fn is_run(path: &str) -> bool {
    let id = path.strip_prefix("/run/");
    id.is_some_and(|id| !id.is_empty() && !id.contains('/'))
}

/// A link of the navigation; it says when it leads to the page that is open. That of runs says when one runs in this tab.
#[component]
fn NavLink(href: &'static str, text: &'static str) -> impl IntoView {
    let path = use_location().pathname;
    let current = move || {
        let path = path.get();
        let here = path == href
            || (href == "/runs"
                && (path.starts_with("/run")
                    || matches!(path.as_str(), "/new" | "/compare" | "/grid")))
            || (href == "/boards" && (path.starts_with("/board/") || path.starts_with("/boards/")))
            || (href == "/play" && path.starts_with("/play/"));
        here.then_some("page")
    };
    view! {
        <a href=href aria-current=current>
            {text}
            <Show when=move || href == "/runs" && driven::count().get() != 0>
                <span class="nav-dot" role="img" aria-label=strings::RUNS_HERE title=strings::RUNS_HERE></span>
            </Show>
        </a>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is seen before the app is there is what the app will show.
    #[test]
    fn the_page_begins_with_the_words_of_the_app() {
        let page = include_str!("../index.html");
        for words in [
            strings::PRODUCT,
            strings::NAV_RUNS,
            strings::NAV_BOARDS,
            strings::NAV_PLAY,
            strings::NAV_CONNECTIONS,
            strings::home::HEADLINE,
            strings::home::LEAD,
        ] {
            assert!(page.contains(&format!(">{words}</")), "{words}");
        }
        for mark in ["<!--home-->", "<!--/home-->", "<!--told-->", "data-first"] {
            assert!(page.contains(mark), "{mark}");
        }
    }
}
