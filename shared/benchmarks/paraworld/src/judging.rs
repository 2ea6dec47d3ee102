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
use turnwise_core::json;
use turnwise_core::kit::judge::{self, Asked, Judge, majority};
use turnwise_core::prelude::*;

pub use exact::{exact, same};

/// How many times a judge is asked for one vote: failed calls under `reference`, replies that cannot be read under `strict`,
/// whose driver repeats failed calls itself.
fn attempts(profile: Profile) -> u32 {
    match profile {
        Profile::Reference => 3,
        Profile::Strict => 2,
    }
}

/// What is judged, and how.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// How replies are read, and what a failure means.
    pub profile: Profile,
    /// How many times a judge votes under `strict`: 1 or 3. `reference` has one vote.
    pub votes: u32,
    /// Which message is the question.
    pub question: Question,
    pub task: &'a Task,
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

/// What is shown to a judge.
#[derive(Clone)]
struct Shown {
    profile: Profile,
    language: Language,
    question: Variable,
    prediction: String,
}

impl Shown {
    fn ask(&self, asked: Asked) -> Ask {
        let template = match (self.profile, asked.attempt) {
            (Profile::Reference, _) | (_, 1) => "judge",
            _ => "judge_again",
        };
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
        Ask::new(seat::JUDGE, ThreadId(asked.number), messages, Expect::Actions(vec![form]))
    }
}

pub struct Judging {
    out: Outbox,
    shown: Shown,
    judge: Judge<Shown>,
    votes: u32,
    /// What came of each vote; without a verdict, why.
    said: Vec<Result<Verdict, JudgeStatus>>,
}

/// The final answer of an episode; empty if it gave none.
pub fn prediction(play: &Outcome) -> &str {
    play.text("prediction").unwrap_or_default()
}

impl Judging {
    /// Opens the grading of an episode that came to an end.
    pub fn open(case: Case<'_>) -> Self {
        let question = case.task.field(field::QUESTION).unwrap_or_default();
        let shown = Shown {
            profile: case.profile,
            language: Language::of(question),
            question: match case.question {
                Question::First => first_question(case.task),
                Question::Last => Variable::field(field::QUESTION),
            },
            prediction: prediction(case.play).to_owned(),
        };
        // A reference answer that is sealed here is available to the server that renders the request.
        let answer = case.task.field(field::ANSWER).unwrap_or("sealed");
        let skipped = skipped(&shown.prediction, answer);
        let mut judging = Judging {
            out: Outbox::default(),
            shown,
            judge: Judge::new(attempts(case.profile), Shown::ask),
            votes: match case.profile {
                Profile::Reference => 1,
                Profile::Strict => case.votes,
            },
            said: Vec::new(),
        };
        match skipped {
            Some(verdict) => judging.finish(JudgeStatus::Skipped, Some(verdict)),
            None => judging.ask(),
        }
        judging
    }

    fn ask(&mut self) {
        self.judge.ask(self.shown.clone(), &mut self.out);
    }

    fn voted(&mut self, vote: Result<Verdict, JudgeStatus>) {
        self.said.push(vote);
        if self.said.len() < self.votes as usize {
            return self.ask();
        }
        let verdicts = self.said.iter().filter_map(|vote| vote.ok());
        let (status, verdict) = match majority(verdicts, self.said.len()) {
            Some(verdict) => (JudgeStatus::Success, Some(verdict)),
            None if self.shown.profile == Profile::Reference => {
                (JudgeStatus::Error, Some(Verdict::Incorrect))
            }
            None if self.said.contains(&Err(JudgeStatus::Error)) => (JudgeStatus::Error, None),
            None => (JudgeStatus::Unparsed, None),
        };
        self.finish(status, verdict);
    }

    fn finish(&mut self, status: JudgeStatus, verdict: Option<Verdict>) {
        let ending = status.ending();
        let words =
            self.said.iter().map(|vote| vote.map_or_else(JudgeStatus::ending, Verdict::name));
        let votes: Vec<&str> = words.collect();
        let asked = self.judge.number();
        if asked > 0 {
            let word = verdict.map_or(ending, Verdict::name);
            let tone = match (status, verdict) {
                (JudgeStatus::Success, Some(Verdict::Correct)) => Tone::Positive,
                (JudgeStatus::Success, Some(Verdict::Incorrect)) => Tone::Negative,
                _ => Tone::Failed,
            };
            let came = Observation::new(asked, tone, word.to_lowercase());
            self.out.note(Observation { shown: votes.join(", "), ..came });
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
        let verdict = read(said.text.as_deref(), self.shown.profile);
        let (kind, word, reading) = match verdict {
            Some(verdict) => {
                let applied = json!({ "verdict": verdict });
                (TurnKind::Answer, verdict.name(), Reading::applied(applied))
            }
            None => {
                let why = match said.text {
                    Some(_) => "the last answer block holds neither Correct nor Incorrect",
                    None => "the judge returned no text",
                };
                let fault = Fault::new("judge_unreadable", why);
                (TurnKind::Invalid, "nothing that can be read", fault.into())
            }
        };
        // A request that failed is counted, too.
        self.out.note(Turn {
            index: self.judge.number(),
            round: self.said.len() as u32 + 1,
            seat: Seat::new(seat::JUDGE),
            call: self.out.call(),
            kind,
            sentence: format!("the judge says {word}"),
            reading,
        });
        if let Some((_, verdict)) = self.judge.said(verdict, &mut self.out) {
            self.voted(verdict.ok_or(JudgeStatus::Unparsed));
        }
    }

    fn failed(&mut self, failure: Failure) {
        if ends_the_play(&failure) {
            return self.out.fail(&failure);
        }
        let detail = json!({ "vote": self.said.len() + 1, "failure": failure.class });
        self.out.note(Note::flag("judge_failed", None, detail));
        let is_over = match self.shown.profile {
            Profile::Reference => self.judge.said(None::<Verdict>, &mut self.out).is_some(),
            Profile::Strict => self.judge.give_up(&self.out).is_some(),
        };
        if is_over {
            self.voted(Err(JudgeStatus::Error));
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let answer = &self.shown.prediction;
        judge::scene(&self.out, viewer, seat::JUDGE, "Answer to be judged", answer)
    }
}
