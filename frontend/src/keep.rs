//! The browser's own store: runs that this browser opened, their tokens, their transcripts line by line, dropped task files
//! and recordings. IndexedDB holds all of it; the theme and the operator's access token lie in local storage.
//!
//! A browser may refuse to store anything (a private window, a full disk), or never answer (another page holds the store). A run goes on without it; it does not survive a
//! reload then, and the page says so.

mod local;

use std::cell::Cell;
use std::pin::pin;

use futures::future::{Either, select};
use idb::builder::{DatabaseBuilder, ObjectStoreBuilder};
use idb::{Database, KeyRange, Query, Transaction, TransactionMode};
use js_sys::{Array, Uint8Array};
use serde::{Deserialize, Serialize};
use turnwise_shared::run::FAILURES_IN_A_ROW;

use crate::prelude::*;
use crate::{clock, strings};

pub use local::{
    access_token, private_runs, recall, remember, remember_visibility, set_access_token,
};

/// The code of the error that says that the browser does not keep a run.
pub const REFUSED: &str = "browser_store";

const NAME: &str = "turnwise";
const VERSION: u32 = 1;

/// Run id → [`KeptRun`] as JSON.
const RUNS: &str = "runs";
/// [run, episode, number of the first line] → lines, each with its line break.
const LINES: &str = "lines";
/// Digest of a task set → its file's bytes, as they were dropped.
const TASKS: &str = "tasks";
/// Name of a dropped folder → its transcripts, one after the other.
const TAPES: &str = "tapes";

/// A run that this browser opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptRun {
    pub run: RunId,
    /// With this token calls are made and lines are stored.
    pub token: String,
    /// Everything that decides how it goes; a recording stands here as itself.
    pub spec: Spec,
    /// The last lease that this browser had of it.
    #[serde(default)]
    pub epoch: Epoch,
    /// Calls in flight at once.
    pub in_flight: u32,
    /// After this number of failures in a row it pauses; 0: never.
    #[serde(default = "usual_pause")]
    pub pause_after: u32,
    /// Whether it should be taken up when its page is opened again.
    pub wish: Wish,
    /// Milliseconds since 1970 at which it was opened.
    pub opened: u64,
}

impl KeptRun {
    /// A run that this page opens and does not drive: with its token it is made private, published or withdrawn later.
    pub fn not_driven(run: RunId, token: String, spec: Spec) -> Self {
        KeptRun {
            run,
            token,
            spec,
            epoch: Epoch::default(),
            in_flight: 1,
            pause_after: 0,
            wish: Wish::Done,
            opened: clock::today(),
        }
    }
}

fn usual_pause() -> u32 {
    FAILURES_IN_A_ROW
}

/// What the driver of a run wants of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    Run,
    /// It rests until the user resumes it.
    Rest,
    /// Nothing is left to do.
    Done,
}

/// Lines of a transcript that are to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    pub episode: EpisodeKey,
    /// The number of the first line, from 0.
    pub from: u64,
    /// The lines, each with its line break.
    pub text: String,
}

/// Keeps a run's head; an older one of the same run gives way.
///
/// # Errors
/// If the browser refuses.
pub async fn put_run(run: &KeptRun) -> Result<(), ApiError> {
    let text = serde_json::to_string(run).expect("a kept run is plain data");
    put(RUNS, &[(run.run.as_str().into(), text.into())]).await
}

/// A run that this browser opened.
///
/// # Errors
/// If the browser refuses.
pub async fn run(id: &RunId) -> Result<Option<KeptRun>, ApiError> {
    Ok(get(RUNS, id.as_str().into())
        .await?
        .and_then(|value| value.as_string())
        .and_then(|text| serde_json::from_str(&text).ok()))
}

/// A run that only the browser that opened it can change.
///
/// # Errors
/// If another one did, or this one refuses.
pub async fn own(id: &RunId) -> Result<KeptRun, ApiError> {
    let kept = run(id).await?;
    kept.ok_or_else(|| ApiError {
        code: "not_ours".to_owned(),
        message: "Only the browser that opened a run can take it up; the others can read it."
            .to_owned(),
        mend: None,
    })
}

/// Every run that this browser opened, newest first.
///
/// # Errors
/// If the browser refuses.
pub async fn runs() -> Result<Vec<KeptRun>, ApiError> {
    let transaction = begin(RUNS, TransactionMode::ReadOnly).await?;
    let values =
        transaction.object_store(RUNS).map_err(refused)?.get_all(None, None).map_err(refused)?;
    let values = answered(values).await?;
    let mut runs: Vec<KeptRun> =
        values.iter().filter_map(|value| serde_json::from_str(&value.as_string()?).ok()).collect();
    runs.sort_by_key(|run: &KeptRun| std::cmp::Reverse(run.opened));
    Ok(runs)
}

