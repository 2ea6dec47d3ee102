//! Parts of the app that a first visit does not need. With the feature `split` each is a file of its own, downloaded when it
//! is first called, or when the user is about to open what needs it; without the feature they are ordinary functions.
//!
//! What the first page shows must not name anything behind these functions, or it comes along: no benchmark, no driver, no
//! other page. The same holds for the pages on which one only reads a run or an episode (`runs`): what needs a benchmark's code or
//! the driver's is `work`.

use std::future::ready;
use std::sync::Arc;

use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::reactive::computed::ScopedFuture;
use leptos::task::spawn_local;
use turnwise_shared::evidence::Evidence;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::TakeFrom;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::components::icons::Icon;
use crate::components::message::{Loading, Trouble};
use crate::components::timeline::Reading;
use crate::live::RunView;
use crate::lock::Manner;
use crate::pages::episode::load::{Loaded, Part};
use crate::pages::episode::study::Study;
use crate::pages::run::{Format, Found, Going};
use crate::view::replayed::Replayed;
use crate::view::snapshot::Snapshot;
use crate::{api, clock, first_page, reader, strings, worker};

/// How long a part may be on its way before the page says so, in milliseconds.
const LATE: std::time::Duration = std::time::Duration::from_secs(8);

/// What leads to a part: a link to its page, or what names it.
const LEADS: &str = "a[href], [data-part]";

/// How long a page is left alone before what stands far down in it is fetched, in milliseconds.
const REST: u32 = 300;

