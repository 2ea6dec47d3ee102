//! Logs of Inspect: what is in one is told from its header and summaries; then its samples are brought here as a run.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::hooks::use_navigate;
use turnwise_shared::exchange::inspect::import;
use turnwise_shared::exchange::inspect::read::Log;
use turnwise_shared::wire::{
    ApiError, Epoch, MAX_REQUEST_BYTES, OpenRun, PieceStored, RunId, RunState, SetState,
};

use crate::api::Piece;
use crate::components::file_drop::{self, Chosen, DropState, Dropped, FileDrop};
use crate::components::message::Trouble;
use crate::strings::logs::inspect as strings;
use crate::{api, clock};

/// The most bytes of one request, with what stands before the lines of each piece.
const LARGEST: usize = MAX_REQUEST_BYTES - 100_000;

type Opened = StoredValue<Option<Log<Vec<u8>>>>;

/// What a log tells before a sample of it is read.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    task: String,
    model: String,
    status: String,
    samples: usize,
    scores: Vec<(String, String)>,
}

/// A log on its way: read in this page, and stored when somebody says so.
#[derive(Clone, Copy)]
pub struct Inspected {
    state: RwSignal<DropState>,
    told: RwSignal<Option<Told>>,
    problem: RwSignal<Option<ApiError>>,
    stored: RwSignal<Option<(usize, usize)>>,
    log: Opened,
}

impl Inspected {
    /// Nothing was dropped yet.
    pub fn new() -> Self {
        Inspected {
            state: RwSignal::new(DropState::Empty),
            told: RwSignal::new(None),
            problem: RwSignal::new(None),
            stored: RwSignal::new(None),
            log: StoredValue::new(None),
        }
    }

    /// Reads the first of the files.
    pub fn take(self, files: Vec<Dropped>) {
        self.state.set(DropState::Busy);
        self.told.set(None);
        self.problem.set(None);
        spawn_local(async move {
            match open(files).await {
                Ok((opened, found)) => {
                    self.log.try_set_value(Some(opened));
                    self.told.try_set(Some(found));
                    self.state.try_set(DropState::Good);
                }
                Err(why) => {
                    self.problem.try_set(Some(why));
                    self.state.try_set(DropState::Bad);
                }
            }
        });
    }
}

/// Whether a file is a log of Inspect, by its name.
pub fn is_log(name: &str) -> bool {
    name.to_lowercase().ends_with(".eval")
}

/// The part of the page that takes logs of Inspect.
#[component]
pub fn InspectLogs(
    /// The log.
    inspected: Inspected,
) -> impl IntoView {
    let Inspected {
        state,
        told,
        problem,
        stored,
        log,
    } = inspected;
    let on_files = move |files: Vec<Dropped>| inspected.take(files);
    let navigate = use_navigate();
    let bring = move |_| {
        let Some(opened) = log.try_update_value(Option::take).flatten() else {
            return;
        };
        let navigate = navigate.clone();
        stored.set(Some((
            0,
            told.with_untracked(|told| told.as_ref().map_or(0, |it| it.samples)),
        )));
        spawn_local(async move {
            match bring_here(&opened, stored).await {
                Ok(run) => navigate(&format!("/run/{run}"), Default::default()),
                Err(why) => {
                    log.try_set_value(Some(opened));
                    problem.try_set(Some(why));
                }
            }
            stored.try_set(None);
        });
    };
    view! {
        <section class="section stack-2" id="inspect" tabindex="-1" aria-labelledby="inspect-head">
            <h2 id="inspect-head">{strings::TITLE}</h2>
            <p class="soft">{strings::LEAD}</p>
            <FileDrop label=strings::DROP note=strings::DROP_NOTE choose=Chosen::File state on_files/>
            {move || problem.get().map(|problem| view! { <Trouble problem=Some(problem)/> })}
            {move || told.get().map(|told| view! { <Preview told/> })}
            <Show when=move || told.with(Option::is_some)>
                <div class="row">
                    <button
                        class="btn btn-primary"
                        type="button"
                        disabled=move || stored.with(Option::is_some)
                        aria-busy=move || stored.with(Option::is_some).then_some("true")
                        on:click=bring.clone()
                    >
                        {move || match stored.get() {
                            Some((done, of)) => strings::storing(done, of),
                            None => strings::BRING.to_owned(),
                        }}
                    </button>
                    <span class="small soft">{strings::BRING_ABOUT}</span>
                </div>
            </Show>
        </section>
    }
}

#[component]
fn Preview(told: Told) -> impl IntoView {
    let fact = |name: String, value: String| {
        view! {
            <dt>{name}</dt>
            <dd>{value}</dd>
        }
    };
    view! {
        <dl class="kv">
            {fact(strings::TASK.to_owned(), told.task)}
            {fact(strings::MODEL.to_owned(), told.model)}
            {fact(strings::STATUS.to_owned(), told.status)}
            {fact(strings::SAMPLES.to_owned(), told.samples.to_string())}
            {told.scores.into_iter().map(|(name, value)| fact(name, value)).collect_view()}
        </dl>
    }
}

