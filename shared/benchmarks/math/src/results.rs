//! The authors' result files (specification 3.g): read and written without loss, their numbers, and our runs in their form.

pub mod imported;

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use turnwise_core::effect::Reply;
use turnwise_core::episode::{CallId, Outcome};
use turnwise_core::json::Json;
use turnwise_core::lenient;
use turnwise_core::note::{Note, Turn, TurnKind};
use turnwise_core::python;
use turnwise_core::seat::{Player, Seat};
use turnwise_core::spec::Profile;
use turnwise_core::task::Task;
use turnwise_core::transcript::{Event, Request, Transcript};

use crate::grading::{JUDGE_ERROR, JUDGE_FAILED};
use crate::metrics::{estimate, matched_k};
use crate::prompts::field;
use crate::protocol::ending;
use crate::reading::{ANSWER, graded_reference};

/// What a record says of how its verdict came about.
mod status {
    pub use crate::protocol::ending::PLAYER_ERROR;

    pub const OK: &str = "ok";
    /// Compared without white space.
    pub const EXACT: &str = "ok_exact_match";
    pub const EMPTY: &str = "format_error_empty_extracted_answer";
}

/// Members of records that are whole numbers.
const COUNTS: [&str; 6] =
    ["correct", "grader_correct", "k", "max_rounds", "questions_used", "round"];

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
            Form::Interactive => {
                &["problem", "exp_ans", "gen_ans", "correct", "turtle_history", "questions_used"]
            }
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
                attempts.iter().any(|attempt| attempt["correct"].as_f64() == Some(1.0))
            }),
            _ => record["correct"].as_f64() == Some(1.0),
        };
        let correct: Vec<_> = self.records.iter().filter(is_correct).collect();
        let rounds: Vec<f64> =
            correct.iter().filter_map(|record| record.get("questions_used")?.as_f64()).collect();
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
                Some(history) => history.iter().map(|entry| text(entry.get("player_raw"))).sum(),
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
    format!("{dataset}__{form}openrouter__{}__judge={}.json", plain(player), plain(judge))
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
    let dataset =
        before.trim_end_matches("turtle__").trim_end_matches("passk__").trim_end_matches("__");
    (!dataset.is_empty()).then(|| dataset.to_owned())
}

/// Episodes of ours as a record of the authors, by its form, members in their order. Several samples of one problem make one record
/// of pass@k. There is no time in it (`meta.ts`), because transcripts have none.
///
/// # Errors
/// If an episode is not over, or there is none.
pub fn export(
    form: Form,
    task: &Task,
    plays: &[(&Transcript, Option<&Transcript>)],
) -> Result<Json, String> {
    let samples: Vec<Sample> =
        plays.iter().map(|(play, grading)| Sample::of(play, *grading)).collect::<Result<_, _>>()?;
    let ([sample, ..], [(play, _), ..]) = (&samples[..], plays) else {
        return Err("there is no play".to_owned());
    };
    let field = |name: &str| text(task.field(name).unwrap_or_default());
    let mut record = vec![
        ("problem", field(field::PROBLEM)),
        ("solution", field(field::SOLUTION)),
        ("exp_ans", field(field::ANSWER)),
    ];
    let spec = &play.header.spec;
    let player = spec.seats.get(&Seat::new(Seat::PLAYER));
    let model = |seat: &str| match spec.seats.get(&Seat::new(seat)).map(|one| &one.player) {
        Some(Player::Model { model, .. }) => text(model),
        other => text(&other.map(Player::to_string).unwrap_or_default()),
    };
    let provider = match player.map(|sitting| &sitting.player) {
        Some(Player::Model { provider, .. }) => provider,
        _ => "turnwise",
    };
    let mut meta = vec![
        ("provider", text(provider)),
        ("player_model", model(Seat::PLAYER)),
        ("judge_model", model(Seat::GRADER)),
    ];
    match form {
        Form::Naive => {
            record.extend(sample.answer());
            record.extend(sample.verdict());
        }
        Form::Interactive => {
            let (history, used) = history(play);
            record.extend(sample.answer());
            record.push(("turtle_history", Json::List(history)));
            record.push(("questions_used", int(used)));
            record.extend(sample.verdict());
            meta.insert(0, ("method", text("turtle")));
            meta.push(("max_rounds", int(rounds(play))));
        }
        Form::PassK => {
            let is_correct = samples.iter().any(|sample| sample.correct);
            let tokens: u64 = samples.iter().map(Sample::tokens).sum();
            let temperature = player.and_then(|sitting| sitting.sampling.temperature);
            let attempts = (1..).zip(&samples).map(|(index, sample)| {
                let usage = [
                    ("player_total_tokens", int(sample.tokens_of_player)),
                    ("judge_total_tokens", int(sample.tokens_of_judge)),
                    ("total_tokens", int(sample.tokens())),
                ];
                let members = [("idx", int(index))].into_iter().chain(sample.answer());
                let usage = [("token_usage", object(usage))];
                object(members.chain(sample.verdict()).chain(usage))
            });
            let usage = [
                ("total_tokens_all_attempts", int(tokens)),
                ("avg_tokens_per_attempt", Json::Float(tokens as f64 / samples.len() as f64)),
            ];
            record.extend([
                ("pass_k_correct", int(is_correct.into())),
                ("k", int(samples.len() as u64)),
                ("temperature", temperature.map_or(Json::Null, Json::Float)),
                ("attempts", Json::List(attempts.collect())),
                ("token_usage", object(usage)),
            ]);
            meta.insert(0, ("method", text("passk")));
        }
    }
    record.push(("meta", object(meta)));
    Ok(object(record))
}

