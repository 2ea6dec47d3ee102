//! The grading of an episode: a judge compares the final answer with the reference answer (specification 7). It is an episode
//! of its own, so that it can be repeated without touching the episode.

mod exact;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use super::consult::{ends_the_play, named};
use super::reading::judge::{JudgeStatus, Verdict, read, skipped};
use super::settings::seat;
use super::task::{Language, field};
use turnwise_core::effect::{Effect, Failure, Reply};
use turnwise_core::episode::{CallId, Episode, Misuse, Outbox, Outcome, Step};
use turnwise_core::json::{self, Dialect, Json};
use turnwise_core::note::{self, Came, Note, Tone, Turn, TurnKind};
use turnwise_core::prompt::{
    ActionForm, Ask, Expect, Message, Parameter, Role, ThreadId, Variable, Written,
};
use turnwise_core::scene::{Block, Scene};
use turnwise_core::seat::{Seat, Viewer};
use turnwise_core::spec::Profile;
use turnwise_core::task::Task;

pub use exact::{exact, same};

/// The judge's templates by name, in our own wording. English has no ending, Chinese has `_zh`.
pub const TEMPLATES: &[(&str, &str)] = &[
    ("judge_system", include_str!("../prompts/judge_system.txt")),
    ("judge_system_zh", include_str!("../prompts/judge_system_zh.txt")),
    ("judge", include_str!("../prompts/judge.txt")),
    ("judge_zh", include_str!("../prompts/judge_zh.txt")),
    ("judge_again", include_str!("../prompts/judge_again.txt")),
    ("judge_again_zh", include_str!("../prompts/judge_again_zh.txt")),
];

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
    let prediction = play.result.get("prediction").and_then(Value::as_str);
    prediction.unwrap_or_default()
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
        self.out.request(Effect::Ask(Ask {
            seat: Seat::new(seat::JUDGE),
            thread: ThreadId(self.asked),
            messages: vec![Message::template(Role::System, &system, []), user],
            expect: Expect::Actions(vec![form()]),
        }));
    }

    fn attempts(&self) -> u32 {
        let mut all = ATTEMPTS.iter();
        all.find(|(profile, _)| *profile == self.profile).map_or(1, |(_, attempts)| *attempts)
    }

    fn said(&mut self, call: CallId, text: Option<&str>) {
        let verdict = read(text, self.profile);
        self.note(call, verdict, text);
        match verdict {
            Some(verdict) => self.voted(Vote::Said(verdict)),
            None if self.attempt < self.attempts() => self.ask("judge_again"),
            None => self.voted(Vote::Unparsed),
        }
    }

    fn failed(&mut self, failure: &Failure) {
        if ends_the_play(failure) {
            self.out.finish(Outcome::incomplete(failure));
            return;
        }
        self.out.note(Note::Flag {
            name: "judge_failed".to_owned(),
            turn: None,
            detail: json!({ "vote": self.said.len() + 1, "failure": failure.class }),
        });
        match self.profile {
            Profile::Reference if self.attempt < self.attempts() => self.ask("judge"),
            _ => self.voted(Vote::Error),
        }
    }

    fn note(&mut self, call: CallId, verdict: Option<Verdict>, text: Option<&str>) {
        let word = verdict.map_or("nothing that can be read", Verdict::name);
        let fault = verdict.is_none().then(|| note::Fault {
            class: "judge_unreadable".to_owned(),
            detail: match text {
                Some(_) => "the last answer block holds neither Correct nor Incorrect",
                None => "the judge returned no text",
            }
            .to_owned(),
        });
        self.out.note(Note::Turn(Turn {
            index: self.asked,
            round: self.said.len() as u32 + 1,
            seat: Seat::new(seat::JUDGE),
            call,
            kind: match verdict {
                Some(_) => TurnKind::Answer,
                None => TurnKind::Invalid,
            },
            sentence: format!("the judge says {word}"),
            reading: note::Reading {
                extracted: None,
                repaired: Vec::new(),
                applied: verdict.map_or(Value::Null, |verdict| json!({ "verdict": verdict })),
                fault,
            },
        }));
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
            self.out.note(Note::Came(Came {
                turn: self.asked,
                call: None,
                tone: match (status, verdict) {
                    (JudgeStatus::Success, Some(Verdict::Correct)) => Tone::Positive,
                    (JudgeStatus::Success, Some(Verdict::Incorrect)) => Tone::Negative,
                    _ => Tone::Failed,
                },
                word: word.to_lowercase(),
                shown: votes.join(", "),
                reading: None,
            }));
        }
        self.out.finish(Outcome {
            ending: ending.to_owned(),
            result: json!({ "verdict": verdict, "status": status, "votes": votes }),
        });
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

/// The verdict as a form, written between the tags that are read.
fn form() -> ActionForm {
    ActionForm {
        name: "answer".to_owned(),
        parameters: vec![Parameter {
            name: "verdict".to_owned(),
            hint: "Correct or Incorrect".to_owned(),
        }],
        written: Written::Tag,
    }
}

impl Episode for Judging {
    fn poll(&mut self) -> Step {
        self.out.next_step()
    }

    fn resume(&mut self, call: CallId, reply: Reply) -> Result<(), Misuse> {
        self.out.accept(call, &reply)?;
        match reply {
            Reply::Said(said) => self.said(call, said.text.as_deref()),
            Reply::Failed(failure) => self.failed(&failure),
            Reply::Found { .. } | Reply::Drawn { .. } => {}
        }
        Ok(())
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let judge = Viewer::Seat(Seat::new(seat::JUDGE));
        let mut scene = Scene::default();
        if *viewer == Viewer::Reader || *viewer == judge {
            scene.blocks.push(Block::Text {
                heading: "Answer to be judged".to_owned(),
                text: self.prediction.clone(),
            });
        }
        scene.awaits = self.out.awaits(viewer);
        scene
    }
}
