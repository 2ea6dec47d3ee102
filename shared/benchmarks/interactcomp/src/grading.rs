//! The grading of an episode: an episode of its own, so that it can be repeated without touching the one that it grades (specification 6.1).

use serde_json::{Value, json};

use super::prompts::ask_grader;
use super::protocol::ending;
use super::verdict::{self, Verdict};
use turnwise_core::effect::Failure;
use turnwise_core::episode::{Episode, Outbox, Outcome};
use turnwise_core::note::{Came, Fault, Reading, Tone, TurnKind};
use turnwise_core::prompt::Said;
use turnwise_core::scene::{Block, Scene};
use turnwise_core::seat::{Seat, Viewer};
use turnwise_core::spec::Profile;

/// The grader said yes or no.
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

/// The grader's word for a verdict.
pub(super) fn said_as(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Correct => "yes",
        Verdict::Wrong => "no",
    }
}

/// A grading. See the module's head.
pub struct Grading {
    out: Outbox,
    profile: Profile,
    prediction: String,
    attempt: u32,
}

impl Grading {
    /// Opens the grading of an episode.
    pub fn open(profile: Profile, play: &Outcome) -> Self {
        let mut grading = Grading {
            out: Outbox::default(),
            profile,
            prediction: prediction(play).to_owned(),
            attempt: 0,
        };
        grading.ask();
        grading
    }

    fn ask(&mut self) {
        self.attempt += 1;
        let thread = self.out.thread();
        self.out.ask(ask_grader(thread, &self.prediction));
    }

    fn read(&mut self, text: Option<&str>) {
        let verdict = match self.profile {
            Profile::Reference => Some(verdict::reference(text)),
            Profile::Strict => verdict::strict(text),
        };
        let word = verdict.map_or("unreadable", said_as);
        let kind = if verdict.is_some() { TurnKind::Answer } else { TurnKind::Invalid };
        let reading = match verdict {
            None => Fault::new("grader_unreadable", "the reply is neither yes nor no").into(),
            Some(_) => Reading {
                repaired: match text {
                    Some(text) if text != word => vec![format!("read as “{word}”")],
                    _ => Vec::new(),
                },
                ..Reading::applied(json!(word))
            },
        };
        self.out.turn(self.attempt, kind, format!("the grader says {word}"), reading);
        match verdict {
            Some(verdict) => self.graded(verdict),
            None if self.attempt < ATTEMPTS => self.ask(),
            None => self.out.finish(GRADER_FAILED, Value::Null),
        }
    }

    fn graded(&mut self, verdict: Verdict) {
        let (tone, word) = match verdict {
            Verdict::Correct => (Tone::Positive, "correct"),
            Verdict::Wrong => (Tone::Negative, "wrong"),
        };
        let said = said_as(verdict);
        let came = Came::new(self.out.turns(), tone, word);
        self.out.note(Came { shown: said.to_owned(), ..came });
        self.out.finish(GRADED, json!({ "verdict": said }));
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
        let mut scene = Scene { awaits: self.out.awaits(viewer), ..Scene::default() };
        if matches!(viewer.seat(), None | Some(Seat::GRADER)) {
            scene.blocks.push(Block::text("Answer to be graded", &self.prediction));
        }
        scene
    }
}
