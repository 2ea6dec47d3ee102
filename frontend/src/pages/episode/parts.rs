//! The parts of an episode's page: heading, verdict, what is hidden, tabs, grading, and a transcript that cannot be read.

use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::replay::Extent;
use turnwise_shared::run::{EpisodeKey, PartKey};
use turnwise_shared::seat::Player;
use turnwise_shared::task::Task;
use turnwise_shared::transcript::BadTranscript;
use turnwise_shared::transcript::Part as PartKind;
use turnwise_shared::wire::RunId;

use super::load::{Loaded, Loading, Part};
use super::neighbours::Neighbours;
use super::opened::Opened;
use super::study::Study;
use crate::components::icons::{Icon, IconSize};
use crate::components::raw::RawLines;
use crate::components::ribbon::mark;
use crate::components::timeline::{Reader, TimelineView};
use crate::live::RunView;
use crate::pages::run::run_name;
use crate::strings::{episode as words, run as run_words};
use crate::view::address::{self, Face, Place};
use crate::view::figures::participants;
use crate::view::replayed::{Replayed, Seal, hidden_fields};
use crate::view::snapshot::{label_text, language};
use crate::view::turn::words as spaced;

/// Where the reader is, which episode this is, and the way to its neighbours.
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
    let back = move || place.with(|place| address::run(&id.get_value(), &place.wall));
    let name = move || {
        view.info.with(|info| {
            info.as_ref()
                .map_or_else(|| id.get_value().to_string(), run_name)
        })
    };
    // From the summary, which is there before the transcript; of an episode under way there is only the transcript.
    let task = Memo::new(move |_| {
        let key = episode.get()?;
        let summary = view.summaries.with(|all| {
            all.get(&key)
                .map(|summary| (summary.task.clone(), summary.repeat))
        });
        summary.or_else(|| {
            loaded.with(|loaded| match loaded {
                Some(Ok(loaded)) => loaded.task_ref(),
                _ => None,
            })
        })
    });
    let title = move || match task.get() {
        Some((task, repeat)) => words::title(&task.id.0, repeat),
        None => episode.get().map(|key| key.to_string()).unwrap_or_default(),
    };
    let tags = move || {
        let (task, _) = task.get()?;
        let tags: Vec<_> = task
            .labels
            .iter()
            .map(|label| view! { <span class="tag">{label_text(label)}</span> })
            .collect();
        Some(tags)
    };
    let people = move || {
        view.info.with(|info| {
            let seats = info.iter().flat_map(|info| &info.spec.seats);
            seats
                .filter(|(_, sitting)| sitting.player == Player::Person)
                .map(|(seat, _)| {
                    view! { <span class="seal seal-human">{words::person_in(seat.as_str())}</span> }
                })
                .collect_view()
        })
    };
    let step = move |key: Option<EpisodeKey>, name: &'static str, label: &'static str| {
        let place = Place {
            turn: None,
            ..place.get()
        };
        match key {
            Some(key) => view! {
                <a
                    class="btn-icon"
                    href=address::episode(&id.get_value(), &key, &place)
                    aria-label=label
                    title=label
                >
                    <Icon name/>
                </a>
            }
            .into_any(),
            None => view! {
                <button class="btn-icon" type="button" disabled=true aria-label=label>
                    <Icon name/>
                </button>
            }
            .into_any(),
        }
    };
    view! {
        <div class="page-head">
            <div>
                <ol class="crumbs">
                    <li>
                        <a href="/">{run_words::RUNS}</a>
                    </li>
                    <li>
                        <a href=back>{name}</a>
                    </li>
                </ol>
                <h1>{title}</h1>
                <p class="row">{tags} {people}</p>
            </div>
            <nav class="row" aria-label=run_words::WALL>
                {move || step(near.with(|near| near.before.clone()), "left", words::BEFORE)}
                <span class="small soft num">
                    {move || near.with(|near| near.place.map(|(at, of)| words::place(at, of)))}
                </span>
                {move || step(near.with(|near| near.after.clone()), "right", words::AFTER)}
            </nav>
        </div>
    }
}

