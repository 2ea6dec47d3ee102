//! An episode from wherever it lies; it is played again once its transcripts are drawn.

use turnwise_shared::effect::SEARCH;

use super::loaded::{Loaded, Texts, Timings, read};
use super::study::Study;
use super::studying;
use crate::later::{NotLoaded, later};
use crate::live::{self, RunView};
use crate::prelude::*;
use crate::{api, clock, driven, reader, strings};

/// Milliseconds between two looks at an episode that is under way.
const POLL: u32 = 2000;

later! {
    /// An episode played again ([`studying`]).
    work: fn study(run: RunId, loaded: Arc<Loaded>) -> LocalBoxFuture<'static, Study> {
        Box::pin(async move { studying::of_run(&run, &loaded).await })
    }
}

/// What has been loaded of an episode: nothing yet, the episode, or why it cannot be had.
pub type Loading = RwSignal<Option<Result<Arc<Loaded>, ApiError>>>;

/// Loads the episode of the address, and again while it is under way. The first time it is drawn before it is played again, and on
/// a phone it is read before that.
pub fn episode(id: &RunId, episode: Memo<Option<EpisodeKey>>, view: RunView) -> Loading {
    let loading: Loading = RwSignal::new(None);
    let id = id.clone();
    // Tells answers to the episode that is open now from late ones to the one before.
    let opened = StoredValue::new(0_u64);
    Effect::new(move |_| {
        let Some(key) = episode.get() else { return };
        let (id, opening) = (id.clone(), opened.get_value() + 1);
        opened.set_value(opening);
        loading.set(None);
        spawn_local(async move {
            let is_open = move || opened.try_get_value() == Some(opening);
            let mut known: Option<Arc<Loaded>> = None;
            let mut look_for = Gradings::Told;
            let mut lacks_grading = false;
            while is_open() {
                // What comes before its run is over is there at the first look after that.
                let is_last = is_run_over(view);
                let fresh = load(&id, &key, look_for, known.as_deref(), view).await;
                if !is_open() {
                    return;
                }
                match fresh {
                    Err(problem) => {
                        let passes = api::passes(&problem);
                        if known.is_none() || !passes {
                            loading.put(Err(problem));
                        }
                        if !passes {
                            return;
                        }
                        // What is shown stays until there is more.
                        clock::sleep(POLL).await;
                        continue;
                    }
                    Ok(None) => {}
                    Ok(Some(fresh)) => {
                        let is_first = known.is_none();
                        if is_first {
                            loading.put(Ok(Arc::clone(&fresh)));
                            clock::breathe().await;
                            reader::reads().await;
                        }
                        let study = studied(&id, &fresh).await;
                        if !is_open() {
                            return;
                        }
                        let is_gradable = study.is_gradable;
                        let fresh = match study.status == fresh.status {
                            true => fresh,
                            false => {
                                Arc::new(Loaded { status: study.status, ..Loaded::clone(&fresh) })
                            }
                        };
                        if !is_first || loading.with_untracked(|now| !shows(now, &fresh)) {
                            loading.put(Ok(Arc::clone(&fresh)));
                        }
                        fresh.study.set(Some(Arc::new(study)));
                        lacks_grading = is_gradable && fresh.grading.is_none();
                        let is_counted = fresh.summary.is_some();
                        known = Some(fresh);
                        if lacks_grading && look_for == Gradings::Told {
                            // The server is asked for its numbers again before it is asked for what may not be there.
                            look_for = match is_counted {
                                true => Gradings::Since,
                                false => Gradings::Any,
                            };
                            continue;
                        }
                    }
                }
                let goes_on = known.as_ref().is_some_and(|known| known.goes_on());
                if !goes_on && (is_last || !lacks_grading) {
                    return;
                }
                if lacks_grading {
                    look_for = Gradings::Since;
                }
                clock::sleep(POLL).await;
            }
        });
    });
    on_cleanup(move || opened.set_value(0));
    loading
}

/// Whether nothing more is played or graded in a run.
fn is_run_over(view: RunView) -> bool {
    let over =
        view.info.try_with_untracked(|info| info.as_ref().is_some_and(|info| info.state.is_over()));
    over.unwrap_or(true)
}

