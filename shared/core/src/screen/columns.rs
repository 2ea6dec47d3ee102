//! The columns of the table of episodes: which there are, and which are shown.

use serde::Deserialize;
use serde_json::Value;

use crate::metrics::cost::Cost;
use crate::metrics::spending::Amount;
use crate::metrics::summary::Summary;
use crate::shortened::shortened;

use crate::metrics::episode_status::is_game;
use crate::metrics::number::{dollars, short};

crate::choices! {
    /// A column of the table beside the task and the mark of its outcome, which are always there.
    pub enum Column {
        /// What the task asks, in one line.
        Question = "question" => "Question",
        Turns = "turns" => "Turns",
        /// What was answered, and what is right.
        Answer = "answer" => "Answer → right",
        /// How sure it said it is.
        Confidence = "confidence" => "Confidence",
        /// Tokens of all seats.
        Tokens = "tokens" => "Tokens",
        /// Dollars of all seats and searches.
        Cost = "cost" => "Cost",
        /// The outcome in a word.
        Outcome = "outcome" => "Outcome",
    }
}

impl Column {
    /// The class of its cells.
    pub fn class(self) -> &'static str {
        match self {
            Column::Question => "ep-question",
            Column::Turns => "ribbon",
            Column::Answer => "ep-answer",
            Column::Confidence => "ep-sure",
            Column::Tokens => "ep-tokens",
            Column::Cost => "ep-cost",
            Column::Outcome => "ep-word",
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Columns(u8);

impl Columns {
    /// The address of a table without any.
    const NONE: &'static str = "none";

    pub fn always() -> Self {
        [Column::Turns, Column::Outcome].into_iter().collect()
    }

    /// Whether a column is among them.
    pub fn has(self, column: Column) -> bool {
        self.0 & column.bit() != 0
    }

    /// With a column or without it.
    #[must_use]
    pub fn with(self, column: Column, is_shown: bool) -> Self {
        match is_shown {
            true => Columns(self.0 | column.bit()),
            false => Columns(self.0 & !column.bit()),
        }
    }

    #[must_use]
    pub fn and(self, other: Columns) -> Self {
        Columns(self.0 & other.0)
    }

    /// Those that are there, from left to right.
    pub fn each(self) -> impl Iterator<Item = Column> {
        let all = Column::ALL.into_iter();
        all.filter(move |column| self.has(*column))
    }

    /// Adds the columns that an episode fills, of those that not every run has.
    pub fn find(&mut self, summary: &Summary, cost: impl Fn() -> Option<Amount>) {
        let mut add = |column: Column, fills: &dyn Fn() -> bool| {
            if !self.has(column) && fills() {
                *self = self.with(column, true);
            }
        };
        // Labels stand in for a question that is not shown; a game asks none, and its ribbon wants the room.
        let has_labels = || !is_game(summary) && !summary.task.labels.is_empty();
        add(Column::Question, &|| summary.measured.asked.is_some() || has_labels());
        add(Column::Answer, &|| answer(summary).is_some() || summary.measured.right.is_some());
        add(Column::Confidence, &|| confidence(summary).is_some());
        add(Column::Tokens, &|| summary.tokens() > 0);
        add(Column::Cost, &|| is_priced(summary, cost()));
    }

    /// As they stand in an address: names with commas.
    pub fn written(self) -> String {
        let names: Vec<&str> = self.each().map(Column::name).collect();
        match names.is_empty() {
            true => Columns::NONE.to_owned(),
            false => names.join(","),
        }
    }

    /// Those of an address; `None` where it names none that there is.
    pub fn read(text: &str) -> Option<Self> {
        let named = |name: &str| Column::ALL.into_iter().find(|one| one.name() == name);
        let found: Columns = text.split(',').filter_map(named).collect();
        (found != Columns::default() || text == Columns::NONE).then_some(found)
    }
}

impl FromIterator<Column> for Columns {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        let mut all = Columns::default();
        for column in columns {
            all = all.with(column, true);
        }
        all
    }
}

/// Whether something of a cost is known that is worth a column: what only bots and people played costs nothing anywhere.
fn is_priced(summary: &Summary, cost: Option<Amount>) -> bool {
    let calls_models = || summary.usage.values().any(|usage| usage.model_calls > 0);
    cost.is_some_and(|cost| match cost.exactly() {
        Some(known) => known > Cost::default() || calls_models(),
        None => cost.at_least().is_some(),
    })
}

/// The tokens of an episode in short; `None` where they are unknown or there are none.
pub fn tokens(summary: &Summary) -> Option<String> {
    let tokens = summary.known_tokens().filter(|tokens| *tokens > 0);
    tokens.map(short)
}

/// Dollars; what would be written as nothing and is something, as `< $0.0001`.
fn money(cost: Cost) -> String {
    match cost.dollars() {
        some if some > 0.0 && some < 0.000_05 => "< $0.0001".to_owned(),
        all => dollars(all),
    }
}

/// The cost of an episode, as it is drawn: a dash where it is unknown, which is never 0.
pub fn cost(amount: Amount) -> String {
    match (amount.exactly(), amount.at_least()) {
        (Some(known), _) => money(known),
        (None, Some(least)) => format!("≥ {}", money(least)),
        (None, None) => "–".to_owned(),
    }
}

pub fn cost_in_words(amount: Amount) -> String {
    match (amount.exactly(), amount.at_least()) {
        (Some(known), _) => format!("cost {}", money(known)),
        (None, Some(least)) => format!("cost at least {}", money(least)),
        (None, None) => "cost unknown".to_owned(),
    }
}

/// What was answered, if anything was.
pub fn answer(summary: &Summary) -> Option<&str> {
    let answer = summary.measured.answer.as_deref();
    answer.filter(|answer| !answer.is_empty())
}

/// The confidence that was stated with the answer, as it was written; at most a dozen signs.
pub fn confidence(summary: &Summary) -> Option<String> {
    #[derive(Deserialize)]
    struct Stated {
        confidence: Option<Value>,
    }
    let stated = summary.measured.numbers.read::<Stated>().ok()?;
    let text = match stated.confidence? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then(|| shortened(&text, 12))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::figures::Figures;
    use crate::metrics::summary::SeatUsage;
    use crate::screen::sample::summary;

    fn amount(millionths: u64, unknown: u64) -> Amount {
        Amount { known: Cost::at(millionths, 1_000_000), unknown }
    }

    #[test]
    fn a_choice_survives_its_address() {
        for columns in
            [Columns::default(), Columns::always(), Columns::default().with(Column::Cost, true)]
        {
            assert_eq!(Columns::read(&columns.written()), Some(columns));
        }
        assert_eq!(Columns::always().written(), "turns,outcome");
        assert_eq!(Columns::default().written(), "none");
        assert_eq!(Columns::read("cost,huge"), Columns::read("cost"));
        for nothing in ["", "huge", ","] {
            assert_eq!(Columns::read(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn columns_are_there_where_an_episode_fills_them() {
        let found = |summary: &Summary, cost: Option<Amount>| {
            let mut columns = Columns::default();
            columns.find(summary, || cost);
            columns.written()
        };
        let mut one = summary("1", "=");
        assert_eq!(found(&one, None), "none", "a game asks and answers nothing");
        let mut asked = one.clone();
        asked.measured.asked = Some("Which river?".to_owned());
        assert_eq!(found(&asked, None), "question");
        asked.measured.answer = Some(String::new());
        assert_eq!(found(&asked, None), "question", "an empty answer is none");
        asked.measured.right = Some("Rhine".to_owned());
        assert_eq!(found(&asked, None), "question,answer");
        let mut labelled = one.clone();
        labelled.task.labels.insert("domain".into(), "Sports".into());
        assert_eq!(found(&labelled, None), "question");
        let mut game = summary("t1-h1", "MM");
        game.task.labels.insert("table".into(), "1".into());
        assert_eq!(found(&game, None), "none");
        assert_eq!(found(&one, Some(amount(0, 0))), "none", "only bots");
        assert_eq!(found(&one, Some(amount(0, 3))), "none", "unknown");
        assert_eq!(found(&one, Some(amount(5, 3))), "cost", "at least");
        let usage = SeatUsage { model_calls: 1, output: 7, ..SeatUsage::default() };
        one.usage.insert("player".to_owned(), usage);
        one.measured.numbers = Figures::of(&serde_json::json!({ "confidence": "80" }));
        assert_eq!(found(&one, Some(amount(0, 0))), "confidence,tokens,cost");
        assert_eq!(found(&one, None), "confidence,tokens");
    }

    #[test]
    fn an_unknown_cost_is_no_zero() {
        let told = |amount| (cost(amount), cost_in_words(amount));
        let pair = |shown: &str, said: &str| (shown.to_owned(), said.to_owned());
        assert_eq!(told(amount(0, 0)), pair("$0.00", "cost $0.00"));
        assert_eq!(told(amount(12_300, 0)), pair("$0.0123", "cost $0.0123"));
        assert_eq!(told(amount(2_500_000, 0)), pair("$2.50", "cost $2.50"));
        assert_eq!(told(amount(10_000, 2)), pair("≥ $0.01", "cost at least $0.01"));
        assert_eq!(told(amount(0, 2)), pair("–", "cost unknown"));
        assert_eq!(told(amount(40, 0)), pair("< $0.0001", "cost < $0.0001"));
    }
}
