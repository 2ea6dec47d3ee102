//! Everything that crosses the border of the core: effects go out, replies come in.
//!
//! Both enums are closed on purpose. A new effect changes every driver, so the compiler should say where; it is added
//! together with its driver, never before.

mod tool;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::day::Day;
use crate::prompt::{Ask, Said};

pub use tool::{Job, Link, Made, PAGE, Page, Pictured, RENDER, RenderProfile, Tool, Visit};

/// The name under which calls of the search engine are counted, and their lane in the scheduler.
pub const SEARCH: &str = "search";

/// The number of a call within its episode, from 1, in the order in which calls were requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub u32);

shown_as_held!(CallId);

/// What an episode wants from the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub enum Effect {
    /// A seat is to reply: a model, a person, a bot or a recording; the episode cannot know which.
    Ask(Ask),
    /// A search engine is to be asked.
    Search(Query),
    /// Chance: numbers from the stream of that name, drawn without replacement.
    Draw {
        /// Which stream, e.g. `deck:17`; the same seed and stream always give the same numbers.
        stream: String,
        /// Numbers lie in `0..below`.
        below: u32,
        /// How many are drawn; at most `below`.
        take: u32,
    },
    /// Something is to be made or fetched.
    Use(Tool),
}

impl Effect {
    /// The effect's name as it stands in a transcript.
    pub fn name(&self) -> &'static str {
        match self {
            Effect::Ask(_) => "ask",
            Effect::Search(_) => "search",
            Effect::Draw { .. } => "draw",
            Effect::Use(_) => "use",
        }
    }
}

/// A question to a search engine.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// What is looked for, as the player wrote it.
    pub text: String,
    /// The most hits that may come back.
    pub results: u32,
    /// The language to prefer, e.g. `en` or `zh`; absent = the engine's own choice.
    pub locale: Option<String>,
    /// The first day of the pages that are wanted; absent = any. An engine that takes no range refuses the query.
    pub since: Option<Day>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// Fits [`Effect::Ask`].
    Said(Said),
    /// Fits [`Effect::Search`]; best hit first, possibly none.
    Found {
        hits: Vec<Hit>,
        /// Which engine answered, where the service that was asked says so, e.g. `bing`; an archive's own index is
        /// [`BY_INDEX`](crate::archive::BY_INDEX).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// Fits [`Effect::Draw`]: as many different numbers as were to be taken.
    Drawn {
        /// The numbers in the order in which they were drawn.
        numbers: Vec<u32>,
    },
    /// Fits [`Effect::Use`] of the same kind.
    Made(Made),
    /// Fits every effect: nothing came back, and why.
    Failed(Failure),
}

impl Reply {
    /// These hits, of an engine that does not say who answered.
    pub fn found(hits: Vec<Hit>) -> Self {
        Reply::Found { hits, by: None }
    }

    /// How many bytes of text it has.
    pub fn bytes(&self) -> usize {
        match self {
            Reply::Said(said) => said.bytes(),
            Reply::Found { hits, .. } => {
                let texts = hits.iter().flat_map(|hit| [&hit.title, &hit.snippet]);
                texts.flatten().map(String::len).sum()
            }
            Reply::Made(made) => made.bytes(),
            Reply::Drawn { .. } | Reply::Failed(_) => 0,
        }
    }

    /// Whether this is an answer which `effect` can have.
    pub fn fits(&self, effect: &Effect) -> bool {
        match (effect, self) {
            (_, Reply::Failed(_)) | (Effect::Ask(_), Reply::Said(_)) => true,
            (Effect::Search(query), Reply::Found { hits, .. }) => {
                u32::try_from(hits.len()).is_ok_and(|found| found <= query.results)
            }
            (Effect::Draw { below, take, .. }, Reply::Drawn { numbers }) => {
                let distinct: std::collections::BTreeSet<_> = numbers.iter().collect();
                distinct.len() == numbers.len()
                    && u32::try_from(numbers.len()).is_ok_and(|count| count == *take)
                    && numbers.iter().all(|number| number < below)
            }
            (Effect::Use(tool), Reply::Made(made)) => made.fits(tool),
            _ => false,
        }
    }

    /// The reply's name as it stands in a transcript.
    pub fn name(&self) -> &'static str {
        match self {
            Reply::Said(_) => "said",
            Reply::Found { .. } => "found",
            Reply::Drawn { .. } => "drawn",
            Reply::Made(_) => "made",
            Reply::Failed(_) => "failed",
        }
    }
}

/// One result of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The page's title; `None` if the engine gave none.
    pub title: Option<String>,
    /// The passage shown for it.
    pub snippet: Option<String>,
    pub url: Option<String>,
}

/// Why nothing came back. Episodes decide what that means for them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of failure it was.
    pub class: FailureClass,
    /// One sentence for people. It names no key and no address.
    pub message: String,
    /// What else is known, e.g. the status; never shown to a seat.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub detail: Value,
}

