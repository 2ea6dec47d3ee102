//! Records as transcripts of origin `imported`: what a file tells, and nothing more.

use std::collections::BTreeMap;

use serde_json::json;
use turnwise_core::formats::ImportedEpisode;
use turnwise_core::kit::records::{Notes, closed};
use turnwise_core::kit::rows;
use turnwise_core::prelude::*;
use turnwise_core::spec::Named;

use super::{Form, status};
use crate::grading::{By, GRADED, JUDGE_ERROR, Verdict};
use crate::prompts::JUDGE;
use crate::protocol::{ending, tone};
use crate::settings::{MOST_ROUNDS, Mode};
use crate::tasks;

/// The most bytes of a record.
const RECORD_LIMIT: usize = 16 << 20;

#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    pub form: Form,
    /// Several records of one problem hold further repeats of its task.
    pub records: Vec<Record>,
    /// The player's model, where the records name it.
    pub player: Option<String>,
    /// Where records contradict themselves or each other.
    pub remarks: Vec<String>,
    judge: Option<String>,
    temperature: Option<f64>,
    rounds: u32,
}

/// A problem and the attempts at it: of pass@k several, else one.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    task: Task,
    attempts: Vec<Attempt>,
}

/// The events of an episode and of its grading; a failed call is not graded.
#[derive(Debug, Clone, PartialEq)]
struct Attempt {
    play: Vec<Event>,
    grading: Option<Vec<Event>>,
}

/// Whether the first record has the fields of one.
pub fn recognise(file: &[u8]) -> bool {
    matches!(rows::objects(file, Dialect::Python, RECORD_LIMIT).next(), Some(Ok((_, record)))
        if ["problem", "exp_ans"].iter().all(|name| record.get(name).is_some())
            && ["gen_ans", "attempts"].iter().any(|name| record.get(name).is_some()))
}

/// Reads a file.
///
/// # Errors
/// What cannot be imported, with row and field.
pub fn read(file: &[u8]) -> Result<Results, BadRow> {
    let objects = rows::all(rows::objects(file, Dialect::Python, RECORD_LIMIT))?;
    let records: Vec<Fields<'_>> =
        objects.iter().map(|(row, one)| Fields::new(*row, one)).collect();
    let form = same(&records, "attempts", |record| Ok(Some(form(record.object()))))?;
    let form = form.unwrap_or(Form::Naive);
    let named = |field: &str| same(&records, field, |record| record.maybe::<String>(field));
    let mut results = Results {
        form,
        records: Vec::new(),
        player: named("meta.player_model")?,
        judge: named("meta.judge_model")?,
        temperature: records[0].maybe("temperature")?,
        rounds: rounds(&records)?,
        remarks: Vec::new(),
    };
    let mut first_rows: BTreeMap<TaskId, usize> = BTreeMap::new();
    for record in &records {
        let task = tasks::task(record)?;
        let row = record.row();
        let first = *first_rows.entry(task.id.clone()).or_insert(row);
        if first != row {
            results.remarks.push(format!(
                "row {row} has the problem of row {first}, and counts as further repeats of its task"
            ));
        }
        let (attempts, contradiction) = match form {
            Form::Naive => (vec![Attempt::direct(record)?], None),
            Form::Interactive => Attempt::interactive(record, results.rounds)?,
            Form::PassK => attempts(record)?,
        };
        results.remarks.extend(contradiction.map(|problem| format!("row {row}, {problem}")));
        results.records.push(Record { task, attempts });
    }
    Ok(results)
}

fn form(record: &Object) -> Form {
    let has = |field: &str| record.get(field).is_some();
    match (has("turtle_history"), has("attempts")) {
        (true, _) => Form::Interactive,
        (false, true) => Form::PassK,
        (false, false) => Form::Naive,
    }
}

