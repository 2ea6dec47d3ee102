//! The flags that formats declare: what can be said beside a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Result, anyhow};
use clap::error::Error;
use clap::{Arg, ArgMatches, Command, FromArgMatches};

use turnwise_shared::formats::{File, Flag, Importer};

use super::{importers, listed, read};

/// A flag and the formats that have it, as `--help` lists them.
struct Declared {
    flag: &'static Flag,
    formats: String,
}

static DECLARED: LazyLock<Vec<Declared>> = LazyLock::new(|| {
    let mut all: Vec<(&'static Flag, Vec<&str>)> = Vec::new();
    for importer in importers() {
        for flag in importer.flags {
            match all.iter_mut().find(|(other, _)| other.name == flag.name) {
                Some((_, formats)) => formats.push(importer.name),
                None => all.push((flag, vec![importer.name])),
            }
        }
    }
    all.into_iter().map(|(flag, formats)| Declared { flag, formats: listed(&formats) }).collect()
});

/// The values that were given, by flag.
#[derive(Debug)]
pub struct Beside(BTreeMap<&'static str, String>);

impl Beside {
    /// Refuses flags that a format does not have.
    pub fn check(&self, importer: Option<&Importer>) -> Result<()> {
        let has = |name: &str| importer.is_some_and(|importer| find(importer, name).is_some());
        let foreign =
            DECLARED.iter().find(|one| self.0.contains_key(one.flag.name) && !has(one.flag.name));
        foreign.map_or(Ok(()), |one| {
            Err(anyhow!("--{} belongs to --format {}", one.flag.name, one.formats))
        })
    }

    /// The values that are no files.
    pub fn values(&self, importer: &Importer) -> BTreeMap<&'static str, String> {
        let values = self.0.iter();
        values
            .filter(|(name, _)| find(importer, name).is_some_and(|flag| !flag.is_file))
            .map(|(name, value)| (*name, value.clone()))
            .collect()
    }

    /// The files that are named, read.
    pub fn files(&self, importer: &Importer) -> Result<BTreeMap<&'static str, File>> {
        let values = self.0.iter();
        values
            .filter(|(name, _)| find(importer, name).is_some_and(|flag| flag.is_file))
            .map(|(name, value)| Ok((*name, read(Path::new(value))?)))
            .collect()
    }
}

fn find(importer: &Importer, name: &str) -> Option<&'static Flag> {
    importer.flags.iter().find(|flag| flag.name == name)
}

impl clap::Args for Beside {
    fn augment_args(command: Command) -> Command {
        command.args(DECLARED.iter().map(|one| {
            let check = one.flag.check;
            let parse = move |text: &str| check(text).map(|()| text.to_owned());
            Arg::new(one.flag.name)
                .long(one.flag.name)
                .value_name(one.flag.value)
                .help(one.flag.about)
                .help_heading(one.formats.as_str())
                .value_parser(parse)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Beside {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = DECLARED.iter().filter_map(|one| {
            let name = one.flag.name;
            Some((name, matches.get_one::<String>(name)?.clone()))
        });
        Ok(Beside(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Beside::from_arg_matches(matches)?;
        Ok(())
    }
}
