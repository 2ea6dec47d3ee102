//! A driver for the tests of benchmarks: it plays episodes from given replies, without a run.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::benchmark::{Asked, Benchmark, Chance, drafted};
use crate::effect::{
    CallId, Effect, Failure, FailureClass, Hit, Link, Made, Page, Pictured, Reply, Tool,
};
use crate::episode::Outcome;
use crate::formats::{
    self, BadFile, Export, Exporter, File, Given, ImportedRun, Importer, PlayedRun, Read, Write,
};
use crate::hash::Digest;
use crate::metrics::options::MeasureOptions;
use crate::metrics::report::Report;
use crate::metrics::summary::{Summary, summarise};
use crate::picture::PictureRef;
use crate::prompt::{Ask, Said};
use crate::run::{Ingredients, draw, header};
use crate::scheduler::Limits;
use crate::sealed;
use crate::seat::{Player, Sitting};
use crate::session::{Next, Session};
use crate::spec::{Named, Profile, Spec};
use crate::task::{Task, TaskSet, TaskSetOrigin};
use crate::transcript::{self, Part, SaltKey, Transcript};

/// Among the replies of a script: this call fails.
pub const FAILED_CALL: &str = "(failed call)";

/// Plays the first sample under `strict`: each seat makes its replies in their order, and all of them are used up.
///
/// # Panics
/// If the settings are refused, a seat is asked more often than it has replies, or replies are left over.
pub fn play(benchmark: &dyn Benchmark, settings: Value, replies: &[(&str, &[&str])]) -> Played {
    let spec = spec(benchmark, Profile::Strict, settings);
    let task = &tasks(benchmark, &spec).tasks[0];
    Case::new(benchmark, &spec, task).play(replies)
}

/// A spec over the samples with the default bot in every seat; settings that are not given are the benchmark's defaults.
///
/// # Panics
/// If the benchmark refuses the settings.
pub fn spec(benchmark: &dyn Benchmark, profile: Profile, settings: Value) -> Spec {
    let chosen = match settings {
        Value::Object(chosen) => chosen,
        _ => Map::new(),
    };
    let settings = benchmark.settings(profile, chosen);
    let mut spec = drafted(benchmark, profile, settings);
    spec.tasks = Named::from(&tasks(benchmark, &spec));
    benchmark.check_spec(&spec).expect("the settings can be run");
    spec
}

/// The samples, or the tasks that follow from a spec.
pub fn tasks(benchmark: &dyn Benchmark, spec: &Spec) -> TaskSet {
    match benchmark.reads_tasks() {
        true => benchmark.samples(),
        false => benchmark.plan(spec).expect("the spec can be played"),
    }
}

#[derive(Clone, Copy)]
pub struct Case<'a> {
    pub benchmark: &'a dyn Benchmark,
    pub spec: &'a Spec,
    pub task: &'a Task,
    /// From 1.
    pub repeat: u32,
}

/// What came of a [`Case`].
#[derive(Debug, Clone)]
pub struct Played {
    pub play: Transcript,
    pub grading: Option<Transcript>,
    /// Every request to a seat, gradings included, in their order.
    pub shown: Vec<Shown>,
    /// Score, fault classes, flags and the benchmark's own numbers.
    pub summary: Summary,
}

/// A request as its seat reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    pub ask: Ask,
    /// Its messages as the default pack renders them, an empty line between two.
    pub text: String,
}

impl Played {
    pub fn outcome(&self) -> &Outcome {
        self.play.outcome().expect("it is over")
    }

    /// The requests to one seat.
    pub fn shown_to(&self, seat: &str) -> Vec<&str> {
        let own = self.shown.iter().filter(|shown| shown.ask.seat.as_str() == seat);
        own.map(|shown| shown.text.as_str()).collect()
    }
}

/// The rows of a table of cases in JSON, one a line. Empty lines and lines that begin with `//` are left out.
///
/// # Panics
/// If a row is not JSON, or not of the type.
pub fn cases<T: Deserialize<'static>>(table: &str) -> Vec<T> {
    let rows = table.lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
    let read = |row| {
        // Rows are kept for the rest of the test, so that their texts need not be copied.
        let value: &'static Value = Box::leak(Box::new(serde_json::from_str(row)?));
        T::deserialize(value)
    };
    rows.map(|row| read(row).unwrap_or_else(|error| panic!("{error}: {row}"))).collect()
}

