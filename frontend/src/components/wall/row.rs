//! The rows of a wall as markup in one piece each ([`turnwise_shared::screen::row`]).

use turnwise_shared::markup::Markup;
use turnwise_shared::screen::row::{Labels, WallRow};

use crate::prelude::*;
use crate::view::wall::{Arranged, Column, Columns, Look, Pricing};

/// What the rows of a wall have in common.
pub struct Rows<'a> {
    pub run: &'a RunId,
    pub all: &'a Snapshot,
    /// Their order.
    pub arranged: &'a Arranged,
    /// How the wall is looked at.
    pub wall: &'a Wall,
    /// Which labels of tasks it shows.
    pub labels: Labels,
    /// How much an episode shows.
    pub look: Look,
    /// The columns of a table.
    pub columns: Columns,
    /// By what its costs are counted.
    pub pricing: Option<&'a Pricing>,
    /// The most turns for which a row has room.
    pub most_turns: usize,
    /// How many episodes the wall will show.
    pub count: usize,
}

impl Rows<'_> {
    /// The head of a group.
    pub fn head(&self, band: usize) -> String {
        let band = &self.arranged.bands[band];
        let mut out = Markup::default();
        out.open_with("div", &[("class", "wall-group"), ("aria-hidden", "true")]);
        if let Some(status) = band.status {
            mark(&mut out, status);
        }
        out.element("b", "", band.title.as_deref().unwrap_or_default());
        out.open("span", "faint");
        out.text(&band.note);
        out.end("span");
        out.end("div");
        out.done()
    }

    /// The episodes from a place in the order on. The one under the cursor is marked.
    pub fn episodes(&self, start: usize, len: usize, cursor: Option<&EpisodeKey>) -> String {
        let mut out = Markup::default();
        for place in start..start + len {
            self.episode(&mut out, place, cursor);
        }
        out.done()
    }

    fn episode(&self, out: &mut Markup, place: usize, cursor: Option<&EpisodeKey>) {
        let position = self.arranged.order[place];
        let key = &self.all.keys[position];
        let href =
            address::episode(self.run, key, &Place { wall: self.wall.clone(), ..Place::default() });
        let summary = &self.all.summaries[position];
        // Only what is in sight is counted.
        let has_cost = self.look == Look::List && self.columns.has(Column::Cost);
        let pricing = self.pricing.filter(|_| has_cost);
        let row = WallRow {
            key,
            summary,
            status: self.all.statuses[position],
            labels: self.labels,
            href: &href,
            look: self.look,
            columns: self.columns,
            cost: pricing.map(|pricing| pricing.cost(summary)),
            most_turns: self.most_turns,
            place,
            count: self.count,
            is_now: cursor == Some(key),
        };
        row.option(out);
    }
}

fn mark(out: &mut Markup, status: EpisodeStatus) {
    out.open_with(
        "span",
        &[("class", status.mark()), ("role", "img"), ("aria-label", status.label())],
    );
    out.text(status.glyph());
    out.end("span");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::direction::Direction;
    use crate::view::testing::snapshot;
    use crate::view::wall::arrange;
    use turnwise_shared::screen::sample::summary;

    #[test]
    fn rows_stand_in_the_order_of_the_wall_and_one_has_the_cursor() {
        let all = snapshot(vec![summary("7", "S="), summary("8", "=")]);
        let run = "0".repeat(32).parse().expect("an id of a run");
        let wall = Wall { direction: Direction::Down, ..Wall::default() };
        let arranged = arrange(&wall, &all, None);
        let rows = Rows {
            run: &run,
            all: &all,
            arranged: &arranged,
            wall: &wall,
            labels: Labels::All,
            look: Look::List,
            columns: Columns::always(),
            pricing: None,
            most_turns: 9,
            count: 9,
        };
        let html = rows.episodes(0, 1, Some(&all.keys[1]));
        assert!(html.contains("class=\"ep is-now\""), "{html}");
        assert!(html.contains("aria-posinset=\"1\" aria-setsize=\"9\""));
        assert!(html.contains(">8<"), "the last comes first: {html}");
        let both = rows.episodes(0, 2, None);
        assert!(!both.contains("is-now") && both.matches("<a ").count() == 2, "{both}");
    }

    #[test]
    fn a_table_shows_the_chosen_columns_and_its_name_says_them() {
        let mut one = summary("7", "SSSSSS=");
        one.measured.asked = Some("Which river?".to_owned());
        one.measured.answer = Some("Rhine".to_owned());
        let all = snapshot(vec![one]);
        let run = "0".repeat(32).parse().expect("an id of a run");
        let wall = Wall::default();
        let arranged = arrange(&wall, &all, None);
        let html = |columns: &str, look: Look, most_turns: usize| {
            let rows = Rows {
                run: &run,
                all: &all,
                arranged: &arranged,
                wall: &wall,
                labels: Labels::All,
                look,
                columns: Columns::read(columns).expect("columns"),
                pricing: None,
                most_turns,
                count: 1,
            };
            rows.episodes(0, 1, None)
        };
        let few = html("question", Look::List, 9);
        assert!(few.contains("ep-question") && !few.contains("Rhine"), "{few}");
        for hidden in ["class=\"ribbon\"", "ep-answer", "ep-cost", "ep-word"] {
            assert!(!few.contains(hidden), "{hidden} in {few}");
        }
        assert!(few.contains(", question Which river?"), "{few}");
        let many = html("answer,turns,outcome", Look::List, 4);
        assert!(many.contains(", answer Rhine") && !many.contains("river"), "{many}");
        assert!(many.contains(">+5</i>"), "what has no room is counted: {many}");
        assert_eq!(many.matches("class=\"turn").count(), 2, "{many}");
        assert!(
            many.contains("data-turns=\"5\"") && many.contains(">=</i></span>"),
            "the last turn stays: {many}"
        );
        // The other looks have no columns.
        let tiles = html("none", Look::Tiles, 9);
        assert_eq!(tiles.matches("class=\"turn").count(), 7, "{tiles}");
        assert!(tiles.contains(", question Which river?, answer Rhine"), "{tiles}");
    }
}
