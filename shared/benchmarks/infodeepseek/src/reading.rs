//! What seats say: plans, ranked pages and verdicts (3.2, 3.3, 3.6 as `strict` has them).

use serde_json::Value;
use turnwise_core::json;
use turnwise_core::parse::{self, verdict};
use turnwise_core::prelude::*;

pub mod tool {
    pub const SEARCH: &str = "web_search";
    pub const OPEN: &str = "browse_website";
    pub const TIME: &str = "time_delta";
    pub const NOTHING: &str = "do_nothing";
    pub const DONE: &str = "task_complete";
    pub const ALL: [&str; 5] = [SEARCH, OPEN, TIME, NOTHING, DONE];
}

pub mod fault {
    /// No list of steps, or one of another shape.
    pub const NO_PLAN: &str = "no_plan";
    pub const UNKNOWN_TOOL: &str = "unknown_tool";
    /// An argument of a tool is missing, or of another type.
    pub const BAD_ARGUMENTS: &str = "bad_arguments";
    pub const NO_RANKING: &str = "no_ranking";
    pub const NO_VERDICT: &str = "no_verdict";
}

/// A step that the player plans.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The task in the player's words; may be empty.
    pub task: String,
    pub tool: String,
    pub args: Object,
}

/// What a step asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Search(String),
    Open {
        url: String,
        /// What the page is to say; empty = the question.
        question: String,
        /// From 1.
        part: usize,
    },
    Time([String; 2]),
    /// Nothing more is to be found.
    Stop,
}

impl Step {
    /// The step of a plan, as models and forms write one.
    fn read(value: &Json) -> Result<Step, String> {
        let object = value.as_object().ok_or("a step is an object")?;
        let text = |object: &Object, name: &str| {
            object.get(name).and_then(Json::as_text).map(|text| text.trim().to_owned())
        };
        let (name, args) = match object.get("command") {
            Some(Json::Object(command)) => (text(command, "name"), command.get("args")),
            Some(_) => return Err("command is no object".to_owned()),
            None => (text(object, "action"), object.get("params")),
        };
        let mut tool = name.ok_or("a step has no command with a name")?;
        if tool == "search" {
            tool = tool::SEARCH.to_owned();
        }
        let args = match args {
            Some(Json::Object(args)) => args.clone(),
            None | Some(Json::Null) => Object::default(),
            Some(_) => return Err("args is no object".to_owned()),
        };
        Ok(Step { task: text(object, "task_name").unwrap_or_default(), tool, args })
    }

    /// What it asks for.
    ///
    /// # Errors
    /// That there is no such tool, or which argument it lacks.
    pub fn action(&self) -> Result<Action, Fault> {
        let text = |name: &str| {
            let found = self.args.get(name).and_then(Json::as_text).map(str::trim);
            found.filter(|text| !text.is_empty()).map(str::to_owned).ok_or_else(|| {
                let tool = &self.tool;
                Fault::new(fault::BAD_ARGUMENTS, format!("{tool} needs the text {name}"))
            })
        };
        Ok(match self.tool.as_str() {
            tool::SEARCH => Action::Search(text("text")?),
            tool::OPEN => {
                let question = text("question").unwrap_or_default();
                Action::Open { url: text("url")?, question, part: self.part()? }
            }
            tool::TIME => Action::Time([text("start_time")?, text("end_time")?]),
            tool::DONE | tool::NOTHING => Action::Stop,
            other => {
                let tools = tool::ALL.join(", ");
                let problem = format!("there is no tool {other:?}; use one of {tools}");
                return Err(Fault::new(fault::UNKNOWN_TOOL, problem));
            }
        })
    }

    pub fn in_words(&self) -> String {
        match self.action() {
            Ok(Action::Search(text)) => format!("searches “{text}”"),
            Ok(Action::Open { url, part: 1, .. }) => format!("opens {url}"),
            Ok(Action::Open { url, part, .. }) => format!("opens part {part} of {url}"),
            Ok(Action::Time(_)) => "computes a time".to_owned(),
            Ok(Action::Stop) => "knows enough".to_owned(),
            Err(fault) => fault.detail,
        }
    }

    fn part(&self) -> Result<usize, Fault> {
        let bad = || Fault::new(fault::BAD_ARGUMENTS, "part is a whole number from 1");
        let part = match self.args.get("part") {
            None | Some(Json::Null) => return Ok(1),
            Some(Json::Text(text)) if text.trim().is_empty() => return Ok(1),
            Some(Json::Text(text)) => text.trim().parse().ok(),
            Some(Json::Int(number)) => number.digits().parse().ok(),
            Some(_) => None,
        };
        part.filter(|part| *part > 0).ok_or_else(bad)
    }
}

