//! The view model: what one viewer may see of an episode now, and the ribbon that is computed from notes alone.
//!
//! Pure data without a word of HTML, so that it can be tested without a browser.

use serde::{Deserialize, Serialize};

use crate::evidence::ShownResult;
use crate::note::{Note, Tone, TurnKind};
use crate::picture::PictureRef;
use crate::prompt::Expect;
use crate::seat::Seat;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    pub blocks: Vec<Block>,
    /// What is left of each budget.
    pub gauges: Vec<Gauge>,
    /// What the viewer is asked for now, if anything.
    pub awaits: Option<Expect>,
}

/// A piece of a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "block", rename_all = "snake_case")]
pub enum Block {
    /// A text under a heading, e.g. the question.
    Text { heading: String, text: String },
    /// Something that a seat did.
    Act {
        seat: Seat,
        kind: TurnKind,
        /// What was done or said.
        text: String,
    },
    #[serde(rename = "came")]
    Observation { tone: Tone, text: String },
    /// A page of search results that came back.
    Results {
        tone: Tone,
        /// What was shown, from top to bottom; at least one.
        results: Vec<ShownResult>,
    },
    /// A remark of the rules to the viewer, e.g. that the last reply was not valid.
    Remark { text: String },
    /// A picture, e.g. of the page that a player has written.
    Picture {
        /// What it shows, e.g. `Your page`.
        label: String,
        picture: PictureRef,
    },
    /// A table with cards and chips.
    CardTable(CardTable),
    /// Moves that several seats made at the same time, round by round.
    Lanes(Lanes),
    End {
        /// How it ended, in a few words.
        ending: String,
        /// The final answer or result, if there is one.
        text: String,
    },
}

impl Block {
    /// A text under a heading.
    pub fn text(heading: &str, text: impl Into<String>) -> Self {
        Block::Text { heading: heading.to_owned(), text: text.into() }
    }

    /// Something that a seat did.
    pub fn act(seat: impl Into<Seat>, kind: TurnKind, text: impl Into<String>) -> Self {
        Block::Act { seat: seat.into(), kind, text: text.into() }
    }

    pub fn came(tone: Tone, text: impl Into<String>) -> Self {
        Block::Observation { tone, text: text.into() }
    }

    /// A remark of the rules.
    pub fn remark(text: impl Into<String>) -> Self {
        Block::Remark { text: text.into() }
    }

    /// The end, with the final answer or result.
    pub fn end(ending: &str, text: impl Into<String>) -> Self {
        Block::End { ending: ending.to_owned(), text: text.into() }
    }
}

impl Scene {
    /// The pictures among its blocks.
    pub fn pictures(&self) -> impl Iterator<Item = &PictureRef> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Picture { picture, .. } => Some(picture),
            _ => None,
        })
    }

    /// Takes over from a scene of the same moment who sits at which place of a card table, for those seats.
    pub fn name_places(&mut self, whole: &Scene, seats: impl Fn(&Seat) -> bool) {
        let tables = |block: &Block| match block {
            Block::CardTable(table) => Some(table.places.clone()),
            _ => None,
        };
        let known: Vec<_> = whole.blocks.iter().filter_map(tables).flatten().collect();
        for block in &mut self.blocks {
            let Block::CardTable(table) = block else {
                continue;
            };
            for place in &mut table.places {
                let same = known.iter().find(|known| known.place == place.place);
                let seat = same.and_then(|known| known.seat.clone());
                place.seat = place.seat.take().or(seat.filter(|seat| seats(seat)));
            }
        }
    }
}

/// A table with cards and chips, as one viewer sees it. Amounts are counted in `1 / units_per_chip` of a chip.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardTable {
    /// Which hand, from 1.
    pub hand: u32,
    /// Of how many at this table.
    pub hands: u32,
    /// The street in one word, e.g. `flop`, `showdown`.
    pub street: String,
    /// The common cards, e.g. `Th`.
    pub board: Vec<String>,
    /// The pots, main pot first, without what lies before the seats on this street.
    pub pots: Vec<u64>,
    pub big_blind: u64,
    /// How many units make a chip: 1, or 1,000,000 where fractions of a chip exist.
    pub units_per_chip: u64,
    /// The places, in the order in which they act; the first is place 1.
    pub places: Vec<TablePlace>,
    /// What was done in this hand, oldest first, one line each.
    pub log: Vec<String>,
}

