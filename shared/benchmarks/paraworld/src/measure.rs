//! The numbers of one episode, from its notes and its grading (specification 8).

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::consult::ENGINE_FAILED;
use super::engine::Class;
use super::metrics::errors::{self, Errors};
use super::metrics::{Call, Episode, Log, Status};
use super::noted::{LogNote, WorldNote, event};
use super::protocol::flag;
use super::reading::dispatch::{CANNOT_CUT, Fault};
use super::reading::judge::{JudgeStatus, Verdict};
use super::report::setting;
use turnwise_core::metrics::figures::Figures;
use turnwise_core::prelude::*;
use turnwise_core::python::strip;
use turnwise_core::transcript::{Origin, Request};

/// What a report needs of one episode. As JSON it has the fields of [`Episode`] and more beside them.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    #[serde(flatten)]
    pub episode: Episode,
    /// The categories of the error analysis.
    #[serde(default)]
    pub errors: Errors,
    /// How far the engine and the rule-based engine agree.
    #[serde(default, skip_serializing_if = "Agreement::is_nothing")]
    pub agreement: Agreement,
    /// How the verdict came about, if there was a judge.
    pub judge: Option<JudgeStatus>,
    /// Whether a reply of the player could not be read as an action; under `reference` what the authors' analysis takes for a
    /// wrong format. Absent in numbers that were taken before it was counted.
    pub format_fault: Option<bool>,
}

impl Numbers {
    /// The numbers that an episode was measured with; `None` if there are none. What is flattened is read apart, because
    /// a report reads thousands of them.
    pub fn of(measured: &Measured) -> Option<Self> {
        let figures = &measured.numbers;
        let episode = figures.read().ok()?;
        let Beside { errors, agreement, judge, format_fault } = figures.read().unwrap_or_default();
        Some(Numbers { episode, errors, agreement, judge, format_fault })
    }
}

/// What stands beside that which is flattened.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Beside {
    errors: Errors,
    agreement: Agreement,
    judge: Option<JudgeStatus>,
    format_fault: Option<bool>,
}

/// How often the rule-based engine, asked for a second opinion, says the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// Queries about which both said something.
    pub compared: u32,
    /// Of these, both a hit, both a miss, or both compound or too bare.
    pub same_class: u32,
    /// Of these, the same fact too, where it is a hit.
    pub same: u32,
}

impl Agreement {
    pub fn is_nothing(&self) -> bool {
        self.compared == 0
    }

    fn add(&mut self, note: &LogNote) {
        let (Some(second), false) = (note.second, note.log.engine_fault) else {
            return;
        };
        let log = &note.log;
        let found = log.keys.first().and_then(|key| key.fact);
        let (same_class, same) = match second.class {
            Class::Hit => {
                let hit = log.hit && !log.compound;
                (hit, hit && found == second.fact)
            }
            Class::Miss => (!log.hit && !log.compound, !log.hit && !log.compound),
            Class::Compound | Class::TooBare => (log.compound, log.compound),
        };
        self.compared += 1;
        self.same_class += u32::from(same_class);
        self.same += u32::from(same);
    }
}

/// Measures one episode. The score is that of its verdict; `None` where there is none. An episode that did not come to an
/// end by the rules has no numbers.
pub fn episode(play: &Transcript, grading: Option<&Transcript>) -> Measured {
    let Some(outcome) = play.outcome() else {
        return Measured::default();
    };
    let prediction = outcome.result.get("prediction").and_then(|text| text.as_str());
    let numbers = Status::named(&outcome.ending).and_then(|status| {
        let mut numbers = Noted::of(play).numbers(play, status, prediction)?;
        (numbers.episode.verdict, numbers.judge) = judged(play, prediction, grading);
        Some(numbers)
    });
    let verdict = numbers.as_ref().and_then(|numbers| numbers.episode.verdict);
    Measured {
        score: verdict.map(Verdict::score),
        answer: prediction.map(str::to_owned),
        numbers: numbers.map_or_else(Figures::default, |numbers| Figures::of(&numbers)),
        ..Measured::default()
    }
}

/// The turns that stand among the tool calls, in the order of [`Episode::calls`].
pub fn calling_turns(play: &Transcript) -> Vec<&Turn> {
    let noted = Noted::of(play);
    let profile = play.header.spec.profile;
    let turns = noted.turns.iter();
    turns.filter(|turn| noted.is_call(turn, profile)).copied().collect()
}

