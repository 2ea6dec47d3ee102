//! What calls cost: a strict price book, and the reference code's table with its lookup (InteractComp specification 7.4).
//!
//! Prices are whole millionths of a US dollar per million tokens, costs whole trillionths of a dollar, so that sums are
//! exact in every order. Amounts beyond 10^26 dollars stay at the largest one.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a model costs, in millionths of a US dollar per million tokens: 150,000 is 0.15 dollars per million.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// For tokens that it reads.
    pub input: u64,
    /// For tokens that it writes.
    pub output: u64,
}

impl Price {
    /// What a call costs.
    pub fn of(&self, input_tokens: u64, output_tokens: u64) -> Cost {
        let cost = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        Cost(cost(input_tokens, self.input).saturating_add(cost(output_tokens, self.output)))
    }
}

/// An amount of money in trillionths of a US dollar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u128);

impl Cost {
    /// In millionths of a dollar, rounded up, so that a budget is never overspent.
    pub fn millionths(self) -> u128 {
        self.0.div_ceil(1_000_000)
    }

    /// In dollars, for showing.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e12
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::default(), Add::add)
    }
}

/// A day as `2025-11-10`; later days are greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Day(String);

/// A text that is not a day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a day is written as 2025-11-10")]
pub struct BadDay;

impl FromStr for Day {
    type Err = BadDay;

    fn from_str(text: &str) -> Result<Self, BadDay> {
        let shape = text.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        let fits = text.len() == 10
            && shape
            && ("01"..="12").contains(&&text[5..7])
            && ("01"..="31").contains(&&text[8..]);
        fits.then(|| Day(text.to_owned())).ok_or(BadDay)
    }
}

impl TryFrom<String> for Day {
    type Error = BadDay;

    fn try_from(text: String) -> Result<Self, BadDay> {
        text.parse()
    }
}

impl From<Day> for String {
    fn from(day: Day) -> String {
        day.0
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One line of a price book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceEntry {
    /// The model's exact name.
    pub model: String,
    /// The first day on which the price holds.
    pub from: Day,
    /// The price.
    #[serde(flatten)]
    pub price: Price,
}

/// Prices by exact name and day. What it does not list has no price: unknown, which is not nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PriceBook {
    entries: Vec<PriceEntry>,
}

impl PriceBook {
    /// A book of these entries, in any order.
    pub fn new(entries: Vec<PriceEntry>) -> Self {
        PriceBook { entries }
    }

    /// The price of exactly this model on a day: of the entries that began by then, the latest; of equal ones, the last.
    pub fn price(&self, model: &str, day: &Day) -> Option<Price> {
        let entries = self
            .entries
            .iter()
            .filter(|entry| entry.model == model && entry.from <= *day);
        entries
            .max_by(|one, other| one.from.cmp(&other.from))
            .map(|entry| entry.price)
    }
}

/// The reference code's table, in its order: model, input and output in millionths of a dollar per million tokens.
const REFERENCE: [(&str, u64, u64); 18] = [
    ("gpt-4o-mini", 150_000, 600_000),
    ("gpt-4o", 2_500_000, 10_000_000),
    ("o3", 2_000_000, 8_000_000),
    ("o3-mini", 1_100_000, 4_400_000),
    ("gpt-5", 1_250_000, 10_000_000),
    ("gpt-5-mini", 250_000, 2_000_000),
    ("moonshotai/kimi-k2", 296_000, 1_185_000),
    ("deepseek/deepseek-chat-v3.1", 200_000, 800_000),
    ("z-ai/glm-4.5", 330_000, 1_320_000),
    ("gemini-2.5-pro", 1_250_000, 10_000_000),
    ("claude-4-sonnet", 3_000_000, 15_000_000),
    ("claude-sonnet-4-20250514", 3_000_000, 15_000_000),
    ("gpt-4.1", 2_000_000, 8_000_000),
    ("claude-opus-4-20250514", 15_000_000, 75_000_000),
    ("deepseek-chat", 2_000_000, 8_000_000),
    ("deepseek-reasoner", 4_000_000, 16_000_000),
    ("qwen3-235b-a22b", 2_860_000, 11_440_000),
    ("x-ai/grok-4", 3_150_000, 15_750_000),
];

/// The price by which the reference code counts: the exact name, else the first name of its table that is part of this
/// one, else nothing at all. It overprices small models and takes some for free; see the specification.
pub fn reference_price(model: &str) -> Price {
    let exact = REFERENCE.iter().find(|(name, ..)| *name == model);
    let found = exact.or_else(|| REFERENCE.iter().find(|(name, ..)| model.contains(name)));
    found.map_or(Price::default(), |(_, input, output)| Price {
        input: *input,
        output: *output,
    })
}

/// The cost of a run as the reference code reports it, in dollars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReferenceCost {
    /// The largest cost of any row.
    pub total: f64,
    /// The total by the number of rows.
    pub average: f64,
}

