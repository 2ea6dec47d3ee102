//! Runs.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::Change;
use turnwise_shared::wire::{AtValue, Listed};

use super::statement::{FromRow, ReadRow as _, sql};
use super::{Row, Store, StoreError};
use crate::clock::now;

/// A run that is to be kept.
#[derive(Debug, Clone)]
pub struct NewRun {
    pub run: RunId,
    /// The hash of its token; the token itself is not kept.
    pub token: Digest,
    pub title: String,
    /// By which people find it.
    pub tags: Vec<String>,
    /// Everything that decides how it goes.
    pub spec: Spec,
    /// Milliseconds since 1970.
    pub opened: u64,
    pub episodes: u32,
    /// The run whose plays it grades again, if it does that.
    pub regrades: Option<RunId>,
    /// From where its only play branches, if it does.
    pub branch_of: Option<BranchOf>,
    pub visibility: Visibility,
    /// Whether a visitor opened it, without an access token.
    pub is_visitors: bool,
}

/// What decides about a run's calls and lines; nothing in it is counted.
#[derive(Debug, Clone)]
pub struct RunHead {
    pub run: RunId,
    /// The hash of its token.
    pub token: Digest,
    /// Everything that decides how it goes.
    pub spec: Spec,
    pub state: RunState,
    /// How it was left: the same, but for a lease that has run out since.
    pub left: RunState,
    /// Who drives it or did so last, if it was ever driven.
    pub lease: Option<Lease>,
    pub reading: Reading,
    /// The run whose plays it grades again, if it does that.
    pub regrades: Option<RunId>,
    /// From where its only play branches, if it does.
    pub branch_of: Option<BranchOf>,
    /// Who may see it besides the holders of its token.
    pub visibility: Visibility,
    /// Whether a visitor opened it, without an access token.
    pub is_visitors: bool,
}

impl RunHead {
    /// Whether the reader has the run's own token. Hashes are compared, so the time that it takes tells nothing about the token.
    pub fn is_owned_by(&self, token: Option<&str>) -> bool {
        token.is_some_and(|token| Digest::of(token) == self.token)
    }
}

impl RunHead {
    /// The run that holds its episodes.
    pub fn plays(&self) -> &RunId {
        self.regrades.as_ref().unwrap_or(&self.run)
    }
}

/// Whom a run is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reader {
    /// A reader without a token.
    Anybody,
    /// A reader who named a token with this hash.
    Token(Digest),
}

impl Reader {
    /// The reader with this token, if any.
    pub fn of(token: Option<&str>) -> Self {
        token.map_or(Reader::Anybody, |token| Reader::Token(Digest::of(token)))
    }

    /// What the database compares with a run's token; no token has the empty hash.
    pub(super) fn word(&self) -> String {
        match self {
            Reader::Anybody => String::new(),
            Reader::Token(digest) => digest.to_string(),
        }
    }
}

#[derive(Debug, Clone)]
pub enum Listing {
    /// All, the newest first, without those that are sealed, private or withdrawn.
    All,
    /// Those that grade the episodes of this run again, the oldest first: those that are public, and for a reader with the run's
    /// token those that are unlisted, too.
    Regradings(RunId, Reader),
}

/// Who may read a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    Free,
    /// No reader before its live table is over.
    Sealed,
    /// No reader any more: its owner took it back, or the run whose plays it grades again was.
    Withdrawn,
}

/// A run with what is counted over its episodes, and which runs.
macro_rules! select_runs {
    ($($which:tt)*) => {
        concat!(
            "SELECT r.id, r.title, r.tags, r.spec, r.state, r.opened, r.episodes, r.regrades, r.visibility, r.visitor, \
             r.parent, r.parent_episode, r.parent_turn, r.parent_lines, \
             (SELECT COUNT(*) FROM episodes e WHERE e.run = r.id AND e.ending IS NOT NULL \
              AND e.episode LIKE CASE WHEN r.regrades IS NULL THEN '%.play' ELSE '%.grading' END) AS finished, \
             (SELECT AVG(s.score) FROM summaries s WHERE s.run = r.id) AS accuracy, \
             (SELECT COUNT(s.score) FROM summaries s WHERE s.run = r.id) AS graded, \
             (SELECT g.entry FROM log g WHERE g.run = r.id ORDER BY g.number DESC LIMIT 1) AS said, \
             r.refused, l.epoch, l.holder, l.ends \
             FROM runs r LEFT JOIN leases l ON l.run = r.id ",
            $($which)*
        )
    };
}

