//! What becomes of a call (specification 5.5): the dispatch table of the reference, and that of `strict`.

use super::player::Calling;
use super::spans::{first_balanced, loads, without_commas};
use super::syntax::{Body, Call, TOOL};
use turnwise_core::json::{Json, Object};
use turnwise_core::python::truthy;
use turnwise_core::spec::Profile;

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Dispatch {
    /// The engine is asked. Call and hit are logged.
    Run {
        /// For what: a text, or under `reference` also a list.
        query: Json,
        /// What was put right first (`strict` only).
        repairs: Vec<Repair>,
    },
    /// `reference` only: the engine is asked, call and hit are logged, and then the episode is finished without an answer,
    /// because the tool cannot cut a query that is no text.
    RunAndEnd {
        /// For what.
        query: Json,
    },
    /// `reference` only: the episode is finished without an answer, and nothing is logged.
    End(Fault),
    /// The player gets an error observation. The episode goes on.
    Refuse {
        /// Why.
        fault: Fault,
        /// Whether it counts as a tool call (with hit 0 and without a hit log).
        counted: Counted,
    },
}

/// Whether a refused call stands among the tool calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// It does, without a hit log.
    AsCall,
    /// It does not.
    Not,
}

/// Something that was put right before a call was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// Commas before closing brackets were left out.
    Commas,
    /// What stood after the first balanced object was left out.
    Tail,
    /// A number or a truth value became a text.
    QueryAsText,
}

impl Repair {
    /// In a few words, for notes.
    pub fn words(self) -> &'static str {
        match self {
            Repair::Commas => "commas before closing brackets left out",
            Repair::Tail => "text after the call's object left out",
            Repair::QueryAsText => "query turned into text",
        }
    }
}

/// Why a call is not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No JSON object, however it is mended.
    NotJson,
    /// It names no tool.
    NoName,
    /// There is no tool of its name.
    UnknownTool,
    /// The arguments are no object.
    ArgumentsNotObject,
    /// The query is missing or empty.
    NoQuery,
    /// The query is neither a text nor something that becomes one.
    QueryNotText,
    /// `reference` only: the tool reads the text again and does not find a call that it can decode.
    ReadAgain,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 7] = [
        Fault::NotJson,
        Fault::NoName,
        Fault::UnknownTool,
        Fault::ArgumentsNotObject,
        Fault::NoQuery,
        Fault::QueryNotText,
        Fault::ReadAgain,
    ];

    /// The fault of this name.
    pub fn named(name: &str) -> Option<Self> {
        Fault::ALL.into_iter().find(|fault| fault.name() == name)
    }

    /// Its name in notes and counts.
    pub fn name(self) -> &'static str {
        match self {
            Fault::NotJson => "not_json",
            Fault::NoName => "no_name",
            Fault::UnknownTool => "unknown_tool",
            Fault::ArgumentsNotObject => "arguments_not_object",
            Fault::NoQuery => "no_query",
            Fault::QueryNotText => "query_not_text",
            Fault::ReadAgain => "read_again",
        }
    }

    /// What the player is told, after `Error: `. The error analysis of the reference finds its counts by the beginning.
    pub fn observation(self) -> &'static str {
        match self {
            Fault::NotJson => {
                "Invalid tool call format: the call is not a JSON object with name and arguments"
            }
            Fault::NoName => "Invalid tool call format: the call has no name",
            Fault::UnknownTool => "Invalid tool call format: the only tool is web_search",
            Fault::ArgumentsNotObject => "Invalid tool call format: arguments has to be an object",
            Fault::NoQuery => "Invalid tool call format: arguments.query is missing or empty",
            Fault::QueryNotText => "Invalid tool call format: arguments.query has to be text",
            Fault::ReadAgain => "Invalid tool call format: the call could not be read again",
        }
    }
}

/// What becomes of one call of a message.
///
/// `beside` is how many calls of that message are run in all: in parallel mode the reference treats two and more in its own
/// way, and one as if it stood in sequential mode.
pub fn dispatch(call: &Call, calling: Calling, beside: usize, profile: Profile) -> Dispatch {
    match profile {
        Profile::Strict => strict(call),
        Profile::Reference if calling == Calling::Parallel && beside > 1 => side_by_side(call),
        Profile::Reference => one_by_one(call),
    }
}