impl Failure {
    /// A failure of a class, in a sentence.
    pub fn new(class: FailureClass, message: impl Into<String>) -> Self {
        Failure { class, message: message.into(), detail: Value::Null }
    }

    /// A call that was cancelled before it was sent to any service.
    pub fn of_unsent_call(why: impl Into<String>) -> Self {
        Failure { detail: json!({ (SENT): false }), ..Failure::new(FailureClass::Cancelled, why) }
    }

    /// Whether a service may ask for money after it: [`FailureClass::may_be_charged`], but of no call that was cancelled before it
    /// was sent.
    pub fn may_be_charged(&self) -> bool {
        let was_sent = self.class != FailureClass::Cancelled || self.detail[SENT] != json!(false);
        was_sent && self.class.may_be_charged()
    }
}

/// In the detail of a failure: whether the call was sent.
const SENT: &str = "sent";

/// The detail of [`FailureClass::Undecodable`] where the reply is JSON, but no object: a benchmark may have words of its own for that.
pub const NOT_AN_OBJECT: &str = "not an object";

crate::choices! {
    /// The kinds of failure, distinguished because different ones need different remedies.
    pub enum FailureClass {
        Timeout = "timeout",
        /// The connection could not be made, or was cut before the end.
        Connection = "connection",
        /// The service asked for fewer calls (429).
        RateLimited = "rate_limited",
        /// The service failed (408, 409, 425 or 5xx).
        Server = "server",
        /// The service refused the key (401, and 403 that says nothing else).
        Unauthorised = "unauthorised",
        /// The service does not let this account use the model, or is not offered in this region.
        Forbidden = "forbidden",
        /// The account at the service has no credit or quota left.
        Quota = "quota",
        /// The service takes the caller for a machine that may not ask: a captcha, an address that is shut out.
        Blocked = "blocked",
        /// A filter or a policy refused this one request; others are answered. Calls to models never fail so: they end as an
        /// answer whose stop is [`Stop::Filtered`](crate::prompt::Stop::Filtered). Searches do.
        Filtered = "filtered",
        /// The request is longer than the context window of the model, or than what the service takes at all. The conversation of a player
        /// ends its episode so ([`Outcome::CONTEXT`](crate::episode::Outcome::CONTEXT)).
        Context = "context",
        /// The service refused the request for good (other 4xx).
        Rejected = "rejected",
        /// The service answered with something that is not an answer: not JSON, no choice, an unfinished stream.
        Undecodable = "undecodable",
        /// A rule of ours refused to fetch a page; `rule` of the detail names it.
        Refused = "refused",
        /// What came is larger than a page may be.
        TooLarge = "too_large",
        /// Nothing is configured under that name.
        Unavailable = "unavailable",
        /// A recording holds no answer, or one to another question.
        OffRecording = "off_tape",
        /// The run was stopped, or a person left the seat.
        Cancelled = "cancelled",
        /// The episode's or the run's budget is used up.
        BudgetExhausted = "budget_exhausted",
    }
}

impl Failure {
    /// What a server reports, and signs, of a call that was cancelled before any of its answer was passed on. All such calls have
    /// this very failure, so a receipt is known to be of one by its digest alone.
    pub fn of_cancelled_call() -> Self {
        Failure::new(FailureClass::Cancelled, "the call was cancelled")
    }
}

impl FailureClass {
    /// Whether the same call can succeed later, and so may be tried again: timeout, connection, 408/409/425/429/5xx, and an
    /// answer that cannot be decoded.
    pub fn can_succeed_later(self) -> bool {
        match self {
            FailureClass::Timeout
            | FailureClass::Connection
            | FailureClass::RateLimited
            | FailureClass::Server
            | FailureClass::Undecodable => true,
            FailureClass::Unauthorised
            | FailureClass::Forbidden
            | FailureClass::Quota
            | FailureClass::Blocked
            | FailureClass::Filtered
            | FailureClass::Context
            | FailureClass::Rejected
            | FailureClass::Refused
            | FailureClass::TooLarge
            | FailureClass::Unavailable
            | FailureClass::OffRecording
            | FailureClass::Cancelled
            | FailureClass::BudgetExhausted => false,
        }
    }

    /// Whether the run itself is why nothing came, and not a service: it was stopped, its budget is used up, its recording holds no
    /// answer, or no service is configured. The authors' programs know no such failure; the episode is incomplete.
    pub fn is_of_the_run(self) -> bool {
        matches!(
            self,
            FailureClass::Cancelled
                | FailureClass::BudgetExhausted
                | FailureClass::OffRecording
                | FailureClass::Unavailable
        )
    }

    /// Whether a service may ask for money after a call that failed so: it may have done its work, and only the answer was
    /// lost.
    pub fn may_be_charged(self) -> bool {
        matches!(
            self,
            FailureClass::Timeout
                | FailureClass::Connection
                | FailureClass::Undecodable
                | FailureClass::Cancelled
        )
    }
}
