//! A benchmark of one seat and one question.

use std::collections::BTreeMap;

use serde_json::json;
use turnwise_shared::benchmark::{Asked, BadTasks, BotInfo, Facts, People, SeatInfo};
use turnwise_shared::board::column::{COST, Column};
use turnwise_shared::board::{self, Boards};
use turnwise_shared::episode::{Episode, Outbox};
use turnwise_shared::metrics::metric::{ACCURACY, HEADLINE, Section};
use turnwise_shared::note::Reading;
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Message;
use turnwise_shared::task::question_id;

/// The field with the answer.
const ANSWER: &str = "answer";

pub struct Toy;

/// An episode: what was asked, and what is right.
struct Play(Outbox, String, String);

impl Episode for Play {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.0
    }

    fn said(&mut self, _: &str, said: Said) {
        let said = said.words();
        self.0.turn(1, TurnKind::Answer, format!("answers {said}"), Reading::default());
        let is_right = said.trim() == self.2;
        self.0.finish("answered", json!({ "answer": said, "right": is_right }));
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        Scene {
            blocks: vec![Block::text("Question", &self.1)],
            gauges: Vec::new(),
            awaits: self.0.awaits(viewer),
        }
    }
}

const BOTS: &[BotInfo] = &[
    BotInfo::new("adds", Seat::PLAYER, "adds", adds),
    BotInfo::new("two", Seat::PLAYER, "says two", |_| "2".to_owned()),
];

const PEOPLE: People =
    People { about: "Add two numbers.", reveals: &[(ANSWER, "Answer")], ..People::OF_TASKS };

const BOARDS: Boards = Boards {
    columns: &[Column::of(&ACCURACY), COST],
    paper: None,
    condition: |_| Vec::new(),
    published: Vec::new,
    beside: |_| None,
    by_part: board::no_parts,
};

const FACTS: Facts = Facts {
    name: "toy",
    title: "Toy sums",
    about: "One sum, one answer.",
    seats: &[SeatInfo::new(Seat::PLAYER, "adds", "bot:adds")],
    bots: BOTS,
    pack: || Pack::of("toy-1", [("ask", "What is {question}?")]),
    samples: b"1+1=2\n2+5=7\n40+2=42",
    people: Some(&PEOPLE),
    boards: Some(&BOARDS),
    measure,
    report: |_, episodes, _| report(episodes),
    metrics: &[Section { title: HEADLINE, metrics: &[&ACCURACY] }],
    ..Facts::USUAL
};

fn measure(play: &Transcript, _: Option<&Transcript>) -> Measured {
    let result = play.outcome().map(|outcome| &outcome.result);
    let right = result.and_then(|result| result.get("right")?.as_bool());
    Measured {
        score: right.map(|right| f64::from(u8::from(right))),
        answer: result.and_then(|result| Some(result.get("answer")?.as_str()?.to_owned())),
        ..Measured::default()
    }
}

fn report(episodes: &[&Summary]) -> Report {
    let scores: Vec<f64> = episodes.iter().filter_map(|one| one.score).collect();
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    let accuracy = (!scores.is_empty()).then_some(mean);
    Report {
        headline: vec![ACCURACY.of(accuracy)],
        record: json!({ "benchmark": FACTS.name, "n": scores.len(), "accuracy": accuracy }),
        ..Report::default()
    }
}

impl Benchmark for Toy {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        let text = String::from_utf8_lossy(bytes);
        let tasks = text.lines().map(|line| {
            let (question, answer) = line.split_once('=').ok_or_else(|| BadTasks {
                message: format!("{name}: a line is a sum, e.g. 1+1=2"),
            })?;
            let field = |name: &str, text: &str| (name.to_owned(), text.to_owned());
            let fields = BTreeMap::from([field(OPEN_FIELD, question), field(ANSWER, answer)]);
            Ok(Task {
                id: question_id(question),
                digest: Digest::of_value(&fields),
                labels: BTreeMap::new(),
                fields,
            })
        });
        let tasks = tasks.collect::<Result<_, _>>()?;
        Ok(TaskSet::new(name, tasks, TaskSetOrigin::Plain))
    }

    fn open(&self, _: &Spec, task: &Task, _: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        let field = |name| task.field(name).unwrap_or_default().to_owned();
        let mut out = Outbox::default();
        let question = [("question", Variable::field(OPEN_FIELD))];
        let messages = vec![Message::template(Role::User, "ask", question)];
        let thread = out.thread();
        out.ask(Ask::new(Seat::PLAYER, thread, messages, Expect::Text));
        Ok(Box::new(Play(out, field(OPEN_FIELD), field(ANSWER))))
    }
}

fn adds(asked: &Asked<'_>) -> String {
    let terms = asked.variable("question").split('+');
    terms.filter_map(|term| term.parse::<u32>().ok()).sum::<u32>().to_string()
}
