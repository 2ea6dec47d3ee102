//! What runs are made of, from wherever it lies: task sets, prompt packs and recordings, by name and digest.

use std::collections::btree_map::Entry;

use turnwise_shared::archive::{Archive, Archives};
use turnwise_shared::benchmark::{BadTasks, BuiltTasks};
use turnwise_shared::recording::Recording;
use turnwise_shared::run::{SEARCH_TAPE, WEB_TAPE};
use turnwise_shared::wire::sealed::SealedTasks;

use crate::address::SAMPLES;
use crate::prelude::*;
use crate::stint::Stint;
use crate::strings::{episode as words, spec as spec_words};
use crate::{api, clock, keep};

thread_local! {
    /// Task sets that this page has read, by digest.
    static READ: RefCell<BTreeMap<Digest, TaskSet>> = const { RefCell::new(BTreeMap::new()) };
}

/// A benchmark by name.
///
/// # Errors
/// If this program does not know it.
pub fn benchmark(name: &str) -> Result<&'static dyn Benchmark, ApiError> {
    registry::find(name).map_err(|bad| api::error("unknown_benchmark", bad.to_string()))
}

/// The tasks of a spec: planned or built again where they follow from it or from their name; else the samples, what was
/// dropped in this browser, or the server's bytes, decrypted here.
///
/// # Errors
/// If they are nowhere, or others than when the spec was made. Nothing is asked for what was played elsewhere: no server has
/// its tasks.
pub async fn tasks(spec: &Spec) -> Result<TaskSet, ApiError> {
    if !registry::is_played(&spec.benchmark) {
        return Err(api::error("imported", words::IMPORTED_WHY));
    }
    match tasks_here(spec).await? {
        Some(set) => Ok(set),
        None => {
            let bytes = api::task_bytes(&spec.tasks.name).await?;
            let set = read(benchmark(&spec.benchmark)?, &spec.tasks.name, &bytes).await?;
            the_same(spec, set)
        }
    }
}

/// The same without asking the server; `None` if only it may have them.
///
/// # Errors
/// If others are here than when the spec was made.
pub async fn tasks_here(spec: &Spec) -> Result<Option<TaskSet>, ApiError> {
    let wanted = &spec.tasks;
    if let Some(set) = READ.with_borrow(|read| read.get(&wanted.digest).cloned()) {
        return Ok(Some(set));
    }
    let benchmark = benchmark(&spec.benchmark)?;
    if benchmark.task_source() == TaskSource::Spec {
        return planned(benchmark, spec).map(Some);
    }
    let samples = benchmark.samples();
    if samples.digest == wanted.digest {
        return Ok(Some(remember(samples)));
    }
    if let Some(to_build) = benchmark.built_tasks(&wanted.name) {
        // The name says how they were built; if this program builds others, the user may have kept the file.
        let built = built(&wanted.name, to_build, |_| true).await?;
        if let Some(set) = built.filter(|set| set.digest == wanted.digest) {
            return Ok(Some(set));
        }
    }
    match keep::tasks(&wanted.digest).await {
        Ok(Some(bytes)) => {
            let set = read(benchmark, &wanted.name, &bytes).await?;
            the_same(spec, set).map(Some)
        }
        Ok(None) | Err(_) => Ok(None),
    }
}

/// A set that was read, if it is the one that a spec names.
fn the_same(spec: &Spec, set: TaskSet) -> Result<TaskSet, ApiError> {
    let wanted = &spec.tasks;
    if set.digest != wanted.digest {
        return Err(ApiError {
            mend: Some("Put the file back under its name, or start a new run.".to_owned()),
            ..api::error(
                "other_tasks",
                spec_words::other_tasks(&wanted.name, set.digest.short(), wanted.digest.short()),
            )
        });
    }
    Ok(set)
}

/// The tasks that follow from a spec, if they are still those that it names.
fn planned(benchmark: &dyn Benchmark, spec: &Spec) -> Result<TaskSet, ApiError> {
    let set = benchmark.plan(spec).map_err(|bad| api::error("bad_spec", bad.to_string()))?;
    if set.digest != spec.tasks.digest {
        return Err(api::error(
            "other_tasks",
            spec_words::other_plan(set.digest.short(), spec.tasks.digest.short()),
        ));
    }
    Ok(remember(set))
}

/// The newest task set of that name: the samples, or the server's.
///
/// # Errors
/// If the server does not have it, or it cannot be read.
pub async fn tasks_by_name(benchmark: &dyn Benchmark, name: &str) -> Result<TaskSet, ApiError> {
    if name == SAMPLES {
        return Ok(remember(benchmark.samples()));
    }
    read(benchmark, name, &api::task_bytes(name).await?).await
}

/// Builds a set of tasks, a few at a time. `each` hears after every task how many there are now; if it answers `false`, nothing
/// more is built and there is no set.
///
/// # Errors
/// If a task cannot be built.
pub async fn built(
    name: &str,
    to_build: BuiltTasks,
    mut each: impl FnMut(u32) -> bool,
) -> Result<Option<TaskSet>, ApiError> {
    let mut tasks = Vec::new();
    let mut stint = Stint::begin();
    for attempt in to_build.attempts {
        let task = attempt.map_err(|why| api::error("not_built", format!("{why}.")))?;
        if let Some(task) = task {
            tasks.push(task);
            if !each(tasks.len() as u32) {
                return Ok(None);
            }
        }
        stint.breathe_if_over().await;
    }
    let set = TaskSet::new(name, tasks, TaskSetOrigin::Plain);
    Ok(Some(remember(set)))
}

