//! What is said of a run or an episode to those who do not run the app: programs that show a link, readers without scripts. Title,
//! a few sentences, and a picture; all of it from summaries, which are computed from transcripts.
//!
//! Of a task that is kept encrypted or sealed nothing is said but its id, its turns and how it ended, and the canary of the set stands
//! in the page (ARCHITECTURE.md, rule 3). Whatever a user typed or a model said is escaped where it is written: in [`page`], and by
//! [`Markup`](turnwise_shared::markup::Markup) in [`first`].

mod page;
mod picture;
mod shell;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use turnwise_shared::exchange::inspect::known_profile;
use turnwise_shared::metrics::episode_status::EpisodeStatus;
use turnwise_shared::metrics::report::Known;
use turnwise_shared::prelude::*;

use crate::App;
use crate::error::{Answer, Problem};
use crate::measures;
use crate::store::RunHead;
use crate::task_texts::KnownSet;

pub use page::into_page;
pub use shell::Shell;

/// The ribbons of a run that its picture shows.
const RIBBONS: u32 = 9;

/// The longest answer that is shown, in characters.
const LONGEST_ANSWER: usize = 200;

/// The longest question that is shown, in characters.
const LONGEST_QUESTION: usize = 2_000;

const KEPT: usize = 64;

/// What is said of a run that contradicts itself; it has no number then.
const REFUSED: &str = "The server checked it and refused it: it is not what it says.";

/// What is said of a run that left its board against its owner's will.
const REMOVED: &str = "The operator took it off its board.";

/// What is said of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    pub title: String,
    /// What it is called in a picture where its name has letters that no face here has.
    pub plain_title: String,
    /// What it is, in sentences.
    pub sentences: Vec<String>,
    /// How far it is, and its number, in a sentence; of a run whose page shows its numbers it is shown to programs only.
    pub progress: Option<String>,
    /// The number or word to be seen first, and what it says.
    pub headline: Option<(String, String)>,
    pub ribbons: Vec<Vec<Mark>>,
    /// Where its picture is, from the server's root.
    pub picture: String,
    /// The canary of the set to which its tasks belong, if it asks for one.
    pub canary: Option<String>,
    /// The question that was put, of a task that is not secret; only the page shows it.
    pub question: Option<Question>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub text: String,
    /// The language in which they are written, where the task says so (`en`, `zh`).
    pub language: Option<String>,
}

/// A turn in a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    kind: TurnKind,
    tone: Option<Tone>,
}

/// What is said of a run.
///
/// # Errors
/// If the store fails.
pub async fn of_run(app: &App, run: &RunHead) -> Answer<Preview> {
    told(app, run, &info(app, run).await?).await
}

/// What is said of a run, and what its page shows first.
///
/// # Errors
/// If the store fails; without what comes first a page is a page.
pub async fn page_of_run(app: &App, run: &RunHead) -> Answer<(Preview, Option<Shell>)> {
    let info = info(app, run).await?;
    let told = told(app, run, &info).await?;
    Ok((told, shell::of_run(app, run, &info).await.ok().flatten()))
}

async fn told(app: &App, run: &RunHead, info: &RunInfo) -> Answer<Preview> {
    let first = app.store().first_summaries(&run.run, RIBBONS).await?;
    let progress = format!("{} of {} episodes", info.finished, info.episodes);
    let headline = info
        .accuracy
        .map(|accuracy| match info.known() {
            Some(Known { bounds: (low, high), .. }) => {
                format!("{} to {}", percent(low), percent(high))
            }
            None => percent(accuracy),
        })
        .map(|number| (number, measure(&info.spec)));
    let mut sentences = vec![about(&info.spec)];
    sentences.extend(branch_sentence(info));
    sentences.extend(info.doubt.as_deref().map(against).map(str::to_owned));
    let graded = info.known().map_or_else(String::new, |known| format!(", {}", known.words()));
    let progress = match &headline {
        Some((number, what)) => format!("{what} {number} over {progress}{graded}."),
        None => format!("{progress} are over{graded}."),
    };
    Ok(Preview {
        title: name(info),
        plain_title: benchmark(&info.spec),
        sentences,
        progress: Some(progress),
        headline,
        ribbons: first.iter().map(|(_, one)| marks(one)).collect(),
        picture: format!("/api/runs/{}/preview", run.run),
        canary: kept(app, &info.spec).await.canary(),
        question: None,
    })
}

