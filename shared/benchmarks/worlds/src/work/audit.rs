//! Both steps of the audit (specification 3.4).

use serde_json::json;

use super::{Asking, Received, Request, Word, Work, event};
use crate::reading::{Read, shown};
use crate::record::{At, Stage};
use crate::schema::{Answered, Audit1, Audit2, Compared};
use crate::settings::Review;
use turnwise_core::prelude::*;
use turnwise_paraworld::judging::same;

impl Work {
    pub(super) fn audit(&mut self, answer: Received, read: Read<Audit1>) {
        let audit = read.value;
        let reason = match (&audit.contradictions[..], &audit.implausible[..]) {
            ([first, ..], _) => Some(("contradiction", shown(&first.why))),
            ([], [first, ..]) => Some(("implausible", shown(&first.why))),
            ([], []) if !audit.pass => Some(("not_passed", String::new())),
            ([], []) => None,
        };
        let sentence = format!(
            "finds {} contradictions and {} implausible facts",
            audit.contradictions.len(),
            audit.implausible.len()
        );
        self.turn(answer.at, TurnKind::Search, sentence, read.reading);
        match reason {
            None => self.came(Tone::Positive, "passed"),
            Some((class, _)) => self.came(Tone::Negative, class),
        }
        let detail = json!({
            "question_id": self.record.question_id,
            "pass": reason.is_none(),
            "contradictions": audit.contradictions.len(),
            "implausible": audit.implausible.len(),
        });
        self.words.push(Word::Event(event::AUDIT1, detail));
        self.record.audit1 = Some(audit);
        match reason {
            Some((class, detail)) => self.reject(At::Audit1, class, detail),
            None => {
                self.record.reached = Stage::Audit1Pass;
                let repeats = (1..=self.settings.audits).map(Request::Answer);
                self.open.extend(repeats.map(Asking::new));
            }
        }
    }

    pub(super) fn answer(&mut self, reply: Received, read: Read<Answered>) {
        let Request::Answer(run) = reply.asking.request else { return };
        let answer = read.value.answer;
        let truth = self.record.law.as_ref().map(|law| law.answer_short.as_str());
        let agrees = truth.is_some_and(|truth| same(&answer, truth));
        let sentence = format!("answers “{}”", shown(&answer));
        self.turn(reply.at, TurnKind::Answer, sentence, read.reading);
        match agrees {
            true => self.came(Tone::Positive, "agrees"),
            false => self.came(Tone::Unknown, "reads otherwise"),
        }
        if !agrees {
            self.unequal.push(run);
        }
        self.record.audit2.push(Audit2 { run, answer, consistent: agrees, by_rule: agrees });
        self.record.audit2.sort_by_key(|audit| audit.run);
    }

    pub(super) fn compared(&mut self, reply: Received, read: Read<Compared>) {
        let Request::Compare(run) = reply.asking.request else { return };
        let consistent = read.value.consistent;
        let sentence = match consistent {
            true => "says that both answers are the same".to_owned(),
            false => format!("says that the answers differ: {}", shown(&read.value.why)),
        };
        self.turn(reply.at, TurnKind::Browse, sentence, read.reading);
        match consistent {
            true => self.came(Tone::Positive, "agrees"),
            false => self.came(Tone::Negative, "differs"),
        }
        for audit in &mut self.record.audit2 {
            if audit.run == run {
                audit.consistent = consistent;
            }
        }
    }

    /// After a wave that opened nothing itself: comparisons, once all answers are there, and then the verdict.
    pub(super) fn after_audit(&mut self) {
        if self.record.reached != Stage::Audit1Pass {
            return;
        }
        let unequal = std::mem::take(&mut self.unequal);
        if !unequal.is_empty() {
            let comparisons = unequal.into_iter().map(Request::Compare);
            self.open.extend(comparisons.map(Asking::new));
            return;
        }
        let all = self.record.audit2.len();
        let agreeing = self.record.audit2.iter().filter(|audit| audit.consistent);
        let agreeing = agreeing.count();
        let passes = self.settings.policy.passes(agreeing, all);
        let detail = json!({
            "question_id": self.record.question_id,
            "pass": passes,
            "agreeing": agreeing,
            "repeats": all,
        });
        self.words.push(Word::Event(event::AUDIT2, detail));
        if !passes {
            let detail = format!("{agreeing} of {all} answers agree with the law");
            self.reject(At::Audit2, "differs", detail);
            return;
        }
        self.record.reached = Stage::Audit2Pass;
        if self.settings.review.contains(&Review::Decision) {
            self.open.push(Asking::new(Request::LastLook));
        } else {
            self.pass(Review::Decision);
        }
    }
}
