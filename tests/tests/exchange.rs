//! Runs in the formats of other tools: what is written is what was played, hidden text stays hidden, nothing written by a
//! model is run; logs of Inspect are read.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use turnwise_shared::benchmark::given::{Episode, Given, Texts};
use turnwise_shared::effect::Effect;
use turnwise_shared::examples::{GAME, QUESTIONS};
use turnwise_shared::exchange::csv::table;
use turnwise_shared::exchange::html::{PageWriter, Transcripts};
use turnwise_shared::exchange::inspect::read::Log;
use turnwise_shared::exchange::inspect::write::LogWriter;
use turnwise_shared::exchange::inspect::{import, known_profile};
use turnwise_shared::exchange::row::{EpisodeRow, Messages};
use turnwise_shared::picture;
use turnwise_shared::prelude::*;
use turnwise_shared::registry;
use turnwise_shared::transcript;
use turnwise_tests::{answer, drive, file, marked, open, open_grading, spec, tasks};

/// A small run, driven by bots.
pub struct Run {
    pub benchmark: &'static dyn Benchmark,
    pub spec: Spec,
    tasks: TaskSet,
    pack: Pack,
    pub report: Report,
    options: MeasureOptions,
    pub episodes: Vec<(EpisodeKey, Summary, Transcript, Option<Transcript>)>,
}

/// What is needed to make it again; the transcripts are long.
impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let keys: Vec<_> = self.episodes.iter().map(|(key, ..)| key).collect();
        f.debug_struct("Run")
            .field("spec", &self.spec)
            .field("episodes", &keys)
            .finish_non_exhaustive()
    }
}

impl Run {
    fn of(name: &str, count: usize, change: impl Fn(&Task) -> Task) -> Self {
        let benchmark = registry::find(name).expect("it is a benchmark");
        let spec = spec(benchmark, Profile::Strict, benchmark.default_settings());
        Run::answered(benchmark, spec, count, change, |spec, task, call, effect| {
            answer(benchmark, spec, task, call, effect)
        })
    }

    /// The same, answered by another player.
    pub fn answered(
        benchmark: &'static dyn Benchmark,
        spec: Spec,
        count: usize,
        change: impl Fn(&Task) -> Task,
        mut answer: impl FnMut(&Spec, &Task, CallId, &Effect) -> Reply,
    ) -> Self {
        let few: Vec<Task> = tasks(benchmark, &spec).tasks.iter().take(count).map(change).collect();
        let episodes: Vec<_> = few
            .iter()
            .map(|task| {
                let mut session = open(benchmark, &spec, task);
                let mut told = |session: &mut _| {
                    let lines = drive(session, |call, effect| answer(&spec, task, call, effect));
                    transcript::read(&file(&lines)).expect("what was written can be read")
                };
                let play = told(&mut session);
                let grading =
                    open_grading(benchmark, &spec, task, &play).map(|mut it| told(&mut it));
                let measured = benchmark.measure(&play, grading.as_ref());
                let summary = summarise(&play, grading.as_ref(), measured);
                (EpisodeKey::play(&task.id, 1), summary, play, grading)
            })
            .collect();
        let summaries: Vec<&Summary> = episodes.iter().map(|(_, summary, ..)| summary).collect();
        let options = MeasureOptions::default();
        Run {
            report: benchmark.report(&spec, &summaries, &options),
            tasks: TaskSet::new("made up", few, TaskSetOrigin::Plain),
            pack: benchmark.pack(),
            benchmark,
            spec,
            options,
            episodes,
        }
    }

    fn given(&self, texts: Texts) -> Given<'_> {
        Given {
            benchmark: self.benchmark,
            spec: &self.spec,
            title: "",
            tags: &[],
            id: "a-run",
            opened: Some(1_700_000_000_000),
            program: "0",
            tasks: Some(&self.tasks),
            pack: Some(&self.pack),
            texts,
            report: &self.report,
            pictures: &picture::NONE,
        }
    }

    fn episodes(&self) -> impl Iterator<Item = Episode<'_>> {
        self.episodes.iter().map(|(key, summary, play, grading)| Episode {
            key,
            summary,
            play,
            grading: grading.as_ref(),
            times: &[],
        })
    }

    pub fn log(&self, texts: Texts) -> Vec<u8> {
        let mut log = LogWriter::new(self.given(texts), Vec::new()).expect("memory takes it");
        for episode in self.episodes() {
            log.add(&episode).expect("memory takes it");
        }
        log.finish().expect("memory takes it")
    }

    fn page(&self, texts: Texts, transcripts: Transcripts) -> String {
        let count = self.episodes.len();
        let mut page = PageWriter::new(self.given(texts), count, transcripts);
        self.episodes().for_each(|episode| page.add(&episode));
        page.finish()
    }
}

