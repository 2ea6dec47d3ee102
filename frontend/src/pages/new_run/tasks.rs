//! Which tasks: a set, and which of its tasks.

use turnwise_shared::sweep::choose;

use super::fewer::Fewer;
use super::{Draft, Loaded, is_sealed};
use crate::address::SAMPLES;
use crate::benchmarks::{TaskChoice, screen};
use crate::components::bars::{self, Bars};
use crate::components::file_drop::{self, DropState, Dropped, FileDrop, Slim};
use crate::prelude::*;
use crate::strings::new_run as strings;
use crate::{api, clock, keep, library};

#[component]
pub fn Tasks(draft: Draft) -> impl IntoView {
    let Draft { config, tasks, making, .. } = draft;
    let choice = TaskChoice { config, tasks, making };
    let problem = Signal::derive(move || draft.tasks.with(Loaded::problem));
    let breakdown = Memo::new(move |_| {
        let left_out = draft.benchmark().identifying_labels();
        draft.tasks.with(|tasks| {
            tasks.ready().map(|tasks| bars::count(tasks.tasks.iter().map(|task| &task.labels))).map(
                |mut breakdown| {
                    breakdown.retain(|label, bars| {
                        bars.len() > 1 && !left_out.contains(&label.as_str())
                    });
                    breakdown
                },
            )
        })
    });
    let tick = move |label: String| {
        move |value: String| {
            draft.config.update(|config| {
                let values = config.subset.labels.entry(label.clone()).or_default();
                match values.iter().position(|ticked| *ticked == value) {
                    Some(at) => {
                        values.remove(at);
                    }
                    None => values.push(value),
                }
                config.subset.labels.retain(|_, values| !values.is_empty());
            });
        }
    };
    let bars = move || {
        breakdown.get().map(|breakdown| {
            breakdown
                .into_iter()
                .map(|(label, bars)| {
                    let ticked = {
                        let label = label.clone();
                        Signal::derive(move || {
                            draft.config.with(|config| {
                                config.subset.labels.get(&label).cloned().unwrap_or_default()
                            })
                        })
                    };
                    let on_tick = tick(label.clone());
                    view! { <div><Bars label bars ticked on_tick/></div> }
                })
                .collect_view()
        })
    };
    // What the address chooses is seen.
    let is_open = draft.config.with_untracked(|config| config.subset != Default::default());
    let chosen = move || {
        let of = draft.tasks.with(|tasks| Some(tasks.ready()?.tasks.len()))?;
        // Ranges of ids are resolved in the plan, where there is one.
        let planned = draft.with_plan(|plan| plan.map(|(chosen, _)| chosen.spec.subset.clone()));
        let subset = planned.or_else(|| Some(draft.config.with(|config| config.subset.clone())));
        let subset = subset.filter(|subset| *subset != Default::default());
        let chosen = subset.and_then(|subset| {
            draft.tasks.with(|tasks| choose(tasks.ready()?, &subset).ok().map(|tasks| tasks.len()))
        });
        Some(strings::of_all(chosen, of))
    };
    view! {
        <section class="section stack">
            {section_head(None, "Tasks")}
            <div class="grid-2">
                <SetChoice draft/>
                <DropPlace draft/>
            </div>
            {move || screen(draft.benchmark.get()).and_then(|screen| screen.tasks(choice))}
            <Trouble problem/>
            <Show when=move || draft.tasks.with(|tasks| *tasks == Loaded::Loading)>
                <Loading/>
            </Show>
            <Show when=move || breakdown.is_some()>
                <details class="more" id="choose-tasks" open=is_open>
                    <summary>
                        "Choose tasks"
                        <span class="faint">{chosen}</span>
                    </summary>
                    <div class="more-body stack">
                        <p class="small soft" hidden=move || breakdown.is_none_or(|all| all.is_empty())>
                            "Tick values to run these tasks only."
                        </p>
                        <div class="grid-2">{bars}</div>
                        <Fewer draft/>
                    </div>
                </details>
            </Show>
        </section>
    }
}

