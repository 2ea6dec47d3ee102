//! Words looked for in the transcripts of a run. The server looks; the wall shows the episodes that have them, and here stands where.

use turnwise_shared::finding::{Hit, Mark, Place as Where};
use turnwise_shared::wire::{Found, FoundIn};

use crate::api;
use crate::prelude::*;
use crate::strings::reading as words;

/// How many episodes come with excerpts in one answer.
const SHOWN: usize = 50;

/// What was found, and for which words.
#[derive(Clone, Copy)]
pub struct Finds {
    /// What is looked for; empty for nothing.
    words: Memo<String>,
    found: RwSignal<Option<(String, Found)>>,
    looking: RwSignal<bool>,
    problem: RwSignal<Option<ApiError>>,
}

impl Finds {
    /// Looks for the words of the wall's address whenever they change.
    pub fn of(id: &RunId, wall: Signal<Wall>) -> Self {
        let finds = Finds {
            words: Memo::new(move |_| wall.with(|wall| wall.filter.within.trim().to_owned())),
            found: RwSignal::new(None),
            looking: RwSignal::new(false),
            problem: RwSignal::new(None),
        };
        let id = id.clone();
        Effect::new(move |_| {
            let words = finds.words.get();
            finds.found.set(None);
            finds.problem.set(None);
            // The results of the previous search are no longer awaited.
            finds.looking.set(false);
            if !words.is_empty() {
                let id = id.clone();
                spawn_local(async move { finds.look(&id, words, 0).await });
            }
        });
        finds
    }

    /// Asks the server. An answer to words that are no longer looked for is dropped.
    async fn look(self, id: &RunId, words: String, skip: usize) {
        self.looking.set(true);
        let answer = api::search(id, &words, skip).await;
        if self.words.try_get_untracked().as_ref() != Some(&words) {
            return;
        }
        self.looking.set(false);
        match answer {
            Err(problem) => self.problem.set(Some(problem)),
            Ok(fresh) => self.found.update(|found| match found {
                Some((_, known)) if skip > 0 => {
                    for (at, play) in fresh.plays.into_iter().enumerate() {
                        if let Some(known) = known.plays.get_mut(at)
                            && known.episode == play.episode
                            && known.hits.is_empty()
                        {
                            known.hits = play.hits;
                        }
                    }
                }
                found => *found = Some((words, fresh)),
            }),
        }
    }

    /// The episodes that have the words; `None` while nothing is looked for, or it is not known yet.
    pub fn plays(self) -> Signal<Option<Arc<BTreeSet<EpisodeKey>>>> {
        Memo::new(move |_| {
            self.found.with(|found| {
                let (_, found) = found.as_ref()?;
                let plays = found.plays.iter().map(|play| play.episode.clone());
                Some(Arc::new(plays.collect::<BTreeSet<_>>()))
            })
        })
        .into()
    }
}

/// What was found, with a way back.
#[component]
pub fn Search(
    id: RunId,
    /// How the wall is looked at; the words stand in its address.
    wall: Signal<Wall>,
    /// Wishes to look at it in another way.
    change: Callback<Wall>,
    finds: Finds,
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView {
    let clear = move || {
        let mut next = wall.get_untracked();
        next.filter.within.clear();
        change.run(next);
    };
    let told = move || {
        if finds.looking.get() {
            return "Searching …".to_owned();
        }
        finds.found.with(|found| match found {
            Some((_, found)) => {
                let places: u64 = found.plays.iter().map(|play| u64::from(play.count)).sum();
                words::found(found.plays.len(), places, found.searched)
            }
            None => String::new(),
        })
    };
    let run = id.clone();
    let list = move || {
        finds.found.with(|found| {
            let (_, found) = found.as_ref()?;
            let shown = found.plays.iter().filter(|play| !play.hits.is_empty());
            let plays: Vec<_> = shown
                .map(|play| play_view(&run, play, &snapshot.get_untracked(), &wall.get_untracked()))
                .collect();
            (!plays.is_empty()).then(|| view! { <ol class="finds">{plays}</ol> })
        })
    };
    let more = move || {
        let (known, of) = finds.found.with(|found| {
            found.as_ref().map_or((0, 0), |(_, found)| {
                let known = found.plays.iter().filter(|play| !play.hits.is_empty()).count();
                (known, found.plays.len())
            })
        });
        let id = id.clone();
        (known < of && known % SHOWN == 0).then(move || {
            view! {
                <button
                    class="btn btn-small"
                    type="button"
                    on:click=move |_| {
                        let id = id.clone();
                        let words = finds.words.get_untracked();
                        spawn_local(async move { finds.look(&id, words, known).await });
                    }
                >
                    {words::more_plays(of - known)}
                </button>
            }
        })
    };
    view! {
        <Show when=move || finds.words.with(|words| !words.is_empty())>
            <section class="section" id="search" aria-labelledby="search-head">
                <div class="section-head">
                    <h2 id="search-head">"Found in transcripts"</h2>
                    <button class="btn btn-small" type="button" on:click=move |_| clear()>
                        "Clear"
                    </button>
                </div>
                <div class="stack">
                    <p class="field-note read">{words::WORDS_NOTE}</p>
                    <Trouble problem=finds.problem/>
                    <p role="status">{told}</p>
                    {list.clone()}
                    {more.clone()}
                </div>
            </section>
        </Show>
    }
}

fn play_view(id: &RunId, play: &FoundIn, all: &Snapshot, wall: &Wall) -> impl IntoView + use<> {
    let summary = all.position(&play.episode).map(|at| &all.summaries[at]);
    let name = match summary {
        Some(summary) => words::in_play(&summary.task.id.0, summary.repeat, play.count),
        None => words::in_play(play.episode.as_str(), 1, play.count),
    };
    let lang = summary.and_then(|summary| turnwise_shared::task::language(&summary.task.labels));
    let to = |turn: Option<u32>| {
        let place = Place { turn, wall: wall.clone(), ..Place::default() };
        address::episode(id, &play.episode, &place)
    };
    let hits: Vec<_> =
        play.hits.iter().map(|hit| hit_view(hit, to(hit.turn), lang.clone())).collect();
    let unseen = play.count.saturating_sub(u32::try_from(hits.len()).unwrap_or(u32::MAX));
    let unseen = (unseen > 0)
        .then(|| view! { <li class="faint">{format!("and {} more", count(unseen))}</li> });
    view! {
        <li>
            <a class="strong" href=to(None)>
                {name}
            </a>
            <ul>{hits} {unseen}</ul>
        </li>
    }
}

fn hit_view(hit: &Hit, href: String, lang: Option<String>) -> impl IntoView + use<> {
    let turn = hit.turn.map_or_else(|| "Episode".to_owned(), words::turn);
    let place = match &hit.place {
        Where::Said { seat } => format!("{} said", seat.as_str()),
        Where::Thought { seat } => format!("{} thought", seat.as_str()),
        Where::Found => "search found".to_owned(),
        Where::Happened => "happened".to_owned(),
        Where::Ended => "the end".to_owned(),
    };
    let pieces: Vec<_> = hit
        .excerpt
        .iter()
        .map(|piece| match piece.found {
            Mark::Found => any_view! { <mark>{piece.text.clone()}</mark> },
            Mark::Plain => piece.text.clone().into_any(),
        })
        .collect();
    view! {
        <li>
            <a href=href>{turn}</a>
            <span class="soft">{format!(", {place}: ")}</span>
            <q lang=lang>{pieces}</q>
        </li>
    }
}
