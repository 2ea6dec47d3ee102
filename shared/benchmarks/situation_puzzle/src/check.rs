//! Is a new puzzle fit for use? The paper's two criteria: no player solves it without asking, and judges agree about it.
//!
//! A [`Hearing`] puts the puzzle's bank to a judge; direct episodes say whether it can be guessed. [`check`] compares both.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Value, json};
use turnwise_core::kit::judge::Judge;
use turnwise_core::prelude::*;

use crate::metrics;
use crate::prompts::Prompts;
use crate::protocol::JUDGE_ATTEMPTS;
use crate::reading::{self, Token};
use crate::settings::{JUDGE, Mode, Settings};
use crate::tasks::{self, Entry};

/// The share of a bank's entries on which all judges must give the bank's token.
pub const AGREEMENT: f64 = 0.9;
/// How many judges are needed.
pub const JUDGES: usize = 2;
pub const HEARD: &str = "heard";

/// What makes the request, and an entry with its place in the bank.
type Case = (Prompts, usize, Entry);

/// Puts every entry of a puzzle's bank to a strict judge, each in a conversation of its own; what cannot be read is asked once
/// more.
pub struct Hearing {
    out: Outbox,
    judge: Judge<Case>,
    tokens: Vec<Option<Token>>,
}

impl Hearing {
    /// # Errors
    /// If the task has no bank here, or the pack does not fit.
    pub fn open(task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let bank = tasks::bank(task);
        if bank.is_empty() {
            let problem = format!("puzzle {} has no bank; add questions and finals to it", task.id);
            return Err(BadSpec::new("tasks", problem));
        }
        let suffix = tasks::suffix(task);
        let prompts = Prompts::new(pack, Profile::Strict, Settings::default(), suffix)?;
        let judge = Judge::new(JUDGE_ATTEMPTS, |(prompts, at, entry): &Case, asked| {
            // Banks are small (`tasks::BANK_LIMIT`).
            let mut judge = prompts.judge(ThreadId(2 * *at as u32 + asked.attempt));
            prompts.ask_judge(&mut judge, entry.kind, &entry.text)
        });
        let mut hearing = Hearing { out: Outbox::default(), judge, tokens: vec![None; bank.len()] };
        for (at, entry) in bank.into_iter().enumerate() {
            hearing.judge.ask((prompts, at, entry), &mut hearing.out);
        }
        Ok(hearing)
    }
}

fn said(token: Option<Token>) -> &'static str {
    token.map_or("unreadable", Token::name)
}

impl Episode for Hearing {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.out
    }

    fn said(&mut self, _: &str, reply: Said) {
        let about = self.judge.about(&self.out);
        let token = about
            .and_then(|(_, _, entry)| reading::token(reply.words(), entry.kind, Profile::Strict));
        let Some(((_, at, _), token)) = self.judge.said(token, &mut self.out) else {
            return;
        };
        self.tokens[at] = token;
        let number = at as u32 + 1;
        self.out.note(Turn {
            index: number,
            round: number,
            seat: Seat::new(JUDGE),
            call: self.out.call(),
            kind: token.map_or(TurnKind::Invalid, |_| TurnKind::Answer),
            // Without the entry's text: the bank is hidden.
            sentence: format!("entry {number}: {}", said(token)),
            reading: Reading::applied(json!(token)),
        });
        if !self.judge.is_asked() {
            self.out.finish(HEARD, json!({ "tokens": self.tokens }));
        }
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        Scene { awaits: self.out.awaits(viewer), ..Scene::default() }
    }
}

/// What a judge said about a puzzle's bank, entry by entry; `None` where it could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    pub puzzle: TaskId,
    /// As a lineup writes it.
    pub judge: String,
    pub tokens: Vec<Option<Token>>,
}

/// Whether a direct answer to a puzzle was correct; `None` where the judge could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Direct {
    pub puzzle: TaskId,
    /// As a lineup writes it.
    pub player: String,
    pub solved: Option<bool>,
}

fn sitting(spec: &Spec, seat: &str) -> String {
    let sitting = spec.seats.get(&Seat::new(seat));
    sitting.map_or_else(|| "nobody".to_owned(), |sitting| sitting.player.to_string())
}

/// What a hearing's transcript says; `None` if it is not that of a finished hearing.
pub fn heard(transcript: &Transcript) -> Option<Heard> {
    let outcome = transcript.outcome().filter(|outcome| outcome.ending == HEARD)?;
    Some(Heard {
        puzzle: transcript.header.task.id.clone(),
        judge: sitting(&transcript.header.spec, JUDGE),
        tokens: serde_json::from_value(outcome.result["tokens"].clone()).ok()?,
    })
}

/// What the transcript of a direct episode says; `None` if it is not that of a finished one.
pub fn direct(transcript: &Transcript) -> Option<Direct> {
    let spec = &transcript.header.spec;
    let is_direct = spec.settings["mode"] == json!(Mode::Direct);
    let is_complete = transcript.outcome().is_some_and(Outcome::is_complete);
    (is_direct && is_complete).then(|| Direct {
        puzzle: transcript.header.task.id.clone(),
        player: sitting(spec, Seat::PLAYER),
        solved: metrics::measure(transcript).score.map(|score| score >= 0.5),
    })
}

choices! {
    /// Whether a criterion holds; the worst is the last.
    pub enum Verdict {
        Holds = "accepted",
        /// There is too little to tell.
        Open = "undecided",
        Fails = "rejected",
    }
}

