//! The authors' result files (specification 1.g): read, written, made transcripts of origin `imported`, and made from
//! transcripts of profile `reference`. An imported transcript has no calls; what was said is in its notes.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use turnwise_core::formats::{BadFile, ImportedEpisode};
use turnwise_core::kit::records::{self, Notes};
use turnwise_core::kit::turns::{Taken, turns};
use turnwise_core::lenient;
use turnwise_core::prelude::*;
use turnwise_core::run::header;
use turnwise_core::spec::Named;
use turnwise_core::transcript::Part;

use crate::NAME;
use crate::protocol::{applied, came, ending, sentence, submitted, token, turn_kind};
use crate::reading::{Kind, Token};
use crate::settings::{JUDGE, MOST_ROUNDS, Mode, Settings};
use crate::tasks::{self, field};

/// Members that are whole numbers.
const COUNTS: [&str; 3] = ["max_rounds", "turn", "turns_used"];

/// Members that are words of a closed list.
const WORDS: [&str; 2] = ["judge_norm", "kind"];

/// One file: one player and one judge over a set of puzzles. The names of all fields are those of the format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultFile {
    pub player_model: String,
    pub judge_model: String,
    pub puzzles_path: String,
    pub max_rounds: u32,
    #[serde(default, deserialize_with = "lenient::number")]
    pub player_temperature: Option<f64>,
    pub results: Vec<PuzzleResult>,
    #[serde(skip_deserializing)]
    pub summary: FileSummary,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FileSummary {
    pub num_done: usize,
    pub accuracy: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PuzzleResult {
    pub puzzle: Puzzle,
    pub player_model: String,
    pub judge_model: String,
    pub max_rounds: u32,
    /// Whether it was solved, the forced final included.
    pub success: bool,
    pub turns_used: usize,
    #[serde(default, deserialize_with = "lenient::maybe_text")]
    pub final_attempt: Option<String>,
    /// The last verdict; empty without one.
    #[serde(default, deserialize_with = "lenient::text")]
    pub verdict: String,
    pub history: Vec<HistoryTurn>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Puzzle {
    #[serde(deserialize_with = "id")]
    pub id: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub title: String,
    pub setup: String,
    pub solution: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub notes: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryTurn {
    /// From 1.
    pub turn: u32,
    #[serde(default, deserialize_with = "lenient::text")]
    pub player_raw: String,
    pub kind: Kind,
    #[serde(default, deserialize_with = "lenient::text")]
    pub content: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub judge_raw: String,
    pub judge_norm: Token,
}

/// A field and what is wrong with it.
type Wrong = (String, String);

fn id<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let value = Value::deserialize(from)?;
    let wanted = || D::Error::custom(format!("a text or a number is wanted, not {value}"));
    lenient::id(&value).ok_or_else(wanted)
}

/// Reads a file.
///
/// # Errors
/// The first place that is not of the format, or whose parts contradict each other.
pub fn read(bytes: &[u8]) -> Result<ResultFile, BadRow> {
    let file: ResultFile = records::document(bytes, &COUNTS, &WORDS)?;
    file.check()?;
    Ok(file)
}

fn bad<T>(field: impl Into<String>, problem: impl Display) -> Result<T, BadRow> {
    Err(BadRow { field: field.into(), ..BadRow::file(problem) })
}

impl ResultFile {
    fn check(&self) -> Result<(), BadRow> {
        if self.max_rounds > MOST_ROUNDS {
            let expected = format!("expected an integer from 0 to {MOST_ROUNDS}");
            return bad("max_rounds", format!("{expected}, got {}", self.max_rounds));
        }
        let mut ids = BTreeMap::new();
        for (at, result) in self.results.iter().enumerate() {
            let first = ids.insert(&result.puzzle.id, at);
            if let Err((field, problem)) = self.check_result(result, first) {
                return bad(format!("results[{at}].{field}"), problem);
            }
        }
        Ok(())
    }

    /// `first` is where the id was met before.
    fn check_result(&self, result: &PuzzleResult, first: Option<usize>) -> Result<(), Wrong> {
        let wrong = |field: &str, problem: String| Err((field.to_owned(), problem));
        if let Some(first) = first {
            let problem = format!("{} is already in results[{first}]", result.puzzle.id);
            return wrong("puzzle.id", problem);
        }
        let of_file = (&self.player_model, &self.judge_model, self.max_rounds);
        if (&result.player_model, &result.judge_model, result.max_rounds) != of_file {
            let problem = "models or max_rounds differ from those of the file; split it";
            return wrong("puzzle", problem.to_owned());
        }
        let mut is_solved = false;
        for (turn, line) in (1..).zip(&result.history) {
            if let Err((field, problem)) = self.check_turn(turn, line, is_solved) {
                return wrong(&format!("history[{}].{field}", turn - 1), problem);
            }
            is_solved = line.judge_norm == Token::Correct;
        }
        let turns = result.history.len();
        if result.turns_used != turns {
            let problem = format!("it is {}, and the history has {turns} turns", result.turns_used);
            return wrong("turns_used", problem);
        }
        if result.success != is_solved {
            let problem = format!("it is {}, and the history says {is_solved}", result.success);
            return wrong("success", problem);
        }
        Ok(())
    }

    fn check_turn(&self, turn: u32, line: &HistoryTurn, was_solved: bool) -> Result<(), Wrong> {
        let most = self.max_rounds;
        let (field, problem) = if line.turn != turn {
            ("turn", format!("expected {turn}, got {}", line.turn))
        } else if turn > most + 1 {
            ("turn", format!("it is {turn}, and after {most} rounds there is one turn alone"))
        } else if was_solved {
            let problem = "and nothing follows that";
            ("turn", format!("the puzzle was solved in turn {}, {problem}", turn - 1))
        } else if (line.kind == Kind::ForcedFinal) != (turn > most) {
            ("kind", format!("forced_final is the kind of turn {} alone", most + 1))
        } else if !line.kind.vocabulary().contains(&line.judge_norm) {
            let problem = format!("{} does not answer a {}", line.judge_norm, line.kind.name());
            ("judge_norm", problem)
        } else {
            return Ok(());
        };
        Err((field.to_owned(), problem))
    }

    /// The puzzles of the file, without banks.
    pub fn tasks(&self) -> TaskSet {
        let tasks = self.results.iter().map(|result| result.puzzle.task());
        TaskSet::new(&self.puzzles_path, tasks.collect(), TaskSetOrigin::Plain)
    }

    /// The spec of its episodes.
    pub fn spec(&self) -> Spec {
        let settings = match self.max_rounds {
            0 => json!({ "mode": Mode::Direct }),
            rounds => json!({ "mode": Mode::Interactive, "rounds": rounds }),
        };
        let tasks = Named { name: self.puzzles_path.clone(), digest: self.tasks().digest };
        let mut spec = Spec::imported(NAME, settings, tasks, &self.player_model);
        spec.seat_imported(JUDGE, &self.judge_model);
        if let Some(player) = spec.seats.get_mut(&Seat::new(Seat::PLAYER)) {
            player.sampling.temperature = self.player_temperature;
        }
        spec
    }

    /// Its episodes as transcripts of origin `imported`.
    pub fn transcripts(&self) -> Vec<ImportedEpisode> {
        let spec = self.spec();
        let episode = |result: &PuzzleResult| {
            let task = header(&spec, &result.puzzle.task(), 1, Part::Play).task;
            ImportedEpisode::play(&spec, task, 1, result.events(self.max_rounds), None)
        };
        self.results.iter().flat_map(episode).collect()
    }
}

impl Puzzle {
    fn task(&self) -> Task {
        let texts = [&self.title, &self.setup, &self.solution, &self.notes];
        let [title, setup, solution, notes] = texts.map(String::clone);
        tasks::puzzle(&self.id, [title, setup, solution, notes, String::new()])
    }

    fn of(task: &Task) -> Self {
        let field = |name: &str| task.field(name).unwrap_or_default().to_owned();
        Puzzle {
            id: task.id.0.clone(),
            title: field(field::TITLE),
            setup: field(field::SETUP),
            solution: field(field::SOLUTION),
            notes: field(field::NOTES),
        }
    }
}

impl PuzzleResult {
    fn events(&self, rounds: u32) -> Vec<Event> {
        let mut notes = Notes::default();
        for line in &self.history {
            let reading = Reading {
                extracted: Some(line.player_raw.clone()),
                applied: applied(line.kind, &line.content),
                ..Reading::default()
            };
            let sentence = sentence(line.kind, &line.content);
            let round = line.turn.min(rounds.max(1));
            notes.turn(round, turn_kind(line.kind), sentence, reading);
            let mut came = came(line.turn, None, line.kind, Some(line.judge_norm), &line.judge_raw);
            if let Some(reading) = &mut came.reading {
                reading.extracted = Some(line.judge_raw.clone());
            }
            notes.push(Note::Observation(came));
        }
        let ending = if self.success { ending::SOLVED } else { ending::UNSOLVED };
        let result = json!({ "answer": self.final_attempt, "last_verdict": self.verdict });
        notes.closed(ending, result)
    }
}

impl HistoryTurn {
    /// The turn of a transcript; `None` if the format cannot hold it.
    fn of(play: &Transcript, taken: &Taken<'_>) -> Option<Self> {
        let said = |call: Option<CallId>, reading: Option<&Reading>| {
            let said = call.and_then(|call| records::said(play, call));
            said.or_else(|| reading?.extracted.clone()).unwrap_or_default()
        };
        let (turn, came) = (taken.turn, taken.came?);
        let content = turn.reading.applied["content"].as_str();
        Some(HistoryTurn {
            turn: turn.index,
            player_raw: said(Some(turn.call), Some(&turn.reading)),
            kind: submitted(taken)?,
            content: content.unwrap_or_default().to_owned(),
            judge_raw: said(came.call, came.reading.as_ref()),
            judge_norm: token(taken)?,
        })
    }
}

/// Writes episodes of profile `reference` as a result file.
///
/// # Errors
/// The first episode that the format cannot hold, and why.
pub fn export(spec: &Spec, tasks: &TaskSet, plays: &[&Transcript]) -> Result<ResultFile, BadFile> {
    if spec.profile != Profile::Reference {
        let problem = "the format has neither format errors nor undecided turns; export a run of profile reference";
        return Err(BadFile::new(problem));
    }
    let settings = Settings::at(spec, &BTreeMap::new()).map_err(BadFile::new)?;
    let (player_model, judge_model) =
        (records::model(spec, Seat::PLAYER), records::model(spec, JUDGE));
    let mut results: Vec<PuzzleResult> = Vec::new();
    for play in plays {
        let id = &play.header.task.id;
        let bad = |problem: &str| {
            let place = format!("task {id}, repeat {}", play.header.repeat);
            Err(BadFile { file: Some(place), problem: problem.to_owned() })
        };
        let Some(task) = tasks.task(id) else {
            return bad("the set of puzzles has no such id");
        };
        let Some(end) = play.outcome().filter(|outcome| outcome.is_complete()) else {
            return bad("the episode is not finished; resume the run first");
        };
        let history = turns(play).iter().map(|taken| HistoryTurn::of(play, taken)).collect();
        let Some(history): Option<Vec<HistoryTurn>> = history else {
            return bad("a turn has no token of the judge");
        };
        if results.iter().any(|result| result.puzzle.id == id.0) {
            return bad("the puzzle is there already; the format holds one repeat a file");
        }
        let text = |name: &str| end.result[name].as_str().map(str::to_owned);
        results.push(PuzzleResult {
            puzzle: Puzzle::of(task),
            player_model: player_model.clone(),
            judge_model: judge_model.clone(),
            max_rounds: settings.turns(),
            success: end.ending == ending::SOLVED,
            turns_used: history.len(),
            final_attempt: text("answer"),
            verdict: text("last_verdict").unwrap_or_default(),
            history,
        });
    }
    let solved = results.iter().filter(|result| result.success).count();
    let player = spec.seats.get(&Seat::new(Seat::PLAYER));
    let temperature = player.and_then(|player| player.sampling.temperature);
    Ok(ResultFile {
        player_model,
        judge_model,
        puzzles_path: tasks.name.clone(),
        max_rounds: settings.turns(),
        player_temperature: Some(temperature.unwrap_or(0.0)),
        summary: FileSummary {
            num_done: results.len(),
            accuracy: solved as f64 / results.len().max(1) as f64,
        },
        results,
    })
}
