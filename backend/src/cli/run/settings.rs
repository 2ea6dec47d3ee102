//! Flags of benchmarks' settings, made from what each benchmark declares.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Map, Value};

use turnwise_shared::benchmark::Flag;
use turnwise_shared::benchmark::schema::{Holds, Setting};
use turnwise_shared::prelude::*;
use turnwise_shared::registry;

use super::REPEATS;
use crate::cli::trouble::with_path;

/// The heading over flags of several benchmarks.
const SHARED: &str = "Several benchmarks";

/// The flags that were given, with their texts. Which settings they are depends on the benchmark.
#[derive(Debug, Clone, Default)]
pub struct SettingFlags(Vec<(String, String)>);

/// What a flag means to a benchmark.
enum Meaning {
    Setting(&'static Setting),
    Flag(&'static Flag),
}

impl Meaning {
    fn placeholder(&self) -> &'static str {
        match self {
            Meaning::Flag(flag) => flag.value,
            Meaning::Setting(setting) => setting.holds.placeholder(),
        }
    }

    fn help(&self, benchmark: &dyn Benchmark) -> String {
        let setting = match self {
            Meaning::Flag(flag) => return flag.help.to_owned(),
            Meaning::Setting(setting) => setting,
        };
        let mut help = setting.label.to_owned();
        let accepts = setting.holds.accepts();
        if !accepts.is_empty() {
            help.push_str(&format!(": {accepts}"));
        }
        if !setting.note.is_empty() {
            help.push_str(&format!(" ({})", setting.note));
        }
        match benchmark.default_settings().get(setting.name) {
            Some(Value::String(text)) if !text.is_empty() => {
                help.push_str(&format!(". Default: {text}"));
            }
            Some(value @ (Value::Number(_) | Value::Bool(_))) => {
                help.push_str(&format!(". Default: {value}"));
            }
            _ => {}
        }
        help
    }

    fn is_switch(&self) -> bool {
        matches!(self, Meaning::Setting(setting) if setting.holds == Holds::Flag)
    }

    fn is_list(&self) -> bool {
        matches!(self, Meaning::Flag(_)) || self.is_list_of_values()
    }

    /// Whether several values are a sweep over them.
    fn is_list_of_values(&self) -> bool {
        matches!(self, Meaning::Setting(setting) if matches!(setting.holds, Holds::Shares | Holds::Sweep(..)))
    }

    /// Whether a text is of the right kind.
    fn check(&self, text: &str) -> Result<(), String> {
        match self {
            Meaning::Setting(setting) => setting.holds.read(text).map(drop),
            Meaning::Flag(flag) => (flag.read)(text).map(drop),
        }
    }

    /// Puts what a text stands for into settings.
    fn apply(&self, flag: &str, text: &str, settings: &mut Map<String, Value>) -> Result<()> {
        let wrong = |why: String| anyhow!("--{flag} {text}: {why}");
        let setting = match self {
            Meaning::Flag(flag) => {
                settings.extend((flag.read)(text).map_err(wrong)?);
                return Ok(());
            }
            Meaning::Setting(setting) => setting,
        };
        let value = match setting.holds {
            Holds::Lines => {
                let path = Path::new(text);
                Value::from(std::fs::read_to_string(path).map_err(|error| with_path(path, error))?)
            }
            holds => holds.read(text).map_err(wrong)?,
        };
        match (settings.get_mut(setting.name), value) {
            // Members that are not named stay as they are.
            (Some(Value::Object(members)), Value::Object(named)) => members.extend(named),
            (_, value) => {
                settings.insert(setting.name.to_owned(), value);
            }
        }
        Ok(())
    }
}

/// A benchmark that has a flag, and what the flag means to it.
type Owner = (&'static dyn Benchmark, Meaning);

/// The flags of a benchmark, in the order in which they are applied.
fn flags_of(benchmark: &dyn Benchmark) -> Vec<(String, Meaning)> {
    let own = benchmark.flags().iter();
    let mut flags: Vec<_> = own.map(|flag| (flag.name.to_owned(), Meaning::Flag(flag))).collect();
    for setting in benchmark.schema().settings {
        let name = setting.flag();
        if !flags.iter().any(|(taken, _)| *taken == name) {
            flags.push((name, Meaning::Setting(setting)));
        }
    }
    flags
}

/// Every flag with what it means to each benchmark that has it, benchmark by benchmark.
fn all() -> Vec<(String, Vec<Owner>)> {
    let mut all: Vec<(String, Vec<_>)> = Vec::new();
    for &benchmark in BENCHMARKS {
        for (name, meaning) in flags_of(benchmark) {
            match all.iter_mut().find(|(known, _)| *known == name) {
                Some((_, owners)) => owners.push((benchmark, meaning)),
                None => all.push((name, vec![(benchmark, meaning)])),
            }
        }
    }
    all
}

impl Args for SettingFlags {
    fn augment_args(command: Command) -> Command {
        let mut command = command;
        for (name, owners) in all() {
            match taken(&command, &name, &owners) {
                Ok(false) => command = command.arg(argument(name, &owners)),
                Ok(true) => {}
                Err(why) => panic!("{why}"),
            }
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Whether the flag that all benchmarks have serves a setting of the same name, too.
///
/// # Errors
/// If it means something else: then no user could give the setting.
fn taken(command: &Command, name: &str, owners: &[Owner]) -> Result<bool, String> {
    let mut arguments = command.get_arguments();
    let is_taken = arguments.any(|arg| arg.get_long() == Some(name) || arg.get_id() == name);
    match is_taken && name != REPEATS {
        false => Ok(is_taken),
        true => {
            let owners: Vec<_> = owners.iter().map(|(owner, _)| owner.name()).collect();
            Err(format!(
                "{}: a setting has the flag --{name}, and `turnwise run` has a flag of that name for all benchmarks; give \
                 the setting a flag of another name (Setting::flagged)",
                owners.join(", ")
            ))
        }
    }
}

fn argument(name: String, owners: &[Owner]) -> Arg {
    let (heading, help) = match owners {
        [(benchmark, meaning)] => (benchmark.title(), meaning.help(*benchmark)),
        _ => {
            let helps = owners.iter().map(|(benchmark, meaning)| {
                format!("{}: {}", benchmark.name(), meaning.help(*benchmark))
            });
            (SHARED, helps.collect::<Vec<_>>().join("\n"))
        }
    };
    let is_any = |is: fn(&Meaning) -> bool| owners.iter().any(|(_, meaning)| is(meaning));
    let placeholder = owners.first().map_or("VALUE", |(_, meaning)| meaning.placeholder());
    let mut argument = Arg::new(name.clone())
        .long(name)
        .value_name(placeholder)
        .help(help)
        .help_heading(heading)
        .conflicts_with("redrive")
        .action(match is_any(Meaning::is_list) {
            true => ArgAction::Append,
            false => ArgAction::Set,
        });
    if is_any(Meaning::is_switch) {
        argument = argument.num_args(0..=1).default_missing_value("true");
    }
    argument
}

impl FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Vec::new();
        for (name, _) in all() {
            // A flag that all benchmarks have is not among these, and may hold something else than text.
            let is_given = matches.try_contains_id(&name).unwrap_or(false)
                && matches.value_source(&name) == Some(ValueSource::CommandLine);
            let Ok(Some(texts)) = matches.try_get_many::<String>(&name) else {
                continue;
            };
            if is_given {
                let texts: Vec<&str> = texts.map(String::as_str).collect();
                given.push((name, texts.join(",")));
            }
        }
        Ok(SettingFlags(given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl SettingFlags {
    /// A flag that was given.
    pub fn given(&self) -> Option<&str> {
        self.0.first().map(|(name, _)| name.as_str())
    }

    /// Checks that each value is of the kind that the benchmark's flag takes.
    ///
    /// # Errors
    /// The first that is not, as clap says it.
    pub fn check(&self, benchmark: Option<&str>) -> Result<(), clap::Error> {
        // A benchmark that does not exist, or has no such flag, is named later.
        let Some(Ok(benchmark)) = benchmark.map(registry::find) else {
            return Ok(());
        };
        for (name, meaning) in flags_of(benchmark) {
            let Some((_, text)) = self.0.iter().find(|(given, _)| *given == name) else {
                continue;
            };
            meaning.check(text).map_err(|why| {
                let placeholder = meaning.placeholder();
                clap::Error::raw(
                    ErrorKind::ValueValidation,
                    format!("invalid value '{text}' for '--{name} <{placeholder}>': {why}\n"),
                )
            })?;
        }
        Ok(())
    }

    /// Puts what was given into settings of a benchmark.
    ///
    /// # Errors
    /// Which flag is not one of the benchmark's, or cannot be read.
    pub fn apply(
        &self,
        benchmark: &dyn Benchmark,
        settings: &mut Map<String, Value>,
    ) -> Result<()> {
        let flags = flags_of(benchmark);
        let strange = |(name, _): &&(String, String)| !flags.iter().any(|(own, _)| own == name);
        if let Some((name, _)) = self.0.iter().find(strange) {
            let owners: BTreeMap<_, _> = all().into_iter().collect();
            let owners = owners.get(name).into_iter().flatten();
            let owners: Vec<_> = owners.map(|(owner, _)| owner.name()).collect();
            let lists = flags.iter().filter(|(_, meaning)| meaning.is_list_of_values());
            let lists: Vec<_> = lists.map(|(own, _)| format!("--{own}")).collect();
            let hint = match lists.as_slice() {
                [] => String::new(),
                lists => format!(
                    "; a sweep of {} is several values joined by commas: {}",
                    benchmark.name(),
                    lists.join(", ")
                ),
            };
            bail!(
                "--{name} is a setting of {}, not of {}{hint}",
                owners.join(", "),
                benchmark.name()
            );
        }
        for (name, meaning) in flags {
            if let Some((_, text)) = self.0.iter().find(|(given, _)| *given == name) {
                meaning.apply(&name, text, settings)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use serde_json::json;
    use turnwise_shared::benchmark::schema::setting;
    use turnwise_shared::examples::{DIALOGUE, QUESTIONS};

    use super::*;

    /// A benchmark brings its flags by being registered.
    #[test]
    fn every_setting_of_every_benchmark_has_a_flag() {
        let command = crate::cli::Cli::command();
        let run = command.find_subcommand("run").expect("it is a command");
        let has = |flag: &str| run.get_arguments().any(|arg| arg.get_long() == Some(flag));
        for benchmark in BENCHMARKS {
            for (flag, _) in flags_of(*benchmark) {
                assert!(has(&flag), "--{flag} of {benchmark:?}");
            }
        }
    }

    #[test]
    fn a_setting_with_the_name_of_a_common_flag_is_refused_in_words() {
        let command = Command::new("run")
            .arg(Arg::new("title").long("title"))
            .arg(Arg::new("max_tokens").long("max-tokens"))
            .arg(Arg::new(REPEATS).long(REPEATS));
        const SIZE: &Setting = &setting("size", "Size", "", Holds::Number(1, 9));
        let benchmark = registry::find(DIALOGUE).expect("it is registered");
        let owners = [(benchmark, Meaning::Setting(SIZE))];
        for name in ["title", "max-tokens", "max_tokens"] {
            let why = taken(&command, name, &owners).expect_err(name);
            assert!(why.starts_with(DIALOGUE) && why.contains(&format!("--{name}")), "{why}");
        }
        assert_eq!(taken(&command, REPEATS, &owners), Ok(true));
        assert_eq!(taken(&command, "size", &owners), Ok(false));
    }

    #[test]
    fn values_become_settings() {
        const SIZE: &Setting = &setting("size", "Size", "", Holds::Number(1, 9));
        const PAYS: &Setting =
            &setting("pays", "Pays", "", Holds::Numbers(&[("a", ""), ("b", "")]));
        const TEXT: &Setting = &setting("text", "Text", "", Holds::Lines);
        const BOTH: &Flag = &Flag {
            name: "both",
            value: "A/B",
            help: "Both",
            read: |text| match text.split_once('/') {
                Some((a, b)) => {
                    Ok(Map::from_iter([("a".to_owned(), a.into()), ("b".to_owned(), b.into())]))
                }
                None => Err("expected A/B".to_owned()),
            },
        };
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "two\nlines").expect("it can be written");
        let path = file.path().display().to_string();
        let mut settings = Map::from_iter([("pays".to_owned(), json!({ "a": 1, "b": 2 }))]);
        for (meaning, text) in [
            (Meaning::Setting(SIZE), "7"),
            (Meaning::Setting(PAYS), "b=5"),
            (Meaning::Setting(TEXT), &path),
            (Meaning::Flag(BOTH), "x/y"),
        ] {
            meaning.apply("flag", text, &mut settings).expect(text);
        }
        let expected = json!({
            "size": 7, "pays": { "a": 1, "b": 5 }, "text": "two\nlines", "a": "x", "b": "y",
        });
        assert_eq!(Value::Object(settings.clone()), expected);
        for (meaning, text, said) in [
            (Meaning::Setting(SIZE), "x", "--flag x: expected a whole number from 1 to 9"),
            (Meaning::Flag(BOTH), "x", "--flag x: expected A/B"),
            (Meaning::Setting(TEXT), "/no/such/file", "/no/such/file"),
        ] {
            let trouble = meaning.apply("flag", text, &mut settings).expect_err(text);
            assert!(trouble.to_string().contains(said), "{trouble}");
        }
    }

    #[test]
    fn flags_of_other_benchmarks_and_values_of_another_kind_are_named() {
        let benchmark = registry::find(DIALOGUE).expect("it is registered");
        let given = |flag: &str, text: &str| SettingFlags(vec![(flag.to_owned(), text.to_owned())]);
        let mut settings = Map::new();
        let strange = given("blinds", "1/2").apply(benchmark, &mut settings);
        let strange = strange.expect_err("no such setting").to_string();
        assert!(strange.contains(&format!("not of {DIALOGUE}")), "{strange}");
        let swept = registry::find(QUESTIONS).expect("it is registered");
        let strange = given("blinds", "1/2").apply(swept, &mut settings);
        let strange = strange.expect_err("no such setting").to_string();
        let hint = format!(
            "a sweep of {QUESTIONS} is several values joined by commas: --rounds, --min-asks"
        );
        assert!(strange.ends_with(&hint), "{strange}");
        let wrong = given("rounds", "many").check(Some(DIALOGUE));
        let wrong = wrong.expect_err("not a number").to_string();
        assert!(wrong.contains("'--rounds <N>': expected a whole number from 1"), "{wrong}");
        assert!(given("rounds", "7").check(Some(DIALOGUE)).is_ok());
        // What is wrong with the benchmark is said elsewhere.
        assert!(given("rounds", "many").check(Some("nothing")).is_ok());
    }
}
