//! All runs: searched, filtered, sorted, named and deleted. What is shown stands in the address.

mod import;
mod inspect_logs;
mod removal;
pub mod source;

use removal::Removal;
use source::{Cursor, PORTION};

use crate::components::head::title;
use crate::components::keys::{focus_id, on_key};
use crate::components::run_row::{listed_name, run_row};
use crate::components::seats::SeatsOfThisBrowser;
use crate::keep::Wish;
use crate::prelude::*;
use crate::strings::compare::pick;
use crate::strings::{driving, home as home_words};
use crate::view::branching::may_spend;
use crate::view::listed::{Sort, Wanted};
use crate::{api, clock, keep};

pub use import::ImportPage;

pub const TITLE: &str = "Runs";
/// How long typing must pause before the list is requested, in milliseconds.
const TYPING: u32 = 250;
const NOT_LISTED: &str = "These are the runs that were opened in this browser. The list of all runs needs this server's access token; \
     what was published is on the boards.";

#[component]
pub fn RunsPage() -> impl IntoView {
    title(|| TITLE.to_owned());
    let search = use_location().search;
    let asked = Memo::new(move |_| search.with(|query| Wanted::read(query)));
    let about = RwSignal::new(None::<About>);
    let is_told = RwSignal::new(false);
    spawn_local(async move {
        // If this fails, so does the list, and that says so.
        if let Ok(found) = api::about().await {
            about.put(found);
        }
        is_told.try_set(true);
    });
    let is_visitor = Memo::new(move |_| {
        about.with(|about| {
            let about = about.as_ref();
            about.is_some_and(|about| !may_spend(about, keep::access_token().is_some()))
        })
    });
    // Visitors see their own runs whatever the address says.
    let wanted = Memo::new(move |_| {
        let mut wanted = asked.get();
        wanted.mine |= is_visitor.get();
        wanted
    });
    let navigate = use_navigate();
    let change = Callback::new(move |wanted: Wanted| {
        navigate(&wanted.address(), in_place());
    });
    let runs = RwSignal::new(None::<Vec<RunInfo>>);
    let problem = RwSignal::new(None::<ApiError>);
    let rest = RwSignal::new(None::<Cursor>);
    let shown = RwSignal::new(PORTION);
    let busy = RwSignal::new(false);
    // Tells what is wanted now from late answers to earlier wishes.
    let wish = StoredValue::new(0_u64);
    let load = move |wanted: Wanted, from: Option<Cursor>, patience: u32| {
        let own = wish.get_value() + 1;
        wish.set_value(own);
        busy.set(true);
        spawn_local(async move {
            if patience > 0 {
                clock::sleep(patience).await;
                if wish.try_get_value() != Some(own) {
                    return;
                }
            }
            let is_first = from.is_none();
            let found = source::next(&wanted, from).await;
            if wish.try_get_value() != Some(own) {
                return;
            }
            match found {
                Ok((found, then)) => {
                    problem.try_set(None);
                    rest.try_set(then);
                    runs.try_update(|runs| {
                        let runs = runs.get_or_insert_default();
                        if is_first {
                            runs.clear();
                        }
                        runs.extend(found);
                        runs.sort_by(|one, other| wanted.sort.order(one, other));
                    });
                }
                Err(why) => problem.put(why),
            }
            busy.try_set(false);
        });
    };
    Effect::new(move |before: Option<Option<Wanted>>| {
        let wanted = is_told.get().then(|| wanted.get());
        if let Some(wanted) = &wanted {
            let typed = before.flatten().is_some_and(|before| {
                before.filter.q != wanted.filter.q || before.filter.model != wanted.filter.model
            });
            shown.set(PORTION);
            load(wanted.clone(), None, if typed { TYPING } else { 0 });
        }
        wanted
    });
    let more = move |_| {
        shown.update(|shown| *shown += PORTION);
        let have = runs.with_untracked(|runs| runs.as_ref().map_or(0, Vec::len));
        if shown.get_untracked() > have
            && let Some(place) = rest.get_untracked()
        {
            load(wanted.get_untracked(), Some(place), 0);
        }
    };
    let has_more = move || rest.is_some() || runs.is_some_and(|runs| runs.len() > shown.get());
    let wishes: RwSignal<BTreeMap<RunId, Wish>> = RwSignal::new(BTreeMap::new());
    spawn_local(async move {
        // Without the browser's storage no run is known to be this reader's.
        let kept = keep::runs().await.unwrap_or_default();
        wishes.try_set(kept.into_iter().map(|kept| (kept.run, kept.wish)).collect());
    });
    let ticked: RwSignal<BTreeSet<RunId>> = RwSignal::new(BTreeSet::new());
    let doomed = RwSignal::new(None::<RunInfo>);
    on_key(|event| {
        if event.key() == "/" {
            event.prevent_default();
            focus_id("runs-search");
        }
    });
    let rows = move || {
        runs.with(|runs| {
            let runs = runs.as_deref().unwrap_or_default();
            let rows = runs.iter().take(shown.get()).map(|run| {
                let wish = wishes.with(|wishes| wishes.get(&run.run).copied());
                let may_delete = wish.is_some() || (run.is_demo() && !is_visitor.get());
                let delete = may_delete.then(|| delete_button(run, doomed));
                run_row(run, wish, tick(run, ticked), delete)
            });
            rows.collect_view()
        })
    };
    let comparison = move || {
        let runs: Vec<String> = ticked.with(|runs| runs.iter().map(RunId::to_string).collect());
        match runs.is_empty() {
            true => "/compare".to_owned(),
            false => format!("/compare?runs={}", runs.join(",")),
        }
    };
    let is_empty = move || runs.is_some_and(Vec::is_empty);
    let is_filtered = move || asked.with(|asked| !asked.filter.is_empty() || asked.mine);
    view! {
        <div class="page-head">
            <h1>{TITLE}</h1>
            <div class="row">
                <a class="btn btn-small" id="compare-ticked" href=comparison>
                    {move || home_words::compare(ticked.with(BTreeSet::len))}
                </a>
                <a class="btn btn-small" href="/runs/import">
                    "Import"
                </a>
                <a class="btn btn-small btn-primary" href="/new">
                    "New run"
                </a>
            </div>
        </div>
        <SeatsOfThisBrowser/>
        <Filters asked is_visitor about change/>
        <Show when=move || is_visitor.get()>
            <p class="small soft" id="not-listed">
                {NOT_LISTED} " " <a href="/boards">"Read the boards"</a>
            </p>
        </Show>
        <Trouble problem/>
        <Show when=move || runs.is_none() && problem.is_none()>
            <Loading/>
        </Show>
        <Show when=move || is_empty() && !busy.get()>
            {move || match is_filtered() {
                true => any_view! { <NoMatch change/> },
                false => any_view! { <NoRuns/> },
            }}
        </Show>
        <ul class="run-list" id="runs" aria-label=TITLE aria-busy=move || busy.get().then_some("true")>
            {rows}
        </ul>
        <Show when=has_more>
            <button class="btn btn-quiet" type="button" disabled=busy on:click=more>
                "Show older runs"
            </button>
        </Show>
        <Removal doomed runs/>
    }
}