/// Keeps further lines of transcripts, all or none of them.
///
/// # Errors
/// If the browser refuses.
pub async fn append<'a>(
    run: &RunId,
    lines: impl Iterator<Item = &'a Lines>,
) -> Result<(), ApiError> {
    let pairs: Vec<_> = lines
        .map(|lines| (line_key(run, &lines.episode, lines.from), JsValue::from_str(&lines.text)))
        .collect();
    put(LINES, &pairs).await
}

/// Keeps `text` as the whole transcript of an episode, instead of what was kept before.
///
/// # Errors
/// If the browser refuses.
pub async fn replace(run: &RunId, episode: &EpisodeKey, text: &str) -> Result<(), ApiError> {
    let transaction = begin(LINES, TransactionMode::ReadWrite).await?;
    let store = transaction.object_store(LINES).map_err(refused)?;
    let deleted = store.delete(episode_range(run, episode)?).map_err(refused)?;
    let put = match text.is_empty() {
        true => None,
        false => Some(
            store
                .put(&JsValue::from_str(text), Some(&line_key(run, episode, 0)))
                .map_err(refused)?,
        ),
    };
    finish(transaction, async {
        deleted.await?;
        if let Some(put) = put {
            put.await?;
        }
        Ok(())
    })
    .await
}

/// A transcript as far as it was kept here.
///
/// # Errors
/// If the browser refuses.
pub async fn transcript(run: &RunId, episode: &EpisodeKey) -> Result<Option<String>, ApiError> {
    let transaction = begin(LINES, TransactionMode::ReadOnly).await?;
    let pieces = transaction
        .object_store(LINES)
        .map_err(refused)?
        .get_all(Some(episode_range(run, episode)?.into()), None)
        .map_err(refused)?;
    let pieces = answered(pieces).await?;
    let text: String = pieces.iter().filter_map(|piece| piece.as_string()).collect();
    Ok((!text.is_empty()).then_some(text))
}

/// The episodes of which lines were kept here.
///
/// # Errors
/// If the browser refuses.
pub async fn episodes(run: &RunId) -> Result<BTreeSet<EpisodeKey>, ApiError> {
    let transaction = begin(LINES, TransactionMode::ReadOnly).await?;
    let keys = transaction
        .object_store(LINES)
        .map_err(refused)?
        .get_all_keys(Some(run_range(run)?.into()), None)
        .map_err(refused)?;
    let keys = answered(keys).await?;
    Ok(keys
        .iter()
        .filter_map(|key| key.dyn_ref::<Array>()?.get(1).as_string()?.parse().ok())
        .collect())
}

/// How many lines of each episode of a run were kept here.
///
/// # Errors
/// If the browser refuses.
pub async fn line_counts(run: &RunId) -> Result<BTreeMap<EpisodeKey, u64>, ApiError> {
    let mut counts = BTreeMap::new();
    for episode in episodes(run).await? {
        let text = transcript(run, &episode).await?.unwrap_or_default();
        counts.insert(episode, text.lines().count() as u64);
    }
    Ok(counts)
}

/// Drops the transcripts of a run, once the server has them all.
///
/// # Errors
/// If the browser refuses.
pub async fn drop_lines(run: &RunId) -> Result<(), ApiError> {
    let transaction = begin(LINES, TransactionMode::ReadWrite).await?;
    let deleted = transaction
        .object_store(LINES)
        .map_err(refused)?
        .delete(run_range(run)?)
        .map_err(refused)?;
    finish(transaction, deleted.into_future()).await
}

/// Keeps a task file as it was dropped; an encrypted one stays encrypted.
///
/// # Errors
/// If the browser refuses.
pub async fn put_tasks(digest: &Digest, bytes: &[u8]) -> Result<(), ApiError> {
    let key = JsValue::from_str(&digest.to_string());
    put(TASKS, &[(key, Uint8Array::from(bytes).into())]).await
}

/// The file of a task set, if it was dropped in this browser.
///
/// # Errors
/// If the browser refuses.
pub async fn tasks(digest: &Digest) -> Result<Option<Vec<u8>>, ApiError> {
    Ok(get(TASKS, digest.to_string().into())
        .await?
        .and_then(|value| value.dyn_into::<Uint8Array>().ok())
        .map(|bytes| bytes.to_vec()))
}

/// Keeps the transcripts of a dropped folder under its name.
///
/// # Errors
/// If the browser refuses.
pub async fn put_recording(name: &str, transcripts: &[String]) -> Result<(), ApiError> {
    let texts: Array = transcripts.iter().map(|text| JsValue::from_str(text)).collect();
    put(TAPES, &[(name.into(), texts.into())]).await
}

/// The transcripts of a folder that was dropped under this name.
///
/// # Errors
/// If the browser refuses.
pub async fn recording(name: &str) -> Result<Option<Vec<String>>, ApiError> {
    Ok(get(TAPES, name.into())
        .await?
        .and_then(|value| value.dyn_into::<Array>().ok())
        .map(|texts| texts.iter().filter_map(|text| text.as_string()).collect()))
}