/// Asserts that a value has these members; of objects those that are named alone are compared.
///
/// # Panics
/// If one differs.
#[track_caller]
pub fn assert_has(found: &Value, wanted: &Value) {
    match wanted {
        Value::Object(members) => {
            for (name, wanted) in members {
                assert_has(&found[name.as_str()], wanted);
            }
        }
        _ => assert_eq!(found, wanted),
    }
}

/// A seat with this player, as the command line names players, and the usual sampling.
///
/// # Panics
/// If there is no such player.
pub fn sitting(player: &str) -> Sitting {
    Sitting { player: player.parse().expect("a player"), sampling: Default::default() }
}

/// What a run needs: the samples or the tasks of its plan, the usual prompts, no recordings, and four calls at a time.
pub fn ingredients(benchmark: &'static dyn Benchmark, spec: Spec) -> Ingredients {
    let tasks = tasks(benchmark, &spec);
    Ingredients { limits: Limits::new(4), ..Ingredients::new(benchmark, spec, tasks, 4) }
}

/// The report of these episodes with the usual options.
pub fn report(benchmark: &dyn Benchmark, spec: &Spec, episodes: &[Summary]) -> Report {
    benchmark.report(spec, &episodes.iter().collect::<Vec<_>>(), &MeasureOptions::default())
}

/// A play, and its grading if it was graded.
pub type Episode = (Transcript, Option<Transcript>);

/// Reads a file by the only importer of a benchmark, which has to read results.
///
/// # Errors
/// If the importer refuses it.
///
/// # Panics
/// If the benchmark has other importers.
pub fn import(benchmark: &dyn Benchmark, name: &str, bytes: &[u8]) -> Result<ImportedRun, BadFile> {
    let [Importer { read: Read::Run(read), .. }] = benchmark.facts().formats.importers else {
        panic!("{} has one importer, of results", benchmark.name());
    };
    let file = &result_file(name, bytes);
    read(&Given { file, values: BTreeMap::new(), files: BTreeMap::new(), out: "out" })
}

/// A file to import, or one that an imported run has kept.
pub fn result_file(name: &str, bytes: &[u8]) -> File {
    File { shown: name.to_owned(), path: Path::new("/here").join(name), bytes: bytes.to_vec() }
}

/// The episodes of an imported run in their order.
pub fn imported(run: &ImportedRun) -> Vec<Episode> {
    let read = run.episodes.iter().map(|episode| read(&episode.lines));
    let (plays, gradings): (Vec<_>, Vec<_>) = read.partition(|one| one.header.part == Part::Play);
    let grading_of = |play: &Transcript| {
        let part = Part::Grading { play: play.chain };
        gradings.iter().find(|grading| grading.header.part == part).cloned()
    };
    plays.into_iter().map(|play| (play.clone(), grading_of(&play))).collect()
}

/// Writes episodes of a task by the only exporter of a benchmark, which has to write one file.
///
/// # Errors
/// If the exporter refuses them.
///
/// # Panics
/// If the benchmark has other exporters.
pub fn export(
    benchmark: &dyn Benchmark,
    kept: Option<File>,
    task: &Task,
    episodes: &[Episode],
) -> Result<Export, BadFile> {
    let [Exporter { write: Write::File(write), .. }] = benchmark.facts().formats.exporters else {
        panic!("{} has one exporter, of a file", benchmark.name());
    };
    let played = |(play, grading): &Episode| formats::Played {
        file: "7.r1.play.jsonl".to_owned(),
        play: play.clone(),
        grading: grading.clone(),
    };
    write(&[PlayedRun {
        folder: "run".to_owned(),
        kept,
        plays: episodes.iter().map(played).collect(),
        tasks: vec![TaskSet::new("mine", vec![task.clone()], TaskSetOrigin::Plain)],
        pack: None,
    }])
}

