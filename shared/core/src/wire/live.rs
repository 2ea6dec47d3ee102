//! Live tables: runs in which people sit, driven by the server (ARCHITECTURE.md, rule 32).
//!
//! 1. `POST /api/live` ([`OpenLive`]) opens a table and gives a ticket for every seat in which the spec has a person. The
//!    answer carries the commitment to the server's secret ([`crate::fairness`]).
//! 2. The holder of a ticket sits down ([`SeatSays::Sit`]) with a name and a nonce; where people are invited so that their play
//!    counts as that of people ([`Attendance::Invited`]), they agree to [`CONSENT`] with that. Once everybody sits, the seed is mixed
//!    and the run begins.
//! 3. Every change is shown as a [`SeatView`]: what the seat may see, and what it is asked. It is answered with
//!    [`SeatSays::Reply`], whose text goes through the same parser as a model's.
//! 4. While it is played, the run of the same id is sealed for everybody. Then it is an ordinary run, and
//!    `GET /api/live/{run}` has the [`Proof`].
//!
//! The socket (`GET /api/live/{run}/socket`, JSON text frames `{v, kind, …}`): the page's first frame is
//! [`SeatSays::Hello`] with the ticket; the server answers with a view, and with another at every change.
//! `GET` and `POST /api/live/{run}/seat` are its twins for scripts, with the ticket as `Authorization: Bearer TICKET`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ApiError, VERSION};
use crate::caps::Caps;
use crate::evidence_tier::Attendance;
use crate::fairness::Proof;
use crate::hash::Digest;
use crate::key::RunId;
use crate::picture::PictureRef;
use crate::prompt::{Expect, Rendered};
use crate::scene::Scene;
use crate::seat::Seat;
use crate::spec::Spec;

/// What the transcripts of a live table are evidence of: nothing proves that a player is a person (ARCHITECTURE.md, rule 15).
pub fn evidence(attendance: Attendance) -> &'static str {
    match attendance {
        Attendance::Unattended => "human (unattended)",
        Attendance::Invited => "human",
    }
}

/// What a person agrees to who sits down at a table of invited people, word for word. It is kept with the agreement.
pub const CONSENT: &str = "I was invited to this seat and play it myself, without the help of a model. Whatever I am asked and \
     answer here is recorded together with the name that I give and the time that I take, and may be published. My play \
     counts as that of a person.";

/// `POST /api/live`: opens a table. Answered with a [`LiveOpened`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenLive {
    /// Everything that decides how it goes. At least one seat is a person's. The seed is 0, because it is mixed later;
    /// where tasks follow from the spec, its set of tasks is not looked at.
    pub spec: Spec,
    /// A name for people; may be empty.
    #[serde(default)]
    pub title: String,
    pub kind: LiveKind,
    /// How long a person may think.
    pub clock: Clock,
    /// Whether each person who sits down was invited and has to agree that their play counts as that of a person. Such a
    /// table is rated.
    #[serde(default)]
    pub attendance: Attendance,
    /// What its run may spend; it cannot be changed while it is played.
    #[serde(default, skip_serializing_if = "Caps::is_nothing")]
    pub caps: Caps,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LiveKind {
    /// Nothing is shown before the end that a model in the same seat would not see.
    Rated,
    /// After each episode (hand, match) all of it is shown.
    Practice,
}

/// How long a person may think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Seconds for each decision, 1 to 3600; 0 = as long as it takes, and then there is no time bank.
    pub decision_seconds: u32,
    /// Seconds of the time bank: used up once a decision takes longer, and not filled again. 0 to 3600.
    pub bank_seconds: u32,
}

impl Clock {
    /// No clock: time never runs out.
    pub const NONE: Clock = Clock { decision_seconds: 0, bank_seconds: 0 };

