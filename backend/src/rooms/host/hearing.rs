//! What a player in a seat says, and whether it can be taken.

use tokio::time::Instant;
use turnwise_shared::evidence_tier::Attendance;
use turnwise_shared::fairness::{LONGEST_NONCE, SHORTEST_NONCE};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::live::{Agreed, CONSENT, SeatSays};

use super::Host;
use crate::clock;
use crate::error::{Answer, Problem};
use crate::limits;

/// The longest name, in bytes.
const LONGEST_NAME: usize = 60;

/// The longest reply, in bytes: a web page that a player writes fits.
const LONGEST_REPLY: usize = 60_000;

impl Host {
    /// What a player in a seat says.
    pub(super) async fn hear(&mut self, seat: &Seat, says: SeatSays) -> Answer<()> {
        let has_begun = self.play.is_some();
        let chair = self.chairs.get_mut(seat).ok_or_else(|| Problem::not_found("such seat"))?;
        chair.look(Instant::now());
        match says {
            SeatSays::Hello { .. } => Err(Problem::bad_request("A hello is said once.")),
            SeatSays::Sit { name, nonce, agrees_to } => {
                check_words(&name, &nonce)?;
                let agreed = agreed(self.info.attendance, agrees_to)?;
                match chair.nonce() {
                    Some(named) if named != nonce => {
                        Err(Problem::conflict("Somebody sits there already."))
                    }
                    _ => {
                        chair.sit(name, nonce, agreed);
                        Ok(())
                    }
                }
            }
            SeatSays::Reply { turn, text } => {
                if text.len() > LONGEST_REPLY {
                    return Err(Problem::unfit(format!(
                        "A reply has at most {LONGEST_REPLY} bytes."
                    )));
                }
                if chair.turn() != Some(turn) {
                    return Err(Problem::conflict(match chair.turn() {
                        Some(now) => {
                            format!("Turn {turn} is over or was never asked; turn {now} is.")
                        }
                        None => "Nothing is asked of this seat now.".to_owned(),
                    }));
                }
                // What is understood stands in the question (`SeatAsk::understood`).
                if let Some(why) = chair.understands.and_then(|one| one.refuses(&text)) {
                    return Err(Problem::unfit(why));
                }
                self.tell(seat, Reply::Said(Said::text(text))).await
            }
            SeatSays::Leave if has_begun => {
                chair.left = true;
                self.answer_for_those_who_left().await
            }
            SeatSays::Leave => {
                chair.get_up();
                Ok(())
            }
        }
    }
}

/// What a player who sits down agrees to, where the room wants it.
fn agreed(attendance: Attendance, agrees_to: Option<String>) -> Answer<Option<Agreed>> {
    match (attendance, agrees_to) {
        (Attendance::Unattended, _) => Ok(None),
        (Attendance::Invited, Some(to)) if to == CONSENT => Ok(Some(Agreed {
            time: clock::now(),
            to,
        })),
        (Attendance::Invited, _) => Err(Problem::unfit(
            "Whoever sits down here agrees that their play is recorded and counts as that of a person.",
        )
        .mend("Read what is recorded, and agree to it; or leave the seat to somebody else.")),
    }
}

fn check_words(name: &str, nonce: &str) -> Answer<()> {
    limits::line("name", name, LONGEST_NAME)?;
    if !(SHORTEST_NONCE..=LONGEST_NONCE).contains(&nonce.len()) {
        return Err(Problem::unfit(format!(
            "A nonce has {SHORTEST_NONCE} to {LONGEST_NONCE} bytes."
        )));
    }
    Ok(())
}
