//! Made-up episodes for tests: of this module, and of the app.

use std::collections::BTreeMap;

use crate::hash::Digest;
use crate::metrics::summary::{Measured, Summary};
use crate::note::{Tone, TurnKind};
use crate::scene::Cell;
use crate::transcript::TaskRef;

/// A cell without fault for which nothing came back.
pub fn cell(turn: u32, kind: TurnKind) -> Cell {
    Cell {
        turn,
        round: turn,
        seat: "player".into(),
        kind,
        tone: None,
        fault: None,
        sentence: format!("turn {turn}"),
    }
}

/// A finished, ungraded episode whose ribbon is written with the letters of [`TurnKind`].
pub fn summary(id: &str, ribbon: &str) -> Summary {
    let kinds = [
        TurnKind::Search,
        TurnKind::Ask,
        TurnKind::Browse,
        TurnKind::Move,
        TurnKind::Answer,
        TurnKind::Invalid,
    ];
    let ribbon = ribbon.chars().enumerate().map(|(index, letter)| {
        let kind =
            kinds.into_iter().find(|kind| kind.letter() == letter).expect("a letter of a kind");
        let mut cell = cell(u32::try_from(index + 1).expect("a short ribbon"), kind);
        if kind == TurnKind::Invalid {
            cell.fault = Some("no_object".into());
        }
        if kind == TurnKind::Ask {
            cell.tone = Some(Tone::Unknown);
        }
        cell
    });
    let ribbon: Vec<Cell> = ribbon.collect();
    let faults: BTreeMap<String, u32> = ribbon.iter().filter_map(|cell| cell.fault.clone()).fold(
        BTreeMap::new(),
        |mut faults, class| {
            *faults.entry(class).or_default() += 1;
            faults
        },
    );
    Summary {
        task: TaskRef { id: id.into(), digest: Digest::of(id), labels: BTreeMap::new() },
        repeat: 1,
        spec: Digest::of("spec"),
        ending: Some("answered".into()),
        complete: true,
        score: None,
        ribbon,
        usage: BTreeMap::new(),
        faults,
        flags: BTreeMap::new(),
        failures: BTreeMap::new(),
        heard: Default::default(),
        measured: Measured::default(),
    }
}
