//! One task of two runs: both transcripts side by side, from the top; `j` and `k` go to the next task that flipped.

use leptos_router::hooks::use_query_map;
use turnwise_shared::compare::{Entrant, Flip, compare};
use turnwise_shared::maths;

use crate::components::doubt::doubt_note_of;
use crate::components::head;
use crate::components::keys::on_key;
use crate::components::missing::{Missing, MissingPage, is_missing};
use crate::components::ribbon::{mark, ribbon};
use crate::components::timeline::{Reader, Reading, TimelineView};
use crate::live::RunView;
use crate::looking;
use crate::pages::episode::broken::Broken;
use crate::pages::episode::load::{self, Loading};
use crate::pages::episode::loaded::Loaded;
use crate::parts::Loading as StillLoading;
use crate::prelude::*;
use crate::strings::compare::task as words;
use crate::view::compared;
use crate::view::timeline::Timeline;

/// Two runs and the episode of each that is read.
#[derive(Debug, Clone, PartialEq)]
struct Two {
    runs: [RunId; 2],
    plays: [EpisodeKey; 2],
    /// The seat whose flips are gone through, where several are compared.
    seat: Option<String>,
}

/// Which of the two is shown on a narrow screen; a wide one has room for both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Both,
    First,
    Other,
}

#[component]
pub fn TaskPage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let run = move |name: &str| params.with(|params| params.get(name)?.parse::<RunId>().ok());
    let two = Memo::new(move |_| {
        let play = params.with(|params| params.get("play")?.parse::<EpisodeKey>().ok())?;
        let other = query.with(|query| query.get("with").and_then(|key| key.parse().ok()));
        Some(Two {
            runs: [run("one")?, run("other")?],
            plays: [play.clone(), other.unwrap_or(play)],
            seat: query.with(|query| query.get("seat")),
        })
    });
    let runs = Memo::new(move |_| two.map(|two| two.runs.clone()));
    move || match runs.get() {
        Some(runs) => any_view! { <Read runs two/> },
        None => {
            let read = ["one", "other"].into_iter().filter_map(run).collect();
            any_view! { <MissingPage missing=Missing::Comparison(read)/> }
        }
    }
}

#[component]
fn Read(runs: [RunId; 2], two: Memo<Option<Two>>) -> impl IntoView {
    let views = [looking::open_run(&runs[0]), looking::open_run(&runs[1])];
    let plays = [0, 1].map(|at| Memo::new(move |_| two.map(|two| two.plays[at].clone())));
    let loaded = [0, 1].map(|at| load::episode(&runs[at], plays[at], views[at]));
    let task = Memo::new(move |_| {
        let mut sides = loaded.iter();
        sides.find_map(|side| {
            let loaded = side.get()?.ok()?;
            loaded.task_ref().map(|(task, _)| task.id.to_string())
        })
    });
    let missing = missing(runs.clone(), views, loaded);
    head::title(move || match (missing.get(), task.get()) {
        (Some(missing), _) => missing.title().to_owned(),
        (None, task) => task.map(|task| words::title(&task)).unwrap_or_default(),
    });
    move || match missing.get() {
        Some(missing) => any_view! { <MissingPage missing/> },
        None => side_by_side(runs.clone(), two, views, plays, loaded, task).into_any(),
    }
}

/// What is not there: either run, or the episode in both.
fn missing(runs: [RunId; 2], views: [RunView; 2], loaded: [Loading; 2]) -> Memo<Option<Missing>> {
    Memo::new(move |_| {
        let of_run = |view: &RunView| {
            let told = || view.problem.with(|problem| Missing::run(problem.as_ref()?));
            view.info.is_none().then(told).flatten()
        };
        let is_gone = |side: &Loading| {
            side.with(|side| matches!(side, Some(Err(problem)) if is_missing(problem)))
        };
        let both = || {
            let are_gone =
                loaded.iter().all(is_gone) && views.iter().all(|view| !view.loading.get());
            are_gone.then(|| Missing::ComparedEpisode(runs.clone()))
        };
        views.iter().find_map(of_run).or_else(both)
    })
}

