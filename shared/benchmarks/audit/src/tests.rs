//! Audits of the example benchmark, whose judge knows a number and says whether a guess is too low.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnwise_core::benchmark::given::{self, Episode, Texts};
use turnwise_core::benchmark::tool::{Done, Given, Run};
use turnwise_core::key::EpisodeKey;
use turnwise_core::kit::zipped;
use turnwise_core::picture::Pictures;
use turnwise_core::prelude::*;
use turnwise_core::spec::Named;
use turnwise_core::testing::{Case, Played, assert_has, play, spec};
use turnwise_core::transcript::Request as Recorded;
use turnwise_guess_number::GuessNumber;

use super::*;
use crate::metrics::report;
use crate::tasks::field;

static ALL: [&dyn Benchmark; 1] = [&GuessNumber];
static AUDIT: Audit = Audit { others: || &ALL };

/// A run as commands are given it.
fn run(
    benchmark: &'static dyn Benchmark,
    spec: Spec,
    tasks: TaskSet,
    played: Vec<Played>,
) -> Run<'static> {
    let keys = played.iter().map(|one| {
        let header = &one.play.header;
        EpisodeKey::play(&header.task.id, header.repeat)
    });
    let keys: Vec<_> = keys.collect();
    let (report, pictures) = (Report::default(), Pictures::new());
    let all = (spec, tasks, benchmark.pack(), report, pictures, keys, played);
    let (spec, tasks, pack, report, pictures, keys, played) = &*Box::leak(Box::new(all));
    let episode = |(key, one): (&'static EpisodeKey, &'static Played)| Episode {
        key,
        summary: &one.summary,
        play: &one.play,
        grading: None,
        times: &[],
    };
    let given = given::Given {
        benchmark,
        spec,
        title: "",
        tags: &[],
        id: "run",
        opened: None,
        program: "",
        tasks: Some(tasks),
        pack: Some(pack),
        texts: Texts::All,
        report,
        pictures,
    };
    Run { path: "run".to_owned(), given, episodes: keys.iter().zip(played).map(episode).collect() }
}

/// The first sample: the number is 7. The judge errs at 5 and cannot be read once.
fn recorded() -> Played {
    let replies: &[(&str, &[&str])] = &[
        ("player", &["GUESS: 5", "GUESS: 6", "GUESS: 7"]),
        ("judge", &["LOWER", "Well.", "HIGHER", "EQUAL"]),
    ];
    play(&GuessNumber, json!({}), replies)
}

/// The calls of its judge.
fn taken(origin: TaskSetOrigin) -> Result<TaskSet, String> {
    let tasks = TaskSet { origin, ..GuessNumber.samples() };
    let spec = spec(&GuessNumber, Profile::Strict, json!({}));
    let runs = vec![run(&GuessNumber, spec, tasks, vec![recorded()])];
    let texts = [("seat", JUDGE.to_owned())].into();
    let given = Given { runs: [(take::RUNS, runs)].into(), texts, ..Given::default() };
    let Done { files, .. } = take::take(&given)?;
    Ok(tasks::read("a.zip", &files[0]).expect("what was written can be read"))
}

fn plain() -> TaskSet {
    taken(TaskSetOrigin::Plain).expect("its judge was asked")
}

fn encrypted() -> TaskSet {
    let canary = "a canary".to_owned();
    taken(TaskSetOrigin::Encrypted { canary }).expect("its judge was asked")
}

/// The spec of an audit over these tasks.
fn audit(set: &TaskSet, rater: &str) -> Spec {
    let mut spec = turnwise_core::benchmark::default_spec(&AUDIT);
    spec.tasks = Named { name: set.name.clone(), digest: set.digest };
    spec.seats.get_mut(&Seat::new(JUDGE)).expect("a judge").player = rater.parse().expect("one");
    spec
}

/// The summaries of an audit in which the rater replies so to the guess and the repeat.
fn rated(set: &TaskSet, rater: &str, says: impl Fn(&str, u32) -> &'static str) -> Vec<Played> {
    let spec = audit(set, rater);
    let episodes = set.tasks.iter().flat_map(|task| (1..=3).map(move |repeat| (task, repeat)));
    let episode = |(task, repeat)| {
        let case = Case { repeat, ..Case::new(&AUDIT, &spec, task) };
        case.play_by(|_, effect| {
            let Effect::Ask(ask) = effect else { panic!("{effect:?}") };
            Reply::Said(Said::text(says(ask.variable("guess", task).unwrap_or_default(), repeat)))
        })
    };
    episodes.map(episode).collect()
}

fn summaries(played: &[Played]) -> Vec<&Summary> {
    played.iter().map(|one| &one.summary).collect()
}

