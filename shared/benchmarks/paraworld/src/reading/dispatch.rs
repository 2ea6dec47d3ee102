//! What becomes of a call (specification 5.5): the dispatch table of the reference, and that of `strict`.

use super::player::Calling;
use super::spans::{between, first_balanced, loads, without_commas};
use super::syntax::{Body, CLOSE, Call, OPEN, TOOL};
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps, strip, truthy};

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
    RunAndEnd { query: Json },
    /// `reference` only: the episode is finished without an answer, and nothing is logged.
    End(Fault),
    /// The player gets an error observation. The episode goes on.
    Refuse {
        fault: Fault,
        /// Whether it counts as a tool call (with hit 0 and without a hit log).
        counted: Counted,
        /// For what it asked, as far as that was read; the empty text where it names no query.
        query: Json,
    },
    /// `reference` only: refused like [`Dispatch::Refuse`], counted as a tool call, and then the episode is finished without an
    /// answer, because the query cannot be cut for the record.
    RefuseAndEnd { fault: Fault, query: Json },
    /// `reference` only, side by side: the whole turn fails with an error of the program, once the other calls have run.
    Crash(Fault),
}

/// Whether a refused call stands among the tool calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// It does, without a hit log.
    AsCall,
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

choices! {
    /// Why a call is not run.
    pub enum Fault {
        /// No JSON object, however it is mended.
        NotJson = "not_json",
        NoName = "no_name",
        /// There is no tool of its name.
        UnknownTool = "unknown_tool",
        /// The arguments are no object.
        ArgumentsNotObject = "arguments_not_object",
        /// The query is missing or empty.
        NoQuery = "no_query",
        /// The query is neither a text nor something that becomes one.
        QueryNotText = "query_not_text",
        /// `reference` only: the tool reads the last block of the text again and cannot decode it.
        ReadAgain = "read_again",
        /// `reference` only: the tool reads the text again and finds no block between the default tags.
        NoBlock = "no_block",
    }
}

impl Fault {
    /// Whether a call that was refused so stands among the tool calls of the reference: its tool layer refused it.
    pub fn is_counted(self) -> bool {
        matches!(self, Fault::NoQuery | Fault::ReadAgain | Fault::NoBlock)
    }

    /// What the player is sent, after `Error: `. The error analysis of the reference finds its counts by the beginning, so
    /// under `reference` only those faults begin so that begin so in the authors' program.
    pub fn observation(self, profile: Profile) -> &'static str {
        match (self, profile) {
            (Fault::NotJson, _) => {
                "Invalid tool call format: the call is not a JSON object with name and arguments"
            }
            (Fault::NoName, Profile::Strict) => "Invalid tool call format: the call has no name",
            (Fault::NoName, Profile::Reference) => "the call has no name",
            (Fault::UnknownTool, Profile::Strict) => {
                "Invalid tool call format: the only tool is web_search"
            }
            (Fault::UnknownTool, Profile::Reference) => "Unknown tool; the only tool is web_search",
            (Fault::ArgumentsNotObject, Profile::Strict) => {
                "Invalid tool call format: arguments has to be an object"
            }
            (Fault::ArgumentsNotObject, Profile::Reference) => "arguments has no query to read",
            (Fault::NoQuery, _) => "Invalid tool call format: arguments.query is missing or empty",
            (Fault::QueryNotText, _) => "Invalid tool call format: arguments.query has to be text",
            (Fault::ReadAgain, _) => "Invalid tool call format: the call could not be read again",
            (Fault::NoBlock, _) => "No valid <tool_call> block stands in the message",
        }
    }

    /// What the player of the reference is sent, after `Error: ` and without tags, of a call that was not run beside others.
    pub fn beside_others(self) -> &'static str {
        match self {
            Fault::NotJson => "the call is no JSON",
            other => other.observation(Profile::Reference),
        }
    }
}

/// The error with which an episode of the reference ends whose query cannot be cut for the record.
pub const CANNOT_CUT: &str = "the query cannot be cut";

/// What becomes of one call of a message.
///
/// `message` is the text in which it stands: the tool of the reference reads it again. `beside` is how many calls of that
/// message are run in all: in parallel mode the reference treats two and more in its own way, and one as if it stood in
/// sequential mode.
pub fn dispatch(
    call: &Call,
    message: &str,
    calling: Calling,
    beside: usize,
    profile: Profile,
) -> Dispatch {
    match profile {
        Profile::Strict => strict(call),
        Profile::Reference if calling == Calling::Parallel && beside > 1 => side_by_side(call),
        Profile::Reference => one_by_one(call, message),
    }
}

