//! What is said of models and services while they are asked: why a run rests by itself, and what was sent otherwise than chosen.

use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Departure;
use turnwise_shared::run::{Halt, Reason};

use crate::number::count;

/// The run has paused by itself: because of whom.
pub fn halted(halt: &Halt) -> String {
    let who = who(&halt.who);
    match halt.class {
        FailureClass::Unauthorised => format!("The run has paused: {who} refused the key"),
        FailureClass::Forbidden => {
            format!("The run has paused: this server may not use {who}")
        }
        FailureClass::Quota => format!("The run has paused: the account at {who} has nothing left"),
        FailureClass::Blocked => format!("The run has paused: {who} shuts this server out"),
        FailureClass::BudgetExhausted => {
            "The run has paused: its budget does not let the next call out".to_owned()
        }
        _ => format!("The run has paused: {who} failed {} times in a row", count(halt.in_a_row)),
    }
}

/// What the service said at last.
pub fn said_at_last(halt: &Halt) -> String {
    let message = format!("Last error: {}.", halt.message.trim_end_matches('.'));
    match &halt.words {
        Some(words) => format!("{message} {}", says(words)),
        None => message,
    }
}

fn says(words: &str) -> String {
    format!("{REFUSAL}: {}.", words.trim_end_matches('.'))
}

/// Before when the service does not want to be asked again.
pub fn until(moment: &str) -> String {
    format!("The service asks to wait until {moment}.")
}

/// Why calls of a run failed, or were refused before they were sent otherwise.
pub fn reason(reason: &Reason) -> String {
    let who = who(&reason.who);
    let calls = match reason.times {
        1 => "1 call".to_owned(),
        more => format!("{} calls", count(more)),
    };
    let what = match &reason.failure {
        Some(failure) => format!("{who}, {calls}: {}.", failure.trim_end_matches('.')),
        None => format!("{who}, {calls}: refused first, then sent otherwise and answered."),
    };
    match &reason.words {
        Some(words) => format!("{what} {}", says(words)),
        None => what,
    }
}

/// What is to be mended before the run goes on.
pub fn mend(halt: &Halt) -> &'static str {
    match halt.class {
        FailureClass::Unauthorised => {
            "Ask the operator for a valid key (environment or turnwise.toml) and a restart. Then press Resume."
        }
        FailureClass::Forbidden => {
            "Settle it with the service, or choose another model. A new model needs a new run."
        }
        FailureClass::Quota => {
            "Add credit to the account, or wait until its quota is renewed. Then press Resume."
        }
        FailureClass::Blocked => {
            "Wait a while and press Resume, or start a run with another service or search engine."
        }
        FailureClass::Rejected | FailureClass::Unavailable => {
            "The name of the model may be wrong, or the service does not offer it. Try it under Connections; a wrong name \
             needs a new run."
        }
        FailureClass::BudgetExhausted => "Fix that, or raise the budget. Then press Resume.",
        _ => "Test whether it answers again, then press Resume.",
    }
}

fn who(name: &str) -> String {
    match name.split_once(':') {
        Some(("model", model)) => model.to_owned(),
        Some(("search", engine)) => format!("the search engine {engine}"),
        _ => name.to_owned(),
    }
}

pub const REFUSAL: &str = "The service says";

/// What was sent otherwise than chosen, in a few words.
pub fn departure(departure: &Departure) -> String {
    let parameter = departure.parameter.replace('_', " ");
    match departure.how {
        Departed::Supplied(_) if parameter == "stream" => {
            "asked as a stream, the model answers no other way".to_owned()
        }
        Departed::NotTaken => format!("{parameter} left out, the model does not take it"),
        Departed::Refused => format!("{parameter} left out, the service refused it"),
        Departed::Supplied(value) => format!("{parameter} {} added", count(value)),
        Departed::Lowered(value) => {
            format!("{parameter} lowered to {}, the service takes no more", count(value))
        }
        Departed::Moved if parameter == "system" => {
            format!("{parameter} text sent within the first message")
        }
        Departed::Moved if parameter == "role order" => {
            "messages of one side sent as one".to_owned()
        }
        Departed::Moved => format!("another {parameter} of the service was asked"),
        Departed::Cut(bytes) => format!("{parameter} cut after {} bytes", count(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_to_pause_says_who_and_what_to_mend() {
        let halt = |who: &str, class, in_a_row| Halt {
            who: who.to_owned(),
            class,
            message: "the service failed (status 500)".to_owned(),
            words: None,
            until: None,
            in_a_row,
        };
        let key = halt("model:openai/gpt-5", FailureClass::Unauthorised, 1);
        assert_eq!(halted(&key), "The run has paused: openai/gpt-5 refused the key");
        let down = halt("search:wiki", FailureClass::Server, 10);
        assert_eq!(
            halted(&down),
            "The run has paused: the search engine wiki failed 10 times in a row"
        );
        assert_eq!(said_at_last(&down), "Last error: the service failed (status 500).");
        assert_ne!(mend(&key), mend(&down));
        let closed = Halt {
            words: Some("not in this country.".to_owned()),
            ..halt("model:openai/gpt-5", FailureClass::Forbidden, 1)
        };
        assert!(!halted(&closed).contains("key") && !mend(&closed).contains("key"));
        assert!(said_at_last(&closed).ends_with("The service says: not in this country."));
    }
}