/// The reference code's cost of a run from its rows' costs, which are running totals (0 on Error rows). `None` without
/// rows.
pub fn reference_cost(rows: &[f64]) -> Option<ReferenceCost> {
    let total = rows.iter().copied().fold(0.0, f64::max);
    (!rows.is_empty()).then(|| ReferenceCost {
        total,
        average: total / rows.len() as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_lookup_takes_the_exact_name_then_the_first_part() {
        let price = |input, output| Price { input, output };
        let rows = [
            ("gpt-4o-mini", price(150_000, 600_000)),
            ("gpt-4o", price(2_500_000, 10_000_000)),
            ("o3-mini", price(1_100_000, 4_400_000)),
            ("gpt-5-mini", price(250_000, 2_000_000)),
            // Dated and prefixed names meet the first key that is part of them.
            ("gpt-4o-mini-2024-07-18", price(150_000, 600_000)),
            ("gpt-5-mini-2025-08-07", price(1_250_000, 10_000_000)),
            ("o3-mini-2025-01-31", price(2_000_000, 8_000_000)),
            ("my-foo3-model", price(2_000_000, 8_000_000)),
            ("gpt-4.1-mini", price(2_000_000, 8_000_000)),
            ("deepseek/deepseek-chat-v3.1", price(200_000, 800_000)),
            ("deepseek/deepseek-chat", price(2_000_000, 8_000_000)),
            ("moonshotai/kimi-k2-0905", price(296_000, 1_185_000)),
            // No price at all costs nothing.
            ("claude-3-5-sonnet-20241022", price(0, 0)),
            ("deepseek-r1", price(0, 0)),
            ("doubao-1.6", price(0, 0)),
            ("qwen2.5-72b-instruct", price(0, 0)),
            ("GPT-4o", price(0, 0)),
            ("", price(0, 0)),
        ];
        for (model, wanted) in rows {
            assert_eq!(reference_price(model), wanted, "{model}");
        }
    }

    /// The run-level vector of specification 7.5: four tasks, 2 + 4 + 3 + 3 calls of 1000 tokens in and 100 out.
    #[test]
    fn the_run_level_vector() {
        let call = reference_price("gpt-4o-mini").of(1000, 100);
        assert_eq!(call.dollars(), 0.00021);
        let calls = [2, 4, 3, 3];
        let is_error = [false, false, true, false];
        let mut running = Cost::default();
        let mut rows = Vec::new();
        for (calls, is_error) in calls.into_iter().zip(is_error) {
            running += (0..calls).map(|_| call).sum();
            rows.push(if is_error { 0.0 } else { running.dollars() });
        }
        assert_eq!(rows, [0.00042, 0.00126, 0.0, 0.00252]);
        let cost = reference_cost(&rows).unwrap();
        assert_eq!((cost.total, cost.average), (0.00252, 0.00063));
        assert_eq!(reference_cost(&[0.0, 0.0]).unwrap().total, 0.0);
        assert_eq!(reference_cost(&[]), None);
    }

    #[test]
    fn the_price_book_knows_exact_names_and_days() {
        let entry = |model: &str, from: &str, input| PriceEntry {
            model: model.to_owned(),
            from: from.parse().unwrap(),
            price: Price { input, output: 0 },
        };
        let book = PriceBook::new(vec![
            entry("m", "2025-06-01", 2),
            entry("m", "2025-01-01", 1),
            entry("n", "2025-01-01", 9),
        ]);
        let price = |model, day: &str| {
            book.price(model, &day.parse().unwrap())
                .map(|price| price.input)
        };
        assert_eq!(price("m", "2024-12-31"), None);
        assert_eq!(price("m", "2025-01-01"), Some(1));
        assert_eq!(price("m", "2025-05-31"), Some(1));
        assert_eq!(price("m", "2025-06-01"), Some(2));
        assert_eq!(price("m-mini", "2025-06-01"), None);
        let text = serde_json::to_string(&book).unwrap();
        assert_eq!(serde_json::from_str::<PriceBook>(&text).unwrap(), book);
        assert!(
            text.starts_with(r#"[{"model":"m","from":"2025-06-01","input":2,"output":0}"#),
            "{text}"
        );
    }

    #[test]
    fn days_are_days() {
        for good in ["2025-11-10", "0001-01-31"] {
            assert!(good.parse::<Day>().is_ok(), "{good}");
        }
        for bad in [
            "2025-13-01",
            "2025-00-01",
            "2025-01-32",
            "2025-1-01",
            "2025-01-01 ",
            "25-01-0101",
            "２０25-1",
            "",
        ] {
            assert_eq!(bad.parse::<Day>(), Err(BadDay), "{bad}");
        }
    }

    #[test]
    fn costs_are_exact_and_round_up() {
        let price = Price {
            input: 296_000,
            output: 1_185_000,
        };
        let cost: Cost = (0..3).map(|_| price.of(1, 1)).sum();
        assert_eq!(cost, price.of(3, 3));
        assert_eq!(cost.millionths(), 5);
        assert_eq!(
            Price {
                input: 1_000_000,
                output: 0
            }
            .of(7, 0)
            .millionths(),
            7
        );
        let huge = Price {
            input: u64::MAX,
            output: u64::MAX,
        };
        assert!(huge.of(u64::MAX, u64::MAX) >= huge.of(u64::MAX, 0));
    }
}
