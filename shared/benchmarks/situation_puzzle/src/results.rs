//! The authors' result files (specification 1.g): read, written, made transcripts of origin `imported`, and made from
//! transcripts of profile `reference`. An imported transcript has no calls; what was said is in its notes.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};
use turnwise_core::effect::Reply;
use turnwise_core::episode::{CallId, Outcome};
use turnwise_core::formats::ImportedEpisode;
use turnwise_core::lenient;
use turnwise_core::note::{Note, Reading, Turn};
use turnwise_core::python;
use turnwise_core::run::header;
use turnwise_core::seat::{Player, Seat};
use turnwise_core::spec::{Named, Profile, Spec};
use turnwise_core::task::{Task, TaskSet, TaskSetOrigin};
use turnwise_core::transcript::{Event, Part, Transcript};

use crate::NAME;
use crate::protocol::{Taken, applied, came, ending, sentence, turn_kind, turns};
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
    /// Of a file that is read nobody needs it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub summary: FileSummary,
    /// Keys that the specification does not name.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// Keys that the specification does not name.
    #[serde(flatten)]
    pub more: Map<String, Value>,
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

fn id<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let value = Value::deserialize(from)?;
    let wanted = || D::Error::custom(format!("a text or a number is wanted, not {value}"));
    lenient::id(&value).ok_or_else(wanted)
}

/// A file that cannot be read, imported or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct BadResults {
    /// The place in the file, e.g. `results[3].history[0].kind`, or the episode.
    pub place: String,
    /// What is wrong, and what is accepted.
    pub problem: String,
}

fn bad<T>(place: impl Into<String>, problem: impl Into<String>) -> Result<T, BadResults> {
    Err(BadResults { place: place.into(), problem: problem.into() })
}

/// Reads a file.
///
/// # Errors
/// The first place that is not of the format, or whose parts contradict each other.
pub fn read(bytes: &[u8]) -> Result<ResultFile, BadResults> {
    let mut value = lenient::json(bytes).or_else(|problem| bad("the file", problem))?;
    lenient::spell(&mut value, &COUNTS, &WORDS);
    let file: ResultFile = serde_path_to_error::deserialize(value).or_else(|error| {
        let path = error.path().to_string();
        let place = if path == "." { "the file".to_owned() } else { path };
        bad(place, error.into_inner().to_string())
    })?;
    file.check()?;
    Ok(file)
}

impl ResultFile {
    /// The name that the authors' program gives it.
    pub fn file_name(&self) -> String {
        let safe = |model: &str| model.replace(['/', ':', ' '], "_");
        format!("{}__{}.json", safe(&self.player_model), safe(&self.judge_model))
    }

    fn check(&self) -> Result<(), BadResults> {
        if self.max_rounds > MOST_ROUNDS {
            let problem =
                format!("expected an integer from 0 to {MOST_ROUNDS}, got {}", self.max_rounds);
            return bad("max_rounds", problem);
        }
        let mut seen = BTreeMap::new();
        for (at, result) in self.results.iter().enumerate() {
            let bad = |field: &str, problem: String| bad(format!("results[{at}].{field}"), problem);
            if let Some(first) = seen.insert(&result.puzzle.id, at) {
                return bad(
                    "puzzle.id",
                    format!("{} is already in results[{first}]", result.puzzle.id),
                );
            }
            let of_file = (&self.player_model, &self.judge_model, self.max_rounds);
            if (&result.player_model, &result.judge_model, result.max_rounds) != of_file {
                return bad(
                    "puzzle",
                    "models or max_rounds differ from those of the file; split it".to_owned(),
                );
            }
            let mut is_solved = false;
            for (turn, line) in (1..).zip(&result.history) {
                let bad =
                    |field: &str, problem| bad(&format!("history[{}].{field}", turn - 1), problem);
                let kind = line.kind;
                if line.turn != turn {
                    return bad("turn", format!("expected {turn}, got {}", line.turn));
                }
                if turn > self.max_rounds + 1 {
                    return bad(
                        "turn",
                        format!(
                            "it is {turn}, and after {} rounds there is one turn alone",
                            self.max_rounds
                        ),
                    );
                }
                if is_solved {
                    return bad(
                        "turn",
                        format!(
                            "the puzzle was solved in turn {}, and nothing follows that",
                            turn - 1
                        ),
                    );
                }
                is_solved = line.judge_norm == Token::Correct;
                if (line.kind == Kind::ForcedFinal) != (turn > self.max_rounds) {
                    return bad(
                        "kind",
                        format!("forced_final is the kind of turn {} alone", self.max_rounds + 1),
                    );
                }
                if !kind.vocabulary().contains(&line.judge_norm) {
                    return bad(
                        "judge_norm",
                        format!("{} does not answer a {}", line.judge_norm, kind.name()),
                    );
                }
            }
            let turns = result.history.len();
            if result.turns_used != turns {
                return bad(
                    "turns_used",
                    format!("it is {}, and the history has {turns} turns", result.turns_used),
                );
            }
            if result.success != is_solved {
                return bad(
                    "success",
                    format!("it is {}, and the history says {is_solved}", result.success),
                );
            }
        }
        Ok(())
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
        let mut judge = spec.seats[&Seat::new(Seat::PLAYER)].clone();
        if let Player::Model { model, .. } = &mut judge.player {
            model.clone_from(&self.judge_model);
        }
        spec.seats.insert(Seat::new(JUDGE), judge);
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
            let notes = result.history.iter().flat_map(|line| line.notes(self.max_rounds));
            let events = notes.map(Event::Noted).chain([Event::Closed(result.outcome())]);
            ImportedEpisode::play(&spec, task, 1, events, None)
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
    fn outcome(&self) -> Outcome {
        let ending = if self.success { ending::SOLVED } else { ending::UNSOLVED };
        Outcome {
            ending: ending.to_owned(),
            result: json!({ "answer": self.final_attempt, "last_verdict": self.verdict }),
        }
    }
}

impl HistoryTurn {
    /// What was said stands in the notes, because an imported transcript has no calls.
    fn notes(&self, rounds: u32) -> [Note; 2] {
        let turn = Turn {
            index: self.turn,
            round: self.turn.min(rounds.max(1)),
            seat: Seat::new(Seat::PLAYER),
            call: CallId(self.turn),
            kind: turn_kind(self.kind),
            sentence: sentence(self.kind, &self.content),
            reading: Reading {
                extracted: Some(self.player_raw.clone()),
                applied: applied(self.kind, &self.content),
                ..Reading::default()
            },
        };
        let mut came = came(self.turn, None, self.kind, Some(self.judge_norm), &self.judge_raw);
        if let Some(reading) = &mut came.reading {
            reading.extracted = Some(self.judge_raw.clone());
        }
        [Note::Turn(turn), Note::Came(came)]
    }

