//! `turnwise worlds`: making worlds for Mind-ParaWorld, and checking any file of them.

mod freeze;

mod check;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use turnwise_backend::run_folder::at;
use turnwise_shared::benchmarks::paraworld::task::{Language, Manifest, Tier, lines, load};
use turnwise_shared::benchmarks::paraworld::worlds::{self, Family, Names, Recipe};
use turnwise_shared::benchmarks::studio::pools;

use super::Status;
use super::out::{say, say_err};
use super::trouble::Trouble;

/// Make worlds for Mind-ParaWorld, or check a file of worlds
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Build fresh worlds by rule: questions about an invented future, with facts and a computed answer
    ///
    /// The same words build the same worlds, anywhere. Every world has exactly one answer, which a solver of its own finds
    /// again from the question and the facts; no fact alone gives it, and none can be left out. Beside FILE a manifest is
    /// written, FILE without its ending + .manifest.json, with hashes, counts and the seed. Keep the seed secret where the
    /// worlds are to stay unknown.
    Build(Build),
    /// Check a file of worlds, the official ones and ours
    ///
    /// A row that cannot be used is named with its row and field, and the others are still checked. Worlds of our builder
    /// are held to all its guarantees; on worlds from elsewhere what cannot be checked, bare keys and shared values are
    /// warnings. Exit status 1 if there is an error, 0 if there are warnings only.
    Check(Check),
    /// Write what a run of the world studio accepted as a file of worlds, with its manifest
    ///
    /// The run is one of `turnwise run --benchmark worlds`, finished or not. Worlds stand in the order of domains, pairs and
    /// levels, whatever the order in which they were made. Exit status 1 if a world has an error.
    Freeze(freeze::Freeze),
}

#[derive(Debug, Args)]
struct Build {
    /// Decides everything else
    #[arg(long, value_name = "N")]
    seed: u64,

    /// The size of the worlds: easy 1 to 5 facts, mid 6 to 10, hard 11 and more; all = the three in turn
    #[arg(long, value_enum, default_value = "all", value_name = "TIER")]
    tier: TierName,

