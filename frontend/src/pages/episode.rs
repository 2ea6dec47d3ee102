//! The page of an episode: what happened, turn by turn, and whether it can be believed.

pub(crate) mod branches;
mod hold;
pub(crate) mod load;
mod neighbours;
mod opened;
pub(super) mod parts;
mod share;
pub(crate) mod study;
pub(crate) mod take_over;

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_params_map};
use turnwise_shared::run::{EpisodeKey, PartKey};
use turnwise_shared::transcript::Origin;
use turnwise_shared::wire::RunId;

use crate::components::head;
use crate::components::icons::{Icon, IconSize};
use crate::components::keys::on_key;
use crate::components::message::{Loading, Trouble};
use crate::components::missing::{Missing, MissingPage, is_missing};
use crate::components::raw::RawLines;
use crate::components::scrubber::Scrubber;
use crate::components::share::Share;
use crate::components::size::watch_size;
use crate::components::timeline::{Reader, Reading, TimelineView};
use crate::later;
use crate::live::{self, RunView};
use crate::pages::run::Verify;
use crate::strings::episode as words;
use crate::view::address::{self, Face, Place};
use crate::view::figures;
use crate::view::standing::Standing;
use crate::view::timeline::levels;

use branches::Branches;
pub(super) use hold::Hold;
use load::{Loaded, Part};
use neighbours::{Neighbours, neighbours};
use parts::{Broken, Faces, Grading, Heading, Hidden, Verdict};

/// Route `/run/:id/:episode`.
#[component]
pub fn EpisodePage() -> impl IntoView {
    let params = use_params_map();
    let run = Memo::new(move |_| params.with(|params| params.get("id")?.parse::<RunId>().ok()));
    let episode = Memo::new(move |_| {
        let key = params.with(|params| params.get("episode")?.parse::<EpisodeKey>().ok())?;
        // A grading is read below its play.
        Some(match key.part() {
            PartKey::Play => key,
            PartKey::Grading => key.its_play(),
        })
    });
    move || match run.get() {
        Some(id) => view! { <Read id episode/> }.into_any(),
        None => view! { <MissingPage missing=Missing::RunId/> }.into_any(),
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
    let view = live::open_run(&id);
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
            let options = NavigateOptions {
                replace: true,
                scroll: false,
                ..NavigateOptions::default()
            };
            navigate(&address::episode(&id, &key, &place), options);
        })
    };
    let whereabouts = Whereabouts {
        place,
        move_to,
        hold: Hold::new(),
    };
    let near = neighbours(view, episode, place);
    let revealed = RwSignal::new(false);
    // What is hidden stays hidden on the next page.
    Effect::new(move |_| {
        episode.track();
        revealed.set(false);
    });
    let missing = missing(&id, view, episode, loaded);
    head::title(move || {
        if let Some(missing) = missing.get() {
            return missing.title().to_owned();
        }
        loaded.with(|loaded| match loaded {
            Some(Ok(loaded)) => loaded.title(),
            _ => String::new(),
        })
    });
    keys(&id, near, place);
    let id = StoredValue::new(id);
    let body = move || match loaded.get() {
        None => view! { <Loading/> }.into_any(),
        Some(Err(problem)) => view! { <Trouble problem=Some(problem)/> }.into_any(),
        Some(Ok(loaded)) => {
            let key = episode.get_untracked();
            key.map(|key| read_here(id.get_value(), key, view, loaded, whereabouts, revealed))
                .into_any()
        }
    };
    move || match missing.get() {
        Some(missing) => view! { <MissingPage missing/> }.into_any(),
        None => view! {
            <Heading id=id.get_value() view episode loaded near place/>
            {body}
        }
        .into_any(),
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
        if view.info.with(Option::is_none) {
            let told = view.problem.with(|problem| Missing::run(problem.as_ref()?));
            if told.is_some() || view.loading.get() {
                return told;
            }
        }
        let is_gone =
            loaded.with(|loaded| matches!(loaded, Some(Err(problem)) if is_missing(problem)));
        (is_gone || episode.with(Option::is_none)).then(|| Missing::Episode(id.clone()))
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
    view! {
        <Content loaded whereabouts revealed address tools/>
        <Branches id=id.clone() play=key.clone()/>
        <Verify id only=key.its_play()/>
    }
    .into_any()
}

