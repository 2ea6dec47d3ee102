//! What a person is asked on the page of a run, and what there is to answer with.

use turnwise_shared::seat::Seat;

texts!("person");

/// The heading while something is asked.
pub fn asked_as(seat: &str) -> String {
    match (seat, seat.parse::<u32>()) {
        (_, Ok(number)) => format!("Your turn in seat {number}"),
        (Seat::RESPONDER, _) => "Answer as the user".to_owned(),
        (Seat::GRADER, _) => "Grade the answer".to_owned(),
        _ => format!("Answer as the {seat}"),
    }
}

/// A choice as a button says it.
pub fn choice(word: &str) -> String {
    super::play::sentence(word).trim_end_matches('.').to_owned()
}
