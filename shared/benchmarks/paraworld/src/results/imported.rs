//! Judged lines as transcripts of origin `imported`: what the lines tell, and nothing more (specification 10;
//! ARCHITECTURE.md, rule 5).
//!
//! Such a transcript has no calls, because they are unknown. It can be read and measured, and never replayed. A line does
//! not tell in which order everything happened, so the counts stand in a note of their own
//! ([`NUMBERS`](crate::noted::event::NUMBERS)), and the turns beside them are for the eye.

mod play;

use std::collections::BTreeMap;

use serde_json::json;

use super::{Judged, ResultLine, Results, Setting as Told};
use crate::reading::judge::{JudgeStatus, Verdict};
use crate::settings::Setting;
use crate::task::{Language, World, Worlds, label};
use turnwise_core::formats::ImportedEpisode;
use turnwise_core::kit::records::closed;
use turnwise_core::prelude::*;
use turnwise_core::python::strip;
use turnwise_core::spec::Named;
use turnwise_core::task::{question_id, texts};

/// What is known of a run besides its file of results.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    pub model: &'a str,
    /// The setting; lines of B, C and custom look alike. `None` = what the lines tell.
    pub setting: Option<Setting>,
    /// The worlds over which the run was made, with the file's name.
    pub worlds: Option<(&'a str, &'a Worlds)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    pub episodes: Vec<ImportedEpisode>,
    pub plays: usize,
    /// Numbers of lines whose world is not among the given ones, from 1.
    pub unmatched: Vec<usize>,
}

/// Makes transcripts: for each [line that counts](Results::counted) its episode, and its grading where it was judged. Lines
/// are matched to worlds by reference answer and question, else by reference answer and number; one that matches none has
/// the [`question_id`] of its question.
///
/// # Errors
/// If the setting is not known, or lines are of another.
pub fn transcripts(results: &Results, known: &Known<'_>) -> Result<Imported, BadRow> {
    let rows = results.counted();
    let setting = setting(&rows, known.setting.or_else(|| results.setting()))?;
    let spec = spec(&rows, setting, known);
    let mut repeats: BTreeMap<TaskId, u32> = BTreeMap::new();
    let mut imported = Imported { episodes: Vec::new(), plays: 0, unmatched: Vec::new() };
    let worlds = known.worlds.map(|(_, worlds)| Answers::of(worlds));
    for row in rows {
        let world = worlds.as_ref().and_then(|worlds| worlds.world_of(row));
        if worlds.is_some() && world.is_none() {
            imported.unmatched.push(row.number);
        }
        let task = task(row, world);
        let repeat = repeats.entry(task.id.clone()).or_default();
        *repeat = match &row.beside {
            Some(beside) => beside.repeat,
            None => *repeat + 1,
        };
        let grading = verdict(row).map(|closed| vec![closed]);
        let play = play::play(row, world);
        imported.episodes.extend(ImportedEpisode::play(&spec, task, *repeat, play, grading));
        imported.plays += 1;
    }
    Ok(imported)
}

const NO_SETTING: &str = "the lines are of B, C or custom, which look alike; name the setting with --setting B-guidance, B-few-shot, C \
                          or custom; neither the lines nor a path laid out as the authors' code lays it out, such as \
                          settingC_results/MODEL/, tell it";

fn setting(rows: &[&ResultLine], named: Option<Setting>) -> Result<Setting, BadRow> {
    let oracle = |row: &ResultLine| row.setting == Told::Oracle;
    let first = rows.first().is_some_and(|row| oracle(row));
    let wanted = named.or(first.then_some(Setting::Oracle));
    let wanted = wanted.ok_or_else(|| BadRow::file(NO_SETTING))?;
    match rows.iter().find(|row| oracle(row) != (wanted == Setting::Oracle)) {
        Some(row) => {
            let found = if oracle(row) { "A" } else { "B, C or custom" };
            let problem = format!("it is a line of {found}, not of {}", wanted.name());
            Err(BadRow::row(row.number, problem))
        }
        None => Ok(wanted),
    }
}