/// What can be done with an episode: passing it on, going on from a turn; of a branch, what it changed.
fn tools(
    id: &RunId,
    view: RunView,
    loaded: Arc<Loaded>,
    whereabouts: Whereabouts,
    address: Callback<Place, String>,
) -> AnyView {
    let place = whereabouts.place;
    let here = Signal::derive(move || {
        place.with(|place| {
            let whole = Place {
                turn: None,
                face: place.face,
                ..Place::default()
            };
            address.run(whole)
        })
    });
    let at = Signal::derive(move || {
        place.with(|place| {
            let turn = place.turn?;
            let there = Place {
                turn: Some(turn),
                ..Place::default()
            };
            Some((turn, address.run(there)))
        })
    });
    let episode = share::of_episode(id, view, &loaded, at);
    let now = Signal::derive(move || place.with(|place| place.turn));
    // Once it has been played again here.
    let take_over = loaded.play.as_ref().ok().map(|play| {
        let (id, play, study) = (id.clone(), Arc::clone(play), loaded.study.clone());
        move || {
            let can = study.with(|study| study.as_ref().is_some_and(|study| study.can_branch));
            can.then(|| {
                let (id, play) = (id.clone(), Arc::clone(&play));
                later::piece(move || later::take_over(id, view, play, now))
            })
        }
    });
    let is_branch = matches!(&loaded.play, Ok(play) if play.transcript.header.branch.is_some());
    let changed = is_branch.then(|| {
        let (id, loaded) = (id.clone(), Arc::clone(&loaded));
        later::piece(move || later::changed(id, loaded))
    });
    let is_imported =
        matches!(&loaded.play, Ok(play) if play.transcript.header.origin == Origin::Imported);
    let checks = match is_branch || is_imported {
        true => words::TO_CHECKS,
        false => words::TO_VERIFY,
    };
    view! {
        <div class="row">
            <Share run=id.clone() view address=here episode=Some(episode)/>
            {take_over}
            <button class="btn btn-small" type="button" id="to-verify" on:click=|_| to_checks()>
                <Icon name="seal" size=IconSize::Small/>
                {checks}
            </button>
        </div>
        {changed}
    }
    .into_any()
}

/// Far down in the page: to what can be checked of the episode.
fn to_checks() {
    use wasm_bindgen::JsCast as _;
    let find = |id: &str| document().get_element_by_id(id);
    // While it checks there is a button that stops instead.
    let button = find("verify").or_else(|| find("verify-stop"));
    if let Some(button) = button.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
        // It fails only for elements that take no focus.
        let _ = button.focus();
    }
    if let Some(head) = find("verify-head") {
        head.scroll_into_view();
    }
}

/// `[` and `]` to the neighbours, Escape back to the wall.
fn keys(id: &RunId, near: Memo<Neighbours>, place: Memo<Place>) {
    let (id, navigate) = (id.clone(), use_navigate());
    on_key(move |event| {
        let wall = || place.with_untracked(|place| place.wall.clone());
        let to = |key: Option<EpisodeKey>| {
            let place = Place {
                wall: wall(),
                face: place.with_untracked(|place| place.face),
                turn: None,
            };
            key.map(|key| address::episode(&id, &key, &place))
        };
        let target = match event.key().as_str() {
            "[" => near.with_untracked(|near| to(near.before.clone())),
            "]" => near.with_untracked(|near| to(near.after.clone())),
            "Escape" => Some(address::run(&id, &wall())),
            _ => return,
        };
        if let Some(target) = target {
            event.prevent_default();
            navigate(&target, NavigateOptions::default());
        }
    });
}

