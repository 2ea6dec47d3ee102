//! Recorded runs that answer again: `tape:DIR` in seats, for searches and pages; `frozen:DIR` for searches and pages by content.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};

use turnwise_backend::run_folder::{self, FolderError};
use turnwise_backend::sample_web;
use turnwise_shared::archive::{Archive, Archives, Content};
use turnwise_shared::prelude::*;
use turnwise_shared::recording::Recording;
use turnwise_shared::run::{SEARCH_TAPE, WEB_TAPE};

use super::searched::{Corpora, Searched};
use super::trouble::with_path;
use super::web::{self, Web};

#[derive(Default)]
pub struct Recordings {
    loaded: BTreeMap<String, Recording>,
    archives: BTreeMap<String, Arc<Archive>>,
}

impl Recordings {
    /// Loads the recordings that sit in seats.
    ///
    /// # Errors
    /// If a folder holds no recorded run.
    pub fn load(&mut self, seats: &Lineup) -> Result<()> {
        for sitting in seats.values() {
            if let Player::Recording(folder) = &sitting.player {
                self.recording(Path::new(folder))?;
            }
        }
        Ok(())
    }

    /// Loads a recorded run, once.
    ///
    /// # Errors
    /// If the folder holds none.
    pub fn recording(&mut self, folder: &Path) -> Result<Recording> {
        let key = key(folder);
        if let Some(recording) = self.loaded.get(&key) {
            return Ok(recording.clone());
        }
        let mut recording = Recording::default();
        for transcript in transcripts(folder)? {
            recording.add(&transcript?);
        }
        self.loaded.insert(key, recording.clone());
        Ok(recording)
    }

    /// Makes an archive of recorded runs, once.
    ///
    /// # Errors
    /// If a folder holds none.
    fn archive(&mut self, folders: &[PathBuf]) -> Result<Arc<Archive>> {
        let name = web::frozen(folders);
        if let Some(archive) = self.archives.get(&name) {
            return Ok(Arc::clone(archive));
        }
        let mut content = Content::default();
        for folder in folders {
            for transcript in transcripts(folder)? {
                content.add(&transcript?);
            }
        }
        let archive = Arc::new(Archive::new(content));
        self.archives.insert(name, Arc::clone(&archive));
        Ok(archive)
    }

    fn sample_web(&mut self) -> Result<Arc<Archive>> {
        let none = || anyhow!("this program has no sample web");
        let archive = sample_web::archive().ok_or_else(none)?;
        self.archives.insert(Web::Sample.to_string(), Arc::clone(archive));
        Ok(Arc::clone(archive))
    }

    /// How the spec names where pages are read; a recording stands there as what it recorded.
    ///
    /// # Errors
    /// If there is no such web or recorded run, or nothing was read in it.
    pub fn web(&mut self, web: &Web) -> Result<WebSpec> {
        let archive = match web {
            Web::Live => return Ok(WebSpec::Live),
            Web::Sample => self.sample_web()?,
            Web::Frozen(folders) => self.archive(folders)?,
            Web::Recording(folder) => {
                let recording = self.recording(folder)?;
                let nothing = || anyhow!("--web {web}: no pages were read in that run");
                let recorded = recording.web.ok_or_else(nothing)?;
                self.loaded.insert(WEB_TAPE.to_owned(), recording);
                return Ok(recorded);
            }
        };
        Ok(WebSpec::Archive { archive: archive.digest() })
    }

    /// The player's recording also gives pages, where no other web was named.
    pub fn web_of_player(&self, seats: &Lineup) -> Option<Web> {
        let Player::Recording(folder) = &seats.get(&Seat::new(Seat::PLAYER))?.player else {
            return None;
        };
        let recording = self.loaded.get(&key(Path::new(folder)))?;
        recording.web.is_some().then(|| Web::Recording(folder.into()))
    }

    /// The archives that were made, by digest.
    pub fn archives(&self) -> Archives {
        self.archives.values().map(|archive| (archive.digest(), Arc::clone(archive))).collect()
    }

    /// The player's recording also answers searches, unless an engine was named for them.
    pub fn of_player(&self, seats: &Lineup) -> Option<Searched> {
        match &seats.get(&Seat::new(Seat::PLAYER))?.player {
            Player::Recording(folder) => {
                let recording = self.loaded.get(&key(Path::new(folder)))?;
                recording.search.is_some().then(|| Searched::Recording(folder.into()))
            }
            _ => None,
        }
    }

    /// How the spec names who is searched; of a recording, the engine that it recorded.
    ///
    /// # Errors
    /// If there is no such engine or recorded run.
    pub fn search(
        &mut self,
        searched: &Searched,
        results: u32,
        corpus: &mut dyn Corpora,
    ) -> Result<SearchSpec> {
        let frozen = |archive: Arc<Archive>| {
            let spec = archive.search_spec(results);
            spec.map_err(|why| anyhow!("--search {searched}: {why}"))
        };
        match searched {
            Searched::Sample => frozen(self.sample_web()?),
            Searched::Frozen(folders) => frozen(self.archive(folders)?),
            Searched::Engine { name, documents } => {
                corpus.engine(name, documents.as_deref(), results)
            }
            Searched::Recording(folder) => {
                let recording = self.recording(folder)?;
                let recorded = recording.search.clone().ok_or_else(|| {
                    anyhow!("--search {searched}: nothing was searched in that run")
                })?;
                self.answers_searches(recording);
                Ok(recorded)
            }
        }
    }

    pub fn answers_searches(&mut self, recording: Recording) {
        self.loaded.insert(SEARCH_TAPE.to_owned(), recording);
    }

    /// All of them, by the name under which [`key`] finds them.
    pub fn all(&self) -> BTreeMap<String, Recording> {
        self.loaded.clone()
    }
}

fn transcripts(folder: &Path) -> Result<impl Iterator<Item = Result<Transcript, FolderError>>> {
    let files = run_folder::transcript_files(folder)?;
    if files.is_empty() {
        return Err(with_path(
            folder,
            "there is no transcript (*.jsonl) in it, so it is no recording",
        ));
    }
    Ok(files.into_iter().map(|file| run_folder::read_transcript(&file)))
}

/// What a recording is called among the loaded ones: its absolute path, which no other key can be.
pub fn key(folder: &Path) -> String {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).to_string_lossy().into_owned()
}

/// A player whose replies are on a recording.
pub fn on_recording(folder: &Path) -> Sitting {
    Sitting {
        player: Player::Recording(folder.to_string_lossy().into_owned()),
        sampling: Sampling::default(),
    }
}
