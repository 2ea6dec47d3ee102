//! The ledger of calls: an intent before a call is sent, and what came back.

use std::future::ready;

use futures::{Stream, TryStreamExt as _};
use sqlx::Row as _;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::receipts::Endpoint;

use super::statement::{FromRow, ReadRow as _, sql};
use super::together::Entry;
use super::{Row, Store, StoreError, is_there};
use crate::clock::now;
use crate::long_texts::beside;

/// The longest that a call takes with all its attempts, in milliseconds.
const LONGEST_CALL: u64 = 3 * 3_600_000;

/// What is to be done about a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Intended {
    /// It is the caller's to send: the intent is written.
    Ours,
    Answered(Box<Answered>),
    /// Another server that is there sends it.
    Elsewhere,
}

/// How a call stands that another server sends.
#[derive(Debug, Clone, PartialEq)]
pub enum Elsewhere {
    /// It is on its way.
    Flying,
    /// Something came back: a reply, or a failure.
    Answered(Box<Answered>),
    /// The server is gone; what came back will never be known.
    Left,
}

/// A call that has come back, as the ledger has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    pub key: CallKey,
    /// The digest of what was sent.
    pub sent: Digest,
    pub answer: CallAnswer,
    /// Where it went; `None` if it went nowhere, or that was not noted.
    pub endpoint: Option<Endpoint>,
}

impl Store {
    /// Looks a call up. One that was answered returns its answer and must not be sent, nor must one that another server sends; else
    /// the intent to send it is written. An earlier intent whose answer is unknown counts as lost.
    ///
    /// # Errors
    /// [`StoreError`]; the call must not be sent then.
    pub async fn intend(
        &self,
        key: &CallKey,
        request: &Digest,
        now: u64,
    ) -> Result<Intended, StoreError> {
        let intent = Entry::Intent { key: key.clone(), request: *request, at: now };
        // Most calls are new; only one that has its answer or is on its way changes no row, and is looked up.
        Ok(match self.together.write(intent).await? {
            0 => match self.answer(key).await? {
                Some(known) => Intended::Answered(Box::new(known)),
                None => Intended::Elsewhere,
            },
            _ => Intended::Ours,
        })
    }

    /// How a call stands that another server was about to send.
    pub async fn elsewhere(&self, key: &CallKey, now: u64) -> Result<Elsewhere, StoreError> {
        let found = sql!(
            concat!(
                "SELECT run, episode, call, digest, request, reply, failure, timing, endpoint, CASE WHEN EXISTS \
                 (SELECT 1 FROM servers s WHERE s.id = ledger.owner AND ",
                is_there!("s.ends", "$5"),
                ") THEN 1 ELSE 0 END AS flying \
                 FROM ledger WHERE run = $1 AND episode = $2 AND call = $3 AND digest = $4",
            ),
            key,
            now
        );
        let Some(row) = found.first::<Row>(&self.read).await? else {
            return Ok(Elsewhere::Left);
        };
        Ok(match answered(&row)? {
            Some(answered) => Elsewhere::Answered(Box::new(answered)),
            None if row.read("flying")? => Elsewhere::Flying,
            None => Elsewhere::Left,
        })
    }

    /// The stored reply of a call.
    pub async fn answer(&self, key: &CallKey) -> Result<Option<Answered>, StoreError> {
        let found = sql!(
            "SELECT run, episode, call, digest, request, reply, failure, timing, endpoint FROM ledger \
             WHERE run = $1 AND episode = $2 AND call = $3 AND digest = $4 AND reply IS NOT NULL",
            key
        );
        let Some(row) = found.first::<Row>(&self.read).await? else {
            return Ok(None);
        };
        let bytes = row.try_get::<&str, _>("reply")?.len();
        let answered = beside(bytes, || answered(&row)).await?;
        answered.map(Some).ok_or(StoreError::Unreadable("a reply"))
    }

    /// Whether the reply of a call is stored.
    pub async fn has_reply(&self, key: &CallKey) -> Result<bool, StoreError> {
        sql!(
            "SELECT call FROM ledger \
             WHERE run = $1 AND episode = $2 AND call = $3 AND digest = $4 AND reply IS NOT NULL",
            key
        )
        .exists(&self.read)
        .await
    }

    /// Writes down what came back once `sent` had gone out, and from where. A failure is no reply: the call may be sent again. Returns
    /// the reply that is kept, if another one came first.
    pub async fn answered(
        &self,
        key: &CallKey,
        sent: &Digest,
        answer: &CallAnswer,
        endpoint: Option<&Endpoint>,
    ) -> Result<Option<Answered>, StoreError> {
        let json = |value: Result<String, serde_json::Error>| {
            value.map_err(|_| StoreError::Unreadable("an answer"))
        };
        let (reply, failure) = match &answer.reply {
            Reply::Failed(failure) => (None, Some(json(serde_json::to_string(failure))?)),
            reply => {
                let text = beside(reply.bytes(), || serde_json::to_string(reply)).await;
                (Some(json(text)?), None)
            }
        };
        let answer = Entry::Answer {
            key: key.clone(),
            request: *sent,
            was_sent: failure.is_none() || answer.timing.attempts > 0,
            reply,
            failure,
            timing: json(serde_json::to_string(&answer.timing))?,
            endpoint: endpoint.map(serde_json::to_string).map(json).transpose()?,
        };
        match self.together.write(answer).await? {
            0 => self.answer(key).await,
            _ => Ok(None),
        }
    }