fn one_by_one(call: &Call) -> Dispatch {
    let (object, plain) = match &call.body {
        Body::Json(text) => match decode(text) {
            Some((object, repairs)) => (object, repairs.is_empty()),
            None => return Dispatch::End(Fault::NotJson),
        },
        // The tool looks for the default tags and finds something else, or nothing.
        Body::Built { name, arguments } => (object_of(name, arguments.clone()), false),
    };
    let arguments = match parts(&object) {
        Ok(arguments) => arguments,
        Err(fault) => return Dispatch::End(fault),
    };
    let refused = |fault| Dispatch::Refuse {
        fault,
        counted: Counted::AsCall,
    };
    if !plain {
        return refused(Fault::ReadAgain);
    }
    asked(&arguments).unwrap_or_else(|| refused(Fault::NoQuery))
}

/// What the arguments ask for, `None` if they name no query. Whatever is neither a text nor a list ends the episode once it
/// was asked.
fn asked(arguments: &Object) -> Option<Dispatch> {
    let query = arguments
        .get("query")
        .filter(|query| truthy(query))?
        .clone();
    Some(match query {
        Json::Text(_) | Json::List(_) => Dispatch::Run {
            query,
            repairs: Vec::new(),
        },
        query => Dispatch::RunAndEnd { query },
    })
}

/// Two and more calls of one message: nothing is mended, and a bad one is an error among the results.
fn side_by_side(call: &Call) -> Dispatch {
    let refused = |fault| Dispatch::Refuse {
        fault,
        counted: Counted::Not,
    };
    let object = match &call.body {
        Body::Json(text) => match loads(text) {
            Some(Json::Object(object)) => object,
            _ => return refused(Fault::NotJson),
        },
        Body::Built { name, arguments } => object_of(name, arguments.clone()),
    };
    let arguments = match parts(&object) {
        Ok(arguments) => arguments,
        Err(fault) => return refused(fault),
    };
    asked(&arguments).unwrap_or_else(|| refused(Fault::NoQuery))
}

fn strict(call: &Call) -> Dispatch {
    let refused = |fault| Dispatch::Refuse {
        fault,
        counted: Counted::AsCall,
    };
    let (object, mut repairs) = match &call.body {
        Body::Json(text) => match decode(text) {
            Some(decoded) => decoded,
            None => return refused(Fault::NotJson),
        },
        Body::Built { name, arguments } => (object_of(name, arguments.clone()), Vec::new()),
    };
    let arguments = match parts(&object) {
        Ok(arguments) => arguments,
        Err(fault) => return refused(fault),
    };
    let query = match arguments.get("query") {
        None | Some(Json::Null) => return refused(Fault::NoQuery),
        Some(Json::Text(query)) => query.trim().to_owned(),
        Some(scalar @ (Json::Int(_) | Json::Float(_) | Json::Bool(_))) => {
            repairs.push(Repair::QueryAsText);
            turnwise_core::python::dumps(scalar, turnwise_core::python::Layout::Line)
        }
        Some(Json::List(_) | Json::Object(_)) => return refused(Fault::QueryNotText),
    };
    if query.is_empty() {
        return refused(Fault::NoQuery);
    }
    Dispatch::Run {
        query: Json::Text(query),
        repairs,
    }
}

fn object_of(name: &str, arguments: Json) -> Object {
    [("name", Json::from(name)), ("arguments", arguments)]
        .into_iter()
        .collect()
}

/// The arguments of a call of the one tool.
fn parts(object: &Object) -> Result<Object, Fault> {
    match object.get("name") {
        Some(Json::Text(name)) if name == TOOL => {}
        Some(Json::Text(name)) if !name.is_empty() => return Err(Fault::UnknownTool),
        None | Some(Json::Null | Json::Text(_)) => return Err(Fault::NoName),
        Some(_) => return Err(Fault::UnknownTool),
    }
    match object.get("arguments") {
        None => Ok(Object::default()),
        Some(Json::Object(arguments)) => Ok(arguments.clone()),
        Some(_) => Err(Fault::ArgumentsNotObject),
    }
}

/// Decodes a call, mending it as the reference does: without commas before `}`, before `]`, before both, else the first
/// balanced object.
fn decode(text: &str) -> Option<(Object, Vec<Repair>)> {
    let object = |text: &str| match loads(text) {
        Some(Json::Object(object)) => Some(object),
        _ => None,
    };
    if let Some(object) = object(text) {
        return Some((object, Vec::new()));
    }
    let braces = without_commas(text, '}');
    let mended = [
        without_commas(text, ']'),
        without_commas(&braces, ']'),
        braces,
    ];
    if let Some(object) = mended.iter().find_map(|text| object(text)) {
        return Some((object, vec![Repair::Commas]));
    }
    let object = object(first_balanced(text)?)?;
    Some((object, vec![Repair::Tail]))
}
