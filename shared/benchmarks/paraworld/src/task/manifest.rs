//! What is written beside a file of worlds: what it is, what it holds, from what it was made (specification 3.5).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::load::Worlds;
use super::{Language, Tier, lines};
use turnwise_core::prelude::*;

/// The manifest of a file of worlds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// What the set is called.
    pub dataset_id: String,
    /// SHA-256 of the file.
    pub sha256: Digest,
    /// SHA-256 of the worlds as [`lines`] writes them: the same for copies that are laid out differently.
    pub worlds_sha256: Digest,
    pub worlds: u32,
    /// How many of each tier.
    pub per_tier: BTreeMap<Tier, u32>,
    /// How many of each category; `unknown` for those without.
    pub per_category: BTreeMap<String, u32>,
    /// How many in each language.
    pub per_language: BTreeMap<Language, u32>,
    /// Which model did what in making them, by role; empty for built worlds.
    #[serde(default)]
    pub models: BTreeMap<String, String>,
    /// The seeds, by what they were for. Seeds of sealed sets are added when they are revealed.
    #[serde(default)]
    pub seeds: BTreeMap<String, u64>,
}

impl Manifest {
    /// Counts and hashes a set of worlds; models and seeds are for the maker to fill in.
    pub fn of(dataset_id: impl Into<String>, set: &Worlds) -> Self {
        let mut manifest = Manifest {
            dataset_id: dataset_id.into(),
            sha256: set.file,
            worlds_sha256: Digest::of(lines(&set.worlds)),
            worlds: 0,
            per_tier: BTreeMap::new(),
            per_category: BTreeMap::new(),
            per_language: BTreeMap::new(),
            models: BTreeMap::new(),
            seeds: BTreeMap::new(),
        };
        for world in &set.worlds {
            let category = world.category.as_deref().unwrap_or("unknown");
            manifest.worlds += 1;
            *manifest.per_tier.entry(world.tier()).or_default() += 1;
            *manifest.per_category.entry(category.to_owned()).or_default() += 1;
            *manifest.per_language.entry(world.language()).or_default() += 1;
        }
        manifest
    }

    /// Whether a set of worlds is the one that the manifest describes.
    ///
    /// # Errors
    /// The first thing in which they differ.
    pub fn check(&self, set: &Worlds) -> Result<(), Mismatch> {
        let found = Manifest::of(self.dataset_id.clone(), set);
        if self.worlds_sha256 != found.worlds_sha256 {
            return Err(Mismatch::Worlds);
        }
        let counts = |manifest: &Manifest| {
            let Manifest { worlds, per_tier, per_category, per_language, .. } = manifest.clone();
            (worlds, per_tier, per_category, per_language)
        };
        if counts(self) != counts(&found) {
            return Err(Mismatch::Counts);
        }
        if self.sha256 != found.sha256 {
            return Err(Mismatch::File);
        }
        Ok(())
    }
}

/// In what a manifest and a file differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    #[error("the file does not hold the worlds of the manifest")]
    Worlds,
    /// The same worlds, but the manifest miscounts them.
    #[error("the manifest's counts are not those of its worlds")]
    Counts,
    /// The same worlds, written differently.
    #[error("the file holds the worlds of the manifest, but is not the same file")]
    File,
}
