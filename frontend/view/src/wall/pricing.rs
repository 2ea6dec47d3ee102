//! What one episode cost, counted as the cost of its run.

use turnwise_shared::metrics::spending::{self, Amount};
use turnwise_shared::prelude::*;

/// By what the cost of an episode is counted.
#[derive(Debug, Clone)]
pub struct Pricing {
    spec: Spec,
    options: MeasureOptions,
}

impl Pricing {
    /// Of a run that was opened at this time, in milliseconds since 1970.
    pub fn of(spec: Spec, opened: u64, prices: PriceBook) -> Self {
        let options = MeasureOptions { prices, day: Day::of(opened), ..MeasureOptions::default() };
        Pricing { spec, options }
    }

    /// What an episode has cost so far.
    pub fn cost(&self, summary: &Summary) -> Amount {
        spending::of(&self.spec, [&summary.usage], &self.options).total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::examples::{QUESTIONS, example};
    use turnwise_shared::metrics::summary::SeatUsage;
    use turnwise_shared::screen::columns::cost;
    use turnwise_shared::screen::sample::summary;

    #[test]
    fn without_a_price_the_cost_of_a_model_is_unknown_and_that_of_a_bot_is_nothing() {
        let spec = default_spec(example(QUESTIONS));
        let pricing = Pricing::of(spec, 1_764_000_000_000, PriceBook::default());
        let mut one = summary("1", "=");
        assert_eq!(cost(pricing.cost(&one)), "$0.00");
        let usage = SeatUsage {
            calls: 1,
            model_calls: 1,
            counted: 1,
            input: 9,
            output: 9,
            provider: Some("up".to_owned()),
            model: Some("player".to_owned()),
            ..SeatUsage::default()
        };
        one.usage.insert("player".to_owned(), usage);
        assert_eq!(cost(pricing.cost(&one)), "–");
    }
}
