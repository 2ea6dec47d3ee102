//! Amounts of money, and the reference code's price table with its lookup. What calls really cost
//! follows from [`prices`](super::prices).
//!
//! Costs are whole trillionths of a dollar, so that sums are exact in every order. Amounts beyond 10^26 dollars stay at the
//! largest one.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// What a model costs by the reference code's table, in millionths of a US dollar per million tokens: 150,000 is 0.15 dollars
/// per million. It knows no caches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReferencePrice {
    /// For tokens that it reads.
    pub input: u64,
    /// For tokens that it writes.
    pub output: u64,
}

impl ReferencePrice {
    pub fn of(&self, input_tokens: u64, output_tokens: u64) -> Cost {
        let cost = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        Cost(cost(input_tokens, self.input).saturating_add(cost(output_tokens, self.output)))
    }
}

/// An amount of money in trillionths of a US dollar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u128);

impl Cost {
    /// This many units at this many millionths of a dollar per million units.
    pub fn at(units: u64, price: u64) -> Self {
        Cost(u128::from(units) * u128::from(price))
    }

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

/// The reference code's table, in its order: model, input and output in millionths of a dollar per million tokens.
const REFERENCE: &str = include_str!("cost.tsv");

/// The price by which the reference code counts: the exact name, else the first name of its table that is part of this
/// one, else nothing at all. It overprices small models and takes some for free; see the specification.
pub fn reference_price(model: &str) -> ReferencePrice {
    let rows = || REFERENCE.lines().filter_map(|row| row.split_once('\t'));
    let exact = rows().find(|(name, _)| *name == model);
    let found = exact.or_else(|| rows().find(|(name, _)| model.contains(name)));
    let price = |(_, prices): (&str, &str)| {
        let (input, output) = prices.split_once('\t')?;
        Some(ReferencePrice { input: input.parse().ok()?, output: output.parse().ok()? })
    };
    found.and_then(price).unwrap_or_default()
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
    (!rows.is_empty()).then(|| ReferenceCost { total, average: total / rows.len() as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_lookup_takes_the_exact_name_then_the_first_part() {
        let price = |input, output| ReferencePrice { input, output };
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
        let cost = reference_cost(&rows).expect("there are rows");
        assert_eq!((cost.total, cost.average), (0.00252, 0.00063));
        assert_eq!(reference_cost(&[0.0, 0.0]).expect("there are rows").total, 0.0);
        assert_eq!(reference_cost(&[]), None);
    }

    #[test]
    fn costs_are_exact_and_round_up() {
        let price = ReferencePrice { input: 296_000, output: 1_185_000 };
        let cost: Cost = (0..3).map(|_| price.of(1, 1)).sum();
        assert_eq!(cost, price.of(3, 3));
        assert_eq!(cost.millionths(), 5);
        assert_eq!(ReferencePrice { input: 1_000_000, output: 0 }.of(7, 0).millionths(), 7);
        let huge = ReferencePrice { input: u64::MAX, output: u64::MAX };
        assert!(huge.of(u64::MAX, u64::MAX) >= huge.of(u64::MAX, 0));
    }
}