/// What all records say alike.
fn same<T: PartialEq>(
    records: &[Fields<'_>],
    field: &str,
    read: impl Fn(&Fields<'_>) -> Result<Option<T>, BadRow>,
) -> Result<Option<T>, BadRow> {
    let mut first = None;
    for record in records {
        match (&first, read(record)?) {
            (Some(first), Some(other)) if *first != other => {
                return Err(record.bad(field, "it differs from the rows before; split the file"));
            }
            (None, Some(told)) => first = Some(told),
            _ => {}
        }
    }
    Ok(first)
}

/// The rounds of interactive records: as they say, else as many as the longest history has.
fn rounds(records: &[Fields<'_>]) -> Result<u32, BadRow> {
    let field = "meta.max_rounds";
    let told = same(records, field, |record| record.maybe::<u32>(field))?;
    let mut longest = 1;
    for record in records {
        let mut history = record.objects("turtle_history")?;
        history.retain(|entry| entry.word("type") != Ok(Some("final_answer")));
        longest = longest.max(history.len() as u32);
    }
    match told.unwrap_or(longest) {
        rounds @ 1..=MOST_ROUNDS => Ok(rounds),
        rounds => Err(records[0]
            .bad(field, format!("expected an integer from 1 to {MOST_ROUNDS}, got {rounds}"))),
    }
}

impl Results {
    /// An episode and its grading of every record, and of pass@k of every attempt.
    pub fn transcripts(&self, tasks: &str, model: &str) -> Vec<ImportedEpisode> {
        let mut plays = Vec::new();
        let mut repeats: BTreeMap<&TaskId, u32> = BTreeMap::new();
        for Record { task, attempts } in &self.records {
            let repeat = repeats.entry(&task.id).or_default();
            for attempt in attempts {
                *repeat += 1;
                plays.push((task, *repeat, attempt));
            }
        }
        let mut spec = self.spec(tasks, model);
        spec.repeats = plays.iter().map(|(_, repeat, _)| *repeat).max().unwrap_or(1);
        let episode = |(task, repeat, attempt): (&Task, u32, &Attempt)| {
            let task =
                TaskRef { id: task.id.clone(), digest: task.digest, labels: task.labels.clone() };
            let Attempt { play, grading } = attempt.clone();
            ImportedEpisode::play(&spec, task, repeat, play, grading)
        };
        plays.into_iter().flat_map(episode).collect()
    }

    fn spec(&self, tasks: &str, model: &str) -> Spec {
        let settings = match self.form {
            Form::Interactive => json!({ "mode": Mode::Interactive, "rounds": self.rounds }),
            Form::Naive | Form::PassK => json!({ "mode": Mode::Direct }),
        };
        let mut problems: BTreeMap<&TaskId, &Task> = BTreeMap::new();
        for Record { task, .. } in &self.records {
            problems.entry(&task.id).or_insert(task);
        }
        let problems = problems.into_values().cloned().collect();
        let digest = TaskSet::new(tasks, problems, TaskSetOrigin::Plain).digest;
        let named = Named { name: tasks.to_owned(), digest };
        let mut spec = Spec::imported("math", settings, named, model);
        if let Some(player) = spec.seats.get_mut(&Seat::new(Seat::PLAYER)) {
            player.sampling.temperature = self.temperature;
        }
        // The authors have one model judge and grade.
        if let Some(judge) = &self.judge {
            if self.form == Form::Interactive {
                spec.seat_imported(JUDGE, judge);
            }
            spec.seat_imported(Seat::GRADER, judge);
        }
        spec
    }
}

/// The attempts of a record of pass@k, and in what they contradict it.
fn attempts(record: &Fields<'_>) -> Result<(Vec<Attempt>, Option<String>), BadRow> {
    let attempts = record.objects("attempts")?;
    if attempts.is_empty() {
        return Err(record.bad("attempts", "it is empty; expected at least one attempt"));
    }
    let (k, count) = (record.get::<u64>("k")?, attempts.len());
    let differs = (k != count as u64)
        .then(|| format!("k: it is {k}, and there are {count} attempts, which count"));
    Ok((attempts.iter().map(Attempt::direct).collect::<Result<_, _>>()?, differs))
}

/// Whether a record says 0 or 1.
fn correct(record: &Fields<'_>, field: &str) -> Result<bool, BadRow> {
    match record.maybe::<u64>(field) {
        Ok(Some(number @ (0 | 1))) => Ok(number == 1),
        _ => Err(record.bad(field, "expected 0 or 1")),
    }
}

fn turn(notes: &mut Notes, round: u32, kind: TurnKind, raw: &str, taken: &str) {
    let reading = Reading {
        extracted: Some(raw.to_owned()),
        applied: json!({ "kind": kind.name(), "text": taken }),
        ..Reading::default()
    };
    let sentence = if kind == TurnKind::Ask { "asks" } else { "answers" };
    notes.turn(round, kind, sentence, reading);
}

impl Attempt {
    /// One answer and no rounds.
    fn direct(record: &Fields<'_>) -> Result<Self, BadRow> {
        let mut notes = Notes::default();
        if record.word("status")? == Some(status::PLAYER_ERROR) {
            let play = notes.closed(ending::PLAYER_ERROR, json!({ "answer": null }));
            return Ok(Attempt { play, grading: None });
        }
        let said = record.get("gen_ans")?;
        let answer = record.maybe("extracted_gen_ans")?.unwrap_or(said);
        turn(&mut notes, 1, TurnKind::Answer, said, answer);
        Self::graded(record, notes, ending::ANSWERED, answer)
    }

    /// An episode of several rounds, and in what its history contradicts the record.
    fn interactive(
        record: &Fields<'_>,
        rounds: u32,
    ) -> Result<(Vec<Self>, Option<String>), BadRow> {
        let said = record.get("gen_ans")?;
        let answer = record.maybe("extracted_gen_ans")?.unwrap_or(said);
        let mut notes = Notes::default();
        let mut ending = ending::FINAL;
        let (mut last, mut is_over) = (0, false);
        for (index, entry) in (1..).zip(record.objects("turtle_history")?) {
            let raw = entry.maybe("player_raw")?.unwrap_or_default();
            // A turn beyond the rounds would be taken for the free answer.
            let round: u32 = entry.maybe("round")?.unwrap_or(index);
            let kind = entry.word("type")?;
            if is_over {
                return Err(entry.bad("type", "nothing follows a final answer"));
            }
            match kind {
                Some("final_answer") => {
                    is_over = true;
                    turn(&mut notes, rounds + 1, TurnKind::Answer, raw, answer);
                    continue;
                }
                Some("qa" | "guess") if round > last && round <= rounds => last = round,
                Some("qa" | "guess") => {
                    let rounds = format!("there are {rounds} rounds, of which {last} are over");
                    return Err(entry.bad("round", format!("it is {round}, and {rounds}")));
                }
                _ => return Err(entry.bad("type", "expected qa, guess or final_answer")),
            }
            ending = ending::FINAL;
            if kind == Some("qa") {
                let question = entry.maybe("question")?.unwrap_or(raw);
                let word = entry.maybe("judger_reply")?.unwrap_or_default();
                turn(&mut notes, round, TurnKind::Ask, raw, question);
                notes.came(tone(word), word, word);
            } else {
                let right = Some(correct(&entry, "grader_correct")?);
                let verdict = Verdict { right, by: By::Grader, reason: None };
                if right == Some(true) {
                    ending = ending::SOLVED;
                }
                let given = entry.maybe("guess_answer")?.unwrap_or(raw);
                turn(&mut notes, round, TurnKind::Answer, raw, given);
                notes.event("verdict", &verdict);
                notes.came(verdict.tone(), verdict.word(), verdict.word());
            }
        }
        if notes.turns() == 0 {
            turn(&mut notes, rounds + 1, TurnKind::Answer, said, answer);
        }
        let used = record.get::<u32>("questions_used")?;
        let differs = (used != last).then(|| {
            format!("questions_used: it is {used}, and its history has {last} rounds, which count")
        });
        Ok((vec![Self::graded(record, notes, ending, answer)?], differs))
    }

    fn graded(
        record: &Fields<'_>,
        notes: Notes,
        ending: &str,
        answer: &str,
    ) -> Result<Self, BadRow> {
        let told = record.word("status")?.unwrap_or(status::OK);
        let verdict = Verdict {
            right: Some(correct(record, "correct")?),
            by: match told {
                status::EXACT | status::EMPTY => By::Text,
                _ => By::Grader,
            },
            reason: (told != status::OK).then(|| told.to_owned()),
        };
        let graded = if told == JUDGE_ERROR { JUDGE_ERROR } else { GRADED };
        let result =
            json!({ "by": verdict.by, "reason": verdict.reason, "verdict": verdict.word() });
        let noted = Note::event("verdict", json!(verdict));
        Ok(Attempt {
            play: notes.closed(ending, json!({ "answer": answer })),
            grading: Some(vec![Event::Noted(noted), closed(graded, result)]),
        })
    }
}