fn one_by_one(call: &Call, message: &str) -> Dispatch {
    let object = match &call.body {
        Body::Json(text) => match decode(text) {
            Some((object, _)) => object,
            None => return Dispatch::End(Fault::NotJson),
        },
        Body::Built { name, arguments } => object_of(name, arguments.clone()),
    };
    let arguments = match parts(&object) {
        Ok(arguments) => arguments,
        Err(fault) => return Dispatch::End(fault),
    };
    let query = query_of(&arguments);
    let can_be_cut = matches!(query, Json::Text(_) | Json::List(_));
    match (read_again(message), can_be_cut) {
        (Ok(query), true) => Dispatch::Run { query, repairs: Vec::new() },
        (Ok(query), false) => Dispatch::RunAndEnd { query },
        (Err(fault), true) => Dispatch::Refuse { fault, counted: Counted::AsCall, query },
        (Err(fault), false) => Dispatch::RefuseAndEnd { fault, query },
    }
}

/// For what a call asks, as the reference records it; the empty text where it names no query.
fn query_of(arguments: &Object) -> Json {
    let query = arguments.get("query").cloned();
    query.unwrap_or_else(|| Json::from(""))
}

/// What the tool of the reference makes of a message: whatever the agent found in it, the tool decodes the last block between
/// the default tags, mends nothing, and asks for the query that it finds there.
fn read_again(message: &str) -> Result<Json, Fault> {
    let block = between(message, OPEN, CLOSE).last();
    let block = block.filter(|block| !block.is_empty());
    let block = block.ok_or(Fault::NoBlock)?;
    let Some(Json::Object(object)) = loads(strip(&message[block])) else {
        return Err(Fault::ReadAgain);
    };
    let empty = Object::default();
    let arguments = match object.get("arguments") {
        None => &empty,
        Some(arguments) => arguments.as_object().ok_or(Fault::ReadAgain)?,
    };
    let query = arguments.get("query").filter(|query| truthy(query));
    let is_named = object.get("name").and_then(Json::as_text) == Some(TOOL);
    query.filter(|_| is_named).cloned().ok_or(Fault::NoQuery)
}

/// Two and more calls of one message: nothing is mended, a bad one is an error among the results, and no query is cut.
fn side_by_side(call: &Call) -> Dispatch {
    let refused = |fault| Dispatch::Refuse { fault, counted: Counted::Not, query: Json::from("") };
    let (object, block) = match &call.body {
        Body::Json(text) => match loads(text) {
            Some(Json::Object(object)) => (object, text.clone()),
            _ => return refused(Fault::NotJson),
        },
        Body::Built { name, arguments } => {
            let object = object_of(name, arguments.clone());
            let block = dumps(&Json::Object(object.clone()), Layout::Line);
            (object, block)
        }
    };
    let arguments = match parts(&object) {
        Ok(arguments) => arguments,
        Err(fault) => {
            let name = object.get("name");
            let is_no_key = matches!(name, Some(Json::List(_) | Json::Object(_)));
            return match fault {
                Fault::ArgumentsNotObject => Dispatch::Crash(fault),
                _ if is_no_key => Dispatch::Crash(fault),
                _ => refused(fault),
            };
        }
    };
    match read_again(&format!("{OPEN}\n{block}\n{CLOSE}")) {
        Ok(query) => Dispatch::Run { query, repairs: Vec::new() },
        Err(fault) => {
            Dispatch::Refuse { fault, counted: Counted::AsCall, query: query_of(&arguments) }
        }
    }
}

fn strict(call: &Call) -> Dispatch {
    let refused =
        |fault| Dispatch::Refuse { fault, counted: Counted::AsCall, query: Json::from("") };
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
    Dispatch::Run { query: Json::Text(query), repairs }
}

fn object_of(name: &str, arguments: Json) -> Object {
    [("name", Json::from(name)), ("arguments", arguments)].into_iter().collect()
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
    let mended = [without_commas(text, ']'), without_commas(&braces, ']'), braces];
    if let Some(object) = mended.iter().find_map(|text| object(text)) {
        return Some((object, vec![Repair::Commas]));
    }
    let object = object(first_balanced(text)?)?;
    Some((object, vec![Repair::Tail]))
}
