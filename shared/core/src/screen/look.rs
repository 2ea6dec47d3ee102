//! How large the ribbons of a wall are drawn, and how many of them stand side by side.

crate::choices! {
    /// How large a wall is drawn.
    pub enum Look {
        /// A table: one episode a row, with question, answer, reference, confidence and tokens.
        List = "list",
        /// Several episodes a row, with letters.
        Tiles = "tiles",
        /// As many as fit, colours only.
        Dense = "dense",
    }
}

impl Look {
    /// The classes of a wall of this size.
    pub fn class(self) -> &'static str {
        match self {
            Look::List => "wall wall-roomy",
            Look::Tiles => "wall",
            Look::Dense => "wall wall-dense",
        }
    }

    /// The look that suits this many episodes.
    pub fn for_count(episodes: usize) -> Self {
        match episodes {
            0..=200 => Look::List,
            _ => Look::Dense,
        }
    }

    /// The height of a row in CSS pixels, on a phone or elsewhere; the style sheet says the same. A phone has two lines for a row
    /// of the table.
    pub fn row_height(self, on_a_phone: bool) -> f64 {
        match self {
            Look::List if on_a_phone => 48.0,
            Look::List => 28.0,
            Look::Tiles => 24.0,
            Look::Dense => 16.0,
        }
    }

    /// The width in CSS pixels of an id of this many characters; never less than what short ids have.
    pub fn id_width(self, signs: usize) -> f64 {
        let least = match self {
            Look::List | Look::Tiles => 52.0,
            Look::Dense => 32.0,
        };
        (signs.min(MOST_SIGNS) as f64 * SIGN).max(least)
    }

    /// Whether an id fits into the room for an id: characters beyond those of Europe can be wider.
    pub fn fits(id: &str) -> bool {
        id.chars().count() <= MOST_SIGNS && id.chars().all(|sign| sign < '\u{250}')
    }

    /// The width in CSS pixels of an episode with this many turns and an id of this many characters; the style sheet says
    /// the same.
    fn width(self, turns: usize, id: usize) -> f64 {
        let (around, cell) = self.sizes();
        around + self.id_width(id) + cell * turns.clamp(SHORTEST, LONGEST) as f64
    }

    /// What stands around a ribbon, and a cell of it, in CSS pixels.
    fn sizes(self) -> (f64, f64) {
        match self {
            Look::List => (43.0, 27.0),
            Look::Tiles => (40.0, 18.0),
            Look::Dense => (24.0, 11.0),
        }
    }

    /// How many episodes stand side by side in this many CSS pixels, so that all of the ribbons are seen whole unless they
    /// are very long.
    pub fn columns(self, width: f64, longest: usize, id: usize) -> usize {
        if self == Look::List {
            return 1;
        }
        let inner = width - 2.0 * MARGIN + GAP;
        // A width is a few thousand pixels at most, so the cast is exact.
        ((inner / (self.width(longest, id) + GAP)) as usize).clamp(1, MOST_COLUMNS)
    }

    /// How many turns of an episode a row has room for in this many CSS pixels, with an id of this many characters: of a table a
    /// ribbon takes a fifth.
    pub fn most_turns(self, width: f64, id: usize) -> usize {
        let room = match self {
            Look::List => width / 5.0 / 18.0,
            Look::Tiles | Look::Dense => {
                let (around, cell) = self.sizes();
                (width - 2.0 * MARGIN - around - self.id_width(id)) / cell
            }
        };
        // A width is a few thousand pixels at most, so the cast is exact.
        (room as usize).clamp(3, LONGEST)
    }

    /// The classes with which the style sheet gives the same room where no code can: `turns-11 signs-8`.
    pub fn room(self, turns: usize, id: usize) -> String {
        let turns = turns.clamp(SHORTEST, LONGEST);
        match self.id_width(id) > self.id_width(0) {
            // A width is a few hundred pixels at most, so the cast is exact.
            true => format!("turns-{turns} signs-{}", (self.id_width(id) / SIGN) as usize),
            false => format!("turns-{turns}"),
        }
    }
}

/// Longer ids are cut off.
const MOST_SIGNS: usize = 23;
/// The width of a sign of an id, in CSS pixels.
const SIGN: f64 = 8.0;
/// Left and right of a row, in CSS pixels.
const MARGIN: f64 = 12.0;
/// Between two episodes of a row, in CSS pixels.
const GAP: f64 = 16.0;
/// Ribbons shorter than this still take the room of this many turns, so that the wall does not change with every turn.
const SHORTEST: usize = 6;
/// Longer ribbons do not take columns from the others.
const LONGEST: usize = 24;
/// The most episodes that stand side by side.
const MOST_COLUMNS: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_follow_the_width() {
        assert_eq!(Look::Tiles.columns(358.0, 11, 3), 1);
        assert_eq!(Look::Tiles.columns(1232.0, 11, 3), 4);
        assert_eq!(Look::Tiles.columns(1232.0, 12, 3), 3);
        assert_eq!(Look::Tiles.columns(1232.0, 8, 3), 4);
        assert_eq!(Look::Dense.columns(1232.0, 11, 3), 6);
        assert_eq!(Look::Dense.columns(1232.0, 1, 3), 8);
        assert_eq!(Look::Dense.columns(10.0, 8, 3), 1);
        assert_eq!(Look::List.columns(1232.0, 8, 3), 1);
        assert!(
            Look::Dense.columns(1232.0, 8, 8) < Look::Dense.columns(1232.0, 8, 3),
            "long ids take room"
        );
        let one_long = Look::Dense.columns(1232.0, 100, 3);
        assert_eq!(
            one_long,
            Look::Dense.columns(1232.0, LONGEST, 3),
            "one long episode does not spoil the wall"
        );
        assert_eq!(Look::Dense.room(11, 3), "turns-11");
        assert_eq!(Look::Dense.room(2, 8), "turns-6 signs-8");
        assert_eq!(Look::Tiles.room(200, 900), "turns-24 signs-23");
        assert!(Look::fits("210·48") && Look::fits(&"x".repeat(23)));
        assert!(!Look::fits(&"x".repeat(24)) && !Look::fits("题7"));
        let most = |look: Look| [0.0, 358.0, 1232.0].map(|width| look.most_turns(width, 3));
        assert_eq!(most(Look::List), [3, 3, 13]);
        assert_eq!(most(Look::Tiles), [3, 13, LONGEST]);
        assert_eq!(most(Look::Dense), [3, LONGEST, LONGEST]);
    }
}
