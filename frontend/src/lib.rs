//! Turnwise in the browser: the shell around the pages, and the routes.
//!
//! Pages draw signals. Everything outside has one door: [`api`] for the server, [`keep`] for the browser's own store,
//! [`driver`] for a run that is driven here. [`live`] joins the three into what a page may show of a run.

pub mod address;
pub mod api;
pub mod clock;
pub mod components;
pub mod driver;
pub mod keep;
pub mod library;
pub mod live;
pub mod lock;
pub mod pages;

use leptos::prelude::*;
use leptos_router::components::{Route, Router, Routes};
use leptos_router::path;

/// Puts the app into the page.
pub fn start() {
    console_error_panic_hook::set_once();
    mount_to_body(App);
}

/// The whole app.
#[component]
pub fn App() -> impl IntoView {
    view! {
        <Router>
            <main id="content" class="page">
                <Routes fallback=pages::not_found::NotFound>
                    <Route path=path!("/") view=pages::home::Home/>
                    <Route path=path!("/new") view=pages::new_run::NewRun/>
                    <Route path=path!("/connections") view=pages::connections::Connections/>
                    <Route path=path!("/run/:id") view=pages::run::RunPage/>
                    <Route path=path!("/run/:id/:episode") view=pages::episode::EpisodePage/>
                </Routes>
            </main>
        </Router>
    }
}
