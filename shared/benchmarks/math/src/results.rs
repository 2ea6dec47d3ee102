//! The authors' result files (specification 3.g): read and written without loss, their numbers, and our runs in their form.

pub mod imported;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use turnwise_core::effect::Reply;
use turnwise_core::lenient;
use turnwise_core::note::{Note, TurnKind};
use turnwise_core::seat::Seat;
use turnwise_core::spec::Profile;
use turnwise_core::task::Task;
use turnwise_core::transcript::{Event, Request, Transcript};

use crate::metrics::{estimate, matched_k};
use crate::prompts::field;

/// What a record says of how its verdict came about.
mod status {
    pub use crate::protocol::ending::PLAYER_ERROR;

    pub const OK: &str = "ok";
    /// Compared without white space.
    pub const EXACT: &str = "ok_exact_match";
    pub const EMPTY: &str = "format_error_empty_extracted_answer";
}

/// Members of records that are whole numbers.
const COUNTS: [&str; 6] = [
    "correct",
    "grader_correct",
    "k",
    "max_rounds",
    "questions_used",
    "round",
];

/// Members of records that are words of a closed list.
const WORDS: [&str; 2] = ["status", "type"];

/// What a file of the authors holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One answer a problem.
    Naive,
    Interactive,
    /// Several answers a problem.
    PassK,
}

/// A result file.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    pub form: Form,
    /// As they stand in the file, keys that are not known included.
    pub records: Vec<Map<String, Value>>,
}

/// The numbers of a file, as the authors take them.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    pub n: usize,
    pub accuracy: Option<f64>,
    /// Mean `questions_used` of the records that are correct; of interactive files only.
    pub average_rounds: Option<f64>,
}

/// Budgets matched as the authors match them.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    pub naive_mean: Option<f64>,
    pub interactive_mean: Option<f64>,
    pub ratio: Option<f64>,
    pub k: u32,
    /// Problems in both files.
    pub overlap: usize,
}

impl Results {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong, with row and field.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let expected = |problem| format!("expected a JSON array of records: {problem}");
        let mut file = lenient::json(bytes).map_err(expected)?;
        lenient::spell(&mut file, &COUNTS, &WORDS);
        let records: Vec<Map<String, Value>> = lenient::typed(file).map_err(expected)?;
        let has = |field: &str| records.iter().any(|record| record.contains_key(field));
        let form = match (has("turtle_history"), has("attempts")) {
            (true, false) => Form::Interactive,
            (false, true) => Form::PassK,
            (false, false) => Form::Naive,
            (true, true) => {
                return Err("interactive and pass@k records in one file; split it".to_owned());
            }
        };
        let needed: &[&str] = match form {
            Form::Naive => &["problem", "exp_ans", "gen_ans", "correct"],
            Form::Interactive => &[
                "problem",
                "exp_ans",
                "gen_ans",
                "correct",
                "turtle_history",
                "questions_used",
            ],
            Form::PassK => &["problem", "exp_ans", "attempts", "k"],
        };
        for (index, record) in records.iter().enumerate() {
            let fits = |field: &&str| match (*field, record.get(*field)) {
                ("correct" | "questions_used" | "k", Some(value)) => value.is_u64(),
                ("turtle_history", Some(value)) => value.is_array(),
                ("attempts", Some(value)) => value.as_array().is_some_and(|all| !all.is_empty()),
                (_, value) => value.is_some_and(Value::is_string),
            };
            if let Some(field) = needed.iter().find(|field| !fits(field)) {
                return Err(format!(
                    "row {}, {field}: it is missing, empty or of another type",
                    index + 1
                ));
            }
        }
        Ok(Results { form, records })
    }

    /// The file as the authors write it.
    pub fn write(&self) -> String {
        serde_json::to_string_pretty(&self.records).expect("records were JSON")
    }

    /// The numbers of the file.
    pub fn numbers(&self) -> Numbers {
        let is_correct = |record: &&Map<String, Value>| match self.form {
            Form::PassK => record["attempts"].as_array().is_some_and(|attempts| {
                attempts
                    .iter()
                    .any(|attempt| attempt["correct"].as_f64() == Some(1.0))
            }),
            _ => record["correct"].as_f64() == Some(1.0),
        };
        let correct: Vec<_> = self.records.iter().filter(is_correct).collect();
        let rounds: Vec<f64> = correct
            .iter()
            .filter_map(|record| record.get("questions_used")?.as_f64())
            .collect();
        Numbers {
            n: self.records.len(),
            accuracy: mean(correct.len() as f64, self.records.len()),
            average_rounds: mean(rounds.iter().sum(), rounds.len()),
        }
    }

    /// Tokens by problem, first record first: of the whole history, or of the answer where there is none.
    fn tokens(&self) -> BTreeMap<&str, u64> {
        let mut tokens = BTreeMap::new();
        for record in &self.records {
            let text =
                |value: Option<&Value>| estimate(value.and_then(Value::as_str).unwrap_or_default());
            let history = record.get("turtle_history").and_then(Value::as_array);
            let count = match history.filter(|history| !history.is_empty()) {
                Some(history) => history
                    .iter()
                    .map(|entry| text(entry.get("player_raw")))
                    .sum(),
                None => text(record.get("gen_ans")),
            };
            if let Some(problem) = record["problem"].as_str() {
                tokens.entry(problem).or_insert(count);
            }
        }
        tokens
    }
}

