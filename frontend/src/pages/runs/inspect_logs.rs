//! Inspect logs: the header and the summaries show what a log contains; then its samples are imported as a run.

use turnwise_shared::exchange::inspect::NO_MODEL;
use turnwise_shared::exchange::inspect::import::{self, Origins};
use turnwise_shared::exchange::inspect::own::{self, OwnRun};
use turnwise_shared::exchange::inspect::read::{Log, archived};
use turnwise_shared::wire::naming::MOST_TAGS;
use turnwise_shared::wire::{MAX_REQUEST_BYTES, OpenRun, PieceStored};

use crate::api::Piece;
use crate::components::file_drop::{self, DropState, Dropped, FileDrop};
use crate::keep::KeptRun;
use crate::prelude::*;
use crate::strings::inspect_logs as strings;
use crate::{api, clock, keep, live};

/// The tag of runs that came from a file.
const IMPORTED: &str = "imported";

const OWN: &str = "Turnwise wrote this log. It comes back as the run that it was: every transcript is in it, byte for byte, and the scores and the \
     conversation in the log agree with the transcripts. Receipts are no part of a log, so a board would show the run as self-reported.";

fn not_restored(why: &str) -> String {
    format!(
        "Turnwise wrote this log, but it does not come back as the run that it was: {why}. It is imported as an Inspect log: it can be read, \
         but not replayed, graded again or verified."
    )
}

/// The most bytes of one request, with what stands before the lines of each piece.
const LARGEST: usize = MAX_REQUEST_BYTES - 100_000;

/// A log that was read, and what it tells.
#[derive(Debug)]
struct Opened {
    log: Log<Vec<u8>>,
    told: Told,
}

/// What a log tells before a sample of it is read.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    task: String,
    /// The model under evaluation; `None` in games.
    model: Option<String>,
    status: String,
    samples: usize,
    scores: Vec<(String, String)>,
    /// Where parts of it contradict each other.
    contradictions: Vec<String>,
    /// Of a log that this program wrote: the run that it was, or why it does not come back as that.
    own: Option<Result<OwnRun, String>>,
}

/// A log being imported: read in this page, and stored when the user confirms.
#[derive(Clone, Copy)]
struct Inspected {
    state: RwSignal<DropState>,
    opened: RwSignal<Option<Arc<Opened>>>,
    problem: RwSignal<Option<ApiError>>,
    /// Samples that are stored already, of how many; while that goes on.
    stored: RwSignal<Option<(usize, usize)>>,
    /// How often a log was dropped here.
    dropped: StoredValue<u32>,
}

impl Default for Inspected {
    fn default() -> Self {
        Inspected {
            state: RwSignal::new(DropState::Empty),
            opened: RwSignal::new(None),
            problem: RwSignal::new(None),
            stored: RwSignal::new(None),
            dropped: StoredValue::new(0),
        }
    }
}

impl Inspected {
    /// Reads the first of the files.
    fn take(self, files: Vec<Dropped>) {
        self.state.set(DropState::Busy);
        self.opened.set(None);
        self.problem.set(None);
        let number = self.dropped.get_value() + 1;
        self.dropped.set_value(number);
        spawn_local(async move {
            let opened = open(files).await;
            // The last one counts, however long those before it took to read; and none once the page was left.
            if self.dropped.try_get_value() != Some(number) {
                return;
            }
            match opened {
                Ok(opened) => {
                    self.opened.set(Some(Arc::new(opened)));
                    self.state.set(DropState::Good);
                }
                Err(why) => {
                    self.problem.set(Some(why));
                    self.state.set(DropState::Bad);
                }
            }
        });
    }
}

/// The part of the page that takes logs of Inspect.
#[component]
pub fn InspectLogs() -> impl IntoView {
    let inspected = Inspected::default();
    let Inspected { state, opened, problem, stored, .. } = inspected;
    let on_files = move |files: Vec<Dropped>| inspected.take(files);
    let navigate = use_navigate();
    let bring = move |_| {
        let Some(opened) = opened.get_untracked() else {
            return;
        };
        let navigate = navigate.clone();
        problem.set(None);
        stored.set(Some((0, opened.told.samples)));
        spawn_local(async move {
            let brought = bring_here(&opened, stored).await;
            // A user who has gone to another page meanwhile stays there; the run is in the list of runs.
            if stored.try_set(None).is_some() {
                return;
            }
            match brought {
                Ok(run) => navigate(&format!("/run/{run}"), Default::default()),
                Err(why) => problem.set(Some(why)),
            }
        });
    };
    view! {
        <section class="section stack-2" id="inspect" tabindex="-1" aria-labelledby="inspect-head">
            <h2 id="inspect-head">"Logs of Inspect"</h2>
            <p class="soft">{strings::LEAD}</p>
            <FileDrop label="Drop an .eval or JSON log here, or choose it" note="It is read in this page; \
                nothing is stored before you say so" state on_files/>
            {move || problem.get().map(|problem| view! { <Trouble problem=Some(problem)/> })}
            {move || opened.get().map(|opened| view! { <Preview told=opened.told.clone()/> })}
            <Show when=move || opened.is_some()>
                <div class="row">
                    <button
                        class="btn btn-primary"
                        type="button"
                        disabled=move || stored.is_some()
                        aria-busy=move || stored.is_some().then_some("true")
                        on:click=bring.clone()
                    >
                        {move || match stored.get() {
                            Some((done, of)) => format!("Storing {} of {}", count(done), count(of)),
                            None => "Bring it here".to_owned(),
                        }}
                    </button>
                    <span class="small soft">
                        "Stores its samples on this server; whoever knows the run's address can read them."
                    </span>
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
            {fact("Task".to_owned(), told.task)}
            {told.model.map(|model| fact("Model".to_owned(), model))}
            {fact("Status".to_owned(), told.status)}
            {fact("Samples".to_owned(), told.samples.to_string())}
            {told.scores.into_iter().map(|(name, value)| fact(name, value)).collect_view()}
        </dl>
        {told.own.map(|own| match own {
            Ok(_) => view! { <p class="note note-good" id="own-log">{OWN.to_owned()}</p> },
            Err(why) => view! { <p class="note note-warn" id="own-log">{not_restored(&why)}</p> },
        })}
        {told.contradictions.into_iter().map(|it| view! { <p class="note note-warn">{it}</p> }).collect_view()}
    }
}