/// One place at a table.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablePlace {
    /// The place, from 1.
    pub place: u32,
    /// Who sits there; absent where the viewer may not know.
    pub seat: Option<Seat>,
    /// The position's name, e.g. `BTN`, `SB`, `BB`, `UTG`.
    pub position: String,
    pub stack: u64,
    /// Chips put in on this street.
    pub bet: u64,
    /// The hole cards; `None` is a card face down.
    pub cards: Vec<Option<String>>,
    /// Whether it still takes part.
    pub state: PlaceState,
    /// Whether it is its turn.
    pub to_act: bool,
    pub own: bool,
    /// What was won or lost, once the hand is over.
    pub delta: Option<i64>,
    /// What it last did on this street, e.g. `raises to 300`.
    pub last: Option<String>,
    /// What it holds, once that is shown, e.g. `two pair, kings and nines`.
    pub holds: Option<String>,
}

/// Whether a place takes part in the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceState {
    Live,
    /// It does, with all its chips in.
    AllIn,
    Folded,
    /// It was not dealt in.
    Out,
}

/// Moves made at the same time, round by round: one lane for each seat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lanes {
    /// What the lanes are called, e.g. `You`, `Opponent`.
    pub names: Vec<String>,
    /// The rounds, oldest first.
    pub rounds: Vec<LaneRound>,
    /// What each has earned so far.
    pub totals: Vec<i64>,
}

/// One round of every lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneRound {
    /// The round, from 1.
    pub round: u32,
    /// One cell for each lane.
    pub cells: Vec<LaneCell>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneCell {
    /// The letter of the move, e.g. `C`.
    pub letter: String,
    /// The move in a word, e.g. `cooperates`.
    pub word: String,
    pub tone: Tone,
    pub payoff: i64,
    /// Whether the move was not the seat's own but the declared fallback.
    pub forced: bool,
}

/// What is left of something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gauge {
    pub label: String,
    pub left: u32,
    pub of: u32,
}

impl Gauge {
    /// What is left of something.
    pub fn new(label: &str, left: u32, of: u32) -> Self {
        Gauge { label: label.to_owned(), left, of }
    }
}

/// One cell of a turn ribbon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The turn's number, from 1.
    pub turn: u32,
    pub round: u32,
    pub seat: Seat,
    pub kind: TurnKind,
    /// The bar under the cell; absent while nothing came back.
    pub tone: Option<Tone>,
    /// The class of what was wrong, if anything.
    pub fault: Option<String>,
    /// The turn in one sentence.
    pub sentence: String,
}

/// The ribbon of an episode, from its notes.
pub fn ribbon<'a>(notes: impl IntoIterator<Item = &'a Note>) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for note in notes {
        follow(&mut cells, note);
    }
    cells
}

/// What the next note of an episode makes of its ribbon.
pub fn follow(cells: &mut Vec<Cell>, note: &Note) {
    match note {
        Note::Turn(turn) => cells.push(Cell {
            turn: turn.index,
            round: turn.round,
            seat: turn.seat.clone(),
            kind: turn.kind,
            tone: None,
            fault: turn.reading.fault.as_ref().map(|fault| fault.class.clone()),
            sentence: turn.sentence.clone(),
        }),
        Note::Observation(came) => {
            if let Some(cell) = cells.iter_mut().rev().find(|cell| cell.turn == came.turn) {
                cell.tone = Some(came.tone);
                if !came.word.is_empty() {
                    cell.sentence.push_str(" → ");
                    cell.sentence.push_str(&came.word);
                }
            }
        }
        Note::Event { .. } | Note::Restarted { .. } | Note::Flag { .. } => {}
    }
}
