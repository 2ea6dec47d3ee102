//! Receipts: what a server says, under its signature, of every call that it forwarded (ARCHITECTURE.md, rules 15 to 17).
//!
//! `GET /api/keys` gives [`PublishedKey`]s, `GET /api/runs/{run}/receipts?after=CURSOR` a [`ReceiptsPage`],
//! `GET /api/keys/{key}/batches?after=LEAF` [`SignedBatch`]es and `GET /api/keys/{key}/heads` [`TreeHead`]s. How they are
//! checked stands in [`receipt`](crate::receipt).

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::effect::CallId;
use crate::hash::{BadDigest, Digest};
use crate::key::{EpisodeKey, RunId};

/// The name of a server's key: a digest over its public part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(Digest);

shown_as_held!(KeyId);

impl KeyId {
    /// The name of a public key.
    pub fn of(public: &[u8; 32]) -> Self {
        KeyId(Digest::of_parts([b"turnwise key 1\0".as_slice(), public.as_slice()]))
    }

    /// The first eight digits, for the eye.
    pub fn short(&self) -> String {
        self.0.short()
    }
}

impl FromStr for KeyId {
    type Err = BadDigest;

    fn from_str(text: &str) -> Result<Self, BadDigest> {
        text.parse().map(KeyId)
    }
}

/// A server's key as it is published. Keys that are not used any more stay in the list, with their end.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedKey {
    pub id: KeyId,
    /// The public part of an Ed25519 key, as 64 hexadecimal digits.
    pub public: String,
    /// Milliseconds since 1970 from which on it signs.
    pub since: u64,
    /// Milliseconds since 1970 at which it was put away; `None` while it signs.
    pub until: Option<u64>,
}

/// Where a call went. No address and no key is in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Endpoint {
    /// The operator's name for it.
    pub name: String,
    /// Its wire format, e.g. `openai`, `local`.
    pub format: String,
    pub host: Host,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Host {
    /// A service at its own address, as it stands in this program.
    BuiltIn,
    /// An address of the operator's: what answers there can be anything.
    Custom,
}

/// Whether a call had an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    Answer,
    /// It failed, and why is what the digest is over.
    Failure,
}

/// What a server says of one call.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// With which key it is signed.
    pub key: KeyId,
    pub run: RunId,
    /// Its number among the receipts of the run under this key, from 1, without gaps.
    pub number: u64,
    /// The leaf of the receipt before it in the run, under this key; of the run's id before the first.
    pub previous: Digest,
    pub episode: EpisodeKey,
    pub call: CallId,
    /// The digest of the request as the episode made it ([`request_digest`](crate::transcript::request_digest)).
    pub asked: Digest,
    /// The digest of the request as it was sent ([`Outgoing`](crate::call::Outgoing)).
    pub sent: Digest,
    /// Whether it had an answer.
    pub came: CallEnd,
    /// The digest of the [`Reply`](crate::effect::Reply) that came back.
    pub reply: Digest,
    pub endpoint: Endpoint,
    /// The model as the service named it.
    pub model: Option<String>,
    /// Milliseconds since 1970 at which it was sent.
    pub time: u64,
}

/// Leaves of one server that follow each other, under one signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedBatch {
    /// With which key it is signed.
    pub key: KeyId,
    /// The number of its first leaf among all of this key, from 0.
    pub from: u64,
    /// How many leaves; 1 to 256.
    pub count: u32,
    /// The root of the tree over them ([`receipt::tree`](crate::receipt::tree)).
    pub root: Digest,
    /// Milliseconds since 1970 at which it was signed.
    pub time: u64,
    /// The signature, as 128 hexadecimal digits.
    pub signature: String,
}

/// A root over all batches of a key so far: two of them show whether anything was changed in between.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeHead {
    /// With which key it is signed.
    pub key: KeyId,
    /// How many batches it covers.
    pub batches: u64,
    /// How many leaves these have.
    pub leaves: u64,
    /// The root of the tree over the roots of the batches.
    pub root: Digest,
    /// Milliseconds since 1970 at which it was signed.
    pub time: u64,
    /// The signature, as 128 hexadecimal digits.
    pub signature: String,
}

/// A receipt with what leads from it to a signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenReceipt {
    pub receipt: Receipt,
    /// The number of its leaf among all of its key, from 0. It lies in one of the page's batches.
    pub leaf: u64,
    /// The hashes beside the way from its leaf to the root of its batch, from below.
    pub path: Vec<Digest>,
}

/// Receipts of a run, by key and number.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptsPage {
    pub receipts: Vec<ProvenReceipt>,
    /// The batches in which they lie.
    pub batches: Vec<SignedBatch>,
    /// With `?after=` this the next page comes; `None` on the last one.
    pub next: Option<String>,
}
