//! The numbers of a run, recomputed from its stored transcripts and from nothing else. What was computed is kept until the
//! transcripts or the program change.

pub mod times;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use turnwise_shared::metrics::summary::date;
use turnwise_shared::metrics::times::Times;
use turnwise_shared::prelude::*;
use turnwise_shared::transcript;

use crate::App;
use crate::append_rules::is_play;
use crate::error::{Answer, Problem};
use crate::prices;
use crate::store::{RunHead, Source, Store, StoreError, StoredSummary};
use crate::task_texts::RunTexts;

/// Names the program by its sources: numbers that another one computed are computed anew. Servers whose programs are the same, wherever
/// and whenever their files were made, have the same name.
const MAKER: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("SOURCES_OF_PROGRAM"));

/// From this length of a play on, in bytes, a request first looks whether another one has computed its numbers meanwhile.
const LONG: u64 = 1_000_000;

pub fn maker() -> &'static str {
    MAKER
}

/// Every stored play of a run in a few numbers, by the episode's name.
///
/// # Errors
/// If the store fails, or the run's benchmark is not of this program.
pub async fn summaries(app: &App, run: &RunHead) -> Answer<BTreeMap<EpisodeKey, Summary>> {
    let mut summaries = BTreeMap::new();
    let mut texts = Texts::of(app, run).await?;
    while let Some(some) = texts.next(app.store()).await? {
        for (play, text) in some {
            let summary = serde_json::from_str(&text).map_err(Problem::internal)?;
            summaries.insert(play, summary);
        }
    }
    Ok(summaries)
}

/// Computes what is not known yet of a run's plays, or not by this program; says which plays there are.
///
/// # Errors
/// As [`summaries`].
pub async fn bring_up_to_date(app: &App, run: &RunHead) -> Answer<BTreeSet<EpisodeKey>> {
    let benchmark = benchmark(run)?;
    let (plays, missing) = known_and_missing(app, run).await?;
    if missing.is_empty() {
        return Ok(plays);
    }
    // Many may ask at once after an upgrade: one of them computes, the others find what it kept.
    let turn = TURNS.of(&run.run);
    let _turn = turn.lock().await;
    let (mut plays, missing) = known_and_missing(app, run).await?;
    for play in missing {
        if compute(app, benchmark, run, &play).await?.is_some() {
            plays.insert(play);
        }
    }
    Ok(plays)
}

/// The episodes of a run whose numbers are kept and hold, and the others.
async fn known_and_missing(
    app: &App,
    run: &RunHead,
) -> Answer<(BTreeSet<EpisodeKey>, BTreeSet<EpisodeKey>)> {
    let heads: BTreeMap<_, _> =
        heads(app, run).await?.into_iter().map(|head| (head.episode, head.chain)).collect();
    let sources = app.store().sources(&run.run).await?;
    let known: BTreeSet<EpisodeKey> = sources
        .into_iter()
        .filter(|source| {
            let play = heads.get(&source.play);
            play.is_some_and(|play| holds(source, play, heads.get(&source.play.grading())))
        })
        .map(|source| source.play)
        .collect();
    let plays = heads.into_keys().filter(is_play);
    Ok(plays.partition(|play| known.contains(play)))
}

/// Whose turn it is to compute the numbers of a run. Ids of runs are never given twice, so one place serves every server of this process.
static TURNS: LazyLock<Turns> = LazyLock::new(Turns::default);

/// See [`TURNS`].
#[derive(Default)]
struct Turns(Mutex<HashMap<RunId, Weak<tokio::sync::Mutex<()>>>>);

impl Turns {
    /// The turn of a run. It is forgotten with the last who waits for it.
    fn of(&self, run: &RunId) -> Arc<tokio::sync::Mutex<()>> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = turns.get(run).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::default();
        turns.insert(run.clone(), Arc::downgrade(&turn));
        turn
    }
}

/// The summaries of a run as JSON, some at a time, so that those of many episodes are never in memory all at once.
pub struct Texts {
    run: RunId,
    plays: BTreeSet<EpisodeKey>,
    after: Option<EpisodeKey>,
    tasks: RunTexts,
}

impl Texts {
    /// Those of a run, brought up to date.
    ///
    /// # Errors
    /// As [`summaries`].
    pub async fn of(app: &App, run: &RunHead) -> Answer<Self> {
        Ok(Texts {
            run: run.run.clone(),
            plays: bring_up_to_date(app, run).await?,
            after: None,
            tasks: RunTexts::of(app, &run.spec).await,
        })
    }

    /// The next, by the names of their episodes; `None` after the last.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn next(
        &mut self,
        store: &Store,
    ) -> Result<Option<Vec<(EpisodeKey, String)>>, StoreError> {
        let mut some = store.summaries(&self.run, self.after.as_ref()).await?;
        let Some((last, _)) = some.last() else {
            return Ok(None);
        };
        self.after = Some(last.clone());
        some.retain(|(play, _)| self.plays.contains(play));
        if !self.tasks.is_empty() {
            for (_, text) in &mut some {
                self.add_texts(text);
            }
        }
        Ok(Some(some))
    }
}