/// Whether this very episode is on the screen.
fn shows(now: &Option<Result<Arc<Loaded>, ApiError>>, loaded: &Arc<Loaded>) -> bool {
    matches!(now, Some(Ok(shown)) if Arc::ptr_eq(shown, loaded))
}

async fn studied(id: &RunId, loaded: &Arc<Loaded>) -> Study {
    match study(id.clone(), Arc::clone(loaded)).await {
        Ok(studying) => studying.await,
        Err(NotLoaded) => Study::not(loaded, strings::NOT_LOADED),
    }
}

/// Which gradings are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gradings {
    /// Those of which the numbers of the run know.
    Told,
    /// Also one that may be there.
    Any,
    /// Those of which the server knows by now.
    Since,
}

/// The episode as it stands; `None` if it stands as it did.
async fn load(
    id: &RunId,
    key: &EpisodeKey,
    look_for: Gradings,
    before: Option<&Loaded>,
    view: RunView,
) -> Result<Option<Arc<Loaded>>, ApiError> {
    let (play_text, timings, summary) = futures::join!(
        live::transcript(id, key),
        timings(id, key),
        summary(id, key, look_for, view)
    );
    let play_text = play_text?;
    let play = transcript::read(&play_text);
    let is_graded = match (&play, &summary, look_for) {
        (Ok(play), Some(summary), Gradings::Told | Gradings::Since) => is_graded(play, summary),
        (_, None, Gradings::Told | Gradings::Since) => false,
        (Err(_), _, _) | (_, _, Gradings::Any) => true,
    };
    let (grading_text, grading_timings) = match is_graded {
        true => {
            let grading = key.grading();
            futures::join!(live::transcript(id, &grading), self::timings(id, &grading))
        }
        false => (Ok(String::new()), Timings::default()),
    };
    // It may not have been graded yet; that is no error.
    let grading_text = grading_text.unwrap_or_default();
    let same = before.is_some_and(|before| {
        *before.play_text == play_text && *before.grading_text == grading_text
    });
    if same {
        return Ok(None);
    }
    let names = match (before, &play) {
        // A table tells its names once it is over.
        (Some(before), _) if !before.names.is_empty() => Arc::clone(&before.names),
        (_, Ok(play)) => Arc::new(live::names(id, &play.header.spec, view).await),
        (_, Err(_)) => Arc::default(),
    };
    let texts = Texts { play: play_text, grading: grading_text, timings, grading_timings };
    Ok(Some(Arc::new(Loaded { run: Some(id.clone()), names, ..read(key, play, texts, summary) })))
}

/// An episode in a few numbers: as the page has it, else as the server has; as the server has it now where that may be newer. `None`
/// where neither does.
async fn summary(
    id: &RunId,
    key: &EpisodeKey,
    look_for: Gradings,
    view: RunView,
) -> Option<Arc<Summary>> {
    let known = view.summaries.try_with_untracked(|all| all.get(key).cloned()).flatten();
    match known {
        Some(known) if look_for != Gradings::Since || driven::has(id) => Some(known),
        Some(known) => match api::summary(id, key).await {
            Ok(Some(newer)) => Some(Arc::new(newer)),
            Ok(None) | Err(_) => Some(known),
        },
        // It is under way here, and the server knows less.
        None if driven::has(id) => None,
        None => api::summary(id, key).await.ok().flatten().map(Arc::new),
    }
}

/// Whether an episode was graded: its numbers count a seat that its own lines never asked.
fn is_graded(play: &Transcript, summary: &Summary) -> bool {
    let asked: BTreeSet<&str> = play
        .events
        .iter()
        .flatten()
        .filter_map(|event| match event {
            Event::Asked { request, .. } => request.seat().map(Seat::as_str),
            _ => None,
        })
        .collect();
    let mut seats = summary.usage.keys();
    seats.any(|seat| seat != SEARCH && !asked.contains(seat.as_str()))
}

/// Times lie beside the transcripts (ARCHITECTURE.md, rule 1); without them an episode reads as well.
async fn timings(id: &RunId, episode: &EpisodeKey) -> Timings {
    let calls = api::timing(id, episode).await.unwrap_or_default();
    Arc::new(calls.into_iter().map(|call| (call.call, call.timing)).collect())
}
