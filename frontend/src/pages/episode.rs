//! The page of an episode: what happened, turn by turn, and whether it can be believed.

pub(crate) mod branches;
pub(super) mod broken;
mod content;
mod grading;
mod heading;
mod hidden;
mod hold;
pub(crate) mod load;
pub(crate) mod loaded;
mod neighbours;
mod opened;
mod proof;
mod share;
mod stage;
pub(crate) mod study;
pub(crate) mod studying;
pub(crate) mod take_over;
mod tools;
mod verdict;

use branches::Branches;
use heading::Heading;
use loaded::Loaded;
use neighbours::{Neighbours, neighbours};
use tools::tools;

use crate::components::head;
use crate::components::keys::on_key;
use crate::components::missing::{Missing, MissingPage, is_missing};
use crate::components::run_row::listed_name;
use crate::live::RunView;
use crate::pages::run::Verify;
use crate::prelude::*;
use crate::{first_page, looking};

pub(super) use content::Content;
pub(super) use hold::Hold;

#[component]
pub fn EpisodePage() -> impl IntoView {
    let params = use_params_map();
    let run = Memo::new(move |_| params.with(|params| params.get("id")?.parse::<RunId>().ok()));
    let episode = Memo::new(move |_| {
        let key = params.with(|params| params.get("episode")?.parse::<EpisodeKey>().ok())?;
        // A grading is read below its episode.
        Some(key.its_play())
    });
    move || match run.get() {
        Some(id) => any_view! { <Read id episode/> },
        None => any_view! { <MissingPage missing=Missing::RunId/> },
    }
}

/// Where the reader is in the address, and how to go elsewhere.
#[derive(Clone, Copy)]
pub struct Whereabouts {
    /// The place in the address.
    pub place: Memo<Place>,
    /// Puts another place of the same episode into the address.
    pub move_to: Callback<Place>,
    /// Keeps the turn of the address where the reader saw it.
    pub hold: Hold,
}

#[component]
fn Read(id: RunId, episode: Memo<Option<EpisodeKey>>) -> impl IntoView {
    let view = looking::open_run_of_episode(&id);
    let search = use_location().search;
    let loaded = load::episode(&id, episode, view);
    let place = Memo::new(move |_| {
        let asked = search.with(|query| Place::read(query));
        loaded.with(|loaded| match loaded {
            Some(Ok(loaded)) => loaded.place(asked),
            Some(Err(_)) | None => asked,
        })
    });
    let move_to = {
        let (id, navigate) = (id.clone(), use_navigate());
        Callback::new(move |place: Place| {
            let Some(key) = episode.get_untracked() else {
                return;
            };
            navigate(&address::episode(&id, &key, &place), in_place());
        })
    };
    let whereabouts = Whereabouts { place, move_to, hold: Hold::new() };
    let near = neighbours(view, episode, place);
    let revealed = RwSignal::new(false);
    // What is hidden stays hidden on the next page.
    Effect::new(move |_| {
        episode.track();
        revealed.set(false);
    });
    let missing = missing(&id, view, episode, loaded);
    // What the server wrote of it stays until it is there.
    Effect::new(move |_| {
        if missing.get().is_some() || loaded.is_some() {
            first_page::give_way();
        }
    });
    head::title(move || {
        if let Some(missing) = missing.get() {
            return missing.title().to_owned();
        }
        loaded.with(|loaded| match loaded {
            Some(Ok(loaded)) => {
                let run = view.info.map(listed_name);
                let parts = std::iter::once(loaded.title()).chain(run);
                parts.collect::<Vec<_>>().join(" · ")
            }
            _ => String::new(),
        })
    });
    keys(&id, near, place);
    let id = StoredValue::new(id);
    let body = move || match loaded.get() {
        _ if view.is_blind() => any_view! {
            <p class="soft">
                "What came of it is shown once the run has ended: until then it could lead the person who still answers."
            </p>
        },
        None => any_view! { <Loading/> },
        Some(Err(problem)) => any_view! { <Trouble problem=Some(problem)/> },
        Some(Ok(loaded)) => {
            let key = episode.get_untracked();
            key.map(|key| read_here(id.get_value(), key, view, loaded, whereabouts, revealed))
                .into_any()
        }
    };
    move || match missing.get() {
        Some(missing) => any_view! { <MissingPage missing/> },
        None => any_view! {
            <Heading id=id.get_value() view episode loaded near place/>
            {body}
        },
    }
}

/// What of the address is not there: the run, or the episode in it.
fn missing(
    id: &RunId,
    view: RunView,
    episode: Memo<Option<EpisodeKey>>,
    loaded: load::Loading,
) -> Memo<Option<Missing>> {
    let id = id.clone();
    Memo::new(move |_| {
        if view.info.is_none() {
            let told = view.problem.with(|problem| Missing::run(problem.as_ref()?));
            if told.is_some() || view.loading.get() {
                return told;
            }
        }
        let is_gone =
            loaded.with(|loaded| matches!(loaded, Some(Err(problem)) if is_missing(problem)));
        (is_gone || episode.is_none()).then(|| Missing::Episode(id.clone()))
    })
}

/// An episode of a run, with what can be done with it.
fn read_here(
    id: RunId,
    key: EpisodeKey,
    view: RunView,
    loaded: Arc<Loaded>,
    whereabouts: Whereabouts,
    revealed: RwSignal<bool>,
) -> AnyView {
    let address = {
        let (id, key) = (id.clone(), key.clone());
        Callback::new(move |place: Place| address::episode(&id, &key, &place))
    };
    let tools = {
        let (id, loaded) = (id.clone(), Arc::clone(&loaded));
        ViewFn::from(move || tools(&id, view, Arc::clone(&loaded), whereabouts, address))
    };
    let checks = {
        let (id, play) = (id.clone(), key.its_play());
        ViewFn::from(move || view! { <Verify id=id.clone() only=play.clone()/> })
    };
    any_view! {
        <Content loaded whereabouts revealed address tools checks/>
        <Branches id=id play=key/>
    }
}

/// `[` and `]` to the neighbours.
fn keys(id: &RunId, near: Memo<Neighbours>, place: Memo<Place>) {
    let (id, navigate) = (id.clone(), use_navigate());
    on_key(move |event| {
        let to = |key: Option<EpisodeKey>| {
            let place = Place { turn: None, ..place.get_untracked() };
            key.map(|key| address::episode(&id, &key, &place))
        };
        let target = match event.key().as_str() {
            "[" => near.with_untracked(|near| to(near.before.clone())),
            "]" => near.with_untracked(|near| to(near.after.clone())),
            _ => return,
        };
        if let Some(target) = target {
            event.prevent_default();
            navigate(&target, NavigateOptions::default());
        }
    });
}