/// How it ended, with what answer, and whether the replay agrees.
#[component]
pub fn Verdict(
    loaded: Arc<Loaded>,
    play: Arc<Part>,
    place: Memo<Place>,
    move_to: Callback<Place>,
) -> impl IntoView {
    let standing = loaded.standing;
    let lang = language(&play.transcript.header.task.labels);
    let result = play
        .timeline
        .outcome
        .as_ref()
        .map(|outcome| &outcome.result);
    let text = |name: &str| {
        result
            .and_then(|result| result.get(name))
            .and_then(|value| value.as_str())
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let answer = text("prediction").map(|answer| {
        view! {
            <span class="soft">{words::ANSWER} " "<b class="strong" lang=lang>{answer}</b></span>
        }
    });
    let stated = text("confidence")
        .map(|stated| view! { <span class="soft">{words::confidence(&stated)}</span> });
    let failure = text("message").map(|message| view! { <span class="bad">{message}</span> });
    let ending = match &play.timeline.outcome {
        Some(outcome) => words::ended(&spaced(&outcome.ending)),
        None => words::UNDER_WAY.to_owned(),
    };
    let flags: Vec<_> = play
        .timeline
        .flags
        .iter()
        .map(|flag| view! { <span class="tag">{spaced(&flag.name)}</span> })
        .collect();
    let common = play.transcript.header.branch.as_ref().map(|of| of.lines);
    let replayed = loaded.replayed(PartKey::Play);
    let drift = move || {
        replayed.with(|replayed| match &replayed.as_ref()?.seal {
            Seal::Drifts(drift) => Some(drift_note(drift.to_string(), place, move_to)),
            Seal::Agrees { .. } | Seal::Imported | Seal::NotReplayed(_) => None,
        })
    };
    view! {
        <div class="verdict">
            {mark(standing)}
            <b>{standing.title()}</b>
            {answer}
            {stated}
            <span class="soft">{words::turns(play.timeline.cells.len())} ", " {ending}</span>
            {failure}
            {flags}
            {seal(replayed, common)}
        </div>
        {drift}
    }
}

/// Whether a replay in this page agrees, as a small seal. A branch has lines in `common` with the play that it goes on from.
fn seal(replayed: Signal<Option<Arc<Replayed>>>, common: Option<u64>) -> AnyView {
    (move || {
        replayed.with(|replayed| match replayed {
            Some(replayed) => seal_of(replayed, common),
            None => view! { <span class="seal push">{words::REPLAYING}</span> }.into_any(),
        })
    })
    .into_any()
}

fn seal_of(replayed: &Replayed, common: Option<u64>) -> AnyView {
    let agrees = || {
        let branch = common.map(words::agrees_of_branch).unwrap_or_default();
        (words::AGREES_ABOUT.to_owned(), branch)
    };
    let same = |why: &str| (why.to_owned(), why.to_owned());
    let (class, text, (title, why)) = match &replayed.seal {
        Seal::Agrees {
            lines,
            extent: Extent::Whole,
            to_the_byte,
        } => (
            "seal seal-verified push",
            words::agrees(*lines, *to_the_byte),
            agrees(),
        ),
        Seal::Agrees { lines, .. } => ("seal push", words::agrees_so_far(*lines), agrees()),
        Seal::Drifts(drift) => ("seal push bad", words::drifts(drift.line), same("")),
        Seal::Imported => (
            "seal seal-self push",
            words::IMPORTED.to_owned(),
            same(words::IMPORTED_WHY),
        ),
        Seal::NotReplayed(why) => (
            "seal seal-self push",
            words::NOT_REPLAYED.to_owned(),
            same(why),
        ),
    };
    let why = (!why.is_empty()).then(|| view! { <span class="small soft">{why}</span> });
    view! {
        <span class=class title=title>
            {text}
        </span>
        {why}
    }
    .into_any()
}

fn drift_note(why: String, place: Memo<Place>, move_to: Callback<Place>) -> impl IntoView + use<> {
    view! {
        <div class="note note-bad" role="alert">
            <Icon name="warning"/>
            <p class="note-title">{why}</p>
            <p>{words::DRIFT_MEANS}</p>
            <div class="note-do">
                <button
                    class="btn btn-small"
                    type="button"
                    on:click=move |_| {
                        move_to
                            .run(Place {
                                face: Face::Raw,
                                ..place.get_untracked()
                            })
                    }
                >
                    {words::SHOW_LINE}
                </button>
            </div>
        </div>
    }
}

/// What the player never saw, once somebody asks for it.
#[component]
pub fn Hidden(loaded: Arc<Loaded>, revealed: RwSignal<bool>) -> impl IntoView {
    let study = loaded.study.clone();
    let play = loaded.play.as_ref().ok();
    let tasks = play.map_or_else(String::new, |play| {
        play.transcript.header.spec.tasks.name.clone()
    });
    // In games nobody hides anything from a reader.
    let is_game = play.is_some_and(|play| !participants(&play.transcript.header.spec).is_empty());
    move || {
        study.with(|study| match study {
            Some(study) => Some(hidden(study, &tasks, revealed)),
            // The button is there before it can be pressed, so that what is read below it does not move.
            None => (!is_game).then(|| reveal(revealed, Ready::NotYet)),
        })
    }
}

/// Whether what a button does can be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ready {
    Now,
    NotYet,
}

fn reveal(revealed: RwSignal<bool>, ready: Ready) -> AnyView {
    view! {
        <button
            class="btn btn-small"
            type="button"
            disabled=ready == Ready::NotYet
            aria-expanded=move || revealed.get().to_string()
            on:click=move |_| revealed.update(|revealed| *revealed = !*revealed)
        >
            <Icon name="eye" size=IconSize::Small/>
            {move || if revealed.get() { words::HIDE_HIDDEN } else { words::SHOW_HIDDEN }}
        </button>
    }
    .into_any()
}