    /// Whether a decision can be taken away because it takes too long.
    pub fn runs(self) -> bool {
        self.decision_seconds > 0
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveOpened {
    /// Its id, and that of its run.
    pub run: RunId,
    /// The commitment to the server's secret.
    pub commitment: Digest,
    /// The token of its run. With it the table can be cancelled, and the run published once it is over; what was played
    /// cannot be changed.
    pub token: String,
    /// The ticket of every seat in which a person is to sit. Its holder can sit there.
    pub tickets: BTreeMap<Seat, String>,
}

/// `GET /api/live/{run}`: what everybody may know of a table, now or after its end.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveInfo {
    /// Its id, and that of its run.
    pub run: RunId,
    pub title: String,
    pub benchmark: String,
    pub kind: LiveKind,
    /// How long a person may think.
    pub clock: Clock,
    /// The commitment to the server's secret.
    pub commitment: Digest,
    /// Milliseconds since 1970 at which it was opened.
    pub opened: u64,
    pub stage: LiveStage,
    /// Who sits in the seats of people.
    pub people: BTreeMap<Seat, Sitter>,
    /// Episodes (hands, tables, matches) in all.
    pub episodes: u32,
    pub played: u32,
    /// How it ended, once it has.
    pub end: Option<LiveEnd>,
    /// From which the seed follows; only after the end, and only if it was mixed.
    pub proof: Option<Proof>,
    /// Whether the people were invited and had to agree.
    #[serde(default)]
    pub attendance: Attendance,
    /// The same in a word: [`evidence`].
    pub evidence: String,
}

impl LiveInfo {
    /// The names that people gave, by their seats, without spaces around them; who gave none is left out.
    pub fn names(&self) -> BTreeMap<Seat, String> {
        let named = self.people.iter().filter_map(|(seat, sitter)| {
            let name = sitter.name.as_deref()?.trim();
            (!name.is_empty()).then(|| (seat.clone(), name.to_owned()))
        });
        named.collect()
    }

    /// Under which circumstances people played here: as invited people only if every one of them agreed and stayed.
    pub fn attended(&self) -> Attendance {
        let all = self.people.values();
        let mut all = all.map(|sitter| sitter.agreed.is_some() && !sitter.left);
        match self.attendance {
            Attendance::Invited if all.all(|stood_by_it| stood_by_it) => Attendance::Invited,
            _ => Attendance::Unattended,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LiveStage {
    /// A person has yet to sit down.
    Lobby,
    Playing,
    Over,
}

/// Who sits in a seat.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sitter {
    /// The name that was given; absent = the seat is still free.
    pub name: Option<String>,
    /// Whether the person is connected now.
    pub connected: bool,
    /// Whether the seat was left for good; its decisions are made by the benchmark's rule for those who do not reply.
    pub left: bool,
    /// What this person agreed to, at a table of invited people.
    pub agreed: Option<Agreed>,
}

/// A person agreed that their play counts as that of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreed {
    /// When, in milliseconds since 1970.
    pub time: u64,
    /// To what, word for word.
    pub to: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveEnd {
    pub ending: LiveEnding,
    /// The same in a sentence.
    pub why: String,
}

/// In which way a table ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LiveEnding {
    Played,
    /// The host cancelled it, everybody left, or it was empty for too long.
    Cancelled,
    /// The server stopped or failed. What was played until then is kept.
    Interrupted,
}

/// What a seat says. Over `POST /api/live/{run}/seat` without frame and without hello.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatSays {
    /// The first frame of a socket, and of no other use.
    Hello {
        /// The ticket of the seat.
        ticket: String,
        /// Whether the seat is taken from another page in which a person has sat down. A page that was only opened by a
        /// link takes no seat from another.
        #[serde(default = "takes")]
        takes: bool,
    },
    /// Sits down, once. Sitting down again with the same nonce changes the name.
    Sit {
        /// How the others see this person; may be empty, at most 60 bytes.
        name: String,
        /// 16 to 128 bytes by chance, best made in the page; goes into the seed.
        nonce: String,
        /// What this person has read and agrees to: [`CONSENT`], where the table wants it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agrees_to: Option<String>,
    },
    Reply {
        /// [`SeatAsk::turn`]. A reply to any other turn is refused.
        turn: u32,
        /// What a model would say, e.g. the JSON of an action; at most 20,000 bytes.
        text: String,
    },
    /// Leaves the seat for good.
    Leave,
}

/// Scripts that say nothing of it take their seat.
fn takes() -> bool {
    true
}

/// A frame from the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatFrame {
    /// [`VERSION`].
    pub v: u32,
    #[serde(flatten)]
    pub says: SeatSays,
}