/// What is said of one puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PuzzleCheck {
    pub puzzle: TaskId,
    /// No player solves it without asking.
    pub needs_interaction: Verdict,
    /// Judges agree about its bank.
    pub judges_agree: Verdict,
    /// What was found, each in a sentence.
    pub findings: Vec<String>,
}

impl PuzzleCheck {
    pub fn verdict(&self) -> Verdict {
        self.needs_interaction.max(self.judges_agree)
    }
}

/// What is said of a set of puzzles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check(pub Vec<PuzzleCheck>);

/// Checks puzzles by the answers of direct episodes and by what judges said about their banks.
pub fn check(tasks: &TaskSet, direct: &[Direct], heard: &[Heard]) -> Check {
    let one = |task: &Task| {
        let mut findings = Vec::new();
        let of_task = |puzzle: &TaskId| *puzzle == task.id;
        let direct = direct.iter().filter(|one| of_task(&one.puzzle));
        let heard = heard.iter().filter(|one| of_task(&one.puzzle));
        // Bots answer from the bank or by rule, so they show nothing about a puzzle.
        let (direct, bots): (Vec<_>, Vec<_>) = direct.partition(|one| !is_bot(&one.player));
        let (heard, judging): (Vec<_>, Vec<_>) = heard.partition(|one| !is_bot(&one.judge));
        if !bots.is_empty() || !judging.is_empty() {
            findings
                .push("answers of built-in bots are no evidence and were passed over".to_owned());
        }
        PuzzleCheck {
            puzzle: task.id.clone(),
            needs_interaction: needs_interaction(&direct, &mut findings),
            judges_agree: judges_agree(&tasks::bank(task), &heard, &mut findings),
            findings,
        }
    };
    Check(tasks.tasks.iter().map(one).collect())
}

fn is_bot(who: &str) -> bool {
    who.starts_with("bot:")
}

fn needs_interaction(direct: &[&Direct], findings: &mut Vec<String>) -> Verdict {
    let decided = direct.iter().filter(|one| one.solved.is_some());
    let decided: Vec<&&Direct> = decided.collect();
    let solved = decided.iter().filter(|one| one.solved == Some(true));
    let solved: Vec<&str> = solved.map(|one| one.player.as_str()).collect();
    if decided.is_empty() {
        findings.push("direct: not tried; run the file in direct mode".to_owned());
        return Verdict::Open;
    }
    let mut finding = format!("direct: {} of {} answers correct", solved.len(), decided.len());
    if solved.is_empty() {
        findings.push(finding);
        return Verdict::Holds;
    }
    finding.push_str(&format!(" ({})", solved.join(", ")));
    findings.push(finding);
    Verdict::Fails
}

fn judges_agree(bank: &[Entry], heard: &[&Heard], findings: &mut Vec<String>) -> Verdict {
    if bank.is_empty() {
        findings.push(
            "judges: the puzzle has no bank; add questions and finals with their tokens".to_owned(),
        );
        return Verdict::Fails;
    }
    // A bank that never expects a token cannot show that judges know it.
    let is_absent = |token: &Token| !bank.iter().any(|entry| entry.token == *token);
    let absent = Token::ALL.into_iter().filter(is_absent);
    let absent: Vec<&str> = absent.map(Token::name).collect();
    if !absent.is_empty() {
        findings.push(format!("judges: the bank has no entry for {}", absent.join(", ")));
    }
    // Who heard another version of the bank says nothing about this one.
    let judges = heard.iter().filter(|one| one.tokens.len() == bank.len());
    let judges: Vec<&&Heard> = judges.collect();
    // A judge that was asked several times is one judge.
    let different: BTreeSet<&str> = judges.iter().map(|one| one.judge.as_str()).collect();
    let mut agreed = 0;
    for (at, entry) in bank.iter().enumerate() {
        if judges.iter().all(|judge| judge.tokens[at] == Some(entry.token)) {
            agreed += 1;
            continue;
        }
        let heard =
            judges.iter().map(|judge| format!("{} {}", judge.judge, said(judge.tokens[at])));
        let heard = heard.collect::<Vec<_>>().join(", ");
        let (number, kind, token) = (at + 1, entry.kind.name(), entry.token);
        findings.push(format!("entry {number} ({kind}): the bank says {token}; {heard}"));
    }
    if different.len() < JUDGES {
        findings.push(format!("judges: {} of the {JUDGES} that are needed", different.len()));
        return Verdict::Open;
    }
    let (count, entries) = (different.len(), bank.len());
    findings.push(format!("judges: {count} agree with the bank on {agreed} of {entries} entries"));
    match agreed as f64 >= AGREEMENT * entries as f64 {
        true => Verdict::Holds,
        false => Verdict::Fails,
    }
}

impl Check {
    pub fn record(&self) -> Value {
        let puzzles = self.0.iter().map(|puzzle| {
            json!({
                "puzzle": puzzle.puzzle,
                "verdict": puzzle.verdict().name(),
                "needs_interaction": puzzle.needs_interaction.name(),
                "judges_agree": puzzle.judges_agree.name(),
                "findings": puzzle.findings,
            })
        });
        json!({ "puzzles": puzzles.collect::<Vec<_>>() })
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts = [0; 3];
        for puzzle in &self.0 {
            let verdict = puzzle.verdict();
            counts[verdict as usize] += 1;
            writeln!(f, "{}: {}", puzzle.puzzle, verdict.name())?;
            for finding in &puzzle.findings {
                writeln!(f, "  {finding}")?;
            }
        }
        let [accepted, undecided, rejected] = counts;
        let all = self.0.len();
        write!(f, "{all} puzzles: {accepted} accepted, {rejected} rejected, {undecided} undecided")
    }
}
