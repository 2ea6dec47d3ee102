//! Published poker logs: files that the authors' app wrote are read here, summed up, and held against the rules.

mod example;
mod failures;
mod given;
mod means;
mod pots;
mod settlement;
mod tables;
mod words;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::benchmarks::poker::imported::stats_log::{Overview, StatsLog, overview};
use turnwise_shared::formats::BadFile;

use self::words as strings;
use crate::components::file_drop::{self, Chosen, DropState, Dropped, FileDrop};
use crate::components::icons::Icon;
use crate::pages::logs::{PassedOn, is_inspect_log};
use failures::{Failures, failure};
use means::Means;
use settlement::Settlement;
use tables::Tables;

/// The files that were read, and those that could not be.
#[derive(Clone, Copy)]
struct Loaded {
    stats: RwSignal<Vec<StatsLog>>,
    failed: RwSignal<Vec<BadFile>>,
    state: RwSignal<DropState>,
}

impl Loaded {
    fn new() -> Self {
        Loaded {
            stats: RwSignal::new(Vec::new()),
            failed: RwSignal::new(Vec::new()),
            state: RwSignal::new(DropState::Empty),
        }
    }

    fn is_empty(&self) -> bool {
        self.stats.with(Vec::is_empty)
    }

    /// Reads files, each in place of one of its name that was there before. Nothing happens once the page was left.
    fn take(&self, files: Vec<(String, Result<Vec<u8>, String>)>) {
        let Some(mut stats) = self.stats.try_get_untracked() else {
            return;
        };
        let mut failed = Vec::new();
        for (name, bytes) in files {
            let read = bytes
                .map_err(|problem| BadFile { file: Some(name.clone()), problem })
                .and_then(|bytes| given::read(&name, bytes));
            match read {
                Ok(log) => {
                    stats.retain(|other| other.file != name);
                    stats.push(log);
                }
                Err(why) => failed.push(why),
            }
        }
        stats.sort_by(|one, other| (one.table, &one.file).cmp(&(other.table, &other.file)));
        self.state.set(if failed.is_empty() { DropState::Good } else { DropState::Bad });
        self.stats.set(stats);
        self.failed.set(failed);
    }

    fn put_away(&self, file: &str) {
        self.stats.update(|logs| logs.retain(|log| log.file != file));
    }

    fn clear(&self) {
        self.stats.set(Vec::new());
        self.failed.set(Vec::new());
        self.state.set(DropState::Empty);
    }
}

/// The part of the page of published logs.
#[component]
pub fn PokerLogs(
    /// Takes a log of Inspect, which belongs into a field of its own.
    pass_on: PassedOn,
) -> impl IntoView {
    let loaded = Loaded::new();
    let passed_on = RwSignal::new(None::<String>);
    let on_files = move |mut files: Vec<Dropped>| {
        let log = files
            .iter()
            .position(|dropped| is_inspect_log(&dropped.file.name()))
            .map(|at| files.remove(at));
        passed_on.set(log.as_ref().map(|log| log.file.name()));
        if let Some(log) = log {
            pass_on.run(log);
        }
        loaded.failed.set(Vec::new());
        if files.is_empty() {
            return;
        }
        loaded.state.set(DropState::Busy);
        spawn_local(async move { loaded.take(read(files).await) });
    };
    let is_empty = Memo::new(move |_| loaded.is_empty());
    view! {
        <div class="stack-2 logs-files" class:is-full=move || !is_empty.get()>
            <p class="soft">{strings::LEAD}</p>
            <FileDrop
                label=strings::DROP
                note=strings::DROP_NOTE
                choose=Chosen::Files
                state=loaded.state
                on_files
            />
            <p class="small soft logs-private">
                <Icon name="lock"/>
                {strings::PRIVATE}
            </p>
            {move || {
                passed_on.get().map(|name| view! { <p role="status">{crate::strings::logs::passed_on(&name)}</p> })
            }}
            <Files loaded/>
            <Failures loaded/>
        </div>
        <Show when=move || is_empty.get()>
            <Nothing loaded/>
        </Show>
        <Ranking loaded/>
    }
}

/// The bytes of files with their names. Of a folder only what may be a log.
async fn read(files: Vec<Dropped>) -> Vec<(String, Result<Vec<u8>, String>)> {
    let mut read = Vec::new();
    for Dropped { file, folder } in files {
        let name = match &folder {
            Some(_) if !file.name().ends_with(".ndjson") => continue,
            Some(folder) => format!("{folder}/{}", file.name()),
            None => file.name(),
        };
        read.push((name, file_drop::bytes(&file).await));
    }
    read
}

