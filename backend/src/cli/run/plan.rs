//! From the command line, from `run.json` or from a recorded run to what a run is made of.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use serde_json::{Map, Value};

use turnwise_backend::run_folder::{self, RunFile};
use turnwise_shared::archive::Archives;
use turnwise_shared::benchmark::{Setup, drafted};
use turnwise_shared::difference::difference;
use turnwise_shared::effect::PAGE;
use turnwise_shared::prelude::*;
use turnwise_shared::run::{self, Ingredients};
use turnwise_shared::spec::Subset;
use turnwise_shared::wire::naming;

use super::{Arguments, Players, REPEATS, lineup};
use crate::cli::day;
use crate::cli::recordings::{Recordings, key, on_recording};
use crate::cli::searched::{Corpora, Searched};
use crate::cli::seats::Sampled;
use crate::cli::subset;
use crate::cli::tasks::Tasks;
use crate::cli::trouble::with_path;
use crate::cli::web::Web;

/// What a run is made of, before anything is opened.
pub struct Plan {
    /// The benchmark that the spec names.
    benchmark: &'static dyn Benchmark,
    /// The spec; a recording stands in its seats as itself.
    pub spec: Spec,
    pub tasks: Tasks,
    pub pack: Pack,
    pub searched_by: Option<Searched>,
    pub web: Option<Web>,
    pub title: String,
    /// By which people find it.
    pub tags: Vec<String>,
    /// What the person who gave the flags must know, each in a sentence.
    pub notes: Vec<String>,
    recordings: Recordings,
}

fn title(text: &str) -> Result<String> {
    naming::title(text).map_err(|bad| anyhow!("--title: {bad}"))
}

fn tags(given: &[String]) -> Result<Vec<String>> {
    naming::tags(given).map_err(|bad| anyhow!("--tag: {bad}"))
}

