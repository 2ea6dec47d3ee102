//! Whether a run is on a board, so that nothing of it changes.

use turnwise_shared::key::RunId;

use super::statement::sql;
use super::{Connection, StoreError};

/// Whether transcripts of a run are what a row says that stands on a board: its own, or that of a run that grades its plays again.
pub(super) async fn is_fixed(connection: &mut Connection, run: &RunId) -> Result<bool, StoreError> {
    sql!(
        "SELECT e.run FROM entries e JOIN runs r ON r.id = e.run \
         WHERE e.left_at IS NULL AND (r.id = $1 OR r.regrades = $1)",
        run
    )
    .exists(connection)
    .await
}
