//! Runs.

use sqlx::Row as _;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::{Epoch, Holder};
use turnwise_shared::wire::publishing::Change;
use turnwise_shared::wire::{AtValue, Listed};

use super::naming::tags_json;
use super::{Row, Store, StoreError, from_db, run_id, small, to_db};
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
        let spec =
            serde_json::to_string(&run.spec).map_err(|_| StoreError::Unreadable("a spec"))?;
        sqlx::query(
            "INSERT INTO runs (id, token, title, benchmark, spec, state, opened, episodes, regrades, \
             visibility, parent, parent_episode, parent_turn, parent_lines, visitor, tags) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        )
        .bind(run.run.as_str())
        .bind(run.token.to_string())
        .bind(&run.title)
        .bind(&run.spec.benchmark)
        .bind(spec)
        .bind(RunState::Open.name())
        .bind(to_db(run.opened))
        .bind(i64::from(run.episodes))
        .bind(run.regrades.as_ref().map(RunId::as_str))
        .bind(run.visibility.name())
        .bind(run.branch_of.as_ref().map(|of| of.run.as_str()))
        .bind(run.branch_of.as_ref().map(|of| of.episode.as_str()))
        .bind(run.branch_of.as_ref().map(|of| i64::from(of.turn)))
        .bind(run.branch_of.as_ref().map(|of| to_db(of.lines)))
        .bind(i64::from(run.is_visitors))
        .bind(tags_json(&run.tags)?)
        .execute(&self.write)
        .await?;
        Ok(())
    }

    /// Whether there is any run, withdrawn ones included.
    pub async fn has_runs(&self) -> Result<bool, StoreError> {
        let row = sqlx::query("SELECT id FROM runs LIMIT 1");
        Ok(row.fetch_optional(&self.read).await?.is_some())
    }

    /// A run's head; `None` if there is none of that id.
    pub async fn run_head(&self, run: &RunId) -> Result<Option<RunHead>, StoreError> {
        let row = sqlx::query(
            "SELECT token, spec, state, regrades, visibility, visitor, parent, parent_episode, parent_turn, parent_lines, \
             epoch, holder, ends, \
             CASE WHEN EXISTS (SELECT 1 FROM runs p WHERE p.id = runs.regrades AND p.state = 'withdrawn') THEN 1 ELSE 0 END AS gone, \
             CASE WHEN EXISTS (SELECT 1 FROM live l WHERE l.run = id AND l.ended IS NULL) THEN 1 ELSE 0 END AS sealed \
             FROM runs LEFT JOIN leases ON leases.run = id WHERE id = $1",
        )
        .bind(run.as_str())
        .fetch_optional(&self.read)
        .await?;
        row.map(|row| {
            let (left, lease) = (state(row.try_get("state")?)?, lease(&row)?);
            Ok(RunHead {
                run: run.clone(),
                token: row
                    .try_get::<&str, _>("token")?
                    .parse()
                    .map_err(|_| StoreError::Unreadable("a run's token"))?,
                spec: spec(row.try_get("spec")?)?,
                state: left.at(now(), lease.as_ref()),
                left,
                lease,
                reading: match (row.try_get::<i64, _>("sealed")?, row.try_get::<i64, _>("gone")?) {
                    _ if left == RunState::Withdrawn => Reading::Withdrawn,
                    (_, 1) => Reading::Withdrawn,
                    (0, _) => Reading::Free,
                    _ => Reading::Sealed,
                },
                regrades: regrades(&row)?,
                branch_of: branch_of(&row)?,
                visibility: visibility(&row)?,
                is_visitors: row.try_get::<i64, _>("visitor")? == 1,
            })
        })
        .transpose()
    }

    /// What everybody may know of a run; `None` if there is none of that id.
    pub async fn run(&self, run: &RunId) -> Result<Option<RunInfo>, StoreError> {
        let info = sqlx::query(select_runs!("WHERE r.id = $1"))
            .bind(run.as_str())
            .fetch_optional(&self.read)
            .await?
            .map(|row| read(&row))
            .transpose()?;
        Ok(self.by_value(info.into_iter().collect()).await?.pop())
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
                let row = sqlx::query(
                    "SELECT AVG(score) AS accuracy FROM summaries WHERE run = $1 AND play LIKE $2",
                )
                .bind(info.run.as_str())
                .bind(format!("%{}.r%", point.ending()))
                .fetch_one(&self.read)
                .await?;
                info.by_value
                    .push(AtValue { value: point.value, accuracy: row.try_get("accuracy")? });
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
        let asked = |text: &'static str, limit: u32| {
            let limit = i64::from(limit);
            match list {
                Listing::All => sqlx::query(text)
                    .bind(to_db(after.map_or(u64::MAX, |place| place.opened)))
                    .bind(run.map_or(AFTER_EVERY_ID, RunId::as_str).to_owned())
                    .bind(limit),
                Listing::Regradings(of, reader) => sqlx::query(text)
                    .bind(of.as_str().to_owned())
                    .bind(reader.word())
                    .bind(to_db(after.map_or(0, |place| place.opened)))
                    .bind(run.map_or("", RunId::as_str).to_owned())
                    .bind(limit),
            }
        };
        let mut bytes = 0_u64;
        let mut count = 0;
        for row in asked(sizes, limit.min(SIZES)).fetch_all(&self.read).await? {
            bytes = bytes.saturating_add(from_db(row.try_get("bytes")?));
            if count > 0 && bytes > PORTION {
                break;
            }
            count += 1;
        }
        if count == 0 {
            return Ok(Vec::new());
        }
        let rows = asked(portion, count).fetch_all(&self.read).await?;
        let runs: Result<_, _> = rows.iter().map(read).collect();
        self.by_value(runs?).await
    }

    /// The public runs that go on from an episode, oldest first, at most `most`.
    pub(super) async fn branched_from(
        &self,
        run: &RunId,
        play: &EpisodeKey,
        most: i64,
    ) -> Result<Vec<RunInfo>, StoreError> {
        sqlx::query(select_runs!(
            "WHERE r.parent = $1 AND r.parent_episode = $2 AND r.visibility = 'public' AND r.state <> 'withdrawn' \
             ORDER BY r.opened, r.id LIMIT $3"
        ))
        .bind(run.as_str())
        .bind(play.as_str())
        .bind(most)
        .fetch_all(&self.read)
        .await?
        .iter()
        .map(read)
        .collect()
    }

    /// Keeps what speaks against a run, or that nothing does.
    pub async fn set_doubt(&self, run: &RunId, doubt: Option<&Doubt>) -> Result<(), StoreError> {
        let json = doubt.map(serde_json::to_string).transpose();
        let json = json.map_err(|_| StoreError::Unreadable("why a run was refused"))?;
        sqlx::query(
            "UPDATE runs SET refused = $2 WHERE id = $1 AND (refused IS NOT NULL OR CAST($2 AS TEXT) IS NOT NULL)",
        )
        .bind(run.as_str())
        .bind(json)
        .execute(&self.write)
        .await?;
        Ok(())
    }

    /// Says how a run stands now.
    pub async fn set_state(&self, run: &RunId, state: RunState) -> Result<(), StoreError> {
        sqlx::query("UPDATE runs SET state = $2 WHERE id = $1")
            .bind(run.as_str())
            .bind(state.name())
            .execute(&self.write)
            .await?;
        Ok(())
    }
}