fn same(task: &Task) -> Task {
    task.clone()
}

#[test]
fn a_log_is_read_back_with_the_same_scores() {
    for name in BENCHMARKS.iter().map(|benchmark| benchmark.name()) {
        let run = Run::of(name, 3, same);
        let bytes = run.log(Texts::Question);
        let length = bytes.len() as u64;
        let log = Log::open(bytes, length).expect("it is a log");
        assert_eq!(log.header.eval.task, name);
        assert_eq!(log.header.status, "success");
        let summaries = log.summaries().expect("they are in order");
        assert_eq!(summaries.len(), run.episodes.len());
        let imported = import::spec(&log.header);
        let inspect = registry::find("inspect").expect("it is read here");
        inspect.check(&imported).expect("it can be opened as a run");
        assert!(imported.is_imported());
        assert_eq!(known_profile(&imported), Some(run.spec.profile), "{name}");
        let players = |spec: &Spec| -> Vec<String> {
            let seats = spec.seats.values();
            seats.map(|one| one.player.to_string()).collect()
        };
        assert_eq!(players(&imported), players(&run.spec), "{name}");
        for (key, summary, play, _) in &run.episodes {
            let id = &summary.task.id.0;
            let of_it = format!("samples/{id}_epoch_1.json");
            let sample = log.sample(&of_it).expect("the sample is there");
            let again = import::transcript(&imported, &sample);
            assert_eq!(again.key, *key, "{name}");
            let read = transcript::read(&file(&again.lines)).expect("it is sound");
            let measured = inspect.measure(&read, None);
            assert_eq!(measured.score, summary.score, "{name} {id}");
            let asked = |transcript: &Transcript| summarise(transcript, None, Default::default());
            let calls = |transcript: &Transcript, seat: &str| {
                asked(transcript).usage.get(seat).map_or(0, |usage| usage.calls)
            };
            for seat in run.spec.seats.keys().map(|seat| seat.as_str()) {
                let graded = run.benchmark.grading_seats().contains(&seat) || seat == "judge";
                if !graded {
                    assert_eq!(calls(&read, seat), calls(play, seat), "{name} {id} {seat}");
                }
            }
        }
    }
}

/// The members that Inspect's own reader requires, by file; derived from its models.
#[test]
fn a_log_has_the_members_that_its_readers_require() {
    let run = Run::of(QUESTIONS, 2, same);
    let bytes = run.log(Texts::Question);
    let length = bytes.len() as u64;
    let archive = turnwise_shared::exchange::inspect::archive::Archive::open(bytes, length)
        .expect("it is a zip");
    let read = |name: &str| -> Value {
        let bytes = archive.file(name, 10_000_000).expect("it is there");
        serde_json::from_slice(&bytes).expect("it is JSON")
    };
    let has = |value: &Value, path: &str, is: fn(&Value) -> bool| {
        let found = value.pointer(path);
        assert!(found.is_some_and(is), "{path}: {found:?}");
    };
    let header = read("header.json");
    has(&header, "/version", |it| *it == 2);
    has(&header, "/status", Value::is_string);
    for text in ["created", "task", "model", "eval_id", "run_id", "task_id"] {
        has(&header, &format!("/eval/{text}"), Value::is_string);
    }
    has(&header, "/eval/dataset", Value::is_object);
    has(&header, "/eval/config/epochs", Value::is_u64);
    has(&header, "/eval/model_roles/responder/model", Value::is_string);
    has(&header, "/results/total_samples", |it| *it == 2);
    has(&header, "/results/scores/0/metrics/accuracy/value", Value::is_number);
    assert_eq!(read("_journal/start.json")["eval"], header["eval"]);
    assert_eq!(read("_journal/summaries/1.json"), read("summaries.json"));
    has(&read("reductions.json"), "/0/samples/0/sample_id", Value::is_string);
    let sample = read("samples/1_epoch_1.json");
    for (path, is) in [
        ("/id", Value::is_string as fn(&Value) -> bool),
        ("/epoch", Value::is_u64),
        ("/input", Value::is_string),
        ("/target", Value::is_string),
        ("/output/choices/0/message/role", Value::is_string),
        (&format!("/scores/{QUESTIONS}/value"), Value::is_number),
        ("/started_at", Value::is_string),
        ("/uuid", Value::is_string),
    ] {
        has(&sample, path, is);
    }
    let list = |name: &str| sample[name].as_array().expect("a list").clone();
    for message in list("messages") {
        has(&message, "/role", Value::is_string);
        if message["role"] == "tool" {
            has(&message, "/tool_call_id", Value::is_string);
        }
    }
    let events = list("events");
    for event in &events {
        has(event, "/event", Value::is_string);
        has(event, "/timestamp", Value::is_string);
        has(event, "/working_start", Value::is_number);
        if event["event"] == "model" {
            for (path, is) in [
                ("/model", Value::is_string as fn(&Value) -> bool),
                ("/input/0/content", Value::is_string),
                ("/tools", Value::is_array),
                ("/tool_choice", Value::is_string),
                ("/config", Value::is_object),
                ("/output/choices/0/stop_reason", Value::is_string),
            ] {
                has(event, path, is);
            }
        }
    }
    let roles = |role: &str| events.iter().filter(|event| event["role"] == role).count();
    assert_eq!(roles("grader"), 1);
    let of_player = |event: &Value| event["event"] == "model" && event.get("role").is_none();
    assert!(events.iter().any(of_player));
}

