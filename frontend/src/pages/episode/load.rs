//! An episode from wherever it lies: its transcripts read, played again, and made ready for reading.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::benchmark::{Benchmark, TaskSource};
use turnwise_shared::episode::CallId;
use turnwise_shared::metrics::summary::summarise;
use turnwise_shared::registry;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::sweep;
use turnwise_shared::task::{Task, TaskSetOrigin};
use turnwise_shared::transcript::{self, BadTranscript, TaskRef, Transcript};
use turnwise_shared::wire::{ApiError, RunId, Timing};

use crate::components::timeline::Reading;
use crate::live::{self, Ingredients, RunView};
use crate::strings::episode as words;
use crate::view::replayed::{self, Replayed, Seal};
use crate::view::snapshot::language;
use crate::view::standing::Standing;
use crate::view::timeline::{Timeline, timeline};
use crate::{api, clock, library};

/// Milliseconds between two looks at an episode that is under way.
const POLL: u32 = 2000;

/// An episode, ready for reading.
#[derive(Debug)]
pub struct Loaded {
    /// Its name.
    pub key: EpisodeKey,
    /// The lines of its play.
    pub play_text: Arc<String>,
    /// Its play, or why it cannot be read.
    pub play: Result<Arc<Part>, BadTranscript>,
    /// The lines of its grading; empty if there is none.
    pub grading_text: Arc<String>,
    /// Its grading, if there is one, or why it cannot be read.
    pub grading: Option<Result<Arc<Part>, BadTranscript>>,
    /// The task with its hidden fields, where it is at hand.
    pub task: Option<Task>,
    /// Whether what its task hides is on the server alone.
    pub sealed: bool,
    /// How its set of tasks is kept, where it is at hand.
    pub origin: Option<TaskSetOrigin>,
    /// The canary of an encrypted task set.
    pub canary: Option<String>,
    /// How the play stands.
    pub standing: Standing,
}

/// What the calls of a transcript took, where that is known.
pub type Timings = Arc<BTreeMap<CallId, Timing>>;

/// A transcript that was read.
#[derive(Debug)]
pub struct Part {
    /// As it lies in the file.
    pub transcript: Transcript,
    /// For reading.
    pub timeline: Arc<Timeline>,
    /// Played again.
    pub replayed: Arc<Replayed>,
    /// What its calls took.
    pub timings: Timings,
}

impl Part {
    /// That the chain holds, in a sentence.
    pub fn chain(&self) -> String {
        words::chain(
            self.transcript.events.len(),
            &self.transcript.chain.to_string(),
        )
    }

    /// The benchmark that was played, where this program has it.
    pub fn benchmark(&self) -> Option<&'static dyn Benchmark> {
        registry::find(&self.transcript.header.spec.benchmark).ok()
    }

    /// The first line that drifts, from 1.
    pub fn drift(&self) -> Option<usize> {
        match &self.replayed.seal {
            Seal::Drifts(drift) => Some(drift.line),
            Seal::Agrees { .. } | Seal::NotReplayed(_) => None,
        }
    }
}

impl Loaded {
    /// What the page is called.
    pub fn title(&self) -> String {
        match &self.play {
            Ok(play) => words::title(
                &play.transcript.header.task.id.0,
                play.transcript.header.repeat,
            ),
            Err(_) => self.key.to_string(),
        }
    }

    /// The task and the repeat, if the play can be read.
    pub fn task_ref(&self) -> Option<(TaskRef, u32)> {
        let header = &self.play.as_ref().ok()?.transcript.header;
        Some((header.task.clone(), header.repeat))
    }

    /// A part as the timeline takes it.
    pub fn reading(&self, part: &Part) -> Reading {
        Reading {
            timeline: Arc::clone(&part.timeline),
            replayed: Arc::clone(&part.replayed),
            timings: Arc::clone(&part.timings),
            benchmark: part.benchmark(),
            lang: language(&part.transcript.header.task.labels),
            standing: self.standing,
        }
    }
}

/// What has been loaded of an episode: nothing yet, the episode, or why it cannot be had.
pub type Loading = RwSignal<Option<Result<Arc<Loaded>, ApiError>>>;