/// Ticks a run for the comparison.
fn tick(run: &RunInfo, ticked: RwSignal<BTreeSet<RunId>>) -> impl IntoView + use<> {
    let (id, other) = (run.run.clone(), run.run.clone());
    view! {
        <input
            type="checkbox"
            aria-label=pick(listed_name(run))
            prop:checked=move || ticked.with(|runs| runs.contains(&id))
            on:change:target=move |event| {
                let is_ticked = event.target().checked();
                ticked
                    .update(|runs| {
                        match is_ticked {
                            true => runs.insert(other.clone()),
                            false => runs.remove(&other),
                        };
                    });
            }
        />
    }
}

fn delete_button(run: &RunInfo, doomed: RwSignal<Option<RunInfo>>) -> impl IntoView + use<> {
    let run = run.clone();
    let label = format!("Delete {}", listed_name(&run));
    view! {
        <button
            class="btn-icon run-delete"
            type="button"
            title="Delete"
            aria-label=label
            on:click=move |_| doomed.set(Some(run.clone()))
        >
            <Icon name="trash"/>
        </button>
    }
}

/// The fields above the list.
#[component]
fn Filters(
    asked: Memo<Wanted>,
    is_visitor: Memo<bool>,
    about: RwSignal<Option<About>>,
    change: Callback<Wanted>,
) -> impl IntoView {
    let with = move |edit: &dyn Fn(&mut Wanted)| {
        let mut wanted = asked.get_untracked();
        edit(&mut wanted);
        change.run(wanted);
    };
    let benchmarks = move || {
        let chosen = asked.with(|asked| asked.filter.benchmark.clone());
        let known = about.with(|about| {
            let known = about.iter().flat_map(|about| &about.benchmarks);
            known.map(|one| (one.name.clone(), one.title.clone())).collect::<Vec<_>>()
        });
        known
            .into_iter()
            .map(|(name, title)| {
                let selected = chosen.as_deref() == Some(name.as_str());
                view! {
                    <option value=name selected=selected>
                        {title}
                    </option>
                }
            })
            .collect_view()
    };
    let states = move || {
        let chosen = asked.with(|asked| asked.filter.state);
        let offered = RunState::ALL.into_iter();
        offered
            .filter(|state| *state != RunState::Withdrawn)
            .map(|state| {
                view! {
                    <option value=state.name() selected=chosen == Some(state)>
                        {driving::state(state)}
                    </option>
                }
            })
            .collect_view()
    };
    let orders = move || {
        let chosen = asked.with(|asked| asked.sort);
        Sort::ALL
            .into_iter()
            .map(|(sort, word, text)| {
                view! {
                    <option value=word selected=chosen == sort>
                        {text}
                    </option>
                }
            })
            .collect_view()
    };
    let benchmarks = (view! { <option value="">"All"</option> }, benchmarks);
    let states = (view! { <option value="">"Any"</option> }, states);
    let tag = move || {
        asked.with(|asked| asked.filter.tag.clone()).map(|tag| {
            view! {
                <button
                    class="btn btn-small"
                    type="button"
                    aria-label=format!("Show runs with any tag, not only {tag}")
                    on:click=move |_| with(&|wanted| wanted.filter.tag = None)
                >
                    "Tag: "
                    {tag.clone()}
                    " ×"
                </button>
            }
        })
    };
    let is_mine = move || is_visitor.get() || asked.with(|asked| asked.mine);
    view! {
        <div class="fields run-filters" role="search">
            <div class="field run-find">
                <label for="runs-search">"Search"</label>
                <Words
                    id="runs-search"
                    hint="Name, tag, model or id"
                    asked=Signal::derive(move || asked.with(|asked| asked.filter.q.clone()))
                    typed=Callback::new(move |text: String| with(&|wanted| wanted.filter.q.clone_from(&text)))
                />
            </div>
            {select_field("runs-benchmark", home_words::BENCHMARK, move |name| {
                let benchmark = Some(name).filter(|name| !name.is_empty());
                with(&|wanted| wanted.filter.benchmark.clone_from(&benchmark));
            }, benchmarks)}
            <div class="field">
                <label for="runs-model">"Model"</label>
                <Words
                    id="runs-model"
                    hint="Any"
                    asked=Signal::derive(move || asked.with(|asked| asked.filter.model.clone()))
                    typed=Callback::new(move |text: String| with(&|wanted| wanted.filter.model.clone_from(&text)))
                />
            </div>
            {select_field("runs-state", "State", move |name| {
                let state = RunState::ALL.into_iter().find(|state| state.name() == name);
                with(&|wanted| wanted.filter.state = state);
            }, states)}
            {select_field("runs-sort", "Sort by", move |word| {
                let sort = Sort::of_word(&word);
                with(&|wanted| wanted.sort = sort);
            }, orders)}
            <label class="check run-mine">
                <input
                    type="checkbox"
                    id="runs-mine"
                    prop:checked=is_mine
                    disabled=is_visitor
                    on:change:target=move |event| {
                        let mine = event.target().checked();
                        with(&|wanted| wanted.mine = mine);
                    }
                />
                "Mine"
            </label>
            {tag}
        </div>
    }
}