/// A page of the evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    pub url: String,
    /// What the player says that it has; may be empty.
    pub content: String,
}

/// What two spellings of an address have in common: no scheme, part of the page or closing slash, the host in lower case.
pub fn address(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = url.split_at(url.find(['/', '?']).unwrap_or(url.len()));
    format!("{}{}", host.to_lowercase(), path.trim_end_matches('/'))
}

fn is_same(one: &str, other: &str) -> bool {
    address(one) == address(other)
}

/// The steps of a plan; none is a plan to stop.
///
/// # Errors
/// What is wrong with it.
pub fn plan(text: &str) -> Result<Vec<Step>, Fault> {
    let steps = last_list(text, Step::read);
    steps.map_err(|problem| Fault::new(fault::NO_PLAN, problem))
}

/// The ranked pages, one an address, `most` at most: what is said of one address more than once is joined.
///
/// # Errors
/// What is wrong with the list.
pub fn ranking(text: &str, most: usize) -> Result<Vec<Ranked>, Fault> {
    let page = |item: &Json| -> Result<Vec<Ranked>, String> {
        let object = item.as_object().ok_or("a page is an object")?;
        if let Some(Json::Object(places)) = object.get("params") {
            // As a person fills in the form: an address a place.
            let urls = places.iter().filter_map(|(_, url)| url.as_text());
            let urls = urls.map(str::trim).filter(|url| !url.is_empty());
            let ranked = |url: &str| Ranked { url: url.to_owned(), content: String::new() };
            return Ok(urls.map(ranked).collect());
        }
        let url = object.get("url").and_then(Json::as_text).map(str::trim);
        let url = url.filter(|url| !url.is_empty()).ok_or("a page has no url")?.to_owned();
        let content = object.get("content").and_then(Json::as_text).unwrap_or_default();
        Ok(vec![Ranked { url, content: content.trim().to_owned() }])
    };
    let pages = last_list(text, page).map_err(|problem| Fault::new(fault::NO_RANKING, problem))?;
    let mut merged: Vec<Ranked> = Vec::new();
    for page in pages.into_iter().flatten() {
        match merged.iter_mut().find(|known| is_same(&known.url, &page.url)) {
            Some(known) if known.content.contains(&page.content) => {}
            Some(known) => {
                known.content.push('\n');
                known.content.push_str(&page.content);
            }
            None => merged.push(page),
        }
    }
    merged.truncate(most);
    Ok(merged)
}

/// The last list of a reply whose items all fit; an object that fits is a list of one. Lists within such a one do not count, and an empty one
/// only where nothing stands around it.
///
/// # Errors
/// Why the last list or object does not fit, or that there is none.
pub fn last_list<T>(
    text: &str,
    read: impl Fn(&Json) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let said = parse::said(text);
    let mut found = Err("the reply has no JSON list".to_owned());
    // What is within a value that does not fit is looked at, too; so an adversary's brackets have a bound.
    let mut fuel = said.len().saturating_mul(16).saturating_add(4096);
    let (mut at, mut within) = (0, 0);
    while let Some(next) = said[at..].find(['[', '{']) {
        let start = at + next;
        at = start + 1;
        let (value, length) = match json::parse_prefix(&said[start..], Dialect::Loose) {
            Ok(prefix) => (prefix.value, prefix.end),
            Err(error) => match fuel.checked_sub(error.at + 1) {
                Some(left) => {
                    fuel = left;
                    if found.is_err() {
                        found = Err(format!("it is not JSON: {}", error.problem));
                    }
                    continue;
                }
                None => break,
            },
        };
        let items = match &value {
            Json::List(items) if items.is_empty() && start < within => continue,
            Json::List(items) => items.iter().map(&read).collect(),
            object => read(object).map(|one| vec![one]),
        };
        match items {
            Ok(items) => {
                found = Ok(items);
                at = start + length;
            }
            Err(problem) => {
                // Of what is within a value that does not fit the value says more.
                if found.is_err() && start >= within {
                    found = Err(problem);
                }
                within = within.max(start + length);
                match fuel.checked_sub(length) {
                    Some(left) => fuel = left,
                    None => break,
                }
            }
        }
    }
    found
}

/// Whether a judge says yes.
pub fn verdict(text: &str) -> Option<bool> {
    const WORDS: [verdict::Word<bool>; 2] =
        [verdict::Word::of(true, verdict::YES), verdict::Word::of(false, verdict::NO)];
    verdict::read(text, &WORDS)
}

/// A value as notes have it.
pub fn noted(step: &Step) -> Value {
    let args = serde_json::to_value(&step.args).unwrap_or_default();
    let mut noted = serde_json::json!({ "tool": step.tool, "args": args });
    if let Err(fault) = step.action() {
        noted["fault"] = fault.class.into();
    }
    noted
}
