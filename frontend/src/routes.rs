//! Which page an address has, and in which part of the app it lies.

use leptos_router::components::{Route, Routes};
use leptos_router::path;

use crate::later::{later, page};
use crate::prelude::*;

/// What leads to a part: a link to its page, or what names it.
const LEADS: &str = "a[href], [data-part]";

later! {
    runs fetch fetch_runs: fn run() -> AnyView {
        any_view! { <crate::pages::run::RunPage/> }
    }

    runs: fn episode() -> AnyView {
        any_view! { <crate::pages::episode::EpisodePage/> }
    }

    work fetch fetch_work: fn shared() -> AnyView {
        any_view! { <crate::pages::shared::SharedPage/> }
    }

    work: fn compare() -> AnyView {
        any_view! { <crate::pages::compare::ComparePage/> }
    }

    work: fn grid() -> AnyView {
        any_view! { <crate::pages::compare::GridPage/> }
    }

    work: fn compare_task() -> AnyView {
        any_view! { <crate::pages::compare::TaskPage/> }
    }

    work: fn new_run() -> AnyView {
        any_view! { <crate::pages::new_run::NewRun/> }
    }

    play fetch fetch_play: fn play() -> AnyView {
        any_view! { <crate::pages::play::PlayPage/> }
    }

    play: fn table() -> AnyView {
        any_view! { <crate::pages::table::TablePage/> }
    }

    plain fetch fetch_plain: fn runs() -> AnyView {
        any_view! { <crate::pages::runs::RunsPage/> }
    }

    work: fn import() -> AnyView {
        any_view! { <crate::pages::runs::ImportPage/> }
    }

    plain: fn boards() -> AnyView {
        any_view! { <crate::pages::boards::BoardsPage/> }
    }

    plain: fn board() -> AnyView {
        any_view! { <crate::pages::board::BoardPage/> }
    }

    plain: fn log() -> AnyView {
        any_view! { <crate::pages::log::LogPage/> }
    }

    plain: fn connections() -> AnyView {
        any_view! { <crate::pages::connections::Connections/> }
    }
}

/// The page of the address.
pub fn pages_by_address() -> impl IntoView {
    view! {
        <Routes fallback=crate::pages::not_found::NotFound>
            <Route path=path!("/") view=crate::pages::home::Home/>
            <Route path=path!("/runs") view=page(fetch_plain, runs)/>
            <Route path=path!("/runs/import") view=page(fetch_work, import)/>
            <Route path=path!("/new") view=page(fetch_work, new_run)/>
            <Route path=path!("/boards") view=page(fetch_plain, boards)/>
            <Route path=path!("/boards/:id") view=page(fetch_plain, board)/>
            <Route path=path!("/board/:id") view=page(fetch_plain, board)/>
            <Route path=path!("/connections") view=page(fetch_plain, connections)/>
            <Route path=path!("/play") view=page(fetch_play, play)/>
            <Route path=path!("/play/:run") view=page(fetch_play, table)/>
            <Route path=path!("/log") view=page(fetch_plain, log)/>
            <Route path=path!("/logs") view=page(fetch_work, import)/>
            <Route path=path!("/compare") view=page(fetch_work, compare)/>
            <Route path=path!("/grid") view=page(fetch_work, grid)/>
            <Route
                path=path!("/compare/:one/:other/:play")
                view=page(fetch_work, compare_task)
            />
            <Route path=path!("/shared") view=page(fetch_work, shared)/>
            <Route path=path!("/run/:id") view=page(fetch_runs, run)/>
            <Route path=path!("/run/:id/:episode") view=page(fetch_runs, episode)/>
        </Routes>
    }
}

/// Fetches the part in which the pages of runs lie. If it cannot be had, the page says so.
pub async fn fetch_pages_of_runs() {
    let _ = fetch_runs().await;
}

/// Fetches the part of a page once the mouse or the focus comes to a link to it, so that it opens at once. A finger on a link may
/// only scroll; and where data is saved or the line is slow, nothing is fetched that may not be needed.
pub fn fetch_on_intent() {
    for name in ["pointerover", "focusin"] {
        // It costs little and stays as long as the page.
        let _ = window_event_listener_untyped(name, |event| {
            if of_event(&event, "pointerType").as_deref() != Some("touch")
                && let Some(part) = led_to(&event)
                && !is_thrifty()
            {
                spawn_local(async move {
                    // What fails now is fetched when it is needed, and its failure is shown then.
                    let _ = match part {
                        "runs" => fetch_runs().await.is_ok(),
                        "work" => fetch_work().await.is_ok(),
                        "play" => fetch_play().await.is_ok(),
                        _ => fetch_plain().await.is_ok(),
                    };
                });
            }
        });
    }
}

/// The part to which the element of an event leads, if it leads to another one than the page has.
fn led_to(event: &web_sys::Event) -> Option<&'static str> {
    let element: web_sys::Element = event.target()?.dyn_into().ok()?;
    let lead = element.closest(LEADS).ok()??;
    if let Some(named) = lead.get_attribute("data-part") {
        return ["runs", "work", "play", "plain"].into_iter().find(|part| *part == named);
    }
    let link: web_sys::HtmlAnchorElement = lead.dyn_into().ok()?;
    let is_own = link.host() == window().location().host().ok()?;
    is_own.then(|| part_of(&link.pathname())).flatten()
}

/// The part in which the page of an address lies, as the routes have it; the home page is in the main part.
fn part_of(path: &str) -> Option<&'static str> {
    let (page, rest) = path.strip_prefix('/')?.split_once('/').unwrap_or((&path[1..], ""));
    match (page, rest) {
        ("run", _) => Some("runs"),
        ("runs", "import") | ("new" | "compare" | "grid" | "shared" | "logs", _) => Some("work"),
        ("play", _) => Some("play"),
        ("runs" | "boards" | "board" | "connections" | "log", _) => Some("plain"),
        _ => None,
    }
}

/// Whether data is to be saved, or the line is slow, as far as the browser says so.
fn is_thrifty() -> bool {
    let get = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).ok();
    let Some(line) = get(&window().navigator(), "connection").filter(|line| !line.is_undefined())
    else {
        return false;
    };
    let saves = get(&line, "saveData").is_some_and(|saves| saves.is_truthy());
    let speed = get(&line, "effectiveType").and_then(|speed| speed.as_string());
    saves || speed.is_some_and(|speed| speed != "4g")
}

fn of_event(event: &web_sys::Event, name: &str) -> Option<String> {
    js_sys::Reflect::get(event, &name.into()).ok()?.as_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The routes say which part a page is in; what is fetched for a link to it is that.
    #[test]
    fn a_link_leads_to_the_part_of_its_page() {
        let routes = include_str!("routes.rs");
        let (routes, _) = routes.split_once("#[cfg(test)]").expect("tests come last");
        let routes = routes.split("path!(\"").skip(1);
        let mut count = 0;
        for route in routes {
            let (path, view) = route.split_once('"').expect("a path ends");
            let part = view.split_once("page(fetch_").map(|(_, part)| part);
            let part = part.filter(|_| path != "/").and_then(|part| part.split(',').next());
            assert_eq!(part_of(&path.replace(':', "x")), part, "{path}");
            count += 1;
        }
        assert!(count > 10);
        assert_eq!(part_of("/compare/a/b/c"), Some("work"));
        assert_eq!(part_of("/grid"), Some("work"));
        assert_eq!(part_of("/nowhere"), None);
        assert_eq!(part_of("/icons.svg"), None);
    }
}
