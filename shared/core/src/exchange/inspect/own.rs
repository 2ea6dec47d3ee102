//! A log that this program wrote, taken back as the run that it was: the transcripts in its samples' metadata, byte for byte.
//!
//! Nothing is believed: chains are computed anew, and what the log says beside its transcripts (scores, answers, what was said)
//! has to be what they give. A log of which one sample fails is read as any other log ([`super::import`]). Receipts are no part
//! of a log, so a run that was taken back is never verified by that alone.

use serde::Deserialize;
use serde_json::{Value, json};

use super::OURS;
use super::import::id;
use super::read::{Header, Sample};
use super::sample::{said, sample as written};
use crate::benchmark::Benchmark;
use crate::benchmark::given::{Episode, Given, Texts};
use crate::key::EpisodeKey;
use crate::metrics::report::Report;
use crate::metrics::summary::summarise;
use crate::picture;
use crate::spec::Spec;
use crate::transcript::{self, Origin, Part, Transcript};
use crate::verify::is_under;
use crate::wire::naming;

/// What a log of ours says of its run.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnRun {
    /// Everything that decided how it went.
    pub spec: Spec,
    /// Its name for people; may be empty.
    pub title: String,
    /// By which people find it.
    pub tags: Vec<String>,
}

/// Why a log of ours cannot be taken back as the run that it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRestored {
    /// Its configuration cannot be read.
    #[error("its configuration cannot be read: {0}")]
    Spec(String),
    /// It has none of the exact transcripts.
    #[error("sample {0} has no transcripts ({1})")]
    NoTranscripts(String, String),
    #[error("the {part} of sample {sample} does not hold: {why}")]
    Broken { sample: String, part: &'static str, why: String },
    /// What the log tells is not what its transcripts give.
    #[error("{what} of sample {sample} is not what its transcript gives")]
    Differs { sample: String, what: &'static str },
}

/// What a log says of the run of ours that it holds; `None` if another program wrote it, and for logs that were imported before
/// they were exported.
///
/// # Errors
/// If it is ours, and its configuration cannot be read.
pub fn run(header: &Header) -> Option<Result<OwnRun, NotRestored>> {
    let ours = header.eval.metadata.as_ref()?.get(OURS)?;
    let spec = match Spec::deserialize(ours.get("spec")?) {
        Ok(spec) if spec.is_imported() => return None,
        Ok(spec) => spec,
        Err(bad) => return Some(Err(NotRestored::Spec(bad.to_string()))),
    };
    let title = ours["title"].as_str().unwrap_or_default();
    let tags: Vec<String> = Vec::deserialize(&ours["tags"]).unwrap_or_default();
    // They are texts of others.
    Some(Ok(OwnRun {
        spec,
        title: naming::title(title).unwrap_or_default(),
        tags: naming::tags(&tags).unwrap_or_default(),
    }))
}

#[derive(Deserialize)]
struct Texted {
    play: String,
    #[serde(default)]
    grading: Option<String>,
}

/// The transcripts of a sample, as they were: those of its episode and, if there was one, of its grading.
///
/// # Errors
/// What does not hold.
pub fn transcripts(
    run: &OwnRun,
    benchmark: &'static dyn Benchmark,
    sample: &Sample,
) -> Result<Vec<(EpisodeKey, String)>, NotRestored> {
    let name = id(&sample.id);
    let ours = sample.metadata.get(OURS).unwrap_or(&Value::Null);
    let texts = match Texted::deserialize(&ours["transcripts"]) {
        Ok(texts) => texts,
        Err(_) => {
            let why = ours["transcripts_left_out"].as_str().unwrap_or("none is in it");
            return Err(NotRestored::NoTranscripts(name, why.to_owned()));
        }
    };
    let broken = |part, why: String| NotRestored::Broken { sample: name.clone(), part, why };
    let play = transcript::read(&texts.play).map_err(|bad| broken("play", bad.to_string()))?;
    let header = &play.header;
    let key = EpisodeKey::play(&header.task.id, header.repeat);
    let is = |holds: bool, part, why: &str| match holds {
        true => Ok(()),
        false => Err(broken(part, why.to_owned())),
    };
    is(header.origin == Origin::Recorded, "play", "it was not recorded by this program")?;
    is(header.part == Part::Play, "play", "it is not an episode")?;
    is(
        header.branch.is_none(),
        "play",
        "it branches from the episode of another run, which the log does not have",
    )?;
    is(is_under(&run.spec, &header.spec), "play", "it was played under another configuration")?;
    is(header.repeat == sample.epoch, "play", "it is another repeat")?;
    is(ours["chain"] == json!(play.chain), "play", "its chain is not the one in the metadata")?;
    let grading = match &texts.grading {
        None => None,
        Some(text) => {
            let grading =
                transcript::read(text).map_err(|bad| broken("grading", bad.to_string()))?;
            let of = Part::Grading { play: play.chain };
            is(grading.header.part == of, "grading", "it grades another episode")?;
            is(
                is_under(&run.spec, &grading.header.spec),
                "grading",
                "it was graded under another configuration",
            )?;
            Some(grading)
        }
    };
    agree(run, benchmark, sample, &key, &play, grading.as_ref())?;
    let mut all = vec![(key.clone(), texts.play)];
    all.extend(texts.grading.map(|text| (key.grading(), text)));
    Ok(all)
}

/// Checks that what the log tells beside its transcripts is what they give.
fn agree(
    run: &OwnRun,
    benchmark: &'static dyn Benchmark,
    sample: &Sample,
    key: &EpisodeKey,
    play: &Transcript,
    grading: Option<&Transcript>,
) -> Result<(), NotRestored> {
    let report = Report::default();
    let given = Given {
        benchmark,
        spec: &run.spec,
        title: &run.title,
        tags: &run.tags,
        id: "",
        opened: None,
        program: "",
        tasks: None,
        pack: None,
        texts: Texts::Named,
        report: &report,
        pictures: &picture::NONE,
    };
    let summary = summarise(play, grading, benchmark.measure(play, grading));
    let again = written(&given, &Episode { key, summary: &summary, play, grading, times: &[] });
    let differs = |what| NotRestored::Differs { sample: id(&sample.id), what };
    if again.id != id(&sample.id) {
        return Err(differs("the id"));
    }
    let scores = sample.scores.iter().flatten();
    let told: Vec<(&String, &Value, Option<&str>)> =
        scores.map(|(name, score)| (name, &score.value, score.answer.as_deref())).collect();
    let own = again.whole["scores"].as_object().into_iter().flatten();
    let own: Vec<(&String, &Value, Option<&str>)> =
        own.map(|(name, score)| (name, &score["value"], score["answer"].as_str())).collect();
    if !alike(&told, &own) {
        return Err(differs("the score or the answer"));
    }
    let messages = again.whole["messages"].as_array().map_or(&[][..], Vec::as_slice);
    let told = sample.messages.iter().filter_map(|message| {
        let is_said = ["assistant", "tool"].contains(&message.role.as_str());
        is_said.then_some((message.role.as_str(), &message.content))
    });
    match told.eq(said(messages)) {
        true => Ok(()),
        false => Err(differs("the conversation")),
    }
}

/// Whether scores are the same; programs write 1 and 1.0 for one number.
fn alike(
    one: &[(&String, &Value, Option<&str>)],
    other: &[(&String, &Value, Option<&str>)],
) -> bool {
    let same = |one: &Value, other: &Value| match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    };
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| one.0 == other.0 && same(one.1, other.1) && one.2 == other.2)
}
