//! Commands: which questions of a file resist one search.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::{Value, json};
use turnwise_core::benchmark::Tools;
use turnwise_core::benchmark::tool::{Done, Given, Printed};
use turnwise_core::kit::rows::{self, ROW_LIMIT};
use turnwise_core::prelude::*;
use turnwise_core::task::label_values;
use turnwise_core::transcript::Part;

use crate::NAME;
use crate::grading::{RIGHT, WRONG};
use crate::memory::pretty;
use crate::settings::Mode;
use crate::tasks;

/// How many models must have tried a question.
const MODELS: usize = 2;

pub(super) static TOOLS: LazyLock<Tools> =
    LazyLock::new(|| Tools::read(include_str!("tools.toml"), &[("check", check), ("keep", keep)]));

const RUNS: &str = "DIR|FILE";

/// What runs with one search say of a set of questions.
#[derive(Default)]
struct Evidence {
    /// By question the models that tried it, and whether each was right.
    tried: BTreeMap<TaskId, BTreeMap<String, bool>>,
    /// Who answered so, by the digest of the play.
    players: BTreeMap<String, (TaskId, String)>,
    strange: usize,
    silent: usize,
}

impl Evidence {
    fn of(given: &Given<'_>, set: &TaskSet) -> Result<Evidence, String> {
        let mut evidence = Evidence::default();
        for recorded in given.transcripts(RUNS) {
            let recorded = recorded?;
            let benchmark = &recorded.transcript.header.spec.benchmark;
            if benchmark != NAME {
                return Err(format!(
                    "{}: it is a transcript of {benchmark}; questions are checked by runs of {NAME}",
                    recorded.path
                ));
            }
            evidence.add(set, &recorded.transcript);
        }
        Ok(evidence)
    }

    /// Plays come before gradings. Of a model that tried a question several times one right answer is enough.
    fn add(&mut self, set: &TaskSet, transcript: &Transcript) {
        let header = &transcript.header;
        let of = &header.task;
        if !set.holds(&of.id, of.digest) {
            self.strange += usize::from(header.part == Part::Play);
            return;
        }
        let player = header.spec.seats.get(&Seat::new(Seat::PLAYER));
        let player = player.map(|sitting| sitting.player.to_string()).unwrap_or_default();
        let is_single = header.spec.settings["mode"] == Mode::SingleSearch.name();
        match &header.part {
            Part::Play if is_single && !player.starts_with("bot:") => {
                self.players.insert(transcript.chain.to_string(), (of.id.clone(), player));
            }
            Part::Play => self.silent += 1,
            Part::Grading { play } => {
                let verdict = transcript.outcome().and_then(|outcome| outcome.verdict());
                let is_right = match verdict {
                    Some(RIGHT) => true,
                    Some(WRONG) => false,
                    _ => return,
                };
                if let Some((task, player)) = self.players.get(&play.to_string()) {
                    let tried = self.tried.entry(task.clone()).or_default();
                    *tried.entry(player.clone()).or_default() |= is_right;
                }
            }
        }
    }

    /// Whether a question is too easy; `None` while too few models tried it.
    fn is_easy(&self, task: &TaskId) -> Option<bool> {
        let tried = self.tried.get(task).filter(|tried| tried.len() >= MODELS);
        let resists = |tried: &BTreeMap<String, bool>| tried.values().any(|right| !right);
        // One that resists is enough, however many there are still to try.
        let known = self.tried.get(task).filter(|tried| resists(tried)).or(tried)?;
        Some(!resists(known))
    }
}

fn set_of(given: &Given<'_>) -> Result<TaskSet, String> {
    let file = given.file("FILE").ok_or("no file was named")?;
    tasks::read(&file.name, &file.bytes).map_err(|bad| format!("{}: {bad}", file.path))
}

fn word(is_easy: Option<bool>) -> &'static str {
    match is_easy {
        Some(true) => "rejected",
        Some(false) => "kept",
        None => "undecided",
    }
}

fn check(given: &Given<'_>) -> Result<Done, String> {
    let set = set_of(given)?;
    let evidence = Evidence::of(given, &set)?;
    let verdicts: Vec<(&TaskId, Option<bool>)> =
        set.tasks.iter().map(|task| (&task.id, evidence.is_easy(&task.id))).collect();
    let count = |wanted| verdicts.iter().filter(|(_, verdict)| *verdict == wanted).count();
    let counts = counted(&set);
    let is_sound = count(Some(true)) == 0;
    let printed = if given.has("json") {
        let question = |(task, verdict): &(&TaskId, Option<bool>)| json!({ "id": task, "verdict": word(*verdict), "answered": evidence.tried.get(*task) });
        Printed::Json(json!({
            "questions": verdicts.iter().map(question).collect::<Vec<Value>>(),
            "labels": counts,
            "other_questions": evidence.strange,
            "left_out": evidence.silent,
        }))
    } else {
        let mut lines = vec![format!(
            "{} questions: {} kept, {} rejected, {} undecided",
            set.tasks.len(),
            count(Some(false)),
            count(Some(true)),
            count(None)
        )];
        for (task, verdict) in verdicts.iter().filter(|(_, verdict)| *verdict == Some(true)) {
            let models: Vec<&String> = evidence.tried[*task].keys().collect();
            lines.push(format!("{task}: {}; one search is enough for {models:?}", word(*verdict)));
        }
        for (name, values) in &counts {
            let mut values: Vec<_> = values.iter().collect();
            values.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let values: Vec<_> =
                values.iter().map(|(value, count)| format!("{value} {count}")).collect();
            lines.push(format!("{name}: {}", values.join(", ")));
        }
        for (count, why) in [
            (evidence.strange, "are of other questions, or of other versions of these"),
            (evidence.silent, "are of bots or of other modes"),
        ] {
            if count > 0 {
                lines.push(format!("note: {count} transcripts {why}; they are left out"));
            }
        }
        Printed::Text(lines.join("\n"))
    };
    Ok(Done { printed, files: Vec::new(), is_sound })
}

/// How many questions have which value of a label.
fn counted(set: &TaskSet) -> BTreeMap<&str, BTreeMap<&str, u32>> {
    let mut counts: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    for (name, values) in set.tasks.iter().flat_map(|task| &task.labels) {
        let counts = counts.entry(name).or_default();
        for value in label_values(values) {
            *counts.entry(value).or_default() += 1;
        }
    }
    counts
}

fn keep(given: &Given<'_>) -> Result<Done, String> {
    let set = set_of(given)?;
    let evidence = Evidence::of(given, &set)?;
    let easy: BTreeSet<&TaskId> = set
        .tasks
        .iter()
        .map(|task| &task.id)
        .filter(|task| evidence.is_easy(task) == Some(true))
        .collect();
    let file = given.file("FILE").ok_or("no file was named")?;
    let rows = rows::objects(&file.bytes, Dialect::Strict, ROW_LIMIT);
    let mut kept = Vec::new();
    // In the order of the set, which is that of the file.
    for (row, task) in rows.zip(&set.tasks) {
        let (_, row) = row.map_err(|bad| bad.to_string())?;
        if !easy.contains(&task.id) {
            kept.push(Json::Object(row));
        }
    }
    let said = format!("{} of {} questions kept", kept.len(), set.tasks.len());
    Ok(Done { files: vec![pretty(&Json::List(kept)).into_bytes()], ..Done::text(said) })
}
