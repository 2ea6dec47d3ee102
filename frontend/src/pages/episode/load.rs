//! An episode from wherever it lies: its transcripts read and made ready for reading; played again once they are drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::effect::SEARCH;
use turnwise_shared::prelude::*;
use turnwise_shared::task::language;
use turnwise_shared::task_texts::TaskTexts;
use turnwise_shared::transcript::{self, BadTranscript};

use super::study::Study;
use crate::address::Place;
use crate::components::timeline::Reading;
use crate::later::{self, NotLoaded};
use crate::live::{self, RunView};
use crate::strings::{self, episode as words};
use crate::view::episode_status::EpisodeStatus;
use crate::view::replayed::{Replayed, Seal};
use crate::view::spec::participants;
use crate::view::timeline::{Timeline, timeline};
use crate::{api, clock, driven, reader};

/// Milliseconds between two looks at an episode that is under way.
const POLL: u32 = 2000;

/// An episode, ready for reading.
#[derive(Clone)]
pub struct Loaded {
    /// Its run, where the server has it.
    pub run: Option<RunId>,
    pub key: EpisodeKey,
    /// The lines of its episode.
    pub play_text: Arc<String>,
    /// Its episode, or why it cannot be read.
    pub play: Result<Arc<Part>, BadTranscript>,
    /// The lines of its grading; empty if there is none.
    pub grading_text: Arc<String>,
    /// Its grading, if there is one, or why it cannot be read.
    pub grading: Option<Result<Arc<Part>, BadTranscript>>,
    /// The episode in numbers, where its run has them.
    pub summary: Option<Arc<Summary>>,
    pub status: EpisodeStatus,
    /// The names of the people at its table, as far as they gave one.
    pub names: Arc<BTreeMap<Seat, String>>,
    /// What the benchmark's code makes of it; `None` until that has been fetched and has looked.
    pub study: ArcRwSignal<Option<Arc<Study>>>,
}

/// What the calls of a transcript took, where that is known.
pub type Timings = Arc<BTreeMap<CallId, Timing>>;

/// A transcript that was read.
#[derive(Debug)]
pub struct Part {
    /// As it lies in the file.
    pub transcript: Transcript,
    pub timeline: Arc<Timeline>,
    pub timings: Timings,
}

impl Part {
    /// That the chain holds, in a sentence.
    pub fn chain(&self) -> String {
        words::chain(self.transcript.events.len(), &self.transcript.chain.to_string())
    }
}

impl Loaded {
    /// What the page is called.
    pub fn title(&self) -> String {
        match &self.play {
            Ok(play) => {
                let header = &play.transcript.header;
                let name = registry::task_name(&header.spec, &header.task);
                words::title(name.as_deref(), &header.task.id.0, header.repeat)
            }
            Err(_) => self.key.to_string(),
        }
    }

    /// A place in it, at a turn that there is.
    pub fn place(&self, asked: Place) -> Place {
        match &self.play {
            Ok(play) => {
                let cells = play.timeline.cells.iter();
                asked.among(&cells.map(|cell| cell.turn).collect::<Vec<_>>())
            }
            Err(_) => asked,
        }
    }

    /// The task and the repeat, if the episode can be read.
    pub fn task_ref(&self) -> Option<(TaskRef, u32)> {
        let header = &self.play.as_ref().ok()?.transcript.header;
        Some((header.task.clone(), header.repeat))
    }

    /// The reference answer, where readers may see it: from its run's numbers, else from its task. It follows [`Loaded::study`].
    pub fn right(&self) -> Option<String> {
        let known = self.measured().and_then(|known| known.right.clone());
        known.or_else(|| {
            let outcome = self.play.as_ref().ok()?.timeline.outcome.as_ref()?;
            self.study.with(|study| {
                let study = study.as_ref().filter(|_| outcome.is_complete())?;
                let (task, origin) = (study.task.as_ref()?, study.origin.as_ref()?);
                TaskTexts::of(study.benchmark?, task, origin).right
            })
        })
    }

    /// The numbers of its benchmark, where they are known.
    pub fn measured(&self) -> Option<&Measured> {
        Some(&self.summary.as_ref()?.measured)
    }

    /// What a game came to in words, once its benchmark's code is there.
    pub fn result(&self) -> Option<String> {
        let play = self.play.as_ref().ok()?;
        self.study.with(|study| {
            let benchmark = study.as_ref()?.benchmark?;
            if self.names.is_empty() {
                return benchmark.result_in_words(&play.transcript);
            }
            let mut named = play.transcript.clone();
            named.header.spec = named.header.spec.naming(&self.names);
            benchmark.result_in_words(&named)
        })
    }