impl Plan {
    /// The plan of a run, from the flags. One that was `begun` keeps its date.
    ///
    /// # Errors
    /// Which flag is wrong, and what would be right.
    pub fn from_flags(
        flags: &Arguments,
        begun: Option<&RunFile>,
        corpus: &mut dyn Corpora,
    ) -> Result<Self> {
        let benchmark = registry::find(flags.benchmark.as_deref().unwrap_or_default())?;
        let is_planned = benchmark.task_source() == TaskSource::Spec;
        if let (true, Some(path)) = (is_planned, &flags.tasks) {
            bail!(
                "--tasks {}: {} has no task file; what is played follows from its settings",
                path.display(),
                benchmark.name()
            );
        }
        let pack = match &flags.pack {
            Some(path) => crate::cli::prompts::read_pack(path)?,
            None => benchmark.pack(),
        };
        let sampled = Sampled {
            temperature: flags.temperature.clone(),
            top_p: flags.top_p.clone(),
            max_tokens: flags.max_tokens.clone(),
            stop: flags.stop.clone(),
            seed: flags.model_seed.clone(),
            effort: flags.effort.clone(),
            thinking_tokens: flags.thinking_tokens.clone(),
            form: flags.form.clone(),
        };
        let Players { seats, names } = lineup(benchmark, &flags.players)?;
        let named = if seats.is_empty() { &flags.seat } else { &seats };
        let seed = flags.seed.unwrap_or(1);
        let mut settings = settings(benchmark, flags, begun)?;
        if !names.is_empty() {
            settings[Spec::NAMES] = names.into_iter().collect();
        }
        // Where repeats are a setting of the benchmark, its tasks are the repeats.
        let repeats_are_tasks = settings.get(REPEATS).is_some();
        let mut spec = Spec {
            pack: Named::from(&pack),
            seed,
            repeats: flags.repeats.filter(|_| !repeats_are_tasks).unwrap_or(1),
            ..drafted(benchmark, flags.profile.unwrap_or_default(), settings)
        };
        let setup = Setup::from(&spec);
        spec.seats = crate::cli::seats::lineup(benchmark, setup, named, &sampled)?;
        let tasks = if is_planned {
            Tasks::planned(benchmark, &spec)?
        } else {
            Tasks::load(benchmark, flags.tasks.as_deref())?
        };
        let mut notes = Vec::new();
        if let Some(provenance) = tasks.provenance(benchmark) {
            notes.push(format!("{} is {provenance}", tasks.file.name));
        }
        spec.tasks = Named::from(&tasks.set);
        spec.subset = chosen(flags, &tasks.set, seed)?;
        spec.budget = budget(flags, benchmark.default_budget(&spec));
        let mut recordings = Recordings::default();
        recordings.load(&spec.seats)?;
        let web =
            flags.web.clone().or_else(|| recordings.web_of_player(&spec.seats)).or_else(|| {
                let is_sample = flags.tasks.is_none() && benchmark.lacks(&spec, "web");
                is_sample.then_some(Web::Sample)
            });
        if let Some(web) = &web {
            spec.web = Some(recordings.web(web)?);
            let tasks = &tasks.set.tasks;
            if !tasks.iter().any(|task| benchmark.uses(&spec, task, PAGE)) {
                bail!(
                    "--web {web}: {} reads no pages under these settings; leave it out",
                    benchmark.name()
                );
            }
        }
        let searched_by = match flags.search.first() {
            Some(searched) => Some(searched.clone()),
            None => recordings.of_player(&spec.seats),
        };
        let searched_by = searched_by.or_else(|| match &web {
            _ if !benchmark.lacks(&spec, "search") => None,
            Some(Web::Sample) => Some(Searched::Sample),
            Some(Web::Frozen(folders)) => Some(Searched::Frozen(folders.clone())),
            Some(Web::Live | Web::Recording(_)) | None => None,
        });
        let searched_by = searched_by.or_else(|| {
            // With tasks of one's own the reference code's way is kept: without an engine every search comes to nothing.
            let by_default = flags.tasks.is_none() || spec.profile == Profile::Strict;
            let needs_one = by_default && benchmark.lacks(&spec, "search");
            if needs_one && flags.tasks.is_some() {
                notes.push("no --search was given; the sample documents are searched".to_owned());
            }
            needs_one.then(|| Searched::Engine { name: "local".to_owned(), documents: None })
        });
        if let Some(searched) = &searched_by {
            spec.search = Some(recordings.search(searched, benchmark.search_results(), corpus)?);
        }
        Ok(Plan {
            benchmark,
            spec,
            tasks,
            pack,
            searched_by,
            web,
            title: String::new(),
            tags: Vec::new(),
            notes,
            recordings,
        })
    }

    /// The plan of a run that was begun in `folder`.
    ///
    /// # Errors
    /// If what it needs is not there any more.
    pub fn of_run(folder: &Path, run: RunFile, corpus: &mut dyn Corpora) -> Result<Self> {
        let mut spec = run.spec;
        let benchmark = registry::find(&spec.benchmark)?;
        let tasks = Tasks::of_folder(benchmark, folder, &run.tasks, &spec)?
            .ok_or_else(|| with_path(folder, "the copy of its task file (tasks.dat) is missing"))?;
        same_tasks(folder, &spec, &tasks)?;
        let pack = run_folder::pack_file(folder)?
            .ok_or_else(|| with_path(folder, "its prompt pack (pack.json) is missing"))?;
        same_pack(folder, &spec, &pack)?;
        let mut recordings = Recordings::default();
        recordings.load(&run.answered_by)?;
        spec.seats = run.answered_by;
        let searched_by: Option<Searched> =
            run.searched_by.map(|text| text.parse()).transpose().map_err(anyhow::Error::msg)?;
        if let (Some(searched), Some(recorded)) = (&searched_by, &spec.search) {
            let found = recordings.search(searched, recorded.results, corpus)?;
            if found != *recorded {
                bail!("--search {searched} holds other documents now than when the run was begun");
            }
        }
        let web: Option<Web> =
            run.web.map(|text| text.parse()).transpose().map_err(anyhow::Error::msg)?;
        if let Some(web) = &web
            && Some(recordings.web(web)?) != spec.web
        {
            bail!("--web {web} holds other pages now than when the run was begun");
        }
        Ok(Plan {
            benchmark,
            spec,
            tasks,
            pack,
            searched_by,
            web,
            title: run.title,
            tags: run.tags,
            notes: Vec::new(),
            recordings,
        })
    }

