//! What a page knows of its seat, kept for as long as its tab lives, and by the browser for a day after it was last seen: a browser
//! that is closed loses no game. A ticket comes in the fragment of an address, which no server sees, and is taken out of it at once.

use serde::{Deserialize, Serialize};

use crate::prelude::*;
use crate::{clock, keep};

/// How a ticket begins in the fragment of an address.
const FRAGMENT: &str = "#ticket=";

/// The key under which the browser keeps the seats in which a person sat here lately.
const LATELY: &str = "turnwise.seats";

/// How long it keeps them after they were last seen, in milliseconds: a table without a clock ends after a day.
const DAY: u64 = 24 * 3600 * 1000;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// The ticket of the seat.
    pub ticket: String,
    /// Which seat it is, once the server has said so.
    pub seat: Option<Seat>,
    /// The name under which this person sits down; `None` = it has yet to be asked for.
    pub name: Option<String>,
    /// This page's part of the seed.
    pub nonce: String,
    /// What the server published before any person sat down, as this page first heard it.
    pub commitment: Option<Digest>,
    /// What this person agreed to when they sat down, word for word, where the table wanted it.
    pub agrees_to: Option<String>,
    /// Whether this page was only opened, by a link: until a person sits down here, or says so, it takes the seat from no other
    /// page.
    pub is_opened: bool,
    /// Tickets of other seats of people, on the page that opened the table.
    pub invitations: BTreeMap<Seat, String>,
    /// Who was chosen for which seat, on the page that opened the table, unless that is to be a surprise.
    pub names: BTreeMap<Seat, String>,
    /// Whether nothing is left to do at the table: it is over, or this person has left.
    pub is_over: bool,
}

/// A seat as the browser keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Lately {
    /// When it was last seen, in milliseconds since 1970.
    seen: u64,
    kept: Kept,
}

impl Kept {
    /// Whether this page only invited others and has no seat of its own.
    pub fn only_invites(&self) -> bool {
        self.ticket.is_empty()
    }

    /// What this tab knows of its seat at a table, else this browser. A ticket in the address goes before.
    pub fn of(run: &RunId) -> Option<Self> {
        let kept = storage()
            .and_then(|storage| storage.get_item(&key(run)).ok()?)
            .and_then(|text| serde_json::from_str::<Kept>(&text).ok());
        let fragment = window().location().hash().unwrap_or_default();
        let Some(ticket) = fragment.strip_prefix(FRAGMENT) else {
            let lately = || lately().remove(run).map(|lately| lately.kept);
            return kept.or_else(lately);
        };
        let kept = match kept {
            Some(kept) if kept.ticket == ticket => kept,
            _ => Kept {
                ticket: ticket.to_owned(),
                nonce: nonce(),
                is_opened: true,
                ..Kept::default()
            },
        };
        kept.save(run);
        forget_fragment();
        Some(kept)
    }

    /// Keeps it. A browser that refuses forgets it with the page.
    pub fn save(&self, run: &RunId) {
        self.save_for_a_day(run);
        if let Some(storage) = storage() {
            let text = serde_json::to_string(self).expect("it is plain data");
            // Private windows may refuse; then a reload needs the link again.
            let _ = storage.set_item(&key(run), &text);
        }
    }

    /// A seat that was only opened is not kept, and the first of several at a table is.
    fn save_for_a_day(&self, run: &RunId) {
        let mut all = lately();
        let is_others = |other: &Lately| other.kept.ticket != self.ticket;
        if self.is_opened || all.get(run).is_some_and(is_others) {
            return;
        }
        let (seen, kept) = (clock::today(), self.clone());
        all.insert(run.clone(), Lately { seen, kept });
        let text = serde_json::to_string(&all).expect("it is plain data");
        keep::remember(LATELY, Some(&text));
    }

    /// Tables at which this browser has a seat and something to do, the one that was seen last first.
    pub fn under_way() -> Vec<RunId> {
        let mut all: Vec<_> = lately().into_iter().collect();
        all.retain(|(_, lately)| !lately.kept.is_over);
        all.sort_by_key(|(_, lately)| std::cmp::Reverse(lately.seen));
        all.into_iter().map(|(run, _)| run).collect()
    }

    /// The table of a seat is over, or gone.
    pub fn forget(run: &RunId) {
        let mut all = lately();
        if all.remove(run).is_some() {
            let text = serde_json::to_string(&all).expect("it is plain data");
            keep::remember(LATELY, Some(&text).filter(|_| !all.is_empty()).map(String::as_str));
        }
    }

    /// The address with which a seat can be taken, from any browser.
    pub fn link(run: &RunId, ticket: &str) -> String {
        let origin = window().location().origin().unwrap_or_default();
        format!("{origin}/play/{run}{FRAGMENT}{ticket}")
    }
}

/// 32 random hexadecimal digits.
pub fn nonce() -> String {
    hex(&chance::<16>())
}

/// A random number below `most`; 0 where there is nothing to choose.
pub fn number_below(most: usize) -> usize {
    // A remainder of 2^64: the difference between numbers is far below anything that could be noticed.
    let number = u64::from_le_bytes(chance::<8>());
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    number.checked_rem(most).and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}

fn chance<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if let Ok(crypto) = window().crypto() {
        // It fails only for more than 65,536 bytes.
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    bytes
}

/// The seats that this browser keeps; what is older than a day is not.
fn lately() -> BTreeMap<RunId, Lately> {
    let all: Option<BTreeMap<RunId, Lately>> =
        keep::recall(LATELY).and_then(|text| serde_json::from_str(&text).ok());
    let mut all = all.unwrap_or_default();
    let now = clock::today();
    all.retain(|_, lately| now.saturating_sub(lately.seen) < DAY);
    all
}

fn key(run: &RunId) -> String {
    format!("turnwise.seat.{run}")
}

fn storage() -> Option<web_sys::Storage> {
    window().session_storage().ok()?
}

/// Takes the ticket out of the address, so that it is neither copied with it nor kept in the history.
fn forget_fragment() {
    let path = window().location().pathname().unwrap_or_default();
    if let Ok(history) = window().history() {
        // If the browser refuses, the ticket stays where the person put it.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&path));
    }
}
