//! The grading of an episode: a judge compares the final answer with the reference answer (specification 7). It is an episode
//! of its own, so that it can be repeated without touching the episode.

mod exact;
#[cfg(test)]
mod tests;

use serde_json::json;

use super::consult::ends_the_play;
use super::prompts::named;
use super::reading::judge::{JudgeStatus, Verdict, read, skipped};
use super::settings::seat;
use super::task::{Language, field};
use turnwise_core::effect::Failure;
use turnwise_core::episode::{Episode, Outbox, Outcome};
use turnwise_core::json::{self, Dialect, Json};
use turnwise_core::note::{Came, Fault, Note, Reading, Tone, Turn, TurnKind};
use turnwise_core::prompt::{
    ActionForm, Ask, Expect, Message, Role, Said, ThreadId, Variable, Written,
};
use turnwise_core::scene::{Block, Scene};
use turnwise_core::seat::{Seat, Viewer};
use turnwise_core::spec::Profile;
use turnwise_core::task::Task;

pub use exact::{exact, same};

/// How gradings end.
pub mod ending {
    /// The judge said it.
    pub const JUDGED: &str = "judged";
    /// There was nothing to judge: incorrect, without a call.
    pub const SKIPPED: &str = "skipped";
    /// Every attempt failed: incorrect under `reference`, no verdict under `strict`.
    pub const ERROR: &str = "error";
    /// `strict`: the judge's replies could not be read; no verdict.
    pub const UNPARSED: &str = "unparsed";
}

/// How many times a judge is asked for one vote: failed calls under `reference`, replies that cannot be read under `strict`,
/// whose driver repeats failed calls itself.
const ATTEMPTS: [(Profile, u32); 2] = [(Profile::Reference, 3), (Profile::Strict, 2)];

/// What is judged, and how.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// How replies are read, and what a failure means.
    pub profile: Profile,
    /// How many times a judge votes under `strict`: 1 or 3. `reference` has one vote.
    pub votes: u32,
    /// Which message is the question.
    pub question: Question,
    /// The task.
    pub task: &'a Task,
    /// How the episode ended.
    pub play: &'a Outcome,
}

/// Which message of the user a judge is shown as the question, where a prompt has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// The first: settings B, C and custom of the reference.
    First,
    /// The last: `strict`, and setting A.
    Last,
}

/// A grading. See the module's head.
pub struct Judging {
    out: Outbox,
    profile: Profile,
    language: Language,
    question: Variable,
    prediction: String,
    votes: u32,
    said: Vec<Vote>,
    /// Requests for the vote that is being asked for.
    attempt: u32,
    /// Requests in all.
    asked: u32,
}

/// What came of one vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vote {
    Said(Verdict),
    Error,
    Unparsed,
}

impl Vote {
    fn word(self) -> &'static str {
        match self {
            Vote::Said(verdict) => verdict.name(),
            Vote::Error => ending::ERROR,
            Vote::Unparsed => ending::UNPARSED,
        }
    }
}

/// The final answer of an episode; empty if it gave none.
pub fn prediction(play: &Outcome) -> &str {
    play.text("prediction").unwrap_or_default()
}

impl Judging {
    /// Opens the grading of an episode that came to an end.
    pub fn open(case: Case<'_>) -> Self {
        let question = case.task.field(field::QUESTION).unwrap_or_default();
        let mut judging = Judging {
            out: Outbox::default(),
            profile: case.profile,
            language: Language::of(question),
            question: match case.question {
                Question::First => first_question(case.task),
                Question::Last => Variable::field(field::QUESTION),
            },
            prediction: prediction(case.play).to_owned(),
            votes: match case.profile {
                Profile::Reference => 1,
                Profile::Strict => case.votes,
            },
            said: Vec::new(),
            attempt: 0,
            asked: 0,
        };
        let answer = case.task.field(field::ANSWER);
        // A reference answer that is sealed here is there for whoever renders the request.
        match answer.map_or_else(
            || skipped(&judging.prediction, "sealed"),
            |answer| skipped(&judging.prediction, answer),
        ) {
            Some(verdict) => judging.finish(JudgeStatus::Skipped, Some(verdict)),
            None => judging.ask("judge"),
        }
        judging
    }

    fn ask(&mut self, template: &str) {
        self.attempt += 1;
        self.asked += 1;
        let user = Message::template(
            Role::User,
            &named(template, self.language),
            [
                ("question", self.question.clone()),
                ("answer", Variable::field(field::ANSWER)),
                ("prediction", Variable::text(self.prediction.as_str())),
            ],
        );
        let system = named("judge_system", self.language);
        let messages = vec![Message::template(Role::System, &system, []), user];
        let verdict = [("verdict", "Correct or Incorrect")];
        // The verdict as a form, written between the tags that are read.
        let form = ActionForm::new("answer", Written::Tag, &verdict);
        let thread = ThreadId(self.asked);
        self.out.ask(Ask::new(seat::JUDGE, thread, messages, Expect::Actions(vec![form])));
    }

