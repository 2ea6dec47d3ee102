//! Chain and receipts of a transcript that cannot be played again here.

use std::collections::BTreeMap;

use super::{Check, Verifier, Wrong};
use crate::effect::Reply;
use crate::episode::CallId;
use crate::hash::Digest;
use crate::run::EpisodeKey;
use crate::transcript::{Event, Request, Transcript};
use crate::wire::publishing::{Evidence, FindingAbout};
use crate::wire::receipts::Came;

impl Verifier<'_> {
    /// Chain and receipts of a transcript that cannot be played again here.
    pub(super) fn unplayed(
        &mut self,
        key: &EpisodeKey,
        transcript: &Transcript,
    ) -> Result<(), Wrong> {
        let mut asked = BTreeMap::new();
        for (at, event) in transcript.events.iter().enumerate() {
            match event {
                Some(Event::Asked { call, request }) => {
                    asked.insert(*call, request);
                }
                Some(Event::Told { call, reply }) => {
                    let line = at as u64 + 1;
                    self.calls.insert((key.clone(), *call));
                    self.unplayed_reply(key, line, *call, asked.get(call).copied(), reply)?;
                }
                _ => {}
            }
        }
        self.tally.unplayed += 1;
        Ok(())
    }

    fn unplayed_reply(
        &mut self,
        key: &EpisodeKey,
        line: u64,
        call: CallId,
        request: Option<&Request>,
        reply: &Reply,
    ) -> Result<(), Wrong> {
        let digest = match request {
            Some(Request::Ask { digest, .. }) => *digest,
            // What else was asked stands in the line itself, and the server's replay covers it.
            _ => return Ok(()),
        };
        let of_call = self.receipts.by_call.get(&(key.clone(), call));
        let of_request = || {
            let at = of_call.into_iter().flatten().copied();
            at.filter(|at| self.receipts.all[*at].asked == digest)
        };
        let said = Digest::of_value(reply);
        match of_request().find(|at| self.receipts.all[*at].reply == said) {
            Some(at) => {
                self.receipts.used.insert(at);
                self.tally.back(Evidence::Receipted);
                self.tally.find(FindingAbout::Unseen, 1, None);
                Ok(())
            }
            None if of_request().any(|at| self.receipts.all[at].came == Came::Answer) => {
                Err(Wrong::at(
                    Check::Answer,
                    key,
                    Some(line),
                    "the receipt of this call is of another answer",
                ))
            }
            None => Ok(()),
        }
    }
}
