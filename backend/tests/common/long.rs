//! An episode of any length whose lines are made here: what it says is made up, its chain holds.

use std::collections::BTreeMap;

use turnwise_shared::prelude::*;
use turnwise_shared::transcript::{FORMAT, SaltKey, Writer};

#[derive(Clone)]
pub struct LongPlay {
    pub episode: EpisodeKey,
    writer: Writer,
    header: Option<Header>,
    calls: u32,
    /// The size of a reply in bytes, about.
    reply: usize,
}

impl LongPlay {
    /// The first episode of a task in a run under this spec; each of its replies has about `reply` bytes.
    pub fn new(spec: &Spec, task: &str, reply: usize) -> Self {
        let episode = EpisodeKey::play(&task.into(), 1);
        let header = Header {
            format: FORMAT,
            spec: spec.clone(),
            task: TaskRef { id: task.into(), digest: Digest::of("task"), labels: BTreeMap::new() },
            repeat: 1,
            part: Part::Play,
            origin: Origin::Recorded,
            branch: None,
        };
        LongPlay {
            episode,
            writer: Writer::new(SaltKey::open(&header)),
            header: Some(header),
            calls: 0,
            reply,
        }
    }

    /// The next line, with its line break: the header, then replies. Every fourth reply is the same, no two of the others are.
    pub fn line(&mut self) -> String {
        if let Some(header) = self.header.take() {
            return self.write(&Event::Opened(Box::new(header)));
        }
        let place = match self.calls % 4 {
            0 => "everywhere".to_owned(),
            _ => format!("{}/{}", self.episode, self.calls),
        };
        let text: String = (0..self.reply / 64)
            .map(|part| Digest::of(format!("é {place}/{part}")).to_string())
            .collect();
        self.told(Reply::Said(Said::text(format!("é{text}"))))
    }

    pub fn lines(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.line()).collect()
    }

    /// A line that tells of a call that failed.
    pub fn failure(&mut self) -> String {
        self.told(Reply::Failed(Failure::new(FailureClass::Timeout, "late")))
    }

    /// The last line of an episode that did not come to its end.
    pub fn end(&mut self) -> String {
        self.write(&Event::Closed(Outcome {
            ending: Outcome::INCOMPLETE.into(),
            result: serde_json::Value::Null,
        }))
    }

    fn told(&mut self, reply: Reply) -> String {
        self.calls += 1;
        let call = CallId(self.calls);
        self.write(&Event::Told { call, reply })
    }

    fn write(&mut self, event: &Event) -> String {
        format!("{}\n", self.writer.line(event))
    }
}
