//! What people call a run: its name and its tags. Neither is part of the spec, so hashes, receipts and boards do not know them.
//!
//! `PATCH /api/runs/{run}` (run token) takes an [`EditRun`] and answers with the run's head.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::benchmark::Benchmark;
use crate::benchmark::schema::Holds;
use crate::seat::{Player, Seat};
use crate::signs;
use crate::spec::Spec;

/// The longest name of a run, in bytes.
pub const LONGEST_TITLE: usize = 400;
/// The longest tag, in bytes.
pub const LONGEST_TAG: usize = 60;
/// The most tags of a run.
pub const MOST_TAGS: usize = 20;
/// The longest value of a setting in a name that is made up, in characters.
const LONGEST_VALUE: usize = 24;
/// At most this many players of a game are named, and at most this many settings.
const NAMED: usize = 2;

/// `PATCH /api/runs/{run}`: what is absent stays as it is.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditRun {
    /// The name; an empty one gives the run its first name back.
    pub title: Option<String>,
    pub tags: Option<Vec<String>>,
}

/// A name or a tag that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    #[error("The {what} has {got} bytes; at most {most} are accepted.")]
    Long {
        /// A name or a tag.
        what: &'static str,
        got: usize,
        most: usize,
    },
    /// An invisible character.
    #[error("The {what} has the character U+{code:04X} in it, which nobody sees; remove it.")]
    Unseen {
        /// A name or a tag.
        what: &'static str,
        /// The character.
        code: u32,
    },
    #[error("The run would have {got} tags; at most {MOST_TAGS} are accepted.")]
    Many { got: usize },
    #[error("The tag {0:?} has a comma in it; commas separate tags.")]
    Comma(String),
}

fn line(what: &'static str, text: &str, most: usize) -> Result<(), BadName> {
    if text.len() > most {
        let got = text.len();
        return Err(BadName::Long { what, got, most });
    }
    match signs::unseen(text) {
        Some(character) => Err(BadName::Unseen { what, code: u32::from(character) }),
        None => Ok(()),
    }
}

/// A name as it is kept, without spaces around it.
///
/// # Errors
/// If it is too long or has invisible characters.
pub fn title(text: &str) -> Result<String, BadName> {
    let text = text.trim();
    line("name", text, LONGEST_TITLE)?;
    Ok(text.to_owned())
}

/// Tags as they are kept: without spaces around them, each once, in the order given; empty ones are dropped.
///
/// # Errors
/// If there are too many, or one is too long, or has a comma or invisible characters.
pub fn tags(given: &[String]) -> Result<Vec<String>, BadName> {
    let mut tags: Vec<String> = Vec::new();
    for tag in given.iter().map(|tag| tag.trim()) {
        line("tag", tag, LONGEST_TAG)?;
        if tag.contains(',') {
            return Err(BadName::Comma(tag.to_owned()));
        }
        if tag.is_empty() || tags.iter().any(|other| other == tag) {
            continue;
        }
        // Before the next one is compared with all: a body holds a hundred thousand.
        if tags.len() == MOST_TAGS {
            return Err(BadName::Many { got: given.len() });
        }
        tags.push(tag.to_owned());
    }
    Ok(tags)
}

/// Tags as people type them: separated by commas.
///
/// # Errors
/// As [`tags`].
pub fn typed_tags(text: &str) -> Result<Vec<String>, BadName> {
    let parts: Vec<String> = text.split(',').map(str::to_owned).collect();
    tags(&parts)
}

/// The default name of a run: who sits in the seat under evaluation, and under which condition, e.g.
/// `gpt-5 · full`. In games the players. Settings that are not a benchmark's usual ones follow.
pub fn default_title(benchmark: &dyn Benchmark, spec: &Spec) -> String {
    let conditions = conditions(benchmark, spec);
    let parts = std::iter::once(players(spec)).chain(conditions);
    let name = parts.collect::<Vec<_>>().join(" · ");
    // Names of models are texts of others; what could not be kept is not called so.
    title(&name).unwrap_or_else(|_| benchmark.title().to_owned())
}

