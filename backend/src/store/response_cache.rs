//! Replies that stand for all runs.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::Row as _;
use turnwise_shared::hash::Digest;

use super::{Store, StoreError, to_db};

impl Store {
    /// The reply that stands under a key.
    pub async fn cached_reply<T: DeserializeOwned>(
        &self,
        request: &Digest,
    ) -> Result<Option<T>, StoreError> {
        let row = sqlx::query("SELECT reply FROM standing_replies WHERE request = $1")
            .bind(request.to_string())
            .fetch_optional(&self.read)
            .await?;
        let Some(row) = row else { return Ok(None) };
        serde_json::from_str(row.try_get("reply")?)
            .map(Some)
            .map_err(|_| StoreError::Unreadable("a standing reply"))
    }

    /// Lets a reply stand from now on, unless another stands already: that one then, for the first counts.
    pub async fn cache_reply<T: Serialize + DeserializeOwned>(
        &self,
        request: &Digest,
        reply: &T,
        now: u64,
    ) -> Result<Option<T>, StoreError> {
        let reply = serde_json::to_string(reply).expect("a reply is plain data");
        let kept = sqlx::query(
            "INSERT INTO standing_replies (request, reply, kept) VALUES ($1, $2, $3) \
             ON CONFLICT (request) DO NOTHING",
        )
        .bind(request.to_string())
        .bind(reply)
        .bind(to_db(now))
        .execute(&self.write)
        .await?;
        match kept.rows_affected() {
            0 => self.cached_reply(request).await,
            _ => Ok(None),
        }
    }
}
