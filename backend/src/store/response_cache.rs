//! Replies that stand for all runs.

use serde::Serialize;
use serde::de::DeserializeOwned;
use turnwise_shared::hash::Digest;

use super::statement::{Json, sql};
use super::{Store, StoreError};

impl Store {
    /// The reply that stands under a key.
    pub async fn cached_reply<T: DeserializeOwned>(
        &self,
        request: &Digest,
    ) -> Result<Option<T>, StoreError> {
        let reply: Option<String> =
            sql!("SELECT reply FROM standing_replies WHERE request = $1", request)
                .first(&self.read)
                .await?;
        let reply = reply.as_deref().map(serde_json::from_str).transpose();
        reply.map_err(|_| StoreError::Unreadable("a standing reply"))
    }

    /// Lets a reply stand from now on, unless another stands already: that one then, for the first counts.
    pub async fn cache_reply<T: Serialize + DeserializeOwned>(
        &self,
        request: &Digest,
        reply: &T,
        now: u64,
    ) -> Result<Option<T>, StoreError> {
        let kept = sql!(
            "INSERT INTO standing_replies (request, reply, kept) VALUES ($1, $2, $3) \
             ON CONFLICT (request) DO NOTHING",
            request,
            Json::of(reply),
            now
        )
        .changed(&self.write)
        .await?;
        match kept {
            0 => self.cached_reply(request).await,
            _ => Ok(None),
        }
    }
}
