//! Every benchmark: JSON Lines, CSV, logs of Inspect, pages that stand alone.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::{Result, anyhow};

use turnwise_backend::run_folder::at;
use turnwise_shared::benchmark::given::Texts;
use turnwise_shared::exchange::csv::table;
use turnwise_shared::exchange::html::{PageWriter, Transcripts};
use turnwise_shared::exchange::inspect::write::LogWriter;
use turnwise_shared::exchange::row::{EpisodeRow, Messages};

use super::run::Run;
use crate::cli::Status;
use crate::cli::out::say;

/// One JSON object a line, one line an episode.
///
/// # Errors
/// If the file cannot be written.
pub fn lines(runs: &[Run], out: &Path, texts: Option<Texts>, messages: Messages) -> Result<Status> {
    let mut file = BufWriter::new(File::create(out).map_err(at(out))?);
    let mut count = 0;
    for run in runs {
        let given = run.given(texts);
        for episode in run.episodes() {
            let row = EpisodeRow::whole(&given, &run.options, &episode, messages);
            file.write_all(row.line().as_bytes()).map_err(at(out))?;
            count += 1;
        }
    }
    file.flush().map_err(at(out))?;
    say!("{count} episodes written to {}", out.display());
    Ok(Status::Done)
}

/// One row an episode, all runs in one table.
///
/// # Errors
/// If the file cannot be written.
pub fn csv(runs: &[Run], out: &Path) -> Result<Status> {
    let given: Vec<_> = runs.iter().map(|run| (run, run.given(None))).collect();
    let episodes: Vec<_> = given
        .iter()
        .flat_map(|(run, given)| run.episodes().map(move |episode| (*run, given, episode)))
        .collect();
    let rows: Vec<EpisodeRow<'_>> = episodes
        .iter()
        .map(|(run, given, episode)| {
            EpisodeRow::whole(given, &run.options, episode, Messages::Without)
        })
        .collect();
    std::fs::write(out, table(&rows)).map_err(at(out))?;
    say!("{} episodes written to {}", rows.len(), out.display());
    Ok(Status::Done)
}

/// One log of Inspect.
///
/// # Errors
/// If there are several runs, or the file cannot be written.
pub fn log(runs: &[Run], out: &Path, texts: Option<Texts>) -> Result<Status> {
    let run = only(runs, "eval")?;
    let file = File::create(out).map_err(at(out))?;
    let mut log = LogWriter::new(run.given(texts), BufWriter::new(file)).map_err(at(out))?;
    let episodes = run.episodes();
    let count = episodes.len();
    for episode in episodes {
        log.add(&episode).map_err(at(out))?;
    }
    log.finish().and_then(|mut file| file.flush()).map_err(at(out))?;
    say!("{count} samples written to {}", out.display());
    Ok(Status::Done)
}

/// One page that stands alone.
///
/// # Errors
/// If there are several runs, or the file cannot be written.
pub fn page(
    runs: &[Run],
    out: &Path,
    texts: Option<Texts>,
    transcripts: Transcripts,
) -> Result<Status> {
    let run = only(runs, "html")?;
    let episodes = run.episodes();
    let count = episodes.len();
    let mut page = PageWriter::new(run.given(texts), count, transcripts);
    episodes.for_each(|episode| page.add(&episode));
    std::fs::write(out, page.finish()).map_err(at(out))?;
    say!("{count} episodes written to {}", out.display());
    Ok(Status::Done)
}

/// The one run that a format takes.
///
/// # Errors
/// If several were named.
pub fn only<'a>(runs: &'a [Run], format: &str) -> Result<&'a Run> {
    match runs {
        [run] => Ok(run),
        _ => Err(anyhow!("--format {format} writes one run; {} folders were named", runs.len())),
    }
}
