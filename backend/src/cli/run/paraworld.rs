//! The flags of Mind-ParaWorld, and which settings they are.

use std::path::PathBuf;

use clap::{ArgAction, Args};
use serde_json::{Value, json};

use turnwise_shared::benchmarks::paraworld::settings::Setting;

use crate::cli::trouble::Trouble;

/// Flags that belong to Mind-ParaWorld.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Mind-ParaWorld")]
pub struct ParaWorldFlags {
    /// What the player is given: A (all facts, no tool), B-guidance, B-few-shot, C (the tool alone), custom, control (the
    /// question alone). Default: C
    #[arg(long, value_name = "SETTING")]
    pub setting: Option<Setting>,

    /// The most turns of an episode, 1 to 200. Default: 32
    #[arg(long, value_name = "N")]
    pub turns: Option<u32>,

    /// All calls of one message run, side by side; under reference only in the setting custom
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", action = ArgAction::Set)]
    pub parallel: Option<bool>,

    /// How many characters of the conversation the player is shown again at most, or none for no limit. Default: 128000
    #[arg(long, value_name = "N")]
    pub context: Option<Limit>,

    /// strict: so many format errors in a row end the episode, or none for never. Default: 3
    #[arg(long, value_name = "N")]
    pub format_errors: Option<Limit>,

    /// How many times the judge votes: 1 or, under strict, 3. Default: 1
    #[arg(long, value_name = "N")]
    pub votes: Option<u32>,

    /// custom: how the player writes calls: default, deepseek, glm4, minimax, qwen35, kimi_k2. Default: default
    #[arg(long, value_name = "SYNTAX")]
    pub syntax: Option<String>,

    /// custom: a file with the system prompt. Default: that of setting C
    #[arg(long, value_name = "FILE")]
    pub system: Option<PathBuf>,

    /// reference: which of the authors' engines is played: local (for a local server) or api (for services). Default: local
    #[arg(long, value_name = "ENGINES")]
    pub engines: Option<String>,
}

/// A number, or no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit(Option<u64>);

impl std::str::FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Limit(None)),
            number => match number.parse() {
                Ok(number) => Ok(Limit(Some(number))),
                Err(_) => Err("write a whole number, or none".to_owned()),
            },
        }
    }
}

/// A flag, the setting that it is, its value where it was given, and the benchmark that has it.
type Set = (&'static str, &'static str, Option<Value>, &'static str);

impl ParaWorldFlags {
    /// The settings that were given.
    ///
    /// # Errors
    /// If the file of the system prompt cannot be read.
    pub fn settings(&self) -> Result<Vec<Set>, Trouble> {
        let mut given = self.plain();
        if let Some(path) = &self.system {
            let text = std::fs::read_to_string(path).map_err(|error| Trouble::with(path, error))?;
            given.push(("--system", "system", Some(Value::from(text)), NAME));
        }
        Ok(given)
    }

    /// A flag of Mind-ParaWorld that was given.
    pub fn given(&self) -> Option<&'static str> {
        let flags = self.plain().into_iter();
        let given = flags.filter_map(|(flag, _, value, _)| value.map(|_| flag));
        given.chain(self.system.as_ref().map(|_| "--system")).next()
    }

    /// Those that need no file.
    fn plain(&self) -> Vec<Set> {
        let limit = |limit: Option<Limit>| limit.map(|Limit(number)| json!(number));
        [
            (
                "--setting",
                "setting",
                self.setting.map(|setting| json!(setting)),
            ),
            ("--turns", "turns", self.turns.map(Value::from)),
            ("--parallel", "parallel", self.parallel.map(Value::from)),
            ("--context", "context", limit(self.context)),
            (
                "--format-errors",
                "format_errors",
                limit(self.format_errors),
            ),
            ("--votes", "votes", self.votes.map(Value::from)),
            ("--syntax", "syntax", self.syntax.clone().map(Value::from)),
            (
                "--engines",
                "engines",
                self.engines.clone().map(Value::from),
            ),
        ]
        .map(|(flag, name, value)| (flag, name, value, NAME))
        .into()
    }
}

const NAME: &str = "paraworld";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_numbers_or_none() {
        let json = |text: &str| text.parse().map(|Limit(number)| json!(number));
        assert_eq!(json("60000"), Ok(json!(60_000)));
        assert_eq!(json("none"), Ok(Value::Null));
        assert!(json("-1").is_err());
    }

    #[test]
    fn flags_are_settings() {
        let flags = ParaWorldFlags {
            setting: Some(Setting::Guidance),
            context: Some(Limit(None)),
            ..ParaWorldFlags::default()
        };
        let given: Vec<_> = flags
            .settings()
            .expect("no file is read")
            .into_iter()
            .filter_map(|(_, name, value, _)| Some((name, value?)))
            .collect();
        assert_eq!(
            given,
            [("setting", json!("B-guidance")), ("context", Value::Null)]
        );
        assert_eq!(flags.given(), Some("--setting"));
    }
}
