//! The grading of an episode: an episode of its own, so that it can be repeated without touching the one that it grades (specification 6.1).

use serde_json::json;

use super::prompts::ask_grader;
use super::protocol::ending;
use super::verdict::{self, Verdict};
use turnwise_core::effect::{Effect, Reply};
use turnwise_core::episode::{CallId, Episode, Misuse, Outbox, Outcome, Step};
use turnwise_core::note::{self, Came, Note, Tone, Turn, TurnKind};
use turnwise_core::prompt::{Expect, ThreadId};
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
    play.result.get("prediction").and_then(|prediction| prediction.as_str()).unwrap_or_default()
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
        self.out.request(Effect::Ask(ask_grader(ThreadId(self.attempt), &self.prediction)));
    }

    fn said(&mut self, call: CallId, text: Option<&str>) {
        let verdict = match self.profile {
            Profile::Reference => Some(verdict::reference(text)),
            Profile::Strict => verdict::strict(text),
        };
        let fault = verdict.is_none().then(|| note::Fault {
            class: "grader_unreadable".to_owned(),
            detail: "the reply is neither yes nor no".to_owned(),
        });
        let word = verdict.map_or("unreadable", said_as);
        self.out.note(Note::Turn(Turn {
            index: self.attempt,
            round: self.attempt,
            seat: Seat::new(Seat::GRADER),
            call,
            kind: if verdict.is_some() { TurnKind::Answer } else { TurnKind::Invalid },
            sentence: format!("the grader says {word}"),
            reading: note::Reading {
                extracted: None,
                repaired: match text {
                    Some(text) if verdict.is_some() && text != word => {
                        vec![format!("read as “{word}”")]
                    }
                    _ => Vec::new(),
                },
                applied: verdict.map_or(serde_json::Value::Null, |verdict| json!(said_as(verdict))),
                fault,
            },
        }));
        match verdict {
            Some(verdict) => self.graded(verdict),
            None if self.attempt < ATTEMPTS => self.ask(),
            None => self.out.finish(Outcome {
                ending: GRADER_FAILED.to_owned(),
                result: serde_json::Value::Null,
            }),
        }
    }

    fn graded(&mut self, verdict: Verdict) {
        self.out.note(Note::Came(Came {
            turn: self.attempt,
            call: None,
            tone: match verdict {
                Verdict::Correct => Tone::Positive,
                Verdict::Wrong => Tone::Negative,
            },
            word: match verdict {
                Verdict::Correct => "correct".to_owned(),
                Verdict::Wrong => "wrong".to_owned(),
            },
            shown: said_as(verdict).to_owned(),
            reading: None,
        }));
        self.out.finish(Outcome {
            ending: GRADED.to_owned(),
            result: json!({ "verdict": said_as(verdict) }),
        });
    }
}

impl Episode for Grading {
    fn poll(&mut self) -> Step {
        self.out.next_step()
    }

    fn resume(&mut self, call: CallId, reply: Reply) -> Result<(), Misuse> {
        self.out.accept(call, &reply)?;
        match reply {
            Reply::Said(said) => self.said(call, said.text.as_deref()),
            // The reference code counts a failed grader as a wrong answer.
            Reply::Failed(failure)
                if self.profile == Profile::Reference && failure.class.can_succeed_later() =>
            {
                self.said(call, None);
            }
            Reply::Failed(failure) => self.out.finish(Outcome::incomplete(&failure)),
            Reply::Found { .. } | Reply::Drawn { .. } => {}
        }
        Ok(())
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let sees = *viewer == Viewer::Reader || *viewer == Viewer::Seat(Seat::new(Seat::GRADER));
        let mut scene = Scene::default();
        if sees {
            scene.blocks.push(Block::Text {
                heading: "Answer to be graded".to_owned(),
                text: self.prediction.clone(),
            });
        }
        if *viewer == Viewer::Seat(Seat::new(Seat::GRADER)) {
            scene.awaits = self.out.open_calls().find_map(|(_, effect)| match effect {
                Effect::Ask(ask) => Some(ask.expect.clone()),
                _ => None::<Expect>,
            });
        }
        scene
    }
}
