//! The command line of xtask.

use std::ffi::OsString;

use anyhow::{Result, bail};
use lexopt::{Arg, Parser, ValueExt};

use crate::bench::Peers;
use crate::web::Size;

const HELP: &str = include_str!("help/xtask.txt");

/// What the person asked for.
#[derive(Debug, PartialEq)]
pub enum Command {
    Help(&'static str),
    Setup,
    /// Build the web app into a folder.
    Web(Size),
    /// Build everything and start the server with these arguments.
    Serve(Size, Vec<OsString>),
    /// Build everything and run all tests; the words go to `cargo test`.
    Test(Vec<OsString>),
    /// Look for faults without running anything.
    Check,
    /// Record how much code there is, and what it was raised for.
    Record(String),
    /// Add a benchmark of this name.
    New(String),
    /// Measure; if there are names, these benches only.
    Bench(Peers, Vec<String>),
    Dist,
}

impl Command {
    /// Reads the command line of this process.
    pub fn from_env() -> Result<Command> {
        Command::read(Parser::from_env())
    }

    fn read(mut words: Parser) -> Result<Command> {
        let name = match words.next()? {
            None | Some(Arg::Short('h') | Arg::Long("help")) => return Ok(Command::Help(HELP)),
            Some(Arg::Value(name)) => name.string()?,
            Some(other) => return Err(other.unexpected().into()),
        };
        let help = match name.as_str() {
            "help" => return Ok(Command::Help(HELP)),
            "setup" => include_str!("help/setup.txt"),
            "web" => include_str!("help/web.txt"),
            "serve" => include_str!("help/serve.txt"),
            "test" => include_str!("help/test.txt"),
            "check" => include_str!("help/check.txt"),
            "new" => include_str!("help/new.txt"),
            "bench" => include_str!("help/bench.txt"),
            "dist" => include_str!("help/dist.txt"),
            _ => bail!("there is no command `{name}`\n\n{HELP}"),
        };

        let mut release = false;
        let mut names = false;
        let mut record = None;
        let mut new = None;
        let mut peers = Peers::Skip;
        let mut benches = Vec::new();
        let mut passed_on = Vec::new();
        let takes_words = matches!(name.as_str(), "serve" | "test");
        while let Some(argument) = words.next()? {
            match argument {
                Arg::Short('h') | Arg::Long("help") => return Ok(Command::Help(help)),
                Arg::Long("release") if matches!(name.as_str(), "serve" | "web") => release = true,
                Arg::Long("names") if name == "web" => names = true,
                Arg::Long("record") if name == "check" => {
                    let bought = words.raw_args()?.map(|word| word.string());
                    record = Some(bought.collect::<Result<Vec<_>, _>>()?.join(" "));
                }
                Arg::Long("peers") if name == "bench" => peers = Peers::Install,
                Arg::Value(bench) if name == "bench" => benches.push(bench.string()?),
                Arg::Value(called) if name == "new" && new.is_none() => {
                    new = Some(called.string()?)
                }
                Arg::Value(first) if takes_words => {
                    passed_on.push(first);
                    passed_on.extend(words.raw_args()?);
                }
                Arg::Long(option) if takes_words => {
                    bail!(
                        "`{name}` has no option `--{option}`; what is meant for the program that it starts comes after `--`\n\n{help}"
                    )
                }
                other => return Err(other.unexpected().into()),
            }
        }
        let size = match (release, names) {
            (_, true) => Size::Named,
            (true, false) => Size::Full,
            (false, false) => Size::Quick,
        };
        Ok(match name.as_str() {
            "setup" => Command::Setup,
            "web" => Command::Web(size),
            "serve" => Command::Serve(size, passed_on),
            "test" => Command::Test(passed_on),
            "check" => record.map_or(Command::Check, Command::Record),
            "new" => match new {
                Some(name) => Command::New(name),
                None => bail!("what is the benchmark called?\n\n{help}"),
            },
            "bench" => Command::Bench(peers, benches),
            _ => Command::Dist,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command> {
        Command::read(Parser::from_args(line.split_whitespace()))
    }

    #[test]
    fn words_after_two_dashes_belong_to_the_server() {
        let command = read("serve --release -- --addr 127.0.0.1:9000").expect("a command");
        assert_eq!(
            command,
            Command::Serve(Size::Full, vec!["--addr".into(), "127.0.0.1:9000".into()])
        );
    }

    #[test]
    fn every_command_explains_itself() {
        for name in ["setup", "web", "serve", "test", "check", "new", "bench", "dist"] {
            let Command::Help(text) =
                read(&format!("{name} --help")).expect("every command has help")
            else {
                panic!("{name} --help is no help")
            };
            assert!(text.starts_with(&format!("cargo xtask {name}")), "{text}");
        }
        assert_eq!(read("").expect("no words ask for help"), Command::Help(HELP));
    }

    #[test]
    fn what_is_unknown_is_refused() {
        assert!(read("sreve").unwrap_err().to_string().contains("no command `sreve`"));
        assert!(read("serve --addr 127.0.0.1:1").unwrap_err().to_string().contains("after `--`"));
        assert!(read("check --peers").is_err());
        assert!(read("test --record").is_err());
        assert!(read("new").is_err() && read("new one two").is_err());
        assert_eq!(read("new one").expect("a command"), Command::New("one".into()));
    }

    #[test]
    fn benches_are_named() {
        let command = read("bench renders --peers proxy").expect("a command");
        assert_eq!(command, Command::Bench(Peers::Install, vec!["renders".into(), "proxy".into()]));
    }

    #[test]
    fn what_code_bought_needs_no_quotes() {
        let command = read("check --record proxies of the environment").expect("a command");
        assert_eq!(command, Command::Record("proxies of the environment".into()));
        assert_eq!(read("check --record").expect("a command"), Command::Record(String::new()));
    }
}