    /// The plan that drives the recorded run of `folder` again: everything as it was, and all who were asked on its recording.
    ///
    /// # Errors
    /// If the folder holds no run, or the tasks are not at hand.
    pub fn redriven(folder: &Path, flags: &Arguments) -> Result<Self> {
        let mut recordings = Recordings::default();
        let recording = recordings.recording(folder)?;
        let run = run_folder::run_file(folder)?;
        let (mut spec, title, tags) = match &run {
            Some(run) => (run.spec.clone(), run.title.clone(), run.tags.clone()),
            None => (only_spec(folder)?, String::new(), Vec::new()),
        };
        let benchmark = registry::find(&spec.benchmark)?;
        let tasks = match (&run, &flags.tasks) {
            (_, Some(path)) => Some(Tasks::load(benchmark, Some(path))?),
            (Some(run), None) => Tasks::of_folder(benchmark, folder, &run.tasks, &spec)?,
            (None, None) if benchmark.task_source() == TaskSource::Spec => {
                Some(Tasks::planned(benchmark, &spec)?)
            }
            (None, None) => Some(Tasks::load(benchmark, None)?),
        };
        let tasks =
            tasks.ok_or_else(|| with_path(folder, "its tasks are not there; give --tasks PATH"))?;
        same_tasks(folder, &spec, &tasks)?;
        let pack = match &flags.pack {
            Some(path) => crate::cli::prompts::read_pack(path)?,
            None => run_folder::pack_file(folder)?.unwrap_or_else(|| benchmark.pack()),
        };
        same_pack(folder, &spec, &pack)?;
        for sitting in spec.seats.values_mut() {
            *sitting = on_recording(folder);
        }
        let searched_by = spec.search.as_ref().map(|_| Searched::Recording(folder.into()));
        if searched_by.is_some() {
            recordings.answers_searches(recording);
        }
        let web = spec.web.map(|_| Web::Recording(folder.into()));
        if let Some(web) = &web {
            recordings.web(web)?;
        }
        let notes = Vec::new();
        Ok(Plan { benchmark, spec, tasks, pack, searched_by, web, title, tags, notes, recordings })
    }

    /// The same, with the name and the tags of the flags, where they have some.
    ///
    /// # Errors
    /// If one cannot be used.
    pub fn named(self, flags: &Arguments) -> Result<Self> {
        Ok(Plan {
            title: match &flags.title {
                Some(text) => title(text)?,
                None => self.title,
            },
            tags: match flags.tags.as_slice() {
                [] => self.tags,
                given => tags(given)?,
            },
            ..self
        })
    }

    /// Its name, else what a run of this spec is called.
    pub fn title_of(&self, spec: &Spec) -> String {
        naming::title_or_default(self.title.clone(), self.benchmark, spec)
    }

    /// Who answers, as it was said.
    pub fn answered_by(&self) -> &Lineup {
        &self.spec.seats
    }

    /// What pages and searches are answered from, where the spec says so.
    pub fn archives(&self) -> Archives {
        self.recordings.archives()
    }