    /// The calls that came back since a time, one after the other.
    pub fn answered_since(
        &self,
        since: u64,
    ) -> impl Stream<Item = Result<Answered, StoreError>> + '_ {
        let all = sql!(
            "SELECT run, episode, call, digest, request, reply, failure, timing, endpoint FROM ledger \
             WHERE sent_at >= $1 AND timing IS NOT NULL",
            since.saturating_sub(LONGEST_CALL)
        );
        all.stream(&self.read).and_then(|row| ready(answered(&row))).try_filter_map(move |known| {
            let came = known.as_ref().is_some_and(|known| {
                let Timing { started, took, .. } = known.answer.timing;
                started.saturating_add(took) >= since
            });
            ready(Ok(known.filter(|_| came)))
        })
    }

    /// What the calls of a run took, by episode and call; of one episode if one is named.
    pub async fn timings(
        &self,
        run: &RunId,
        episode: Option<&EpisodeKey>,
    ) -> Result<Vec<CallTiming>, StoreError> {
        sql!(
            "SELECT episode, call, timing, sent_at, sent, lost FROM ledger \
             WHERE run = $1 AND (CAST($2 AS TEXT) IS NULL OR episode = $2) ORDER BY episode, call, sent_at",
            run,
            episode
        )
        .all(&self.read)
        .await
    }

    /// For how many milliseconds calls of a run have been under way until now, at least one at a time: what has come back for as
    /// long as it took, and what has not since it was sent, as long as the server is there that sent it, but no longer than a call
    /// takes at the longest.
    pub async fn under_way(&self, run: &RunId) -> Result<u64, StoreError> {
        let now = now();
        let calls: Vec<(Option<Timing>, u64, Option<u64>)> = sql!(
            "SELECT l.timing, l.sent_at, s.ends FROM ledger l LEFT JOIN servers s ON s.id = l.owner WHERE l.run = $1",
            run
        )
        .all(&self.read)
        .await?;
        let spans = calls.into_iter().map(|(timing, sent, ends)| match timing {
            Some(timing) => (timing.started, timing.started.saturating_add(timing.took)),
            // The end of a server that is forgotten by now is unknown.
            None => (sent, ends.unwrap_or(0).min(now).min(sent.saturating_add(LONGEST_CALL))),
        });
        Ok(under_way(spans.collect()))
    }
}

impl FromRow for CallTiming {
    fn from_row(row: &Row) -> Result<Self, StoreError> {
        let timing = match row.read("timing")? {
            Some(timing) => timing,
            None => Timing { started: row.read("sent_at")?, ..Timing::default() },
        };
        Ok(CallTiming {
            episode: row.read("episode")?,
            call: row.read("call")?,
            timing,
            sent: row.read("sent")?,
            lost: row.read("lost")?,
        })
    }
}

/// How long these spans are together, each from a time to another; where several overlap it counts once.
pub fn under_way(mut spans: Vec<(u64, u64)>) -> u64 {
    spans.sort_unstable();
    let (mut all, mut until) = (0_u64, 0_u64);
    for (started, end) in spans {
        all += end.saturating_sub(started.max(until));
        until = until.max(end);
    }
    all
}

/// What came back, in the columns `reply`, `failure` and `timing`; `None` if that is not known.
pub(super) fn came(row: &Row) -> Result<Option<CallAnswer>, StoreError> {
    let reply = match (row.read("reply")?, row.read("failure")?) {
        (Some(reply), _) => reply,
        (None, Some(failure)) => Reply::Failed(failure),
        (None, None) => return Ok(None),
    };
    let timing: Option<Timing> = row.read("timing")?;
    Ok(timing.map(|timing| CallAnswer { reply, timing }))
}

/// A call with what came back; `None` if that is not known.
fn answered(row: &Row) -> Result<Option<Answered>, StoreError> {
    let Some(answer) = came(row)? else {
        return Ok(None);
    };
    Ok(Some(Answered {
        key: CallKey::from_row(row)?,
        sent: row.read("request")?,
        answer,
        endpoint: row.read("endpoint")?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_in_which_several_calls_were_under_way_counts_once() {
        let call = |started: u64, took: u64| (started, started + took);
        let spans = vec![
            call(1000, 500),
            call(90_000, 2000),
            call(1200, 100),
            call(1300, 400),
            // Lost with a server whose end is unknown.
            (5000, 0),
        ];
        assert_eq!(under_way(spans), 700 + 2000);
        assert_eq!(under_way(Vec::new()), 0);
    }
}