/// The title that a run gets: the default one where the given one is empty.
pub fn title_or_default(given: String, benchmark: &dyn Benchmark, spec: &Spec) -> String {
    match given.is_empty() {
        true => default_title(benchmark, spec),
        false => given,
    }
}

/// The title that a user gave a run; empty for the default one, which repeats players and settings.
pub fn given_title<'a>(title: &'a str, benchmark: &dyn Benchmark, spec: &Spec) -> &'a str {
    match title.trim() {
        title if title == default_title(benchmark, spec) => "",
        title => title,
    }
}

/// A player by the shortest name that tells who it is.
fn short(player: &Player) -> String {
    match player {
        Player::Bot(name) => name.clone(),
        Player::Model { model, .. } => model.clone(),
        other => other.to_string(),
    }
}

fn players(spec: &Spec) -> String {
    if let Some(sitting) = spec.seats.get(&Seat::new(Seat::PLAYER)) {
        return short(&sitting.player);
    }
    let mut names: Vec<(String, usize)> = Vec::new();
    for name in spec.seats.values().map(|sitting| short(&sitting.player)) {
        match names.iter_mut().find(|(other, _)| *other == name) {
            Some((_, times)) => *times += 1,
            None => names.push((name, 1)),
        }
    }
    let more = names.len().saturating_sub(NAMED);
    let shown = names.into_iter().take(NAMED).map(|(name, times)| match times {
        1 => name,
        times => format!("{times} × {name}"),
    });
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(" + {more}"));
    }
    text
}

/// The value of the setting that decides what is measured, the mode, then settings that differ from the usual ones. What a mode
/// makes meaningless is as usual.
fn conditions(benchmark: &dyn Benchmark, spec: &Spec) -> Vec<String> {
    let settings = benchmark.binding_settings(&spec.settings);
    let usual = benchmark.binding_settings(&benchmark.default_settings());
    let mut first = None;
    let mut others = Vec::new();
    for (at, setting) in benchmark.schema().settings.iter().enumerate() {
        let Some(value) = settings.get(setting.name).filter(|it| !it.is_null()) else {
            continue;
        };
        let text = shown(value);
        let is_mode = match setting.holds {
            Holds::Cards(_) => true,
            // A form that begins with a choice begins with its mode.
            Holds::Choice(_) => at == 0,
            _ => false,
        };
        if is_mode && first.is_none() {
            first = text.map(|text| text.replace('_', " "));
            continue;
        }
        if usual.get(setting.name) != Some(value) {
            others.extend(text.map(|text| format!("{} {text}", setting.name.replace('_', " "))));
        }
    }
    first.into_iter().chain(others.into_iter().take(NAMED)).collect()
}

/// A value in a few characters; `None` for what is longer, and for objects.
fn shown(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "on".to_owned(),
        Value::Bool(false) => "off".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) => {
            let values: Option<Vec<String>> = values.iter().map(shown).collect();
            values?.join("/")
        }
        Value::Null | Value::Object(_) => return None,
    };
    let fits = !text.is_empty() && text.chars().count() <= LONGEST_VALUE;
    fits.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tags_are_trimmed_and_bounded() {
        assert_eq!(title("  a run \n").as_deref(), Ok("a run"));
        assert_eq!(title(&"x".repeat(400)).map(|it| it.len()), Ok(400));
        assert!(matches!(title(&"x".repeat(401)), Err(BadName::Long { got: 401, .. })));
        assert!(matches!(title("a\u{202e}b"), Err(BadName::Unseen { code: 0x202e, .. })));
        assert!(title("a\nb").is_err());
        assert_eq!(
            typed_tags(" a, b ,,a, 标签 ").as_deref(),
            Ok(&["a".to_owned(), "b".to_owned(), "标签".to_owned()][..])
        );
        assert_eq!(typed_tags("  ").as_deref(), Ok(&[][..]));
        let many: Vec<String> = (0..21).map(|it| it.to_string()).collect();
        assert_eq!(tags(&many), Err(BadName::Many { got: 21 }));
        assert!(tags(&many[..20]).is_ok());
        assert!(tags(&["a,b".to_owned()]).is_err());
        assert!(tags(&["x".repeat(61)]).is_err());
        assert!(tags(&["a\u{200b}".to_owned()]).is_err());
    }
}