fn mean(sum: f64, n: usize) -> Option<f64> {
    (n > 0).then(|| sum / n as f64)
}

/// How many samples pay for an interactive episode, over the problems of both files.
pub fn match_files(naive: &Results, interactive: &Results) -> Match {
    let (naive, interactive) = (naive.tokens(), interactive.tokens());
    let both: Vec<(u64, u64)> = naive
        .iter()
        .filter_map(|(problem, tokens)| Some((*tokens, *interactive.get(problem)?)))
        .collect();
    let naive_mean = mean(both.iter().map(|pair| pair.0 as f64).sum(), both.len());
    let interactive_mean = mean(both.iter().map(|pair| pair.1 as f64).sum(), both.len());
    let ratio = interactive_mean
        .zip(naive_mean.filter(|mean| *mean > 0.0))
        .map(|(interactive, naive)| interactive / naive);
    Match {
        naive_mean,
        interactive_mean,
        ratio,
        k: ratio.map_or(1, |ratio| matched_k(ratio, Profile::Reference)),
        overlap: both.len(),
    }
}

/// The name of a file: `<dataset>__[turtle__|passk__]openrouter__<player>__judge=<judge>.json`.
pub fn file_name(form: Form, dataset: &str, player: &str, judge: &str) -> String {
    let form = match form {
        Form::Naive => "",
        Form::Interactive => "turtle__",
        Form::PassK => "passk__",
    };
    let plain = |model: &str| model.replace('/', "_");
    format!(
        "{dataset}__{form}openrouter__{}__judge={}.json",
        plain(player),
        plain(judge)
    )
}

/// The player of a file, from its name: the first `_` was a `/`.
pub fn player_of(name: &str) -> Option<String> {
    let (_, rest) = name.split_once("openrouter__")?;
    let (player, _) = rest.split_once("__judge=")?;
    Some(player.replacen('_', "/", 1))
}

/// The data set of a file, from its name.
pub fn dataset_of(name: &str) -> Option<String> {
    let (before, _) = name.split_once("openrouter__")?;
    let dataset = before
        .trim_end_matches("turtle__")
        .trim_end_matches("passk__")
        .trim_end_matches("__");
    (!dataset.is_empty()).then(|| dataset.to_owned())
}

/// An episode of ours as a record of the authors, by its form. Several samples of one problem make one record of pass@k.
///
/// # Errors
/// If an episode is not over, or there is none.
pub fn export(
    form: Form,
    task: &Task,
    plays: &[(&Transcript, Option<&Transcript>)],
) -> Result<Map<String, Value>, String> {
    let text = |name: &str| task.field(name).unwrap_or_default();
    let mut record = Map::new();
    for (key, value) in [
        ("problem", text(field::PROBLEM)),
        ("solution", text(field::SOLUTION)),
        ("exp_ans", text(field::ANSWER)),
    ] {
        record.insert(key.to_owned(), json!(value));
    }
    let samples: Vec<Map<String, Value>> = plays
        .iter()
        .map(|(play, grading)| sample(play, *grading))
        .collect::<Result<_, _>>()?;
    let (first, _) = *plays.first().ok_or("there is no play")?;
    let spec = &first.header.spec;
    let who = |seat: &str| {
        spec.seats
            .get(&Seat::new(seat))
            .map(|sitting| sitting.player.to_string())
    };
    let mut meta = json!({ "provider": "turnwise", "player_model": who(Seat::PLAYER), "judge_model": who(Seat::GRADER) });
    if form == Form::PassK {
        let is_correct = samples.iter().any(|sample| sample["correct"] == json!(1));
        record.insert("pass_k_correct".to_owned(), json!(u8::from(is_correct)));
        record.insert("k".to_owned(), json!(samples.len()));
        let attempts = samples.into_iter().enumerate().map(|(index, mut sample)| {
            sample.insert("idx".to_owned(), json!(index));
            Value::Object(sample)
        });
        record.insert("attempts".to_owned(), attempts.collect());
    } else {
        record.extend(samples.into_iter().next().unwrap_or_default());
    }
    if form == Form::Interactive {
        let (history, used) = history(first);
        record.insert("turtle_history".to_owned(), json!(history));
        record.insert("questions_used".to_owned(), json!(used));
        meta["method"] = json!("turtle");
        meta["max_rounds"] = spec.settings["rounds"].clone();
    }
    record.insert("meta".to_owned(), meta);
    Ok(record)
}

