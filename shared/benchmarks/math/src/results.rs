//! The authors' result files (specification 3.g): read as transcripts, and our runs in their form.

pub mod imported;

use turnwise_core::json::object;
use turnwise_core::kit::records;
use turnwise_core::prelude::*;
use turnwise_core::python;

use crate::grading::{JUDGE_ERROR, JUDGE_FAILED};
use crate::metrics::estimate;
use crate::prompts::field;
use crate::protocol::ending;
use crate::reading::{ANSWER, graded_reference};

/// What a record says of how its verdict came about.
pub mod status {
    pub use crate::protocol::ending::PLAYER_ERROR;

    pub const OK: &str = "ok";
    pub const EXACT: &str = "ok_exact_match";
    pub const EMPTY: &str = "format_error_empty_extracted_answer";
}

/// What a file of the authors holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Naive,
    Interactive,
    PassK,
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
    let field = |name: &str| Json::from(task.field(name));
    let mut record = vec![
        ("problem", field(field::PROBLEM)),
        ("solution", field(field::SOLUTION)),
        ("exp_ans", field(field::ANSWER)),
    ];
    let spec = &play.header.spec;
    let player = spec.seats.get(&Seat::new(Seat::PLAYER));
    let provider = match player.map(|sitting| &sitting.player) {
        Some(Player::Model { provider, .. }) => provider,
        _ => "turnwise",
    };
    let mut meta = vec![
        ("provider", provider.into()),
        ("player_model", records::model(spec, Seat::PLAYER).into()),
        ("judge_model", records::model(spec, Seat::GRADER).into()),
    ];
    match form {
        Form::Naive => {
            record.extend(sample.answer());
            record.extend(sample.verdict());
        }
        Form::Interactive => {
            let (history, used) = history(play);
            record.extend(sample.answer());
            record.push(("turtle_history", history.into()));
            record.push(("questions_used", used.into()));
            record.extend(sample.verdict());
            meta.insert(0, ("method", "turtle".into()));
            meta.push(("max_rounds", rounds(play).into()));
        }
        Form::PassK => {
            let is_correct = samples.iter().any(|sample| sample.correct);
            let tokens: u64 = samples.iter().map(Sample::tokens).sum();
            let temperature = player.and_then(|sitting| sitting.sampling.temperature);
            let attempts = (1_u64..).zip(&samples).map(|(index, sample)| {
                let usage = object([
                    ("player_total_tokens", sample.tokens_of_player.into()),
                    ("judge_total_tokens", sample.tokens_of_judge.into()),
                    ("total_tokens", sample.tokens().into()),
                ]);
                let members = [("idx", index.into())].into_iter().chain(sample.answer());
                object(members.chain(sample.verdict()).chain([("token_usage", usage)]))
            });
            let usage = object([
                ("total_tokens_all_attempts", tokens.into()),
                ("avg_tokens_per_attempt", (tokens as f64 / samples.len() as f64).into()),
            ]);
            record.extend([
                ("pass_k_correct", u64::from(is_correct).into()),
                ("k", (samples.len() as u64).into()),
                ("temperature", temperature.into()),
                ("attempts", attempts.collect::<Vec<_>>().into()),
                ("token_usage", usage),
            ]);
            meta.insert(0, ("method", "passk".into()));
        }
    }
    record.push(("meta", object(meta)));
    Ok(object(record))
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
        [("gen_ans", (&*self.said).into()), ("extracted_gen_ans", (&*self.extracted).into())]
    }

    fn verdict(&self) -> [(&'static str, Json); 4] {
        [
            ("judge_raw", (&*self.judge_raw).into()),
            ("extracted_judgement", (&*self.judgement).into()),
            ("correct", u64::from(self.correct).into()),
            ("status", (&*self.status).into()),
        ]
    }
}

/// What a seat said, in order, as the authors' client hands it on: stripped.
fn said_by(transcript: &Transcript, seat: &str) -> Vec<String> {
    let texts = transcript.said(seat).map(|(_, said)| said.text.as_deref().unwrap_or_default());
    texts.map(|text| python::strip(text).to_owned()).collect()
}

fn rounds(play: &Transcript) -> u64 {
    play.header.spec.settings["rounds"].as_u64().unwrap_or(20)
}

/// The history of an episode, and how many rounds it used.
fn history(play: &Transcript) -> (Vec<Json>, u64) {
    let rounds = rounds(play);
    let mut graders = said_by(play, Seat::GRADER).into_iter();
    let mut words = play.notes().filter_map(|note| match note {
        Note::Observation(came) => Some(came.word.as_str()),
        _ => None,
    });
    let turns = play.notes().filter_map(|note| match note {
        Note::Turn(turn) if turn.seat.as_str() == Seat::PLAYER => Some(turn),
        _ => None,
    });
    let mut is_solved = false;
    let entry = |turn: &Turn| {
        let round = u64::from(turn.round);
        let raw = ("player_raw", Json::from(records::said(play, turn.call).unwrap_or_default()));
        let entry = |kind: &str, members: Vec<(&str, Json)>| {
            object([("round", round.into()), ("type", kind.into())].into_iter().chain(members))
        };
        if round > rounds {
            return entry("final_answer", vec![raw]);
        }
        let taken = Json::from(turn.reading.extracted.as_deref().unwrap_or_default());
        let word = words.next().unwrap_or_default();
        if turn.kind != TurnKind::Answer {
            return entry("qa", vec![("question", taken), ("judger_reply", word.into()), raw]);
        }
        is_solved = word == "correct";
        let graded = graders.next().unwrap_or_default();
        let status = if graded.is_empty() { JUDGE_FAILED } else { status::OK };
        let members = vec![
            raw,
            ("guess_answer", taken),
            ("grader_judge_raw", (&*graded).into()),
            ("grader_extracted", graded_reference(&graded).into()),
            ("grader_correct", u64::from(is_solved).into()),
            ("grader_status", status.into()),
        ];
        entry("guess", members)
    };
    let history: Vec<Json> = turns.map(entry).collect();
    let used = if is_solved { history.len() as u64 } else { rounds };
    (history, used)
}
