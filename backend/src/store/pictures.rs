//! Pictures over the [blobs](super::blobs), and which of them the transcripts of a run show.

use turnwise_shared::hash::Digest;
use turnwise_shared::key::RunId;
use turnwise_shared::transcript::event_of;

use super::blobs::{Blob, Blobs as _};
use super::packing::LARGEST;
use super::statement::sql;
use super::{Connection, Store, StoreError};

impl Store {
    /// Keeps a picture under its digest, unless it is there.
    pub async fn keep_picture(&self, png: &[u8]) -> Result<(), StoreError> {
        let mut parts: Vec<_> = png.chunks(LARGEST).map(|part| (Digest::of(part), part)).collect();
        let hashes: Vec<Digest> = parts.iter().map(|(hash, _)| *hash).collect();
        parts.sort_by_key(|(hash, _)| *hash);
        let blobs = parts.into_iter().map(|(hash, part)| Blob::of(hash, part)).collect();
        let mut transaction = self.write.begin().await?;
        transaction.keep(blobs).await?;
        sql!(
            "INSERT INTO pictures (digest, parts) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            Digest::of(png),
            hashes
        )
        .run(&mut *transaction)
        .await?;
        transaction.commit().await
    }

    /// The bytes of a picture; `None` if it is not kept.
    pub async fn picture(&self, picture: &Digest) -> Result<Option<Vec<u8>>, StoreError> {
        let mut connection = self.read.acquire().await?;
        let parts: Option<Vec<Digest>> =
            sql!("SELECT parts FROM pictures WHERE digest = $1", picture)
                .first(&mut *connection)
                .await?;
        let Some(parts) = parts else { return Ok(None) };
        let blobs = connection.fetch(&parts.iter().copied().collect()).await?;
        let parts = parts.iter().map(|part| blobs.get(part).map(Vec::as_slice));
        parts
            .collect::<Option<Vec<_>>>()
            .map(|parts| Some(parts.concat()))
            .ok_or(StoreError::Unreadable("a picture"))
    }

    /// Whether the transcripts of a run show a picture.
    pub async fn shows_picture(&self, run: &RunId, picture: &Digest) -> Result<bool, StoreError> {
        sql!("SELECT run FROM shown_pictures WHERE run = $1 AND digest = $2", run, picture)
            .exists(&self.read)
            .await
    }
}

/// Notes the pictures that new lines of a run's transcripts show.
pub(super) async fn note_shown(
    connection: &mut Connection,
    run: &RunId,
    lines: &str,
) -> Result<(), StoreError> {
    for line in lines.lines().filter(|line| line.contains(r#""made":"picture""#)) {
        if let Some(picture) = event_of(line).ok().and_then(|event| event.picture()) {
            sql!(
                "INSERT INTO shown_pictures (run, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                run,
                picture.digest
            )
            .run(&mut *connection)
            .await?;
        }
    }
    Ok(())
}
