//! Records as transcripts of origin `imported`: what a file tells, and nothing more. They have no calls; what the player said stands in
//! the notes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use turnwise_core::episode::{CallId, Outcome};
use turnwise_core::formats::ImportedEpisode;
use turnwise_core::note::{Came, Note, Reading, Turn, TurnKind};
use turnwise_core::seat::{Player, Seat};
use turnwise_core::spec::{Named, Spec};
use turnwise_core::task::{Task, TaskId, TaskSet, TaskSetOrigin};
use turnwise_core::transcript::{Event, TaskRef};

use super::{Form, Results, status};
use crate::grading::{By, GRADED, JUDGE_ERROR, Verdict};
use crate::prompts::JUDGE;
use crate::protocol::{ending, tone};
use crate::settings::{MOST_ROUNDS, Mode};
use crate::tasks;

/// What was imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    pub episodes: Vec<ImportedEpisode>,
    /// How many episodes.
    pub plays: usize,
    /// Where records contradict themselves or each other.
    pub remarks: Vec<String>,
}

/// Makes an episode and its grading of every record, and of pass@k of every attempt.
///
/// # Errors
/// What cannot be imported, with row and field.
pub fn transcripts(results: &Results, tasks: &str, model: &str) -> Result<Imported, String> {
    let set: Vec<Task> = rows(results)
        .map(|(row, record)| {
            tasks::task(&Value::Object(record.clone()))
                .map_err(|(field, problem)| format!("row {row}, {field}: {problem}"))
        })
        .collect::<Result<_, _>>()?;
    let mut imported = Imported { episodes: Vec::new(), plays: 0, remarks: Vec::new() };
    let rounds = rounds(results)?;
    let mut plays: Vec<(&Task, u32, Attempt)> = Vec::new();
    let mut repeats: BTreeMap<&TaskId, (usize, u32)> = BTreeMap::new();
    for ((row, record), task) in rows(results).zip(&set) {
        let (first, repeat) = repeats.entry(&task.id).or_insert((row, 0));
        if *first != row {
            imported.remarks.push(format!(
                "row {row} has the problem of row {first}, and counts as further repeats of its task"
            ));
        }
        let attempts = match results.form {
            Form::Naive => {
                vec![Attempt::direct(record).map_err(|bad| format!("row {row}, {bad}"))?]
            }
            Form::Interactive => vec![
                Attempt::interactive(record, rounds).map_err(|bad| format!("row {row}, {bad}"))?,
            ],
            Form::PassK => attempts(record).map_err(|bad| format!("row {row}, {bad}"))?,
        };
        for attempt in attempts {
            *repeat += 1;
            let contradiction = attempt.contradiction.iter();
            let told = contradiction.map(|problem| format!("row {row}, {problem}"));
            imported.remarks.extend(told);
            plays.push((task, *repeat, attempt));
        }
    }
    let mut spec = spec(results, &set, rounds, tasks, model);
    spec.repeats = plays.iter().map(|(_, repeat, _)| *repeat).max().unwrap_or(1);
    imported.plays = plays.len();
    for (task, repeat, attempt) in plays {
        let task =
            TaskRef { id: task.id.clone(), digest: task.digest, labels: task.labels.clone() };
        let (play, grading) = attempt.events();
        let episodes = ImportedEpisode::play(&spec, task, repeat, play, grading);
        imported.episodes.extend(episodes);
    }
    Ok(imported)
}

/// Records with their numbers, from 1.
fn rows(results: &Results) -> impl Iterator<Item = (usize, &Map<String, Value>)> {
    (1..).zip(&results.records)
}

/// The model that the records name as player or judge.
///
/// # Errors
/// If they name several.
pub fn model<'a>(results: &'a Results, who: &str) -> Result<Option<&'a str>, String> {
    same(results, &format!("meta.{who}"), |record| record.get("meta")?.get(who)?.as_str())
}

/// What all records say alike.
fn same<'a, T: PartialEq>(
    results: &'a Results,
    field: &str,
    read: impl Fn(&'a Map<String, Value>) -> Option<T>,
) -> Result<Option<T>, String> {
    let mut first = None;
    for (row, record) in rows(results) {
        match (&first, read(record)) {
            (Some(first), Some(other)) if *first != other => {
                return Err(format!(
                    "row {row}, {field}: it is another than in the rows before; split the file"
                ));
            }
            (None, Some(told)) => first = Some(told),
            _ => {}
        }
    }
    Ok(first)
}

/// The rounds of interactive records: as they say, else the last round of any history.
fn rounds(results: &Results) -> Result<u32, String> {
    let most_rounds = |record: &Map<String, Value>| count(record.get("meta")?.get("max_rounds"));
    if let Some((row, _)) = rows(results)
        .find(|(_, record)| record.contains_key("meta") && most_rounds(record).is_none())
    {
        return Err(format!("row {row}, meta.max_rounds: expected a whole number"));
    }
    let told = same(results, "meta.max_rounds", |record| most_rounds(record).flatten())?;
    let histories = results.records.iter().map(history);
    let played = histories.map(|history| {
        let within = history.filter(|entry| entry["type"] != "final_answer");
        within.count() as u64
    });
    let most = u64::from(MOST_ROUNDS);
    let rounds = told.unwrap_or_else(|| played.max().unwrap_or(1).max(1));
    match u32::try_from(rounds) {
        Ok(rounds @ 1..=MOST_ROUNDS) => Ok(rounds),
        _ => Err(format!("meta.max_rounds: expected an integer from 1 to {most}, got {rounds}")),
    }
}

