//! Sealed tasks: hidden fields that never leave the server, for any player and any reader.
//!
//! What is handed out of such a task is what an episode needs and what need not be hidden ([`Sealing::told`]); its digest is a
//! commitment under the server's secret, because a plain hash of a short answer can be guessed (ARCHITECTURE.md, rule 2). Every
//! run over sealed tasks, in a page and on the server alike, is played from what is handed out. Where the protocol asks a
//! seat that may see hidden fields, the run says no more than that it asks ([`Outgoing::Sealed`]): the server replays the
//! stored transcript to learn what is asked, fills in the fields, and returns a [`Verdict`], which holds nothing but what the
//! benchmark would have shown the player anyway. What was really said stays in the server's ledger; the transcript has a
//! commitment to it ([`Said::withheld`]).
//!
//! [`Outgoing::Sealed`]: crate::call::Outgoing::Sealed

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::effect::{Failure, Reply};
use crate::hash::{Digest, canonical};
use crate::prompt::{Ask, Said, Variable};
use crate::seat::Seat;
use crate::spec::{BadSpec, Spec};
use crate::task::{OPEN_FIELD, Task, TaskSet, TaskSetOrigin};

/// How a benchmark is played over sealed tasks.
pub trait Sealing: Sync {
    /// The seats whose requests may name hidden fields.
    fn seats(&self) -> &'static [&'static str];

    /// Checks in addition that no other player would be shown a hidden field under this spec.
    ///
    /// # Errors
    /// The first part of the spec that would tell, and how to mend it.
    fn check(&self, _spec: &Spec) -> Result<(), BadSpec> {
        Ok(())
    }

    /// The fields that are handed out of a task: what the player is shown, and what else an episode needs and need not be hidden.
    fn told(&self, task: &Task) -> BTreeMap<String, String> {
        let open = task.field(OPEN_FIELD);
        open.map(|text| (OPEN_FIELD.to_owned(), text.to_owned())).into_iter().collect()
    }

    /// Takes up a request that an episode or a grading makes of one of these seats. `task` has all its fields.
    ///
    /// # Errors
    /// If the request cannot be answered under this spec.
    fn inquire(&self, spec: &Spec, task: &Task, ask: Ask) -> Result<Box<dyn Inquiry>, BadSpec>;
}

impl fmt::Debug for dyn Sealing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.seats()).finish()
    }
}

/// A sealed request, from what is asked of the seat to what may be revealed. It has no effects of its own.
pub trait Inquiry: Send {
    /// What is to be asked first.
    fn begin(&mut self) -> Inquired;

    /// What follows from what the seat said, or from the failure of the call.
    fn hear(&mut self, reply: Reply) -> Inquired;
}

/// How a sealed request goes on.
#[derive(Debug, Clone, PartialEq)]
pub enum Inquired {
    /// The seat is to be asked this; fields are named in it.
    Ask(Box<Ask>),
    /// It is answered, and this may be revealed.
    Told(Verdict),
    Failed(Failure),
}

/// What may be revealed of an answer: text in the benchmark's own words and none of the seat's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict(pub String);

type Read = Box<dyn Fn(Option<&str>) -> Verdict + Send>;

/// An inquiry that asks once: the reply is read, and the reading is revealed.
pub struct Once {
    ask: Option<Ask>,
    read: Read,
}

impl Once {
    /// Asks this, and reveals how `read` reads the reply, which must read again as the same. What it cannot read is revealed as
    /// an empty text, which must not be readable either.
    pub fn inquiry<T: Into<String>>(
        ask: Ask,
        read: impl Fn(Option<&str>) -> Option<T> + Send + 'static,
    ) -> Box<dyn Inquiry> {
        let read = Box::new(move |text: Option<&str>| {
            Verdict(read(text).map(T::into).unwrap_or_default())
        });
        Box::new(Once { ask: Some(ask), read })
    }
}

impl Inquiry for Once {
    fn begin(&mut self) -> Inquired {
        match self.ask.take() {
            Some(ask) => Inquired::Ask(Box::new(ask)),
            None => Inquired::Told((self.read)(None)),
        }
    }

    fn hear(&mut self, reply: Reply) -> Inquired {
        match reply {
            Reply::Said(said) => Inquired::Told((self.read)(said.text.as_deref())),
            Reply::Failed(failure) => Inquired::Failed(failure),
            Reply::Found { .. } | Reply::Drawn { .. } | Reply::Made(_) => {
                Inquired::Told((self.read)(None))
            }
        }
    }
}

/// Whether this is a seat whose requests may name hidden fields.
pub fn may_see(sealing: &dyn Sealing, seat: &Seat) -> bool {
    sealing.seats().contains(&seat.as_str())
}

/// The tasks of a sealed set as they are handed out.
pub fn handed_out(sealing: &dyn Sealing, whole: &TaskSet) -> TaskSet {
    let tasks = whole.tasks.iter().map(|task| Task { fields: sealing.told(task), ..task.clone() });
    TaskSet::new(&whole.name, tasks.collect(), TaskSetOrigin::Sealed)
}

/// A task for showing requests: fields that a request names and the task lacks are covered by their names.
pub fn named<'a>(task: &'a Task, ask: &Ask) -> Cow<'a, Task> {
    let mut named = Cow::Borrowed(task);
    for variable in ask.variables() {
        if let Variable::Field(field) = variable
            && named.field(field).is_none()
        {
            let cover = format!("[{field}: sealed]");
            named.to_mut().fields.insert(field.clone(), cover);
        }
    }
    named
}

/// The server's secret, under which everything about sealed tasks is committed to. Its holder can open every commitment.
#[derive(Clone)]
pub struct Seal([u8; 32]);

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal(…)")
    }
}

impl Seal {
    /// A seal from 32 secret random bytes.
    pub fn new(secret: [u8; 32]) -> Self {
        Seal(secret)
    }

    /// A set of tasks under this seal: every field is in it, and its digests tell nothing.
    pub fn keep(&self, open: TaskSet) -> TaskSet {
        let tasks = open
            .tasks
            .into_iter()
            .map(|task| Task { digest: self.commit("task", &task.digest.to_string()), ..task });
        let set = TaskSet::new(open.name, tasks.collect(), TaskSetOrigin::Sealed);
        TaskSet { pictures: open.pictures, ..set }
    }

    /// The commitment to what was really said to a call; `place` names the call and is used once.
    pub fn withheld(&self, place: &str, said: &[Said]) -> Digest {
        self.commit(place, &canonical(&said))
    }

    /// A salted digest. The salt follows from the secret and from what is committed to, and can be revealed for one text alone.
    fn commit(&self, place: &str, text: &str) -> Digest {
        let salt = self.salt(place, text);
        Digest::of_parts([salt.bytes().as_slice(), text.as_bytes()])
    }

    /// The salt of a commitment: revealed together with the text, it opens this commitment and no other.
    pub fn salt(&self, place: &str, text: &str) -> Digest {
        let text = Digest::of(text);
        Digest::of_parts([
            b"turnwise seal 1\0".as_slice(),
            &self.0,
            Digest::of(place).bytes(),
            text.bytes(),
        ])
    }
}
