//! On which day calls were made, from the times beside the transcripts.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::Result;

use turnwise_backend::run_folder;
use turnwise_shared::metrics::summary;
use turnwise_shared::prelude::*;

use super::given::Play;
use crate::cli::files::Extent;

/// Says in each episode's summary on which days its calls and those of its grading were made, where a folder has times.
///
/// # Errors
/// If times cannot be read.
pub(super) fn date(
    folders: &[(PathBuf, Extent)],
    plays: &[Play],
    gradings: &HashMap<Digest, &Transcript>,
    summaries: &mut [Summary],
) -> Result<()> {
    for (number, (folder, _)) in folders.iter().enumerate() {
        let mut started: HashMap<EpisodeKey, HashMap<_, u64>> = HashMap::new();
        for call in run_folder::timings(folder)? {
            let calls = started.entry(call.episode).or_default();
            calls.insert(call.call, call.timing.started);
        }
        let of_folder = plays.iter().zip(summaries.iter_mut());
        for (play, summary) in of_folder.filter(|(play, _)| play.folder == number) {
            let header = &play.transcript.header;
            let key = EpisodeKey::play(&header.task.id, header.repeat);
            let grading = gradings.get(&play.transcript.chain).copied();
            for (key, transcript) in
                [(key.clone(), Some(&play.transcript)), (key.grading(), grading)]
            {
                if let (Some(started), Some(transcript)) = (started.get(&key), transcript) {
                    summary::date(summary, transcript, |call| started.get(&call).copied());
                }
            }
        }
    }
    Ok(())
}
