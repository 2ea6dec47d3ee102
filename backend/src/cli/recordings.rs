//! Recorded runs that answer again: `tape:DIR` in seats and for searches.

use std::collections::BTreeMap;
use std::path::Path;

use turnwise_backend::run_folder;
use turnwise_shared::recording::Recording;
use turnwise_shared::run::SEARCH_TAPE;
use turnwise_shared::seat::{Lineup, Player, Sampling, Seat, Sitting};
use turnwise_shared::spec::SearchSpec;

use super::searched::{Corpora, Searched};
use super::trouble::Trouble;

/// Recorded runs, by folder.
#[derive(Default)]
pub struct Recordings {
    loaded: BTreeMap<String, Recording>,
}

impl Recordings {
    /// Loads the recordings that sit in seats.
    ///
    /// # Errors
    /// If a folder holds no recorded run.
    pub fn load(&mut self, seats: &Lineup) -> Result<(), Trouble> {
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
    pub fn recording(&mut self, folder: &Path) -> Result<Recording, Trouble> {
        let key = key(folder);
        if let Some(recording) = self.loaded.get(&key) {
            return Ok(recording.clone());
        }
        let mut recording = Recording::default();
        let files = run_folder::transcript_files(folder)?;
        if files.is_empty() {
            return Err(Trouble::with(
                folder,
                "there is no transcript (*.jsonl) in it, so it is no recording",
            ));
        }
        for file in files {
            recording.add(&run_folder::read_transcript(&file)?);
        }
        self.loaded.insert(key, recording.clone());
        Ok(recording)
    }

    /// The player's recording also answers searches, where nobody else was named for them.
    pub fn of_player(&self, seats: &Lineup) -> Option<Searched> {
        match &seats.get(&Seat::new(Seat::PLAYER))?.player {
            Player::Recording(folder) => {
                let recording = self.loaded.get(&key(Path::new(folder)))?;
                recording.search.is_some().then(|| Searched::Recording(folder.into()))
            }
            _ => None,
        }
    }

    /// How the spec names who is searched; a recording stands there as whoever it recorded.
    ///
    /// # Errors
    /// If there is no such engine or recorded run.
    pub fn search(
        &mut self,
        searched: &Searched,
        results: u32,
        corpus: &mut dyn Corpora,
    ) -> Result<SearchSpec, Trouble> {
        match searched {
            Searched::Engine { name, documents } => {
                corpus.engine(name, documents.as_deref(), results)
            }
            Searched::Recording(folder) => {
                let recording = self.recording(folder)?;
                let recorded = recording.search.clone().ok_or_else(|| {
                    Trouble::new(format!("--search {searched}: nothing was searched in that run"))
                })?;
                self.answers_searches(recording);
                Ok(recorded)
            }
        }
    }

    /// This recording answers searches.
    pub fn answers_searches(&mut self, recording: Recording) {
        self.loaded.insert(SEARCH_TAPE.to_owned(), recording);
    }

    /// All of them, by the name under which [`key`] finds them.
    pub fn all(&self) -> BTreeMap<String, Recording> {
        self.loaded.clone()
    }
}

/// What a recording is called among the loaded ones: its absolute path, which no other key can be.
pub fn key(folder: &Path) -> String {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).to_string_lossy().into_owned()
}

/// Somebody whose replies are on a recording.
pub fn on_recording(folder: &Path) -> Sitting {
    Sitting {
        player: Player::Recording(folder.to_string_lossy().into_owned()),
        sampling: Sampling::default(),
    }
}