/// Both transcripts, with the way to the flips before and after.
fn side_by_side(
    runs: [RunId; 2],
    two: Memo<Option<Two>>,
    views: [RunView; 2],
    plays: [Memo<Option<EpisodeKey>>; 2],
    loaded: [Loading; 2],
    task: Memo<Option<String>>,
) -> impl IntoView {
    let flips = Memo::new(move |_| flips(views, two.and_then(|two| two.seat.clone())));
    let at = Memo::new(move |_| {
        let play = plays[0].get()?;
        flips.with(|flips| flips.iter().position(|flip| flip.one_play == play))
    });
    let names = Memo::new(move |_| {
        let infos: Vec<RunInfo> = views.iter().filter_map(|view| view.info.get()).collect();
        compared::names(&infos.iter().collect::<Vec<_>>())
    });
    let back = address::compare(&runs);
    let runs = StoredValue::new(runs);
    // The address of the flip `by` steps on.
    let step = move |by: isize| {
        let seat = two.and_then(|two| two.seat.clone());
        flips.with(|flips| {
            let next = match at.get() {
                Some(at) => at.checked_add_signed(by)?,
                None => 0,
            };
            let flip = flips.get(next)?;
            Some(runs.with_value(|runs| address::flip((&runs[0], &runs[1]), flip, seat.as_deref())))
        })
    };
    let navigate = use_navigate();
    on_key(move |event| {
        let target = match event.key().as_str() {
            "j" => untrack(|| step(1)),
            "k" => untrack(|| step(-1)),
            _ => return,
        };
        if let Some(target) = target {
            event.prevent_default();
            navigate(&target, NavigateOptions::default());
        }
    });
    let revealed = RwSignal::new(false);
    Effect::new(move |_| {
        two.track();
        revealed.set(false);
    });
    let shown = RwSignal::new(Shown::Both);
    // First turns that are identical in both are folded until they are asked for.
    let is_folded = RwSignal::new(true);
    let same = Memo::new(move |_| {
        let timelines = loaded.map(|side| {
            let loaded = side.get()?.ok()?;
            Some(Arc::clone(&loaded.play.as_ref().ok()?.timeline))
        });
        match timelines {
            [Some(one), Some(other)] => one.common_turns(&other),
            _ => 0,
        }
    });
    let fold = move || {
        let count = same.get();
        (count > 0).then(|| {
            let text = if is_folded.get() { words::folded(count) } else { words::FOLD.to_owned() };
            view! {
                <button
                    class="btn btn-small"
                    type="button"
                    id="same-turns"
                    aria-expanded=(!is_folded.get()).to_string()
                    on:click=move |_| is_folded.update(|folded| *folded = !*folded)
                >
                    {text}
                </button>
            }
        })
    };
    let is_counted = move || {
        let is_read = |side: &Loading| side.with(|side| matches!(side, Some(Ok(_))));
        loaded.iter().all(is_read) && views.iter().all(|view| !view.loading.get())
    };
    let is_doubted = move |view: &RunView| {
        let doubt = |info: &RunInfo| info.doubt.is_some();
        view.info.is_some_and(doubt)
    };
    let doubts = move || {
        let note = |(view, name): (&RunView, String)| {
            let info = view.info.get()?;
            doubt_note_of(&info, &name)
        };
        views.iter().zip(names.get()).filter_map(note).collect::<Vec<_>>()
    };
    let place = move || match (at.get(), flips.with(Vec::len)) {
        (Some(at), of) => words::place(at + 1, of),
        // Only two episodes that were read and counted can be said to have ended alike.
        (None, _) if views.iter().any(is_doubted) => String::new(),
        (None, _) if is_counted() => "both runs ended this task alike".to_owned(),
        (None, _) => String::new(),
    };
    let button = move |which: Shown, name: &'static str| {
        toggle(name, move || shown.get() == which, move || shown.set(which))
    };
    let link = move |by: isize, name: &'static str, id: &'static str| {
        view! {
            <a
                class="btn btn-small"
                id=id
                href=move || step(by)
                aria-disabled=move || step(by).is_none().then_some("true")
            >
                {name}
            </a>
        }
    };
    let columns = [0, 1].map(|at| {
        let hidden = move || match shown.get() {
            Shown::Both => false,
            Shown::First => at == 1,
            Shown::Other => at == 0,
        };
        let name = move || {
            names
                .with(|names| names.get(at).cloned())
                .unwrap_or_default()
        };
        let open = move || {
            let key = plays[at].get()?;
            Some(runs.with_value(|runs| address::episode(&runs[at], &key, &Place::default())))
        };
        let label = if at == 0 { words::FIRST } else { words::OTHER };
        view! {
            <section class="twin-side" aria-label=label class:is-away=hidden>
                <div class="twin-head">
                    <h2>{name}</h2>
                    <a class="small" href=open>"Open the episode"</a>
                </div>
                {move || match loaded[at].get() {
                    None => any_view! { <StillLoading/> },
                    Some(Err(problem)) => any_view! { <Trouble problem=Some(problem)/> },
                    Some(Ok(loaded)) => transcript(&loaded, revealed, at, if is_folded.get() { same.get() } else { 0 }),
                }}
            </section>
        }
    });
    view! {
        <div class="page-head">
            <div>
                <ol class="crumbs">
                    <li>
                        <a href=back>"Compare runs"</a>
                    </li>
                    <li>{place}</li>
                </ol>
                <h1>{move || task.get().map(|task| words::title(&task))}</h1>
            </div>
            <div class="row">
                {link(-1, "Flip before", "flip-before")}
                {link(1, "Next flip", "flip-after")}
                <label class="check">
                    <input
                        type="checkbox"
                        bind:checked=revealed
                    />
                    <span>"Show hidden text"</span>
                </label>
            </div>
        </div>
        <div class="stack twin-doubts">{doubts}</div>
        {move || answers(views, plays, &names.get())}
        <div class="seg twin-switch" role="group" aria-label="What is shown">
            {button(Shown::Both, "both")}
            {button(Shown::First, words::FIRST)}
            {button(Shown::Other, words::OTHER)}
        </div>
        <div class="row">{fold}</div>
        <div class="twin">{columns}</div>
    }
}

