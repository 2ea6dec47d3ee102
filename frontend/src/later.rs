//! Parts of the app that a first visit does not need. With the feature `split` each is a file of its own, downloaded when it
//! is first called, or when the first page has been there for a while; without the feature they are ordinary functions.
//!
//! What the first page shows must not name anything behind these functions, or it comes along: no benchmark, no driver, no
//! other page.

use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::reactive::computed::ScopedFuture;
use leptos::task::spawn_local;
use turnwise_shared::wire::{About, ApiError, RunId};

use crate::components::message::{Loading, Trouble};
use crate::{api, strings};

/// How long the first page is left alone before the other parts are fetched in advance.
#[cfg(feature = "split")]
const QUIET: std::time::Duration = std::time::Duration::from_secs(2);

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
    /// Route `/run/:id`.
    runs fetch fetch_runs: fn run() -> AnyView {
        view! { <crate::pages::run::RunPage/> }.into_any()
    }

    /// Route `/run/:id/:episode`.
    runs: fn episode() -> AnyView {
        view! { <crate::pages::episode::EpisodePage/> }.into_any()
    }

    /// Route `/shared`.
    runs: fn shared() -> AnyView {
        view! { <crate::pages::shared::SharedPage/> }.into_any()
    }

    /// Route `/compare`.
    runs: fn compare() -> AnyView {
        view! { <crate::pages::compare::ComparePage/> }.into_any()
    }

    /// Route `/compare/:one/:other/:play`.
    runs: fn compare_task() -> AnyView {
        view! { <crate::pages::compare::TaskPage/> }.into_any()
    }

    /// Starts the first benchmark's sample tasks with the offline seats.
    runs: fn start_samples(about: About) -> LocalBoxFuture<'static, Result<RunId, ApiError>> {
        Box::pin(crate::start::samples(about))
    }

    /// Route `/new`.
    forms fetch fetch_forms: fn new_run() -> AnyView {
        view! { <crate::pages::new_run::NewRun/> }.into_any()
    }

    /// Route `/play`.
    play fetch fetch_play: fn play() -> AnyView {
        view! { <crate::pages::play::PlayPage/> }.into_any()
    }

    /// Route `/play/:run`.
    play: fn table() -> AnyView {
        view! { <crate::pages::table::TablePage/> }.into_any()
    }

    /// Route `/boards`.
    boards fetch fetch_boards: fn boards() -> AnyView {
        view! { <crate::pages::boards::BoardsPage/> }.into_any()
    }

    /// Route `/board/:id`.
    boards: fn board() -> AnyView {
        view! { <crate::pages::board::BoardPage/> }.into_any()
    }

    /// Route `/log`.
    boards: fn log() -> AnyView {
        view! { <crate::pages::log::LogPage/> }.into_any()
    }

    /// Route `/logs`.
    logs fetch fetch_logs: fn logs() -> AnyView {
        view! { <crate::pages::logs::Logs/> }.into_any()
    }

    /// Route `/connections`.
    forms: fn connections() -> AnyView {
        view! { <crate::pages::connections::Connections/> }.into_any()
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

/// Fetches all parts once the page that is shown has had its time, so that other pages open at once.
pub fn fetch_in_advance() {
    #[cfg(feature = "split")]
    set_timeout(
        || {
            spawn_local(async {
                // What fails now is fetched when it is needed, and its failure is shown then.
                let _ = fetch_runs().await;
                let _ = fetch_boards().await;
                let _ = fetch_forms().await;
                let _ = fetch_play().await;
            });
        },
        QUIET,
    );
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
        let shown: RwSignal<Option<Result<AnyView, NotLoaded>>, LocalStorage> =
            RwSignal::new_local(None);
        let (fetched, make) = (fetch(), make.clone());
        // Only looked at, not held: it goes when the visitor goes on.
        let place = Owner::current().map(|place| place.downgrade());
        spawn_local(async move {
            let fetched = fetched.await;
            let Some(place) = place.and_then(|place| place.upgrade()) else {
                // Meanwhile the title, for one, is another page's.
                return;
            };
            let page = match fetched {
                // Signals that the page makes and contexts that it wants are this place's.
                Ok(()) => place.with(|| ScopedFuture::new(make())).await,
                Err(why) => Err(why.into()),
            };
            shown.try_set(Some(page));
        });
        (move || {
            shown.track();
            match shown.try_update_untracked(Option::take).flatten() {
                None => view! { <Loading/> }.into_any(),
                Some(Ok(page)) => page,
                Some(Err(why)) => view! { <Trouble problem=Some(ApiError::from(why))/> }.into_any(),
            }
        })
        .into_any()
    }
}
