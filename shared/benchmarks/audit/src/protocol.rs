//! An episode: the recorded request once, to the seat of the rater.

use serde_json::{Value, json};
use turnwise_core::kit::judge;
use turnwise_core::prelude::*;

use crate::JUDGE;
use crate::tasks::{Request, field};

pub mod ending {
    pub const RATED: &str = "rated";
    /// The reply could not be read: a missing verdict.
    pub const UNREADABLE: &str = "unreadable";
}

/// The event that tells the recorded verdict, once the rater has given its own.
pub const RECORDED: &str = "recorded";

pub struct Rating {
    out: Outbox,
    benchmark: &'static dyn Benchmark,
    request: Request,
    /// What was recorded, as [`RECORDED`] tells it.
    recorded: Value,
    verdict: Option<String>,
}

impl Rating {
    /// Opens the episode of a task, a call of a benchmark.
    ///
    /// # Errors
    /// If the task has no request.
    pub fn open(benchmark: &'static dyn Benchmark, task: &Task) -> Result<Self, BadSpec> {
        let request = Request::of(task)?;
        let from =
            task.field(field::FROM).and_then(|text| serde_json::from_str::<Value>(text).ok());
        let recorded = json!({ "verdict": task.field(field::RECORDED), "from": from });
        let mut out = Outbox::default();
        out.ask(Ask { seat: Seat::new(JUDGE), ..request.ask.clone() });
        Ok(Rating { out, benchmark, request, recorded, verdict: None })
    }
}

impl Episode for Rating {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, _: &str, said: Said) {
        let Request { profile, ask } = &self.request;
        self.verdict = self.benchmark.verdict(*profile, ask, said.words());
        let word = self.verdict.as_deref();
        let unreadable = || Fault::new("unreadable", "the reply comes to no verdict");
        let reading = judge::heard(Some(said.words()), word, unreadable);
        judge::turn(JUDGE, 1, word.unwrap_or(ending::UNREADABLE), reading, &mut self.out);
        self.out.event(RECORDED, self.recorded.clone());
        let ending = if word.is_some() { ending::RATED } else { ending::UNREADABLE };
        self.out.finish(ending, json!({ "verdict": word }));
    }

    /// A request that a model cannot take is a missing verdict.
    fn outgrown(&self, _: &Seat) -> Option<Value> {
        Some(json!({ "verdict": null }))
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        let what = format!("{}, seat {}", self.benchmark.title(), self.request.ask.seat);
        let mut blocks = vec![Block::text("Recorded call", what)];
        let end = |outcome: &Outcome| {
            Block::end(&outcome.ending, self.verdict.as_deref().unwrap_or_default())
        };
        blocks.extend(self.out.outcome().map(end));
        Scene { blocks, awaits: self.out.awaits(viewer), ..Scene::default() }
    }
}