#[test]
fn the_very_same_is_asked_again() {
    let (recorded, set) = (recorded(), plain());
    let asked = |play: &Transcript, seat: &str| {
        let events = play.events.iter().flatten();
        let digests = events.filter_map(|event| match event {
            Event::Asked { request: Recorded::Ask { seat: asked, digest, .. }, .. }
                if asked.as_str() == seat =>
            {
                Some(*digest)
            }
            _ => None,
        });
        digests.collect::<BTreeSet<_>>()
    };
    let again = rated(&set, "bot:usual", |_, _| "EQUAL");
    let prompts = |played: &[Played]| {
        let texts = played.iter().flat_map(|one| one.shown_to(JUDGE)).map(str::to_owned);
        texts.collect::<BTreeSet<_>>()
    };
    assert_eq!(prompts(&again), prompts(std::slice::from_ref(&recorded)));
    let digests: BTreeSet<_> = again.iter().flat_map(|one| asked(&one.play, JUDGE)).collect();
    assert_eq!((digests.len(), digests), (4, asked(&recorded.play, JUDGE)));
    let verdicts = set.tasks.iter().map(|task| task.field(field::RECORDED));
    let mut verdicts: Vec<_> = verdicts.collect();
    verdicts.sort();
    assert_eq!(verdicts, [None, Some("EQUAL"), Some("HIGHER"), Some("LOWER")]);
    assert!(set.tasks.is_sorted_by_key(|task| task.id.clone()), "the order is that of hashes");
    let spec = audit(&set, "bot:usual");
    let by_bot = |task: &Task| {
        Case::new(&AUDIT, &spec, task)
            .play_by(|call, effect| Case::new(&AUDIT, &spec, task).answer(call, effect))
    };
    let by_bot: Vec<Played> = set.tasks.iter().map(by_bot).collect();
    let record = report(&spec, &summaries(&by_bot)).record;
    assert_has(&record["agreement"], &json!({ "n": 3, "percent": 2.0 / 3.0 }));
    assert!(
        AUDIT.seats_bot(&Seat::new(JUDGE), "compares")
            && !AUDIT.seats_bot(&Seat::new(JUDGE), "halves")
    );
}

/// Everything that a rater is shown before it has replied and after.
#[test]
fn a_rater_sees_neither_verdict_nor_model_nor_run() {
    let set = plain();
    let mut task = set.tasks[0].clone();
    for name in [field::RECORDED, field::FROM] {
        task.fields.insert(name.to_owned(), json!(format!("MARK {name}")).to_string());
    }
    for name in [label::RUN, label::TASK] {
        task.labels.insert(name.to_owned(), format!("MARK {name}"));
    }
    let spec = audit(&set, "person");
    let mut episode = AUDIT.open(&spec, &task, &(Audit::FACTS.pack)()).expect("it can be opened");
    let viewer = Viewer::Seat(Seat::new(JUDGE));
    let mut shown = String::new();
    let Step::Request(call, Effect::Ask(ask)) = episode.poll() else { panic!("it asks") };
    assert_eq!(call, CallId(1));
    shown += &json!([
        ask.expect,
        (Audit::FACTS.pack)()
            .render(&ask, &task)
            .expect("it renders")
            .into_iter()
            .map(|one| one.text)
            .collect::<Vec<_>>()
    ])
    .to_string();
    shown += &json!(episode.scene(&viewer)).to_string();
    episode.resume(call, Reply::Said(Said::text("HIGHER"))).expect("it is open");
    shown += &json!(episode.scene(&viewer)).to_string();
    shown += &json!(episode.scene(&Viewer::Reader)).to_string();
    assert!(shown.contains("guess") && !shown.contains("MARK"), "{shown}");
}

/// The judge erred at 5, could not be read once and was right twice. The rater says the truth, but once of three of 6.
#[test]
fn numbers_by_hand() {
    let set = plain();
    let truth = |guess: &str, repeat: u32| match (guess, repeat) {
        ("7", _) => "EQUAL",
        ("6", 2) => "no idea",
        _ => "HIGHER",
    };
    let played = rated(&set, "bot:usual", truth);
    let report = report(&audit(&set, "bot:usual"), &summaries(&played));
    let record = &report.record;
    // Of the calls about 5, 6 and 7 three, two and three repeats can be read; those of 6 and 7 agree.
    assert_has(&record["agreement"], &json!({ "n": 8, "percent": 0.625 }));
    // Record: LOWER 3, HIGHER 2, EQUAL 3; rater: HIGHER 5, EQUAL 3. Chance 10/64 + 9/64; kappa (40 − 19) / (64 − 19).
    let kappa = record["agreement"]["kappa"].as_f64().expect("it is defined");
    assert!((kappa - 21.0 / 45.0).abs() < 1e-12, "{kappa}");
    assert_has(
        record,
        &json!({ "agreement": { "interval_alpha": null }, "consistency": { "percent": 1.0, "n": 8 }, "readable": { "n": 12 }, "changed": { "value": 1.0 / 3.0 } }),
    );
    let change = &record["changes"][0];
    assert_has(
        change,
        &json!({ "recorded": "LOWER", "now": "HIGHER", "call": { "part": "play" } }),
    );
    assert!(report.tables[0].rows[0].name.ends_with("LOWER → HIGHER"));
    let scores: Vec<_> = summaries(&played).iter().map(|one| one.score).collect();
    assert_eq!(scores.iter().flatten().sum::<f64>(), 5.0);
}

