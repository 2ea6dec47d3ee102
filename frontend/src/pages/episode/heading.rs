//! The heading of an episode's page: where the reader is, which episode this is, and the way to its neighbours.

use turnwise_shared::screen::row::{Labels, label_text};

use super::load::Loading;
use super::neighbours::Neighbours;
use crate::components::run_row::listed_name;
use crate::live::RunView;
use crate::pages::run::wall_tab;
use crate::prelude::*;
use crate::strings::{episode as words, run as run_words};

#[component]
pub fn Heading(
    id: RunId,
    view: RunView,
    episode: Memo<Option<EpisodeKey>>,
    loaded: Loading,
    near: Memo<Neighbours>,
    place: Memo<Place>,
) -> impl IntoView {
    let id = StoredValue::new(id);
    let tab = Memo::new(move |_| view.info.and_then(wall_tab));
    let back =
        move || place.with(|place| address::run_tab(&id.get_value(), &place.wall, tab.get()));
    let name = move || {
        view.info.with(|info| info.as_ref().map_or_else(|| id.get_value().to_string(), listed_name))
    };
    // From the summary, which is there before the transcript; of an episode under way there is only the transcript.
    let task = Memo::new(move |_| {
        let key = episode.get()?;
        let summary = view
            .summaries
            .with(|all| all.get(&key).map(|summary| (summary.task.clone(), summary.repeat)));
        summary.or_else(|| {
            loaded.with(|loaded| match loaded {
                Some(Ok(loaded)) => loaded.task_ref(),
                _ => None,
            })
        })
    });
    let name_of = move |task: &TaskRef| {
        view.info.with(|info| {
            let spec = info.as_ref().map(|info| &info.spec);
            registry::task_name(spec?, task)
        })
    };
    let title = move || match task.get() {
        Some((task, repeat)) => words::title(name_of(&task).as_deref(), &task.id.0, repeat),
        None => episode.get().map(|key| key.to_string()).unwrap_or_default(),
    };
    let shown = Memo::new(move |_| {
        view.info.with(|info| {
            let spec = info.as_ref().map(|info| &info.spec);
            spec.map_or(Labels::All, Labels::of)
        })
    });
    let tags = move || {
        let (task, _) = task.get()?;
        // A name says what the labels of its task say.
        if name_of(&task).is_some() {
            return None;
        }
        let shown = shown.get();
        let tags: Vec<_> = task
            .labels
            .iter()
            .filter(|(name, _)| shown.shows(name))
            .map(|label| view! { <span class="tag">{label_text(label)}</span> })
            .collect();
        Some(tags)
    };
    let people = move || {
        let names = loaded.with(|loaded| match loaded {
            Some(Ok(loaded)) => Arc::clone(&loaded.names),
            _ => Arc::default(),
        });
        view.info.with(|info| {
            let seats = info.iter().flat_map(|info| &info.spec.seats);
            seats
                .filter(|(_, sitting)| sitting.player == Player::Person)
                .map(|(seat, _)| {
                    let name = names.get(seat).map(String::as_str);
                    view! { <span class="seal seal-human">{words::person_in(seat.as_str(), name)}</span> }
                })
                .collect_view()
        })
    };
    let step = move |key: Option<EpisodeKey>, name: &'static str, label: &'static str| {
        let place = Place { turn: None, ..place.get() };
        match key {
            Some(key) => any_view! {
                <a
                    class="btn-icon"
                    href=address::episode(&id.get_value(), &key, &place)
                    aria-label=label
                    title=label
                >
                    <Icon name/>
                </a>
            },
            None => any_view! {
                <button class="btn-icon" type="button" disabled=true aria-label=label>
                    <Icon name/>
                </button>
            },
        }
    };
    view! {
        <div class="page-head">
            <div>
                <ol class="crumbs">
                    <li>
                        <a href="/runs">{run_words::RUNS}</a>
                    </li>
                    <li>
                        <a href=back>{name}</a>
                    </li>
                </ol>
                <h1>{title}</h1>
                <p class="row">{tags} {people}</p>
            </div>
            <nav class="row" aria-label=run_words::WALL>
                {move || step(near.with(|near| near.before.clone()), "left", "Episode before")}
                <span class="small soft num">
                    {move || near.with(|near| near.place.map(|(at, of)| format!("{} of {}", count(at as u64 + 1), count(of))))}
                </span>
                {move || step(near.with(|near| near.after.clone()), "right", "Episode after")}
            </nav>
        </div>
    }
}
