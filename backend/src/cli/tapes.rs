//! Recorded runs that answer again: `tape:DIR` in seats and for searches.

use std::collections::BTreeMap;
use std::path::Path;

use turnwise_backend::run_folder;
use turnwise_shared::run::SEARCH_TAPE;
use turnwise_shared::seat::{Lineup, Player, Sampling, Seat, Sitting};
use turnwise_shared::spec::SearchSpec;
use turnwise_shared::tape::Tape;

use super::searched::{Corpora, Searched};
use super::trouble::Trouble;

/// Recorded runs, by folder.
#[derive(Default)]
pub struct Tapes {
    loaded: BTreeMap<String, Tape>,
}

impl Tapes {
    /// Loads the tapes that sit in seats.
    ///
    /// # Errors
    /// If a folder holds no recorded run.
    pub fn load(&mut self, seats: &Lineup) -> Result<(), Trouble> {
        for sitting in seats.values() {
            if let Player::Tape(folder) = &sitting.player {
                self.tape(Path::new(folder))?;
            }
        }
        Ok(())
    }

    /// Loads a recorded run, once.
    ///
    /// # Errors
    /// If the folder holds none.
    pub fn tape(&mut self, folder: &Path) -> Result<Tape, Trouble> {
        let key = key(folder);
        if let Some(tape) = self.loaded.get(&key) {
            return Ok(tape.clone());
        }
        let mut tape = Tape::default();
        let files = run_folder::transcript_files(folder)?;
        if files.is_empty() {
            return Err(Trouble::with(
                folder,
                "there is no transcript (*.jsonl) in it, so it is no tape",
            ));
        }
        for file in files {
            tape.add(&run_folder::read_transcript(&file)?);
        }
        self.loaded.insert(key, tape.clone());
        Ok(tape)
    }

    /// The player's tape also answers searches, where nobody else was named for them.
    pub fn of_player(&self, seats: &Lineup) -> Option<Searched> {
        match &seats.get(&Seat::new(Seat::PLAYER))?.player {
            Player::Tape(folder) => {
                let tape = self.loaded.get(&key(Path::new(folder)))?;
                tape.search.is_some().then(|| Searched::Tape(folder.into()))
            }
            _ => None,
        }
    }

    /// How the spec names who is searched; a tape stands there as whoever it recorded.
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
            Searched::Tape(folder) => {
                let tape = self.tape(folder)?;
                let recorded = tape.search.clone().ok_or_else(|| {
                    Trouble::new(format!(
                        "--search {searched}: nothing was searched in that run"
                    ))
                })?;
                self.answers_searches(tape);
                Ok(recorded)
            }
        }
    }

    /// This tape answers searches.
    pub fn answers_searches(&mut self, tape: Tape) {
        self.loaded.insert(SEARCH_TAPE.to_owned(), tape);
    }

    /// All of them, by the name under which [`key`] finds them.
    pub fn all(&self) -> BTreeMap<String, Tape> {
        self.loaded.clone()
    }
}

/// What a tape is called among the loaded ones: its absolute path, which no other key can be.
pub fn key(folder: &Path) -> String {
    std::path::absolute(folder)
        .unwrap_or_else(|_| folder.to_owned())
        .to_string_lossy()
        .into_owned()
}

/// Somebody whose replies are on a tape.
pub fn on_tape(folder: &Path) -> Sitting {
    Sitting {
        player: Player::Tape(folder.to_string_lossy().into_owned()),
        sampling: Sampling::default(),
    }
}