fn spec(rows: &[&ResultLine], setting: Setting, known: &Known<'_>) -> Spec {
    let mut settings = json!({ "setting": setting });
    let turns: Vec<u32> = rows.iter().map(|row| row.episode.max_turns).collect();
    if let Some(most) = turns.iter().copied().max().filter(|most| *most > 0) {
        settings["turns"] = json!(most);
    }
    let tasks = match known.worlds {
        Some((name, worlds)) => {
            Named { name: name.to_owned(), digest: worlds.to_task_set(name).digest }
        }
        None => Named {
            name: "imported".to_owned(),
            digest: Digest::of_parts(
                rows.iter().map(|row| row.question().unwrap_or_default().as_bytes()),
            ),
        },
    };
    let mut spec = Spec::imported("paraworld", settings, tasks, known.model);
    // Lines of ours say in which profile they were played; those of the authors are of their program.
    let profiles = rows.iter().map(|row| Some(row.beside.as_ref()?.profile));
    if profiles.eq(rows.iter().map(|_| Some(Profile::Strict))) {
        spec.profile = Profile::Strict;
    }
    if let Some(beside) = rows.first().and_then(|row| row.beside.as_ref()) {
        spec.seed = beside.seed;
    }
    spec
}

/// Worlds by their reference answer.
struct Answers<'a>(BTreeMap<&'a str, Vec<&'a World>>);

impl<'a> Answers<'a> {
    fn of(worlds: &'a Worlds) -> Self {
        let mut answers: BTreeMap<&str, Vec<&World>> = BTreeMap::new();
        for world in &worlds.worlds {
            answers.entry(strip(&world.answer)).or_default().push(world);
        }
        Answers(answers)
    }

    fn world_of(&self, row: &ResultLine) -> Option<&'a World> {
        let alike = self.0.get(strip(row.ground_truth()?))?;
        let asked = row.question().map(strip).unwrap_or_default();
        let same = |world: &&&World| asked == strip(world.question());
        let within = |world: &&&World| asked.contains(strip(world.question()));
        // Setting A writes a world's own number, the others the number of its line.
        let numbered = |world: &&&World| match (row.index, row.setting) {
            (None, _) => false,
            (index, Told::Oracle) => world.index == index,
            (Some(index), Told::Search) => i64::from(world.line) == index,
        };
        let mut found = alike.iter().find(same);
        found = found.or_else(|| alike.iter().find(within));
        found.or_else(|| alike.iter().find(numbered)).copied()
    }
}

fn task(row: &ResultLine, world: Option<&World>) -> TaskRef {
    if let Some(world) = world {
        let task = world.to_core();
        return TaskRef { id: task.id, digest: task.digest, labels: task.labels };
    }
    if let Some(beside) = &row.beside {
        return beside.task.clone();
    }
    let question = row.question().unwrap_or_default();
    let id = match (question, row.index) {
        ("", Some(index)) => TaskId(format!("line-{index}")),
        ("", None) => TaskId(format!("row-{}", row.number)),
        (question, _) => question_id(question),
    };
    let labels = [
        (label::CATEGORY, row.category.as_str()),
        (label::TIER, row.episode.tier().name()),
        (label::LANGUAGE, Language::of(question).name()),
    ];
    TaskRef {
        digest: Digest::of(if question.is_empty() { &id.0 } else { question }),
        id,
        labels: texts(labels),
    }
}

/// How the line was judged; `None` where it was not.
fn verdict(row: &ResultLine) -> Option<Event> {
    let (verdict, word) = match row.verdict {
        Judged::Verdict(verdict) => (verdict, verdict.name()),
        // Older judges knew more words, none of which is a right answer.
        Judged::Other => (Verdict::Incorrect, "another word"),
        Judged::Missing => return None,
    };
    let ending = row.judge_status.unwrap_or(JudgeStatus::Success).ending();
    Some(closed(ending, json!({ "verdict": verdict, "said": word })))
}
