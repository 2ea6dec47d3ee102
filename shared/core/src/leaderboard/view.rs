//! How a board is looked at: what stands in the address of its page, in the query of its route, and in the options of the
//! command line alike. What is not said is left to the board.

use std::collections::BTreeSet;

use crate::day::Day;
use crate::evidence_tier::EvidenceTier;
use crate::wire::boards::{Better, BoardColumn, BoardRow};
use crate::wire::publishing::Owner;

/// How many rows a portion has by default, and at most.
pub const PORTION: u32 = 200;

/// The longest text that is looked for, in bytes.
const LONGEST: usize = 200;

/// How a board is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// By what rows are ordered: the key of a column, or `name`, `n`, `published`; by default the main column.
    pub sort: Option<String>,
    /// In which direction; by default the better first.
    pub order: Option<Order>,
    /// Only rows that can be believed so far; all if it is empty.
    pub tiers: BTreeSet<EvidenceTier>,
    /// Whether a board of runs orders and draws the rows of its paper among them.
    pub paper: bool,
    /// Only rows in whose names all these words occur.
    pub words: String,
    /// Only this owner's runs.
    pub owner: Option<Owner>,
    /// Only runs that were published on this day or later; rows of papers have no day and stay.
    pub since: Option<Day>,
    /// Which columns a page shows, in the board's order; the board's choice if it is empty. Files have all.
    pub columns: Vec<String>,
    /// Which plot a page shows.
    pub plot: Option<String>,
    /// Whether a page draws an axis of money linearly, instead of by orders of magnitude.
    pub linear: bool,
    /// How many matching rows come before the first one.
    pub skip: u32,
    /// The most rows, up to [`PORTION`].
    pub limit: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The least first.
    Up,
    /// The greatest first.
    Down,
}

/// A part of a view that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}={value}: {problem}")]
pub struct BadView {
    pub key: String,
    pub value: String,
    pub problem: &'static str,
}