/// Which runs a list has, and in which order: those of [`Listing::All`] after time $1 and id $2, and those of
/// [`Listing::Regradings`] of run $1 for a reader with token $2, after time $3 and id $4.
macro_rules! listed {
    (all) => {
        "WHERE r.opened <= $1 AND (r.opened < $1 OR r.id > $2) AND r.visibility <> 'private' AND r.state <> 'withdrawn' \
         AND NOT EXISTS (SELECT 1 FROM live l WHERE l.run = r.id AND l.ended IS NULL) \
         AND NOT EXISTS (SELECT 1 FROM runs p WHERE p.id = r.regrades AND (p.visibility = 'private' OR p.state = 'withdrawn')) \
         ORDER BY r.opened DESC, r.id LIMIT $3"
    };
    (regradings) => {
        "WHERE r.regrades = $1 AND r.state <> 'withdrawn' AND (r.visibility = 'public' OR (r.visibility <> 'private' \
         AND EXISTS (SELECT 1 FROM runs p WHERE p.id = r.regrades AND p.token = $2))) \
         AND (r.opened > $3 OR (r.opened = $3 AND r.id > $4)) ORDER BY r.opened, r.id LIMIT $5"
    };
}

/// Bytes of specs that are read at once for a list; a larger one is read alone.
const PORTION: u64 = 256 * 1024;

/// The most runs whose sizes are looked up.
const SIZES: u32 = 200;

/// Stands after every run's id.
const AFTER_EVERY_ID: &str = "g";

impl Store {
    /// Keeps a new run.
    pub async fn add_run(&self, run: &NewRun) -> Result<(), StoreError> {
        let of = run.branch_of.as_ref();
        sql!(
            "INSERT INTO runs (id, token, title, benchmark, spec, state, opened, episodes, regrades, \
             visibility, parent, parent_episode, parent_turn, parent_lines, visitor, tags) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
            run.run,
            run.token,
            run.title,
            run.spec.benchmark,
            run.spec,
            RunState::Open,
            run.opened,
            run.episodes,
            run.regrades,
            run.visibility,
            of.map(|of| &of.run),
            of.map(|of| &of.episode),
            of.map(|of| of.turn),
            of.map(|of| of.lines),
            run.is_visitors,
            run.tags
        )
        .run(&self.write)
        .await
    }

    /// Whether there is any run, withdrawn ones included.
    pub async fn has_runs(&self) -> Result<bool, StoreError> {
        sql!("SELECT id FROM runs LIMIT 1").exists(&self.read).await
    }

    /// A run's head; `None` if there is none of that id.
    pub async fn run_head(&self, run: &RunId) -> Result<Option<RunHead>, StoreError> {
        sql!(
            "SELECT id, token, spec, state, regrades, visibility, visitor, parent, parent_episode, parent_turn, parent_lines, \
             epoch, holder, ends, \
             CASE WHEN EXISTS (SELECT 1 FROM runs p WHERE p.id = runs.regrades AND p.state = 'withdrawn') THEN 1 ELSE 0 END AS gone, \
             CASE WHEN EXISTS (SELECT 1 FROM live l WHERE l.run = id AND l.ended IS NULL) THEN 1 ELSE 0 END AS sealed \
             FROM runs LEFT JOIN leases ON leases.run = id WHERE id = $1",
            run
        )
        .first(&self.read)
        .await
    }

    /// What everybody may know of a run; `None` if there is none of that id.
    pub async fn run(&self, run: &RunId) -> Result<Option<RunInfo>, StoreError> {
        let info = sql!(select_runs!("WHERE r.id = $1"), run).all(&self.read).await?;
        Ok(self.by_value(info).await?.pop())
    }

    /// The same runs, of sweeps a number at each value instead of one over all of them.
    async fn by_value(&self, mut runs: Vec<RunInfo>) -> Result<Vec<RunInfo>, StoreError> {
        for info in &mut runs {
            let Ok(benchmark) = registry::find(&info.spec.benchmark) else {
                continue;
            };
            info.graded.take_if(|_| benchmark.participants().is_some());
            let mut points = benchmark.points(&info.spec);
            points.sort_by_key(|point| point.value);
            if info.accuracy.take_if(|_| !points.is_empty()).is_none() {
                continue;
            }
            for point in points {
                let accuracy = sql!(
                    "SELECT AVG(score) AS accuracy FROM summaries WHERE run = $1 AND play LIKE $2",
                    info.run,
                    format!("%{}.r%", point.ending())
                );
                let accuracy = accuracy.one(&self.read).await?;
                info.by_value.push(AtValue { value: point.value, accuracy });
            }
        }
        Ok(runs)
    }