#[test]
fn raters_are_compared_and_their_disagreements_written() {
    let set = encrypted();
    let people = rated(&set, "person", |guess, _| if guess == "7" { "EQUAL" } else { "HIGHER" });
    let model = rated(&set, "bot:compares", |guess, _| match guess {
        "7" => "LOWER",
        "6" => "what?",
        _ => "HIGHER",
    });
    let (one, other) = (audit(&set, "person"), audit(&set, "bot:compares"));
    let raters = raters::Raters::of(&[(&one, summaries(&people)), (&other, summaries(&model))]);
    let record = raters::report(&raters).record["raters"].clone();
    let pair =
        |at: usize| (record["pairs"][at]["n"].clone(), record["pairs"][at]["percent"].clone());
    // The record and the person: 5, 6, 7; the record and the model, and both raters: 5 and 7.
    assert_eq!(
        [pair(0), pair(1), pair(2)],
        [(json!(3), json!(2.0 / 3.0)), (json!(2), json!(0.0)), (json!(2), json!(0.5))]
    );
    let accuracy = &record["accuracy_against_people"];
    assert_has(accuracy, &json!({ "the record": { "n": 3 }, "bot:compares": { "value": 0.5 } }));
    let runs = [(one, people), (other, model)];
    let runs = runs.map(|(spec, played)| run(&AUDIT, spec, set.clone(), played)).into();
    let given = Given { runs: [(take::RUNS, runs)].into(), ..Given::default() };
    let done = raters::disagreements(&given).expect("they are raters of one set");
    let differ = tasks::read("d.zip", &done.files[0]).expect("what was written can be read");
    assert_eq!((differ.tasks.len(), &differ.origin), (1, &set.origin));
    assert_eq!(differ.tasks[0].field(field::RECORDED), Some("EQUAL"));
    assert!(set.tasks.contains(&differ.tasks[0]));
}

#[test]
fn closed_sets_stay_closed() {
    let sealed = taken(TaskSetOrigin::Sealed).expect_err("it is sealed");
    assert!(sealed.contains("its tasks are sealed"), "{sealed}");
    let set = encrypted();
    let file = tasks::write(&set).expect("it is packed");
    let zip = zipped::open(&file).expect("it is a zip");
    let rows = String::from_utf8(zipped::unpacked(&zip, zipped::ROWS, 1 << 20).expect("rows"));
    let rows = rows.expect("it is JSON");
    let has = |word| rows.contains(word);
    assert!(has("a canary") && !["HIGHER", "template"].into_iter().any(has));
    assert_eq!(set.tasks, plain().tasks, "what is in it is the same");
}

#[test]
fn bad_sets_are_refused_by_row_and_field() {
    let good: Value = serde_json::from_slice(
        Audit::FACTS.samples.split(|byte| *byte == b'\n').next().expect("a row"),
    )
    .expect("it is JSON");
    let with = |change: &dyn Fn(&mut Value)| {
        let mut row = good.clone();
        change(&mut row);
        row.to_string().into_bytes()
    };
    let picture = "png 1x1 70 0000000000000000000000000000000000000000000000000000000000000000";
    let asks = |row: &mut Value, variable: Variable| {
        let text = row["fields"][field::REQUEST].as_str().expect("a text");
        let mut request: Request = serde_json::from_str(text).expect("a request");
        request.ask.messages[0].pictures.push(variable);
        row["fields"][field::REQUEST] = json!(json!(request).to_string());
    };
    for (file, problem) in [
        (with(&|row| row["run"] = json!("")), "row 1, field run: it is missing or blank"),
        (with(&|row| row["fields"] = json!({})), "row 1, field fields: tasks: the task"),
        (with(&|row| row["fields"][field::REQUEST] = json!("{}")), "cannot be read"),
        (
            with(&|row| drop(row["fields"].as_object_mut().expect("fields").remove("solution"))),
            "has no field \"solution\"",
        ),
        (with(&|row| asks(row, Variable::text("x"))), "picture 1 of a message: expected a picture"),
        (with(&|row| asks(row, Variable::text(picture))), "there is no 0000"),
        (with(&|row| row["canary"] = json!("c")), "row 1, field fields: expected text"),
        (b"PK".to_vec(), "this is no zip file"),
    ] {
        let error = AUDIT.read_tasks("x", &file).expect_err(problem).message;
        assert!(error.contains(problem), "{error}");
    }
}