fn sample(play: &Transcript, grading: Option<&Transcript>) -> Result<Map<String, Value>, String> {
    let outcome = play
        .outcome()
        .ok_or_else(|| format!("the play of {} is not over", play.header.task.id))?;
    let score = crate::metrics::measure(play, grading).score;
    let answer = outcome.result["answer"].as_str().unwrap_or_default();
    let reason = grading
        .and_then(Transcript::outcome)
        .and_then(|outcome| outcome.result["reason"].as_str());
    let status = match outcome.ending.as_str() {
        status::PLAYER_ERROR => status::PLAYER_ERROR,
        _ => reason.unwrap_or(status::OK),
    };
    let said_last = grading.and_then(|grading| said(grading, Seat::GRADER).pop());
    let raw = match status {
        status::EXACT => "SKIPPED_EXACT_MATCH".to_owned(),
        status::EMPTY => "SKIPPED_EMPTY_EXTRACTED_ANSWER".to_owned(),
        _ => said_last.unwrap_or_default(),
    };
    let Value::Object(sample) = json!({
        "gen_ans": said(play, Seat::PLAYER).pop().unwrap_or_default(),
        "extracted_gen_ans": answer,
        "judge_raw": raw,
        "extracted_judgement": score.map(|score| format!("{score:.0}")),
        "correct": u8::from(score == Some(1.0)),
        "status": status,
    }) else {
        return Err("a sample is an object".to_owned());
    };
    Ok(sample)
}

/// What a seat said, in order.
fn said(transcript: &Transcript, seat: &str) -> Vec<String> {
    let seat = Seat::new(seat);
    let asked = transcript
        .events
        .iter()
        .flatten()
        .filter_map(|event| match event {
            Event::Asked {
                call,
                request: Request::Ask { seat: asked, .. },
            } if *asked == seat => Some(*call),
            _ => None,
        });
    let text = |call| match transcript.reply(call) {
        Some(Reply::Said(said)) => said.text.clone(),
        _ => None,
    };
    asked.filter_map(text).collect()
}

/// The history of an episode, and how many rounds it used.
fn history(play: &Transcript) -> (Vec<Value>, u64) {
    let rounds = play.header.spec.settings["rounds"].as_u64().unwrap_or(20);
    let mut graders = said(play, Seat::GRADER).into_iter();
    let mut history: Vec<Value> = Vec::new();
    let mut is_solved = false;
    for note in play.notes() {
        match note {
            Note::Turn(turn) if turn.seat.as_str() == Seat::PLAYER => {
                let raw = match play.reply(turn.call) {
                    Some(Reply::Said(said)) => said.text.clone().unwrap_or_default(),
                    _ => String::new(),
                };
                let taken = turn.reading.extracted.clone().unwrap_or_default();
                let round = turn.round;
                history.push(match turn.kind {
                    _ if u64::from(round) > rounds => json!({ "type": "final_answer", "round": round, "player_raw": raw }),
                    TurnKind::Answer => json!({ "type": "guess", "round": round, "player_raw": raw, "guess_answer": taken }),
                    _ => json!({ "type": "qa", "round": round, "question": taken, "player_raw": raw }),
                });
            }
            Note::Came(came) => {
                let Some(entry) = history.last_mut() else {
                    continue;
                };
                if entry["type"] == "qa" {
                    entry["judger_reply"] = json!(came.word);
                } else if entry["type"] == "guess" {
                    is_solved = came.word == "correct";
                    entry["grader_judge_raw"] = json!(graders.next());
                    entry["grader_extracted"] = json!(u8::from(is_solved).to_string());
                    entry["grader_correct"] = json!(u8::from(is_solved));
                    entry["grader_status"] = json!("ok");
                }
            }
            _ => {}
        }
    }
    let used = if is_solved {
        history.len() as u64
    } else {
        rounds
    };
    (history, used)
}