/// An episode that has been loaded.
#[component]
pub(super) fn Content(
    loaded: Arc<Loaded>,
    whereabouts: Whereabouts,
    revealed: RwSignal<bool>,
    /// The address of a place in it.
    address: Callback<Place, String>,
    /// What stands below its verdict.
    tools: ViewFn,
) -> impl IntoView {
    let key = loaded.key.clone();
    let Whereabouts {
        place,
        move_to,
        hold,
    } = whereabouts;
    let face = Memo::new(move |_| place.with(|place| place.face));
    let play = match &loaded.play {
        Ok(play) => Arc::clone(play),
        Err(bad) => {
            return view! { <Broken bad=bad.clone() text=Arc::clone(&loaded.play_text) name=key.file_name()/> }
                .into_any();
        }
    };
    let now = Signal::derive(move || place.with(|place| place.turn));
    let playing = RwSignal::new(false);
    let go = Callback::new(move |turn: Option<u32>| {
        move_to.run(Place {
            turn,
            ..place.get_untracked()
        });
    });
    let reader = Reader {
        now,
        playing: playing.into(),
        revealed: revealed.into(),
    };
    // A game is followed on its table, which would be scrolled out of sight.
    let who: Arc<BTreeMap<_, _>> = Arc::new(
        figures::participants(&play.transcript.header.spec)
            .into_iter()
            .collect(),
    );
    if who.is_empty() {
        hold.follow(key.clone(), now, face);
    }
    let href = Callback::new(move |turn: u32| {
        address.run(Place {
            turn: Some(turn),
            ..place.get_untracked()
        })
    });
    let reading = loaded.reading(&play, PartKey::Play);
    let cells = Arc::new(play.timeline.cells.clone());
    // The ribbon stays on top while one reads; what sticks below it, and where turns stop, depends on its height.
    let bar = NodeRef::<html::Div>::new();
    let bar_size = watch_size(bar);
    let below = move || format!("calc(var(--top) + {}px)", bar_size.height.get().ceil());
    let scrubber = (!cells.is_empty()).then(|| {
        let levels = levels(&play.timeline);
        view! {
            <Scrubber
                cells=Arc::clone(&cells)
                standing=reading.standing
                levels
                now
                go
                playing
                href
                lang=reading.lang.clone()
                element=bar
            />
        }
    });
    let game = {
        let (replayed, cells) = (reading.replayed, Arc::clone(&cells));
        move || {
            let replayed = replayed.get().filter(|_| !who.is_empty())?;
            let (cells, who) = (Arc::clone(&cells), Arc::clone(&who));
            let playing = playing.into();
            Some(later::piece(move || {
                later::stage(replayed, cells, who, now, go, playing)
            }))
        }
    };
    let evidence = {
        let (study, lang) = (loaded.study.clone(), reading.lang.clone());
        move || {
            let evidence = study.with(|study| study.as_ref()?.evidence.clone())?;
            let lang = lang.clone();
            Some(later::piece(move || {
                later::evidence(evidence, lang, now, go, revealed.into())
            }))
        }
    };
    let body = {
        let (loaded, play) = (Arc::clone(&loaded), Arc::clone(&play));
        move || match face.get() {
            Face::Timeline => timeline(&loaded, &play, reader, reading.clone()),
            Face::Raw => raw(&loaded, &play),
        }
    };
    view! {
        <div class="stack" style:--tl-top=below>
            <Verdict loaded=Arc::clone(&loaded) play=Arc::clone(&play) place move_to/>
            {tools.run()}
            <Hidden loaded=Arc::clone(&loaded) revealed/>
            {scrubber}
            {game}
            {evidence}
            <Faces place move_to/>
            <div>{body}</div>
        </div>
    }
    .into_any()
}

fn timeline(loaded: &Arc<Loaded>, play: &Arc<Part>, reader: Reader, reading: Reading) -> AnyView {
    let is_over = play.timeline.outcome.is_some();
    // Games pay; there is nothing to grade.
    let is_graded = loaded.standing != Standing::Played;
    let loaded = Arc::clone(loaded);
    view! {
        <h2 class="sr">{words::TIMELINE}</h2>
        <TimelineView reading reader prefix="turn"/>
        {(is_over && is_graded).then(|| view! { <Grading loaded reader/> })}
    }
    .into_any()
}

fn raw(loaded: &Arc<Loaded>, play: &Arc<Part>) -> AnyView {
    // The line that drifts is known once the episode has been played again.
    let lines = |text: &Arc<String>, key: EpisodeKey| {
        let (text, bad) = (Arc::clone(text), loaded.drift(key.part()));
        move || view! { <RawLines text=Arc::clone(&text) name=key.file_name() bad=bad.get()/> }
    };
    let grading = loaded
        .grading
        .as_ref()
        .and_then(|grading| grading.as_ref().ok())
        .map(|grading| {
            view! {
                <h2>{words::OF_GRADING}</h2>
                <p class="small soft">{grading.chain()}</p>
                {lines(&loaded.grading_text, loaded.key.grading())}
            }
        });
    view! {
        <div class="panel stack">
            <h2>{words::OF_PLAY}</h2>
            <p class="small soft">{play.chain()}</p>
            {lines(&loaded.play_text, loaded.key.clone())}
            {grading}
        </div>
    }
    .into_any()
}
