//! The command line of xtask.

use std::ffi::OsString;

use anyhow::{Result, bail};
use lexopt::{Arg, Parser, ValueExt};

use crate::bench::Peers;
use crate::web::Size;

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
            "setup" => HELP_SETUP,
            "web" => HELP_WEB,
            "serve" => HELP_SERVE,
            "test" => HELP_TEST,
            "check" => HELP_CHECK,
            "new" => HELP_NEW,
            "bench" => HELP_BENCH,
            "dist" => HELP_DIST,
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
                None => bail!("what is the benchmark called?\n\n{HELP_NEW}"),
            },
            "bench" => Command::Bench(peers, benches),
            _ => Command::Dist,
        })
    }
}

const HELP: &str = "\
Turnwise, from an empty machine to a release binary.

  cargo xtask serve     set everything up, build, start the server and print its address
  cargo xtask test      set everything up, build, run all tests, those in the browser included
  cargo xtask check     formatting, lints, licences, and the purity of `shared`
  cargo xtask new       add a benchmark, as a copy of a small one
  cargo xtask bench     measure, each number against what it is compared with
  cargo xtask dist      one release binary with the web app inside: target/release/turnwise

and parts of these:

  cargo xtask setup     compiler and browser only
  cargo xtask web       the web app only

Each takes --help. A step whose inputs did not change is skipped.
";

const HELP_SETUP: &str = "\
cargo xtask setup

Finds or installs what the other commands need: a compiler that can build for WebAssembly, a browser for the end-to-end
tests, and a font with Chinese characters. Prints the lines that make a plain `cargo` use the same compiler, if any.

TURNWISE_CHROMIUM   the browser to use, instead of the first one on the PATH
";

const HELP_WEB: &str = "\
cargo xtask web [--release | --names]

Builds the web app: target/web-quick, or target/web with --release (small, and minutes slower to build).
--names: as with --release, but into target/web-named, and functions keep their names, for a profiler.
";

const HELP_SERVE: &str = "\
cargo xtask serve [--release] [-- ARGUMENTS]

Sets everything up, builds the web app and the server, and starts `turnwise serve ARGUMENTS`, on loopback unless they
say otherwise. `cargo xtask serve -- --help` lists them. --release builds both for speed and size.
";

const HELP_TEST: &str = "\
cargo xtask test [-- ARGUMENTS]

Sets everything up, builds the web app and the server, and runs all tests, those in the browser included. ARGUMENTS go
to `cargo test`: `cargo xtask test -- -p turnwise-tests --test browser`.

The tests are told by TURNWISE_WEB_DIR, TURNWISE_BIN and TURNWISE_CHROMIUM where the web app, the server and the
browser lie.
";

const HELP_CHECK: &str = "\
cargo xtask check [--record [WHAT IT BOUGHT]]

Formatting, clippy without a single warning, `cargo deny` (bans, licences, sources; advisories when they can be reached),
and the purity of `shared`: it builds for WebAssembly and has no clock, environment, files, threads or printing.

No area of the product may have more code than xtask/code_size.toml says. --record checks nothing, but writes what there is
into that file; if an area has grown, the words say what it bought.
";

const HELP_NEW: &str = "\
cargo xtask new NAME

Adds a benchmark: copies tests/example to shared/benchmarks/NAME under the new name (e.g. twenty_questions) and adds its lines to
the workspace, the registry and the documents. It compiles, can be run, and passes its own tests; then make it yours.
";

const HELP_BENCH: &str = "\
cargo xtask bench [--peers] [NAME …]

Measures: the size of the first page, the memory of an idle server, and every `[[bench]]` of the workspace; with names these
benches only. Each number is printed with its ratio to what it is compared with. --peers installs other systems to compare
with (nginx, Inspect, PokerKit, Axelrod) into target/peers; without it those that are not there are skipped.
";

const HELP_DIST: &str = "\
cargo xtask dist

Builds target/release/turnwise: the server with the web app inside, nothing else needed to run it.
";

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
