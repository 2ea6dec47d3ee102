//! `turnwise import`: other systems' files in, ours out.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use turnwise_backend::run_folder::at;
use turnwise_shared::benchmarks::interactcomp::dataset;

use super::Status;
use super::trouble::Trouble;

/// Bring in files of other systems
#[derive(Debug, Args)]
pub struct Arguments {
    /// What the file is
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Format,

    /// The file
    file: PathBuf,

    /// Where to write
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The authors' encrypted task file, or a plain one: writes one JSON object a line with id, domain, answer, question and
    /// context. The text is no longer encrypted then: keep it to yourself
    InteractcompTasks,
}

/// Imports.
///
/// # Errors
/// The first row that is wrong, by its number.
pub fn import(arguments: &Arguments) -> Result<Status, Trouble> {
    match arguments.format {
        Format::InteractcompTasks => tasks(&arguments.file, &arguments.out),
    }
}

fn tasks(file: &Path, out: &Path) -> Result<Status, Trouble> {
    let bytes = std::fs::read(file).map_err(at(file))?;
    let set = dataset::load(&bytes, None).map_err(|error| Trouble::with(file, error))?;
    std::fs::write(out, dataset::plain_lines(&set.tasks)).map_err(at(out))?;
    println!("{}: {} tasks", out.display(), set.tasks.len());
    Ok(Status::Done)
}