/// Reads a task file, decrypting it in memory if need be, or what a server hands out of a sealed one. The browser has its turn
/// in between where the benchmark reads task by task.
///
/// # Errors
/// What is wrong with it, with row and field.
pub async fn read(
    benchmark: &dyn Benchmark,
    name: &str,
    bytes: &[u8],
) -> Result<TaskSet, ApiError> {
    if let Some(sealed) = SealedTasks::read(bytes)
        && sealed.benchmark == benchmark.name()
    {
        return Ok(remember(sealed.into_set(name)));
    }
    let bad_tasks = |bad: BadTasks| api::error("bad_tasks", bad.to_string());
    let mut tasks = Vec::new();
    let mut stint = Stint::begin();
    for task in benchmark.read_task_by_task(name, bytes).into_iter().flatten() {
        tasks.push(task.map_err(bad_tasks)?);
        stint.breathe_if_over().await;
    }
    if tasks.is_empty() {
        // It is read as a whole, or the error there says why it has none.
        return benchmark.read_tasks(name, bytes).map(remember).map_err(bad_tasks);
    }
    Ok(remember(TaskSet::new(name, tasks, TaskSetOrigin::Plain)))
}

fn remember(set: TaskSet) -> TaskSet {
    READ.with_borrow_mut(|read| read.insert(set.digest, set.clone()));
    set
}

/// The prompt pack that a spec names: the one that comes with the benchmark, or one that the server lists.
///
/// # Errors
/// If it is another one.
pub async fn pack(spec: &Spec) -> Result<Pack, ApiError> {
    match pack_here(spec) {
        Ok(pack) => Ok(pack),
        // A server that does not have it cannot say more than is known here.
        Err(unknown) => api::pack(&spec.pack.digest).await.map_err(|_| unknown),
    }
}

/// The same without asking the server.
///
/// # Errors
/// If it is not the one that comes with the benchmark.
pub fn pack_here(spec: &Spec) -> Result<Pack, ApiError> {
    let pack = benchmark(&spec.benchmark)?.pack();
    if pack.digest() == spec.pack.digest {
        return Ok(pack);
    }
    Err(api::error(
        "other_pack",
        spec_words::other_pack(&spec.pack.name, spec.pack.digest.short(), pack.digest().short()),
    ))
}

/// The recordings that sit in the seats of a spec, by name. The player's recording also answers searches and pages as it
/// recorded them.
///
/// # Errors
/// If a recording is neither a run of this server nor a folder that was dropped here, or does not read.
pub async fn recordings(spec: &Spec) -> Result<BTreeMap<String, Recording>, ApiError> {
    let mut recordings = BTreeMap::new();
    for sitting in spec.seats.values() {
        if let Player::Recording(name) = &sitting.player
            && !recordings.contains_key(name)
        {
            recordings.insert(name.clone(), recording(name).await?);
        }
    }
    if let Some(recorded) = of_player(spec, &recordings).cloned() {
        if recorded.search.is_some() && recorded.search == spec.search {
            recordings.insert(SEARCH_TAPE.to_owned(), recorded.clone());
        }
        if recorded.web.is_some() && recorded.web == spec.web {
            recordings.insert(WEB_TAPE.to_owned(), recorded);
        }
    }
    Ok(recordings)
}

/// The archives that a spec names.
///
/// # Errors
/// If the server does not have one.
pub async fn archives(spec: &Spec) -> Result<Archives, ApiError> {
    let mut archives = Archives::new();
    for digest in spec.archives() {
        if let Entry::Vacant(place) = archives.entry(digest) {
            place.insert(Arc::new(Archive::new(api::archive(&digest).await?)));
        }
    }
    Ok(archives)
}

/// The recording that sits in the player's seat, if one does.
pub fn of_player<'a>(
    spec: &Spec,
    recordings: &'a BTreeMap<String, Recording>,
) -> Option<&'a Recording> {
    match &spec.seats.get(&Seat::new(Seat::PLAYER))?.player {
        Player::Recording(name) => recordings.get(name),
        _ => None,
    }
}

/// One tape: a run of this server by its id, or a folder that was dropped in this browser.
///
/// # Errors
/// See [`recordings`].
pub async fn recording(name: &str) -> Result<Recording, ApiError> {
    let texts = match name.parse::<RunId>() {
        Ok(run) => {
            let mut texts = Vec::new();
            for head in api::episodes(&run).await? {
                texts.push(api::transcript(&run, &head.episode).await?);
            }
            texts
        }
        Err(_) => keep::recording(name).await?.ok_or_else(|| ApiError {
            mend: Some("Choose the folder again.".to_owned()),
            ..api::error("no_tape", format!("The recording {name} is not in this browser."))
        })?,
    };
    wind(name, &texts).await
}

/// A recording from the texts of transcripts.
///
/// # Errors
/// If there is none, or one does not read.
pub async fn wind(name: &str, texts: &[String]) -> Result<Recording, ApiError> {
    let mut recording = Recording::default();
    for text in texts {
        let transcript = transcript::read(text)
            .map_err(|bad| api::error("bad_tape", format!("The recording {name}: {bad}.")))?;
        recording.add(&transcript);
        clock::breathe().await;
    }
    if texts.is_empty() {
        return Err(api::error("bad_tape", format!("{name} holds no transcript (*.jsonl).")));
    }
    Ok(recording)
}