/// Loads the episode of the address, and again while it is under way.
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
            let ingredients = live::ingredients(&id).await;
            let mut known: Option<Arc<Loaded>> = None;
            while is_open() {
                let fresh = load(&id, &key, &ingredients, known.as_deref(), view).await;
                if !is_open() {
                    return;
                }
                let goes_on = match &fresh {
                    Ok(Some(fresh)) => fresh.goes_on(),
                    Ok(None) => true,
                    Err(_) => false,
                };
                match fresh {
                    Ok(Some(fresh)) => {
                        known = Some(Arc::clone(&fresh));
                        loading.try_set(Some(Ok(fresh)));
                    }
                    Ok(None) => {}
                    Err(problem) => {
                        loading.try_set(Some(Err(problem)));
                    }
                }
                if !goes_on {
                    return;
                }
                clock::sleep(POLL).await;
            }
        });
    });
    on_cleanup(move || opened.set_value(0));
    loading
}

impl Loaded {
    /// Whether more can be expected: the play is not over, or it is over and may still be graded.
    fn goes_on(&self) -> bool {
        match &self.play {
            Err(_) => false,
            Ok(play) => match &play.timeline.outcome {
                None => true,
                Some(_) => self.grading.as_ref().is_some_and(|grading| {
                    grading
                        .as_ref()
                        .is_ok_and(|one| one.timeline.outcome.is_none())
                }),
            },
        }
    }
}

/// The episode as it stands; `None` if it stands as it did.
async fn load(
    id: &RunId,
    key: &EpisodeKey,
    ingredients: &Result<Ingredients, ApiError>,
    before: Option<&Loaded>,
    view: RunView,
) -> Result<Option<Arc<Loaded>>, ApiError> {
    let play_text = live::transcript(id, key).await?;
    let grading_text = if may_be_graded(&play_text, ingredients) {
        // It may not have been graded yet; that is no error.
        live::transcript(id, &key.grading())
            .await
            .unwrap_or_default()
    } else {
        String::new()
    };
    let same = before.is_some_and(|before| {
        *before.play_text == play_text && *before.grading_text == grading_text
    });
    if same {
        return Ok(None);
    }
    let graded_elsewhere = view
        .summaries
        .try_with_untracked(|all| all.get(key).map(|summary| Standing::of(summary)))
        .flatten();
    let texts = Texts {
        timings: timings(id, key).await,
        grading_timings: if grading_text.is_empty() {
            Timings::default()
        } else {
            timings(id, &key.grading()).await
        },
        play: play_text,
        grading: grading_text,
    };
    Ok(Some(Arc::new(read(
        key,
        texts,
        ingredients,
        graded_elsewhere,
    ))))
}

/// Whether there can be a grading of a play: it is over, and needs one as far as that can be told here.
fn may_be_graded(play: &str, ingredients: &Result<Ingredients, ApiError>) -> bool {
    let Ok(play) = transcript::read(play) else {
        return true;
    };
    let Some(outcome) = play.outcome().filter(|outcome| outcome.is_complete()) else {
        return false;
    };
    let Ok((benchmark, at_hand)) = with_benchmark(&play, ingredients) else {
        return true;
    };
    let spec = &play.header.spec;
    let Some(task) = sweep::task(spec, &at_hand.tasks, &play.header.task.id) else {
        return true;
    };
    !matches!(
        benchmark.grade(spec, &task, &at_hand.pack, outcome),
        Ok(None)
    )
}

/// What was fetched of an episode.
struct Texts {
    play: String,
    grading: String,
    timings: Timings,
    grading_timings: Timings,
}

/// An episode whose transcripts are at hand: nothing is fetched.
pub fn from_texts(
    key: &EpisodeKey,
    play: String,
    grading: String,
    ingredients: &Result<Ingredients, ApiError>,
) -> Loaded {
    let texts = Texts {
        play,
        grading,
        timings: Timings::default(),
        grading_timings: Timings::default(),
    };
    read(key, texts, ingredients, None)
}

