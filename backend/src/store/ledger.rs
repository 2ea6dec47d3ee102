//! The ledger of calls: an intent before a call is sent, and what came back.

use sqlx::Row as _;
use turnwise_shared::effect::Reply;
use turnwise_shared::episode::CallId;
use turnwise_shared::hash::Digest;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::{CallAnswer, CallKey, CallTiming, RunId, Timing};

use super::together::Entry;
use super::{Store, StoreError, from_db};

impl Store {
    /// Looks a call up. One that was answered returns its answer and must not be sent; else the intent to send it is
    /// written. An earlier intent of which nobody knows what came back counts as lost.
    ///
    /// # Errors
    /// [`StoreError`]; the call must not be sent then.
    pub async fn intend(
        &self,
        key: &CallKey,
        request: &Digest,
        now: u64,
    ) -> Result<Option<CallAnswer>, StoreError> {
        let intent = Entry::Intent {
            key: key.clone(),
            request: *request,
            at: now,
        };
        // Most calls are new; only one that has its answer changes no row, and is looked up.
        match self.together.write(intent).await? {
            0 => match self.answer(key).await? {
                Some(answer) => Ok(Some(answer)),
                None => Err(StoreError::Unreadable("a call")),
            },
            _ => Ok(None),
        }
    }

    /// The stored reply of a call.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn answer(&self, key: &CallKey) -> Result<Option<CallAnswer>, StoreError> {
        let row = sqlx::query(
            "SELECT reply, timing FROM ledger \
             WHERE run = $1 AND episode = $2 AND call = $3 AND digest = $4 AND reply IS NOT NULL",
        )
        .bind(key.run.as_str())
        .bind(key.episode.as_str())
        .bind(i64::from(key.call.0))
        .bind(key.digest.to_string())
        .fetch_optional(&self.read)
        .await?;
        row.map(|row| {
            let reply: Reply = serde_json::from_str(row.try_get("reply")?)
                .map_err(|_| StoreError::Unreadable("a reply"))?;
            let timing: Timing = serde_json::from_str(row.try_get("timing")?)
                .map_err(|_| StoreError::Unreadable("a call's timing"))?;
            Ok(CallAnswer { reply, timing })
        })
        .transpose()
    }

    /// Writes down what came back. A failure is no reply: the call may be sent again.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn answered(&self, key: &CallKey, answer: &CallAnswer) -> Result<(), StoreError> {
        let json = |value: Result<String, serde_json::Error>| {
            value.map_err(|_| StoreError::Unreadable("an answer"))
        };
        let (reply, failure) = match &answer.reply {
            Reply::Failed(failure) => (None, Some(json(serde_json::to_string(failure))?)),
            reply => (Some(json(serde_json::to_string(reply))?), None),
        };
        let answer = Entry::Answer {
            key: key.clone(),
            reply,
            failure,
            timing: json(serde_json::to_string(&answer.timing))?,
        };
        self.together.write(answer).await?;
        Ok(())
    }

    /// What the calls of a run took, by episode and call; of one episode if one is named.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn timings(
        &self,
        run: &RunId,
        episode: Option<&EpisodeKey>,
    ) -> Result<Vec<CallTiming>, StoreError> {
        sqlx::query(
            "SELECT episode, call, timing, sent_at, sent, lost FROM ledger \
             WHERE run = $1 AND (CAST($2 AS TEXT) IS NULL OR episode = $2) ORDER BY episode, call, sent_at",
        )
        .bind(run.as_str())
        .bind(episode.map(EpisodeKey::as_str))
        .fetch_all(&self.read)
        .await?
        .iter()
        .map(|row| {
            let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
            let timing = match row.try_get::<Option<&str>, _>("timing")? {
                Some(timing) => serde_json::from_str(timing)
                    .map_err(|_| StoreError::Unreadable("a call's timing"))?,
                None => Timing {
                    started: from_db(row.try_get("sent_at")?),
                    ..Timing::default()
                },
            };
            Ok(CallTiming {
                episode: row
                    .try_get::<String, _>("episode")?
                    .parse()
                    .map_err(|_| StoreError::Unreadable("an episode's name"))?,
                call: CallId(small(row.try_get("call")?)),
                timing,
                sent: small(row.try_get("sent")?),
                lost: small(row.try_get("lost")?),
            })
        })
        .collect()
    }
}