/// A text field. While the user types, the address follows the field and not the other way round.
#[component]
fn Words(
    id: &'static str,
    hint: &'static str,
    asked: Signal<String>,
    typed: Callback<String>,
) -> impl IntoView {
    let text = RwSignal::new(String::new());
    Effect::new(move |_| {
        let asked = asked.get();
        let focused = document().active_element().map(|element| element.id());
        if focused.as_deref() != Some(id) {
            text.set(asked);
        }
    });
    view! {
        <input
            class="input"
            id=id
            type="search"
            placeholder=hint
            prop:value=text
            on:input:target=move |event| {
                let now = event.target().value();
                text.set(now.clone());
                typed.run(now);
            }
        />
    }
}

#[component]
fn NoMatch(change: Callback<Wanted>) -> impl IntoView {
    view! {
        <div class="empty" id="runs-no-match">
            <h3>"No run matches these filters"</h3>
            <p>"Search looks at names, tags, models, task sets, benchmarks and ids."</p>
            <button class="btn" type="button" on:click=move |_| change.run(Wanted::default())>
                "Clear the filters"
            </button>
        </div>
    }
}

#[component]
fn NoRuns() -> impl IntoView {
    view! {
        <div class="empty" id="runs-empty">
            <span class="ribbon ribbon-mid" aria-hidden="true">
                <i class="turn k-waiting">"·"</i>
                <i class="turn k-waiting">"·"</i>
                <i class="turn k-waiting">"·"</i>
                <i class="turn k-waiting">"·"</i>
            </span>
            <h3>"No runs yet"</h3>
            <p>{home_words::NO_RUNS_WHY}</p>
            <a class="btn btn-primary" href="/new">
                "New run"
            </a>
        </div>
    }
}
