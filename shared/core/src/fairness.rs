//! Randomness that no participant chose. Before any person sits down, the server publishes the hash of a secret; everybody
//! who sits down names a nonce; the seed of the run follows from both. Afterwards the secret is revealed, and everybody can
//! check that the cards that were dealt follow from it (ARCHITECTURE.md, rule 32).
//!
//! What this shows: the server fixed its part before it knew the nonces, and no visitor knew the server's part. What it does
//! not show: that the server kept its secret, or that no person at the table was in league with it.
//!
//! All chance of a run follows from its one seed ([`draw`]), so one secret is committed, not a
//! tree of one for each hand; nothing is revealed before the run is over.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::benchmark::Benchmark;
use crate::effect::{CallId, Reply};
use crate::hash::{Digest, canonical};
use crate::run::draw;
use crate::seat::Seat;
use crate::spec::{BadSpec, Spec};
use crate::transcript::{Event, Request, Transcript};

/// The fewest bytes of a nonce.
pub const SHORTEST_NONCE: usize = 16;

/// The most bytes of a nonce.
pub const LONGEST_NONCE: usize = 128;

/// What is published of a secret before the nonces are known.
pub fn commitment(secret: &[u8; 32]) -> Digest {
    Digest::of_parts([b"turnwise commitment 1\0".as_slice(), secret])
}

/// The seed of a run, from the server's secret and the nonce of every seat in which a person sits.
pub fn seed(secret: &[u8; 32], nonces: &BTreeMap<Seat, String>) -> u64 {
    let mixed = Digest::of_parts([
        b"turnwise mixed seed 1\0".as_slice(),
        secret,
        canonical(nonces).as_bytes(),
    ]);
    let mut first = [0; 8];
    first.copy_from_slice(&mixed.bytes()[..8]);
    u64::from_le_bytes(first)
}

/// Everything from which the seed of a run follows, revealed after its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// What the server published first.
    pub commitment: Digest,
    /// Its secret: 32 bytes, written like a digest.
    pub secret: Digest,
    /// What everybody named who sat down.
    pub nonces: BTreeMap<Seat, String>,
}

/// Why a proof does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfair {
    /// The commitment is not the one that was published.
    #[error("the commitment is another one than was published before the table began")]
    AnotherCommitment,
    /// The secret is not the one that was committed to.
    #[error("the secret does not belong to the commitment")]
    AnotherSecret,
    /// A nonce is not the one that was named in that seat.
    #[error("the nonce of the seat {0} is another one than was named there")]
    AnotherNonce(Seat),
    /// The run was not played from the seed that follows.
    #[error("the run was played from another seed than follows from secret and nonces")]
    AnotherSeed,
    /// The tasks are not those that follow from the spec.
    #[error("the tasks of the run are not those that follow from its spec")]
    OtherTasks,
    /// The spec cannot be planned here.
    #[error("the spec cannot be planned: {0}")]
    BadSpec(BadSpec),
    /// An episode belongs to another run.
    #[error("the episode was played under another spec")]
    AnotherSpec,
    /// Chance was answered with other numbers than follow from the seed.
    #[error("the numbers of call {0} do not follow from the seed")]
    OtherNumbers(CallId),
}

impl Proof {
    pub fn seed(&self) -> u64 {
        seed(self.secret.bytes(), &self.nonces)
    }

    /// Whether the spec of the run was made from what was published and named before. `named` are the nonces of which the
    /// one who checks knows: at least its own.
    pub fn check(
        &self,
        published: &Digest,
        named: &BTreeMap<Seat, String>,
        benchmark: &dyn Benchmark,
        spec: &Spec,
    ) -> Result<(), Unfair> {
        if self.commitment != *published {
            return Err(Unfair::AnotherCommitment);
        }
        if commitment(self.secret.bytes()) != self.commitment {
            return Err(Unfair::AnotherSecret);
        }
        if let Some((seat, _)) =
            named.iter().find(|(seat, nonce)| self.nonces.get(*seat) != Some(*nonce))
        {
            return Err(Unfair::AnotherNonce(seat.clone()));
        }
        if self.seed() != spec.seed {
            return Err(Unfair::AnotherSeed);
        }
        if !benchmark.reads_tasks() {
            let tasks = benchmark.plan(spec).map_err(Unfair::BadSpec)?;
            if tasks.digest != spec.tasks.digest {
                return Err(Unfair::OtherTasks);
            }
        }
        Ok(())
    }
}

/// Whether all chance of an episode was answered with what follows from the seed of its run. Returns how many times chance
/// was asked. (What bots drew is checked by a replay.)
pub fn check_draws(spec: &Spec, transcript: &Transcript) -> Result<u32, Unfair> {
    if transcript.header.spec != *spec {
        return Err(Unfair::AnotherSpec);
    }
    let mut asked = BTreeMap::new();
    let mut draws = 0;
    for event in transcript.events.iter().flatten() {
        match event {
            Event::Asked { call, request: Request::Draw { stream, below, take } } => {
                let numbers = draw(spec, transcript.header.repeat, stream, *below, *take);
                asked.insert(*call, numbers);
                draws += 1;
            }
            Event::Told { call, reply } => {
                if let Some(numbers) = asked.get(call)
                    && !matches!(reply, Reply::Drawn { numbers: told } if told == numbers)
                {
                    return Err(Unfair::OtherNumbers(*call));
                }
            }
            _ => {}
        }
    }
    Ok(draws)
}