/// What a benchmark counts in these episodes.
pub fn summaries(benchmark: &dyn Benchmark, episodes: &[Episode]) -> Vec<Summary> {
    let summary = |(play, grading): &Episode| {
        let grading = grading.as_ref();
        summarise(play, grading, benchmark.measure(play, grading))
    };
    episodes.iter().map(summary).collect()
}

/// A picture of the right size, or a page with one link.
pub fn made(tool: &Tool) -> Made {
    match tool {
        Tool::Render(job) => Made::Picture(Box::new(Pictured {
            picture: PictureRef {
                digest: Digest::of(&job.html),
                width: job.width,
                height: job.height,
                bytes: 1,
            },
            layout: format!("{}x{}\n8 8 40 20 16 #000000 #ffffff Made up", job.width, job.height),
            refused: vec!["https://example.org/refused.png".to_owned()],
            browser: "made up".to_owned(),
        })),
        Tool::Page(visit) => Made::Page(Box::new(Page {
            url: visit.url.clone(),
            status: 200,
            title: Some("Made up".to_owned()),
            language: None,
            text: "It is made up.".to_owned(),
            links: vec![Link { text: "more".to_owned(), url: "https://example.org/".to_owned() }],
            cut: false,
            source: Digest::of(&visit.url),
        })),
    }
}

/// A PNG without pixels; another note makes other bytes.
///
/// # Panics
/// If the note is longer than a chunk can be.
pub fn png(width: u32, height: u32, note: &str) -> Vec<u8> {
    let sides = [width.to_be_bytes(), height.to_be_bytes()].concat();
    let head = [&sides[..], &[8, 2, 0, 0, 0]].concat();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", &head[..]), (b"tEXt", note.as_bytes()), (b"IEND", &[])] {
        let length = u32::try_from(data.len()).expect("it is short");
        png.extend([&length.to_be_bytes()[..], name, data, &[0; 4]].concat());
    }
    png
}

impl<'a> Case<'a> {
    /// The first repeat of a task.
    pub fn new(benchmark: &'a dyn Benchmark, spec: &'a Spec, task: &'a Task) -> Self {
        Case { benchmark, spec, task, repeat: 1 }
    }

    fn session(&self, part: Part, episode: Box<dyn crate::episode::Episode>) -> Session {
        let header = header(self.spec, self.task, self.repeat, part);
        let salts = SaltKey::open(&header);
        Session::open(header, episode, salts)
    }

    /// Opens the play.
    ///
    /// # Panics
    /// If the spec does not fit the task.
    pub fn open(&self) -> Session {
        let episode = self.benchmark.open(self.spec, self.task, &self.benchmark.pack());
        self.session(Part::Play, episode.expect("the spec fits the task"))
    }

    /// Opens the grading episode of an episode; `None` if it has no grader.
    pub fn open_grading(&self, play: &Transcript) -> Option<Session> {
        let (pack, outcome) = (self.benchmark.pack(), play.outcome()?);
        let episode = self.benchmark.grade(self.spec, self.task, &pack, outcome);
        let part = Part::Grading { play: play.chain };
        Some(self.session(part, episode.expect("the spec fits the task")?))
    }

    /// What the bots of the spec, its dice and a made-up search engine reply.
    ///
    /// # Panics
    /// If no bot sits in the seat that is asked.
    pub fn answer(&self, call: CallId, effect: &Effect) -> Reply {
        match effect {
            Effect::Ask(ask) => match &self.spec.seats[&ask.seat].player {
                Player::Bot(name) => Reply::Said(self.bot(name, call, ask)),
                other => panic!("{other} sits in a test of bots"),
            },
            Effect::Search(query) => {
                let numbers = 1..=query.results.min(3);
                Reply::found(numbers.map(|number| made_up(number, &query.text)).collect())
            }
            Effect::Draw { stream, below, take } => {
                Reply::Drawn { numbers: draw(self.spec, self.repeat, stream, *below, *take) }
            }
            Effect::Use(tool) => Reply::Made(made(tool)),
        }
    }