/// The verdict, and how it came about. Where the judge was not asked, nothing to judge is a wrong answer; a judge that
/// failed is one under `reference` only.
fn judged(
    play: &Transcript,
    prediction: Option<&str>,
    grading: Option<&Transcript>,
) -> (Option<Verdict>, Option<JudgeStatus>) {
    let Some(graded) = grading.and_then(Transcript::outcome) else {
        let blank = strip(prediction.unwrap_or_default()).is_empty();
        let skipped = blank && play.header.origin == Origin::Recorded;
        return match skipped {
            true => (Some(Verdict::Incorrect), Some(JudgeStatus::Skipped)),
            false => (None, None),
        };
    };
    let status = JudgeStatus::of_ending(&graded.ending);
    let said = graded.result.get("verdict");
    let said = said.and_then(|word| Verdict::deserialize(word).ok());
    let failed = matches!(status, Some(JudgeStatus::Error | JudgeStatus::Unparsed));
    let wrong = failed && play.header.spec.profile == Profile::Reference;
    (said.or(wrong.then_some(Verdict::Incorrect)), status)
}

/// What an episode noted, in order.
#[derive(Default)]
struct Noted<'a> {
    /// Whether the setting has a tool: where it has none, a call of one is no search.
    searches: bool,
    world: Option<WorldNote>,
    imported: Option<Numbers>,
    turns: Vec<&'a Turn>,
    logs: Vec<LogNote>,
    /// Turns that were flagged as wrong in format, and flags that name no turn.
    wrong: BTreeSet<u32>,
    wrong_anywhere: u32,
    /// Turns with calls that were not run.
    ignored: BTreeSet<u32>,
    /// Turns that ended the episode because their query cannot be cut.
    uncut: BTreeSet<u32>,
    /// What the player was shown for its calls, by turn.
    came: BTreeMap<u32, &'a str>,
    engine_calls_failed: u32,
    engine_replies_unread: u32,
}

impl<'a> Noted<'a> {
    fn of(play: &'a Transcript) -> Self {
        let mut noted = Noted {
            searches: !matches!(setting(&play.header.spec), "A" | "control"),
            ..Noted::default()
        };
        for note in play.notes() {
            noted.add(note);
        }
        // Calls side by side are answered in any order; what counts is that of the text.
        noted.logs.sort_by_key(|note| note.turn);
        noted
    }

    fn add(&mut self, note: &'a Note) {
        match note {
            Note::Turn(turn) => self.turns.push(turn),
            Note::Observation(came) => {
                self.came.insert(came.turn, came.shown.as_str());
                self.engine_calls_failed +=
                    u32::from(came.tone == Tone::Failed && came.word == "error");
                let fault = came.reading.as_ref().and_then(|reading| reading.fault.as_ref());
                let is_unread = fault.is_some_and(|fault| fault.class != ENGINE_FAILED);
                self.engine_replies_unread += u32::from(is_unread);
            }
            Note::Event { name, detail } => match name.as_str() {
                event::WORLD => self.world = WorldNote::deserialize(detail).ok(),
                event::LOG => self.logs.extend(LogNote::deserialize(detail)),
                event::NUMBERS => self.imported = Numbers::deserialize(detail).ok(),
                _ => {}
            },
            Note::Flag { name, turn, .. } => match (name.as_str(), turn) {
                (flag::FORMAT_ERROR, Some(turn)) => {
                    self.wrong.insert(*turn);
                }
                (flag::FORMAT_ERROR, None) => self.wrong_anywhere += 1,
                (flag::IGNORED_CALLS, Some(turn)) => {
                    self.ignored.insert(*turn);
                }
                (flag::CANNOT_CUT, Some(turn)) => {
                    self.uncut.insert(*turn);
                }
                _ => {}
            },
            Note::Restarted { .. } => {
                *self =
                    Noted { searches: self.searches, world: self.world.take(), ..Noted::default() };
            }
        }
    }

    /// All numbers but those of the grading; `None` where the episode does not say how many facts there are.
    fn numbers(
        self,
        play: &Transcript,
        status: Status,
        prediction: Option<&str>,
    ) -> Option<Numbers> {
        if let Some(numbers) = self.imported {
            return Some(numbers);
        }
        let world = self.world.as_ref()?;
        let profile = play.header.spec.profile;
        let answered = !strip(prediction.unwrap_or_default()).is_empty();
        let calls: Vec<Call> = self
            .turns
            .iter()
            .filter(|turn| self.is_call(turn, profile))
            .map(|turn| self.call(turn))
            .collect();
        let calling: BTreeSet<u32> = self
            .turns
            .iter()
            .filter(|turn| {
                let broken = class(turn) == Some("broken_call");
                turn.kind == TurnKind::Search
                    || fault(turn).is_some()
                    || broken
                    || self.ignored.contains(&turn.index)
            })
            .map(|turn| turn.round)
            .collect();
        let wrong = self.turns.iter().filter(|turn| {
            let unreadable = matches!(class(turn), Some("broken_call" | "open_thought"));
            self.wrong.contains(&turn.index)
                || fault(turn).is_some()
                || (unreadable && profile == Profile::Strict)
        });
        let format_errors = wrong.count() as u32 + self.wrong_anywhere;
        let reached = calls.iter().filter(|call| call.log.is_some()).count() as u32;
        let mut agreement = Agreement::default();
        for note in &self.logs {
            agreement.add(note);
        }
        let logs: Vec<Log> = self.logs.iter().map(|note| note.log.clone()).collect();
        let noted = Errors {
            tool_calls: calling.len() as u32,
            valid_calls: reached,
            format_errors,
            engine_parse_errors: self.engine_replies_unread,
            engine_call_errors: self.engine_calls_failed,
            success: answered,
        };
        let errors = match profile {
            Profile::Strict => noted,
            Profile::Reference => self.analysed(play, status).unwrap_or(noted),
        };
        Some(Numbers {
            errors,
            agreement,
            judge: None,
            format_fault: Some(match profile {
                Profile::Strict => self.turns.iter().any(|turn| turn.reading.fault.is_some()),
                Profile::Reference => errors.format_errors > 0,
            }),
            episode: Episode {
                // Failed items of setting A have no facts in the authors' files, and fall into the lowest tier.
                facts: if status == Status::Error { 0 } else { world.facts },
                rules: world.rules.clone(),
                calls,
                logs,
                calling_messages: errors.tool_calls,
                format_errors: errors.format_errors,
                turns: self.turns.iter().map(|turn| turn.round).max().unwrap_or(0),
                max_turns: world.max_turns,
                status,
                answered,
                verdict: None,
            },
        })
    }

