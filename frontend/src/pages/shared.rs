//! Route `/shared#…`: an episode that lies in the address. No server is asked for anything of it.

use turnwise_shared::share::{self, SharedEpisode};

use crate::components::head;
use crate::live::Ingredients;
use crate::pages::episode::loaded::{self, Loaded};
use crate::pages::episode::{Content, Hold, Whereabouts, studying};
use crate::prelude::*;
use crate::strings::{missing, sharing as words};
use crate::{api, library};

/// An episode of an address, read.
struct Opened {
    shared: SharedEpisode,
    loaded: Arc<Loaded>,
}

/// An address that cannot be read, and the run that it names nonetheless.
#[derive(Clone)]
struct Broken {
    problem: ApiError,
    run: Option<RunId>,
}

/// Route `/shared`.
#[component]
pub fn SharedPage() -> impl IntoView {
    let location = use_location();
    let (hash, search) = (location.hash, location.search);
    let opened = RwSignal::new(None::<Result<Arc<Opened>, Broken>>);
    let place = RwSignal::new(Place::default());
    Effect::new(move |_| {
        let fragment = hash.get();
        opened.set(None);
        place.set(search.with_untracked(|query| Place::read(query)));
        spawn_local(async move {
            let found = read(&fragment)
                .await
                .map(Arc::new)
                .map_err(|problem| Broken { problem, run: share::run_of(&fragment) });
            // Another episode may be in the address by now.
            if hash.try_get_untracked().as_ref() == Some(&fragment) {
                opened.set(Some(found));
            }
        });
    });
    head::title(move || {
        opened.with(|opened| match opened {
            Some(Ok(opened)) => opened.loaded.title(),
            _ => words::SHARED.to_owned(),
        })
    });
    move || match opened.get() {
        None => any_view! { <Loading/> },
        Some(Err(Broken { problem, run })) => any_view! {
            <div class="page-head">
                <h1>{words::SHARED}</h1>
            </div>
            <Trouble problem=Some(problem)/>
            <p class="row">
                {run.map(|run| view! {
                    <a class="btn" id="shared-run" href=format!("/run/{run}")>
                        "Open the run on this server"
                    </a>
                })}
                <a class="btn" href="/">
                    {missing::TO_RUNS}
                </a>
            </p>
        },
        Some(Ok(opened)) => shown(&opened, place, hash),
    }
}

fn shown(opened: &Opened, place: RwSignal<Place>, hash: Memo<String>) -> AnyView {
    let key = opened.loaded.key.clone();
    let whereabouts = Whereabouts {
        place: {
            let loaded = Arc::clone(&opened.loaded);
            Memo::new(move |_| loaded.place(place.get()))
        },
        // The episode is in the address already, and long: a turn that is read does not go into it as well.
        move_to: Callback::new(move |to| place.set(to)),
        hold: Hold::new(),
    };
    let origin = opened.shared.run.clone().map(|run| {
        let href = move || place.with(|place| address::episode(&run, &key, place));
        view! {
            <p>
                <a href=href>"Open the episode where it came from, to take over or to see the whole run"</a>
            </p>
        }
    });
    let address = Callback::new(move |place: Place| {
        let hash = hash.get_untracked();
        match place.query() {
            query if query.is_empty() => format!("/shared{hash}"),
            query => format!("/shared?{query}{hash}"),
        }
    });
    let title = match opened.shared.title.trim() {
        "" => words::SHARED.to_owned(),
        title => title.to_owned(),
    };
    let task = opened.loaded.title();
    any_view! {
        <div class="page-head">
            <div>
                <ol class="crumbs">
                    <li>{title}</li>
                </ol>
                <h1>{task}</h1>
                <p class="soft read">"This episode came with the link and was asked of no server. What its task hides is not in it."</p>
                {origin}
            </div>
        </div>
        <Content loaded=Arc::clone(&opened.loaded) whereabouts revealed=RwSignal::new(false) address tools=ViewFn::default() checks=ViewFn::default()/>
    }
}

/// What an address holds, played again as far as that can be done with what is at hand here.
async fn read(fragment: &str) -> Result<Opened, ApiError> {
    let bad = |why: String| ApiError {
        mend: Some(words::BAD_SHARE_MEND.to_owned()),
        ..api::error("bad_share", format!("This link cannot be read: {why}."))
    };
    let shared = share::unpack(fragment).map_err(|why| bad(why.to_string()))?;
    let play = transcript::read(&shared.play).map_err(|why| bad(why.to_string()))?;
    let spec = &play.header.spec;
    let tasks = match (library::tasks_here(spec).await, &shared.question) {
        (Ok(Some(tasks)), _) => Ok(tasks),
        (Ok(None) | Err(_), Some(question)) => Ok(share::task_set(&play, question)),
        (Ok(None), None) => Err(api::error("no_tasks", words::NO_TASKS)),
        (Err(why), None) => Err(why),
    };
    let ingredients = match (tasks, library::pack_here(spec)) {
        (Ok(tasks), Ok(pack)) => Ok(Ingredients { tasks, pack }),
        (Err(why), _) | (_, Err(why)) => Err(why),
    };
    let key = EpisodeKey::play(&play.header.task.id, play.header.repeat);
    let loaded = loaded::from_texts(&key, shared.play.clone(), shared.grading.clone());
    let study = studying::of(&loaded, &ingredients).await;
    let loaded = Loaded { status: study.status, ..loaded };
    loaded.study.set(Some(Arc::new(study)));
    Ok(Opened { shared, loaded: Arc::new(loaded) })
}