/// Marks functions as parts that are loaded later; all of one `$file` lie in one file. After `fetch` may stand the name of a
/// function that only fetches the file.
macro_rules! later {
    ($(
        $(#[$meta:meta])*
        $file:ident $(fetch $fetch:ident)?: fn $name:ident($($arg:ident: $type:ty),*) -> $output:ty $body:block
    )*) => {$(
        $(#[$meta])*
        #[cfg(feature = "split")]
        #[leptos::wasm_split::wasm_split(
            $file,
            wasm_split_path = leptos::wasm_split,
            fallible
            $(, preload(#[doc = "Fetches this part before it is needed."] $fetch))?
        )]
        pub fn $name($($arg: $type),*) -> Result<$output, NotLoaded> {
            Ok($body)
        }

        $(#[$meta])*
        #[cfg(not(feature = "split"))]
        pub async fn $name($($arg: $type),*) -> Result<$output, NotLoaded> {
            Ok($body)
        }

        $(
            /// Fetches this part before it is needed; here it is there already.
            #[cfg(not(feature = "split"))]
            pub async fn $fetch() -> Result<(), NotLoaded> {
                Ok(())
            }
        )?
    )*};
}

later! {
    runs fetch fetch_runs: fn run() -> AnyView {
        view! { <crate::pages::run::RunPage/> }.into_any()
    }

    runs: fn episode() -> AnyView {
        view! { <crate::pages::episode::EpisodePage/> }.into_any()
    }

    /// Route `/shared`.
    work fetch fetch_work: fn shared() -> AnyView {
        view! { <crate::pages::shared::SharedPage/> }.into_any()
    }

    work: fn compare() -> AnyView {
        view! { <crate::pages::compare::ComparePage/> }.into_any()
    }

    work: fn grid() -> AnyView {
        view! { <crate::pages::compare::GridPage/> }.into_any()
    }

    work: fn compare_task() -> AnyView {
        view! { <crate::pages::compare::TaskPage/> }.into_any()
    }

    /// Starts the first benchmark's sample tasks with the offline seats.
    work: fn start_samples(about: About) -> LocalBoxFuture<'static, Result<RunId, ApiError>> {
        Box::pin(crate::start::samples(about))
    }

    work: fn new_run() -> AnyView {
        view! { <crate::pages::new_run::NewRun/> }.into_any()
    }

    play fetch fetch_play: fn play() -> AnyView {
        view! { <crate::pages::play::PlayPage/> }.into_any()
    }

    play: fn table() -> AnyView {
        view! { <crate::pages::table::TablePage/> }.into_any()
    }

    plain: fn runs() -> AnyView {
        view! { <crate::pages::runs::RunsPage/> }.into_any()
    }

    work: fn import() -> AnyView {
        view! { <crate::pages::runs::ImportPage/> }.into_any()
    }

    plain fetch fetch_plain: fn boards() -> AnyView {
        view! { <crate::pages::boards::BoardsPage/> }.into_any()
    }

    plain: fn board() -> AnyView {
        view! { <crate::pages::board::BoardPage/> }.into_any()
    }

    plain: fn log() -> AnyView {
        view! { <crate::pages::log::LogPage/> }.into_any()
    }

    plain: fn connections() -> AnyView {
        view! { <crate::pages::connections::Connections/> }.into_any()
    }

    /// Takes up a run that this browser opened ([`crate::driver::take_up`]).
    work: fn take_up(id: RunId, from: TakeFrom, manner: Manner) -> LocalBoxFuture<'static, Result<(), ApiError>> {
        Box::pin(async move { crate::driver::take_up(&id, from, manner).await })
    }

    /// Hands a run to the server ([`crate::driver::hand_over`]).
    work: fn hand_over(id: RunId) -> LocalBoxFuture<'static, Result<(), ApiError>> {
        Box::pin(async move { crate::driver::hand_over(&id).await })
    }

    /// The numbers of a run, computed in this browser ([`crate::worker`]).
    work: fn report(spec: Spec, all: Arc<Snapshot>, options: MeasureOptions) -> LocalBoxFuture<'static, Option<Report>> {
        Box::pin(async move { worker::report(&spec, &all.ended(), &options).await })
    }

    /// Carries out the orders of a page, in its worker ([`crate::worker`]).
    work: fn carry_out(orders: worker::Orders) -> LocalBoxFuture<'static, ()> {
        Box::pin(worker::carry_out(orders))
    }

    /// What people in seats of this page are asked.
    work: fn people(view: RunView) -> AnyView {
        crate::components::person::queue(view)
    }

    /// Everything that decides how a run goes, with links to runs like it.
    work: fn configuration(id: RunId, info: RunInfo) -> AnyView {
        crate::pages::run::configuration(&id, &info).into_any()
    }

    /// Who graded a run, and the run under the other profile.
    work: fn afterwards(id: RunId, view: RunView, spec: Memo<Option<Spec>>, all: RwSignal<Arc<Snapshot>>) -> AnyView {
        crate::pages::run::afterwards(id, view, spec, all)
    }

    /// Checks a run, or one episode of it.
    work: fn verify(id: RunId, only: Option<EpisodeKey>, going: RwSignal<Going>) -> LocalBoxFuture<'static, Found> {
        Box::pin(crate::pages::run::verify_here(id, only, going))
    }

    /// Saves a run in the format of another tool; how many episodes could not be had.
    work: fn save_as(
        format: Format,
        info: RunInfo,
        all: Arc<Snapshot>,
        report: Report,
        collected: RwSignal<Option<(usize, usize)>>
    ) -> LocalBoxFuture<'static, usize> {
        Box::pin(async move { crate::pages::run::save_here(format, &info, &all, &report, collected).await })
    }

    /// The canary of a run's tasks, if they are encrypted and at hand.
    work: fn canary(id: RunId) -> LocalBoxFuture<'static, Option<String>> {
        Box::pin(async move {
            match crate::live::ingredients(&id).await.ok()?.tasks.origin {
                TaskSetOrigin::Encrypted { canary } => Some(canary),
                TaskSetOrigin::Plain | TaskSetOrigin::Sealed => None,
            }
        })
    }

    /// Buttons in the head of a run's page that its benchmark draws itself.
    work: fn run_tools(id: RunId, spec: Spec, all: RwSignal<Arc<Snapshot>>) -> AnyView {
        crate::benchmarks::screen(&spec.benchmark).and_then(|screen| screen.run_tools(id, spec, all)).into_any()
    }

    /// The button with which the reader goes on from a turn of an episode.
    work: fn take_over(id: RunId, view: RunView, play: Arc<Part>, now: Signal<Option<u32>>) -> AnyView {
        view! { <crate::pages::episode::take_over::TakeOver id view play now/> }.into_any()
    }

    work: fn changed(id: RunId, loaded: Arc<Loaded>) -> AnyView {
        view! { <crate::pages::episode::branches::Changed id loaded/> }.into_any()
    }

    /// The table or the lanes of a game.
    work: fn stage(
        replayed: Arc<Replayed>,
        reading: Reading,
        now: Signal<Option<u32>>,
        go: Callback<Option<u32>>,
        playing: Signal<bool>
    ) -> AnyView {
        view! { <crate::components::stage::Stage replayed reading now go playing/> }.into_any()
    }

    /// What a benchmark draws itself above the turns of an episode.
    work: fn own_stage(
        loaded: Arc<Loaded>,
        now: Signal<Option<u32>>,
        go: Callback<Option<u32>>,
        revealed: Signal<bool>
    ) -> AnyView {
        crate::benchmarks::Staged::draw(&loaded, (now, go), revealed).into_any()
    }

    /// The evidence grid of an episode.
    work: fn evidence(
        evidence: Arc<Evidence>,
        lang: Option<String>,
        now: Signal<Option<u32>>,
        go: Callback<Option<u32>>,
        revealed: Signal<bool>
    ) -> AnyView {
        view! { <crate::components::evidence::EvidenceGrid evidence lang now go revealed/> }.into_any()
    }

    /// Sets the formulas of the page ([`crate::typeset`]).
    maths: fn typeset() -> () {
        crate::typeset::all();
    }

    /// An episode played again ([`crate::pages::episode::studying`]).
    work: fn study(run: RunId, loaded: Arc<Loaded>) -> LocalBoxFuture<'static, Study> {
        Box::pin(async move { crate::pages::episode::studying::of_run(&run, &loaded).await })
    }
}