    /// What the authors' analysis makes of the messages that their program would have saved; `None` where the transcript does
    /// not tell what the player said.
    fn analysed(&self, play: &Transcript, status: Status) -> Option<Errors> {
        let mut player: BTreeSet<CallId> = BTreeSet::new();
        let mut said: Vec<&str> = Vec::new();
        for event in play.events.iter().flatten() {
            match event {
                Event::Asked { call, request: Request::Ask { seat, .. } }
                    if seat.as_str() == Seat::PLAYER =>
                {
                    player.insert(*call);
                }
                Event::Told { call, reply: Reply::Said(reply) } if player.contains(call) => {
                    let text = reply.text.as_deref().unwrap_or_default();
                    said.extend(Some(text).filter(|text| !strip(text).is_empty()));
                }
                _ => {}
            }
        }
        let rounds = self.turns.iter().map(|turn| turn.round).max().unwrap_or(0);
        let told: Vec<String> = (1..=rounds).filter_map(|round| self.told(round, status)).collect();
        let said = said.into_iter().map(|text| ("assistant", text));
        let told = told.iter().map(|text| ("user", text.as_str()));
        (!player.is_empty()).then(|| errors::analyse(said.chain(told)))
    }

    /// The observation sent to the player after a message with calls; `None` after another, and where the program failed instead.
    fn told(&self, round: u32, status: Status) -> Option<String> {
        let turns = || self.turns.iter().filter(|turn| turn.round == round);
        if turns().any(|turn| self.uncut.contains(&turn.index)) {
            return Some(format!("Error: {CANNOT_CUT}"));
        }
        let shown: Vec<&str> =
            turns().filter_map(|turn| self.came.get(&turn.index).copied()).collect();
        let refused = turns().filter_map(|turn| fault(turn)).next_back();
        // A message without a call stands in the round of the one before it.
        let calls =
            turns().filter(|turn| turn.kind == TurnKind::Search || fault(turn).is_some()).count();
        match (shown.is_empty(), refused) {
            (false, _) if status == Status::ApiError && calls > shown.len() => None,
            (false, _) => Some(shown.join("\n\n")),
            (true, Some(fault)) if status == Status::Finished => {
                Some(format!("Error: {}", fault.observation(Profile::Reference)))
            }
            (true, _) => None,
        }
    }

    fn call(&self, turn: &Turn) -> Call {
        let at = self.logs.iter().position(|note| note.turn == turn.index);
        Call { hit: at.is_some_and(|at| self.logs[at].log.hit), log: at.map(|at| at as u32) }
    }

    /// Whether a turn stands among the tool calls (specification 5.5). Under `reference` a call that its tool layer refused
    /// does, one that never came so far does not, and neither does what ran in a turn in which the program failed.
    fn is_call(&self, turn: &Turn, profile: Profile) -> bool {
        if !self.searches {
            return false;
        }
        match (turn.kind, fault(turn), profile) {
            (TurnKind::Search, _, Profile::Strict) => true,
            (TurnKind::Search, _, Profile::Reference) => {
                self.logs.iter().any(|note| note.turn == turn.index)
            }
            (TurnKind::Invalid, Some(_), Profile::Strict) => true,
            (TurnKind::Invalid, Some(fault), Profile::Reference) => fault.is_counted(),
            _ => false,
        }
    }
}

/// The class of what was wrong with a turn.
fn class(turn: &Turn) -> Option<&str> {
    let fault = turn.reading.fault.as_ref()?;
    (turn.kind == TurnKind::Invalid).then_some(fault.class.as_str())
}

/// Why a call was not run.
fn fault(turn: &Turn) -> Option<Fault> {
    class(turn).and_then(Fault::named)
}
