//! Where the rows of the list come from: the server's list, or the runs that this browser opened.

use futures::{StreamExt as _, stream};
use turnwise_shared::wire::Listed;

use crate::components::missing::Missing;
use crate::prelude::*;
use crate::view::listed::{Sort, Wanted};
use crate::{api, keep};

/// Runs that are shown at a time.
pub const PORTION: usize = 50;
/// Own runs that are asked for at once.
const AT_ONCE: usize = 6;
/// The most runs that are put into another order than the newest first.
const MOST_SORTED: usize = 5_000;

/// How far a list was read: the last run of the server's list, or the number of own runs.
#[derive(Debug, Clone, Default)]
pub struct Cursor {
    before: Option<Listed>,
    own: usize,
}

/// The runs that this browser opened and that a filter takes, newest first, from index `from` of its runs on; and the
/// index at which to go on, unless that were all.
pub async fn own(
    filter: &Filter,
    from: usize,
    most: usize,
) -> Result<(Vec<RunInfo>, Option<usize>), ApiError> {
    let kept = keep::runs().await?;
    let mut found = Vec::new();
    let mut at = from;
    while at < kept.len() && found.len() < most {
        let end = kept.len().min(at + PORTION);
        let asked = stream::iter(&kept[at..end]).map(|kept| api::run(&kept.run));
        let asked: Vec<_> = asked.buffered(AT_ONCE).collect().await;
        let infos = present(asked)?.into_iter();
        found.extend(infos.filter(|run| !run.is_demo() && filter.takes(run)));
        at = end;
    }
    Ok((found, (at < kept.len()).then_some(at)))
}

/// The runs that were made private in this browser and still are; no list of the server's has them.
async fn private(filter: &Filter) -> Result<Vec<RunInfo>, ApiError> {
    let runs = keep::private_runs();
    let asked = stream::iter(&runs).map(api::run).buffered(AT_ONCE);
    let asked: Vec<_> = asked.collect().await;
    let mut found = present(asked)?;
    found.retain(|run| run.visibility == Visibility::Private && filter.takes(run));
    Ok(found)
}

/// Skips the runs that were withdrawn or that the server no longer has.
fn present(asked: Vec<Result<RunInfo, ApiError>>) -> Result<Vec<RunInfo>, ApiError> {
    let is_gone = |problem: &ApiError| Missing::run(problem).is_some();
    asked.into_iter().filter(|found| !found.as_ref().is_err_and(is_gone)).collect()
}

/// The next portion of what is wanted, and the place behind it unless that was all. In another order than the newest first all
/// come at once.
pub async fn next(
    wanted: &Wanted,
    from: Option<Cursor>,
) -> Result<(Vec<RunInfo>, Option<Cursor>), ApiError> {
    let is_first = from.is_none();
    let mut place = from.unwrap_or_default();
    let mut all = Vec::new();
    loop {
        let (found, then) = match wanted.mine {
            true => {
                let (found, own) = own(&wanted.filter, place.own, PORTION).await?;
                (found, own.map(|own| Cursor { own, before: None }))
            }
            false => {
                let before = place.before.as_ref();
                let found = api::runs_like(&wanted.filter, before, PORTION as u32).await?;
                let last = found.last().filter(|_| found.len() >= PORTION);
                let before = last.map(Listed::after);
                let then = before.map(|before| Cursor { before: Some(before), own: 0 });
                (found, then)
            }
        };
        all.extend(found);
        match then {
            Some(then) if wanted.sort != Sort::Newest && all.len() < MOST_SORTED => place = then,
            then => {
                if is_first && !wanted.mine {
                    all.extend(private(&wanted.filter).await?);
                }
                return Ok((all, then));
            }
        }
    }
}

/// A row of the list is gone.
pub fn forget(runs: RwSignal<Option<Vec<RunInfo>>>, gone: &RunInfo) {
    runs.try_update(|runs| {
        if let Some(runs) = runs {
            runs.retain(|run| run.run != gone.run);
        }
    });
}
