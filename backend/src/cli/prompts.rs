//! `turnwise prompts`: the instructions of seats, and a user's own wording of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use turnwise_backend::packs;
use turnwise_backend::run_folder::{at, pretty};
use turnwise_shared::prelude::*;
use turnwise_shared::registry;

use super::Status;
use super::out::{self, say, say_err};
use super::trouble::with_path;

/// Show prompt packs, or make one of your own
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the built-in packs and their templates
    List,
    /// Print a pack's templates
    Show {
        /// A template's name; all if absent
        template: Option<String>,
        /// A pack (JSON). Default: the benchmark's own
        #[arg(long, value_name = "FILE", conflicts_with = "benchmark")]
        pack: Option<PathBuf>,
        /// Whose pack
        #[arg(long, value_name = "NAME", default_value = BENCHMARKS[0].name())]
        benchmark: String,
    },
    /// Make a pack of a folder of templates (NAME.txt), for `turnwise run --pack`
    ///
    #[command(long_about = import_help())]
    Import {
        /// The folder
        folder: PathBuf,
        /// Where the pack is written
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Whose templates they are
        #[arg(long, value_name = "NAME", default_value = BENCHMARKS[0].name())]
        benchmark: String,
        /// What the pack is called if it is not verbatim; the beginning of its digest is added. Default: the folder's name
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
}

/// What a folder of templates may hold.
fn import_help() -> String {
    let verbatim = BENCHMARKS.iter().filter_map(|one| Some(one.verbatim()?.name));
    format!(
        "Make a pack of a folder of templates (NAME.txt), for `turnwise run --pack`\n\n\
         `turnwise prompts list` names the templates; variables are written {{name}}. What the folder lacks is taken from the \
         built-in pack. The folder may hold your copy of the paper's wording, and of the authors' program. Where the digests of \
         the originals are known, each template is rendered and compared with its digest; only if all agree, and nothing else \
         is changed, is the pack called {}.",
        verbatim.collect::<Vec<_>>().join(" or ")
    )
}

/// Lists, shows or imports.
///
/// # Errors
/// If a file cannot be read or written, or a name is not known.
pub fn prompts(arguments: &Arguments) -> Result<Status> {
    match &arguments.command {
        Command::List => {
            for benchmark in registry::BENCHMARKS {
                list(&benchmark.pack());
            }
        }
        Command::Show { template, pack, benchmark } => {
            let pack = match pack {
                Some(path) => read_pack(path)?,
                None => registry::find(benchmark)?.pack(),
            };
            show(&pack, template.as_deref())?;
        }
        Command::Import { folder, out, benchmark, name } => {
            import(registry::find(benchmark)?, folder, out, name.as_deref())?
        }
    }
    Ok(Status::Done)
}

/// Reads a pack from its file.
///
/// # Errors
/// If it is none, or calls itself what it is not.
pub fn read_pack(path: &Path) -> Result<Pack> {
    packs::read_file(path).map_err(anyhow::Error::msg)
}

fn list(pack: &Pack) {
    say!("{}  {}", pack.name, pack.digest());
    for (name, text) in &pack.templates {
        say!("  {name:<20} {:>5} characters", text.chars().count());
    }
}

fn show(pack: &Pack, template: Option<&str>) -> Result<()> {
    match template {
        Some(name) => out::file(pack.template(name)?),
        None => {
            for (name, text) in &pack.templates {
                say!("=== {name}\n{}\n", text.trim_end());
            }
        }
    }
    Ok(())
}

fn import(benchmark: &dyn Benchmark, folder: &Path, out: &Path, name: Option<&str>) -> Result<()> {
    let copy = read_folder(folder)?;
    let own_name = match name {
        Some(name) => name.to_owned(),
        None => std::path::absolute(folder)?
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    };
    let own_name = match benchmark.verbatim().map(|pack| pack.name) {
        Some(verbatim) if own_name.starts_with(verbatim) && name.is_some() => {
            bail!(
                "--name {own_name}: only a pack whose digests all agree is called so; choose another name"
            );
        }
        Some(verbatim) => match own_name.strip_prefix(verbatim) {
            Some(rest) => format!("own{rest}"),
            None => own_name,
        },
        None => own_name,
    };
    let imported = benchmark.import_pack(&own_name, &copy);
    for finding in &imported.findings {
        say!("{finding}");
    }
    for name in &imported.unused {
        say_err!("{name}.txt is not used by any prompt; is its name misspelt?");
    }
    std::fs::write(out, pretty(&imported.pack)).map_err(at(out))?;
    let kind = if imported.is_verbatim {
        "every digest agrees: a run with this pack is verbatim"
    } else {
        "not verbatim"
    };
    say!("{}: {} ({}), {kind}", out.display(), imported.pack.name, imported.pack.digest());
    Ok(())
}

/// The templates of a folder by name.
fn read_folder(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut copy = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        let is_template = path.extension().is_some_and(|extension| extension == "txt");
        if let (true, Some(name)) = (is_template, path.file_stem()) {
            let text = std::fs::read_to_string(&path).map_err(at(&path))?;
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
            copy.insert(name.to_string_lossy().into_owned(), text);
        }
    }
    if copy.is_empty() {
        return Err(with_path(folder, "there is no template (NAME.txt) in it"));
    }
    Ok(copy)
}