/// The longest that the store is waited for, in milliseconds: the run goes on without it.
const PATIENCE: u32 = 4000;

/// For this many milliseconds a store that did not answer is not asked again.
const ILL: f64 = 60_000.0;

thread_local! {
    static OPEN: RefCell<Option<Rc<Database>>> = const { RefCell::new(None) };
    static ILL_UNTIL: Cell<f64> = const { Cell::new(0.0) };
}

async fn database() -> Result<Rc<Database>, ApiError> {
    if let Some(open) = OPEN.with_borrow(Clone::clone) {
        return Ok(open);
    }
    let stores = [RUNS, LINES, TASKS, TAPES];
    let opened = stores
        .into_iter()
        .fold(DatabaseBuilder::new(NAME).version(VERSION), |builder, store| {
            builder.add_object_store(ObjectStoreBuilder::new(store))
        })
        .build();
    let database = Rc::new(answered(opened).await?);
    OPEN.set(Some(Rc::clone(&database)));
    Ok(database)
}

async fn begin(store: &str, mode: TransactionMode) -> Result<Transaction, ApiError> {
    database().await?.transaction(&[store], mode).map_err(refused)
}

/// Waits until everything that a transaction was asked has been done, and is written.
async fn finish(
    transaction: Transaction,
    asked: impl Future<Output = Result<(), idb::Error>>,
) -> Result<(), ApiError> {
    let committed = transaction.commit().map_err(refused)?;
    // Also a commit can end whose requests never do: then nothing was written.
    let done = async {
        asked.await?;
        committed.await
    };
    match answered(done).await?.is_committed() {
        true => Ok(()),
        false => Err(refusal("the transaction was aborted")),
    }
}

async fn put(store: &str, pairs: &[(JsValue, JsValue)]) -> Result<(), ApiError> {
    let transaction = begin(store, TransactionMode::ReadWrite).await?;
    let objects = transaction.object_store(store).map_err(refused)?;
    let asked = pairs
        .iter()
        .map(|(key, value)| objects.put(value, Some(key)).map_err(refused))
        .collect::<Result<Vec<_>, _>>()?;
    finish(transaction, async {
        for request in asked {
            request.await?;
        }
        Ok(())
    })
    .await
}

async fn get(store: &str, key: JsValue) -> Result<Option<JsValue>, ApiError> {
    let transaction = begin(store, TransactionMode::ReadOnly).await?;
    let found =
        transaction.object_store(store).map_err(refused)?.get(Query::Key(key)).map_err(refused)?;
    answered(found).await
}

/// What the store answers, if it does within [`PATIENCE`]. One that did not is taken for ill for a while, so that a task that
/// asks it for several things in a row waits once.
async fn answered<T>(
    asked: impl IntoFuture<Output = Result<T, idb::Error>>,
) -> Result<T, ApiError> {
    if clock::now() < ILL_UNTIL.get() {
        return Err(refusal(strings::NO_ANSWER));
    }
    match select(pin!(asked.into_future()), pin!(clock::sleep(PATIENCE))).await {
        Either::Left((answer, _)) => answer.map_err(refused),
        Either::Right(_) => {
            ILL_UNTIL.set(clock::now() + ILL);
            Err(refusal(strings::NO_ANSWER))
        }
    }
}

fn line_key(run: &RunId, episode: &EpisodeKey, from: u64) -> JsValue {
    // Line numbers are far below 2^53.
    let from = JsValue::from_f64(from as f64);
    Array::of3(&run.as_str().into(), &episode.as_str().into(), &from).into()
}

/// In the order of keys an array comes after every number and every text, so it closes a range over both.
fn episode_range(run: &RunId, episode: &EpisodeKey) -> Result<KeyRange, ApiError> {
    let (run, episode) = (JsValue::from_str(run.as_str()), JsValue::from_str(episode.as_str()));
    let lower = Array::of2(&run, &episode);
    let upper = Array::of3(&run, &episode, &Array::new());
    KeyRange::bound(&lower, &upper, None, None).map_err(refused)
}

fn run_range(run: &RunId) -> Result<KeyRange, ApiError> {
    let run = JsValue::from_str(run.as_str());
    let lower = Array::of1(&run);
    let upper = Array::of2(&run, &Array::new());
    KeyRange::bound(&lower, &upper, None, None).map_err(refused)
}

fn refused(problem: idb::Error) -> ApiError {
    refusal(&problem.to_string())
}

fn refusal(why: &str) -> ApiError {
    ApiError {
        code: REFUSED.to_owned(),
        message: format!("This browser does not keep the run ({why}); it will not survive a reload."),
        mend: Some("Leave private browsing, free some space or close other pages of this server, and load the \
            page again.".to_owned()),
    }
}