/// A count that may be missing; `None` if it is there and is none.
fn count(value: Option<&Value>) -> Option<Option<u64>> {
    match value {
        None | Some(Value::Null) => Some(None),
        Some(value) => value.as_u64().map(Some),
    }
}

fn history(record: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let history = record.get("turtle_history").and_then(Value::as_array);
    history.into_iter().flatten()
}

fn spec(results: &Results, set: &[Task], rounds: u32, tasks: &str, model: &str) -> Spec {
    let settings = match results.form {
        Form::Interactive => json!({ "mode": Mode::Interactive, "rounds": rounds }),
        Form::Naive | Form::PassK => json!({ "mode": Mode::Direct }),
    };
    let mut problems: BTreeMap<&TaskId, &Task> = BTreeMap::new();
    for task in set {
        problems.entry(&task.id).or_insert(task);
    }
    let problems = problems.into_values().cloned().collect();
    let tasks = Named {
        name: tasks.to_owned(),
        digest: TaskSet::new(tasks, problems, TaskSetOrigin::Plain).digest,
    };
    let mut spec = Spec::imported("math", settings, tasks, model);
    let first = results.records.first();
    if let Some(player) = spec.seats.get_mut(&Seat::new(Seat::PLAYER)) {
        let told = first.and_then(|record| record.get("temperature")?.as_f64());
        player.sampling.temperature = told;
    }
    // The authors have one model judge and grade.
    let judge = first.and_then(|record| record.get("meta")?.get("judge_model")?.as_str());
    if let Some(judge) = judge {
        let mut sitting = spec.seats[&Seat::new(Seat::PLAYER)].clone();
        sitting.sampling = Default::default();
        if let Player::Model { model, .. } = &mut sitting.player {
            judge.clone_into(model);
        }
        if results.form == Form::Interactive {
            spec.seats.insert(Seat::new(JUDGE), sitting.clone());
        }
        spec.seats.insert(Seat::new(Seat::GRADER), sitting);
    }
    spec
}

/// One episode as its record tells it.
struct Attempt {
    notes: Vec<Note>,
    ending: &'static str,
    answer: Option<String>,
    /// The verdict that counts, and how it came about; `None` of a failed call.
    graded: Option<(Verdict, &'static str)>,
    contradiction: Option<String>,
}

/// The attempts of a record of pass@k.
fn attempts(record: &Map<String, Value>) -> Result<Vec<Attempt>, String> {
    let attempts = record.get("attempts").and_then(Value::as_array);
    let attempts: Vec<&Value> = attempts.into_iter().flatten().collect();
    let k = record.get("k").and_then(Value::as_u64);
    let differs = k.is_some_and(|k| k != attempts.len() as u64);
    let read = |(at, attempt): (usize, &&Value)| {
        let attempt =
            attempt.as_object().ok_or_else(|| format!("attempts[{at}]: it is no object"))?;
        let mut attempt =
            Attempt::direct(attempt).map_err(|bad| format!("attempts[{at}].{bad}"))?;
        if at == 0 && differs {
            attempt.contradiction = Some(format!(
                "k: it is {}, and there are {} attempts, which count",
                k.unwrap_or_default(),
                attempts.len()
            ));
        }
        Ok(attempt)
    };
    attempts.iter().enumerate().map(read).collect()
}

/// Whether a record says 0 or 1.
fn correct(record: &Map<String, Value>, field: &str) -> Result<bool, String> {
    match record.get(field).and_then(Value::as_u64) {
        Some(0) => Ok(false),
        Some(1) => Ok(true),
        _ => Err(format!("{field}: expected 0 or 1")),
    }
}

fn text<'a>(record: &'a Map<String, Value>, field: &str) -> Option<&'a str> {
    record.get(field)?.as_str()
}

impl Attempt {
    /// One answer and no rounds.
    fn direct(record: &Map<String, Value>) -> Result<Self, String> {
        let said = text(record, "gen_ans").unwrap_or_default();
        let answer = text(record, "extracted_gen_ans").unwrap_or(said);
        let mut attempt = Attempt {
            notes: vec![turn(1, 1, TurnKind::Answer, said, answer)],
            ending: ending::ANSWERED,
            answer: Some(answer.to_owned()),
            graded: Some(graded(record)?),
            contradiction: None,
        };
        if text(record, "status") == Some(status::PLAYER_ERROR) {
            attempt = Attempt {
                notes: Vec::new(),
                ending: ending::PLAYER_ERROR,
                answer: None,
                graded: None,
                contradiction: attempt.contradiction,
            };
        }
        Ok(attempt)
    }