impl View {
    /// Reads the parts of a query; of a part that stands there twice the last one counts.
    ///
    /// # Errors
    /// The first part that cannot be read.
    pub fn of<'a>(parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, BadView> {
        let mut view = View::default();
        for (key, value) in parts {
            view.take(key, value).map_err(|problem| BadView {
                key: key.chars().take(LONGEST).collect(),
                value: value.chars().take(LONGEST).collect(),
                problem,
            })?;
        }
        Ok(view)
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
        if value.len() > LONGEST {
            return Err("it is too long");
        }
        let parts = || value.split(',').filter(|part| !part.is_empty());
        match key {
            "sort" => self.sort = Some(value.to_owned()).filter(|value| !value.is_empty()),
            "order" => {
                self.order = match value {
                    "up" => Some(Order::Up),
                    "down" => Some(Order::Down),
                    _ => return Err("write up or down"),
                }
            }
            "standing" => {
                self.tiers = parts()
                    .map(EvidenceTier::named)
                    .collect::<Option<_>>()
                    .ok_or("write verified, self_reported, human, human_unattended, baseline or published, separated by commas")?;
            }
            "paper" => self.paper = flag(value)?,
            "linear" => self.linear = flag(value)?,
            "q" => self.words = value.to_owned(),
            "owner" => {
                let owner: crate::hash::Digest =
                    value.parse().map_err(|_| "an owner is 64 hexadecimal digits")?;
                self.owner = Some(owner.into());
            }
            "since" => {
                self.since = Some(value.parse().map_err(|_| "a day is written as 2025-11-10")?)
            }
            "columns" => self.columns = parts().map(str::to_owned).collect(),
            "plot" => self.plot = Some(value.to_owned()).filter(|value| !value.is_empty()),
            "skip" => self.skip = value.parse().map_err(|_| "write a whole number")?,
            "limit" => self.limit = Some(value.parse().map_err(|_| "write a whole number")?),
            _ => {
                return Err(
                    "there is no such part; there is sort, order, standing, paper, q, owner, since, columns, plot, linear, skip, limit",
                );
            }
        }
        Ok(())
    }

    /// The parts of its query, in a fixed order; none for the default view.
    pub fn parts(&self) -> Vec<(String, String)> {
        let mut parts = Vec::new();
        let mut say = |key: &str, value: Option<String>| {
            parts.extend(
                value.filter(|value| !value.is_empty()).map(|value| (key.to_owned(), value)),
            );
        };
        say("sort", self.sort.clone());
        let order = |order| match order {
            Order::Up => "up".to_owned(),
            Order::Down => "down".to_owned(),
        };
        say("order", self.order.map(order));
        let tiers: Vec<&str> = self.tiers.iter().map(|one| one.name()).collect();
        say("standing", Some(tiers.join(",")));
        let flag = |is_set: bool| is_set.then(|| "1".to_owned());
        say("paper", flag(self.paper));
        say("q", Some(self.words.clone()));
        say("owner", self.owner.map(|owner| owner.to_string()));
        say("since", self.since.as_ref().map(Day::to_string));
        say("columns", Some(self.columns.join(",")));
        say("plot", self.plot.clone());
        say("linear", flag(self.linear));
        say("skip", Some(self.skip).filter(|skip| *skip > 0).map(|skip| skip.to_string()));
        say("limit", self.limit.map(|limit| limit.to_string()));
        parts
    }

    /// How many rows a portion has at most.
    pub fn portion(&self) -> u32 {
        self.limit.unwrap_or(PORTION).min(PORTION)
    }

    /// The rows that pass the filters, in order, by their places in the slice. Whatever the direction, rows without the number
    /// come last, and equal rows keep the order in which they stand.
    pub(super) fn arranged(&self, rows: &[&BoardRow], columns: &[BoardColumn]) -> Vec<usize> {
        let words: Vec<String> = self.words.split_whitespace().map(str::to_lowercase).collect();
        let mut found: Vec<usize> =
            (0..rows.len()).filter(|at| self.passes(rows[*at], &words)).collect();
        let key = self.sort.as_deref().unwrap_or_else(|| main(columns));
        let order = self.order.unwrap_or_else(|| usual(key, columns));
        if key == "name" {
            let name = |at: &usize| rows[*at].name.to_lowercase();
            found.sort_by_cached_key(name);
            if order == Order::Down {
                found.reverse();
            }
            return found;
        }
        let place = columns.iter().position(|column| column.key == key);
        let number = |at: usize| match (key, place) {
            ("n", _) => rows[at].n.map(f64::from),
            ("published", _) => rows[at].published.map(|time| time as f64),
            (_, Some(place)) => rows[at].cells.get(place).copied().flatten().map(|cell| cell.value),
            (_, None) => None,
        };
        found.sort_by(|one, other| match (number(*one), number(*other)) {
            (Some(one), Some(other)) if order == Order::Up => one.total_cmp(&other),
            (Some(one), Some(other)) => other.total_cmp(&one),
            (one, other) => other.is_some().cmp(&one.is_some()),
        });
        found
    }

    /// Whether rows of the paper are among those of runs.
    pub(super) fn has_paper(&self) -> bool {
        self.paper || self.tiers.contains(&EvidenceTier::Published)
    }

    fn passes(&self, row: &BoardRow, words: &[String]) -> bool {
        let is_wanted = self.tiers.is_empty() || self.tiers.contains(&row.tier);
        let is_owned =
            self.owner.is_none_or(|owner| row.owner.is_some_and(|owned| owned.owner == owner));
        let is_new = match (&self.since, row.published) {
            (Some(since), Some(time)) => Day::of(time).is_some_and(|day| day >= *since),
            _ => true,
        };
        let has_words = || {
            let text = [&row.name, &row.who, &row.title].map(|text| text.to_lowercase());
            words.iter().all(|word| text.iter().any(|text| text.contains(word)))
        };
        is_wanted && is_owned && is_new && (words.is_empty() || has_words())
    }
}

/// A switch in an address.
fn flag(value: &str) -> Result<bool, &'static str> {
    match value {
        "1" => Ok(true),
        "" | "0" => Ok(false),
        _ => Err("write 1 or 0"),
    }
}

/// The key of the main column.
fn main(columns: &[BoardColumn]) -> &str {
    columns.first().map_or("", |column| &column.key)
}

/// The direction in which the better stands first.
fn usual(key: &str, columns: &[BoardColumn]) -> Order {
    let better = columns.iter().find(|column| column.key == key).map(|column| column.better);
    match (key, better) {
        ("name", _) | (_, Some(Better::Less)) => Order::Up,
        _ => Order::Down,
    }
}
