//! Plays an episode again, once its benchmark's code is there.

use std::borrow::Cow;

use super::loaded::Loaded;
use super::study::Study;
use crate::live::{self, Ingredients};
use crate::prelude::*;
use crate::view::replayed::{self, Seal};
use crate::{clock, library};

/// Studies an episode of a run, with the tasks and the pack from wherever they lie.
pub async fn of_run(run: &RunId, loaded: &Loaded) -> Study {
    of(loaded, &live::ingredients(run).await).await
}

/// Studies an episode: several tasks, so that none of them is long.
pub async fn of(loaded: &Loaded, ingredients: &Result<Ingredients, ApiError>) -> Study {
    let Ok(part) = &loaded.play else {
        return Study::not(loaded, "its episode cannot be read");
    };
    let play = &part.transcript;
    let benchmark = library::benchmark(&play.header.spec.benchmark);
    let known = benchmark.as_ref().map_err(|bad| bad.message.clone());
    let at_hand = ingredients.as_ref().map_err(|bad| bad.message.clone());
    let both = known.and_then(|known| Ok((*known, at_hand?)));
    let tasks = both.as_ref().ok().map(|(_, at_hand)| &at_hand.tasks);
    let whole = both.as_ref().ok().and_then(|(known, at_hand)| {
        sweep::task(*known, &play.header.spec, &at_hand.tasks, &play.header.task.id)
    });
    // Tasks that follow from the spec hide nothing: the spec says all of them.
    let from_file = |benchmark: &dyn Benchmark| benchmark.task_source() == TaskSource::File;
    let task = whole
        .clone()
        .filter(|_| benchmark.as_ref().is_ok_and(|known| from_file(*known)))
        .map(Cow::into_owned);
    let grading = loaded.grading.as_ref().and_then(|one| one.as_ref().ok());
    let is_imported = play.header.origin == Origin::Imported;
    clock::breathe().await;
    let replayed = match &both {
        _ if is_imported => Replayed::imported(),
        Ok((known, at_hand)) => replayed::play(*known, &at_hand.tasks, &at_hand.pack, play),
        Err(why) => Replayed::not(why.as_str()),
    };
    clock::breathe().await;
    let regraded = grading.map(|grading| match &both {
        _ if is_imported => Replayed::imported(),
        Ok((known, at_hand)) => {
            replayed::grading(*known, &at_hand.tasks, &at_hand.pack, play, &grading.transcript)
        }
        Err(why) => Replayed::not(why.as_str()),
    });
    let is_gradable = play.outcome().is_some_and(|outcome| {
        // What was scored elsewhere has its scores with it.
        !is_imported
            && outcome.is_complete()
            && match (&both, &whole) {
                (Ok((known, at_hand)), Some(task)) => {
                    let spec = &play.header.spec;
                    !matches!(known.grade(spec, task, &at_hand.pack, outcome), Ok(None))
                }
                _ => true,
            }
    });
    let header = &play.header;
    let can_branch = benchmark
        .as_ref()
        .is_ok_and(|known| known.take_over(&header.spec, header.spec.seats.clone()).is_ok())
        && matches!(replayed.seal, Seal::Agrees { .. })
        && !is_imported;
    let known = benchmark.ok();
    clock::breathe().await;
    Study {
        evidence: known.and_then(|known| known.evidence(play, task.as_ref())).map(Arc::new),
        status: match (&loaded.summary, grading) {
            (Some(summary), None) => EpisodeStatus::of(summary),
            (_, grading) => status(known, play, grading.map(|part| &part.transcript)),
        },
        play: Arc::new(replayed),
        grading: regraded.map(Arc::new),
        benchmark: known,
        task,
        origin: tasks.map(|tasks| tasks.origin.clone()),
        is_gradable,
        can_branch,
    }
}

/// How an episode stands by its transcripts alone.
fn status(
    benchmark: Option<&dyn Benchmark>,
    play: &Transcript,
    grading: Option<&Transcript>,
) -> EpisodeStatus {
    benchmark.map_or(EpisodeStatus::Ungraded, |benchmark| {
        let measured = benchmark.measure(play, grading);
        EpisodeStatus::of(&summarise(play, grading, measured))
    })
}
