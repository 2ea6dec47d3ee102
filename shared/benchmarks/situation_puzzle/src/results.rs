//! The authors' result files (specification 1.g): read, written, made transcripts of origin `imported`, and made from
//! transcripts of profile `reference`. An imported transcript has no calls; what was said is in its notes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value, json};
use turnwise_shared::effect::Reply;
use turnwise_shared::episode::{CallId, Outcome};
use turnwise_shared::note::{Note, Reading, Turn, TurnKind};
use turnwise_shared::run::{EpisodeKey, header};
use turnwise_shared::seat::{Player, Seat};
use turnwise_shared::spec::{Named, Profile, Spec};
use turnwise_shared::task::{Task, TaskSet, TaskSetOrigin};
use turnwise_shared::transcript::{Event, Header, Origin, Part, SaltKey, Transcript, Writer};

use crate::NAME;
use crate::protocol::{applied, came, ending, outcome};
use crate::reading::{Kind, Token};
use crate::settings::{JUDGE, MOST_ROUNDS, Mode};
use crate::tasks::{self, field, is_han};

/// One file: one player and one judge over a set of puzzles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultFile {
    /// The player's model.
    pub player_model: String,
    /// The judge's model.
    pub judge_model: String,
    /// The file of puzzles.
    pub puzzles_path: String,
    /// Turns before the forced final.
    pub max_rounds: u32,
    /// The player's temperature.
    pub player_temperature: Number,
    /// One result a puzzle.
    pub results: Vec<PuzzleResult>,
    /// The numbers of the file.
    pub summary: FileSummary,
    /// Keys that the specification does not name.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The numbers of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileSummary {
    /// Puzzles done.
    pub num_done: u64,
    /// Solved by them, 0 to 1.
    pub accuracy: Number,
}

/// The result of a puzzle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PuzzleResult {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The player's model.
    pub player_model: String,
    /// The judge's model.
    pub judge_model: String,
    /// Turns before the forced final.
    pub max_rounds: u32,
    /// Whether it was solved, the forced final included.
    pub success: bool,
    /// Recorded turns.
    pub turns_used: u32,
    /// The last final answer.
    pub final_attempt: Option<String>,
    /// The last verdict; empty without one.
    pub verdict: String,
    /// The turns.
    pub history: Vec<HistoryTurn>,
    /// Keys that the specification does not name.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A puzzle as a file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are those of specification 1.a")]
pub struct Puzzle {
    pub id: String,
    pub title: String,
    pub setup: String,
    pub solution: String,
    pub notes: String,
}

/// One turn of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryTurn {
    /// From 1.
    pub turn: u32,
    /// What the player said.
    pub player_raw: String,
    /// What it was taken for.
    pub kind: FileKind,
    /// What was judged.
    pub content: String,
    /// What the judge said.
    pub judge_raw: String,
    /// Its token.
    pub judge_norm: Token,
}

/// What a turn was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum FileKind {
    Question,
    Final,
    ForcedFinal,
}

impl FileKind {
    fn kind(self) -> Kind {
        match self {
            FileKind::Question => Kind::Question,
            FileKind::Final | FileKind::ForcedFinal => Kind::Final,
        }
    }
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
    Err(BadResults {
        place: place.into(),
        problem: problem.into(),
    })
}

/// Reads a file.
///
/// # Errors
/// The first place that is not of the format, or whose parts contradict each other.
pub fn read(bytes: &[u8]) -> Result<ResultFile, BadResults> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let file: ResultFile = serde_path_to_error::deserialize(&mut reader).or_else(|error| {
        let path = error.path().to_string();
        let place = if path == "." {
            "the file".to_owned()
        } else {
            path
        };
        bad(place, error.into_inner().to_string())
    })?;
    reader
        .end()
        .or_else(|error| bad("the file", error.to_string()))?;
    file.check()?;
    Ok(file)
}

impl ResultFile {
    /// The name that the authors' program gives it.
    pub fn file_name(&self) -> String {
        let safe = |model: &str| model.replace(['/', ':', ' '], "_");
        format!(
            "{}__{}.json",
            safe(&self.player_model),
            safe(&self.judge_model)
        )
    }