/// What is said of an episode.
///
/// # Errors
/// If there is none of that name, or the store fails.
pub async fn of_episode(app: &App, run: &RunHead, play: &EpisodeKey) -> Answer<Preview> {
    let info = info(app, run).await?;
    let summary = summary(app, run, play).await?;
    told_of_episode(app, run, &info, play, &summary).await
}

/// What is said of an episode, and what its page shows first; the turn that its address names is marked.
///
/// # Errors
/// If there is none of that name, or the store fails; without what comes first a page is a page.
pub async fn page_of_episode(
    app: &App,
    run: &RunHead,
    play: &EpisodeKey,
    now: Option<u32>,
) -> Answer<(Preview, Option<Shell>)> {
    let info = info(app, run).await?;
    let summary = summary(app, run, play).await?;
    let told = told_of_episode(app, run, &info, play, &summary).await?;
    let question = told.question.as_ref().map(|question| question.text.as_str());
    let first = shell::of_episode(app, run, &info, play, &summary, question, now).await;
    let first = first.ok().flatten();
    Ok((told, first))
}

async fn summary(app: &App, run: &RunHead, play: &EpisodeKey) -> Answer<Summary> {
    let summary = measures::summary(app, run, play).await?;
    summary.ok_or_else(|| Problem::not_found("such episode"))
}

async fn told_of_episode(
    app: &App,
    run: &RunHead,
    info: &RunInfo,
    play: &EpisodeKey,
    summary: &Summary,
) -> Answer<Preview> {
    let kept = kept(app, &info.spec).await;
    let outcome = outcome(summary);
    let turns = match summary.ribbon.len() {
        1 => "1 turn".to_owned(),
        turns => format!("{turns} turns"),
    };
    let mut sentences = vec![format!("{outcome} after {turns}."), about(&info.spec)];
    if let (Kept::Open, Some(answer)) = (&kept, &summary.measured.answer) {
        sentences.insert(1, format!("The answer: {}.", shortened(answer, LONGEST_ANSWER)));
    }
    sentences.extend(branch_sentence(info));
    let question = match kept {
        Kept::Open => question(app, &info.spec, &summary.task.id).await,
        Kept::Closed(_) => None,
    };
    Ok(Preview {
        title: format!("Task {} · {}", summary.task.id, name(info)),
        plain_title: format!("Task {} · {}", summary.task.id, benchmark(&info.spec)),
        sentences,
        progress: None,
        headline: Some((outcome, turns)),
        ribbons: vec![marks(summary)],
        picture: format!("/api/runs/{}/episodes/{play}/preview", run.run),
        canary: kept.canary(),
        question,
    })
}

impl Preview {
    /// All of it in words.
    fn words(&self) -> String {
        let all: Vec<&str> =
            self.sentences.iter().chain(&self.progress).map(String::as_str).collect();
        all.join(" ")
    }

    /// The picture, as PNG. What was drawn lately is not drawn again.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub async fn picture(&self) -> Answer<Bytes> {
        static DRAWN: Mutex<VecDeque<(Digest, Bytes)>> = Mutex::new(VecDeque::new());
        let drawn = || DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
        // The same words and marks make the same picture, so nothing that is kept here can be out of date.
        let what = Digest::of(format!("{self:?}"));
        let known =
            drawn().iter().find(|(name, _)| *name == what).map(|(_, picture)| picture.clone());
        if let Some(picture) = known {
            return Ok(picture);
        }
        let told = self.clone();
        let picture = tokio::task::spawn_blocking(move || picture::draw(&told))
            .await
            .map_err(Problem::internal)?
            .map_err(Problem::internal)?;
        let picture = Bytes::from(picture);
        let mut all = drawn();
        all.push_front((what, picture.clone()));
        all.truncate(KEPT);
        Ok(picture)
    }
}