    /// What a bot replies, in any seat.
    ///
    /// # Panics
    /// If there is no bot of that name for the seat that is asked.
    pub fn bot(&self, name: &str, call: CallId, ask: &Ask) -> Said {
        let chance = Chance { seed: self.spec.seed, repeat: self.repeat, call };
        let said = self.benchmark.bot(name, &Asked::new(ask, self.task, chance));
        said.unwrap_or_else(|| panic!("the seat {} has no bot:{name}", ask.seat))
    }

    /// Plays and grades: each seat makes its replies in their order, and all of them are used up. Dice and searches are answered
    /// as by [`Case::answer`].
    ///
    /// # Panics
    /// If a seat is asked more often than it has replies, or replies are left over.
    pub fn play(&self, replies: &[(&str, &[&str])]) -> Played {
        let mut left: BTreeMap<&str, std::slice::Iter<'_, &str>> =
            replies.iter().map(|(seat, texts)| (*seat, texts.iter())).collect();
        let played = self.play_by(|call, effect| {
            let Effect::Ask(ask) = effect else { return self.answer(call, effect) };
            let next = left.get_mut(ask.seat.as_str()).and_then(Iterator::next);
            match *next.unwrap_or_else(|| panic!("no reply is left for the seat {}", ask.seat)) {
                FAILED_CALL => Reply::Failed(Failure::new(FailureClass::Server, "HTTP 500")),
                text => Reply::Said(Said::text(text)),
            }
        });
        let over = left.into_iter().filter(|(_, texts)| texts.len() > 0);
        let over: Vec<_> = over.map(|(seat, texts)| (seat, texts.as_slice())).collect();
        assert!(over.is_empty(), "left over: {over:?}, after {:?}", played.outcome());
        played
    }

    /// Plays and grades; `answer` replies to every call, several open ones in their order.
    pub fn play_by(&self, mut answer: impl FnMut(CallId, &Effect) -> Reply) -> Played {
        let pack = self.benchmark.pack();
        let mut shown = Vec::new();
        let mut run = |mut session: Session| {
            let lines = drive(&mut session, |call, effect| {
                if let Effect::Ask(ask) = effect {
                    let messages = pack.render(ask, &sealed::named(self.task, ask));
                    let messages = messages.expect("what is asked can be rendered");
                    let texts: Vec<String> = messages.into_iter().map(|one| one.text).collect();
                    shown.push(Shown { ask: ask.clone(), text: texts.join("\n\n") });
                }
                answer(call, effect)
            });
            read(&lines)
        };
        let play = run(self.open());
        let grading = self.open_grading(&play).map(run);
        let measured = self.benchmark.measure(&play, grading.as_ref());
        let summary = summarise(&play, grading.as_ref(), measured);
        Played { play, grading, shown, summary }
    }
}

fn made_up(number: u32, query: &str) -> Hit {
    let start: String = query.chars().take(40).collect();
    Hit {
        title: Some(format!("Page {number}")),
        snippet: Some(format!("It is said to be the thing number {number} about {start}.")),
        url: Some(format!("https://example.org/{number}")),
    }
}

/// The transcript of some lines.
///
/// # Panics
/// If they are none.
pub fn read(lines: &[String]) -> Transcript {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    transcript::read(&text).expect("what was written can be read")
}

/// Drives a session to its end; every line is returned. Several open calls are answered in their order.
pub fn drive(session: &mut Session, answer: impl FnMut(CallId, &Effect) -> Reply) -> Vec<String> {
    drive_in_order(session, |_| 0, answer)
}

/// As [`drive`], but of several open calls the one with the lowest place is answered first.
///
/// # Panics
/// If a reply does not fit its call.
pub fn drive_in_order(
    session: &mut Session,
    place: impl Fn(CallId) -> usize,
    mut answer: impl FnMut(CallId, &Effect) -> Reply,
) -> Vec<String> {
    let (mut lines, mut calls) = (Vec::new(), BTreeMap::new());
    loop {
        let next = session.poll();
        lines.extend(session.take_lines());
        match next {
            Next::Closed(_) => return lines,
            Next::Call(call, effect) => {
                calls.insert((place(call), call), effect);
            }
            Next::Wait => {
                let ((_, call), effect) =
                    calls.pop_first().expect("it waits only while a call is open");
                session.tell(call, answer(call, &effect)).expect("the reply fits");
            }
        }
    }
}
