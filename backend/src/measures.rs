//! The numbers of a run, recomputed from its stored transcripts and from nothing else. What was computed is kept until the
//! transcripts or the program change.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::UNIX_EPOCH;

use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::episode::CallId;
use turnwise_shared::hash::Digest;
use turnwise_shared::metrics::day::Day;
use turnwise_shared::metrics::report::{MeasureOptions, Report};
use turnwise_shared::metrics::summary::{Summary, date, summarise};
use turnwise_shared::registry;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::seat::Seat;
use turnwise_shared::transcript::{self, Part, Transcript};
use turnwise_shared::wire::{EpisodeHead, RunId};

use crate::App;
use crate::error::{Answer, Problem};
use crate::keeping::is_play;
use crate::prices;
use crate::store::{RunHead, StoredSummary};

/// Names this very program: numbers that another one computed are computed anew.
static MAKER: LazyLock<String> = LazyLock::new(|| {
    let of_file = std::env::current_exe()
        .and_then(std::fs::metadata)
        .map(|about| {
            let modified = about
                .modified()
                .ok()
                .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            format!(
                "{}-{}",
                about.len(),
                modified.unwrap_or_default().as_nanos()
            )
        })
        .unwrap_or_default();
    format!("{} {of_file}", env!("CARGO_PKG_VERSION"))
});

/// Names this very program.
pub fn maker() -> &'static str {
    &MAKER
}

/// Every stored play of a run in a few numbers, by the play's name.
///
/// # Errors
/// If the store fails, or the run's benchmark is not of this program.
pub async fn summaries(app: &App, run: &RunHead) -> Answer<BTreeMap<EpisodeKey, Summary>> {
    let benchmark = benchmark(run)?;
    let heads = heads(app, run).await?;
    let mut kept: BTreeMap<_, _> = app
        .store()
        .summaries(&run.run)
        .await?
        .into_iter()
        .map(|summary| (summary.play.clone(), summary))
        .collect();
    let heads: BTreeMap<_, _> = heads
        .into_iter()
        .map(|head| (head.episode, head.chain))
        .collect();
    let mut summaries = BTreeMap::new();
    for (play, chain) in heads.iter().filter(|(episode, _)| is_play(episode)) {
        let kept = kept.remove(play);
        let summary = match kept.filter(|kept| holds(kept, chain, heads.get(&play.grading()))) {
            Some(kept) => kept.summary,
            None => match compute(app, benchmark, run, play).await? {
                Some(summary) => summary,
                None => continue,
            },
        };
        summaries.insert(play.clone(), summary);
    }
    Ok(summaries)
}

/// Whether kept numbers are those of the transcripts that end so, and of this program.
fn holds(kept: &StoredSummary, play: &Digest, grading: Option<&Digest>) -> bool {
    kept.play_chain == *play && kept.grading_chain.as_ref() == grading && kept.maker == *MAKER
}

/// One play in a few numbers. `None` if the play is not stored.
///
/// # Errors
/// As [`summaries`].
pub async fn summary(app: &App, run: &RunHead, play: &EpisodeKey) -> Answer<Option<Summary>> {
    let chain = app.store().chain(run.plays(), play).await?;
    let Some(chain) = chain else {
        return Ok(None);
    };
    let grading = app.store().chain(&run.run, &play.grading()).await?;
    let kept = app.store().summary(&run.run, play).await?;
    match kept.filter(|kept| holds(kept, &chain, grading.as_ref())) {
        Some(kept) => Ok(Some(kept.summary)),
        None => compute(app, benchmark(run)?, run, play).await,
    }
}

/// The heads of a run's transcripts: its own, and where it grades another run's plays, those plays.
///
/// # Errors
/// If the store fails.
pub async fn heads(app: &App, run: &RunHead) -> Answer<Vec<EpisodeHead>> {
    let mut heads = app.store().heads(&run.run).await?;
    if let Some(plays) = &run.regrades {
        let plays = app.store().heads(plays).await?;
        heads.extend(plays.into_iter().filter(|head| is_play(&head.episode)));
    }
    Ok(heads)
}

/// Milliseconds that calls took, by seat ([`crate::routes::reading::took`]).
pub type Times = BTreeMap<String, Vec<u64>>;

