//! A row of the wall as markup in one piece. A wall in motion makes thousands of cells a second, and a browser parses a text
//! with all of them several times faster than it adds one cell at a time.

use std::ops::Range;

use super::columns::{self, Column, Columns, answer, confidence};
use super::look::Look;
use super::{turn, words};
use crate::key::EpisodeKey;
use crate::markup::Markup;
use crate::metrics::episode_status::EpisodeStatus;
use crate::metrics::number::count;
use crate::metrics::spending::Amount;
use crate::metrics::summary::Summary;
use crate::scene::Cell;
use crate::spec::Spec;
use crate::task::{LINEUP_LABEL, language};

/// An episode on a wall.
#[derive(Debug, Clone, Copy)]
pub struct WallRow<'a> {
    pub key: &'a EpisodeKey,
    pub summary: &'a Summary,
    pub status: EpisodeStatus,
    /// Which labels of its task are shown.
    pub labels: Labels,
    pub href: &'a str,
    /// How much of it is shown.
    pub look: Look,
    /// Which columns a table shows.
    pub columns: Columns,
    /// What it cost; `None` where the table has no such column.
    pub cost: Option<Amount>,
    /// The most turns for which a row has room.
    pub most_turns: usize,
    /// Its place on the wall, from 0.
    pub place: usize,
    /// How many episodes the wall will show.
    pub count: usize,
    /// Whether the cursor is on it.
    pub is_now: bool,
}

impl WallRow<'_> {
    /// Writes it as an option of a list.
    pub fn option(&self, out: &mut Markup) {
        // A name that is a text is laid out as often as its row comes into sight, and the smallest rows come by the thousand. Where
        // words and letters are drawn, a name that is none would have to begin with them (WCAG 2.5.3).
        let is_text = self.look != Look::Dense;
        let label = self.label();
        out.open_with(
            "a",
            &[
                ("class", if self.is_now { "ep is-now" } else { "ep" }),
                ("id", &element_id(self.key)),
                ("href", self.href),
                ("role", "option"),
                ("aria-label", if is_text { "" } else { &label }),
                ("tabindex", "-1"),
                ("aria-selected", if self.is_now { "true" } else { "false" }),
                ("aria-posinset", &(self.place + 1).to_string()),
                ("aria-setsize", &self.count.to_string()),
            ],
        );
        if is_text {
            out.element("span", "sr", &label);
        }
        self.inside(out);
        out.end("a");
    }

    /// Writes it as a link among others.
    pub fn link(&self, out: &mut Markup) {
        out.open_with("a", &[("class", "ep"), ("href", self.href)]);
        out.element("span", "sr", &self.label());
        self.inside(out);
        out.end("a");
    }

    /// All that the row shows, in words, and what its colours say.
    fn label(&self) -> String {
        let (summary, measured) = (self.summary, &self.summary.measured);
        let shows = |column| self.look != Look::List || self.columns.has(column);
        let (asked, answers) = (shows(Column::Question), shows(Column::Answer));
        let mut label = words::row_label(
            &words::label(
                &summary.task.id.0,
                summary.repeat,
                &self.labels.line(summary),
                summary.ribbon.len(),
                self.status.label(),
            ),
            measured.asked.as_deref().filter(|_| asked),
            answer(summary).filter(|_| answers),
            measured.right.as_deref().filter(|_| answers),
            confidence(summary).filter(|_| shows(Column::Confidence)).as_deref(),
        );
        if self.look == Look::List {
            let tokens = columns::tokens(summary).filter(|_| shows(Column::Tokens));
            let tokens = tokens.map(|tokens| format!("{tokens} tokens"));
            let cost = self.cost.filter(|_| shows(Column::Cost));
            for told in tokens.into_iter().chain(cost.map(columns::cost_in_words)) {
                label.push_str(", ");
                label.push_str(&told);
            }
        }
        label
    }

    /// What is drawn. Nothing of it is read aloud: the name says it all.
    fn inside(&self, out: &mut Markup) {
        let (summary, status) = (self.summary, self.status);
        let id = id_of(summary);
        // A browser paints whatever is cut off again and again while a wall scrolls, so only what may not fit is.
        let class = match Look::fits(&id) {
            true => "ep-id",
            false => "ep-id is-cut",
        };
        hidden(out, class, &id);
        match self.look {
            Look::List => self.columns.each().for_each(|column| self.cell(out, column)),
            Look::Tiles => self.ribbon(out, Letters::Shown),
            // Too small to be read; the readout and the label say it in words.
            Look::Dense => self.ribbon(out, Letters::LeftOut),
        }
        hidden(out, status.mark(), status.glyph());
    }

    /// What stands in a column of the table.
    fn cell(&self, out: &mut Markup, column: Column) {
        let summary = self.summary;
        let plain = |out: &mut Markup, text: Option<String>| {
            hidden(out, column.class(), text.as_deref().unwrap_or_default());
        };
        match column {
            Column::Question => self.question(out),
            Column::Turns => self.ribbon(out, Letters::Shown),
            Column::Answer => self.answer(out),
            Column::Confidence => plain(out, confidence(summary)),
            Column::Tokens => plain(out, columns::tokens(summary)),
            Column::Cost => plain(out, self.cost.map(columns::cost)),
            Column::Outcome => plain(out, Some(self.status.label().to_owned())),
        }
    }

    /// The turns; where there is no room for all of them the first ones, how many are left out, and the last ones: how an episode
    /// ended is what one looks for.
    fn ribbon(&self, out: &mut Markup, letters: Letters) {
        let cells = &self.summary.ribbon;
        let left_out = left_out(cells.len(), self.most_turns);
        out.open_with("span", &[("class", "ribbon"), ("aria-hidden", "true")]);
        for (at, (class, letter)) in self::letters(cells, self.status, letters).enumerate() {
            if at == left_out.start && !left_out.is_empty() {
                let number = left_out.len().to_string();
                out.inline(
                    "i",
                    &[("class", "ep-more"), ("data-turns", &number)],
                    &format!("+{}", count(left_out.len())),
                );
            }
            if !left_out.contains(&at) {
                out.inline("i", &[("class", &class)], &letter);
            }
        }
        out.end("span");
    }

    /// What the task asks, or its labels where that is not shown.
    fn question(&self, out: &mut Markup) {
        let labels = self.labels.line(self.summary);
        let lang = language(&self.summary.task.labels).unwrap_or_default();
        out.inline(
            "span",
            &[("class", "ep-question"), ("aria-hidden", "true"), ("lang", &lang)],
            self.summary.measured.asked.as_deref().unwrap_or(&labels),
        );
    }

    /// What was answered and what is right.
    fn answer(&self, out: &mut Markup) {
        let summary = self.summary;
        let lang = language(&summary.task.labels).unwrap_or_default();
        out.open_with("span", &[("class", "ep-answer"), ("aria-hidden", "true"), ("lang", &lang)]);
        if let Some(answer) = answer(summary) {
            out.element("b", "", answer);
        }
        if let Some(right) = &summary.measured.right {
            out.text(if answer(summary).is_some() { " → " } else { "no answer → " });
            out.text(right);
        }
        out.end("span");
    }
}

