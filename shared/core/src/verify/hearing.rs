//! What stands behind each reply, found while its episode is played again.

use std::collections::{BTreeMap, BTreeSet};

use super::receipts::{Backing, Receipts, Stands};
use super::{Check, Driver, OTHER_ANSWER, Searched, SharedReplies, Tally, Wrong};
use crate::effect::{CallId, Effect, Reply};
use crate::evidence_tier::{Attendance, Evidence};
use crate::hash::Digest;
use crate::key::EpisodeKey;
use crate::run::shelf::again;
use crate::run::table::{Place as AtTable, Table};
use crate::transcript::request_digest;
use crate::wire::publishing::{FindingAbout, Place};

/// An ear for one episode.
pub(super) struct Hearing<'a> {
    pub table: &'a Table,
    pub place: AtTable<'a>,
    /// The line at which each call was answered.
    pub lines: BTreeMap<CallId, u64>,
    pub driver: Driver,
    pub receipts: &'a mut Receipts,
    pub calls: &'a mut BTreeSet<(EpisodeKey, CallId)>,
    pub shared: &'a mut SharedReplies,
    pub tally: &'a mut Tally,
    /// The first thing that is wrong; nothing is heard after it.
    pub wrong: Option<Wrong>,
}

impl Hearing<'_> {
    /// Hears a call with its reply.
    pub fn hear(&mut self, call: CallId, effect: &Effect, reply: &Reply) {
        if self.wrong.is_some() {
            return;
        }
        let key = self.place.key.clone();
        self.calls.insert((key, call));
        if let Reply::Said(said) = reply
            && !said.departures.is_empty()
        {
            self.find(FindingAbout::Departed, call);
        }
        if let Err((check, why)) = self.judge(call, effect, reply) {
            let place = self.place_of(call);
            self.wrong = Some(Wrong { check, place: Some(place), why });
        }
    }

    fn judge(
        &mut self,
        call: CallId,
        effect: &Effect,
        reply: &Reply,
    ) -> Result<(), (Check, String)> {
        // Bots, dice, empty seats: everybody can compute them.
        if let Some(expected) = self.table.answer(&self.place, call, effect) {
            if expected.reply != *reply {
                let who = self.table.who_answers(effect);
                let who = match effect {
                    Effect::Draw { .. } => "chance".to_owned(),
                    _ => who,
                };
                return Err((
                    Check::Recomputed,
                    format!("{who} says something else when it is asked again"),
                ));
            }
            self.tally.back(Evidence::Recomputed);
            return Ok(());
        }
        if let Effect::Ask(ask) = effect
            && self.table.is_person(&ask.seat)
        {
            let (evidence, about) = match self.driver {
                Driver::Server(Attendance::Invited) => (Evidence::Witnessed, FindingAbout::Invited),
                Driver::Server(Attendance::Unattended) => {
                    (Evidence::Witnessed, FindingAbout::Unattended)
                }
                Driver::Anybody => (Evidence::None, FindingAbout::Unattended),
            };
            self.tally.back(evidence);
            self.find(about, call);
            return Ok(());
        }
        if self.table.lacks_archive(effect) {
            self.unreceipted(call, effect, reply, Digest::of_value(reply));
            return Ok(());
        }
        let outgoing = match self.table.outgoing(self.place.task, effect) {
            Ok(outgoing) => outgoing,
            // The run itself found that this cannot be sent.
            Err(failure) if Reply::Failed(failure.clone()) == *reply => {
                self.tally.back(Evidence::Recomputed);
                return Ok(());
            }
            Err(failure) => {
                return Err((
                    Check::Recomputed,
                    format!("there is a reply to what cannot be asked: {}", failure.message),
                ));
            }
        };
        self.receipted(call, effect, reply, &Digest::of_value(&outgoing))
    }

    fn receipted(
        &mut self,
        call: CallId,
        effect: &Effect,
        reply: &Reply,
        sent: &Digest,
    ) -> Result<(), (Check, String)> {
        let stands = Stands {
            episode: self.place.key,
            call,
            asked: request_digest(effect),
            sent: Some(*sent),
            reply: Digest::of_value(reply),
        };
        match self.receipts.back(&stands) {
            Backing::Backed => {
                self.tally.back(Evidence::Receipted);
                self.share(effect, reply);
            }
            Backing::OtherRequest => {
                return Err((
                    Check::Sent,
                    "what was sent is not what the episode asked; the receipt of this call has another request"
                        .to_owned(),
                ));
            }
            Backing::OtherAnswer => return Err((Check::Answer, OTHER_ANSWER.to_owned())),
            Backing::None => self.unreceipted(call, effect, reply, stands.reply),
        }
        Ok(())
    }

    /// A reply to one request is that to every equal one of the run, where the benchmark says so; its tokens count once.
    fn share(&mut self, effect: &Effect, reply: &Reply) {
        if let (Effect::Ask(ask), Reply::Said(said)) = (effect, reply)
            && let Some(key) = self.table.shared_reply(&self.place, ask)
        {
            let copy = Digest::of_value(&Reply::Said(again(said)));
            self.shared.backed.insert((key, copy));
        }
    }

    fn unreceipted(&mut self, call: CallId, effect: &Effect, reply: &Reply, came: Digest) {
        let place = self.place_of(call);
        match (effect, reply) {
            (Effect::Ask(ask), _) => {
                if let Some(key) = self.table.shared_reply(&self.place, ask) {
                    self.shared.pending.push((key, came, place));
                    return;
                }
            }
            (Effect::Search(query), Reply::Found { hits, .. }) => self
                .tally
                .searches
                .push(Searched { place, query: query.clone(), hits: hits.clone() }),
            _ => {}
        }
        self.tally.back(Evidence::None);
        self.find(FindingAbout::Unreceipted, call);
    }

    fn place_of(&self, call: CallId) -> Place {
        Place { episode: self.place.key.clone(), line: self.lines.get(&call).copied() }
    }

    fn find(&mut self, about: FindingAbout, call: CallId) {
        let place = self.place_of(call);
        self.tally.find(about, 1, Some(place));
    }
}