/// The sets that can be chosen.
#[component]
fn SetChoice(draft: Draft) -> impl IntoView {
    let chosen = Memo::new(move |_| draft.config.with(|config| config.tasks.clone()));
    let offer = move |name: String, text: String| {
        let value = name.clone();
        option(value, text, move || chosen.get() == name)
    };
    let is_sealed = move || is_sealed(draft);
    let opened = move || {
        let digest = draft.tasks.with(|tasks| Some(tasks.ready()?.digest))?;
        draft.about.with(|about| {
            let mut sets = about.ready().into_iter().flat_map(|about| &about.task_sets);
            sets.find(|set| set.digest == digest)?.opened
        })
    };
    let sealed = move || match opened() {
        Some(since) => format!(
            "Sealed until {}, when the operator told everybody what is hidden from the \
            player. A run that begins now gets no place on a board.",
            clock::moment(since)
        ),
        None => strings::SEALED_SET.to_owned(),
    };
    let options = move || {
        let benchmark = draft.benchmark();
        let mut sets =
            vec![(SAMPLES.to_owned(), strings::samples(benchmark.samples().tasks.len()))];
        draft.about.with(|about| {
            let here = about.ready().into_iter().flat_map(|about| &about.task_sets);
            sets.extend(
                here.filter(|set| set.benchmark == benchmark.name() && set.name != SAMPLES).map(
                    |set| {
                        let words = match set.sealed {
                            true => strings::sealed_set,
                            false => strings::server_set,
                        };
                        (set.name.clone(), words(&set.name, set.count))
                    },
                ),
            );
        });
        let chosen = chosen.get();
        if !sets.iter().any(|(name, _)| *name == chosen) {
            let here = draft.tasks.with(|tasks| tasks.ready().is_some());
            let text = match (benchmark.built_tasks(&chosen), here) {
                (Some(_), _) => format!("{chosen}, built here"),
                (None, true) => format!("{chosen}, dropped here"),
                (None, false) => format!("{chosen} (not here)"),
            };
            sets.push((chosen, text));
        }
        sets.into_iter().map(|(name, text)| offer(name, text)).collect_view()
    };
    let choose = move |name: String| {
        draft.config.update(|config| {
            config.tasks = name;
            config.subset = Default::default();
        });
    };
    view! {
        <div class="field">
            <label for="task-set">"Task set"</label>
            {select_list("task-set", choose, options)}
            <Show when=is_sealed>
                <span class="field-note" id="sealed-set">{sealed}</span>
            </Show>
        </div>
    }
}

