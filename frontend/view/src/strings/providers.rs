//! What is said of models and services while they are asked: why a run rests by itself, and what was sent otherwise than chosen.

use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Departure;
use turnwise_shared::run::{Halt, Reason};

texts!("providers");

/// The run has paused by itself: because of whom.
pub fn halted(halt: &Halt) -> String {
    paused(who(&halt.who), halt.in_a_row, halt.class)
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

/// Why calls of a run failed, or were refused before they were sent otherwise.
pub fn reason(reason: &Reason) -> String {
    let failure = reason.failure.as_deref().map(|failure| failure.trim_end_matches('.'));
    let what = failed_calls(who(&reason.who), reason.times, failure);
    match &reason.words {
        Some(words) => format!("{what} {}", says(words)),
        None => what,
    }
}

fn who(name: &str) -> String {
    match name.split_once(':') {
        Some(("model", model)) => model.to_owned(),
        Some(("search", engine)) => format!("the search engine {engine}"),
        _ => name.to_owned(),
    }
}

/// What was sent otherwise than chosen, in a few words.
pub fn departure(departure: &Departure) -> String {
    let parameter = departure.parameter.replace('_', " ");
    match (departure.how, parameter.as_str()) {
        (Departed::Supplied(_), "stream") => AS_STREAM.to_owned(),
        (Departed::Moved, "system") => SYSTEM_MOVED.to_owned(),
        (Departed::Moved, "role order") => JOINED.to_owned(),
        (how, _) => departed(parameter, how),
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
        assert_ne!(mend(key.class), mend(down.class));
        let closed = Halt {
            words: Some("not in this country.".to_owned()),
            ..halt("model:openai/gpt-5", FailureClass::Forbidden, 1)
        };
        assert!(!halted(&closed).contains("key") && !mend(closed.class).contains("key"));
        assert!(said_at_last(&closed).ends_with("The service says: not in this country."));
    }
}
