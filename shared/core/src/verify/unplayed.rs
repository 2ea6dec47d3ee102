//! Chain and receipts of a transcript that cannot be played again here.

use std::collections::BTreeMap;

use super::receipts::{Backing, Stands};
use super::{Check, OTHER_ANSWER, Verifier, Wrong};
use crate::effect::{CallId, Reply};
use crate::evidence_tier::Evidence;
use crate::hash::Digest;
use crate::key::EpisodeKey;
use crate::transcript::{Event, Request, Transcript, Used};
use crate::wire::publishing::FindingAbout;

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
            Some(Request::Ask { digest, .. } | Request::Use(Used::Render { digest, .. })) => {
                *digest
            }
            // What else was asked stands in the line itself, and the server's replay covers it.
            _ => return Ok(()),
        };
        let stands = Stands {
            episode: key,
            call,
            asked: digest,
            sent: None,
            reply: Digest::of_value(reply),
        };
        match self.receipts.back(&stands) {
            Backing::Backed | Backing::OtherRequest => {
                self.tally.back(Evidence::Receipted);
                self.tally.find(FindingAbout::Unseen, 1, None);
                Ok(())
            }
            Backing::OtherAnswer => Err(Wrong::at(Check::Answer, key, Some(line), OTHER_ANSWER)),
            Backing::None => Ok(()),
        }
    }
}