/// What the task asks, what is right, and what each run answered; nothing until a run's numbers are there.
fn answers(
    views: [RunView; 2],
    plays: [Memo<Option<EpisodeKey>>; 2],
    names: &[String],
) -> Option<AnyView> {
    let summaries = [0, 1].map(|at| {
        let play = plays[at].get()?;
        views[at].summaries.with(|all| all.get(&play).cloned())
    });
    let found = || summaries.iter().flatten();
    let asked = found().find_map(|summary| summary.measured.asked.clone());
    let right = found().find_map(|summary| summary.measured.right.clone());
    let is_answered = found().any(|summary| summary.measured.answer.is_some());
    if asked.is_none() && right.is_none() && !is_answered {
        return None;
    }
    let rows: Vec<_> = summaries
        .iter()
        .zip(names)
        .filter_map(|(summary, name)| {
            let summary = summary.as_ref()?;
            let status = EpisodeStatus::of(summary);
            let answer = summary.measured.answer.clone();
            Some(view! {
                <dt>{name.clone()}</dt>
                <dd>
                    {mark(status)} " " <b inner_html=maths::answer_markup(answer.as_deref().unwrap_or(words::NO_ANSWER))></b> " "
                    <span class="soft">{status.label()}</span>
                </dd>
            })
        })
        .collect();
    Some(any_view! {
        <section class="twin-answers" id="task-answers" aria-label=words::ANSWERS>
            {asked.map(|asked| view! { <p><span class="faint">{words::ASKED} ": "</span> <span inner_html=maths::markup(&asked)></span></p> })}
            <dl class="kv">
                {right
                    .map(|right| {
                        view! {
                            <dt>{words::RIGHT}</dt>
                            <dd>
                                <b inner_html=maths::answer_markup(&right)></b>
                            </dd>
                        }
                    })}
                {rows}
            </dl>
        </section>
    })
}

/// How an episode ended, its ribbon, and its transcript without the first `folded` turns.
fn transcript(loaded: &Arc<Loaded>, revealed: RwSignal<bool>, at: usize, folded: usize) -> AnyView {
    let play = match &loaded.play {
        Ok(play) => Arc::clone(play),
        Err(bad) => {
            return any_view! {
                <Broken bad=bad.clone() text=Arc::clone(&loaded.play_text) name=loaded.key.file_name()/>
            };
        }
    };
    let reader = Reader {
        now: Signal::derive(|| None),
        playing: Signal::derive(|| false),
        revealed: revealed.into(),
        found: Signal::derive(Arc::default),
    };
    let cells = play.timeline.cells.clone();
    let reading = loaded.reading(&play, PartKey::Play);
    let reading = match folded {
        0 => reading,
        folded => Reading { timeline: Arc::new(play.timeline.without_turns(folded)), ..reading },
    };
    any_view! {
        <p class="row">
            {mark(loaded.status)} <span>{loaded.status.label()}</span>
            <span class="small soft">{ending(&play.timeline)}</span>
        </p>
        {ribbon(&cells, loaded.status)}
        <TimelineView reading reader prefix=if at == 0 { "one" } else { "other" }/>
    }
}

fn ending(timeline: &Timeline) -> Option<String> {
    let outcome = timeline.outcome.as_ref()?;
    Some(outcome.ending.replace('_', " "))
}

/// The tasks that two runs ended differently; none while either is not there yet, or they cannot be compared.
fn flips(views: [RunView; 2], seat: Option<String>) -> Vec<Flip> {
    let sides: Vec<(RunInfo, Vec<Summary>)> = views
        .iter()
        .filter_map(|view| {
            let summaries =
                view.summaries.with(|all| all.values().map(|one| (**one).clone()).collect());
            Some((view.info.get()?, summaries))
        })
        .collect();
    // What something speaks against is read, and never counted.
    if sides.iter().any(|(info, _)| info.doubt.is_some()) {
        return Vec::new();
    }
    let entrants: Vec<Entrant<'_>> = sides
        .iter()
        .filter_map(|(info, episodes)| {
            Some(Entrant {
                name: info.run.as_str(),
                benchmark: registry::find(&info.spec.benchmark).ok()?,
                spec: &info.spec,
                episodes,
            })
        })
        .collect();
    if entrants.len() < 2 {
        return Vec::new();
    }
    let Ok(found) = compare(&entrants) else {
        return Vec::new();
    };
    let is_wanted = |wanted: &str| seat.as_deref().is_none_or(|seat| seat == wanted);
    let subject = found.subjects.into_iter().find(|subject| is_wanted(subject.seat.as_str()));
    subject
        .and_then(|subject| subject.pairs.into_iter().next())
        .map(|pair| pair.flips)
        .unwrap_or_default()
}