fn object(members: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
    Json::Object(members.into_iter().collect())
}

fn text(text: &str) -> Json {
    Json::from(text)
}

fn int(number: u64) -> Json {
    Json::Int(i64::try_from(number).unwrap_or(i64::MAX).into())
}

/// One answer and its verdict, as the authors write them.
struct Sample {
    said: String,
    extracted: String,
    judge_raw: String,
    judgement: String,
    correct: bool,
    status: String,
    /// By the authors' estimate; none where a call failed.
    tokens_of_player: u64,
    tokens_of_judge: u64,
}

impl Sample {
    fn of(play: &Transcript, grading: Option<&Transcript>) -> Result<Self, String> {
        let outcome = play
            .outcome()
            .ok_or_else(|| format!("the play of {} is not over", play.header.task.id))?;
        let correct = crate::metrics::measure(play, grading).score == Some(1.0);
        let mut said = said_by(play, Seat::PLAYER).pop().unwrap_or_default();
        if outcome.ending == ending::SOLVED
            && let Some(at) = said.rfind(ANSWER)
        {
            // The authors keep of a right guess what follows the last marker, with it.
            said.drain(..at);
        }
        let graded = grading.and_then(Transcript::outcome);
        let reason = graded.and_then(|outcome| outcome.result["reason"].as_str());
        let raw = grading.and_then(|grading| said_by(grading, Seat::GRADER).pop());
        let raw = raw.unwrap_or_default();
        let status = match (outcome.ending.as_str(), reason) {
            (status::PLAYER_ERROR, _) => status::PLAYER_ERROR,
            (_, Some(reason)) => reason,
            (_, None) if raw.is_empty() => JUDGE_FAILED,
            (_, None) => status::OK,
        };
        let message = |outcome: Option<&Outcome>| {
            let message = outcome.and_then(|outcome| outcome.result["message"].as_str());
            message.unwrap_or_default().to_owned()
        };
        let (judge_raw, judgement) = match status {
            status::EXACT => ("SKIPPED_EXACT_MATCH".to_owned(), "1"),
            status::EMPTY => ("SKIPPED_EMPTY_EXTRACTED_ANSWER".to_owned(), "0"),
            status::PLAYER_ERROR => {
                let message = message(Some(outcome));
                (format!("PLAYER_API_ERROR: {message}"), "0")
            }
            JUDGE_ERROR => (format!("JUDGE_API_ERROR: {}", message(graded)), "0"),
            JUDGE_FAILED => (String::new(), ""),
            _ => (raw.clone(), graded_reference(&raw)),
        };
        if status == status::PLAYER_ERROR {
            said.clear();
        }
        Ok(Sample {
            tokens_of_player: estimate(&said),
            tokens_of_judge: if status == status::OK { estimate(&raw) } else { 0 },
            extracted: outcome.result["answer"].as_str().unwrap_or_default().to_owned(),
            judgement: judgement.to_owned(),
            status: status.to_owned(),
            said,
            judge_raw,
            correct,
        })
    }