    /// A part played again, once that is done.
    pub fn replayed(&self, part: PartKey) -> Signal<Option<Arc<Replayed>>> {
        let study = self.study.clone();
        Signal::derive(move || study.with(|study| study.as_ref()?.replayed(part).cloned()))
    }

    /// The first line of a part that drifts, from 1.
    pub fn drift(&self, part: PartKey) -> Memo<Option<usize>> {
        let replayed = self.replayed(part);
        Memo::new(move |_| {
            replayed.with(|replayed| match &replayed.as_ref()?.seal {
                Seal::Drifts(drift) => Some(drift.line),
                Seal::Agrees { .. } | Seal::Imported | Seal::NotReplayed(_) => None,
            })
        })
    }

    /// A part as the timeline takes it.
    pub fn reading(&self, part: &Part, which: PartKey) -> Reading {
        let study = self.study.clone();
        let spec = part.transcript.header.spec.naming(&self.names);
        Reading {
            timeline: Arc::clone(&part.timeline),
            replayed: self.replayed(which),
            timings: Arc::clone(&part.timings),
            benchmark: Signal::derive(move || study.with(|study| study.as_ref()?.benchmark)),
            who: Arc::new(participants(&spec).into_iter().collect()),
            spec: Arc::new(spec),
            lang: language(&part.transcript.header.task.labels),
            status: self.status,
            part: which,
            run: self.run.clone(),
        }
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
                            loading.try_set(Some(Err(problem)));
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
                            loading.try_set(Some(Ok(Arc::clone(&fresh))));
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
                            loading.try_set(Some(Ok(Arc::clone(&fresh))));
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
    match later::study(id.clone(), Arc::clone(loaded)).await {
        Ok(studying) => studying.await,
        Err(NotLoaded) => Study::not(loaded, strings::NOT_LOADED),
    }
}

impl Loaded {
    /// Whether more can be expected: the episode is not over, or it is over and may still be graded.
    fn goes_on(&self) -> bool {
        match &self.play {
            Err(_) => false,
            Ok(play) => match &play.timeline.outcome {
                None => true,
                Some(_) => self.grading.as_ref().is_some_and(|grading| {
                    grading.as_ref().is_ok_and(|one| one.timeline.outcome.is_none())
                }),
            },
        }
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

/// What was fetched of an episode.
struct Texts {
    play: String,
    grading: String,
    timings: Timings,
    grading_timings: Timings,
}

/// An episode whose transcripts are at hand: nothing is fetched.
pub fn from_texts(key: &EpisodeKey, play: String, grading: String) -> Loaded {
    let texts =
        Texts { play, grading, timings: Timings::default(), grading_timings: Timings::default() };
    read(key, transcript::read(&texts.play), texts, None)
}

/// Times lie beside the transcripts (ARCHITECTURE.md, rule 1); without them an episode reads as well.
async fn timings(id: &RunId, episode: &EpisodeKey) -> Timings {
    let calls = api::timing(id, episode).await.unwrap_or_default();
    Arc::new(calls.into_iter().map(|call| (call.call, call.timing)).collect())
}

fn read(
    key: &EpisodeKey,
    play: Result<Transcript, BadTranscript>,
    texts: Texts,
    summary: Option<Arc<Summary>>,
) -> Loaded {
    let grading = (!texts.grading.is_empty()).then(|| transcript::read(&texts.grading));
    let status = match &play {
        Ok(play) => match (&summary, play.outcome()) {
            (Some(summary), _) => EpisodeStatus::of(summary),
            (None, Some(_)) => EpisodeStatus::Ungraded,
            (None, None) => EpisodeStatus::Live,
        },
        Err(_) => EpisodeStatus::Incomplete,
    };
    Loaded {
        run: None,
        key: key.clone(),
        play: play.map(|play| part(play, texts.timings)),
        grading: grading.map(|grading| grading.map(|one| part(one, texts.grading_timings))),
        play_text: Arc::new(texts.play),
        grading_text: Arc::new(texts.grading),
        summary,
        status,
        names: Arc::default(),
        study: ArcRwSignal::new(None),
    }
}

fn part(transcript: Transcript, timings: Timings) -> Arc<Part> {
    Arc::new(Part { timings, timeline: Arc::new(timeline(&transcript)), transcript })
}

impl Study {
    /// The code that makes one could not be had, and why.
    pub fn not(loaded: &Loaded, why: &str) -> Self {
        let grading = loaded.grading.as_ref();
        Study {
            play: Arc::new(Replayed::not(why)),
            grading: grading.map(|_| Arc::new(Replayed::not(why))),
            benchmark: None,
            task: None,
            origin: None,
            evidence: None,
            status: loaded.status,
            is_gradable: false,
            can_branch: false,
        }
    }
}