/// Times lie beside the transcripts (`decisions.md` 1); without them an episode reads as well.
async fn timings(id: &RunId, episode: &EpisodeKey) -> Timings {
    let calls = api::timing(id, episode).await.unwrap_or_default();
    Arc::new(
        calls
            .into_iter()
            .map(|call| (call.call, call.timing))
            .collect(),
    )
}

fn read(
    key: &EpisodeKey,
    texts: Texts,
    ingredients: &Result<Ingredients, ApiError>,
    graded_elsewhere: Option<Standing>,
) -> Loaded {
    let (play_text, grading_text) = (texts.play, texts.grading);
    let play = transcript::read(&play_text);
    let grading = (!grading_text.is_empty()).then(|| transcript::read(&grading_text));
    let at_hand = ingredients.as_ref().ok();
    let (task, canary) = match (&play, at_hand) {
        (Ok(play), Some(at_hand)) => (
            // Tasks that follow from the spec hide nothing: whoever knows the spec knows them.
            sweep::task(&play.header.spec, &at_hand.tasks, &play.header.task.id)
                .filter(|_| reads_file(play))
                .map(Cow::into_owned),
            match &at_hand.tasks.origin {
                TaskSetOrigin::Encrypted { canary } => Some(canary.clone()),
                TaskSetOrigin::Plain | TaskSetOrigin::Sealed => None,
            },
        ),
        _ => (None, None),
    };
    let standing = match (&play, &grading) {
        (Ok(play), Some(Ok(grading))) => standing(play, Some(grading)),
        (Ok(play), _) => graded_elsewhere.unwrap_or_else(|| standing(play, None)),
        (Err(_), _) => Standing::Incomplete,
    };
    let grading = grading.map(|grading| {
        grading.map(|grading| {
            let replayed = match (&play, with_benchmark(&grading, ingredients)) {
                (Ok(play), Ok((benchmark, at_hand))) => {
                    replayed::grading(benchmark, &at_hand.tasks, &at_hand.pack, play, &grading)
                }
                (_, Err(why)) => Replayed::not(why),
                (Err(_), _) => Replayed::not("its play cannot be read"),
            };
            part(grading, replayed, texts.grading_timings)
        })
    });
    let play = play.map(|play| {
        let replayed = match with_benchmark(&play, ingredients) {
            Ok((benchmark, at_hand)) => {
                replayed::play(benchmark, &at_hand.tasks, &at_hand.pack, &play)
            }
            Err(why) => Replayed::not(why),
        };
        part(play, replayed, texts.timings)
    });
    Loaded {
        key: key.clone(),
        play_text: Arc::new(play_text),
        play,
        grading_text: Arc::new(grading_text),
        grading,
        task,
        sealed: at_hand.is_some_and(|at_hand| at_hand.tasks.origin == TaskSetOrigin::Sealed),
        origin: at_hand.map(|at_hand| at_hand.tasks.origin.clone()),
        canary,
        standing,
    }
}

fn part(transcript: Transcript, replayed: Replayed, timings: Timings) -> Arc<Part> {
    Arc::new(Part {
        timings,
        timeline: Arc::new(timeline(&transcript)),
        replayed: Arc::new(replayed),
        transcript,
    })
}

fn with_benchmark<'a>(
    transcript: &Transcript,
    ingredients: &'a Result<Ingredients, ApiError>,
) -> Result<(&'static dyn Benchmark, &'a Ingredients), String> {
    let benchmark =
        library::benchmark(&transcript.header.spec.benchmark).map_err(|bad| bad.message)?;
    let at_hand = ingredients.as_ref().map_err(|bad| bad.message.clone())?;
    Ok((benchmark, at_hand))
}

/// Whether the tasks of a play's benchmark come from a file.
fn reads_file(play: &Transcript) -> bool {
    library::benchmark(&play.header.spec.benchmark)
        .is_ok_and(|benchmark| benchmark.task_source() == TaskSource::File)
}

/// How a play stands by its transcripts alone.
fn standing(play: &Transcript, grading: Option<&Transcript>) -> Standing {
    match library::benchmark(&play.header.spec.benchmark) {
        Ok(benchmark) => {
            let measured = benchmark.measure_episode(play, grading);
            Standing::of(&summarise(play, grading, measured))
        }
        Err(_) => Standing::Ungraded,
    }
}
