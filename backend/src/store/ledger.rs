//! The ledger of calls: an intent before a call is sent, and what came back.

use sqlx::Row as _;
use turnwise_shared::effect::Reply;
use turnwise_shared::episode::CallId;
use turnwise_shared::hash::Digest;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::{CallAnswer, CallKey, CallTiming, RunId, Timing};

use super::{Store, StoreError, from_db, to_db};

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
        if let Some(answer) = self.answer(key).await? {
            return Ok(Some(answer));
        }
        sqlx::query(
            "INSERT INTO ledger (run, episode, call, digest, request, sent_at, sent, lost) \
             VALUES ($1, $2, $3, $4, $5, $6, 1, 0) \
             ON CONFLICT (run, episode, call, digest) DO UPDATE SET \
             request = $5, sent_at = $6, sent = ledger.sent + 1, failure = NULL, timing = NULL, \
             lost = ledger.lost + CASE WHEN ledger.failure IS NULL THEN 1 ELSE 0 END \
             WHERE ledger.reply IS NULL",
        )
        .bind(key.run.as_str())
        .bind(key.episode.as_str())
        .bind(i64::from(key.call.0))
        .bind(key.digest.to_string())
        .bind(request.to_string())
        .bind(to_db(now))
        .execute(&self.write)
        .await?;
        Ok(None)
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
        sqlx::query(
            "UPDATE ledger SET reply = $5, failure = $6, timing = $7 \
             WHERE run = $1 AND episode = $2 AND call = $3 AND digest = $4 AND reply IS NULL",
        )
        .bind(key.run.as_str())
        .bind(key.episode.as_str())
        .bind(i64::from(key.call.0))
        .bind(key.digest.to_string())
        .bind(reply)
        .bind(failure)
        .bind(json(serde_json::to_string(&answer.timing))?)
        .execute(&self.write)
        .await?;
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
             WHERE run = $1 AND ($2 IS NULL OR episode = $2) ORDER BY episode, call, sent_at",
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