async fn open(files: Vec<Dropped>) -> Result<(Log<Vec<u8>>, Told), ApiError> {
    let bad = |name: &str, why: String| api::error("bad_log", strings::cannot_read(name, &why));
    let Some(first) = files.into_iter().next() else {
        return Err(api::error("no_file", strings::NO_FILE));
    };
    let name = first.file.name();
    let bytes = file_drop::bytes(&first.file)
        .await
        .map_err(|why| bad(&name, why))?;
    let length = bytes.len() as u64;
    let log = Log::open(bytes, length).map_err(|why| bad(&name, why.to_string()))?;
    let summaries = log.summaries().map_err(|why| bad(&name, why.to_string()))?;
    let eval = &log.header.eval;
    let results = log
        .header
        .results
        .iter()
        .flat_map(|results| &results.scores);
    let told = Told {
        task: eval.task.clone(),
        model: eval.model.clone(),
        status: log.header.status.clone(),
        samples: summaries.len().max(log.samples().len()),
        scores: results
            .map(|scored| {
                let metrics = scored.metrics.iter();
                let known =
                    metrics.filter_map(|(name, it)| Some(format!("{name} {:.3}", it.value?)));
                (scored.name.clone(), known.collect::<Vec<_>>().join(", "))
            })
            .collect(),
    };
    Ok((log, told))
}

/// Opens a run and stores the samples as its episodes, one after the other.
async fn bring_here(
    log: &Log<Vec<u8>>,
    stored: RwSignal<Option<(usize, usize)>>,
) -> Result<RunId, ApiError> {
    let bad = |why: String| api::error("bad_log", why);
    let names = log.samples();
    let spec = import::spec(&log.header);
    let wanted = OpenRun {
        caps: Default::default(),
        title: strings::title(&log.header.eval.task, &log.header.eval.created),
        episodes: u32::try_from(names.len()).unwrap_or(u32::MAX),
        spec,
        regrades: None,
        branch_of: None,
        parent_token: None,
        visibility: Default::default(),
    };
    let opened = api::open_run(&wanted).await?;
    let mut waiting = Waiting::default();
    for (done, name) in names.iter().enumerate() {
        let sample = log.sample(name).map_err(|why| bad(why.to_string()))?;
        let imported = import::transcript(&wanted.spec, &sample);
        for (from, lines) in cut(&imported.lines)? {
            let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
            let piece = Piece {
                episode: imported.key.clone(),
                from: from as u64,
                text,
            };
            if waiting.bytes + piece.bytes() > LARGEST {
                waiting.send(&opened.run, &opened.token).await?;
            }
            waiting.add(piece);
        }
        stored.try_set(Some((done + 1, names.len())));
        clock::breathe().await;
    }
    waiting.send(&opened.run, &opened.token).await?;
    let closed = SetState {
        state: RunState::Closed,
        epoch: Epoch::default(),
    };
    api::driving::set_state(&opened.run, &opened.token, &closed).await?;
    Ok(opened.run)
}

/// Lines in parts that fit into a request, each with the number of its first line.
fn cut(lines: &[String]) -> Result<Vec<(usize, &[String])>, ApiError> {
    let mut parts = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (at, line) in lines.iter().enumerate() {
        if line.len() >= LARGEST {
            return Err(api::error("too_large", strings::TOO_LARGE));
        }
        if size + line.len() + 1 > LARGEST {
            parts.push((start, &lines[start..at]));
            (start, size) = (at, 0);
        }
        size += line.len() + 1;
    }
    parts.push((start, &lines[start..]));
    Ok(parts)
}

/// Lines that wait for their request.
#[derive(Default)]
struct Waiting {
    pieces: Vec<Piece>,
    bytes: usize,
}

impl Waiting {
    fn add(&mut self, piece: Piece) {
        self.bytes += piece.bytes();
        self.pieces.push(piece);
    }

    async fn send(&mut self, run: &RunId, token: &str) -> Result<(), ApiError> {
        if self.pieces.is_empty() {
            return Ok(());
        }
        let Waiting { pieces, .. } = std::mem::take(self);
        let answers = api::store(run, token, Epoch::default(), &pieces).await?;
        let refused = answers.into_iter().find_map(|answer| match answer {
            PieceStored::Refused { error } => Some(error),
            PieceStored::Stored(_) => None,
        });
        refused.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_told_by_its_name() {
        assert!(is_log("2026-11-22_adding.eval") && is_log("LOG.EVAL"));
        assert!(!is_log("stats-log-1.ndjson") && !is_log("eval"));
    }
}
