//! Is a new puzzle fit for use? The paper's two criteria: nobody solves it without asking, and judges agree about it.
//!
//! A [`Hearing`] puts the puzzle's bank to a judge; direct episodes say whether it can be guessed. [`check`] compares both.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::json;
use turnwise_shared::effect::{Effect, Reply};
use turnwise_shared::episode::{CallId, Episode, Misuse, Outbox, Outcome, Step};
use turnwise_shared::note::{Fault, Note, Reading, Turn, TurnKind};
use turnwise_shared::prompt::{Pack, ThreadId};
use turnwise_shared::scene::Scene;
use turnwise_shared::seat::{Seat, Viewer};
use turnwise_shared::spec::{BadSpec, Profile, Spec};
use turnwise_shared::task::{Task, TaskId, TaskSet};
use turnwise_shared::transcript::Transcript;

use crate::metrics;
use crate::prompts::Prompts;
use crate::protocol::JUDGE_INVALID;
use crate::reading::{Kind, Token, strict_token};
use crate::settings::{JUDGE, Mode, Settings};
use crate::tasks::{Bank, Entry, Language, field};

/// The share of a bank's entries on which all judges must give the bank's token.
pub const AGREEMENT: f64 = 0.9;
/// How many judges are needed.
pub const JUDGES: usize = 2;
/// The ending of a hearing.
pub const HEARD: &str = "heard";

/// Puts every entry of a puzzle's bank to a judge, each in a conversation of its own; what cannot be read is asked once more.
pub struct Hearing {
    out: Outbox,
    prompts: Prompts,
    entries: Vec<Entry>,
    tokens: Vec<Option<Token>>,
    /// Which entry an open call is about, and whether it is the second attempt.
    open: BTreeMap<CallId, (usize, bool)>,
}

impl Hearing {
    /// Opens the hearing of a task by the judge of a strict spec.
    ///
    /// # Errors
    /// If the task has no bank here, or the pack does not fit.
    pub fn open(task: &Task, pack: &Pack) -> Result<Self, BadSpec> {
        let entries = Bank::read(task.field(field::BANK).unwrap_or_default()).0;
        if entries.is_empty() {
            let problem = format!(
                "puzzle {} has no bank; add questions and finals to it",
                task.id
            );
            return Err(BadSpec::new("tasks", problem));
        }
        let mut hearing = Hearing {
            out: Outbox::default(),
            prompts: Prompts::new(
                pack,
                Profile::Strict,
                Settings::default(),
                Language::of(task),
            )?,
            tokens: vec![None; entries.len()],
            entries,
            open: BTreeMap::new(),
        };
        for at in 0..hearing.entries.len() {
            hearing.ask(at, false);
        }
        Ok(hearing)
    }

    fn ask(&mut self, at: usize, is_second: bool) {
        let entry = &self.entries[at];
        let number = u32::try_from(2 * at).unwrap_or(u32::MAX - 2) + 1 + u32::from(is_second);
        let ask = self
            .prompts
            .ask_judge(ThreadId(number), &[], entry.kind, &entry.text);
        let call = self.out.request(Effect::Ask(ask));
        self.open.insert(call, (at, is_second));
    }

    fn said(&mut self, call: CallId, text: &str) {
        let Some((at, is_second)) = self.open.remove(&call) else {
            return;
        };
        let kind = self.entries[at].kind;
        let token = strict_token(text, kind);
        if token.is_none() && !is_second {
            self.ask(at, true);
            return;
        }
        self.tokens[at] = token;
        let number = u32::try_from(at).map_or(u32::MAX, |at| at + 1);
        self.out.note(Note::Turn(Turn {
            index: number,
            round: number,
            seat: Seat::new(JUDGE),
            call,
            kind: if token.is_some() {
                TurnKind::Answer
            } else {
                TurnKind::Invalid
            },
            // Without the entry's text: the bank is hidden.
            sentence: format!(
                "entry {number} ({}): {}",
                kind.name(),
                token.map_or("unreadable", Token::name)
            ),
            reading: Reading {
                applied: json!(token),
                fault: token.is_none().then(|| Fault {
                    class: JUDGE_INVALID.to_owned(),
                    detail: "two replies could not be read".to_owned(),
                }),
                ..Reading::default()
            },
        }));
        if self.open.is_empty() {
            self.out.finish(Outcome {
                ending: HEARD.to_owned(),
                result: json!({ "tokens": self.tokens }),
            });
        }
    }
}

impl Episode for Hearing {
    fn poll(&mut self) -> Step {
        self.out.next_step()
    }

    fn resume(&mut self, call: CallId, reply: Reply) -> Result<(), Misuse> {
        self.out.accept(call, &reply)?;
        match reply {
            Reply::Said(said) => self.said(call, said.text.as_deref().unwrap_or_default()),
            Reply::Failed(failure) => self.out.finish(Outcome {
                ending: Outcome::INCOMPLETE.to_owned(),
                result: json!({ "failure": failure.class, "message": failure.message }),
            }),
            _ => {}
        }
        Ok(())
    }

    fn scene(&self, viewer: &Viewer) -> Scene {
        Scene {
            awaits: self.out.awaits(viewer),
            ..Scene::default()
        }
    }
}

/// What a judge said about a puzzle's bank, entry by entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// The puzzle.
    pub puzzle: TaskId,
    /// The judge, as a lineup writes it.
    pub judge: String,
    /// Its tokens; `None` where it could not be read.
    pub tokens: Vec<Option<Token>>,
}