#[test]
fn hidden_text_is_told_only_when_somebody_says_so() {
    let run = Run::of(QUESTIONS, 2, |task| marked(task).0);
    let unpacked = |bytes: Vec<u8>| {
        let length = bytes.len() as u64;
        let archive = turnwise_shared::exchange::inspect::archive::Archive::open(bytes, length)
            .expect("it is a zip");
        let files = archive.names().map(|name| archive.file(name, 10_000_000).expect("it unpacks"));
        files.map(|file| String::from_utf8_lossy(&file).into_owned()).collect::<String>()
    };
    let question = run.tasks.tasks[0].field("question").expect("it has one");
    // Long, so that a query that was taken from it is not taken for it.
    let quoted = serde_json::to_string(question).expect("it is text");
    let quoted = quoted.trim_matches('"');
    for texts in [Texts::Named, Texts::Question] {
        assert!(!unpacked(run.log(texts)).contains("HIDDEN-"));
        assert!(!run.page(texts, Transcripts::All).contains("HIDDEN-"));
    }
    assert!(unpacked(run.log(Texts::Question)).contains(quoted));
    assert!(!unpacked(run.log(Texts::Named)).contains(&format!("\"input\":\"{quoted}")));
    assert!(unpacked(run.log(Texts::All)).contains("HIDDEN-ANSWER-TEXT"));
}

#[test]
fn a_page_stands_alone_and_runs_nothing() {
    let evil = "<script>alert(1)</script><img src=x onerror=alert(1)> \"'&";
    let run = Run::of(QUESTIONS, 2, |task| {
        let mut task = task.clone();
        task.fields.insert("question".to_owned(), format!("{evil} Which is it?"));
        task.labels.insert("domain".to_owned(), evil.to_owned());
        task
    });
    let pages =
        [Transcripts::All, Transcripts::Ends, Transcripts::None].map(|it| run.page(Texts::All, it));
    for page in &pages {
        for tag in [
            // In text a quotation mark is escaped, so these are tags and attributes.
            "<script",
            "<img",
            "<link",
            "<iframe",
            " src=\"",
            " href=\"",
            " style=\"",
            " onerror=\"",
        ] {
            assert!(!page.contains(tag), "{tag}");
        }
        assert!(page.contains("default-src 'none'"));
        assert!(page.contains("style-src 'sha256-"));
        let count = |what: &str| page.matches(what).count();
        assert_eq!(count("<details"), count("</details>"));
        assert_eq!(count("<div"), count("</div>"));
    }
    assert!(pages[0].contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    // Less is shown where less is wanted; short episodes have nothing between their ends.
    let long = Run::of(GAME, 2, same);
    for (run, is_long) in [(&run, false), (&long, true)] {
        let [all, ends, none] = [Transcripts::All, Transcripts::Ends, Transcripts::None]
            .map(|it| run.page(Texts::All, it).len());
        assert!(all >= ends && (all > ends || !is_long) && ends > none, "{all} {ends} {none}");
    }
}

#[test]
fn lines_and_tables_have_one_entry_an_episode() {
    for name in BENCHMARKS.iter().map(|benchmark| benchmark.name()) {
        let mut run = Run::of(name, 3, same);
        run.episodes[0].1.measured.answer = Some("=1+1, \"quoted\"\nand more".to_owned());
        let given = run.given(Texts::Question);
        let episodes: Vec<Episode<'_>> = run.episodes().collect();
        let row = |episode, wanted| EpisodeRow::whole(&given, &run.options, episode, wanted);
        let rows: Vec<EpisodeRow<'_>> =
            episodes.iter().map(|episode| row(episode, Messages::Without)).collect();
        for (at, episode) in episodes.iter().enumerate() {
            let line = row(episode, Messages::With).line();
            assert_eq!(line.matches('\n').count(), 1);
            let value: Value = serde_json::from_str(&line).expect("it is JSON");
            assert_eq!(value["task"], rows[at].task);
            assert_eq!(value["score"].as_f64(), rows[at].score);
            if run.spec.search.is_none() {
                assert_eq!(value["cost_usd"], 0.0, "bots are free");
            }
            let messages = value["messages"].as_array().expect("a list");
            assert!(messages.len() >= rows[at].turns, "{name}");
        }
        let text = table(&rows);
        assert!(text.contains("\r\n"), "lines end as RFC 4180 says");
        assert!(text.contains("\"'=1+1, \"\"quoted\"\"\nand more\""), "{text}");
        assert_eq!(text.matches("a-run,").count(), rows.len());
    }
}

/// A log that Inspect wrote: two made-up sums, two epochs, two scorers, a tool, and a mocked model.
fn written_by_inspect() -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/inspect-adding.eval");
    std::fs::read(path).expect("it lies in the project")
}