fn read(row: &Row) -> Result<RunInfo, StoreError> {
    let lease = lease(row)?;
    let doubt = doubt(row)?;
    Ok(RunInfo {
        run: run_id(row, "id")?,
        title: row.try_get("title")?,
        tags: serde_json::from_str(row.try_get("tags")?)
            .map_err(|_| StoreError::Unreadable("a run's tags"))?,
        spec: spec(row.try_get("spec")?)?,
        state: state(row.try_get("state")?)?.at(now(), lease.as_ref()),
        opened: from_db(row.try_get("opened")?),
        episodes: small(row, "episodes")?,
        finished: small(row, "finished")?,
        // What contradicts itself has no number.
        accuracy: match doubt {
            Some(Doubt::Refused { .. }) => None,
            Some(Doubt::Removed(_)) | None => row.try_get("accuracy")?,
        },
        graded: Some(small(row, "graded")?),
        by_value: Vec::new(),
        regrades: regrades(row)?,
        branch_of: branch_of(row)?,
        visibility: visibility(row)?,
        is_visitors: row.try_get::<i64, _>("visitor")? == 1,
        lease,
        doubt: doubt.map(Box::new),
    })
}

/// What speaks against a run: that it contradicts itself, or the last thing that the public log says of it.
fn doubt(row: &Row) -> Result<Option<Doubt>, StoreError> {
    if let Some(json) = row.try_get::<Option<&str>, _>("refused")? {
        let doubt = serde_json::from_str(json);
        return doubt.map(Some).map_err(|_| StoreError::Unreadable("why a run was refused"));
    }
    let said: Option<&str> = row.try_get("said")?;
    let said: Option<LogEntry> = said
        .map(serde_json::from_str)
        .transpose()
        .map_err(|_| StoreError::Unreadable("an entry of the log"))?;
    let removed = said.filter(|said| said.change == Change::Removed);
    Ok(removed.map(Doubt::Removed))
}

