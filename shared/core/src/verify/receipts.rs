//! Receipts by call, and which of them back a reply.

use std::collections::{BTreeMap, BTreeSet};

use super::Tally;
use crate::effect::{CallId, Failure, Reply};
use crate::hash::Digest;
use crate::key::EpisodeKey;
use crate::wire::publishing::{FindingAbout, Place};
use crate::wire::receipts::{CallEnd, Host, Receipt};

#[derive(Default)]
pub(super) struct Receipts {
    all: Vec<Receipt>,
    by_call: BTreeMap<(EpisodeKey, CallId), Vec<usize>>,
    used: BTreeSet<usize>,
}

/// A reply that stands in a transcript.
pub(super) struct Stands<'a> {
    pub episode: &'a EpisodeKey,
    /// To which of its calls.
    pub call: CallId,
    /// The digest of what the episode asked.
    pub asked: Digest,
    /// The digest of what was sent; `None` if the checker cannot know it.
    pub sent: Option<Digest>,
    /// The digest of the reply.
    pub reply: Digest,
}

/// What receipts say of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backing {
    /// It is what came back.
    Backed,
    /// It came back, and something else was sent than the episode asked.
    OtherRequest,
    OtherAnswer,
    None,
}

/// What makes two receipts those of the same answer, under any key.
type Answer<'a> = (&'a EpisodeKey, CallId, Digest, Digest, Digest);

fn answer(receipt: &Receipt) -> Answer<'_> {
    let Receipt { asked, sent, reply, .. } = receipt;
    (&receipt.episode, receipt.call, *asked, *sent, *reply)
}

impl Receipts {
    pub fn of(all: Vec<Receipt>) -> Self {
        let mut by_call: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, receipt) in all.iter().enumerate() {
            let call = (receipt.episode.clone(), receipt.call);
            by_call.entry(call).or_default().push(at);
        }
        Receipts { all, by_call, used: BTreeSet::new() }
    }

    /// What they say of a reply; the receipt that backs it is used by it.
    pub fn back(&mut self, stands: &Stands<'_>) -> Backing {
        let of_call =
            self.by_call.get(&(stands.episode.clone(), stands.call)).map_or(&[][..], Vec::as_slice);
        let of_request = of_call
            .iter()
            .map(|at| (*at, &self.all[*at]))
            .filter(|(_, receipt)| receipt.asked == stands.asked);
        let is_sent = |sent: Digest| stands.sent.is_none_or(|wanted| wanted == sent);
        let mut backing = Backing::None;
        for (at, receipt) in of_request {
            if receipt.reply == stands.reply && is_sent(receipt.sent) {
                self.used.insert(at);
                return Backing::Backed;
            }
            if receipt.reply == stands.reply {
                backing = Backing::OtherRequest;
            } else if receipt.came == CallEnd::Answer && backing == Backing::None {
                backing = Backing::OtherAnswer;
            }
        }
        backing
    }

    /// What those tell that back a reply, and what those tell that do not; `calls` are all calls of the transcripts. Two servers may
    /// have signed one answer, which counts once.
    pub fn left(&self, calls: &BTreeSet<(EpisodeKey, CallId)>, tally: &mut Tally) {
        let used = self.used.iter().map(|at| &self.all[*at]);
        let mut counted: BTreeSet<Answer<'_>> = used.clone().map(answer).collect();
        for receipt in used {
            let custom = u64::from(receipt.endpoint.host == Host::Custom);
            tally.find(FindingAbout::CustomEndpoint, custom, None);
        }
        self.cancelled(tally);
        // Where a reader cannot see an episode, it is unknown whether its receipts were used.
        if tally.unplayed > 0 {
            return;
        }
        for receipt in &self.all {
            if receipt.came == CallEnd::Failure || !counted.insert(answer(receipt)) {
                continue;
            }
            let call = (receipt.episode.clone(), receipt.call);
            let about = match calls.contains(&call) {
                true => FindingAbout::Rerolled,
                false => FindingAbout::Unused,
            };
            let place = Place { episode: receipt.episode.clone(), line: None };
            tally.find(about, 1, Some(place));
        }
    }

    /// Calls that were taken back; a call can be several times. Two servers may have signed one of them.
    fn cancelled(&self, tally: &mut Tally) {
        let cancelled = Digest::of_value(&Reply::Failed(Failure::of_cancelled_call()));
        let mut counted = BTreeSet::new();
        for receipt in &self.all {
            let is_cancelled = receipt.came == CallEnd::Failure && receipt.reply == cancelled;
            if is_cancelled && counted.insert((answer(receipt), receipt.time)) {
                let place = Place { episode: receipt.episode.clone(), line: None };
                tally.find(FindingAbout::Cancelled, 1, Some(place));
            }
        }
    }
}

#[cfg(test)]
mod tests;
