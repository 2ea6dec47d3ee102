//! The episode: a guess, the judge's word, and again, until the number is found or no guess is left.

use serde_json::json;
use turnwise_core::kit::dialogue::Dialogue;
use turnwise_core::kit::judge::Judge;
use turnwise_core::prelude::*;
use turnwise_core::scene::Gauge;
use turnwise_core::task::OPEN_FIELD;

use crate::reading::{self, Answer};
use crate::{JUDGE, JUDGE_ATTEMPTS, Settings, prompts, tasks};

pub mod ending {
    pub const FOUND: &str = "found";
    pub const NOT_FOUND: &str = "not_found";
}

/// The running episode of a task.
pub struct Play {
    out: Outbox,
    question: String,
    most: u32,
    /// How many guesses there are, and how many are used up.
    guesses: u32,
    used: u32,
    player: Dialogue,
    judge: Judge<u32>,
    /// What the player was sent, a word each.
    so_far: Vec<&'static str>,
    shown: Vec<Block>,
}

impl Play {
    pub fn open(settings: &Settings, task: &Task) -> Self {
        let question = task.field(OPEN_FIELD).unwrap_or_default();
        let most = task.labels.get(tasks::MOST).and_then(|most| most.parse().ok()).unwrap_or(1);
        let mut out = Outbox::default();
        let mut play = Play {
            question: question.to_owned(),
            most,
            guesses: settings.guesses,
            used: 0,
            player: prompts::player(out.thread(), question, most, settings.guesses),
            judge: Judge::new(JUDGE_ATTEMPTS, prompts::judge),
            so_far: Vec::new(),
            shown: Vec::new(),
            out,
        };
        play.out.ask(play.player.ask(prompts::guess()));
        play
    }

    fn player_said(&mut self, text: &str) {
        self.player.said(text);
        self.used += 1;
        match reading::guess(text, self.most) {
            Ok(guess) => {
                let sentence = format!("guesses {guess}");
                self.shown.push(Block::act(Seat::PLAYER, TurnKind::Answer, guess.to_string()));
                self.out.turn(
                    self.used,
                    TurnKind::Answer,
                    sentence,
                    Reading::applied(json!(guess)),
                );
                self.judge.ask(guess, &mut self.out);
            }
            Err(fault) => {
                self.shown.push(Block::act(Seat::PLAYER, TurnKind::Invalid, fault.to_string()));
                self.out.turn(self.used, TurnKind::Invalid, "makes no guess", fault.into());
                self.next(Tone::Negative, "INVALID");
            }
        }
    }

    fn judge_said(&mut self, text: &str) {
        let Some((guess, answer)) = self.judge.said(reading::answer(text), &mut self.out) else {
            // It could not be read, and is asked once more.
            return;
        };
        match answer {
            Some(Answer::Equal) => {
                self.came(Tone::Positive, Answer::Equal.word());
                let result = json!({ "answer": guess, "guesses": self.used });
                self.out.finish(ending::FOUND, result);
            }
            Some(answer) => self.next(Tone::Negative, answer.word()),
            None => {
                self.out.flag("judge_invalid", json!(null));
                self.next(Tone::Failed, "UNKNOWN");
            }
        }
    }

    fn came(&mut self, tone: Tone, word: &'static str) {
        self.shown.push(Block::came(tone, word));
        self.out.came(tone, word);
    }

    /// Tells the player how its turn went, and asks for the next guess while one is left.
    fn next(&mut self, tone: Tone, word: &'static str) {
        self.came(tone, word);
        if self.used == self.guesses {
            return self.out.finish(ending::NOT_FOUND, json!({ "guesses": self.used }));
        }
        self.so_far.push(word);
        let so_far = Variable::text(self.so_far.join(" "));
        let left = Variable::text((self.guesses - self.used).to_string());
        self.player
            .tell("told", [("word", Variable::text(word)), ("left", left), ("so_far", so_far)]);
        self.out.ask(self.player.ask(prompts::guess()));
    }
}

impl Episode for Play {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, seat: &str, said: Said) {
        match seat {
            JUDGE => self.judge_said(said.words()),
            _ => self.player_said(said.words()),
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let mut blocks = vec![Block::text("To find", &self.question)];
        blocks.extend(self.shown.iter().cloned());
        blocks.extend(self.out.outcome().map(|outcome| Block::end(&outcome.ending, "")));
        let left = self.guesses - self.used;
        Scene {
            blocks,
            gauges: vec![Gauge { label: "guesses".to_owned(), left, of: self.guesses }],
            awaits: self.out.awaits(viewer),
        }
    }
}