fn hidden(study: &Arc<Study>, tasks: &str, revealed: RwSignal<bool>) -> AnyView {
    if study.is_sealed() {
        let task = study.task.clone();
        let opened = task.map(|task| view! { <Opened tasks=tasks.to_owned() task/> });
        return view! {
            <div class="note" id="sealed">
                <Icon name="lock"/>
                <p class="note-title">{words::SEALED}</p>
                <p>{words::SEALED_NOTE}</p>
                {opened}
            </div>
        }
        .into_any();
    }
    let has_hidden = study
        .task
        .as_ref()
        .is_some_and(|task| !hidden_fields(task).is_empty());
    if !has_hidden {
        return ().into_any();
    }
    let study = Arc::clone(study);
    let fields = move || {
        let task = study.task.as_ref()?;
        let canary = study.canary().map(str::to_owned).map(|canary| {
            view! {
                <p>
                    {words::ENCRYPTED_NOTE} " "
                    <code>{canary}</code>
                </p>
            }
        });
        Some(view! {
            <div class="card stack-2" id="hidden">
                <h2>{words::HIDDEN}</h2>
                <p class="soft">{words::HIDDEN_NOTE}</p>
                {canary}
                {hidden_blocks(task)}
            </div>
        })
    };
    view! {
        {reveal(revealed, Ready::Now)}
        {move || revealed.get().then(&fields)}
    }
    .into_any()
}

/// Timeline or raw lines.
#[component]
pub fn Faces(place: Memo<Place>, move_to: Callback<Place>) -> impl IntoView {
    let tab = move |face: Face, title: &'static str| {
        view! {
            <button
                type="button"
                role="tab"
                aria-selected=move || place.with(|place| place.face == face).to_string()
                on:click=move |_| {
                    move_to
                        .run(Place {
                            face,
                            ..place.get_untracked()
                        })
                }
            >
                {title}
            </button>
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label=words::FACES>
            {tab(Face::Timeline, words::TIMELINE)}
            {tab(Face::Raw, words::RAW)}
        </div>
    }
}

/// The grading of the play, drawn like a play.
#[component]
pub fn Grading(loaded: Arc<Loaded>, reader: Reader) -> impl IntoView {
    let part = match &loaded.grading {
        None => return view! { <Section body=view! { <p class="soft">{words::NOT_GRADED}</p> }.into_any()/> }.into_any(),
        Some(Err(bad)) => {
            let view = view! {
                <Broken
                    bad=bad.clone()
                    text=Arc::clone(&loaded.grading_text)
                    name=loaded.key.grading().file_name()
                />
            };
            return view! { <Section body=view.into_any()/> }.into_any();
        }
        Some(Ok(part)) => Arc::clone(part),
    };
    let names_the_play = match (&part.transcript.header.part, &loaded.play) {
        (PartKind::Grading { play }, Ok(ours)) => *play == ours.transcript.chain,
        _ => false,
    };
    let other =
        (!names_the_play).then(|| view! { <p class="note note-warn">{words::OTHER_GRADING}</p> });
    // The turns of the grading are its own: the reader's turn in the play says nothing here.
    let reader = Reader {
        now: Signal::derive(|| None),
        ..reader
    };
    let body = view! {
        {other}
        <p class="row">{seal(loaded.replayed(PartKey::Grading), None)}</p>
        <TimelineView reading=loaded.reading(&part, PartKey::Grading) reader prefix="grading"/>
    };
    view! { <Section body=body.into_any()/> }.into_any()
}

#[component]
fn Section(body: AnyView) -> impl IntoView {
    view! {
        <section class="section" aria-labelledby="grading-head">
            <div class="section-head">
                <h2 id="grading-head">{words::GRADING}</h2>
            </div>
            <div class="stack-2">{body}</div>
        </section>
    }
}

/// A transcript that cannot be read: what is wrong, and its lines as they are.
#[component]
pub fn Broken(bad: BadTranscript, text: Arc<String>, name: String) -> impl IntoView {
    let line = match &bad {
        BadTranscript::Malformed { line, .. } | BadTranscript::Chain { line } => Some(*line),
        BadTranscript::NoHeader | BadTranscript::Format { .. } => Some(1),
        BadTranscript::Empty => None,
    };
    view! {
        <div class="stack">
            <div class="note note-bad" role="alert">
                <Icon name="warning"/>
                <p class="note-title">{words::BROKEN}</p>
                <p>{bad.to_string()}</p>
                <p>{words::BROKEN_MEANS}</p>
            </div>
            <RawLines text name bad=line/>
        </div>
    }
}

/// A block for each field that a task hides.
pub fn hidden_blocks(task: &Task) -> Vec<AnyView> {
    let lang = language(&task.labels);
    let fields = hidden_fields(task).into_iter();
    let block = |(name, text)| {
        view! {
            <div class="block b-hidden">
                <div class="block-head">{name}</div>
                <div class="block-body" lang=lang.clone()>
                    {text}
                </div>
            </div>
        }
        .into_any()
    };
    fields.map(block).collect()
}
