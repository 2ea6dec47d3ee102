//! An episode whose transcripts are read and made ready for reading.

use turnwise_shared::task_texts::TaskTexts;
use turnwise_shared::transcript::BadTranscript;

use super::study::Study;
use crate::components::timeline::Reading;
use crate::prelude::*;
use crate::strings::episode as words;
use crate::view::replayed::Seal;
use crate::view::spec::participants;
use crate::view::timeline::{Timeline, timeline};

/// An episode, ready for reading.
#[derive(Clone)]
pub struct Loaded {
    /// Its run, where the server has it.
    pub run: Option<RunId>,
    pub key: EpisodeKey,
    /// The lines of its episode.
    pub play_text: Arc<String>,
    /// Its episode, or why it cannot be read.
    pub play: Result<Arc<ReadTranscript>, BadTranscript>,
    /// The lines of its grading; empty if there is none.
    pub grading_text: Arc<String>,
    /// Its grading, if there is one, or why it cannot be read.
    pub grading: Option<Result<Arc<ReadTranscript>, BadTranscript>>,
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
pub struct ReadTranscript {
    /// As it lies in the file.
    pub transcript: Transcript,
    pub timeline: Arc<Timeline>,
    pub timings: Timings,
}

impl ReadTranscript {
    /// That the chain holds, in a sentence.
    pub fn chain(&self) -> String {
        format!(
            "The chain holds over {}; it ends in {}",
            counted(self.transcript.events.len(), "line", "lines"),
            self.transcript.chain
        )
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
        Signal::derive(move || study.and_then(|study| study.replayed(part).cloned()))
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
    pub fn reading(&self, part: &ReadTranscript, which: PartKey) -> Reading {
        let study = self.study.clone();
        let spec = part.transcript.header.spec.naming(&self.names);
        Reading {
            timeline: Arc::clone(&part.timeline),
            replayed: self.replayed(which),
            timings: Arc::clone(&part.timings),
            benchmark: Signal::derive(move || study.and_then(|study| study.benchmark)),
            who: Arc::new(participants(&spec).into_iter().collect()),
            spec: Arc::new(spec),
            lang: language(&part.transcript.header.task.labels),
            status: self.status,
            part: which,
            run: self.run.clone(),
        }
    }
}

impl Loaded {
    /// Whether more can be expected: the episode is not over, or it is over and may still be graded.
    pub fn goes_on(&self) -> bool {
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

/// What was fetched of an episode.
pub struct Texts {
    pub play: String,
    pub grading: String,
    pub timings: Timings,
    pub grading_timings: Timings,
}

/// An episode whose transcripts are at hand: nothing is fetched.
pub fn from_texts(key: &EpisodeKey, play: String, grading: String) -> Loaded {
    let texts =
        Texts { play, grading, timings: Timings::default(), grading_timings: Timings::default() };
    read(key, transcript::read(&texts.play), texts, None)
}

/// An episode of transcripts that were fetched.
pub fn read(
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

fn part(transcript: Transcript, timings: Timings) -> Arc<ReadTranscript> {
    Arc::new(ReadTranscript { timings, timeline: Arc::new(timeline(&transcript)), transcript })
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