/// How the tasks of a set are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kept {
    Open,
    /// Encrypted or sealed, or unknown here.
    Closed(Option<String>),
}

impl Kept {
    fn canary(self) -> Option<String> {
        match self {
            Kept::Open => None,
            Kept::Closed(canary) => canary,
        }
    }
}

async fn kept(app: &App, spec: &Spec) -> Kept {
    match &KnownSet::of(app, spec).await.origin {
        Some(TaskSetOrigin::Plain) => Kept::Open,
        Some(TaskSetOrigin::Encrypted { canary }) => Kept::Closed(Some(canary.clone())),
        Some(TaskSetOrigin::Sealed) | None => Kept::Closed(None),
    }
}

/// What a task of an open set asks; `None` where tasks are made by the spec, or the set is not at hand any more.
async fn question(app: &App, spec: &Spec, id: &TaskId) -> Option<Question> {
    let benchmark = registry::find(&spec.benchmark).ok()?;
    if benchmark.task_source() == TaskSource::Spec {
        return None;
    }
    let set = app.tasks(benchmark, &spec.tasks).await.ok()?;
    let task = sweep::task(benchmark, spec, &set, id)?;
    Some(Question {
        text: shortened(task.field(OPEN_FIELD)?, LONGEST_QUESTION),
        language: task.labels.get("language").cloned(),
    })
}

fn against(doubt: &Doubt) -> &'static str {
    match doubt {
        Doubt::Refused { .. } => REFUSED,
        Doubt::Removed(_) => REMOVED,
    }
}

async fn info(app: &App, run: &RunHead) -> Answer<RunInfo> {
    let info = app.store().run(&run.run).await?;
    info.ok_or_else(|| Problem::not_found("such run"))
}

fn name(info: &RunInfo) -> String {
    match info.title.trim() {
        "" => format!("{}, {}", benchmark(&info.spec), info.spec.tasks.name),
        title => title.to_owned(),
    }
}

fn benchmark(spec: &Spec) -> String {
    registry::find(&spec.benchmark)
        .map_or_else(|_| spec.benchmark.clone(), |benchmark| benchmark.title().to_owned())
}

fn measure(spec: &Spec) -> String {
    registry::find(&spec.benchmark)
        .map_or_else(|_| "Score".to_owned(), |benchmark| benchmark.compared_by().label.to_owned())
}

/// Which benchmark, and who plays.
fn about(spec: &Spec) -> String {
    let player = match spec.seats.get(&Seat::new(Seat::PLAYER)) {
        Some(sitting) => format!("player {}", sitting.player),
        None => format!("{} participants", spec.seats.len()),
    };
    let profile = known_profile(spec)
        .map_or_else(String::new, |profile| format!(", profile {}", profile.name()));
    format!("{}, {player}{profile}.", benchmark(spec))
}

fn branch_sentence(info: &RunInfo) -> Option<String> {
    let of = info.branch_of.as_ref()?;
    Some(format!(
        "It goes on from turn {} of another run's episode, and counts on no board.",
        of.turn
    ))
}

fn outcome(summary: &Summary) -> String {
    let word = match EpisodeStatus::of(summary) {
        EpisodeStatus::Played | EpisodeStatus::Ungraded => "Over",
        EpisodeStatus::Live => "Under way",
        other => other.label(),
    };
    word.to_owned()
}

fn percent(fraction: f64) -> String {
    format!("{:.1} %", 100.0 * fraction)
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The turns of an episode; its answer has the tone of the verdict, which is known from how the episode stands.
fn marks(summary: &Summary) -> Vec<Mark> {
    let verdict = match EpisodeStatus::of(summary) {
        EpisodeStatus::Correct => Some(Tone::Positive),
        EpisodeStatus::Wrong => Some(Tone::Negative),
        EpisodeStatus::Partial | EpisodeStatus::Ungraded => Some(Tone::Unknown),
        _ => None,
    };
    let mark = |cell: &Cell| Mark {
        kind: cell.kind,
        tone: match cell.kind {
            TurnKind::Answer => cell.tone.or(verdict),
            _ => cell.tone,
        },
    };
    summary.ribbon.iter().map(mark).collect()
}

#[cfg(test)]
mod tests;
