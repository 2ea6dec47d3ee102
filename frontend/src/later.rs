//! Parts of the app that a first visit does not need. With the feature `split` each is a file of its own, downloaded when it
//! is first called, or when the user is about to open what needs it; without the feature they are ordinary functions. A module
//! declares by [`later!`] what of it is loaded so; pages are declared where the routes are ([`crate::routes`]).
//!
//! What the first page shows must not name anything that such functions name, or it comes along: no benchmark, no driver, no
//! other page. The same holds for the pages on which one only reads a run or an episode (`runs`): what needs a benchmark's code or
//! the driver's is `work`.

use std::future::ready;

use leptos::reactive::computed::ScopedFuture;

use crate::prelude::*;
use crate::{api, clock, first_page, reader, strings};

/// How long a part may be on its way before the page says so, in milliseconds.
const LATE: Duration = Duration::from_secs(8);

/// How long a page is left alone before what stands far down in it is fetched, in milliseconds.
const REST: u32 = 300;

/// Marks functions of a module as parts that are loaded later; all of one `$file` lie in one file. After `fetch` may stand the name
/// of a function that only fetches the file.
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
        fn $name($($arg: $type),*) -> Result<$output, $crate::later::NotLoaded> {
            Ok($body)
        }

        $(#[$meta])*
        #[cfg(not(feature = "split"))]
        async fn $name($($arg: $type),*) -> Result<$output, $crate::later::NotLoaded> {
            Ok($body)
        }

        $(
            /// Fetches this part before it is needed; here it is there already.
            #[cfg(not(feature = "split"))]
            async fn $fetch() -> Result<(), $crate::later::NotLoaded> {
                Ok(())
            }
        )?
    )*};
}

pub(crate) use later;

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
        let meanwhile = || any_view! { <Loading/> };
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

/// A piece of a page that needs more than reading does: `fetched` gets its part, `make` makes it. Nothing stands in its place until
/// it is there.
pub fn piece<E, M, L>(fetched: impl Future<Output = Result<(), E>> + 'static, make: M) -> AnyView
where
    M: FnOnce() -> L + 'static,
    L: Future<Output = Result<AnyView, NotLoaded>> + 'static,
    NotLoaded: From<E>,
{
    placed(|| ().into_any(), ready(()), fetched, make)
}

/// The same for what stands far down in a page: the page is drawn first, and on a phone it is read meanwhile.
pub fn piece_at_rest<E, M, L>(
    fetched: impl Future<Output = Result<(), E>> + 'static,
    make: M,
) -> AnyView
where
    M: FnOnce() -> L + 'static,
    L: Future<Output = Result<AnyView, NotLoaded>> + 'static,
    NotLoaded: From<E>,
{
    let at_rest = async {
        clock::sleep(REST).await;
        reader::reads().await;
    };
    placed(|| ().into_any(), at_rest, fetched, make)
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
        shown.put(made);
    });
    (move || {
        shown.track();
        match shown.try_update_untracked(Option::take).flatten() {
            None => any_view! {
                {meanwhile()}
                <Show when=move || is_late.get()>
                    <div class="note note-warn" role="alert">
                        <Icon name="clock"/>
                        <p class="note-title">"This part of the page has not arrived yet."</p>
                        <p>{strings::LOAD_AGAIN}</p>
                    </div>
                </Show>
            },
            Some(Ok(made)) => made,
            Some(Err(why)) => any_view! { <Trouble problem=Some(ApiError::from(why))/> },
        }
    })
    .into_any()
}