/// The lease in the columns `epoch`, `holder` and `ends` of a run, if it has one.
fn lease(row: &Row) -> Result<Option<Lease>, StoreError> {
    let Some(epoch) = row.try_get::<Option<i64>, _>("epoch")? else {
        return Ok(None);
    };
    let holder = match row.try_get::<&str, _>("holder")? {
        "page" => Holder::Page,
        "server" => Holder::Server,
        _ => return Err(StoreError::Unreadable("the holder of a lease")),
    };
    Ok(Some(Lease { epoch: Epoch(from_db(epoch)), holder, until: from_db(row.try_get("ends")?) }))
}

/// From where the run of a row branches, if it does.
fn branch_of(row: &Row) -> Result<Option<BranchOf>, StoreError> {
    if row.try_get::<Option<&str>, _>("parent")?.is_none() {
        return Ok(None);
    }
    let bad = || StoreError::Unreadable("a run's parent");
    let number = |column: &str| row.try_get::<Option<i64>, _>(column);
    Ok(Some(BranchOf {
        run: run_id(row, "parent")?,
        episode: row
            .try_get::<Option<&str>, _>("parent_episode")?
            .and_then(|episode| episode.parse().ok())
            .ok_or_else(bad)?,
        turn: number("parent_turn")?.and_then(|turn| u32::try_from(turn).ok()).ok_or_else(bad)?,
        lines: number("parent_lines")?.map(from_db).ok_or_else(bad)?,
    }))
}

/// Who may see the run of a row.
fn visibility(row: &Row) -> Result<Visibility, StoreError> {
    Visibility::named(row.try_get("visibility")?)
        .ok_or(StoreError::Unreadable("a run's visibility"))
}

fn regrades(row: &Row) -> Result<Option<RunId>, StoreError> {
    row.try_get::<Option<&str>, _>("regrades")?.map(|_| run_id(row, "regrades")).transpose()
}

fn spec(json: &str) -> Result<Spec, StoreError> {
    serde_json::from_str(json).map_err(|_| StoreError::Unreadable("a run's spec"))
}

fn state(name: &str) -> Result<RunState, StoreError> {
    RunState::ALL
        .into_iter()
        .find(|state| state.name() == name)
        .ok_or(StoreError::Unreadable("a run's state"))
}
