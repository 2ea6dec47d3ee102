//! Texts by their hash, compressed, in the database, so that all servers over it have them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use turnwise_shared::hash::Digest;

use super::packing::LARGEST;
use super::statement::sql;
use super::{Connection, StoreError};

/// How many are fetched at once. The statement has as many places, so that it is prepared once.
const LOT: usize = 64;

/// A text as it is kept.
#[derive(Debug)]
pub struct Blob {
    hash: Digest,
    /// How long the text is.
    bytes: usize,
    body: Vec<u8>,
}

impl Blob {
    /// A text under its hash, compressed.
    pub fn of(hash: Digest, text: &[u8]) -> Self {
        Blob { hash, bytes: text.len(), body: deflate(text) }
    }
}

/// Where texts are kept by their hash. What is there is never changed.
pub trait Blobs {
    /// Keeps texts; those that are there already stay as they are. All who keep several name them in the order of their hashes, so
    /// that no two transactions wait for each other.
    async fn keep(&mut self, blobs: Vec<Blob>) -> Result<(), StoreError>;

    /// Those of these texts that are there.
    async fn fetch(
        &mut self,
        hashes: &BTreeSet<Digest>,
    ) -> Result<BTreeMap<Digest, Vec<u8>>, StoreError>;
}

impl Blobs for Connection {
    async fn keep(&mut self, blobs: Vec<Blob>) -> Result<(), StoreError> {
        for Blob { hash, bytes, body } in blobs {
            sql!(
                "INSERT INTO blobs (hash, bytes, body) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING",
                hash,
                bytes as u64,
                body
            )
            .run(&mut *self)
            .await?;
        }
        Ok(())
    }

    async fn fetch(
        &mut self,
        hashes: &BTreeSet<Digest>,
    ) -> Result<BTreeMap<Digest, Vec<u8>>, StoreError> {
        let wanted: Vec<&Digest> = hashes.iter().collect();
        let mut found = BTreeMap::new();
        for lot in wanted.chunks(LOT) {
            let mut select = sql!(SELECT);
            // Places that are left over name the last once more.
            for at in 0..LOT {
                select = select.with(lot[at.min(lot.len() - 1)]);
            }
            let blobs: Vec<(Digest, Vec<u8>)> = select.all(&mut *self).await?;
            for (hash, body) in blobs {
                found.insert(hash, inflate(&body)?);
            }
        }
        Ok(found)
    }
}

const SELECT: &str = "SELECT hash, body FROM blobs WHERE hash IN (\
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, \
    $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, \
    $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, \
    $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64)";

fn deflate(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(4));
    encoder
        .write_all(text)
        .and_then(|()| encoder.finish())
        .expect("a vector takes everything that is written into it")
}

fn inflate(body: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut text = Vec::with_capacity(body.len() * 4);
    DeflateDecoder::new(body)
        // Nothing that was kept is longer.
        .take(LARGEST as u64)
        .read_to_end(&mut text)
        .map_err(|_| StoreError::Unreadable("a blob"))?;
    Ok(text)
}