/// The most turns that are kept at the end of a ribbon that has no room for all.
const LAST: usize = 3;

/// Which of this many turns are left out where there is room for `most`. How many they are takes the room of two.
pub fn left_out(turns: usize, most: usize) -> Range<usize> {
    if turns <= most {
        return 0..0;
    }
    let kept = most.saturating_sub(2).max(1);
    let last = kept.div_ceil(2).min(LAST);
    kept - last..turns - last
}

fn hidden(out: &mut Markup, class: &str, text: &str) {
    out.inline("span", &[("class", class), ("aria-hidden", "true")], text);
}

/// How an episode's element on a wall is called.
pub fn element_id(play: &EpisodeKey) -> String {
    format!("ep-{play}")
}

/// How an episode is called on the wall: its task, and its repeat if it is not the first.
pub fn id_of(summary: &Summary) -> String {
    match summary.repeat {
        1 => summary.task.id.0.clone(),
        repeat => format!("{}·{repeat}", summary.task.id),
    }
}

/// How many signs [`id_of`] has.
pub fn signs_of_id(summary: &Summary) -> usize {
    let task = summary.task.id.0.chars().count();
    match summary.repeat {
        1 => task,
        repeat => task + 2 + repeat.checked_ilog10().unwrap_or(0) as usize,
    }
}

/// Whether cells carry their letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    Shown,
    /// They are too small for letters.
    LeftOut,
}

/// The classes of each cell of a ribbon, and its letter, which is empty where letters are left out.
pub fn letters(
    cells: &[Cell],
    status: EpisodeStatus,
    letters: Letters,
) -> impl Iterator<Item = (String, String)> {
    cells.iter().enumerate().map(move |(at, cell)| {
        let letter = match letters {
            Letters::Shown => turn::letter(cell, status).to_string(),
            Letters::LeftOut => String::new(),
        };
        let mut class = turn::classes(cell, status);
        if turn::opens_round(cells, at) {
            class.push_str(" opens");
        }
        (class, letter)
    })
}

/// A label of a task: its value, and its name before it where the value alone would be a bare number or grade.
pub fn label_text((label, value): (&String, &String)) -> String {
    let is_number = value.bytes().any(|byte| byte.is_ascii_digit()) && value.len() <= 6;
    if is_number || matches!(value.as_str(), "low" | "medium" | "high") {
        format!("{} {value}", label.replace('_', " "))
    } else {
        value.clone()
    }
}

/// Which labels of tasks are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Labels {
    #[default]
    All,
    /// Those of a branch that goes on with the matches of its parent: who met whom there is not true of it.
    PlannedForOthers,
}

impl Labels {
    pub fn of(spec: &Spec) -> Self {
        match spec.settings.get("planned_for") {
            Some(_) => Labels::PlannedForOthers,
            None => Labels::All,
        }
    }

    /// Whether a label of that name is shown.
    pub fn shows(self, name: &str) -> bool {
        match self {
            Labels::All => true,
            Labels::PlannedForOthers => name != LINEUP_LABEL,
        }
    }

    /// The labels of a task in one line, e.g. `Sports · en`.
    pub fn line(self, summary: &Summary) -> String {
        let labels = summary.task.labels.iter();
        let shown = labels.filter(|(name, _)| self.shows(name));
        let values: Vec<String> = shown.map(label_text).collect();
        values.join(" · ")
    }
}