/// The report of a run over its plays that have ended; `times` are counted into it.
///
/// # Errors
/// As [`summaries`].
pub async fn report(app: &App, run: &RunHead, times: Times) -> Answer<Report> {
    report_of(app, run, &summaries(app, run).await?, times).await
}

/// The same from [`summaries`] that are at hand.
///
/// # Errors
/// As [`summaries`].
pub async fn report_of(
    app: &App,
    run: &RunHead,
    summaries: &BTreeMap<EpisodeKey, Summary>,
    times: Times,
) -> Answer<Report> {
    let benchmark = benchmark(run)?;
    let ended: Vec<&Summary> = summaries
        .values()
        .filter(|summary| summary.ending.is_some())
        .collect();
    let opened = app.store().run(&run.run).await?.map(|info| info.opened);
    let options = MeasureOptions {
        prices: prices::book(app.config()),
        day: opened.and_then(Day::of),
        times: times.into_iter().map(in_numbers).collect(),
        ..MeasureOptions::default()
    };
    Ok(benchmark.report(&run.spec, &ended, &options))
}

fn in_numbers((seat, times): (String, Vec<u64>)) -> (Seat, Vec<f64>) {
    // Milliseconds, far below 2^53.
    let times = times.into_iter().map(|time| time as f64).collect();
    (Seat::new(seat), times)
}

/// A transcript has ended: the play that it belongs to is summarised anew.
///
/// # Errors
/// As [`summaries`].
pub async fn refresh(app: &App, run: &RunHead, episode: &EpisodeKey) -> Answer<()> {
    compute(app, benchmark(run)?, run, &episode.its_play()).await?;
    Ok(())
}

fn benchmark(run: &RunHead) -> Answer<&'static dyn Benchmark> {
    registry::find(&run.spec.benchmark).map_err(|bad| Problem::unfit(bad.problem))
}

/// Computes and keeps the summary of one play; `None` if it is not stored (a grading can come first).
async fn compute(
    app: &App,
    benchmark: &'static dyn Benchmark,
    run: &RunHead,
    name: &EpisodeKey,
) -> Answer<Option<Summary>> {
    let Some((play, head)) = app.store().transcript(run.plays(), name).await? else {
        return Ok(None);
    };
    let started = started(app, run.plays(), name).await?;
    let run = &run.run;
    let graded = self::started(app, run, &name.grading()).await?;
    let grading = app.store().transcript(run, &name.grading()).await?;
    let grading_chain = grading.as_ref().map(|(_, head)| head.chain);
    let grading = grading.map(|(text, _)| text);
    let summary = tokio::task::spawn_blocking(move || {
        measure(benchmark, &play, grading.as_deref(), [&started, &graded])
    })
    .await
    .map_err(Problem::internal)??;
    let kept = StoredSummary {
        play: name.clone(),
        play_chain: head.chain,
        grading_chain,
        maker: MAKER.clone(),
        summary,
    };
    app.store().set_summary(run, &kept).await?;
    Ok(Some(kept.summary))
}

/// When the calls of an episode were sent, in milliseconds since 1970, as the ledger has it.
type Started = BTreeMap<CallId, u64>;

async fn started(app: &App, run: &RunId, episode: &EpisodeKey) -> Answer<Started> {
    let timings = app.store().timings(run, Some(episode)).await?;
    let started = timings.into_iter();
    Ok(started
        .map(|call| (call.call, call.timing.started))
        .collect())
}

fn measure(
    benchmark: &dyn Benchmark,
    play: &str,
    grading: Option<&str>,
    [started, graded]: [&Started; 2],
) -> Answer<Summary> {
    let read = |text: &str| transcript::read(text).map_err(Problem::internal);
    let play = read(play)?;
    // A grading counts only for the play that it graded, not for what the play became when it was taken up again.
    let grades_this = |grading: &Transcript| matches!(grading.header.part, Part::Grading { play: graded } if graded == play.chain);
    let grading = grading.map(read).transpose()?.filter(grades_this);
    let measured = benchmark.measure_episode(&play, grading.as_ref());
    let mut summary = summarise(&play, grading.as_ref(), measured);
    date(&mut summary, &play, |call| started.get(&call).copied());
    if let Some(grading) = &grading {
        date(&mut summary, grading, |call| graded.get(&call).copied());
    }
    Ok(summary)
}