/// The place for a file of one's own.
#[component]
fn DropPlace(draft: Draft) -> impl IntoView {
    let state = RwSignal::new(DropState::Empty);
    let problem = RwSignal::new(None::<ApiError>);
    let facts = RwSignal::new(None::<(String, Vec<&'static str>, String)>);
    let on_files = move |files: Vec<Dropped>| {
        problem.set(None);
        facts.set(None);
        let [dropped] =
            <[Dropped; 1]>::try_from(files).map_or_else(|_| [None], |[one]| [Some(one)]);
        let Some(dropped) = dropped else {
            state.set(DropState::Bad);
            problem.set(Some(api::error("one_file", "Drop one file at a time.")));
            return;
        };
        state.set(DropState::Busy);
        let chosen = draft.benchmark_untracked();
        spawn_local(async move {
            match take(draft, chosen, dropped).await {
                Ok(Taken { tasks, remarks, warning }) => {
                    let encrypted = matches!(tasks.origin, TaskSetOrigin::Encrypted { .. });
                    let text = strings::read(tasks.tasks.len(), encrypted);
                    facts.put((tasks.name.clone(), remarks, text));
                    problem.try_set(warning);
                    state.try_set(DropState::Good);
                }
                Err(why) => {
                    problem.put(why);
                    state.try_set(DropState::Bad);
                }
            }
        });
    };
    let place = move || {
        let note = draft.benchmark().file_format();
        view! { <FileDrop label="Drop a task file here, or choose one" note slim=Slim::Slim state on_files/> }
    };
    view! {
        <div class="stack-2">
            {place}
            <div role="status">
                {move || {
                    facts
                        .get()
                        .map(|(name, remarks, text)| {
                            view! {
                                <div class="file">
                                    <span class="file-name">{name}</span>
                                    <span class="good small">{text}</span>
                                    {remarks.into_iter().map(|remark| view! { <span class="tag">{remark}</span> }).collect_view()}
                                </div>
                            }
                        })
                }}
            </div>
            <Trouble problem/>
        </div>
    }
}

/// A file that was read.
struct Taken {
    tasks: Arc<TaskSet>,
    remarks: Vec<&'static str>,
    warning: Option<ApiError>,
}

/// Reads a dropped file, keeps it here and on the server as it is, and chooses it; nothing is chosen any more once the page is gone.
async fn take(
    draft: Draft,
    chosen: &'static dyn Benchmark,
    dropped: Dropped,
) -> Result<Taken, ApiError> {
    let name = dropped.file.name();
    let bytes =
        file_drop::bytes(&dropped.file).await.map_err(|why| api::error("unreadable_file", why))?;
    // The chosen benchmark first: its complaint is the one that is shown.
    let mut read = library::read(chosen, &name, &bytes).await.map(|tasks| (chosen, tasks));
    for other in registry::BENCHMARKS {
        if read.is_err()
            && other.name() != chosen.name()
            && let Ok(tasks) = library::read(*other, &name, &bytes).await
        {
            read = Ok((*other, tasks));
        }
    }
    let (benchmark, mut tasks) = read.map_err(|why| {
        let others = other_bad_rows(chosen, &name, &bytes);
        ApiError { message: strings::bad_file(&why.message, &others), ..why }
    })?;
    let mut remarks = Vec::new();
    let digest = Digest::of(&bytes).to_string();
    if benchmark.official_files().contains(&digest.as_str()) {
        remarks.push("the authors' official file, byte for byte");
    }
    let kept = keep::put_tasks(&tasks.digest, &bytes).await;
    let warning = match api::store_tasks(benchmark.name(), &name, &bytes).await {
        Ok(info) => {
            tasks.name = info.name;
            remarks.push("stored on this server as it is");
            kept.err()
        }
        // It is the server that sends pictures to models.
        Err(why) if !tasks.pictures.is_empty() => {
            return Err(ApiError {
                message: format!(
                    "The server has to send the pictures of these tasks, but did \
                not keep the file. {}",
                    why.message
                ),
                ..why
            });
        }
        Err(why) => Some(ApiError {
            message: format!(
                "{} {}",
                "The server did not keep the file. The run works in this browser, but the server cannot check its numbers.",
                why.message
            ),
            ..why
        }),
    };
    let tasks = Arc::new(tasks);
    draft.take_tasks(benchmark, Arc::clone(&tasks));
    draft.config.try_update(|config| {
        benchmark.name().clone_into(&mut config.benchmark);
        config.tasks.clone_from(&tasks.name);
        config.subset = Default::default();
    });
    if let Ok(about) = api::about().await {
        draft.about.try_set(Loaded::Ready(about));
    }
    Ok(Taken { tasks, remarks, warning })
}

/// Every bad row of a file but the first, which the reader itself tells; none where a file is read as a whole.
fn other_bad_rows(benchmark: &dyn Benchmark, name: &str, bytes: &[u8]) -> Vec<String> {
    let rows = benchmark.read_task_by_task(name, bytes);
    let wrong = rows.into_iter().flatten().filter_map(Result::err);
    let file = format!("{name}: ");
    wrong.skip(1).map(|why| why.message.trim_start_matches(&file).to_owned()).collect()
}
