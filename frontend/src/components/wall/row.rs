//! A row of the wall as markup in one piece. A wall in motion makes thousands of cells a second, and a browser reads a text of
//! them several times faster than it is told of each.

use turnwise_shared::exchange::html::markup::Markup;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::RunId;

use super::{element_id, id_of};
use crate::components::ribbon::{Letters, letters};
use crate::strings::run::wall as words;
use crate::view::address::{self, Place};
use crate::view::snapshot::{Snapshot, confidence, label_line, language};
use crate::view::standing::Standing;
use crate::view::wall::{Arranged, Look, Wall};

/// What the rows of a wall have in common.
pub struct Rows<'a> {
    /// The run.
    pub run: &'a RunId,
    /// Its episodes.
    pub all: &'a Snapshot,
    /// Their order.
    pub arranged: &'a Arranged,
    /// How the wall is looked at.
    pub wall: &'a Wall,
    /// How much an episode shows.
    pub look: Look,
    /// How many episodes the wall will show.
    pub count: usize,
}

impl Rows<'_> {
    /// The head of a group.
    pub fn head(&self, band: usize) -> String {
        let band = &self.arranged.bands[band];
        let mut out = Markup::default();
        out.open_with("div", &[("class", "wall-group"), ("aria-hidden", "true")]);
        if let Some(standing) = band.standing {
            mark(&mut out, standing);
        }
        out.text(band.title.as_deref().unwrap_or_default());
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
        let (key, summary, standing) = (
            &self.all.keys[position],
            &self.all.summaries[position],
            self.all.standings[position],
        );
        let href = address::episode(
            self.run,
            key,
            &Place {
                wall: self.wall.clone(),
                ..Place::default()
            },
        );
        let labels = label_line(summary);
        let answer = summary
            .measured
            .answer
            .as_deref()
            .filter(|answer| !answer.is_empty());
        let stated = confidence(summary);
        // The label says all that the row shows, and what its colours say.
        let label = words::row_label(
            &words::label(
                &summary.task.id.0,
                summary.repeat,
                &labels,
                summary.ribbon.len(),
                standing.title(),
            ),
            answer,
            stated.as_deref(),
        );
        let is_now = cursor == Some(key);
        out.open_with(
            "a",
            &[
                ("class", if is_now { "ep is-now" } else { "ep" }),
                ("id", &element_id(key)),
                ("href", &href),
                ("role", "option"),
                ("tabindex", "-1"),
                ("aria-selected", if is_now { "true" } else { "false" }),
                ("aria-posinset", &(place + 1).to_string()),
                ("aria-setsize", &self.count.to_string()),
            ],
        );
        out.open("span", "sr");
        out.text(&label);
        out.end("span");
        hidden(out, "ep-id", &id_of(summary));
        if self.look == Look::List {
            out.open_with("span", &[("class", "ep-label"), ("aria-hidden", "true")]);
            if let Some(answer) = answer {
                let lang = language(&summary.task.labels);
                out.open_with("b", &[("lang", lang.as_deref().unwrap_or_default())]);
                out.text(answer);
                out.end("b");
                out.text(" · ");
            }
            out.text(&labels);
            if let Some(stated) = &stated {
                out.text(&format!(" · {}", words::confidence(stated)));
            }
            out.end("span");
        }
        let letters = match self.look {
            Look::List | Look::Tiles => Letters::Shown,
            // Too small to be read; the readout and the label say it in words.
            Look::Dense => Letters::LeftOut,
        };
        out.open_with("span", &[("class", "ribbon"), ("aria-hidden", "true")]);
        for (class, letter) in self::letters(&summary.ribbon, standing, letters) {
            out.open("i", &class);
            out.text(&letter);
            out.end("i");
        }
        out.end("span");
        hidden(out, standing.mark(), standing.glyph());
        out.end("a");
    }
}

fn hidden(out: &mut Markup, class: &str, text: &str) {
    out.open_with("span", &[("class", class), ("aria-hidden", "true")]);
    out.text(text);
    out.end("span");
}

fn mark(out: &mut Markup, standing: Standing) {
    out.open_with(
        "span",
        &[
            ("class", standing.mark()),
            ("role", "img"),
            ("aria-label", standing.title()),
        ],
    );
    out.text(standing.glyph());
    out.end("span");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::snapshot::tests::{snapshot, summary};
    use crate::view::wall::arrange;

    #[test]
    fn a_row_is_markup_and_what_models_say_is_not() {
        let mut said = summary("7", "S=");
        said.measured.answer = Some("<img src=x onerror=alert(1)> \"q\"".into());
        said.task.labels.insert("domain".into(), "A & B".into());
        let all = snapshot(vec![said]);
        let run = "0".repeat(32).parse().expect("an id of a run");
        let wall = Wall::default();
        let arranged = arrange(&wall, &all, None);
        let rows = Rows {
            run: &run,
            all: &all,
            arranged: &arranged,
            wall: &wall,
            look: Look::List,
            count: 9,
        };
        let html = rows.episodes(0, 1, Some(&all.keys[0]));
        assert!(!html.contains("<img"), "{html}");
        assert!(html.contains("&lt;img src=x"), "{html}");
        assert!(html.contains("A &amp; B"), "{html}");
        assert!(html.contains("class=\"ep is-now\""), "{html}");
        assert!(html.contains("aria-posinset=\"1\" aria-setsize=\"9\""));
        assert_eq!(html.matches("<i class=\"turn ").count(), 2, "{html}");
        assert!(!rows.episodes(0, 1, None).contains("is-now"));
    }
}
