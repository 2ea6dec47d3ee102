//! The grading of a final page: the scorer's five integers, and the likeness that the meter measures. Either can be repeated by
//! others.

use serde_json::{Map, Value, json};
use turnwise_core::kit::judge::{self, Judge};
use turnwise_core::prelude::*;

use crate::prompts::{self, Attempted, Shown};
use crate::protocol::ATTEMPTS;
use crate::reading::{self, PARTS, Scores};
use crate::settings::{METER, SCORER, Settings};

pub const GRADED: &str = "graded";
/// It could not be read, twice: no score.
pub const SCORE_FAILED: &str = "score_failed";

pub struct Grading {
    out: Outbox,
    scorer: Judge<Attempted>,
    attempted: Attempted,
    /// `None` while the scorer is asked.
    scores: Option<Option<Scores>>,
    /// `None` while the meter is asked; null where there is nothing to measure.
    likeness: Option<Value>,
}

impl Grading {
    /// Opens the grading of an episode that ended with a page.
    pub fn open(settings: &Settings, play: &Outcome) -> Self {
        let text = |name: &str| play.text(name).unwrap_or_default().to_owned();
        let shown = Shown { picture: text("picture"), layout: text("layout") };
        let mut out = Outbox::default();
        // First the meter, then the scorer: the order of their replies must not be left to the network. The scorer has the
        // conversations before this one.
        out.ask(prompts::meter(&shown, ThreadId(2 + ATTEMPTS)));
        let scorer = Judge::new(ATTEMPTS, prompts::scorer);
        let attempted = Attempted { shown, sees_spec: settings.scorer_sees_spec };
        Grading { out, scorer, attempted, scores: None, likeness: None }
    }

    fn scorer_said(&mut self, text: &str) {
        let read = Scores::read(text);
        let (word, reading) = match &read {
            Ok(scores) => (scores.total().to_string(), Reading::applied(json!(scores))),
            Err(problem) => {
                ("nothing".to_owned(), Fault::new("score_unreadable", problem.as_str()).into())
            }
        };
        judge::turn(SCORER, self.out.turns() + 1, &word, reading, &mut self.out);
        if read.is_ok() {
            self.out.came(Tone::Neutral, word);
        }
        if let Some((_, scores)) = self.scorer.said(read.ok(), &mut self.out) {
            self.scores = Some(scores);
        }
    }

    fn meter_said(&mut self, text: &str) {
        let (likeness, reading) = match reading::likeness(text) {
            Ok(measured) => {
                let measured = json!(measured);
                (measured.clone(), Reading::applied(measured))
            }
            Err(problem) => (Value::Null, Fault::new("likeness_unreadable", problem).into()),
        };
        let round = self.out.turns() + 1;
        let kind = reading.fault.as_ref().map_or(TurnKind::Answer, |_| TurnKind::Invalid);
        self.out.turn(round, kind, format!("the {METER} measures"), reading);
        self.likeness = Some(likeness);
        self.scorer.ask(self.attempted.clone(), &mut self.out);
    }
}

impl Episode for Grading {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, seat: &str, said: Said) {
        match seat {
            METER => self.meter_said(said.words()),
            _ => self.scorer_said(said.words()),
        }
        let (Some(scores), Some(likeness)) = (self.scores, &self.likeness) else {
            return;
        };
        let mut result = json!({ "likeness": likeness });
        if let Some(scores) = scores {
            let parts = PARTS.into_iter().zip(scores.0);
            let parts: Map<String, Value> =
                parts.map(|(part, points)| (part.to_owned(), points.into())).collect();
            result["scores"] = parts.into();
            result["verdict"] = scores.total().to_string().into();
        }
        let ending = if scores.is_some() { GRADED } else { SCORE_FAILED };
        self.out.finish(ending, result);
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        judge::scene(&self.out, viewer, SCORER, "Page to be scored", "See both pictures.")
    }
}
