//! The heads of runs whose calls came just now. A script makes call after call with the same token, and what is asked of the
//! run does not change between two of them; reading it anew costs as much as the rest of a call.
//!
//! A head is used for [`FRESH`] at most, and all are forgotten as soon as a request has changed anything here
//! ([`forget_after_changes`]). What another server changes is known after [`FRESH`]. Calls over a socket use them, too.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use turnwise_shared::hash::Digest;
use turnwise_shared::key::RunId;
use turnwise_shared::wire::driving::Epoch;

use crate::App;
use crate::access::{again, owned};
use crate::driving::lease;
use crate::error::Answer;
use crate::store::RunHead;

/// How long a head is used.
const FRESH: Duration = Duration::from_millis(100);

/// Runs whose heads are kept.
const KEPT: usize = 64;

/// The address that uses them, and changes no run.
const CALL: &str = "/api/call";

/// Ids of runs are never given twice, so one place serves every server of this process.
static HEADS: LazyLock<Mutex<Heads>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Heads {
    kept: HashMap<RunId, (Instant, Arc<RunHead>)>,
    /// How often all were forgotten: what was read before the last time is not kept after it.
    forgotten: u64,
}

/// The run of a call, if the caller has its token and drives it, or no driver ever did.
///
/// # Errors
/// As [`owned`] and [`lease::named`].
pub async fn driven_lately(
    app: &App,
    run: &RunId,
    token: &str,
    epoch: Epoch,
) -> Answer<Arc<RunHead>> {
    let read = owned(app, run.as_str(), Some(token));
    let head = lately(run, &Digest::of(token), epoch, read).await?;
    lease::named(&head, epoch)?;
    Ok(head)
}

/// The current state of the same run, for a driver that has shown its token and named this epoch before. Whether they still drive
/// it is theirs to look at.
///
/// # Errors
/// As [`again`].
pub async fn again_lately(app: &App, run: &RunHead, epoch: Epoch) -> Answer<Arc<RunHead>> {
    lately(&run.run, &run.token, epoch, again(app, &run.run)).await
}

/// The head that is known, if it is one of this token and epoch, or what is read now.
async fn lately(
    run: &RunId,
    token: &Digest,
    epoch: Epoch,
    read: impl Future<Output = Answer<RunHead>>,
) -> Answer<Arc<RunHead>> {
    let known = heads()
        .kept
        .get(run)
        .filter(|(read, head)| read.elapsed() < FRESH && head.token == *token)
        // Another driver may have taken it over at another server: then it is read anew.
        .filter(|(_, head)| lease::named(head, epoch).is_ok())
        .map(|(_, head)| Arc::clone(head));
    if let Some(head) = known {
        return Ok(head);
    }
    let (began, forgotten) = (Instant::now(), heads().forgotten);
    let head = Arc::new(read.await?);
    let mut heads = heads();
    if heads.forgotten == forgotten {
        let kept = &mut heads.kept;
        if kept.len() >= KEPT {
            kept.retain(|_, (read, _)| read.elapsed() < FRESH);
        }
        if kept.len() < KEPT || kept.contains_key(run) {
            kept.insert(run.clone(), (began, Arc::clone(&head)));
        }
    }
    Ok(head)
}

/// The middleware: after a request that may have changed a run nothing is known of any.
pub async fn forget_after_changes(request: Request, next: Next) -> Response {
    let changes = !request.method().is_safe() && request.uri().path() != CALL;
    let answer = next.run(request).await;
    if changes {
        let mut heads = heads();
        heads.kept.clear();
        heads.forgotten += 1;
    }
    answer
}

fn heads() -> MutexGuard<'static, Heads> {
    HEADS.lock().unwrap_or_else(PoisonError::into_inner)
}