    /// The turn of a transcript; `None` if the format cannot hold it.
    fn of(play: &Transcript, taken: &Taken<'_>) -> Option<Self> {
        let said = |call: Option<CallId>, reading: Option<&Reading>| {
            match call.and_then(|call| play.reply(call)) {
                // As the authors' client hands it on.
                Some(Reply::Said(said)) => {
                    let text = said.text.as_deref();
                    text.map(|text| python::strip(text).to_owned())
                }
                _ => reading.and_then(|reading| reading.extracted.clone()),
            }
            .unwrap_or_default()
        };
        let (turn, came) = (taken.turn, taken.came?);
        let content = turn.reading.applied["content"].as_str();
        Some(HistoryTurn {
            turn: turn.index,
            player_raw: said(Some(turn.call), Some(&turn.reading)),
            kind: taken.kind()?,
            content: content.unwrap_or_default().to_owned(),
            judge_raw: said(came.call, came.reading.as_ref()),
            judge_norm: taken.token()?,
        })
    }
}

/// Writes episodes of profile `reference` as a result file.
///
/// # Errors
/// The first episode that the format cannot hold, and why.
pub fn export(
    spec: &Spec,
    tasks: &TaskSet,
    plays: &[&Transcript],
) -> Result<ResultFile, BadResults> {
    if spec.profile != Profile::Reference {
        let problem = "the format has neither format errors nor undecided turns; export a run of profile reference";
        return bad("profile", problem);
    }
    let sitting = |seat: &str| spec.seats.get(&Seat::new(seat));
    let model = |seat: &str| match sitting(seat).map(|sitting| &sitting.player) {
        Some(Player::Model { model, .. }) => model.clone(),
        other => other.map(Player::to_string).unwrap_or_default(),
    };
    let settings = Settings::at(spec, &BTreeMap::new())
        .or_else(|problem| bad("settings", problem.to_string()))?;
    let temperature = sitting(Seat::PLAYER).and_then(|sitting| sitting.sampling.temperature);
    let mut results: Vec<PuzzleResult> = Vec::new();
    for play in plays {
        let id = &play.header.task.id;
        let bad = |problem: &str| bad(format!("task {id}, repeat {}", play.header.repeat), problem);
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
            player_model: model(Seat::PLAYER),
            judge_model: model(JUDGE),
            max_rounds: settings.turns(),
            success: end.ending == ending::SOLVED,
            turns_used: history.len(),
            final_attempt: text("answer"),
            verdict: text("last_verdict").unwrap_or_default(),
            history,
            more: Map::new(),
        });
    }
    let solved = results.iter().filter(|result| result.success).count();
    Ok(ResultFile {
        player_model: model(Seat::PLAYER),
        judge_model: model(JUDGE),
        puzzles_path: tasks.name.clone(),
        max_rounds: settings.turns(),
        player_temperature: Some(temperature.unwrap_or(0.0)),
        summary: FileSummary {
            num_done: results.len(),
            accuracy: solved as f64 / results.len().max(1) as f64,
        },
        results,
        more: Map::new(),
    })
}