    /// How many worlds
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000), value_name = "N")]
    count: u32,

    /// The language; both = three in English, three in Chinese, and again
    #[arg(long, value_enum, default_value = "en", value_name = "LANGUAGE")]
    lang: LanguageName,

    /// Only this kind of question: comparison, ratio, count, index or chain. Default: by chance
    #[arg(long, value_parser = family, value_name = "FAMILY")]
    family: Option<Family>,

    /// Only this category, e.g. Band. Default: by chance
    #[arg(long, value_name = "CATEGORY")]
    category: Option<String>,

    /// Names to use in place of invented ones: a file of pools as the world studio reads it, a JSON object a line:
    /// {"domain": "Band", "entities": ["…", {"name": "Ada Choir", "aliases": ["阿达合唱团"]}]}. The domain is one of the
    /// categories; each needs at least 12 names in the language, none of which lies in another, without digits, commas,
    /// "and" or "和"
    #[arg(long, value_name = "FILE")]
    pool: Option<PathBuf>,

    /// Where to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Write over files that are there
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Args)]
struct Check {
    /// The file, JSON Lines
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print JSON for programs
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TierName {
    Easy,
    Mid,
    Hard,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LanguageName {
    En,
    Zh,
    Both,
}

fn family(name: &str) -> Result<Family, String> {
    Family::ALL
        .into_iter()
        .find(|family| family.name() == name)
        .ok_or_else(|| {
            let names = Family::ALL.map(Family::name);
            format!("write one of {}", names.join(", "))
        })
}

/// Builds or checks.
///
/// # Errors
/// If a file cannot be read or written, or what was asked for cannot be built.
pub fn worlds(arguments: &Arguments) -> Result<Status, Trouble> {
    match &arguments.what {
        What::Build(build) => build.run(),
        What::Check(check) => check.run(),
        What::Freeze(freeze) => freeze.run(),
    }
}

/// How many worlds are built between two lines of progress.
const SLICE: u32 = 250;

impl Build {
    fn run(&self) -> Result<Status, Trouble> {
        let beside = manifest_path(&self.out);
        must_have_folder(&self.out)?;
        if !self.force {
            must_be_free([&self.out, &beside])?;
        }
        let names = self.names()?;
        let recipe = Recipe {
            seed: self.seed,
            tier: match self.tier {
                TierName::Easy => Some(Tier::Easy),
                TierName::Mid => Some(Tier::Mid),
                TierName::Hard => Some(Tier::Hard),
                TierName::All => None,
            },
            count: self.count,
            language: match self.lang {
                LanguageName::En => Some(Language::En),
                LanguageName::Zh => Some(Language::Zh),
                LanguageName::Both => None,
            },
            family: self.family,
            category: self.category.clone(),
        };
        let mut text = String::new();
        for number in 0..self.count {
            let order = recipe.order(number);
            for mut world in worlds::build_of(&order, names.as_ref())? {
                world.line = number;
                text.push_str(&lines([&world]));
            }
            let done = number + 1;
            if done % SLICE == 0 && done < self.count {
                say_err!("{done} of {} worlds", self.count);
            }
        }
        let set = load(text.as_bytes())?;
        let mut manifest = Manifest::of(name_of(&self.out), &set);
        manifest.seeds = BTreeMap::from([("worlds".to_owned(), self.seed)]);
        write(&self.out, text.as_bytes())?;
        write(
            &beside,
            format!("{}\n", serde_json::to_string_pretty(&manifest)?).as_bytes(),
        )?;
        say!("{}: {}", self.out.display(), counted(&manifest));
        say!("{}: sha256 {}", beside.display(), manifest.sha256);
        Ok(Status::Done)
    }

    fn names(&self) -> Result<Option<Names>, Trouble> {
        let Some(path) = &self.pool else {
            return Ok(None);
        };
        let bytes = std::fs::read(path).map_err(at(path))?;
        let read = pools::read(&name_of(path), &bytes)?;
        let named = read.pools.into_iter();
        let names = Names::new(named.map(|pool| (pool.domain, pool.entities)));
        Ok(Some(names.map_err(|error| Trouble::with(path, error))?))
    }
}

/// Nothing is computed for a folder that is not there.
fn must_have_folder(file: &Path) -> Result<(), Trouble> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(Trouble::with(file, "there is no such folder"))
        }
        _ => Ok(()),
    }
}

/// What nobody wants to write over is left alone.
fn must_be_free(paths: [&PathBuf; 2]) -> Result<(), Trouble> {
    match paths.into_iter().find(|path| path.exists()) {
        None => Ok(()),
        Some(path) => Err(Trouble::with(
            path,
            "it is there already; name another file, or write over it with --force",
        )),
    }
}

/// `worlds.jsonl` has its manifest in `worlds.manifest.json`.
fn manifest_path(file: &Path) -> PathBuf {
    file.with_extension("manifest.json")
}

fn name_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Counts by tier, category and language, in words.
fn counted(manifest: &Manifest) -> String {
    let mut text = format!("{} worlds", manifest.worlds);
    let mut part = |name: &str, counts: Vec<(String, u32)>| {
        let counts: Vec<String> = counts
            .into_iter()
            .map(|(value, n)| format!("{value} {n}"))
            .collect();
        if !counts.is_empty() {
            let _ = write!(text, "; {name} {}", counts.join(", "));
        }
    };
    let tiers = manifest.per_tier.iter();
    part(
        "tier",
        tiers
            .map(|(tier, n)| (tier.name().to_owned(), *n))
            .collect(),
    );
    let languages = manifest.per_language.iter();
    part(
        "language",
        languages
            .map(|(language, n)| (language.code().to_owned(), *n))
            .collect(),
    );
    let categories = manifest.per_category.iter();
    part(
        "category",
        categories.map(|(name, n)| (name.clone(), *n)).collect(),
    );
    text
}

/// Writes a file so that it is there as a whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    std::fs::write(&part, bytes).map_err(at(&part))?;
    Ok(std::fs::rename(&part, path).map_err(at(path))?)
}