async fn open(files: Vec<Dropped>) -> Result<Opened, ApiError> {
    let bad = |name: &str, why: String| api::error("bad_log", format!("{name}: {why}."));
    let Some(first) = files.into_iter().next() else {
        return Err(api::error("no_file", "There was no file in what was dropped."));
    };
    let name = first.file.name();
    let bytes = file_drop::bytes(&first.file).await.map_err(|why| bad(&name, why))?;
    let bytes = archived(bytes).map_err(|why| bad(&name, why.to_string()))?;
    let length = bytes.len() as u64;
    let log = Log::open(bytes, length).map_err(|why| bad(&name, why.to_string()))?;
    let summaries = log.summaries().map_err(|why| bad(&name, why.to_string()))?;
    let contradictions = log.contradictions().map_err(|why| bad(&name, why.to_string()))?;
    let eval = &log.header.eval;
    let results = log.header.results.iter().flat_map(|results| &results.scores);
    let told = Told {
        task: eval.task.clone(),
        model: Some(eval.model.clone()).filter(|model| model != NO_MODEL),
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
        own: own(&log, contradictions.first()).await,
        contradictions,
    };
    Ok(Opened { log, told })
}

/// What a log that this program wrote comes back as, once every sample of it was checked; `None` for logs of other programs.
async fn own(log: &Log<Vec<u8>>, contradiction: Option<&String>) -> Option<Result<OwnRun, String>> {
    let run = match own::run(&log.header)? {
        Ok(run) => run,
        Err(why) => return Some(Err(why.to_string())),
    };
    if let Some(found) = contradiction {
        return Some(Err(found.clone()));
    }
    let mut keys = BTreeSet::new();
    for name in log.samples() {
        clock::breathe().await;
        match restored(log, &run, &name) {
            Err(why) => return Some(Err(why)),
            Ok(all) => {
                let twice = all.into_iter().find(|(key, _)| !keys.insert(key.clone()));
                if let Some((key, _)) = twice {
                    return Some(Err(format!("the episode {key} is in it twice")));
                }
            }
        }
    }
    Some(Ok(run))
}

fn restored(
    log: &Log<Vec<u8>>,
    run: &OwnRun,
    name: &str,
) -> Result<Vec<(EpisodeKey, String)>, String> {
    let benchmark = registry::find(&run.spec.benchmark).map_err(|bad| bad.to_string())?;
    let sample = log.sample(name).map_err(|bad| bad.to_string())?;
    own::transcripts(run, benchmark, &sample).map_err(|why| why.to_string())
}

/// The episodes of a sample, each with its lines.
fn episodes(
    log: &Log<Vec<u8>>,
    own: Option<&OwnRun>,
    spec: &Spec,
    name: &str,
) -> Result<Vec<(EpisodeKey, Vec<String>)>, ApiError> {
    let bad = |why: String| api::error("bad_log", why);
    match own {
        Some(run) => {
            let all = restored(log, run, name).map_err(bad)?.into_iter();
            let lines = |text: String| text.lines().map(str::to_owned).collect();
            Ok(all.map(|(key, text)| (key, lines(text))).collect())
        }
        None => {
            let sample = log.sample(name).map_err(|why| bad(why.to_string()))?;
            let imported = import::transcript(spec, &sample);
            Ok(vec![(imported.key, imported.lines)])
        }
    }
}

