//! A run that sweeps over a setting, as its study draws it.

use serde_json::Value;

use crate::metrics::metric::{Metric, at};
use crate::metrics::report::{Column, Curve, Point, Table, TableRow};

/// The records of a run's values, in the order of the values. Each has its value under the name of the setting, and in `scored` how
/// many episodes stand behind it.
#[derive(Debug, Clone, Copy)]
pub struct Swept<'a> {
    pub setting: &'a str,
    pub records: &'a [Value],
}

impl Swept<'_> {
    /// A number over the values.
    pub fn curve(&self, name: &str, metric: &Metric) -> Curve {
        let point = |record: &Value| {
            let figure = metric.figure(record);
            let point = Point::at(record[self.setting].as_f64()?, figure.value?);
            Some(Point { interval: figure.interval, n: Some(scored(record)), ..point })
        };
        Curve::new(name, self.records.iter().filter_map(point))
    }

    /// A row for each value, of the numbers at these keys.
    pub fn table(&self, title: &str, about: &str, by: &str, numbers: &[(&str, Column)]) -> Table {
        let row = |record: &Value| {
            let cells = numbers.iter().map(|(key, _)| at(record, key).as_f64());
            TableRow::new(record[self.setting].to_string(), scored(record), cells)
        };
        let columns = numbers.iter().map(|(_, column)| column.clone());
        Table::new(title, about, by, columns, self.records.iter().map(row))
    }
}

fn scored(record: &Value) -> u32 {
    record["scored"].as_u64().map_or(0, |scored| scored.try_into().unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::metrics::metric::ACCURACY;

    #[test]
    fn a_value_without_a_number_is_a_row_and_no_point() {
        let records = [
            json!({ "rounds": 5, "scored": 4, "accuracy": 0.5, "accuracy_interval": [0.25, 0.75] }),
            json!({ "rounds": 10, "scored": 0, "accuracy": null }),
        ];
        let swept = Swept { setting: "rounds", records: &records };
        let point = Point { x: 5.0, y: 0.5, interval: Some((0.25, 0.75)), n: Some(4) };
        assert_eq!(swept.curve("this run", &ACCURACY), Curve::new("this run", [point]));
        let numbers = [("accuracy", ACCURACY.column()), ("accuracy_interval.1", ACCURACY.column())];
        let table = swept.table("By rounds", "", "rounds", &numbers);
        let rows =
            [TableRow::new("5", 4, [Some(0.5), Some(0.75)]), TableRow::new("10", 0, [None, None])];
        assert_eq!((table.columns.len(), table.rows), (2, rows.to_vec()));
    }
}