impl Texts {
    /// Adds the texts of the task to a summary in JSON.
    fn add_texts(&self, text: &mut String) {
        let Ok(mut summary) = serde_json::from_str(text) else {
            return;
        };
        self.tasks.add_to(&mut summary);
        if let Ok(with) = serde_json::to_string(&summary) {
            *text = with;
        }
    }
}

/// Whether kept numbers are those of the transcripts that end so, and of this program.
fn holds(kept: &Source, play: &Digest, grading: Option<&Digest>) -> bool {
    kept.play_chain == *play && kept.grading_chain.as_ref() == grading && kept.maker == MAKER
}

/// One episode in a few numbers. `None` if the episode is not stored.
///
/// # Errors
/// As [`summaries`].
pub async fn summary(app: &App, run: &RunHead, play: &EpisodeKey) -> Answer<Option<Summary>> {
    let mut summary = match known(app, run, play).await? {
        Some(summary) => Some(summary),
        None => compute(app, benchmark(run)?, run, play).await?,
    };
    if let Some(summary) = &mut summary {
        RunTexts::of(app, &run.spec).await.add_to(summary);
    }
    Ok(summary)
}

/// The numbers of an episode as they were computed last, if they still hold.
async fn known(app: &App, run: &RunHead, play: &EpisodeKey) -> Answer<Option<Summary>> {
    let chain = app.store().chain(run.plays(), play).await?;
    let Some(chain) = chain else {
        return Ok(None);
    };
    let grading = app.store().chain(&run.run, &play.grading()).await?;
    let kept = app.store().summary(&run.run, play).await?;
    Ok(kept.filter(|kept| holds(&kept.source, &chain, grading.as_ref())).map(|kept| kept.summary))
}

/// The heads of a run's transcripts: its own, and where it grades another run's plays, those episodes.
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

/// The report of a run over its episodes that have ended; `times` are counted into it.
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
    let ended: Vec<&Summary> =
        summaries.values().filter(|summary| summary.ending.is_some()).collect();
    let opened = app.store().run(&run.run).await?.map(|info| info.opened);
    let (calls, conversations) = times.in_numbers();
    let options = MeasureOptions {
        prices: prices::book(app.config()),
        day: opened.and_then(Day::of),
        times: calls,
        conversations,
        ..MeasureOptions::default()
    };
    Ok(benchmark.report(&run.spec, &ended, &options))
}

/// A transcript has ended: the episode that it belongs to is summarised anew.
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

/// Computes and keeps the summary of one episode; `None` if it is not stored (a grading can come first).
async fn compute(
    app: &App,
    benchmark: &'static dyn Benchmark,
    run: &RunHead,
    name: &EpisodeKey,
) -> Answer<Option<Summary>> {
    let play = app.store().extent(run.plays(), name).await?;
    let grading = app.store().extent(&run.run, &name.grading()).await?;
    let bytes = [&play, &grading].into_iter().flatten();
    let bytes = bytes.map(|extent| extent.bytes).sum();
    let room = app.store().room_for(bytes).await?;
    if bytes > LONG
        && let Some(known) = known(app, run, name).await?
    {
        // Others wanted it, too, and it was computed while there was no room.
        return Ok(Some(known));
    }
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
        let measured = measure(benchmark, &play, grading.as_deref(), [&started, &graded]);
        drop(room);
        measured
    })
    .await
    .map_err(Problem::internal)??;
    let kept = StoredSummary {
        source: Source {
            play: name.clone(),
            play_chain: head.chain,
            grading_chain,
            maker: MAKER.to_owned(),
        },
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
    Ok(started.map(|call| (call.call, call.timing.started)).collect())
}

fn measure(
    benchmark: &dyn Benchmark,
    play: &str,
    grading: Option<&str>,
    [started, graded]: [&Started; 2],
) -> Answer<Summary> {
    let read = |text: &str| transcript::read(text).map_err(Problem::internal);
    let play = read(play)?;
    // A grading counts only for the episode that it graded, not for what the episode became when it was taken up again.
    let grades_this = |grading: &Transcript| matches!(grading.header.part, Part::Grading { play: graded } if graded == play.chain);
    let grading = grading.map(read).transpose()?.filter(grades_this);
    let measured = benchmark.measure(&play, grading.as_ref());
    let mut summary = summarise(&play, grading.as_ref(), measured);
    date(&mut summary, &play, |call| started.get(&call).copied());
    if let Some(grading) = &grading {
        date(&mut summary, grading, |call| graded.get(&call).copied());
    }
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_one_turn_as_long_as_anybody_waits_for_it() {
        let turns = Turns::default();
        let [one, other] = [[1; 16], [2; 16]].map(RunId::new);
        let first = turns.of(&one);
        assert!(Arc::ptr_eq(&first, &turns.of(&one)));
        assert!(!Arc::ptr_eq(&first, &turns.of(&other)));
        drop(first);
        let _last = turns.of(&other);
        assert_eq!(turns.0.lock().expect("nobody panics here").len(), 1);
    }
}