/// The files that were read, each with a way to put it away.
#[component]
fn Files(loaded: Loaded) -> impl IntoView {
    let row = move |name: String, text: String| {
        let (file, label) = (name.clone(), strings::put_away(&name));
        view! {
            <li class="file">
                <span class="file-name">{name}</span>
                <span class="small soft">{text}</span>
                <button
                    class="btn-icon push"
                    type="button"
                    aria-label=label.clone()
                    title=label
                    on:click=move |_| loaded.put_away(&file)
                >
                    <Icon name="cross"/>
                </button>
            </li>
        }
    };
    let stats = move || {
        loaded.stats.with(|logs| {
            logs.iter()
                .map(|log| row(log.file.clone(), strings::stats_file(log.table, log.lines)))
                .collect_view()
        })
    };
    view! {
        <div role="status">
            <Show when=move || !loaded.is_empty()>
                <ul class="logs-list" aria-label=strings::FILES>
                    {stats}
                </ul>
                <button class="btn btn-quiet btn-small" type="button" on:click=move |_| loaded.clear()>
                    {strings::CLEAR}
                </button>
            </Show>
        </div>
    }
}

/// What this page is for, where the files come from, and one button that fills it.
#[component]
fn Nothing(loaded: Loaded) -> impl IntoView {
    let example = move |_| {
        let files = example::files().into_iter();
        loaded.take(files.map(|(name, text)| (name, Ok(text.into_bytes()))).collect());
    };
    view! {
        <section class="section">
            <div class="grid-2 logs-pair">
                <div class="stack">
                    <h2>{strings::MEANING}</h2>
                    <p class="read">{strings::MEANING_TEXT}</p>
                    <h2>{strings::EMPTY}</h2>
                    {strings::EMPTY_WHY.iter().map(|text| view! { <p class="read">{*text}</p> }).collect_view()}
                    <div class="row">
                        <button class="btn" type="button" on:click=example>
                            <Icon name="play"/>
                            {strings::EXAMPLE}
                        </button>
                        <span class="small soft">{strings::EXAMPLE_NOTE}</span>
                    </div>
                </div>
                {settlement::made_up()}
            </div>
        </section>
    }
}

/// Everything that statistics say.
#[component]
fn Ranking(loaded: Loaded) -> impl IntoView {
    let summed: Memo<Option<Result<Overview, BadFile>>> =
        Memo::new(move |_| loaded.stats.with(|logs| (!logs.is_empty()).then(|| overview(logs))));
    // What was last there: the parts below go before it does.
    let shown: RwSignal<Option<Overview>> = RwSignal::new(None);
    Effect::new(move |_| shown.set(summed.get().and_then(Result::ok)));
    let is_there = Memo::new(move |_| shown.with(Option::is_some));
    let problem = move || {
        summed.with(|summed| match summed {
            Some(Err(why)) => {
                Some(failure(why, strings::PUT_ONE_AWAY, |_| strings::NOT_TOGETHER.to_owned()))
            }
            _ => None,
        })
    };
    view! {
        {problem}
        {move || {
            is_there
                .get()
                .then(|| {
                    let overview = latest(shown);
                    view! { <Overall overview/> }
                })
        }}
    }
}

/// Something that is there, and what it last was when it is no longer.
fn latest<T: Clone + PartialEq + Send + Sync + 'static>(there: RwSignal<Option<T>>) -> Signal<T> {
    let first = there.get_untracked().expect("it is there");
    Memo::new(move |before: Option<&T>| {
        let before = || before.cloned().unwrap_or_else(|| first.clone());
        there.get().unwrap_or_else(before)
    })
    .into()
}

#[component]
fn Overall(overview: Signal<Overview>) -> impl IntoView {
    let remarks = move || {
        overview.with(|overview| {
            overview.remarks.iter().map(|remark| view! { <li>{remark.clone()}</li> }).collect_view()
        })
    };
    view! {
        <section class="section stack" id="ranking">
            <div class="section-head">
                <h2>{strings::RANKING}</h2>
            </div>
            <Means overview/>
            <h3>{strings::OVERALL}</h3>
            {move || overview.with(tables::overall)}
            <p class="small soft logs-note">{strings::PM_NOTE}</p>
        </section>
        <Settlement overview/>
        <Tables overview/>
        <section class="section">
            <h3>{strings::REMARKS}</h3>
            <ul class="small soft read">{remarks}</ul>
        </section>
    }
}