/// A direct answer to a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Direct {
    /// The puzzle.
    pub puzzle: TaskId,
    /// The player, as a lineup writes it.
    pub player: String,
    /// Whether it was correct; `None` where the judge could not be read.
    pub solved: Option<bool>,
}

fn sitting(spec: &Spec, seat: &str) -> String {
    let sitting = spec.seats.get(&Seat::new(seat));
    sitting.map_or_else(|| "nobody".to_owned(), |sitting| sitting.player.to_string())
}

/// What a hearing's transcript says; `None` if it is not that of a finished hearing.
pub fn heard(transcript: &Transcript) -> Option<Heard> {
    let outcome = transcript
        .outcome()
        .filter(|outcome| outcome.ending == HEARD)?;
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

/// Whether a criterion holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// There is too little to tell.
    Open,
    /// It does not.
    Fails,
}

/// What is said of one puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PuzzleCheck {
    /// The puzzle.
    pub puzzle: TaskId,
    /// Nobody solves it without asking.
    pub needs_interaction: Verdict,
    /// Judges agree about its bank.
    pub judges_agree: Verdict,
    /// What was found, each in a sentence.
    pub findings: Vec<String>,
}

impl PuzzleCheck {
    /// Both criteria together: the worse of the two.
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
        let bank = Bank::read(task.field(field::BANK).unwrap_or_default());
        missing(&bank, &mut findings);
        let direct: Vec<&Direct> = direct.iter().filter(|one| one.puzzle == task.id).collect();
        let heard: Vec<&Heard> = heard.iter().filter(|one| one.puzzle == task.id).collect();
        PuzzleCheck {
            puzzle: task.id.clone(),
            needs_interaction: needs_interaction(&direct, &mut findings),
            judges_agree: judges_agree(&bank, &heard, &mut findings),
            findings,
        }
    };
    Check(tasks.tasks.iter().map(one).collect())
}

/// A bank that never expects a token cannot show that judges know it.
fn missing(bank: &Bank, findings: &mut Vec<String>) {
    for kind in [Kind::Question, Kind::Final] {
        let absent = kind
            .vocabulary()
            .iter()
            .filter(|token| !bank.0.iter().any(|entry| entry.token == **token));
        let absent: Vec<&str> = absent.map(|token| token.name()).collect();
        if !absent.is_empty() && !bank.0.is_empty() {
            findings.push(format!(
                "the bank has no {} with the token {}",
                kind.name(),
                absent.join(", ")
            ));
        }
    }
}

fn needs_interaction(direct: &[&Direct], findings: &mut Vec<String>) -> Verdict {
    let solved: Vec<&str> = direct
        .iter()
        .filter(|one| one.solved == Some(true))
        .map(|one| one.player.as_str())
        .collect();
    let decided = direct.iter().filter(|one| one.solved.is_some()).count();
    let by = if solved.is_empty() {
        String::new()
    } else {
        format!(" ({})", solved.join(", "))
    };
    findings.push(match decided {
        0 => "direct: not tried; run the file in direct mode".to_owned(),
        _ => format!("direct: {} of {decided} answers correct{by}", solved.len()),
    });
    match (decided, solved.len()) {
        (0, _) => Verdict::Open,
        (_, 0) => Verdict::Holds,
        _ => Verdict::Fails,
    }
}

fn judges_agree(bank: &Bank, heard: &[&Heard], findings: &mut Vec<String>) -> Verdict {
    let entries = bank.0.len();
    if entries == 0 {
        findings.push(
            "judges: the puzzle has no bank; add questions and finals with their tokens".to_owned(),
        );
        return Verdict::Fails;
    }
    let judges: Vec<&&Heard> = heard
        .iter()
        .filter(|one| one.tokens.len() == entries)
        .collect();
    if judges.len() < heard.len() {
        findings.push("judges: some heard another bank; put this one to them again".to_owned());
    }
    let mut agreed = 0;
    for (at, entry) in bank.0.iter().enumerate() {
        if judges
            .iter()
            .all(|judge| judge.tokens[at] == Some(entry.token))
        {
            agreed += 1;
            continue;
        }
        let said = judges.iter().map(|judge| {
            let token = judge.tokens[at].map_or("unreadable", Token::name);
            format!("{} {token}", judge.judge)
        });
        findings.push(format!(
            "entry {} ({}): the bank says {}; {}",
            at + 1,
            entry.kind.name(),
            entry.token,
            said.collect::<Vec<_>>().join(", ")
        ));
    }
    if judges.len() < JUDGES {
        findings.push(format!(
            "judges: {} of the {JUDGES} that are needed",
            judges.len()
        ));
        return Verdict::Open;
    }
    findings.push(format!(
        "judges: {} agree with the bank on {agreed} of {entries} entries",
        judges.len()
    ));
    match agreed as f64 >= AGREEMENT * entries as f64 {
        true => Verdict::Holds,
        false => Verdict::Fails,
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts =
            BTreeMap::from([(Verdict::Holds, 0), (Verdict::Open, 0), (Verdict::Fails, 0)]);
        for puzzle in &self.0 {
            *counts.entry(puzzle.verdict()).or_default() += 1;
            let word = match puzzle.verdict() {
                Verdict::Holds => "accepted",
                Verdict::Open => "undecided",
                Verdict::Fails => "rejected",
            };
            writeln!(f, "{}: {word}", puzzle.puzzle)?;
            for finding in &puzzle.findings {
                writeln!(f, "  {finding}")?;
            }
        }
        write!(
            f,
            "{} puzzles: {} accepted, {} rejected, {} undecided",
            self.0.len(),
            counts[&Verdict::Holds],
            counts[&Verdict::Fails],
            counts[&Verdict::Open]
        )
    }
}