    fn tokens(&self) -> u64 {
        self.tokens_of_player + self.tokens_of_judge
    }

    fn answer(&self) -> [(&'static str, Json); 2] {
        [("gen_ans", text(&self.said)), ("extracted_gen_ans", text(&self.extracted))]
    }

    fn verdict(&self) -> [(&'static str, Json); 4] {
        [
            ("judge_raw", text(&self.judge_raw)),
            ("extracted_judgement", text(&self.judgement)),
            ("correct", int(self.correct.into())),
            ("status", text(&self.status)),
        ]
    }
}

/// What a seat said, in order, as the authors' client hands it on: stripped.
fn said_by(transcript: &Transcript, seat: &str) -> Vec<String> {
    let seat = Seat::new(seat);
    let asked = transcript.events.iter().flatten().filter_map(|event| match event {
        Event::Asked { call, request: Request::Ask { seat: asked, .. } } if *asked == seat => {
            Some(*call)
        }
        _ => None,
    });
    asked.filter_map(|call| said_in(transcript, call)).collect()
}

fn said_in(transcript: &Transcript, call: CallId) -> Option<String> {
    match transcript.reply(call) {
        Some(Reply::Said(said)) => {
            let text = said.text.as_deref().unwrap_or_default();
            Some(python::strip(text).to_owned())
        }
        _ => None,
    }
}

fn rounds(play: &Transcript) -> u64 {
    play.header.spec.settings["rounds"].as_u64().unwrap_or(20)
}

/// The history of an episode, and how many rounds it used.
fn history(play: &Transcript) -> (Vec<Json>, u64) {
    let rounds = rounds(play);
    let mut graders = said_by(play, Seat::GRADER).into_iter();
    let mut words = play.notes().filter_map(|note| match note {
        Note::Came(came) => Some(came.word.as_str()),
        _ => None,
    });
    let turns = play.notes().filter_map(|note| match note {
        Note::Turn(turn) if turn.seat.as_str() == Seat::PLAYER => Some(turn),
        _ => None,
    });
    let mut is_solved = false;
    let entry = |turn: &Turn| {
        let round = u64::from(turn.round);
        let raw = text(&said_in(play, turn.call).unwrap_or_default());
        let head = |kind: &str| [("round", int(round)), ("type", text(kind))];
        if round > rounds {
            let head = head("final_answer").into_iter();
            return object(head.chain([("player_raw", raw)]));
        }
        let taken = text(turn.reading.extracted.as_deref().unwrap_or_default());
        let word = words.next().unwrap_or_default();
        if turn.kind != TurnKind::Answer {
            return object(head("qa").into_iter().chain([
                ("question", taken),
                ("judger_reply", text(word)),
                ("player_raw", raw),
            ]));
        }
        is_solved = word == "correct";
        let graded = graders.next().unwrap_or_default();
        let status = if graded.is_empty() { JUDGE_FAILED } else { status::OK };
        object(head("guess").into_iter().chain([
            ("player_raw", raw),
            ("guess_answer", taken),
            ("grader_judge_raw", text(&graded)),
            ("grader_extracted", text(graded_reference(&graded))),
            ("grader_correct", int(is_solved.into())),
            ("grader_status", text(status)),
        ]))
    };
    let history: Vec<Json> = turns.map(entry).collect();
    let used = if is_solved { history.len() as u64 } else { rounds };
    (history, used)
}
