//! Result files of other programs: read as transcripts of origin `imported`, written from transcripts.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::rows::BadRow;
use crate::effect::{CallId, Reply};
use crate::episode::Outcome;
use crate::formats::{BadFile, Export, PlayedRun};
use crate::lenient;
use crate::misfit;
use crate::note::{Note, Observation, Reading, Tone, Turn, TurnKind};
use crate::python;
use crate::seat::{Player, Seat};
use crate::spec::Spec;
use crate::transcript::{Event, Transcript};

/// A file that is one record. Members named by `counts` may be written `1.0` or `"1"`, those named by `words` with quotes around
/// them, however deep they are.
///
/// # Errors
/// The first field that does not fit.
pub fn document<T: DeserializeOwned>(
    file: &[u8],
    counts: &[&str],
    words: &[&str],
) -> Result<T, BadRow> {
    let mut value = lenient::json(file).map_err(BadRow::file)?;
    lenient::spell(&mut value, counts, words);
    serde_path_to_error::deserialize(value).map_err(|error| {
        let field = error.path().to_string().trim_start_matches('.').to_owned();
        BadRow { field, ..BadRow::file(misfit::plain(&error.inner().to_string())) }
    })
}

/// What a seat said, as the authors' programs hand it on: without white space around it. `None` where the call failed.
pub fn said(play: &Transcript, call: CallId) -> Option<String> {
    match play.reply(call) {
        Some(Reply::Said(said)) => {
            Some(python::strip(said.text.as_deref().unwrap_or_default()).to_owned())
        }
        _ => None,
    }
}

/// The model in a seat; else the player there, e.g. `bot:NAME`. Empty for an empty seat.
pub fn model(spec: &Spec, seat: &str) -> String {
    match spec.seats.get(&Seat::new(seat)).map(|sitting| &sitting.player) {
        Some(Player::Model { model, .. }) => model.clone(),
        other => other.map(Player::to_string).unwrap_or_default(),
    }
}

/// Writes the file of one run: `records` of a recorded one, the bytes that came of an imported one.
///
/// # Errors
/// If there are several runs, or what `count` and `records` say.
pub fn export(
    runs: &[PlayedRun],
    what: &str,
    count: impl Fn(&[u8]) -> Result<usize, BadRow>,
    records: impl Fn(&PlayedRun) -> Result<(Vec<u8>, usize), BadFile>,
) -> Result<Export, BadFile> {
    let run = PlayedRun::only(runs)?;
    let (bytes, count) = match &run.kept {
        Some(kept) => {
            let count = count(&kept.bytes).map_err(|bad| kept.bad(bad))?;
            (kept.bytes.clone(), count)
        }
        None => records(run)?,
    };
    Ok(Export { bytes, said: format!("{count} {what}"), remarks: Vec::new() })
}

/// The notes of an imported episode. It has no calls, so what was said is in them.
#[derive(Debug, Default)]
pub struct Notes {
    notes: Vec<Note>,
    turns: u32,
}

impl Notes {
    /// The next turn of the player.
    pub fn turn(
        &mut self,
        round: u32,
        kind: TurnKind,
        sentence: impl Into<String>,
        reading: Reading,
    ) {
        self.turns += 1;
        self.notes.push(Note::Turn(Turn {
            index: self.turns,
            round,
            seat: Seat::new(Seat::PLAYER),
            call: CallId(self.turns),
            kind,
            sentence: sentence.into(),
            reading,
        }));
    }

    /// The number of the last turn.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// What the last turn brought.
    pub fn came(&mut self, tone: Tone, word: &str, shown: &str) {
        let came = Observation::new(self.turns, tone, word);
        self.push(Note::Observation(Observation { shown: shown.to_owned(), ..came }));
    }

    pub fn event(&mut self, name: &str, detail: impl Serialize) {
        self.push(Note::event(name, json!(detail)));
    }

    pub fn push(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// The events of the episode.
    pub fn closed(self, ending: &str, result: Value) -> Vec<Event> {
        let notes = self.notes.into_iter().map(Event::Noted);
        notes.chain([closed(ending, result)]).collect()
    }
}

/// The end of an episode or of a grading.
pub fn closed(ending: &str, result: Value) -> Event {
    Event::Closed(Outcome { ending: ending.to_owned(), result })
}