    /// Everything that the core needs, with `concurrency` calls at once, and `permits` of single seats.
    pub fn ingredients(
        &self,
        concurrency: NonZeroUsize,
        permits: &BTreeMap<Seat, NonZeroUsize>,
    ) -> Ingredients {
        let own = permits.iter().map(|(seat, permits)| (seat.clone(), permits.get())).collect();
        let mut spec = self.spec.clone();
        for sitting in spec.seats.values_mut() {
            if let Player::Recording(folder) = &sitting.player {
                sitting.player = Player::Recording(key(Path::new(folder)));
            }
        }
        Ingredients {
            benchmark: self.benchmark,
            limits: run::limits(self.benchmark, &spec, concurrency.get(), &own),
            spec,
            tasks: self.tasks.set.clone(),
            pack: self.pack.clone(),
            recordings: self.recordings.all(),
        }
    }
}

/// The spec of a folder without `run.json`: that of its transcripts.
fn only_spec(folder: &Path) -> Result<Spec> {
    let mut specs = run_folder::transcript_files(folder)?
        .into_iter()
        .map(|file| Ok((run_folder::read_transcript(&file)?.header.spec, file)));
    let Some(first) = specs.next() else {
        return Err(with_path(folder, "there is no transcript in it"));
    };
    let (spec, first_file) = first.map_err(|error: run_folder::FolderError| error)?;
    for other in specs {
        let (other, file) = other?;
        if let Some(found) = difference(&spec, &other) {
            bail!(
                "{} and {} are of different runs: {} is {} and {}",
                first_file.display(),
                file.display(),
                found.path,
                found.one,
                found.other
            );
        }
    }
    Ok(spec)
}

fn same_tasks(folder: &Path, spec: &Spec, tasks: &Tasks) -> Result<()> {
    if tasks.set.digest == spec.tasks.digest {
        return Ok(());
    }
    Err(with_path(
        folder,
        format!(
            "its tasks are {} ({}), and these are {} ({}); give --tasks PATH",
            spec.tasks.name,
            spec.tasks.digest.short(),
            tasks.set.name,
            tasks.set.digest.short()
        ),
    ))
}

fn same_pack(folder: &Path, spec: &Spec, pack: &Pack) -> Result<()> {
    if pack.digest() == spec.pack.digest {
        return Ok(());
    }
    Err(with_path(
        folder,
        format!(
            "its prompt pack is {} ({}), and this one is {} ({}); give --pack FILE",
            spec.pack.name,
            spec.pack.digest.short(),
            pack.name,
            pack.digest().short()
        ),
    ))
}

fn settings(
    benchmark: &dyn Benchmark,
    flags: &Arguments,
    begun: Option<&RunFile>,
) -> Result<Value> {
    let mut settings = match benchmark.settings(flags.profile.unwrap_or_default(), Map::new()) {
        Value::Object(settings) => settings,
        _ => Map::new(),
    };
    flags.settings.apply(benchmark, &mut settings)?;
    if let (Some(repeats), Some(setting)) = (flags.repeats, settings.get_mut(REPEATS)) {
        *setting = Value::from(repeats);
    }
    for setting in &flags.set {
        let (name, value) =
            setting.split_once('=').ok_or_else(|| anyhow!("--set {setting}: write NAME=VALUE"))?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        settings.insert(name.to_owned(), value);
    }
    let schema = benchmark.schema();
    let before = begun.and_then(|begun| begun.spec.settings[schema.today].as_str()?.parse().ok());
    Ok(schema.opened(Value::Object(settings), before.or_else(|| Day::of(day::now()))))
}

fn chosen(flags: &Arguments, tasks: &TaskSet, seed: u64) -> Result<Subset> {
    let mut chosen = match &flags.subset {
        Some(text) => subset::read(text, tasks, seed)?,
        None => Subset::default(),
    };
    chosen.first = flags.limit;
    Ok(chosen)
}

fn budget(flags: &Arguments, default: Budget) -> Budget {
    Budget {
        calls: flags.budget_calls.unwrap_or(default.calls),
        tokens: flags.budget_tokens,
        searches: flags.budget_searches,
        ..default
    }
}
