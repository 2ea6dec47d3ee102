//! The grading of an episode: an episode of its own, so that it can be repeated without touching the one that it grades (specification 6.1).

use serde_json::{Value, json};

use super::prompts::ask_grader;
use super::protocol::ending;
use super::verdict::{self, YES};
use turnwise_core::kit::judge::{self, Judge, heard, tone};
use turnwise_core::prelude::*;

pub const GRADED: &str = "graded";
/// None of the grader's replies could be read (`strict`): neither right nor wrong.
pub const GRADER_FAILED: &str = "grader_failed";

/// How many times an unreadable verdict is asked for in all (`strict`).
const ATTEMPTS: u32 = 3;

/// Whether an episode that ended so is put to the grader. In `strict` an empty or missing answer is wrong without a call.
pub fn is_needed(profile: Profile, play: &Outcome) -> bool {
    match profile {
        Profile::Reference => play.is_complete() && play.ending != ending::ERROR,
        Profile::Strict => play.ending == ending::ANSWERED && !prediction(play).trim().is_empty(),
    }
}

/// The final answer of an episode.
pub fn prediction(play: &Outcome) -> &str {
    play.text("prediction").unwrap_or_default()
}

pub struct Grading {
    out: Outbox,
    profile: Profile,
    prediction: String,
    judge: Judge<String>,
}

impl Grading {
    /// Opens the grading of an episode.
    pub fn open(profile: Profile, play: &Outcome) -> Self {
        let prediction = prediction(play).to_owned();
        let (mut out, mut judge) = (
            Outbox::default(),
            Judge::new(ATTEMPTS, |answer: &String, asked| {
                ask_grader(ThreadId(asked.number), answer)
            }),
        );
        judge.ask(prediction.clone(), &mut out);
        Grading { out, profile, prediction, judge }
    }

    fn read(&mut self, text: Option<&str>) {
        let word = verdict::read(text, self.profile);
        let reading = heard(text, word, || {
            Fault::new("grader_unreadable", "the reply is neither yes nor no")
        });
        let round = self.judge.number();
        judge::turn(Seat::GRADER, round, word.unwrap_or("unreadable"), reading, &mut self.out);
        match self.judge.said(word, &mut self.out) {
            None => {}
            Some((_, None)) => self.out.finish(GRADER_FAILED, Value::Null),
            Some((_, Some(word))) => {
                let is_right = word == YES;
                let shown = if is_right { "correct" } else { "wrong" };
                let came = Observation::new(self.out.turns(), tone(Some(is_right)), shown);
                self.out.note(Observation { shown: word.to_owned(), ..came });
                self.out.finish(GRADED, json!({ "verdict": word }));
            }
        }
    }
}

impl Episode for Grading {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, _: &str, said: Said) {
        self.read(said.text.as_deref());
    }

    fn failed(&mut self, failure: Failure) {
        // The reference code counts a failed grader as a wrong answer.
        match self.profile == Profile::Reference && failure.class.can_succeed_later() {
            true => self.read(None),
            false => self.out.fail(&failure),
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        judge::scene(&self.out, viewer, Seat::GRADER, "Answer to be graded", &self.prediction)
    }
}