    fn interactive(record: &Map<String, Value>, rounds: u32) -> Result<Self, String> {
        let said = text(record, "gen_ans").unwrap_or_default();
        let answer = text(record, "extracted_gen_ans").unwrap_or(said);
        let mut attempt = Attempt {
            notes: Vec::new(),
            ending: ending::FINAL,
            answer: Some(answer.to_owned()),
            graded: Some(graded(record)?),
            contradiction: None,
        };
        let mut last = 0;
        let mut is_over = false;
        for (index, entry) in (1..).zip(history(record)) {
            let place = |bad: String| format!("turtle_history[{}].{bad}", index - 1);
            let entry = entry.as_object().ok_or_else(|| place("type: it is missing".to_owned()))?;
            let raw = text(entry, "player_raw").unwrap_or_default();
            // A turn beyond the rounds would be taken for the free answer.
            let round = count(entry.get("round"))
                .ok_or_else(|| place("round: expected a whole number".to_owned()))?;
            let round = round.map_or(index, |round| u32::try_from(round).unwrap_or(u32::MAX));
            if is_over {
                return Err(place("type: nothing follows a final answer".to_owned()));
            }
            match text(entry, "type") {
                Some("final_answer") => {
                    is_over = true;
                    attempt.notes.push(turn(index, rounds + 1, TurnKind::Answer, raw, answer));
                    continue;
                }
                Some("qa" | "guess") if round > last && round <= rounds => last = round,
                Some("qa" | "guess") => {
                    return Err(place(format!(
                        "round: it is {round}, and there are {rounds} rounds, of which {last} are over"
                    )));
                }
                _ => return Err(place("type: expected qa, guess or final_answer".to_owned())),
            }
            attempt.ending = ending::FINAL;
            if entry["type"] == "qa" {
                let question = text(entry, "question").unwrap_or(raw);
                let word = text(entry, "judger_reply").unwrap_or_default();
                let asked = turn(index, round, TurnKind::Ask, raw, question);
                attempt.notes.extend([asked, came(index, tone(word), word)]);
            } else {
                let verdict = Verdict {
                    right: Some(correct(entry, "grader_correct").map_err(place)?),
                    by: By::Grader,
                    reason: None,
                };
                if verdict.right == Some(true) {
                    attempt.ending = ending::SOLVED;
                }
                let given = text(entry, "guess_answer").unwrap_or(raw);
                attempt.notes.extend([
                    turn(index, round, TurnKind::Answer, raw, given),
                    Note::Event { name: "verdict".to_owned(), detail: json!(verdict) },
                    came(index, verdict.tone(), verdict.word()),
                ]);
            }
        }
        if attempt.notes.is_empty() {
            attempt.notes.push(turn(1, rounds + 1, TurnKind::Answer, said, answer));
        }
        let used = record.get("questions_used").and_then(Value::as_u64);
        attempt.contradiction = used.filter(|used| *used != u64::from(last)).map(|used| {
            format!("questions_used: it is {used}, and its history has {last} rounds, which count")
        });
        Ok(attempt)
    }

    /// The events of the episode and of its grading.
    fn events(self) -> (Vec<Event>, Option<Vec<Event>>) {
        let closed = Event::Closed(Outcome {
            ending: self.ending.to_owned(),
            result: json!({ "answer": self.answer }),
        });
        let grading = self.graded.map(|(verdict, ending)| {
            let noted =
                Event::Noted(Note::Event { name: "verdict".to_owned(), detail: json!(verdict) });
            let result = json!({
                "by": verdict.by, "reason": verdict.reason, "verdict": verdict.word(),
            });
            let closed = Event::Closed(Outcome { ending: ending.to_owned(), result });
            vec![noted, closed]
        });
        let notes = self.notes.into_iter().map(Event::Noted);
        (notes.chain([closed]).collect(), grading)
    }
}

/// The verdict of a record, and the ending of its grading.
fn graded(record: &Map<String, Value>) -> Result<(Verdict, &'static str), String> {
    let told = text(record, "status").unwrap_or(status::OK);
    let verdict = Verdict {
        right: Some(correct(record, "correct")?),
        by: match told {
            status::EXACT | status::EMPTY => By::Text,
            _ => By::Grader,
        },
        reason: (told != status::OK).then(|| told.to_owned()),
    };
    let ending = match told {
        JUDGE_ERROR => JUDGE_ERROR,
        _ => GRADED,
    };
    Ok((verdict, ending))
}

fn turn(index: u32, round: u32, kind: TurnKind, raw: &str, taken: &str) -> Note {
    let sentence = match kind {
        TurnKind::Ask => "asks",
        _ => "answers",
    };
    Note::Turn(Turn {
        index,
        round,
        seat: Seat::new(Seat::PLAYER),
        call: CallId(index),
        kind,
        sentence: sentence.to_owned(),
        reading: Reading {
            extracted: Some(raw.to_owned()),
            applied: json!({ "kind": kind.name(), "text": taken }),
            ..Reading::default()
        },
    })
}

fn came(turn: u32, tone: turnwise_core::note::Tone, word: &str) -> Note {
    Note::Came(Came {
        turn,
        call: None,
        tone,
        word: word.to_owned(),
        shown: word.to_owned(),
        reading: None,
    })
}