impl SeatFrame {
    /// A frame of the current version.
    pub fn new(says: SeatSays) -> Self {
        SeatFrame { v: VERSION, says }
    }
}

/// A frame from the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatHears {
    View(Box<SeatView>),
    /// What the page said last was refused; nothing has changed.
    Refused {
        error: ApiError,
    },
}

#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatView {
    pub version: u64,
    pub seat: Seat,
    /// What everybody may know of the table.
    pub table: LiveInfo,
    /// Which episode is played, counted from 1; absent before the first.
    pub episode: Option<u32>,
    /// What the seat sees of it; empty while none is played.
    pub scene: Scene,
    /// What is asked; absent while others are to move.
    pub ask: Option<SeatAsk>,
    /// The clock of the person for whom the seat waits; absent while the seat is asked itself, where there is no clock, and
    /// wherever it would tell more than the seat may know.
    pub awaited: Option<Awaited>,
    /// The last episode in which this seat took part and which is over.
    pub last: Option<LastEpisode>,
}

impl SeatView {
    /// The pictures that the seat is shown: in what it sees, in what it is asked, and in its last episode.
    pub fn pictures(&self) -> impl Iterator<Item = &PictureRef> {
        let last = self.last.iter().flat_map(|last| [Some(&last.scene), last.reveal.as_ref()]);
        let scenes = last.flatten().chain([&self.scene]);
        let asked = self.ask.iter().flat_map(|ask| &ask.messages);
        scenes.flat_map(Scene::pictures).chain(asked.flat_map(|message| &message.pictures))
    }
}

/// What a seat is asked.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatAsk {
    /// How many times this seat has been asked at this table, this time included.
    pub turn: u32,
    /// What kind of reply is wanted.
    pub expect: Expect,
    /// What a model in this seat would be sent, word for word.
    pub messages: Vec<Rendered>,
    /// What was put into the template of the last message: name and text, in the order in which it stands there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<(String, String)>,
    /// What is understood of a reply, where only some of it is; everything else is refused, and costs no turn.
    pub understood: Option<String>,
    /// Milliseconds that a decision may take before the bank is touched; 0 where there is no clock.
    pub decision_ms: u64,
    /// What is left in the bank, in milliseconds, before this decision.
    pub bank_ms: u64,
    /// Milliseconds from the moment at which this was sent until the decision is taken away; the bank is counted in. Absent
    /// where there is no clock.
    pub deadline_in_ms: Option<u64>,
}

/// How long another person's decision may yet take. Who it is, the scene says where that may be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awaited {
    /// Milliseconds that a decision may take before the bank is touched.
    pub decision_ms: u64,
    /// What is left in their bank, in milliseconds, before this decision.
    pub bank_ms: u64,
    /// Milliseconds from the moment at which this was sent until the decision is taken away; the bank is counted in.
    pub deadline_in_ms: u64,
}

/// An episode that is over, as the seat sees it.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastEpisode {
    /// Which, counted from 1.
    pub episode: u32,
    /// What the seat saw at its end.
    pub scene: Scene,
    /// All of it; only in practice.
    pub reveal: Option<Scene>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn people_are_called_by_the_names_that_they_gave() {
        let sitter = |name: &str| json!({ "name": name, "connected": false, "left": false });
        let info: LiveInfo = serde_json::from_value(json!({
            "run": "0".repeat(32), "title": "", "benchmark": "x", "kind": "rated", "stage": "over",
            "clock": { "decision_seconds": 0, "bank_seconds": 0 }, "commitment": Digest::of("x"), "opened": 1,
            "people": { "1": sitter(" Ann "), "2": sitter(" "), "3": { "connected": false, "left": false } },
            "episodes": 1, "played": 1, "evidence": "human",
        }))
        .expect("a table");
        let names = BTreeMap::from([(Seat::new("1"), "Ann".to_owned())]);
        assert_eq!(info.names(), names);
    }
}