/// Stores a log as a run: whole, or not at all. One that this program wrote becomes the run that it was.
async fn bring_here(
    opened: &Opened,
    stored: RwSignal<Option<(usize, usize)>>,
) -> Result<RunId, ApiError> {
    let log = &opened.log;
    let own = opened.told.own.as_ref().and_then(|own| own.as_ref().ok());
    let spec = own.map_or_else(|| import::spec(&log.header), |own| own.spec.clone());
    // A log with a sample that cannot be stored opens no run.
    let names = match own {
        Some(_) => log.samples(),
        None => checked(log, &spec).await?,
    };
    let (title, mut tags) = match own {
        Some(own) => (own.title.clone(), own.tags.clone()),
        None => {
            let eval = &log.header.eval;
            (strings::title(&eval.task, &eval.created), Vec::new())
        }
    };
    if !tags.iter().any(|tag| tag == IMPORTED) && tags.len() < MOST_TAGS {
        tags.push(IMPORTED.to_owned());
    }
    let wanted = OpenRun {
        tags,
        caps: Default::default(),
        title,
        episodes: u32::try_from(names.len()).unwrap_or(u32::MAX),
        spec,
        regrades: None,
        branch_of: None,
        parent_token: None,
        // If this tab is closed half-way, only its owner can read what is there.
        visibility: Visibility::Private,
    };
    let opened = api::open_run(&wanted).await?;
    let kept = KeptRun::not_driven(opened.run.clone(), opened.token.clone(), wanted.spec.clone());
    // It is brought here even where the browser keeps nothing.
    if let Err(problem) = keep::put_run(&kept).await {
        live::view(&opened.run).problem.set(Some(problem));
    }
    keep::remember_visibility(&kept.run, wanted.visibility);
    match store(log, own, &names, &kept, stored).await {
        Ok(()) => Ok(opened.run),
        Err(why) => Err(take_back(&kept, why).await),
    }
}

/// The names of a log's samples, all of which can be stored.
async fn checked(log: &Log<Vec<u8>>, spec: &Spec) -> Result<Vec<String>, ApiError> {
    let bad = |why: String| api::error("bad_log", why);
    let names = log.samples();
    if names.is_empty() {
        return Err(bad(
            "There are no samples in it, so there is nothing to bring here.".to_owned()
        ));
    }
    let mut origins = Origins::default();
    for name in &names {
        let sample = log.sample(name).map_err(|why| bad(why.to_string()))?;
        let imported = import::transcript(spec, &sample);
        origins.add(name, &sample, &imported).map_err(|why| bad(why.to_string()))?;
        cut(&imported.lines)?;
        clock::breathe().await;
    }
    Ok(names)
}

/// Stores the samples as episodes of a run, one after the other, and closes it.
async fn store(
    log: &Log<Vec<u8>>,
    own: Option<&OwnRun>,
    names: &[String],
    kept: &KeptRun,
    stored: RwSignal<Option<(usize, usize)>>,
) -> Result<(), ApiError> {
    let KeptRun { run, token, spec, .. } = kept;
    let mut waiting = Waiting::default();
    for (done, name) in names.iter().enumerate() {
        for (episode, all) in episodes(log, own, spec, name)? {
            for (from, lines) in cut(&all)? {
                let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
                let piece = Piece { episode: episode.clone(), from: from as u64, text };
                if waiting.bytes + piece.bytes() > LARGEST {
                    waiting.send(run, token).await?;
                }
                waiting.add(piece);
            }
        }
        stored.put((done + 1, names.len()));
        clock::breathe().await;
    }
    waiting.send(run, token).await?;
    set_state(kept, RunState::Closed).await?;
    let visibility = Visibility::default();
    api::sharing::set_visibility(run, token, visibility).await?;
    keep::remember_visibility(run, visibility);
    Ok(())
}

/// Withdraws a run that could not be stored whole, and says why it could not.
async fn take_back(kept: &KeptRun, why: ApiError) -> ApiError {
    match set_state(kept, RunState::Withdrawn).await {
        Ok(()) => why,
        Err(_) => ApiError {
            message: strings::half_stored(why.message.trim_end_matches('.'), &kept.run),
            ..why
        },
    }
}

async fn set_state(kept: &KeptRun, state: RunState) -> Result<(), ApiError> {
    let wanted = SetState::to(state);
    api::driving::set_state(&kept.run, &kept.token, &wanted).await?;
    Ok(())
}

/// Lines in parts that fit into a request, each with the number of its first line.
fn cut(lines: &[String]) -> Result<Vec<(usize, &[String])>, ApiError> {
    let mut parts = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (at, line) in lines.iter().enumerate() {
        if line.len() >= LARGEST {
            return Err(api::error(
                "too_large",
                "One message of this log is larger than the server takes; \
                turnwise import --format inspect reads it.",
            ));
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
    fn lines_are_cut_into_requests_and_none_is_lost() {
        let lines: Vec<String> = [LARGEST / 2, LARGEST / 3, LARGEST / 2, 1, LARGEST - 1]
            .map(|length| "x".repeat(length))
            .to_vec();
        let parts = cut(&lines).expect("each fits");
        let places: Vec<_> = parts.iter().map(|(from, part)| (*from, part.len())).collect();
        assert_eq!(places, [(0, 2), (2, 2), (4, 1)]);
        for (_, part) in &parts {
            let bytes: usize = part.iter().map(|line| line.len() + 1).sum();
            assert!(bytes <= LARGEST);
        }
        assert!(cut(&["x".repeat(LARGEST)]).is_err());
    }
}