    /// The next of a list: as many as have [`PORTION`] bytes of specs, at least one, and none at its end.
    pub async fn portion(
        &self,
        list: &Listing,
        after: Option<&Listed>,
        limit: u32,
    ) -> Result<Vec<RunInfo>, StoreError> {
        let run = after.and_then(|place| place.run.as_ref());
        let (sizes, portion) = match list {
            Listing::All => (
                concat!(
                    "SELECT CAST(octet_length(r.spec) AS BIGINT) AS bytes FROM runs r ",
                    listed!(all)
                ),
                select_runs!(listed!(all)),
            ),
            Listing::Regradings(..) => (
                concat!(
                    "SELECT CAST(octet_length(r.spec) AS BIGINT) AS bytes FROM runs r ",
                    listed!(regradings)
                ),
                select_runs!(listed!(regradings)),
            ),
        };
        let asked = |text: &'static str, limit: u32| match list {
            Listing::All => sql!(
                text,
                after.map_or(u64::MAX, |place| place.opened),
                run.map_or(AFTER_EVERY_ID, RunId::as_str),
                limit
            ),
            Listing::Regradings(of, reader) => sql!(
                text,
                of,
                reader.word(),
                after.map_or(0, |place| place.opened),
                run.map_or("", RunId::as_str),
                limit
            ),
        };
        let mut bytes = 0_u64;
        let mut count = 0;
        let all: Vec<u64> = asked(sizes, limit.min(SIZES)).all(&self.read).await?;
        for size in all {
            bytes = bytes.saturating_add(size);
            if count > 0 && bytes > PORTION {
                break;
            }
            count += 1;
        }
        if count == 0 {
            return Ok(Vec::new());
        }
        self.by_value(asked(portion, count).all(&self.read).await?).await
    }

    /// The public runs that go on from an episode, oldest first, at most `most`.
    pub(super) async fn branched_from(
        &self,
        run: &RunId,
        play: &EpisodeKey,
        most: i64,
    ) -> Result<Vec<RunInfo>, StoreError> {
        sql!(
            select_runs!(
                "WHERE r.parent = $1 AND r.parent_episode = $2 AND r.visibility = 'public' AND r.state <> 'withdrawn' \
                 ORDER BY r.opened, r.id LIMIT $3"
            ),
            run,
            play,
            most
        )
        .all(&self.read)
        .await
    }

    /// Keeps what speaks against a run, or that nothing does.
    pub async fn set_doubt(&self, run: &RunId, doubt: Option<&Doubt>) -> Result<(), StoreError> {
        sql!(
            "UPDATE runs SET refused = $2 WHERE id = $1 AND (refused IS NOT NULL OR CAST($2 AS TEXT) IS NOT NULL)",
            run,
            doubt
        )
        .run(&self.write)
        .await
    }

    /// Says how a run stands now.
    pub async fn set_state(&self, run: &RunId, state: RunState) -> Result<(), StoreError> {
        sql!("UPDATE runs SET state = $2 WHERE id = $1", run, state).run(&self.write).await
    }
}

impl FromRow for RunHead {
    fn from_row(row: &Row) -> Result<Self, StoreError> {
        let (left, lease) = (row.read("state")?, lease(row)?);
        Ok(RunHead {
            run: row.read("id")?,
            token: row.read("token")?,
            spec: row.read("spec")?,
            state: RunState::at(left, now(), lease.as_ref()),
            left,
            lease,
            reading: match (row.read("sealed")?, row.read("gone")?) {
                _ if left == RunState::Withdrawn => Reading::Withdrawn,
                (_, true) => Reading::Withdrawn,
                (false, _) => Reading::Free,
                _ => Reading::Sealed,
            },
            regrades: row.read("regrades")?,
            branch_of: branch_of(row)?,
            visibility: row.read("visibility")?,
            is_visitors: row.read("visitor")?,
        })
    }
}

impl FromRow for RunInfo {
    fn from_row(row: &Row) -> Result<Self, StoreError> {
        let lease = lease(row)?;
        let doubt = doubt(row)?;
        Ok(RunInfo {
            run: row.read("id")?,
            title: row.read("title")?,
            tags: row.read("tags")?,
            spec: row.read("spec")?,
            state: row.read::<RunState>("state")?.at(now(), lease.as_ref()),
            opened: row.read("opened")?,
            episodes: row.read("episodes")?,
            finished: row.read("finished")?,
            // What contradicts itself has no number.
            accuracy: match doubt {
                Some(Doubt::Refused { .. }) => None,
                Some(Doubt::Removed(_)) | None => row.read("accuracy")?,
            },
            graded: Some(row.read("graded")?),
            by_value: Vec::new(),
            regrades: row.read("regrades")?,
            branch_of: branch_of(row)?,
            visibility: row.read("visibility")?,
            is_visitors: row.read("visitor")?,
            lease,
            doubt: doubt.map(Box::new),
        })
    }
}

/// What speaks against a run: that it contradicts itself, or the last thing that the public log says of it.
fn doubt(row: &Row) -> Result<Option<Doubt>, StoreError> {
    let refused: Option<Doubt> = row.read("refused")?;
    if refused.is_some() {
        return Ok(refused);
    }
    let said: Option<LogEntry> = row.read("said")?;
    Ok(said.filter(|said| said.change == Change::Removed).map(Doubt::Removed))
}

/// The lease in the columns `epoch`, `holder` and `ends` of a run, if it has one.
fn lease(row: &Row) -> Result<Option<Lease>, StoreError> {
    let Some(epoch) = row.read("epoch")? else {
        return Ok(None);
    };
    Ok(Some(Lease { epoch, holder: row.read("holder")?, until: row.read("ends")? }))
}

/// From where the run of a row branches, if it does.
fn branch_of(row: &Row) -> Result<Option<BranchOf>, StoreError> {
    let Some(run) = row.read("parent")? else {
        return Ok(None);
    };
    Ok(Some(BranchOf {
        run,
        episode: row.read("parent_episode")?,
        turn: row.read("parent_turn")?,
        lines: row.read("parent_lines")?,
    }))
}