    fn check(&self) -> Result<(), BadResults> {
        if self.max_rounds > MOST_ROUNDS {
            return bad(
                "max_rounds",
                format!(
                    "expected an integer from 0 to {MOST_ROUNDS}, got {}",
                    self.max_rounds
                ),
            );
        }
        let mut seen = BTreeMap::new();
        for (at, result) in self.results.iter().enumerate() {
            let place = |field: &str| format!("results[{at}].{field}");
            if let Some(first) = seen.insert(&result.puzzle.id, at) {
                return bad(
                    place("puzzle.id"),
                    format!("{} is already in results[{first}]", result.puzzle.id),
                );
            }
            let same = [
                ("player_model", result.player_model == self.player_model),
                ("judge_model", result.judge_model == self.judge_model),
                ("max_rounds", result.max_rounds == self.max_rounds),
            ];
            if let Some((field, _)) = same.iter().find(|(_, same)| !same) {
                return bad(
                    place(field),
                    "it differs from that of the file; split the file",
                );
            }
            for (turn, line) in (1..).zip(&result.history) {
                let place = |field: &str| place(&format!("history[{}].{field}", turn - 1));
                if line.turn != turn {
                    return bad(place("turn"), format!("expected {turn}, got {}", line.turn));
                }
                if (line.kind == FileKind::ForcedFinal) != (turn > self.max_rounds) {
                    return bad(
                        place("kind"),
                        format!(
                            "forced_final is the kind of turn {} alone",
                            self.max_rounds + 1
                        ),
                    );
                }
                if !line.kind.kind().vocabulary().contains(&line.judge_norm) {
                    return bad(
                        place("judge_norm"),
                        format!(
                            "{} does not answer a {}",
                            line.judge_norm,
                            line.kind.kind().name()
                        ),
                    );
                }
            }
            let (turns, last) = (result.history.len(), result.history.last());
            if result.turns_used as usize != turns {
                return bad(
                    place("turns_used"),
                    format!(
                        "it is {}, and the history has {turns} turns",
                        result.turns_used
                    ),
                );
            }
            let solved = last.is_some_and(|line| line.judge_norm == Token::Correct);
            if result.success != solved {
                return bad(
                    place("success"),
                    format!("it is {}, and the history says {solved}", result.success),
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
        let tasks = Named {
            name: self.puzzles_path.clone(),
            digest: self.tasks().digest,
        };
        let mut spec = Spec::imported(NAME, settings, tasks, &self.player_model);
        let mut judge = spec.seats[&Seat::new(Seat::PLAYER)].clone();
        if let Player::Model { model, .. } = &mut judge.player {
            model.clone_from(&self.judge_model);
        }
        spec.seats.insert(Seat::new(JUDGE), judge);
        if let Some(player) = spec.seats.get_mut(&Seat::new(Seat::PLAYER)) {
            player.sampling.temperature = self.player_temperature.as_f64();
        }
        spec
    }

    /// Its episodes as transcripts of origin `imported`.
    pub fn transcripts(&self) -> Vec<Imported> {
        let spec = self.spec();
        let episode = |result: &PuzzleResult| {
            let header = Header {
                origin: Origin::Imported,
                ..header(&spec, &result.puzzle.task(), 1, Part::Play)
            };
            let mut writer = Writer::new(SaltKey::open(&header));
            let key = EpisodeKey::play(&header.task.id, 1);
            let notes = result
                .history
                .iter()
                .flat_map(|line| line.notes(self.max_rounds));
            let events = std::iter::once(Event::Opened(Box::new(header)))
                .chain(notes.map(Event::Noted))
                .chain([Event::Closed(result.outcome())]);
            let lines = events.map(|event| writer.line(&event)).collect();
            Imported { key, lines }
        };
        self.results.iter().map(episode).collect()
    }
}

/// An imported episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// Its key in a run.
    pub key: EpisodeKey,
    /// Its lines, each without its line break.
    pub lines: Vec<String>,
}

impl Puzzle {
    fn task(&self) -> Task {
        let language = if self.setup.contains(is_han) {
            "zh"
        } else {
            "en"
        };
        let texts = [&self.title, &self.setup, &self.solution, &self.notes].map(String::clone);
        let [title, setup, solution, notes] = texts;
        tasks::puzzle(
            &self.id,
            language,
            [title, setup, solution, notes, String::new()],
        )
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
        let solved_at = self.success.then_some(self.turns_used);
        let mut result = outcome(solved_at, self.history.len(), "", &self.verdict);
        result["answer"] = json!(self.final_attempt);
        Outcome {
            ending: if self.success {
                ending::SOLVED
            } else {
                ending::UNSOLVED
            }
            .to_owned(),
            result,
        }
    }
}

impl HistoryTurn {
    fn notes(&self, rounds: u32) -> [Note; 2] {
        let kind = self.kind.kind();
        let is_forced = self.kind == FileKind::ForcedFinal;
        let turn = Note::Turn(Turn {
            index: self.turn,
            round: self.turn.min(rounds.max(1)),
            seat: Seat::new(Seat::PLAYER),
            call: CallId(self.turn),
            kind: match kind {
                Kind::Question => TurnKind::Ask,
                Kind::Final => TurnKind::Answer,
            },
            sentence: format!(
                "{} “{}”",
                if kind == Kind::Question {
                    "asks"
                } else {
                    "submits"
                },
                self.content
            ),
            reading: Reading {
                extracted: Some(self.player_raw.clone()),
                applied: applied(kind, is_forced, &self.content),
                ..Reading::default()
            },
        });
        let mut answer = came(
            self.turn,
            None,
            kind,
            Some(self.judge_norm),
            &self.judge_raw,
        );
        if let Note::Came(came) = &mut answer
            && let Some(reading) = &mut came.reading
        {
            reading.extracted = Some(self.judge_raw.clone());
        }
        [turn, answer]
    }
}

/// Writes episodes of profile `reference` as a result file.
///
/// # Errors
/// The first episode that the format cannot hold, and why.
pub fn export(
    spec: &Spec,
    tasks: &TaskSet,
    plays: &[Transcript],
) -> Result<ResultFile, BadResults> {
    if spec.profile != Profile::Reference {
        return bad(
            "profile",
            "the format has no format errors and no undecided turns; export a run of profile reference",
        );
    }
    let model = |seat: &str| match spec
        .seats
        .get(&Seat::new(seat))
        .map(|sitting| &sitting.player)
    {
        Some(Player::Model { model, .. }) => model.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let settings = crate::settings::Settings::labelled(spec, None)
        .or_else(|problem| bad("settings", problem.to_string()))?;
    let temperature = spec
        .seats
        .get(&Seat::new(Seat::PLAYER))
        .and_then(|sitting| sitting.sampling.temperature);
    let mut file = ResultFile {
        player_model: model(Seat::PLAYER),
        judge_model: model(JUDGE),
        puzzles_path: tasks.name.clone(),
        max_rounds: settings.turns(),
        player_temperature: Number::from_f64(temperature.unwrap_or(0.0))
            .unwrap_or_else(|| Number::from(0)),
        results: Vec::new(),
        summary: FileSummary {
            num_done: plays.len() as u64,
            accuracy: Number::from(0),
        },
        more: Map::new(),
    };
    for play in plays {
        let id = &play.header.task.id;
        let place = format!("task {id}, repeat {}", play.header.repeat);
        let Some(task) = tasks.task(id) else {
            return bad(place, format!("{} has no such puzzle", tasks.name));
        };
        let Some(end) = play.outcome().filter(|outcome| outcome.is_complete()) else {
            return bad(place, "the episode is not finished; resume the run first");
        };
        let history = history(play).or_else(|problem| bad(&place, problem))?;
        if file.results.iter().any(|result| result.puzzle.id == id.0) {
            return bad(
                place,
                "the puzzle is there already; the format holds one repeat a file",
            );
        }
        let text = |name: &str| end.result[name].as_str().map(str::to_owned);
        file.results.push(PuzzleResult {
            puzzle: Puzzle::of(task),
            player_model: file.player_model.clone(),
            judge_model: file.judge_model.clone(),
            max_rounds: file.max_rounds,
            success: end.ending == ending::SOLVED,
            turns_used: u32::try_from(history.len()).unwrap_or(u32::MAX),
            final_attempt: text("answer"),
            verdict: text("last_verdict").unwrap_or_default(),
            history,
            more: Map::new(),
        });
    }
    let solved = file.results.iter().filter(|result| result.success).count();
    let accuracy = solved as f64 / file.results.len().max(1) as f64;
    file.summary.accuracy = Number::from_f64(accuracy).unwrap_or_else(|| Number::from(0));
    Ok(file)
}

fn history(play: &Transcript) -> Result<Vec<HistoryTurn>, String> {
    let mut history: Vec<HistoryTurn> = Vec::new();
    let said = |call: CallId, reading: Option<&Reading>| match play.reply(call) {
        Some(Reply::Said(said)) => said.text.clone().unwrap_or_default(),
        _ => reading
            .and_then(|reading| reading.extracted.clone())
            .unwrap_or_default(),
    };
    let mut open: Option<HistoryTurn> = None;
    for note in play.notes() {
        match note {
            Note::Turn(turn) => {
                let kind = serde_json::from_value(turn.reading.applied["kind"].clone());
                open = Some(HistoryTurn {
                    turn: turn.index,
                    player_raw: said(turn.call, Some(&turn.reading)),
                    kind: kind.map_err(|_| {
                        format!(
                            "turn {} is neither a question nor a final answer",
                            turn.index
                        )
                    })?,
                    content: turn.reading.applied["content"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned(),
                    judge_raw: String::new(),
                    judge_norm: Token::Irrelevant,
                });
            }
            Note::Came(came) => {
                let Some(mut line) = open.take() else {
                    continue;
                };
                let token = came
                    .reading
                    .as_ref()
                    .and_then(|reading| reading.applied.as_str());
                line.judge_norm = token
                    .and_then(Token::named)
                    .ok_or_else(|| format!("turn {} has no token of the judge", came.turn))?;
                line.judge_raw = match came.call {
                    Some(call) => said(call, None),
                    None => came
                        .reading
                        .as_ref()
                        .and_then(|reading| reading.extracted.clone())
                        .unwrap_or_default(),
                };
                history.push(line);
            }
            _ => {}
        }
    }
    Ok(history)
}