/// A part of the app that could not be downloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotLoaded;

#[cfg(feature = "split")]
impl From<leptos::wasm_split::SplitLoaderError> for NotLoaded {
    fn from(_: leptos::wasm_split::SplitLoaderError) -> Self {
        NotLoaded
    }
}

impl From<NotLoaded> for ApiError {
    fn from(_: NotLoaded) -> Self {
        ApiError {
            mend: Some(strings::LOAD_AGAIN.to_owned()),
            ..api::error("not_loaded", strings::NOT_LOADED)
        }
    }
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

/// A page that is loaded later: `fetch` gets its part, `make` makes it. Its place is held until it is there.
pub fn page<F, G, E, M, L>(fetch: F, make: M) -> impl Fn() -> AnyView + Clone
where
    F: Fn() -> G + Clone + Send + Sync + 'static,
    G: Future<Output = Result<(), E>> + 'static,
    M: Fn() -> L + Clone + Send + Sync + 'static,
    L: Future<Output = Result<AnyView, NotLoaded>> + 'static,
    NotLoaded: From<E>,
{
    move || {
        let meanwhile = || view! { <Loading/> }.into_any();
        let is_first = first_page::comes_later();
        let fetched = fetch();
        let in_its_own_task = async move {
            let fetched = fetched.await;
            if is_first {
                // The shell around it was a task already.
                clock::breathe().await;
            }
            if fetched.is_err() {
                first_page::give_way();
            }
            fetched
        };
        let make = make.clone();
        let make = move || async move {
            let made = make().await;
            if !first_page::is_written() {
                first_page::give_way();
            }
            made
        };
        placed(meanwhile, ready(()), in_its_own_task, make)
    }
}

/// A piece of a page that needs more than reading does. Nothing stands in its place until it is there.
pub fn piece<M, L>(make: M) -> AnyView
where
    M: FnOnce() -> L + 'static,
    L: Future<Output = Result<AnyView, NotLoaded>> + 'static,
{
    placed(|| ().into_any(), ready(()), fetch_work(), make)
}

/// The same for what stands far down in a page: the page is drawn first, and on a phone it is read meanwhile.
pub fn piece_at_rest<M, L>(make: M) -> AnyView
where
    M: FnOnce() -> L + 'static,
    L: Future<Output = Result<AnyView, NotLoaded>> + 'static,
{
    let at_rest = async {
        clock::sleep(REST).await;
        reader::reads().await;
    };
    placed(|| ().into_any(), at_rest, fetch_work(), make)
}

/// What `make` makes once something has been `fetched`, which begins `after` something else; until then what stands there `meanwhile`.
fn placed<E, M, L>(
    meanwhile: fn() -> AnyView,
    after: impl Future<Output = ()> + 'static,
    fetched: impl Future<Output = Result<(), E>> + 'static,
    make: M,
) -> AnyView
where
    M: FnOnce() -> L + 'static,
    L: Future<Output = Result<AnyView, NotLoaded>> + 'static,
    NotLoaded: From<E>,
{
    let shown: RwSignal<Option<Result<AnyView, NotLoaded>>, LocalStorage> =
        RwSignal::new_local(None);
    let is_late = RwSignal::new(false);
    // Only looked at, not held: it goes when the visitor goes on.
    let place = Owner::current().map(|place| place.downgrade());
    spawn_local(async move {
        after.await;
        let late = move || {
            is_late.try_set(true);
        };
        set_timeout(late, LATE);
        let fetched = fetched.await;
        // What stood here may have been drawn anew meanwhile, by the same owner.
        if shown.is_disposed() {
            return;
        }
        let Some(place) = place.and_then(|place| place.upgrade()) else {
            // Meanwhile the title, for one, is another page's.
            return;
        };
        let made = match fetched {
            // Signals that it makes and contexts that it wants are this place's.
            Ok(()) => place.with(|| ScopedFuture::new(make())).await,
            Err(why) => Err(why.into()),
        };
        shown.try_set(Some(made));
    });
    (move || {
        shown.track();
        match shown.try_update_untracked(Option::take).flatten() {
            None => view! {
                {meanwhile()}
                <Show when=move || is_late.get()>
                    <div class="note note-warn" role="alert">
                        <Icon name="clock"/>
                        <p class="note-title">{strings::LATE_PART}</p>
                        <p>{strings::LOAD_AGAIN}</p>
                    </div>
                </Show>
            }
            .into_any(),
            Some(Ok(made)) => made,
            Some(Err(why)) => view! { <Trouble problem=Some(ApiError::from(why))/> }.into_any(),
        }
    })
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The routes say which part a page is in; what is fetched for a link to it is that.
    #[test]
    fn a_link_leads_to_the_part_of_its_page() {
        let routes = include_str!("lib.rs").split("path!(\"").skip(1);
        let mut count = 0;
        for route in routes {
            let (path, view) = route.split_once('"').expect("a path ends");
            let part = view.split_once("later::fetch_").map(|(_, part)| part);
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