#[test]
fn a_log_that_inspect_wrote_is_read() {
    let bytes = written_by_inspect();
    let length = bytes.len() as u64;
    let log = Log::open(bytes, length).expect("it is a log, packed with zstd");
    assert_eq!((log.header.eval.task.as_str(), log.header.status.as_str()), ("adding", "success"));
    let spec = import::spec(&log.header);
    assert_eq!(spec.repeats, 2);
    assert_eq!(known_profile(&spec), None, "Inspect knows no profile");
    assert!(spec.seats.contains_key(&"grader".into()));
    let inspect = registry::find("inspect").expect("it is read here");
    let mut summaries = Vec::new();
    for name in log.samples() {
        let sample = log.sample(&name).expect("it is in order");
        let imported = import::transcript(&spec, &sample);
        let play = transcript::read(&file(&imported.lines)).expect("it is sound");
        let measured = inspect.measure(&play, None);
        summaries.push(summarise(&play, None, measured));
    }
    assert_eq!(summaries.len(), 4);
    let scores: Vec<Option<f64>> = summaries.iter().map(|summary| summary.score).collect();
    assert_eq!(scores, [Some(1.0), Some(1.0), Some(0.0), Some(0.0)]);
    let usage = &summaries[0].usage["player"];
    assert_eq!((usage.calls, usage.output, usage.cached), (2, 21, 80));
    assert_eq!(usage.input, 201 + 80);
    let letters: String = summaries[0].ribbon.iter().map(|cell| cell.kind.letter()).collect();
    assert_eq!(letters, "M=");
    let all: Vec<&Summary> = summaries.iter().collect();
    let report = inspect.report(&spec, &all, &MeasureOptions::default());
    assert_eq!(report.record["scores"]["includes"]["mean"], 0.5);
    assert_eq!(report.record["scores"]["includes"]["in_log"], 0.5);
    assert_eq!(report.remarks.len(), 1, "{:?}", report.remarks);
}

/// What Inspect itself makes of our log. `TURNWISE_INSPECT_PYTHON` names a Python that has `inspect_ai`; else `python3` is
/// tried, and without the package this test says that it skipped.
#[test]
fn inspect_reads_our_logs_with_the_same_scores() {
    let python = std::env::var("TURNWISE_INSPECT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import inspect_ai"]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        eprintln!(
            "skipped: {python} has no inspect_ai; name one that has in TURNWISE_INSPECT_PYTHON"
        );
        return;
    }
    const CHECK: &str = "\
import sys, warnings
warnings.simplefilter('error')
from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries
head = read_eval_log(sys.argv[1], header_only=True)
log = read_eval_log(sys.argv[1])
brief = read_eval_log_sample_summaries(sys.argv[1])
assert head.eval.task == log.eval.task and len(brief) == len(log.samples)
print(len(log.samples))
for s in log.samples:
    for score in (s.scores or {}).values():
        # Of a game every participant has a number, and no one is the score.
        if not isinstance(score.value, dict): print(s.id, score.as_float())
";
    let folder = tempfile::tempdir().expect("there is room");
    for name in BENCHMARKS.iter().map(|benchmark| benchmark.name()) {
        let run = Run::of(name, 3, same);
        let path = folder.path().join(format!("{name}.eval"));
        std::fs::write(&path, run.log(Texts::Question)).expect("there is room");
        let output =
            Command::new(&python).args(["-c", CHECK]).arg(&path).output().expect("it runs");
        let problem = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {problem}");
        let said = String::from_utf8_lossy(&output.stdout);
        let mut said: Vec<String> = said.lines().map(str::to_owned).collect();
        assert_eq!(said.remove(0), run.episodes.len().to_string());
        let mut wanted: Vec<String> = run
            .episodes
            .iter()
            .filter_map(|(_, summary, ..)| {
                Some(format!("{} {:?}", summary.task.id, summary.score?))
            })
            .collect();
        said.sort();
        wanted.sort();
        assert_eq!(said, wanted, "{name}");
    }
}