    fn attempts(&self) -> u32 {
        let mut all = ATTEMPTS.iter();
        all.find(|(profile, _)| *profile == self.profile).map_or(1, |(_, attempts)| *attempts)
    }

    fn note(&mut self, verdict: Option<Verdict>, text: Option<&str>) {
        let word = verdict.map_or("nothing that can be read", Verdict::name);
        let (kind, reading) = match (verdict, text) {
            (Some(verdict), _) => {
                (TurnKind::Answer, Reading::applied(json!({ "verdict": verdict })))
            }
            (None, text) => {
                let why = match text {
                    Some(_) => "the last answer block holds neither Correct nor Incorrect",
                    None => "the judge returned no text",
                };
                (TurnKind::Invalid, Fault::new("judge_unreadable", why).into())
            }
        };
        // A request that failed is counted, too.
        self.out.note(Turn {
            index: self.asked,
            round: self.said.len() as u32 + 1,
            seat: Seat::new(seat::JUDGE),
            call: self.out.call(),
            kind,
            sentence: format!("the judge says {word}"),
            reading,
        });
    }

    fn voted(&mut self, vote: Vote) {
        self.said.push(vote);
        self.attempt = 0;
        if self.said.len() < self.votes as usize {
            self.ask("judge");
            return;
        }
        let count = |wanted: Vote| self.said.iter().filter(|vote| **vote == wanted).count();
        let most = [Verdict::Correct, Verdict::Incorrect]
            .into_iter()
            .find(|verdict| count(Vote::Said(*verdict)) * 2 > self.said.len());
        match most {
            Some(verdict) => self.finish(JudgeStatus::Success, Some(verdict)),
            None if self.profile == Profile::Reference => {
                self.finish(JudgeStatus::Error, Some(Verdict::Incorrect));
            }
            None if count(Vote::Error) > 0 => self.finish(JudgeStatus::Error, None),
            None => self.finish(JudgeStatus::Unparsed, None),
        }
    }

    fn finish(&mut self, status: JudgeStatus, verdict: Option<Verdict>) {
        let ending = match status {
            JudgeStatus::Success => ending::JUDGED,
            JudgeStatus::Skipped => ending::SKIPPED,
            JudgeStatus::Error => ending::ERROR,
            JudgeStatus::Unparsed => ending::UNPARSED,
        };
        let votes: Vec<&str> = self.said.iter().map(|vote| vote.word()).collect();
        if self.asked > 0 {
            let word = verdict.map_or(ending, Verdict::name);
            let tone = match (status, verdict) {
                (JudgeStatus::Success, Some(Verdict::Correct)) => Tone::Positive,
                (JudgeStatus::Success, Some(Verdict::Incorrect)) => Tone::Negative,
                _ => Tone::Failed,
            };
            let came = Came::new(self.asked, tone, word.to_lowercase());
            self.out.note(Came { shown: votes.join(", "), ..came });
        }
        self.out.finish(ending, json!({ "verdict": verdict, "status": status, "votes": votes }));
    }
}

/// The first message of the user; as a field where it is the last, too, because transcripts do not repeat tasks.
fn first_question(task: &Task) -> Variable {
    let last = Variable::field(field::QUESTION);
    let prompt = task.field(field::PROMPT);
    let Some(Ok(Json::List(messages))) = prompt.map(|text| json::parse(text, Dialect::Strict))
    else {
        return last;
    };
    let mut users = messages.iter().filter_map(|message| {
        let message = message.as_object()?;
        let text = |name: &str| message.get(name).and_then(Json::as_text);
        (text("role") == Some("user")).then(|| text("content"))?
    });
    match users.next() {
        Some(first) if Some(first) != task.field(field::QUESTION) => Variable::text(first),
        _ => last,
    }
}

impl Episode for Judging {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, _: &str, said: Said) {
        let verdict = read(said.text.as_deref(), self.profile);
        self.note(verdict, said.text.as_deref());
        match verdict {
            Some(verdict) => self.voted(Vote::Said(verdict)),
            None if self.attempt < self.attempts() => self.ask("judge_again"),
            None => self.voted(Vote::Unparsed),
        }
    }

    fn failed(&mut self, failure: Failure) {
        if ends_the_play(&failure) {
            return self.out.fail(&failure);
        }
        let detail = json!({ "vote": self.said.len() + 1, "failure": failure.class });
        self.out.note(Note::flag("judge_failed", None, detail));
        match self.profile {
            Profile::Reference if self.attempt < self.attempts() => self.ask("judge"),
            _ => self.voted(Vote::Error),
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let mut scene = Scene { awaits: self.out.awaits(viewer), ..Scene::default() };
        if matches!(viewer.seat(), None | Some(seat::JUDGE)) {
            scene.blocks.push(Block::text("Answer to be judged", &self.prediction));
        }
        scene
    }
}
